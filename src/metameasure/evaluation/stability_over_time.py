"""The population stability index of each period against a reference period."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import amount, number, shown
from metameasure.data import Names, is_missing, sortable, unlabeled
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.evaluation.stability import StabilityTable, psi_table
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.data import NanPolicy

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
    """The stability of scores over periods; ``meta`` has the reference period."""

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
    nan_policy: NanPolicy = "raise",
) -> StabilityOverTime:
    """The population stability index of the scores of each period against a reference period.

    The bins are those of ``psi_table``, with equal numbers of cases of the reference period.
    Without drift the index is about chi-squared with bins - 1 degrees of freedom, times the sum of
    the reciprocal numbers of cases: small periods have a large index by chance.

    Args:
        scores: the scores of all cases.
        period: the period of each case, such as "2024-05"; periods are shown in sorted order.
        reference: the reference period; the first by default.
        bins: the number of bins.
        smoothing: the number of cases to add to each bin.
        sample_weight: the weights of the cases.
        nan_policy: "raise", or "drop" to drop cases with missing scores.

    >>> months = ["2024-01"] * 4 + ["2024-02"] * 4
    >>> print(psi_over_time([1, 2, 3, 4, 2, 3, 4, 5], months, bins=2))
    period   cases     PSI  by chance
    2024-01      4  0.0000
    2024-02      4  0.2747     1.9207
    reference period: 2024-01; by chance: exceeded with a probability of 5% without drift
    """
    if period is None:
        raise DataError("period must have one value per case, got None", argument="period")
    cases = unlabeled(
        scores,
        Names(label="scores", group="period"),
        group=period,
        sample_weight=sample_weight,
        nan_policy=nan_policy,
    )
    values, weight = cases.scores["scores"], cases.weight
    periods = sortable(np.asarray(cases.group))
    known = np.unique(periods)
    base = known[0] if reference is None else reference
    if not isinstance(base, Hashable) or is_missing(base) or base not in known:
        raise ParameterError((Argument("reference"), f" must be a period, got {shown([base])}"))

    def table_of(one: Any) -> StabilityTable:
        chosen = [periods == base, periods == one]
        weights = [None if weight is None else weight[some] for some in chosen]
        return psi_table(
            *(values[some] for some in chosen),
            bins=bins,
            smoothing=smoothing,
            expected_weight=weights[0],
            actual_weight=weights[1],
        )

    rows = [_row(str(one), table_of(one), tested=weight is None and one != base) for one in known]
    return StabilityOverTime(
        rows, meta={"reference": str(base), "bins": bins, "smoothing": smoothing}
    )


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
