"""Advice on which measure should choose a model, given the number of validation cases."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from metameasure._arguments import (
    REPETITIONS,
    Real,
    read_argument,
    read_resamples,
    read_seed,
    read_workers,
)
from metameasure._text import some_names
from metameasure.data import DataOptions, read_models, takes_models
from metameasure.inference import SEED, generator
from metameasure.lab.advice.advice_result import Advice, AdviceRow, UndefinedRow
from metameasure.lab.advice.groups import standing
from metameasure.lab.advice.movements import explain_rises
from metameasure.lab.advice.recommendation import Gap, listed, recommend, with_noise
from metameasure.lab.model_choice.question import ask, read_noise, read_sizes
from metameasure.lab.model_choice.trials import RESAMPLES, apart, study
from metameasure.progress import reporting
from metameasure.results import Check

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from metameasure.data import Predictions
    from metameasure.evaluation import Chosen
    from metameasure.lab.advice.groups import Standing
    from metameasure.lab.model_choice.question import Question
    from metameasure.lab.model_choice.trials import Findings
    from metameasure.measurement import Measure
    from metameasure.progress import Progress


SIZES = (50, 100, 200)
"""Default sizes of validation sets."""
NOISE = (0.05, 0.1, 0.2)
"""Default fractions of labels that are redrawn."""
TOLERANCE = 0.1
"""Default tolerance as a fraction of the largest difference of two models in the goal."""
NEGLIGIBLE = 1 / 30
"""Monte Carlo error that does not matter, as a fraction of the tolerance."""
UNINFORMATIVE = 500
"""Number of validation sets per size if the models do not differ, so that nothing is shown."""
NOT_SMALL = 1.5
"""Ratio of a Monte Carlo error to a negligible one above which there is a warning."""
FEW = 25
"""Number of cases of a class below which estimates are unreliable."""
NOTABLE = 0.01
"""Fraction of validation sets with an undefined value above which there is a warning."""


@takes_models(DataOptions)
def advise(
    y_true: Any,
    scores: Any = None,
    goal: str | Measure = "auc",
    sizes: int | Iterable[int] = SIZES,
    measures: Chosen = "default",
    *,
    tolerance: float | None = None,
    repeats: int | None = None,
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
    better than the goal itself. A measure is recommended if its regret is shown to be at most the
    tolerance above that of the best measure, worse if it is shown to be larger, and undetermined if
    the data show neither. Standard errors include the sampling of the cases, and the tests are
    simultaneous over measures and sizes, at level 5%.

    Takes what ``evaluate`` takes: labels and a dict or frame of scores, or a frame and its column
    names.

    Args:
        goal: the measure that determines which model is best, e.g. "auc" or "expected_cost(c=0.2)".
        sizes: one or several numbers of cases per validation set.
        measures: "default", "all", or measures or their texts; the goal is always included.
        tolerance: the difference of regrets that does not matter, in units of the goal; by default
            a tenth of the largest difference of two models in the goal.
        repeats: the number of validation sets per size; by default 2000 to 20,000, so that the
            Monte Carlo error without noise is below a quarter of the error due to the sampling of
            the cases, or below 1/30 of the tolerance; 500 if the models do not differ
            significantly.
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
    in auc is 0.0148 ± 0.0038, against 0.0319 for tpr@fpr=0.01. tpr@fpr=0.01 is worse.
    """
    models = read_models(y_true, scores, number="two or more", **data)
    predictions = models.rows_for("advice")
    seed = read_seed(seed)
    read_workers(workers)
    repeats = read_argument("repeats", repeats, REPETITIONS, optional=True)
    tolerance = read_argument("tolerance", tolerance, Real(0, open_low=True), optional=True)
    resamples = read_resamples(resamples)
    question, left_out = ask(predictions, goal, measures, noise=read_noise(noise))
    sizes = read_sizes("sizes", sizes, question.cases)
    gap = Gap(*apart(question, seed))
    within = TOLERANCE * gap.difference if tolerance is None else tolerance
    drawn = f"advise: validation sets of {listed(list(map(str, sizes)))} cases"
    with reporting(progress, drawn) as report:
        findings = study(
            question,
            sizes,
            repeats if gap.significant else repeats or UNINFORMATIVE,
            resamples=resamples,
            seed=seed,
            workers=workers,
            progress=report,
            negligible=NEGLIGIBLE * within,
        )
    standings = _standings(findings, question, within if gap.significant else None, seed)
    notes: list[str] = []
    if gap.significant:
        notes += with_noise(standings, question.measures, question.noise, within)
        notes += explain_rises(findings, question, list(predictions.scores), within)
    return Advice(
        list(_rows(findings, standings, question)),
        recommend(standings[0], question.measures, gap, within),
        goal=question.goal,
        tolerance=within,
        measures=[str(measure) for measure in question.measures],
        models_differ=gap.significant,
        noise_notes=notes,
        checks=[
            *_checks(findings, question, predictions, alike=not gap.difference),
            *(_few_draws(findings, NEGLIGIBLE * within) if gap.significant else ()),
        ],
        left_out=left_out,
        undefined=list(_undefined(findings, question)),
        facts={
            "n": question.cases.n,
            "n_pos": int(np.count_nonzero(question.cases.positive)),
            "models": question.cases.models,
            "dropped": predictions.dropped,
            "sizes": sizes,
            "repeats": [found.repeats for found in findings],
            "resamples": resamples,
        },
        like=models.like,
    )


def _standings(
    findings: Sequence[Findings], question: Question, tolerance: float | None, seed: int | None
) -> list[list[Standing]]:
    """How the measures stand, by noise and then by size."""
    return [
        [
            standing(
                found.size,
                found.regret.value[:, noise],
                found.spreads[noise],
                tolerance=tolerance,
                sizes=len(findings),
                rng=generator(np.random.SeedSequence(seed, spawn_key=(0, found.size, noise))),
            )
            for found in findings
        ]
        for noise in range(len(question.noise))
    ]


def _rows(
    findings: Sequence[Findings], standings: Sequence[Sequence[Standing]], question: Question
) -> Iterator[AdviceRow]:
    """The rows by size, by noise and then by regret."""
    for at, found in enumerate(findings):
        for noise, share in enumerate(question.noise):
            here = standings[noise][at]
            for place in np.argsort(here.regret, kind="stable").tolist():
                yield AdviceRow(
                    measure=str(question.measures[place]),
                    size=found.size,
                    noise=share,
                    regret=float(here.regret[place]),
                    regret_se=float(here.error[place]),
                    hit_rate=float(found.hit.value[place, noise]),
                    msa=float(found.msa.value[place, noise]),
                    limit=float(here.limit[place]),
                    group=here.group(place),
                    close=bool(here.close[place]),
                )


def _few_draws(findings: Sequence[Findings], negligible: float) -> Iterator[Check]:
    """Warnings of Monte Carlo errors that are not small."""
    for found in findings:
        excess = found.excess(negligible)
        if excess > NOT_SMALL:
            message = (
                f"{found.repeats} validation sets of {found.size} cases are few: the Monte Carlo "
                f"error is up to {excess:.1f} times the one that is negligible; increase repeats"
            )
            yield Check("MM24", message)


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
        never = (found.regret.value[:, 0] == 0) & (found.regret.error[:, 0] == 0)
        certain = [str(question.measures[place]) for place in np.flatnonzero(never)]
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
