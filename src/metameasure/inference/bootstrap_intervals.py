"""The intervals of measures that resamples give."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference import bootstrap_limits
from metameasure.inference.pooled_rows import Pools
from metameasure.inference.resampling import jackknife, portion, replicate
from metameasure.inference.sample import Sample
from metameasure.inference.smoothed_bootstrap import Smoothed, smoothed_limits
from metameasure.measurement import Extreme
from metameasure.table import ROUNDING, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure.inference.intervals import Interval, Intervals, Plan
    from metameasure.inference.multiclass_sample import ClassSample
    from metameasure.inference.resampling import Progress
    from metameasure.measurement import Measure
    from metameasure.table import Point

    Floats = NDArray[np.float64]
    AnySample = Sample | ClassSample
    Asked = Mapping[str, Sequence[Measure]]

CELLS_FROM = 10_000
"""The number of cases from which a confusion matrix is resampled by its cells."""
POOLED_FROM = 100_000
"""The number of cases from which rows are pooled to be resampled."""
ONE_SIDED = (
    "nearly all resamples lie on one side of the value, so that they say little of the truth"
)


def from_resamples(
    found: Intervals,
    sample: AnySample,
    asked: Asked,
    plan: Plan,
    progress: Progress | None,
) -> Intervals:
    """Intervals by the bootstrap of cases or clusters; ``found`` has the values."""
    parts = _parts(sample, asked, plan)
    made: Intervals = {}
    for number, (part, measures) in enumerate(parts):
        made |= _resampled(found, part, measures, plan, portion(progress, number, len(parts)))
    return made


def _parts(sample: AnySample, asked: Asked, plan: Plan) -> list[tuple[AnySample, Asked]]:
    """What is resampled, each with the measures that it serves.

    Of many independent cases, the four cells of the confusion matrix serve what is read off it at a
    threshold, and pooled rows most of the rest.
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
            if measure.point is not None and measure.point.kind == "threshold":
                at_cuts.setdefault(measure.point, []).append(measure)
            else:
                rest[model].append(measure)
        for point, measures in at_cuts.items():
            parts.append((Sample.of_table(table.cut_in_two(point), model), {model: measures}))
        if sample.size >= POOLED_FROM and rest[model]:
            pools = Pools.of(table)
            served = pools.serve(sample, table, model, rest[model], **plan.of_one)
            parts.append((Sample.of_table(pools.pooled(table), model), {model: served}))
            rest[model] = [measure for measure in rest[model] if measure not in served]
    return [part for part in (*parts, (sample, rest)) if any(part[1].values())]


def _resampled(
    found: Intervals,
    sample: AnySample,
    asked: Asked,
    plan: Plan,
    progress: Progress | None,
) -> Intervals:
    """Intervals from one set of resamples."""
    drawn = replicate(sample, asked, **plan.drawing, progress=progress)
    accelerated = {
        model: [m for m in chosen if found[model, m].method == "bca"]
        for model, chosen in asked.items()
    }
    left_out = jackknife(sample, accelerated, seed=plan.seed) if any(accelerated.values()) else {}
    made = {}
    for key in drawn:
        model, measure = key
        values, counted = _defined(drawn[key], found[key])
        if too_few := sample.too_few:
            counted = replace(counted, reason=too_few)
        if counted.reason is None:
            own = float(measure.compute(sample.tables[model]))
            limits = _limits(counted, own, values, left_out.get(key), sample.units_of_classes)
            beyond = max(limits[0] - counted.value, counted.value - limits[1])
            if counted.method == "bca" and beyond > ROUNDING * max(abs(counted.value), 1):
                counted = replace(counted, reason=ONE_SIDED)
            else:
                counted = counted.between(limits)
        made[key] = counted
    return made


def _limits(
    empty: Interval,
    own: float,
    drawn: Floats,
    left_out: Floats | None,
    sizes: tuple[int, ...],
) -> tuple[float, float]:
    """The limits by a bootstrap of something that itself has the value ``own``.

    That is the sample's value, or close to it: then the limits are moved with it.
    """
    if empty.method == "corrected":
        return _corrected(empty, own, drawn, sizes)
    if empty.method == "percentile":
        limits = bootstrap_limits.percentile_limits(drawn, empty.ci)
    elif empty.method == "basic":
        limits = bootstrap_limits.basic_limits(
            own, drawn, empty.measure.declaration.range, empty.ci
        )
    else:
        assert left_out is not None  # noqa: S101 - a jackknife was made for each that needs it
        limits = bootstrap_limits.bca_limits(own, drawn, left_out, empty.ci)
    if own == empty.value:
        return limits
    low, high = (limit + (empty.value - own) for limit in limits)
    return low, high


def from_smoothed(
    found: Intervals,
    sample: AnySample,
    model: str,
    chosen: Sequence[Measure],
    plan: Plan,
    progress: Progress | None,
) -> Intervals:
    """Intervals by the bootstrap of smoothed classes, for maxima."""
    reason, seen = sample.too_few, sample.tables[model]
    assert isinstance(seen, ScoreTable)  # noqa: S101 - only two classes are smoothed
    if not seen.P * seen.N:
        reason = "a class is empty, so that it cannot be smoothed"
    if reason:
        return {(model, m): replace(found[model, m], reason=reason) for m in chosen}
    population, rest = Smoothed.of(seen), list(chosen)
    parts = []
    if population.size >= POOLED_FROM:
        pools = Pools.of(seen)
        served = pools.serve(population, population.table, model, rest, **plan.of_one)
        parts.append((Smoothed.of(pools.pooled(seen)), served))
        rest = [measure for measure in rest if measure not in served]
    parts = [part for part in (*parts, (population, rest)) if part[1]]
    made = {}
    for number, (part, measures) in enumerate(parts):
        told = portion(progress, number, len(parts))
        drawn = replicate(part, {model: measures}, **plan.drawing, progress=told)
        for measure in measures:
            empty = found[model, measure]
            made[model, measure] = _of_smoothed(empty, drawn[model, measure], part, seen)
    return made


def _of_smoothed(
    empty: Interval, drawn: Floats, population: Smoothed, seen: ScoreTable
) -> Interval:
    """The interval of one maximum from its values on resamples of smoothed classes."""
    measure = empty.measure
    values, counted = _defined(drawn, empty)
    if counted.reason is not None:
        return counted
    kind, by_chance = measure.declaration.sampling, None
    if isinstance(kind, Extreme) and kind.by_chance is not None:
        by_chance = kind.by_chance(seen, 1 - empty.ci, **dict(measure.parameters))
    own = float(measure.compute(population.table))
    sizes = population.n_pos, population.n_neg
    return counted.between(_corrected(counted, own, values, sizes, by_chance))


def _corrected(
    empty: Interval,
    own: float,
    values: Floats,
    sizes: tuple[int, ...],
    by_chance: float | None = None,
) -> tuple[float, float]:
    """The limits of a maximum, whose bias is that of the resamples from their own value."""
    kind = empty.measure.declaration.sampling
    assert isinstance(kind, Extreme)  # noqa: S101 - the method is for maxima only
    return smoothed_limits(
        empty.value,
        own,
        values,
        of=kind.of,
        ends=empty.measure.declaration.range,
        sizes=sizes,
        ci=empty.ci,
        by_chance=by_chance,
    )


def _defined(drawn: Floats, empty: Interval) -> tuple[Floats, Interval]:
    """The resamples that have a value, and the interval that knows how many."""
    values = drawn[~np.isnan(drawn)]
    left = drawn.size - values.size
    reason = None if values.size else "no resample has a value"
    return values, replace(empty, resamples=values.size, left_out=left, reason=reason)
