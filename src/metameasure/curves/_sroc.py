"""The sROC curve: the AUC as a function of the margin that positives must have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure import kernels
from metameasure._arguments import Whole
from metameasure.curves.curve import Curve
from metameasure.curves.curve_kind import curve
from metameasure.kernels import ROUNDING
from metameasure.measurement import A_CLASS_EMPTY

if TYPE_CHECKING:
    from metameasure.table import ScoreTable


MOST_PAIRS = 10**7
"""Largest number of pairs of scores for which the curve is exact."""


@curve(
    "margin", "share of the pairs", unit_scores=True, undefined=A_CLASS_EMPTY, area="scored_auc",
    parameters={"grid": Whole(1, 10_000)}, reference="wu2007",
)  # fmt: skip
def sroc(table: ScoreTable, grid: int = 20) -> Curve:
    """The fraction of pairs in which the positive scores higher by more than a margin.

    With up to ten million pairs of a positive and a negative score it is the exact step function,
    with at most P N + 1 steps. With more pairs it is exact at ``grid`` + 1 equally spaced margins
    from 0 to 1 and linear between them; the area then approximates ``scored_auc``.

    >>> curve = sroc([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    >>> curve.x, curve.y
    (array([0. , 0.4, 0.8, 1. ]), array([0.75, 0.25, 0.  , 0.  ]))
    >>> curve.area()
    0.4
    """
    if table.shape:
        rows = table.pos.shape[-1]
        if table.pos.size // rows * (rows * (rows - 1) // 2) <= MOST_PAIRS:
            return _steps_of_block(table)
        return on_grid(table, grid)
    return _steps(table) if scores_in_pairs(table) <= MOST_PAIRS else on_grid(table, grid)


def scores_in_pairs(table: ScoreTable) -> float:
    """The number of pairs of a positive and a negative score."""
    if table.one_case_per_row:
        return float(table.P * table.N)
    return float(np.count_nonzero(table.pos)) * np.count_nonzero(table.neg)


def _steps(table: ScoreTable) -> Curve:
    """The exact curve of one table."""
    of_pos, of_neg = table.pos > 0, table.neg > 0
    gap = np.subtract.outer(table.score[of_pos], table.score[of_neg])
    ahead = gap > 0
    margins = gap[ahead]
    if table.one_case_per_row:
        margins.sort()
        weight = np.ones(margins.size)
    else:
        order = np.argsort(margins)
        margins = margins[order]
        weight = np.multiply.outer(table.pos[of_pos], table.neg[of_neg])[ahead][order]
    # Summed from the largest margin, so that the curve ends at exactly 0.
    beyond = np.append(np.cumsum(weight[::-1])[::-1], 0.0)
    # Margins that differ by rounding only are one margin.
    last = np.append(margins[1:] > margins[:-1] * (1 + ROUNDING), margins[:1] >= 0)
    y = np.concatenate([beyond[:1], beyond[1:][last], [0.0]]) / (table.P * table.N)
    return Curve("", np.concatenate([[0.0], margins[last], [1.0]]), y, between="step")


def _steps_of_block(table: ScoreTable) -> Curve:
    """The exact curves of a block: one point per pair of rows."""
    upper, lower = np.triu_indices(table.pos.shape[-1], 1)
    gap = table.score[..., upper] - table.score[..., lower]
    weight = table.pos[..., upper] * table.neg[..., lower]
    order = np.argsort(gap, axis=-1)
    if gap.ndim == 1:
        gap, weight = gap[order], weight[..., order]
    else:
        gap, weight = (np.take_along_axis(a, order, -1) for a in (gap, weight))
    left = np.zeros((*table.shape, upper.size + 2))
    np.cumsum(weight[..., ::-1], axis=-1, out=left[..., -2:0:-1])
    # Between two margins, only pairs beyond the first one count.
    left[..., :-2] = left[..., 1:-1]
    left[..., -2] = 0.0
    x = np.zeros((*gap.shape[:-1], upper.size + 2))
    x[..., 1:-1], x[..., -1] = gap, 1.0
    return Curve("", x, left / (table.P * table.N)[..., np.newaxis], between="step")


def on_grid(table: ScoreTable, grid: int) -> Curve:
    """The curve at equally spaced margins."""
    x = np.linspace(0.0, 1.0, grid + 1)
    arrays = table.score, table.pos, table.neg
    score, pos, neg = (np.ascontiguousarray(a.reshape(-1, a.shape[-1])) for a in arrays)
    # Scores in [0, 1] differ by at most 1.
    y = np.zeros((*table.shape, x.size))
    beyond = kernels.for_size(pos.size).pairs_beyond(score, pos, neg, x[:-1] * (1 + ROUNDING))
    y[..., :-1] = beyond.reshape(*table.shape, grid)
    return Curve("", x, y / (table.P * table.N)[..., np.newaxis])
