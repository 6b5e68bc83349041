"""Base of the displays of studies: values per measure and level."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from metameasure.data import DataOptions, read_models, takes_models
from metameasure.errors import DataError
from metameasure.inference import SEED
from metameasure.lab import SIZES
from metameasure.measurement import parse_list
from metameasure.plots._drawing.display import BROAD, Display, PredictionsDisplay, data_options
from metameasure.plots._drawing.layout import (
    Entry,
    caption,
    is_narrow,
    lay_out,
    legend,
    line_entry,
    set_ticks,
    size_of,
    text_size,
)
from metameasure.plots._drawing.style import (
    FAINT,
    GRAY,
    GUIDE,
    INK,
    PALE,
    SMALL,
    SMALLER,
    UNNAMED,
    Stroke,
    highlighted,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.text import Annotation

    from metameasure._types import Floats, Mask
    from metameasure.data import Models
    from metameasure.evaluation import Chosen
    from metameasure.measurement import Measure

    Highlight = str | Iterable[str | Measure]

ASIDE = 2.0
"""Horizontal distance of the error bars of two measures in points."""
ROW = 0.19
"""Height of a row in inches."""
TIGHT = 0.95
"""Least height of a row for its name, as a multiple of the height of letters."""
TIGHT_LINE = 1.3
"""Distance of the names of lines, as a multiple of the height of letters."""
MOST_FILLED = 0.75
"""Largest fraction of the height of the axes that names of lines take before there is a legend."""
NAMES_AT = 1.04
"""Place of the names of lines, as a fraction of the width of the axes."""


@dataclass(frozen=True, eq=False)
class Course:
    """The values of one measure in a study.

    Attributes:
        x: the levels in increasing order.
        value: the value at each level.
        low: the lower ends of the error bars; NaN where there is none.
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
        """The course of points (level, value, low, high), without undefined values."""
        found = np.array(list(points), dtype=np.float64).reshape(-1, 4)
        marked = np.zeros(len(found), bool) if hollow is None else np.array(list(hollow), bool)
        order = np.argsort(found[:, 0], kind="stable")
        order = order[np.isfinite(found[order, 1])]
        x, value, low, high = found[order].T
        return cls(x, value, low, high, marked[order])


@dataclass(frozen=True)
class Field:
    """The axes of the figure of a study.

    Attributes:
        level: the label of the levels.
        value: the label of the values.
        best: whether the largest or the least value is the best.
        chance: the value of a random choice.
        floor: the least possible value.
        log: whether levels are on a logarithmic scale.
        note: a caption.
    """

    level: str
    value: str
    best: Literal["min", "max"] = "min"
    chance: float | None = None
    floor: float | None = None
    log: bool = False
    note: str = ""


