"""Bands around curves, drawn as pale areas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metameasure.errors import DataError
from metameasure.plots._drawing.models import band_around
from metameasure.plots._drawing.style import GREY, SMALLER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from metameasure.curves import CurveKind
    from metameasure.data import Models
    from metameasure.inference import Band
    from metameasure.plots._drawing.models import Cast

MOST_BANDS = 3
"""More areas on top of each other cannot be told apart."""


def bands_of(
    models: Models, kind: CurveKind, cast: Cast, ci: float | None, *, simultaneous: bool
) -> dict[str, Band]:
    """The band of each model that is named, if bands are asked for."""
    if ci is None:
        return {}
    check_few(cast, "bands")
    return {
        name: band_around(models, kind, name, ci=ci, simultaneous=simultaneous)
        for name in cast.named
    }


def check_few(cast: Cast, what: str) -> None:
    """Refuse what can be drawn for few models only."""
    if len(cast.named) > MOST_BANDS:
        raise DataError(
            f"{what} of {len(cast.named)} models hide each other: highlight= up to {MOST_BANDS}"
        )


def draw_bands(axes: Axes, bands: Mapping[str, Band], cast: Cast) -> None:
    """Draw the area of each band in the colour of its model, and say what kind of band it is."""
    for name, band in bands.items():
        say_kind(axes, band)
        axes.fill_between(
            band.x, band.low, band.high, color=cast.stroke(name).colour, alpha=0.16,
            linewidth=0, zorder=1.3,
        )  # fmt: skip


def say_kind(axes: Axes, band: Band) -> None:
    """Write above the axes how sure a band is, and of what."""
    kind = "simultaneous" if band.simultaneous else "pointwise"
    words = f"band: {100 * band.ci:g} %, {kind}"
    axes.set_title(words, fontsize=SMALLER, color=GREY, loc="left")
