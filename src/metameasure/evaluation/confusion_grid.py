"""The table of a confusion matrix: counts or fractions with totals, and the classes to show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from metameasure._text import amount, number
from metameasure.results import MOST_SHOWN, SHOWN_OF_MANY, Cell, Grid

if TYPE_CHECKING:
    from metameasure._types import Floats


By = Literal["true", "predicted", "all"]
CORNER = "true ↓ predicted →"
FRACTIONS = {
    "true": "fractions of each true class",
    "predicted": "fractions of each predicted class",
    "all": "fractions of all cases",
}


def shown_classes(counts: Floats) -> list[int]:
    """The classes that a page shows: all, or of many those with the most errors."""
    k = len(counts)
    if k <= MOST_SHOWN:
        return list(range(k))
    errors = counts.sum(axis=0) + counts.sum(axis=1) - 2 * np.diagonal(counts)
    return sorted(np.argsort(-errors, kind="stable")[:SHOWN_OF_MANY].tolist())


def hidden_classes(counts: Floats) -> list[str]:
    """A note if a page does not show all classes."""
    if len(counts) <= MOST_SHOWN:
        return []
    return [f"the {SHOWN_OF_MANY} of {len(counts)} classes with the most errors are shown"]


def pooled(counts: Floats, shown: list[int]) -> Floats:
    """The counts of some classes, and those of all others as one class."""
    to = np.full(len(counts), len(shown))
    to[shown] = np.arange(len(shown))
    members = (to[:, np.newaxis] == np.arange(len(shown) + 1)).astype(np.float64)
    sums: Floats = members.T @ counts @ members
    return sums


def shares(counts: Floats, by: By) -> Floats:
    """Counts as fractions of their row, their column or of all; NaN where the total is 0."""
    axis = {"true": 1, "predicted": 0, "all": None}[by]
    with np.errstate(invalid="ignore"):
        return counts / np.sum(counts, axis=axis, keepdims=True)


def matrix_grid(counts: Floats, names: list[str], by: By | None, caption: str) -> Grid:
    """The matrix with totals to the right and below.

    Where fractions add up to 1 in a row or column, the number of cases replaces the total.
    """
    values = counts if by is None else shares(counts, by)
    written = amount if by is None else number
    right, below = by != "predicted", by != "true"
    kept = counts if by in {"true", "predicted"} else values
    total = "cases" if by in {"true", "predicted"} else "total"
    rule = amount if by != "all" else number
    rows = []
    for place, name in enumerate(names):
        cells = [
            Cell(written(float(value)), stands_out=place == across)
            for across, value in enumerate(values[place])
        ]
        cells += [Cell(rule(float(kept[place].sum())))] if right else []
        rows.append((name, cells))
    if below:
        sums = [Cell(rule(float(value))) for value in kept.sum(axis=0)]
        sums += [Cell(rule(float(kept.sum())))] if right else []
        rows.append((total, sums))
    header = [CORNER, *names, *([total] if right else [])]
    return Grid(header, rows, caption, bold="predicted class = true class")
