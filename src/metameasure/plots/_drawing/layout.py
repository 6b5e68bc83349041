"""The places of axes in a figure, and what gives way there: long labels, and ticks in a crowd."""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

from metameasure.plots._drawing.screen import (
    bounds_of,
    box_of,
    is_narrow,
    scale_of,
    sheet_of,
    wrapped,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

OVER = 1.1
"""The label of an axis may be so many times as long as the axis."""
EDGE = 5.0
"""So many points of print are left free beside a label that goes up to the edges."""
BREAK = " \n"
"""How a label is broken here: otherwise than where it is written, so that it can be joined."""
APART = 3.0
"""So many points of print lie between the numbers of two ticks at least."""


def lay_out(axes: Axes) -> None:
    """Let the figure find the places of its axes, on which the names depend."""
    figure = axes.get_figure(root=True)
    if figure is None:
        return
    if axes.get_axes_locator() is not None:
        figure.draw_without_rendering()
        return
    _execute(axes, figure)
    if _break_labels(axes):
        _execute(axes, figure)


def _execute(axes: Axes, figure: Any) -> None:
    """All that drawing would do to the places of axes, in a fraction of its time."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    axes.apply_aspect()


def _break_labels(axes: Axes) -> bool:
    """Break the labels of axes that are too long; whether there were such.

    A label that does not stand in the middle is broken where it is written.
    """
    broken = False
    every: list[Any] = [axes, *axes.child_axes]
    for one, way in product(every, (0, 1)):
        label = (one.xaxis, one.yaxis)[way].label
        words, size = label.get_text(), label.get_fontsize()
        if words and label.get_horizontalalignment() == "center":
            room = _room(one, way) / scale_of(axes) - EDGE
            parts = words.replace(BREAK, " ").split("\n")
            label.set_text(
                "\n".join(BREAK.join(wrapped(part.split(" "), room, size)) for part in parts)
            )
            broken |= label.get_text() != words
    return broken


def _room(axes: Axes, way: int) -> float:
    """How long a label in the middle of an axis may be: up to the edges of the sheet.

    At the left of a narrow picture it is no longer than the axis, as there may be words above.
    """
    begin, length = box_of(axes)[way], box_of(axes)[way + 2]
    if way == 1 and is_narrow(axes):
        return length
    low, high = sheet_of(axes)[way], sheet_of(axes)[way + 2]
    room = 2 * min(begin + length / 2 - low, high - begin - length / 2)
    return room if high - low > OVER * length else OVER * length


def thin_ticks(axes: Axes) -> None:
    """Leave out ticks whose numbers would run together, on axes and on what is set into them.

    Ticks without a line are names, which stay.
    """
    lay_out(axes)
    for part in (axes, *axes.child_axes):
        for axis, way in ((part.xaxis, 0), (part.yaxis, 1)):
            if axis.get_tick_params().get("length") != 0:
                _thin(axis, way, APART * scale_of(axes))


def _thin(axis: Axis, way: int, gap: float) -> None:
    """Leave fewer ticks: at other round numbers, or every second one, or every third ..."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

    ticks, locator = _ticks(axis, way), axis.get_major_locator()
    if isinstance(locator, MaxNLocator):
        for most in range(len(ticks) - 1, 0, -1):
            if _have_room(ticks, gap):
                return
            locator.set_params(nbins=most)
            ticks = _ticks(axis, way)
        return
    step = next((step for step in range(1, len(ticks)) if _have_room(ticks[::step], gap)), 1)
    if step > 1:
        places, names, _ = zip(*ticks[::step], strict=True)
        axis.set_ticks(places, names)


def _ticks(axis: Axis, way: int) -> list[tuple[float, str, Floats]]:
    """Where the ticks in view are, their numbers, and from where to where these go."""
    low, high = sorted(axis.get_view_interval())
    found = [
        (place, label.get_text(), bounds_of(label)[[way, way + 2]])
        for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
        if label.get_text() and low <= place <= high
    ]
    return sorted(found, key=lambda tick: float(tick[2][0]))


def _have_room(ticks: Sequence[tuple[float, str, Floats]], gap: float) -> bool:
    """Whether the numbers of ticks do not run together."""
    ends = [end for _, _, end in ticks]
    return all(before[1] + gap <= after[0] for before, after in pairwise(ends))
