"""Cost curves: expected cost against probability cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure._arguments import Flag, Real, read_argument
from metameasure.curves import cost_curve, cost_lines
from metameasure.measurement import parse
from metameasure.operating import optimality_zones
from metameasure.plots._drawing.display import BROAD, CurvesDisplay
from metameasure.plots._drawing.layout import Entry, is_narrow, line_entry
from metameasure.plots._drawing.model_styles import check_few, curves_of, styles_of
from metameasure.plots._drawing.operating_points import CostMark, read_marked
from metameasure.plots._drawing.style import FAINT, GUIDE, INK, Stroke, show

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from metameasure._types import Floats
    from metameasure.data import Models


STEPS = 40
"""Number of threshold lines that are drawn while a rate goes from 0 to 1."""
FLAT = 0.05
"""Least height of the cost axis."""
MARKED = Stroke(INK, (0, (4, 2)), 0.8, 1.3)
XLABEL = "probability cost\n← false positives cost more · misses cost more →"
TRIVIAL = "all negative (left), all positive (right)"


class CostCurveDisplay(CurvesDisplay):
    """Cost curves: the lowest normalized expected cost over all thresholds, by probability cost.

    The probability cost is prior cost_fn / (prior cost_fn + (1 - prior) cost_fp): false positives
    cost more at the left, false negatives at the right. The normalized cost is 1 if all decisions
    are wrong. Inside the triangle a model costs less than predicting one class for all cases. The
    legend shows the H measure, the fraction of the trivial costs that a model saves.

    Args:
        lines: whether to draw the cost lines of single thresholds, whose lower envelope is the
            curve; by default for a single model. Of many thresholds a sample is drawn.
        cost_fp: the cost of a false positive; the probability cost and the best model are marked.
        cost_fn: the cost of a false negative.
        prior: the probability of a positive where decisions will be made; by default that of the
            cases.
        pc_low: the lower end of a shaded range of probability costs.
        pc_high: its upper end.
        highlight: the models with colors and names; by default the seven with the largest H.
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
        self.styles = styles_of(models, parse("h_measure"), highlight)
        drawn = read_argument("lines", lines, Flag(), optional=True)
        self.lines = self._lines() if drawn or (drawn is None and len(self.curves) == 1) else {}
        costs = read_marked(cost_fp, cost_fn, prior)
        self.mark = None
        if costs is not None:
            self.mark = CostMark.of(optimality_zones(dict(models.tables)), costs)
        self.range = None
        if pc_low is not None or pc_high is not None:
            given = 0.0 if pc_low is None else pc_low, 1.0 if pc_high is None else pc_high
            low = read_argument("pc_low", given[0], Real(0, 1, open_high=True))
            self.range = low, read_argument("pc_high", given[1], Real(low, 1, open_low=True))

    def _lines(self) -> dict[str, Floats]:
        """The heights of the cost lines at both ends, per named model."""
        check_few(self.styles, "cost lines")
        found = {}
        for name, curve in curves_of(self.models, cost_lines, self.styles.named).items():
            hull = self.models.tables[name].hull
            best = np.stack([hull.fpr, 1 - hull.tpr], axis=-1)
            found[name] = np.concatenate([_seen_lines(curve.y), _seen_lines(best)])
        return found

    def _draw(self, axes: Axes) -> None:
        highest = max(FLAT, *(float(curve.y.max()) for curve in self.curves.values()))
        top = 1.08 * highest
        show(axes, (0, 1), (0, top))
        xlabel = XLABEL.split("\n", maxsplit=1)[0] if is_narrow(axes) else XLABEL
        axes.set(xlabel=xlabel, ylabel="normalized expected cost")
        if self.range is not None:
            self.artists_["range"] = axes.axvspan(*self.range, color=FAINT, linewidth=0, zorder=0.5)
        (self.artists_["trivial"],) = axes.plot([0, 0.5, 1], [0, 0.5, 0], **GUIDE.keywords)
        more = [line_entry(GUIDE, TRIVIAL, "one class")]
        for name, ends in self.lines.items():
            self._draw_lines(axes, name, ends)
        self._draw_curves(axes, self.curves, self.styles)
        if self.mark is not None:
            more.append(self._draw_mark(axes, self.mark))
        self.styles.write_legend(axes, "upper center", more)

    def _draw_lines(self, axes: Axes, name: str, ends: Floats) -> None:
        from matplotlib.collections import LineCollection  # noqa: PLC0415

        x = np.broadcast_to([0.0, 1.0], ends.shape)
        drawn = LineCollection(
            list(np.stack([x, ends], axis=-1)), colors=self.styles.stroke(name).color,
            linewidths=0.5, alpha=0.35, zorder=1.2,
        )  # fmt: skip
        axes.add_collection(drawn, autolim=False)
        self.artists_[f"lines of {name}"] = drawn

    def _draw_mark(self, axes: Axes, mark: CostMark) -> Entry:
        """Draw the marked probability cost with the cost of each model; its legend entry."""
        x = mark.pc
        self.artists_["mark"] = axes.axvline(x, **MARKED.keywords)
        # The best one last, since dots may lie on each other.
        costs = {name: float(self.curves[name].at(x)) for name in self.styles.named}
        for name in sorted(costs, key=costs.__getitem__, reverse=True):
            (self.artists_[f"cost of {name}"],) = axes.plot(
                x, costs[name], "o", markersize=5, zorder=5, clip_on=False,
                color=self.styles.stroke(name).color, markeredgecolor="white",
            )  # fmt: skip
        best = ", ".join(mark.decision)
        text = (
            f"{mark.conditions}: probability cost {mark.pc:.3g}\n"
            f"best: {best}; normalized cost {mark.cost:.3g}"
        )
        return line_entry(MARKED, text, f"best: {best}")


def _seen_lines(ends: Floats) -> Floats:
    """A few cost lines, or a sample of many at equal steps along the ROC curve."""
    if len(ends) <= 2 * STEPS:
        return ends
    step = np.floor((ends[:, 0] + 1 - ends[:, 1]) * STEPS)
    chosen = np.ones(len(ends), dtype=bool)
    chosen[1:-1] = step[1:-1] > step[:-2]
    return ends[chosen]
