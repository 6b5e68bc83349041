"""Forest plots: measures, or differences between models, with confidence intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from metameasure._arguments import Flag, Real, read_argument
from metameasure.data import GroupOptions, read_models
from metameasure.evaluation import Comparison, Evaluation, evaluate, takes_two_classes
from metameasure.plots._drawing.display import BROAD, PredictionsDisplay
from metameasure.plots._drawing.forest_table import (
    BESIDE,
    ROOM,
    Columns,
    ForestBlock,
    ForestRow,
    blocks_of,
    check_result,
    header_of,
    panels_of,
    texts_of,
    view_of,
    write_columns,
)
from metameasure.plots._drawing.layout import letters, text_size
from metameasure.plots._drawing.style import (
    COLORS,
    GRAY,
    INK,
    MOST_NAMED,
    open_frame,
    require_matplotlib,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from metameasure.data import Models
    from metameasure.evaluation import Chosen

ROW = 0.19
"""Height of a row in inches."""
HEADER = 0.8
"""Distance of the first row from the header in rows, if it has no title."""
AXIS = 2.2
"""Height of an axis with its ticks in rows."""
TICKS = 4
"""Largest number of ticks."""


class ForestDisplay(PredictionsDisplay):
    """Measures, or differences between models, with confidence intervals, one row each.

    Rows are grouped by measure; the arrow shows the direction in which a measure gets better.
    Measures with a range inside [-1, 1] share an axis if their values are close enough to each
    other; any other has an axis of its own below. A dotted line in an evaluation is the baseline,
    the value of a constant score; in a comparison the lines are 0 and the non-inferiority margin.
    P-values are adjusted for the number of pairs.

    Args:
        result: the result of ``evaluate`` or ``compare``.
        shared: whether measures in [-1, 1] share an axis; by default they do unless it would be
            more than three times as wide as that of one measure of several models.
        sort: whether to sort models by the first measure, the best first.
        prevalence: the fraction of positives for baselines that depend on it; by default that of
            the unweighted cases. NaN if it is unknown.
    """

    probabilities = None

    def __init__(
        self,
        result: Evaluation | Comparison,
        *,
        shared: bool | None = None,
        sort: bool = False,
        prevalence: float | None = None,
    ) -> None:
        check_result(result)
        if not (isinstance(prevalence, float) and math.isnan(prevalence)):
            read_argument("prevalence", prevalence, Real(0, 1), optional=True)
        shared = read_argument("shared", shared, Flag(), optional=True)
        sort = read_argument("sort", sort, Flag())
        self.compares = isinstance(result, Comparison)
        self.colors = colors_of(result)
        blocks = blocks_of(result, prevalence, sort=sort)
        panels = panels_of(blocks, shared=shared, zero=self.compares)
        self._arrange(panels, header_of(result))

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        scores: Any = None,
        *,
        measures: Chosen = "default",
        ci: float | None = 0.95,
        shared: bool | None = None,
        sort: bool = False,
        prevalence: float | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw the measures of one or more models.

        Args:
            y_true: the labels, or a frame; see ``evaluate``.
            scores: the scores of one model, or a dict or frame of several models.
            measures: "default", "all", or measures.
            ci: the confidence of the intervals; None for no intervals.
            shared: see the class.
            sort: see the class.
            prevalence: see the class; by default the weighted fraction of positives.
            ax: the axes to draw on; those of a new figure by default.
            **options: further options of ``evaluate``.
        """
        of_data = {
            name: options.pop(name) for name in GroupOptions.__annotations__ if name in options
        }
        binary = takes_two_classes(measures)
        models = read_models(y_true, scores, several_classes=True, binary=binary, **of_data)
        result = evaluate(models, measures=measures, ci=ci, **options)
        if prevalence is None:
            prevalence = prevalence_of(models)
        return cls(result, shared=shared, sort=sort, prevalence=prevalence).plot(ax)

    def _arrange(self, panels: list[list[ForestBlock]], header: tuple[str, str, str]) -> None:
        """Compute the axes and columns of some panels, each with blocks of rows."""
        self.panels = panels
        self.blocks = [block for panel in panels for block in panel]
        self.titled = self.compares or any(len(block.rows) > 1 for block in self.blocks)
        self.views = [view_of(panel, zero=self.compares) for panel in self.panels]
        self.columns = Columns(texts_of(self.panels, titled=self.titled), header)

    def _inches(self) -> tuple[float, float]:
        require_matplotlib()
        names = max(text_size(row.name)[0] for row in self._rows())
        sides = (names + sum(self.columns.widths()) + BESIDE) / 72
        height = ROW * sum(self._height(panel) + AXIS for panel in self.panels) + 0.35
        return max(BROAD[0], ROOM + sides), max(1.6, height)

    def _rows(self) -> list[ForestRow]:
        return [row for block in self.blocks for row in block.rows]

    def _height(self, panel: Sequence[ForestBlock]) -> float:
        """Height of a panel in rows."""
        rows = sum(len(block.rows) for block in panel)
        return rows + (1.2 * len(panel) + 0.4 if self.titled else HEADER + 0.2)

    def _draw(self, axes: Axes) -> None:
        widths = self.columns.fitting(axes, (row.name for row in self._rows()))
        insets = self._split(axes)
        for panel, blocks, view in zip(insets, self.panels, self.views, strict=True):
            open_frame(panel)
            panel.set(xlim=view, ylim=(self._height(blocks), 0.0))
            self._draw_panel(panel, blocks, widths)
        self.columns.write_header(insets[0], 0.0, widths, GRAY)
        insets[-1].set_xlabel(self._below(), fontsize=letters(axes))
        (alone,) = self.colors if len(self.colors) == 1 else ("model",)
        if not self.titled and alone != "model":
            insets[0].set_title(text_of(alone), fontsize=letters(axes), color=INK, loc="left")

    def _below(self) -> str:
        """The label of the last axis."""
        if self.compares:
            margin = any(len(row.guides) > 1 for row in self._rows())
            return "difference; dashed line: margin" if margin else "difference"
        seen = any(
            low <= guide <= high
            for panel, (low, high) in zip(self.panels, self.views, strict=True)
            for block in panel
            for row in block.rows
            for guide in row.guides
        )
        return "value; dotted line: constant score" if seen else "value"

    def _split(self, axes: Axes) -> list[Axes]:
        """The axes themselves, or one inset per panel."""
        if len(self.panels) == 1:
            return [axes]
        axes.set_axis_off()
        heights = [self._height(panel) for panel in self.panels]
        whole = sum(heights) + AXIS * (len(heights) - 1)
        insets, top = [], 1.0
        for height in heights:
            insets.append(axes.inset_axes((0.0, top - height / whole, 1.0, height / whole)))
            top -= (height + AXIS) / whole
        return insets

    def _draw_panel(
        self, axes: Axes, blocks: Sequence[ForestBlock], widths: Sequence[float]
    ) -> None:
        """Draw some blocks of rows, downwards from 0."""
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=True, axis="x", color=GRAY, alpha=0.18, linewidth=0.6)
        places, names, y = [], [], 0.2 if self.titled else HEADER
        for block in blocks:
            if self.titled:
                y += 1.2
                axes.annotate(
                    block.title, (0.0, y - 0.6), xycoords=("axes fraction", "data"), va="center",
                    fontsize=letters(axes), color=INK, fontweight="bold", annotation_clip=False,
                )  # fmt: skip
            for row, texts in zip(block.rows, self.columns.texts[block.title], strict=True):
                middle = y + 0.5
                self._draw_row(axes, block, row, middle)
                write_columns(axes, texts, middle, widths, INK)
                places.append(middle)
                names.append(row.name if self.titled else block.title)
                y += 1.0
        axes.set_yticks(places, names, fontsize=letters(axes))
        axes.locator_params(axis="x", nbins=TICKS)
        if not any(math.isfinite(row.value) for block in blocks for row in block.rows):
            axes.set_xticks([])

    def _draw_row(self, axes: Axes, block: ForestBlock, row: ForestRow, y: float) -> None:
        color = self.colors.get(row.model, INK)
        key = f"{block.title}: {row.model}" + (f", {row.group}" if row.group else "")
        low, high = axes.get_xlim()
        for guide, dashes in zip(row.guides, ((0, (1, 1.5)), (0, (4, 2))), strict=False):
            if low <= guide <= high:
                axes.plot([guide, guide], [y - 0.5, y + 0.5], color=GRAY, linestyle=dashes, lw=1.0)
        if not math.isnan(row.low):
            ends = np.clip([row.low, row.high], low, high)
            (self.artists_[f"interval of {key}"],) = axes.plot(
                ends, [y, y], color=color, linewidth=1.4, solid_capstyle="butt", zorder=3
            )
        if not math.isnan(row.value):
            inside = low <= row.value <= high
            (self.artists_[key],) = axes.plot(
                np.clip(row.value, low, high), y, color=color, zorder=4, markersize=4.2,
                marker="o" if inside else (">" if row.value > high else "<"), clip_on=False,
                markeredgewidth=0, linestyle="none",
            )  # fmt: skip


def colors_of(result: Evaluation | Comparison) -> dict[str, str]:
    """The colors of a few models in their given order, as in all displays; else black."""
    if isinstance(result, Comparison):
        return {}
    models = list(dict.fromkeys(row.model for row in result.rows))
    few = len(models) <= MOST_NAMED
    return dict(zip(models, COLORS if few else [INK] * len(models), strict=False))


def prevalence_of(models: Models) -> float | None:
    """The weighted fraction of positives; None if there are not two classes."""
    if models.subject != "table":
        return None
    return float(models.table(models.names[0]).prevalence)
