"""The power of measures: the result of ``power``."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar

from metameasure._arguments import Choice, read_argument
from metameasure._text import difference, limits
from metameasure.measurement import Measure, parse, tie_tolerance
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metameasure._types import Floats


Place = tuple[str, str, int, int, str]
"""What a row is about, besides its measure: base, alternative, positives, negatives, side."""
NONE = "none"
"""The name of the null hypothesis."""


@dataclass(frozen=True)
class PowerRow:
    """The power of a measure's test, or its actual level if the alternative is "none"."""

    measure: str
    base: str
    alternative: str
    positives: int
    negatives: int
    side: str
    level: float
    power: float
    low: float
    high: float
    repeats: int


@dataclass(frozen=True)
class PowerGap:
    """The difference between the powers of two measures' tests on the same data sets."""

    measure: str
    reference: str
    base: str
    alternative: str
    positives: int
    negatives: int
    side: str
    level: float
    difference: float
    low: float
    high: float
    repeats: int


class Powers(Result):
    """One row per measure, alternative, size and side."""

    bold: ClassVar[str]

    def grids(self) -> list[Grid]:
        """One table per base distribution and side."""
        grids: dict[tuple[str, str], dict[Place, list[Any]]] = {}
        for row in self.rows:
            grids.setdefault((row.base, row.side), {}).setdefault(_place(row), []).append(row)
        return [self._grid(*at, places) for at, places in grids.items()]

    def _grid(self, base: str, side: str, places: Mapping[Place, list[Any]]) -> Grid:
        body = [
            (f"{alternative}, {positives} + {negatives}", self._cells(rows))
            for (_, alternative, positives, negatives, _), rows in places.items()
        ]
        header = ["alternative", *(row.measure for row in next(iter(places.values())))]
        return Grid(header, body, self._caption(), f"{base}, {side}", self.bold)

    @abstractmethod
    def _cells(self, rows: Sequence[Any]) -> list[Cell]:
        """The cells of one line."""

    @abstractmethod
    def _caption(self) -> str:
        """What the numbers are."""


class Power(Powers):
    """The power of measures; ``differences`` compares them with one of them."""

    schema = PowerRow
    bold = "not clearly below the best"

    def __init__(
        self, rows: Sequence[PowerRow], meta: Mapping[str, Any], joint: Mapping[Place, Floats]
    ) -> None:
        super().__init__(rows, meta=meta)
        self._joint = joint

    def differences(self, reference: str | Measure) -> PowerDifferences:
        """The power of the other measures minus that of the reference.

        All tests used the same data sets, so that the intervals of the differences are shorter than
        those of the powers suggest.
        """
        name = str(parse(reference, "reference"))
        places: dict[Place, list[PowerRow]] = {}
        for row in self.rows:
            places.setdefault(_place(row), []).append(row)
        gaps = []
        for place, rows in places.items():
            names = tuple(row.measure for row in rows)
            known = names.index(read_argument("reference", name, Choice(names)))
            gaps += [self._gap(place, rows, n, known) for n in range(len(rows)) if n != known]
        return PowerDifferences(gaps, meta=self.meta)

    def _gap(self, place: Place, rows: Sequence[PowerRow], a: int, b: int) -> PowerGap:
        joint, repeats = self._joint[place], rows[a].repeats
        gap = rows[a].power - rows[b].power
        gap = 0.0 if abs(gap) <= tie_tolerance(rows[a].power, rows[b].power) else gap
        variance = max(float(joint[a, a] + joint[b, b] - 2 * joint[a, b]) - gap**2, 0.0)
        error = math.sqrt(variance / max(repeats - 1, 1))
        reach = NormalDist().inv_cdf((1 + self.meta["ci"]) / 2) * error
        names = rows[a].measure, rows[b].measure
        found = gap, gap - reach, gap + reach
        return PowerGap(*names, *place, rows[a].level, *found, repeats)  # type: ignore[arg-type]

    def _cells(self, rows: Sequence[PowerRow]) -> list[Cell]:
        best = math.inf if rows[0].alternative == NONE else max(row.low for row in rows)
        return [
            Cell(f"{row.power:.3f}", limits(row.low, row.high), stands_out=row.high >= best)
            for row in rows
        ]

    def _caption(self) -> str:
        meta = self.meta
        return (
            f"power at level {meta['level']:g}: fraction of {meta['repeats']} data sets that the "
            f"test rejects, {100 * meta['ci']:g}% confidence intervals; none: actual level"
        )


class PowerDifferences(Powers):
    """Differences in power between measures, on the same data sets."""

    schema = PowerGap
    bold = "the interval excludes 0"

    def _cells(self, rows: Sequence[PowerGap]) -> list[Cell]:
        return [
            Cell(
                difference(row.difference, row.low, row.high),
                limits(row.low, row.high),
                stands_out=row.low > 0 or row.high < 0,
            )
            for row in rows
        ]

    def _caption(self) -> str:
        against = next((row.reference for row in self.rows), "the reference")
        ci = f"{100 * self.meta['ci']:g}% confidence intervals"
        return f"power minus that of {against}, {ci}"


def _place(row: Any) -> Place:
    """What a row is about, but for its measure."""
    return row.base, row.alternative, row.positives, row.negatives, row.side
