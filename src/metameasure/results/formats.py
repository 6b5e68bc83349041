"""Output formats: each is one function from a result to text, registered with its file suffixes.

A format that is registered here works everywhere: ``result.to("name")``, ``result.to_name()``,
``result.save("file.suffix")``, and ``--format name`` and ``--output file.suffix`` of every command.
"""

from __future__ import annotations

import html
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._arguments import Choice, FileName, check_polars_threads, read_argument
from metameasure._text import shown, storable, visible
from metameasure.errors import Argument, ParameterError
from metameasure.results.tables import as_text

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    import polars as pl

    from metameasure.results.result import Result
    from metameasure.results.tables import Cell, Grid, Page

    Kind = Literal["text", "document", "rows"]
    Writer = Callable[[Result], str]


@dataclass(frozen=True)
class Format:
    """An output format.

    Attributes:
        name: the name, as in ``result.to(name)`` and ``--format name``.
        suffixes: the file suffixes that stand for it, with the dot.
        write: the function from a result to text.
        kind: "text" that may follow other text, a complete "document", or a document that has the
            "rows" alone, with values as they are.
    """

    name: str
    suffixes: tuple[str, ...]
    write: Writer
    kind: Kind = "text"


FORMATS: dict[str, Format] = {}
"""All formats by name."""


def output_format(name: str, *suffixes: str, kind: Kind = "text") -> Callable[[Writer], Writer]:
    """Register the decorated function as an output format."""

    def register(write: Writer) -> Writer:
        FORMATS[name] = Format(name, suffixes, write, kind)
        return write

    return register


def format_named(name: str) -> Format:
    """The format of this name."""
    return FORMATS[read_argument("format", name, Choice(tuple(FORMATS)))]


def format_of_file(path: str | os.PathLike[str]) -> Format:
    """The format that the suffix of a file name stands for."""
    suffix = read_argument("path", path, FileName()).suffix.lower()
    for form in FORMATS.values():
        if suffix in form.suffixes:
            return form
    known = ", ".join(known for form in FORMATS.values() for known in form.suffixes if known)
    raise ParameterError(
        f"cannot infer a format from {shown([suffix])}",
        remedy=("use ", Argument("format"), f" or {known}"),
    )


@output_format("table", ".txt", "")
def to_table(result: Result) -> str:
    """The page as plain text."""
    return as_text(result.page())


@output_format("json", ".json", kind="document")
def to_json(result: Result) -> str:
    """Strict JSON of ``to_dict()``: ``rows``, further tables, facts and ``checks`` by name.

    JSON has no NaN and no infinity. An undefined value is null. An infinite value is null, too, and
    a key beside it has its sign: ``"value": null, "infinite": "+"``, and for any other column, e.g.
    low, ``"low": null, "low_infinite": "-"``. So a number is a number or null, never text.
    """
    return json.dumps(strict(result.to_dict()), indent=2, allow_nan=False)


