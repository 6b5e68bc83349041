"""Model selection ability from small validation sets (Huang; Wu, Flach and Ferri)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Choice, Whole, read_argument, read_seed, read_workers
from metameasure.data import read_models
from metameasure.errors import Argument, ParameterError
from metameasure.inference import SEED, holm, sign_test
from metameasure.lab.model_choice.question import REPETITIONS, ask, read_sizes
from metameasure.lab.model_choice.selection_result import Selection, SelectionRow, SelectionTest
from metameasure.lab.model_choice.trials import RESAMPLES, study

if TYPE_CHECKING:
    from collections.abc import Iterator

    from metameasure.data import NanPolicy, Rescale
    from metameasure.evaluation import Chosen
    from metameasure.inference import Progress
    from metameasure.lab.model_choice.regret import Judged, Question
    from metameasure.lab.model_choice.trials import Findings
    from metameasure.measurement import Measure

SIZE, REPEATS = 100, 1000
"""Default size and number of validation sets."""
JUDGED = Choice(("all", "rest"))


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
    label: str | None = None,
    score: Any = None,
    weight: str | None = None,
    seed: int | None = SEED,
    workers: int | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
    progress: Progress | None = None,
) -> Selection:
    """How well measures select the best model from small validation sets.

    Validation sets are drawn from the cases without replacement, and each measure orders the models
    on each of them. Tied models are equally likely to be selected, and so are all models if the
    measure is undefined for all of them. Takes what ``evaluate`` takes.

    Args:
        y_true: the labels, or a data frame with a column ``label``.
        scores: the scores of two or more models, or their column names.
        goal: the measure that determines which model is best.
        measures: "default", "all", or measures or their texts; the goal is always included.
        validation_size: the number of cases per validation set.
        repeats: the number of validation sets.
        judged_on: whether the goal is computed on "all" cases, as in Huang (2006), or on the "rest"
            that was not drawn, as in Wu, Flach and Ferri (2007). All cases include the validation
            set, which favors the goal, more so the larger the set is.
        reference: the measure that the others are tested against; by default the goal.
        resamples: the number of random parts of the cases for the standard errors.
        label: the label column.
        score: synonym of ``scores``.
        weight: the weight column.
        seed: the random seed.
        workers: the number of processes; the result does not depend on it.
        pos_label: the positive label, unless labels are bool, 0/1 or -1/1.
        sample_weight: an array of weights.
        nan_policy: "raise", or "drop" to drop cases with missing values.
        rescale: "minmax" to map each model's scores to [0, 1].
        progress: a function that is called with the completed fraction of the work.

    >>> rng = np.random.default_rng(1)
    >>> y = rng.random(500) < 0.4
    >>> models = {name: y * shift + rng.normal(size=500) for name, shift in zip("abc", (0, 1, 2))}
    >>> options = {"validation_size": 30, "repeats": 200, "resamples": 10, "workers": 1}
    >>> found = selection(y, models, "auc", "auc, ks, ndcg", **options)
    >>> [(row.measure, round(row.hit_rate, 2)) for row in found.rows]
    [('auc', 0.96), ('ks', 0.94), ('ndcg', 0.91)]
    """
    models = read_models(
        y_true,
        scores,
        score=score,
        label=label,
        weight=weight,
        sample_weight=sample_weight,
        pos_label=pos_label,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    predictions = models.rows_for("validation sets")
    seed = read_seed(seed)
    read_workers(workers)
    judged = read_argument("judged_on", judged_on, JUDGED)
    repeats = read_argument("repeats", repeats, REPETITIONS)
    resamples = read_argument("resamples", resamples, REPETITIONS)
    question, left_out = ask(predictions, goal, measures, judged=judged)
    name = "validation_size"
    (size,) = read_sizes(name, read_argument(name, validation_size, Whole(2)), question.cases)
    place = _place_of(reference, question)
    (found,) = study(
        question,
        [size],
        repeats,
        resamples=resamples,
        seed=seed,
        workers=workers,
        progress=progress,
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
    names = [str(measure) for measure in question.measures]
    if reference is None:
        return 0
    if str(reference) not in names:
        raise ParameterError(
            (Argument("reference"), f" must be one of {', '.join(names)}, got {reference}")
        )
    return names.index(str(reference))


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

    regret, error = found.regret.value[:, 0], found.gap_error[0, reference]
    others = [place for place in range(regret.size) if place != reference]
    gaps = {place: float(regret[place] - regret[reference]) for place in others}
    with np.errstate(divide="ignore", invalid="ignore"):
        pvalues = [
            float(2 * student.sf(abs(gaps[p]) / error[p], found.df)) if gaps[p] else 1.0
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
