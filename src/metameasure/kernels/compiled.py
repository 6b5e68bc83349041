"""The kernels in numba, for blocks: each is held equal to its plain twin by a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@njit(cache=True, nogil=True, error_model="numpy")
def pool(pos: Floats, neg: Floats) -> tuple[Floats, Floats]:
    """See the plain twin: a stack of pools, merged while the last two do not fall."""
    pooled_pos, pooled_neg = np.zeros_like(pos), np.zeros_like(neg)
    tables, rows = pos.shape
    first = np.empty(rows, np.int64)
    p, q = np.empty(rows), np.empty(rows)
    for table in range(tables):
        top = -1
        for row in range(rows):
            if pos[table, row] + neg[table, row] == 0:
                continue
            top += 1
            first[top], p[top], q[top] = row, pos[table, row], neg[table, row]
            while top > 0 and p[top - 1] * q[top] <= p[top] * q[top - 1]:
                top -= 1
                p[top] += p[top + 1]
                q[top] += q[top + 1]
        for pooled in range(top + 1):
            pooled_pos[table, first[pooled]] = p[pooled]
            pooled_neg[table, first[pooled]] = q[pooled]
    return pooled_pos, pooled_neg


@njit(cache=True, nogil=True, error_model="numpy")
def inversions(values: Floats) -> NDArray[np.int64]:
    """See the plain twin: a merge sort of each row that counts what is passed by."""
    rows, size = values.shape
    counts = np.zeros(rows, np.int64)
    here, there = np.empty(size), np.empty(size)
    for row in range(rows):
        here[:] = values[row]
        width = 1
        while width < size:
            for start in range(0, size, 2 * width):
                middle, end = min(start + width, size), min(start + 2 * width, size)
                left, right = start, middle
                for place in range(start, end):
                    if left < middle and (right >= end or here[left] <= here[right]):
                        there[place] = here[left]
                        counts[row] += right - middle
                        left += 1
                    else:
                        there[place] = here[right]
                        right += 1
            here, there = there, here
            width *= 2
    return counts


@njit(cache=True, nogil=True, error_model="numpy")
def rows_within(score: Floats, margin: float) -> NDArray[np.int64]:
    """See the plain twin: two pointers that only move down."""
    counts = np.empty(score.shape, np.int64)
    tables, rows = score.shape
    for table in range(tables):
        end = 0
        for row in range(rows):
            while end < rows and not score[table, row] - score[table, end] > margin:
                end += 1
            counts[table, row] = end
    return counts


@njit(cache=True, nogil=True, error_model="numpy")
def first_positive(above: Floats, pos: Floats, neg: Floats) -> Floats:
    """See the plain twin."""
    values = np.empty(above.shape)
    for table in range(above.size):
        a, p, q = above[table], pos[table], neg[table]
        value, none_yet, drawn = 0.0, 1.0, 0
        while drawn < q and none_yet > 0:
            left = p + q - drawn
            value += none_yet * p / left / (a + drawn + 1)
            none_yet *= (left - p) / left
            drawn += 1
        values[table] = value + none_yet / (a + drawn + 1)
    return values


@njit(cache=True, nogil=True, error_model="numpy")
def absolute_series(start: float, step: float, terms: float) -> float:
    """See the plain twin."""
    if terms <= 0:
        return 0.0
    before = 0.0
    if step != 0 and np.isfinite(start / step):
        before = min(max(np.floor(-start / step) + 1, 0.0), terms)
    end = start + (terms - 1) * step
    turn = start + (before - 1) * step
    return (abs(before * (start + turn)) + abs((terms - before) * (turn + step + end))) / 2


@njit(cache=True, nogil=True, error_model="numpy")
def window_gap(position: Floats, height: Floats, window: Floats) -> Floats:
    """See the plain twin: both ends of the window walk along the positions."""
    values = np.empty(window.shape)
    for table in range(window.size):
        x, h, w = position[table], height[table], window[table]
        rows = x.size - 1
        while rows > 1 and x[rows] == x[rows - 1]:
            rows -= 1
        last = np.floor(x[rows] - w)
        low = high = 0
        here, total, next_whole = 0.0, 0.0, 0.0
        while next_whole <= last:
            while low < rows - 1 and x[low + 1] <= here:
                low += 1
            while high < rows - 1 and x[high + 1] - w <= here:
                high += 1
            there = last
            if x[low + 1] > here:
                there = min(there, x[low + 1])
            if x[high + 1] - w > here:
                there = min(there, x[high + 1] - w)
            rise = (h[high + 1] - h[high]) / (x[high + 1] - x[high])
            fall = (h[low + 1] - h[low]) / (x[low + 1] - x[low])
            change = h[high] + rise * (here + w - x[high]) - h[low] - fall * (here - x[low])
            slope = rise - fall
            terms = np.floor(there) - next_whole + 1
            if terms > 0:
                total += absolute_series(change + slope * (next_whole - here), slope, terms)
                next_whole += terms
            if there <= here:
                break
            here = there
        values[table] = total / (last + 1) / w
    return values
