"""The precision-recall curve as a picture: lines of equal F, prevalence, operating point, band."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._arguments import POSITIVE, is_real, read_argument
from metameasure.curves import precision_recall
from metameasure.errors import DataError
from metameasure.measurement import parse
from metameasure.plots._drawing.bands import bands_of, draw_bands
from metameasure.plots._drawing.display import CurvesDisplay
from metameasure.plots._drawing.isometric_lines import STYLE
from metameasure.plots._drawing.models import cast_of, curves_of
from metameasure.plots._drawing.operating_points import (
    best_of,
    draw_points,
    line_as_good,
    points_of,
    write_best_point,
)
from metameasure.plots._drawing.screen import is_narrow, size_of, text_size
from metameasure.plots._drawing.style import GREY, GUIDE, PALE, SMALLER, halo, unit_square

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from metameasure.data import Models
    from metameasure.measurement import Measure
    from metameasure.operating import OperatingPoint

    Floats = NDArray[np.float64]
    Line = tuple[Floats, Floats]

Interpolation = Literal["davis_goadrich", "step", "trapezoid", "max"]
CORNER = "lower left"
TENTHS = tuple(round(0.1 * tenth, 1) for tenth in range(1, 10))
FINE = 200
"""The number of points along each axis of a line that is bent."""
APART = 0.035
"""Numbers at the right ends of lines that are nearer to each other cannot be read."""
LINE = 1.6
"""How far they are apart in a narrow picture, in their heights."""


class PrecisionRecallDisplay(CurvesDisplay):
    """Precision-recall curves of one or more models.

    Between two thresholds precision is not a straight line but a hyperbola; a straight line would
    promise more than any threshold gives (Davis and Goadrich, 2006). The average precision in the
    names is the area under the curve as it is drawn.

    Args:
        models: the models.
        interpolation: what lies between two points: the hyperbola ("davis_goadrich"), a "step", a
            straight line ("trapezoid"), or the best precision at this recall or more ("max").
        beta: how much more recall counts than precision, to draw the lines along which F is equal.
        values: at which values of F; at tenths by default.
        maximise: a measure, to mark the point where it is best.
        cost_fp: instead, what a false alarm costs, to mark the point that costs least.
        cost_fn: what a missed positive costs.
        prior: the probability of a positive where decisions will be made. The point is best there;
            its precision is that among the cases, as is the curve.
        band: a confidence, to draw the band around each curve.
        simultaneous: whether the band is to hold the whole curve.
        highlight: which models are told apart; the seven with the largest average precision by
            default.
    """

    def __init__(
        self,
        models: Models,
        *,
        interpolation: Interpolation = "davis_goadrich",
        beta: float | None = None,
        values: Sequence[float] | None = None,
        maximise: str | Measure | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        prior: float | None = None,
        band: float | None = None,
        simultaneous: bool = False,
        highlight: Iterable[str] | None = None,
    ) -> None:
        super().__init__(models)
        kind = precision_recall.using(interpolation=interpolation)
        self.curves = curves_of(models, kind)
        measure = parse("average_precision").using(interpolation=interpolation)
        # The area as it is drawn is average precision as others know it for steps only.
        symbol = "AP" if interpolation == "step" else "area"
        self.cast = replace(cast_of(models, measure, highlight), symbol=symbol)
        self.beta, self.f_lines = 1.0 if beta is None else beta, f_lines(beta, values)
        self.prevalence = _prevalence(models)
        self.points = points_of(
            models, self.cast, maximise=maximise, cost_fp=cost_fp, cost_fn=cost_fn, prior=prior
        )
        self.as_good = self._as_good()
        self.bands = bands_of(models, kind, self.cast, band, simultaneous=simultaneous)

    def _draw(self, axes: Axes) -> None:
        unit_square(axes)
        axes.set(xlabel="recall", ylabel="precision")
        self._draw_f(axes)
        if self.prevalence is not None:
            self._draw_prevalence(axes, self.prevalence)
        draw_bands(axes, self.bands, self.cast)
        kept = {name: self._kept(name) for name in self.curves}
        lines = self._draw_curves(axes, self.curves, self.cast, kept)
        self.artists_ |= draw_points(axes, self.points, self.cast, self._place, self.as_good)
        words = ("recall", "precision")
        note = partial(write_best_point, axes, self.points, self._place, words)
        self._write(axes, lines, CORNER, note)

    def _draw_f(self, axes: Axes) -> None:
        """Draw the lines of equal F, with their values at the right ends."""
        written, apart = np.inf, APART
        if is_narrow(axes):
            apart = max(apart, LINE * text_size("0", SMALLER)[1] / size_of(axes)[1])
        for value, (recall, precision) in reversed(self.f_lines.items()):
            (self.artists_[f"F {value:g}"],) = axes.plot(
                recall, precision, **{**STYLE, "color": PALE}
            )
            end = float(precision[-1])
            if written - end >= apart:
                written = end
                axes.annotate(
                    f"{value:g}".replace("0.", "."), (1.0, end), xytext=(4, 0), va="center",
                    textcoords="offset points", fontsize=SMALLER, color=GREY, annotation_clip=False,
                )  # fmt: skip
        if self.f_lines:
            name = "F" if self.beta == 1 else f"F, beta {self.beta:g}"
            axes.set_title(f"dashed: equal {name}", fontsize=SMALLER, color=GREY, loc="right")

    def _draw_prevalence(self, axes: Axes, prevalence: float) -> None:
        (self.artists_["prevalence"],) = axes.plot([0, 1], [prevalence] * 2, **GUIDE.keywords)
        high = prevalence > 0.95
        axes.annotate(
            f"prevalence {prevalence:.3g}", (0, prevalence), xytext=(2, -2 if high else 2),
            textcoords="offset points", va="top" if high else "bottom", fontsize=SMALLER,
            color=GREY, path_effects=halo(), zorder=4,
        )  # fmt: skip

    def _place(self, name: str, point: OperatingPoint) -> tuple[float, float]:
        """Where an operating point lies; with no case called positive, where the curve begins."""
        cut = point.matrix
        taken = float(cut.tp + cut.fp)
        return float(cut.tpr), float(cut.tp) / taken if taken else float(self.curves[name].y[0])

    def _kept(self, name: str) -> Any:
        """The point of a curve that thinning must not take: the operating point."""
        curve = self.curves[name]
        if name not in self.points:
            return np.zeros(len(curve), dtype=bool)
        recall, precision = self._place(name, self.points[name])
        return (curve.x == recall) & (curve.y == precision)

    def _as_good(self) -> Line | None:
        """What is as good as the best point, from ROC space."""
        line = line_as_good(self.points)
        if line is None:
            return None
        cut = self.points[best_of(self.points)].matrix
        return from_roc_space(*line, float(cut.N / cut.P))


def f_lines(beta: float | None, values: Sequence[float] | None = None) -> dict[float, Line]:
    """Recall and precision along the lines of equal F, by its values; none without a beta.

    F = (1 + b²) P R / (b² P + R) holds on P = F R / ((1 + b²) R - F b²), from where P is 1 to
    where R is 1.
    """
    if beta is None:
        if values is not None:
            raise DataError("values= are those of F, whose lines are drawn for a beta: give beta=1")
        return {}
    more = read_argument("beta", beta, POSITIVE) ** 2
    lines = {}
    for value in sorted(TENTHS if values is None else values):
        if not (is_real(value) and 0 < value < 1):
            raise DataError(f"F has no line at {value!r}: give values between 0 and 1")
        ends = value * more / (1 + more - value), value / (1 + more - value * more)
        high = np.linspace(1.0, ends[1], FINE)
        recall = np.unique(
            np.concatenate(
                [np.linspace(ends[0], 1.0, FINE), value * more * high / ((1 + more) * high - value)]
            ).clip(ends[0], 1.0)
        )
        precision = value * recall / ((1 + more) * recall - value * more)
        lines[float(value)] = recall, precision.clip(ends[1], 1.0)
    return lines


def from_roc_space(fpr: Floats, tpr: Floats, r: float) -> Line | None:
    """Recall and precision along a line of ROC space, where r negatives come to a positive."""
    at = np.linspace(0, fpr.size - 1, FINE * fpr.size)
    x, y = (np.interp(at, np.arange(fpr.size), rate) for rate in (fpr, tpr))
    some = x + y > 0
    if not np.ptp(x) + np.ptp(y):
        return None
    return y[some], y[some] / (y[some] + r * x[some])


def _prevalence(models: Models) -> float | None:
    """The share of positives, if it is the same for all models."""
    found = [float(table.P / table.n) for table in models.tables.values()]
    return found[0] if np.ptp(found) < 1e-9 else None
