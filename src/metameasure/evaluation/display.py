"""An evaluation as a person reads it: plain text, rich, Markdown, HTML.

Names of models and groups come from data files: they are escaped everywhere.
"""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from metameasure.evaluation.result import Evaluation, Row
    from metameasure.registry import Best, Measure

UNDEFINED = "–"


@dataclass(frozen=True)
class Cell:
    """A value to show, and whether no other model has a better one."""

    text: str
    is_best: bool = False


@dataclass(frozen=True)
class Grid:
    """A wide table of one group: a header, and rows that begin with their name."""

    title: str | None
    header: list[str]
    rows: list[tuple[str, list[Cell]]]
    caption: str


def arrow(best: Best) -> str:
    """Which way is better, as a sign."""
    if isinstance(best, str):
        return "↑" if best == "max" else "↓"
    return f"→{best:g}"


def number(value: float) -> str:
    """A value to four decimals; very large and very small ones to four digits."""
    if math.isnan(value):
        return UNDEFINED
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.4f}" if value == 0 or 1e-3 <= abs(value) < 1e5 else f"{value:.4g}"


def visible(text: str) -> str:
    """Text from a data file with its control characters made visible."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def grids(evaluation: Evaluation) -> list[Grid]:
    """One grid a group; measures go down and models across, or the other way if those are many."""
    made = []
    for group in dict.fromkeys(row.group for row in evaluation.rows):
        rows = [row for row in evaluation.rows if row.group == group]
        models = list(dict.fromkeys(row.model for row in rows))
        measures = list(dict.fromkeys(row.measure for row in rows))
        values = {(row.model, row.measure): row.value for row in rows}
        cells = {
            (model, measure): Cell(text, len(models) > 1 and model in best)
            for measure in measures
            for best in [_best(values, models, measure)]
            for model in models
            for text in [number(values[model, measure]) if (model, measure) in values else ""]
        }
        named = {measure: f"{measure} {arrow(measure.best)}" for measure in measures}
        if len(models) <= max(8, len(measures)):
            header = ["measure", *map(visible, models)]
            body = [(named[e], [cells[m, e] for m in models]) for e in measures]
        else:
            header = ["model", *named.values()]
            body = [(visible(m), [cells[m, e] for e in measures]) for m in models]
        made.append(Grid(_title(evaluation, group), header, body, _caption(rows[0])))
    return made


def _best(
    values: dict[tuple[str, Measure], float], models: Iterable[str], measure: Measure
) -> set[str]:
    """The models with the best value to the digits shown."""
    known = {m: v for m in models if not math.isnan(v := values.get((m, measure), math.nan))}
    if not known:
        return set()
    if isinstance(measure.best, str):
        top = max(known.values()) if measure.best == "max" else min(known.values())
    else:
        top = min(known.values(), key=lambda value: abs(value - float(measure.best)))
    return {model for model, value in known.items() if number(value) == number(top)}


def _title(evaluation: Evaluation, group: str | None) -> str | None:
    if group is not None:
        return f"group {visible(group)}"
    return "all cases" if any(row.group is not None for row in evaluation.rows) else None


def _caption(row: Row) -> str:
    dropped = f", {row.dropped} left out for missing values" if row.dropped else ""
    return f"{row.n} cases, {row.n_pos} positive{dropped}"


def notes(evaluation: Evaluation) -> list[str]:
    """What stands below the tables: what was left out, and what is undefined."""
    left: dict[tuple[str, str], list[str]] = {}
    for item in evaluation.left_out:
        left.setdefault((item.model, item.reason), []).append(item.measure)
    lines = [
        f"left out for {visible(model)}, since {reason}: {', '.join(measures)}"
        for (model, reason), measures in left.items()
    ]
    undefined: dict[str, list[str]] = {}
    for row in evaluation.undefined:
        where = visible(row.model) + (f" in {visible(row.group)}" if row.group else "")
        why = f"{row.measure} is undefined ({UNDEFINED}) when {row.measure.undefined_when}"
        undefined.setdefault(why, []).append(where)
    return lines + [f"{why}: {', '.join(where)}" for why, where in undefined.items()]


def as_text(evaluation: Evaluation) -> str:
    """Plain text, numbers aligned at the right."""
    lines: list[str] = []
    for grid in grids(evaluation):
        texts = [grid.header, *([name, *(c.text for c in cells)] for name, cells in grid.rows)]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        if grid.title:
            lines.append(grid.title)
        for name, *values in texts:
            aligned = [value.rjust(width) for value, width in zip(values, widths[1:], strict=True)]
            lines.append("  ".join([name.ljust(widths[0]), *aligned]).rstrip())
        lines.append(grid.caption)
    return "\n".join(lines + notes(evaluation))


def as_rich(evaluation: Evaluation) -> RenderableType:
    """Tables for a terminal, the best values bold."""
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Group  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    parts: list[RenderableType] = []
    for grid in grids(evaluation):
        table = Table(
            box=SIMPLE_HEAD,
            pad_edge=False,
            title=Text(grid.title) if grid.title else None,
            title_justify="left",
            caption=Text(grid.caption),
            caption_justify="left",
        )
        table.add_column(grid.header[0], no_wrap=True)
        for name in grid.header[1:]:
            table.add_column(Text(name), justify="right", overflow="fold")
        for name, cells in grid.rows:
            shown = [Text(c.text, style="bold green" if c.is_best else "") for c in cells]
            table.add_row(Text(name), *shown)
        parts.append(table)
    return Group(*parts, *(Text(line, style="dim") for line in notes(evaluation)))


def as_markdown(evaluation: Evaluation) -> str:
    """Tables in Markdown, the best values bold."""
    lines: list[str] = []
    for grid in grids(evaluation):
        if grid.title:
            lines += [f"**{_plain(grid.title)}**", ""]
        lines.append("| " + " | ".join(map(_plain, grid.header)) + " |")
        lines.append("| --- |" + " ---: |" * (len(grid.header) - 1))
        for name, cells in grid.rows:
            values = [f"**{c.text}**" if c.is_best else c.text for c in cells]
            lines.append("| " + " | ".join([_plain(name), *values]) + " |")
        lines += ["", grid.caption, ""]
    return "\n".join(lines + [f"- {_plain(line)}" for line in notes(evaluation)]).rstrip()


def _plain(text: str) -> str:
    """Text that Markdown and the HTML in it leave alone."""
    marked = "".join(f"\\{c}" if c in "\\`*_{}[]()#+!|~" else c for c in text)
    return marked.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def as_html(evaluation: Evaluation) -> str:
    """Tables for a notebook, the best values bold."""
    parts = ['<div class="metameasure">']
    for grid in grids(evaluation):
        title = f"<caption>{html.escape(grid.title)}</caption>" if grid.title else ""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in grid.header)
        body = "".join(
            f'<tr><th style="text-align:left">{html.escape(name)}</th>'
            + "".join(f"<td>{_html_cell(cell)}</td>" for cell in cells)
            + "</tr>"
            for name, cells in grid.rows
        )
        parts.append(f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
        parts.append(f"<p>{html.escape(grid.caption)}</p>")
    parts += [f"<p>{html.escape(line)}</p>" for line in notes(evaluation)]
    return "".join([*parts, "</div>"])


def _html_cell(cell: Cell) -> str:
    text = html.escape(cell.text)
    return f"<b>{text}</b>" if cell.is_best else text
