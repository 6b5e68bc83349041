"""Trials of model selection: draws from all cases, and from parts of them for standard errors.

Unless their number is given, validation sets are drawn in rounds until the Monte Carlo error is
small compared with the error due to the sampling of the cases.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError
from metameasure.inference import generator
from metameasure.lab.model_choice.question import Judgments, goals_of, judge
from metameasure.lab.model_choice.remaining import values_without
from metameasure.lab.model_choice.spread import Moments, Spread, left_out, scaling
from metameasure.lab.parallel import portions, run
from metameasure.measurement import tie_tolerance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from metameasure._types import Floats
    from metameasure.lab.model_choice.question import Question
    from metameasure.progress import Progress


RESAMPLES = 50
"""Number of parts."""
HALVES = 200
"""Number of halves of the cases for testing whether models differ."""
TASK = 2**18
"""Number of entries of the validation tables per task, so that compiled kernels are used."""
FEWEST = 100
"""Minimum number of repeats per task."""
ON_PARTS, FEWEST_ON_PARTS = 0.1, 20
"""Number of repeats on each part, as a fraction of the repeats on all cases, and its minimum."""
MOST_UNKNOWN = 0.5
"""Largest fraction of repeats in which the goal may be undefined."""
LEVEL = 0.05
"""Significance level of tests, over all measures."""
FIRST, MOST = 2000, 20_000
"""Number of repeats of the first round, and largest number of repeats."""
QUARTER = 0.25
"""Largest Monte Carlo error, as a fraction of the error due to the sampling of the cases."""
SPARE = 1.1
"""Factor by which the estimated number of repeats that is needed is multiplied."""


@dataclass(frozen=True)
class Trial:
    """Repeats with validation sets of one size, on all cases or on each of some parts.

    Attributes:
        size: the number of cases per validation set.
        repeats: the number of validation sets.
        place: the number of the round, and a number that differs within a round and kind.
        parts: the numbers of the parts; all cases if there are none.
    """

    size: int
    repeats: int
    place: tuple[int, int]
    parts: tuple[int, ...] = ()

    def seed(self, entropy: int) -> np.random.SeedSequence:
        """The seed of the draws, which no other trial has."""
        return np.random.SeedSequence(entropy, spawn_key=(self.size, *self.place, len(self.parts)))


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
        spreads: the variation of the mean regrets, one per noise.
        chosen: the fraction of repeats in which each model is selected, (measures, noise, models).
        undefined: the fraction of validation sets on which a measure is undefined for a model.
        unknown: the fraction of repeats in which the goal is undefined.
        judgments: the selections on all cases.
    """

    size: int
    regret: Estimate
    hit: Estimate
    msa: Estimate
    spreads: tuple[Spread, ...]
    chosen: Floats
    undefined: Floats
    unknown: float
    judgments: Judgments

    @property
    def repeats(self) -> int:
        """The number of validation sets."""
        return int(self.judgments.regret.shape[-1])

    def repeats_missing(self, negligible: float) -> int:
        """The number of repeats that the next round should have; 0 if there are enough."""
        needed = self.repeats * self.excess(negligible) ** 2
        return int(min(MOST, SPARE * needed)) - self.repeats if needed > self.repeats else 0

    def excess(self, negligible: float) -> float:
        """The largest ratio of a Monte Carlo error to the one that is small enough.

        The errors are those of differences from the smallest regret, without noise. They should be
        below a quarter of the errors due to the sampling of the cases, or below the difference that
        is negligible.
        """
        regret, spread = self.regret.value[:, 0], self.spreads[0]
        best = int(np.argmin(regret))
        of_draws = spread.gap_errors_of_draws()[best]
        enough = np.maximum(QUARTER * spread.gap_errors_of_cases()[best], negligible)
        differ = of_draws > tie_tolerance(regret)
        with np.errstate(divide="ignore"):
            ratio = of_draws[differ] / enough[differ]
        return float(np.max(ratio, initial=0.0))


