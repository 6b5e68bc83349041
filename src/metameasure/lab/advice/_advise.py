"""Advice on which measure should choose a model, given the number of validation cases."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import read_argument, read_seed, read_workers
from metameasure._text import some_names
from metameasure.data import read_models
from metameasure.inference import SEED
from metameasure.lab.advice.advice_result import Advice, AdviceRow, UndefinedRow
from metameasure.lab.advice.recommendation import Gap, recommend, with_noise
from metameasure.lab.model_choice.question import REPETITIONS, ask, read_noise, read_sizes
from metameasure.lab.model_choice.trials import RESAMPLES, apart, study
from metameasure.results import Check
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from metameasure.data import NanPolicy, Predictions, Rescale
    from metameasure.evaluation import Chosen
    from metameasure.inference import Progress
    from metameasure.lab.model_choice.regret import Question
    from metameasure.lab.model_choice.trials import Findings
    from metameasure.measurement import Measure

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
    score: Any = None,
    weight: str | None = None,
    seed: int | None = SEED,
    workers: int | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
    progress: Progress | None = None,
) -> Advice:
    """Which measure should choose a model if there are few validation cases.

    Validation sets are drawn from the cases, each measure chooses a model on each of them, and the
    choice is judged by the goal on the cases that were not drawn. Another measure often chooses
    better than the goal itself. Standard errors include the sampling of the cases; if no measure is
    significantly better, the recommendation says so.

    Takes what ``evaluate`` takes: labels and a dict or frame of scores, or a frame and its column
    names.

    Args:
        y_true: the labels, or a data frame with a column ``label``.
        scores: the scores of two or more models, or their column names.
        goal: the measure that determines which model is best, e.g. "auc" or "expected_cost(c=0.2)".
        sizes: one or several numbers of cases per validation set.
        measures: "default", "all", or measures or their texts; the goal is always included.
        repeats: the number of validation sets per size.
        noise: fractions of the validation labels that are redrawn at random, in addition to 0; the
            choices are judged by the true labels.
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
    predictions = models.rows_for("advice")
    seed = read_seed(seed)
    read_workers(workers)
    repeats = read_argument("repeats", repeats, REPETITIONS)
    resamples = read_argument("resamples", resamples, REPETITIONS)
    question, left_out = ask(predictions, goal, measures, noise=read_noise(noise))
    findings = study(
        question,
        read_sizes("sizes", sizes, question.cases),
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
                f"{found.size} validation cases are more than a quarter of {cases.n}; a model that "
                "is good on them by chance is bad on the rest, so that the regrets are unreliable; "
                "use more cases or a smaller size"
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
