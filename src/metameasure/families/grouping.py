"""Cases in groups by their score; a tie is never split."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure.kernels.sums import dot
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from metameasure.table import ScoreTable


MOST_GROUPS = 1000


@dataclass(frozen=True, eq=False)
class Groups:
    """What each group holds, the group of the highest scores first: axes (..., groups)."""

    pos: Any
    neg: Any
    expected: Any

    @property
    def weight(self) -> Any:
        """The weight of both classes."""
        return self.pos + self.neg


def group(table: ScoreTable, groups: int, equal: Literal["mass", "width"] = "mass") -> Groups:
    """Groups of equal weight, each row going where its middle lies, or of equal width in score."""
    if equal == "mass":
        ends = _ends_by_mass(table, groups)
    else:
        ends = [table.rows_from(g / groups) for g in range(groups - 1, 0, -1)]
    cuts = [np.broadcast_to(end, table.shape) for end in (0, *ends, table.pos.shape[-1])]
    index = np.stack(cuts, axis=-1)
    pos, neg = (np.diff(np.take_along_axis(a, index, -1), axis=-1) for a in (table.tp, table.fp))
    return Groups(pos, neg, _expected(table, index))


def _ends_by_mass(table: ScoreTable, groups: int) -> list[Any]:
    """The row after which each group but the last ends."""
    tp, fp = table.tp, table.fp
    if not table.shape:

        def twice_middle(row: int) -> float:
            return float(tp[row] + tp[row + 1] + fp[row] + fp[row + 1]) * groups

        rows = range(table.pos.size)
        limits = (2 * g * table.n * (1 - ROUNDING) for g in range(1, groups))
        return [bisect_left(rows, limit, key=twice_middle) for limit in limits]
    middles = (tp[..., 1:] + tp[..., :-1] + fp[..., 1:] + fp[..., :-1]) * groups
    edges = (2 * g * table.n[..., np.newaxis] * (1 - ROUNDING) for g in range(1, groups))
    return [np.count_nonzero(middles < edge, axis=-1) for edge in edges]


def _expected(table: ScoreTable, index: Any) -> Any:
    """The sum of the scores in each group."""
    if not table.shape:
        ends = pairwise(index)
        return np.array([dot(table.weight[a:b], table.score[a:b]) for a, b in ends])
    forecast = np.zeros(table.tp.shape)
    np.cumsum(table.weight * table.score, axis=-1, out=forecast[..., 1:])
    return np.diff(np.take_along_axis(forecast, index, -1), axis=-1)
