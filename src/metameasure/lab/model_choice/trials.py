"""Trials of measures as choosers: the study on all cases, and on parts of them for its errors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import DataError
from metameasure.inference import generator
from metameasure.lab.model_choice.regret import Judgements, goals_of, judge
from metameasure.lab.model_choice.standard_errors import Spread
from metameasure.lab.parallel import run
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure.inference import Progress
    from metameasure.lab.model_choice.regret import Question

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

RESAMPLES = 50
"""The number of parts."""
HALVES = 200
"""The number of halves by which models are told apart."""
TASK = 2**18
"""The entries of the validation tables of a task, so many that kernels are compiled."""
FEWEST = 100
"""The repeats that a task has at least."""
ON_PARTS = 0.2
"""The share of the repeats that is made on every part."""
MOST_UNKNOWN = 0.5
"""The share of the repeats that may have to be left out."""
LEVEL = 0.05
"""The probability that some measure is called worse than the best, where all are equally good."""


@dataclass(frozen=True)
class Trial:
    """Some repeats with validation sets of one size, on all cases or on each of some parts."""

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
    """What became of choices from validation sets of one size.

    Attributes:
        size: the number of cases of a validation set.
        regret: the mean regret of each measure.
        hit: the share of its choices that are the best model.
        msa: the mean share of the pairs of models that it orders as the goal does.
        gap_error: the error of the difference of two regrets, shape (noise, measures, measures).
        critical: how many such errors two equally good measures may be apart, one for each noise.
        undefined: the share of the validation sets on which a measure lacks a value.
        unknown: the share of the repeats in which the goal has no value.
        judgements: the choices on all cases.
        df: the degrees of freedom of the errors.
    """

    size: int
    regret: Estimate
    hit: Estimate
    msa: Estimate
    gap_error: Floats
    critical: Floats
    undefined: Floats
    unknown: float
    judgements: Judgements
    df: int

    def as_good(self, noise: int = 0) -> Mask:
        """Which measures are not worse than the best one by more than chance explains.

        The best one is found on the same cases. So the limit is one that the largest difference of
        equally good measures, whichever they are, exceeds in one study of twenty.
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
    """What becomes of the choices, for each size of the validation sets."""
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
                f"the goal {question.goal} has no finite value on what {unknown:.0%} of the draws "
                f"of {size} cases leave to judge by: give another goal, or a smaller size"
            )
        rng = generator(np.random.SeedSequence(entropy, spawn_key=(0, size)))
        findings.append(
            _findings(size, whole, parts, resamples, _factor(question.cases.n, size), rng)
        )
    return findings


def apart(question: Question, seed: int | None) -> tuple[float, float, bool]:
    """The largest difference of two models in the goal, its error, and whether some pair differs.

    Pairs differ if one is further apart than the largest difference of equally good models would
    be, but for one data set in twenty. The errors come from random halves of the cases.
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
    """The seed itself, or a fresh one."""
    if seed is not None:
        return seed
    fresh = np.random.SeedSequence().entropy
    assert isinstance(fresh, int)  # noqa: S101 - it is one if none was given
    return fresh


def _trials(question: Question, size: int, repeats: int, resamples: int) -> list[Trial]:
    """What is to be done, in tasks that do not depend on who does them."""
    tables = question.cases.models * len(question.noise)
    in_task = max(FEWEST, math.ceil(TASK / (tables * size)))
    on_parts = max(2, round(ON_PARTS * repeats))
    parts = max(1, in_task // on_parts)
    return [
        *(Trial(size, count) for count in _in_portions(repeats, in_task)),
        *(Trial(size, on_parts, count) for count in _in_portions(resamples, parts)),
    ]


def _in_portions(total: int, portion: int) -> list[int]:
    return [min(portion, total - start) for start in range(0, total, portion)]


def _judge(question: Question, trial: Trial, rng: np.random.Generator) -> Judgements:
    """The judgements of one task; those on parts one after the other."""
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
    """How many cases a part lacks: as it has a validation set and, to judge by, half of all cases.

    Where validation sets are larger than a quarter of all cases, a third of the others.
    """
    return n // 2 - size if 4 * size <= n else max(1, (n - size) // 3)


def _factor(n: int, size: int) -> float:
    """How much larger the variance over samples is than that over the parts of one."""
    out = _left_out(n, size)
    return (n - out) / out


def _joined(judged: Sequence[Judgements]) -> Judgements:
    names = ("regret", "hit", "msa", "undefined")
    return Judgements(
        *(np.concatenate([getattr(one, name) for one in judged], axis=-1) for name in names)
    )


def _findings(
    size: int,
    whole: Judgements,
    parts: Judgements,
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
        judgements=whole,
        df=resamples - 1,
    )
