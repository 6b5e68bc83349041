"""Structural components: the variance of means over pairs, after DeLong, DeLong and Clarke-Pearson.

Each positive has a mean over the negatives, and each negative one over the positives. How much
these spread tells how much the mean over all pairs would on another sample.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.kernels import dot
from metameasure.measurement import ClassPairMean, PairMean
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from metameasure.data import ClassScores
    from metameasure.inference.sample import Sample
    from metameasure.measurement import Measure
    from metameasure.table import ScoreTable


@dataclass(frozen=True)
class Spread:
    """The variances of the components of both classes, and how many there are."""

    positives: float
    negatives: float
    n_pos: float
    n_neg: float

    @property
    def delong(self) -> float:
        """The variance of the mean over pairs; NaN unless both classes have two cases."""
        if math.isnan(self.positives + self.negatives):
            return math.nan
        return self.positives / self.n_pos + self.negatives / self.n_neg

    @property
    def theorem_6(self) -> float:
        """The variance of Theorem 6 of Wu, Flach and Ferri (2007), which runs low."""
        if math.isnan(self.positives + self.negatives):
            return math.nan
        return (self.n_neg - 1) / self.n_neg * self.positives / self.n_pos + (
            self.n_pos - 1
        ) / self.n_pos * self.negatives / self.n_neg


def components(measure: Measure, table: ScoreTable) -> tuple[Any, Any]:
    """The means over the other class for a positive, and for a negative, at each row."""
    kind = measure.declaration.sampling
    if not isinstance(kind, PairMean):
        raise TypeError(f"{measure} is no mean over pairs")
    with np.errstate(divide="ignore", invalid="ignore"):
        return kind.components(table, **dict(measure.parameters))


def spread(measure: Measure, table: ScoreTable) -> Spread:
    """How much the components of a table of unweighted cases spread."""
    of_positives, of_negatives = components(measure, table)
    return Spread(
        _variance(of_positives, table.pos, table.P),
        _variance(of_negatives, table.neg, table.N),
        float(table.P),
        float(table.N),
    )


def spread_of_difference(measure: Measure, sample: Sample, a: str, b: str) -> Spread:
    """How much the differences of two models' components spread, case by case.

    Its variance is var(a) + var(b) - 2 cov(a, b), without the cancellation.
    """
    first, second = (
        sample.places(model).of_cases(*components(measure, sample.tables[model]))
        for model in (a, b)
    )
    gaps = first - second
    scale = max(np.max(np.abs(first)), np.max(np.abs(second)))
    variances = [variance(gaps[members], scale) for members in sample.strata]
    return Spread(variances[0], variances[1], *sample.classes)


def variance_over_classes(measure: Measure, scores: ClassScores) -> tuple[float, float]:
    """The variance of a mean over pairs of classes, and the size of the smallest class.

    The mean is, up to terms of higher order, a sum of independent means of the components of each
    class: so their variances add up. NaN unless each class has two cases or none.
    """
    kind = measure.declaration.sampling
    if not isinstance(kind, ClassPairMean):
        raise TypeError(f"{measure} is no mean over pairs of classes")
    values = kind.components(scores, **dict(measure.parameters))
    total, fewest = 0.0, math.inf
    for number in np.unique(scores.code):
        of_class = values[scores.code == number]
        fewest = min(fewest, of_class.size)
        total += variance(of_class, float(np.max(np.abs(of_class)))) / of_class.size
    return total, fewest


def variance(values: Any, scale: float) -> float:
    """The variance of values that are differences of others of this scale; NaN of one value."""
    if values.size < 2:
        return math.nan
    away = values - np.mean(values)
    if np.max(np.abs(away)) <= ROUNDING * scale:
        return 0.0
    return float(dot(away, away) / (away.size - 1))


def _variance(values: Any, weight: Any, total: Any) -> float:
    if total < 2:
        return math.nan
    away = values - dot(weight, values) / total
    if is_rounding(away[weight > 0], values[weight > 0]):
        return 0.0
    return float(dot(weight, away * away) / (total - 1))


def is_rounding(away: Any, values: Any) -> bool:
    """Whether values differ from their mean by no more than the rounding of them."""
    return bool(np.max(np.abs(away)) <= ROUNDING * np.max(np.abs(values)))


def wald_limits(
    value: float, variance: float, ends: tuple[float, float], ci: float
) -> tuple[float, float]:
    """The value and its standard errors to both sides, cut off at the ends of the range."""
    reach = NormalDist().inv_cdf((1 + ci) / 2) * math.sqrt(variance)
    return max(value - reach, ends[0]), min(value + reach, ends[1])


def logit_limits(
    value: float, variance: float, ends: tuple[float, float], ci: float
) -> tuple[float, float]:
    """The Wald limits on the logit scale of the range, which they cannot leave."""
    low, high = ends
    share = (value - low) / (high - low)
    spare = share * (1 - share)
    reach = NormalDist().inv_cdf((1 + ci) / 2) * math.sqrt(variance) / (high - low) / spare
    centre = math.log(share) - math.log1p(-share)
    limits = (low + (high - low) / (1 + math.exp(-x)) for x in (centre - reach, centre + reach))
    return next(limits), next(limits)


def bound(
    value: float, ends: tuple[float, float], independent: float, ci: float
) -> tuple[float, float]:
    """Limits where no two independent values differ, so that their variance says nothing.

    If so many independent values within the range are all the same, then a share of the population
    that has other values is, with the confidence asked for, at most 1 - (1 - ci)^(1 / number).
    """
    same = (1 - ci) ** (1 / independent)
    return tuple(end if same == 0 else value + (end - value) * (1 - same) for end in ends)  # type: ignore[return-value]
