"""Results as a person reads them: plain text, rich, Markdown, HTML.

Names of models and groups come from data files: they are escaped everywhere.
"""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

INLINE_WIDTH = 96
"""As long as plain text is not wider, intervals stand beside their values and not below them."""
LONGEST_WORD = 20
"""Where a terminal is narrow, longer words in a header are broken."""
INTERVAL_STYLE = "not bold dim default"


@dataclass(frozen=True)
class Cell:
    """A value to show, its interval, and whether it is to stand out."""

    text: str
    interval: str = ""
    stands_out: bool = False


@dataclass(frozen=True)
class Grid:
    """A wide table: a header, and rows that begin with their name."""

    header: list[str]
    rows: list[tuple[str, list[Cell]]]
    caption: str = ""
    title: str | None = None


@dataclass(frozen=True)
class Page:
    """Tables, and the lines that stand below them."""

    grids: Sequence[Grid]
    notes: Sequence[str] = field(default=())


class Printed(ABC):
    """A result that a person may read: in print, in a terminal, in Markdown, in a notebook."""

    @abstractmethod
    def page(self) -> Page:
        """What is to be read."""

    def table(self) -> str:
        """The tables for people, as plain text."""
        return as_text(self.page())

    def to_markdown(self) -> str:
        """The tables in Markdown."""
        return as_markdown(self.page())

    def __str__(self) -> str:
        return self.table()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield as_rich(self.page(), options.max_width)

    def _repr_html_(self) -> str:
        return as_html(self.page())


def as_text(page: Page) -> str:
    """Plain text, numbers aligned at the right."""
    lines: list[str] = []
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
        if grid.title:
            lines.append(grid.title)
        for name, *values in texts:
            aligned = [value.rjust(width) for value, width in zip(values, widths[1:], strict=True)]
            lines.append("  ".join([name.ljust(widths[0]), *aligned]).rstrip())
        lines += [grid.caption] if grid.caption else []
    return "\n".join([*lines, *page.notes])


def _layout(grid: Grid, width: int, layouts: Sequence[str]) -> str:
    """The first layout in which a grid is not wider than asked for, or else the last."""
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
    """The width of each column, that of the names of the rows first."""
    texts = [[name, *(_joined(cell, layout) for cell in cells)] for name, cells in grid.rows]
    lines = [
        [measured(line) for text in column for line in text.split("\n")]
        for column in zip(*texts, strict=True)
    ] or [[0] for _ in grid.header]
    headers = map(of_header or measured, grid.header)
    return [max(header, *column) for header, column in zip(headers, lines, strict=True)]


def _joined(cell: Cell, layout: str) -> str:
    """A value and its interval: side by side, one below the other, or with the limits apart."""
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
    """Tables for a terminal, what stands out bold; intervals stand where there is room.

    Nothing is cut: a grid that is too wide has its headers folded or, if that is not enough, its
    columns in several tables.
    """
    from rich.console import Group  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    parts: list[RenderableType] = []
    for grid in page.grids:
        parts += [Text(grid.title, style="table.title")] if grid.title else []
        parts += [_rich_table(*part) for part in _fitted(grid, width)]
        parts += [Text(grid.caption, style="table.caption")] if grid.caption else []
    return Group(*parts, *(Text(line, style="dim") for line in page.notes))


def _fitted(grid: Grid, width: int) -> list[tuple[Grid, str, list[int]]]:
    """A grid in one or more parts that are not wider than asked for, with layouts and widths."""
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
    # As few parts as possible, but as equal as can be.
    while width and len(narrower := _parts(name, widths, width - 1)) == len(parts):
        parts, width = narrower, width - 1
    return [
        (
            Grid(
                [grid.header[0], *grid.header[1:][part]],
                [(row, cells[part]) for row, cells in grid.rows],
            ),
            layout,
            [name, *widths[part]],
        )
        for part in parts
    ]


def _parts(name: int, widths: Sequence[int], width: int) -> list[slice]:
    """Columns that stand beside each other, as many as there is room for and at least one."""
    parts, begin = [], 0
    for end in range(1, len(widths) + 1):
        last = end == len(widths)
        if last or _rich_width([name, *widths[begin : end + 1]]) > width:
            parts.append(slice(begin, end))
            begin = end
    return parts


def _rich_width(widths: Sequence[int]) -> int:
    """How wide a table is: three signs stand between columns, and one at each edge."""
    return sum(widths) + 3 * (len(widths) - 1) + 2


def _rich_table(grid: Grid, layout: str, widths: Sequence[int]) -> RenderableType:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for place, (name, width) in enumerate(zip(grid.header, widths, strict=True)):
        side: Literal["left", "right"] = "right" if place else "left"
        table.add_column(Text(name), justify=side, width=width, overflow="fold")
    for name, cells in grid.rows:
        texts = []
        for cell in cells:
            text = Text(cell.text, style="bold green" if cell.stands_out else "")
            text.append(_joined(cell, layout).removeprefix(cell.text), style=INTERVAL_STYLE)
            texts.append(text)
        table.add_row(Text(name), *texts)
    return table


def as_markdown(page: Page) -> str:
    """Tables in Markdown, what stands out bold."""
    lines: list[str] = []
    for grid in page.grids:
        if grid.title:
            lines += [f"**{_plain(grid.title)}**", ""]
        lines.append("| " + " | ".join(map(_plain, grid.header)) + " |")
        lines.append("| --- |" + " ---: |" * (len(grid.header) - 1))
        for name, cells in grid.rows:
            values = [_markdown_cell(cell) for cell in cells]
            lines.append("| " + " | ".join([_plain(name), *values]) + " |")
        lines += ["", *([_plain(grid.caption), ""] if grid.caption else [])]
    return "\n".join(lines + [f"- {_plain(line)}" for line in page.notes]).rstrip()


def _markdown_cell(cell: Cell) -> str:
    text = _plain(cell.text)
    text = f"**{text}**" if cell.stands_out else text
    return f"{text} ({_plain(cell.interval)})" if cell.interval else text


def _plain(text: str) -> str:
    """Text that Markdown and the HTML in it leave alone."""
    marked = "".join(f"\\{c}" if c in "\\`*_{}[]()#+!|~$" else c for c in text)
    return marked.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def as_html(page: Page) -> str:
    """Tables for a notebook, what stands out bold."""
    parts = ['<div class="metameasure">']
    for grid in page.grids:
        title = f"<caption>{html.escape(grid.title)}</caption>" if grid.title else ""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in grid.header)
        body = "".join(
            f'<tr><th style="text-align:left">{html.escape(name)}</th>'
            + "".join(f"<td>{_html_cell(cell)}</td>" for cell in cells)
            + "</tr>"
            for name, cells in grid.rows
        )
        parts.append(f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
        parts += [f"<p>{html.escape(grid.caption)}</p>"] if grid.caption else []
    parts += [f"<p>{html.escape(line)}</p>" for line in page.notes]
    return "".join([*parts, "</div>"])


def _html_cell(cell: Cell) -> str:
    text = html.escape(cell.text)
    text = f"<b>{text}</b>" if cell.stands_out else text
    return f"{text}<br><small>{html.escape(cell.interval)}</small>" if cell.interval else text
