"""Cumulative gain: the positives found against the cases taken, as fractions or numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from metameasure._arguments import Flag, Real, read_argument
from metameasure.curves import gain, gain_counts
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.measurement import NO_POSITIVE, parse
from metameasure.plots._drawing.display import BROAD, CurvesDisplay
from metameasure.plots._drawing.layout import Entry, letters, line_entry, size_of, text_size
from metameasure.plots._drawing.model_styles import (
    bands_of,
    curves_of,
    draw_bands,
    styles_of,
    table_of_cases,
)
from metameasure.plots._drawing.style import (
    GRAY,
    GUIDE,
    MARGIN,
    PALE,
    Stroke,
    show,
    text_of,
    unit_square,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure.curves import CurveKind
    from metameasure.data import Models

CORNER = "lower right"
PERFECT = Stroke(PALE, "-", 1.0, 1.0)
DEPTH = Stroke(GRAY, (0, (4, 2)), 0.8, 1.2)
TICKS = 6
"""Largest number of ticks."""


class RankingDisplay(CurvesDisplay):
    """Curves of the positives among the top cases, between a random and a perfect ranking.

    The accuracy ratio AR in the legend is the area between a curve and the line of a random
    ranking, divided by that of a perfect ranking.
    """

    def __init__(
        self, models: Models, kind: CurveKind, highlight: Iterable[str] | None = None
    ) -> None:
        super().__init__(models)
        self.curves = curves_of(models, kind)
        self.styles = styles_of(models, parse("gini"), highlight)
        table = table_of_cases(models)
        self.cases, self.positives = float(table.n), float(table.P)
        if not self.positives:
            raise DataError(f"there is nothing to draw: {NO_POSITIVE}")

    def _text(self, name: str) -> str:
        """The name of a model with its accuracy ratio, where it is defined."""
        ratio, alone = self.styles.values[name], len(self.curves) == 1
        words = "" if alone and name == "model" else f"{text_of(name)}  "
        if math.isnan(ratio):
            return words.strip() or name
        return f"{words}{'accuracy ratio' if alone else 'AR'} {ratio:.3f}"

    def _draw_guides(self, axes: Axes, turn: float, right: float, top: float) -> list[Entry]:
        """Draw the lines of a random ranking and of a perfect one; their legend entries."""
        (self.artists_["random"],) = axes.plot([0, right], [0, top], **GUIDE.keywords)
        (self.artists_["perfect"],) = axes.plot([0, turn, right], [0, top, top], **PERFECT.keywords)
        return [line_entry(GUIDE, "random ranking"), line_entry(PERFECT, "perfect ranking")]


class GainDisplay(RankingDisplay):
    """Cumulative gain: the fraction of positives found in the top fraction of the cases.

    Also called the cumulative accuracy profile (CAP).

    Args:
        counts: whether the axes are numbers of cases and of positives instead of fractions.
        depth: a fraction of the cases, such as 0.1; the percentage of positives found there is
            marked and in the legend.
        band: the confidence of a band around each curve.
        simultaneous: whether the band is simultaneous rather than pointwise.
        highlight: the models with colors and names; by default the seven with the largest accuracy
            ratio.
    """

    def __init__(
        self,
        models: Models,
        *,
        counts: bool = False,
        depth: float | None = None,
        band: float | None = None,
        simultaneous: bool = False,
        highlight: Iterable[str] | None = None,
    ) -> None:
        counts = read_argument("counts", counts, Flag())
        if counts and band is not None:
            raise ParameterError(
                (Argument("band"), " does not apply to ", Argument("counts", True))
            )
        super().__init__(models, gain_counts if counts else gain, highlight)
        self.counts = counts
        self.ends = (self.cases, self.positives) if counts else (1.0, 1.0)
        if counts:
            self.size = BROAD  # type: ignore[misc]
        share = Real(0, 1, open_low=True)
        self.depth: float | None = read_argument("depth", depth, share, optional=True)
        self.bands = bands_of(models, gain, self.styles, band, simultaneous=simultaneous)

    def _text(self, name: str) -> str:
        """The name of a model with its accuracy ratio and the positives found at the depth."""
        if self.depth is None or len(self.curves) == 1:
            return super()._text(name)
        return f"{super()._text(name)}, {100 * self._found(name, self.depth):.1f}%"

    def _found(self, name: str, depth: float) -> float:
        """The fraction of positives that a model finds in a fraction of the cases."""
        right, top = self.ends
        return float(self.curves[name].at(depth * right)) / top

    def _draw(self, axes: Axes) -> None:
        right, top = self.ends
        if self.counts:
            show(axes, (-MARGIN * right, (1 + MARGIN) * right), (-MARGIN * top, (1 + MARGIN) * top))
            axes.set(xlabel="cases taken", ylabel="true positives")
            _set_counts(axes, self.cases)
        else:
            unit_square(axes)
            axes.set(xlabel="fraction of cases taken", ylabel="fraction of positives found")
        turn = self.positives if self.counts else self.positives / self.cases
        more = self._draw_guides(axes, turn, right, top)
        draw_bands(axes, self.bands, self.styles)
        if self.depth is not None:
            more.append(self._draw_depth(axes, self.depth))
        self._draw_curves(axes, self.curves, self.styles)
        self.styles.write_legend(axes, CORNER, more, self._text)

    def _draw_depth(self, axes: Axes, depth: float) -> Entry:
        """Mark a depth and the positives found there; its legend entry."""
        found = {name: self._found(name, depth) for name in self.styles.named}
        right, top = self.ends
        line = [depth * right] * 2, [0, max(found.values()) * top]
        (self.artists_["depth"],) = axes.plot(*line, **DEPTH.keywords)
        for name, share in found.items():
            (self.artists_[f"found by {name}"],) = axes.plot(
                depth * right, share * top, "o", markersize=5, zorder=5,
                color=self.styles.stroke(name).color, markeredgecolor="white",
            )  # fmt: skip
        text = f"found in the top {100 * depth:.3g}%"
        if len(self.curves) == 1:
            text = f"{100 * max(found.values()):.1f}% {text}"
        return line_entry(DEPTH, text)


def _set_counts(axes: Axes, total: float) -> None:
    """Set ticks at whole numbers of cases; their number depends on the room."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter  # noqa: PLC0415

    room = size_of(axes)[0] / (1.4 * text_size(f"{total:,.0f}", letters(axes))[0])
    for axis in (axes.xaxis, axes.yaxis):
        most = TICKS if axis is axes.yaxis else max(1, min(TICKS, int(room)))
        axis.set_major_locator(MaxNLocator(most, integer=True))
        axis.set_major_formatter(StrMethodFormatter("{x:,.15g}"))
