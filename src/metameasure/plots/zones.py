"""Zones of optimality: the best model for each cost ratio."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure._arguments import Choice, read_argument
from metameasure.curves import roc
from metameasure.measurement import parse
from metameasure.operating import optimality_zones
from metameasure.plots._drawing.display import CurvesDisplay
from metameasure.plots._drawing.layout import Entry, lay_out, marker_entry
from metameasure.plots._drawing.model_styles import curves_of, styles_of
from metameasure.plots._drawing.operating_points import CostMark, line_through, read_marked
from metameasure.plots._drawing.style import (
    FAINT,
    GRAY,
    GUIDE,
    INK,
    MOST_NAMED,
    SMALLER,
    Stroke,
    text_of,
    unit_square,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure._types import Floats
    from metameasure.data import Models
    from metameasure.operating import ModelZone, OptimalityZones

    Part = tuple[str | None, Floats, Floats]

Over = Literal["cost", "skew"]
TITLES = {
    "cost": "best model by probability cost",
    "skew": "best model by skew",
}
CORNER = "lower right"
MOST_VERTICES = 40
"""Number of vertices up to which the hull has markers."""
ABOVE, HIGH = 1.08, 0.09
"""Lower end of the bar of zones, and its height, as fractions of the height of the axes."""
BEYOND = 10.0
"""Factor by which the skew axis extends beyond the outermost borders."""


class ZonesDisplay(CurvesDisplay):
    """Zones of optimality: the best of several models for each cost and class ratio.

    In ROC space each part of the common hull has the color of the best model: lines of equal cost
    touch it at one vertex after another as the skew decreases. The bar above shows the range of
    probability cost or skew in which each model is best; a model off the hull is never best.

    Args:
        over: the scale of the bar: "cost", the probability cost from 0 to 1, or "skew", the ratio
            (1 - prior) cost_fp / (prior cost_fn) on a logarithmic scale.
        cost_fp: the cost of a false positive; the best model and threshold are marked.
        cost_fn: the cost of a false negative.
        prior: the probability of a positive where decisions will be made; by default that of the
            cases.
        highlight: the models with colors and names; by default the seven that are best in the
            widest ranges of probability cost. The legend shows the widest range of each.
    """

    size = (4.4, 4.8)

    def __init__(
        self,
        models: Models,
        *,
        over: Over = "cost",
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        prior: float | None = None,
        highlight: Iterable[str] | None = None,
    ) -> None:
        super().__init__(models)
        self.over: str = read_argument("over", over, Choice(get_args(Over)))
        self.zones = optimality_zones(dict(models.tables))
        self.curves = curves_of(models, roc)
        widths = _widths(self.zones)
        if highlight is None and widths:
            highlight = sorted(widths, key=lambda name: -widths[name])[:MOST_NAMED]
        self.styles = styles_of(models, parse("auc"), highlight)
        costs = read_marked(cost_fp, cost_fn, prior)
        self.mark = None if costs is None else CostMark.of(self.zones, costs)

    def _draw(self, axes: Axes) -> None:
        unit_square(axes)
        axes.set(xlabel="false positive rate", ylabel="true positive rate")
        axes.plot([0, 1], [0, 1], **GUIDE.keywords)
        self._draw_pale(axes)
        self._draw_hull(axes)
        self._draw_strip(axes)
        more = [] if self.mark is None else [self._draw_mark(axes, self.mark)]
        self.styles.write_legend(axes, CORNER, more, self._text)
        self._name_parts(axes)

    def _draw_pale(self, axes: Axes) -> None:
        """Draw the curves in the background."""
        thin = {name: replace(s, width=1.0, order=1.8) for name, s in self.styles.named.items()}
        self._draw_curves(axes, self.curves, replace(self.styles, named=thin))
        for name in thin:
            self.artists_[name].set_alpha(0.55)

    def _text(self, name: str) -> str:
        """The name of a model with the widest range in which it is best."""
        own = [zone for zone in self.zones.by_model() if zone.model == name]
        if not own:
            return f"{text_of(name)}  never best"
        low, high = self._borders(max(own, key=lambda zone: zone.cost_high - zone.cost_low))
        widest = f"{low:.2g}–{high:.2g}".replace("inf", "∞")
        return f"{text_of(name)}  {widest}{', …' if len(own) > 1 else ''}"

    def _borders(self, zone: ModelZone) -> tuple[float, float]:
        """The limits of a zone on the scale of the bar."""
        if self.over == "cost":
            return zone.cost_low, zone.cost_high
        return zone.skew_low, zone.skew_high

    def _stroke(self, model: str | None) -> Stroke:
        """The stroke of a part of the hull by its best model."""
        if model is not None and model in self.styles.named:
            return replace(self.styles.named[model], width=2.4, order=4)
        return Stroke(GRAY, "-", 1.6, 3.9)

    def _draw_hull(self, axes: Axes) -> None:
        for place, (model, x, y) in enumerate(hull_parts(self.zones)):
            stroke = self._stroke(model)
            (self.artists_[f"hull {place}"],) = axes.plot(x, y, **stroke.keywords)
        rows = self.zones.rows
        if len(rows) <= MOST_VERTICES:
            self.artists_["vertices"] = axes.scatter(
                [row.fpr for row in rows], [row.tpr for row in rows], s=16, zorder=4.5,
                c=[self._stroke(row.model).color for row in rows], edgecolors="white",
                linewidths=0.6, clip_on=False,
            )  # fmt: skip

    def _draw_strip(self, axes: Axes) -> None:
        """Draw the bar of zones, each with the stroke of its model at the bottom."""
        strip = axes.inset_axes((0.0, ABOVE, 1.0, HIGH))
        strip.spines[:].set_visible(False)
        strip.set(ylim=(0, 1), yticks=[])
        strip.set_title(TITLES[self.over], fontsize=SMALLER, color=INK, pad=10)
        strip.tick_params(labelsize=SMALLER, color=GRAY, pad=2)
        low, high = self._set_scale(strip)
        zones = self.zones.by_model()
        for place, zone in enumerate(zones):
            left, right = np.clip(self._borders(zone), low, high).tolist()
            stroke = self._stroke(zone.model)
            if zone.model in self.styles.named:
                (line,) = strip.plot([left, right], [0.06, 0.06], **stroke.keywords)
                line.set_solid_capstyle("butt")
            self.artists_[f"zone {place}"] = strip.axvspan(
                left, right, facecolor=_pale(stroke.color, named=zone.model in self.styles.named),
                edgecolor="white", linewidth=0.6, zorder=1,
            )  # fmt: skip
        self.strip_ = strip

    def _set_scale(self, strip: Axes) -> tuple[float, float]:
        """Set the scale of the bar, from few predicted positives to many; returns its ends."""
        from matplotlib.ticker import NullFormatter, StrMethodFormatter  # noqa: PLC0415

        if self.over == "cost":
            strip.set_xlim(0, 1)
            return 0.0, 1.0
        skews = [row.skew_low for row in self.zones.rows[:-1]]
        if self.mark is not None and 0 < self.mark.skew < math.inf:
            skews.append(self.mark.skew)
        low, high = min(skews, default=1.0) / BEYOND, max(skews, default=1.0) * BEYOND
        strip.set_xscale("log")
        strip.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        strip.xaxis.set_minor_formatter(NullFormatter())
        strip.set_xlim(high, low)
        return low, high

    def _name_parts(self, axes: Axes) -> None:
        """Write the names of models into the zones where they fit."""
        lay_out(axes)
        strip = self.strip_
        low, high = sorted(strip.get_xlim())
        for zone in self.zones.by_model():
            borders = np.clip(self._borders(zone), low, high)
            middle = borders.mean() if self.over == "cost" else np.sqrt(borders.prod())
            left, right = sorted(strip.transData.transform([[at, 0.5] for at in borders])[:, 0])
            text = strip.text(
                middle, 0.53, text_of(zone.name), fontsize=SMALLER, color=INK, ha="center",
                va="center", zorder=3,
            )  # fmt: skip
            if text.get_window_extent().width > right - left - 4:
                text.remove()

    def _draw_mark(self, axes: Axes, mark: CostMark) -> Entry:
        """Mark the skew, the best vertex and the line of equal cost; the legend entry."""
        zone = mark.zone
        line = line_through(zone.fpr, zone.tpr, mark.skew)
        (self.artists_["equally good"],) = axes.plot(
            *line, color=INK, linewidth=0.8, linestyle=(0, (4, 2)), zorder=3
        )
        (self.artists_["best"],) = axes.plot(
            zone.fpr, zone.tpr, "o", markersize=9, markerfacecolor="none", markeredgecolor=INK,
            markeredgewidth=1.2, zorder=5, clip_on=False,
        )  # fmt: skip
        low, high = sorted(self.strip_.get_xlim())
        at = float(np.clip(mark.pc if self.over == "cost" else mark.skew, low, high))
        (self.artists_["mark"],) = self.strip_.plot(
            at, 1.15, "v", color=INK, markersize=6, markeredgewidth=0, zorder=4, clip_on=False
        )
        which = f"skew {mark.skew:.3g}".replace("inf", "∞")
        if self.over == "cost":
            which = f"probability cost {mark.pc:.3g}"
        best = ", ".join(mark.decision)
        text = f"{which}:\n{best}\nTPR {zone.tpr:.3f}, FPR {zone.fpr:.3f}"
        ring: dict[str, Any] = {"marker": "o", "color": INK, "markerfacecolor": "none"}
        return marker_entry(text, best, **ring)


def hull_parts(zones: OptimalityZones) -> list[Part]:
    """The parts of the common hull with their best model, or None.

    The line between the vertices of two models is optimal at one skew; each model has half of it.
    """
    rows, hull = zones.rows, zones.hull
    corners = np.column_stack([hull.x, hull.y])
    points = np.array([[row.fpr, row.tpr] for row in rows])
    middles = (points[1:] + points[:-1]) / 2
    # An end of the hull that is optimal at a single skew belongs to its neighbor.
    borders = np.concatenate([corners[:1], middles, corners[-1:]])
    parts: list[Part] = []
    for model, group in groupby(range(len(rows)), key=lambda place: rows[place].model):
        places = list(group)
        x, y = np.concatenate([borders[places[:1]], points[places], borders[[places[-1] + 1]]]).T
        parts.append((model, x, y))
    return parts


def _widths(zones: OptimalityZones) -> dict[str, float]:
    """The total range of probability cost in which each model is best."""
    found: dict[str, float] = {}
    for row in zones.rows:
        if row.model is not None:
            found[row.model] = found.get(row.model, 0.0) + row.cost_high - row.cost_low
    return found


def _pale(color: str, *, named: bool) -> Any:
    """The color of a zone, pale enough for texts."""
    return (color, 0.28) if named else FAINT
