"""Sizes of axes and texts in points, and what depends on them: wrapped texts, ticks and legends.

Legends are inside the axes where they hide no data, else below them.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure.plots._drawing.style import INK, SMALL, SMALLER, escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from metameasure.plots._drawing.style import Stroke


NARROW = 3.6
"""Width in inches of the part of a figure below which letters are smaller."""
WIDTH = 0.58
"""Mean width of a character as a fraction of the font size."""
EDGE = 8.0
"""Space left free at both edges of the figure in points."""
BREAK = " \n"
"""A line break made by wrapping, as opposed to one in the text."""
ASIDE = 80.0
"""Width in points that the labels and ticks at the left of axes take."""
MOST_ABOVE = 0.18
"""Largest height of a caption as a fraction of the height of the figure."""
MOST_TICKS, FEW_TICKS = 9, 3
"""Largest number of ticks with labels, and in small figures."""
CORNERS = (
    "upper right", "upper left", "lower left", "lower right", "center left", "center right",
    "lower center", "upper center", "center",
)  # fmt: skip
MOST_BELOW = 0.3
"""Largest height of a legend below the axes as a fraction of the figure, if texts can be cut."""
DATA = 1.4
"""Drawing order from which on lines and areas are data; what lies below are guides."""
ROUNDS = 3
"""Number of layouts with a legend below, whose room may make the label of the axis longer."""
SLACK = 16.0
"""Width left free by a legend below in points, at the edges and for a tick label."""
PAD = 3.0
"""Least distance in pixels between a legend and data."""


def scale_of(axes: Axes) -> float:
    """Number of pixels per point."""
    figure = axes.get_figure(root=True)
    return (figure.dpi if figure is not None else 72.0) / 72.0


def size_of(axes: Axes) -> tuple[float, float]:
    """Width and height of axes in points."""
    box, scale = axes.get_window_extent(), scale_of(axes)
    return box.width / scale, box.height / scale


def cell_width(axes: Axes) -> float:
    """Width in points of the part of the figure that axes have, decorations included."""
    figure, place = axes.get_figure(root=False), axes.get_subplotspec()
    if figure is None:
        return size_of(axes)[0]
    columns = 1 if place is None else place.get_gridspec().ncols / len(place.colspan)
    return float(figure.bbox.width / scale_of(axes) / columns)


def is_narrow(axes: Axes) -> bool:
    """Whether axes have a small part of a figure."""
    return cell_width(axes) < 72 * NARROW


def letters(axes: Axes) -> str:
    """Font size of names and notes."""
    return SMALLER if is_narrow(axes) else SMALL


def text_size(text: str, size: str | float = SMALL) -> tuple[float, float]:
    """Width and height of a text in points."""
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415
    from matplotlib.textpath import TextToPath  # noqa: PLC0415

    plain, font = text.replace(r"\$", "$"), FontProperties(size=size)
    width, height, _ = TextToPath().get_text_width_height_descent(plain, font, ismath=False)
    return width, height


def lay_out(axes: Axes) -> None:
    """Run the layout of the figure, with the labels of the axes wrapped to their length."""
    figure = axes.get_figure(root=True)
    if figure is None:
        return
    if axes.get_axes_locator() is not None:
        figure.draw_without_rendering()
        return
    engine = figure.get_layout_engine()
    # Long labels are wrapped before the first layout too, which would leave no room for the axes.
    for must in (True, False):
        if _wrap_labels(axes) or must:
            if engine is not None:
                engine.execute(figure)
            axes.apply_aspect()


def _wrap_labels(axes: Axes) -> bool:
    """Wrap the labels of axes and of their insets to their length; whether one changed."""
    changed = False
    parts: list[Any] = [axes, *axes.child_axes]
    for part in parts:
        rooms = _width_below(part), size_of(part)[1]
        for label, room in zip((part.xaxis.label, part.yaxis.label), rooms, strict=True):
            before = label.get_text()
            label.set_text(_wrapped(before.replace(BREAK, " "), room, label.get_fontsize()))
            changed |= before != label.get_text()
    return changed


def _width_below(axes: Axes) -> float:
    """Width in points of a label below axes; up to the edges if no other axes are in the figure."""
    figure: Any = axes.get_figure(root=True)
    if len(figure.axes) > 1:
        return size_of(axes)[0]
    middle = np.mean(axes.get_window_extent().intervalx)
    return float(2 * min(middle, figure.bbox.width - middle) / scale_of(axes) - EDGE)


def _wrapped(text: str, room: float, size: float, most: int | None = None) -> str:
    """A text in lines of a width in points; cut if there are more lines than allowed."""
    columns = max(8, int(room / (WIDTH * size)))
    lines = (
        textwrap.wrap(
            line, columns, max_lines=most, placeholder=" …", break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.split("\n")
    )  # fmt: skip
    return "\n".join(BREAK.join(line) for line in lines)


def caption(
    axes: Axes,
    text: str,
    side: Literal["left", "right"] = "left",
    color: str = INK,
    pad: float = 4.0,
) -> None:
    """Write a text above the axes, wrapped, and cut if it is too long."""
    figure = axes.get_figure(root=True)
    title: Any = axes.set_title("", loc=side, fontsize=letters(axes), color=color, pad=pad)
    high = size_of(axes)[1] if figure is None else figure.bbox.height / scale_of(axes)
    size = title.get_fontsize()
    most = max(2, int(MOST_ABOVE * high / size))
    title.set_text(_wrapped(escaped(text), cell_width(axes) - ASIDE, size, most))


def set_ticks(
    axis: Any, places: Sequence[float], names: Sequence[str], most: int = MOST_TICKS
) -> None:
    """Set the ticks of an axis at some places, or at every second one, and so on, if they are many.

    One of them is at 0 if 0 is a place.
    """
    from matplotlib.ticker import FixedLocator  # noqa: PLC0415

    kept = FixedLocator(list(places), FEW_TICKS if is_narrow(axis.axes) else most)()
    labels = dict(zip(places, names, strict=True))
    axis.set_ticks(kept, [labels[place] for place in kept])


@dataclass(frozen=True, eq=False)
class Entry:
    """One entry of a legend.

    Attributes:
        handle: what it shows: a line, a marker or an area.
        text: its text.
        short: a shorter text for small figures; the whole text by default.
    """

    handle: Any
    text: str
    short: str = ""


def line_entry(stroke: Stroke, text: str, short: str = "") -> Entry:
    """The entry of a line with a stroke."""
    from matplotlib.lines import Line2D  # noqa: PLC0415

    return Entry(Line2D([], [], **stroke.keywords), text, short)


def text_entry(text: str) -> Entry:
    """An entry that explains others, without a line."""
    from matplotlib.lines import Line2D  # noqa: PLC0415

    return Entry(Line2D([], [], linestyle="none"), text)


def marker_entry(text: str, short: str = "", **look: Any) -> Entry:
    """The entry of a marker."""
    from matplotlib.lines import Line2D  # noqa: PLC0415

    return Entry(Line2D([], [], linestyle="none", **look), text, short)


def legend(axes: Axes, entries: Sequence[Entry], corner: str = "upper right") -> None:
    """Add entries to the legend of axes, in place of those with the same text, and place it.

    The places inside are tried, the given corner first: those that hide nothing, then those that
    hide only guides. If all of them hide data or texts, the legend goes below the axes.
    """
    texts = {entry.text for entry in entries}
    entries = [*(entry for entry in _entries(axes) if entry.text not in texts), *entries]
    made = _legend(axes, entries, loc=corner)
    made.set_in_layout(False)
    lay_out(axes)
    inside = axes.get_window_extent()
    for guides in (True, False):
        for place in (corner, *CORNERS):
            made.set_loc(place)
            box = made.get_window_extent()
            fits = box.width <= inside.width and box.height <= inside.height
            if fits and not _hides(axes, box.padded(PAD), guides=guides):
                return
    made.set_loc("best")
    figure = axes.get_figure(root=True)
    if figure is not None and figure.get_layout_engine() is not None:
        _place_below(axes, figure, entries)


def _hides(axes: Axes, box: Any, *, guides: bool) -> bool:
    """Whether a box covers texts, data, or guides if these count."""
    if any(box.overlaps(text.get_window_extent()) for text in axes.texts if text.get_text()):
        return True
    artists: list[Any] = [*axes.lines, *axes.patches]
    for artist in artists:
        if guides or artist.get_zorder() >= DATA:
            path = artist.get_path().transformed(artist.get_transform())
            if path.intersects_bbox(box, filled=False) or box.count_contains(path.vertices):
                return True
    return False


def _place_below(axes: Axes, figure: Any, entries: Sequence[Entry]) -> None:
    """Place a legend below the axes, with the short texts if the long ones take too much room."""
    from matplotlib.transforms import ScaledTranslation  # noqa: PLC0415

    above = axes.get_window_extent()
    room = (above.x1 if len(figure.axes) == 1 else above.width) - SLACK * scale_of(axes)
    short = [replace(entry, text=entry.short or entry.text) for entry in entries]
    for texts, columns in product((entries, short), (3, 2, 1)):
        box = _legend(axes, texts, loc="center", ncols=columns).get_window_extent()
        fits = box.width <= room
        if fits and (texts is short or box.height <= MOST_BELOW * figure.bbox.height):
            break
    # A legend that is wider than the axes also uses the room below the label at their left.
    wide = box.width > above.width
    for _ in range(ROUNDS):
        words = axes.xaxis.get_tightbbox()
        under = 0.0 if words is None else (words.y0 - axes.get_window_extent().y0) / figure.dpi
        below = axes.transAxes + ScaledTranslation(0, under, figure.dpi_scale_trans)
        _legend(
            axes, texts, loc="upper right" if wide else "upper center", bbox_transform=below,
            bbox_to_anchor=(1.0 if wide else 0.5, 0.0), ncols=columns,
        ).set_in_layout(fits)  # fmt: skip
        lay_out(axes)


def _entries(axes: Axes) -> list[Entry]:
    """The entries that the legend of axes has already."""
    made = axes.get_legend()
    if made is None:
        return []
    texts = [text.get_text() for text in made.get_texts()]
    return [Entry(*known) for known in zip(made.legend_handles, texts, strict=True)]


def _legend(axes: Axes, entries: Sequence[Entry], **options: Any) -> Any:
    narrow = is_narrow(axes)
    made = axes.legend(
        [entry.handle for entry in entries], ["" for _ in entries], fontsize=letters(axes),
        edgecolor="none", framealpha=0.8, handlelength=1.6 if narrow else 2.2,
        labelspacing=0.35, columnspacing=0.8 if narrow else 1.5,
        borderaxespad=0.3,
        **options,
    )  # fmt: skip
    # matplotlib leaves out labels that begin with "_", so the texts are set afterwards.
    for text, entry in zip(made.get_texts(), entries, strict=True):
        text.set_text(entry.text)
    return made
