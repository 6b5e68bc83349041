"""Queries: the cases of many groups as blocks of score tables or rankings, one per group.

There is no Python loop over the groups, except over large ones. Groups of about the same size make
a block; the smaller ones are padded with rows of weight zero, which change no measure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.data.groups import Groups
from metameasure.data.ranking import Ranking
from metameasure.kernels import LAST, packed
from metameasure.table import ScoreTable, collapse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices, Mask


BLOCK = 2**17
"""Number of entries of a block: small enough for the cache, large enough for compiled kernels."""
LARGE = 4096
"""Number of cases up to which a group is part of a block."""
STEPS = np.unique(np.ceil(2 ** (np.arange(2 * LARGE.bit_length() - 1) / 2)).astype(np.int64))
"""Sizes to which groups are padded, each about 1.4 times the one before."""


class Queries:
    """Validated cases in their groups; cases without weight are dropped.

    >>> positive, group = np.array([True, False, True, False]), np.array([2, 2, 1, 2])
    >>> queries = Queries(positive, group)
    >>> queries.names
    array([1, 2])
    >>> [(which.tolist(), table.P) for which, table in queries.blocks(np.array([0.5, 0.4, 1, 0]))]
    [([0], array([1.])), ([1], array([1.]))]
    """

    def __init__(self, positive: Mask, group: NDArray[Any], weight: Floats | None = None) -> None:
        self._kept = None
        if weight is not None and not weight.all():
            self._kept = weight > 0
            positive, group = positive[self._kept], group[self._kept]
            weight = weight[self._kept]
        self._groups = Groups.of(group)
        self._positive = self._grouped(positive)
        self._weight = None if weight is None else self._grouped(weight)

    @property
    def names(self) -> NDArray[Any]:
        """The names of the groups, sorted."""
        return self._groups.names

    def blocks(self, score: Floats) -> Iterator[tuple[Indices, ScoreTable]]:
        """Blocks of tables, each with the indices of its groups."""
        score = self._grouped(score if self._kept is None else score[self._kept])
        start, size = self._groups.start, self._groups.size
        by_size = np.argsort(size, kind="stable")
        ends = np.searchsorted(size[by_size], STEPS, side="right")
        begin = 0
        for end in ends:
            while begin < end:
                stop = min(begin + max(1, BLOCK // int(size[by_size[end - 1]])), int(end))
                which = by_size[begin:stop]
                yield which, self._block(score, start[which], size[which])
                begin = stop
        for group in by_size[begin:]:
            cases = slice(start[group], start[group] + size[group])
            weight = None if self._weight is None else self._weight[cases]
            table = ScoreTable.from_cases(self._positive[cases], score[cases], weight)
            yield np.array([group]), table

    def pooled(self, score: Floats) -> ScoreTable:
        """The one table of the cases of all groups."""
        score = self._grouped(score if self._kept is None else score[self._kept])
        return ScoreTable.from_cases(self._positive, score, self._weight)

    def _block(self, score: Floats, start: Indices, size: Indices) -> ScoreTable:
        """The tables of groups, which are sorted by size."""
        width = int(size[-1])
        filled = None if size[0] == width else np.arange(width) < size[:, np.newaxis]
        case = places(score, start, size, filled)
        case += start[:, np.newaxis]
        sorted_score = np.take(score, case) + 0.0
        pos = np.take(self._positive, case).astype(np.float64)
        if self._weight is None:
            neg = 1.0 - pos
        else:
            weight = np.take(self._weight, case)
            pos *= weight
            neg = weight - pos
        tied = sorted_score[:, 1:] == sorted_score[:, :-1]
        if filled is not None:
            pos *= filled
            neg *= filled
            tied &= filled[:, 1:]
        if tied.any():
            sorted_score, pos, neg = collapse(sorted_score, pos, neg)
        made = ScoreTable.of_counts if self._weight is None else ScoreTable.of_weights
        return made(sorted_score, pos, neg)

    def _grouped(self, values: NDArray[Any]) -> NDArray[Any]:
        return values if self._groups.order is None else values[self._groups.order]


class OrderQueries:
    """Validated items in their groups, as blocks of rankings, one per group.

    Ranks are those within the group. Groups of the same size make a block.

    >>> queries = OrderQueries(np.array([5.0, 3.0, 9.0, 1.0]), np.array(["b", "b", "a", "b"]))
    >>> for which, block in queries.blocks(np.array([0.5, 0.7, 0.1, 0.2])):
    ...     print(queries.names[which], block.true.tolist(), block.predicted.tolist())
    ['a'] [[1.0]] [[1.0]]
    ['b'] [[3.0, 2.0, 1.0]] [[2.0, 3.0, 1.0]]
    """

    def __init__(self, true: Floats, group: NDArray[Any]) -> None:
        self._groups = Groups.of(group)
        start, size = self._groups.start, self._groups.size
        by_start = np.argsort(start)
        self._code = np.repeat(np.arange(start.size), size[by_start])
        self._before = np.repeat(start[by_start], size[by_start])
        self._true = self._ranks(true)

    @property
    def names(self) -> NDArray[Any]:
        """The names of the groups, sorted."""
        return self._groups.names

    def blocks(self, score: Floats) -> Iterator[tuple[Indices, Ranking]]:
        """Blocks of rankings, each with the indices of its groups."""
        predicted = self._ranks(score)
        start, size = self._groups.start, self._groups.size
        by_size = np.argsort(size, kind="stable")
        for same in np.split(by_size, np.flatnonzero(np.diff(size[by_size])) + 1):
            width = int(size[same[0]])
            step = max(1, BLOCK // width)
            for begin in range(0, same.size, step):
                which = same[begin : begin + step]
                item = start[which][:, np.newaxis] + np.arange(width)
                yield which, Ranking.of_ranks(self._true[item], predicted[item])

    def _ranks(self, values: Floats) -> Floats:
        """The rank of each item in its group, group by group; ties get their mean rank."""
        grouped = values if self._groups.order is None else values[self._groups.order]
        order = np.lexsort((grouped, self._code))
        ordered, code = grouped[order], self._code[order]
        fresh = np.flatnonzero((ordered[1:] != ordered[:-1]) | (code[1:] != code[:-1])) + 1
        limits = np.concatenate([[0], fresh, [values.size]])
        found = np.empty(values.size)
        found[order] = np.repeat((limits[:-1] + limits[1:] + 1) / 2, np.diff(limits))
        return found - self._before


def places(score: Floats, start: Indices, size: Indices, filled: Mask | None) -> Indices:
    """The cases of each group from the highest score to the lowest, as indices from its start.

    The padding of a group repeats its last case.
    """
    raw = _rows(score, start, size, filled)
    key, bits = packed(raw, falling=True)
    if filled is not None:
        key[~filled] = LAST
    key.sort(axis=-1)
    key &= (1 << bits) - 1
    place = _filled_up(key, size, filled)
    found = np.take_along_axis(raw, place, -1)
    wrong = np.flatnonzero((found[:, 1:] > found[:, :-1]).any(axis=-1))
    if wrong.size:
        # Some of these scores differ only in trailing bits.
        given = raw[wrong] if filled is None else np.where(filled[wrong], raw[wrong], -np.inf)
        place[wrong] = np.argsort(-given, axis=-1, kind="stable")
        place = _filled_up(place, size, filled)
    return place


def _rows(score: Floats, start: Indices, size: Indices, filled: Mask | None) -> Floats:
    """The scores of groups, one row per group, padded with its last score."""
    width = int(size[-1])
    if filled is None and (np.diff(start) == width).all():
        return score[start[0] : start[-1] + width].reshape(-1, width)
    column = np.arange(width)
    if filled is not None:
        column = np.minimum(column, size[:, np.newaxis] - 1)
    return np.take(score, start[:, np.newaxis] + column)


def _filled_up(place: Indices, size: Indices, filled: Mask | None) -> Indices:
    """The indices, padded with that of the last case of each group."""
    if filled is None:
        return place
    last = np.take_along_axis(place, size[:, np.newaxis] - 1, -1)
    return np.where(filled, place, last)
