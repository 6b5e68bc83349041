"""Reliability curves with bands, bins and the density of the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from metameasure._arguments import Choice, Flag, read_argument
from metameasure.curves import reliability
from metameasure.errors import Argument, DataError
from metameasure.evaluation import BINS, EQUAL, Equal, calibration_bins
from metameasure.inference import band as band_of
from metameasure.measurement import brier_decomposition, parse
from metameasure.plots._drawing.bars import draw_bars
from metameasure.plots._drawing.display import CurvesDisplay
from metameasure.plots._drawing.layout import Entry, caption, is_narrow
from metameasure.plots._drawing.model_styles import band_around, check_few, curves_of, styles_of
from metameasure.plots._drawing.score_axis import weights_in
from metameasure.plots._drawing.style import GRAY, GUIDE, SMALLER, count_text, text_of, unit_square
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure._types import Floats
    from metameasure.data import Models
    from metameasure.evaluation import CalibrationBin
    from metameasure.inference import Around, Band


CORNER = "upper left"
CONFIDENCE = 0.95
CELLS = 50
EDGES = np.linspace(0, 1, CELLS + 1)
"""Edges of the bars of the density."""
TOP, FOOT = -0.055, -0.215
"""Heights between which the density of the scores is drawn."""
FINE, ALONE = 1000, 50
"""Numbers of pooled rows for a consistency band, and of single rows near both ends."""


class ReliabilityDisplay(CurvesDisplay):
    """Reliability curves of one or more models: the fraction of positives at each score.

    The curve is an isotonic regression, so there are no bins to choose; the diagonal is perfect
    calibration. Below it is the density of the scores: for one model that of its positives
    (upwards) and negatives (downwards), each on its own scale; for several models that of all
    cases, one row per model in the order of the legend.

    Args:
        models: the models; their scores must be in [0, 1].
        band: the confidence of a band, or None for no band. By default 0.95 for a single model
            with independent cases of equal weight, and no band for several models.
        around: "diagonal" for a consistency band, which contains the curve if the scores are
            calibrated; "curve" for a confidence band of the true curve.
        simultaneous: whether the band is simultaneous rather than pointwise.
        bins: the number of bins to draw as well, as points with Wilson intervals.
        equal: "mass" for bins with equal numbers of cases, "width" for bins of equal width.
        highlight: the models with colors and names; by default the seven best calibrated ones.
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
        self.styles = styles_of(models, parse("miscalibration"), highlight)
        self.around = read_argument("around", around, Choice(("curve", "diagonal")))
        simultaneous = read_argument("simultaneous", simultaneous, Flag())
        counted = _is_counted(models)
        if isinstance(band, str) and band == "auto":
            both = all(table.P and table.N for table in models.tables.values())
            band = CONFIDENCE if len(models.tables) == 1 and counted and both else None
        self.bands: dict[str, Band] = {}
        if band is not None:
            check_few(self.styles, "bands")
            options: dict[str, Any] = {"ci": band, "simultaneous": simultaneous, "around": around}
            self.bands = {name: _band(models, name, counted, options) for name in self.styles.named}
        self.bins: dict[str, list[CalibrationBin]] = {}
        if bins is not None:
            check_few(self.styles, "bins")
            number, kind = read_argument("bins", bins, BINS), read_argument("equal", equal, EQUAL)
            shown = CONFIDENCE if counted else None
            self.bins = {
                name: list(calibration_bins(name, models.table(name), number, kind, shown))
                for name in self.styles.named
            }
        self.parts: dict[str, float] = {}
        if len(models.tables) == 1:
            (table,) = models.tables.values()
            self.parts = {"Brier score": float(parse("brier").compute(table))}
            self.parts |= brier_decomposition(table)._asdict()
        self.density = {name: weights_in(models.tables[name], EDGES) for name in self.styles.named}

    def _draw(self, axes: Axes) -> None:
        unit_square(axes)
        axes.set_ylim(bottom=FOOT - 0.015)
        axes.set_yticks(np.linspace(0, 1, 3 if is_narrow(axes) else 6))
        axes.spines["left"].set_bounds(0, 1)
        axes.set(xlabel="score", ylabel="fraction of positives")
        axes.plot([0, 1], [0, 1], **GUIDE.keywords)
        self._draw_bands(axes)
        self._draw_curves(axes, self.curves, self.styles)
        self._draw_bins(axes)
        if len(self.curves) == 1:
            more = self._draw_classes(axes)
            parts = self._parts_text(few=is_narrow(axes))
            self.styles.write_legend(axes, CORNER, more, text=lambda _: parts)
        else:
            self._draw_rows(axes)
            self.styles.write_legend(axes, CORNER)

    def _draw_bands(self, axes: Axes) -> None:
        for name, band in self.bands.items():
            alone = self.around == "diagonal" and len(self.bands) == 1
            self.artists_[f"band of {name}"] = axes.fill_between(
                band.x, band.low, band.high, linewidth=0, zorder=1.3,
                color=GRAY if alone else self.styles.stroke(name).color, alpha=0.18,
            )  # fmt: skip
        for band in list(self.bands.values())[:1]:
            kind = "consistency" if self.around == "diagonal" else "confidence"
            extent = "simultaneous" if band.simultaneous else "pointwise"
            caption(axes, f"{100 * band.ci:g}% {kind} band, {extent}", "right", GRAY)

    def _draw_bins(self, axes: Axes) -> None:
        for name, bins in self.bins.items():
            color = self.styles.stroke(name).color
            x, y = [b.mean_score for b in bins], [b.positive_rate for b in bins]
            if not any(b.low is None for b in bins):
                self.artists_[f"intervals of {name}"] = axes.vlines(
                    x, [b.low or 0.0 for b in bins], [b.high or 0.0 for b in bins], color=color,
                    linewidth=0.9, zorder=3.8,
                )  # fmt: skip
            (self.artists_[f"bins of {name}"],) = axes.plot(
                x, y, "o", markersize=3.6, color=color, markerfacecolor="white", zorder=4
            )

    def _draw_classes(self, axes: Axes) -> list[Entry]:
        """Draw the density of each class of a single model; their legend entries."""
        ((name, (positive, negative)),) = self.density.items()
        table = self.models.tables[name]
        line, reach = (TOP + FOOT) / 2, (TOP - FOOT) / 2
        axes.axhline(line, color=GRAY, linewidth=0.6, zorder=1.2)
        entries = []
        for word, cells, up, cases in (
            ("positive", positive, 1, table.P),
            ("negative", negative, -1, table.N),
        ):
            heights = line + up * reach * _to_scale(cells)
            self.artists_[word] = bars = draw_bars(axes, EDGES, heights, word, line)
            entries.append(Entry(bars, f"{count_text(cases)} {word}"))
        return entries

    def _draw_rows(self, axes: Axes) -> None:
        """Draw the density of all cases, one row per model."""
        step = (TOP - FOOT) / len(self.density)
        for place, (name, (positive, negative)) in enumerate(self.density.items()):
            line, stroke = TOP - (place + 1) * step, self.styles.stroke(name)
            heights = line + 0.85 * step * _to_scale(positive + negative)
            self.artists_[f"density of {name}"] = axes.stairs(
                heights,
                EDGES,
                baseline=line,
                fill=True,
                color=stroke.color,
                linewidth=0,
                zorder=1.6,
            )
            axes.plot([0, 1], [line, line], **{**stroke.keywords, "linewidth": 0.8})
        if not is_narrow(axes):
            axes.text(
                0.5, TOP / 2, "density of scores", fontsize=SMALLER, color=GRAY, ha="center",
                va="center",
            )  # fmt: skip

    def _parts_text(self, *, few: bool) -> str:
        """The Brier score of a single model and its decomposition."""
        (name,) = self.curves
        words = [] if name == "model" else [text_of(name)]
        parts = list(self.parts.items())[: 2 if few else None]
        return "\n".join([*words, *(f"{part} {value:.4f}" for part, value in parts)])


