"""Precision-recall curves with lines of equal F, prevalence, operating points and bands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from metameasure._arguments import FRACTION, Real, read_argument, read_several
from metameasure.curves import precision_recall
from metameasure.errors import Argument, ParameterError
from metameasure.measurement import parse
from metameasure.plots._drawing.display import CurvesDisplay
from metameasure.plots._drawing.layout import line_entry
from metameasure.plots._drawing.model_styles import bands_of, curves_of, draw_bands, styles_of
from metameasure.plots._drawing.operating_points import (
    best_of,
    draw_isometrics,
    draw_points,
    equally_good,
    point_entries,
    points_of,
)
from metameasure.plots._drawing.style import GUIDE, PALE, unit_square

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes

    from metameasure._types import Floats
    from metameasure.data import Models
    from metameasure.measurement import Measure
    from metameasure.operating import OperatingPoint

    Line = tuple[Floats, Floats]

Interpolation = Literal["davis_goadrich", "step", "trapezoid", "max"]
CORNER = "lower left"
TENTHS = tuple(round(0.1 * tenth, 1) for tenth in range(1, 10))
FINE = 200
"""Number of points along each axis of a curved line."""
BETA = Real(1e-6, 1e6)
"""Limits within which lines of equal F can be drawn."""


class PrecisionRecallDisplay(CurvesDisplay):
    """Precision-recall curves of one or more models.

    Between two thresholds precision is a hyperbola; a straight line would be too optimistic (Davis
    and Goadrich, 2006). AP in the legend is ``average_precision`` as in tables, the area under
    steps, for each interpolation; ``average_precision(interpolation=...)`` is the area as drawn.

    Args:
        interpolation: between two points: the hyperbola ("davis_goadrich"), a "step", a straight
            line ("trapezoid"), or the largest precision at this recall or more ("max").
        beta: the weight of recall relative to precision; lines of equal F are drawn for it.
        values: the values of these lines; tenths by default.
        maximize: a measure; the operating point that maximizes it is marked.
        cost_fp: instead, the cost of a false positive; the operating point of least cost is marked.
        cost_fn: the cost of a false negative.
        prior: the probability of a positive where decisions will be made. The point is optimal
            there; its precision, like the curve, is that on the given cases.
        band: the confidence of a band around each curve.
        simultaneous: whether the band is simultaneous rather than pointwise.
        highlight: the models with colors and names; by default the seven with the largest average
            precision.
    """

    def __init__(
        self,
        models: Models,
        *,
        interpolation: Interpolation = "davis_goadrich",
        beta: float | None = None,
        values: Sequence[float] | None = None,
        maximize: str | Measure | None = None,
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
        self.styles = styles_of(models, parse("average_precision"), highlight)
        self.beta, self.f_lines = 1.0 if beta is None else beta, f_lines(beta, values)
        self.prevalence = _prevalence(models)
        self.points = points_of(
            models, self.styles, maximize=maximize, cost_fp=cost_fp, cost_fn=cost_fn, prior=prior
        )
        self.equally_good = self._equally_good()
        self.bands = bands_of(models, kind, self.styles, band, simultaneous=simultaneous)

    def _draw(self, axes: Axes) -> None:
        unit_square(axes)
        axes.set(xlabel="recall", ylabel="precision")
        self._draw_f(axes)
        more = []
        if self.prevalence is not None:
            at = [self.prevalence] * 2
            (self.artists_["prevalence"],) = axes.plot([0, 1], at, **GUIDE.keywords)
            more.append(line_entry(GUIDE, f"prevalence {self.prevalence:.3g}"))
        draw_bands(axes, self.bands, self.styles)
        self._draw_curves(axes, self.curves, self.styles)
        self.artists_ |= draw_points(axes, self.points, self.styles, self._place, self.equally_good)
        more += point_entries(self.points, self.styles, self._place, ("recall", "precision"))
        self.styles.write_legend(axes, CORNER, more)

    def _draw_f(self, axes: Axes) -> None:
        """Draw the lines of equal F."""
        if self.f_lines:
            name = "F" if self.beta == 1 else f"F, beta {self.beta:g}"
            lines = dict(reversed(self.f_lines.items()))
            self.artists_ |= draw_isometrics(axes, lines, f"dashed: equal {name}", color=PALE)

    def _place(self, name: str, point: OperatingPoint) -> tuple[float, float]:
        """The position of an operating point; without positives, the start of the curve."""
        cut = point.matrix
        taken = float(cut.tp + cut.fp)
        return float(cut.tpr), float(cut.tp) / taken if taken else float(self.curves[name].y[0])

    def _equally_good(self) -> Line | None:
        """The line of equally good points, mapped from ROC space."""
        line = equally_good(self.points)
        if line is None:
            return None
        cut = self.points[best_of(self.points)].matrix
        return from_roc_space(*line, float(cut.N / cut.P))


def f_lines(beta: float | None, values: Sequence[float] | None = None) -> dict[float, Line]:
    """Recall and precision along the lines of equal F, by the values of F; none without beta.

    F = (1 + b²) P R / (b² P + R) is constant on P = F R / ((1 + b²) R - F b²), from P = 1 to
    R = 1.
    """
    if beta is None:
        if values is not None:
            raise ParameterError(
                (Argument("values"), " are values of F and need a beta"),
                remedy=("pass ", Argument("beta", 1)),
            )
        return {}
    more = read_argument("beta", beta, BETA) ** 2
    lines = {}
    for value in sorted(TENTHS if values is None else read_several("values", values, FRACTION)):
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
    """Recall and precision along a line of ROC space, with r negatives per positive."""
    at = np.linspace(0, fpr.size - 1, FINE * fpr.size)
    x, y = (np.interp(at, np.arange(fpr.size), rate) for rate in (fpr, tpr))
    some = x + y > 0
    if not np.ptp(x) + np.ptp(y):
        return None
    return y[some], y[some] / (y[some] + r * x[some])


def _prevalence(models: Models) -> float | None:
    """The prevalence, if it is the same for all models."""
    found = [float(table.P / table.n) for table in models.tables.values()]
    return found[0] if np.ptp(found) < 1e-9 else None
