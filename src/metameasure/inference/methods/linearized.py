"""Limits and tests from the influence of each case on the value (the infinitesimal jackknife).

The influence is the first-order change of a value by a case. The worse limit is that of a ranking
with a small fraction of a case of each class added at the wrong end, the better one that of a
ranking with these cases at the right end; both are limits of a fraction of an effective number of
cases.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference.added_cases import Extended, degrees_of_freedom
from metameasure.inference.effective import class_sizes, independent_units, student
from metameasure.inference.free_rate import FreeRate
from metameasure.inference.influence import (
    case_influences,
    class_influences,
    cluster_effect,
    contributing,
    has_influence,
    slopes,
    standard_error,
    varies_within_classes,
)
from metameasure.inference.methods.class_limits import class_limits
from metameasure.inference.methods.delong import limits_within, wald_limits
from metameasure.inference.methods.method import ANY, Method, register
from metameasure.inference.methods.wilson import wilson_limits_within
from metameasure.inference.rank_cuts import rank_cut_interval
from metameasure.inference.rate_cuts import rate_cut_interval
from metameasure.inference.sample import ClassSample, ProbabilitySample, Sample
from metameasure.measurement import ClassDifferentiable, ClassPairMean, Differentiable
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.inference.intervals import Interval, Intervals, Plan
    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress

ADDED_AT_ENDS = 0.2
"""Number of cases of each class that are added at the ends of the ranking."""
CONTRIBUTING = 50
"""Effective number of cases that must contribute to a value for ``auto`` to use the paired test."""


class Linearized(Method):
    """The influence of each case, also of weighted and clustered cases."""

    name = "linearized"
    reference = "jaeckel1972"
    kinds = ANY
    paired_kinds = ANY
    any_cases = True
    fewest = 30

    def applies_to(self, measure: Measure) -> bool:
        """Whether the measure is smooth, and its slopes are known."""
        kind = measure.declaration.sampling
        if isinstance(kind, ClassDifferentiable | ClassPairMean):
            return True
        smooth = isinstance(kind, Differentiable)
        return (smooth or measure.point is not None) and has_influence(measure)

    def applies_to_pairs(self, measure: Measure) -> bool:
        """Whether the influence of the cases is known."""
        return has_influence(measure)

    def has_enough(self, measure: Measure, sample: AnySample) -> bool:
        """Whether enough cases contribute to the values of all models.

        At a threshold only those do that the models put on different sides of it.
        """
        if not isinstance(sample, Sample):
            return super().has_enough(measure, sample)
        if sample.too_few or (sample.independent and measure.threshold is not None):
            return False
        enough = super().has_enough(measure, sample)
        return enough and all(n >= CONTRIBUTING for n in contributing(measure, sample))

    @staticmethod
    def intervals(
        empty: Intervals,
        sample: AnySample,
        plan: Plan,
        progress: Progress | None,  # noqa: ARG004 - nothing is drawn
    ) -> Intervals:
        """The intervals of all models."""
        if isinstance(sample, ClassSample):
            return {key: _of_classes(one, sample, key[0], plan) for key, one in empty.items()}
        assert isinstance(sample, Sample)  # noqa: S101 - orders have no influences of cases
        reason = sample.too_few if all(sample.classes) else "a class is empty"
        if reason:
            return {key: replace(one, reason=reason) for key, one in empty.items()}
        return {key: _limited(one, sample, key[0], plan) for key, one in empty.items()}

    def paired(
        self, empty: Difference, sample: Sample | ProbabilitySample, plan: PairPlan
    ) -> Difference:
        """The test of the differences of the influences, case by case."""
        if sample.too_few:
            return replace(empty, reason=sample.too_few)
        first, second = (
            case_influences(empty.measure, sample, model) for model in (empty.a, empty.b)
        )
        gaps = first - second
        scale = float(np.max(np.abs(first)) + np.max(np.abs(second)))
        gaps[np.abs(gaps) <= ROUNDING * scale] = 0.0
        error = standard_error(gaps, sample, stratified=plan.stratified)
        if all(_at_an_end(empty.measure, sample, model) for model in (empty.a, empty.b)):
            error = 0.0
        independent, degrees = independent_units(sample), degrees_of_freedom(sample)
        same = sample.same_to(empty.measure, empty.a, empty.b)
        found = empty.judged(error, independent, degrees, plan, same=same)
        if error == 0 or varies_within_classes(gaps, sample, scale):
            return found
        return found.or_bound(independent, plan, same=same)


def _at_an_end(measure: Measure, sample: Sample | ProbabilitySample, model: str) -> bool:
    """Whether the rate that a cut by rank or rate leaves free is the smallest or largest one."""
    if measure.point is None or measure.at_threshold or isinstance(sample, ProbabilitySample):
        return False
    table = sample.tables[model]
    share = float(FreeRate.of(table, measure.point)(table.at(measure.point)))
    return share in {0.0, 1.0}


def _limited(empty: Interval, sample: Sample, model: str, plan: Plan) -> Interval:
    """The interval of one value."""
    point = empty.measure.point
    if point is not None and point.kind in {"fpr", "tpr"}:
        return rate_cut_interval(empty, sample, model, plan)
    if point is not None:
        return rank_cut_interval(empty, sample, model, plan, _wider(sample, plan.ci))
    return _with_prior(empty, sample, model, plan)


def _with_prior(empty: Interval, sample: Sample, model: str, plan: Plan) -> Interval:
    """The interval of a smooth function of the ranking.

    Cases at the wrong ends make it worse, and cases at the right ends better: each limit is that of
    the ranking that is changed in its direction.
    """
    measure = empty.measure
    wider = 1.0 if sample.cluster is None else _wider(sample, empty.ci)
    found = []
    for right in (False, True):
        extended = Extended.of(sample, model, ADDED_AT_ENDS, right=right)
        of_rows = slopes(measure, extended.table)
        variance = extended.variance(of_rows, sample, model, stratified=plan.stratified)
        value = float(measure.compute(extended.table))
        found.append((value, wider * variance))
    return limited_by(empty, found)


def limited_by(empty: Interval, found: Sequence[tuple[float, float]]) -> Interval:
    """The interval from the values and variances of the rankings with cases added at the ends."""
    ends, ci = empty.measure.ends, empty.ci
    limits = [(value, _limits(value, variance, ends, ci)) for value, variance in found]
    (_, (low, _)), (_, (_, high)) = sorted(limits)
    return empty.between((min(low, empty.value), max(high, empty.value)))


def _limits(
    value: float, variance: float, ends: tuple[float, float], ci: float
) -> tuple[float, float]:
    """The limits of a value as a fraction of an effective number of cases, if its range is finite.

    At an end of the range there is no such number, and the value itself is the limit.
    """
    if math.isinf(ends[1] - ends[0]):
        return limits_within(value, variance, ends, ci)
    spread = (value - ends[0]) * (ends[1] - value)
    if spread <= 0 or variance == 0:
        return value, value
    return wilson_limits_within(value, spread / variance, ends, ci)


def _wider(sample: Sample, ci: float) -> float:
    """By how much a variance is enlarged for a normal quantile."""
    return student(degrees_of_freedom(sample), ci)


def _of_classes(empty: Interval, sample: ClassSample, model: str, plan: Plan) -> Interval:
    """The interval of a smooth function of cases of k classes."""
    if sample.too_few:
        return replace(empty, reason=sample.too_few)
    influence = class_influences(empty.measure, sample, model)
    variance = standard_error(influence, sample, stratified=plan.stratified) ** 2
    ends, degrees = empty.measure.ends, sample.units - 1
    if math.isinf(ends[1] - ends[0]):
        limits = wald_limits(empty.value, student(degrees, empty.ci) * variance, ends, empty.ci)
        return empty.between(limits).or_bound(independent_units(sample))
    sizes = np.array(class_sizes(sample)) / cluster_effect(influence, variance, sample)
    return empty.between(class_limits(empty, variance, sizes.tolist(), degrees))


register(Linearized())
