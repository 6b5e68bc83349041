"""How robust measures are, as a picture: how often they err, the more so the more noise."""

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
    "labels": "share of labels redrawn",
    "scores": "scores moved by up to",
    "clipped_scores": "scores moved by up to, clipped",
    "class_proportion": "share of positives deleted",
}


CHANCE, NEAR = 0.5, 0.2
"""The rate of choosing by lot, which is shown where some measure comes near to it."""


class RobustnessDisplay(StudyDisplay):
    """How often noise makes measures prefer the worse of two models, with intervals.

    Args:
        robustness: what ``lab.robustness`` has found.
        rate: "error" for how often the worse model is preferred; "change" for how often another
            model is than without noise, which has no intervals.
        highlight: which measures are told apart; the seven that err least by default.
    """

    def __init__(
        self,
        robustness: Robustness,
        *,
        rate: Rate = "error",
        highlight: Highlight | None = None,
    ) -> None:
        if not isinstance(robustness, Robustness):
            raise DataError(f"give what lab.robustness has found, not {type(robustness).__name__}")
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
        value = f"error rate, with {100 * robustness.meta['ci']:g} % intervals"
        field = Field(
            level=LEVELS.get(noise, f"level of noise: {text_of(noise)}"),
            value=value if chosen == "error" else "share of selections that noise changes",
            chance=CHANCE if largest >= NEAR else None,
            floor=0.0,
        )
        super().__init__({m: Course.of(some) for m, some in points.items()}, field, highlight)
