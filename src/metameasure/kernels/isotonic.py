"""Isotonic regression of one table, by SciPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats


def pools(pos: Floats, weight: Floats | None) -> NDArray[np.int64]:
    """The start of each pool of adjacent rows of one table.

    Rows are pooled until the fraction of positives decreases from each pool to the next. Rows are
    ordered from the highest score to the lowest; without weights each has weight 1.
    """
    from scipy.optimize import isotonic_regression  # noqa: PLC0415

    if weight is None:
        fit = isotonic_regression(pos, increasing=False)
    elif weight.all():
        fit = isotonic_regression(pos / weight, weights=weight, increasing=False)
    else:
        # A row without weight belongs to the pool before it.
        rows = np.flatnonzero(weight)
        if not rows.size:
            return np.zeros(1, dtype=np.int64)
        begin: NDArray[np.int64] = rows[pools(pos[rows], weight[rows])]
        begin[0] = 0
        return begin
    starts: NDArray[np.int64] = fit.blocks[:-1]
    return starts
