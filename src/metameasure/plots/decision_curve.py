"""What decisions gain, against the probability from which on cases are treated, as a picture."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metameasure.curves import Curve, decision_curve
from metameasure.errors import DataError
from metameasure.measurement import NO_POSITIVE, parse
from metameasure.plots._drawing.display import BROAD, CurvesDisplay
from metameasure.plots._drawing.models import cast_of, curves_of, table_of_cases
from metameasure.plots._drawing.screen import is_written, size_of, text_size
from metameasure.plots._drawing.style import GREY, GUIDE, MOST_NAMED, SMALLER, halo, show, text_of
from metameasure.plots._drawing.thinning import COLUMNS
from metameasure.plots.cost_curve import read_range

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from metameasure.data import Models

    Floats = NDArray[np.float64]

BELOW = 0.1
"""How far the picture goes below a net benefit of 0, as a share of the highest one."""
COARSE = 400
"""Curves without a name are drawn with so many points from left to right."""
MOST_JUMPS = 200
"""The steps of a curve at more scores are so small that none need be seen as upright."""
ALL, NONE = "treat all", "treat none"
APART = 6.0
"""So many points of print lie beside their names."""
FLAT = 0.05
"""The height of a picture of models that gain nothing."""


class DecisionCurveDisplay(CurvesDisplay):
    """Decision curves: net benefit against the probability from which on cases are treated.

    Beside the models there is the benefit of treating all cases, and none. The picture ends a
    little below 0, under which treating all goes on falling: who loses should treat none.

    Args:
        models: the models, whose scores must be probabilities.
        thresholds: the lowest and the highest threshold probability to show.
        standardised: whether to divide by the prevalence, so that 1 is the most there can be.
        highlight: which models are told apart; by default the seven that gain most over the
            range on average, with misses and false alarms weighed by 1 - t and t. Over all
            thresholds that is the order of the Brier score.
    """

    size = BROAD
    probabilities: ClassVar[bool] = True

    def __init__(
        self,
        models: Models,
        *,
        thresholds: tuple[float, float] = (0.0, 1.0),
        standardised: bool = False,
        highlight: Iterable[str] | None = None,
    ) -> None:
        super().__init__(models)
        self.thresholds = read_thresholds(thresholds)
        self.curves = curves_of(models, decision_curve)
        prevalence = float(table_of_cases(models).prevalence)
        if standardised and not prevalence:
            raise DataError(f"net benefit cannot be divided by the prevalence: {NO_POSITIVE}")
        self.standardised = standardised
        self._unit = prevalence if standardised else 1.0
        t = self._grid(COLUMNS)
        benefits = {name: curve.at(t) for name, curve in self.curves.items()}
        if highlight is None:
            gains = {name: -np.mean((1 - t) * found) for name, found in benefits.items()}
            highlight = sorted(gains, key=gains.__getitem__)[:MOST_NAMED]
        self.cast = cast_of(models, parse("brier"), highlight)
        start = next(iter(self.curves.values())).at(self.thresholds[0], "treat_all")
        highest = max(float(start), *(float(found.max()) for found in benefits.values()))
        self._top = (highest if highest > 0 else FLAT) / self._unit

    def _grid(self, columns: int) -> Floats:
        """Thresholds at equal distances; at 1 itself a single false alarm would cost everything."""
        grid = np.linspace(*self.thresholds, columns + 1)
        return grid[grid < 1]

    def _shown(self, curve: Curve, line: str | None = None, columns: int = COLUMNS) -> Curve:
        """The part of a curve that is seen, on a floor that is not: what is lower has no end.

        Where it jumps at a few scores there are points at both sides of each.
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
            ylabel="standardised net benefit" if self.standardised else "net benefit",
        )
        self._draw_guides(axes)
        shown = {
            name: self._shown(curve, columns=COLUMNS if name in self.cast.named else COARSE)
            for name, curve in self.curves.items()
        }
        lines = self._draw_curves(axes, shown, self.cast)
        named = {name: replace(line, text=text_of(name)) for name, line in lines.items()}
        self.cast.write_names(axes, named, "upper right")

    def _draw_guides(self, axes: Axes) -> None:
        """Draw the benefit of treating all and of treating none, with their names."""
        any_model, stroke = next(iter(self.curves.values())), replace(GUIDE, colour=GREY)
        everyone, nobody = (self._shown(any_model, line) for line in ("treat_all", "treat_none"))
        (self.artists_["treat_all"],) = axes.plot(everyone.x, everyone.y, **stroke.keywords)
        (self.artists_["treat_none"],) = axes.plot(nobody.x, nobody.y, **stroke.keywords)
        bottom, (low, high) = -BELOW * self._top, self.thresholds
        seen = np.flatnonzero(everyone.y >= bottom)
        share = 1.0
        if seen.size:
            x, y = float(everyone.x[seen[-1]]), float(everyone.y[seen[-1]])
            share = (x - low) / (high - low)
            # Where the line leaves at the bottom its name stands below 0, else under its end.
            leaves, left = y < bottom / 2, y >= bottom / 2 or share > 0.25
            _name_guide(axes, ALL, (x, y), "right" if left else "left", above=leaves)
        # Models seldom lose where cases are treated early, so that there is room below 0.
        needed = sum(text_size(words, SMALLER)[0] + APART for words in (ALL, NONE))
        at_left = share > max(0.4, needed / size_of(axes)[0])
        _name_guide(axes, NONE, (low if at_left else high, 0), "left" if at_left else "right")


def _name_guide(
    axes: Axes, words: str, place: tuple[float, float], side: str, *, above: bool = False
) -> None:
    """Write what a line is beside a point of it; words begin or end at a side of the point."""
    if is_written(axes, words):
        return
    axes.annotate(
        words, place, xytext=(4 if side == "left" else -4, 3 if above else -3), ha=side,
        va="bottom" if above else "top", textcoords="offset points", fontsize=SMALLER, color=GREY,
        path_effects=halo(), zorder=6,
    )  # fmt: skip


def read_thresholds(thresholds: Any) -> tuple[float, float]:
    """The range of the threshold probability."""
    if not isinstance(thresholds, (tuple, list)) or len(thresholds) != 2:
        raise DataError(f"thresholds={thresholds!r} is no pair: give the lowest and the highest")
    low, high = thresholds
    return read_range(low, high, "thresholds=({!r}, {!r}) is no range of probabilities")
