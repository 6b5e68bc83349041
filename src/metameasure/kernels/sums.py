"""Accurate sums of products, and variances that are 0 where values differ only by rounding.

NumPy sums pairwise, so that the error grows with the logarithm of the length; a dot product in BLAS
does not guarantee that, and starts threads for work of a millisecond.
"""

from __future__ import annotations

import math
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


def variance(values: Any, scale: float) -> float:
    """The variance of values that are differences of others of this scale; NaN of one value."""
    if values.size < 2:
        return math.nan
    away = values - np.mean(values)
    if np.max(np.abs(away)) <= ROUNDING * scale:
        return 0.0
    return float(dot(away, away) / (away.size - 1))


def weighted_variance(values: Any, weight: Any, total: Any) -> float:
    """The variance of values that occur several times; NaN if there is only one case."""
    if total < 2:
        return math.nan
    away = values - dot(weight, values) / total
    if is_rounding(away[weight > 0], values[weight > 0]):
        return 0.0
    return float(dot(weight, away * away) / (total - 1))


def is_rounding(away: Any, values: Any) -> bool:
    """Whether values differ from their mean only by rounding."""
    return bool(np.max(np.abs(away)) <= ROUNDING * np.max(np.abs(values)))
