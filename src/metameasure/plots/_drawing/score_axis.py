"""The axis of scores in histograms: linear, logarithmic, or by quantiles for skewed scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure.errors import Argument, DataError
from metameasure.table import shortest

if TYPE_CHECKING:
    from collections.abc import Collection

    from metameasure._types import Floats
    from metameasure.table import ScoreTable

Scale = Literal["linear", "log", "quantile"]
CROWDED = 0.5
"""Fraction of the cases in one bar of a linear axis from which on scores are skewed."""
DECADES = 2.0
"""Number of decades of positive scores from which on skewed scores are on a log scale."""
NARROW = 0.005
"""Least distance of a few scores as a fraction of the axis, below which they are skewed."""
FAR, RARE = 3.0, 5e-3
"""Scores are out of view if they are rarer than RARE and widen the axis by more than FAR."""
FAR_LOG = 1.5
"""The same on a log scale, for the smallest scores and the number of decades."""
DIGITS = 3
"""Number of digits of a tick."""


@dataclass(frozen=True, eq=False)
class ScoreAxis:
    """The edges of bars as scores, and where they are drawn.

    Attributes:
        scale: "linear", "log" or "quantile".
        edges: the scores between which cases are counted, in increasing order.
        skewed: whether the scale was chosen because the scores are skewed.
        each: whether the edges are the only scores, and each has a bar.
    """

    scale: Scale
    edges: Floats
    skewed: bool = False
    each: bool = False

    @classmethod
    def of_values(cls, values: Floats, scale: Scale | None) -> ScoreAxis:
        """The axis of a few distinct scores, each of which has a bar."""
        if scale == "log":
            _require_positive(float(values[0]))
        gaps = np.diff(values)
        skewed = scale is None and bool(gaps.size) and gaps.min() < NARROW * gaps.sum()
        return cls(scale or ("quantile" if skewed else "linear"), values, bool(skewed), each=True)

    @classmethod
    def of(cls, tables: Collection[ScoreTable], bars: int, scale: Scale | None) -> ScoreAxis:
        """The axis of some models with a number of bars; without a scale, the one that suits.

        Scores are skewed if one bar of a linear axis has half of the cases, for half of the models.
        """
        linear = cls("linear", np.linspace(*_view(tables), bars + 1))
        if scale == "linear":
            return linear
        if scale is not None:
            return cls(scale, _edges(tables, bars, scale))
        counts = np.array([linear.counts(table) for table in tables])
        if np.median(counts.max(axis=1)) < CROWDED:
            return linear
        crowded = counts[counts.max(axis=1) >= CROWDED]
        low_end = not crowded.argmax(axis=1).any()
        suits: Scale = "log" if low_end and _decades(tables) else "quantile"
        return cls(suits, _edges(tables, bars, suits), skewed=True)

    def counts(self, table: ScoreTable) -> Floats:
        """The fraction of the cases of a model in each bar."""
        positive, negative = weights_in(table, self.edges)
        return (positive + negative) / float(table.n)

    def places(self, scores: Any) -> Floats:
        """Where scores are on the axis; those beyond it are at its ends."""
        within = np.clip(scores, self.edges[0], self.edges[-1])
        if self.scale == "log":
            return np.asarray(np.log10(within))
        if self.scale == "quantile":
            return np.asarray(np.interp(within, self.edges, np.arange(self.edges.size)))
        return np.asarray(within)

    @property
    def ticks(self) -> tuple[list[float], list[str]] | None:
        """The places and names of the ticks; None for those of matplotlib."""
        if self.scale == "linear":
            return None
        scores = self.edges
        if self.scale == "log":
            low, high = np.log10(self.edges[[0, -1]])
            scores = 10.0 ** np.arange(np.ceil(low - 1e-9), np.floor(high + 1e-9) + 1)
        return self.places(scores).tolist(), [_text(score) for score in scores]

    @property
    def label(self) -> str:
        """The name of the axis, with its scale."""
        if self.scale == "linear":
            return "score"
        why = "; scores are skewed" if self.skewed else ""
        return f"score ({self.scale} scale{why})"


def weights_in(table: ScoreTable, edges: Floats) -> tuple[Floats, Floats]:
    """The weights of positives and negatives between edges; the outermost bins include the rest.

    A bin includes its lower edge; the last one includes both.
    """
    rows = np.searchsorted(-table.score, -edges[1:-1], side="right")
    above = np.concatenate([[table.score.size], rows, [0]])
    return -np.diff(table.tp[above]), -np.diff(table.fp[above])


def _edges(tables: Collection[ScoreTable], bars: int, scale: Scale) -> Floats:
    """The edges of bars of equal width on a log scale, or with equal numbers of cases."""
    if scale == "quantile":
        return _quantiles(tables, bars)
    low, high = _least(tables), _view(tables)[1]
    _require_positive(low)
    common = min(_ends(t.score, w, RARE)[0] for t in tables for w in (t.pos, t.neg) if w.any())
    if common < high and np.log(high / low) > FAR_LOG * np.log(high / common):
        low = common
    return np.geomspace(low, high if high > low else 2 * low, bars + 1)


def _require_positive(least: float) -> None:
    if least <= 0:
        raise DataError(
            (Argument("scale", "log"), f" needs positive scores, got {least:g}"),
            remedy=("use ", Argument("scale", "quantile")),
            argument="scale",
        )


def _quantiles(tables: Collection[ScoreTable], bars: int) -> Floats:
    """The distinct quantiles of the finite scores of all models."""
    score = np.concatenate([table.score for table in tables])
    weight = np.concatenate([table.weight / table.n for table in tables])
    kept = np.isfinite(score) & (weight > 0)
    order = np.argsort(score[kept], kind="stable")
    score, upto = score[kept][order], np.cumsum(weight[kept][order])
    shares = np.linspace(0, upto[-1], bars + 1)
    found = np.unique(score[np.minimum(np.searchsorted(upto, shares), score.size - 1)])
    return found if found.size > 1 else np.append(found, found[-1] + 1.0)


def _least(tables: Collection[ScoreTable]) -> float:
    """The least score."""
    return min(float(table.score[table.weight > 0].min()) for table in tables)


def _decades(tables: Collection[ScoreTable]) -> bool:
    """Whether all scores are positive, and extend over enough decades."""
    low, high = _least(tables), _view(tables)[1]
    return low > 0 and high >= low * 10**DECADES


def _text(score: float) -> str:
    """A score with few digits; one that would be rounded to 1 as its distance from 1."""
    rounded = float(f"{score:.{DIGITS}g}")
    return f"1 − {1 - score:.1g}" if score < rounded == 1 else shortest(rounded)


def _view(tables: Collection[ScoreTable]) -> tuple[float, float]:
    """Limits of a linear axis: all scores, or all but rare outliers."""
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
