"""How pictures look: few colours, told apart by the colour-blind, in print and in grey.

Sizes of letters are relative to those that the user has set, so that a picture fits into theirs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown, visible
from metameasure.errors import DataError, MetameasureError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#333333")
"""Those of Okabe and Ito (2008) without yellow, which is lost on white."""
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (5, 1.5, 1, 1.5)),
    (0, (1.5, 1.2)),
    (0, (10, 2)),
    (0, (5, 1.2, 1, 1.2, 1, 1.2)),
    (0, (2.5, 1, 2.5, 3)),
)
POSITIVE, NEGATIVE = "#D55E00", "#0072B2"
INK, GREY, PALE, FAINT = "#333333", "#6b6b6b", "#b8b8b8", "#e6e6e6"
ON_DARK = {INK: "#e0e0e0", GREY: "#b0b0b0", PALE: "#707070", FAINT: "#303030"}
"""What stands for the greys on a dark ground."""
DARK = 1.0
"""A ground whose red, green and blue add up to less is dark."""
MOST_NAMED = len(COLOURS)
"""So many models are told apart; further ones are drawn in grey."""
MARK = "_metameasure "
"""What labels begin with that say how lines are told apart; no legend has such with "_"."""
LONGEST_NAME = 28
SMALL, SMALLER = "small", "x-small"


@dataclass(frozen=True)
class Stroke:
    """How the line of one model looks.

    Attributes:
        colour: its colour.
        dashes: its dashes, as matplotlib has them.
        width: its width in points.
        order: what is higher lies on top.
        place: its place among the strokes that are told apart; None if it is none of them.
    """

    colour: str
    dashes: Any = "-"
    width: float = 1.6
    order: float = 3.0
    place: int | None = None

    @property
    def label(self) -> str:
        """What says the place to those who look at what is drawn, and is in no legend."""
        return MARK if self.place is None else f"{MARK}{self.place}"

    @property
    def keywords(self) -> dict[str, Any]:
        """The same for a line of matplotlib."""
        return {
            "color": self.colour,
            "linestyle": self.dashes,
            "linewidth": self.width,
            "zorder": self.order,
            "label": self.label,
        }

    def moved(self, steps: int) -> Stroke:
        """The same with the colour and the dashes of so many places later."""
        if self.place is None:
            return self
        return replace(stroke_at(self.place + steps), width=self.width, order=self.order)


UNNAMED = Stroke(PALE, "-", 0.7, 1.5)
GUIDE = Stroke(PALE, (0, (1.5, 1.5)), 1.0, 1.0)
"""A line to compare with, such as that of chance."""


def stroke_at(place: int) -> Stroke:
    """The stroke at a place; when all colours are used they get other dashes."""
    around, colour = divmod(place, len(COLOURS))
    return Stroke(COLOURS[colour], DASHES[(colour + around) % len(DASHES)], place=place)


def strokes(names: Sequence[str]) -> dict[str, Stroke]:
    """A stroke for each of a few names: colours and dashes both differ, so that one is enough."""
    return {name: stroke_at(place) for place, name in enumerate(names)}


def place_of(drawn: Artist) -> int | None:
    """The place of the stroke of what is drawn; None if that is none of those told apart."""
    _, mark, place = str(drawn.get_label()).partition(MARK)
    return int(place) if mark and place.isdecimal() else None


def next_place(axes: Axes) -> int:
    """The place of the first stroke after those of all lines and names that are in axes."""
    places = [place_of(drawn) for drawn in (*axes.lines, *axes.texts)]
    return 1 + max((place for place in places if place is not None), default=-1)


def told_apart(
    ranked: Sequence[str],
    highlight: Iterable[str] | None,
    what: str,
    given: Sequence[str] | None = None,
) -> tuple[dict[str, Stroke], list[str]]:
    """Strokes of those that are named: all if there are few, else those asked for, or the first.

    The second part are the other ones, which are drawn in grey. If there are few, strokes follow
    the order in which all were ``given``, so that they are the same in every picture.
    """
    if highlight is None:
        named = list(ranked[:MOST_NAMED])
    else:
        named = list(dict.fromkeys([highlight] if isinstance(highlight, str) else highlight))
        unknown = [name for name in named if name not in ranked]
        if unknown or len(named) > MOST_NAMED:
            raise DataError(
                f"highlight= takes up to {MOST_NAMED} {what} of {shown(list(ranked))}"
                + (f", and {shown(unknown)} is none of them" if unknown else "")
            )
    looks = strokes(given if given is not None and len(given) <= MOST_NAMED else named)
    return {name: looks[name] for name in named}, [n for n in ranked if n not in named]


def text_of(name: object) -> str:
    """A name from a data file, as matplotlib shows it letter by letter: no formula, not too long.

    What tells long names apart is mostly at their ends, so letters in the middle are left out.

    >>> text_of("a name with far too many letters in it")
    'a name with fa…letters in it'
    """
    shown = visible(str(name))
    if len(shown) > LONGEST_NAME:
        half = LONGEST_NAME // 2
        shown = f"{shown[:half]}…{shown[1 - half :]}"
    return shown.replace("$", r"\$")


def count_text(count: float) -> str:
    """A number of cases, or the weight of some, in few letters.

    >>> count_text(451290.0), count_text(12.345)
    ('451,290', '12.3')
    """
    short = count >= 1e9 or not (count >= 100 or float(count).is_integer())
    return f"{count:.3g}" if short else f"{count:,.0f}"


def new_axes(size: tuple[float, float]) -> Axes:
    """Axes of a new figure of so many inches, which a notebook shows."""
    require_matplotlib()
    from matplotlib import pyplot as plt  # noqa: PLC0415

    _, axes = plt.subplots(figsize=size, layout="constrained")
    return axes


def forget(figure: Any) -> None:
    """Close a figure that was opened for nothing."""
    from matplotlib import pyplot as plt  # noqa: PLC0415

    plt.close(figure)


def require_matplotlib() -> None:
    """Say what to do if matplotlib is not there."""
    if find_spec("matplotlib") is None:
        raise MetameasureError(
            "pictures need matplotlib, which is not installed: pip install 'metameasure[plot]'"
        )


def halo(ground: Any = "white") -> list[Any]:
    """An edge of the ground's colour around letters, so that they can be read on top of lines."""
    from matplotlib.patheffects import withStroke  # noqa: PLC0415

    return [withStroke(linewidth=2.5, foreground=ground)]


