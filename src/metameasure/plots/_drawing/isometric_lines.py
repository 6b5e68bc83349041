"""Lines in ROC space along which a measure, or the expected cost, is the same."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.errors import DataError
from metameasure.operating import isometric
from metameasure.plots._drawing.style import GREY, SMALLER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from metameasure.curves import Curve
    from metameasure.measurement import Measure

NICE = tuple(round(0.1 * step, 1) for step in range(-9, 10))
WIDE = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
"""Values of measures without an upper limit."""
STYLE: dict[str, Any] = {"color": GREY, "linewidth": 0.6, "linestyle": (0, (4, 2)), "zorder": 1.2}
APART = 0.06
"""Values that would be written nearer to each other would run together."""
LEAST = 0.02
"""A line that is shorter is a dot in a corner of ROC space."""


def isometrics_of(
    measure: Measure, r: float, values: Sequence[float] | None = None
) -> dict[float, Curve]:
    """The isometrics of some values, by default of tenths, as far as they are in ROC space."""
    found: dict[float, Curve] = {}
    refused: DataError | None = None
    ratio = math.isinf(measure.declaration.range[1])
    for value in (WIDE if ratio else NICE) if values is None else values:
        try:
            line = isometric(measure, value, r)
        except DataError as error:
            refused = error
            continue
        if np.ptp(line.x) + np.ptp(line.y) > LEAST:
            found[float(value)] = line
    if refused is not None and (values is not None or not found):
        missing = [value for value in values or () if float(value) not in found]
        raise DataError(f"{refused}" + (f" ({shown(missing)})" if len(missing) > 1 else ""))
    return found


def draw_isometrics(axes: Axes, lines: dict[float, Curve], name: str, r: float) -> None:
    """Draw isometrics in ROC space, each with its value where it leaves at the top or the right."""
    written: list[tuple[float, float]] = []
    for value, line in lines.items():
        axes.plot(line.x, line.y, **STYLE)
        end = int(np.argmax(line.x + line.y))
        x, y = float(line.x[end]), float(line.y[end])
        at_top = y > 1 - 1e-9
        if any(abs(x - a) + abs(y - b) < APART for a, b in written):
            continue
        written.append((x, y))
        axes.annotate(
            f"{value:g}".replace("0.", "."),
            (x, y),
            xytext=(0, 3) if at_top else (3, 0),
            textcoords="offset points",
            ha="center" if at_top else "left",
            va="bottom" if at_top else "center",
            fontsize=SMALLER,
            color=GREY,
            annotation_clip=False,
        )
    axes.set_title(
        f"dashed: equal {name}, N/P = {r:.3g}", fontsize=SMALLER, color=GREY, loc="right", pad=14
    )


def line_through(x: float, y: float, slope: float) -> tuple[list[float], list[float]]:
    """The ends, inside ROC space, of the line of a slope through a point."""
    if np.isinf(slope):
        return [x, x], [0.0, 1.0]
    left, right = 0.0, 1.0
    if slope > 0:
        left, right = max(left, x - y / slope), min(right, x + (1 - y) / slope)
    return [left, right], [y + slope * (left - x), y + slope * (right - x)]
