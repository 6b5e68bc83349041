"""Bars: what share of each class has which scores."""

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
    from numpy.typing import NDArray

    from metameasure.table import ScoreTable

    Floats = NDArray[np.float64]

CLASSES: dict[str, dict[str, Any]] = {
    "negative": {"facecolor": "none", "edgecolor": NEGATIVE, "hatch": "//////"},
    "positive": {"facecolor": POSITIVE + "99", "edgecolor": POSITIVE},
}
"""One class is filled and the other hatched, so that grey print tells them apart."""
FEW = 25
"""So many distinct scores are shown one by one."""
FAR, RARE = 3.0, 5e-3
"""Rare scores that would make the picture so many times as wide are not in view."""
LEAST, MOST = 20, 60
"""How many bars there are, if nobody says it."""


@dataclass(frozen=True, eq=False)
class Bars:
    """The share of each class in each of some bars.

    Attributes:
        edges: where bars begin, and where the last one ends.
        positive: the share of the positives in each.
        negative: the share of the negatives in each.
        beyond: the weight of the cases below and above, which are in the bars at both ends.
    """

    edges: Floats
    positive: Floats
    negative: Floats
    beyond: tuple[float, float]

    @property
    def top(self) -> float:
        """The largest share."""
        return float(max(self.positive.max(), self.negative.max()))

    def of(self, word: str) -> Floats:
        """The shares of one class."""
        return self.positive if word == "positive" else self.negative

    def mode(self, word: str) -> tuple[float, float]:
        """Where the highest bar of a class lies, and how high it is."""
        place = int(np.argmax(self.of(word)))
        middle = float(self.edges[place] + self.edges[place + 1]) / 2
        return middle, float(self.of(word)[place])


def bars_of(tables: Mapping[str, ScoreTable], bins: int | None) -> dict[str, Bars]:
    """The bars of each of some models over the same scores.

    Distinct scores have bars of their own if they are few, unless the number of bars is given.
    """
    scores = [table.score[np.isfinite(table.score)] for table in tables.values()]
    if not any(finite.size for finite in scores):
        raise DataError("no score is finite, so that there is no axis to draw them on")
    if bins is None and all(finite.size <= FEW for finite in scores):
        values = np.unique(np.concatenate(scores))
        if values.size <= FEW:
            return {name: _one_by_one(table, values) for name, table in tables.items()}
    low, high = _view(tables.values())
    number = bins or int(np.clip(3 * np.cbrt(max(map(len, scores))), LEAST, MOST))
    edges = np.linspace(low, high, number + 1)
    return {name: _binned(table, edges) for name, table in tables.items()}


def weights_in(table: ScoreTable, edges: Floats) -> tuple[Floats, Floats]:
    """The weight of the positives and of the negatives between edges; all beyond are in the last.

    A score at an edge belongs to what is above it, but for the last edge.
    """
    rows = np.searchsorted(-table.score, -edges[1:-1], side="right")
    above = np.concatenate([[table.score.size], rows, [0]])
    return -np.diff(table.tp[above]), -np.diff(table.fp[above])


def draw_bars(
    axes: Axes, edges: Floats, heights: Floats, word: str, line: float = 0.0
) -> StepPatch:
    """Draw bars of one class from a line to their heights."""
    look = {"linewidth": 0.8, "zorder": 1.6, **CLASSES[word]}
    return axes.stairs(heights, edges, baseline=line, fill=True, **look)


def _one_by_one(table: ScoreTable, values: Floats) -> Bars:
    """A bar for each value, with nothing between them."""
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
    """From where to where scores are shown: all, or all but rare ones that are far away."""
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
    """The finite scores between which a class lies, but for a share at both ends; NaN if none."""
    kept = np.isfinite(score) & (weight > 0)
    if not kept.any():
        return np.nan, np.nan
    score, gone = score[kept], np.cumsum(weight[kept])
    last = score.size - 1
    high, low = np.searchsorted(gone, [share * gone[-1], (1 - share) * gone[-1]])
    return float(score[min(low, last)]), float(score[high])
