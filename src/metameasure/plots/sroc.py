"""The sROC curve as a picture: how the AUC falls as a margin is asked of the positives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from metameasure.curves import MOST_PAIRS, on_grid, scores_in_pairs, sroc
from metameasure.measurement import parse
from metameasure.plots._drawing.display import CurvesDisplay
from metameasure.plots._drawing.models import cast_of, curves_of, values_of
from metameasure.plots._drawing.style import GREY, SMALLER, unit_square

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure.curves import Curve
    from metameasure.data import Models

CORNER = "upper right"
GRID = 500
"""At so many margins a curve of too many steps is exact: a line is wider than their distance."""


class SrocDisplay(CurvesDisplay):
    """sROC curves of one or more models: the pairs in which the positive is ahead by a margin.

    The scored AUC in the names is the area under the curve. The dot at margin 0 is the AUC; the
    curve begins there, or lower by half of the pairs that are tied, which a margin does not count.
    Scores must lie in [0, 1].

    A curve is drawn as the steps that it has. If there are more than ten million pairs of scores,
    in all models together, it is drawn as a line through 501 exact points.

    Args:
        models: the models; as tables they may be on different cases.
        highlight: which models are told apart; the seven with the largest scored AUC by default.
    """

    probabilities = True

    def __init__(self, models: Models, *, highlight: Iterable[str] | None = None) -> None:
        super().__init__(models)
        self.curves = {name: _curve(models, name) for name in models.tables}
        self.cast = cast_of(models, parse("scored_auc"), highlight)
        self.auc = values_of(models, parse("auc"))

    def _draw(self, axes: Axes) -> None:
        unit_square(axes)
        axes.set(xlabel="margin", ylabel="share of the pairs beyond the margin")
        lines = self._draw_curves(axes, self.curves, self.cast)
        for name, stroke in self.cast.named.items():
            # Half of the ties lie between the curve and the dot.
            (self.artists_[f"AUC of {name}"],) = axes.plot(
                [0.0, 0.0], [lines[name].y[0], self.auc[name]], color=stroke.colour, linewidth=0.6,
                marker="o", markevery=[1], markersize=4, markerfacecolor="white", clip_on=False,
                zorder=4,
            )  # fmt: skip
        dots = "dots" if len(self.cast.named) > 1 else "dot"
        axes.set_title(f"{dots}: AUC", loc="left", fontsize=SMALLER, color=GREY)
        self.cast.write_names(axes, lines, CORNER)


def _curve(models: Models, name: str) -> Curve:
    """The steps of a model's curve, or points at many margins if there are too many steps."""
    table = models.tables[name]
    if scores_in_pairs(table) * len(models.tables) <= MOST_PAIRS:
        return curves_of(models, sroc, [name])[name]
    table.require_unit("sroc")
    return replace(on_grid(table, GRID), name="sroc", labels=sroc.declaration.labels)