def _is_counted(models: Models) -> bool:
    """Whether cases are independent and have equal weights."""
    if models.rows is not None:
        return models.rows.weight is None and models.rows.cluster is None
    return not models.weighted


def _band(models: Models, name: str, counted: bool, options: dict[str, Any]) -> Band:
    """The band of one model."""
    if counted:
        table = models.tables[name]
        diagonal = options["around"] == "diagonal"
        return band_of(_pooled(table) if diagonal else table, reliability, **options)
    if options["around"] == "diagonal" or options["simultaneous"]:
        raise DataError(
            "with weights or clusters only a pointwise band around the curve is available",
            remedy=("use ", Argument("around", "curve"), " and ", Argument("simultaneous", False)),
            argument="band",
        )
    return band_around(models, reliability, name, **options)


def _pooled(table: ScoreTable) -> ScoreTable:
    """A table with neighboring scores pooled, so that a consistency band can be simulated.

    Scores are pooled while they span less than a thousandth of [0, 1] and of all cases. Near both
    ends, where single cases bend the curve, fewer are pooled or none.
    """
    if table.score.size <= 4 * FINE:
        return table
    n, most = float(table.n), float(table.n) / FINE

    def cells(cases: Any) -> Any:
        """Number of cells of the cases next to an end."""
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
