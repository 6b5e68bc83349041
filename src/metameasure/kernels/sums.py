"""Accurate sums of products.

NumPy sums pairwise, so that the error grows with the logarithm of the length; a dot product in BLAS
does not guarantee that, and starts threads for work of a millisecond.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BLOCK = 4096
ROUNDING = 1e-12
"""Largest relative rounding error of a sum of weights."""


def dot(a: Any, b: Any) -> Any:
    """The sum of a times b along the last axis, without an array for the products."""
    if a.ndim > 1 or b.ndim > 1:
        return np.einsum("...k,...k->...", a, b)
    if a.size <= BLOCK:
        return np.add.reduce(a * b)
    whole = a.size - a.size % BLOCK
    blocks = (v[:whole].reshape(-1, BLOCK) for v in (a, b))
    parts = np.einsum("bk,bk->b", *blocks)
    return parts.sum() + np.einsum("k,k->", a[whole:], b[whole:])
