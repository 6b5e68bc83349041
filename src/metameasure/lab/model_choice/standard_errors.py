"""How far means over random draws vary with the cases that the draws are made from.

Repeating the draws says nothing about other cases than these. So a study is repeated on random
parts of the cases (a delete-d jackknife), and the spread over the parts, scaled to the number of
cases, is the error. What the draws from the parts have added is taken off, and the error of the
draws of the study itself is put in its place.

How much a part lacks matters, since the loss of a best choice is not smooth in the cases: where
models hardly differ, it is made of products of chance differences. This was simulated for two
useless models and validation sets of 100 out of 400 cases. With a twentieth left out, the error of
the goal's regret was below three quarters of its spread over data sets in half of them, and what
the draws add counted nineteenfold; with half left out it was 4.7 times the spread, since too few
cases were left to judge by. The parts used here keep half of the cases beside a validation set.
With these, errors of differences of regrets were 0.96 to 1.5 times the spread where some models
differ and 1.3 to 1.7 times where none do; errors of regrets themselves were 0.7 to 1.1 and 0.7 to
2.5 times. ``benchmarks.advice`` measures it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SIMULATED = 4000


@dataclass(frozen=True, eq=False)
class Spread:
    """The variation of the means of several quantities.

    Attributes:
        deviation: what the mean on each part has more than the mean over the parts, shape (parts,
            quantities).
        of_cases: the covariances of the means over samples of the cases.
        of_draws: the covariances of the means over the draws from these cases.
    """

    deviation: Floats
    of_cases: Floats
    of_draws: Floats

    @classmethod
    def of(cls, whole: Floats, parts: Floats, factor: float) -> Spread:
        """The spread of means over the last axis.

        Args:
            whole: what each draw from all cases gave, shape (quantities, draws).
            parts: what each draw from each part gave, shape (parts, quantities, draws).
            factor: how much more means vary over samples than over the parts of one.
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
        """The spread of values that no draws go into, shape (parts, quantities)."""
        deviation = values - values.mean(axis=0)
        covariances = deviation.T @ deviation / (values.shape[0] - 1)
        return cls(deviation, factor * covariances, np.zeros_like(covariances))

    def errors(self) -> Floats:
        """The standard error of each mean."""
        return _root(np.diagonal(self.of_cases), np.diagonal(self.of_draws))

    def gap_errors(self) -> Floats:
        """The standard error of the difference of each two means."""
        return _root(_of_gaps(self.of_cases), _of_gaps(self.of_draws))

    def critical_gap(self, level: float, rng: np.random.Generator) -> float:
        """How many errors the largest difference of two equal means exceeds with this probability.

        The means are taken to vary together as they do over the parts, by a multivariate t
        distribution with as many degrees of freedom as the parts allow.
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
    """Draws that are finite, equally many of each part, shape (parts, quantities, draws).

    A part with a value for less than half of its draws is left out.
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
    """The variance of the difference of each two quantities."""
    variances = np.diagonal(covariances)
    gaps: Floats = variances[:, np.newaxis] + variances - 2 * covariances
    return gaps


def _root(of_cases: Floats, of_draws: Floats) -> Floats:
    """The error from both variances; what is below 0 by chance or rounding is none."""
    error: Floats = np.sqrt(np.maximum(of_cases, 0.0) + np.maximum(of_draws, 0.0))
    return error
