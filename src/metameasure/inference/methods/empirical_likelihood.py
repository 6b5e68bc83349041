"""Limits of means over cases or pairs from the empirical likelihood, with terms not yet observed.

Means of losses with rare large terms, and means over pairs with few positives, have a skewed
distribution, and a sample often lacks the terms that matter most. The limits are the lowest and
the highest mean of all distributions whose likelihood ratio (Owen, 1988) is not rejected. The
distributions have the observed terms and two more, which need not have been observed: the smallest
and the largest term that a case of either class would have at one of the observed scores. Nothing
is assumed about the shape, and nothing is resampled. If cases were sampled within the classes, the
terms are the distances from the means of the classes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.effective import cluster_degrees, kish
from metameasure.inference.methods.delong import components
from metameasure.inference.methods.method import Method, bound, register
from metameasure.inference.methods.normal import (
    TWO_CASES,
    losses_of,
    of_means,
    smallest_and_largest,
)
from metameasure.inference.sample import ClassSample, ProbabilitySample, Sample
from metameasure.kernels import dot, is_rounding
from metameasure.measurement import CaseMean, ClassCaseMean, PairMean, ProbabilityMean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from metameasure._types import Floats
    from metameasure.inference.intervals import Interval, Intervals, Plan
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress
    from metameasure.table import ScoreTable

    Pair = tuple[Any, Any]

INSIDE = 1 - 1e-14
"""Part of the way to where a probability becomes infinite that is searched."""
CLOSE = 1e-12
"""Distance, relative to that way, within which the end is found."""
STEPS = 100
"""Maximum number of steps of the search; halving alone takes 40."""
BINS = 2**13
"""Number of different terms above which equal parts of their range stand for them."""
FEW = 10
"""Effective number of clusters below which limits also enclose Student's."""
FURTHER = 8.0
"""Number of contributing cases with which losses may be three times as far as the observed ones."""


