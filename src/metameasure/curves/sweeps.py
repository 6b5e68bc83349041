"""The pairs beyond margins, counted by a pointer that only moves down: numba."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@njit(cache=True, nogil=True, error_model="numpy")
def pairs_beyond(score: Floats, pos: Floats, neg: Floats, margins: Floats) -> Floats:
    """The weight of the pairs whose positive is ahead by more than each margin.

    Scores fall from row to row. The classes are taken apart first, since walking along both of them
    is half of walking along all rows twice.
    """
    m, n = np.count_nonzero(pos), np.count_nonzero(neg)
    positives, weight = np.empty(m), np.empty(m)
    negatives, below = np.empty(n), np.empty(n + 1)
    upper, lower, total = m, n, 0.0
    below[n] = 0.0
    for row in range(score.size - 1, -1, -1):
        if pos[row] > 0:
            upper -= 1
            positives[upper], weight[upper] = score[row], pos[row]
        if neg[row] > 0:
            lower -= 1
            total += neg[row]
            negatives[lower], below[lower] = score[row], total
    found = np.empty(margins.size)
    for place in range(margins.size):
        margin, beyond, near = margins[place], 0.0, 0
        for row in range(m):
            while near < n and not positives[row] - negatives[near] > margin:
                near += 1
            beyond += weight[row] * below[near]
        found[place] = beyond
    return found
