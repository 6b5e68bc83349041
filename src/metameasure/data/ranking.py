"""Ranking: the true and the predicted order of some items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.data.row_order import check_row_order
from metameasure.data.scores import read_scores
from metameasure.errors import DataError
from metameasure.kernels import descending

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from metameasure._types import Floats


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
        ranks = []
        for values, what in ((true, "y_true"), (predicted, "y_score")):
            read, missing = read_scores(values, what)
            if missing is not None:
                raise DataError(
                    f"{np.count_nonzero(missing)} values of {what} are missing, the first at row "
                    f"{np.argmax(missing)}",
                    remedy="drop these items",
                )
            ranks.append(mean_ranks(read))
        if ranks[0].size != ranks[1].size:
            raise DataError(
                f"y_true and y_score differ in length: {ranks[0].size} and {ranks[1].size}"
            )
        if not ranks[0].size:
            raise DataError("there are no items: y_true is empty")
        ranking = cls.__new__(cls)
        ranking._set(*ranks)
        return ranking

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


def mean_ranks(values: Floats) -> Floats:
    """The ranks of values from 1; ties get their mean rank."""
    order = descending(values)[::-1]
    ordered = values[order] + 0.0
    starts = np.concatenate([[0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1, [values.size]])
    means = (starts[:-1] + starts[1:] + 1) / 2
    ranks = np.empty(values.size)
    ranks[order] = np.repeat(means, np.diff(starts))
    return ranks
