"""Discretization of numeric attributes by the entropy of the classes (Fayyad and Irani 1993)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import entr

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from metameasure._types import Floats


def entropy_cuts(values: ArrayLike, y: ArrayLike) -> Floats:
    """The cut points of a numeric attribute that the minimum description length accepts, sorted.

    An interval is cut midway between two adjacent values where the classes on both sides have the
    lowest entropy (the lowest such cut), if the gain exceeds the description length of the cut, and
    both sides are cut in turn. Missing values are left out. A value belongs to the interval that
    ends with the first cut not below it.

    >>> entropy_cuts([1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 0, 1, 1, 1, 1])
    array([4.5])
    >>> entropy_cuts([1, 2, 3, 4], [0, 1, 0, 1])
    array([], dtype=float64)
    """
    given = np.asarray(values, dtype=np.float64)
    codes = np.unique(np.asarray(y), return_inverse=True)[1]
    known = ~np.isnan(given)
    order = given[known].argsort(kind="stable")
    ordered, codes = given[known][order], codes[known][order]
    below = np.zeros((ordered.size + 1, codes.max(initial=0) + 1))
    below[np.arange(1, ordered.size + 1), codes] = 1
    below = below.cumsum(axis=0)
    cuts: list[float] = []
    intervals = [(0, ordered.size)]
    while intervals:
        first, end = intervals.pop()
        middle = _accepted_cut(ordered, below, first, end)
        if middle:
            cuts.append((ordered[middle - 1] + ordered[middle]) / 2)
            intervals += [(first, middle), (middle, end)]
    return np.sort(np.array(cuts))


def _accepted_cut(values: Floats, below: Floats, first: int, end: int) -> int:
    """The position of the first case above the cut of an interval of cases; 0 for no cut."""
    if end - first < 2:
        return 0
    middles = first + 1 + np.flatnonzero(values[first + 1 : end] > values[first : end - 1])
    if not middles.size:
        return 0
    n = end - first
    left, right, whole = (
        below[middles] - below[first],
        below[end] - below[middles],
        below[end] - below[first],
    )
    entropies = _bits(left) * (middles - first) + _bits(right) * (end - middles)
    best = int(entropies.argmin())
    gain = float(_bits(whole)) - entropies[best] / n
    k, k_left, k_right = (np.count_nonzero(c) for c in (whole, left[best], right[best]))
    spread = k * _bits(whole) - k_left * _bits(left[best]) - k_right * _bits(right[best])
    delta = np.log2(3.0**k - 2) - spread
    return int(middles[best]) if gain > (np.log2(n - 1) + delta) / n and gain > 0 else 0


def _bits(counts: Floats) -> Floats:
    """The entropy of the classes in bits, along the last axis."""
    shares: Floats = counts / counts.sum(axis=-1, keepdims=True)
    bits: Floats = entr(shares).sum(axis=-1) / np.log(2)
    return bits


def intervals_of(X: Floats, cuts: list[Floats]) -> Floats:
    """The codes of the intervals of each column, NaN where a value is missing."""
    codes = np.empty(X.shape)
    for column, edges in enumerate(cuts):
        codes[:, column] = np.searchsorted(edges, X[:, column])
    codes[np.isnan(X)] = np.nan
    return codes
