"""Confidence tubes: a rectangle around each point of a ROC curve, and the curves within them.

Each threshold has an interval for the rate of either class: the mean of the posterior distribution
under a uniform prior, plus and minus some standard deviations. A ROC curve that stays within these
rectangles lies between two staircases; so do all curves that are functions of both rates. The
rectangles shrink toward the corners as the variances of binomial rates do, and have a width, which
matters where the curve is steep.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.measurement import filled

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.table import ScoreTable

    Limits = list[tuple[Floats, Floats]]

MANY = 500
"""Number of cases per class up to which errors at all thresholds are simulated."""
RAREST = 1e-6
"""Minimum prevalence of a class."""
GROUPS = 64
"""Number of groups of neighboring scores for the limits of a rising fraction."""


@dataclass(frozen=True, eq=False)
class Tube:
    """Rectangles around the points of one table, from the first threshold to the last.

    Attributes:
        score: the scores of the table.
        prior: the least and the largest prevalence.
        fpr: the least and the largest false positive rate at each threshold.
        tpr: the least and the largest true positive rate.
    """

    score: Floats
    prior: tuple[float, float]
    fpr: tuple[Floats, Floats]
    tpr: tuple[Floats, Floats]

    @classmethod
    def of(cls, table: ScoreTable, sizes: tuple[float, float, float | None], reach: float) -> Tube:
        """The tube that reaches ``reach`` standard deviations.

        Sizes are the numbers of positives, of negatives, and of all cases; the last is None where
        the prevalence is fixed.
        """
        positives, negatives, cases = sizes
        share = float(table.prevalence)
        prior = share, share
        if cases is not None:
            low, high = _interval(np.array([share]), cases, reach)
            prior = max(float(low[0]), RAREST), min(float(high[0]), 1 - RAREST)
        rates = _interval(table.fpr, negatives, reach), _interval(table.tpr, positives, reach)
        return cls(table.score, prior, *rates)

    def roc(self, x: Floats) -> Limits:
        """The limits of the true positive rate at each false positive rate."""
        high = self.tpr[1][_last(self.fpr[0], x)]
        low = self.tpr[0][_first(self.fpr[1], x)]
        return [(low, high)]

    def precision_recall(self, x: Floats) -> Limits:
        """The limits of the precision at each recall."""
        most, least = self.fpr[1][_last(self.tpr[0], x)], self.fpr[0][_first(self.tpr[1], x)]
        fewest, many = self.prior
        with np.errstate(invalid="ignore", divide="ignore"):
            high = np.where(x > 0, many * x / (many * x + (1 - many) * least), 1.0)
            low = fewest * x / (fewest * x + (1 - fewest) * most)
        return [(low, high)]

    def gain(self, x: Floats) -> Limits:
        """The limits of the true positive rate at each fraction of the cases."""
        low, high = zip(*(self._along(x, prior) for prior in self.prior), strict=True)
        return [(np.minimum(*low), np.maximum(*high))]

    def rates_by_depth(self, x: Floats) -> Limits:
        """The limits of both rates at each fraction of the cases."""
        low, high = [], []
        for prior in self.prior:
            bottom, top = self._along(x, prior)
            low.append(np.clip((x - prior * top) / (1 - prior), 0.0, 1.0))
            high.append(np.clip((x - prior * bottom) / (1 - prior), 0.0, 1.0))
        return [*self.gain(x), (np.minimum(*low), np.maximum(*high))]

    def _along(self, x: Floats, prior: float) -> tuple[Floats, Floats]:
        """The limits of the true positive rate at this prevalence.

        All points with a fraction of the cases lie on a falling line through ROC space, which
        leaves the tube at the upper left and at the lower right.
        """
        rest = 1 - prior
        (left, right), (bottom, top) = self.fpr, self.tpr
        place = _last(prior * top + rest * left, x)
        ends = (place, np.minimum(place + 1, top.size - 1))
        high = np.maximum(*(np.minimum(top[e], (x - rest * left[e]) / prior) for e in ends))
        place = _first(prior * bottom + rest * right, x)
        ends = (place, np.maximum(place - 1, 0))
        low = np.minimum(*(np.maximum(bottom[e], (x - rest * right[e]) / prior) for e in ends))
        return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)

    def rates_by_score(self, x: Floats) -> Limits:
        """The limits of both rates at each threshold."""
        place = self.score.size - np.searchsorted(self.score[::-1], x, side="left")
        return [(low[place], high[place]) for low, high in (self.tpr, self.fpr)]


def _interval(rate: Floats, size: float, reach: float) -> tuple[Floats, Floats]:
    """The limits of rates that rise from threshold to threshold, made monotone."""
    mean = (rate * size + 1) / (size + 2)
    spread = reach * np.sqrt(mean * (1 - mean) / (size + 3))
    low, high = np.maximum(mean - spread, 0.0), np.minimum(mean + spread, 1.0)
    return np.minimum.accumulate(low[::-1])[::-1], np.maximum.accumulate(high)


def _last(rising: Floats, x: Floats) -> Any:
    """The last place that is not beyond each x; the first if all are."""
    return np.maximum(np.searchsorted(rising, x, side="right") - 1, 0)


def _first(rising: Floats, x: Floats) -> Any:
    """The first place that is not before each x; the last if all are."""
    return np.minimum(np.searchsorted(rising, x, side="left"), rising.size - 1)


def limits_by_score(
    table: ScoreTable, x: Floats, ci: float, tables: int, rng: np.random.Generator
) -> Limits:
    """Limits of both rates that hold at all thresholds at once, for any distribution.

    Each threshold has the exact binomial limits of its rate, all with the same error. The error is
    found by simulation: the true rates at the ordered cases of a class are ordered uniform numbers
    (Aldor-Noiman and others, 2013).
    """
    sizes = float(table.P), float(table.N)
    error = _local_error(sizes, ci, tables, rng)
    place = table.score.size - np.searchsorted(table.score[::-1], x, side="left")
    rates = zip((table.tp, table.fp), sizes, strict=True)
    return [_exact_limits(upto[place], size, error) for upto, size in rates]


def _exact_limits(hits: Floats, cases: Any, error: float) -> tuple[Floats, Floats]:
    """The binomial limits of a fraction, each with this error (Clopper and Pearson, 1934)."""
    from scipy.special import betaincinv  # noqa: PLC0415

    # The arguments are kept positive where the limit is 0 or 1.
    low = betaincinv(np.maximum(hits, 1.0), cases - hits + 1, error)
    high = betaincinv(hits + 1, np.maximum(cases - hits, 1.0), 1 - error)
    return np.where(hits > 0, low, 0.0), np.where(hits < cases, high, 1.0)


def _local_error(
    sizes: tuple[float, float], ci: float, tables: int, rng: np.random.Generator
) -> float:
    """The error of each limit with which all limits of both classes hold with confidence ``ci``.

    Beyond ``MANY`` cases it falls at its asymptotic rate (Gontscharuk and Finner, 2017).
    """
    from scipy.special import betainc  # noqa: PLC0415

    least = np.ones(tables)
    for size in (min(int(size), MANY) for size in sizes):
        order = np.arange(1.0, size + 1)
        below = betainc(order, size + 1 - order, np.sort(rng.random((tables, size)), axis=1))
        least = np.minimum(least, np.minimum(below, 1 - below).min(axis=1))
    error = float(np.quantile(least, 1 - ci, method="lower"))
    most = max(*sizes, MANY)
    return (
        error
        * math.log(MANY)
        * math.log(math.log(MANY))
        / (math.log(most) * math.log(math.log(most)))
    )


def rising_limits(table: ScoreTable, x: Floats, ci: float) -> tuple[Floats, Floats]:
    """Limits of the fraction of positives at each score, if it rises with the score.

    A run of neighboring groups below x has no larger fraction than x has, and one above x no
    smaller; so the exact binomial limits of all runs bound it (Dimitriadis and others, 2023). There
    are G (G + 1) / 2 runs on each side, among which the error is divided.
    """
    groups = filled(table, GROUPS)
    pos, n = (np.append(0.0, np.cumsum(w[::-1])) for w in (groups.pos, groups.weight))
    first, last = np.triu_indices(groups.pos.size)
    hits, cases = pos[last + 1] - pos[first], n[last + 1] - n[first]
    low, high = _exact_limits(hits, cases, (1 - ci) / (2 * first.size))
    least, most = np.zeros(groups.pos.size + 1), np.ones(groups.pos.size + 1)
    np.maximum.at(least, last + 1, low)
    np.minimum.at(most, first, high)
    below = np.searchsorted(groups.highest[::-1], x, side="right")
    above = np.searchsorted(groups.lowest[::-1], x, side="left")
    beyond = np.minimum.accumulate(most[::-1])[::-1]
    return np.maximum.accumulate(least)[below], beyond[above]
