"""Colors, dashes and font sizes; colors are safe for color blindness and differ in gray print.

Font sizes are relative to those that the user has set.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Choice, read_argument
from metameasure._text import visible
from metameasure.errors import Argument, MetameasureError, ParameterError, first_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#333333")
"""Palette of Okabe and Ito (2008) without yellow, which has too little contrast on white."""
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
INK, GRAY, PALE, FAINT = "#333333", "#6b6b6b", "#b8b8b8", "#e6e6e6"
ON_DARK = {INK: "#e0e0e0", GRAY: "#b0b0b0", PALE: "#707070", FAINT: "#303030"}
"""Replacements of the grays on a dark background."""
DARK = 1.0
"""Sum of red, green and blue below which a background is dark."""
MOST_NAMED = len(COLORS)
"""Number of models with a color of their own; further ones are gray."""
MARK = "_metameasure "
"""Prefix of labels that hold the place of a stroke; legends leave out labels with "_"."""
LONGEST_NAME = 28
"""Number of characters from which on a name is shortened."""
SHORT_NAME = 16
"""The same in small figures."""
SMALL, SMALLER = "small", "x-small"
MARGIN = 0.015
"""Margin around curves in [0, 1]."""


@dataclass(frozen=True)
class Stroke:
    """Color, dashes and width of the line of one model.

    Attributes:
        color: its color.
        dashes: its dashes, as matplotlib has them.
        width: its width in points.
        order: drawing order; larger values are drawn on top.
        place: its place among the distinct strokes; None for gray lines and guides.
    """

    color: str
    dashes: Any = "-"
    width: float = 1.6
    order: float = 3.0
    place: int | None = None

    @property
    def label(self) -> str:
        """Label that holds the place; legends do not show it."""
        return MARK if self.place is None else f"{MARK}{self.place}"

    @property
    def keywords(self) -> dict[str, Any]:
        """The stroke as keywords of a matplotlib line."""
        return {
            "color": self.color,
            "linestyle": self.dashes,
            "linewidth": self.width,
            "zorder": self.order,
            "label": self.label,
        }

    def moved(self, steps: int) -> Stroke:
        """The stroke with the color and dashes of a later place."""
        if self.place is None:
            return self
        return replace(stroke_at(self.place + steps), width=self.width, order=self.order)


UNNAMED = Stroke(PALE, "-", 0.7, 1.5)
GUIDE = Stroke(PALE, (0, (1.5, 1.5)), 1.0, 1.0)
"""A reference line, such as that of a random ranking."""


def stroke_at(place: int) -> Stroke:
    """The stroke at a place; when all colors are used, they repeat with other dashes."""
    around, color = divmod(place, len(COLORS))
    return Stroke(COLORS[color], DASHES[(color + around) % len(DASHES)], place=place)


def strokes(names: Sequence[str]) -> dict[str, Stroke]:
    """A stroke per name; both colors and dashes differ."""
    return {name: stroke_at(place) for place, name in enumerate(names)}


def place_of(drawn: Artist) -> int | None:
    """The place of the stroke of an artist; None if it has none."""
    _, mark, place = str(drawn.get_label()).partition(MARK)
    return int(place) if mark and place.isdecimal() else None


def next_place(axes: Axes) -> int:
    """The first place after those of all lines in axes."""
    places = [place_of(drawn) for drawn in axes.lines]
    return 1 + max((place for place in places if place is not None), default=-1)


def highlighted(
    ranked: Sequence[str],
    highlight: Iterable[str] | None,
    what: str,
    given: Sequence[str] | None = None,
) -> tuple[dict[str, Stroke], list[str]]:
    """Strokes of the named ones (those of ``highlight``, by default the first), and the others.

    The others are drawn in gray. If there are few, strokes follow the order in which all were
    ``given``, so that they are the same in every figure.
    """
    if highlight is None:
        named = list(ranked[:MOST_NAMED])
    else:
        named = list(dict.fromkeys([highlight] if isinstance(highlight, str) else highlight))
        for name in named:
            read_argument("highlight", name, Choice(tuple(ranked)))
        if len(named) > MOST_NAMED:
            raise ParameterError(
                (Argument("highlight"), f" must be up to {MOST_NAMED} {what}, got {len(named)}")
            )
    looks = strokes(given if given is not None and len(given) <= MOST_NAMED else named)
    return {name: looks[name] for name in named}, [n for n in ranked if n not in named]


def text_of(name: object, longest: int = LONGEST_NAME) -> str:
    """A name from a data file, escaped for matplotlib and shortened in the middle.

    >>> text_of("a name with far too many letters in it")
    'a name with fa…letters in it'
    """
    shown = visible(str(name))
    if len(shown) > longest:
        half = longest // 2
        shown = f"{shown[:half]}…{shown[1 - half :]}"
    return escaped(shown)


def escaped(text: object) -> str:
    """A text that matplotlib shows as it is, without control characters and formulas."""
    return visible(str(text)).replace("$", r"\$")


def count_text(count: float) -> str:
    """A number of cases, or their total weight, as a short text.

    >>> count_text(451290.0), count_text(12.345)
    ('451,290', '12.3')
    """
    short = count >= 1e9 or not (count >= 100 or float(count).is_integer())
    return f"{count:.3g}" if short else f"{count:,.0f}"


def require_matplotlib() -> None:
    """Raise an error with a remedy if matplotlib is not installed, or cannot be used here."""
    if find_spec("matplotlib") is None:
        raise MetameasureError(
            "plots need matplotlib, which is not installed",
            remedy="pip install 'metameasure[plot]'",
        )
    try:
        import_module("matplotlib")
    except (ValueError, OSError) as error:  # MPLBACKEND; no folder that can be written
        raise MetameasureError(
            f"matplotlib cannot be loaded: {first_line(error)}",
            remedy="check MPLBACKEND, MPLCONFIGDIR and matplotlibrc",
        ) from error


@contextmanager
def latex_explained() -> Iterator[None]:
    """Raise an error with a remedy if LaTeX, which the user chose for texts, cannot be run."""
    try:
        yield
    except RuntimeError as error:
        from matplotlib import rcParams  # noqa: PLC0415

        if not rcParams["text.usetex"]:
            raise
        raise MetameasureError(
            f"LaTeX cannot be run for the texts of the figure: {first_line(error)}",
            remedy="install LaTeX, or set text.usetex to False in matplotlibrc",
        ) from error


def halo(background: Any = "white") -> list[Any]:
    """An outline in the background color, so that texts can be read on top of lines."""
    from matplotlib.patheffects import withStroke  # noqa: PLC0415

    return [withStroke(linewidth=2.5, foreground=background)]


def letters_on(color: Any) -> str:
    """White or dark, whichever has the larger contrast (WCAG) with a color."""
    from matplotlib.colors import to_rgb  # noqa: PLC0415

    dark, light, behind = map(_luminance, (to_rgb(INK), (1.0, 1.0, 1.0), color))
    return "white" if (light + 0.05) / (behind + 0.05) > (behind + 0.05) / (dark + 0.05) else INK


def _luminance(color: Any) -> float:
    parts = np.asarray(color, dtype=np.float64)[:3]
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def open_frame(axes: Axes) -> None:
    """Hide the top and right spines, and draw ticks in gray."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(GRAY)
    axes.tick_params(labelsize=SMALL, color=GRAY)
    axes.set_axisbelow(True)


