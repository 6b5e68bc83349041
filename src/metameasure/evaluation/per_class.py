"""Measures of each class against the rest, and their averages."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure._text import UNDEFINED, number, some_names
from metameasure.errors import UnknownMeasure
from metameasure.evaluation.confusion_page import (
    class_name,
    classes_to_show,
    column_of,
    counted,
    which_are_shown,
)
from metameasure.measurement import Measure, arrow, measures, parse_list, value_at
from metameasure.results import Cell, Grid, Page, Printed, json_record
from metameasure.table import Cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from metameasure.evaluation.confusion import ConfusionMatrix

    Floats = NDArray[np.float64]

Average = Literal["macro", "micro", "weighted", "overall"]
AVERAGES: tuple[Average, ...] = get_args(Average)
COLUMNS = ("label", "average", "measure", "value", "n")
DEFAULT = ("accuracy", "precision", "tpr", "f_measure", "mcc", "kappa")

MOST_ACROSS = 8
WHAT_IS_POSITIVE = (
    "averages leave out undefined values; positive is what is of the class, and above the cut what "
    "is predicted to be"
)


def cut_measures(chosen: str | Measure | Iterable[str | Measure]) -> list[Measure]:
    """Measures that a confusion matrix has: those that are taken at an operating point."""
    if isinstance(chosen, Measure):
        chosen = [chosen]
    if isinstance(chosen, str) and chosen == "all":
        return [measure for measure in measures() if measure.point]
    default = isinstance(chosen, str) and chosen == "default"
    found = parse_list(DEFAULT if default else chosen)
    for measure in found:
        if measure.point is None:
            raise UnknownMeasure(
                f"{measure} needs the scores: a confusion matrix has measures like "
                f"{', '.join(DEFAULT)}"
            )
        if measure.point != measure.declaration.point:
            raise UnknownMeasure(
                f"{measure}: the cut of a confusion matrix is made already; leave out "
                f"@{measure.point}"
            )
    return found


def averages(measure: Measure, cuts: Cut, values: Floats) -> dict[Average, float]:
    """The means of the values of all classes; one where the measure is undefined is left out.

    ``overall`` is there only for measures of the whole matrix.
    """
    known = ~np.isnan(values)
    weight = np.where(known, cuts.P, 0.0)
    counts = weight > 0
    summed = Cut(*(np.sum(part) for part in (cuts.tp, cuts.fp, cuts.P, cuts.N)))
    found: dict[Average, float] = {
        "macro": float(values[known].mean()) if known.any() else math.nan,
        "micro": float(value_at(measure, summed)),
        "weighted": float(np.average(values[counts], weights=weight[counts]))
        if counts.any()
        else math.nan,
    }
    if measure.name in _OVERALL:
        with np.errstate(divide="ignore", invalid="ignore"):
            found["overall"] = float(_OVERALL[measure.name](cuts))
    return found


def _accuracy(cuts: Cut) -> Any:
    return np.sum(cuts.tp) / np.sum(cuts.P)


def _error_rate(cuts: Cut) -> Any:
    return np.sum(cuts.fn) / np.sum(cuts.P)


def _beyond_chance(cuts: Cut) -> Any:
    """n^2 times the agreement beyond that of independent labels and predictions."""
    return np.sum(cuts.tp * cuts.tn - cuts.fp * cuts.fn)


def _kappa(cuts: Cut) -> Any:
    return _beyond_chance(cuts) / np.sum(cuts.P * (cuts.fn + cuts.tn))


def _mcc(cuts: Cut) -> Any:
    spread = np.sum(cuts.P * cuts.N), np.sum((cuts.tp + cuts.fp) * (cuts.fn + cuts.tn))
    return np.clip(_beyond_chance(cuts) / (np.sqrt(spread[0]) * np.sqrt(spread[1])), -1, 1)


_OVERALL: dict[str, Callable[[Cut], Any]] = {
    "accuracy": _accuracy,
    "error_rate": _error_rate,
    "kappa": _kappa,
    "mcc": _mcc,
}
"""Measures of the whole matrix: for two classes they are the binary ones.

