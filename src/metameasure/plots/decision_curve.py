"""Decision curves: net benefit against threshold probability."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from metameasure._arguments import Flag, Range, read_argument
from metameasure.curves import Curve, decision_curve
from metameasure.errors import DataError
from metameasure.measurement import NO_POSITIVE, parse
from metameasure.plots._drawing.display import BROAD, CurvesDisplay
from metameasure.plots._drawing.layout import line_entry
from metameasure.plots._drawing.model_styles import curves_of, styles_of, table_of_cases
from metameasure.plots._drawing.style import GRAY, GUIDE, MOST_NAMED, Stroke, show, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure._types import Floats
    from metameasure.data import Models


BELOW = 0.1
"""Length of the axis below a net benefit of 0, as a fraction of the highest one."""
FINE, COARSE = 2000, 400
"""Numbers of points of a curve, and of a gray curve."""
MOST_JUMPS = 200
"""Number of jumps of a curve up to which each is drawn upright."""
FLAT = 0.05
"""Height of the axis if no net benefit is positive."""
GUIDES = {
    "treat_all": replace(GUIDE, color=GRAY),
    "treat_none": Stroke(GRAY, "-", 0.6, 1.0),
}


class DecisionCurveDisplay(CurvesDisplay):
    """Decision curves: net benefit against the threshold probability of treatment.

    The net benefits of treating all cases and of treating none are drawn for comparison. The axis
    ends a little below 0, where treating none is better.

    Args:
        models: the models; their scores must be probabilities.
        thresholds: the lowest and the highest threshold probability.
        standardized: whether to divide by the prevalence, so that the maximum is 1.
        highlight: the models with colors and names; by default the seven with the largest mean of
            (1 - t) times net benefit over the thresholds t. Over [0, 1] that is the order of the
            Brier score.
    """

    size = BROAD
    probabilities: ClassVar[bool] = True

    def __init__(
        self,
        models: Models,
        *,
        thresholds: tuple[float, float] = (0.0, 1.0),
        standardized: bool = False,
        highlight: Iterable[str] | None = None,
    ) -> None:
        super().__init__(models)
        self.thresholds: tuple[float, float] = read_argument("thresholds", thresholds, Range(0, 1))
        standardized = read_argument("standardized", standardized, Flag())
        self.curves = curves_of(models, decision_curve)
        prevalence = float(table_of_cases(models).prevalence)
        if standardized and not prevalence:
            raise DataError(
                f"standardized net benefit is undefined: {NO_POSITIVE}", argument="standardized"
            )
        self.standardized = standardized
        self._unit = prevalence if standardized else 1.0
        t = self._grid(FINE)
        benefits = {name: curve.at(t) for name, curve in self.curves.items()}
        if highlight is None:
            gains = {name: -np.mean((1 - t) * found) for name, found in benefits.items()}
            highlight = sorted(gains, key=gains.__getitem__)[:MOST_NAMED]
        self.styles = styles_of(models, parse("brier"), highlight)
        start = next(iter(self.curves.values())).at(self.thresholds[0], "treat_all")
        highest = max(float(start), *(float(found.max()) for found in benefits.values()))
        self._top = (highest if highest > 0 else FLAT) / self._unit

    def _grid(self, columns: int) -> Floats:
        """Equally spaced thresholds below 1, where the cost of a false positive is infinite."""
        grid = np.linspace(*self.thresholds, columns + 1)
        return grid[grid < 1]

    def _shown(self, curve: Curve, line: str | None = None, columns: int = FINE) -> Curve:
        """The visible part of a curve, clipped below the axis.

        At a few jumps there are points on both sides of each.
        """
        x, (low, high) = self._grid(columns), self.thresholds
        jumps = curve.x[(curve.x > low) & (curve.x < high)]
        if jumps.size <= MOST_JUMPS:
            x = np.union1d(x, np.concatenate([jumps, np.nextafter(jumps, 1.0)]))
        floor = -2 * BELOW * self._top
        return Curve(curve.name, x, np.maximum(curve.at(x, line) / self._unit, floor))

    def _draw(self, axes: Axes) -> None:
        show(axes, self.thresholds, (-BELOW * self._top, 1.04 * self._top))
        axes.set(
            xlabel="threshold probability",
            ylabel="standardized net benefit" if self.standardized else "net benefit",
        )
        any_model = next(iter(self.curves.values()))
        more = []
        for name, stroke in GUIDES.items():
            line = self._shown(any_model, name)
            (self.artists_[name],) = axes.plot(line.x, line.y, **stroke.keywords)
            if line.y.max() > -BELOW * self._top:
                more.append(line_entry(stroke, name.replace("_", " ")))
        shown = {
            name: self._shown(curve, columns=FINE if name in self.styles.named else COARSE)
            for name, curve in self.curves.items()
        }
        self._draw_curves(axes, shown, self.styles)
        self.styles.write_legend(axes, "upper right", more, text=text_of)
