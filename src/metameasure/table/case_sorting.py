"""Sorting of cases by their score, from the highest to the lowest, with their class and weight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.kernels import descending_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats, Mask


SHORT = 512
"""Number of rows up to which the tables of a large block are contiguous row by row."""

SPLIT_FROM = 4096
"""Number of cases from which sorting each class separately is faster."""


def merged_classes(positive: Mask, score: Floats) -> tuple[Floats, Floats, Floats, int]:
    """The sorted scores of unweighted cases, their classes as weights, and the number of positives.

    The cases are split by class, each part is sorted, and both are merged, which is several times
    faster than sorting indices: timsort finds the two sorted runs and merges them in one pass.
    Buffers are reused, since allocating memory costs more than the arithmetic.
    """
    runs = np.empty(score.size)
    positives = int(np.count_nonzero(positive))
    negatives = score.size - positives
    for part, run in ((~positive, runs[:negatives]), (positive, runs[negatives:])):
        np.compress(part, score, out=run)
        np.subtract(0.0, run, out=run)
        run.sort()
    order = np.argsort(runs, kind="stable")
    merged = runs[order]
    np.subtract(0.0, merged, out=merged)
    pos = np.greater_equal(order, negatives, out=runs)
    neg = np.subtract(1.0, pos, out=order.view(np.float64))
    return merged, pos, neg, positives


def sorted_rows(
    positive: Mask, score: Floats, weight: Floats | None
) -> tuple[Floats, Floats, Floats]:
    """The sorted scores of a block of lists of cases, and the weights of both classes."""
    shape, rows = score.shape, score.shape[-1]
    flat = np.ascontiguousarray(score).reshape(-1, rows)
    cases = descending_rows(flat)

    def moved(values: NDArray[Any]) -> Any:
        line = np.broadcast_to(values, shape).reshape(-1)
        found = line.take(cases).reshape(shape)
        # Short tables are processed faster when they are contiguous row by row.
        short = rows <= SHORT and len(cases) >= SHORT
        return np.asfortranarray(found) if short else found

    score, positive = moved(flat.reshape(shape)) + 0.0, moved(positive)
    if weight is None:
        pos = positive.astype(np.float64)
        return score, pos, 1.0 - pos
    weight = moved(weight)
    pos = np.where(positive, weight, 0.0)
    return score, pos, weight - pos
