"""How the scores of both classes are distributed, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure._arguments import Whole, is_real, read_argument
from metameasure.errors import DataError
from metameasure.measurement import MOST_GROUPS, Measure, parse
from metameasure.operating import threshold_text
from metameasure.plots._drawing.bars import CLASSES, Bars, bars_of, draw_bars
from metameasure.plots._drawing.captions import write_small
from metameasure.plots._drawing.display import BROAD, ModelsDisplay
from metameasure.plots._drawing.models import cast_of
from metameasure.plots._drawing.operating_points import points_of
from metameasure.plots._drawing.screen import is_narrow, letters, size_of, text_size
from metameasure.plots._drawing.style import (
    GREY,
    INK,
    MOST_NAMED,
    SMALLER,
    count_text,
    halo,
)
from metameasure.table import Point

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure.data import Models
    from metameasure.operating import OperatingPoint
    from metameasure.table import Cut

REACH = 0.46
"""How far the bars of a row reach from its line towards the next one."""
APART = 0.3
"""Names of classes stand above their bars if these are so far apart, as a share of the width."""


class ScoresDisplay(ModelsDisplay):
    """How the scores of the positives and of the negatives are distributed.

    Bars are shares of the cases of their class, so that a rare class is seen as well. Scores that
    have few distinct values are shown one by one; those far off, or infinite, are in the bar at the
    edge, which says how many they are. Of several models each has a row, where positives go upwards
    and negatives downwards, and all share the axis of the scores: models with other scales are best
    given with rescale="minmax".

    Args:
        models: the models, up to seven.
        bins: how many bars there are; more for more cases by default.
        threshold: a score, to be marked with the rates of decisions there.
        maximise: instead, a measure, to mark the threshold where it is best.
        cost_fp: instead, what a false alarm costs, to mark the threshold that costs least.
        cost_fn: what a missed positive costs.
        prior: the probability of a positive where decisions will be made.
        highlight: which models are shown, if there are more.
    """

    def __init__(
        self,
        models: Models,
        *,
        bins: int | None = None,
        threshold: float | None = None,
        maximise: str | Measure | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        prior: float | None = None,
        highlight: Iterable[str] | None = None,
    ) -> None:
        super().__init__(models)
        if highlight is None and len(models.tables) > MOST_NAMED:
            raise DataError(
                f"{len(models.tables)} models are too many rows: highlight= up to {MOST_NAMED}"
            )
        self.cast = cast_of(models, parse("auc"), highlight)
        tables = {name: models.tables[name] for name in self.cast.named}
        number = None if bins is None else read_argument("bins", bins, Whole(1, MOST_GROUPS))
        self.bars = bars_of(tables, number)
        points = points_of(
            models, self.cast, maximise=maximise, cost_fp=cost_fp, cost_fn=cost_fn, prior=prior
        )
        self.thresholds = {name: float(point.threshold) for name, point in points.items()}
        self.words = {name: _words_at(point) for name, point in points.items()}
        if threshold is not None:
            if points or not is_real(threshold) or np.isnan(threshold):
                raise DataError(
                    f"threshold={threshold!r} must be a number, given without maximise= or costs"
                )
            self.thresholds = dict.fromkeys(tables, float(threshold))
            point = Point("threshold", threshold)
            self.words = {
                name: f"score ≥ {threshold:g}\n{_rates(table.at(point))}"
                for name, table in tables.items()
            }

    def _inches(self) -> tuple[float, float]:
        return BROAD if len(self.bars) == 1 else (BROAD[0], 1.0 + 0.72 * len(self.bars))

    def _draw(self, axes: Axes) -> None:
        bars = next(iter(self.bars.values()))
        low, high = bars.edges[[0, -1]]
        margin = max(0.02 * (high - low), 0.5 * (bars.edges[1] - low))
        axes.set(xlabel="score", xlim=(low - margin, high + margin))
        if len(self.bars) == 1:
            self._draw_alone(axes, bars)
        else:
            self._draw_rows(axes)
        self._write_beyond(axes)

    def _draw_alone(self, axes: Axes, bars: Bars) -> None:
        """Both classes of one model on the same line."""
        (name,) = self.bars
        marked = name in self.thresholds
        axes.set(ylabel="share of each class", ylim=(0, (1.32 if marked else 1.12) * bars.top))
        for word in CLASSES:
            self.artists_[word] = draw_bars(axes, bars.edges, bars.of(word), word)
        self._name_classes(axes, name, bars)
        if marked:
            place = self._draw_threshold(axes, name, 0.0, 1.14 * bars.top)
            left = place > float(np.mean(axes.get_xlim()))
            axes.annotate(
                self.words[name], (place, 1.3 * bars.top), va="top",
                xytext=(-4 if left else 4, 0), textcoords="offset points", color=INK,
                fontsize=letters(axes), ha="right" if left else "left", zorder=6,
            )  # fmt: skip

    def _draw_rows(self, axes: Axes) -> None:
        """Several models: a row each, positives above its line and negatives below."""
        rows = len(self.bars)
        names = [self.cast.text(name).replace("  ", "\n") for name in self.bars]
        axes.set(ylim=(0.5 - rows, 0.5))
        axes.set_yticks(-np.arange(rows), names)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        for row, (name, bars) in enumerate(self.bars.items()):
            axes.axhline(-row, color=GREY, linewidth=0.6, zorder=2)
            for word, up in (("positive", 1), ("negative", -1)):
                heights = up * REACH * bars.of(word) / bars.top - row
                drawn = draw_bars(axes, bars.edges, heights, word, -row)
                self.artists_[f"{word} of {name}"] = drawn
            if name in self.thresholds:
                self._draw_threshold(axes, name, -row - REACH, -row + REACH)
                words = self.words[name].split("\n")[0] if is_narrow(axes) else self.words[name]
                axes.annotate(
                    words, (1.0, -row), xycoords=("axes fraction", "data"), color=INK,
                    xytext=(4, 0), textcoords="offset points", fontsize=SMALLER, va="center",
                    annotation_clip=False,
                )  # fmt: skip
        table = self.models.tables[next(iter(self.bars))]
        counts = f"positive ({count_text(table.P)}), downwards: negative ({count_text(table.N)})"
        write_small(axes, f"upwards: {counts}", INK, letters(axes))

    def _name_classes(self, axes: Axes, name: str, bars: Bars) -> None:
        """Say which bars are whose: above the highest ones, or in a legend if these are near."""
        table = self.models.tables[name]
        counts = {"positive": table.P, "negative": table.N}
        words = {word: f"{word} ({count_text(n)})" for word, n in counts.items()}
        places = {word: bars.mode(word) for word in CLASSES}
        low, high = axes.get_xlim()
        gap = abs(places["positive"][0] - places["negative"][0]) / (high - low)
        needed = sum(text_size(text, letters(axes))[0] for text in words.values())
        crowded = is_narrow(axes) and needed > gap * size_of(axes)[0]
        if gap < APART or crowded or not all(counts.values()):
            axes.legend(
                [self.artists_[word] for word in CLASSES], [words[word] for word in CLASSES],
                loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False,
                fontsize=letters(axes), borderaxespad=0.2,
            )  # fmt: skip
            return
        for word, (x, height) in places.items():
            share = (x - low) / (high - low)
            side = "left" if share < 0.2 else "right" if share > 0.8 else "center"
            axes.annotate(
                words[word], (x, height), xytext=(0, 3), textcoords="offset points", ha=side,
                va="bottom", fontsize=letters(axes), color=CLASSES[word]["edgecolor"],
                path_effects=halo(), zorder=6,
            )  # fmt: skip

    def _draw_threshold(self, axes: Axes, name: str, low: float, high: float) -> float:
        """Draw the line of a threshold; where it lies in the picture."""
        edges = self.bars[name].edges
        place = float(np.clip(self.thresholds[name], edges[0], edges[-1]))
        (self.artists_[f"threshold of {name}"],) = axes.plot(
            [place, place], [low, high], color=INK, linewidth=1.0, linestyle=(0, (4, 2)), zorder=5
        )
        return place

    def _write_beyond(self, axes: Axes) -> None:
        """Say how many cases are in the bars at the edges without belonging there."""
        for row, bars in enumerate(self.bars.values()):
            alone = len(self.bars) == 1
            for side, weight in zip(("left", "right"), bars.beyond, strict=True):
                if weight:
                    words = f"{count_text(weight)} {'below' if side == 'left' else 'above'}"
                    axes.annotate(
                        f"← {words}" if side == "left" else f"{words} →",
                        (0.0 if side == "left" else 1.0, 0.02 if alone else -row),
                        xycoords=("axes fraction", "axes fraction" if alone else "data"),
                        ha=side, va="bottom", fontsize=SMALLER, color=INK, path_effects=halo(),
                        xytext=(2 if side == "left" else -2, 1), textcoords="offset points",
                    )  # fmt: skip


def _words_at(point: OperatingPoint) -> str:
    """An operating point in words."""
    if not point.matrix.tp + point.matrix.fp:
        return f"none positive\n{_rates(point.matrix)}"
    return f"score ≥ {threshold_text(point.threshold, point.score_below)}\n{_rates(point.matrix)}"


def _rates(cut: Cut) -> str:
    with np.errstate(invalid="ignore", divide="ignore"):
        return f"TPR {float(cut.tpr):.3f}, FPR {float(cut.fpr):.3f}"
