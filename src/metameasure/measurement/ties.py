"""Ties: which of several models a measure prefers, if any.

There is one rule. Two values tie if they differ by at most ``ROUNDING`` (1e-12) times the largest
of both absolute values and a scale, which is 1 unless values have a unit. A declared quantum is
larger than that on all but huge data, so that the decision is then exact. Values are compared as
goodness, so that larger is better. An undefined value (NaN) is neither preferred nor tied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from metameasure._types import Floats, Mask


def tie_tolerance(*values: Any, scale: Any = 1.0) -> Any:
    """The largest difference of values that tie; 0 for infinite ones.

    >>> float(tie_tolerance(0.5, -2.0))
    2e-12
    """
    size = np.asarray(scale, np.float64)
    for each in values:
        size = np.maximum(size, np.abs(each))
    return np.where(np.isfinite(size), ROUNDING * size, 0.0)


def preference(a: Any, b: Any, *, scale: Any = 1.0) -> Floats:
    """1 where a is better, -1 where b is, and 0 where they tie or one is undefined.

    >>> preference(np.array([0.3, 0.5]), np.array([0.1 + 0.2, 0.4]))
    array([0., 1.])
    """
    with np.errstate(invalid="ignore"):
        gap = np.subtract(a, b)
        apart = np.abs(gap) > tie_tolerance(a, b, scale=scale)
    return np.where(apart, np.sign(gap), 0.0)


def is_as_good(value: Any, top: Any, *, scale: Any = 1.0) -> Any:
    """Whether a value is better than another one or ties with it."""
    with np.errstate(invalid="ignore"):
        return value >= top - tie_tolerance(top, scale=scale)


def is_best(values: Floats, *, axis: int = 0, scale: Any = 1.0) -> Mask:
    """Whether each value is the best along an axis or ties with it.

    >>> is_best(np.array([0.3, 0.2, 0.1 + 0.2, np.nan]))
    array([ True, False,  True, False])
    """
    known = ~np.isnan(values)
    top = np.max(np.where(known, values, -np.inf), axis=axis, keepdims=True)
    found: Mask = known & is_as_good(values, top, scale=scale)
    return found
