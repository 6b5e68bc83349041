"""Lift charts: the number of positives found against the number of cases taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metameasure.curves import lift_chart
from metameasure.plots._drawing.display import BROAD
from metameasure.plots._drawing.layout import letters, size_of, text_size
from metameasure.plots._drawing.style import MARGIN, show
from metameasure.plots.gain import CORNER, RankingDisplay

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure.data import Models

TICKS = 6
"""Largest number of ticks."""


class LiftDisplay(RankingDisplay):
    """Lift charts: the number of true positives among the cases taken from the top.

    The lines of a random and of a perfect ranking are drawn for comparison.

    Args:
        highlight: the models with colors and names; by default the seven with the largest accuracy
            ratio.
    """

    size = BROAD

    def __init__(self, models: Models, *, highlight: Iterable[str] | None = None) -> None:
        super().__init__(models, lift_chart, highlight)

    def _draw(self, axes: Axes) -> None:
        across, up = ((-MARGIN * n, (1 + MARGIN) * n) for n in (self.cases, self.positives))
        show(axes, across, up)
        axes.set(xlabel="cases taken", ylabel="true positives")
        _set_counts(axes, self.cases)
        more = self._draw_guides(axes, self.positives, self.cases, self.positives)
        self._draw_curves(axes, self.curves, self.styles)
        self.styles.write_legend(axes, CORNER, more, self._text)


def _set_counts(axes: Axes, total: float) -> None:
    """Set ticks at whole numbers of cases; their number depends on the room."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter  # noqa: PLC0415

    room = size_of(axes)[0] / (1.4 * text_size(f"{total:,.0f}", letters(axes))[0])
    for axis in (axes.xaxis, axes.yaxis):
        most = TICKS if axis is axes.yaxis else max(1, min(TICKS, int(room)))
        axis.set_major_locator(MaxNLocator(most, integer=True))
        axis.set_major_formatter(StrMethodFormatter("{x:,.15g}"))
