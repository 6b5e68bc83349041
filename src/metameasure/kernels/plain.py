"""The kernels in NumPy and SciPy: the reference for the compiled ones, and fast on one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure.kernels.coarse import (
    COARSE_COLUMNS,
    HIGHEST,
    LOWEST,
    NEG,
    POS,
    SUMS,
    filled,
    join_rows,
    sums_of_rows,
)
from metameasure.kernels.isotonic import pooled
from metameasure.kernels.sums import ROUNDING, dot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices, Mask

    Keys = NDArray[np.uint64]


def pool(pos: Floats, neg: Floats) -> tuple[Floats, Floats]:
    """Pool adjacent rows until the fraction of positives decreases from each row to the next.

    The weight of a pool is put on its first row; the other rows get zeros. Arrays are (tables,
    rows), from the highest score to the lowest.
    """
    rows = pos.shape[1]
    first, *weights = pooled(pos.reshape(-1), neg.reshape(-1), np.arange(0, pos.size, rows))
    found = np.zeros((2, pos.size))
    found[:, first] = weights
    pooled_pos, pooled_neg = found.reshape(2, -1, rows)
    return pooled_pos, pooled_neg


def inversions(values: Floats) -> NDArray[np.int64]:
    """The number of pairs of each row in decreasing order; values are finite.

    A merge sort with runs of doubling length, all runs of one length at once. An entry of a left
    run is inverted with the entries of the right run that precede it in the merged run.
    """
    rows, size = values.shape
    length = 1 << max(size - 1, 0).bit_length()
    ordered = np.full((rows, length), np.inf)
    ordered[:, :size] = values
    counts = np.zeros(rows, dtype=np.int64)
    width = 1
    while width < length:
        runs = ordered.reshape(rows, -1, 2 * width)
        place = np.argsort(runs, axis=-1, kind="stable")
        of_left = place < width
        passed = np.cumsum(~of_left, axis=-1)
        counts += np.sum(np.where(of_left, passed, 0), axis=(-1, -2))
        ordered = np.take_along_axis(runs, place, -1)
        width *= 2
    return counts


def rows_within(score: Floats, margin: float) -> NDArray[np.int64]:
    """The number of rows not more than ``margin`` below each row, counted from the top.

    Row ``l`` is counted for row ``k`` unless ``score[k] - score[l] > margin`` in floating point.
    Scores are (tables, rows), non-increasing along a table.
    """
    counts = np.empty(score.shape, dtype=np.int64)
    with np.errstate(invalid="ignore"):
        for table, descending in enumerate(score):
            ascending = descending[::-1].copy()
            size = ascending.size
            count = size - np.searchsorted(ascending, descending - margin, side="left")
            # The difference is rounded, so the search can miss rows at exactly the margin.
            while (late := _row_is_further(descending, count - 1, margin)).any():
                count -= late
            while (early := ~_row_is_further(descending, count, margin) & (count < size)).any():
                count += early
            counts[table] = count
    return counts


def _row_is_further(score: Floats, row: NDArray[np.int64], margin: float) -> NDArray[np.bool_]:
    clipped = np.clip(row, 0, score.size - 1)
    return (score - score[clipped] > margin) & (row >= 0)


def pairs_beyond(score: Floats, pos: Floats, neg: Floats, margins: Floats) -> Floats:
    """The weight of the pairs whose positive is ahead by more than each margin.

    A pair counts if the difference of its scores, as a float, is above the margin. Weights are
    (tables, rows); scores have the same shape, or (1, rows) if shared, and are non-increasing along
    a table; scores with weight lie in [0, 1]. The result is (tables, margins).
    """
    below = np.zeros((neg.shape[0], neg.shape[1] + 1))
    np.cumsum(neg[:, ::-1], axis=1, out=below[:, -2::-1])
    found = np.empty((pos.shape[0], margins.size))
    for place, margin in enumerate(margins):
        within = np.broadcast_to(rows_within(score, margin), pos.shape)
        found[:, place] = dot(pos, np.take_along_axis(below, within, 1))
    return found


def first_positive(above: Floats, pos: Floats, neg: Floats) -> Floats:
    """The expected reciprocal rank of the first positive of a tie in random order.

    ``above`` is the weight before the tie. The chance that the first j of the tie are negative is
    the product over i < j of (neg - i) / (pos + neg - i).
    """
    values = np.empty(above.shape)
    for table in range(above.size):
        a, p, q = above[table], pos[table], neg[table]
        drawn = np.arange(np.ceil(q))
        left = p + q - drawn
        none_yet = np.concatenate([[1.0], np.cumprod((left - p) / left)])
        here = none_yet[:-1] * p / left
        values[table] = np.sum(here / (a + drawn + 1)) + none_yet[-1] / (a + drawn.size + 1)
    return values


def window_gap(position: Floats, height: Floats, window: Floats) -> Floats:
    """The mean of |height(j + w) - height(j)| / w over windows at j = 0, 1, ... of each table.

    Heights are given at non-decreasing positions and are linear between them. The change over a
    window is then linear between the j at which one of its ends meets a position, so the sum over
    integer j is that of an arithmetic series.
    """
    values = np.empty(window.shape)
    for table, w in enumerate(window):
        x, curve = position[table], (position[table], height[table])
        last = np.floor((x[-1] - w) * (1 + ROUNDING))
        places = np.unique(np.clip(np.concatenate([x, x - w, [0.0, last]]), 0.0, last))
        change = np.interp(places + w, *curve) - np.interp(places, *curve)
        slope = np.diff(change) / np.diff(places)
        first, end = np.floor(places[:-1]) + 1, np.floor(places[1:])
        start = change[:-1] + slope * (first - places[:-1])
        total = np.sum(_absolute_series(start, slope, end - first + 1))
        values[table] = (abs(change[0]) + total) / (last + 1) / w
    return values


def _absolute_series(start: Floats, step: Floats, terms: Floats) -> Floats:
    """The sum of |start + i step| over i = 0, ..., terms - 1; 0 if terms is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        before = np.floor(np.where(step != 0, -start / step, -1.0)) + 1
    before = np.clip(np.where(np.isfinite(before), before, 0.0), 0.0, terms)
    end = start + (terms - 1) * step
    turn = start + (before - 1) * step
    sides = np.abs(before * (start + turn)) + np.abs((terms - before) * (turn + step + end))
    return np.where(terms > 0, sides / 2, 0.0)


