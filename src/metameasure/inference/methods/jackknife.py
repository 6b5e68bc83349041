"""The jackknife of an order of items: each group of items is left out in turn."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference.effective import student
from metameasure.inference.methods.bootstrap import NORMAL, by_model
from metameasure.inference.methods.delong import logit_limits
from metameasure.inference.methods.method import ANY, Method, register
from metameasure.inference.resampling import jackknife
from metameasure.inference.sample import OrderSample
from metameasure.kernels import is_rounding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats
    from metameasure.errors import Argument
    from metameasure.inference.intervals import Interval, Intervals, Plan
    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress


class Jackknife(Method):
    """The variance of the values when each group of items is left out in turn.

    With up to 10,000 items there are up to 200 groups, with more there are 40. Limits are on the
    logit scale of the range or, if the range has no upper end, on the log scale.
    """

    name = "jackknife"
    reference = "tukey1958"
    kinds = ANY
    paired_kinds = ANY

    def applies_to(self, measure: Measure) -> bool:
        """Whether the measure is one of an order of items."""
        return measure.declaration.subject == "order"

    applies_to_pairs = applies_to

    def unfit(
        self, measure: Measure, sample: AnySample, *, paired: bool, margin: bool, stratified: bool
    ) -> tuple[str | Argument, ...] | None:
        """Why it cannot be used: cases of classes have other methods."""
        if not isinstance(sample, OrderSample):
            return ("needs an order of items",)
        return super().unfit(measure, sample, paired=paired, margin=margin, stratified=stratified)

    @staticmethod
    def intervals(
        empty: Intervals,
        sample: AnySample,
        plan: Plan,
        progress: Progress | None,  # noqa: ARG004 - there are few groups
    ) -> Intervals:
        """The intervals of all measures, from the same groups."""
        if sample.too_few:
            return {key: replace(one, reason=sample.too_few) for key, one in empty.items()}
        left_out = jackknife(sample, by_model(empty), seed=plan.seed)
        return {key: _limited(one, left_out[key], sample) for key, one in empty.items()}

    def differences(
        self,
        empty: Sequence[Difference],
        sample: AnySample,
        plan: PairPlan,
        progress: Progress | None,  # noqa: ARG002 - there are few groups
    ) -> list[Difference]:
        """The tests of all pairs, from the same groups."""
        if sample.too_few:
            return [replace(one, reason=one.reason or sample.too_few) for one in empty]
        measure = empty[0].measure
        models = dict.fromkeys(model for one in empty for model in (one.a, one.b))
        left_out = jackknife(sample, {model: [measure] for model in models}, seed=plan.seed)
        return [
            one
            if one.reason
            else _tested(one, left_out[one.a, measure], left_out[one.b, measure], sample, plan)
            for one in empty
        ]


def _limited(empty: Interval, left_out: Floats, sample: AnySample) -> Interval:
    """The interval of one value."""
    known = left_out[np.isfinite(left_out)]
    if known.size < 2:
        return replace(empty, reason="the value is undefined when items are left out")
    square = _variance(known, np.abs(known))
    low, high = empty.measure.declaration.range
    if square == 0 or empty.value in {low, high}:
        return empty.without_spread(sample.size)
    square *= student(known.size - 1, empty.ci)
    if math.isfinite(high):
        return empty.between(logit_limits(empty.value, square, (low, high), empty.ci))
    reach = math.exp(NORMAL.inv_cdf((1 + empty.ci) / 2) * math.sqrt(square) / empty.value)
    return empty.between((empty.value / reach, empty.value * reach))


def _tested(
    empty: Difference, first: Floats, second: Floats, sample: AnySample, plan: PairPlan
) -> Difference:
    """The limits and the p-value of a difference."""
    known = np.isfinite(first) & np.isfinite(second)
    groups = int(np.count_nonzero(known))
    if groups < 2:
        return replace(empty, reason="the difference is undefined when items are left out")
    first, second = first[known], second[known]
    error = math.sqrt(_variance(first - second, np.abs(first) + np.abs(second)))
    same = sample.same_to(empty.measure, empty.a, empty.b)
    return empty.judged(error, sample.size, groups - 1, plan, same=same)


def _variance(values: Floats, scale: Floats) -> float:
    """The variance of a value, from those when each of some groups is left out (Tukey, 1958)."""
    away = values - values.mean()
    if is_rounding(away, scale):
        return 0.0
    return float(away @ away) * (values.size - 1) / values.size


register(Jackknife())
