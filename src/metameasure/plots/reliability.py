"""The reliability curve as a picture: band, density of the scores, bins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from metameasure._arguments import read_argument
from metameasure.curves import reliability
from metameasure.errors import DataError
from metameasure.evaluation import BINS, EQUAL, Equal, calibration_bins
from metameasure.inference import band as band_of
from metameasure.measurement import brier_decomposition, parse
from metameasure.plots._drawing.bands import check_few
from metameasure.plots._drawing.bars import CLASSES, draw_bars, weights_in
from metameasure.plots._drawing.captions import write_small
from metameasure.plots._drawing.display import CurvesDisplay
from metameasure.plots._drawing.models import band_around, cast_of, curves_of
from metameasure.plots._drawing.screen import is_narrow, letters
from metameasure.plots._drawing.style import (
    GREY,
    GUIDE,
    INK,
    SMALLER,
    count_text,
    halo,
    text_of,
    unit_square,
)
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from metameasure.data import Models
    from metameasure.evaluation import CalibrationBin
    from metameasure.inference import Around, Band
    from metameasure.plots._drawing.legends import Named

    Floats = NDArray[np.float64]

CONFIDENCE = 0.95
CELLS = 50
EDGES = np.linspace(0, 1, CELLS + 1)
"""The edges of the bars below."""
TOP, FOOT = -0.055, -0.215
"""Between these heights lie the strips with the density of the scores."""
FINE, ALONE = 1000, 50
"""For a consistency band rows are joined to so many; near the ends so many stay alone."""


class ReliabilityDisplay(CurvesDisplay):
    """Reliability curves of one or more models: the share of positives at each score.

    The curve is found by isotonic regression, so that there are no bins to choose; that of true
    probabilities is the diagonal. Below it lies the density of the scores: of one model that of its
    positives, upwards, and of its negatives, downwards, each to its own scale; of several models
    that of all cases in a row each, in the order of the names.

    Args:
        models: the models; their scores must lie in [0, 1].
        band: a confidence, or None for no band. By default 0.95 for a single model, if its cases
            are independent and weigh the same, and no band for several models.
        around: "diagonal" for the band in which the curve would lie if the scores were true
            probabilities; "curve" for that in which the true curve lies.
        simultaneous: whether the band is to hold the whole curve, and not only each point of it.
        bins: how many bins to show as well, as points with Wilson's intervals.
        equal: "mass" for bins of equally many cases, "width" for bins that are equally wide.
        highlight: which models are told apart; the seven best calibrated ones by default.
    """

    size: ClassVar[tuple[float, float]] = (4.4, 4.9)
    probabilities: ClassVar[bool] = True

    def __init__(
        self,
        models: Models,
        *,
        band: float | Literal["auto"] | None = "auto",
        around: Around = "diagonal",
        simultaneous: bool = True,
        bins: int | None = None,
        equal: Equal = "mass",
        highlight: Iterable[str] | None = None,
    ) -> None:
        super().__init__(models)
        self.curves = curves_of(models, reliability)
        self.cast = cast_of(models, parse("miscalibration"), highlight)
        self.around = around
        counted = _is_counted(models)
        if band == "auto":
            both = all(table.P and table.N for table in models.tables.values())
            band = CONFIDENCE if len(models.tables) == 1 and counted and both else None
        self.bands: dict[str, Band] = {}
        if band is not None:
            check_few(self.cast, "bands")
            options: dict[str, Any] = {"ci": band, "simultaneous": simultaneous, "around": around}
            self.bands = {name: _band(models, name, counted, options) for name in self.cast.named}
        self.bins: dict[str, list[CalibrationBin]] = {}
        if bins is not None:
            check_few(self.cast, "bins")
            number, kind = read_argument("bins", bins, BINS), read_argument("equal", equal, EQUAL)
            self.bins = {
                name: list(calibration_bins(name, models.table(name), number, kind, shown))
                for shown in [CONFIDENCE if counted else None]
                for name in self.cast.named
            }
        self.parts: dict[str, float] = {}
        if len(models.tables) == 1:
            (table,) = models.tables.values()
            self.parts = {"Brier score": float(parse("brier").compute(table))}
            self.parts |= brier_decomposition(table)._asdict()
        self.density = {name: weights_in(models.tables[name], EDGES) for name in self.cast.named}

    def _draw(self, axes: Axes) -> None:
        unit_square(axes)
        axes.set_ylim(bottom=FOOT - 0.015)
        axes.spines["left"].set_bounds(0, 1)
        axes.set(xlabel="score", ylabel="share of positives")
        axes.plot([0, 1], [0, 1], **GUIDE.keywords)
        self._draw_bands(axes)
        lines = self._draw_curves(axes, self.curves, self.cast)
        self._draw_bins(axes)
        upper = self._is_free_above()
        if len(self.curves) == 1:
            self._draw_classes(axes)
            self._write_parts(axes, upper=upper)
        else:
            self._draw_rows(axes)
            self._name_curves(axes, lines, "upper left" if upper else "lower right")

    def _draw_bands(self, axes: Axes) -> None:
        for name, band in self.bands.items():
            alone = self.around == "diagonal" and len(self.bands) == 1
            self.artists_[f"band of {name}"] = axes.fill_between(
                band.x, band.low, band.high, linewidth=0, zorder=1.3,
                color=GREY if alone else self.cast.stroke(name).colour, alpha=0.18,
            )  # fmt: skip
        for band in list(self.bands.values())[:1]:
            share = f"{100 * band.ci:g} %" + ("" if band.simultaneous else " at each score")
            words = f"band: {share} of curves if scores were true probabilities"
            if self.around == "curve":
                words = f"band: holds the true curve with a confidence of {share}"
            write_small(axes, words, GREY)

    def _draw_bins(self, axes: Axes) -> None:
        for name, bins in self.bins.items():
            colour = self.cast.stroke(name).colour
            x, y = [b.mean_score for b in bins], [b.positive_rate for b in bins]
            if not any(b.low is None for b in bins):
                self.artists_[f"intervals of {name}"] = axes.vlines(
                    x, [b.low or 0.0 for b in bins], [b.high or 0.0 for b in bins], color=colour,
                    linewidth=0.9, zorder=3.8,
                )  # fmt: skip
            (self.artists_[f"bins of {name}"],) = axes.plot(
                x, y, "o", markersize=3.6, color=colour, markerfacecolor="white", zorder=4
            )

    def _draw_classes(self, axes: Axes) -> None:
        """The density of one model: positives above a line, negatives below it."""
        ((name, (positive, negative)),) = self.density.items()
        table = self.models.tables[name]
        line, reach = (TOP + FOOT) / 2, (TOP - FOOT) / 2
        axes.axhline(line, color=GREY, linewidth=0.6, zorder=1.2)
        for word, cells, up, cases in (
            ("positive", positive, 1, table.P),
            ("negative", negative, -1, table.N),
        ):
            heights = line + up * reach * _to_scale(cells)
            self.artists_[word] = draw_bars(axes, EDGES, heights, word, line)
            colour, (place, side) = CLASSES[word]["edgecolor"], _emptiest(cells)
            height, way = line + up * 0.5 * reach, "center"
            if is_narrow(axes):
                height, way = line, "bottom" if up > 0 else "top"
            axes.text(
                place, height, f"{count_text(cases)} {word}", color=colour, fontsize=SMALLER,
                ha=side, va=way, path_effects=halo(), zorder=6,
            )  # fmt: skip

    def _draw_rows(self, axes: Axes) -> None:
        """The density of several models: a row each on the line of its model."""
        step = (TOP - FOOT) / len(self.density)
        for place, (name, (positive, negative)) in enumerate(self.density.items()):
            line, stroke = TOP - (place + 1) * step, self.cast.stroke(name)
            heights = line + 0.85 * step * _to_scale(positive + negative)
            self.artists_[f"density of {name}"] = axes.stairs(
                heights, EDGES, baseline=line, fill=True, color=stroke.colour, linewidth=0
            )
            axes.plot([0, 1], [line, line], **{**stroke.keywords, "linewidth": 0.8})
        if not is_narrow(axes):
            axes.text(
                0.5, TOP / 2, "density of the scores", fontsize=SMALLER, color=GREY, ha="center",
                va="center",
            )  # fmt: skip

    def _name_curves(self, axes: Axes, lines: dict[str, Named], corner: str) -> None:
        """Name the curves; a legend stays above the strips."""
        self.cast.write_names(axes, lines, corner)
        legend = axes.get_legend()
        # A legend that has no room inside is anchored to a point below.
        if legend is not None and legend.get_bbox_to_anchor().width > 0:
            foot = float(axes.transAxes.inverted().transform(axes.transData.transform((0, 0)))[1])
            legend.set_bbox_to_anchor((0.0, foot, 1.0, 1.0 - foot), axes.transAxes)

    def _is_free_above(self) -> bool:
        """Whether the upper left corner is freer of curves than the lower right one."""
        x = np.linspace(0, 1, CELLS + 1)
        y = np.array([self.curves[name].at(x) for name in self.cast.named])
        above, below = (y > 0.6) & (x < 0.5), (y < 0.4) & (x > 0.5)
        return bool(np.count_nonzero(above) <= np.count_nonzero(below))

    def _write_parts(self, axes: Axes, *, upper: bool) -> None:
        """The Brier score of a single model and its parts, in a corner."""
        (name,) = self.curves
        words = [] if name == "model" else [text_of(name)]
        parts = list(self.parts.items())[: 2 if is_narrow(axes) else None]
        words += [f"{part} {value:.4f}" for part, value in parts]
        corners = {True: (0.015, 0.99), False: (0.985, 0.01)}
        # What another display has written on the same axes keeps its corner.
        upper ^= corners[upper] in {text.get_position() for text in axes.texts}
        axes.text(
            *corners[upper], "\n".join(words), zorder=6, fontsize=letters(axes), linespacing=1.3,
            ha="left" if upper else "right", va="top" if upper else "bottom",
            color=self.cast.stroke(name).colour if self._first else INK,
            path_effects=halo() if is_narrow(axes) else None,
        )  # fmt: skip


def _is_counted(models: Models) -> bool:
    """Whether cases are independent and weigh the same."""
    if models.rows is not None:
        return models.rows.weight is None and models.rows.cluster is None
    return not models.weighted


def _band(models: Models, name: str, counted: bool, options: dict[str, Any]) -> Band:
    """The band of one model."""
    if counted:
        table = models.tables[name]
        diagonal = options["around"] == "diagonal"
        return band_of(_joined(table) if diagonal else table, reliability, **options)
    if options["around"] == "diagonal" or options["simultaneous"]:
        raise DataError(
            "cases that have weights or come in clusters have a band around the curve at each "
            "point only: around='curve' and simultaneous=False, or band=None"
        )
    return band_around(models, reliability, name, **options)


def _joined(table: ScoreTable) -> ScoreTable:
    """A table with so few rows that labels are drawn for it at once, as they are for the band.

    Neighbouring scores are joined while they span less than a thousandth of all scores and of all
    cases. Near the ends, where single cases bend the curve, they stay alone or are joined to few.
    """
    if table.score.size <= 4 * FINE:
        return table
    n, most = float(table.n), float(table.n) / FINE

    def cells(cases: Any) -> Any:
        """How many cells so many cases from an end on fill."""
        few = np.minimum(cases, ALONE * most)
        near = np.where(few < ALONE, few, ALONE * (1 + np.log(np.maximum(few, ALONE) / ALONE)))
        return near + (cases - few) / most

    before = (table.tp + table.fp)[:-1]
    by_mass = np.where(before <= n / 2, cells(before), -cells(n - before))
    by_width = table.score * FINE
    fresh = np.ones(table.score.size, dtype=bool)
    fresh[1:] = (np.diff(np.floor(by_mass)) != 0) | (np.diff(np.floor(by_width)) != 0)
    begin = np.flatnonzero(fresh)
    pos, neg, score = (
        np.add.reduceat(a, begin) for a in (table.pos, table.neg, table.weight * table.score)
    )
    return ScoreTable(np.minimum(score / (pos + neg), 1.0), pos, neg)


def _to_scale(cells: Floats) -> Floats:
    return cells / (cells.max() or 1.0)


def _emptiest(cells: Floats) -> tuple[float, Any]:
    """Where a word hides the least of the bars: its place, and which end of it that is."""
    third = CELLS // 3
    parts = {"left": cells[:third], "center": cells[third:-third], "right": cells[-third:]}
    side = min(parts, key=lambda name: float(parts[name].max()))
    return {"left": 0.0, "center": 0.5, "right": 1.0}[side], side
