"""Ties: which of several models a measure prefers, if any.

There is one rule. Two values tie if they differ by at most ``ROUNDING`` (1e-12) times the largest
of both absolute values and a scale. The scale is 1 for values of measures. Values with a unit have
another one, such as ``scale_of`` for lists of numbers of an unknown unit. A declared quantum is
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


def scale_of(values: Floats, *, axis: int | None = None) -> Floats:
    """The scale of values of an unknown unit: their largest finite size, but at most 1.

    It is not the size of each value: a difference of values near 1 may be close to 0 and keep their
    rounding error.

    >>> scale_of(np.array([[0.2, -0.5], [3.0, np.inf]]), axis=1)
    array([[0.5],
           [1. ]])
    """
    sizes = np.abs(values)
    finite = np.where(np.isfinite(sizes), sizes, 0.0)
    return np.asarray(np.minimum(np.max(finite, axis=axis, keepdims=True, initial=0.0), 1.0))


def merged(values: Floats, *, scale: Any = 1.0) -> Floats:
    """The values, where those that tie along the last axis are replaced by the least of them.

    A value ties with all in a chain in which each one ties with the next; none is undefined.

    >>> merged(np.array([0.1 + 0.2, 0.7, 0.3]))
    array([0.3, 0.7, 0.3])
    """
    order = np.argsort(values, axis=-1)
    both = np.broadcast_arrays(values, scale)
    ordered, sizes = (np.take_along_axis(each, order, -1) for each in both)
    sizes = np.maximum(sizes[..., 1:], sizes[..., :-1])
    apart = preference(ordered[..., 1:], ordered[..., :-1], scale=sizes) > 0
    place = np.zeros(order.shape, np.intp)
    place[..., 1:] = np.where(apart, np.arange(1, order.shape[-1]), 0)
    first = np.maximum.accumulate(place, axis=-1)
    found = np.empty(ordered.shape)
    np.put_along_axis(found, order, np.take_along_axis(ordered, first, -1), -1)
    return found


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