def strict(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with values that JSON has, as ``to_json`` describes.

    >>> strict({"value": math.inf, "low": math.nan, "cut": [-math.inf, 0.5]})
    {'value': None, 'infinite': '+', 'low': None, 'cut': [None, 0.5], 'cut_infinite': ['-', None]}
    """
    made: dict[str, Any] = {}
    for name, value in record.items():
        made[name] = _finite(value)
        signs = _signs(value)
        if signs is not None:
            made["infinite" if name == "value" else f"{name}_infinite"] = signs
    return made


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return strict(value)
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, str):
        return storable(plain)
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain


def _signs(value: Any) -> Any:
    """The sign of an infinite value, a list of them for a list, None if nothing is infinite."""
    if isinstance(value, (list, tuple)):
        signs = [_signs(item) for item in value]
        return signs if any(sign is not None for sign in signs) else None
    if isinstance(value, float) and math.isinf(value):
        return "+" if value > 0 else "-"
    return None


@output_format("csv", ".csv", kind="rows")
def to_csv(result: Result) -> str:
    """The rows as CSV, one line per row; an undefined value is NaN, an infinite one inf or -inf."""
    return _numbers_filled(result).write_csv()


FORMULA = r"^[=+\-@\t\r\n＝＋－＠]"
"""How text begins that spreadsheet programs may take as a formula."""
PLAIN_NUMBER = r"^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$"


@output_format("spreadsheet", kind="rows")
def to_spreadsheet(result: Result) -> str:
    """The rows as CSV for spreadsheet programs, which take text such as =A1 as a formula.

    Such text gets an apostrophe in front; numbers stay as they are, also in names.
    """
    import polars as pl  # noqa: PLC0415

    frame = _numbers_filled(result)
    texts = [pl.col(name) for name, kind in frame.schema.items() if kind == pl.String]
    guarded = [
        pl.when(text.str.contains(FORMULA) & ~text.str.contains(PLAIN_NUMBER))
        .then(text.str.replace("^", "'"))
        .otherwise(text)
        for text in texts
    ]
    return frame.with_columns(*guarded).write_csv()


def _numbers_filled(result: Result) -> pl.DataFrame:
    """The rows with NaN for limits that do not exist, which are None in some results."""
    import polars as pl  # noqa: PLC0415

    check_polars_threads()
    return result.to_polars().with_columns(pl.col(pl.Float64).fill_null(math.nan))


@output_format("markdown", ".md")
def to_markdown(result: Result) -> str:
    """The page in Markdown, with pipe tables."""
    return as_markdown(result.page())


_RULES = {"left": " --- ", "right": " ---: "}


def as_markdown(page: Page) -> str:
    """A page in Markdown."""
    lines = [f"{_markdown(line)}\n" for line in page.lead]
    for grid, below in page.parts():
        if grid.title:
            lines += [f"**{_markdown(grid.title)}**", ""]
        lines.append("| " + " | ".join(map(_markdown, grid.header)) + " |")
        lines.append("|" + "|".join(_RULES[side] for side in grid.sides) + "|")
        for name, cells in grid.rows:
            values = [_markdown_cell(cell, bold=bold) for cell, bold in grid.marked(cells)]
            lines.append("| " + " | ".join([_markdown(name), *values]) + " |")
        lines += ["", *(f"{_markdown(line)}\n" for line in below)]
    return "\n".join(lines + [f"- {_markdown(line)}" for line in page.notes]).rstrip()


def _markdown_cell(cell: Cell, *, bold: bool) -> str:
    text = _markdown(cell.text)
    text = f"**{text}**" if bold else text
    return f"{text} ({_markdown(cell.interval)})" if cell.interval else text


def _markdown(text: str) -> str:
    """Text that neither Markdown nor the HTML in it interprets."""
    marked = "".join(f"\\{c}" if c in "\\`*_{}[]()#+!|~$" else c for c in text)
    return marked.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


_STYLE = (
    "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}"
    "caption{text-align:left;font-weight:bold;padding:.3em 0}"
    "th,td{padding:.2em .8em;border-bottom:1px solid #ddd}"
    "small{color:#555}p{margin:.3em 0}"
)


@output_format("html", ".html", ".htm", kind="document")
def to_html(result: Result) -> str:
    """The page as an HTML document; notebooks show the part inside its body."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>metameasure</title><style>{_STYLE}</style></head>\n"
        f"<body>{as_html(result.page())}</body></html>"
    )


