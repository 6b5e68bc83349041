"""Means over groups: the groups are the independent units."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference.intervals import Interval
from metameasure.inference.methods.method import check_groups_method
from metameasure.inference.paired import unjudged
from metameasure.kernels import dot, is_rounding
from metameasure.measurement import MeanOver, group_values, mean_of_defined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metameasure._types import Floats
    from metameasure.data import Models, Orders, Predictions
    from metameasure.inference.intervals import Plan
    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.measurement import Measure


def interval_over_groups(measure: Measure, models: Models, plan: Plan) -> Interval:
    """The interval of a mean over the groups of cases of one model."""
    if not isinstance(measure, MeanOver):
        raise DataError(
            f"{measure} is not a mean over groups",
            remedy=("omit ", Argument("group"), f", or use mean_over({measure})"),
        )
    rows, (model,) = rows_in_groups(models, measure), models.names
    check_units(rows, measure)
    found = values_of_groups(rows, {model: [measure]})
    return interval_of_groups(measure, found[model, measure], plan)


def rows_in_groups(models: Models, measure: MeanOver) -> Predictions | Orders:
    """The rows that a mean over groups is computed from: of two classes, or of items."""
    if models.orders is not None:
        measure.of_order()
        return models.orders
    return models.rows_for(str(measure))


def values_of_groups(
    rows: Predictions | Orders, asked: Mapping[str, Sequence[MeanOver]]
) -> dict[tuple[str, MeanOver], Floats]:
    """The value of each model's measures on each group; NaN where one is undefined."""
    measures = [measure for chosen in asked.values() for measure in chosen]
    if not measures:
        return {}
    if rows.group is None:
        measures[0].need_groups()
    queries = rows.queries()
    found: dict[tuple[str, MeanOver], Floats] = {}
    for model, chosen in asked.items():
        values = group_values(queries, rows.scores[model], chosen)
        found |= {(model, measure): v for measure, v in zip(chosen, values, strict=True)}
    return found


def interval_of_groups(measure: MeanOver, values: Floats, plan: Plan) -> Interval:
    """The mean over the groups and its standard error, with Student's quantile."""
    from scipy.special import stdtrit  # noqa: PLC0415

    check_groups_method(plan.method, measure)
    value, known = mean_of_defined(values), values[~np.isnan(values)]
    empty = Interval.empty(measure, value, plan, "normal")
    if empty.reason is None and known.size < 2:
        empty = replace(empty, reason="the variance needs at least two groups with a value")
    if empty.reason is not None:
        return empty
    away = known - value
    if is_rounding(away, known):
        return empty.without_spread(known.size)
    error = math.sqrt(dot(away, away) / (known.size - 1) / known.size)
    reach = float(stdtrit(known.size - 1, (1 + plan.ci) / 2)) * error
    return empty.between((value - reach, value + reach))


def differences_of_groups(
    values: Mapping[str, Floats],
    measure: MeanOver,
    pairs: Sequence[tuple[str, str]],
    plan: PairPlan,
) -> list[Difference]:
    """The difference of each pair of models in a mean over groups: the paired t test of groups.

    ``values`` has those of each model on each group; a pair is tested on the groups in which both
    models have a value.
    """
    check_groups_method(plan.method, measure)
    found = []
    for a, b in pairs:
        both = ~np.isnan(values[a]) & ~np.isnan(values[b])
        first, second = values[a][both], values[b][both]
        means = mean_of_defined(first), mean_of_defined(second)
        empty = unjudged((a, b), measure, means, "normal")
        if empty.reason is None and first.size < 2:
            reason = "the variance needs at least two groups with a value of both models"
            empty = replace(empty, reason=reason)
        same = np.array_equal(first, second)
        found.append(
            empty if empty.reason else empty.judged_by_units(first, second, plan, same=same)
        )
    return found


def check_units(rows: Predictions | Orders, measure: MeanOver, *, optional: bool = False) -> None:
    """Refuse clusters, since the groups are the independent units.

    With ``optional``, the function that was called also computes values without intervals.
    """
    if rows.cluster is not None:
        alone = ", or compute values alone with ", Argument("ci", None)
        raise ParameterError(
            f"the interval of {measure} assumes independent groups",
            remedy=("omit ", Argument("cluster"), *(alone if optional else ())),
        )
