"""Limits of regression coefficients, from the larger of two variances.

The variance of maximum likelihood is too small if the regression model does not hold, and the one
of the influences of the cases (the sandwich) if few of them vary. The larger one counts, for a
ranking with a small fraction of a case of each class added at its wrong end, with the normal
quantile or, for clusters, Student's. The more the sandwich exceeds the variance of the model, the
more the upper limit of a slope is that on the log scale: with a few outliers the slope is small,
and without them it would be a multiple of that.
"""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from metameasure.inference.added_cases import Extended, degrees_of_freedom
from metameasure.inference.influence import slopes
from metameasure.inference.methods.method import Method, register
from metameasure.inference.sample import Sample
from metameasure.measurement import Coefficient

if TYPE_CHECKING:
    from metameasure.inference.intervals import Interval, Intervals, Plan
    from metameasure.inference.sample import AnySample
    from metameasure.progress import Progress

ADDED_AT_WRONG_ENDS = 0.1
"""Number of cases of each class that are added at the wrong end of the ranking."""
LARGEST_EXPONENT = 50.0
"""Largest exponent of an upper limit on the log scale."""


class Sandwich(Method):
    """The sandwich variance or that of the model, also of weighted and clustered cases."""

    name = "sandwich"
    reference = "huber1967"
    kinds = (Coefficient,)
    any_cases = True

    @staticmethod
    def intervals(
        empty: Intervals,
        sample: AnySample,
        plan: Plan,
        progress: Progress | None,  # noqa: ARG004 - nothing is drawn
    ) -> Intervals:
        """The intervals of all models."""
        assert isinstance(sample, Sample)  # noqa: S101 - such measures have two classes
        if sample.too_few:
            return {key: replace(one, reason=sample.too_few) for key, one in empty.items()}
        return {key: _limited(one, sample, key[0], plan) for key, one in empty.items()}


def _limited(empty: Interval, sample: Sample, model: str, plan: Plan) -> Interval:
    from scipy.special import stdtrit  # noqa: PLC0415

    measure = empty.measure
    kind: Any = measure.declaration.sampling
    extended = Extended.of(sample, model, ADDED_AT_WRONG_ENDS)
    found = slopes(measure, extended.table)
    sandwich = extended.variance(found, sample, model, stratified=plan.stratified)
    of_rows = kind.variances(extended.table, **dict(measure.parameters))
    assumed = extended.sum(of_rows, sample, model)
    value = float(measure.compute(extended.table))
    quantile = NormalDist().inv_cdf((1 + empty.ci) / 2)
    if sample.cluster is not None:
        quantile = float(stdtrit(degrees_of_freedom(sample), (1 + empty.ci) / 2))
    reach = quantile * math.sqrt(max(sandwich, assumed))
    low, high = value - reach, value + reach
    if kind.ratio and value > 0 and sandwich > assumed:
        by_ratio = value * math.exp(min(reach / value, LARGEST_EXPONENT))
        high += (1 - assumed / sandwich) * (by_ratio - high)
    return empty.between((min(low, empty.value), max(high, empty.value)))


register(Sandwich())
