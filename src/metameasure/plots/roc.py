"""The ROC curve as a picture: hull, isometrics, operating point, band."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import POSITIVE, read_argument
from metameasure.curves import roc
from metameasure.measurement import Measure, parse
from metameasure.operating import optimality_zones
from metameasure.plots._drawing.bands import bands_of, draw_bands
from metameasure.plots._drawing.display import CurvesDisplay
from metameasure.plots._drawing.isometric_lines import draw_isometrics, isometrics_of
from metameasure.plots._drawing.models import cast_of, curves_of
from metameasure.plots._drawing.operating_points import (
    draw_points,
    line_as_good,
    points_of,
    write_best_point,
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
"""A hull with more vertices is as good as smooth: dots would hide it."""


class RocDisplay(CurvesDisplay):
    """ROC curves of one or more models.

    Args:
        models: the models.
        hull: whether to draw the convex hull, of all models together if they are several. What
            lies between it and a curve are concavities, where following one of two thresholds at
            random is better than the curve.
        isometrics: a measure, along whose lines of equal value lines are drawn.
        values: at which values; at tenths by default.
        r: for which ratio of negatives to positives; for that of the cases by default.
        maximise: a measure, to mark the point where it is best.
        cost_fp: instead, what a false alarm costs, to mark the point that costs least.
        cost_fn: what a missed positive costs.
        prior: the probability of a positive where decisions will be made.
        band: a confidence, to draw the band around each curve.
        simultaneous: whether the band is to hold the whole curve.
        highlight: which models are told apart; the seven with the largest AUC by default.
    """

    def __init__(
        self,
        models: Models,
        *,
        hull: bool = False,
        isometrics: str | Measure | None = None,
        values: Sequence[float] | None = None,
        r: float | None = None,
        maximise: str | Measure | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        prior: float | None = None,
        band: float | None = None,
        simultaneous: bool = False,
        highlight: Iterable[str] | None = None,
    ) -> None:
        super().__init__(models)
        self.curves = curves_of(models, roc)
        self.cast = cast_of(models, parse("auc"), highlight)
        self.ratio = read_argument("r", _ratio(models) if r is None else r, POSITIVE)
        self.isometrics = {}
        if isometrics is not None:
            self.measure = parse(isometrics)
            self.isometrics = isometrics_of(self.measure, self.ratio, values)
        self.hull = optimality_zones(dict(models.tables)).hull if hull else None
        self.points = points_of(
            models, self.cast, maximise=maximise, cost_fp=cost_fp, cost_fn=cost_fn, prior=prior
        )
        self.as_good = line_as_good(self.points)
        self.bands = bands_of(models, roc, self.cast, band, simultaneous=simultaneous)

    def _draw(self, axes: Axes) -> None:
        unit_square(axes)
        axes.set(xlabel="false positive rate", ylabel="true positive rate")
        axes.plot([0, 1], [0, 1], **GUIDE.keywords)
        if self.isometrics:
            draw_isometrics(axes, self.isometrics, str(self.measure), self.ratio)
        draw_bands(axes, self.bands, self.cast)
        kept = {name: self._kept(name, curve) for name, curve in self.curves.items()}
        lines = self._draw_curves(axes, self.curves, self.cast, kept)
        if self.hull is not None:
            self._draw_hull(axes, self.hull)
        self.artists_ |= draw_points(axes, self.points, self.cast, _place, self.as_good)
        note = partial(write_best_point, axes, self.points, _place, ("FPR", "TPR"))
        self._write(axes, lines, CORNER, note)

    def _kept(self, name: str, curve: Curve) -> Any:
        """The points that thinning must not take: vertices of the hull, and the operating point."""
        kept = np.zeros(len(curve), dtype=bool)
        if self.hull is not None:
            kept |= _is_among(curve, self.hull.x, self.hull.y)
        if name in self.points:
            fpr, tpr = _place(name, self.points[name])
            kept |= _is_among(curve, np.array([fpr]), np.array([tpr]))
        return kept

    def _draw_hull(self, axes: Axes, hull: Curve) -> None:
        if len(self.curves) == 1:
            ((name, curve),) = self.curves.items()
            x, y = trace(curve, keep=self._kept(name, curve))
            axes.fill(
                np.concatenate([hull.x, x[::-1]]), np.concatenate([hull.y, y[::-1]]),
                color=self.cast.stroke(name).colour, alpha=0.18, linewidth=0, zorder=1.4,
            )  # fmt: skip
        (self.artists_["hull"],) = axes.plot(
            hull.x, hull.y, color=INK, linewidth=0.9, zorder=3.5,
            marker="o" if len(hull) <= MOST_VERTICES else None, markersize=2.4,
        )  # fmt: skip


def _place(_: str, point: OperatingPoint) -> tuple[float, float]:
    """Where an operating point lies in ROC space."""
    return float(point.matrix.fpr), float(point.matrix.tpr)


def _ratio(models: Models) -> float:
    """How many negatives there are to a positive."""
    table = next(iter(models.tables.values()))
    return float(table.N / table.P)


def _is_among(curve: Curve, x: Any, y: Any) -> Any:
    """Which points of a curve are among these, the first of several that are the same."""
    known = set(zip(x.tolist(), y.tolist(), strict=True))
    near = np.isin(curve.x, x) & np.isin(curve.y, y)
    found = np.zeros(len(curve), dtype=bool)
    for place in np.flatnonzero(near).tolist():
        found[place] = (curve.x[place], curve.y[place]) in known
    return found
