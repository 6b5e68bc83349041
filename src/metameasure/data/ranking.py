"""Ranking: the true and the predicted order of some items."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.data.row_order import check_row_order
from metameasure.data.scores import read_scores
from metameasure.errors import DataError
from metameasure.kernels import descending

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from metameasure._types import Floats, Indices


class Ranking:
    """The true and the predicted rank of the same items, 1 for the lowest.

    Args:
        order: true ranks of the items, sorted by their predicted ranks: a permutation of 1 to n,
            or a block of them along the last axis.

    >>> Ranking([3, 1, 2]).true
    array([3., 1., 2.])
    """

    true: Floats
    predicted: Floats

    def __init__(self, order: ArrayLike) -> None:
        try:
            ranks = np.array(order).astype(np.float64, casting="same_kind")
        except (ValueError, TypeError) as error:
            raise DataError(f"an order must be made of integers: {error}") from error
        if not (ranks.ndim and ranks.shape[-1]):
            raise DataError("an order must have at least one item")
        places = np.arange(1.0, ranks.shape[-1] + 1)
        wrong = np.any(np.sort(ranks, axis=-1) != places, axis=-1)
        if np.any(wrong):
            which = f"order {np.argmax(wrong)} of the block" if wrong.ndim else "this order"
            raise DataError(f"{which} must be a permutation of 1 to {ranks.shape[-1]}")
        self._set(ranks, np.broadcast_to(places, ranks.shape))

    @classmethod
    def of(cls, true: Any, predicted: Any) -> Ranking:
        """The ranks of the true and the predicted values of items; ties get their mean rank."""
        check_row_order(true, [("y_score", predicted)])
        found = []
        for values, what in ((true, "y_true"), (predicted, "y_score")):
            read, missing = read_scores(values, what)
            if missing is not None:
                raise DataError(
                    f"{np.count_nonzero(missing)} values of {what} are missing, the first at row "
                    f"{np.argmax(missing)}",
                    remedy="drop these items",
                )
            found.append(read)
        if found[0].size != found[1].size:
            raise DataError(
                f"y_true and y_score differ in length: {found[0].size} and {found[1].size}"
            )
        if not found[0].size:
            raise DataError("there are no items: y_true is empty")
        return cls.of_values(*found)

    @classmethod
    def of_values(cls, true: Floats, predicted: Floats) -> Ranking:
        """The ranks of validated values; ties get their mean rank."""
        return cls.of_ranks(mean_ranks(true), mean_ranks(predicted))

    @classmethod
    def of_ranks(cls, true: Floats, predicted: Floats) -> Ranking:
        """The ranking, or block of rankings, of validated ranks."""
        ranking = cls.__new__(cls)
        ranking._set(true, predicted)
        return ranking

    def counting(self, counts: Floats) -> Ranking:
        """The block of rankings in which each item occurs this many times: (rankings, items).

        All rows of counts have the same sum. An item that occurs twice is tied with itself.

        >>> block = Ranking([2, 1, 3]).counting(np.array([[2.0, 0.0, 1.0]]))
        >>> block.true, block.predicted
        (array([[1.5, 1.5, 3. ]]), array([[1.5, 1.5, 3. ]]))
        """
        items = np.repeat(
            np.tile(np.arange(self.n), len(counts)), counts.reshape(-1).astype(np.int64)
        ).reshape(len(counts), int(counts[0].sum()))
        return Ranking.of_ranks(
            *(np.take_along_axis(ties.ranks(counts), items, -1) for ties in self._ties)
        )

    @cached_property
    def _ties(self) -> tuple[_Ties, _Ties]:
        """The ties of the true and of the predicted order."""
        return _Ties.of(self.true), _Ties.of(self.predicted)

    def _set(self, true: Floats, predicted: Floats) -> None:
        self.true, self.predicted = true, predicted
        for ranks in (true, predicted):
            ranks.flags.writeable = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The axes in front: ``()`` for one ranking."""
        return self.true.shape[:-1]

    @property
    def n(self) -> int:
        """The number of items."""
        return int(self.true.shape[-1])

    def __repr__(self) -> str:
        if self.shape:
            return f"<block of rankings: shape {self.shape}, {self.n} items each>"
        return f"<ranking: {self.n} items>"


@dataclass(frozen=True, eq=False)
class _Ties:
    """The items from the lowest value to the highest, and where the tie of each begins and ends."""

    order: Indices
    start: Indices
    end: Indices

    @classmethod
    def of(cls, values: Floats) -> _Ties:
        """The ties of values."""
        order = descending(values)[::-1]
        ordered = values[order] + 0.0
        fresh = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
        limits = np.concatenate([[0], fresh, [values.size]])
        sizes = np.diff(limits)
        return cls(order, np.repeat(limits[:-1], sizes), np.repeat(limits[1:], sizes))

    def ranks(self, counts: Floats) -> Floats:
        """The mean rank of each item, if items occur ``counts`` times: shape (..., items)."""
        upto = np.zeros((*counts.shape[:-1], self.order.size + 1))
        np.cumsum(np.take(counts, self.order, axis=-1), axis=-1, out=upto[..., 1:])
        found = np.empty(counts.shape)
        found[..., self.order] = (upto[..., self.start] + upto[..., self.end] + 1) / 2
        return found


def mean_ranks(values: Floats) -> Floats:
    """The ranks of values from 1; ties get their mean rank."""
    return _Ties.of(values).ranks(np.ones(values.size))