class StudyDisplay(Display):
    """The result of a study: a line per measure, or a row each if there is a single level."""

    size = BROAD
    row_colors: Mapping[str, str] = MappingProxyType({})
    """Colors of rows; their names are beside them, so the default is black."""

    def __init__(
        self,
        courses: Mapping[str, Course],
        field: Field,
        highlight: Highlight | None = None,
        ranked: Sequence[str] | None = None,
    ) -> None:
        self.courses = {name: course for name, course in courses.items() if course.x.size}
        if not self.courses:
            raise DataError("there is nothing to draw: all values are undefined")
        self.field = field
        self.ranked = self._by_mean() if ranked is None else list(ranked)
        asked = (
            None if highlight is None else [str(one) for one in parse_list(highlight, "highlight")]
        )
        self.named, self.rest = highlighted(self.ranked, asked, "measures")
        levels = np.concatenate([course.x for course in self.courses.values()])
        self.levels: Floats = np.unique(levels)

    def _move_strokes(self, steps: int) -> None:
        self.named = {name: stroke.moved(steps) for name, stroke in self.named.items()}

    def _by_mean(self) -> list[str]:
        """The measures by their mean over the levels, the best first."""
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
        """The limits of the values with their error bars."""
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
        """Draw a line per measure over the levels, named at its right end."""
        field = self.field
        axes.set(xlabel=field.level, ylabel=field.value)
        self._write_caption(axes)
        self._set_levels(axes)
        entries = []
        if field.chance is not None:
            axes.axhline(field.chance, **GUIDE.keywords)
            entries.append(line_entry(GUIDE, "random choice"))
        for name in self.rest:
            course = self.courses[name]
            (self.artists_[name],) = axes.plot(course.x, course.value, **UNNAMED.keywords)
        middle = (len(self.named) - 1) / 2
        for place, (name, stroke) in reversed(list(enumerate(self.named.items()))):
            self._draw_course(axes, name, stroke, ASIDE * (place - middle))
        axes.set_ylim(*self._limits())
        corner = "lower right" if field.best == "max" else "upper right"
        names = self._name_rest(axes)
        legend(axes, [*self._entries(all_named=bool(names)), *entries], corner)
        if names:  # the legend may have made the axes smaller
            self._space_names(axes, names)
        if self.field.log:
            set_ticks(axes.xaxis, self.levels.tolist(), [f"{level:g}" for level in self.levels])

    def _draw_course(self, axes: Axes, name: str, stroke: Stroke, aside: float) -> None:
        """Draw a line with its error bars, a few points beside the others."""
        from matplotlib.transforms import ScaledTranslation  # noqa: PLC0415

        course, figure = self.courses[name], axes.get_figure(root=True)
        look: dict[str, Any] = {"clip_on": False}
        if figure is not None:
            aside_by = ScaledTranslation(aside / 72, 0, figure.dpi_scale_trans)
            look["transform"] = axes.transData + aside_by
        self._draw_bars(axes, name, stroke, look)
        (self.artists_[name],) = axes.plot(course.x, course.value, **stroke.keywords, **look)
        for filled, face in (("filled", stroke.color), ("hollow", "white")):
            here = course.hollow == (filled == "hollow")
            if here.any():
                (self.artists_[f"{name}, {filled}"],) = axes.plot(
                    course.x[here], course.value[here], "o", color=stroke.color, zorder=4,
                    markersize=3.6, markerfacecolor=face, **look,
                )  # fmt: skip

    def _draw_bars(self, axes: Axes, name: str, stroke: Stroke, look: dict[str, Any]) -> None:
        course = self.courses[name]
        known = np.isfinite(course.low) & np.isfinite(course.high)
        if known.any():
            self.artists_[f"error of {name}"] = axes.vlines(
                course.x[known], course.low[known], course.high[known], color=stroke.color,
                linewidth=0.8, zorder=2.5, **look,
            )  # fmt: skip

    def _name_rest(self, axes: Axes) -> dict[str, Annotation]:
        """Names of the gray lines, linked to their right ends; none if there is no room for all."""
        lay_out(axes)
        if is_narrow(axes) or len(self.rest) * _line_height(axes) > MOST_FILLED:
            return {}
        link = {
            "arrowstyle": "-",
            "color": PALE,
            "linewidth": 0.5,
            "shrinkA": 1,
            "relpos": (0, 0.5),
        }
        return {
            name: axes.annotate(
                self._text(name), self._end(name), xytext=(NAMES_AT, 0.5), va="center",
                textcoords="axes fraction", fontsize=SMALLER, color=GRAY, arrowprops=link,
            )
            for name in self.rest
        }  # fmt: skip

    def _space_names(self, axes: Axes, names: Mapping[str, Annotation]) -> None:
        """Move names to the heights of the ends of their lines, apart from each other."""
        lay_out(axes)
        inside = axes.transData + axes.transAxes.inverted()
        order = sorted(names, key=lambda name: self._end(name)[1])
        heights = inside.transform([self._end(name) for name in order])[:, 1]
        for name, height in zip(order, spaced(heights, _line_height(axes)), strict=True):
            names[name].set_position((NAMES_AT, height))

    def _end(self, name: str) -> tuple[float, float]:
        """The right end of a line."""
        course = self.courses[name]
        return float(course.x[-1]), float(course.value[-1])

    def _entries(self, *, all_named: bool = False) -> list[Entry]:
        """The legend entries of the lines, in the order of their right ends."""
        last = {name: float(self.courses[name].value[-1]) for name in self.named}
        entries = [
            line_entry(self.named[name], self._text(name))
            for name in sorted(last, key=last.__getitem__, reverse=True)
        ]
        if self.rest and not all_named:
            words = f"{len(self.rest)} other{'s' if len(self.rest) > 1 else ''}"
            entries.append(line_entry(UNNAMED, words))
        return entries

    def _set_levels(self, axes: Axes) -> None:
        """Set the axis of the levels, with ticks at the levels where they fit."""
        levels = np.log(self.levels) if self.field.log else self.levels
        width = levels[-1] - levels[0]
        ends = np.array([levels[0] - 0.03 * width, levels[-1] + 0.02 * width])
        if self.field.log:
            axes.set_xscale("log")
            ends = np.exp(ends)
            axes.minorticks_off()
        axes.set_xlim(*ends)

    def _draw_rows(self, axes: Axes) -> None:
        """Draw a row per measure at the single level, the best at the top."""
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
            axes.annotate(
                "random choice", (field.chance, len(names) - 0.1), xytext=(3, 0), va="center",
                textcoords="offset points", fontsize=SMALL, color=GRAY,
            )  # fmt: skip
        for place, name in enumerate(names):
            self._draw_dot(axes, name, place)
        self._write_caption(axes)
        self._thin_names(axes)

    def _thin_names(self, axes: Axes) -> None:
        """Leave out names of rows that would overlap."""
        lay_out(axes)
        labels = axes.get_yticklabels()
        row = size_of(axes)[1] / len(self.courses)
        step = math.ceil(TIGHT * text_size("Ag", labels[0].get_fontsize())[1] / row)
        texts = [label.get_text() for label in labels]
        axes.set_yticks(axes.get_yticks(), [
            text if place % step == 0 else "" for place, text in enumerate(texts)
        ])  # fmt: skip

    def _draw_dot(self, axes: Axes, name: str, place: int) -> None:
        course, color = self.courses[name], self.row_colors.get(name, INK)
        for value, low, high in zip(course.value, course.low, course.high, strict=True):
            if np.isfinite(low) and np.isfinite(high):
                self.artists_[f"error of {name}"] = axes.hlines(
                    place, low, high, color=color, linewidth=1.0, clip_on=False
                )
            (self.artists_[name],) = axes.plot(
                value, place, "o", color=color, markersize=4.5, clip_on=False, zorder=4,
                markerfacecolor="white" if course.hollow.any() else color,
            )  # fmt: skip

    def _text(self, name: str) -> str:
        """The name of a measure in the figure."""
        return text_of(name)

    def _write_caption(self, axes: Axes) -> None:
        """Write the caption above the axes."""
        notes = [self.field.note] if self.field.note else []
        if self.levels.size == 1:
            notes.insert(0, f"{self.field.level}: {self.levels[0]:g}")
        if notes:
            caption(axes, "; ".join(notes), color=GRAY)


