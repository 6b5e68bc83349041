"""Sizes of axes and texts in points, and what depends on them: wrapped texts and ticks that fit."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Literal

from metameasure.plots._drawing.style import INK, SMALL, SMALLER, escaped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

NARROW = 3.6
"""Width in inches of the part of a figure below which letters are smaller."""
WIDTH = 0.58
"""Mean width of a character as a fraction of the font size."""
EDGE = 4.0
"""Space left free at the edges of the figure in points."""
BREAK = " \n"
"""A line break made by wrapping, as opposed to one in the text."""
GAP = 4.0
"""Least distance between the labels of two ticks in points."""
MOST_ABOVE = 0.18
"""Largest height of a caption as a fraction of the height of the figure."""
CAPTION = "_caption "
"""Prefix of the labels of captions, which hold the whole text."""


def scale_of(axes: Axes) -> float:
    """Number of pixels per point."""
    figure = axes.get_figure(root=True)
    return (figure.dpi if figure is not None else 72.0) / 72.0


def size_of(axes: Axes) -> tuple[float, float]:
    """Width and height of axes in points."""
    box, scale = axes.get_window_extent(), scale_of(axes)
    return box.width / scale, box.height / scale


def cell_width(axes: Axes) -> float:
    """Width in points of the part of the figure that axes have, decorations included."""
    figure, place = axes.get_figure(root=False), axes.get_subplotspec()
    if figure is None:
        return size_of(axes)[0]
    columns = 1 if place is None else place.get_gridspec().ncols / len(place.colspan)
    return float(figure.bbox.width / scale_of(axes) / columns)


def room_of(axes: Axes) -> tuple[float, float, float]:
    """Space in points left of axes, their width, and space right of them.

    Without other axes in the figure, texts may go up to its edges.
    """
    figure, box, scale = axes.get_figure(root=True), axes.get_window_extent(), scale_of(axes)
    if figure is None or len(figure.axes) > 1:
        return 0.0, box.width / scale, 0.0
    right = (figure.bbox.width - box.x1) / scale
    return max(0.0, box.x0 / scale - EDGE), box.width / scale, max(0.0, right - EDGE)


def is_narrow(axes: Axes) -> bool:
    """Whether axes have a small part of a figure."""
    return cell_width(axes) < 72 * NARROW


def letters(axes: Axes) -> str:
    """Font size of names and notes."""
    return SMALLER if is_narrow(axes) else SMALL


def text_size(text: str, size: str | float = SMALL) -> tuple[float, float]:
    """Width and height of a text in points."""
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415
    from matplotlib.textpath import TextToPath  # noqa: PLC0415

    plain, font = text.replace(r"\$", "$"), FontProperties(size=size)
    width, height, _ = TextToPath().get_text_width_height_descent(plain, font, ismath=False)
    return width, height


def lay_out(axes: Axes) -> None:
    """Run the layout of the figure, with the labels of the axes wrapped to their length."""
    figure = axes.get_figure(root=True)
    if figure is None:
        return
    if axes.get_axes_locator() is not None:
        figure.draw_without_rendering()
        return
    # Long captions are wrapped before the first layout, which would leave no room for the axes.
    _wrap_labels(axes)
    _execute(axes, figure)
    if _wrap_labels(axes):
        _execute(axes, figure)


def _execute(axes: Axes, figure: Any) -> None:
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    axes.apply_aspect()


def _wrap_labels(axes: Axes) -> bool:
    """Wrap the labels of axes and of their insets, and captions; whether a text changed."""
    before, after = [], []
    parts: list[Any] = [axes, *axes.child_axes]
    for part in parts:
        left, width, right = room_of(part)
        rooms = [(part.xaxis.label, width + 2 * min(left, right))]
        rooms.append((part.yaxis.label, size_of(part)[1]))
        for child in part.get_children():
            if str(child.get_label()).startswith(CAPTION):
                side = right if child.get_ha() == "left" else left
                rooms.append((child, width + side))
        for text, room in rooms:
            before.append(text.get_text())
            text.set_text(_wrapped(text, room, axes))
            after.append(text.get_text())
    return before != after


def _wrapped(text: Any, room: float, axes: Axes) -> str:
    """A label in lines of a width in points; a caption is cut if it is too high."""
    size, whole, most = text.get_fontsize(), text.get_text().replace(BREAK, " "), None
    if str(text.get_label()).startswith(CAPTION):
        height = text.get_figure(root=True).bbox.height / scale_of(axes)
        whole, most = text.get_label()[len(CAPTION) :], max(2, int(MOST_ABOVE * height / size))
    columns = max(8, int(room / (WIDTH * size)))
    lines = (
        textwrap.wrap(
            line, columns, max_lines=most, placeholder=" …", break_long_words=False,
            break_on_hyphens=False,
        )
        for line in whole.split("\n")
    )  # fmt: skip
    return "\n".join(BREAK.join(line) for line in lines)


def caption(
    axes: Axes,
    text: str,
    side: Literal["left", "right"] = "left",
    color: str = INK,
    pad: float = 4.0,
) -> None:
    """Write a text above the axes; the layout wraps it, and cuts it if it is too long."""
    plain = escaped(text)
    title = axes.set_title(plain, loc=side, fontsize=letters(axes), color=color, pad=pad)
    title.set_label(CAPTION + plain)


def set_ticks(axes: Axes, way: Literal["x", "y"], ticks: Mapping[float, str]) -> None:
    """Set the ticks of an axis, the first ones first, whose labels do not run together.

    It comes after the layout, on which the room for labels depends.
    """
    axis, place = (axes.xaxis, 0) if way == "x" else (axes.yaxis, 1)
    size = axis.get_major_ticks(1)[0].label1.get_fontsize()
    kept: dict[float, tuple[float, float]] = {}
    for at, label in ticks.items():
        middle = axes.transData.transform((at, 0.0) if way == "x" else (0.0, at))[place]
        extent = text_size(label, size)[place] + GAP
        near = (abs(middle - m) < scale_of(axes) * (extent + e) / 2 for m, e in kept.values())
        if not any(near):
            kept[at] = middle, extent
    axis.set_ticks(list(kept), [ticks[at] for at in kept])