@dataclass(frozen=True)
class Terms:
    """Terms of independent units, cases or clusters, whose mean is the value.

    Attributes:
        mean: the mean of the terms.
        away: the distance of each term from the mean; all 0 if they differ by rounding alone.
        counts: the number of units with each term.
        least, most: the smallest and largest distance that a unit could have.
        units: the effective number of units, fewer than the terms for clusters of different sizes.
        independent: the number of independent cases of the heavier class.
        of_clusters: whether units are clusters of several cases.
    """

    mean: float
    away: Floats
    counts: Floats
    least: float
    most: float
    units: float
    independent: float
    of_clusters: bool = False

    @classmethod
    def of(cls, sample: Sample, model: str, measure: Measure, *, stratified: bool = False) -> Terms:
        """The terms of a mean over cases, or the linear terms of a mean over pairs.

        A case adds its share of the weight, in all cases or in its class, times its loss or
        structural component. With n units the term of a unit is n times what its cases add to the
        distance from the mean.
        """
        table = sample.tables[model]
        if isinstance(measure.declaration.sampling, PairMean):
            values, totals = components(measure, table), (float(table.P), float(table.N))
        else:
            values, totals = losses_of(measure, table), (float(table.n),) * 2
            if stratified:
                values = _within_classes(values, (table.pos, table.neg))
        if sample.independent:
            return cls._of_rows(table, values, totals)
        return cls._of_cases(sample, model, values, totals)

    @classmethod
    def _of_rows(cls, table: ScoreTable, values: Pair, totals: tuple[float, float]) -> Terms:
        """The terms of the rows of a table of independent cases of equal weight."""
        used = [weight > 0 for weight in (table.pos, table.neg)]
        counts = np.concatenate([table.pos[used[0]], table.neg[used[1]]])
        observed = np.concatenate(
            [of_class[rows] for of_class, rows in zip(values, used, strict=True)]
        )
        share = np.repeat(1 / np.array(totals), [np.count_nonzero(rows) for rows in used])
        mean, away = _distances(observed, share, counts)
        n = float(table.n)
        away *= n * share
        ends = _ends(values, used[0] | used[1], mean, n / np.array(totals))
        return cls(mean, away, counts, *ends, n, min(totals))

    @classmethod
    def _of_cases(
        cls, sample: Sample, model: str, values: Pair, totals: tuple[float, float]
    ) -> Terms:
        """The terms of weighted cases, or of clusters of cases."""
        weight = _weights(sample)
        observed = sample.places(model).of_cases(*values)
        share = weight / np.where(sample.positive, *totals)
        mean, away = _distances(observed, share, np.ones(sample.size))
        away, units, together = _of_units(sample, sample.units * share * away)
        heavy = together * np.array(
            [_typical(weight[members] if members.any() else weight) for members in sample.strata]
        )
        table = sample.tables[model]
        used = (table.pos > 0) | (table.neg > 0)
        ends = _ends(values, used, mean, sample.units * heavy / totals)
        independent, clustered = float(min(totals / heavy)), sample.units < sample.size
        return cls(mean, away, np.ones(away.size), *ends, units, independent, clustered)

    @classmethod
    def of_classes(
        cls, sample: ClassSample, model: str, measure: Measure, *, stratified: bool = False
    ) -> Terms:
        """The terms of a mean over cases of k classes."""
        kind: Any = measure.declaration.sampling
        scores = sample.tables[model]
        losses = kind.losses(scores, **dict(measure.parameters))
        if stratified:
            of_classes = np.where(sample.strata, _weights(sample), 0.0)
            losses = np.column_stack(_within_classes(list(losses.T), list(of_classes)))
        ends = float(losses.min()), float(losses.max())
        observed = losses[np.arange(sample.size), scores.code]
        return cls._of_losses(sample, observed, lambda *_: ends)

    @classmethod
    def _of_losses(
        cls,
        sample: ClassSample | ProbabilitySample,
        losses: Floats,
        ends: Callable[[float, Floats], tuple[float, float]],
    ) -> Terms:
        """The terms of a mean of losses; ``ends`` gives the smallest and the largest loss.

        It takes the mean and the distances of the units from it.
        """
        weight = _weights(sample)
        total = float(weight.sum())
        mean, away = _distances(losses, weight / total, np.ones(sample.size))
        away, units, together = _of_units(sample, sample.units * weight / total * away)
        heavy = together * _typical(weight)
        scale = sample.units * heavy / total
        least, most = (scale * (end - mean) for end in ends(mean, away))
        independent, clustered = total / heavy, sample.units < sample.size
        return cls(mean, away, np.ones(away.size), least, most, units, independent, clustered)

    @classmethod
    def of_probabilities(cls, sample: ProbabilitySample, model: str, measure: Measure) -> Terms:
        """The terms of a mean over cases with true probabilities.

        Any true probability could occur at a score, so that the scores do not bound the losses:
        those that were not observed may be twice as far from the mean as those that were, and up to
        four times if few cases contribute to the variance.
        """
        losses = sample.losses(measure, model)

        def ends(mean: float, away: Floats) -> tuple[float, float]:
            factor = 2 + min(2.0, FURTHER / max(kish(np.square(away)), 1.0))
            return _further(losses, mean, factor, measure.ends)

        return cls._of_losses(sample, losses, ends)

    def limits(self, ci: float) -> tuple[float, float]:
        """The limits of the mean, with Student's quantile and the variance for n - 1 units.

        Those of few clusters also enclose Student's limits: a likelihood of few terms reaches
        hardly further than these, and a cluster that was not observed may have any term.
        """
        from scipy.special import stdtrit  # noqa: PLC0415

        units = max(self.units, 2.0)
        quantile = float(stdtrit(units - 1, (1 + ci) / 2)) * math.sqrt(units / (units - 1))
        away, counts = binned(self.away, self.counts)
        below, above = (
            reach(side * away, counts, side * end, quantile)
            for side, end in ((-1.0, self.least), (1.0, self.most))
        )
        if self.of_clusters and self.units < FEW:
            error = math.sqrt(float(dot(counts * away, away))) / float(counts.sum())
            below, above = max(below, quantile * error), max(above, quantile * error)
        return self.mean - below, self.mean + above


