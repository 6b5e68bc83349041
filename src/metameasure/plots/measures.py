"""Heat maps of consistency and discriminancy of all pairs of measures."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import DataError
from metameasure.lab import ComparisonMatrix, PreferenceOrder
from metameasure.plots._drawing.display import SQUARE, Display
from metameasure.plots._drawing.layout import is_narrow, lay_out, letters, size_of
from metameasure.plots._drawing.style import COLORS, GRAY, LETTERS, SMALL, SMALLER, escaped, text_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from metameasure._types import Floats
    from metameasure.lab import MeasureComparison
    from metameasure.measurement import Measure


CELL, NAMES = 0.3, 1.6
"""Least width of a cell, and width of the names, in inches."""
LEAST = 3.2
"""Least side of the figure in inches."""
ROOMY, TIGHT = 27.0, 15.0
"""Widths of cells in points from which on numbers are larger, and below which there are none."""
MAGNITUDES = 3.0
"""Order of magnitude of the discriminancy with the full color."""
DARK = 0.5
"""Saturation of a cell above which its text is white."""


class MeasuresDisplay(Display):
    """Consistency and discriminancy of all pairs of measures.

    Measures are in order of preference, with their ranks; those of equal rank are not better than
    each other. Below the diagonal is the degree of consistency C, above it the degree of
    discriminancy D of the row over the column. A question mark is at sampled values that are not
    significant.

    Args:
        comparisons: the result of ``lab.comparison_matrix`` or ``lab.preference_order``.
    """

    def __init__(self, comparisons: ComparisonMatrix | PreferenceOrder) -> None:
        if isinstance(comparisons, ComparisonMatrix):
            comparisons = PreferenceOrder(comparisons)
        if not isinstance(comparisons, PreferenceOrder):
            raise DataError(
                "comparisons must come from lab.comparison_matrix or lab.preference_order, got "
                f"{type(comparisons).__name__}"
            )
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
        """The colors: red, white, blue for C from 0 to 1; orange, white, green for D around 1."""
        from matplotlib.colors import LinearSegmentedColormap, Normalize  # noqa: PLC0415

        with np.errstate(divide="ignore"):
            magnitude = np.log10(self.discriminancy)
        limit = Normalize(-MAGNITUDES, MAGNITUDES, clip=True)
        for name, cells, ends, norm in (
            ("consistency", self.consistency, (1, 0), Normalize(0, 1)),
            ("discriminancy", magnitude, (4, 2), limit),
        ):
            shades = [COLORS[ends[0]], "white", COLORS[ends[1]]]
            colors = LinearSegmentedColormap.from_list(name, shades)
            edges = np.arange(len(self.measures) + 1)
            self.artists_[name] = axes.pcolormesh(
                edges, edges, np.ma.masked_invalid(norm(cells)), cmap=colors, vmin=0, vmax=1,
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
                          color="white" if fill > DARK else LETTERS)  # fmt: skip

    def _number(self, row: int, column: int) -> tuple[str, float]:
        """The text of a cell, and the saturation of its color."""
        if row > column:
            found, value = self._pair(column, row), self.consistency[row, column]
            text, fill = share_text(value), abs(2 * value - 1)
        else:
            found, value = self._pair(row, column), self.discriminancy[row, column]
            text = "=" if found.verdict == "equivalent" else times_text(value)
            fill = min(abs(math.log10(value)) / MAGNITUDES if value else 1.0, 1.0)
        return text + "?" * (found.verdict == "inconclusive"), 0.0 if math.isnan(fill) else fill

    def _explain(self, axes: Axes) -> None:
        text = "below the diagonal: C; above: D of row over column"
        if not is_narrow(axes):
            text = (
                "Below the diagonal: consistency C. Above: discriminancy D of the row over the "
                f"column. After the names: rank. On {escaped(self.order.matrix.domain)}."
            )
        axes.set_xlabel(text, fontsize=letters(axes), color=GRAY)


def share_text(share: float) -> str:
    """A fraction with two decimals that is 0 or 1 only if it is so exactly.

    >>> [share_text(share) for share in (1.0, 0.9999, 0.977, 0.5, 0.001, 0.0, float("nan"))]
    ['1', '>0.99', '0.98', '0.50', '<0.01', '0', '–']
    """
    if math.isnan(share):
        return "–"
    if share in {0.0, 1.0}:
        return f"{share:.0f}"
    if not 0.005 <= share < 0.995:
        return "<0.01" if share < 0.5 else ">0.99"
    return f"{share:.2f}"


def times_text(times: float) -> str:
    """A ratio as a short text.

    >>> [times_text(times) for times in (14.65, 1.168, 0.856, 162.0, 3864.0, 0.00026, 0.0)]
    ['15', '1.2', '0.86', '162', '4e3', '3e-4', '0']
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
    return f"{times:.1f}" if times >= 0.995 else f"{times:.2f}"
