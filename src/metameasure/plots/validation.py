"""The goal on the test part against a measure on the validation part, for trained models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure._arguments import Choice, read_argument
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.lab import ModelSelection
from metameasure.measurement import parse
from metameasure.plots._drawing.display import Display
from metameasure.plots._drawing.layout import caption
from metameasure.plots._drawing.style import COLORS, INK, text_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from metameasure.measurement import Measure

MANY = 400
"""Number of points from which on they are small and pale."""


class ValidationDisplay(Display):
    """Test values of the goal against validation values of a measure, with the regression line.

    The caption has the fraction of the variance of the test values that the regression does not
    explain, 1 - r² (Wu, Flach and Ferri, 2007, Fig. 3). It is small for a measure whose values on
    the validation part predict the goal.

    Args:
        selection: the result of ``lab.select_models``.
        measure: the measure on the validation part; by default the goal.
        dataset: the data set, if there are several.
    """

    def __init__(
        self,
        selection: ModelSelection,
        measure: str | Measure | None = None,
        *,
        dataset: str | None = None,
    ) -> None:
        if not isinstance(selection, ModelSelection):
            raise DataError(
                f"selection must come from lab.select_models, got {type(selection).__name__}"
            )
        names = list(selection.trained)
        if dataset is None and len(names) > 1:
            raise ParameterError((Argument("dataset"), f" must be one of {', '.join(names)}"))
        chosen = read_argument("dataset", dataset, Choice(tuple(names)), optional=True)
        trained = selection.trained[names[0] if chosen is None else chosen]
        self.goal: str = selection.meta["goal"]
        self.measure = self.goal if measure is None else str(parse(measure))
        if self.measure not in trained.values:
            problem = f" must be one of {', '.join(trained.values)}, got {self.measure}"
            raise ParameterError((Argument("measure"), problem))
        x, y = trained.values[self.measure].ravel(), trained.goals.ravel()
        known = np.isfinite(x) & np.isfinite(y)
        self.x, self.y = x[known], y[known]
        if self.x.size < 3 or not np.ptp(self.x) or not np.ptp(self.y):
            raise DataError("there is nothing to draw: need three models with different values")
        self.correlation = float(np.corrcoef(self.x, self.y)[0, 1])
        self.unexplained = 1 - self.correlation**2

    def _draw(self, axes: Axes) -> None:
        many = self.x.size > MANY
        (self.artists_["models"],) = axes.plot(
            self.x, self.y, "o", color=COLORS[0], markersize=2 if many else 4,
            alpha=0.35 if many else 0.7, markeredgewidth=0, zorder=2, rasterized=self.x.size > 5000,
        )  # fmt: skip
        slope, height = np.polyfit(self.x, self.y, 1)
        ends = np.array([self.x.min(), self.x.max()])
        (self.artists_["regression"],) = axes.plot(
            ends, slope * ends + height, color=INK, linewidth=1.4, zorder=3
        )
        axes.set(
            xlabel=f"{text_of(self.measure)} on the validation part",
            ylabel=f"{text_of(self.goal)} on the test part",
        )
        caption(axes, f"{self.x.size} models, 1 - r² = {self.unexplained:.3f}")
