"""Lift curves: how many times as frequent positives are among the top cases as among all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure._arguments import Real, read_argument
from metameasure.curves import lift_curve
from metameasure.plots._drawing.display import BROAD
from metameasure.plots._drawing.layout import line_entry
from metameasure.plots._drawing.style import GUIDE, MARGIN, show, text_of
from metameasure.plots.gain import DEPTH, PERFECT, RankingDisplay

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure.data import Models

CORNER = "upper right"
SHALLOWEST = 0.01
"""Fraction of cases from which on the lift determines the height of the picture."""
FINE = 200
"""Number of points of the curved line of a perfect ranking."""


class LiftDisplay(RankingDisplay):
    """Lift curves: the fraction of positives in the top fraction of the cases, over that of all.

    The lines of a random and of a perfect ranking are drawn for comparison. The lift of the first
    cases varies most: the height of the picture is that of the curves from the top 1% on.

    Args:
        depth: a fraction of the cases; the lift there is marked and in the legend.
        highlight: the models with colors and names; by default the seven with the largest accuracy
            ratio.
    """

    size = BROAD

    def __init__(
        self, models: Models, *, depth: float = 0.1, highlight: Iterable[str] | None = None
    ) -> None:
        super().__init__(models, lift_curve, highlight)
        self.depth: float = read_argument("depth", depth, Real(0, 1, open_low=True))

    def _text(self, name: str) -> str:
        """The name of a model with its lift at the depth."""
        words = "" if len(self.curves) == 1 and name == "model" else f"{text_of(name)}  "
        return f"{words}lift {self.curves[name].at(self.depth):.2f}"

    def _draw(self, axes: Axes) -> None:
        top = self._height()
        show(axes, (-MARGIN, 1 + MARGIN), (-MARGIN * top, (1 + MARGIN) * top))
        axes.set(xlabel="fraction of cases taken", ylabel="lift")
        (self.artists_["random"],) = axes.plot([0, 1], [1, 1], **GUIDE.keywords)
        prevalence = self.positives / self.cases
        deep = np.linspace(prevalence, 1, FINE)
        best = np.append(0, deep), 1 / np.append(prevalence, deep)
        (self.artists_["perfect"],) = axes.plot(*best, **PERFECT.keywords)
        line = [self.depth] * 2, [0, max(curve.at(self.depth) for curve in self.curves.values())]
        (self.artists_["depth"],) = axes.plot(*line, **DEPTH.keywords)
        self._draw_curves(axes, self.curves, self.styles)
        more = [
            line_entry(GUIDE, "random ranking"),
            line_entry(PERFECT, "perfect ranking"),
            line_entry(DEPTH, f"top {100 * self.depth:.3g}%"),
        ]
        self.styles.write_legend(axes, CORNER, more, self._text)

    def _height(self) -> float:
        """The largest lift of the curves, except among very few cases."""
        deep = np.linspace(SHALLOWEST, 1, FINE)
        return max(float(np.max(curve.at(deep))) for curve in self.curves.values())
