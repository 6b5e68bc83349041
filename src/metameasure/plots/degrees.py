"""Consistency and discriminancy of measures against the size of lists or the number of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from metameasure._arguments import Choice, read_argument
from metameasure.errors import DataError
from metameasure.lab import Degrees
from metameasure.plots._drawing.layout import set_ticks
from metameasure.plots._drawing.study_display import Course, Field, StudyDisplay
from metameasure.plots._drawing.style import text_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from metameasure.plots._drawing.study_display import Highlight

Degree = Literal["consistency", "discriminancy"]


class DegreesDisplay(StudyDisplay):
    """Consistency C or discriminancy D of one measure and others, by the size of lists.

    Args:
        degrees: the result of ``lab.degrees``.
        degree: "consistency" or "discriminancy"; infinite values of D are not drawn.
        highlight: the measures with colors and names; by default the best seven.
    """

    def __init__(
        self,
        degrees: Degrees,
        *,
        degree: Degree = "consistency",
        highlight: Highlight | None = None,
    ) -> None:
        if not isinstance(degrees, Degrees):
            raise DataError(f"degrees must come from lab.degrees, got {type(degrees).__name__}")
        chosen = read_argument("degree", degree, Choice(get_args(Degree)))
        points: dict[str, list[tuple[float, ...]]] = {}
        for row in degrees.rows:
            value, error = getattr(row, chosen), getattr(row, f"{chosen}_se")
            reach = np.nan if error is None else error
            points.setdefault(row.g, []).append((row.level, value, value - reach, value + reach))
        f = text_of(degrees.rows[0].f)
        words = {
            "consistency": f"consistency C with {f}",
            "discriminancy": f"discriminancy D of {f} over each measure",
        }
        sampled = any(row.consistency_se is not None for row in degrees.rows)
        field = Field(
            level=degrees.meta["over"],
            value=words[chosen],
            best="max",
            note="bars: ± one standard error" if sampled else "",
        )
        super().__init__({m: Course.of(some) for m, some in points.items()}, field, highlight)

    def _draw_lines(self, axes: Axes) -> None:
        super()._draw_lines(axes)
        set_ticks(axes.xaxis, self.levels.tolist(), [f"{level:g}" for level in self.levels])
