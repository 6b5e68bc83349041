"""Forest plots of groups: values of measures in groups, or differences to all other cases."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Self

from metameasure._arguments import Flag, read_argument
from metameasure.errors import DataError
from metameasure.evaluation import GroupComparison, compare_groups
from metameasure.plots._drawing.forest_table import (
    ForestBlock,
    ForestRow,
    check_rows,
    panels_of,
)
from metameasure.plots._drawing.style import COLORS, INK, MOST_NAMED, text_of
from metameasure.plots.forest import ForestDisplay
from metameasure.results import pvalue_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from metameasure.evaluation import GroupRow


class GroupsDisplay(ForestDisplay):
    """Measures and rates in groups of cases with confidence intervals, one row per group.

    The number of cases is beside the name of a group. A dotted line is the value of all cases, or
    with ``differences`` no difference to the rest; p-values are adjusted for the number of groups.
    Values of a measure share an axis, and so do differences of measures inside [-1, 1].

    Args:
        result: the result of ``compare_groups``.
        differences: whether to draw the differences of each group to all other cases.
    """

    def __init__(self, result: GroupComparison, *, differences: bool = False) -> None:
        if not isinstance(result, GroupComparison):
            raise DataError(
                f"result must come from compare_groups, got {type(result).__name__}",
                remedy="use from_predictions for labels and scores",
            )
        check_rows(len(result.rows))
        self.compares = read_argument("differences", differences, Flag())
        models = list(dict.fromkeys(row.model for row in result.rows))
        colors = COLORS if len(models) <= MOST_NAMED else [INK] * len(models)
        self.colors = dict(zip(models, colors, strict=False))
        ci = f"{100 * result.ci:g}% CI"
        header = ("difference", ci, "adjusted p") if differences else ("value", ci, "")
        blocks = _blocks(result, differences=differences)
        together = [block for of_measure in blocks.values() for block in of_measure]
        panels = (
            panels_of(together, shared=True, zero=True) if differences else list(blocks.values())
        )
        self._arrange(panels, header)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        scores: Any = None,
        *,
        differences: bool = False,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw the groups of one or more models.

        Args:
            y_true: the labels, or a frame; see ``compare_groups``.
            scores: the scores of one model, or a dict or frame of several models.
            differences: see the class.
            ax: the axes to draw on; those of a new figure by default.
            **options: further options of ``compare_groups``, such as ``group``.
        """
        result = compare_groups(y_true, scores, **options)
        return cls(result, differences=differences).plot(ax)

    def _below(self) -> str:
        return "difference to the rest" if self.compares else "value; dotted line: all cases"


def _blocks(result: GroupComparison, *, differences: bool) -> dict[str, list[ForestBlock]]:
    """For each measure one block per column, with one row per group and model."""
    whole = {(row.model, row.measure): row for row in result.rows if row.by is None}
    found: dict[tuple[str, str], list[GroupRow]] = {}
    for row in result.rows:
        if row.by is not None:
            found.setdefault((row.by, row.measure), []).append(row)
    several = len({by for by, _ in found}) > 1
    blocks: dict[str, list[ForestBlock]] = {}
    for (by, measure), rows in found.items():
        guides = [0.0 if differences else whole[row.model, measure].value for row in rows]
        name = f"{measure} by {by}" if several else measure
        made = tuple(
            _forest_row(row, guide, several_models=result.several_models, differences=differences)
            for row, guide in zip(rows, guides, strict=True)
        )
        block = ForestBlock(text_of(name), made, _is_bounded(made))
        blocks.setdefault(measure, []).append(block)
    return blocks


def _forest_row(
    row: GroupRow, guide: float, *, several_models: bool, differences: bool
) -> ForestRow:
    group = f"{row.group} ({row.n})"
    name = f"{row.model}, {group}" if several_models else group
    drawn = (row.value, row.low, row.high)
    if differences:
        drawn = (_known(row.difference), row.difference_low, row.difference_high)
    value, low, high = map(_known, drawn)
    guides = () if math.isnan(guide) else (guide,)
    pvalue = pvalue_text(row.adjusted_pvalue) if differences else None
    return ForestRow(text_of(name), row.model, str(row.group), value, low, high, guides, pvalue)


def _known(value: float | None) -> float:
    return math.nan if value is None else value


def _is_bounded(rows: Sequence[ForestRow]) -> bool:
    """Whether all values and limits are inside [-1, 1]."""
    ends = (abs(end) for row in rows for end in (row.value, row.low, row.high))
    return all(end <= 1 for end in ends if not math.isnan(end))
