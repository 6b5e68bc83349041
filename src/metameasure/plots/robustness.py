"""Robustness of measures: error rate against noise."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, get_args

from metameasure._arguments import Choice, read_argument
from metameasure.errors import DataError
from metameasure.lab import Robustness
from metameasure.plots._drawing.study_display import Course, Field, StudyDisplay
from metameasure.plots._drawing.style import text_of

if TYPE_CHECKING:
    from metameasure.plots._drawing.study_display import Highlight

Rate = Literal["error", "change"]
LEVELS = {
    "labels": "fraction of labels redrawn",
    "scores": "largest shift of scores",
    "clipped_scores": "largest shift of scores, clipped",
    "class_proportion": "fraction of positives deleted",
}


CHANCE, NEAR = 0.5, 0.2
"""The error rate of a random choice, and the largest rate from which on it is shown."""


class RobustnessDisplay(StudyDisplay):
    """The rate at which measures prefer the worse of two models under noise, with intervals.

    Args:
        robustness: the result of ``lab.robustness``.
        rate: "error" for the rate of preferring the worse model; "change" for the rate of
            preferring another model than without noise, which has no intervals.
        highlight: the measures with colors and names; by default the seven with the least rates.
    """

    def __init__(
        self,
        robustness: Robustness,
        *,
        rate: Rate = "error",
        highlight: Highlight | None = None,
    ) -> None:
        if not isinstance(robustness, Robustness):
            raise DataError(
                f"robustness must come from lab.robustness, got {type(robustness).__name__}"
            )
        self.robustness = robustness
        chosen = read_argument("rate", rate, Choice(get_args(Rate)))
        points: dict[str, list[tuple[float, ...]]] = {}
        for row in robustness.rows:
            found = (row.error_rate, row.low, row.high)
            if chosen == "change":
                found = (row.change_rate, math.nan, math.nan)
            points.setdefault(row.measure, []).append((row.level, *found))
        largest = max(value for some in points.values() for _, value, *_ in some)
        noise = robustness.rows[0].noise
        value = f"error rate, {100 * robustness.meta['ci']:g}% CI"
        field = Field(
            level=LEVELS.get(noise, f"level of {text_of(noise)}"),
            value=value if chosen == "error" else "fraction of choices changed by noise",
            chance=CHANCE if largest >= NEAR else None,
            floor=0.0,
        )
        super().__init__({m: Course.of(some) for m, some in points.items()}, field, highlight)