Kappa is Cohen's, mcc the correlation of Gorodkin.
"""


@dataclass(frozen=True)
class ClassRow:
    """One measure of one class, or an average of it over the classes."""

    label: Any
    average: Average | None
    measure: Measure
    value: float
    n: float

    @property
    def undefined(self) -> bool:
        """Whether there is no value."""
        return math.isnan(self.value)

    @property
    def place(self) -> str:
        """What it is the value of, in words."""
        return f"class {class_name(self.label)}" if self.average is None else self.average


class ClassMeasures(Printed):
    """Measures of each class and their averages; ``frame()`` has one row a value.

    In the rows of a class ``n`` is the number of its cases, in those of averages that of all.
    """

    def __init__(self, matrix: ConfusionMatrix, chosen: Sequence[Measure]) -> None:
        self.matrix = matrix
        self.chosen = tuple(chosen)
        self.rows = tuple(row for measure in chosen for row in _rows(matrix, measure))

    @property
    def undefined(self) -> list[ClassRow]:
        """The rows that have no value."""
        return [row for row in self.rows if row.undefined]

    def records(self) -> list[dict[str, Any]]:
        """The rows as dicts, the measure as text; averages have no label."""
        return [
            {
                name: str(row.measure) if name == "measure" else getattr(row, name)
                for name in COLUMNS
            }
            for row in self.rows
        ]

    def frame(self) -> Any:
        """A tidy polars frame."""
        import polars as pl  # noqa: PLC0415

        return pl.DataFrame(
            {
                "label": column_of([row.label for row in self.rows]),
                "average": pl.Series([row.average for row in self.rows], dtype=pl.String),
                "measure": [str(row.measure) for row in self.rows],
                "value": [row.value for row in self.rows],
                "n": [row.n for row in self.rows],
            }
        )

    def content(self) -> dict[str, Any]:
        """What JSON has: ``rows`` and ``undefined``, with the reasons."""
        labels = iter(column_of([row.label for row in self.rows]).to_list())
        rows = [json_record({**record, "label": next(labels)}) for record in self.records()]
        undefined = [
            {**{key: record[key] for key in COLUMNS[:3]}, "reason": row.measure.undefined_when}
            for record, row in zip(rows, self.rows, strict=True)
            if row.undefined
        ]
        return {"rows": rows, "undefined": undefined}

    def to_json(self) -> str:
        """JSON with ``rows`` and ``undefined``; an undefined value is null."""
        return json.dumps(self.content(), indent=2)

    def page(self) -> Page:
        """Classes down and measures across, or the other way if those are many; then averages."""
        matrix = self.matrix
        values = {(row.average, row.label, row.measure): number(row.value) for row in self.rows}
        classes = [
            (class_name(label), [values[None, label, measure] for measure in self.chosen], n)
            for place in classes_to_show(matrix.counts)
            for label, n in [(matrix.labels[place], float(matrix.true_totals[place]))]
        ]
        means = [
            (average, [values.get((average, None, m), "") for m in self.chosen], matrix.n)
            for average in AVERAGES
            if any((average, None, m) in values for m in self.chosen)
        ]
        grids = [self._grid("class", classes), self._grid("average", means)]
        return Page(grids, [*which_are_shown(matrix.counts), *self._undefined_lines()])

    def _grid(self, what: str, lines: Sequence[tuple[str, list[str], float]]) -> Grid:
        named = [*(f"{measure} {arrow(measure.best)}" for measure in self.chosen), "n"]
        texts = [[*values, counted(n)] for _, values, n in lines]
        names = [name for name, _, _ in lines]
        if len(self.chosen) > MOST_ACROSS:
            what, names, named = "measure", named, names
            texts = [list(column) for column in zip(*texts, strict=True)]
        rows = [(name, list(map(Cell, line))) for name, line in zip(names, texts, strict=True)]
        return Grid([what, *named], rows)

    def _undefined_lines(self) -> list[str]:
        where: dict[Measure, list[str]] = {}
        for row in self.undefined:
            where.setdefault(row.measure, []).append(row.place)
        lines = [
            f"{measure} is undefined ({UNDEFINED}) when {measure.undefined_when}: "
            f"{some_names(places)}"
            for measure, places in where.items()
        ]
        return [*lines, WHAT_IS_POSITIVE] if lines else []

    def __repr__(self) -> str:
        return f"<measures of classes: {len(self.chosen)} of {len(self.matrix.labels)} classes>"


def _rows(matrix: ConfusionMatrix, measure: Measure) -> list[ClassRow]:
    values = value_at(measure, matrix.cuts)
    each = zip(matrix.labels, values.tolist(), matrix.true_totals.tolist(), strict=True)
    rows = [ClassRow(label, None, measure, value, n) for label, value, n in each]
    found = averages(measure, matrix.cuts, values)
    return [*rows, *(ClassRow(None, a, measure, v, matrix.n) for a, v in found.items())]
