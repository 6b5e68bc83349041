"""The agreement of two measures as a pie of five percentages (Huang, 2006, Fig. 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
        from matplotlib.patches import Wedge  # noqa: PLC0415

        axes.set(xlim=(-1.05, 1.05), ylim=(-1.05, 1.05), aspect="equal", xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
        wedges, angle = [], 90.0
        for name, (color, hatch) in LOOKS.items():
            wedge = Wedge(
                (0, 0), 1.0, angle - 360 * self.shares[name], angle, facecolor=color, hatch=hatch,
                edgecolor="white", linewidth=0.8,
            )  # fmt: skip
            angle -= 360 * self.shares[name]
            wedges.append(wedge)
            if self.shares[name]:
                self.artists_[name] = axes.add_patch(wedge)
        below = is_narrow(axes)
        texts = [f"{percent(self.shares[name])}  {words}" for name, words in self.words.items()]
        axes.legend(
            wedges, texts, fontsize=letters(axes), frameon=False,
            loc="lower center" if below else "center left",
            bbox_to_anchor=(0.5, 1.0) if below else (1.0, 0.5),
        )  # fmt: skip
        page = self.comparison.page()
        lines = [page.grids[0].title or ""] if self.short else []
        lines += [*page.notes, *([] if below else [page.grids[0].caption])]
        self.artists_["degrees"] = axes.set_xlabel(
            "\n".join(_joined(line) for line in lines), fontsize=letters(axes), color=INK
        )


def _joined(line: str) -> str:
    """A line in which values stay with their names."""
    return escaped(line).replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")


def percent(share: float) -> str:
    """A fraction as a percentage that is 0 or 100 only if it is so exactly.

    >>> percent(0.60414), percent(0.00414), percent(1e-9), percent(0.99999), percent(1.0)
    ('60.4%', '0.41%', '<0.01%', '>99.9%', '100%')
    """
    if share in {0, 1}:
        return f"{100 * share:.0f}%"
    if share > 0.9995:
        return ">99.9%"
    if share < 0.0001:
        return "<0.01%"
    return f"{100 * share:.1f}%" if share >= 0.01 else f"{100 * share:.2g}%"
