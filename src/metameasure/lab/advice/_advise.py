"""Advice: which measure should choose your model?"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import read_seed, read_workers
from metameasure._text import some_names
from metameasure.data import read_models
from metameasure.errors import DataError
from metameasure.inference import SEED
from metameasure.lab.advice.advice_result import Advice, AdviceCheck, AdviceRow
from metameasure.lab.advice.recommendation import Gap, recommend, with_noise
from metameasure.lab.model_choice.question import ask, read_count, read_noise, read_size
from metameasure.lab.model_choice.trials import RESAMPLES, apart, study
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from metameasure.data import NanPolicy, Predictions, Rescale
    from metameasure.evaluation import Chosen
    from metameasure.inference import Progress
    from metameasure.lab.model_choice.regret import Question
    from metameasure.lab.model_choice.trials import Findings
    from metameasure.measurement import Measure

SIZES = (50, 100, 200)
NOISE = (0.05, 0.1, 0.2)
REPEATS = 500
FEW = 25
"""The number of cases of a class below which hardly anything is sure."""
WORTH_A_WORD = 0.01
"""The share of validation sets without a value that is told of."""


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
    label: str | None = None,
    weight: str | None = None,
    seed: int | None = SEED,
    workers: int | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
    progress: Progress | None = None,
) -> Advice:
    """Which measure should choose your model, when validation cases are few.

    Validation sets are drawn from the cases, every measure chooses among the models by each of
    them, and the choice is judged by the goal on the cases that were not drawn. The goal itself is
    often not the best chooser. Standard errors cover the sampling of the cases: where these data
    cannot tell which measure is best, the recommendation says so.

    Takes what ``evaluate`` takes: labels and a dict or frame of scores, or a frame and the names of
    its columns.

    Args:
        y_true: the labels, or a data frame that has them in the column ``label``.
        scores: the scores of two or more models, or the names of their columns in that frame.
        goal: what finally counts: a measure or its text, as "auc" or "expected_cost(c=0.2)".
        sizes: how many cases a validation set has; one size or several.
        measures: "default", "all", or measures and their texts; the goal is always one of them.
        repeats: how many validation sets of each size are drawn.
        noise: shares of the validation labels that are redrawn by a fair coin, beside none; the
            judgement is always by the true labels.
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

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> y = rng.random(1000) < 0.4
    >>> models = {name: y * shift + rng.normal(size=1000) for name, shift in zip("ab", (2, 1))}
    >>> options = {"sizes": 30, "noise": (), "resamples": 20, "workers": 1}
    >>> advice = advise(y, models, "auc", measures="auc, tpr@fpr=0.01", **options)
    >>> print(advice.recommendation)
    To choose by auc from 30 cases, use auc itself: its choices lose 0.0149 (± 0.0030) of auc on
    average, tpr@fpr=0.01 loses most, 0.0324.
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
    return advise_predictions(
        predictions,
        goal,
        sizes,
        measures,
        repeats=repeats,
        noise=noise,
        resamples=resamples,
        seed=seed,
        workers=workers,
        like=like,
        progress=progress,
    )


def advise_predictions(
    predictions: Predictions,
    goal: str | Measure = "auc",
    sizes: int | Iterable[int] = SIZES,
    measures: Chosen = "default",
    *,
    repeats: int = REPEATS,
    noise: float | Iterable[float] = NOISE,
    resamples: int = RESAMPLES,
    seed: int | None = SEED,
    workers: int | None = None,
    like: Any = None,
    progress: Progress | None = None,
) -> Advice:
    """The advice on the models of validated predictions; its frames are of the kind of ``like``."""
    seed = read_seed(seed)
    read_workers(workers)
    repeats, resamples = (
        read_count(name, value) for name, value in (("repeats", repeats), ("resamples", resamples))
    )
    question, left_out = ask(predictions, goal, measures, noise=read_noise(noise))
    asked = list(sizes) if isinstance(sizes, Iterable) else [sizes]
    chosen = sorted({read_size(size, question.cases) for size in asked})
    if not chosen:
        raise DataError("sizes is empty: give at least one number of cases, as sizes=100")
    findings = study(
        question,
        chosen,
        repeats,
        resamples=resamples,
        seed=seed,
        workers=workers,
        progress=progress,
    )
    gap = Gap(*apart(question, seed))
    positives = int(np.count_nonzero(question.cases.positive))
    return Advice(
        [row for found in findings for row in _rows(found, question)],
        recommend(findings, question.measures, gap),
        goal=question.goal,
        measures=[str(measure) for measure in question.measures],
        models_differ=gap.sure and gap.difference > ROUNDING,
        noise_notes=with_noise(findings, question.measures, question.noise, gap),
        checks=list(_checks(findings, question, predictions, alike=gap.difference <= ROUNDING)),
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
        like=like,
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


def _undefined(findings: Sequence[Findings], question: Question) -> Iterator[dict[str, Any]]:
    """Where measures lacked a value, and on which share of the validation sets."""
    for found in findings:
        for place, noise in np.argwhere(found.undefined > 0).tolist():
            yield {
                "measure": str(question.measures[place]),
                "size": found.size,
                "noise": question.noise[noise],
                "share": float(found.undefined[place, noise]),
            }


def _checks(
    findings: Sequence[Findings], question: Question, predictions: Predictions, *, alike: bool
) -> Iterator[AdviceCheck]:
    """What there is to be warned of; ``alike`` if all models reach the same goal."""
    cases = question.cases
    if cases.fewest < FEW:
        message = f"a class has only {cases.fewest} cases: hardly anything is sure"
        yield AdviceCheck("few-cases", message)
    for a, b in combinations(predictions.scores, 2):
        if np.array_equal(predictions.scores[a], predictions.scores[b]):
            message = f"{a} and {b} give every case the same score: it is no matter which is chosen"
            yield AdviceCheck("same-model", message)
    for found in findings:
        if 4 * found.size > cases.n:
            message = (
                f"{found.size} of {cases.n} cases are more than a quarter: a model that looks good "
                "on the drawn cases then looks bad on the others, by chance alone, and the figures "
                "are the less to be trusted: have more cases, or ask for a smaller size"
            )
            yield AdviceCheck("large-size", message, found.size)
        sure = [
            m for m, e in zip(question.measures, found.regret.error[:, 0], strict=True) if e == 0
        ]
        if sure and not alike:
            message = (
                f"the best model was chosen each time by {some_names(list(map(str, sure)))}: an "
                "error of 0 is not certainty"
            )
            yield AdviceCheck("no-spread", message, found.size)
        yield from _unknown(found, question)


def _unknown(found: Findings, question: Question) -> Iterator[AdviceCheck]:
    """What is to be said where the goal or a measure had no value."""
    if found.unknown > 0:
        message = (
            f"the goal {question.goal} has no finite value on what is left by "
            f"{found.unknown:.1%} of the draws, which do not count"
        )
        yield AdviceCheck("goal-undefined", message, found.size)
    shares = found.undefined[:, 0]
    places = [p for p in np.argsort(-shares, kind="stable").tolist() if shares[p] > WORTH_A_WORD]
    if places:
        named = ", ".join(f"{question.measures[place]} ({shares[place]:.0%})" for place in places)
        message = (
            "measures that lack a value for a model on some validation sets, and then choose among "
            f"the other models, or by lot: {named}"
        )
        yield AdviceCheck("undefined", message, found.size)
