"""Where things lie on the screen, and how much room words need there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.plots._drawing.style import SMALL, SMALLER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

NARROW = 3.6
"""Where a picture has fewer inches from left to right its letters are smaller."""
STEP = 4.0
"""So many dots of the screen lie between two points along a line."""
MOST_DOTS = 20_000
"""A line that would need more goes on far outside the picture."""


def box_of(axes: Axes) -> tuple[float, float, float, float]:
    """Where the axes lie on the screen: left, bottom, width and height."""
    found: tuple[float, float, float, float] = axes.get_window_extent().bounds
    return found


def bounds_of(text: Any) -> Floats:
    """Where a text lies on the screen: left, bottom, right and top."""
    found = text.get_window_extent()
    return np.array([found.x0, found.y0, found.x1, found.y1])


def is_written(axes: Axes, words: str) -> bool:
    """Whether these words already stand in axes, on which several displays may be drawn."""
    return any(text.get_text() == words for text in axes.texts)


def scale_of(axes: Axes) -> float:
    """How many dots a point of print has."""
    figure = axes.get_figure(root=True)
    return (figure.dpi if figure is not None else 72.0) / 72.0


def size_of(axes: Axes) -> tuple[float, float]:
    """How wide and how high axes are, in points of print."""
    _, _, width, height = box_of(axes)
    return width / scale_of(axes), height / scale_of(axes)


def is_narrow(axes: Axes) -> bool:
    """Whether the part of a figure that axes have is small, whatever the layout makes of it."""
    figure, place = axes.get_figure(root=False), axes.get_subplotspec()
    if figure is None:
        return False
    columns = 1 if place is None else place.get_gridspec().ncols / len(place.colspan)
    return bool(figure.bbox.width / scale_of(axes) / columns < 72 * NARROW)


def letters(axes: Axes) -> str:
    """The size of letters for names and notes."""
    return SMALLER if is_narrow(axes) else SMALL


def sheet_of(axes: Axes) -> tuple[float, float, float, float]:
    """Where words around axes may stand on the screen: left, bottom, right and top.

    In a figure that has no other axes that is all of it.
    """
    figure = axes.get_figure(root=True)
    if figure is not None and len(figure.axes) == 1:
        return 0.0, 0.0, float(figure.bbox.width), float(figure.bbox.height)
    left, bottom, width, height = box_of(axes)
    return left, bottom, left + width, bottom + height


def dots_along(axes: Axes, x: Any, y: Any) -> Floats:
    """Points along a line at equal distances on the screen, where it is inside."""
    ends = axes.transData.transform(np.column_stack([x, y]))
    ends = ends[np.isfinite(ends).all(axis=1)]
    if not len(ends):
        return np.empty((0, 2))
    gone = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ends, axis=0).T))])
    at = np.linspace(0.0, gone[-1], min(MOST_DOTS, max(2, int(gone[-1] / STEP) + 1)))
    dots = np.column_stack([np.interp(at, gone, ends[:, 0]), np.interp(at, gone, ends[:, 1])])
    left, bottom, width, height = box_of(axes)
    inside = ((dots >= (left, bottom)) & (dots <= (left + width, bottom + height))).all(axis=1)
    return dots[inside]


def dots_of_lines(axes: Axes) -> Floats:
    """Points along all lines that are drawn."""
    dots = [dots_along(axes, *line.get_data()) for line in axes.lines]
    return np.concatenate([np.empty((0, 2)), *dots])


def text_size(text: str, size: str | float = SMALL) -> tuple[float, float]:
    """Width and height of a text in points of print."""
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415
    from matplotlib.textpath import TextToPath  # noqa: PLC0415

    plain, font = text.replace(r"\$", "$"), FontProperties(size=size)
    width, height, _ = TextToPath().get_text_width_height_descent(plain, font, ismath=False)
    return width, height


def wrapped(words: Iterable[str], width: float, size: str | float) -> list[str]:
    """Words, as matplotlib shows them, in lines no wider than so many points of print."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_size(longer, size)[0] <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def apart(wanted: Floats, gap: float, low: float = -np.inf, high: float = np.inf) -> Floats:
    """Rising heights as near to those wanted as a least distance allows (isotonic regression).

    They stay between ``low`` and ``high`` if there is room for all of them.
    """
    from scipy.optimize import isotonic_regression  # noqa: PLC0415

    ladder = gap * np.arange(wanted.size)
    found: Floats = isotonic_regression(wanted - ladder).x
    if ladder.size and ladder[-1] <= high - low:
        found = np.clip(found, low, high - ladder[-1])
    return found + ladder
