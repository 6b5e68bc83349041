"""Histograms of the scores of both classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np

from metameasure._arguments import Choice, Real, Whole, read_argument
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.measurement import MOST_GROUPS, Measure, parse
from metameasure.operating import threshold_text
from metameasure.plots._drawing.bars import Bars, axis_of, bars_of, draw_bars
from metameasure.plots._drawing.display import BROAD, ModelsDisplay
from metameasure.plots._drawing.layout import (
    Entry,
    caption,
    is_narrow,
    legend,
    line_entry,
    set_ticks,
)
from metameasure.plots._drawing.model_styles import styles_of
from metameasure.plots._drawing.operating_points import points_of
from metameasure.plots._drawing.score_axis import Scale
from metameasure.plots._drawing.style import (
    GRAY,
    INK,
    MOST_NAMED,
    SMALLER,
    Stroke,
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
"""Height of the largest bar of a row, as a fraction of the distance of two rows."""
MOST_TICKS = 6
"""Largest number of ticks on a log or quantile scale."""
CUT = Stroke(INK, (0, (4, 2)), 1.0, 5.0)


class ScoresDisplay(ModelsDisplay):
    """Histograms of the scores of positives and negatives.

    Bars are fractions of their class, so that a rare class is visible. A few distinct scores have a
    bar each; outliers and infinite scores are counted in the outermost bar, and their number is
    shown. Several models have one row each, with positives upwards and negatives downwards, on a
    common score axis; use rescale="minmax" for models with different scales.

    Args:
        models: the models, up to seven.
        bins: the number of bars; by default it grows with the number of cases.
        scale: "linear", "log", or "quantile" for bars with equal numbers of cases. By default
            linear, unless half of the cases would be in one bar; then log if scores are close to
            0 and none is 0, else quantile.
        threshold: a threshold to mark, with its rates.
        maximize: instead, a measure; the threshold that maximizes it is marked.
        cost_fp: instead, the cost of a false positive; the threshold of least cost is marked.
        cost_fn: the cost of a false negative.
        prior: the probability of a positive where decisions will be made.
        highlight: the models to show, if there are more than seven.
    """

    def __init__(
        self,
        models: Models,
        *,
        bins: int | None = None,
        scale: Scale | None = None,
        threshold: float | None = None,
        maximize: str | Measure | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        prior: float | None = None,
        highlight: Iterable[str] | None = None,
    ) -> None:
        super().__init__(models)
        if highlight is None and len(models.tables) > MOST_NAMED:
            raise DataError(
                f"the display shows up to {MOST_NAMED} models, got {len(models.tables)}",
                remedy=("choose some with ", Argument("highlight")),
                argument="highlight",
            )
        self.styles = styles_of(models, parse("auc"), highlight)
        tables = {name: models.tables[name] for name in self.styles.named}
        number = read_argument("bins", bins, Whole(1, MOST_GROUPS), optional=True)
        read_argument("scale", scale, Choice(get_args(Scale)), optional=True)
        self.axis = axis_of(tables, number, scale)
        self.bars = bars_of(tables, self.axis)
        points = points_of(
            models, self.styles, maximize=maximize, cost_fp=cost_fp, cost_fn=cost_fn, prior=prior
        )
        self.thresholds = {name: float(point.threshold) for name, point in points.items()}
        self.words = {name: _words_at(point) for name, point in points.items()}
        if threshold is not None:
            read_argument("threshold", threshold, Real(infinite=True))
            if points:
                raise ParameterError(
                    (Argument("threshold"), " cannot be combined with a measure or costs")
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
        axes.set(xlabel=self.axis.label, xlim=(low - margin, high + margin))
        if self.axis.ticks is not None:
            set_ticks(axes.xaxis, *self.axis.ticks, MOST_TICKS)
        if len(self.bars) == 1:
            self._draw_alone(axes, bars)
        else:
            self._draw_rows(axes)
        self._write_beyond(axes)

    def _draw_alone(self, axes: Axes, bars: Bars) -> None:
        """Draw both classes of one model on the same baseline."""
        (name,) = self.bars
        table = self.models.tables[name]
        axes.set(ylabel="fraction of each class", ylim=(0, 1.12 * bars.top))
        entries = []
        for word, cases in (("positive", table.P), ("negative", table.N)):
            self.artists_[word] = patch = draw_bars(axes, bars.edges, bars.of(word), word)
            entries.append(Entry(patch, f"{word} ({count_text(cases)})"))
        if name in self.thresholds:
            self._draw_threshold(axes, name, 0.0, 1.06 * bars.top)
            entries.append(line_entry(CUT, self.words[name], self.words[name].split("\n")[0]))
        legend(axes, entries)

    def _draw_rows(self, axes: Axes) -> None:
        """Draw one row per model, positives upwards and negatives downwards."""
        rows = len(self.bars)
        names = [self.styles.text(name).replace("  ", "\n") for name in self.bars]
        axes.set(ylim=(0.5 - rows, 0.5))
        axes.set_yticks(-np.arange(rows), names)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        for row, (name, bars) in enumerate(self.bars.items()):
            axes.axhline(-row, color=GRAY, linewidth=0.6, zorder=2)
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
        counts = f"positive ({count_text(table.P)}), down: negative ({count_text(table.N)})"
        caption(axes, f"up: {counts}", "right")

    def _draw_threshold(self, axes: Axes, name: str, low: float, high: float) -> None:
        """Draw the line of a threshold."""
        place = float(self.axis.places(self.thresholds[name]))
        line = [place, place], [low, high]
        (self.artists_[f"threshold of {name}"],) = axes.plot(*line, **CUT.keywords)

    def _write_beyond(self, axes: Axes) -> None:
        """Write the number of cases beyond the axis, which the outermost bars include."""
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
    """An operating point as text."""
    if not point.matrix.tp + point.matrix.fp:
        return f"none positive\n{_rates(point.matrix)}"
    return f"score ≥ {threshold_text(point.threshold, point.score_below)}\n{_rates(point.matrix)}"


def _rates(cut: Cut) -> str:
    with np.errstate(invalid="ignore", divide="ignore"):
        return f"TPR {float(cut.tpr):.3f}, FPR {float(cut.fpr):.3f}"
