"""Which measure should choose the model, as a picture, and whether that is certain."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure._arguments import Choice, is_real, read_argument
from metameasure.errors import DataError
from metameasure.lab import Advice, advise_models
from metameasure.plots._drawing.captions import write_above
from metameasure.plots._drawing.choice_display import ChoicesDisplay
from metameasure.plots._drawing.screen import is_narrow
from metameasure.plots._drawing.study_display import Course, Field
from metameasure.plots._drawing.style import COLOURS, GREY, MOST_NAMED, SMALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from metameasure.data import Models
    from metameasure.lab import AdviceRow
    from metameasure.plots._drawing.study_display import Highlight

Against = Literal["size", "noise"]
WIDE, SLIM = 2.8, 1.1
"""The width of the line of what is recommended, and of the others."""


class AdviceDisplay(ChoicesDisplay):
    """What is lost if a measure chooses the model: filled points are as good as the best.

    The measure that is recommended has a wide line. Where the data cannot tell, none has.

    Args:
        advice: what ``advise`` has found.
        against: "size" for the sizes of validation sets, "noise" for shares of wrong labels.
        at: the share of wrong labels, or the size, at which; none, or the smallest, by default.
        highlight: which measures are told apart; by default what is recommended, the goal, and what
            is as good.
    """

    def __init__(
        self,
        advice: Advice,
        *,
        against: Against = "size",
        at: float | None = None,
        highlight: Highlight | None = None,
    ) -> None:
        if not isinstance(advice, Advice):
            raise DataError(f"give what advise has found, not {type(advice).__name__}")
        self.advice = advice
        self.against: str = read_argument("against", against, Choice(get_args(Against)))
        by_size = self.against == "size"
        self.fixed = "noise" if by_size else "size"
        courses = self._courses(self._seen(at))
        seen: dict[str, Any] = {self.fixed: self.at}
        self.recommended = advice.recommended(**seen)
        field = Field(
            level="cases in a validation set" if by_size else "share of labels redrawn",
            value=f"{advice.goal} lost by the choice, ± its error",
            floor=0.0,
            log=by_size,
        )
        super().__init__(courses, field, highlight, self._ranking(courses))
        self.named = {
            name: replace(stroke, width=WIDE if name == self.recommended else SLIM)
            for name, stroke in self.named.items()
        }
        self.row_colours = {name: GREY for name, course in courses.items() if course.hollow.any()}
        if self.recommended is not None:
            self.row_colours[self.recommended] = COLOURS[0]

    @classmethod
    def _studied(cls, models: Models, sizes: Sequence[int], **study: Any) -> Any:
        return advise_models(models, sizes=sizes, **study)

    def _seen(self, at: float | None) -> Sequence[AdviceRow]:
        """The rows of one share of noise, or of one size."""
        fixed = self.fixed
        known = sorted({getattr(row, fixed) for row in self.advice.rows})
        self.at = known[0] if at is None else at
        if not is_real(self.at) or self.at not in known:
            some = ", ".join(f"{value:g}" for value in known)
            raise DataError(f"at={self.at!r}: the advice is for a {fixed} of {some}")
        return [row for row in self.advice.rows if getattr(row, fixed) == self.at]

    def _courses(self, rows: Sequence[AdviceRow]) -> dict[str, Course]:
        """What is lost if a measure chooses, hollow where that is more than the best loses."""
        by_measure: dict[str, list[AdviceRow]] = {}
        for row in rows:
            by_measure.setdefault(row.measure, []).append(row)
        return {
            name: Course.of(
                ((getattr(row, self.against), row.regret, max(row.regret - row.regret_se, 0.0),
                  row.regret + row.regret_se) for row in some),
                [self.advice.models_differ and not row.as_good_as_best for row in some],
            )
            for name, some in by_measure.items()
        }  # fmt: skip

    def _ranking(self, courses: dict[str, Course]) -> list[str]:
        """What is recommended first, then what is seldom worse than the best; the goal is named."""
        goal = str(self.advice.goal)

        def place(name: str) -> tuple[bool, int, float]:
            course = courses[name]
            worse = int(np.count_nonzero(course.hollow))
            return name != self.recommended, worse, float(course.value.mean())

        ranked = sorted((name for name in courses if courses[name].x.size), key=place)
        if goal in ranked[MOST_NAMED:]:
            ranked.remove(goal)
            ranked.insert(MOST_NAMED - 1, goal)
        return ranked

    def _text(self, name: str) -> str:
        used = "use " if name == self.recommended else ""
        return f"{used}{super()._text(name)}{' (the goal)' * (name == str(self.advice.goal))}"

    def _say_above(self, axes: Axes) -> None:
        write_above(axes, self._headline())
        if not self._is_told():
            return
        if self.levels.size > 1 and not is_narrow(axes):
            self._explain_marks(axes)
        else:
            axes.set_xlabel(f"{axes.get_xlabel()}\nfilled: as good as the best; hollow: worse")

    def _is_told(self) -> bool:
        """Whether some measure is worse than the best somewhere."""
        return any(course.hollow.any() for course in self.courses.values())

    def _explain_marks(self, axes: Axes) -> None:
        from matplotlib.lines import Line2D  # noqa: PLC0415

        samples = [
            Line2D([], [], marker="o", linestyle="", color=GREY, markersize=4, markerfacecolor=face)
            for face in (GREY, "white")
        ]
        axes.legend(samples, ["as good as the best", "worse"], fontsize=SMALL, frameon=False,
                    handletextpad=0.2, labelcolor=GREY)  # fmt: skip

    def _headline(self) -> str:
        """The advice on what is drawn, in a sentence."""
        if self.against == "size" and self.at == 0:
            return self.advice.recommendation
        if self.against == "size":
            place = f"With {100 * self.at:g} % of the labels redrawn"
        else:
            place = f"From {self.at:g} cases with noisy labels"
        if self.recommended is not None:
            return f"{place} use {self.recommended}: it is as good as the best throughout."
        if self._is_told():
            return f"{place} no measure is as good as the best throughout."
        return f"{place} these data cannot tell which measure chooses best."
