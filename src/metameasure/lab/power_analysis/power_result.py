"""How powerful measures are, as rows: what ``power`` gives."""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from metameasure._text import difference, limits, visible
from metameasure.errors import DataError
from metameasure.measurement import Measure, parse
from metameasure.results import Cell, Grid, Listed, Page, json_record
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Place = tuple[str, str, int, int, str]
"""What a row is about, but for its measure: base, alternative, positives, negatives, side."""
NONE = "none"
"""What stands for an alternative where the classes do not differ."""


@dataclass(frozen=True)
class PowerRow:
    """How often a measure's test rejects; that is its level if the alternative is "none"."""

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
    """How much more often a measure's test rejects than that of another, on the same data."""

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


class Powers(Listed):
    """Rows for measures, alternatives, sizes and sides; ``facts`` says how they were found."""

    def __init__(self, rows: Sequence[Any], facts: Mapping[str, Any]) -> None:
        super().__init__(rows)
        self.facts = dict(facts)

    def to_json(self) -> str:
        """JSON with ``rows`` and how they were found."""
        rows = [json_record(record) for record in self.records()]
        return json.dumps({"rows": rows, **self.facts}, indent=2)

    def page(self) -> Page:
        """One table for each base distribution and side."""
        grids: dict[tuple[str, str], dict[Place, list[Any]]] = {}
        for row in self.rows:
            grids.setdefault((row.base, row.side), {}).setdefault(_place(row), []).append(row)
        return Page([self._grid(*at, places) for at, places in grids.items()])

    def _grid(self, base: str, side: str, places: Mapping[Place, list[Any]]) -> Grid:
        body = [
            (f"{visible(alternative)}, {positives} + {negatives}", self._cells(rows))
            for (_, alternative, positives, negatives, _), rows in places.items()
        ]
        header = ["alternative", *(row.measure for row in next(iter(places.values())))]
        return Grid(header, body, self._caption(), f"{visible(base)}, {side}")

    @abstractmethod
    def _cells(self, rows: Sequence[Any]) -> list[Cell]:
        """What is shown of the measures in one place."""

    @abstractmethod
    def _caption(self) -> str:
        """What the figures are, in words."""

    def __repr__(self) -> str:
        return f"<power: {len(self.rows)} rows>"


class Power(Powers):
    """The power of measures; ``differences`` compares them on the same data sets."""

    kind = PowerRow

    def __init__(
        self, rows: Sequence[PowerRow], facts: Mapping[str, Any], joint: Mapping[Place, Floats]
    ) -> None:
        super().__init__(rows, facts)
        self._joint = joint

    def differences(self, reference: str | Measure) -> PowerDifferences:
        """The power of the other measures less that of the reference.

        All were tried on the same data sets, so that the intervals of differences are shorter than
        those of both powers suggest.
        """
        name = str(parse(reference))
        places: dict[Place, list[PowerRow]] = {}
        for row in self.rows:
            places.setdefault(_place(row), []).append(row)
        gaps = []
        for place, rows in places.items():
            names = [row.measure for row in rows]
            if name not in names:
                raise DataError(f"the reference {name} is none of {', '.join(names)}")
            known = names.index(name)
            gaps += [self._gap(place, rows, n, known) for n in range(len(rows)) if n != known]
        return PowerDifferences(gaps, self.facts)

    def _gap(self, place: Place, rows: Sequence[PowerRow], a: int, b: int) -> PowerGap:
        joint, repeats = self._joint[place], rows[a].repeats
        gap = rows[a].power - rows[b].power
        gap = 0.0 if abs(gap) <= ROUNDING else gap
        variance = max(float(joint[a, a] + joint[b, b] - 2 * joint[a, b]) - gap**2, 0.0)
        error = math.sqrt(variance / max(repeats - 1, 1))
        reach = NormalDist().inv_cdf((1 + self.facts["ci"]) / 2) * error
        names = rows[a].measure, rows[b].measure
        found = gap, gap - reach, gap + reach
        return PowerGap(*names, *place, rows[a].level, *found, repeats)  # type: ignore[arg-type]

    def _cells(self, rows: Sequence[PowerRow]) -> list[Cell]:
        """What is not clearly below the best stands out."""
        best = math.inf if rows[0].alternative == NONE else max(row.low for row in rows)
        return [
            Cell(f"{row.power:.3f}", limits(row.low, row.high), stands_out=row.high >= best)
            for row in rows
        ]

    def _caption(self) -> str:
        facts = self.facts
        return (
            f"share of {facts['repeats']} data sets on which the test rejects at level "
            f"{facts['level']:g}, with {100 * facts['ci']:g} % intervals; none: the actual level"
        )


class PowerDifferences(Powers):
    """Differences of power between measures on the same data sets."""

    kind = PowerGap

    def _cells(self, rows: Sequence[PowerGap]) -> list[Cell]:
        """What differs clearly stands out."""
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
        return f"power less that of {against}, with {100 * self.facts['ci']:g} % intervals"


def _place(row: Any) -> Place:
    """What a row is about, but for its measure."""
    return row.base, row.alternative, row.positives, row.negatives, row.side
