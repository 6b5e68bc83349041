"""Legends: inside the axes where they hide no data, else below them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from metameasure.plots._drawing.layout import is_narrow, lay_out, letters, room_of, scale_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from metameasure.plots._drawing.style import Stroke

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
SLACK = 12.0
"""Width left free by a legend below in points, for a tick label at the right end."""
PAD = 3.0
"""Least distance in pixels between a legend and data."""


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


def marker_entry(text: str, short: str = "", **look: Any) -> Entry:
    """The entry of a marker."""
    from matplotlib.lines import Line2D  # noqa: PLC0415

    return Entry(Line2D([], [], linestyle="none", **look), text, short)


def legend(axes: Axes, entries: Sequence[Entry], corner: str = "upper right") -> None:
    """Add entries to the legend of axes, and place it.

    The places inside are tried, the given corner first: those that hide nothing, then those that
    hide only guides. If all of them hide data or texts, the legend goes below the axes.
    """
    known = _entries(axes)
    texts = {entry.text for entry in known}
    entries = [*known, *(entry for entry in entries if entry.text not in texts)]
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

    columns, box, fits = _shape(axes, entries)
    if not fits or box.height > MOST_BELOW * figure.bbox.height:
        entries = [replace(entry, text=entry.short or entry.text) for entry in entries]
        columns, box, fits = _shape(axes, entries)
    # A legend that is wider than the axes also uses the room below the label at their left.
    wide = box.width > axes.get_window_extent().width
    for _ in range(ROUNDS):
        words = axes.xaxis.get_tightbbox()
        under = 0.0 if words is None else (words.y0 - axes.get_window_extent().y0) / figure.dpi
        below = axes.transAxes + ScaledTranslation(0, under, figure.dpi_scale_trans)
        _legend(
            axes, entries, loc="upper right" if wide else "upper center", bbox_transform=below,
            bbox_to_anchor=(1.0 if wide else 0.5, 0.0), ncols=columns,
        ).set_in_layout(fits)  # fmt: skip
        lay_out(axes)


def _shape(axes: Axes, entries: Sequence[Entry]) -> tuple[int, Any, bool]:
    """The largest number of columns that fits below the axes, the box, and whether it fits."""
    left, width, _ = room_of(axes)
    for columns in (3, 2, 1):
        box = _legend(axes, entries, loc="center", ncols=columns).get_window_extent()
        fits = box.width <= (left + width - SLACK) * scale_of(axes)
        if fits:
            break
    return columns, box, fits


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