class ChoicesDisplay(StudyDisplay, PredictionsDisplay):
    """A figure of a study in which measures choose among models."""

    probabilities: ClassVar[bool] = True

    @classmethod
    @abstractmethod
    def _studied(cls, models: Models, sizes: Sequence[int], **study: Any) -> Any:
        """The result of the study."""

    @classmethod
    @takes_models(DataOptions)
    def from_predictions(
        cls,
        y_true: Any,
        scores: Any = None,
        goal: str | Measure = "auc",
        sizes: int | Iterable[int] = SIZES,
        measures: Chosen = "default",
        *,
        repeats: int | None = None,
        seed: int | None = SEED,
        workers: int | None = None,
        ax: Axes | None = None,
        **others: Any,
    ) -> Self:
        """Run the study on labels and scores of two or more models, and draw its result.

        Args:
            goal: the measure to optimize.
            sizes: the number of cases per validation set; one size or several.
            measures: "default", "all", or measures.
            repeats: the number of validation sets per size; by default that of the study.
            seed: the seed of the random numbers.
            workers: the number of processes.
            ax: the axes to draw on; those of a new figure by default.
            **others: options of the display; see the class.
        """
        models = read_models(y_true, scores, **data_options(others))
        given = {} if repeats is None else {"repeats": repeats}
        found = cls._studied(
            models, _listed(sizes), goal=goal, measures=measures, seed=seed, workers=workers,
            **given,
        )  # fmt: skip
        return cls(found, **others).plot(ax)


def _line_height(axes: Axes) -> float:
    """The distance of the names of lines, as a fraction of the height of the axes."""
    return TIGHT_LINE * text_size("Ag", SMALLER)[1] / size_of(axes)[1]


def spaced(heights: Floats, least: float) -> Floats:
    """Heights in increasing order in [0, 1], moved as little as needed to be apart.

    >>> spaced(np.array([0.0, 0.5, 0.5, 0.95]), 0.1)
    array([0.05, 0.45, 0.55, 0.95])
    """
    from scipy.optimize import isotonic_regression  # noqa: PLC0415

    steps = least * np.arange(heights.size)
    free = isotonic_regression(heights - steps).x
    top = 1 - least / 2 - least * (heights.size - 1)
    return np.asarray(np.clip(free, least / 2, top) + steps)


def _listed(sizes: int | Iterable[int]) -> list[int]:
    return list(sizes) if isinstance(sizes, Iterable) else [sizes]
