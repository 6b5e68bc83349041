"""DeLong's interval and test: the variance of means over pairs from structural components.

Each positive has a mean over the negatives, and each negative one over the positives. The
variances of these components give the variance of the mean over all pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metameasure.inference.influence import contributing
from metameasure.inference.methods.class_limits import class_limits
from metameasure.inference.methods.method import Method, register
from metameasure.inference.sample import Sample
from metameasure.kernels import variance, weighted_variance
from metameasure.measurement import ClassPairMean, PairMean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.data import ClassScores
    from metameasure.inference.intervals import Interval
    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure
    from metameasure.table import ScoreTable

CONTRIBUTING = 15
"""Effective number of cases that must contribute to a value for ``auto`` to use the paired test."""
TWO_PER_CLASS = "the variance needs at least two cases per class"


@dataclass(frozen=True)
class Spread:
    """The variances of the components of both classes, and the numbers of components."""

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
    kind: Any = measure.declaration.sampling
    with np.errstate(divide="ignore", invalid="ignore"):
        found: tuple[Any, Any] = kind.components(table, **dict(measure.parameters))
    return found


def spread(measure: Measure, table: ScoreTable) -> Spread:
    """The variances of the components of a table of unweighted cases."""
    of_positives, of_negatives = components(measure, table)
    return Spread(
        weighted_variance(of_positives, table.pos, table.P),
        weighted_variance(of_negatives, table.neg, table.N),
        float(table.P),
        float(table.N),
    )


def spread_of_difference(measure: Measure, sample: Sample, a: str, b: str) -> Spread:
    """The variances of the differences of two models' components, case by case.

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


def variance_over_classes(measure: Measure, scores: ClassScores) -> tuple[float, list[float]]:
    """The variance of a mean over pairs of classes, and the sizes of the classes that have cases.

    The mean is, up to terms of higher order, a sum of independent means of the components of each
    class: so their variances add up. NaN unless each class has two cases or none.
    """
    kind: Any = measure.declaration.sampling
    values = kind.components(scores, **dict(measure.parameters))
    of_classes = [values[scores.code == number] for number in np.unique(scores.code)]
    total = sum(variance(one, float(np.max(np.abs(one)))) / one.size for one in of_classes)
    return total, [float(one.size) for one in of_classes]


def wald_limits(
    value: float, variance: float, ends: tuple[float, float], ci: float
) -> tuple[float, float]:
    """The value plus and minus its standard errors, cut off at the ends of the range."""
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
    center = math.log(share) - math.log1p(-share)
    limits = (low + (high - low) * _logistic(x) for x in (center - reach, center + reach))
    return next(limits), next(limits)


def log_limits(
    value: float, variance: float, ends: tuple[float, float], ci: float
) -> tuple[float, float]:
    """The Wald limits on the log scale of the distance from the only finite end of the range."""
    end = ends[0] if math.isfinite(ends[0]) else ends[1]
    distance = value - end
    ratio = math.exp(NormalDist().inv_cdf((1 + ci) / 2) * math.sqrt(variance) / abs(distance))
    limits = end + distance * ratio, end + distance / ratio
    return min(limits), max(limits)


def limits_within(
    value: float, variance: float, ends: tuple[float, float], ci: float
) -> tuple[float, float]:
    """The limits on the scale that the range has, which they cannot leave unless it is an end."""
    if not ends[0] < value < ends[1]:
        return wald_limits(value, variance, ends, ci)
    finite = [math.isfinite(end) for end in ends]
    find = logit_limits if all(finite) else log_limits if any(finite) else wald_limits
    return find(value, variance, ends, ci)


def _logistic(x: float) -> float:
    """The inverse of the logit, which does not overflow."""
    small = math.exp(-abs(x))
    return (1.0 if x >= 0 else small) / (1 + small)


