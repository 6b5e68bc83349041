"""Measures of each class against the rest, and their averages."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure._arguments import Choice, read_argument
from metameasure._text import UNDEFINED, amount, number, some_names
from metameasure.errors import Argument, ParameterError
from metameasure.evaluation.confusion_grid import hidden_classes, shown_classes
from metameasure.measurement import Measure, arrow, measures, parse_list
from metameasure.results import Cell, Grid, Result, class_name
from metameasure.table import Cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure._types import Floats
    from metameasure.evaluation.confusion import ConfusionMatrix


Average = Literal["macro", "micro", "weighted", "overall"]
AVERAGES: tuple[Average, ...] = get_args(Average)
DEFAULT = ("accuracy", "precision", "tpr", "f_measure", "mcc", "kappa")

MOST_ACROSS = 8
"""Number of measures up to which each has a column."""
WHAT_IS_POSITIVE = (
    "averages exclude undefined values; a case is positive if it belongs to the class, and "
    "predicted positive if the class was predicted"
)


def cut_measures(chosen: str | Measure | Iterable[str | Measure]) -> list[Measure]:
    """The measures of a confusion matrix: those with an operating point."""
    if isinstance(chosen, Measure):
        chosen = [chosen]
    if isinstance(chosen, str) and chosen == "all":
        return [measure for measure in measures() if measure.point]
    default = isinstance(chosen, str) and chosen == "default"
    found = parse_list(DEFAULT if default else chosen)
    for measure in found:
        if measure.point is None:
            raise ParameterError(
                f"{measure} needs scores, which a confusion matrix does not have",
                remedy=f"choose measures such as {', '.join(DEFAULT)}",
                argument="measures",
            )
        if measure.point != measure.declaration.point:
            raise ParameterError(
                "a confusion matrix has a fixed operating point",
                remedy=f'remove "@{measure.point}" from {measure}',
                argument="measures",
            )
    return found


def averages(measure: Measure, cuts: Cut, values: Floats) -> dict[Average, float]:
    """The averages over classes, without those for which the measure is undefined.

    Only measures of the whole matrix have ``overall``.
    """
    known = ~np.isnan(values)
    weight = np.where(known, cuts.P, 0.0)
    counts = weight > 0
    summed = Cut(*(np.sum(part) for part in (cuts.tp, cuts.fp, cuts.P, cuts.N)))
    found: dict[Average, float] = {
        "macro": float(values[known].mean()) if known.any() else math.nan,
        "micro": float(measure.at_cut(summed)),
        "weighted": float(np.average(values[counts], weights=weight[counts]))
        if counts.any()
        else math.nan,
    }
    if measure.declaration.overall is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            found["overall"] = float(measure.declaration.overall(cuts))
    return found


@dataclass(frozen=True)
class ClassRow:
    """One measure of one class, or an average of it over the classes.

    Attributes:
        label: the label of the class; None for an average.
        average: the kind of average; None for a class.
        measure: the measure.
        value: its value.
        n: the number of cases of the class, or for an average that of all cases.
    """

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
        """The class or the average, in words."""
        return f"class {class_name(self.label)}" if self.average is None else self.average


@dataclass(frozen=True)
class UndefinedClassValue:
    """A value that is undefined, and the reason."""

    label: Any
    average: Average | None
    measure: Measure
    reason: str


class ClassMeasures(Result):
    """Measures of each class and their averages: one row per value.

    Attributes:
        undefined: the rows without a value, with the reason.
    """

    schema = ClassRow
    extra = {"undefined": UndefinedClassValue}  # noqa: RUF012
    rows: tuple[ClassRow, ...]

    def __init__(self, matrix: ConfusionMatrix, chosen: Sequence[Measure]) -> None:
        super().__init__([row for measure in chosen for row in _rows(matrix, measure)])
        self.matrix = matrix
        self.chosen = tuple(chosen)

    @property
    def undefined(self) -> tuple[UndefinedClassValue, ...]:
        """The rows without a value."""
        return tuple(
            UndefinedClassValue(row.label, row.average, row.measure, row.measure.undefined_when)
            for row in self.rows
            if row.undefined
        )

    def grids(self) -> list[Grid]:
        """One line per class and one column per measure, transposed for many; then averages."""
        matrix = self.matrix
        values = {(row.average, row.label, row.measure): number(row.value) for row in self.rows}
        classes = [
            (class_name(label), [values[None, label, measure] for measure in self.chosen], n)
            for place in shown_classes(matrix.counts)
            for label, n in [(matrix.labels[place], float(matrix.true_totals[place]))]
        ]
        means = [
            (average, [values.get((average, None, m), "") for m in self.chosen], matrix.n)
            for average in AVERAGES
            if any((average, None, m) in values for m in self.chosen)
        ]
        return [self._grid("class", classes), self._grid("average", means)]

    def notes(self) -> list[str]:
        """Which classes are shown, and which values are undefined."""
        where: dict[Measure, list[str]] = {}
        for row in self.rows:
            if row.undefined:
                where.setdefault(row.measure, []).append(row.place)
        lines = [
            f"{measure} is undefined ({UNDEFINED}) when {measure.undefined_when}: "
            f"{some_names(places)}"
            for measure, places in where.items()
        ]
        shown = hidden_classes(self.matrix.counts)
        return [*shown, *lines, WHAT_IS_POSITIVE] if lines else shown

    def _grid(self, what: str, lines: Sequence[tuple[str, list[str], float]]) -> Grid:
        named = [*(f"{measure} {arrow(measure.best)}" for measure in self.chosen), "n"]
        texts = [[*values, amount(n)] for _, values, n in lines]
        names = [name for name, _, _ in lines]
        if len(self.chosen) > MOST_ACROSS:
            what, names, named = "measure", named, names
            texts = [list(column) for column in zip(*texts, strict=True)]
        rows = [(name, list(map(Cell, line))) for name, line in zip(names, texts, strict=True)]
        return Grid([what, *named], rows)

    def __repr__(self) -> str:
        return f"<measures of classes: {len(self.chosen)} of {len(self.matrix.labels)} classes>"


def _rows(matrix: ConfusionMatrix, measure: Measure) -> list[ClassRow]:
    values = measure.at_cut(matrix.cuts)
    each = zip(matrix.labels, values.tolist(), matrix.true_totals.tolist(), strict=True)
    rows = [ClassRow(label, None, measure, value, n) for label, value, n in each]
    found = averages(measure, matrix.cuts, values)
    return [*rows, *(ClassRow(None, a, measure, v, matrix.n) for a, v in found.items())]


def average_of(
    matrix: ConfusionMatrix, measure: Measure, average: Average | None
) -> tuple[float, str]:
    """An average, and the classes that it leaves out."""
    values = measure.at_cut(matrix.cuts)
    found = averages(measure, matrix.cuts, values)
    if average is None and "overall" not in found:
        raise ParameterError(
            f"{measure} is a measure of one class against the rest",
            remedy=(
                *("pass ", Argument("label"), " or ", Argument("average")),
                " ('macro', 'micro' or 'weighted')",
            ),
        )
    chosen = "overall" if average is None else average
    average = read_argument("average", chosen, Choice(tuple(found)))
    names = [class_name(matrix.labels[place]) for place in np.flatnonzero(np.isnan(values))]
    if not names or average not in {"macro", "weighted"}:
        return found[average], ""
    left_out = f"{len(names)} of {len(matrix.labels)} classes ({some_names(names)})"
    return found[average], f"{left_out}, which the average excludes"
