"""DET curves: false negative rate against false positive rate on normal deviate axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure.curves import FNR, FPR, Curve, det
from metameasure.measurement import parse
from metameasure.plots._drawing.display import CurvesDisplay
from metameasure.plots._drawing.layout import caption, set_ticks
from metameasure.plots._drawing.model_styles import curves_of, styles_of
from metameasure.plots._drawing.style import GRAY, GUIDE, show

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure._types import Floats
    from metameasure.data import Models

    Line = tuple[Floats, Floats]

WIDE, BENDS = 0.05, 64
"""Length of a line across a tie from which on it is curved, and its points along each axis."""
NARROWEST = 2.0
"""Least length of an axis in deviates."""
MARGIN = 0.03
RATES = (
    *("0.00001", "0.0001", "0.001", "0.01", "0.05", "0.2", "0.5", "0.8", "0.95", "0.99", "0.999"),
    *("0.9999", "0.99999"),
)
"""Rates of ticks."""
SHORT, CLOSE = 3.0, ("0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "0.95")
"""Length of an axis in deviates up to which ticks are closer, and their rates."""


class DetDisplay(CurvesDisplay):
    """DET curves: false negative rate against false positive rate on normal deviate axes.

    Normally distributed scores give a straight line, and small rates can be read. The dots are the
    equal error rates, where the curves cross the diagonal. A rate of 0 or 1, whose deviate is
    infinite, is drawn half a case away from it.

    Args:
        highlight: the models with colors and names; by default the seven with the least equal
            error rate.
    """

    def __init__(self, models: Models, *, highlight: Iterable[str] | None = None) -> None:
        super().__init__(models)
        self.halves = {
            name: (half_case(table.neg), half_case(table.pos))
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
        axes.set(xlabel=FPR, ylabel=FNR)
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
        for axis, ends in ((axes.xaxis, across), (axes.yaxis, up)):
            set_ticks(axis, *rate_ticks(*ends))


def deviates(rates: Floats, half: float) -> Floats:
    """The normal deviates of rates, clipped half a case away from 0 and 1."""
    from scipy.special import ndtri  # noqa: PLC0415

    found: Floats = ndtri(np.clip(rates, half, 1 - half))
    return found


def half_case(weights: Floats) -> float:
    """The rate of half a case of a class; with weights below 1, of half the least weight."""
    least = min(1.0, float(weights[weights > 0].min()))
    return least / 2 / float(weights.sum())


def bent_line(x: Floats, y: Floats, halves: tuple[float, float]) -> Line:
    """A polyline of rates in deviates, curved where both rates change at once."""
    from scipy.special import ndtr  # noqa: PLC0415

    across, up = deviates(x, halves[0]), deviates(y, halves[1])
    tied = (np.diff(x) != 0) & (np.diff(y) != 0)
    wide = np.flatnonzero(tied & (np.hypot(np.diff(across), np.diff(up)) > WIDE))
    places, shares = [], []
    for place in wide.tolist():
        steps = (
            (ndtr(np.linspace(d[place], d[place + 1], BENDS)) - r[place])
            / (r[place + 1] - r[place])
            for r, d in ((x, across), (y, up))
        )
        share = np.unique(np.concatenate(list(steps)))
        shares.append(share[(share > 0) & (share < 1)])
        places.append(np.full(shares[-1].size, place))
    if not places:
        return across, up
    left, share = np.concatenate(places), np.concatenate(shares)
    inserted = (
        np.insert(d, left + 1, deviates(r[left] + share * (r[left + 1] - r[left]), half))
        for r, d, half in ((x, across, halves[0]), (y, up, halves[1]))
    )
    wider, higher = inserted
    return wider, higher


def limits(lines: Iterable[Floats]) -> tuple[float, float]:
    """The limits of an axis that contains all lines."""
    ends = [end for line in lines for end in (float(line.min()), float(line.max()))]
    low, high = min(ends), max(ends)
    more = max(MARGIN * (high - low), (NARROWEST - high + low) / 2)
    return low - more, high + more


def rate_ticks(low: float, high: float) -> tuple[list[float], list[str]]:
    """Ticks between two deviates, and their rates."""
    from scipy.special import ndtri  # noqa: PLC0415

    chosen = RATES if high - low > SHORT else CLOSE
    ticks = {float(ndtri(float(rate))): rate for rate in chosen}
    inside = {place: name for place, name in ticks.items() if low <= place <= high}
    return list(inside), list(inside.values())
