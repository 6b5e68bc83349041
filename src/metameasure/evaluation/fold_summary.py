"""Measures over the folds of a cross-validation: the mean, its spread, and the pooled value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import limits, number
from metameasure.data import Groups, group_name
from metameasure.errors import DataError
from metameasure.inference import fold_mean, sample_without_tables
from metameasure.measurement import MeanOver, Measure, arrow
from metameasure.results import Cell, Check, Grid

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from metameasure._types import Floats
    from metameasure.data import Models
    from metameasure.evaluation.evaluation_result import Row


@dataclass(frozen=True, kw_only=True)
class FoldValue:
    """One measure of one model in one fold.

    Attributes:
        model: the name of the model.
        fold: the fold.
        measure: the measure.
        value: its value; NaN if it is undefined.
        n: the number of cases.
        n_pos: the number of positives; None for several classes, orders and true probabilities.
    """

    model: str
    fold: str
    measure: Measure
    value: float
    n: int
    n_pos: int | None


@dataclass(frozen=True, kw_only=True)
class FoldSummary:
    """One measure of one model over all folds.

    Attributes:
        model: the name of the model.
        measure: the measure.
        pooled: its value on the cases of all folds together.
        mean: the mean of the values in the folds; NaN if all are undefined.
        deviation: their standard deviation; None for fewer than two values.
        low, high: the limits of the mean (corrected resampled t interval); None without them.
        folds: the number of folds that have a value.
        left_out: the number of folds in which the measure is undefined.
    """

    model: str
    measure: Measure
    pooled: float
    mean: float
    deviation: float | None
    low: float | None
    high: float | None
    folds: int
    left_out: int


@dataclass(frozen=True)
class OverFolds:
    """The summaries over folds, the values that they are made of, and their checks."""

    summaries: list[FoldSummary]
    values: list[FoldValue]
    checks: list[Check]


NO_FOLDS = OverFolds([], [], [])


def over_folds(models: Models, rows: Sequence[Row], ci: float | None) -> OverFolds:
    """The values of all cases again, over the folds, if there are any.

    Undefined values, and folds in which no case has weight, are left out of the means.
    """
    if models.fold is None:
        return NO_FOLDS
    groups = Groups.of(models.fold)
    if groups.names.size < 2:
        raise DataError("need at least two folds, got 1", argument="fold")
    whole = [
        row
        for row in rows
        if row.group is row.label is None and not isinstance(row.measure, MeanOver)
    ]
    pooled = {(row.model, row.measure): row.value for row in whole}
    values: dict[tuple[str, Measure], list[FoldValue]] = {key: [] for key in pooled}
    for place, name in enumerate(groups.names.tolist()):
        part = models.where(groups.cases(place))
        counted: dict[str, Any] = {"fold": group_name(name), "n": int(part.cases)}
        counted["n_pos"] = None if math.isnan(part.positives) else int(part.positives)
        subjects = _subjects(part) if part.cases else {}
        for (model, measure), found in values.items():
            value = measure.quiet_value(subjects[model]) if subjects else math.nan
            found.append(FoldValue(model=model, measure=measure, value=value, **counted))
    summaries = [
        _summary(found, pooled[key], groups.names.size, ci) for key, found in values.items()
    ]
    return OverFolds(
        summaries,
        [row for found in values.values() for row in found],
        [check for summary in summaries for check in _checks(summary)],
    )


def _subjects(models: Models) -> Mapping[str, Any]:
    """What the measures of each model are computed from."""
    return models.tables if models.subject == "table" else sample_without_tables(models).tables


def _summary(rows: Sequence[FoldValue], pooled: float, folds: int, ci: float | None) -> FoldSummary:
    """The summary of a measure over k folds, of which each is tested by a model of the others."""
    values = np.array([row.value for row in rows])
    known: Floats = values[~np.isnan(values)]
    mean, deviation, low, high = _of_folds(known, 1 / (folds - 1), rows[0].measure, ci)
    return FoldSummary(
        model=rows[0].model,
        measure=rows[0].measure,
        pooled=pooled,
        mean=mean,
        deviation=deviation,
        low=low,
        high=high,
        folds=known.size,
        left_out=values.size - known.size,
    )


def _of_folds(
    values: Floats, ratio: float, measure: Measure, ci: float | None
) -> tuple[float, float | None, float | None, float | None]:
    """The mean, the standard deviation and both limits, as far as they exist."""
    if values.size < 2 or not np.isfinite(values).all():
        return float(np.mean(values)) if values.size else math.nan, None, None, None
    found = fold_mean(values, ratio, 0.5 if ci is None else ci)
    if ci is None:
        return found.mean, found.deviation, None, None
    least, most = map(float, measure.declaration.range)
    return found.mean, found.deviation, max(found.low, least), min(found.high, most)


def _checks(summary: FoldSummary) -> Iterator[Check]:
    if summary.left_out:
        of = summary.folds + summary.left_out
        message = (
            f"{summary.left_out} of {of} folds are left out of the mean: "
            f"{summary.measure.undefined_when}"
        )
        yield Check("MM14", message, summary.model, None, summary.measure.stated)


def fold_grids(summaries: Sequence[FoldSummary], ci: float | None) -> list[Grid]:
    """One table per model, with one line per measure."""
    models: dict[str, list[FoldSummary]] = {}
    for summary in summaries:
        models.setdefault(summary.model, []).append(summary)
    intervals = f"; {100 * ci:g}% corrected resampled t intervals" if ci else ""
    return [
        Grid(
            ["measure", "pooled", "mean", "SD", "folds"],
            [(f"{one.measure.stated} {arrow(one.measure.best)}", _cells(one)) for one in of_model],
            f"mean and standard deviation over the folds{intervals}",
            "folds" if len(models) == 1 else f"folds, {model}",
        )
        for model, of_model in models.items()
    ]


def _cells(summary: FoldSummary) -> list[Cell]:
    return [
        Cell(number(summary.pooled)),
        Cell(number(summary.mean), limits(summary.low, summary.high)),
        Cell(number(math.nan if summary.deviation is None else summary.deviation)),
        Cell(str(summary.folds)),
    ]
