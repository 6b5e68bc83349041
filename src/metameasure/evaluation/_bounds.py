"""Values of measures from coarse tables: limits that hold the exact value."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Any

from metameasure._text import UNDEFINED, number
from metameasure.data import case_counts, named
from metameasure.errors import DataError, UndefinedMeasureWarning
from metameasure.evaluation.evaluation_result import LeftOut, left_out_lines
from metameasure.evaluation.found_values import one_of
from metameasure.evaluation.measure_choice import CLIP, Chosen, can_clip, choose, unfit
from metameasure.measurement import Measure, arrow, parse
from metameasure.results import Cell, Grid, Result
from metameasure.table import CoarseTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NO_BOUNDS = "they have no bounds from pooled scores"
FEWEST_DECIMALS, MOST_DECIMALS = 4, 15
ROUNDING = 1e-10
"""Relative distance of limits below which they are shown as one value."""


@dataclass(frozen=True, kw_only=True)
class BoundsRow:
    """The limits of one measure of one model.

    Attributes:
        model: the name of the model.
        measure: the measure.
        value: its value, if it is exact; else None. NaN if it is undefined.
        low, high: the limits that hold the exact value.
        n: the number of cases, or the sum of their weights.
        n_pos: that of the positives.
    """

    model: str
    measure: Measure
    value: float | None
    low: float
    high: float
    n: float
    n_pos: float

    @property
    def width(self) -> float:
        """The distance of the limits; 0 for an exact value."""
        return 0.0 if self.value is not None else self.high - self.low


class Bounds(Result):
    """Limits of measures that hold their exact values: one row per model and measure.

    ``result.limits("auc")`` finds those of one measure.

    Attributes:
        left_out: the measures that have no limits, with the reason.
    """

    schema = BoundsRow
    extra = {"left_out": LeftOut}  # noqa: RUF012
    rows: tuple[BoundsRow, ...]

    def __init__(self, rows: Sequence[BoundsRow], left_out: Sequence[LeftOut] = ()) -> None:
        super().__init__(rows)
        self.left_out = tuple(left_out)

    @property
    def models(self) -> list[str]:
        """The names of the models."""
        return list(dict.fromkeys(row.model for row in self.rows))

    def limits(self, measure: str | Measure, model: str | None = None) -> tuple[float, float]:
        """The limits of a measure; the model is needed if there are several."""
        asked = parse(measure)
        if model is None and len(self.models) > 1:
            raise DataError(
                f"the result has {len(self.models)} models", remedy="name one with model="
            )
        name = self.models[0] if model is None else one_of(self.models, model, "model")
        texts = {str(row.measure): row for row in self.rows if row.model == name}
        row = texts[one_of(list(texts), str(asked), "measure")]
        return row.low, row.high

    def grids(self) -> list[Grid]:
        """One table per model: each measure with its limits, and how far they are apart."""
        return [
            Grid(
                ["measure", "value", ""],
                [_line(row) for row in self.rows if row.model == model],
                next(case_counts(row.n, row.n_pos, 0) for row in self.rows if row.model == model),
                model if len(self.models) > 1 else None,
            )
            for model in self.models
        ]

    def notes(self) -> list[str]:
        """The measures that were left out, and those that are undefined."""
        undefined = dict.fromkeys(
            f"{row.measure.stated} is undefined ({UNDEFINED}) when {row.measure.undefined_when}"
            for row in self.rows
            if math.isnan(row.low)
        )
        return [*left_out_lines(self.left_out), *undefined]


def bounds(data: Any, measures: Chosen = "default") -> Bounds:
    """The limits of measures that hold the exact values, from pooled scores.

    While no scores have been pooled, values are exact. A measure that has no limits is an error if
    it is named, and left out of "default" and "all".

    Args:
        data: an ``Accumulator``, a ``CoarseTable`` or a ``ScoreTable``, or a dict with one per
            model.
        measures: "default", "all", or measures and their texts.

    >>> import metameasure as mm
    >>> accumulator = mm.Accumulator(rows=64)
    >>> accumulator.update([k % 7 < 3 for k in range(1000)], [k % 611 / 611 for k in range(1000)])
    <accumulator: 1000 cases, 429 positive, 29 buckets>
    >>> print(mm.bounds(accumulator, "auc, brier"))
    measure             value
    auc ↑    0.4833 to 0.5148  exact within 0.04
    brier ↓            0.3172  exact up to rounding
    1000 cases, 429 positive
    """
    tables = {
        model: CoarseTable.of(each)
        for model, each in (named(data) if isinstance(data, Mapping) else {"model": data}).items()
    }
    if not tables:
        raise DataError(
            "there is no model", remedy="pass at least one Accumulator", argument="data"
        )
    chosen, by_name = choose(measures)
    if not by_name:
        chosen = [_clipped(measure, tables.values()) for measure in chosen]
    rows, left_out = [], []
    for model, coarse in tables.items():
        for measure in chosen:
            reason = None if by_name else _unbounded(measure, coarse)
            if reason is not None:
                left_out.append(LeftOut(model, measure.stated, reason))
                continue
            low, high = measure.quiet_bounds(coarse)
            exact = coarse.exact or math.isnan(low)
            rows.append(
                BoundsRow(
                    model=model,
                    measure=measure,
                    value=low if exact else None,
                    low=low,
                    high=high,
                    n=float(coarse.n),
                    n_pos=float(coarse.P),
                )
            )
    _warn([row for row in rows if math.isnan(row.low)])
    return Bounds(rows, left_out)


def _clipped(measure: Measure, tables: Iterable[CoarseTable]) -> Measure:
    """The measure, with a clip if its loss is infinite."""
    fitting = (one for one in tables if can_clip(measure) and _unbounded(measure, one) is None)
    infinite = any(math.isinf(measure.quiet_bounds(one)[1]) for one in fitting)
    return measure.using(clip=CLIP) if infinite else measure


def _unbounded(measure: Measure, coarse: CoarseTable) -> str | None:
    """The reason to leave out a measure that was not chosen by name; None if there is none."""
    if not coarse.exact and measure.declaration.bounds is None:
        return NO_BOUNDS
    return unfit(measure, coarse.best) or unfit(measure, coarse.worst)


def _warn(undefined: Sequence[BoundsRow]) -> None:
    if undefined:
        first = undefined[0].measure
        others = f" and {len(undefined) - 1} more are" if len(undefined) > 1 else " is"
        warnings.warn(
            f"{first}{others} undefined: {first.undefined_when}",
            UndefinedMeasureWarning,
            stacklevel=3,
        )


def _line(row: BoundsRow) -> tuple[str, list[Cell]]:
    name = f"{row.measure.stated} {arrow(row.measure.best)}"
    if row.value is not None:
        return name, [Cell(number(row.value)), Cell("")]
    return name, [Cell(limits_text(row.low, row.high)), Cell(_within(row))]


def _within(row: BoundsRow) -> str:
    """How far the limits are apart, rounded up to one digit."""
    if not math.isfinite(row.width):
        return ""
    if _is_rounding(row.low, row.high):
        return "exact up to rounding"
    exponent = math.floor(math.log10(row.width))
    steps = math.ceil(Decimal(row.width).scaleb(-exponent))
    exponent, steps = (exponent + 1, 1) if steps == 10 else (exponent, steps)
    short = f"{Decimal(steps).scaleb(exponent):f}" if exponent > -4 else f"{steps}e{exponent}"
    return f"exact within {short}"


def _is_rounding(low: float, high: float) -> bool:
    return high - low < ROUNDING * max(1.0, abs(low))


def limits_text(low: float, high: float) -> str:
    """Two limits, rounded outward to decimals that show their distance; one if it shows none.

    >>> limits_text(0.812344, 0.812369), limits_text(0.5, 0.5 + 1e-12), limits_text(0.25, math.inf)
    ('0.81234 to 0.81237', '0.5000', '0.2500 to ∞')
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return number(low) if low == high else f"{number(low)} to {number(high)}"
    if _is_rounding(low, high):
        return number(low)
    decimals = -math.floor(math.log10(high - low))
    step = Decimal(1).scaleb(-min(max(decimals, FEWEST_DECIMALS), MOST_DECIMALS))
    ends = (
        Decimal(low).quantize(step, ROUND_FLOOR),
        Decimal(high).quantize(step, ROUND_CEILING),
    )
    return f"{ends[0]:f} to {ends[1]:f}"
