"""Advice on the measure for model choice: regret with standard errors."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure._arguments import Choice, is_real, read_argument
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.lab import Advice, advise
from metameasure.plots._drawing.layout import caption
from metameasure.plots._drawing.study_display import ChoicesDisplay, Course, Field
from metameasure.plots._drawing.style import COLORS, GRAY, MOST_NAMED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from metameasure.data import Models
    from metameasure.lab import AdviceRow
    from metameasure.plots._drawing.study_display import Highlight

AdviceAgainst = Literal["size", "noise"]
WIDE, SLIM = 2.8, 1.1
"""Widths of the line of the recommended measure, and of the others."""


class AdviceDisplay(ChoicesDisplay):
    """The regret of choosing models by each measure; filled points are recommended.

    The measure to use has a wide line. If no measure is recommended, none has.

    Args:
        advice: the result of ``advise``.
        against: "size" for the sizes of validation sets, "noise" for fractions of redrawn labels.
        at: the fraction of redrawn labels, or the size; by default 0, or the smallest size.
        highlight: the measures with colors; by default the one to use, the goal, and other
            recommended ones.
    """

    def __init__(
        self,
        advice: Advice,
        *,
        against: AdviceAgainst = "size",
        at: float | None = None,
        highlight: Highlight | None = None,
    ) -> None:
        if not isinstance(advice, Advice):
            raise DataError(f"advice must come from advise, got {type(advice).__name__}")
        self.advice = advice
        self.against: str = read_argument("against", against, Choice(get_args(AdviceAgainst)))
        by_size = self.against == "size"
        self.fixed = "noise" if by_size else "size"
        courses = self._courses(self._seen(at))
        seen: dict[str, Any] = {self.fixed: self.at}
        self.recommended = advice.recommended(**seen)
        field = Field(
            level="cases per validation set" if by_size else "fraction of labels redrawn",
            value=f"regret in {advice.goal} (± SE)",
            floor=0.0,
            log=by_size,
        )
        super().__init__(courses, field, highlight, self._ranking(courses))
        self.named = {
            name: replace(stroke, width=WIDE if name == self.recommended else SLIM)
            for name, stroke in self.named.items()
        }
        self.row_colors = {name: GRAY for name, course in courses.items() if course.hollow.any()}
        if self.recommended is not None:
            self.row_colors[self.recommended] = COLORS[0]

    @classmethod
    def _studied(cls, models: Models, sizes: Sequence[int], **study: Any) -> Any:
        return advise(models, sizes=sizes, **study)

    def _seen(self, at: float | None) -> Sequence[AdviceRow]:
        """The rows of one fraction of noise, or of one size."""
        fixed = self.fixed
        known = sorted({getattr(row, fixed) for row in self.advice.rows})
        self.at = known[0] if at is None else at
        if not is_real(self.at) or self.at not in known:
            levels = {"noise": "levels of noise", "size": "sizes"}[fixed]
            some = ", ".join(f"{value:g}" for value in known)
            raise ParameterError(
                (Argument("at"), f" must be one of the {levels} {some}, got {self.at!r}")
            )
        return [row for row in self.advice.rows if getattr(row, fixed) == self.at]

    def _courses(self, rows: Sequence[AdviceRow]) -> dict[str, Course]:
        """The regret of each measure, hollow where it is not recommended."""
        by_measure: dict[str, list[AdviceRow]] = {}
        for row in rows:
            by_measure.setdefault(row.measure, []).append(row)
        return {
            name: Course.of(
                ((getattr(row, self.against), row.regret, max(row.regret - row.regret_se, 0.0),
                  row.regret + row.regret_se) for row in some),
                [row.group != "recommended" for row in some],
            )
            for name, some in by_measure.items()
        }  # fmt: skip

    def _ranking(self, courses: dict[str, Course]) -> list[str]:
        """The measure to use, then those recommended most often; the goal is among the first."""
        goal = str(self.advice.goal)

        def place(name: str) -> tuple[bool, int, float]:
            course = courses[name]
            hollow = int(np.count_nonzero(course.hollow))
            return name != self.recommended, hollow, float(course.value.mean())

        ranked = sorted((name for name in courses if courses[name].x.size), key=place)
        if goal in ranked[MOST_NAMED:]:
            ranked.remove(goal)
            ranked.insert(MOST_NAMED - 1, goal)
        return ranked

    def _text(self, name: str) -> str:
        used = "use " if name == self.recommended else ""
        return f"{used}{super()._text(name)}{' (the goal)' * (name == str(self.advice.goal))}"

    def _write_caption(self, axes: Axes) -> None:
        caption(axes, self._headline())
        if self._has_recommended():
            axes.set_xlabel(f"{axes.get_xlabel()}\nfilled: recommended, hollow: not")

    def _has_recommended(self) -> bool:
        """Whether some measure is recommended at some level."""
        return not all(course.hollow.all() for course in self.courses.values())

    def _headline(self) -> str:
        """The advice on the drawn rows as a sentence."""
        if self.against == "size" and self.at == 0:
            return f"{self.advice.recommendation.partition('. ')[0].rstrip('.')}."
        if self.against == "size":
            place = f"With {100 * self.at:g}% of the labels redrawn"
        else:
            place = f"With {self.at:g} cases and noisy labels"
        if self.recommended is not None:
            return f"{place}, use {self.recommended}: it is recommended wherever some measure is."
        if self._has_recommended():
            return f"{place}, no measure is recommended at all levels."
        return f"{place}, no measure can be recommended on these data."
