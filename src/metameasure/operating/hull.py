"""The upper convex hull of points in ROC space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from metameasure._types import Floats, Indices


FLAT = 1e-15
"""Twice the area of a triangle up to which three points count as collinear (rounding)."""


def upper_hull(x: Floats, y: Floats) -> Indices:
    """The indices of the vertices of the upper hull, from left to right.

    Of equal points the first counts; a point on the line between two others does not.
    """
    order = np.lexsort((np.arange(x.size), y, x))
    hull: list[int] = []
    for place in order.tolist():
        if hull and x[hull[-1]] == x[place] and y[hull[-1]] == y[place]:
            continue
        while len(hull) > 1 and _turn(x, y, hull[-2], hull[-1], place) >= -FLAT:
            hull.pop()
        hull.append(place)
    return np.array(hull)


def _turn(x: Floats, y: Floats, first: int, second: int, third: int) -> float:
    """Twice the signed area of a triangle, negative for a right turn."""
    along = (x[second] - x[first]) * (y[third] - y[first])
    across = (y[second] - y[first]) * (x[third] - x[first])
    return float(along - across)
