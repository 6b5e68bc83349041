"""Names of lines: beside the lines themselves where there is room, else in a legend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.plots.style import SMALL, Stroke, halo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

GAP = 3.0
"""So many points of print lie between a name and its line."""
STEP = 4.0
FAR = 60.0
ASIDE = ((0, 1), (0, 0), (1, 0), (1, 1), (0.5, 1), (0.5, 0))
"""Which corner of a name is at the line: below right, above right, above left, below left ..."""


@dataclass(frozen=True, eq=False)
class Named:
    """A line in a picture, and what it is called."""

    text: str
    x: Floats
    y: Floats
    stroke: Stroke


def name_lines(axes: Axes, lines: Sequence[Named], corner: Any = "best") -> None:
    """Write the name of each line beside it, or all into a legend if one does not fit."""
    if lines and not _beside(axes, lines):
        legend(axes, lines, corner)


def legend(axes: Axes, lines: Sequence[Named], corner: Any = "best") -> None:
    """The names of lines in a corner, in their order."""
    from matplotlib.lines import Line2D  # noqa: PLC0415

    samples = [Line2D([], [], **line.stroke.keywords) for line in lines]
    made = axes.legend(
        samples,
        ["" for _ in lines],
        loc=corner,
        fontsize=SMALL,
        frameon=False,
        handlelength=2.2,
        labelspacing=0.35,
    )
    # A label that begins with "_" would be left out, so the texts are put in afterwards.
    for text, line in zip(made.get_texts(), lines, strict=True):
        text.set_text(line.text)


def name_ends(axes: Axes, lines: Sequence[Named]) -> None:
    """Write the name of each line at its right end, outside, moved apart where they would meet."""
    _lay_out(axes)
    height = 1.15 * _extent("Ag", axes)[1] / _box(axes)[3]
    ends = [(_height_in(axes, line.x[-1], line.y[-1]), line) for line in lines]
    ends.sort(key=lambda end: end[0])
    wanted = np.array([end for end, _ in ends])
    for (height_at, line), at in zip(ends, _apart(wanted, height), strict=True):
        axes.annotate(
            line.text,
            xy=(1.0, height_at),
            xytext=(1.035, at),
            xycoords="axes fraction",
            textcoords="axes fraction",
            color=line.stroke.colour,
            fontsize=SMALL,
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": line.stroke.colour,
                "linewidth": 0.6,
                "shrinkA": 0,
                "shrinkB": 0,
            },
        )


def _apart(wanted: Floats, gap: float) -> Floats:
    """Rising heights as near to those wanted as a least distance allows (isotonic regression)."""
    from scipy.optimize import isotonic_regression  # noqa: PLC0415

    ladder = gap * np.arange(wanted.size)
    found: Floats = isotonic_regression(wanted - ladder).x + ladder
    return found


def _height_in(axes: Axes, x: float, y: float) -> float:
    """How high a point lies, as a share of the axes."""
    return float(axes.transAxes.inverted().transform(axes.transData.transform((x, y)))[1])


def _lay_out(axes: Axes) -> None:
    """Let the figure find the places of its axes, on which the names depend."""
    figure = axes.get_figure(root=True)
    if figure is not None:
        figure.draw_without_rendering()


def _beside(axes: Axes, lines: Sequence[Named]) -> bool:
    """Write names beside their lines if each has a place where it meets nothing; else none."""
    _lay_out(axes)
    left, bottom, width, height = _box(axes)
    points = [_dots(axes, line) for line in lines]
    obstacles = np.concatenate(points)
    taken = np.array([_bounds(text) for text in axes.texts]).reshape(-1, 4)
    places: list[tuple[Any, Floats]] = []
    for line, own in zip(lines, points, strict=True):
        size = np.array(_extent(line.text, axes))
        begin = _candidates(own, size, _scale(axes))
        end = begin + size
        inside = (begin >= (left, bottom)).all(1) & (end <= (left + width, bottom + height)).all(1)
        for low in taken:
            inside &= (begin > low[2:]).any(1) | (end < low[:2]).any(1)
        begin, end = begin[inside], end[inside]
        met = np.zeros(len(begin), dtype=int)
        for part in np.array_split(np.arange(len(begin)), max(1, len(begin) // 200)):
            hit = (obstacles >= begin[part, None] - 1) & (obstacles <= end[part, None] + 1)
            met[part] = hit.all(-1).sum(-1)
        free = np.flatnonzero(met == 0)
        if not free.size:
            return False
        others = np.concatenate([p for p in points if p is not own] or [np.empty((0, 2))])
        best = free[_farthest(begin[free] + size / 2, others)]
        places.append((line, begin[best]))
        taken = np.vstack([taken, np.concatenate([begin[best], end[best]])])
    for line, corner in places:
        x, y = axes.transAxes.inverted().transform(corner)
        axes.text(
            x, y, line.text, color=line.stroke.colour, fontsize=SMALL, transform=axes.transAxes,
            va="bottom", ha="left", path_effects=halo(), zorder=6,
        )  # fmt: skip
    return True


def _farthest(middles: Floats, others: Floats) -> int:
    """The place far enough from all other lines that nobody takes it for theirs, if there is one.

    Of several the one in the middle is taken.
    """
    far = np.ones(len(middles), dtype=bool)
    if len(others):
        thin = others[:: max(1, len(others) // 400)]
        gaps = np.hypot(*(middles[:, None] - thin).transpose(2, 0, 1)).min(axis=1)
        far = gaps >= min(FAR, gaps.max())
    return int(np.flatnonzero(far)[np.count_nonzero(far) // 2])


def _candidates(dots: Floats, size: Floats, scale: float) -> Floats:
    """Places along a line, with each corner of the name at it in turn: lower left corners."""
    along = dots[:: max(1, int(6 * scale))]
    parts = [along - size * corner + GAP * scale * (1 - 2 * np.array(corner)) for corner in ASIDE]
    return np.stack(parts, axis=1).reshape(-1, 2)


def _dots(axes: Axes, line: Named) -> Floats:
    """Points along a line at equal distances on the screen, where it is inside."""
    ends = axes.transData.transform(np.column_stack([line.x, line.y]))
    ends = ends[np.isfinite(ends).all(axis=1)]
    gone = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ends, axis=0).T))])
    at = np.linspace(0.0, gone[-1], max(2, int(gone[-1] / STEP) + 1))
    dots = np.column_stack([np.interp(at, gone, ends[:, 0]), np.interp(at, gone, ends[:, 1])])
    left, bottom, width, height = _box(axes)
    inside = ((dots >= (left, bottom)) & (dots <= (left + width, bottom + height))).all(axis=1)
    return dots[inside]


def _box(axes: Axes) -> tuple[float, float, float, float]:
    """Where the axes lie on the screen: left, bottom, width and height."""
    found: tuple[float, float, float, float] = axes.get_window_extent().bounds
    return found


def _bounds(text: Any) -> Floats:
    found = text.get_window_extent()
    return np.array([found.x0, found.y0, found.x1, found.y1])


def _scale(axes: Axes) -> float:
    """How many dots a point of print has."""
    figure = axes.get_figure(root=True)
    return (figure.dpi if figure is not None else 72.0) / 72.0


def _extent(text: str, axes: Axes) -> tuple[float, float]:
    """Width and height of a text on the screen."""
    width, height = text_size(text)
    return width * _scale(axes), 1.1 * height * _scale(axes)


def text_size(text: str, size: str = SMALL) -> tuple[float, float]:
    """Width and height of a text in points of print."""
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415
    from matplotlib.textpath import TextToPath  # noqa: PLC0415

    plain, font = text.replace(r"\$", "$"), FontProperties(size=size)
    width, height, _ = TextToPath().get_text_width_height_descent(plain, font, ismath=False)
    return width, height
