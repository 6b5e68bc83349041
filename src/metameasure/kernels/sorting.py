"""The order of cases by falling score, found by sorting whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats


PACKED_FROM = 4096
"""The number of cases from which packing their scores pays."""
LAST = np.iinfo(np.int64).max


def descending(score: Floats) -> NDArray[np.int64]:
    """The cases from the highest score to the lowest."""
    return sorted_down(score)[0]


def sorted_down(score: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The cases from the highest score to the lowest, and their scores.

    The few cases that packed numbers leave standing wrongly, because only the trailing bits of
    their scores tell them apart, are sorted among themselves.
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
    """The same for each row of (rows, cases): places in the array as one line.

    Rows in which only trailing bits tell cases apart are sorted by indices.
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
    """Whole numbers that have the order of scores, or the opposite one, and how many bits a case.

    Whole numbers are sorted several times faster than indices. So the leading bits of each score
    and, in the place of the others, the number of its case along the last axis make one number.
    """
    bits = max(score.shape[-1] - 1, 1).bit_length()
    trailing, case = (1 << bits) - 1, np.arange(score.shape[-1])
    keys = (score + 0.0).view(np.int64)
    if keys.min() < 0:
        # Below zero the bits of a float fall as it rises.
        np.bitwise_xor(keys, LAST, out=keys, where=keys < 0)
    # All trailing bits are set, so that those to turn leave the number of the case.
    keys |= trailing
    keys ^= ~case if falling else trailing ^ case
    return keys, bits
