"""The result of reproducing an item: printed and computed values side by side, with verdicts."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure._text import UNDEFINED, number
from metameasure.experiments.tolerance import Sampling
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from metameasure.experiments.declaration import Item, Place, Printed, Value

AGREES, DIFFERS, ERRATUM, NOT_RUN, NEW = "agrees", "differs", "erratum", "not run", "not printed"
TOO_FEW = "too few repeats"
VERDICTS = {
    AGREES: "within the tolerance",
    DIFFERS: "outside the tolerance",
    ERRATUM: "outside the tolerance, and the print is shown to be wrong",
    NOT_RUN: "printed, but not computed here",
    NEW: "computed, but not printed in the paper",
    TOO_FEW: "within the tolerance, but by intervals more than twice as wide as those of a full "
    "run, for lack of repeats; not counted as agreement",
}
WIDEST = 2.0
"""Width, relative to a full run, up to which an interval with the printed value in it counts."""


@dataclass(frozen=True)
class ReproducedValue:
    """A value of a paper and ours.

    Attributes:
        item: paper and item.
        part: the part of the table.
        row: the row of the table.
        column: the column of the table.
        published: the value as printed; None if nothing is printed there.
        ours: the computed value; None if it was not computed.
        error: the standard error of ours; 0 if it is exact.
        difference: ours less the printed value.
        verdict: agrees, differs, erratum, not run, not printed or too few repeats.
        note: the number of the erratum, or a remark on the print.
    """

    item: str
    part: str
    row: str
    column: str
    published: str | None
    ours: float | None
    error: float | None
    difference: float | None
    verdict: str
    note: str


class Reproduction(Result):
    """Items of papers, computed again; one row per value.

    ``meta["items"]`` has the question, the tolerance, the convention and remarks of each item.
    """

    schema = ReproducedValue

    @property
    def counts(self) -> dict[str, int]:
        """The number of values by verdict."""
        return dict(Counter(row.verdict for row in self.rows))

    @property
    def state(self) -> str:
        """The verdict of the whole."""
        order = (DIFFERS, ERRATUM, TOO_FEW, AGREES, NEW, NOT_RUN)
        return next((each for each in order if each in self.counts), NOT_RUN)

    def of(self, item: str) -> Reproduction:
        """The part of the result that belongs to one item."""
        rows = [row for row in self.rows if row.item == item]
        return Reproduction(rows, meta={"items": {item: self.meta["items"][item]}})

    def grids(self) -> list[Grid]:
        """One table per part of an item: rows and columns as in the paper."""
        parts = dict.fromkeys((row.item, row.part) for row in self.rows)
        return [self._grid(item, part) for item, part in parts]

    def _grid(self, item: str, part: str) -> Grid:
        here = {
            (row.row, row.column): row for row in self.rows if (row.item, row.part) == (item, part)
        }
        names = list(dict.fromkeys(row for row, _ in here))
        columns = list(dict.fromkeys(column for _, column in here))
        if set(columns) == set(names):  # a square table, whose diagonal may be empty
            columns = names
        body = [(name, [_cell(here.get((name, column))) for column in columns]) for name in names]
        title = ", ".join(filter(None, [item, part]))
        caption = (
            "ours, and the printed value beside it, if there is one; without a mark they agree"
        )
        marks = {row.verdict for row in here.values()}
        caption += "; ≠ where they differ" * (DIFFERS in marks)
        caption += "; ? where they agree, but by too few repeats" * (TOO_FEW in marks)
        caption += "; the number of the erratum where the print is wrong" * (ERRATUM in marks)
        return Grid(["", *columns], body, caption, title, "differs from the print")

    def notes(self) -> list[str]:
        """Of each item, the question, the number of values that agree, and what was decided."""
        return [
            line for item, about in self.meta["items"].items() for line in self._about(item, about)
        ]

    def _about(self, item: str, about: dict[str, Any]) -> list[str]:
        counts = self.of(item).counts
        total = sum(count for verdict, count in counts.items() if verdict != NEW)
        found = [f"{counts.get(AGREES, 0)} of {total} printed values agree"] * bool(total)
        found += [
            f"{counts[verdict]} {'differ' if verdict == DIFFERS else verdict}"
            for verdict in (DIFFERS, ERRATUM, TOO_FEW, NOT_RUN)
            if verdict in counts
        ]
        lines = [f"{item}: {about['question']}", "; ".join(found)]
        lines += [f"tolerance: {about['tolerance']}"] * bool(total)
        lines += [f"convention: {about['convention']}"] * bool(about["convention"])
        wrong = (row.note for row in self.rows if row.item == item and row.verdict == ERRATUM)
        errata = ", ".join(dict.fromkeys(wrong))
        lines += [f"errata: {errata}"] * bool(errata)
        return [line for line in [*lines, *about["remarks"]] if line]


def _cell(row: ReproducedValue | None) -> Cell:
    if row is None:
        return Cell("")
    ours = _like_print(row.ours, row.published)
    if row.verdict in {DIFFERS, ERRATUM} and row.ours is not None and row.difference:
        ours = _longer(ours, row.ours, row.difference)
    if row.error:
        ours += f" ± {_like_print(row.error, row.published)}"
    marks = {DIFFERS: " ≠", ERRATUM: f" [{row.note}]", TOO_FEW: " ?"}
    printed = (row.published or "") + marks.get(row.verdict, "")
    return Cell(ours, printed, stands_out=row.verdict in {DIFFERS, ERRATUM})


def _like_print(value: float | None, printed: str | None) -> str:
    """A value with one decimal more than the printed one; counts without any."""
    if value is None or not math.isfinite(value) or not printed or "/" in printed:
        return UNDEFINED if value is None else number(value)
    decimals = len(printed.partition(".")[2])
    return f"{value:.{decimals + 1}f}" if decimals or not value.is_integer() else f"{value:.0f}"


def _longer(shown: str, value: float, difference: float) -> str:
    """A shown value with enough decimals to show two digits of its difference."""
    decimals = 1 + math.ceil(-math.log10(abs(difference)))
    return f"{value:.{decimals}f}" if decimals > len(shown.partition(".")[2]) > 0 else shown


def judged(
    item: Item,
    values: Iterable[Value],
    remarks: Sequence[str] = (),
    *,
    repeats: int | None = None,
) -> Reproduction:
    """The values of an item beside the printed ones; ``repeats`` if not all were run."""
    found = {value.place: value for value in values}
    places = list(dict.fromkeys([*item.published, *found]))
    within = TOO_FEW if _too_few(item, repeats) else AGREES
    rows = [
        _judge(item, place, item.published.get(place), found.get(place), within) for place in places
    ]
    about = {
        "kind": item.kind,
        "alternative_to": item.alternative_to,
        "question": item.question,
        "tolerance": str(item.tolerance),
        "convention": item.convention,
        "remarks": [*item.stand_ins, *remarks],
    }
    return Reproduction(rows, meta={"items": {item.key: about}})


def joined(results: Sequence[Reproduction]) -> Reproduction:
    """Several reproductions as one."""
    about = {key: each for result in results for key, each in result.meta["items"].items()}
    return Reproduction([row for result in results for row in result.rows], meta={"items": about})


def _too_few(item: Item, repeats: int | None) -> bool:
    """Whether the intervals of a run are too wide for an agreement to mean anything.

    The variance of a difference is that of ours and that of the print, which has all repeats.
    """
    if repeats is None or item.repeats is None or not isinstance(item.tolerance, Sampling):
        return False
    return (1 + item.repeats / repeats) / 2 > WIDEST**2


def _judge(
    item: Item, place: Place, printed: Printed | None, value: Value | None, within: str
) -> Any:
    """The row of a place; ``within`` is the verdict of a value within the tolerance."""
    if value is None:
        verdict = NOT_RUN
    elif printed is None or not printed.text:
        verdict = NEW
    elif item.tolerance.accepts(printed, value):
        verdict = within
    else:
        verdict = ERRATUM if place in item.errata else DIFFERS
    ours = None if value is None or math.isnan(value.value) else value.value
    both = printed is not None and ours is not None and math.isfinite(printed.value)
    return ReproducedValue(
        item.key,
        *place,
        published=printed.text if printed else None,
        ours=ours,
        error=None if value is None else value.error,
        difference=ours - printed.value if both and printed and ours is not None else None,
        verdict=verdict,
        note=item.errata.get(place, printed.note if printed else ""),
    )


def read_reproduction(path: Path) -> Reproduction:
    """A reproduction that was saved as JSON."""
    saved = json.loads(path.read_text("utf-8"))
    rows = [ReproducedValue(**_with_infinities(row)) for row in saved.pop("rows")]
    saved.pop("checks")
    return Reproduction(rows, meta=saved)


def _with_infinities(row: dict[str, Any]) -> dict[str, Any]:
    """A row of JSON in which infinite values, which are written as signs, are numbers again."""
    signs = {name: row[name] for name in row if name.endswith("_infinite")}
    plain = {name: value for name, value in row.items() if name not in signs}
    return plain | {
        name.removesuffix("_infinite"): float(f"{sign}inf") for name, sign in signs.items()
    }
