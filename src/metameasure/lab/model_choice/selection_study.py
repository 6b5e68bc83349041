"""Selection ability: how well measures choose models from few cases (Huang; Wu and Flach)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Choice, read_argument, read_seed, read_workers
from metameasure.data import read_models
from metameasure.errors import DataError
from metameasure.inference import SEED, holm, sign_test
from metameasure.lab.model_choice.question import ask, read_count, read_size
from metameasure.lab.model_choice.selection_result import Selection, SelectionRow, SelectionTest
from metameasure.lab.model_choice.trials import RESAMPLES, study

if TYPE_CHECKING:
    from collections.abc import Iterator

    from metameasure.data import NanPolicy, Predictions, Rescale
    from metameasure.evaluation import Chosen
    from metameasure.inference import Progress
    from metameasure.lab.model_choice.regret import Judged, Question
    from metameasure.lab.model_choice.trials import Findings
    from metameasure.measurement import Measure

SIZE, REPEATS = 100, 1000
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
    weight: str | None = None,
    seed: int | None = SEED,
    workers: int | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
    progress: Progress | None = None,
) -> Selection:
    """How well measures choose among models from validation sets of few cases.

    Validation sets are drawn from the cases without replacement; each measure orders the models on
    each of them. Ties share the choice, and a measure that is undefined for all models picks any.
    Takes what ``evaluate`` takes.

    Args:
        y_true: the labels, or a data frame that has them in the column ``label``.
        scores: the scores of two or more models, or the names of their columns in that frame.
        goal: the measure that says which model is the best.
        measures: "default", "all", or measures and their texts; the goal is always one of them.
        validation_size: how many cases a validation set has.
        repeats: how many validation sets are drawn.
        judged_on: whether the goal is taken on "all" cases, as Huang does, or on the "rest" that
            was not drawn, as Wu and Flach do. The whole contains the validation set and so favours
            the goal, all the more the larger the set is.
        reference: the measure that the others are tested against; the goal by default.
        resamples: on how many random parts of the cases the study is repeated for its errors.
        label: the column of the labels.
        weight: the column of the weights.
        seed: the seed of the random numbers.
        workers: how many processes work; the result does not depend on it.
        pos_label: the label that counts as positive, unless labels are bool, 0/1 or -1/1.
        sample_weight: an array of weights.
        nan_policy: "raise", or "drop" to leave out cases that lack a value.
        rescale: "minmax" to map each model's scores to [0, 1].
        progress: what is told the share of the work that is done.

    >>> rng = np.random.default_rng(1)
    >>> y = rng.random(500) < 0.4
    >>> models = {name: y * shift + rng.normal(size=500) for name, shift in zip("abc", (0, 1, 2))}
    >>> options = {"validation_size": 30, "repeats": 200, "resamples": 10, "workers": 1}
    >>> found = selection(y, models, "auc", "auc, ks, ndcg", **options)
    >>> [(row.measure, round(row.hit_rate, 2)) for row in found.rows]
    [('auc', 0.96), ('ks', 0.94), ('ndcg', 0.91)]
    """
    predictions, like = read_models(
        y_true,
        scores,
        label=label,
        weight=weight,
        sample_weight=sample_weight,
        pos_label=pos_label,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    return selection_of_predictions(
        predictions,
        goal,
        measures,
        validation_size,
        repeats,
        judged_on=judged_on,
        reference=reference,
        resamples=resamples,
        seed=seed,
        workers=workers,
        like=like,
        progress=progress,
    )


def selection_of_predictions(
    predictions: Predictions,
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
    like: Any = None,
    progress: Progress | None = None,
) -> Selection:
    """The selection among the models of validated predictions."""
    seed = read_seed(seed)
    read_workers(workers)
    judged = read_argument("judged_on", judged_on, JUDGED)
    repeats, resamples = read_count("repeats", repeats), read_count("resamples", resamples)
    question, left_out = ask(predictions, goal, measures, judged=judged)
    size = read_size(validation_size, question.cases, "validation_size")
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
        like=like,
    )


def _place_of(reference: str | Measure | None, question: Question) -> int:
    names = [str(measure) for measure in question.measures]
    if reference is None:
        return 0
    if str(reference) not in names:
        raise DataError(
            f"the reference {reference} is none of the measures that choose: {', '.join(names)}"
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
        picked = -found.judgements.regret[:, 0]
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
