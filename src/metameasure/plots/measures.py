"""Several measures against each other, as a heat map of consistency and discriminancy."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import DataError
from metameasure.lab import ComparisonMatrix, PreferenceOrder
from metameasure.plots._drawing.captions import broken
from metameasure.plots._drawing.display import SQUARE, Display
from metameasure.plots._drawing.layout import lay_out
from metameasure.plots._drawing.screen import (
    bounds_of,
    box_of,
    is_narrow,
    letters,
    scale_of,
    sheet_of,
    size_of,
)
from metameasure.plots._drawing.style import COLOURS, GREY, INK, SMALL, SMALLER, text_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from metameasure.lab import MeasureComparison
    from metameasure.measurement import Measure

    Floats = NDArray[np.float64]

CELL, NAMES = 0.3, 1.6
"""The width of a cell at least, and of the names beside them, in inches."""
LEAST = 3.2
ROOMY, TIGHT = 27.0, 15.0
"""In cells so many points of print wide numbers are small; in narrower ones there are none."""
MAGNITUDES = 3.0
"""A discriminancy of so many powers of ten has the full colour."""
ROUNDS = 3
DARK = 0.5
"""On what is darker, letters are white."""


class MeasuresDisplay(Display):
    """All pairs of some measures: how consistent they are, and which one tells more apart.

    Measures stand in the order of preference, with their places; those of one place are not better
    than each other. Below the diagonal is the consistency, which has no direction; above it the
    discriminancy of the row over the column, whose inverse is that of the column over the row. A
    question mark is at what was drawn at random and is too close to tell.

    Args:
        comparisons: what ``lab.comparison_matrix`` or ``lab.preference_order`` has found.
    """

    def __init__(self, comparisons: ComparisonMatrix | PreferenceOrder) -> None:
        if isinstance(comparisons, ComparisonMatrix):
            comparisons = PreferenceOrder(comparisons)
        if not isinstance(comparisons, PreferenceOrder):
            raise DataError("give what lab.comparison_matrix or lab.preference_order has found")
        self.order = comparisons
        self.measures: list[Measure] = comparisons.measures
        count = len(self.measures)
        self.consistency: Floats = np.full((count, count), np.nan)
        self.discriminancy: Floats = np.full((count, count), np.nan)
        for row, column in combinations(range(count), 2):
            found = self._pair(row, column)
            self.consistency[column, row] = found.consistency
            self.discriminancy[row, column] = found.discriminancy

    def _pair(self, row: int, column: int) -> MeasureComparison:
        return self.order.matrix[self.measures[row], self.measures[column]]

    def _inches(self) -> tuple[float, float]:
        count = len(self.measures)
        side = NAMES + count * min(max(CELL, (SQUARE[0] - NAMES) / count), 1.7 * CELL)
        return max(side, LEAST), max(side, LEAST)

    def _draw(self, axes: Axes) -> None:
        count = len(self.measures)
        axes.spines[:].set_visible(False)
        axes.set(xlim=(0, count), ylim=(count, 0), aspect="equal")
        middles = np.arange(count) + 0.5
        names = [text_of(measure) for measure in self.measures]
        places = [place for place, tier in enumerate(self.order.tiers, 1) for _ in tier]
        rows = [f"{name}  {place}" for name, place in zip(names, places, strict=True)]
        axes.set_yticks(middles, rows)
        axes.set_xticks(middles, names, rotation=45, ha="left", rotation_mode="anchor")
        axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False, pad=2)
        self._fill(axes)
        self._explain(axes)
        self._write_numbers(axes)

    def _fill(self, axes: Axes) -> None:
        """The colours: red, white, blue for C from 0 to 1; orange, white, green for D around 1."""
        from matplotlib.colors import LinearSegmentedColormap, Normalize  # noqa: PLC0415

        with np.errstate(divide="ignore"):
            magnitude = np.log10(self.discriminancy)
        limit = Normalize(-MAGNITUDES, MAGNITUDES, clip=True)
        for name, cells, ends, norm in (
            ("consistency", self.consistency, (1, 0), Normalize(0, 1)),
            ("discriminancy", magnitude, (4, 2), limit),
        ):
            shades = [COLOURS[ends[0]], "white", COLOURS[ends[1]]]
            colours = LinearSegmentedColormap.from_list(name, shades)
            edges = np.arange(len(self.measures) + 1)
            self.artists_[name] = axes.pcolormesh(
                edges, edges, np.ma.masked_invalid(norm(cells)), cmap=colours, vmin=0, vmax=1,
                edgecolors="white", linewidth=1.0,
            )  # fmt: skip

    def _write_numbers(self, axes: Axes) -> None:
        lay_out(axes)
        cell = size_of(axes)[0] / len(self.measures)
        if cell < TIGHT:
            return
        size = SMALL if cell >= ROOMY else SMALLER
        for row in range(len(self.measures)):
            for column in range(len(self.measures)):
                if row == column:
                    continue
                text, fill = self._number(row, column)
                axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", fontsize=size,
                          color="white" if fill > DARK else INK)  # fmt: skip

    def _number(self, row: int, column: int) -> tuple[str, float]:
        """What is written into a cell, and how dark it is."""
        if row > column:
            found, value = self._pair(column, row), self.consistency[row, column]
            text, fill = share_text(value), abs(2 * value - 1)
        else:
            found, value = self._pair(row, column), self.discriminancy[row, column]
            text = "=" if found.verdict == "equivalent" else times_text(value)
            fill = min(abs(math.log10(value)) / MAGNITUDES if value else 1.0, 1.0)
        return text + "?" * (found.verdict == "inconclusive"), 0.0 if math.isnan(fill) else fill

    def _explain(self, axes: Axes) -> None:
        words = (
            "Below the diagonal: consistency C. Above it: discriminancy D of the row over the "
            f"column. Numbers at the names: order of preference. On {self.order.matrix.domain}."
        )
        size = letters(axes)
        # Words need room, for which the cells get smaller, so that words have less room.
        for _ in range(ROUNDS if is_narrow(axes) else 1):
            lay_out(axes)
            left, _, width, _ = box_of(axes)
            names = min(bounds_of(label)[0] for label in axes.get_yticklabels())
            room = 0.93 * (left + width - max(names, sheet_of(axes)[0])) / scale_of(axes)
            lines = "\n".join(broken(words, room, size))
            axes.set_xlabel(lines, fontsize=size, color=GREY, loc="right", ma="left")


def share_text(share: float) -> str:
    """A share in two digits that is not said to be all, or none, if it is not.

    >>> [share_text(share) for share in (1.0, 0.9999, 0.977, 0.5, 0.001, 0.0, float("nan"))]
    ['1', '>.99', '.98', '.50', '<.01', '0', '–']
    """
    if math.isnan(share):
        return "–"
    if share in {0.0, 1.0}:
        return f"{share:.0f}"
    if not 0.005 <= share < 0.995:
        return "<.01" if share < 0.5 else ">.99"
    return f"{share:.2f}"[1:]


def times_text(times: float) -> str:
    """How many times, in as few letters as tell it.

    >>> [times_text(times) for times in (14.65, 1.168, 0.856, 162.0, 3864.0, 0.00026, 0.0)]
    ['15', '1.2', '.86', '162', '4e3', '3e-4', '0']
    >>> times_text(float("inf")), times_text(float("nan"))
    ('∞', '–')
    """
    if math.isnan(times) or math.isinf(times):
        return "–" if math.isnan(times) else "∞"
    if times >= 999.5 or 0 < times < 0.00995:
        digits, power = f"{times:.0e}".split("e")
        return f"{digits}e{int(power)}"
    if times == 0 or times >= 9.95:
        return f"{times:.0f}"
    return f"{times:.1f}" if times >= 0.995 else f"{times:.2f}"[1:]
