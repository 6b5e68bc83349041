"""The agreement of two measures as a pie of five percentages (Huang, 2006, Fig. 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metameasure._text import percent
from metameasure.errors import DataError
from metameasure.lab import MEANINGS, MeasureComparison
from metameasure.plots._drawing.display import BROAD, Display
from metameasure.plots._drawing.layout import is_narrow, letters
from metameasure.plots._drawing.style import COLORS, INK, LONGEST_NAME, escaped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOOKS = {
    "con": (COLORS[0], ""),
    "dis_fg": (COLORS[2], "///"),
    "ind": ("#9a9a9a", "..."),
    "dis_gf": (COLORS[4], "\\\\\\"),
    "incon": (COLORS[1], "xxx"),
}
"""Colors and hatches of the slices, clockwise; the slices that make up C are neighbors."""


class AgreementDisplay(Display):
    """The agreement of two measures on all pairs of elements of a domain: a pie of five slices.

    Empty slices are named in the legend only. Below the pie are the degrees and the verdict.

    Args:
        comparison: the result of ``lab.compare``.
    """

    size = BROAD

    def __init__(self, comparison: MeasureComparison) -> None:
        if not isinstance(comparison, MeasureComparison):
            raise DataError(
                f"comparison must come from lab.compare, got {type(comparison).__name__}"
            )
        if not comparison.counts.pairs:
            raise DataError("there is nothing to draw: the comparison has no pairs")
        self.comparison = comparison
        f, g = str(comparison.f), str(comparison.g)
        self.short = max(len(f), len(g)) > LONGEST_NAME
        called = {"f": "f", "g": "g"} if self.short else {"f": f, "g": g}
        self.words = {name: MEANINGS[name].format_map(called) for name in LOOKS}
        counts = comparison.counts
        self.shares = {name: getattr(counts, name) / counts.pairs for name in LOOKS}

    def _draw(self, axes: Axes) -> None:
        colors, hatches = zip(*LOOKS.values(), strict=True)
        wedges, *_ = axes.pie(
            list(self.shares.values()), radius=1.2, startangle=90, counterclock=False,
            colors=colors, hatch=hatches, wedgeprops={"edgecolor": "white", "linewidth": 0.8},
        )  # fmt: skip
        below = is_narrow(axes)
        shares = {name: self.shares[name] for name in self.words}
        digits = {name: percent(s, 1 if s >= 0.01 else 2) for name, s in shares.items()}
        texts = [f"{digits[name]}  {words}" for name, words in self.words.items()]
        axes.legend(
            wedges, texts, fontsize=letters(axes), frameon=False,
            loc="lower center" if below else "center left",
            bbox_to_anchor=(0.5, 1.0) if below else (1.0, 0.5),
        )  # fmt: skip
        for name, wedge in zip(LOOKS, wedges, strict=True):
            if self.shares[name]:
                self.artists_[name] = wedge
            else:
                wedge.remove()  # its edge would be a line across the others
        page = self.comparison.page()
        lines = [page.grids[0].title or ""] if self.short else []
        lines += [*page.notes, *([] if below else [page.grids[0].caption])]
        self.artists_["degrees"] = axes.set_xlabel(
            "\n".join(_joined(line) for line in lines), fontsize=letters(axes), color=INK
        )


def _joined(line: str) -> str:
    """A line in which values stay with their names."""
    return escaped(line).replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
