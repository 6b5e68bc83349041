"""Isometrics: lines along which a measure, or the expected cost, is constant."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.errors import DataError
from metameasure.operating import isometric
from metameasure.plots._drawing.layout import caption, lay_out, size_of
from metameasure.plots._drawing.style import GRAY, SMALLER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from metameasure.curves import Curve
    from metameasure.measurement import Measure

    Line = tuple[NDArray[np.float64], NDArray[np.float64]]

TENTHS = tuple(round(0.1 * step, 1) for step in range(-9, 10))
WIDE = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
"""Default values of measures without an upper limit."""
STYLE: dict[str, Any] = {"color": GRAY, "linewidth": 0.6, "linestyle": (0, (4, 2)), "zorder": 1.2}
APART = 9.0
"""Least distance of two written values in points."""
LEAST = 0.02
"""Length of a line below which it is not drawn."""


def isometrics_of(
    measure: Measure, r: float, values: Sequence[float] | None = None
) -> dict[float, Curve]:
    """The isometrics at some values, by default at tenths, inside ROC space."""
    found: dict[float, Curve] = {}
    refused: DataError | None = None
    ratio = math.isinf(measure.declaration.range[1])
    for value in (WIDE if ratio else TENTHS) if values is None else values:
        try:
            line = isometric(measure, value, r)
        except DataError as error:
            refused = error
            continue
        if np.ptp(line.x) + np.ptp(line.y) > LEAST:
            found[float(value)] = line
    if refused is not None and (values is not None or not found):
        missing = [value for value in values or () if float(value) not in found]
        others = f" (values {shown(missing)})" if len(missing) > 1 else ""
        raise DataError(f"{refused}{others}", argument="values")
    return found


def draw_isometrics(
    axes: Axes, lines: Mapping[float, Line], title: str, **look: Any
) -> dict[str, Artist]:
    """Draw lines of equal values, with the values at their ends at the top or at the right."""
    caption(axes, title, "right", GRAY, pad=14)
    lay_out(axes)
    written: list[tuple[float, float]] = []
    drawn: dict[str, Artist] = {}
    width, height = size_of(axes)
    for value, (x, y) in lines.items():
        (drawn[f"isometric {value:g}"],) = axes.plot(x, y, **{**STYLE, **look})
        end = int(np.argmax(x + 1e-3 * y))
        at = float(x[end]), float(y[end])
        if any(abs(at[0] - a) * width / 2 + abs(at[1] - b) * height < APART for a, b in written):
            continue
        written.append(at)
        top = at[1] > 1 - 1e-9
        axes.annotate(
            f"{value:g}", at, xytext=(0, 3) if top else (3, 0), textcoords="offset points",
            ha="center" if top else "left", va="bottom" if top else "center", fontsize=SMALLER,
            color=GRAY, annotation_clip=False,
        )  # fmt: skip
    return drawn


def line_through(x: float, y: float, slope: float) -> tuple[list[float], list[float]]:
    """The ends of a line through a point, inside ROC space."""
    if np.isinf(slope):
        return [x, x], [0.0, 1.0]
    left, right = 0.0, 1.0
    if slope > 0:
        left, right = max(left, x - y / slope), min(right, x + (1 - y) / slope)
    return [left, right], [y + slope * (left - x), y + slope * (right - x)]
