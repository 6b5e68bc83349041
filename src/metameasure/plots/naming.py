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
MOST_DOTS = 20_000
"""A line that would need more goes on far outside the picture."""
PLACES = (
    "upper right", "upper left", "lower left", "lower right", "center left", "center right",
    "lower center", "upper center", "center",
)  # fmt: skip
"""Where a legend may stand if not where it was meant to."""
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
    """The names of lines in a corner, in their order.

    If that is not free they go to another corner or side, and if none is, below the picture.
    """
    made = _legend(axes, lines, loc=corner)
    lay_out(axes)
    dots = _joined([dots_along(axes, *line.get_data()) for line in axes.lines])
    taken = [bounds_of(text) for text in axes.texts]
    met = {}
    for place in (corner, *PLACES):
        made.set_loc(place)
        left, bottom, right, top = bounds_of(made)
        hit = (dots >= (left, bottom)) & (dots <= (right, top))
        met[place] = np.count_nonzero(hit.all(axis=1)) + sum(
            left < t[2] and t[0] < right and bottom < t[3] and t[1] < top for t in taken
        )
        if not met[place]:
            return
    made.set_loc(min(met, key=lambda place: met[place]))
    figure = axes.get_figure(root=True)
    if figure is not None and figure.get_layout_engine() is not None:
        _write_below(axes, lines, columns=max(1, int(figure.bbox.width / (right - left))))


def _write_below(axes: Axes, lines: Sequence[Named], columns: int) -> None:
    """A legend below the axis, for which the figure makes room."""
    from matplotlib.transforms import ScaledTranslation  # noqa: PLC0415

    figure: Any = axes.get_figure(root=True)
    words = axes.xaxis.get_tightbbox()
    under = (0.0 if words is None else words.y0 - box_of(axes)[1]) / figure.dpi
    shift = axes.transAxes + ScaledTranslation(0, under, figure.dpi_scale_trans)
    _legend(
        axes, lines, loc="upper center", bbox_to_anchor=(0.5, 0), bbox_transform=shift,
        ncols=min(columns, 2),
    )  # fmt: skip


def _legend(axes: Axes, lines: Sequence[Named], **options: Any) -> Any:
    """A legend of lines in their order."""
    from matplotlib.lines import Line2D  # noqa: PLC0415

    samples = [Line2D([], [], **line.stroke.keywords) for line in lines]
    made = axes.legend(
        samples,
        ["" for _ in lines],
        fontsize=SMALL,
        frameon=False,
        handlelength=2.2,
        labelspacing=0.35,
        **options,
    )
    # A label that begins with "_" would be left out, so the texts are put in afterwards.
    for text, line in zip(made.get_texts(), lines, strict=True):
        text.set_text(line.text)
    return made


def name_ends(axes: Axes, lines: Sequence[Named]) -> None:
    """Write the name of each line at its right end, outside, moved apart where they would meet."""
    lay_out(axes)
    height = 1.15 * _extent("Ag", axes)[1] / box_of(axes)[3]
    ends = [(_height_in(axes, line.x[-1], line.y[-1]), line) for line in lines]
    ends.sort(key=lambda end: end[0])
    wanted = np.array([end for end, _ in ends])
    for (height_at, line), at in zip(ends, apart(wanted, height, 0.0, 1.0), strict=True):
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
                "relpos": (0, 0.5),
            },
        )


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


def _height_in(axes: Axes, x: float, y: float) -> float:
    """How high a point lies, as a share of the axes."""
    return float(axes.transAxes.inverted().transform(axes.transData.transform((x, y)))[1])


def lay_out(axes: Axes) -> None:
    """Let the figure find the places of its axes, on which the names depend."""
    figure = axes.get_figure(root=True)
    if figure is None:
        return
    if axes.get_axes_locator() is not None:
        figure.draw_without_rendering()
        return
    # All that drawing would do to the places of axes, in a fraction of its time.
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    axes.apply_aspect()


def _beside(axes: Axes, lines: Sequence[Named]) -> bool:
    """Write names beside their lines if each has a place where it meets no named line; else none.

    A place where it meets no other line either is preferred.
    """
    lay_out(axes)
    left, bottom, width, height = box_of(axes)
    points = [dots_along(axes, line.x, line.y) for line in lines]
    obstacles = np.concatenate(points)
    guides = _joined([dots_along(axes, *drawn.get_data()) for drawn in axes.lines])
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
        others = _joined([dots for dots in points if dots is not own])
        for chosen in (quiet, free):
            best = _clearest(begin[chosen], size, others, GAP * scale_of(axes))
            if best is not None:
                break
        else:
            return False
        place = chosen[best]
        places.append((line, begin[place]))
        taken = np.vstack([taken, np.concatenate([begin[place], end[place]])])
    for line, corner in places:
        x, y = axes.transAxes.inverted().transform(corner)
        axes.text(
            x, y, line.text, color=line.stroke.colour, fontsize=SMALL, transform=axes.transAxes,
            va="bottom", ha="left", path_effects=halo(), zorder=6,
        )  # fmt: skip
    return True


def _joined(dots: Sequence[Floats]) -> Floats:
    return np.concatenate([np.empty((0, 2)), *dots])


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


def box_of(axes: Axes) -> tuple[float, float, float, float]:
    """Where the axes lie on the screen: left, bottom, width and height."""
    found: tuple[float, float, float, float] = axes.get_window_extent().bounds
    return found


def bounds_of(text: Any) -> Floats:
    """Where a text lies on the screen: left, bottom, right and top."""
    found = text.get_window_extent()
    return np.array([found.x0, found.y0, found.x1, found.y1])


def scale_of(axes: Axes) -> float:
    """How many dots a point of print has."""
    figure = axes.get_figure(root=True)
    return (figure.dpi if figure is not None else 72.0) / 72.0


def _extent(text: str, axes: Axes) -> tuple[float, float]:
    """Width and height of a text on the screen."""
    width, height = text_size(text)
    return width * scale_of(axes), 1.1 * height * scale_of(axes)


def text_size(text: str, size: str = SMALL) -> tuple[float, float]:
    """Width and height of a text in points of print."""
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415
    from matplotlib.textpath import TextToPath  # noqa: PLC0415

    plain, font = text.replace(r"\$", "$"), FontProperties(size=size)
    width, height, _ = TextToPath().get_text_width_height_descent(plain, font, ismath=False)
    return width, height
