"""The order of cases by decreasing score, found by sorting integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats


PACKED_FROM = 4096
"""Number of cases from which sorting packed scores is faster."""
LAST = np.iinfo(np.int64).max


def descending(score: Floats) -> NDArray[np.int64]:
    """The cases from the highest score to the lowest."""
    return sorted_down(score)[0]


def sorted_down(score: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The cases from the highest score to the lowest, and their scores.

    The few cases whose scores differ in the trailing bits only, which packing drops, are sorted
    again among themselves.
    """
    if score.size < PACKED_FROM:
        cases = score.argsort()[::-1]
        return cases, score[cases]
    keys, bits = packed(score)
    keys.sort()
    cases = keys & ((1 << bits) - 1)
    found = score[cases]
    if (found[1:] < found[:-1]).any():
        keys >>= bits
        close = np.zeros(score.size, dtype=bool)
        np.equal(keys[1:], keys[:-1], out=close[1:])
        close[:-1] |= close[1:]
        cases[close] = cases[close][found[close].argsort()]
        found[close] = score[cases[close]]
    return cases[::-1], found[::-1]


def descending_rows(score: Floats) -> NDArray[np.int64]:
    """The same for each row of (rows, cases), as indices into the flattened array.

    Rows with scores that differ in the trailing bits only are sorted by indices.
    """
    rows, size = score.shape
    keys, bits = packed(score)
    keys.sort(axis=-1)
    keys &= (1 << bits) - 1
    begin = np.arange(0, rows * size, size)[:, np.newaxis]
    keys += begin
    cases = keys[:, ::-1]
    found = score.reshape(-1).take(cases)
    wrong = np.flatnonzero((found[:, 1:] > found[:, :-1]).any(axis=1))
    if wrong.size:
        cases[wrong] = score[wrong].argsort(axis=-1)[:, ::-1] + begin[wrong]
    return cases


def packed(score: Floats, *, falling: bool = False) -> tuple[NDArray[np.int64], int]:
    """Integers in the order of the scores, or in the opposite order, and the bits per case index.

    Integers are sorted several times faster than indices. Each integer has the leading bits of a
    score and, in place of the trailing bits, the index of its case along the last axis.
    """
    bits = max(score.shape[-1] - 1, 1).bit_length()
    trailing, case = (1 << bits) - 1, np.arange(score.shape[-1])
    keys = (score + 0.0).view(np.int64)
    if keys.min() < 0:
        # The bits of negative floats are in decreasing order.
        np.bitwise_xor(keys, LAST, out=keys, where=keys < 0)
    # All trailing bits are set, so that inverting leaves the index of the case.
    keys |= trailing
    keys ^= ~case if falling else trailing ^ case
    return keys, bits
