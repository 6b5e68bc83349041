"""Voting feature intervals (Demiröz and Güvenir 1997)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import entr

from metameasure._arguments import Real, read_argument
from metameasure.experiments.learners.learner import Learner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Indices

TRACE = 1e-11
"""Added to counts when votes are weighted, so that no interval has entropy 0."""


class VFI(Learner):
    """Voting feature intervals: each attribute votes for the classes, and the votes are added.

    The least and the greatest value of each class divide a numeric attribute into intervals; the
    levels divide a nominal one. An interval votes for a class in proportion to the fraction of the
    class that lies in it; a value on a boundary counts half in both intervals. Missing values do
    not vote, and an interval without training cases votes for all classes equally.

    Args:
        nominal: number of levels of each column, 0 for a numeric one; None if all are numeric.
        bias: each vote has weight H^-bias, and at least 1, where H is the entropy of the vote in
            bits, so that intervals with a clear majority count more. The default is that of Weka's
            VFI; None for votes of equal weight, as the paper has them.

    >>> X, y = [[1.0], [2.0], [3.0], [2.5], [4.0], [5.0]], [0, 0, 0, 1, 1, 1]
    >>> VFI(bias=None).fit(X, y).predict_proba([[1.5], [2.75], [3.0], [4.5]]).round(4)
    array([[0.75  , 0.25  ],
           [0.5   , 0.5   ],
           [0.3333, 0.6667],
           [0.25  , 0.75  ]])
    """

    def __init__(self, *, nominal: Sequence[int] | None = None, bias: float | None = 0.6) -> None:
        self.nominal = nominal
        self.bias = bias

    def _fit(self, X: Floats, y: Indices, levels: Indices) -> None:
        read_argument("bias", self.bias, Real(0), optional=True)
        classes = self.classes_.size
        trace = 0.0 if self.bias is None else TRACE
        sizes = np.bincount(y, minlength=classes)
        self.bounds_: list[Floats | None] = [
            None if count else _bounds(column, y, classes)
            for column, count in zip(X.T, levels, strict=True)
        ]
        self.votes_: list[Floats] = []
        for column, bounds, count in zip(X.T, self.bounds_, levels, strict=True):
            intervals = count if bounds is None else bounds.size + 1
            totals = np.zeros((intervals, classes))
            for side in _sides(column, bounds):
                known = side >= 0
                np.add.at(totals, (side[known], y[known]), 0.5)
            self.votes_.append((totals + trace) / (sizes + trace))

    def _probabilities(self, X: Floats) -> Floats:
        total = np.zeros((X.shape[0], self.classes_.size))
        for column, bounds, votes in zip(X.T, self.bounds_, self.votes_, strict=True):
            low, high = _sides(column, bounds)
            known = low >= 0
            vote = _normalized((votes[low[known]] + votes[high[known]]) / 2)
            if self.bias is not None:
                bits = entr(vote).sum(axis=1, keepdims=True) / np.log(2)
                # With a single class there is no entropy.
                vote *= np.maximum(np.maximum(bits, TRACE**2) ** -self.bias, 1)
            total[known] += vote
        return _normalized(total)


def _bounds(column: Floats, y: Indices, classes: int) -> Floats:
    """The least and greatest values of the classes, without repetition."""
    low, high = np.full(classes, np.inf), np.full(classes, -np.inf)
    known = ~np.isnan(column)
    np.minimum.at(low, y[known], column[known])
    np.maximum.at(high, y[known], column[known])
    ends: Floats = np.unique(np.append(low, high))
    return ends[np.isfinite(ends)]


def _sides(column: Floats, bounds: Floats | None) -> tuple[Indices, Indices]:
    """The intervals of each value, which differ on a boundary; -1 where a value is missing."""
    missing = np.isnan(column)
    if bounds is None:
        low = high = np.where(missing, -1, column).astype(np.int64)
    else:
        low, high = (np.searchsorted(bounds, column, side) for side in ("left", "right"))
        low, high = (np.where(missing, -1, side) for side in (low, high))
    return low, high


def _normalized(votes: Floats) -> Floats:
    """The votes of each row, divided by their sum; equal votes if there are none."""
    total = votes.sum(axis=1, keepdims=True)
    safe = np.where(total > 0, total, 1)
    return np.where(total > 0, votes / safe, 1 / votes.shape[1])
