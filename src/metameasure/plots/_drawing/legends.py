"""Names of lines in a legend: inside where it hides nothing, else below the picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.plots._drawing.layout import lay_out
from metameasure.plots._drawing.screen import bounds_of, box_of, dots_of_lines, letters
from metameasure.plots._drawing.style import Stroke, place_of, stroke_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

PLACES = (
    "upper right", "upper left", "lower left", "lower right", "center left", "center right",
    "lower center", "upper center", "center",
)  # fmt: skip
"""Where a legend may stand if not where it was meant to."""
MOST_BELOW = 1 / 3
"""What share of the height of a figure a legend below may have, if names alone are lower."""


@dataclass(frozen=True, eq=False)
class Named:
    """A line in a picture, and what it is called.

    Attributes:
        text: its name, with what is to be said about it.
        x: where it goes.
        y: how high it is there.
        stroke: how it looks.
        short: its name alone, for where there is little room; the whole text if it is empty.
    """

    text: str
    x: Floats
    y: Floats
    stroke: Stroke
    short: str = ""


@dataclass(frozen=True, eq=False)
class Entry:
    """What a legend shows of a line: what it looks like, its name, and that in short."""

    sample: Any
    text: str
    short: str


def legend(axes: Axes, lines: Sequence[Named], corner: Any = "best") -> None:
    """The names of lines in a corner, in their order, after those that are already written.

    If that is not free they go to another corner or side, and if none is, below the picture.
    """
    entries = [*_entries(axes), *map(_entry, (*taken_back(axes), *lines))]
    made = _legend(axes, entries, loc=corner)
    lay_out(axes)
    dots = dots_of_lines(axes)
    taken = [bounds_of(text) for text in axes.texts]
    met = {}
    for place in (corner, *PLACES):
        made.set_loc(place)
        left, bottom, right, top = bounds_of(made)
        hit = (dots >= (left, bottom)) & (dots <= (right, top))
        met[place] = np.count_nonzero(hit.all(axis=1)) + sum(
            left < t[2] and t[0] < right and bottom < t[3] and t[1] < top for t in taken
        )
        if not met[place]:
            return
    made.set_loc(min(met, key=lambda place: met[place]))
    figure = axes.get_figure(root=True)
    if figure is not None and figure.get_layout_engine() is not None:
        _write_below(axes, entries)


def taken_back(axes: Axes) -> list[Named]:
    """The lines that have their names beside them, without these: they are to be placed anew."""
    lines: dict[int | None, Any] = {}
    for line in axes.lines:
        lines.setdefault(place_of(line), line)
    found = []
    for text in list(axes.texts):
        place = place_of(text)
        if place is not None and place in lines:
            x, y = lines[place].get_data()
            found.append(Named(text.get_text(), x, y, stroke_at(place)))
            text.remove()
    return found


def _entry(line: Named) -> Entry:
    from matplotlib.lines import Line2D  # noqa: PLC0415

    return Entry(Line2D([], [], **line.stroke.keywords), line.text, line.short or line.text)


def _entries(axes: Axes) -> list[Entry]:
    """What the legend of axes has, if there is one."""
    made = axes.get_legend()
    if made is None:
        return []
    texts = [text.get_text() for text in made.get_texts()]
    return [Entry(*known) for known in zip(made.legend_handles, texts, texts, strict=True)]


def _write_below(axes: Axes, entries: Sequence[Entry]) -> None:
    """A legend below the axis, for which the figure makes room; of names alone if it is little."""
    from matplotlib.transforms import ScaledTranslation  # noqa: PLC0415

    figure: Any = axes.get_figure(root=True)
    columns, height = _shape(_legend(axes, entries, loc="center"), figure)
    if height > MOST_BELOW * figure.bbox.height:
        entries = [replace(entry, text=entry.short) for entry in entries]
        columns, _ = _shape(_legend(axes, entries, loc="center"), figure)
    words = axes.xaxis.get_tightbbox()
    under = (0.0 if words is None else words.y0 - box_of(axes)[1]) / figure.dpi
    shift = axes.transAxes + ScaledTranslation(0, under, figure.dpi_scale_trans)
    _legend(
        axes, entries, loc="upper center", bbox_to_anchor=(0.5, 0), bbox_transform=shift,
        ncols=columns,
    )  # fmt: skip


def _shape(made: Any, figure: Any) -> tuple[int, float]:
    """How many columns a legend of one can have below a picture, and how high it is then."""
    left, bottom, right, top = bounds_of(made)
    columns, names = min(2, max(1, int(figure.bbox.width / (right - left)))), len(made.get_texts())
    return columns, float(top - bottom) * -(-names // columns) / names


def _legend(axes: Axes, entries: Sequence[Entry], **options: Any) -> Any:
    """A legend of samples and names in their order."""
    made = axes.legend(
        [entry.sample for entry in entries],
        ["" for _ in entries],
        fontsize=letters(axes),
        frameon=False,
        handlelength=2.2,
        labelspacing=0.35,
        **options,
    )
    # A label that begins with "_" would be left out, so the texts are put in afterwards.
    for text, entry in zip(made.get_texts(), entries, strict=True):
        text.set_text(entry.text)
    return made
