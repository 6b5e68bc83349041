"""The rows of an evaluation, and the groups of cases that it has rows for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from metameasure.data import Groups, group_name
from metameasure.evaluation.evaluation_result import Row
from metameasure.inference import measure_intervals, values_of_groups
from metameasure.measurement import MeanOver, Measure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from metameasure.data import Models
    from metameasure.inference import AnySample, Interval, Plan
    from metameasure.progress import Progress

    Values = Mapping[tuple[str, Measure], float]

NONE_KNOWN: Values = {}
IN_BLOCKS_FROM = 1000
"""Number of groups from which values without intervals are computed in blocks of groups.

That takes a tenth of the time, but sums in another order, which may change the last digits.
"""


def rows_of(
    sample: AnySample,
    asked: Mapping[str, Sequence[Measure]],
    plan: Plan | None,
    counted: Mapping[str, Any],
    progress: Progress | None = None,
    known: Values = NONE_KNOWN,
) -> tuple[list[Row], list[Interval | None]]:
    """The row of each measure of each model, and its interval; all rows share ``counted``.

    Without intervals, values that are ``known`` are not computed.
    """
    if plan is None:
        rows = [
            Row(
                model=model,
                measure=measure,
                value=known[model, measure]
                if (model, measure) in known
                else measure.quiet_value(sample.tables[model]),
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


def values_in_groups(
    models: Models, asked: Mapping[str, Sequence[Measure]]
) -> Mapping[str | None, Values]:
    """The values in each of very many groups, computed in blocks; empty for fewer groups.

    Own measures, which need not take blocks, and combinations of measures are left out.
    """
    rows = models.rows
    if rows is None or rows.group is None or Groups.of(rows.group).names.size < IN_BLOCKS_FROM:
        return {}
    means = {
        model: [MeanOver(m) for m in chosen if type(m) is Measure and not m.declaration.is_own]
        for model, chosen in asked.items()
    }
    found = values_of_groups(rows, means)
    keys = [(model, mean.inner) for model, mean in found]
    columns = zip(*(values.tolist() for values in found.values()), strict=True)
    return {
        group_name(name): dict(zip(keys, values, strict=True))
        for name, values in zip(rows.queries().names, columns, strict=False)
    }


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
