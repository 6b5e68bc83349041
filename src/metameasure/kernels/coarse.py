"""Buckets of scores: rows of arrays in the cells of a binary tree of floats.

A cell holds the floats whose bits, in the order of the numbers, begin with the same bits. The cell
of a row is the smallest one that holds its scores. Cells are disjoint or nested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from metameasure._types import Floats, Mask

HIGHEST, LOWEST, POS, NEG = range(4)
"""The first columns of a coarse table."""
SUMS = slice(4, 10)
"""The sums of scores, squared errors and log losses, each of the positives and the negatives."""
COARSE_COLUMNS = 10
_SIGN = np.uint64(1 << 63)
_ENDS = np.array([-np.inf, np.inf])


def keys_of(score: Floats) -> Any:
    """Unsigned integers in the order of the scores, of which none is -0.0."""
    bits = np.ascontiguousarray(score).view(np.uint64)
    return np.where(bits & _SIGN, ~bits, bits | _SIGN)


def _floats_of(keys: Any) -> Floats:
    floats: Floats = np.where(keys & _SIGN, keys & ~_SIGN, ~keys).view(np.float64)
    return floats


def filled(bits: Any) -> Any:
    """The numbers with all bits set that follow their first one."""
    for shift in (1, 2, 4, 8, 16, 32):
        bits = bits | bits >> np.uint64(shift)
    return bits


def cells(rows: Floats) -> tuple[Floats, Floats]:
    """The lowest and the highest number in the cell of each row."""
    low, high = keys_of(rows[:, LOWEST]), keys_of(rows[:, HIGHEST])
    free = filled(low ^ high)
    first, last = keys_of(_ENDS)  # beyond them are the bits of NaN
    high = np.minimum(high | free, last)
    high -= high == _SIGN - np.uint64(1)  # -0.0, which would equal a score of another cell
    return _floats_of(np.maximum(low & ~free, first)), _floats_of(high)


def sums_of_cases(score: Floats, pos: Floats, neg: Floats) -> Floats:
    """The sums of scores, squared errors and log losses of each class, per score."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        terms = (
            *((pos, score), (neg, score), (pos, np.square(1 - score)), (neg, np.square(score))),
            *((pos, -np.log(score)), (neg, -np.log1p(-score))),
        )
        return np.stack([np.where(weight > 0, weight * term, 0.0) for weight, term in terms], -1)


def sums_of_rows(rows: Floats) -> Floats:
    """The sums of each row, also of rows with one score, which do not store them."""
    single = rows[:, HIGHEST] == rows[:, LOWEST]
    sums = rows[:, SUMS].copy()
    sums[single] = sums_of_cases(*rows[single][:, [HIGHEST, POS, NEG]].T)
    return sums


def join_rows(rows: Floats) -> tuple[Floats, Mask]:
    """The rows from the highest to the lowest, and which ones are not in the cell of one before.

    Rows of one score are in the order of their weights, so that sums do not depend on how they
    came.
    """
    low, high = cells(rows)
    order = np.lexsort((rows[:, POS], rows[:, NEG], low, -high))
    heads = np.ones(order.size, np.bool_)
    np.less(high[order][1:], np.minimum.accumulate(low[order])[:-1], out=heads[1:])
    return rows[order], heads
