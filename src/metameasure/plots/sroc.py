"""sROC curves: the AUC as a function of the required margin."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from metameasure.curves import MOST_PAIRS, on_grid, scores_in_pairs, sroc
from metameasure.measurement import parse
from metameasure.plots._drawing.display import CurvesDisplay
from metameasure.plots._drawing.layout import caption
from metameasure.plots._drawing.model_styles import curves_of, styles_of, values_of
from metameasure.plots._drawing.style import GRAY, unit_square

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure.curves import Curve
    from metameasure.data import Models

CORNER = "upper right"
GRID = 500
"""Number of margins at which a curve with too many steps is computed."""


class SrocDisplay(CurvesDisplay):
    """sROC curves of one or more models: the fraction of pairs that exceed a margin.

    A pair exceeds a margin if its positive scores higher than its negative by more than the margin.
    The scored AUC in the legend is the area under the curve. The dot at margin 0 is the AUC; the
    curve starts there, or lower by half of the tied pairs. Scores must be in [0, 1].

    The curve is a step function. With more than ten million pairs of scores in all models together
    it is drawn through 501 exact points.

    Args:
        models: the models; tables may be on different cases.
        highlight: the models with colors and names; by default the seven with the largest scored
            AUC.
    """

    probabilities = True

    def __init__(self, models: Models, *, highlight: Iterable[str] | None = None) -> None:
        super().__init__(models)
        self.curves = {name: _curve(models, name) for name in models.tables}
        self.styles = styles_of(models, parse("scored_auc"), highlight)
        self.auc = values_of(models, parse("auc"))

    def _draw(self, axes: Axes) -> None:
        unit_square(axes)
        axes.set(xlabel="margin", ylabel="fraction of pairs beyond the margin")
        self._draw_curves(axes, self.curves, self.styles)
        for name, stroke in self.styles.named.items():
            # The curve starts below the dot by half of the tied pairs.
            start = self.artists_[name].get_ydata()[0]  # type: ignore[attr-defined]
            (self.artists_[f"AUC of {name}"],) = axes.plot(
                [0.0, 0.0], [start, self.auc[name]], color=stroke.color, linewidth=0.6,
                marker="o", markevery=[1], markersize=4, markerfacecolor="white", clip_on=False,
                zorder=4,
            )  # fmt: skip
        dots = "dots" if len(self.styles.named) > 1 else "dot"
        caption(axes, f"{dots}: AUC", color=GRAY)
        self.styles.write_legend(axes, CORNER)


def _curve(models: Models, name: str) -> Curve:
    """The curve of a model: its steps, or points at many margins if there are too many steps."""
    table = models.tables[name]
    if scores_in_pairs(table) * len(models.tables) <= MOST_PAIRS:
        return curves_of(models, sroc, [name])[name]
    table.require_unit("sroc")
    return replace(on_grid(table, GRID), name="sroc", labels=sroc.declaration.labels)
