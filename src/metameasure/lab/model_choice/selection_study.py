"""Model selection ability from small validation sets (Huang; Wu, Flach and Ferri)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from metameasure._arguments import (
    REPETITIONS,
    Choice,
    Whole,
    read_argument,
    read_resamples,
    read_seed,
    read_workers,
)
from metameasure._text import number, plus_minus
from metameasure.data import DataOptions, read_models, takes_models
from metameasure.evaluation import LeftOut
from metameasure.inference import SEED, holm, sign_test
from metameasure.lab.model_choice.question import ask, read_sizes
from metameasure.lab.model_choice.trials import RESAMPLES, study
from metameasure.progress import reporting
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from metameasure.evaluation import Chosen
    from metameasure.lab.model_choice.question import Judged, Question
    from metameasure.lab.model_choice.trials import Findings
    from metameasure.measurement import Measure
    from metameasure.progress import Progress


SIZE, REPEATS = 100, 1000
"""Default size and number of validation sets."""
JUDGED = Choice(("all", "rest"))


@dataclass(frozen=True)
class SelectionRow:
    """How well one measure selects models.

    Attributes:
        measure: the measure.
        msa: model selection ability: the fraction of pairs of models that it orders on a validation
            set as the goal does; ties count 1/2.
        msa_se: the standard error of ``msa``, over samples of cases and over draws.
        hit_rate: the probability that it selects the best model.
        hit_rate_se: the standard error of ``hit_rate``.
        regret: the mean difference between the goal of the best model and that of the selected one.
        regret_se: the standard error of ``regret``.
        undefined: the fraction of validation sets on which it is undefined for a model.
    """

    measure: str
    msa: float
    msa_se: float
    hit_rate: float
    hit_rate_se: float
    regret: float
    regret_se: float
    undefined: float


@dataclass(frozen=True)
class SelectionTest:
    """A test of whether two measures select equally well.

    Attributes:
        a, b: the measures.
        difference: the regret of a minus that of b; if negative, a selects better.
        se: the standard error of ``difference``, over samples of cases and over draws.
        pvalue: the p-value of the null hypothesis of equal regrets in the population of cases.
        adjusted_pvalue: ``pvalue``, adjusted by Holm over the tests.
        wins, losses, ties: the numbers of validation sets on which the model selected by a is
            better than, worse than, or as good as that selected by b.
        sign_pvalue: the p-value of the sign test over the validation sets. It applies to these
            cases only, not to their population.
    """

    a: str
    b: str
    difference: float
    se: float
    pvalue: float
    adjusted_pvalue: float
    wins: int
    losses: int
    ties: int
    sign_pvalue: float


class Selection(Result):
    """How well measures select models: one row per measure, the smallest regret first.

    ``tests`` compares each measure with the reference, which is the goal by default.
    """

    schema = SelectionRow
    extra: ClassVar = {"tests": SelectionTest, "left_out": LeftOut}

    def __init__(
        self,
        rows: Sequence[SelectionRow],
        tests: Sequence[SelectionTest],
        *,
        goal: Measure,
        reference: Measure,
        facts: dict[str, Any],
        left_out: Sequence[LeftOut] = (),
        like: Any = None,
    ) -> None:
        names = {"goal": str(goal), "reference": str(reference)}
        super().__init__(rows, meta={**names, **facts}, like=like)
        self.tests = tuple(tests)
        self.goal = goal
        self.reference = reference
        self.left_out = tuple(left_out)

    def grids(self) -> list[Grid]:
        """One line per measure, with its test against the reference."""
        header = ["measure", "MSA", "hit rate", "regret", f"p-value against {self.reference}"]
        adjusted = {test.a: test.adjusted_pvalue for test in self.tests}
        body = []
        for row in self.rows:
            cells = [
                Cell(plus_minus(row.msa, row.msa_se)),
                Cell(plus_minus(row.hit_rate, row.hit_rate_se)),
                Cell(plus_minus(row.regret, row.regret_se)),
                Cell(number(adjusted[row.measure]) if row.measure in adjusted else ""),
            ]
            body.append((row.measure, cells))
        facts = (
            "{n} cases, {models} models, {repeats} validation sets of {size} cases; goal: {goal}"
        )
        return [Grid(header, body, f"{facts.format_map(self.meta)}; p-values adjusted by Holm")]

    def notes(self) -> list[str]:
        """The measures that were left out."""
        return [
            f"{item.measure} left out for {item.model}: {item.reason}" for item in self.left_out
        ]


@takes_models(DataOptions)
def selection(
    y_true: Any,
    scores: Any = None,
    goal: str | Measure = "auc",
    measures: Chosen = "default",
    validation_size: int = SIZE,
    repeats: int = REPEATS,
    *,
    judged_on: Judged = "all",
    reference: str | Measure | None = None,
    resamples: int = RESAMPLES,
    seed: int | None = SEED,
    workers: int | None = None,
    progress: bool | Progress | None = True,
    **data: Unpack[DataOptions],
) -> Selection:
    """How well measures select the best model from small validation sets.

    Validation sets are drawn from the cases without replacement, and each measure orders the models
    on each of them. Tied models are equally likely to be selected, and so are all models if the
    measure is undefined for all of them. Takes what ``evaluate`` takes.

    Args:
        goal: the measure that determines which model is best.
        measures: "default", "all", or measures or their texts; the goal is always included.
        validation_size: the number of cases per validation set.
        repeats: the number of validation sets.
        judged_on: whether the goal is computed on "all" cases, as in Huang (2006), or on the "rest"
            that was not drawn, as in Wu, Flach and Ferri (2007). All cases include the validation
            set, which favors the goal, more so the larger the set is.
        reference: the measure that the others are tested against; by default the goal.
        resamples: the number of random parts of the cases for the standard errors.
        seed: the random seed.
        workers: the number of processes; the result does not depend on it.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> rng = np.random.default_rng(1)
    >>> y = rng.random(500) < 0.4
    >>> models = {name: y * shift + rng.normal(size=500) for name, shift in zip("abc", (0, 1, 2))}
    >>> options = {"validation_size": 30, "repeats": 200, "resamples": 10, "workers": 1}
    >>> found = selection(y, models, "auc", "auc, ks, ndcg", **options)
    >>> [(row.measure, round(row.hit_rate, 2)) for row in found.rows]
    [('auc', 0.95), ('ks', 0.95), ('ndcg', 0.92)]
    """
    models = read_models(y_true, scores, number="two or more", **data)
    predictions = models.rows_for("validation sets")
    seed = read_seed(seed)
    read_workers(workers)
    judged = read_argument("judged_on", judged_on, JUDGED)
    repeats = read_argument("repeats", repeats, REPETITIONS)
    resamples = read_resamples(resamples)
    question, left_out = ask(predictions, goal, measures, judged=judged)
    name = "validation_size"
    (size,) = read_sizes(name, read_argument(name, validation_size, Whole(2)), question.cases)
    place = _place_of(reference, question)
    with reporting(progress, f"lab.selection: {repeats} validation sets") as report:
        (found,) = study(
            question,
            [size],
            repeats,
            resamples=resamples,
            seed=seed,
            workers=workers,
            progress=report,
        )
    facts = {
        "n": question.cases.n,
        "n_pos": int(np.count_nonzero(question.cases.positive)),
        "models": question.cases.models,
        "dropped": predictions.dropped,
        "size": size,
        "repeats": repeats,
        "judged_on": judged,
    }
    return Selection(
        list(_rows(found, question)),
        _tests(found, question, place),
        goal=question.goal,
        reference=question.measures[place],
        facts=facts,
        left_out=left_out,
        like=models.like,
    )


def _place_of(reference: str | Measure | None, question: Question) -> int:
    names = tuple(str(measure) for measure in question.measures)
    if reference is None:
        return 0
    return names.index(read_argument("reference", str(reference), Choice(names)))


def _rows(found: Findings, question: Question) -> Iterator[SelectionRow]:
    for place in np.argsort(found.regret.value[:, 0], kind="stable").tolist():
        yield SelectionRow(
            measure=str(question.measures[place]),
            msa=float(found.msa.value[place, 0]),
            msa_se=float(found.msa.error[place, 0]),
            hit_rate=float(found.hit.value[place, 0]),
            hit_rate_se=float(found.hit.error[place, 0]),
            regret=float(found.regret.value[place, 0]),
            regret_se=float(found.regret.error[place, 0]),
            undefined=float(found.undefined[place, 0]),
        )


def _tests(found: Findings, question: Question, reference: int) -> list[SelectionTest]:
    """Each measure against the reference, in the order of the measures."""
    from scipy.stats import t as student  # noqa: PLC0415

    spread, regret = found.spreads[0], found.regret.value[:, 0]
    error, df = spread.gap_errors()[reference], spread.gap_df()[reference]
    others = [place for place in range(regret.size) if place != reference]
    gaps = {place: float(regret[place] - regret[reference]) for place in others}
    with np.errstate(divide="ignore", invalid="ignore"):
        pvalues = [
            float(2 * student.sf(abs(gaps[p]) / error[p], df[p])) if gaps[p] else 1.0
            for p in others
        ]
    tests = []
    for place, pvalue, adjusted in zip(others, pvalues, holm(pvalues), strict=True):
        picked = -found.judgments.regret[:, 0]
        known = np.isfinite(picked).all(axis=0)
        signs = sign_test(picked[place, known], picked[reference, known])
        tests.append(
            SelectionTest(
                a=str(question.measures[place]),
                b=str(question.measures[reference]),
                difference=gaps[place],
                se=float(error[place]),
                pvalue=pvalue,
                adjusted_pvalue=adjusted,
                wins=signs.higher,
                losses=signs.lower,
                ties=signs.ties,
                sign_pvalue=signs.pvalue,
            )
        )
    return tests
