"""Measures of a sample as rows of a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metameasure.evaluation.evaluation_result import Row
from metameasure.inference import measure_intervals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metameasure.inference import ClassSample, Interval, Plan, Progress, Sample
    from metameasure.measurement import Measure

    Counted = tuple[int, int | None, int]
    """The numbers of the cases, of the positive ones, and of those that were left out."""


def rows_of(
    sample: Sample | ClassSample,
    asked: Mapping[str, Sequence[Measure]],
    plan: Plan | None,
    counted: Counted,
    *,
    group: str | None = None,
    progress: Progress | None = None,
) -> tuple[list[Row], list[Interval | None]]:
    """The row of each measure of each model, and the intervals that they come from."""
    if plan is None:
        rows = [
            Row(model, group, measure, measure.quiet_value(sample.tables[model]), *counted)
            for model, chosen in asked.items()
            for measure in chosen
        ]
        return rows, [None] * len(rows)
    found = measure_intervals(sample, asked, plan, progress)
    rows = [row_of(model, group, interval, counted) for (model, _), interval in found.items()]
    return rows, list(found.values())


def row_of(model: str, group: str | None, interval: Interval, counted: Counted) -> Row:
    """A value with its interval as a row; one without limits has none."""
    low, high = (None, None) if interval.reason else (interval.low, interval.high)
    method = interval.method
    return Row(model, group, interval.measure, interval.value, *counted, low, high, method)
