"""A page about all reproductions: verdicts, claims, and what the papers lack."""

from __future__ import annotations

import csv
import math
from collections import Counter
from importlib.resources import files
from itertools import product
from statistics import median
from typing import TYPE_CHECKING

from metameasure._text import number
from metameasure.experiments.claims import claims
from metameasure.experiments.declaration import KINDS, PAPERS, items
from metameasure.experiments.reproduction import (
    AGREES,
    DIFFERS,
    ERRATUM,
    NOT_RUN,
    TOO_FEW,
    VERDICTS,
    read_reproduction,
)
from metameasure.experiments.runner import FIGURE, RESULT

if TYPE_CHECKING:
    from pathlib import Path

    from metameasure.experiments.declaration import Item
    from metameasure.experiments.reproduction import ReproducedValue, Reproduction

MOST_LISTED = 12
"""Number of differing values that are listed per item."""
COUNTED = (AGREES, DIFFERS, ERRATUM, TOO_FEW, NOT_RUN)
INTRODUCTION = """\
Every table and figure of the papers is an item that `metameasure reproduce PAPER/ITEM` computes
again. This page is generated from the results in `docs/reproductions`. Each value is compared with
the printed one. Values that a paper states in words or formulas only, as in theorems, are counted
apart."""

OTHER_CONVENTIONS = """\
Other conventions, from searches after the first result. More values agree if the standard errors of
ours are larger, so that the root mean square of the differences and the median error are given,
over all printed values of an item, whatever their units:"""


def read_results(folder: Path) -> dict[str, Reproduction]:
    """The results in a folder, by item; items that were not run are missing."""
    paths = {each.key: folder / each.paper / each.name / RESULT for each in items()}
    return {key: read_reproduction(path) for key, path in paths.items() if path.exists()}


def summary_page(folder: Path, title: str = "Reproductions") -> str:
    """A Markdown page about the results in a folder, which lies beside the page."""
    results = read_results(folder)
    lines = [f"# {title}", "", INTRODUCTION, ""]
    lines += [f"- **{verdict}**: {meaning}" for verdict, meaning in VERDICTS.items()]
    lines += ["", "## Printed values", "", *_counts(results)]
    lines += ["", OTHER_CONVENTIONS, ""]
    lines += _alternatives(results)
    lines += ["", "## Claims", "", *_claims(results)]
    lines += ["", "## New results", "", *_new_results()]
    for paper, about in PAPERS.items():
        lines += ["", f"## {about}"]
        for each in items(paper):
            lines += ["", *_item(each, results.get(each.key), folder)]
    return "\n".join([*lines, ""])


def _table(header: list[str], rows: list[list[str]]) -> list[str]:
    lines = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def _verdicts(each: Item, result: Reproduction | None) -> list[int]:
    """The number of printed values by verdict."""
    if result is None:
        printed = sum(bool(text.text) for text in each.published.values())
        return [printed if verdict == NOT_RUN else 0 for verdict in COUNTED]
    return [result.counts.get(verdict, 0) for verdict in COUNTED]


def _counts(results: dict[str, Reproduction]) -> list[str]:
    """Numbers of values by paper and kind; alternatives do not count, nor do values in words."""
    rows = []
    total = [0] * len(COUNTED)
    for paper, kind, derived in product(PAPERS, KINDS, (False, True)):
        here = [
            each
            for each in items(paper)
            if (each.kind, each.derived, each.alternative_to) == (kind, derived, "")
        ]
        if not here:
            continue
        of_items = [_verdicts(each, results.get(each.key)) for each in here]
        counts = [sum(column) for column in zip(*of_items, strict=True)]
        if not derived:
            total = [a + b for a, b in zip(total, counts, strict=True)]
        name = f"{kind}, stated in words" if derived else kind
        rows.append([paper, name, str(len(here)), str(sum(counts)), *map(str, counts)])
    rows.append(["**all printed**", "", "", str(sum(total)), *map(str, total)])
    return _table(["paper", "kind", "items", "values", *COUNTED], rows)