def small_letters(axes: Axes) -> None:
    """Use smaller letters for the labels of axes and ticks."""
    axes.tick_params(labelsize=SMALLER)
    for axis in (axes.xaxis, axes.yaxis):
        axis.label.set_fontsize(SMALL)


def show(axes: Axes, x: tuple[float, float], y: tuple[float, float]) -> None:
    """Set the limits of axes; limits of displays drawn before are only extended."""
    if next_place(axes):
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        x = min(left, x[0]), max(right, x[1])
        y = min(bottom, y[0]), max(top, y[1])
    axes.set(xlim=x, ylim=y)


def unit_square(axes: Axes) -> None:
    """Set both axes to [0, 1], with equal lengths."""
    limits = -MARGIN, 1 + MARGIN
    axes.set(xlim=limits, ylim=limits, aspect="equal")


def suit_background(axes: Axes) -> None:
    """Replace the grays where the axes have a dark background."""
    from matplotlib.collections import Collection  # noqa: PLC0415
    from matplotlib.colors import to_hex  # noqa: PLC0415
    from matplotlib.lines import Line2D  # noqa: PLC0415
    from matplotlib.text import Text  # noqa: PLC0415

    background: Any = axes.get_facecolor()
    if sum(background[:3]) > DARK:
        return

    def replaced(color: Any) -> Any:
        return ON_DARK.get(to_hex(color), color)

    for text in axes.findobj(Text):
        text.set_color(replaced(text.get_color()))
        if text.get_path_effects():
            text.set_path_effects(halo(background))
        arrow = getattr(text, "arrow_patch", None)
        if arrow is not None:
            arrow.set_color(replaced(arrow.get_edgecolor()))
    for line in axes.findobj(Line2D):
        line.set_color(replaced(line.get_color()))
    for area in axes.findobj(Collection):
        area.set_facecolor([replaced(face) for face in area.get_facecolor()])