def letters_on(colour: Any) -> str:
    """White or dark letters, whichever stand out more from a colour (the contrast of WCAG)."""
    from matplotlib.colors import to_rgb  # noqa: PLC0415

    dark, light, ground = map(_luminance, (to_rgb(INK), (1.0, 1.0, 1.0), colour))
    return "white" if (light + 0.05) / (ground + 0.05) > (ground + 0.05) / (dark + 0.05) else INK


def _luminance(colour: Any) -> float:
    parts = np.asarray(colour, dtype=np.float64)[:3]
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def open_frame(axes: Axes) -> None:
    """Leave out the lines at the top and at the right, and let ticks be unobtrusive."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(GREY)
    axes.tick_params(labelsize=SMALL, color=GREY)
    axes.set_axisbelow(True)


def small_letters(axes: Axes) -> None:
    """Let the labels of axes and the numbers of ticks be smaller than they usually are."""
    axes.tick_params(labelsize=SMALLER)
    for axis in (axes.xaxis, axes.yaxis):
        axis.label.set_fontsize(SMALL)


def show(axes: Axes, x: tuple[float, float], y: tuple[float, float]) -> None:
    """Let axes go from where to where, and as far as they do for lines that are there already."""
    if next_place(axes):
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        x = min(left, x[0]), max(right, x[1])
        y = min(bottom, y[0]), max(top, y[1])
    axes.set(xlim=x, ylim=y)


def unit_square(axes: Axes) -> None:
    """Both axes from 0 to 1, of equal length."""
    margin = 0.015
    axes.set(xlim=(-margin, 1 + margin), ylim=(-margin, 1 + margin), aspect="equal")
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    axes.set_xticks(ticks, ["0", ".2", ".4", ".6", ".8", "1"])
    axes.set_yticks(ticks, ["0", ".2", ".4", ".6", ".8", "1"])


def suit_ground(axes: Axes) -> None:
    """Turn the greys of a picture where the user has a dark ground, so that nothing is lost."""
    from matplotlib.collections import Collection  # noqa: PLC0415
    from matplotlib.colors import to_hex  # noqa: PLC0415
    from matplotlib.lines import Line2D  # noqa: PLC0415
    from matplotlib.text import Text  # noqa: PLC0415

    ground: Any = axes.get_facecolor()
    if sum(ground[:3]) > DARK:
        return

    def turned(colour: Any) -> Any:
        return ON_DARK.get(to_hex(colour), colour)

    for text in axes.findobj(Text):
        text.set_color(turned(text.get_color()))
        if text.get_path_effects():
            text.set_path_effects(halo(ground))
        arrow = getattr(text, "arrow_patch", None)
        if arrow is not None:
            arrow.set_color(turned(arrow.get_edgecolor()))
    for line in axes.findobj(Line2D):
        line.set_color(turned(line.get_color()))
    for area in axes.findobj(Collection):
        area.set_facecolor([turned(face) for face in area.get_facecolor()])
