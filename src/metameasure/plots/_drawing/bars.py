"""Histograms of the scores of each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError
from metameasure.plots._drawing.style import NEGATIVE, POSITIVE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from matplotlib.axes import Axes
    from matplotlib.patches import StepPatch

    from metameasure._types import Floats
    from metameasure.table import ScoreTable


CLASSES: dict[str, dict[str, Any]] = {
    "negative": {"facecolor": "none", "edgecolor": NEGATIVE, "hatch": "//////"},
    "positive": {"facecolor": POSITIVE + "99", "edgecolor": POSITIVE},
}
"""One class is filled and the other hatched, so that they differ in gray print."""
FEW = 25
"""Number of distinct scores up to which each has its own bar."""
FAR, RARE = 3.0, 5e-3
"""Scores are out of view if they are rarer than RARE and widen the axis by more than FAR."""
LEAST, MOST = 20, 60
"""Limits of the default number of bars."""


@dataclass(frozen=True, eq=False)
class Bars:
    """The fraction of each class in each bar.

    Attributes:
        edges: the edges of the bars.
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


def bars_of(tables: Mapping[str, ScoreTable], bins: int | None) -> dict[str, Bars]:
    """The bars of each model, over the same edges.

    A few distinct scores have a bar each, unless the number of bars is given.
    """
    scores = [table.score[np.isfinite(table.score)] for table in tables.values()]
    if not any(finite.size for finite in scores):
        raise DataError("all scores are infinite; there is no axis to draw them on")
    if bins is None and all(finite.size <= FEW for finite in scores):
        values = np.unique(np.concatenate(scores))
        if values.size <= FEW:
            return {name: _one_by_one(table, values) for name, table in tables.items()}
    low, high = _view(tables.values())
    number = bins or int(np.clip(3 * np.cbrt(max(map(len, scores))), LEAST, MOST))
    edges = np.linspace(low, high, number + 1)
    return {name: _binned(table, edges) for name, table in tables.items()}


def weights_in(table: ScoreTable, edges: Floats) -> tuple[Floats, Floats]:
    """The weights of positives and negatives between edges; the outermost bins include the rest.

    A bin includes its lower edge; the last one includes both.
    """
    rows = np.searchsorted(-table.score, -edges[1:-1], side="right")
    above = np.concatenate([[table.score.size], rows, [0]])
    return -np.diff(table.tp[above]), -np.diff(table.fp[above])


def draw_bars(
    axes: Axes, edges: Floats, heights: Floats, word: str, line: float = 0.0
) -> StepPatch:
    """Draw the bars of one class from a baseline."""
    look = {"linewidth": 0.8, "zorder": 1.6, **CLASSES[word]}
    return axes.stairs(heights, edges, baseline=line, fill=True, **look)


def _one_by_one(table: ScoreTable, values: Floats) -> Bars:
    """One bar per value, with gaps between them."""
    gaps = np.diff(values)
    half = 0.25 * float(gaps.min()) if gaps.size else 0.25
    weights = weights_in(table, np.concatenate([values[:1], values[:-1] + gaps / 2, values[-1:]]))
    edges = np.column_stack([values - half, values + half]).reshape(-1)
    spread = [np.column_stack([w, np.zeros(w.size)]).reshape(-1)[:-1] for w in weights]
    return _bars(table, edges, spread, (values[0], values[-1]))


def _binned(table: ScoreTable, edges: Floats) -> Bars:
    return _bars(table, edges, weights_in(table, edges), (edges[0], edges[-1]))


def _bars(table: ScoreTable, edges: Floats, weights: Any, ends: tuple[float, float]) -> Bars:
    positive, negative = (
        weight / (total or 1.0) for weight, total in zip(weights, (table.P, table.N), strict=True)
    )
    below, above = table.score < ends[0], table.score > ends[1]
    beyond = float(table.weight[below].sum()), float(table.weight[above].sum())
    return Bars(edges, positive, negative, beyond)


def _view(tables: Collection[ScoreTable]) -> tuple[float, float]:
    """Limits of the score axis: all scores, or all but rare outliers."""
    ends = [
        _ends(table.score, weight, share)
        for share in (0.0, RARE)
        for table in tables
        for weight in (table.pos, table.neg)
    ]
    lows, highs = np.array(ends).reshape(2, -1, 2).transpose(2, 0, 1)
    (low, least), (high, most) = np.nanmin(lows, axis=1).tolist(), np.nanmax(highs, axis=1).tolist()
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    if 0 < FAR * (most - least) < high - low:
        margin = 0.05 * (most - least)
        return max(low, least - margin), min(high, most + margin)
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _ends(score: Floats, weight: Floats, share: float) -> tuple[float, float]:
    """The range of the finite scores of a class without a fraction at both ends; NaN if none."""
    kept = np.isfinite(score) & (weight > 0)
    if not kept.any():
        return np.nan, np.nan
    score, gone = score[kept], np.cumsum(weight[kept])
    last = score.size - 1
    high, low = np.searchsorted(gone, [share * gone[-1], (1 - share) * gone[-1]])
    return float(score[min(low, last)]), float(score[high])