def study(
    question: Question,
    sizes: Sequence[int],
    repeats: int | None,
    *,
    resamples: int = RESAMPLES,
    seed: int | None,
    workers: int | None = None,
    progress: Progress | None = None,
    negligible: float = 0.0,
) -> list[Findings]:
    """The findings for each size of validation sets.

    If ``repeats`` is None, rounds of draws are added for each size until the Monte Carlo error is
    small; ``negligible`` is a difference of regrets that does not matter.
    """
    entropy = _entropy(seed)
    work = partial(_judge, question, entropy)
    open_ = [Drawn(question, size, resamples) for size in sizes]
    asked = dict.fromkeys(sizes, FIRST if repeats is None else repeats)
    found: dict[int, Findings] = {}
    done = 0.0
    while open_:
        # The first round is a short one, and it is not known whether others are the last.
        end = 1.0 if repeats else done + (1 - done) * (0.9 if done else 0.4)
        trials = [trial for one in open_ for trial in one.trials(asked[one.size])]
        seeds = [trial.seed(entropy) for trial in trials]
        report = partial(_report, progress, done, end) if progress else None
        results = run(work, trials, seeds=seeds, workers=workers, progress=report)
        open_ = [one.with_results(trials, results) for one in open_]
        found |= {one.size: one.findings() for one in open_}
        asked = {one.size: found[one.size].repeats_missing(negligible) for one in open_}
        open_ = [one for one in open_ if asked[one.size] and not repeats]
        done = end
    if progress and done < 1:
        progress(1.0)
    return [found[size] for size in sizes]


def _report(progress: Progress, begin: float, end: float, share: float) -> None:
    """Report the fraction that is done of a round that is only a part of the work."""
    progress(begin + (end - begin) * share)


