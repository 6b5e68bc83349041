"""The interval and the paired t test of a mean over independent cases."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.methods.mcnemar import counts_right, right_answers
from metameasure.inference.methods.method import Method, bound, register
from metameasure.inference.sample import ProbabilitySample
from metameasure.kernels import dot, is_rounding
from metameasure.measurement import CaseMean, ProbabilityMean, Share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats
    from metameasure.inference.intervals import Interval
    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.inference.sample import Sample
    from metameasure.measurement import Measure
    from metameasure.table import ScoreTable


TWO_CASES = "the variance needs at least two cases"


class Normal(Method):
    """The mean and its standard error, with Student's quantile."""

    name = "normal"
    reference = "student1908"
    kinds = (CaseMean,)
    paired_kinds = (CaseMean, ProbabilityMean, Share)
    of_groups = True

    def applies_to_pairs(self, measure: Measure) -> bool:
        """Whether the measure is a mean over the cases itself, or known to the first order."""
        kind = measure.declaration.sampling
        if isinstance(kind, ProbabilityMean):
            return True
        return (isinstance(kind, CaseMean) and kind.of_mean is None) or counts_right(measure)

    def keeps_class_sizes(self, measure: Measure) -> bool:  # noqa: ARG002 - of no measure
        """Whether the variance is that within the classes; it is that of all cases."""
        return False

    def interval(self, empty: Interval, table: Any) -> Interval:
        """The limits of the mean, or of the function of it."""
        from scipy.special import stdtrit  # noqa: PLC0415

        kind: Any = empty.measure.declaration.sampling
        n = float(table.n)
        if n < 2:
            return replace(empty, reason=TWO_CASES)
        losses = losses_of(empty.measure, table)
        pairs = list(zip((table.pos, table.neg), losses, strict=True))
        # A loss that no case has may be infinite.
        pairs = [(weight[weight > 0], loss[weight > 0]) for weight, loss in pairs]
        mean = sum(dot(weight, loss) for weight, loss in pairs) / n
        square = sum(dot(weight, np.square(loss - mean)) for weight, loss in pairs)
        losses_of_cases = np.concatenate([loss for _, loss in pairs])
        low, high = empty.measure.ends
        if is_rounding(losses_of_cases - mean, losses_of_cases):
            terms = smallest_and_largest([loss[table.weight > 0] for loss in losses])
            limits = bound(mean, (low, high), n, empty.ci, terms)
            return replace(empty, method="bound").between(of_means(limits, kind))
        reach = float(stdtrit(n - 1, (1 + empty.ci) / 2)) * math.sqrt(square / (n - 1) / n)
        limits = max(mean - reach, low), min(mean + reach, high)
        return empty.between(of_means(limits, kind))

    def paired(
        self, empty: Difference, sample: Sample | ProbabilitySample, plan: PairPlan
    ) -> Difference:
        """The paired t test of what each case adds to the two means."""
        first, second = (
            contributions(empty.measure, sample, model) for model in (empty.a, empty.b)
        )
        if first.size < 2:
            return replace(empty, reason=TWO_CASES)
        same = sample.same_to(empty.measure, empty.a, empty.b)
        return empty.judged_by_units(first, second, plan, same=same)


def contributions(measure: Measure, sample: Sample | ProbabilitySample, model: str) -> Floats:
    """What each case adds to a mean over the cases, or to the first order to a function of it."""
    kind: Any = measure.declaration.sampling
    if isinstance(sample, ProbabilitySample):
        return sample.terms(measure, model)
    if isinstance(kind, Share):
        right = right_answers(measure, sample, model)
        return (right if kind.right else ~right).astype(np.float64)
    return sample.places(model).of_cases(*losses_of(measure, sample.tables[model]))


def losses_of(measure: Measure, table: ScoreTable) -> tuple[Any, Any]:
    """The loss of a positive, and of a negative, at each row."""
    kind: Any = measure.declaration.sampling
    with np.errstate(divide="ignore", invalid="ignore"):
        found: tuple[Any, Any] = kind.losses(table, **dict(measure.parameters))
    return found


def smallest_and_largest(losses: Sequence[Floats]) -> tuple[float, float]:
    """The smallest and the largest of the losses of all classes."""
    return float(min(map(np.min, losses))), float(max(map(np.max, losses)))


def of_means(limits: tuple[float, float], kind: CaseMean | ProbabilityMean) -> tuple[float, float]:
    """The limits of a function of a mean."""
    if kind.of_mean is None:
        return limits
    low, high = map(kind.of_mean, limits)
    return low, high


register(Normal())
