"""Tables and notes for people, as plain text and for a terminal.

Names of models and groups come from data files: control characters in them are made visible.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeVar

from metameasure._text import UNDEFINED, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.console import RenderableType

INLINE_WIDTH = 96
"""Width of plain text up to which intervals stand beside their values; else below them."""
LONGEST_WORD = 20
"""Length from which a word in a header is broken in a narrow terminal."""
MOST_SHOWN, SHOWN_OF_MANY = 20, 15
"""Number of rows up to which a page shows all, and number of rows that it shows of more."""
MOST_LINES = 500
"""Number of lines of tables that a page shows at most.

People read some hundreds of lines: ten screens of a terminal, or fifty groups with ten measures
each. A page of 100,000 groups would be for nobody, and takes minutes in a terminal or a browser.
The bound is of pages alone; formats that programs read have all rows.
"""
HIGHLIGHT = "cyan"
"""Color of bold cells, which may be the best ones or those that differ: neither good nor bad."""
INTERVAL_STYLE = "not bold dim default"
_NUMBER = re.compile(rf"[-+<>≤≥≳]? ?[\d∞]|{UNDEFINED}$|$")
Side = Literal["left", "right"]
Row = TypeVar("Row")


@dataclass(frozen=True)
class Cell:
    """A value as text, its interval, whether it is bold, and the color of a verdict."""

    text: str
    interval: str = ""
    stands_out: bool = False
    color: Literal["", "green", "yellow", "red"] = ""


@dataclass(frozen=True)
class Grid:
    """A table for people.

    Attributes:
        header: the names of the columns; the first is that of the names of the rows.
        rows: the name and the cells of each row.
        caption: a line below the table.
        title: a line above the table.
        bold: what bold means in this table; without it nothing is bold.
    """

    header: list[str]
    rows: list[tuple[str, list[Cell]]]
    caption: str = ""
    title: str | None = None
    bold: str = ""

    def marked(self, cells: Sequence[Cell]) -> Iterator[tuple[Cell, bool]]:
        """The cells of a row, each with whether it is bold."""
        return ((cell, bool(self.bold) and cell.stands_out) for cell in cells)

    @property
    def sides(self) -> list[Side]:
        """How each column is aligned: names and text at the left, numbers at the right."""
        columns = zip(*([cell.text for cell in cells] for _, cells in self.rows), strict=True)
        numeric = [all(map(_NUMBER.match, column)) for column in columns]
        numeric = numeric or [True] * (len(self.header) - 1)
        return ["left", *("right" if number else "left" for number in numeric)]

    @property
    def has_bold(self) -> bool:
        """Whether any cell is bold."""
        return any(map(self._stands_out, self.rows))

    def _stands_out(self, row: tuple[str, list[Cell]]) -> bool:
        return any(bold for _, bold in self.marked(row[1]))

    def bounded(self, most: int) -> Grid:
        """The table with at most ``most`` rows: those with bold cells, then the first others."""
        return replace(self, rows=first_and_bold(self.rows, most, self._stands_out))


@dataclass(frozen=True)
class Page:
    """Tables, and the lines below and above them."""

    grids: Sequence[Grid]
    notes: Sequence[str] = ()
    lead: Sequence[str] = ()

    def parts(self) -> Iterator[tuple[Grid, list[str]]]:
        """Each table with the lines below it: its caption, and what bold means.

        Of tables in which bold means the same, only the last has that line.
        """
        last = {grid.bold: place for place, grid in enumerate(self.grids) if grid.has_bold}
        for place, grid in enumerate(self.grids):
            lines = [grid.caption] if grid.caption else []
            if last.get(grid.bold) == place:
                lines.append(f"bold: {grid.bold}")
            yield grid, lines

    def bounded(self) -> Page:
        """The page with a bounded number of lines in its tables, and a note about the others."""
        lines, left = sum(len(grid.rows) for grid in self.grids), MOST_LINES
        if lines <= left:
            return self
        grids: list[Grid] = []
        for grid in self.grids:
            if left:
                grids.append(grid.bounded(left))
                left -= len(grids[-1].rows)
        note = shown_of(MOST_LINES, lines, "lines")
        return replace(self, grids=grids, notes=[note, *self.notes])

    def visible(self) -> Page:
        """The page with all control characters made visible."""
        lines = (list(map(visible, each)) for each in (self.notes, self.lead))
        return Page([_visible(grid) for grid in self.grids], *lines)


def _visible(grid: Grid) -> Grid:
    return replace(
        grid,
        header=list(map(visible, grid.header)),
        rows=[
            (
                visible(name),
                [replace(c, text=visible(c.text), interval=visible(c.interval)) for c in cells],
            )
            for name, cells in grid.rows
        ],
        caption=visible(grid.caption),
        title=None if grid.title is None else visible(grid.title),
    )


def first_and_bold(rows: Sequence[Row], most: int, stands_out: Callable[[Row], bool]) -> list[Row]:
    """At most ``most`` rows, in their order: those that stand out, then the first others.

    >>> first_and_bold([5, 1, 8, 2, 9], 3, lambda number: number > 7)
    [5, 8, 9]
    """
    if len(rows) <= most:
        return list(rows)
    places = sorted(range(len(rows)), key=lambda place: not stands_out(rows[place]))[:most]
    return [rows[place] for place in sorted(places)]


def shown_of(shown: int, number: int, what: str) -> str:
    """The note that a page does not show all."""
    return f"{shown} of {number} {what} are shown; CSV, JSON and data frames have all"


def pvalue_text(pvalue: float | None) -> str:
    """A p-value to four decimals, or as below 0.0001; a dash if there is none."""
    if pvalue is None or math.isnan(pvalue):
        return UNDEFINED
    return f"{pvalue:.4f}" if pvalue >= 1e-4 else "<0.0001"


def as_text(page: Page) -> str:
    """Plain text; nothing is bold."""
    lines = list(page.lead)
    for grid in page.grids:
        layout = _layout(grid, INLINE_WIDTH, (" ", "\n"))
        texts = [grid.header]
        for name, cells in grid.rows:
            shown = [_joined(cell, layout).split("\n") for cell in cells]
            height = max(map(len, shown))
            texts += [
                [name if line == 0 else "", *(t[line] if line < len(t) else "" for t in shown)]
                for line in range(height)
            ]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        sides = grid.sides
        if grid.title:
            lines.append(grid.title)
        for row in texts:
            columns = zip(row, sides, widths, strict=True)
            aligned = [
                text.ljust(n) if side == "left" else text.rjust(n) for text, side, n in columns
            ]
            lines.append("  ".join(aligned).rstrip())
        lines += [grid.caption] if grid.caption else []
    return "\n".join([*lines, *page.notes])


def _layout(grid: Grid, width: int, layouts: Sequence[str]) -> str:
    """The first layout in which a grid is at most this wide, or else the last."""
    for layout in layouts[:-1]:
        widths = _widths(grid, layout)
        if sum(widths) + 3 * (len(widths) - 1) <= width:
            return layout
    return layouts[-1]


def _widths(
    grid: Grid,
    layout: str,
    measured: Callable[[str], int] = len,
    of_header: Callable[[str], int] | None = None,
) -> list[int]:
    """The width of each column, starting with the names of the rows."""
    texts = [[name, *(_joined(cell, layout) for cell in cells)] for name, cells in grid.rows]
    lines = [
        [measured(line) for text in column for line in text.split("\n")]
        for column in zip(*texts, strict=True)
    ] or [[0] for _ in grid.header]
    headers = map(of_header or measured, grid.header)
    return [max(header, *column) for header, column in zip(headers, lines, strict=True)]


def _joined(cell: Cell, layout: str) -> str:
    """A value and its interval: side by side, in two lines, or with one line per limit."""
    if not cell.interval:
        return cell.text
    if layout == " ":
        return f"{cell.text}  {cell.interval}"
    if layout == "\n":
        return f"{cell.text}\n{cell.interval}"
    return f"{cell.text}\n{_apart(cell.interval)}"


def _apart(interval: str) -> str:
    return interval.replace("–", "–\n").replace(" to ", " to\n")


def as_rich(page: Page, width: int) -> RenderableType:
    """Tables for a terminal of this width.

    Nothing is cut: in a table that is too wide intervals go below their values, then headers are
    folded, and at last the columns are split into several tables.
    """
    from rich.console import Group  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    parts: list[RenderableType] = [Text(line) for line in page.lead]
    for grid, below in page.parts():
        parts += [Text(grid.title, style="table.title")] if grid.title else []
        parts += [_rich_table(*part) for part in _fitted(grid, width)]
        parts += [Text(line, style="table.caption") for line in below]
    return Group(*parts, *(Text(line, style="dim") for line in page.notes))


def _fitted(grid: Grid, width: int) -> list[tuple[Grid, str, list[int]]]:
    """A grid in one or more parts of at most this width, with their layouts and column widths."""
    from rich.cells import cell_len  # noqa: PLC0415

    def folded(header: str) -> int:
        return min(max(map(cell_len, header.split()), default=0), LONGEST_WORD)

    for layout, of_header in ((" ", None), ("\n", None), ("\n", folded), ("\n\n", folded)):
        widths = _widths(grid, layout, cell_len, of_header)
        if _rich_width(widths) <= width:
            return [(grid, layout, widths)]
    layout = "\n"
    name, *widths = _widths(grid, layout, cell_len, folded)
    name = min(name, max(width // 2, width - _rich_width([0, max(widths)])))
    parts = _parts(name, widths, width)
    # The smallest number of parts, of similar widths.
    while width and len(narrower := _parts(name, widths, width - 1)) == len(parts):
        parts, width = narrower, width - 1
    return [
        (
            Grid(
                [grid.header[0], *grid.header[1:][part]],
                [(row, cells[part]) for row, cells in grid.rows],
                bold=grid.bold,
            ),
            layout,
            [name, *widths[part]],
        )
        for part in parts
    ]


def _parts(name: int, widths: Sequence[int], width: int) -> list[slice]:
    """Columns for each part: the largest number that fits, and at least one."""
    parts, begin = [], 0
    for end in range(1, len(widths) + 1):
        last = end == len(widths)
        if last or _rich_width([name, *widths[begin : end + 1]]) > width:
            parts.append(slice(begin, end))
            begin = end
    return parts


def _rich_width(widths: Sequence[int]) -> int:
    """The width of a table: three characters between columns, and one at each edge."""
    return sum(widths) + 3 * (len(widths) - 1) + 2


def _rich_table(grid: Grid, layout: str, widths: Sequence[int]) -> RenderableType:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name, width, side in zip(grid.header, widths, grid.sides, strict=True):
        table.add_column(Text(name), justify=side, width=width, overflow="fold")
    for name, cells in grid.rows:
        texts = []
        for cell, bold in grid.marked(cells):
            color = cell.color or (HIGHLIGHT if bold else "")
            text = Text(cell.text, style=f"bold {color}" if bold else color)
            text.append(_joined(cell, layout).removeprefix(cell.text), style=INTERVAL_STYLE)
            texts.append(text)
        table.add_row(Text(name), *texts)
    return table
