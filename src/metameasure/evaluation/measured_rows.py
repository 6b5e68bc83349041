"""The rows of an evaluation, and the groups of cases that it has rows for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from metameasure.data import Groups, group_name
from metameasure.evaluation.evaluation_result import Row
from metameasure.inference import measure_intervals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from metameasure.data import Models
    from metameasure.inference import AnySample, Interval, Plan
    from metameasure.measurement import Measure
    from metameasure.progress import Progress


def rows_of(
    sample: AnySample,
    asked: Mapping[str, Sequence[Measure]],
    plan: Plan | None,
    counted: Mapping[str, Any],
    progress: Progress | None = None,
) -> tuple[list[Row], list[Interval | None]]:
    """The row of each measure of each model, and its interval; all rows share ``counted``."""
    if plan is None:
        rows = [
            Row(
                model=model,
                measure=measure,
                value=measure.quiet_value(sample.tables[model]),
                **counted,
            )
            for model, chosen in asked.items()
            for measure in chosen
        ]
        return rows, [None] * len(rows)
    found = measure_intervals(sample, asked, plan, progress)
    rows = [row_of(model, interval, counted) for (model, _), interval in found.items()]
    return rows, list(found.values())


def row_of(model: str, interval: Interval, counted: Mapping[str, Any]) -> Row:
    """The row of a value with its interval."""
    return Row(
        model=model,
        measure=interval.measure,
        value=interval.value,
        low=None if interval.reason else interval.low,
        high=None if interval.reason else interval.high,
        method=interval.method,
        **counted,
    )


def all_and_groups(models: Models) -> Iterator[tuple[str | None, Models]]:
    """All cases, then each group of them."""
    yield None, models
    if models.group is None:
        return
    groups = Groups.of(models.group)
    for place, name in enumerate(groups.names):
        yield group_name(name), models.where(groups.cases(place))


def dropped_by_group(models: Models) -> Counter[str | None]:
    """The number of dropped cases per group, and with None that of all."""
    groups = models.dropped_group
    counted: Counter[str | None] = Counter(map(group_name, () if groups is None else groups))
    counted[None] = models.dropped
    return counted
