"""The columns at the right of a forest plot: values, limits and p-values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metameasure.plots._drawing.screen import is_narrow, letters, scale_of, sheet_of, text_size
from metameasure.plots._drawing.style import SMALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.axes import Axes

BETWEEN = 9.0
"""So many points of print lie between two columns."""
ROOM, LEAST = 2.2, 1.0
"""So many inches wide is the part where points and intervals are, and in a narrow picture."""
BESIDE = 30.0
"""So many points of print are free beside names and columns."""
LIMITS, VALUE, CHANCE = (1, 2), (0,), (3,)


@dataclass(frozen=True)
class Columns:
    """What stands in the columns at the right: the value, both limits, and the p-value.

    Attributes:
        texts: those of the rows of each block.
        header: what stands above the values, above both limits, and above the p-values.
    """

    texts: Mapping[str, Sequence[tuple[str, ...]]]
    header: tuple[str, str, str]

    def widths(self, size: str = SMALL) -> list[float]:
        """How wide each column is, with the gap before it, in points.

        What stands above the limits goes over both of them.
        """
        texts = [text for rows in self.texts.values() for text in rows]
        widest = [
            max(text_size(text, size)[0] for text in column) for column in zip(*texts, strict=True)
        ]
        value, interval, chance = (text_size(text, size)[0] for text in self.header)
        widths = [max(widest[0], value), widest[1], widest[2], max(widest[3], chance)]
        gapped = [BETWEEN + width if width else 0.0 for width in widths]
        gapped[1] += max(0.0, interval - widths[2] - gapped[1])
        return gapped

    def fitting(self, axes: Axes, names: Iterable[str]) -> list[float]:
        """The widths of columns beside axes that have these names; 0 for those that give way.

        That are first the limits, which can be seen, then values, and p-values last.
        """
        widths = self.widths(letters(axes))
        if not is_narrow(axes):
            return widths
        left, _, right, _ = sheet_of(axes)
        room = (right - left) / scale_of(axes) - BESIDE - 72 * LEAST
        room -= max(text_size(name, letters(axes))[0] for name in names)
        for columns in (LIMITS, VALUE, CHANCE):
            if sum(widths) > room:
                widths = [0.0 if place in columns else w for place, w in enumerate(widths)]
        return widths

    def write_header(self, axes: Axes, y: float, widths: Sequence[float], color: str) -> None:
        """Write what stands above the columns."""
        value, interval, chance = self.header
        write_columns(axes, (value, "", interval, chance), y, widths, color)


def write_columns(
    axes: Axes, texts: Sequence[str], y: float, widths: Sequence[float], color: str
) -> None:
    """Write texts at the right of the axes, each aligned at the right of its column."""
    for text, width, edge in zip(texts, widths, np.cumsum(widths), strict=True):
        if text and width:
            axes.annotate(
                text, (1.0, y), xycoords=("axes fraction", "data"), xytext=(edge, 0),
                textcoords="offset points", ha="right", va="center", fontsize=letters(axes),
                color=color, annotation_clip=False,
            )  # fmt: skip
