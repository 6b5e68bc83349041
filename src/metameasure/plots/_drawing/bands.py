"""Confidence bands around curves, drawn as pale areas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metameasure.errors import Argument, ParameterError
from metameasure.plots._drawing.layout import caption
from metameasure.plots._drawing.model_styles import band_around
from metameasure.plots._drawing.style import GRAY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from metameasure.curves import CurveKind
    from metameasure.data import Models
    from metameasure.inference import Band
    from metameasure.plots._drawing.model_styles import ModelStyles

MOST_BANDS = 3
"""Largest number of bands in a figure; more would hide each other."""


def bands_of(
    models: Models,
    kind: CurveKind,
    styles: ModelStyles,
    ci: float | None,
    *,
    simultaneous: bool,
) -> dict[str, Band]:
    """The band of each named model; none if ``ci`` is None."""
    if ci is None:
        return {}
    check_few(styles, "bands")
    return {
        name: band_around(models, kind, name, ci=ci, simultaneous=simultaneous)
        for name in styles.named
    }


def check_few(styles: ModelStyles, what: str) -> None:
    """Check that there are few enough named models for bands, bins or lines."""
    if len(styles.named) > MOST_BANDS:
        raise ParameterError(
            f"{what} can be drawn for up to {MOST_BANDS} models, got {len(styles.named)}",
            remedy=("choose up to ", str(MOST_BANDS), " with ", Argument("highlight")),
            argument="highlight",
        )


def draw_bands(axes: Axes, bands: Mapping[str, Band], styles: ModelStyles) -> None:
    """Draw each band in the color of its model, with a caption."""
    for name, band in bands.items():
        write_band(axes, band)
        axes.fill_between(
            band.x, band.low, band.high, color=styles.stroke(name).color, alpha=0.16,
            linewidth=0, zorder=1.3,
        )  # fmt: skip


def write_band(axes: Axes, band: Band) -> None:
    """Write the confidence and the kind of a band above the axes."""
    kind = "simultaneous" if band.simultaneous else "pointwise"
    caption(axes, f"band: {100 * band.ci:g}%, {kind}", color=GRAY)