def _alternatives(results: dict[str, Reproduction]) -> list[str]:
    """The agreement of each convention that was tried, and of the first one."""
    rows = []
    for each in items():
        if each.alternative_to and each.published:
            first = f"{each.paper}/{each.alternative_to}"
            cells = [(key, *_agreement(results.get(key))) for key in (first, each.key)]
            rows.append([text for of_item in cells for text in of_item])
    compared = ["agrees", "RMS difference", "median error"]
    return _table(["item", *compared, "other convention", *compared], rows)


def _agreement(result: Reproduction | None) -> tuple[str, str, str]:
    """The number of values that agree, the differences, and the widths that let values agree."""
    if result is None:
        return NOT_RUN, "", ""
    printed = sum(result.counts.get(verdict, 0) for verdict in COUNTED)
    compared = [row for row in result.rows if row.difference is not None]
    differences = [row.difference for row in compared]
    errors = [row.error or 0.0 for row in compared]
    return (
        f"{result.counts.get(AGREES, 0)} of {printed}",
        number(math.hypot(*differences) / math.sqrt(len(differences))) if differences else "",
        number(median(errors)) if errors else "",
    )


def _claims(results: dict[str, Reproduction]) -> list[str]:
    rows = []
    verdicts: Counter[str] = Counter()
    for each in claims():
        found = each.judged(results)
        verdicts[found.verdict] += 1
        cells = [each.paper, each.place, each.text, f"**{found.verdict}**", found.reason]
        rows.append([cell.replace("|", "\\|") for cell in cells])
    total = ", ".join(f"{verdict} {count}" for verdict, count in verdicts.most_common())
    header = ["paper", "place", "claim", "verdict", "reason or condition"]
    return [f"{len(rows)} claims. Verdicts: {total}.", "", *_table(header, rows)]


def _new_results() -> list[str]:
    source = files("metameasure.experiments").joinpath("new_results.csv")
    found = csv.DictReader(source.read_text("utf-8").splitlines())
    return _table(
        ["paper", "result", "shown in"],
        [[row["paper"], row["result"], row["shown"]] for row in found],
    )


def _item(each: Item, result: Reproduction | None, folder: Path) -> list[str]:
    """The section of an item."""
    lines = [f"### {each.key}", "", each.question, ""]
    if each.alternative_to:
        lines += [f"Another convention for {each.paper}/{each.alternative_to}.", ""]
    if result is None:
        lines += [f"**not run**; about {each.cost:.3g} s on two cores."]
        return lines
    counts = [
        f"{verdict} {count}"
        for verdict, count in zip(COUNTED, _verdicts(each, result), strict=True)
        if count
    ]
    lines.append(f"**{result.state}**" + f": {', '.join(counts)}." * bool(counts))
    about = result.meta["items"][each.key]
    notes = [f"Convention: {about['convention']}."] * bool(about["convention"])
    notes += [f"{remark}." for remark in about["remarks"]]
    notes += [f"Why values differ: {each.reason}."] * bool(each.reason)
    lines += ["", *(f"- {note}" for note in notes)] if notes else []
    wrong = [row for row in result.rows if row.verdict in {DIFFERS, ERRATUM}]
    if wrong:
        lines += ["", *_table(["where", "printed", "computed", "verdict"], _listed(wrong))]
        more = len(wrong) - MOST_LISTED
        lines += ["", f"and {more} more."] if more > 0 else []
    figure = folder / each.paper / each.name / FIGURE
    if figure.exists():
        lines += ["", f"![{each.key}]({folder.name}/{each.paper}/{each.name}/{FIGURE})"]
    return lines


def _listed(rows: list[ReproducedValue]) -> list[list[str]]:
    """The first of the values that differ."""
    return [
        [
            ", ".join(filter(None, (row.part, row.row, row.column))),
            row.published or "",
            _with_error(row),
            f"{row.verdict}: {row.note}" if row.verdict == ERRATUM else row.verdict,
        ]
        for row in rows[:MOST_LISTED]
    ]


def _with_error(row: ReproducedValue) -> str:
    if row.ours is None:
        return ""
    return number(row.ours) + (f" ± {number(row.error)}" if row.error else "")
