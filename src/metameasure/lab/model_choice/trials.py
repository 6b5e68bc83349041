"""Trials of model selection: on all cases, and on parts of them for standard errors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import DataError
from metameasure.inference import generator
from metameasure.lab.model_choice.regret import Judgments, goals_of, judge
from metameasure.lab.model_choice.standard_errors import Spread
from metameasure.lab.parallel import portions, run
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Mask
    from metameasure.inference import Progress
    from metameasure.lab.model_choice.regret import Question


RESAMPLES = 50
"""Number of parts."""
HALVES = 200
"""Number of halves of the cases for testing whether models differ."""
TASK = 2**18
"""Number of entries of the validation tables per task, so that compiled kernels are used."""
FEWEST = 100
"""Minimum number of repeats per task."""
ON_PARTS = 0.2
"""Number of repeats on each part, as a fraction of the repeats on all cases."""
MOST_UNKNOWN = 0.5
"""Largest fraction of repeats in which the goal may be undefined."""
LEVEL = 0.05
"""Significance level of the tests against the best, over all measures."""


@dataclass(frozen=True)
class Trial:
    """Repeats with validation sets of one size, on all cases or on each of some parts."""

    size: int
    repeats: int
    parts: int = 0


@dataclass(frozen=True, eq=False)
class Estimate:
    """A mean over repeats and its standard error, both of shape (measures, noise)."""

    value: Floats
    error: Floats


@dataclass(frozen=True, eq=False)
class Findings:
    """The results for validation sets of one size.

    Attributes:
        size: the number of cases per validation set.
        regret: the mean regret of each measure.
        hit: the fraction of its selections that are the best model.
        msa: the mean fraction of pairs of models that it orders as the goal does.
        gap_error: the standard errors of differences of regrets, shape (noise, measures, measures).
        critical: the critical value of these differences in standard errors, per noise.
        undefined: the fraction of validation sets on which a measure is undefined for a model.
        unknown: the fraction of repeats in which the goal is undefined.
        judgments: the selections on all cases.
        df: the degrees of freedom of the standard errors.
    """

    size: int
    regret: Estimate
    hit: Estimate
    msa: Estimate
    gap_error: Floats
    critical: Floats
    undefined: Floats
    unknown: float
    judgments: Judgments
    df: int

    def as_good(self, noise: int = 0) -> Mask:
        """Which measures are not significantly worse than the best one.

        The best one is found on the same cases. So the test is simultaneous over all pairs of
        measures, with a familywise error rate of 5%.
        """
        regret = self.regret.value[:, noise]
        best = int(np.argmin(regret))
        reach = self.critical[noise] * self.gap_error[noise, best]
        return np.asarray(~(regret - regret[best] > np.maximum(reach, ROUNDING)))


def study(
    question: Question,
    sizes: Sequence[int],
    repeats: int,
    *,
    resamples: int = RESAMPLES,
    seed: int | None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[Findings]:
    """The findings for each size of validation sets."""
    entropy = _entropy(seed)
    trials = [trial for size in sizes for trial in _trials(question, size, repeats, resamples)]
    work = partial(_judge, question)
    found = run(work, trials, seed=entropy, workers=workers, progress=progress)
    findings = []
    for size in sizes:
        mine = [(t, f) for t, f in zip(trials, found, strict=True) if t.size == size]
        whole = _joined([judged for trial, judged in mine if not trial.parts])
        parts = _joined([judged for trial, judged in mine if trial.parts])
        unknown = 1 - float(np.isfinite(whole.regret).all(axis=(0, 1)).mean())
        if unknown > MOST_UNKNOWN:
            raise DataError(
                f"the goal {question.goal} is not finite on the remaining cases for {unknown:.0%} "
                f"of the validation sets of {size} cases",
                remedy="choose another goal or a smaller size",
            )
        rng = generator(np.random.SeedSequence(entropy, spawn_key=(0, size)))
        findings.append(
            _findings(size, whole, parts, resamples, _factor(question.cases.n, size), rng)
        )
    return findings


def apart(question: Question, seed: int | None) -> tuple[float, float, bool]:
    """The largest difference of two models in the goal, its error, and whether models differ.

    Models differ if some pair differs significantly, in a simultaneous test of all pairs at level
    5%. The standard errors are estimated from random halves of the cases.
    """
    cases, goal = question.cases, question.goal
    rng = generator(np.random.SeedSequence(seed, spawn_key=(0, 0)))
    halves = cases.values_without(goal, cases.draw(cases.n // 2, HALVES, rng))
    halves = goal.goodness(halves[:, np.isfinite(halves).all(axis=0)])
    values = goal.goodness(cases.values(goal))
    gaps = np.abs(values[:, np.newaxis] - values)
    widest = np.unravel_index(np.argmax(gaps), gaps.shape)
    if halves.shape[1] < 2:
        return float(gaps[widest]), math.nan, False
    spread = Spread.of_parts(halves.T, (cases.n - cases.n // 2) / (cases.n // 2))
    errors = spread.gap_errors()
    reach = spread.critical_gap(LEVEL, rng) * errors
    differ = bool((gaps > np.maximum(reach, ROUNDING)).any())
    return float(gaps[widest]), float(errors[widest]), differ


def _entropy(seed: int | None) -> int:
    """The seed, or a random one."""
    if seed is not None:
        return seed
    fresh = np.random.SeedSequence().entropy
    assert isinstance(fresh, int)  # noqa: S101 - always true without a given entropy
    return fresh


def _trials(question: Question, size: int, repeats: int, resamples: int) -> list[Trial]:
    """The tasks, which do not depend on the number of workers."""
    tables = question.cases.models * len(question.noise)
    in_task = max(FEWEST, math.ceil(TASK / (tables * size)))
    on_parts = max(2, round(ON_PARTS * repeats))
    parts = max(1, in_task // on_parts)
    return [
        *(Trial(size, count) for count in portions(repeats, in_task)),
        *(Trial(size, on_parts, count) for count in portions(resamples, parts)),
    ]


def _judge(question: Question, trial: Trial, rng: np.random.Generator) -> Judgments:
    """The judgments of one task; those on parts are concatenated."""
    cases, size = question.cases, trial.size
    if not trial.parts:
        drawn = cases.draw(size, trial.repeats, rng)
        return judge(question, drawn, goals_of(question, cases, drawn), rng)
    draws, goals = [], []
    for _ in range(trial.parts):
        kept = rng.choice(cases.n, cases.n - _left_out(cases.n, size), replace=False)
        part = cases.part(kept)
        drawn = part.draw(size, trial.repeats, rng)
        draws.append(kept[drawn])
        goals.append(goals_of(question, part, drawn))
    return judge(question, np.concatenate(draws), np.concatenate(goals, axis=1), rng)


def _left_out(n: int, size: int) -> int:
    """The number of cases that a part lacks: it has a validation set and half of all cases.

    If validation sets have more than a quarter of all cases, it lacks a third of the others.
    """
    return n // 2 - size if 4 * size <= n else max(1, (n - size) // 3)


def _factor(n: int, size: int) -> float:
    """The ratio of the variance over samples to that over the parts of a sample."""
    out = _left_out(n, size)
    return (n - out) / out


def _joined(judged: Sequence[Judgments]) -> Judgments:
    names = ("regret", "hit", "msa", "undefined")
    return Judgments(
        *(np.concatenate([getattr(one, name) for one in judged], axis=-1) for name in names)
    )


def _findings(
    size: int,
    whole: Judgments,
    parts: Judgments,
    resamples: int,
    factor: float,
    rng: np.random.Generator,
) -> Findings:
    known = np.isfinite(whole.regret).all(axis=(0, 1))
    estimates: dict[str, Estimate] = {}
    spreads: dict[str, list[Spread]] = {}
    for name in ("regret", "hit", "msa"):
        values, of_parts = getattr(whole, name), getattr(parts, name)
        apart_by = np.moveaxis(of_parts.reshape(*of_parts.shape[:2], resamples, -1), 2, 0)
        spreads[name] = [
            Spread.of(values[:, noise], apart_by[:, :, noise], factor)
            for noise in range(values.shape[1])
        ]
        errors = np.stack([spread.errors() for spread in spreads[name]], axis=1)
        estimates[name] = Estimate(values[..., known].mean(axis=-1), errors)
    return Findings(
        size=size,
        **estimates,
        gap_error=np.stack([spread.gap_errors() for spread in spreads["regret"]]),
        critical=np.array([spread.critical_gap(LEVEL, rng) for spread in spreads["regret"]]),
        undefined=np.mean(whole.undefined, axis=-1),
        unknown=1 - float(np.mean(known)),
        judgments=whole,
        df=resamples - 1,
    )
