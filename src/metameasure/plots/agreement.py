"""Two measures against each other, as the pie of the five percentages (Huang, 2006, Fig. 3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import DataError
from metameasure.lab import MEANINGS, MeasureComparison
from metameasure.plots._drawing.captions import LINE, NO_BREAK, broken
from metameasure.plots._drawing.display import BROAD, Display
from metameasure.plots._drawing.layout import lay_out
from metameasure.plots._drawing.screen import apart, letters, size_of, text_size
from metameasure.plots._drawing.style import COLOURS, GREY, INK, LONGEST_NAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

LOOKS = {
    "con": (COLOURS[0], ""),
    "dis_fg": (COLOURS[2], "///"),
    "ind": ("#9a9a9a", "..."),
    "dis_gf": (COLOURS[4], "\\\\\\"),
    "incon": (COLOURS[1], "xxx"),
}
"""Colours and hatches of the slices, clockwise; those that C is made of are neighbours."""
ROOM = 70.0
"""So many points of print are left for words at each side of the pie."""
LEAST = 0.14
"""The radius of the pie at least, as a share of the width."""
OUTSIDE = 1.17
"""How far from the middle words stand, if the edge of the pie is at 1."""


@dataclass(frozen=True)
class Slice:
    """One of the five parts of all pairs.

    Attributes:
        name: that of the count.
        share: how many of all pairs.
        words: what the measures say of them.
        angle: the direction of its middle, from the right against the clock, in radians.
    """

    name: str
    share: float
    words: str
    angle: float

    @property
    def side(self) -> int:
        """1 at the right, -1 at the left."""
        return 1 if np.cos(self.angle) >= 0 else -1


class AgreementDisplay(Display):
    """How two measures judge all pairs of elements of a domain: five slices of a pie.

    A slice that is empty is not drawn, but named below, with the degrees and what follows.

    Args:
        comparison: what ``lab.compare`` has found.
    """

    size = BROAD

    def __init__(self, comparison: MeasureComparison) -> None:
        if not isinstance(comparison, MeasureComparison) or not comparison.counts.pairs:
            raise DataError("the pie is of the pairs of lab.compare(f, g, domain): there is none")
        self.comparison = comparison
        f, g = str(comparison.f), str(comparison.g)
        self.short = max(len(f), len(g)) > LONGEST_NAME
        called = {"f": "f", "g": "g"} if self.short else {"f": f, "g": g}
        counts = comparison.counts
        shares = np.array([getattr(counts, name) / counts.pairs for name in LOOKS])
        middles = np.cumsum(shares) - shares / 2
        # The largest slice is at the right, so that the small ones have room at the left.
        angles = 2 * np.pi * (middles[np.argmax(shares)] - middles)
        self.slices = [
            Slice(name, share, MEANINGS[name].format_map(called), angle)
            for name, share, angle in zip(LOOKS, shares.tolist(), angles.tolist(), strict=True)
        ]

    def _draw(self, axes: Axes) -> None:
        axes.set_axis_off()
        lay_out(axes)
        width, height = size_of(axes)
        below = self._write_below(axes, width)
        # Units are points of print, in which the sizes of words are known.
        reach = (height - below) / 2
        axes.set(xlim=(-width / 2, width / 2), ylim=(reach - height, reach), aspect="equal")
        radius = max(min(0.95 * reach, (width / 2 - ROOM) / OUTSIDE), LEAST * width)
        drawn = [part for part in self.slices if part.share > 0]
        self._draw_pie(axes, drawn, radius)
        for side in (1, -1):
            here = [part for part in drawn if part.side == side]
            self._write_words(axes, here, radius, width / 2 - OUTSIDE * radius, reach)

    def _draw_pie(self, axes: Axes, drawn: Sequence[Slice], radius: float) -> None:
        from matplotlib.patches import Wedge  # noqa: PLC0415

        for part in drawn:
            colour, hatch = LOOKS[part.name]
            half, middle = 180 * part.share, float(np.degrees(part.angle))
            wedge = Wedge(
                (0, 0), radius, middle - half, middle + half, facecolor=colour, hatch=hatch,
                edgecolor="white", linewidth=0.8,
            )  # fmt: skip
            self.artists_[part.name] = axes.add_patch(wedge)

    def _write_words(
        self, axes: Axes, parts: Sequence[Slice], radius: float, room: float, reach: float
    ) -> None:
        """The words at the slices of one side, moved apart where they would meet."""
        size = letters(axes)
        parts = sorted(parts, key=lambda part: np.sin(part.angle))
        texts = [[*broken(part.words, room, size), percent(part.share)] for part in parts]
        line = LINE * text_size("Ag", size)[1]
        tallest = line * max(map(len, texts), default=0)
        wanted = np.array([radius * np.sin(part.angle) for part in parts])
        heights = apart(wanted, 1.1 * tallest, tallest / 2 - reach, reach - tallest / 2)
        for part, lines, height in zip(parts, texts, heights, strict=True):
            edge = radius * np.cos(part.angle), radius * np.sin(part.angle)
            axes.annotate(
                "\n".join(lines), edge, (part.side * OUTSIDE * radius, height), color=INK,
                fontsize=size, va="center", ha="left" if part.side > 0 else "right",
                arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.6, "shrinkA": 0,
                            "shrinkB": 0, "relpos": ((1 - part.side) / 2, 0.5)},
            )  # fmt: skip

    def _write_below(self, axes: Axes, width: float) -> float:
        """The degrees, what follows, and which slices there are not; gives its height."""
        page, size = self.comparison.page(), letters(axes)
        sentences = [page.grids[0].title or ""] if self.short else []
        # A value stays with its name.
        sentences += [note.replace(" = ", f"{NO_BREAK}={NO_BREAK}") for note in page.notes]
        sentences.append(page.grids[0].caption)
        empty = [part.words for part in self.slices if not part.share]
        if empty:
            sentences.append(f"No pair: {'; '.join(empty)}.")
        lines = [line for sentence in sentences for line in broken(sentence, 0.96 * width, size)]
        self.artists_["degrees"] = axes.text(
            0.5, 0.0, "\n".join(lines), transform=axes.transAxes, ha="center", va="bottom",
            fontsize=size, color=INK, linespacing=LINE,
        )  # fmt: skip
        return (len(lines) + 1) * LINE * text_size("Ag", size)[1]


def percent(share: float) -> str:
    """A share in percent that is not said to be none, or all, if it is not.

    >>> percent(0.60414), percent(0.00414), percent(1e-9), percent(0.99999), percent(1.0)
    ('60.4 %', '0.41 %', '<0.01 %', '>99.9 %', '100 %')
    """
    if share == 1:
        return "100 %"
    if share > 0.9995:
        return ">99.9 %"
    if share < 0.0001:
        return "<0.01 %"
    return f"{100 * share:.1f} %" if share >= 0.01 else f"{100 * share:.2g} %"