def binned(away: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Many terms on a grid, each split between its neighbors there: the mean stays the same.

    >>> binned(np.array([-1.0, 0.25, 0.75]), np.ones(3))[0].tolist()
    [-1.0, 0.25, 0.75]
    """
    least, most = float(np.min(away)), float(np.max(away))
    if away.size <= BINS or not math.isfinite(most - least):
        return away, counts
    grid = np.linspace(least, most, BINS)
    mass = spread_on(grid, away, counts)
    return grid[mass > 0], mass[mass > 0]


def spread_on(grid: Floats, away: Floats, counts: Floats) -> Floats:
    """The counts at the points of an even grid, between whose ends the terms lie."""
    last = grid.size - 1
    place = (away - grid[0]) * (last / (grid[-1] - grid[0]))
    left = np.minimum(place.astype(np.int64), last - 1)
    part = place - left
    mass = np.bincount(left, counts * (1 - part), grid.size)
    return np.asarray(mass + np.bincount(left + 1, counts * part, grid.size))


def _within_classes(values: Sequence[Floats], weights: Sequence[Floats]) -> tuple[Any, ...]:
    """The losses with the same mean in each class, so that class sizes add no variance.

    Means over pairs have the same mean of the components of both classes anyway.
    """
    sums = [dot(w[w > 0], v[w > 0]) for v, w in zip(values, weights, strict=True)]
    sizes = [float(weight.sum()) for weight in weights]
    mean = sum(sums) / sum(sizes)
    means = [of_class / size if size else mean for of_class, size in zip(sums, sizes, strict=True)]
    return tuple(value - own + mean for value, own in zip(values, means, strict=True))


def _further(
    losses: Floats, mean: float, factor: float, ends: tuple[float, float]
) -> tuple[float, float]:
    """The ends of losses that are further from the mean than the observed ones, in the range."""
    below, above = (mean + factor * (float(end) - mean) for end in (losses.min(), losses.max()))
    return max(below, ends[0]), min(above, ends[1])


def _distances(values: Floats, share: Floats, counts: Floats) -> tuple[float, Floats]:
    """The mean of values with these shares, and the distance of each from it."""
    counted = counts * share
    mean = float(dot(counted, values) / counted.sum())
    away = values - mean
    return mean, np.zeros(away.size) if is_rounding(away, values) else away


def _weights(sample: AnySample) -> Floats:
    return np.ones(sample.size) if sample.weight is None else sample.weight


def _of_units(sample: AnySample, away: Floats) -> tuple[Floats, float, float]:
    """The terms of the units of a sample, their effective number, and their design effect."""
    if sample.cluster is None:
        return away, float(sample.units), 1.0
    alone = float(dot(away, away))
    of_clusters = np.asarray(np.bincount(sample.cluster, away, sample.units), np.float64)
    units = sample.size / _typical(np.bincount(sample.cluster).astype(np.float64))
    sums = (np.bincount(sample.cluster[one], away[one], sample.units) for one in sample.strata)
    apart = [float(one @ one) for one in sums]
    units = cluster_degrees(apart, sample, units) + 1
    # Where the terms do not vary, all cases of a cluster count as one.
    largest = sample.size / sample.units
    together = float(dot(of_clusters, of_clusters)) / alone if alone > 0 else largest
    return of_clusters, units, max(together, 1.0)


def _typical(weight: Floats) -> float:
    """The weight of a case when (Σw)²/Σw² cases of equal weight stand for all of them."""
    return float(dot(weight, weight) / weight.sum())


def _ends(values: Pair, used: Any, mean: float, scales: Floats) -> tuple[float, float]:
    """The smallest and largest distance from the mean of cases at the observed scores."""
    found = [
        scale * (end - mean)
        for of_class, scale in zip(values, scales, strict=True)
        for end in (float(np.min(of_class[used])), float(np.max(of_class[used])))
    ]
    return min(found), max(found)


def reach(away: Floats, counts: Floats, most: float, quantile: float) -> float:
    """How far above the mean the upper limit is.

    The distribution with a given mean that has the largest likelihood gives a term at distance d a
    probability proportional to 1 / (1 - t d). The rate t grows with the mean until the largest
    possible term, if it was not observed, gets what probability is left.

    >>> reach(np.array([-0.5, 0.5]), np.array([10.0, 10.0]), 0.5, 1.96)  # 10 of 20
    0.2090...
    """
    room = max(most, float(np.max(away)))
    if math.isinf(room):
        return math.inf
    n = float(counts.sum())
    last = INSIDE / room

    def excess(part: float) -> tuple[float, float]:
        """By how much the root of the likelihood ratio exceeds the quantile, and its slope."""
        inverse = 1 / (1 - part * last * away)
        total, squares = float(dot(counts, inverse)), float(dot(counts * inverse, inverse))
        ratio = n * math.log(total / n) - float(dot(counts, np.log(inverse)))
        root = math.sqrt(max(2 * ratio, 0.0))
        return root - quantile, (n * squares / total - total) / (part * root) if root else 0.0

    if excess(1.0)[0] <= 0:
        logs = float(dot(counts, np.log(1 - last * away))) / n
        return room * (1 - math.exp(logs - quantile**2 / (2 * n)))
    spread = math.sqrt(float(dot(counts * away, away)))
    probability = counts / (1 - _root(excess, quantile / (last * spread)) * last * away)
    return float(dot(probability, away) / probability.sum())


def _root(excess: Callable[[float], tuple[float, float]], start: float) -> float:
    """Where an increasing function, given with its slope, is 0 between 0 and 1.

    Newton's method; a step that leaves the interval of the root is replaced by halving that.
    """
    low, high, part = 0.0, 1.0, min(start, 0.5)
    for _ in range(STEPS):
        value, slope = excess(part)
        low, high = (low, part) if value > 0 else (part, high)
        after = part - value / slope if slope > 0 else low
        if not low < after < high:
            after = (low + high) / 2
        if abs(after - part) <= CLOSE:
            return after
        part = after
    return part


class EmpiricalLikelihood(Method):
    """The means that a likelihood ratio does not reject, also of weighted and clustered cases."""

    name = "empirical_likelihood"
    reference = "owen1988"
    kinds = (CaseMean, PairMean, ClassCaseMean, ProbabilityMean)
    any_cases = True

    @staticmethod
    def intervals(
        empty: Intervals,
        sample: AnySample,
        plan: Plan,
        progress: Progress | None,  # noqa: ARG004 - nothing is drawn
    ) -> Intervals:
        """The intervals of all measures."""
        return {key: _limited(one, sample, key[0], plan) for key, one in empty.items()}


def _limited(empty: Interval, sample: AnySample, model: str, plan: Plan) -> Interval:
    kind: Any = empty.measure.declaration.sampling
    reason = _too_few(sample, kind)
    if reason:
        return replace(empty, reason=reason)
    if isinstance(sample, ClassSample):
        terms = Terms.of_classes(sample, model, empty.measure, stratified=plan.stratified)
    elif isinstance(sample, ProbabilitySample):
        terms = Terms.of_probabilities(sample, model, empty.measure)
    else:
        assert isinstance(sample, Sample)  # noqa: S101 - orders have no means over cases
        terms = Terms.of(sample, model, empty.measure, stratified=plan.stratified)
    if terms.away.any():
        return within_ends(empty, terms.limits(empty.ci))
    possible = smallest_and_largest(_observed(sample, model, empty.measure))
    return without_variance(empty, terms.mean, terms.independent, possible)


def without_variance(
    empty: Interval, mean: float, independent: float, possible: tuple[float, float]
) -> Interval:
    """The interval of terms that are all equal: the bound of this number of independent ones.

    ``possible`` are the smallest and the largest term of a case at one of the observed scores.
    """
    limits = bound(mean, empty.measure.ends, independent, empty.ci, possible)
    return within_ends(replace(empty, method="bound"), limits)


def within_ends(empty: Interval, limits: tuple[float, float]) -> Interval:
    """The interval of a measure from the limits of a mean, which cannot leave its ends."""
    kind: Any = empty.measure.declaration.sampling
    low, high = empty.measure.ends
    inside = max(limits[0], low), min(limits[1], high)
    return empty.between(inside if isinstance(kind, PairMean) else of_means(inside, kind))


def _observed(
    sample: Sample | ClassSample | ProbabilitySample, model: str, measure: Measure
) -> list[Floats]:
    """The terms that cases of each class would have at the observed scores."""
    kind: Any = measure.declaration.sampling
    if isinstance(sample, ProbabilitySample):
        return [sample.losses(measure, model)]
    if isinstance(sample, ClassSample):
        return [kind.losses(sample.tables[model], **dict(measure.parameters))]
    table = sample.tables[model]
    values = components(measure, table) if isinstance(kind, PairMean) else losses_of(measure, table)
    return [of_class[table.weight > 0] for of_class in values]


def _too_few(
    sample: AnySample, kind: CaseMean | PairMean | ClassCaseMean | ProbabilityMean
) -> str | None:
    """Why there are no limits; None if there are. A mean over cases may lack a class."""
    if isinstance(kind, PairMean):
        return sample.too_few
    if sample.cluster is not None:
        return "the variance needs at least two clusters" if sample.units < 2 else None
    return TWO_CASES if sum(sample.units_of_classes) < 2 else None


register(EmpiricalLikelihood())