def exchanged_cells(
    own: Indices, other: Indices, swapped: NDArray[np.uint8], weight: Floats, cells: int
) -> Floats:
    """The weight in each cell of several tables, in which some cases are in another cell.

    A case is in its own cell or, where it is swapped (tables, cases), in the other one. An empty
    weight stands for cases that all weigh 1.
    """
    found = np.empty((swapped.shape[0], cells))
    for table, swaps in enumerate(swapped):
        chosen = np.where(swaps, other, own)
        found[table] = np.bincount(chosen, weight if weight.size else None, cells)
    return found


def absorb_cases(
    rows: Floats,
    low: Floats,  # noqa: ARG001 - found again with those of the cases
    high: Floats,  # noqa: ARG001
    pos: Floats,
    neg: Floats,
    pos_weight: Floats,
    neg_weight: Floats,
) -> tuple[Floats, int]:
    """The rows of a coarse table with more cases, and the largest number of terms of a sum.

    A case with a score in the cell of a row, from ``low`` to ``high``, joins it; others become rows
    of their score. The scores of each class are ascending; empty weights are those of cases that
    all weigh 1.
    """
    cases = np.zeros((pos.size + neg.size, COARSE_COLUMNS))
    cases[:, HIGHEST] = cases[:, LOWEST] = np.concatenate([pos, neg])
    cases[: pos.size, POS] = pos_weight if pos_weight.size else 1.0
    cases[pos.size :, NEG] = neg_weight if neg_weight.size else 1.0
    found, heads = join_rows(np.concatenate([rows, cases]))
    longest = np.max(np.diff(np.flatnonzero(heads), append=heads.size), initial=0)
    return group_rows(found, heads), int(longest)


def group_rows(rows: Floats, heads: Mask) -> Floats:
    """The rows of a coarse table that are joined from each head to the next."""
    begin = np.flatnonzero(heads)
    found = np.zeros((begin.size, COARSE_COLUMNS))
    found[:, HIGHEST] = np.maximum.reduceat(rows[:, HIGHEST], begin)
    found[:, LOWEST] = np.minimum.reduceat(rows[:, LOWEST], begin)
    for column in (POS, NEG):
        found[:, column] = np.add.reduceat(rows[:, column], begin)
    wide = found[:, HIGHEST] > found[:, LOWEST]
    if wide.any():
        inside = np.flatnonzero(np.repeat(wide, np.diff(begin, append=heads.size)))
        first = np.searchsorted(inside, begin[wide])
        sums = np.ascontiguousarray(sums_of_rows(rows[inside]).T)
        with np.errstate(invalid="ignore"):  # infinite scores of both signs
            found[wide, SUMS] = np.add.reduceat(sums, first, axis=1).T
    return found


def join_costs(low: Keys, high: Keys, pos: Floats, neg: Floats) -> Floats:
    """The share of a class in the smallest cell that holds each row and the next.

    It is that of the class of which the cell has the larger share, and grows from a cell to a
    larger one. Rows are from the highest to the lowest, with the keys of their ends.
    """
    free = filled(low[:-1] ^ high[1:])
    rising = low[::-1]
    begin = np.searchsorted(rising, low[:-1] & ~free, "left")
    end = np.searchsorted(rising, low[:-1] | free, "right")
    shares = np.zeros(begin.size)
    both = np.stack([begin, end], -1).reshape(-1)
    for weight in (pos, neg):
        total = weight.sum()
        if total > 0:
            # Differences of cumulative sums would lose small weights beside a large one.
            inside = np.add.reduceat(np.append(weight[::-1], 0.0), both)[::2]
            np.maximum(shares, inside / total, out=shares)
    return shares
