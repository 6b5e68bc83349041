"""DET curves: false negative rate against false positive rate on normal deviate axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure.curves import FNR, FPR, Curve, det
from metameasure.measurement import parse
from metameasure.plots._drawing.display import CurvesDisplay
from metameasure.plots._drawing.layout import caption, set_ticks
from metameasure.plots._drawing.model_styles import curves_of, styles_of
from metameasure.plots._drawing.probit_axis import (
    bent_line,
    deviates,
    half_a_case,
    limits,
    percent_ticks,
)
from metameasure.plots._drawing.style import GRAY, GUIDE, show

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure.data import Models


class DetDisplay(CurvesDisplay):
    """DET curves: false negative rate against false positive rate on normal deviate axes.

    Normally distributed scores give a straight line, and small rates can be read. The dots are the
    equal error rates, where the curves cross the diagonal. A rate of 0 or 1, whose deviate is
    infinite, is drawn half a case away from it.

    Args:
        models: the models.
        highlight: the models with colors and names; by default the seven with the least equal
            error rate.
    """

    def __init__(self, models: Models, *, highlight: Iterable[str] | None = None) -> None:
        super().__init__(models)
        self.halves = {
            name: (half_a_case(table.neg), half_a_case(table.pos))
            for name, table in models.tables.items()
            if table.P and table.N
        }
        self.curves = {
            name: Curve("det", *bent_line(rates.x, rates.y, self.halves[name]))
            for name, rates in curves_of(models, det).items()
        }
        self.styles = styles_of(models, parse("equal_error_rate"), highlight)

    def _draw(self, axes: Axes) -> None:
        lines = self.curves.values()
        show(axes, limits(line.x for line in lines), limits(line.y for line in lines))
        axes.set(xlabel=f"{FPR} (%)", ylabel=f"{FNR} (%)")
        across, up = axes.get_xlim(), axes.get_ylim()
        far = np.array([min(*across, *up), max(*across, *up)])
        (self.artists_["chance"],) = axes.plot(far, -far, **GUIDE.keywords)
        (self.artists_["equal rates"],) = axes.plot(far, far, **GUIDE.keywords)
        self._draw_curves(axes, self.curves, self.styles)
        for name, stroke in self.styles.named.items():
            rate = np.array([self.styles.values[name]])
            x, y = (deviates(rate, half) for half in self.halves[name])
            (self.artists_[f"EER of {name}"],) = axes.plot(
                x, y, "o", color=stroke.color, markersize=5, markeredgecolor="white", zorder=5
            )
        dots = "dots" if len(self.styles.named) > 1 else "dot"
        caption(axes, f"{dots}: equal error rate", color=GRAY)
        self.styles.write_legend(axes, "upper right")
        set_ticks(axes, "x", percent_ticks(*across))
        set_ticks(axes, "y", percent_ticks(*up))
