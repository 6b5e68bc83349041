"""What decisions cost as costs and the prevalence change, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import is_real
from metameasure.curves import cost_curve, cost_lines
from metameasure.errors import DataError
from metameasure.measurement import parse
from metameasure.operating import optimality_zones
from metameasure.plots._drawing.cost_marks import CostMark, read_marked
from metameasure.plots._drawing.display import BROAD, CurvesDisplay
from metameasure.plots._drawing.layout import lay_out
from metameasure.plots._drawing.models import cast_of, curves_of
from metameasure.plots._drawing.screen import (
    box_of,
    is_narrow,
    is_written,
    scale_of,
    sheet_of,
    size_of,
    text_size,
)
from metameasure.plots._drawing.style import (
    FAINT,
    GREY,
    GUIDE,
    INK,
    SMALLER,
    halo,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from metameasure.data import Models

    Floats = NDArray[np.float64]

MOST_LINED = 3
"""The lines behind more curves cannot be told apart."""
STEPS = 40
"""So many lines of thresholds are drawn while a rate goes from 0 to 1."""
FLAT = 0.05
"""The height of a picture of models that cost hardly anything."""


class CostCurveDisplay(CurvesDisplay):
    """Cost curves: the lowest expected cost that any threshold gives, against probability cost.

    The probability cost is prior cost_fn / (prior cost_fn + (1 - prior) cost_fp): false alarms
    count most at the left, missed positives at the right. The cost is 1 if all decisions are wrong.
    Inside the triangle a model costs less than to call all cases positive, or none. Behind the
    names stands H, the share of the trivial costs that a model saves on the whole.

    Args:
        models: the models.
        lines: whether to draw the cost of single thresholds, whose lower envelope a curve is;
            behind a single model by default. Of many thresholds a sample is drawn.
        cost_fp: what a false alarm costs, to mark the probability cost and the best model there.
        cost_fn: what a missed positive costs.
        prior: the probability of a positive where decisions will be made; that of the cases by
            default.
        pc_low: the least probability cost that can occur, to shade the range.
        pc_high: the largest one.
        highlight: which models are told apart; the seven with the largest H by default.
    """

    size = BROAD

    def __init__(
        self,
        models: Models,
        *,
        lines: bool | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        prior: float | None = None,
        pc_low: float | None = None,
        pc_high: float | None = None,
        highlight: Iterable[str] | None = None,
    ) -> None:
        super().__init__(models)
        self.curves = curves_of(models, cost_curve)
        self.cast = cast_of(models, parse("h_measure"), highlight)
        self.lines = self._lines() if lines or (lines is None and len(self.curves) == 1) else {}
        costs = read_marked(cost_fp, cost_fn, prior)
        self.mark = None
        if costs is not None:
            self.mark = CostMark.of(optimality_zones(dict(models.tables)), costs)
        self.range = read_pc(pc_low, pc_high)

    def _lines(self) -> dict[str, Floats]:
        """The heights of lines at the left and at the right, of each model that is named."""
        if len(self.cast.named) > MOST_LINED:
            raise DataError(
                f"the lines of {len(self.cast.named)} models hide each other: highlight= up to "
                f"{MOST_LINED}"
            )
        found = {}
        for name, curve in curves_of(self.models, cost_lines, self.cast.named).items():
            hull = self.models.tables[name].hull
            best = np.stack([hull.fpr, 1 - hull.tpr], axis=-1)
            found[name] = np.concatenate([_seen_lines(curve.y), _seen_lines(best)])
        return found

    def _draw(self, axes: Axes) -> None:
        highest = max(FLAT, *(float(curve.y.max()) for curve in self.curves.values()))
        top = 1.08 * highest
        show(axes, (0, 1), (0, top))
        axes.set(xlabel="probability cost", ylabel="normalised expected cost")
        axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", ".2", ".4", ".6", ".8", "1"])
        self._name_ends(axes)
        if self.range is not None:
            self.artists_["range"] = axes.axvspan(*self.range, color=FAINT, linewidth=0, zorder=0.5)
        self._draw_triangle(axes, top)
        for name, ends in self.lines.items():
            self._draw_lines(axes, name, ends)
        lines = self._draw_curves(axes, self.curves, self.cast)
        if self.mark is not None:
            self._draw_mark(axes, self.mark)
        self.cast.write_names(axes, lines, "upper center")

    def _name_ends(self, axes: Axes) -> None:
        """Say beside the label of the axis what counts most at its ends, if there is room."""
        ends = ((0, "false alarms", "left"), (1, "misses", "right"))
        label = axes.xaxis.label
        needed = text_size(label.get_text(), label.get_fontsize())[0]
        needed += 2 * max(text_size(words, SMALLER)[0] for _, words, _ in ends)
        if is_narrow(axes) and needed > size_of(axes)[0]:
            return
        for x, words, side in ends:
            if not is_written(axes, words):
                axes.annotate(
                    words, (x, 0.5), xycoords=("axes fraction", label), ha=side, va="center",
                    fontsize=SMALLER, color=GREY, annotation_clip=False,
                )  # fmt: skip

    def _draw_triangle(self, axes: Axes, top: float) -> None:
        (self.artists_["trivial"],) = axes.plot([0, 0.5, 1], [0, 0.5, 0], **GUIDE.keywords)
        middle = (0.55 if is_narrow(axes) else 0.8) * min(top, 0.5)
        for x, words, turn in ((middle, "none positive", 45), (1 - middle, "all positive", -45)):
            if is_written(axes, words):
                continue
            axes.text(
                x, middle, words, rotation=turn, rotation_mode="anchor", color=GREY, ha="center",
                transform_rotates_text=True, va="bottom", fontsize=SMALLER, path_effects=halo(),
            )  # fmt: skip

    def _draw_lines(self, axes: Axes, name: str, ends: Floats) -> None:
        from matplotlib.collections import LineCollection  # noqa: PLC0415

        x = np.broadcast_to([0.0, 1.0], ends.shape)
        drawn = LineCollection(
            list(np.stack([x, ends], axis=-1)), colors=self.cast.stroke(name).colour,
            linewidths=0.5, alpha=0.35, zorder=1.2,
        )  # fmt: skip
        axes.add_collection(drawn, autolim=False)
        self.artists_[f"lines of {name}"] = drawn

    def _draw_mark(self, axes: Axes, mark: CostMark) -> None:
        """Mark the probability cost that costs and a prior stand for, and what is best there."""
        x = mark.pc
        self.artists_["mark"] = axes.axvline(
            x, color=INK, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1.3
        )
        # The best one last, since dots may lie on each other.
        costs = {name: float(self.curves[name].at(x)) for name in self.cast.named}
        for name in sorted(costs, key=costs.__getitem__, reverse=True):
            (self.artists_[f"cost of {name}"],) = axes.plot(
                x, costs[name], "o", markersize=5, zorder=5, clip_on=False,
                color=self.cast.stroke(name).colour, markeredgecolor="white",
            )  # fmt: skip
        self._write_mark(axes, mark)

    def _write_mark(self, axes: Axes, mark: CostMark) -> None:
        """Write above the mark what is best there; in the middle of the sheet if it is too long."""
        where = f"{mark.conditions}:", f"probability cost {mark.pc:.3g}"
        best = f"least normalised cost {mark.cost:.3g}:", ", ".join(mark.decision)
        words, x, side = [" ".join(where), " ".join(best)], mark.pc, "center"
        if not 1 / 3 <= x <= 2 / 3:
            side = "left" if x < 1 / 3 else "right"
        lay_out(axes)
        begin, _, width, _ = box_of(axes)
        left, _, right, _ = sheet_of(axes)
        long = max(text_size(line, SMALLER)[0] for line in words) * scale_of(axes)
        start = begin + x * width - {"left": 0.0, "center": 0.5, "right": 1.0}[side] * long
        if start < left or start + long > right:
            words, x, side = [*where, *best], ((left + right) / 2 - begin) / width, "center"
        axes.annotate(
            "\n".join(words), (x, 1), xycoords="axes fraction", xytext=(0, 3), va="bottom", ha=side,
            textcoords="offset points", fontsize=SMALLER, color=INK, annotation_clip=False,
        )  # fmt: skip


def _seen_lines(ends: Floats) -> Floats:
    """All of a few lines; of many those at equal steps along the ROC curve that they come from.

    A line in between lies so near that it would only make the others darker.
    """
    if len(ends) <= 2 * STEPS:
        return ends
    step = np.floor((ends[:, 0] + 1 - ends[:, 1]) * STEPS)
    chosen = np.ones(len(ends), dtype=bool)
    chosen[1:-1] = step[1:-1] > step[:-2]
    return ends[chosen]


def read_pc(low: Any, high: Any) -> tuple[float, float] | None:
    """The range of the probability cost, if an end of it is given."""
    if low is None and high is None:
        return None
    begin, end = 0.0 if low is None else low, 1.0 if high is None else high
    return read_range(begin, end, "pc_low={!r} and pc_high={!r} are no range of probability costs")


def read_range(low: Any, high: Any, problem: str) -> tuple[float, float]:
    """A part of the line from 0 to 1 that is more than a point."""
    if not (is_real(low) and is_real(high) and 0 <= float(low) < float(high) <= 1):
        raise DataError(
            f"{problem.format(low, high)}: give two numbers from 0 to 1, the smaller one first"
        )
    return float(low), float(high)
