"""The rows of means over groups in an evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metameasure.evaluation.checks import check_groups, check_rows
from metameasure.evaluation.evaluation_result import Row
from metameasure.evaluation.measured_rows import row_of
from metameasure.inference import check_units, interval_of_groups, values_of_groups
from metameasure.measurement import mean_of_defined

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from metameasure.data import Models, Orders, Predictions
    from metameasure.inference import Plan
    from metameasure.measurement import MeanOver, Measure
    from metameasure.results import Check


def rows_of_means(
    data: Predictions | Orders,
    averaged: Sequence[MeanOver],
    plan: Plan | None,
    counted: Mapping[str, Any],
) -> tuple[list[Row], list[Check]]:
    """The rows of means over groups, which share ``counted``, and their checks."""
    rows: list[Row] = []
    checks: list[Check] = []
    if plan is not None:
        check_units(data, averaged[0], optional=True)
    asked = dict.fromkeys(data.scores, averaged)
    for (model, measure), values in values_of_groups(data, asked).items():
        found = None if plan is None else interval_of_groups(measure, values, plan)
        if found is None:
            row = Row(model=model, measure=measure, value=mean_of_defined(values), **counted)
        else:
            row = row_of(model, found, counted)
        rows.append(row)
        checks += [*check_groups(measure, values, model), *check_rows([row], [found])]
    return rows, checks


def in_given_order(models: Models, chosen: Sequence[Measure]) -> Callable[[Row], tuple[int, int]]:
    """Rows go by model, then by measure, both in the order in which they were given."""
    names = {model: place for place, model in enumerate(models.names)}
    measures = {measure: place for place, measure in enumerate(chosen)}
    return lambda row: (names[row.model], measures[row.measure])
