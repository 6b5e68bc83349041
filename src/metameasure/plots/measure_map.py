"""A map of measures: those that order models alike are near each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import DataError
from metameasure.lab import MeasureCorrelations
from metameasure.plots._drawing.display import BROAD, Display
from metameasure.plots._drawing.layout import (
    caption,
    is_narrow,
    lay_out,
    letters,
    size_of,
    text_size,
)
from metameasure.plots._drawing.style import COLORS, GRAY, INK, LONGEST_NAME, SHORT_NAME, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from metameasure._types import Floats

    Box = tuple[float, float, float, float]

MARGIN = 0.12
"""Margin around the points, as a fraction of their range."""
GAP = 5.0
"""Distance of a name from its point in points."""
TURNS = 16
"""Number of directions in which a name may be placed."""
FAR = 6
"""Number of distances that are tried, each further away."""
STEP = 8.0
"""Difference of two distances in points."""
SAME = 0.01
"""Distance of measures that share a name, as a fraction of the range of the places."""
CROWD = 5
"""Number of nearest places that tell how crowded a place is."""
DOT, LINE = 3.0, 1.7
"""Radius of a point in points, and height of a line as a multiple of that of its letters."""


class MeasureMapDisplay(Display):
    """Measures as points, whose distances are close to 1 minus their rank correlation over models.

    The axes have no meaning; only distances have. Measures at the same place share a point, and
    names that are not beside their point are linked to it by a line.

    Args:
        correlations: the result of ``lab.measure_correlations``.
    """

    size = BROAD

    def __init__(self, correlations: MeasureCorrelations) -> None:
        if not isinstance(correlations, MeasureCorrelations):
            raise DataError(
                "correlations must come from lab.measure_correlations, got "
                f"{type(correlations).__name__}"
            )
        self.correlations = correlations
        self.names = [point.measure for point in correlations.points]
        self.places: Floats = np.array([[point.x, point.y] for point in correlations.points])

    def _draw(self, axes: Axes) -> None:
        meta = self.correlations.meta
        x, y = self.places.T
        (self.artists_["points"],) = axes.plot(x, y, "o", color=COLORS[0], markersize=4, zorder=3)
        axes.set(xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
        axes.margins(MARGIN)
        axes.set_aspect("equal", adjustable="datalim")
        text = (
            f"distance: 1 - rank correlation over {meta['models']} models; "
            f"stress {self.correlations.stress:.2f}"
        )
        caption(axes, text, color=GRAY)
        lay_out(axes)
        axes.apply_aspect()
        self._write_names(axes)

    def _groups(self) -> list[list[int]]:
        """The measures at each place, e.g. those that order all models alike."""
        near = SAME * (float(np.ptp(self.places, axis=0).max()) or 1.0)
        groups: list[list[int]] = []
        for one, at in enumerate(self.places):
            for group in groups:
                if np.abs(self.places[group[0]] - at).max() <= near:
                    group.append(one)
                    break
            else:
                groups.append([one])
        return groups

    def _write_names(self, axes: Axes) -> None:
        """Write the names of each place at the first free position around it."""
        size, longest = letters(axes), SHORT_NAME if is_narrow(axes) else LONGEST_NAME
        room = size_of(axes)
        inside = axes.transData + axes.transAxes.inverted()
        groups = self._groups()
        at = inside.transform(self.places[[group[0] for group in groups]]) * room
        taken: list[Box] = [(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in at.tolist()]
        texts = ["\n".join(text_of(self.names[m], longest) for m in group) for group in groups]
        # The most crowded places are named first.
        apart = np.sort(np.linalg.norm(at[:, np.newaxis] - at, axis=-1), axis=1)
        for place in np.argsort(apart[:, :CROWD].sum(axis=1), kind="stable").tolist():
            lines = texts[place].split("\n")
            sizes = [text_size(line, size) for line in lines]
            wide, high = max(w for w, _ in sizes), LINE * sum(h for _, h in sizes)
            box = _free(at[place], wide, high, taken, room)
            link_of = _link(at[place], box)
            taken += [box, *link_of]
            middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
            link = {"arrowstyle": "-", "color": GRAY, "linewidth": 0.6, "shrinkB": 2}
            self.artists_[self.names[groups[place][0]]] = axes.annotate(
                texts[place], tuple(self.places[groups[place][0]]), xycoords="data",
                xytext=(middle[0] / room[0], middle[1] / room[1]), textcoords="axes fraction",
                ha="center", va="center", fontsize=size, color=INK,
                arrowprops=link if link_of else None,
            )  # fmt: skip


def _free(
    point: Floats, wide: float, high: float, taken: Sequence[Box], room: tuple[float, float]
) -> Box:
    """The first box around a point that overlaps no other one and lies in the room."""
    best, least = None, np.inf
    for ring in range(FAR):
        for turn in range(TURNS):
            angle = 2 * np.pi * turn / TURNS
            along = np.array([np.cos(angle), np.sin(angle)])
            middle = point + along * (GAP + np.array([wide, high]) / 2 + ring * STEP)
            low, top = middle - np.array([wide, high]) / 2, middle + np.array([wide, high]) / 2
            box = (float(low[0]), float(low[1]), float(top[0]), float(top[1]))
            own = [box, *_link(point, box)]
            over = sum(_overlap(one, other) for one in own for other in taken)
            outside = max(-low.min(), (top - room).max(), 0.0)
            if over + outside == 0:
                return box
            if over + 100 * outside < least:
                best, least = box, over + 100 * outside
    assert best is not None  # noqa: S101 - at least one box was tried
    return best


def _link(point: Floats, box: Box) -> list[Box]:
    """The line from a point to a box as small boxes; none if they are close to each other."""
    nearest = np.clip(point, box[:2], box[2:])
    away = float(np.hypot(*(nearest - point)))
    if away <= 2 * GAP:
        return []
    steps = np.arange(2 * DOT, away, DOT)[:, np.newaxis] / away
    return [(x - 1, y - 1, x + 1, y + 1) for x, y in (point + steps * (nearest - point)).tolist()]


def _overlap(a: Box, b: Box) -> float:
    """The area that two boxes share."""
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return wide * high if wide > 0 and high > 0 else 0.0