def as_html(page: Page) -> str:
    """A page as an HTML element for a notebook or a larger document."""
    parts = ['<div class="metameasure">', *(f"<p>{html.escape(line)}</p>" for line in page.lead)]
    for grid, below in page.parts():
        title = f"<caption>{html.escape(grid.title)}</caption>" if grid.title else ""
        first, *styles = (f'style="text-align:{side}"' for side in grid.sides)
        named = zip((first, *styles), grid.header, strict=True)
        head = "".join(f"<th {style}>{html.escape(name)}</th>" for style, name in named)
        body = "".join(
            f'<tr><th style="text-align:left;font-weight:normal">{html.escape(name)}</th>'
            + "".join(
                f"<td {style}>{_html_cell(cell, bold=bold)}</td>"
                for style, (cell, bold) in zip(styles, grid.marked(row), strict=True)
            )
            + "</tr>"
            for name, row in grid.rows
        )
        parts.append(f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
        parts += [f"<p>{html.escape(line)}</p>" for line in below]
    parts += [f"<p>{html.escape(line)}</p>" for line in page.notes]
    return "".join([*parts, "</div>"])


def _html_cell(cell: Cell, *, bold: bool) -> str:
    text = html.escape(cell.text)
    text = f"<b>{text}</b>" if bold else text
    return f"{text}<br><small>{html.escape(cell.interval)}</small>" if cell.interval else text


@output_format("junit", ".xml", kind="document")
def to_junit(result: Result) -> str:
    """A JUnit report: one test case per verdict of the result, and the page as its output."""
    from xml.etree import ElementTree as ET  # noqa: PLC0415

    verdicts = result.verdicts()
    outcomes = [verdict.outcome for verdict in verdicts]
    counts = {
        "tests": len(verdicts),
        "failures": outcomes.count("failure"),
        "errors": outcomes.count("error"),
        "skipped": outcomes.count("skipped"),
    }
    named = {"name": f"metameasure.{type(result).__name__.lower()}"}
    attributes = named | {name: str(count) for name, count in counts.items()}
    whole = ET.Element("testsuites", attributes)
    suite = ET.SubElement(whole, "testsuite", attributes)
    for verdict in verdicts:
        about = {"classname": named["name"], "name": visible(verdict.name)}
        case = ET.SubElement(suite, "testcase", about)
        if verdict.outcome != "passed":
            ET.SubElement(case, verdict.outcome, {"message": visible(verdict.message)})
    ET.SubElement(suite, "system-out").text = as_text(result.page())
    ET.indent(whole)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(whole, encoding="unicode")


@output_format("latex", ".tex")
def to_latex(result: Result) -> str:
    r"""The page in LaTeX: one tabular per table, with the rules of the package booktabs."""
    page = result.page()
    parts = ["% needs \\usepackage{booktabs}", *(f"{_latex(line)}\\par" for line in page.lead)]
    parts += [_latex_table(grid, below) for grid, below in page.parts()]
    parts += [f"{_latex(line)}\\par" for line in page.notes]
    return "\n".join(parts)


def _latex_table(grid: Grid, below: Iterable[str]) -> str:
    rows = [
        [_latex(name), *(_latex_cell(cell, bold=bold) for cell, bold in grid.marked(cells))]
        for name, cells in grid.rows
    ]
    lines = [f"\\textbf{{{_latex(grid.title)}}}\\par"] if grid.title else []
    sides = "".join(side[0] for side in grid.sides)
    lines.append(f"\\begin{{tabular}}{{{sides}}}\n\\toprule")
    lines += [_latex_row(map(_latex, grid.header)), "\\midrule", *map(_latex_row, rows)]
    lines += ["\\bottomrule\n\\end{tabular}\\par"]
    lines += [f"{_latex(line)}\\par" for line in below]
    return "\n".join(lines)


def _latex_row(texts: Iterable[str]) -> str:
    return f"{' & '.join(texts)} \\\\"


def _latex_cell(cell: Cell, *, bold: bool) -> str:
    text = _latex(cell.text)
    text = f"\\textbf{{{text}}}" if bold else text
    return f"{text} ({_latex(cell.interval)})" if cell.interval else text


_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "{''}",
    "[": "{[}", "]": "{]}", "-": "{-}", "`": r"\textasciigrave{}", "'": r"\textquotesingle{}",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "→": r"$\to$", "∞": r"$\infty$", "–": "--",
    "×": r"$\times$", "≤": r"$\le$", "≥": r"$\ge$", "≳": r"$\gtrsim$", "…": r"\ldots{}",
}  # fmt: skip


def _latex(text: str) -> str:
    """Text that LaTeX does not interpret; a minus sign before a number is typeset as one."""
    minus = text == "-∞" or (text.startswith("-") and text[1:2].isdigit())
    marked = "".join(_LATEX.get(c, c) for c in (text[1:] if minus else text))
    return f"$-${marked}" if minus else marked
