"""Score limits of the AUC, with the larger of two variances.

The variance of the structural components (DeLong) is too small if few cases overlap with the other
class: with 20 positives and a true AUC of .99 its intervals covered 56% for heavy-tailed scores.
Newcombe's variance (2006, method 5) is a function of the AUC and of the numbers of cases alone, and
too small where one class is more spread out than the other. At each possible true value the larger
one counts, so that the limits need no special case for an AUC of 0 or 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference.effective import cluster_degrees, cluster_sizes
from metameasure.inference.methods.delong import components, spread
from metameasure.inference.methods.method import Method, register
from metameasure.inference.sample import Sample
from metameasure.kernels import dot, is_rounding
from metameasure.measurement import PairMean

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure._types import Floats, Indices
    from metameasure.inference.intervals import Interval, Intervals, Plan
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress

HALVINGS = 60
"""Number of steps of a bisection, which is exact to the last digit."""


@dataclass(frozen=True)
class Components:
    """What the structural components of a sample show.

    Attributes:
        variance: the variance of the mean over pairs.
        n_pos, n_neg: the effective numbers of cases, fewer than the cases if they have different
            weights or depend on each other.
        degrees: the degrees of freedom of the variance; infinite for independent cases.
    """

    variance: float
    n_pos: float
    n_neg: float
    degrees: float = math.inf

    @classmethod
    def of(cls, sample: Sample, model: str, measure: Measure) -> Components:
        """The components of the cases, or of their clusters, at least two of each class."""
        if sample.independent:
            found = spread(measure, sample.tables[model])
            return cls(found.delong, found.n_pos, found.n_neg)
        of_cases = sample.places(model).of_cases(*components(measure, sample.tables[model]))
        weight = np.ones(sample.size) if sample.weight is None else sample.weight
        terms, sizes = np.zeros(sample.size), []
        for members in sample.strata:
            share = weight[members] / weight[members].sum()
            away = of_cases[members] - dot(share, of_cases[members])
            if not is_rounding(away, of_cases[members]):
                terms[members] = share * away
            sizes.append(1 / float(dot(share, share)))
        factor = np.where(sample.positive, *(n / (n - 1) for n in sample.classes))
        alone = float(dot(factor * terms, terms))
        if sample.cluster is None:
            return cls(alone, sizes[0], sizes[1])
        return cls._of_clusters(sample, terms, alone, sizes)

    @classmethod
    def _of_clusters(
        cls, sample: Sample, terms: Floats, alone: float, sizes: list[float]
    ) -> Components:
        """The components of clusters, of which each class has a number of its own."""
        positives, negatives = (
            math.sqrt(n / (n - 1)) * _summed(sample, np.where(members, terms, 0.0))
            for members, n in zip(sample.strata, sample.units_of_classes, strict=True)
        )
        apart = [float(dot(one, one)) for one in (positives, negatives)]
        together = float(np.square(positives + negatives).sum())
        # Where nothing varies, all cases of a cluster count as one.
        if alone > 0:
            sizes = [max(size / max(together / alone, 1.0), 1.0) for size in sizes]
        else:
            sizes = cluster_sizes(sample)
        degrees = cluster_degrees(apart, sample, sample.units)
        return cls(together, sizes[0], sizes[1], degrees)


def _summed(sample: Sample, terms: Floats) -> Floats:
    """The sum of the terms of each cluster."""
    cluster: Indices = sample.cluster  # type: ignore[assignment]
    return np.asarray(np.bincount(cluster, terms, sample.units), np.float64)


def model_variance(auc: float, n_pos: float, n_neg: float) -> float:
    """The variance of an AUC of independent cases, from its true value alone (Newcombe, 2006).

    >>> round(model_variance(0.8, 20, 30), 6)
    0.004178
    """
    mean = (n_pos + n_neg) / 2 - 1
    factor = 1 + mean * (1 - auc) / (2 - auc) + mean * auc / (1 + auc)
    return auc * (1 - auc) * factor / (n_pos * n_neg)


def score_limits(auc: float, found: Components, ci: float) -> tuple[float, float]:
    """The true values that differ from the AUC by at most their own standard errors."""
    from scipy.special import stdtrit  # noqa: PLC0415

    quantile = float(stdtrit(found.degrees, (1 + ci) / 2))
    relative = found.variance / (auc * (1 - auc)) if 0 < auc < 1 else 0.0

    def is_possible(true: float) -> bool:
        model = model_variance(true, found.n_pos, found.n_neg)
        variance = max(model, relative * true * (1 - true))
        return (auc - true) ** 2 <= quantile**2 * variance

    return _last(is_possible, auc, 0.0), _last(is_possible, auc, 1.0)


def _last(holds: Callable[[float], bool], inside: float, outside: float) -> float:
    """The last number from inside to outside for which something holds."""
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside


class Newcombe(Method):
    """Score limits of a fraction of right pairs, also of weighted and clustered cases."""

    name = "newcombe"
    reference = "newcombe2006"
    kinds = (PairMean,)
    any_cases = True

    def applies_to(self, measure: Measure) -> bool:
        """Whether the measure counts right pairs, or is a linear function of their fraction."""
        declared = measure.declaration
        return isinstance(declared.sampling, PairMean) and declared.right_pairs

    @staticmethod
    def intervals(
        empty: Intervals,
        sample: AnySample,
        plan: Plan,
        progress: Progress | None,  # noqa: ARG004 - nothing is drawn
    ) -> Intervals:
        """The intervals of all models."""
        assert isinstance(sample, Sample)  # noqa: S101 - such measures have two classes
        return {
            (model, measure): limited(one, Components.of(sample, model, measure), plan)
            if sample.too_few is None
            else replace(one, reason=sample.too_few)
            for (model, measure), one in empty.items()
        }


def limited(empty: Interval, found: Components, plan: Plan) -> Interval:
    """The interval of a value, with the limits that its components give."""
    low, high = empty.measure.declaration.range
    width = high - low
    share = (empty.value - low) / width
    on_share = replace(found, variance=found.variance / width**2)
    limits = score_limits(share, on_share, plan.ci)
    return empty.between((low + width * limits[0], low + width * limits[1]))


register(Newcombe())
