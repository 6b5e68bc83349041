"""Binning of cases by score; ties are never split."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure.kernels import dot
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from metameasure.table import ScoreTable


MOST_GROUPS = 1000


@dataclass(frozen=True, eq=False)
class Groups:
    """Sums over each group, the group of the highest scores first: axes (..., groups).

    ``ends`` are the first rows of the groups, and the end of the last group.
    """

    pos: Any
    neg: Any
    expected: Any
    ends: Any

    @property
    def weight(self) -> Any:
        """The weight of both classes."""
        return self.pos + self.neg


def group(table: ScoreTable, groups: int, equal: Literal["mass", "width"] = "mass") -> Groups:
    """Groups of equal weight (the middle of a row decides its group) or of equal score width."""
    if equal == "mass":
        ends = _ends_by_mass(table, groups)
    else:
        ends = [table.rows_from(g / groups) for g in range(groups - 1, 0, -1)]
    cuts = [np.broadcast_to(end, table.shape) for end in (0, *ends, table.pos.shape[-1])]
    index = np.stack(cuts, axis=-1)
    pos, neg = (np.diff(np.take_along_axis(a, index, -1), axis=-1) for a in (table.tp, table.fp))
    return Groups(pos, neg, _expected(table, index), index)


def _ends_by_mass(table: ScoreTable, groups: int) -> list[Any]:
    """The last row of each group but the last."""
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


@dataclass(frozen=True, eq=False)
class FilledGroups:
    """The non-empty groups of one table, the group of the highest scores first.

    A tie that spans several groups goes to one of them, so others may be empty.

    Attributes:
        number: the number of the group among all requested groups, from 1.
        begin: its first row.
        end: the row after its last.
        lowest: its lowest score.
        highest: its highest score.
        pos: the weight of its positives.
        neg: the weight of its negatives.
        weight: the weight of both.
        mean: its mean score; NaN if it has infinite scores of both signs.
    """

    number: Any
    begin: Any
    end: Any
    lowest: Any
    highest: Any
    pos: Any
    neg: Any
    weight: Any
    mean: Any


def filled(
    table: ScoreTable, groups: int, equal: Literal["mass", "width"] = "mass"
) -> FilledGroups:
    """The non-empty groups of one table.

    >>> from metameasure.table import ScoreTable
    >>> filled(ScoreTable([0.9, 0.5, 0.1], pos=[2, 1, 0], neg=[0, 4, 1]), 4).number
    array([1, 3, 4])
    """
    with np.errstate(invalid="ignore", over="ignore"):
        found = group(table, groups, equal)
    used = np.flatnonzero(found.weight > 0)
    begin, end = found.ends[used], found.ends[used + 1]
    pos, neg, weight = (a[used] for a in (found.pos, found.neg, found.weight))
    return FilledGroups(
        number=used + 1,
        begin=begin,
        end=end,
        lowest=table.score[end - 1],
        highest=table.score[begin],
        pos=pos,
        neg=neg,
        weight=weight,
        mean=found.expected[used] / weight,
    )


def divergence_terms(first: Any, second: Any) -> Any:
    """The terms of the symmetric Kullback-Leibler divergence of two distributions over groups.

    A term is infinite where exactly one probability is 0, and 0 where both are 0.

    >>> divergence_terms(np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.75, 0.0])).round(4)
    array([0.1733, 0.1014, 0.    ])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = (first - second) * np.log(first / second)
    return np.where((first == 0) & (second == 0), 0.0, terms)
