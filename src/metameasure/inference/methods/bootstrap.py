"""Bootstrap intervals (percentile, basic, BCa) and the paired bootstrap test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from metameasure.inference.effective import class_sizes, cluster_sizes, independent_units
from metameasure.inference.methods.method import ANY, Method, find_method, is_point, register
from metameasure.inference.pooled_rows import Pools
from metameasure.inference.resampling import central, jackknife, portion, quantiles, replicate
from metameasure.inference.sample import Sample
from metameasure.measurement import tie_tolerance
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats
    from metameasure.inference.intervals import Interval, Intervals, Plan
    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress
    from metameasure.table import Point

    Asked = Mapping[str, Sequence[Measure]]

NORMAL = NormalDist()
CELLS_FROM = 10_000
"""Number of cases from which a confusion matrix is resampled by its cells."""
LEAST_CONFIDENCE, HALVINGS = 0.1, 10
"""Where the search for the confidence up to which limits are equal begins, and its steps."""
ONE_SIDED = "nearly all resamples lie on one side of the value, so that the limits are unreliable"


def percentile_limits(drawn: Floats, ci: float) -> tuple[float, float]:
    """The quantiles of the values on resamples."""
    return central(drawn, ci)


def basic_limits(
    value: float, drawn: Floats, ends: tuple[float, float], ci: float
) -> tuple[float, float]:
    """The same quantiles, reflected at the value of the sample."""
    low, high = percentile_limits(drawn, ci)
    limits = 2 * value - high, 2 * value - low
    return _pair([min(max(limit, ends[0]), ends[1]) for limit in limits])


def bca_limits(value: float, drawn: Floats, left_out: Floats, ci: float) -> tuple[float, float]:
    """Quantiles corrected for bias and for a variance that changes with the value (Efron, 1987).

    A resample that ties with the value counts one half below it. ``left_out`` are the values of the
    jackknife, whose skewness is the acceleration.
    """
    below = np.count_nonzero(drawn < value) + np.count_nonzero(drawn == value) / 2
    # Where all resamples lie on one side, the bias is large but not infinite.
    share = min(max(below / drawn.size, 0.5 / drawn.size), 1 - 0.5 / drawn.size)
    bias, accelerated = NORMAL.inv_cdf(share), acceleration(left_out)
    shares = []
    for tail in ((1 - ci) / 2, (1 + ci) / 2):
        moved = bias + NORMAL.inv_cdf(tail)
        left = 1 - accelerated * moved
        # Beyond its pole the correction is undefined; the most extreme quantile is taken.
        shares.append(NORMAL.cdf(bias + moved / left) if left > 0 else float(moved > 0))
    return _pair(quantiles(drawn, shares))


def acceleration(left_out: Floats) -> float:
    """A sixth of the skewness of the jackknife's changes; 0 if nothing changes.

    Values of the jackknife that are undefined or infinite do not count.
    """
    known = left_out[np.isfinite(left_out)]
    if known.size < 2:
        return 0.0
    change = known.mean() - known
    square = float(np.sum(change**2))
    return float(np.sum(change**3)) / (6 * square**1.5) if square > 0 else 0.0


def _pair(limits: Sequence[float]) -> tuple[float, float]:
    low, high = limits
    return low, high


@dataclass(frozen=True)
class Resampled:
    """The values of a measure on resamples.

    Attributes:
        own: the value of what was resampled, which is that of the sample or close to it.
        values: the defined values on resamples.
        left_out: the values of the jackknife, for a method that needs one.
        sizes: the number of units of each class.
    """

    own: float
    values: Floats
    left_out: Floats | None
    sizes: tuple[int, ...]


class BootstrapMethod(Method):
    """A method that takes its limits from resamples of the cases, or of clusters of them."""

    reference = "efron1979"
    kinds = ANY
    any_cases = True
    limits_from: ClassVar[Literal["quantiles", "moments"] | None] = "quantiles"
    jackknifed: ClassVar[bool] = False
    """Whether it needs a jackknife."""

    def limits(self, empty: Interval, drawn: Resampled) -> tuple[float, float]:
        """The limits around the value of what was resampled."""
        raise NotImplementedError

    def moved_limits(self, empty: Interval, drawn: Resampled) -> tuple[float, float]:
        """The limits around the value itself."""
        low, high = self.limits(empty, drawn)
        moved = 0.0 if drawn.own == empty.value else empty.value - drawn.own
        return low + moved, high + moved

    def resampled(self, empty: Interval, drawn: Resampled) -> Interval:
        """The interval of the value."""
        return empty.between(self.moved_limits(empty, drawn))

    @staticmethod
    def intervals(
        empty: Intervals, sample: AnySample, plan: Plan, progress: Progress | None
    ) -> Intervals:
        """The intervals of all bootstrap methods, from the same resamples."""
        parts = _parts(sample, by_model(empty), plan)
        made: Intervals = {}
        for number, (part, measures) in enumerate(parts):
            made |= _resampled(empty, part, measures, plan, portion(progress, number, len(parts)))
        return made


class Percentile(BootstrapMethod):
    """The quantiles of the values on resamples."""

    name = "percentile"

    def limits(self, empty: Interval, drawn: Resampled) -> tuple[float, float]:
        """The quantiles."""
        return percentile_limits(drawn.values, empty.ci)


class Basic(BootstrapMethod):
    """The quantiles, reflected at the value of the sample."""

    name = "basic"
    reference = "davison1997"

    def limits(self, empty: Interval, drawn: Resampled) -> tuple[float, float]:
        """The reflected quantiles, within the range of the measure."""
        return basic_limits(drawn.own, drawn.values, empty.measure.declaration.range, empty.ci)


class Bca(BootstrapMethod):
    """Bias-corrected and accelerated quantiles."""

    name = "bca"
    reference = "efron1987"
    jackknifed = True

    def limits(self, empty: Interval, drawn: Resampled) -> tuple[float, float]:
        """The corrected quantiles."""
        assert drawn.left_out is not None  # noqa: S101 - a jackknife was made
        return bca_limits(drawn.own, drawn.values, drawn.left_out, empty.ci)

    def resampled(self, empty: Interval, drawn: Resampled) -> Interval:
        """The interval; none if its limits do not enclose the value."""
        low, high = self.moved_limits(empty, drawn)
        beyond = max(low - empty.value, empty.value - high)
        if beyond > tie_tolerance(empty.value):
            return replace(empty, reason=ONE_SIDED)
        return empty.between((low, high))


class PairedBootstrap(Method):
    """The percentile bootstrap of the cases with the scores of all models."""

    name = "bootstrap"
    reference = "efron1979"
    paired_kinds = ANY
    any_cases = True
    limits_from = "quantiles"

    def differences(
        self,
        empty: Sequence[Difference],
        sample: AnySample,
        plan: PairPlan,
        progress: Progress | None,
    ) -> list[Difference]:
        """The differences of all pairs, from the same resamples."""
        measure = empty[0].measure
        models = dict.fromkeys(model for one in empty for model in (one.a, one.b))
        asked = {model: [measure] for model in models}
        drawn = replicate(sample, asked, plan, progress)
        return [
            one
            if one.reason
            else bootstrap_test(one, drawn[one.a, measure], drawn[one.b, measure], sample, plan)
            for one in empty
        ]


def by_model(empty: Intervals) -> dict[str, list[Measure]]:
    """The measures of each model."""
    asked: dict[str, list[Measure]] = {}
    for model, measure in empty:
        asked.setdefault(model, []).append(measure)
    return asked


def _parts(sample: AnySample, asked: Asked, plan: Plan) -> list[tuple[AnySample, Asked]]:
    """What is resampled, with the measures for which it is resampled.

    Of many independent cases, the four cells of the confusion matrix are enough for measures at a
    threshold, and pooled rows for most of the rest.
    """
    if not isinstance(sample, Sample) or not sample.independent or sample.size < CELLS_FROM:
        return [(sample, asked)]
    parts: list[tuple[AnySample, Asked]] = []
    rest: dict[str, list[Measure]] = {}
    for model, chosen in asked.items():
        table = sample.tables[model]
        at_cuts: dict[Point, list[Measure]] = {}
        rest[model] = []
        for measure in chosen:
            if measure.point is not None and measure.at_threshold:
                at_cuts.setdefault(measure.point, []).append(measure)
            else:
                rest[model].append(measure)
        for point, measures in at_cuts.items():
            parts.append((Sample.of_table(table.cut_in_two(point), model), {model: measures}))
        if rest[model] and Pools.are_worthwhile(sample.size):
            pools = Pools.of(table)
            served = pools.serve(sample, table, model, rest[model], plan)
            parts.append((Sample.of_table(pools.pooled(table), model), {model: served}))
            rest[model] = [measure for measure in rest[model] if measure not in served]
    return [part for part in (*parts, (sample, rest)) if any(part[1].values())]


def _resampled(
    empty: Intervals,
    sample: AnySample,
    asked: Asked,
    plan: Plan,
    progress: Progress | None,
) -> Intervals:
    """Intervals from one set of resamples."""
    if sample.too_few:
        keys = ((model, measure) for model, chosen in asked.items() for measure in chosen)
        return {key: replace(empty[key], reason=sample.too_few) for key in keys}
    drawn = replicate(sample, asked, plan, progress)
    methods: dict[tuple[str, Measure], BootstrapMethod] = {
        key: find_method(empty[key].method)  # type: ignore[misc]
        for key in drawn
    }
    accelerated = {
        model: [m for m in chosen if methods[model, m].jackknifed]
        for model, chosen in asked.items()
    }
    left_out = jackknife(sample, accelerated, seed=plan.seed) if any(accelerated.values()) else {}
    made = {}
    for key, values_drawn in drawn.items():
        model, measure = key
        values, counted = defined(values_drawn, empty[key])
        if counted.reason is None:
            own = float(measure.compute(sample.tables[model]))
            found = Resampled(own, values, left_out.get(key), sample.units_of_classes)
            known, alike = _follows_from_sizes(measure, sample, model), _alike(sample, model)
            if plan.stratified and known:
                counted = methods[key].resampled(counted, found)
            else:
                counted = _spread(methods[key], counted, found, independent_units(sample))
            if alike is not None and not known:
                counted = counted.with_bound(alike)
        made[key] = counted
    return made


def _spread(
    method: BootstrapMethod, empty: Interval, drawn: Resampled, independent: float
) -> Interval:
    """The interval, or the bound if its limits are equal.

    With few units many resamples have the same value, and limits with less confidence are equal.
    The interval also encloses their bound, so that it does not shrink as the confidence grows. If
    even the resamples of one unit alone are more frequent than values beyond a limit should be, the
    bound has the full confidence.
    """

    def are_equal(ci: float) -> bool:
        less = method.resampled(replace(empty, ci=ci), drawn)
        return is_point(less.low, less.high)

    found = method.resampled(empty, drawn)
    if found.reason is None and independent**-independent > (1 - empty.ci) / 2:
        return found.or_bound(independent).with_bound(independent)
    low, high = LEAST_CONFIDENCE, 1.0
    if found.reason is not None or is_point(found.low, found.high) or not are_equal(low):
        return found.or_bound(independent)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if are_equal(middle) else (low, middle)
    return found.with_bound(independent, low)


def _alike(sample: AnySample, model: str) -> float | None:
    """The effective number of units of the smallest class whose cases all have the same score.

    Resamples do not show how the scores of other cases of such a class vary.
    """
    if not isinstance(sample, Sample):
        return None
    table = sample.tables[model]
    sizes = class_sizes(sample) if sample.cluster is None else cluster_sizes(sample)
    rows = (np.count_nonzero(weight) for weight in (table.pos, table.neg))
    return min((size for size, n in zip(sizes, rows, strict=True) if n == 1), default=None)


def _follows_from_sizes(measure: Measure, sample: AnySample, model: str) -> bool:
    """Whether the value is the same for any scores, given the numbers of cases of the classes."""
    if not isinstance(sample, Sample):
        return False
    table = sample.tables[model]
    perfect, reversed_order = ([table.P, 0.0], [0.0, table.N]), ([0.0, table.P], [table.N, 0.0])
    constant = [table.P, 0.0], [table.N, 0.0]
    values = [
        measure.quiet_value(ScoreTable([1.0, 0.0], pos, neg))
        for pos, neg in (perfect, reversed_order, constant)
    ]
    return is_point(min(values), max(values))


def defined(drawn: Floats, empty: Interval) -> tuple[Floats, Interval]:
    """The resamples that have a value, and the interval with their number."""
    values = drawn[~np.isnan(drawn)]
    left = drawn.size - values.size
    reason = None if values.size else "no resample has a value"
    return values, replace(empty, resamples=values.size, left_out=left, reason=reason)


def bootstrap_test(
    empty: Difference, first: Floats, second: Floats, sample: AnySample, plan: PairPlan
) -> Difference:
    """The limits and the p-value of a difference from its values on resamples."""
    gaps = first - second
    known = ~np.isnan(gaps)
    values = gaps[known]
    if not values.size:
        return replace(empty, left_out=1.0, reason="no resample has a difference")
    if sample.too_few:
        return replace(empty, reason=sample.too_few)
    low, high = percentile_limits(values, plan.ci)
    if plan.margin is None:
        pvalue = 2 * min(_fraction(values <= 0), _fraction(values >= 0))
    else:
        ahead = empty.measure.goodness(first) - empty.measure.goodness(second)
        pvalue = _fraction(ahead[known] <= -plan.margin)
    left_out = 1 - values.size / gaps.size
    found = replace(
        empty.between((low, high)),
        pvalue=min(pvalue, 1.0),
        left_out=left_out,
        resamples=gaps.size,
    )
    if not is_point(low, high):
        return found
    same = sample.same_to(empty.measure, empty.a, empty.b)
    return found.or_bound(independent_units(sample), plan, same=same)


def _fraction(these: NDArray[np.bool_]) -> float:
    """The fraction of the resamples, with the sample counted as one of these: never 0."""
    return (1 + int(np.count_nonzero(these))) / (1 + these.size)


for _method in (Bca(), Percentile(), Basic(), PairedBootstrap()):
    register(_method)
