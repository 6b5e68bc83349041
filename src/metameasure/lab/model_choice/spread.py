"""How means over draws vary: over samples of the cases, and over draws from the same cases.

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

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats

SIMULATED = 4000
"""Number of draws for a critical value."""
ROUNDED = 1e-9
"""Standard error, as a fraction of the largest, that may be due to rounding."""
FEWEST_DRAWS = 2
"""Number of draws from which a variance can be estimated."""


def left_out(n: int, size: int) -> int:
    """The number of cases that a part lacks: it has a validation set and half of all cases.

    If validation sets have more than a quarter of all cases, it lacks a third of the others.
    """
    return n // 2 - size if 4 * size <= n else max(1, (n - size) // 3)


def scaling(n: int, size: int) -> float:
    """The ratio of the variance over samples to that over the parts of a sample."""
    out = left_out(n, size)
    return (n - out) / out


@dataclass(frozen=True, eq=False)
class Moments:
    """The first two moments of draws of several quantities; there may be axes in front.

    Attributes:
        count: the number of draws, of shape (...).
        mean: the means, (..., quantities).
        scatter: the sums of products of the deviations from the means, (..., quantities,
            quantities).
    """

    count: Floats
    mean: Floats
    scatter: Floats

    @classmethod
    def of(cls, values: Floats) -> Moments:
        """The moments of values of shape (..., quantities, draws); draws with NaN do not count."""
        values = np.ascontiguousarray(values)
        finite = np.isfinite(values).all(axis=-2, keepdims=True)
        count = np.count_nonzero(finite, axis=-1).astype(np.float64)
        known = values if finite.all() else np.where(finite, values, 0.0)
        mean = known.sum(axis=-1) / np.maximum(count, 1.0)
        apart = (known - mean[..., np.newaxis]) * finite
        return cls(count[..., 0], mean, apart @ np.swapaxes(apart, -1, -2))

    def merged(self, other: Moments) -> Moments:
        """The moments of the draws of both."""
        count = self.count + other.count
        weight = (other.count / np.maximum(count, 1.0))[..., np.newaxis]
        gap = other.mean - self.mean
        between = (self.count[..., np.newaxis] * weight * gap)[..., np.newaxis]
        scatter = self.scatter + other.scatter + between * gap[..., np.newaxis, :]
        return Moments(count, self.mean + weight * gap, scatter)

    @classmethod
    def stacked(cls, several: Sequence[Moments]) -> Moments:
        """Moments with the axes in front of several, concatenated along the first."""
        names = ("count", "mean", "scatter")
        return cls(*(np.concatenate([getattr(one, name) for one in several]) for name in names))

    def at(self, noise: int) -> Moments:
        """The moments of one entry of the last axis in front."""
        return Moments(self.count[..., noise], self.mean[..., noise, :],
                       self.scatter[..., noise, :, :])  # fmt: skip

    def of_mean(self) -> Floats:
        """The covariances of the means, due to the draws."""
        scale = self.count * (self.count - 1)
        return np.asarray(self.scatter / scale[..., np.newaxis, np.newaxis])


@dataclass(frozen=True)
class CriticalGaps:
    """Critical values of differences of several means, in standard errors.

    Attributes:
        all_pairs: for the differences of all pairs, in both directions (as Tukey's).
        from_one: for the differences from one of the means, in one direction (as Dunnett's); the
            largest over the means.
    """

    all_pairs: float
    from_one: float


@dataclass(frozen=True, eq=False)
class Spread:
    """The variation of the means of several quantities.

    Attributes:
        deviation: the mean on each part minus the mean over the parts, shape (parts, quantities).
        factor: the ratio of the variance over samples to that over the parts of a sample.
        on_parts: the covariances of the means on a part, over draws from the same part.
        of_draws: the covariances of the means over draws from the same cases.
    """

    deviation: Floats
    factor: float
    on_parts: Floats
    of_draws: Floats

    @classmethod
    def of(cls, whole: Moments, parts: Moments, factor: float) -> Spread:
        """The spread of means over draws.

        A part is dropped if fewer than half of the draws from most parts are defined on it.

        Args:
            whole: the moments of the draws from all cases.
            parts: those of the draws from each part; the first axis is that of the parts.
            factor: the ratio of the variance over samples to that over the parts of a sample.
        """
        enough = max(FEWEST_DRAWS, np.max(parts.count, initial=0.0) / 2)
        kept = parts.count >= enough
        quantities = whole.mean.shape[-1]
        if np.count_nonzero(kept) < FEWEST_DRAWS or whole.count < FEWEST_DRAWS:
            unknown = np.full((quantities, quantities), np.nan)
            return cls(np.zeros((2, quantities)), factor, unknown, unknown)
        parts = Moments(parts.count[kept], parts.mean[kept], parts.scatter[kept])
        deviation = parts.mean - parts.mean.mean(axis=0)
        return cls(deviation, factor, parts.of_mean().mean(axis=0), whole.of_mean())

    @classmethod
    def of_parts(cls, values: Floats, factor: float) -> Spread:
        """The spread of values without draws, shape (parts, quantities)."""
        none = np.zeros((values.shape[1], values.shape[1]))
        return cls(values - values.mean(axis=0), factor, none, none)

    @property
    def df(self) -> int:
        """The degrees of freedom of the covariances over the parts."""
        return len(self.deviation) - 1

    @cached_property
    def over_parts(self) -> Floats:
        """The covariances of the means on the parts, scaled to samples of all cases."""
        return np.asarray(self.factor * (self.deviation.T @ self.deviation) / self.df)

    @cached_property
    def of_cases(self) -> Floats:
        """The covariances of the means over samples of cases."""
        return np.asarray(self.over_parts - self.factor * self.on_parts)

    def errors(self) -> Floats:
        """The standard error of each mean."""
        return _root(np.diagonal(self.of_cases), np.diagonal(self.of_draws))

    def gap_errors(self) -> Floats:
        """The standard error of the difference of each pair of means."""
        return _root(_of_gaps(self.of_cases), _of_gaps(self.of_draws))

    def gap_errors_with_draws(self) -> Floats:
        """Upper bounds of the standard errors of differences, with the draws from the parts."""
        return _root(_of_gaps(self.over_parts), _of_gaps(self.of_draws))

    def gap_errors_of_cases(self) -> Floats:
        """The part of the standard errors of differences that is due to the cases."""
        return np.sqrt(np.maximum(_of_gaps(self.of_cases), 0.0))

    def gap_errors_of_draws(self) -> Floats:
        """The part of the standard errors of differences that is due to the draws."""
        return np.sqrt(np.maximum(_of_gaps(self.of_draws), 0.0))

    def gap_df(self) -> Floats:
        """The degrees of freedom of the standard errors of differences (Satterthwaite).

        The variance over parts, which includes that of their draws, has one less than the number of
        parts. What remains after subtracting the latter is known less precisely.
        """
        total = _of_gaps(self.over_parts)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(total > 0, self.gap_errors() ** 2 / total, 1.0)
        return np.asarray(np.clip(self.df * share**2, 1.0, self.df))

    def critical_gaps(self, level: float, rng: np.random.Generator) -> CriticalGaps:
        """The numbers of standard errors that differences exceed with this probability.

        This holds if all means are equal. They are assumed to have a multivariate t distribution
        with the covariances over the parts and (number of parts - 1) degrees of freedom.
        """
        error = np.sqrt(np.maximum(_of_gaps(self.deviation.T @ self.deviation), 0.0))
        chi = np.sqrt(rng.chisquare(self.df, SIMULATED) / self.df)
        drawn = rng.standard_normal((SIMULATED, self.df + 1)) @ self.deviation / chi[:, np.newaxis]
        largest, from_one = np.zeros(SIMULATED), 0.0
        for place, scale in enumerate(error):
            varies = scale > ROUNDED * np.max(error)
            if varies.any():
                above = np.max((drawn[:, varies] - drawn[:, [place]]) / scale[varies], axis=1)
                np.maximum(largest, above, out=largest)
                from_one = max(from_one, float(np.quantile(above, 1 - level)))
        return CriticalGaps(float(np.quantile(largest, 1 - level)), from_one)


def _of_gaps(covariances: Floats) -> Floats:
    """The variance of the difference of each pair of quantities."""
    variances = np.diagonal(covariances)
    gaps: Floats = variances[:, np.newaxis] + variances - 2 * covariances
    return gaps


def _root(of_cases: Floats, of_draws: Floats) -> Floats:
    """The standard error from both variances; negative estimates count as 0."""
    error: Floats = np.sqrt(np.maximum(of_cases, 0.0) + np.maximum(of_draws, 0.0))
    return error
