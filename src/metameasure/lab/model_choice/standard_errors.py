"""Standard errors of means over random draws, for sampling of the cases (delete-d jackknife).

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
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from metameasure._types import Floats


SIMULATED = 4000
"""Number of draws for a critical value."""


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
