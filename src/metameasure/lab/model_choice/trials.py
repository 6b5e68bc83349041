"""Trials of model selection: on all cases, and on parts of them for standard errors.

The standard errors are those for sampling of the cases (delete-d jackknife).
Repeating the draws does not show the variation between samples of cases. So a study is repeated on
random parts of the cases, and the variance over the parts is scaled to the number of cases. The
variance due to the draws from the parts is subtracted, and that of the draws of the study itself is
added.

The number of cases that a part lacks matters, since the regret is not a smooth function of the
cases: if models are similar, it consists of products of random differences. This was simulated
for two useless models and validation sets of 100 of 400 cases. With 5% of the cases left out, the
standard error of the goal's regret was below 3/4 of its standard deviation over data sets in half
of them, and the variance due to the draws was multiplied by 19. With 50% left out it was 4.7 times
the standard deviation, since too few cases were left to judge by. The parts used here keep half of
the cases in addition to a validation set. With these, standard errors of differences of regrets
were 0.96 to 1.5 times the standard deviation if some models differ and 1.3 to 1.7 times if none do;
those of regrets were 0.7 to 1.1 and 0.7 to 2.5 times. ``benchmarks.advice`` measures this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import DataError
from metameasure.inference import generator
from metameasure.lab.model_choice.question import Judgments, goals_of, judge
from metameasure.lab.parallel import portions, run
from metameasure.measurement import is_best, tie_tolerance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Mask
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
ON_PARTS = 0.2
"""Number of repeats on each part, as a fraction of the repeats on all cases."""
MOST_UNKNOWN = 0.5
"""Largest fraction of repeats in which the goal may be undefined."""
LEVEL = 0.05
"""Significance level of the tests against the best, over all measures."""
SIMULATED = 4000
"""Number of draws for a critical value."""


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
        best = int(np.argmax(is_best(-regret)))
        reach = self.critical[noise] * self.gap_error[noise, best]
        tied = tie_tolerance(regret, regret[best])
        return np.asarray(~(regret - regret[best] > np.maximum(reach, tied)))


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

    The difference is 0 if all models tie.

    Models differ if some pair differs significantly, in a simultaneous test of all pairs at level
    5%. The standard errors are estimated from random halves of the cases.
    """
    cases, goal = question.cases, question.goal
    rng = generator(np.random.SeedSequence(seed, spawn_key=(0, 0)))
    halves = cases.values_without(goal, cases.draw(cases.n // 2, HALVES, rng))
    halves = goal.goodness(halves[:, np.isfinite(halves).all(axis=0)])
    values = goal.goodness(cases.values(goal))
    gaps = np.abs(values[:, np.newaxis] - values)
    gaps = np.where(gaps <= tie_tolerance(values[:, np.newaxis], values), 0.0, gaps)
    widest = np.unravel_index(np.argmax(gaps), gaps.shape)
    if halves.shape[1] < 2:
        return float(gaps[widest]), math.nan, False
    spread = Spread.of_parts(halves.T, (cases.n - cases.n // 2) / (cases.n // 2))
    errors = spread.gap_errors()
    reach = spread.critical_gap(LEVEL, rng) * errors
    differ = bool((gaps > np.maximum(reach, 0.0)).any())
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


@dataclass(frozen=True, eq=False)
class Spread:
    """The variation of the means of several quantities.

    Attributes:
        deviation: the mean on each part minus the mean over the parts, shape (parts, quantities).
        of_cases: the covariances of the means over samples of cases.
        of_draws: the covariances of the means over draws from the same cases.
    """

    deviation: Floats
    of_cases: Floats
    of_draws: Floats

    @classmethod
    def of(cls, whole: Floats, parts: Floats, factor: float) -> Spread:
        """The spread of means over the last axis.

        Args:
            whole: the values of each draw from all cases, shape (quantities, draws).
            parts: the values of each draw from each part, shape (parts, quantities, draws).
            factor: the ratio of the variance over samples to that over the parts of a sample.
        """
        whole = whole[:, np.isfinite(whole).all(axis=0)]
        parts = _defined(parts)
        count, quantities, draws = parts.shape
        if min(whole.shape[1], count, draws) < 2:
            unknown = np.full((quantities, quantities), np.nan)
            return cls(np.zeros((2, quantities)), unknown, unknown)
        means = parts.mean(axis=-1)
        deviation = means - means.mean(axis=0)
        apart = parts - means[..., np.newaxis]
        by_draws = np.einsum("pid,pjd->ij", apart, apart) / (count * (draws - 1) * draws)
        over_parts = deviation.T @ deviation / (count - 1)
        own = whole - whole.mean(axis=-1, keepdims=True)
        of_draws = own @ own.T / ((own.shape[1] - 1) * own.shape[1])
        return cls(deviation, factor * (over_parts - by_draws), of_draws)

    @classmethod
    def of_parts(cls, values: Floats, factor: float) -> Spread:
        """The spread of values without draws, shape (parts, quantities)."""
        deviation = values - values.mean(axis=0)
        covariances = deviation.T @ deviation / (values.shape[0] - 1)
        return cls(deviation, factor * covariances, np.zeros_like(covariances))

    def errors(self) -> Floats:
        """The standard error of each mean."""
        return _root(np.diagonal(self.of_cases), np.diagonal(self.of_draws))

    def gap_errors(self) -> Floats:
        """The standard error of the difference of each pair of means."""
        return _root(_of_gaps(self.of_cases), _of_gaps(self.of_draws))

    def critical_gap(self, level: float, rng: np.random.Generator) -> float:
        """The number of standard errors that the largest difference exceeds with this probability.

        This holds if all means are equal. They are assumed to have a multivariate t distribution
        with the covariances over the parts and (number of parts - 1) degrees of freedom.
        """
        count = self.deviation.shape[0]
        error = np.sqrt(np.maximum(_of_gaps(self.deviation.T @ self.deviation), 0.0))
        drawn = rng.standard_normal((SIMULATED, count)) @ self.deviation
        largest = np.zeros(SIMULATED)
        for place, scale in enumerate(error):
            varies = scale > 1e-9 * np.max(error)
            if varies.any():
                gaps = np.abs(drawn[:, varies] - drawn[:, [place]]) / scale[varies]
                np.maximum(largest, gaps.max(axis=1), out=largest)
        largest /= np.sqrt(rng.chisquare(count - 1, SIMULATED) / (count - 1))
        return float(np.quantile(largest, 1 - level))


def _defined(values: Floats) -> Floats:
    """Finite draws, the same number per part, shape (parts, quantities, draws).

    A part is dropped if fewer than half of its draws are finite.
    """
    finite = np.asarray(np.isfinite(values).all(axis=1))
    if finite.all():
        return values
    kept = np.flatnonzero(2 * finite.sum(axis=-1) >= finite.shape[-1])
    values, finite = values[kept], finite[kept]
    fewest = finite.sum(axis=-1).min(initial=finite.shape[-1])
    first = np.argsort(~finite, axis=-1, kind="stable")[:, :fewest]
    return np.take_along_axis(values, first[:, np.newaxis], -1)


def _of_gaps(covariances: Floats) -> Floats:
    """The variance of the difference of each pair of quantities."""
    variances = np.diagonal(covariances)
    gaps: Floats = variances[:, np.newaxis] + variances - 2 * covariances
    return gaps


def _root(of_cases: Floats, of_draws: Floats) -> Floats:
    """The standard error from both variances; negative estimates count as 0."""
    error: Floats = np.sqrt(np.maximum(of_cases, 0.0) + np.maximum(of_draws, 0.0))
    return error
