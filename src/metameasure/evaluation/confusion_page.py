"""The page of a confusion matrix, and how its classes are named there and in frames."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import number, visible
from metameasure.data import EXACT_INTEGERS
from metameasure.results import Cell, Grid, Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    from metameasure.evaluation.confusion import By, ConfusionMatrix

    Floats = NDArray[np.float64]

MOST_SHOWN, SHOWN_OF_MANY = 20, 15
LONGEST_NAME = 32
CORNER = "true ↓ predicted →"


def class_name(label: Any) -> str:
    r"""A label as people may read it, whatever it is made of.

    >>> class_name("a\x1b[31m")
    'a\\x1b[31m'
    """
    text = visible(_text(label))
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"


def _text(label: Any) -> str:
    if isinstance(label, bytes):
        return label.decode("utf-8", "backslashreplace")
    return "''" if label == "" else str(label)


def column_of(labels: Sequence[Any]) -> pl.Series:
    """Labels as a column of a frame: of their own kind if a frame has it, else as text."""
    import polars as pl  # noqa: PLC0415

    known = [label for label in labels if label is not None]
    kind: Any = pl.String
    if all(isinstance(label, bool) for label in known):
        kind = pl.Boolean
    elif all(isinstance(label, int) and -(2**63) <= label < 2**63 for label in known):
        kind = pl.Int64
    elif all(_is_double(label) for label in known):
        kind = pl.Float64
    if kind == pl.String:
        plain = {label: label if isinstance(label, str) else _text(label) for label in known}
        labels = [None if label is None else str(plain[label]) for label in labels]
    return pl.Series(labels, dtype=kind)


def _is_double(label: Any) -> bool:
    """Whether a number is finite and stays the same as a float64."""
    if isinstance(label, int):
        return abs(label) <= EXACT_INTEGERS
    return isinstance(label, float) and math.isfinite(label)


def counted(value: float) -> str:
    """A count as a whole number, a weight that is none with its decimals."""
    return str(int(value)) if value.is_integer() and value < 1e15 else number(value)


def classes_to_show(counts: Floats) -> list[int]:
    """All classes, or of many those with the most errors, in their order."""
    k = len(counts)
    if k <= MOST_SHOWN:
        return list(range(k))
    errors = counts.sum(axis=0) + counts.sum(axis=1) - 2 * np.diagonal(counts)
    return sorted(np.argsort(-errors, kind="stable")[:SHOWN_OF_MANY].tolist())


def which_are_shown(counts: Floats) -> list[str]:
    """What is to be said if some classes are not shown."""
    if len(counts) <= MOST_SHOWN:
        return []
    return [f"shown are the {SHOWN_OF_MANY} of {len(counts)} classes with the most errors"]


def matrix_page(matrix: ConfusionMatrix, by: By | None = None) -> Page:
    """True classes down, predicted ones across, as counts or as shares, with totals."""
    shown = classes_to_show(matrix.counts)
    names = [class_name(matrix.labels[place]) for place in shown]
    counts, notes = matrix.counts, which_are_shown(matrix.counts)
    if notes:
        names.append(f"{len(counts) - len(shown)} others")
        counts = _pooled(counts, shown)
        notes.append("the others are added up in the matrix")
    return Page([_grid(counts, names, by, _caption(matrix, by))], notes)


def _pooled(counts: Floats, shown: list[int]) -> Floats:
    """The counts of some classes, and of all others as one."""
    to = np.full(len(counts), len(shown))
    to[shown] = np.arange(len(shown))
    members = (to[:, np.newaxis] == np.arange(len(shown) + 1)).astype(np.float64)
    pooled: Floats = members.T @ counts @ members
    return pooled


def shares(counts: Floats, by: By) -> Floats:
    """Counts as shares of their row, their column or of all; NaN where that is empty."""
    axis = {"true": 1, "predicted": 0, "all": None}[by]
    with np.errstate(invalid="ignore"):
        return counts / np.sum(counts, axis=axis, keepdims=True)


def _grid(counts: Floats, names: list[str], by: By | None, caption: str) -> Grid:
    """The body with a column of totals at the right and a row of them below, where they fit.

    Shares of the true classes add up to 1 in each row: there the number of cases stands instead.
    """
    values = counts if by is None else shares(counts, by)
    written = counted if by is None else number
    right, below = by != "predicted", by != "true"
    kept = counts if by in {"true", "predicted"} else values
    total = "cases" if by in {"true", "predicted"} else "total"
    rule = counted if by != "all" else number
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
    return Grid([CORNER, *names, *([total] if right else [])], rows, caption)


def _caption(matrix: ConfusionMatrix, by: By | None) -> str:
    whole = {None: "", "true": "; shares of each true class", "all": "; shares of all cases",
             "predicted": "; shares of each predicted class"}[by]  # fmt: skip
    dropped = f", {matrix.dropped} left out for missing values" if matrix.dropped else ""
    return f"{counted(matrix.n)} cases in {len(matrix.labels)} classes{dropped}{whole}"
