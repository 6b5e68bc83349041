"""ROC curves with hull, isometrics, operating points and bands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from metameasure._arguments import POSITIVE, Flag, read_argument
from metameasure.curves import roc
from metameasure.measurement import Measure, parse
from metameasure.operating import optimality_zones
from metameasure.plots._drawing.display import CurvesDisplay
from metameasure.plots._drawing.layout import is_narrow, text_entry
from metameasure.plots._drawing.model_styles import (
    bands_of,
    curves_of,
    draw_bands,
    intervals_of,
    styles_of,
)
from metameasure.plots._drawing.operating_points import (
    draw_isometrics,
    draw_points,
    equally_good,
    isometrics_of,
    point_entries,
    points_of,
)
from metameasure.plots._drawing.style import GUIDE, INK, unit_square
from metameasure.plots._drawing.thinning import trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes

    from metameasure.curves import Curve
    from metameasure.data import Models
    from metameasure.operating import OperatingPoint

CORNER = "lower right"
MOST_VERTICES = 40
"""Number of vertices up to which the hull has markers."""


class RocDisplay(CurvesDisplay):
    """ROC curves of one or more models.

    Predicted labels, as numbers or text, have one point between the corners, which is marked.

    Args:
        ci: the confidence of the intervals of the AUC in the legend; None for none.
        hull: whether to draw the convex hull, of all models together if there are several. The
            shaded area between it and a curve are concavities, where choosing one of two
            thresholds at random is better than the curve.
        isometrics: a measure whose lines of equal value are drawn.
        values: the values of these lines; tenths by default.
        r: negatives per positive for the isometrics; by default that of the cases.
        maximize: a measure; the operating point that maximizes it is marked.
        cost_fp: instead, the cost of a false positive; the operating point of least cost is marked.
        cost_fn: the cost of a false negative.
        prior: the probability of a positive where decisions will be made.
        band: the confidence of a band around each curve.
        simultaneous: whether the band is simultaneous rather than pointwise.
        highlight: the models with colors and names; by default the seven with the largest AUC.
    """

    predicted_labels = True

    def __init__(
        self,
        models: Models,
        *,
        ci: float | None = 0.95,
        hull: bool = False,
        isometrics: str | Measure | None = None,
        values: Sequence[float] | None = None,
        r: float | None = None,
        maximize: str | Measure | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        prior: float | None = None,
        band: float | None = None,
        simultaneous: bool = False,
        highlight: Iterable[str] | None = None,
    ) -> None:
        super().__init__(models)
        hull = read_argument("hull", hull, Flag())
        self.curves = curves_of(models, roc)
        styles = styles_of(models, parse("auc"), highlight)
        self.intervals = intervals_of(models, styles, ci)
        self.single_points = {name: at for name in styles.named if (at := _single(models, name))}
        notes = {name: self._note(name) for name in styles.named}
        self.styles = replace(styles, notes=notes)
        self.ratio = read_argument("r", _ratio(models) if r is None else r, POSITIVE)
        self.isometrics: dict[float, Curve] = {}
        if isometrics is not None:
            self.measure = parse(isometrics, "isometrics")
            self.isometrics = isometrics_of(self.measure, self.ratio, values)
        self.hull = optimality_zones(dict(models.tables)).hull if hull else None
        self.points = points_of(
            models, self.styles, maximize=maximize, cost_fp=cost_fp, cost_fn=cost_fn, prior=prior
        )
        self.equally_good = equally_good(self.points)
        self.bands = bands_of(models, roc, self.styles, band, simultaneous=simultaneous)

    def _note(self, name: str) -> str:
        """The interval of the AUC of a model, and whether its curve has one point only."""
        found = self.intervals.get(name)
        interval = "" if found is None else f"{found.low:.3f}–{found.high:.3f}"
        if interval:
            alone = len(self.curves) == 1
            interval = f" ({self._confidence} {interval})" if alone else f" ({interval})"
        return f"{interval}, one point" if name in self.single_points else interval

    @property
    def _confidence(self) -> str:
        """The confidence of the intervals in words."""
        return f"{100 * next(iter(self.intervals.values())).ci:g}% CI"

    def _draw(self, axes: Axes) -> None:
        unit_square(axes)
        axes.set(xlabel="false positive rate", ylabel="true positive rate")
        axes.plot([0, 1], [0, 1], **GUIDE.keywords)
        if self.isometrics:
            lines = {value: (line.x, line.y) for value, line in self.isometrics.items()}
            title = f"dashed: equal {self.measure} (N/P {self.ratio:.3g})"
            self.artists_ |= draw_isometrics(axes, lines, title)
        draw_bands(axes, self.bands, self.styles)
        self._draw_curves(axes, self.curves, self.styles)
        for name, (x, y) in self.single_points.items():
            (self.artists_[f"point of {name}"],) = axes.plot(
                x, y, "o", color=self.styles.stroke(name).color, markersize=5, zorder=5
            )
        if self.hull is not None:
            self._draw_hull(axes, self.hull)
        self.artists_ |= draw_points(axes, self.points, self.styles, _place, self.equally_good)
        more = point_entries(self.points, self.styles, _place, ("FPR", "TPR"))
        if len(self.styles.named) > 1 and self.intervals and not is_narrow(axes):
            more = [*more, text_entry(f"in brackets: {self._confidence}")]
        self.styles.write_legend(axes, CORNER, more)

    def _draw_hull(self, axes: Axes, hull: Curve) -> None:
        if len(self.curves) == 1:
            ((name, curve),) = self.curves.items()
            x, y = trace(curve)
            axes.fill(
                np.concatenate([hull.x, x[::-1]]), np.concatenate([hull.y, y[::-1]]),
                color=self.styles.stroke(name).color, alpha=0.18, linewidth=0, zorder=1.4,
            )  # fmt: skip
        (self.artists_["hull"],) = axes.plot(
            hull.x, hull.y, color=INK, linewidth=0.9, zorder=3.5,
            marker="o" if len(hull) <= MOST_VERTICES else None, markersize=2.4,
        )  # fmt: skip


def _place(_: str, point: OperatingPoint) -> tuple[float, float]:
    """The position of an operating point in ROC space."""
    return float(point.matrix.fpr), float(point.matrix.tpr)


def _single(models: Models, name: str) -> tuple[float, float] | None:
    """The only point between the corners, if a model has two distinct scores; else None."""
    table = models.table(name)
    used = np.flatnonzero(table.weight > 0)
    if used.size != 2:
        return None
    above = used[0] + 1
    return float(table.fp[above] / table.N), float(table.tp[above] / table.P)


def _ratio(models: Models) -> float:
    """Number of negatives per positive."""
    table = next(iter(models.tables.values()))
    return float(table.N / table.P)