class DeLong(Method):
    """Structural components, with limits on the scale of the measure, as pROC has them."""

    name = "delong"
    aliases: ClassVar[tuple[str, ...]] = ("wald",)
    reference = "delong1988"
    kinds: ClassVar[tuple[type, ...]] = (PairMean, ClassPairMean)
    paired_kinds: ClassVar[tuple[type, ...]] = (PairMean,)
    fewest = 20

    def has_enough(self, measure: Measure, sample: AnySample) -> bool:
        """Whether enough cases overlap with the other class, or none, by one of the models.

        Near a perfect ranking few do. If none does, the test is a bound.
        """
        if not super().has_enough(measure, sample) or not isinstance(sample, Sample):
            return False
        none = True
        for number in contributing(measure, sample):
            if number >= CONTRIBUTING:
                return True
            none = none and number == 0
        return none

    def variance(self, spread: Spread) -> float:
        """The variance of the mean over pairs."""
        return spread.delong

    def limits(self, empty: Interval, variance: float, sizes: Sequence[float]) -> Interval:
        """The limits from a variance and the numbers of cases of the classes."""
        if variance == 0:
            return empty.without_spread(min(sizes))
        ends = empty.measure.declaration.range
        return empty.between(self.on_scale(empty.value, variance, ends, empty.ci))

    def on_scale(
        self, value: float, variance: float, ends: tuple[float, float], ci: float
    ) -> tuple[float, float]:
        """The limits from a variance above 0."""
        return wald_limits(value, variance, ends, ci)

    def interval(self, empty: Interval, table: Any) -> Interval:
        """The limits; where the components do not vary, the bound from disjoint pairs."""
        measure = empty.measure
        if isinstance(measure.declaration.sampling, ClassPairMean):
            found = variance_over_classes(measure, table)
        else:
            of_pairs = spread(measure, table)
            found = self.variance(of_pairs), [of_pairs.n_pos, of_pairs.n_neg]
        if math.isnan(found[0]):
            return replace(empty, reason=TWO_PER_CLASS)
        return self.limits(empty, *found)

    def paired(self, empty: Difference, sample: Sample, plan: PairPlan) -> Difference:
        """DeLong's test: the differences of the structural components, case by case."""
        found = spread_of_difference(empty.measure, sample, empty.a, empty.b)
        if math.isnan(found.delong):
            return replace(empty, reason=TWO_PER_CLASS)
        same = sample.same_to(empty.measure, empty.a, empty.b)
        independent = min(found.n_pos, found.n_neg)
        return empty.judged(math.sqrt(found.delong), independent, math.inf, plan, same=same)


class DeLongLogit(DeLong):
    """The same variance, with limits on the logit scale of the range."""

    name = "delong_logit"
    aliases = ()
    kinds = (PairMean,)
    paired_kinds = ()

    def on_scale(
        self, value: float, variance: float, ends: tuple[float, float], ci: float
    ) -> tuple[float, float]:
        """The limits from a variance above 0; at the end of the range there is no logit."""
        return limits_within(value, variance, ends, ci)


class DeLongWilson(DeLong):
    """The same variance over k classes, with Wilson limits of an effective number of cases."""

    name = "delong_wilson"
    aliases = ()
    kinds = (ClassPairMean,)
    paired_kinds = ()

    def limits(self, empty: Interval, variance: float, sizes: Sequence[float]) -> Interval:
        """The limits from a variance and the numbers of cases of the classes."""
        return empty.between(class_limits(empty, variance, sizes, sum(sizes) - 1))


class Theorem6(DeLong):
    """The variance that Wu, Flach and Ferri published for their scored AUC."""

    name = "theorem_6"
    aliases = ()
    reference = "wu2007"
    kinds = (PairMean,)
    paired_kinds = ()

    def applies_to(self, measure: Measure) -> bool:
        """Whether the measure declares this method as its own."""
        kind = measure.declaration.sampling
        return isinstance(kind, PairMean) and self.name in kind.own_methods

    def variance(self, spread: Spread) -> float:
        """The variance of the theorem."""
        return spread.theorem_6


for _method in (DeLong(), DeLongLogit(), DeLongWilson(), Theorem6()):
    register(_method)
