"""What is found as more and more of a ranking is taken: the lift chart and the gain."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from metameasure._arguments import is_real
from metameasure.curves import gain, lift_chart
from metameasure.errors import DataError
from metameasure.measurement import NO_POSITIVE, parse
from metameasure.plots._drawing.bands import bands_of, draw_bands
from metameasure.plots._drawing.display import BROAD, CurvesDisplay
from metameasure.plots._drawing.models import cast_of, curves_of, table_of_cases
from metameasure.plots._drawing.style import GREY, GUIDE, SMALLER, halo, show, text_of, unit_square

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure.curves import CurveKind
    from metameasure.data import Models

CORNER = "lower right"
MARGIN = 0.015
MANY = 1e8
"""Numbers of so many cases are so wide that there is room for fewer of them."""


class DepthDisplay(CurvesDisplay):
    """Curves of what is found among the first cases of a ranking, between chance and perfection.

    The accuracy ratio AR in the names is the area between a curve and the line of chance, as a
    share of what a perfect ranking has there.
    """

    def __init__(
        self, models: Models, kind: CurveKind, highlight: Iterable[str] | None = None
    ) -> None:
        super().__init__(models)
        self.curves = curves_of(models, kind)
        self.cast = cast_of(models, parse("gini"), highlight)
        table = table_of_cases(models)
        self.cases, self.positives = float(table.n), float(table.P)
        if not self.positives:
            raise DataError(f"there is nothing to draw: {NO_POSITIVE}")

    def _text(self, name: str) -> str:
        """The name of a model with its accuracy ratio, where there is one."""
        ratio, alone = self.cast.values[name], len(self.curves) == 1
        words = "" if alone and name == "model" else f"{text_of(name)}  "
        if math.isnan(ratio):
            return words.strip() or name
        return f"{words}{'accuracy ratio' if alone else 'AR'} {ratio:.3f}"

    def _draw_guides(self, axes: Axes, turn: float, right: float, top: float) -> None:
        """Draw what chance finds, and a perfect ranking: all it can up to its turn."""
        (self.artists_["chance"],) = axes.plot([0, right], [0, top], **GUIDE.keywords)
        (self.artists_["perfect"],) = axes.plot([0, turn, right], [0, top, top], **GUIDE.keywords)
        words: dict[str, Any] = {"fontsize": SMALLER, "color": GREY, "path_effects": halo()}
        axes.text(
            0.7 * right, 0.685 * top, "chance", rotation=math.degrees(math.atan2(top, right)),
            rotation_mode="anchor", transform_rotates_text=True, ha="center", va="top", **words,
        )  # fmt: skip
        axes.annotate(
            "perfect ranking", (right, top), xytext=(0, 4), textcoords="offset points", ha="right",
            va="bottom", annotation_clip=False, **words,
        )  # fmt: skip

    def _draw_named(self, axes: Axes) -> None:
        """Draw the curves with their names."""
        lines = self._draw_curves(axes, self.curves, self.cast)
        named = {name: replace(line, text=self._text(name)) for name, line in lines.items()}
        self.cast.write_names(axes, named, CORNER)


class LiftDisplay(DepthDisplay):
    """Lift charts: how many positives are found among the cases taken from the top.

    Beside the curves there are the lines of chance, which finds positives as they come, and of a
    perfect ranking, which takes all of them first.

    Args:
        models: the models.
        highlight: which models are told apart; the seven with the largest accuracy ratio by
            default.
    """

    size = BROAD

    def __init__(self, models: Models, *, highlight: Iterable[str] | None = None) -> None:
        super().__init__(models, lift_chart, highlight)

    def _draw(self, axes: Axes) -> None:
        across, up = ((-MARGIN * n, (1 + MARGIN) * n) for n in (self.cases, self.positives))
        show(axes, across, up)
        axes.set(xlabel="cases taken", ylabel="true positives")
        for axis, total in ((axes.xaxis, self.cases), (axes.yaxis, self.positives)):
            _count_in_thousands(axis, total)
        self._draw_guides(axes, self.positives, self.cases, self.positives)
        self._draw_named(axes)


def _count_in_thousands(axis: Any, total: float) -> None:
    """Let an axis count up to a total in whole cases, unless weights are too small for that."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter  # noqa: PLC0415

    axis.set_major_locator(MaxNLocator(4 if total >= MANY else 6, integer=True))
    axis.set_major_formatter(StrMethodFormatter("{x:,.15g}"))


class GainDisplay(DepthDisplay):
    """Gain: the share of the positives found in a share of the cases, taken from the top.

    Also called the cumulative accuracy profile, CAP.

    Args:
        models: the models.
        depth: a share of the cases, like 0.1; the percentage that is found there stands at its
            mark or, of several models, behind their names.
        band: a confidence, to draw the band around each curve.
        simultaneous: whether the band is to hold the whole curve.
        highlight: which models are told apart; the seven with the largest accuracy ratio by
            default.
    """

    def __init__(
        self,
        models: Models,
        *,
        depth: float | None = None,
        band: float | None = None,
        simultaneous: bool = False,
        highlight: Iterable[str] | None = None,
    ) -> None:
        super().__init__(models, gain, highlight)
        self.depth = read_depth(depth)
        self.bands = bands_of(models, gain, self.cast, band, simultaneous=simultaneous)

    def _text(self, name: str) -> str:
        """The name of one of several models with its accuracy ratio and what it finds."""
        if self.depth is None or len(self.curves) == 1:
            return super()._text(name)
        return f"{super()._text(name)}, {100 * self.curves[name].at(self.depth):.1f} %"

    def _draw(self, axes: Axes) -> None:
        unit_square(axes)
        axes.set(xlabel="share of the cases taken", ylabel="share of the positives found")
        self._draw_guides(axes, self.positives / self.cases, 1.0, 1.0)
        draw_bands(axes, self.bands, self.cast)
        if self.depth is not None:
            self._draw_depth(axes, self.depth)
        self._draw_named(axes)

    def _draw_depth(self, axes: Axes, depth: float) -> None:
        found = {name: self.curves[name].at(depth) for name in self.cast.named}
        (self.artists_["depth"],) = axes.plot(
            [depth, depth], [0, max(found.values())], color=GREY, linewidth=0.8, zorder=1.2
        )
        words = f"% found in\nthe top {100 * depth:.3g} %"
        if len(self.curves) == 1:
            words = f"{100 * max(found.values()):.1f} {words}"
        left = depth < 0.5
        axes.annotate(
            words, (depth, 0), xytext=(3 if left else -3, 2), textcoords="offset points",
            ha="left" if left else "right", va="bottom", fontsize=SMALLER, color=GREY,
            path_effects=halo(),
        )  # fmt: skip
        for name, share in found.items():
            (self.artists_[f"found by {name}"],) = axes.plot(
                depth, share, "o", markersize=5, zorder=5, color=self.cast.stroke(name).colour,
                markeredgecolor="white",
            )  # fmt: skip


def read_depth(depth: Any) -> float | None:
    """The share of the cases that is taken, if one is given: above 0, and 1 at most."""
    if depth is None:
        return None
    if not (is_real(depth) and 0 < float(depth) <= 1):
        raise DataError(f"depth={depth!r} is no share of the cases: give one above 0, up to 1")
    return float(depth)
