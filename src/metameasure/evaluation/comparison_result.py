"""The result of a comparison of models: its rows and its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure._text import difference, limits
from metameasure.evaluation.plotted import Plotted
from metameasure.measurement import arrow, parse
from metameasure.results import Cell, Grid, Result, pvalue_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metameasure.results import Check

SMALL = 0.05
"""Adjusted p-value below which a difference is bold."""


@dataclass(frozen=True)
class PairRow:
    """One pair of models and one measure.

    Attributes:
        a: one model.
        b: the other model.
        measure: the measure as text; empty if it is not known.
        difference: the value of a minus that of b.
        low: the lower limit of its confidence interval; None without one.
        high: the upper limit.
        pvalue: the p-value; None if there is no test.
        adjusted_pvalue: the p-value, adjusted for the number of pairs.
        method: the method of the interval and the test.
    """

    a: str
    b: str
    measure: str
    difference: float
    low: float | None
    high: float | None
    pvalue: float | None
    adjusted_pvalue: float | None
    method: str


class Comparison(Plotted, Result):
    """Differences between models: one row per pair and measure.

    ``meta`` has the confidence ``ci`` and, where they are known, the numbers of cases and the
    margin.
    """

    schema = PairRow
    rows: tuple[PairRow, ...]
    of_ranks = False
    """Whether the differences are those of average ranks rather than of values."""

    def __init__(
        self,
        rows: Sequence[PairRow],
        *,
        ci: float,
        caption: str,
        meta: Mapping[str, Any] | None = None,
        checks: Sequence[Check] = (),
        like: Any = None,
    ) -> None:
        super().__init__(rows, meta={"ci": ci, **(meta or {})}, checks=checks, like=like)
        self._caption = caption

    @property
    def ci(self) -> float:
        """The confidence of the intervals."""
        confidence: float = self.meta["ci"]
        return confidence

    def grids(self) -> list[Grid]:
        """One table per measure."""
        grids = []
        for measure in dict.fromkeys(row.measure for row in self.rows):
            rows = [row for row in self.rows if row.measure == measure]
            body = [(f"{row.a} - {row.b}", _cells(row)) for row in rows]
            header = ["models", "difference", "p", "adjusted p", "method"]
            title = f"{measure} {arrow(parse(measure).best)}" if measure else None
            grids.append(Grid(header, body, self._caption, title, f"adjusted p < {SMALL:g}"))
        return grids

    def __repr__(self) -> str:
        return f"<comparison: {len(self.rows)} pairs>"


def _cells(row: PairRow) -> list[Cell]:
    adjusted = row.adjusted_pvalue
    clear = adjusted is not None and adjusted < SMALL
    return [
        Cell(difference(row.difference, row.low, row.high), limits(row.low, row.high), clear),
        Cell(pvalue_text(row.pvalue)),
        Cell(pvalue_text(adjusted)),
        Cell(row.method),
    ]
