"""Differences and ratios of values of different samples, from their limits.

The method of variance estimates recovery (MOVER; Zou and Donner, 2008; Donner and Zou, 2012) takes
the distance of each value from its limits for its standard error on that side. So differences and
ratios keep the coverage of the limits that they are made of, also where these are skewed or the
value is 0 or 1. The p-value is below 1 - ci if and only if the limits exclude equality.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from metameasure._types import Floats


class Contrast(NamedTuple):
    """A difference or a ratio with its limits, and the p-value of the hypothesis of equality."""

    value: float
    low: float
    high: float
    pvalue: float = math.nan


@dataclass(frozen=True)
class Limited:
    """Values of several samples with their limits.

    Attributes:
        value: the value of each sample.
        low, high: its limits.
        ci: the confidence of the limits.
        correlation: the correlations of the values; None for independent samples.
    """

    value: Floats
    low: Floats
    high: Floats
    ci: float
    correlation: Floats | None = None

    @property
    def quantile(self) -> float:
        """The normal quantile of the limits."""
        return NormalDist().inv_cdf((1 + self.ci) / 2)

    def of_pairs(self) -> tuple[Floats, Floats]:
        """The difference of each pair of samples, and how far below it its lower limit is."""
        below, above = self.value - self.low, self.high - self.value
        first, second = below[:, np.newaxis], above[np.newaxis, :]
        squares = first**2 + second**2 - 2 * self._shared(first, second)
        np.fill_diagonal(squares, 0.0)
        return self.value[:, np.newaxis] - self.value, np.sqrt(np.maximum(squares, 0.0))

    def widened(self, factor: float, ends: tuple[float, float]) -> Limited:
        """The same values with limits that are further away by a factor, inside a range."""
        low = np.maximum(self.value - factor * (self.value - self.low), ends[0])
        high = np.minimum(self.value + factor * (self.high - self.value), ends[1])
        return Limited(self.value, low, high, self.ci, self.correlation)

    def ratios(self) -> tuple[Floats, Floats]:
        """The lower and the upper limit of the ratio of each pair of samples.

        A limit is the number R at which the limit of the difference of one value and R times the
        other one is 0.
        """
        below, above = self.value - self.low, self.high - self.value
        with np.errstate(divide="ignore", invalid="ignore"):
            lower = self._bound(below, above, upper=False)
            upper = self._bound(above, below, upper=True)
        for limits in (lower, upper):
            np.fill_diagonal(limits, 1.0)
        return lower, upper

    def _bound(self, first: Floats, second: Floats, *, upper: bool) -> Floats:
        """The root of a R² - 2 b R + c = 0 on one side of the ratio."""
        one, other = self.value[:, np.newaxis], self.value[np.newaxis, :]
        first, second = first[:, np.newaxis], second[np.newaxis, :]
        a, c = other**2 - second**2, one**2 - first**2
        b = one * other - self._shared(first, second)
        root = np.sqrt(np.maximum(b**2 - a * c, 0.0))
        if upper:
            return np.where(a > 0, (b + root) / a, np.inf)
        return np.where(c > 0, c / (b + root), 0.0)

    def _shared(self, first: Floats, second: Floats) -> Any:
        """The part of the distances of each pair that dependent samples have in common."""
        return 0.0 if self.correlation is None else self.correlation * first * second


def difference(pair: Limited) -> Contrast:
    """The value of the first of two samples minus that of the second."""
    gaps, reach = pair.of_pairs()
    gap, on_side = float(gaps[0, 1]), float(reach[0, 1] if gaps[0, 1] > 0 else reach[1, 0])
    return Contrast(
        gap, gap - float(reach[0, 1]), gap + float(reach[1, 0]), _pvalue(gap, on_side, pair)
    )


def ratio(pair: Limited) -> Contrast:
    """The value of the first of two samples divided by that of the second."""
    low, high = pair.ratios()
    first, second = map(float, pair.value)
    if second == 0:
        return Contrast(math.inf if first else math.nan, float(low[0, 1]), math.inf)
    return Contrast(first / second, float(low[0, 1]), float(high[0, 1]))


def _pvalue(gap: float, reach: float, pair: Limited) -> float:
    """The two-sided p-value of a difference, from its distance to the limit on the side of 0."""
    if gap == 0:
        return 1.0
    return 2 * NormalDist().cdf(-pair.quantile * abs(gap) / reach) if reach else 0.0


@dataclass(frozen=True)
class LargestGap:
    """The largest difference and the smallest ratio between samples.

    Attributes:
        highest, lowest: the samples with the largest and with the smallest value.
        difference: the largest difference, with the p-value that all samples are equal.
        ratio: the smallest ratio of two values.
    """

    highest: int
    lowest: int
    difference: Contrast
    ratio: Contrast


def largest_gap(samples: Limited, ends: tuple[float, float], ci: float | None = None) -> LargestGap:
    """The largest gap between several samples, with limits that allow for the choice.

    The largest of many differences is biased upwards. Therefore the limits of all pairs are
    simultaneous, with the quantile of the range of this number of normal values (Tukey; for samples
    of different size Kramer, 1956, conservative by Hayter, 1984). With the given confidence all
    true differences lie inside them, hence the largest one between the largest lower and the
    largest upper limit. The test that all samples are equal rejects if a pair differs by these
    limits. ``ci`` is another confidence than that of the limits of the samples.

    >>> found = largest_gap(
    ...     Limited(np.array([0.5, 0.6]), np.array([0.4, 0.5]), np.array([0.6, 0.7]), 0.95), (0, 1)
    ... )
    >>> found.difference
    Contrast(value=0.09..., low=0.0, high=0.24..., pvalue=0.16...)
    """
    from scipy.stats import studentized_range  # noqa: PLC0415

    count = samples.value.size
    highest, lowest = int(np.argmax(samples.value)), int(np.argmin(samples.value))
    gaps, reach = samples.of_pairs()
    steps = np.divide(gaps, reach, out=np.where(gaps > 0, np.inf, 0.0), where=reach > 0)
    pvalue = studentized_range.sf(
        math.sqrt(2) * samples.quantile * float(np.max(steps)), count, np.inf
    )
    quantile = float(studentized_range.ppf(ci or samples.ci, count, np.inf)) / math.sqrt(2)
    factor = quantile / samples.quantile
    low, high = float(np.max(gaps - factor * reach)), float(np.max(-(gaps - factor * reach)))
    value = float(gaps[highest, lowest])
    difference = Contrast(
        value,
        max(low, 0.0),
        min(high, ends[1] - ends[0]),
        float(min(max(pvalue, 0.0), 1.0)) if value else 1.0,
    )
    return LargestGap(highest, lowest, difference, _smallest_ratio(samples, factor, ends))


def _smallest_ratio(samples: Limited, factor: float, ends: tuple[float, float]) -> Contrast:
    """The smallest value divided by the largest one, with simultaneous limits."""
    least, most = float(np.min(samples.value)), float(np.max(samples.value))
    low, high = samples.widened(factor, ends).ratios()
    value = least / most if most > 0 else math.nan
    return Contrast(value, float(np.nanmin(low)), min(float(np.nanmin(high)), 1.0))


def correlations(sums: Any) -> Floats:
    """The correlations of values, from what each independent unit adds to each: (units, values)."""
    products = np.asarray((sums.T @ sums).todense(), np.float64)
    errors = np.sqrt(np.diag(products))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = products / np.outer(errors, errors)
    return np.asarray(np.nan_to_num(np.clip(found, -1.0, 1.0)))
