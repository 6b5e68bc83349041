"""The result of ``sample_size``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure._text import number
from metameasure.measurement import arrow, parse
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metameasure.results import Check


@dataclass(frozen=True)
class SampleSizeRow:
    """The number of cases of a study.

    Attributes:
        measure: the measure as text.
        goal: "width" of the confidence interval or "power" of the test.
        target: the width or the power that was asked for.
        reached: the expected width, or the power, with these cases.
        cases: the number of cases.
        positives, negatives: the number of positives and of negatives; None if the prevalence is
            not known.
        low, high: the range of the number of cases, from the uncertainty of the pilot;
            None without a pilot.
    """

    measure: str
    goal: str
    target: float
    reached: float
    cases: int
    positives: int | None
    negatives: int | None
    low: int | None
    high: int | None


class SampleSize(Result):
    """The number of cases that an interval or a test needs, with the assumptions in ``meta``.

    ``meta`` has the confidence ``ci`` or the significance level ``alpha``, the assumed ``value``
    (of two models a list), ``reference``, ``difference``, ``margin``, ``correlation``,
    ``prevalence`` and ``share`` as far as they were used, the ``formula`` of the variance in words,
    and the size of the pilot.
    """

    schema = SampleSizeRow
    rows: tuple[SampleSizeRow]

    def __init__(
        self, row: SampleSizeRow, meta: Mapping[str, Any], checks: list[Check], like: Any = None
    ) -> None:
        super().__init__([row], meta=meta, checks=checks, like=like)

    @property
    def cases(self) -> int:
        """Number of cases."""
        return self.rows[0].cases

    @property
    def positives(self) -> int | None:
        """Number of positives; None if the prevalence is not known."""
        return self.rows[0].positives

    @property
    def negatives(self) -> int | None:
        """Number of negatives; None if the prevalence is not known."""
        return self.rows[0].negatives

    def grids(self) -> list[Grid]:
        """The numbers of cases, and what they reach."""
        (row,) = self.rows
        spread = "" if row.low is None else f"{row.low}–{row.high}"
        body = [("cases", [Cell(str(row.cases), spread)])]
        if row.positives is not None:
            body.append(("positives", [Cell(str(row.positives))]))
            body.append(("negatives", [Cell(str(row.negatives))]))
        body.append((self._reached(), [Cell(number(row.reached))]))
        title = f"{row.measure} {arrow(parse(row.measure).best)}"
        return [Grid(["sample size", title], body, self._caption())]

    def notes(self) -> list[str]:
        """The source of the variance."""
        found = [f"variance: {self.meta['formula']}"]
        if self.rows[0].low is not None:
            found.append(
                f"range: {100 * self.meta['ci']:g}%, from the uncertainty of a pilot of "
                f"{self.meta['pilot_cases']} cases"
            )
        return found

    def _reached(self) -> str:
        if self.rows[0].goal == "power":
            return "power"
        return f"width of the {100 * self.meta['ci']:g}% interval"

    def _caption(self) -> str:
        """The assumptions."""
        names = ("value", "reference", "difference", "margin", "correlation", "share", "prevalence")
        given = [f"{name} {_text(self.meta[name])}" for name in names if name in self.meta]
        if "alpha" in self.meta:
            sides = "one-sided" if "margin" in self.meta else "two-sided"
            given.append(f"{sides} test at level {self.meta['alpha']:g}")
        return f"assumed: {', '.join(given)}"

    def __repr__(self) -> str:
        return f"<sample size: {self.cases} cases>"


def _text(value: Any) -> str:
    several = value if isinstance(value, list) else [value]
    return " and ".join(f"{one:.4g}" for one in several)
