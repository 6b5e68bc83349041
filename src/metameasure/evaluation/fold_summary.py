"""Measures over the folds of a cross-validation: the mean, its spread, and the pooled value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import limits, number
from metameasure.data import Groups, group_name
from metameasure.errors import DataError
from metameasure.inference import fold_mean
from metameasure.measurement import Measure, arrow
from metameasure.results import Cell, Check, Grid

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from metameasure._types import Floats
    from metameasure.data import Predictions


@dataclass(frozen=True, kw_only=True)
class FoldValue:
    """One measure of one model in one fold.

    Attributes:
        model: the name of the model.
        fold: the fold.
        measure: the measure.
        value: its value; NaN if it is undefined.
        n: the number of cases.
        n_pos: the number of positives.
    """

    model: str
    fold: str
    measure: Measure
    value: float
    n: int
    n_pos: int


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


def over_folds(
    rows: Predictions,
    asked: Mapping[str, Sequence[Measure]],
    pooled: Mapping[tuple[str, Measure], float],
    ci: float | None,
) -> OverFolds:
    """The summaries of each model's measures over the folds; undefined values are left out."""
    assert rows.fold is not None  # noqa: S101 - asked of rows with folds only
    groups = Groups.of(rows.fold)
    if groups.names.size < 2:
        raise DataError("need at least two folds, got 1", argument="fold")
    values: dict[tuple[str, Measure], list[FoldValue]] = {}
    for place, name in enumerate(groups.names.tolist()):
        part = rows.where(groups.cases(place))
        n_pos = int(np.count_nonzero(part.positive))
        counted: dict[str, Any] = {"fold": group_name(name), "n": part.n, "n_pos": n_pos}
        for model, measures in asked.items():
            for measure in measures:
                value = measure.quiet_value(part.table(model))
                row = FoldValue(model=model, measure=measure, value=value, **counted)
                values.setdefault((model, measure), []).append(row)
    summaries = [
        _summary(found, pooled[key], groups.names.size, ci) for key, found in values.items()
    ]
    return OverFolds(
        summaries,
        [row for found in values.values() for row in found],
        [check for summary in summaries for check in _checks(summary)],
    )


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
