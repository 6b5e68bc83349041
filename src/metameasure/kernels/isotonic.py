"""Isotonic regression of the labels on the scores: pools of adjacent rows.

Rows are pooled until the fraction of positives decreases from each pool to the next. They are
ordered from the highest score to the lowest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices

LARGE = 512
"""Number of rows above which one table is left to SciPy: faster, but loaded in 0.1 s."""
ROUNDS = 32
"""Number of rounds after which the rows that are left are pooled one by one."""


def pools(pos: Floats, neg: Floats) -> NDArray[np.int64]:
    """The start of each pool of one table; a row without weight belongs to the pool before it."""
    if pos.size > LARGE:
        starts = _pools_by_scipy(pos, pos + neg)
    else:
        starts = pooled(pos, neg, np.zeros(1, np.int64))[0]
    return np.append(0, starts[1:])


def pooled(pos: Floats, neg: Floats, begin: Indices) -> tuple[NDArray[np.int64], Floats, Floats]:
    """The first row of each pool of several tables, and its weight of each class.

    The rows of all tables follow each other, those of a table from its place in ``begin`` on. A
    pool begins with a row that has weight. In each round every row that has at least the fraction
    of positives of the row before it joins that row: a row that begins a pool in the end never
    does, since the corner of the hull before it lies above all lines between two other points.
    """
    first = np.flatnonzero(pos + neg)
    p, q = pos[first], neg[first]
    edges = np.searchsorted(first, begin)
    edges = edges[edges < first.size]
    for _ in range(ROUNDS):
        falls = np.ones(first.size, np.bool_)
        np.greater(p[:-1] * q[1:], p[1:] * q[:-1], out=falls[1:])
        falls[edges] = True
        starts = np.flatnonzero(falls)
        if starts.size == first.size:
            return first, p, q
        first, edges = first[starts], np.searchsorted(starts, edges)
        p, q = np.add.reduceat(p, starts), np.add.reduceat(q, starts)
    starts = np.array(_starts_one_by_one(p.tolist(), q.tolist(), set(edges.tolist())))
    return first[starts], np.add.reduceat(p, starts), np.add.reduceat(q, starts)


def _starts_one_by_one(pos: list[float], neg: list[float], edges: set[int]) -> list[int]:
    """The start of each pool of rows with weight: a row joins pools while they do not decrease."""
    stack: list[tuple[int, float, float]] = []
    of_earlier_tables = 0
    for row in range(len(pos)):
        if row in edges:
            of_earlier_tables = len(stack)
        start, p, q = row, pos[row], neg[row]
        while len(stack) > of_earlier_tables and stack[-1][1] * q <= p * stack[-1][2]:
            start, before_p, before_q = stack.pop()
            p, q = before_p + p, before_q + q
        stack.append((start, p, q))
    return [start for start, _, _ in stack]


def _pools_by_scipy(pos: Floats, weight: Floats) -> NDArray[np.int64]:
    """The first row with weight of each pool of one table, by SciPy, which needs such rows."""
    from scipy.optimize import isotonic_regression  # noqa: PLC0415

    if not weight.all():
        rows = np.flatnonzero(weight)
        return rows[_pools_by_scipy(pos[rows], weight[rows])] if rows.size else rows
    weights = None if weight.min() == weight.max() else weight
    fit = isotonic_regression(pos / weight, weights=weights, increasing=False)
    starts: NDArray[np.int64] = fit.blocks[:-1]
    return starts
