"""Limits and tests from the influence of each case on the value (the infinitesimal jackknife).

The influence is the first-order change of a value by a case. Near a perfect value all influences
vanish. So the limits are those of a ranking with a small fraction of a negative added above all
cases and of a positive below all cases, on the logit scale.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.effective import kish_sizes, student
from metameasure.inference.influence import (
    case_influences,
    has_influence,
    influences,
    slopes,
    standard_error,
)
from metameasure.inference.methods.delong import logit_limits, wald_limits
from metameasure.inference.methods.method import ANY, Method, register
from metameasure.inference.rank_cuts import FreeRate, rank_cut_interval
from metameasure.inference.sample import Sample
from metameasure.measurement import ClassDifferentiable, Differentiable
from metameasure.table import ROUNDING, ScoreTable

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.inference.intervals import Interval, Intervals, Plan
    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.inference.sample import AnySample, ClassSample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress

PRIOR = 0.1
"""Number of cases of each class that are added at the wrong end of the ranking."""


def with_prior(
    table: ScoreTable, weights: tuple[float, float], *, right: bool = False
) -> ScoreTable:
    """A table with a negative above and a positive below all cases, of these weights.

    In the ``right`` order, the positive is above and the negative below.
    """
    edges = np.nextafter(table.score[[0, -1]], [np.inf, -np.inf])
    score = np.concatenate([edges[:1], table.score, edges[1:]])
    pos = np.concatenate([weights[:1], table.pos, [0.0]])
    neg = np.concatenate([[0.0], table.neg, weights[1:]])
    if not right:
        pos[[0, -1]], neg[[0, -1]] = pos[[-1, 0]], neg[[-1, 0]]
    return ScoreTable.of_weights(score, pos, neg)


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
        if isinstance(kind, ClassDifferentiable):
            return True
        smooth = isinstance(kind, Differentiable)
        return (smooth or measure.point is not None) and has_influence(measure)

    def applies_to_pairs(self, measure: Measure) -> bool:
        """Whether the influence of the cases is known."""
        return has_influence(measure)

    @staticmethod
    def intervals(
        empty: Intervals,
        sample: AnySample,
        plan: Plan,
        progress: Progress | None,  # noqa: ARG004 - nothing is drawn
    ) -> Intervals:
        """The intervals of all models."""
        if not isinstance(sample, Sample):
            return {key: _of_classes(one, sample, key[0], plan) for key, one in empty.items()}
        reason = sample.too_few if all(sample.classes) else "a class is empty"
        if reason:
            return {key: replace(one, reason=reason) for key, one in empty.items()}
        return {key: _limited(one, sample, key[0], plan) for key, one in empty.items()}

    def paired(self, empty: Difference, sample: Sample, plan: PairPlan) -> Difference:
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
        same = sample.same_to(empty.measure, empty.a, empty.b)
        return empty.judged(error, min(sample.units_of_classes), _degrees(sample), plan, same=same)


def _at_an_end(measure: Measure, sample: Sample, model: str) -> bool:
    """Whether the rate that a cut by rank or rate leaves free is the smallest or largest one."""
    if measure.point is None or measure.at_threshold:
        return False
    table = sample.tables[model]
    share = float(FreeRate.of(table, measure.point)(table.at(measure.point)))
    return share in {0.0, 1.0}


def _limited(empty: Interval, sample: Sample, model: str, plan: Plan) -> Interval:
    """The interval of one value."""
    if empty.measure.point is not None:
        return rank_cut_interval(empty, sample, model, plan, _wider(sample, plan.ci))
    return _with_prior(empty, sample, model, plan)


def _with_prior(empty: Interval, sample: Sample, model: str, plan: Plan) -> Interval:
    """The interval of a smooth function of the ranking."""
    measure, table = empty.measure, sample.tables[model]
    units = [float(np.mean(weight)) for weight in _weights(sample)]
    worst = empty.value == measure.ends[0]
    extended = with_prior(table, (PRIOR * units[0], PRIOR * units[1]), right=worst)
    of_positive, of_negative = slopes(measure, extended)
    first, last = (0, -1) if worst else (-1, 0)
    added = of_positive[first] * units[0], of_negative[last] * units[1]
    inner = of_positive[1:-1], of_negative[1:-1]
    square = PRIOR * (added[0] ** 2 + added[1] ** 2)
    if sample.independent and not plan.stratified:
        square += float(table.pos @ inner[0] ** 2 + table.neg @ inner[1] ** 2)
    else:
        influence = influences(inner, sample, model)
        square += standard_error(influence, sample, stratified=plan.stratified) ** 2
    value, ends = float(measure.compute(extended)), measure.ends
    find = logit_limits if ends[0] < value < ends[1] else wald_limits
    low, high = find(value, _wider(sample, empty.ci) * square, ends, empty.ci)
    return empty.between((min(low, empty.value), max(high, empty.value)))


def _wider(sample: Sample, ci: float) -> float:
    """By how much a variance is enlarged for a normal quantile, with twice the positives."""
    return student(_degrees(sample), ci)


def _of_classes(empty: Interval, sample: ClassSample, model: str, plan: Plan) -> Interval:
    """The interval of a smooth function of cases of k classes, on the logit scale of its range."""
    if sample.too_few:
        return replace(empty, reason=sample.too_few)
    kind: Any = empty.measure.declaration.sampling
    parameters = dict(empty.measure.parameters)
    influence = kind.influences(sample.tables[model], **parameters)
    error = standard_error(influence, sample, stratified=plan.stratified)
    ends = empty.measure.ends
    if error == 0:
        return empty.without_spread(min(units for units in sample.units_of_classes if units))
    wider = student(sample.units - 1, plan.ci)
    find = logit_limits if ends[0] < empty.value < ends[1] else wald_limits
    return empty.between(find(empty.value, wider * error**2, ends, empty.ci))


def _weights(sample: Sample) -> list[Floats]:
    """The weights of the cases of each class."""
    if sample.weight is None:
        return [np.ones(1), np.ones(1)]
    return [sample.weight[members] for members in sample.strata]


def _degrees(sample: Sample) -> float:
    """The degrees of freedom of the variance of the influences: those of twice the positives."""
    degrees = max(2 * kish_sizes(sample)[0] - 1, 1.0)
    return degrees if sample.cluster is None else min(degrees, sample.units - 1)


register(Linearized())
