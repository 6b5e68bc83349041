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
def window_gap(position: Floats, height: Floats, window: Floats) -> Floats:
    """See the plain twin: two pointers, one at each end of the window."""
    values = np.empty(window.shape)
    last = position.shape[1] - 1
    for table in range(window.size):
        w = window[table]
        windows = int(np.floor(position[table, last] - w)) + 1
        segment = np.zeros(2, np.int64)
        ends = np.empty(2)
        total = 0.0
        for begin in range(windows):
            for end in range(2):
                x = begin + end * w
                k = segment[end]
                while k < last - 1 and position[table, k + 1] < x:
                    k += 1
                segment[end] = k
                step = position[table, k + 1] - position[table, k]
                part = (x - position[table, k]) / step if step > 0 else 0.0
                rise = height[table, k + 1] - height[table, k]
                ends[end] = height[table, k] + min(part, 1.0) * rise
            total += abs(ends[1] - ends[0])
        values[table] = total / windows / w
    return values