@dataclass(frozen=True, eq=False)
class Drawn:
    """What was drawn for one size so far.

    Attributes:
        question: the setup of the study.
        size: the number of cases per validation set.
        resamples: the number of parts.
        rounds: the number of rounds.
        whole: the judgments of draws from all cases.
        parts: the moments of what is judged of the draws from each part, (parts, noise).
    """

    question: Question
    size: int
    resamples: int
    rounds: int = 0
    whole: tuple[Judgments, ...] = ()
    parts: tuple[Moments, ...] = ()

    def trials(self, repeats: int) -> Iterator[Trial]:
        """The tasks of another round, which do not depend on the number of workers."""
        tables = self.question.cases.models * len(self.question.noise)
        in_task = max(FEWEST, math.ceil(TASK / (tables * self.size)))
        on_parts = max(FEWEST_ON_PARTS, round(ON_PARTS * repeats))
        for place, count in enumerate(portions(repeats, in_task)):
            yield Trial(self.size, count, (self.rounds, place))
        first = 0
        for count in portions(self.resamples, max(1, in_task // on_parts)):
            parts = range(first, first + count)
            yield Trial(self.size, on_parts, (self.rounds, first), tuple(parts))
            first += count

    def with_results(self, trials: Sequence[Trial], found: Sequence[Any]) -> Drawn:
        """The draws with those of another round."""
        mine = [(t, f) for t, f in zip(trials, found, strict=True) if t.size == self.size]
        whole = Judgments.joined([*self.whole, *(f for t, f in mine if not t.parts)])
        on_parts = zip(*(f for t, f in mine if t.parts), strict=True)
        parts = [Moments.stacked(each) for each in on_parts]
        if self.parts:
            parts = [old.merged(new) for old, new in zip(self.parts, parts, strict=True)]
        return replace(self, rounds=self.rounds + 1, whole=(whole,), parts=tuple(parts))

    def findings(self) -> Findings:
        """The findings from all rounds."""
        (whole,) = self.whole
        question, size = self.question, self.size
        unknown = 1 - float(np.isfinite(whole.regret).all(axis=(0, 1)).mean())
        if unknown > MOST_UNKNOWN:
            raise DataError(
                f"the goal {question.goal} is not finite on the remaining cases for {unknown:.0%} "
                f"of the validation sets of {size} cases",
                remedy="choose another goal or a smaller size",
            )
        regret, spreads = self._estimate(whole.regret, 0)
        return Findings(
            size=size,
            regret=regret,
            hit=self._estimate(whole.hit, 1)[0],
            msa=self._estimate(whole.msa, 2)[0],
            spreads=spreads,
            chosen=whole.chosen / whole.regret.shape[-1],
            undefined=np.mean(whole.undefined, axis=-1),
            unknown=unknown,
            judgments=whole,
        )

    def _estimate(self, values: Floats, place: int) -> tuple[Estimate, tuple[Spread, ...]]:
        """The mean of what is judged, and its spread at each level of noise."""
        factor = scaling(self.question.cases.n, self.size)
        whole, parts = Moments.of(np.moveaxis(values, 1, 0)), self.parts[place]
        levels = range(len(self.question.noise))
        spreads = tuple(Spread.of(whole.at(z), parts.at(z), factor) for z in levels)
        errors = np.stack([spread.errors() for spread in spreads], axis=1)
        return Estimate(whole.mean.T, errors), spreads


def _judge(
    question: Question, entropy: int, trial: Trial, rng: np.random.Generator
) -> Judgments | list[Moments]:
    """The judgments of one task; of draws from parts, the moments of regret, hit and MSA."""
    cases, size = question.cases, trial.size
    if not trial.parts:
        drawn = cases.draw(size, trial.repeats, rng)
        return judge(question, drawn, goals_of(question, cases, drawn), rng)
    draws, goals = [], []
    for number in trial.parts:
        same = generator(np.random.SeedSequence(entropy, spawn_key=(1, size, number)))
        kept = same.choice(cases.n, cases.n - left_out(cases.n, size), replace=False)
        part = cases.part(kept)
        drawn = part.draw(size, trial.repeats, rng)
        draws.append(kept[drawn])
        goals.append(goals_of(question, part, drawn))
    judged = judge(question, np.concatenate(draws), np.concatenate(goals, axis=1), rng)
    return [
        Moments.of(np.moveaxis(values.reshape(*values.shape[:2], len(draws), -1), (2, 1), (0, 1)))
        for values in (judged.regret, judged.hit, judged.msa)
    ]


def apart(question: Question, seed: int | None) -> tuple[float, float, bool]:
    """The largest difference of two models in the goal, its error, and whether models differ.

    The difference is 0 if all models tie.

    Models differ if some pair differs significantly, in a simultaneous test of all pairs at level
    5%. The standard errors are estimated from random halves of the cases.
    """
    cases, goal = question.cases, question.goal
    rng = generator(np.random.SeedSequence(seed, spawn_key=(0, 0)))
    halves = values_without(cases, goal, cases.draw(cases.n // 2, HALVES, rng))
    halves = goal.goodness(halves[:, np.isfinite(halves).all(axis=0)])
    values = goal.goodness(cases.values(goal))
    gaps = np.abs(values[:, np.newaxis] - values)
    gaps = np.where(gaps <= tie_tolerance(values[:, np.newaxis], values), 0.0, gaps)
    widest = np.unravel_index(np.argmax(gaps), gaps.shape)
    if halves.shape[1] < 2:
        return float(gaps[widest]), math.nan, False
    spread = Spread.of_parts(halves.T, (cases.n - cases.n // 2) / (cases.n // 2))
    errors = spread.gap_errors()
    reach = spread.critical_gaps(LEVEL, rng).all_pairs * errors
    differ = bool((gaps > np.maximum(reach, 0.0)).any())
    return float(gaps[widest]), float(errors[widest]), differ


def _entropy(seed: int | None) -> int:
    """The seed, or a random one."""
    if seed is not None:
        return seed
    fresh = np.random.SeedSequence().entropy
    assert isinstance(fresh, int)  # noqa: S101 - always true without a given entropy
    return fresh
