"""Pictures of studies: what was found of each measure, level by level."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure.errors import DataError
from metameasure.measurement import parse_list
from metameasure.plots._drawing.captions import write_above
from metameasure.plots._drawing.display import BROAD, Display
from metameasure.plots._drawing.layout import lay_out
from metameasure.plots._drawing.legends import Named
from metameasure.plots._drawing.line_labels import name_ends
from metameasure.plots._drawing.screen import size_of, text_size
from metameasure.plots._drawing.style import (
    FAINT,
    GREY,
    GUIDE,
    INK,
    SMALL,
    UNNAMED,
    Stroke,
    text_of,
    told_apart,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from metameasure.measurement import Measure

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]
    Highlight = str | Iterable[str | Measure]

ASIDE = 2.0
"""So many points of print lie between error bars that would stand on top of each other."""
ROW = 0.19
"""The height of a row of a measure, in inches."""
TIGHT = 0.95
"""Rows that are lower, in heights of letters, have no room for the names of all of them."""
MOST_TICKS = 12
NEAREST = 0.055
"""Ticks that are nearer to each other, as a share of the axis, have no room for their numbers."""


@dataclass(frozen=True, eq=False)
class Course:
    """What a study found of one measure.

    Attributes:
        x: the levels, in rising order.
        value: what was found at each of them.
        low: the lower ends of error bars; NaN where there is none.
        high: the upper ends.
        hollow: which points are drawn hollow.
    """

    x: Floats
    value: Floats
    low: Floats
    high: Floats
    hollow: Mask

    @classmethod
    def of(cls, points: Iterable[Sequence[float]], hollow: Iterable[bool] | None = None) -> Course:
        """The course through points (level, value, low, high), without those that lack a value."""
        found = np.array(list(points), dtype=np.float64).reshape(-1, 4)
        marked = np.zeros(len(found), bool) if hollow is None else np.array(list(hollow), bool)
        order = np.argsort(found[:, 0], kind="stable")
        order = order[np.isfinite(found[order, 1])]
        x, value, low, high = found[order].T
        return cls(x, value, low, high, marked[order])


@dataclass(frozen=True)
class Field:
    """What the axes of a picture of a study say.

    Attributes:
        level: what the levels are, in words.
        value: what the values are.
        best: whether the largest value is the best, or the least.
        chance: the value that guessing has.
        floor: the least value that there can be.
        log: whether levels are on a logarithmic scale.
        note: what else is to be said.
    """

    level: str
    value: str
    best: Literal["min", "max"] = "min"
    chance: float | None = None
    floor: float | None = None
    log: bool = False
    note: str = ""


class StudyDisplay(Display):
    """What a study found of measures: a line for each, or rows if there is a single level."""

    size = BROAD
    row_colours: Mapping[str, str] = MappingProxyType({})
    """In rows the names stand beside the dots, so that colours need not tell them apart."""

    def __init__(
        self,
        courses: Mapping[str, Course],
        field: Field,
        highlight: Highlight | None = None,
        ranked: Sequence[str] | None = None,
    ) -> None:
        self.courses = {name: course for name, course in courses.items() if course.x.size}
        if not self.courses:
            raise DataError("there is nothing to draw: no measure has a value")
        self.field = field
        self.ranked = self._by_mean() if ranked is None else list(ranked)
        asked = None if highlight is None else [str(one) for one in parse_list(highlight)]
        self.named, self.rest = told_apart(self.ranked, asked, "measures")
        levels = np.concatenate([course.x for course in self.courses.values()])
        self.levels: Floats = np.unique(levels)

    def _move_looks(self, steps: int) -> None:
        self.named = {name: stroke.moved(steps) for name, stroke in self.named.items()}

    def _by_mean(self) -> list[str]:
        """The measures, those with the best mean over the levels first."""
        sign = 1.0 if self.field.best == "min" else -1.0
        means = {name: sign * float(course.value.mean()) for name, course in self.courses.items()}
        return sorted(means, key=lambda name: means[name])

    def _inches(self) -> tuple[float, float]:
        if self.levels.size > 1:
            return self.size
        return self.size[0], max(1.8, 1.2 + ROW * len(self.courses))

    def _draw(self, axes: Axes) -> None:
        if self.levels.size > 1:
            self._draw_lines(axes)
        else:
            self._draw_rows(axes)

    def _limits(self) -> tuple[float, float]:
        """From where to where values go, with the error bars that are drawn."""
        chance, floor = self.field.chance, self.field.floor
        ends = [np.array([np.nan if chance is None else chance])]
        for name, course in self.courses.items():
            ends.append(course.value)
            if name in self.named or self.levels.size == 1:
                ends += [course.low, course.high]
        low, high = (float(end(np.concatenate(ends))) for end in (np.nanmin, np.nanmax))
        margin = 0.04 * (high - (low if floor is None else floor)) or 0.01
        return low - margin if floor is None else floor, high + margin

    def _draw_lines(self, axes: Axes) -> None:
        """A line a measure over the levels, named at its right end."""
        field = self.field
        axes.set(xlabel=field.level, ylabel=field.value)
        self._say_above(axes)
        self._set_levels(axes)
        ends = []
        if field.chance is not None:
            axes.axhline(field.chance, **GUIDE.keywords)
            at = np.array([self.levels[-1]]), np.array([field.chance])
            ends.append(Named("chance", *at, Stroke(GREY)))
        for name in self.rest:
            course = self.courses[name]
            (self.artists_[name],) = axes.plot(course.x, course.value, **UNNAMED.keywords)
        middle = (len(self.named) - 1) / 2
        for place, (name, stroke) in reversed(list(enumerate(self.named.items()))):
            self._draw_course(axes, name, stroke, ASIDE * (place - middle))
        axes.set_ylim(*self._limits())
        name_ends(axes, [*ends, *self._ends()])

    def _draw_course(self, axes: Axes, name: str, stroke: Stroke, aside: float) -> None:
        """One line with its error bars, some points of print aside of the others."""
        from matplotlib.transforms import ScaledTranslation  # noqa: PLC0415

        course, figure = self.courses[name], axes.get_figure(root=True)
        look: dict[str, Any] = {"clip_on": False}
        if figure is not None:
            aside_by = ScaledTranslation(aside / 72, 0, figure.dpi_scale_trans)
            look["transform"] = axes.transData + aside_by
        self._draw_bars(axes, name, stroke, look)
        (self.artists_[name],) = axes.plot(course.x, course.value, **stroke.keywords, **look)
        for filled, face in (("filled", stroke.colour), ("hollow", "white")):
            here = course.hollow == (filled == "hollow")
            if here.any():
                (self.artists_[f"{name}, {filled}"],) = axes.plot(
                    course.x[here], course.value[here], "o", color=stroke.colour, zorder=4,
                    markersize=3.6, markerfacecolor=face, **look,
                )  # fmt: skip

    def _draw_bars(self, axes: Axes, name: str, stroke: Stroke, look: dict[str, Any]) -> None:
        course = self.courses[name]
        known = np.isfinite(course.low) & np.isfinite(course.high)
        if known.any():
            self.artists_[f"error of {name}"] = axes.vlines(
                course.x[known], course.low[known], course.high[known], color=stroke.colour,
                linewidth=0.8, zorder=2.5, **look,
            )  # fmt: skip

    def _ends(self) -> list[Named]:
        """The ends of the lines with their names; of grey ones the middle end with their number."""
        ends = []
        for name, stroke in self.named.items():
            course = self.courses[name]
            ends.append(Named(self._text(name), course.x, course.value, stroke))
        if self.rest:
            last = [self.courses[name].value[-1] for name in self.rest]
            words = f"{len(self.rest)} other{'s' if len(self.rest) > 1 else ''}"
            at = self.levels[-1:], np.array([float(np.median(last))])
            ends.append(Named(words, *at, replace(UNNAMED, colour=GREY)))
        return ends

    def _set_levels(self, axes: Axes) -> None:
        """The axis of the levels: their own numbers where there is room for them."""
        levels = np.log(self.levels) if self.field.log else self.levels
        width = levels[-1] - levels[0]
        ends = np.array([levels[0] - 0.03 * width, levels[-1] + 0.02 * width])
        if self.field.log:
            axes.set_xscale("log")
            ends = np.exp(ends)
            axes.minorticks_off()
        axes.set_xlim(*ends)
        ticks = _spaced(levels / width)
        if ticks.size <= MOST_TICKS:
            axes.set_xticks(self.levels[ticks], [f"{level:g}" for level in self.levels[ticks]])

    def _draw_rows(self, axes: Axes) -> None:
        """A row a measure, the best at the top, at the only level that there is."""
        field, names = self.field, [name for name in self.ranked if name in self.courses]
        axes.set(xlabel=field.value, xlim=self._limits(), ylim=(len(names) - 0.4, -0.6))
        places = np.arange(len(names))
        axes.set_yticks(places, [self._text(name) for name in names])
        axes.tick_params(axis="y", length=0)
        axes.hlines(places, 0, 1, color=FAINT, linewidth=0.6, zorder=0.5,
                    transform=axes.get_yaxis_transform())  # fmt: skip
        if field.chance is not None:
            axes.axvline(field.chance, **GUIDE.keywords)
            axes.set_ylim(bottom=len(names) + 0.4)
            axes.annotate("chance", (field.chance, len(names) - 0.1), xytext=(3, 0), va="center",
                          textcoords="offset points", fontsize=SMALL, color=GREY)  # fmt: skip
        for place, name in enumerate(names):
            self._draw_dot(axes, name, place)
        # How much room the names leave for a sentence is known when they have been laid out.
        lay_out(axes)
        self._say_above(axes)
        self._thin_names(axes)

    def _thin_names(self, axes: Axes) -> None:
        """Leave out names of rows that would lie upon each other, from the second one on."""
        lay_out(axes)
        labels = axes.get_yticklabels()
        row = size_of(axes)[1] / len(self.courses)
        step = math.ceil(TIGHT * text_size("Ag", labels[0].get_fontsize())[1] / row)
        texts = [label.get_text() for label in labels]
        axes.set_yticks(axes.get_yticks(), [
            text if place % step == 0 else "" for place, text in enumerate(texts)
        ])  # fmt: skip

    def _draw_dot(self, axes: Axes, name: str, place: int) -> None:
        course, colour = self.courses[name], self.row_colours.get(name, INK)
        for value, low, high in zip(course.value, course.low, course.high, strict=True):
            if np.isfinite(low) and np.isfinite(high):
                self.artists_[f"error of {name}"] = axes.hlines(
                    place, low, high, color=colour, linewidth=1.0, clip_on=False
                )
            (self.artists_[name],) = axes.plot(
                value, place, "o", color=colour, markersize=4.5, clip_on=False, zorder=4,
                markerfacecolor="white" if course.hollow.any() else colour,
            )  # fmt: skip

    def _text(self, name: str) -> str:
        """What a measure is called in the picture."""
        return text_of(name)

    def _say_above(self, axes: Axes) -> None:
        """Put what is to be said above the picture."""
        notes = [self.field.note] if self.field.note else []
        if self.levels.size == 1:
            notes.insert(0, f"{self.field.level}: {self.levels[0]:g}")
        write_above(axes, "; ".join(notes), GREY)


def _spaced(places: Floats) -> NDArray[np.int64]:
    """Which of rising places have room for a number, from the first one on."""
    kept: list[int] = []
    for place, at in enumerate(places.tolist()):
        if not kept or at - places[kept[-1]] >= NEAREST:
            kept.append(place)
    return np.array(kept)
