"""Histograms of the scores of each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError
from metameasure.plots._drawing.score_axis import ScoreAxis, weights_in
from metameasure.plots._drawing.style import NEGATIVE, POSITIVE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from matplotlib.patches import StepPatch

    from metameasure._types import Floats
    from metameasure.plots._drawing.score_axis import Scale
    from metameasure.table import ScoreTable


CLASSES: dict[str, dict[str, Any]] = {
    "negative": {"facecolor": "none", "edgecolor": NEGATIVE, "hatch": "//////"},
    "positive": {"facecolor": POSITIVE + "99", "edgecolor": POSITIVE},
}
"""One class is filled and the other hatched, so that they differ in gray print."""
FEW = 25
"""Number of distinct scores up to which each has its own bar."""
LEAST, MOST = 20, 60
"""Limits of the default number of bars."""


@dataclass(frozen=True, eq=False)
class Bars:
    """The fraction of each class in each bar.

    Attributes:
        edges: the places of the edges of the bars on the axis.
        positive: the fraction of the positives in each bar.
        negative: the fraction of the negatives in each bar.
        beyond: the weights of the cases below and above the axis, counted in the outermost bars.
    """

    edges: Floats
    positive: Floats
    negative: Floats
    beyond: tuple[float, float]

    @property
    def top(self) -> float:
        """The largest fraction."""
        return float(max(self.positive.max(), self.negative.max()))

    def of(self, word: str) -> Floats:
        """The fractions of one class."""
        return self.positive if word == "positive" else self.negative


def axis_of(tables: Mapping[str, ScoreTable], bins: int | None, scale: Scale | None) -> ScoreAxis:
    """The common axis of the models.

    A few distinct scores have a bar each, unless the number of bars is given.
    """
    scores = [table.score[np.isfinite(table.score)] for table in tables.values()]
    if not any(finite.size for finite in scores):
        raise DataError("all scores are infinite; there is no axis to draw them on")
    if bins is None and all(finite.size <= FEW for finite in scores):
        values = np.unique(np.concatenate(scores))
        if values.size <= FEW:
            return ScoreAxis.of_values(values, scale)
    number = bins or int(np.clip(3 * np.cbrt(max(map(len, scores))), LEAST, MOST))
    return ScoreAxis.of(tables.values(), number, scale)


def bars_of(tables: Mapping[str, ScoreTable], axis: ScoreAxis) -> dict[str, Bars]:
    """The bars of each model on the common axis."""
    make = _one_by_one if axis.each else _binned
    return {name: make(table, axis) for name, table in tables.items()}


def draw_bars(
    axes: Axes, edges: Floats, heights: Floats, word: str, line: float = 0.0
) -> StepPatch:
    """Draw the bars of one class from a baseline."""
    look = {"linewidth": 0.8, "zorder": 1.6, **CLASSES[word]}
    return axes.stairs(heights, edges, baseline=line, fill=True, **look)


def _one_by_one(table: ScoreTable, axis: ScoreAxis) -> Bars:
    """One bar per value, with gaps between them."""
    values, places = axis.edges, axis.places(axis.edges)
    gaps = np.diff(places)
    half = 0.25 * float(gaps.min()) if gaps.size else 0.25
    between = values[:-1] + np.diff(values) / 2
    weights = weights_in(table, np.concatenate([values[:1], between, values[-1:]]))
    edges = np.column_stack([places - half, places + half]).reshape(-1)
    spread = [np.column_stack([w, np.zeros(w.size)]).reshape(-1)[:-1] for w in weights]
    return _bars(table, edges, spread, (values[0], values[-1]))


def _binned(table: ScoreTable, axis: ScoreAxis) -> Bars:
    edges = axis.edges
    return _bars(table, axis.places(edges), weights_in(table, edges), (edges[0], edges[-1]))


def _bars(table: ScoreTable, edges: Floats, weights: Any, ends: tuple[float, float]) -> Bars:
    positive, negative = (
        weight / (total or 1.0) for weight, total in zip(weights, (table.P, table.N), strict=True)
    )
    below, above = table.score < ends[0], table.score > ends[1]
    beyond = float(table.weight[below].sum()), float(table.weight[above].sum())
    return Bars(edges, positive, negative, beyond)
