"""The ROC curve as a picture: hull, isometrics, operating point, band."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.curves import roc
from metameasure.operating import operating_point, optimality_zones
from metameasure.operating.skew import read_costs, read_positive
from metameasure.plots.bands import bands_of, draw_bands
from metameasure.plots.display import ModelsDisplay
from metameasure.plots.isolines import draw_isometrics, isometrics_of, line_through
from metameasure.plots.style import GUIDE, INK, SMALL, halo, unit_square
from metameasure.plots.tracing import trace
from metameasure.registry import Measure, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes

    from metameasure.curves import Curve
    from metameasure.operating import OperatingPoint
    from metameasure.plots.models import Models

CORNER = "lower right"
MOST_VERTICES = 40
"""A hull with more vertices is as good as smooth: dots would hide it."""


class RocDisplay(ModelsDisplay):
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
        self.curves = models.curves(roc)
        self.cast = models.cast(parse("auc"), highlight)
        ratio = read_positive("r", _ratio(models) if r is None else r, "ratio of the classes")
        self.isometrics = {}
        if isometrics is not None:
            self.measure = parse(isometrics)
            self.isometrics = isometrics_of(self.measure, ratio, values)
        self.hull = optimality_zones(dict(models.tables)).hull if hull else None
        goal: dict[str, Any] = {
            "maximise": maximise,
            "cost_fp": cost_fp,
            "cost_fn": cost_fn,
            "prior": prior,
        }
        self.points: dict[str, OperatingPoint] = {}
        if any(given is not None for given in goal.values()):
            self.points = {n: operating_point(models.tables[n], **goal) for n in self.cast.named}
        self.goal = goal
        self.bands = bands_of(models, roc, self.cast, band, simultaneous=simultaneous)

    def _draw(self, axes: Axes) -> None:
        unit_square(axes)
        axes.set(xlabel="false positive rate", ylabel="true positive rate")
        axes.plot([0, 1], [0, 1], **GUIDE.keywords)
        if self.isometrics:
            draw_isometrics(axes, self.isometrics, str(self.measure))
        draw_bands(axes, self.bands, self.cast)
        kept = {name: self._kept(name, curve) for name, curve in self.curves.items()}
        lines = self._draw_curves(axes, self.curves, self.cast, kept)
        if self.hull is not None:
            self._draw_hull(axes, self.hull)
        self._draw_points(axes)
        self.cast.write_names(axes, lines, CORNER)

    def _kept(self, name: str, curve: Curve) -> Any:
        """The points that thinning must not take: vertices of the hull, and the operating point."""
        kept = np.zeros(len(curve), dtype=bool)
        if self.hull is not None:
            kept |= _is_among(curve, self.hull.x, self.hull.y)
        if name in self.points:
            cut = self.points[name].matrix
            kept |= _is_among(curve, np.array([cut.fpr]), np.array([cut.tpr]))
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

    def _draw_points(self, axes: Axes) -> None:
        """Mark the operating points, with words at the best of them."""
        if not self.points:
            return
        for name, point in self.points.items():
            (self.artists_[f"point of {name}"],) = axes.plot(
                point.matrix.fpr, point.matrix.tpr, "o", markersize=6, zorder=5,
                color=self.cast.stroke(name).colour, markeredgecolor="white",
            )  # fmt: skip
        best = self._best()
        point = self.points[best]
        x, y = float(point.matrix.fpr), float(point.matrix.tpr)
        line = self._indifferent(point)
        axes.plot(*line, color=INK, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1.3)
        words = (
            f"score ≥ {point.threshold:.3g}" if np.isfinite(point.threshold) else "none positive"
        )
        axes.annotate(
            f"{words}\nTPR {y:.3f}, FPR {x:.3f}\n{point.measure} {point.value:.3g}",
            (x, y),
            xytext=(9, -7) if x < 0.6 else (-9, -9),
            textcoords="offset points",
            ha="left" if x < 0.6 else "right",
            va="top",
            fontsize=SMALL,
            color=INK,
            path_effects=halo(),
        )

    def _best(self) -> str:
        """The model whose operating point is best."""
        values = np.array([float(point.value) for point in self.points.values()])
        goal = self.goal["maximise"]
        goodness = -values if goal is None else parse(goal).goodness(values)
        return list(self.points)[int(np.nanargmax(goodness))]

    def _indifferent(self, point: OperatingPoint) -> Any:
        """The points that are as good as one: of equal value, or of equal cost."""
        x, y = float(point.matrix.fpr), float(point.matrix.tpr)
        maximise, cost_fp, cost_fn, prior = self.goal.values()
        if maximise is None:
            costs = read_costs(cost_fp, cost_fn, prior)
            alarms, misses = costs.weights(point.matrix.P / point.matrix.n)
            return line_through(x, y, alarms / misses if misses else np.inf)
        r = point.matrix.N / point.matrix.P if prior is None else (1 - prior) / prior
        (line,) = isometrics_of(parse(maximise), float(r), [float(point.value)]).values()
        return line.x, line.y


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
