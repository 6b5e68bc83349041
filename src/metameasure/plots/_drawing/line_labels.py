"""Names of lines: beside the lines themselves where there is room, else in a legend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.plots._drawing.layout import lay_out
from metameasure.plots._drawing.legends import legend, taken_back
from metameasure.plots._drawing.screen import (
    apart,
    bounds_of,
    box_of,
    dots_along,
    dots_of_lines,
    is_narrow,
    letters,
    scale_of,
    text_size,
)
from metameasure.plots._drawing.style import halo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from metameasure.plots._drawing.legends import Named

    Floats = NDArray[np.float64]

GAP = 3.0
"""So many points of print lie between a name and its line."""
BESIDE = 10.0
"""So many points of print lie between the axes and names at the ends of lines."""
FAR = 60.0
ASIDE = ((0, 1), (0, 0), (1, 0), (1, 1), (0.5, 1), (0.5, 0))
"""Which corner of a name is at the line: below right, above right, above left, below left ..."""


def name_lines(axes: Axes, lines: Sequence[Named], corner: Any = "best") -> None:
    """Write the name of each line beside it, or all into a legend if one does not fit.

    Where there is a legend they go into that. Names that others have written beside their lines
    are placed anew, as the fresh lines may have come between.
    """
    every = [*taken_back(axes), *lines]
    if lines and (axes.get_legend() is not None or not _beside(axes, every)):
        legend(axes, every, corner)


def name_ends(axes: Axes, lines: Sequence[Named]) -> None:
    """Write the name of each line at its right end, outside, moved apart where they would meet.

    In a narrow picture the last of them are left out if there is no room for all.
    """
    from matplotlib.transforms import ScaledTranslation  # noqa: PLC0415

    lay_out(axes)
    height = 1.15 * _extent("Ag", axes)[1] / box_of(axes)[3]
    figure: Any = axes.get_figure(root=True)
    beside = axes.transAxes + ScaledTranslation(BESIDE / 72, 0, figure.dpi_scale_trans)
    most = max(1, 1 + int(1 / height)) if is_narrow(axes) else len(lines)
    ends = [(_height_in(axes, line.x[-1], line.y[-1]), line) for line in lines[:most]]
    ends.sort(key=lambda end: end[0])
    wanted = np.array([end for end, _ in ends])
    for (height_at, line), at in zip(ends, apart(wanted, height, 0.0, 1.0), strict=True):
        axes.annotate(
            line.text,
            xy=(1.0, height_at),
            xytext=(1.0, at),
            xycoords="axes fraction",
            textcoords=beside,
            color=line.stroke.colour,
            fontsize=letters(axes),
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": line.stroke.colour,
                "linewidth": 0.6,
                "shrinkA": 0,
                "shrinkB": 0,
                "relpos": (0, 0.5),
            },
        )


def _height_in(axes: Axes, x: float, y: float) -> float:
    """How high a point lies, as a share of the axes."""
    return float(axes.transAxes.inverted().transform(axes.transData.transform((x, y)))[1])


def _beside(axes: Axes, lines: Sequence[Named]) -> bool:
    """Write names beside their lines if each has a place where it meets no named line; else none.

    A place where it meets no other line either is preferred.
    """
    lay_out(axes)
    left, bottom, width, height = box_of(axes)
    points = [dots_along(axes, line.x, line.y) for line in lines]
    obstacles = np.concatenate(points)
    guides = dots_of_lines(axes)
    taken = np.array([bounds_of(text) for text in axes.texts]).reshape(-1, 4)
    places: list[tuple[Any, Floats]] = []
    for line, own in zip(lines, points, strict=True):
        size = np.array(_extent(line.text, axes))
        begin = _candidates(own, size, scale_of(axes))
        end = begin + size
        inside = (begin >= (left, bottom)).all(1) & (end <= (left + width, bottom + height)).all(1)
        for low in taken:
            inside &= (begin > low[2:]).any(1) | (end < low[:2]).any(1)
        begin, end = begin[inside], end[inside]
        free = np.flatnonzero(~_meets(begin, end, obstacles))
        quiet = free[~_meets(begin[free], end[free], guides)]
        others = np.concatenate([np.empty((0, 2)), *(dots for dots in points if dots is not own)])
        for chosen in (quiet, free):
            best = _clearest(begin[chosen], size, others, GAP * scale_of(axes))
            if best is not None:
                break
        else:
            return False
        place = chosen[best]
        places.append((line, begin[place]))
        taken = np.vstack([taken, np.concatenate([begin[place], end[place]])])
    looks: dict[str, Any] = {"fontsize": letters(axes), "path_effects": halo(), "zorder": 6}
    for line, corner in places:
        x, y = axes.transAxes.inverted().transform(corner)
        axes.text(
            x, y, line.text, color=line.stroke.colour, transform=axes.transAxes, va="bottom",
            ha="left", label=line.stroke.label, **looks,
        )  # fmt: skip
    return True


def _meets(begin: Floats, end: Floats, dots: Floats) -> Any:
    """Which rectangles have some of the dots in them, or at their edges."""
    met = np.zeros(len(begin), dtype=bool)
    for part in np.array_split(np.arange(len(begin)), max(1, len(begin) // 200)):
        hit = (dots >= begin[part, None] - 1) & (dots <= end[part, None] + 1)
        met[part] = hit.all(-1).any(-1)
    return met


def _clearest(begin: Floats, size: Floats, others: Floats, gap: float) -> int | None:
    """The place far enough from all other lines that nobody takes it for theirs, if there is one.

    Where lines lie upon each other no place belongs to one of them. Of several places the one in
    the middle is taken.
    """
    if not len(begin):
        return None
    far = np.ones(len(begin), dtype=bool)
    if len(others):
        thin = others[:: max(1, len(others) // 400)]
        beside = np.maximum(begin[:, None] - thin, thin - (begin + size)[:, None])
        gaps = np.hypot(*np.maximum(beside, 0.0).transpose(2, 0, 1)).min(axis=1)
        if gaps.max() < 2.5 * gap:
            return None
        far = gaps >= min(FAR, gaps.max())
    return int(np.flatnonzero(far)[np.count_nonzero(far) // 2])


def _candidates(dots: Floats, size: Floats, scale: float) -> Floats:
    """Places along a line, with each corner of the name at it in turn: lower left corners."""
    along = dots[:: max(1, int(6 * scale))]
    parts = [along - size * corner + GAP * scale * (1 - 2 * np.array(corner)) for corner in ASIDE]
    return np.stack(parts, axis=1).reshape(-1, 2)


def _extent(text: str, axes: Axes) -> tuple[float, float]:
    """Width and height of a text on the screen."""
    width, height = text_size(text, letters(axes))
    return width * scale_of(axes), 1.1 * height * scale_of(axes)
