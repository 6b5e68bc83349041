"""Values of an evaluation by measure and model, and the model with the best value."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from metameasure._text import limits, number, shown, some_names
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.measurement import Measure, arrow, parse
from metameasure.results import Cell, Grid, SingleRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure.evaluation.evaluation_result import Row

NOT_TESTED = "differences between models are not tested; see compare"


class Limits(NamedTuple):
    """The limits of a confidence interval; NaN if the value has none."""

    low: float
    high: float


@dataclass(frozen=True)
class Best(SingleRow):
    """The model with the best value of a measure, and those that may be as good.

    Attributes:
        model: the name of the model; the first one if several have the best value.
        measure: the measure.
        value: its value.
        low, high: the limits of its confidence interval; None without one.
        overlapping: the other models whose intervals overlap with that interval, so that they may
            be as good; ``compare`` tests the differences. None if there are no intervals.
    """

    model: str
    measure: Measure
    value: float
    low: float | None
    high: float | None
    overlapping: tuple[str, ...] | None

    def grids(self) -> list[Grid]:
        """The value with its interval."""
        measure = f"{self.measure.stated} {arrow(self.measure.best)}"
        cell = Cell(number(self.value), limits(self.low, self.high))
        return [Grid(["model", measure], [(self.model, [cell])])]

    def notes(self) -> list[str]:
        """Which other models may be as good."""
        if not self.overlapping:
            return [NOT_TESTED]
        others = some_names(self.overlapping)
        return [f"intervals that overlap with this one: {others}; {NOT_TESTED}"]


class FoundValues:
    """Access to the rows of an evaluation by the names of measures, models, groups and classes."""

    rows: tuple[Row, ...]

    @cached_property
    def _by_group(self) -> dict[str | None, list[Row]]:
        """The rows of each group, of which there may be very many."""
        found: dict[str | None, list[Row]] = {}
        for row in self.rows:
            found.setdefault(row.group, []).append(row)
        return found

    def value(
        self,
        measure: str | Measure,
        *,
        model: str | None = None,
        group: Any = None,
        label: Any = None,
    ) -> float:
        """The value of a measure.

        Args:
            measure: the measure or its text.
            model: the model; it may be omitted if there is only one.
            group: the group; by default all cases.
            label: of several classes, the class that is measured against the rest.

        >>> import metameasure as mm
        >>> result = mm.evaluate([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1], "auc, brier", ci=None)
        >>> result.value("auc")
        0.875
        """
        return self._row(measure, model, group, label).value

    def interval(
        self,
        measure: str | Measure,
        *,
        model: str | None = None,
        group: Any = None,
        label: Any = None,
    ) -> Limits:
        """The limits of the confidence interval of a measure, as ``value`` finds it."""
        row = self._row(measure, model, group, label)
        if row.low is None or row.high is None:
            return Limits(np.nan, np.nan)
        return Limits(row.low, row.high)

    def best(self, measure: str | Measure, *, group: Any = None, label: Any = None) -> Best:
        """The model with the best value of a measure, and those that may be as good.

        The best value of a sample need not be that of the best model: see ``overlapping``, and test
        the differences with ``compare``.

        >>> import metameasure as mm
        >>> models = {"a": [0.9, 0.5, 0.5, 0.1], "b": [0.1, 0.5, 0.5, 0.9]}
        >>> mm.evaluate([1, 0, 1, 0], models, "auc", ci=None).best("auc").model
        'a'
        """
        rows = [row for row in self._rows_of(measure, group, label) if not row.undefined]
        if not rows:
            raise DataError(f"{measure} is undefined for all models")
        top = max(rows, key=lambda row: float(row.measure.goodness(row.value)))
        others = None
        if top.low is not None:
            others = tuple(row.model for row in rows if row is not top and _overlap(row, top))
        return Best(top.model, top.measure, top.value, top.low, top.high, others)

    def _row(self, measure: str | Measure, model: str | None, group: Any, label: Any) -> Row:
        """The one row of a value."""
        rows = self._rows_of(measure, group, label)
        models = [row.model for row in rows]
        if model is None:
            if len(models) > 1:
                raise ParameterError(
                    f"there are {len(models)} models, {shown(models)}",
                    remedy=("choose one, such as ", Argument("model", models[0])),
                    argument="model",
                )
            return rows[0]
        return rows[models.index(one_of(models, model, "model"))]

    def _rows_of(self, measure: str | Measure, group: Any, label: Any) -> list[Row]:
        """The rows of a measure, one per model."""
        of_group = self._by_group.get(None if group is None else str(group))
        rows = _chosen(self.rows, group, "group") if of_group is None else of_group
        rows = _chosen(rows, label, "label")
        wanted = str(parse(measure))
        found = [row for row in rows if str(row.measure) == wanted]
        if found:
            return found
        known = list(dict.fromkeys(row.measure for row in rows))
        same = [one.stated for one in known if one.name == parse(measure).name]
        near = same or difflib.get_close_matches(wanted, [one.stated for one in known], n=1)
        raise ParameterError(
            f"{wanted} is not in this result",
            remedy=f"did you mean {near[0]}?"
            if near
            else f"it has {some_names([one.stated for one in known], 12)}",
            argument="measure",
        )


def _chosen(rows: Iterable[Row], name: Any, what: str) -> list[Row]:
    """The rows of one group or class, or without a name those of all cases or classes."""
    found = list(rows)
    if name is not None:
        names = list(dict.fromkeys(n for row in found if (n := getattr(row, what)) is not None))
        name = one_of(names, name, what)
    return [row for row in found if getattr(row, what) == name]


def one_of(names: Sequence[str], name: Any, what: str) -> str:
    """A name that exists; an error suggests similar ones."""
    text = str(name)
    if text in names:
        return text
    near = difflib.get_close_matches(text, names, n=1)
    hint = f"did you mean {shown(near)}?" if near else f"there are {shown(names, 8)}"
    raise ParameterError(
        f"there is no {what} {shown([name])}",
        remedy=hint if names else f"the result has no {what}",
        argument=what,
    )


def _overlap(row: Row, other: Row) -> bool:
    """Whether the intervals of two rows have values in common; without limits they may."""
    ends = (row.low, row.high, other.low, other.high)
    if None in ends:
        return True
    return bool(row.low <= other.high and other.low <= row.high)  # type: ignore[operator]
