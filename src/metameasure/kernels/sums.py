"""Sums of products that keep their digits.

NumPy adds pairwise, so that the error grows with the logarithm of the length; a product of vectors
in BLAS does not promise that, and wakes threads for work of a millisecond.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BLOCK = 4096
ROUNDING = 1e-12
"""By how much, relatively, a sum of weights may differ from what it stands for."""


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
