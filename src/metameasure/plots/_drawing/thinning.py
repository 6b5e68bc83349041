"""Curves as polylines, without the points that cannot be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from metameasure._types import Floats, Indices
    from metameasure.curves import Curve

    Line = tuple[Floats, Floats]

COLUMNS = 1000
"""Number of pixel columns that a figure can show."""
BEND = 0.03
"""Relative growth of the predicted positives between two points where precision or lift is curved.

Precision is a + b / taken there, so the error of a straight line is at most BEND² / 4.
"""
WIDE = 0.005
"""Width of a gap in x from which on points are inserted."""


def trace(curve: Curve) -> Line:
    """The vertices of a curve drawn as a polyline, with corners and curved parts."""
    if curve.between in {"hyperbola", "lift"} and curve.counts is not None:
        return thinned(*_bent(curve))
    known = np.isfinite(curve.x) & np.isfinite(curve.y)
    x, y = curve.x[known], curve.y[known]
    if curve.between not in {"step", "riser"}:
        return thinned(x, y)
    if x.size and x[0] > x[-1]:
        x, y = x[::-1], y[::-1]
    return corners(*thinned(x, y), left=curve.between == "step")


def thinned(x: Floats, y: Floats) -> Line:
    """A polyline without the points that cannot be seen."""
    places = seen(x, y)
    return x[places], y[places]


def seen(x: Floats, *lines: Floats) -> Indices:
    """The indices of the points that are visible on one of several lines over the same x.

    Of many points these are the first, last, lowest and highest of each pixel column, for monotone
    x. Matplotlib simplifies the shape of what is left.
    """
    if x.size <= 4 * COLUMNS:
        return np.arange(x.size)
    low, high = x.min(), x.max()
    column = ((x - low) / ((high - low) or 1.0) * COLUMNS).astype(np.int64)
    begin = np.flatnonzero(np.diff(column, prepend=-1))
    sizes = np.diff(np.append(begin, x.size))
    chosen = np.zeros(x.size, dtype=bool)
    chosen[begin] = chosen[begin + sizes - 1] = True
    for y in lines:
        for extreme in (np.minimum, np.maximum):
            alike = y == np.repeat(extreme.reduceat(y, begin), sizes)
            count = np.cumsum(alike)
            before = np.repeat(count[begin] - alike[begin], sizes)
            chosen |= alike & (count - before == 1)
    found: Indices = np.flatnonzero(chosen)
    return found


def corners(x: Floats, y: Floats, *, left: bool) -> Line:
    """The corners of a step function that holds the height of the left, or of the right point."""
    wide, high = np.repeat(x, 2), np.repeat(y, 2)
    return (wide[1:], high[:-1]) if left else (wide[:-1], high[1:])


def _bent(curve: Curve) -> Line:
    """Precision or lift, with points inserted where both classes grow in proportion."""
    assert curve.counts is not None  # noqa: S101 - what lies between says so
    x, y, (tp, fp) = curve.x, curve.y, curve.counts
    bent = tp[:-1] * np.diff(fp) != fp[:-1] * np.diff(tp)
    shares, where = [], []
    for place in np.flatnonzero((np.diff(x) > WIDE) & bent).tolist():
        here, there = tp[place] + fp[place], tp[place + 1] + fp[place + 1]
        pieces = 1 + int(np.log(there / here) / BEND)
        taken = here * (there / here) ** (np.arange(1, pieces) / pieces)
        shares.append((taken - here) / (there - here))
        where.append(np.full(pieces - 1, place))
    if not where:
        return x, y
    share, left = np.concatenate(shares), np.concatenate(where)
    inner = x[left] + share * (x[left + 1] - x[left])
    return np.insert(x, left + 1, inner), np.insert(y, left + 1, curve.at(inner))
