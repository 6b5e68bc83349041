"""Advice on which measure should choose a model, given the number of validation cases."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from metameasure._arguments import (
    REPETITIONS,
    read_argument,
    read_resamples,
    read_seed,
    read_workers,
)
from metameasure._text import plus_minus, some_names
from metameasure.data import DataOptions, read_models, takes_models
from metameasure.errors import ParameterError
from metameasure.evaluation import LeftOut
from metameasure.inference import SEED
from metameasure.lab.advice.recommendation import Gap, recommend, winner_of, with_noise
from metameasure.lab.model_choice.question import ask, read_noise, read_sizes
from metameasure.lab.model_choice.trials import RESAMPLES, apart, study
from metameasure.progress import reporting
from metameasure.results import Cell, Check, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from metameasure.data import Predictions
    from metameasure.evaluation import Chosen
    from metameasure.lab.model_choice.question import Question
    from metameasure.lab.model_choice.trials import Findings
    from metameasure.measurement import Measure
    from metameasure.progress import Progress


SIZES = (50, 100, 200)
"""Default sizes of validation sets."""
NOISE = (0.05, 0.1, 0.2)
"""Default fractions of labels that are redrawn."""
REPEATS = 500
"""Default number of validation sets per size."""
FEW = 25
"""Number of cases of a class below which estimates are unreliable."""
NOTABLE = 0.01
"""Fraction of validation sets with an undefined value above which there is a warning."""


@dataclass(frozen=True)
class AdviceRow:
    """How well one measure chooses from validation sets of one size.

    Attributes:
        measure: the measure.
        size: the number of cases per validation set.
        noise: the fraction of the validation labels that are redrawn at random.
        regret: the mean difference between the goal of the best model and that of the chosen one.
        regret_se: the standard error of ``regret``, over samples of cases and over draws.
        hit_rate: the fraction of the choices that are the best model.
        msa: the fraction of pairs of models that are ordered as the goal orders them.
        as_good_as_best: whether the regret is not significantly larger than the smallest one.
    """

    measure: str
    size: int
    noise: float
    regret: float
    regret_se: float
    hit_rate: float
    msa: float
    as_good_as_best: bool


@dataclass(frozen=True)
class UndefinedRow:
    """The fraction of validation sets on which a measure is undefined for a model."""

    measure: str
    size: int
    noise: float
    share: float


class Advice(Result):
    """Which measure should choose among the models: one row per size, noise and measure.

    Attributes:
        recommendation: the advice in one sentence.
        goal: the measure that determines which model is best.
        measures: the measures compared, in order; of equally good ones the first is recommended.
        models_differ: whether the models differ significantly in the goal; if not, no row is
            informative.
        noise_notes: how label noise changes the recommendation.
        left_out: the measures that do not apply to a model.
        undefined: the validation sets on which measures are undefined.
    """

    schema = AdviceRow
    extra: ClassVar = {"left_out": LeftOut, "undefined": UndefinedRow}

    def __init__(
        self,
        rows: Sequence[AdviceRow],
        recommendation: str,
        *,
        goal: Measure,
        measures: Sequence[str] = (),
        models_differ: bool = True,
        noise_notes: Sequence[str] = (),
        checks: Sequence[Check] = (),
        left_out: Sequence[LeftOut] = (),
        undefined: Sequence[UndefinedRow] = (),
        facts: dict[str, Any] | None = None,
        like: Any = None,
    ) -> None:
        self.recommendation = recommendation
        self.goal = goal
        self.measures = tuple(measures) or tuple(dict.fromkeys(row.measure for row in rows))
        self.models_differ = models_differ
        self.noise_notes = tuple(noise_notes)
        self.left_out = tuple(left_out)
        self.undefined = tuple(undefined)
        sentences = {"recommendation": recommendation, "noise_notes": list(noise_notes)}
        about = {"goal": str(goal), "models_differ": models_differ}
        super().__init__(
            rows, meta={**sentences, **about, **(facts or {})}, checks=checks, like=like
        )

    def recommended(self, *, size: int | None = None, noise: float | None = None) -> str | None:
        """The recommended measure as text; None if there is none.

        Where some measures are significantly worse than the best, the recommended measure is not,
        and of all such measures it has the smallest mean regret there.

        Args:
            size: the size of validation sets, for all levels of noise; by default all sizes.
            noise: the level of noise; by default none, or all levels if a size is given.
        """
        if size is None and noise is None:
            noise = min(row.noise for row in self.rows)
        rows = self._rows_at(size, noise)
        if not self.models_differ:
            return None
        found = {(row.size, row.noise, row.measure): row for row in rows}
        levels = dict.fromkeys((row.size, row.noise) for row in rows)
        table = [[found[*level, name] for name in self.measures] for level in levels]
        good = np.array([[row.as_good_as_best for row in some] for some in table])
        regret = np.array([[row.regret for row in some] for some in table])
        winner = winner_of(good, regret)
        return None if winner is None else self.measures[winner]

    def _rows_at(self, size: Any, noise: Any) -> list[AdviceRow]:
        """The rows of this size and noise, where given; an error if there are none."""
        rows = [row for row in self.rows if _is_at(row, size, noise)]
        if not rows:
            sizes, shares = (
                ", ".join(f"{known:g}" for known in sorted({getattr(row, of) for row in self.rows}))
                for of in ("size", "noise")
            )
            raise ParameterError(
                f"there are no rows for size={size!r}, noise={noise!r}; sizes: {sizes}; noise: "
                f"{shares}"
            )
        return rows

    def grids(self) -> list[Grid]:
        """One table per size, the best measures first."""
        sizes = dict.fromkeys(row.size for row in self.rows)
        return [self._grid([row for row in self.rows if row.size == size]) for size in sizes]

    def notes(self) -> list[str]:
        """The recommendation, the effect of noise, and the measures that were left out."""
        left: dict[tuple[str, str], list[str]] = {}
        for item in self.left_out:
            left.setdefault((item.model, item.reason), []).append(item.measure)
        out = [
            f"left out for {model}, {why}: {', '.join(measures)}"
            for (model, why), measures in left.items()
        ]
        return [self.recommendation, *self.noise_notes, *out]

    def _grid(self, rows: Sequence[AdviceRow]) -> Grid:
        levels = list(dict.fromkeys(row.noise for row in rows))
        known = {(row.measure, row.noise): row for row in rows}
        header = ["measure", "regret", "as good as best", "hit rate", "MSA"]
        header += [f"{100 * noise:g}% noise" for noise in levels[1:]]
        body = []
        for row in (row for row in rows if row.noise == levels[0]):
            cells = [_regret(row), Cell("yes" if row.as_good_as_best else "")]
            cells += [Cell(f"{row.hit_rate:.3f}"), Cell(f"{row.msa:.3f}")]
            cells += [_regret(known[row.measure, noise]) for noise in levels[1:]]
            body.append((row.measure, cells))
        counts = "{n} cases, {n_pos} positive, {models} models".format_map(self.meta)
        caption = (
            f"{counts}; regret: mean loss of {self.goal} compared with the best model, ± standard "
            "error"
        )
        title = f"validation sets of {rows[0].size} cases"
        return Grid(header, body, caption, title, "regret not significantly above the smallest")

    def __repr__(self) -> str:
        return f"<advice: {self.recommendation}>"


def _is_at(row: AdviceRow, size: Any, noise: Any) -> bool:
    """Whether a row is of this size and noise, where given."""
    return all(
        given is None or (given == own and not isinstance(given, bool))
        for given, own in ((size, row.size), (noise, row.noise))
    )


def _regret(row: AdviceRow) -> Cell:
    return Cell(plus_minus(row.regret, row.regret_se), "", row.as_good_as_best)


@takes_models(DataOptions)
def advise(
    y_true: Any,
    scores: Any = None,
    goal: str | Measure = "auc",
    sizes: int | Iterable[int] = SIZES,
    measures: Chosen = "default",
    *,
    repeats: int = REPEATS,
    noise: float | Iterable[float] = NOISE,
    resamples: int = RESAMPLES,
    seed: int | None = SEED,
    workers: int | None = None,
    progress: bool | Progress | None = True,
    **data: Unpack[DataOptions],
) -> Advice:
    """Which measure should choose a model if there are few validation cases.

    Validation sets are drawn from the cases, each measure chooses a model on each of them, and the
    choice is judged by the goal on the cases that were not drawn. Another measure often chooses
    better than the goal itself. Standard errors include the sampling of the cases; if no measure is
    significantly better, the recommendation says so.

    Takes what ``evaluate`` takes: labels and a dict or frame of scores, or a frame and its column
    names.

    Args:
        goal: the measure that determines which model is best, e.g. "auc" or "expected_cost(c=0.2)".
        sizes: one or several numbers of cases per validation set.
        measures: "default", "all", or measures or their texts; the goal is always included.
        repeats: the number of validation sets per size.
        noise: fractions of the validation labels that are redrawn at random, in addition to 0; the
            choices are judged by the true labels.
        resamples: the number of random parts of the cases for the standard errors.
        seed: the random seed.
        workers: the number of processes; the result does not depend on it.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> y = rng.random(1000) < 0.4
    >>> models = {name: y * shift + rng.normal(size=1000) for name, shift in zip("ab", (2, 1))}
    >>> options = {"sizes": 30, "noise": (), "resamples": 20, "workers": 1}
    >>> advice = advise(y, models, "auc", measures="auc, tpr@fpr=0.01", **options)
    >>> print(advice.recommendation)
    To choose the model with the best auc from 30 validation cases, use auc itself: its mean regret
    in auc is 0.0149 ± 0.0030, against 0.0324 for tpr@fpr=0.01.
    """
    models = read_models(y_true, scores, number="two or more", **data)
    predictions = models.rows_for("advice")
    seed = read_seed(seed)
    read_workers(workers)
    repeats = read_argument("repeats", repeats, REPETITIONS)
    resamples = read_resamples(resamples)
    question, left_out = ask(predictions, goal, measures, noise=read_noise(noise))
    with reporting(progress, f"advise: {repeats} validation sets per size") as report:
        findings = study(
            question,
            read_sizes("sizes", sizes, question.cases),
            repeats,
            resamples=resamples,
            seed=seed,
            workers=workers,
            progress=report,
        )
    gap = Gap(*apart(question, seed))
    positives = int(np.count_nonzero(question.cases.positive))
    return Advice(
        [row for found in findings for row in _rows(found, question)],
        recommend(findings, question.measures, gap),
        goal=question.goal,
        measures=[str(measure) for measure in question.measures],
        models_differ=gap.significant and gap.difference > 0,
        noise_notes=with_noise(findings, question.measures, question.noise, gap),
        checks=list(_checks(findings, question, predictions, alike=not gap.difference)),
        left_out=left_out,
        undefined=list(_undefined(findings, question)),
        facts={
            "n": question.cases.n,
            "n_pos": positives,
            "models": question.cases.models,
            "dropped": predictions.dropped,
            "repeats": repeats,
            "resamples": resamples,
        },
        like=models.like,
    )


def _rows(found: Findings, question: Question) -> Iterator[AdviceRow]:
    """The rows of one size, by noise and then by regret."""
    for noise, share in enumerate(question.noise):
        regret, good = found.regret.value[:, noise], found.as_good(noise)
        for place in np.argsort(regret, kind="stable").tolist():
            yield AdviceRow(
                measure=str(question.measures[place]),
                size=found.size,
                noise=share,
                regret=float(regret[place]),
                regret_se=float(found.regret.error[place, noise]),
                hit_rate=float(found.hit.value[place, noise]),
                msa=float(found.msa.value[place, noise]),
                as_good_as_best=bool(good[place]),
            )


def _undefined(findings: Sequence[Findings], question: Question) -> Iterator[UndefinedRow]:
    """Where measures are undefined, and on which fraction of the validation sets."""
    for found in findings:
        for place, noise in np.argwhere(found.undefined > 0).tolist():
            share = float(found.undefined[place, noise])
            measure = str(question.measures[place])
            yield UndefinedRow(measure, found.size, question.noise[noise], share)


def _checks(
    findings: Sequence[Findings], question: Question, predictions: Predictions, *, alike: bool
) -> Iterator[Check]:
    """Warnings; ``alike`` if all models have the same goal."""
    cases = question.cases
    if cases.fewest < FEW:
        yield Check("MM01", f"a class has only {cases.fewest} cases; estimates are unreliable")
    for a, b in combinations(predictions.scores, 2):
        if np.array_equal(predictions.scores[a], predictions.scores[b]):
            yield Check("MM08", "both models have the same scores", f"{a} - {b}")
    for found in findings:
        where = f"with {found.size} validation cases"
        if 4 * found.size > cases.n:
            message = (
                f"{found.size} validation cases are more than a quarter of {cases.n} cases, so "
                "that the regrets are unreliable; use more cases or a smaller size"
            )
            yield Check("MM17", message)
        errors = zip(question.measures, found.regret.error[:, 0], strict=True)
        certain = [str(measure) for measure, error in errors if error == 0]
        if certain and not alike:
            message = f"{some_names(certain)} always chose the best model {where}; a standard error"
            yield Check("MM13", f"{message} of 0 does not mean certainty")
        if found.unknown > 0:
            message = (
                f"the goal {question.goal} is not finite on the remaining cases for "
                f"{found.unknown:.1%} of the draws {where}, which are not counted"
            )
            yield Check("MM18", message)
        shares = found.undefined[:, 0]
        places = [p for p in np.argsort(-shares, kind="stable").tolist() if shares[p] > NOTABLE]
        if places:
            named = ", ".join(f"{question.measures[p]} ({shares[p]:.0%})" for p in places)
            message = (
                f"measures that are undefined for a model on some validation sets {where}, and "
                f"then choose among the other models, or at random: {named}"
            )
            yield Check("MM19", message)
