"""The population stability index of each period against a reference period."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import amount, number, shown
from metameasure.data import (
    ColumnReader,
    Groups,
    Names,
    choose_columns,
    group_name,
    has_named_columns,
    opened,
    read_arrays,
    read_groups,
    read_scores,
    read_weights,
)
from metameasure.errors import Argument, ParameterError
from metameasure.evaluation.stability import StabilityTable, psi_table
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from metameasure.data import NanPolicy

UNITS = ("D", "m", "s", "ms", "us", "ns")
"""Units of time, of which the coarsest that loses nothing is shown."""
WHOLE = re.compile(r"[+-]?\d+")
CHANCE = 0.95
"""Probability with which an index without drift stays below its limit."""


@dataclass(frozen=True)
class PeriodStability:
    """One period.

    Attributes:
        period: the period, as text.
        cases: the number of cases, or their weight.
        index: the population stability index against the reference period.
        by_chance: the value that the index exceeds with a probability of 5% if nothing has changed;
            None for the reference period and for weighted cases.
    """

    period: str
    cases: float
    index: float
    by_chance: float | None


class StabilityOverTime(Result):
    """The stability of scores over periods.

    ``meta`` has the reference period and, of a data frame or file, the column of the scores.
    """

    schema = PeriodStability
    rows: tuple[PeriodStability, ...]

    def __init__(self, rows: Sequence[PeriodStability], *, meta: dict[str, Any]) -> None:
        super().__init__(rows, meta=meta)

    def grids(self) -> list[Grid]:
        """One line per period."""
        body = [(row.period, _cells(row)) for row in self.rows]
        caption = (
            f"reference period: {self.meta['reference']}; by chance: exceeded with a probability "
            "of 5% without drift"
        )
        header = ["period", "cases", "PSI", "by chance"]
        return [Grid(header, body, caption, "", "above the limit by chance")]

    def notes(self) -> list[str]:
        """Infinite values, smoothing, and dropped cases."""
        lines = []
        if self.meta["smoothing"]:
            lines.append(f"smoothing: {self.meta['smoothing']:g} cases added to each bin")
        elif any(math.isinf(row.index) for row in self.rows):
            lines.append(
                "infinite (∞): a bin has no case in that period; smoothing 0.5 adds half a case to "
                "each bin"
            )
        dropped = self.meta["dropped"]
        return [*lines, f"{dropped} cases left out for missing values"] if dropped else lines

    def __repr__(self) -> str:
        return f"<stability over time: {len(self.rows)} periods>"


def _cells(row: PeriodStability) -> list[Cell]:
    beyond = row.by_chance is not None and row.index > row.by_chance
    chance = "" if row.by_chance is None else number(row.by_chance)
    index = Cell(number(row.index), stands_out=beyond)
    return [Cell(amount(row.cases)), index, Cell(chance)]


def psi_over_time(
    scores: Any,
    period: Any,
    *,
    reference: Any = None,
    bins: int = 10,
    smoothing: float = 0.0,
    sample_weight: Any = None,
    score: Any = None,
    weight: Any = None,
    nan_policy: NanPolicy = "raise",
) -> StabilityOverTime:
    """The population stability index of the scores of each period against a reference period.

    The bins are those of ``psi_table``, with equal numbers of cases of the reference period.
    Without drift the index is about chi-squared with bins - 1 degrees of freedom, times the sum of
    the reciprocal numbers of cases: small periods have a large index by chance.

    Args:
        scores: the scores of all cases; or a data frame or a file name.
        period: the period of each case, such as "2024-05", or in a data frame or file the name of
            its column; periods are shown in sorted order, integers by value even if they are text.
        reference: the reference period; the first by default.
        bins: the number of bins.
        smoothing: the number of cases to add to each bin.
        sample_weight: the weights of the cases.
        score: the column of the scores in a data frame or file; inferred when unambiguous.
        weight: the column of the weights.
        nan_policy: "raise", or "drop" to drop cases with missing values.

    >>> months = ["2024-01"] * 4 + ["2024-02"] * 4
    >>> print(psi_over_time([1, 2, 3, 4, 2, 3, 4, 5], months, bins=2))
    period   cases     PSI  by chance
    2024-01      4  0.0000
    2024-02      4  0.2747     1.9207
    reference period: 2024-01; by chance: exceeded with a probability of 5% without drift
    """
    names, column = Names(label="scores"), None
    if has_named_columns(scores):
        scores, period, sample_weight, names, column = _columns(scores, period, score, weight)
    elif score is not None or weight is not None:
        given = "weight" if score is None else "score"
        raise ParameterError((Argument(given), " names a column, but the data have none"))
    with ColumnReader(names, nan_policy) as reader:
        values = reader.read(scores, read_scores, names.label)
        periods = reader.read(period, read_groups, names.group if names.scores else "period")
        weights = reader.optional(sample_weight, read_weights, names.weight)
    if reader.missing is not None:
        kept = ~reader.missing
        values, periods = values[kept], periods[kept]
        weights = None if weights is None else weights[kept]
    groups = Groups.of(periods)
    name = _naming(groups.names)
    known = _in_time(groups.names, name)
    base = next(iter(known)) if reference is None else name(reference)
    if base not in known:
        raise ParameterError(
            (Argument("reference"), f" must be a period, got {shown([base])}"),
            remedy=f"the periods are {shown(known, 8)}",
        )
    cases = {one: groups.cases(place) for one, place in known.items()}

    def table_of(one: str) -> StabilityTable:
        chosen = [cases[base], cases[one]]
        expected, actual = (None if weights is None else weights[some] for some in chosen)
        return psi_table(
            *(values[some] for some in chosen),
            bins=bins,
            smoothing=smoothing,
            expected_weight=expected,
            actual_weight=actual,
        )

    dropped = 0 if reader.missing is None else int(np.count_nonzero(reader.missing))
    meta = {"reference": base, "bins": bins, "smoothing": smoothing, "dropped": dropped}
    meta["score"] = column
    rows = [_row(one, table_of(one), tested=weights is None and one != base) for one in known]
    return StabilityOverTime(rows, meta=meta)


def _naming(periods: NDArray[Any]) -> Callable[[Any], str]:
    """The function that writes a period; moments have no part that is 0 in all of them."""
    if periods.dtype.kind == "O" and all(
        isinstance(one, datetime) and one.tzinfo is None for one in periods
    ):
        periods = periods.astype("M8[us]")
    if periods.dtype.kind != "M":
        return group_name
    unit = next(u for u in UNITS if (periods.astype(f"M8[{u}]") == periods).all())

    def name(period: Any) -> str:
        if not isinstance(period, (date, np.datetime64)):
            return group_name(period)
        return str(np.array(period, f"M8[{unit}]")).replace("T", " ")

    return name


def _in_time(periods: NDArray[Any], name: Callable[[Any], str]) -> dict[str, int]:
    """The place of each sorted period, by its text; integers as text are sorted by value."""
    texts = list(map(name, periods))
    places: Iterable[int] = range(len(texts))
    if all(WHOLE.fullmatch(text) for text in texts):
        places = sorted(places, key=lambda place: int(texts[place]))
    return {texts[place]: place for place in places}


def _columns(data: Any, period: Any, score: Any, weight: Any) -> tuple[Any, Any, Any, Names, str]:
    """The scores, periods and weights in a data frame or file, their names, and the column."""
    if period is None:
        raise ParameterError((Argument("period"), " must name a column of the data"))
    with opened(data) as frame:
        columns = choose_columns(
            *(frame, period, score, weight), argument="score", number="one", truth="period"
        )
        periods, scores, weights = read_arrays(frame, columns, scores=True)
    named = columns.names
    (of_scores,) = named.scores.values()
    names = replace(named, label=of_scores, group=named.label)
    return scores, periods, weights, names, str(columns.scores[0])


def _row(period: str, table: StabilityTable, *, tested: bool) -> PeriodStability:
    """The row of a period."""
    from scipy.special import chdtri  # noqa: PLC0415

    before, cases = (
        sum(getattr(row, name) for row in table.rows) for name in ("expected", "actual")
    )
    by_chance = None
    if tested and len(table.rows) > 1:
        by_chance = float(chdtri(len(table.rows) - 1, 1 - CHANCE)) * (1 / before + 1 / cases)
    return PeriodStability(period, cases, table.value, by_chance)
