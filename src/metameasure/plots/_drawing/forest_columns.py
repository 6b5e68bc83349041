"""The columns to the right of a forest plot: values, limits and p-values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metameasure.plots._drawing.layout import cell_width, is_narrow, letters, text_size
from metameasure.plots._drawing.style import SMALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.axes import Axes

BETWEEN = 9.0
"""Distance of two columns in points."""
ROOM, LEAST = 2.2, 1.0
"""Width in inches of the part with the intervals, and its least width in a narrow figure."""
BESIDE = 30.0
"""Space beside names and columns in points."""
LIMITS, VALUE, CHANCE = (1, 2), (0,), (3,)


@dataclass(frozen=True)
class Columns:
    """The texts of the columns: the value, both limits, and the p-value.

    Attributes:
        texts: the texts of the rows of each block.
        header: the headers of the values, of both limits, and of the p-values.
    """

    texts: Mapping[str, Sequence[tuple[str, ...]]]
    header: tuple[str, str, str]

    def widths(self, size: str = SMALL) -> list[float]:
        """Width of each column in points, with the gap before it; both limits share a header."""
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
        """The widths of the columns that fit beside axes with these names; 0 for the others.

        Limits are dropped first, then values, and p-values last.
        """
        widths = self.widths(letters(axes))
        if not is_narrow(axes):
            return widths
        room = cell_width(axes) - BESIDE - 72 * LEAST
        room -= max(text_size(name, letters(axes))[0] for name in names)
        for columns in (LIMITS, VALUE, CHANCE):
            if sum(widths) > room:
                widths = [0.0 if place in columns else w for place, w in enumerate(widths)]
        return widths

    def write_header(self, axes: Axes, y: float, widths: Sequence[float], color: str) -> None:
        """Write the headers of the columns."""
        value, interval, chance = self.header
        write_columns(axes, (value, "", interval, chance), y, widths, color)


def write_columns(
    axes: Axes, texts: Sequence[str], y: float, widths: Sequence[float], color: str
) -> None:
    """Write texts to the right of the axes, right-aligned in their columns."""
    for text, width, edge in zip(texts, widths, np.cumsum(widths), strict=True):
        if text and width:
            axes.annotate(
                text, (1.0, y), xycoords=("axes fraction", "data"), xytext=(edge, 0),
                textcoords="offset points", ha="right", va="center", fontsize=letters(axes),
                color=color, annotation_clip=False,
            )  # fmt: skip
