"""How the value of a measure comes from the parts of a table that is too large to hold at once.

The rows of the whole are divided into parts from the highest scores to the lowest. Each part gives
a small state, wherever it is; the states are joined in the order of the scores, and the last one
gives the value. A measure that declares ``partial=`` is computed in this way, with the same result
as from the whole table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError
from metameasure.table import Cut, Point, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from metameasure.measurement._measure import Measure
    from metameasure.progress import Progress
    from metameasure.table import PartedTable, TablePart

    Totals = tuple[float, float]


class Partial(ABC):
    """A way to compute a measure from the parts of a table; states are tuples of numbers or arrays.

    ``totals`` are the weights of all positives and of all negatives. ``only`` tells of the
    parameters whether the way applies, if not always.
    """

    only: Callable[..., bool] | None = None

    @abstractmethod
    def of_part(self, measure: Measure, part: TablePart) -> tuple[Any, ...]:
        """The state of one part."""

    def join(self, first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
        """The state of two parts, of which the first has the higher scores."""
        return tuple(a + b for a, b in zip(first, second, strict=True))

    @abstractmethod
    def value(self, measure: Measure, state: tuple[Any, ...], totals: Totals) -> Any:
        """The value, from the state of all parts."""


@dataclass(frozen=True)
class Added(Partial):
    """The sum of the values of the parts: the function is a sum over the rows."""

    only: Callable[..., bool] | None = None

    def of_part(self, measure: Measure, part: TablePart) -> tuple[Any, ...]:
        """The value of the part, of which the totals are those of the whole."""
        return (measure.compute(part),)

    def value(self, measure: Measure, state: tuple[Any, ...], totals: Totals) -> Any:  # noqa: ARG002
        """The sum."""
        return state[0]


@dataclass(frozen=True)
class Sums(Partial):
    """A function of sums over the rows.

    ``sums`` gives, from a part and the parameters, those of its rows; ``of_sums`` gives the value
    from those of all rows.
    """

    sums: Callable[..., tuple[Any, ...]]
    of_sums: Callable[..., Any]

    def of_part(self, measure: Measure, part: TablePart) -> tuple[Any, ...]:
        """The sums over the rows of the part."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.sums(part, **dict(measure.parameters))

    def value(self, measure: Measure, state: tuple[Any, ...], totals: Totals) -> Any:  # noqa: ARG002
        """The function of the sums."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.of_sums(*state)


@dataclass(frozen=True)
class Extremes(Partial):
    """A function of the largest and the smallest of some values of the rows.

    ``along`` gives, from a part and the parameters, these values.
    """

    along: Callable[..., Any]
    of_extremes: Callable[[Any, Any], Any]

    def of_part(self, measure: Measure, part: TablePart) -> tuple[Any, ...]:
        """The largest and the smallest value of the part."""
        values = self.along(part, **dict(measure.parameters))
        return np.max(values), np.min(values)

    def join(self, first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
        """The larger and the smaller ones."""
        return np.maximum(first[0], second[0]), np.minimum(first[1], second[1])

    def value(self, measure: Measure, state: tuple[Any, ...], totals: Totals) -> Any:  # noqa: ARG002
        """The function of both."""
        return self.of_extremes(*state)


@dataclass(frozen=True)
class OfHull(Partial):
    """A function of the ROC convex hull: that of the hulls of the parts is that of the whole."""

    def of_part(self, measure: Measure, part: TablePart) -> tuple[Any, ...]:  # noqa: ARG002
        """The rows of the hull of the part."""
        return _rows(part.without_empty_rows().hull)

    def join(self, first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
        """The rows of the hull of both."""
        joined = (np.concatenate(both) for both in zip(first, second, strict=True))
        return _rows(ScoreTable.of_weights(*joined).hull)

    def value(self, measure: Measure, state: tuple[Any, ...], totals: Totals) -> Any:  # noqa: ARG002
        """The value for the table of the hull."""
        return measure.compute(ScoreTable.of_weights(*state))


@dataclass(frozen=True)
class OfCut(Partial):
    """A function of the confusion matrix at the operating point, or at the threshold."""

    def of_part(self, measure: Measure, part: TablePart) -> tuple[Any, ...]:
        """The weight of the positives and negatives of the part above and below the cut."""
        return part.cells(_point(measure))

    def value(self, measure: Measure, state: tuple[Any, ...], totals: Totals) -> Any:  # noqa: ARG002
        """The value for the confusion matrix."""
        return measure.at_cut(self.cut(state))

    @staticmethod
    def cut(state: tuple[Any, ...]) -> Cut:
        """The confusion matrix."""
        tp, fp, fn, tn = map(np.float64, state)
        return Cut(tp, fp, tp + fn, fp + tn)


class From(Partial):
    """A function of the values of other measures, which are computed from parts."""

    def __init__(self, function: Callable[..., Any], *measures: Measure) -> None:
        self.function, self.measures = function, measures
        self.partials = [required_partial(measure) for measure in measures]

    def of_part(self, measure: Measure, part: TablePart) -> tuple[Any, ...]:  # noqa: ARG002
        """The states of all these measures."""
        both = zip(self.measures, self.partials, strict=True)
        return tuple(partial.of_part(one, part) for one, partial in both)

    def join(self, first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
        """Their states, joined one by one."""
        each = zip(self.partials, first, second, strict=True)
        return tuple(partial.join(a, b) for partial, a, b in each)

    def value(self, measure: Measure, state: tuple[Any, ...], totals: Totals) -> Any:  # noqa: ARG002
        """The function of their values."""
        each = zip(self.measures, self.partials, state, strict=True)
        return self.function(*(partial.value(one, its, totals) for one, partial, its in each))


def partial_of(measure: Measure) -> Partial | None:
    """How a measure is computed from parts; None if it is not.

    Measures at an operating point are functions of the confusion matrix there.
    """
    if measure.point is not None or measure.threshold is not None:
        return OfCut()
    declared = measure.declaration.partial
    if declared is None or declared.only is None or declared.only(**dict(measure.parameters)):
        return declared
    return None


def values_in_parts(
    table: PartedTable, measures: Iterable[Measure], progress: Progress | None = None
) -> dict[Measure, float]:
    """The value of each measure, from one walk over the parts of a table."""
    asked = {measure: (measure, required_partial(measure)) for measure in measures}
    found = walk(table, asked, progress)
    return {measure: float(measure.within_range(value)) for measure, value in found.items()}


def walk(
    table: PartedTable,
    asked: Mapping[Any, tuple[Measure, Partial]],
    progress: Progress | None = None,
) -> dict[Any, Any]:
    """What several partials give for their measures, by their keys, from one walk over parts."""
    states: dict[Any, tuple[Any, ...]] = {}
    for part in table:
        for key, (measure, partial) in asked.items():
            if measure.unit_scores:
                measure.require_unit(part)
            state = partial.of_part(measure, part)
            states[key] = partial.join(states[key], state) if key in states else state
        if progress is not None:
            progress(min((part.number + 1) / table.parts, 1.0))
    return {
        key: asked[key][1].value(asked[key][0], state, table.totals)
        for key, state in states.items()
    }


def required_partial(measure: Measure) -> Partial:
    """How a measure is computed from parts; an error if it is not."""
    partial = partial_of(measure)
    if partial is None:
        raise DataError(
            f"{measure} is not a sum over the rows of a table, so that it cannot be computed from "
            "data that do not fit in memory",
            remedy="compute it from a random sample of the rows, or remove it",
        )
    return partial


def _point(measure: Measure) -> Any:
    return measure.point or Point("threshold", measure.threshold)  # type: ignore[arg-type]


def _rows(table: ScoreTable) -> tuple[Any, ...]:
    return table.score, table.pos, table.neg
