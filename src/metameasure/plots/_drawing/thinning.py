"""Curves as polylines, thinned to the visible resolution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Indices, Mask
    from metameasure.curves import Curve

    Line = tuple[Floats, Floats]

COLUMNS = 2000
"""Number of pixel columns that a figure can show."""
NEAR = 1 / 4000
"""Largest distance of a dropped point from the drawn line, as a fraction of the figure."""
BEND = 0.03
"""Relative growth of the predicted positives between two points where precision is curved.

Precision is a + b / taken there, so the error of a straight line is at most BEND² / 4.
"""
WIDE = 0.005
"""Width of a gap in recall from which on points are inserted."""


def trace(curve: Curve, keep: Mask | None = None) -> Line:
    """The vertices of a curve drawn as a polyline.

    Corners and curved parts get vertices; points that cannot be seen are dropped unless they are
    marked by ``keep``.
    """
    x, y = curve.x, curve.y
    known = np.isfinite(x) & np.isfinite(y)
    kept = np.zeros(x.size, dtype=bool) if keep is None else keep
    if curve.between == "hyperbola" and curve.counts is not None:
        return thinned(*_bent(curve, x, y, kept))
    x, y, kept = x[known], y[known], kept[known]
    if curve.between in {"step", "riser"}:
        return _stepped(x, y, kept, left=curve.between == "step")
    return thinned(x, y, kept)


def thinned(x: Floats, y: Floats, keep: Mask | None = None) -> Line:
    """A polyline without the points that cannot be seen."""
    places = seen(x, (y,), keep)
    return x[places], y[places]


def seen(x: Floats, lines: Sequence[Floats], keep: Mask | None = None) -> Indices:
    """The indices of the points that are visible on one of several lines over the same x.

    First the first, last, lowest and highest point of each pixel column are kept, then the points
    that the lines need to keep their shape.
    """
    kept = np.zeros(x.size, dtype=bool) if keep is None else keep
    places = np.arange(x.size)
    if x.size > 4 * COLUMNS:
        chosen = kept.copy()
        for y in lines:
            chosen |= _of_columns(x, y)
        places = np.flatnonzero(chosen)
    needed = kept[places]
    for y in lines:
        needed = _bending(_scaled(x[places]), _scaled(y[places]), needed)
    found: Indices = places[needed]
    return found


def _scaled(values: Floats) -> Floats:
    if not values.size:
        return values
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.zeros(values.size)


def _of_columns(x: Floats, y: Floats) -> Mask:
    """The first, last, lowest and highest point of each pixel column, for monotone x."""
    column = (_scaled(x) * COLUMNS).astype(np.int64)
    first = np.ones(x.size, dtype=bool)
    first[1:] = column[1:] != column[:-1]
    begin = np.flatnonzero(first)
    last = np.zeros(x.size, dtype=bool)
    last[np.append(begin[1:], x.size) - 1] = True
    sizes = np.diff(np.append(begin, x.size))
    chosen = first | last
    for extreme in (np.minimum, np.maximum):
        alike = y == np.repeat(extreme.reduceat(y, begin), sizes)
        seen = np.cumsum(alike)
        before = np.repeat(seen[begin] - alike[begin], sizes)
        chosen |= alike & (seen - before == 1)
    return chosen


def _bending(x: Floats, y: Floats, keep: Mask) -> Mask:
    """The points that a line needs to keep its shape (Ramer, Douglas and Peucker)."""
    needed = keep.copy()
    if not x.size:
        return needed
    needed[[0, -1]] = True
    pieces = np.flatnonzero(needed)
    stack = list(zip(pieces[:-1].tolist(), pieces[1:].tolist(), strict=True))
    while stack:
        begin, end = stack.pop()
        if end - begin < 2:
            continue
        along, up = x[end] - x[begin], y[end] - y[begin]
        right, above = x[begin + 1 : end] - x[begin], y[begin + 1 : end] - y[begin]
        length = float(np.hypot(along, up))
        distance = np.abs(along * above - up * right) / length if length else np.hypot(right, above)
        place = int(np.argmax(distance))
        if distance[place] > NEAR:
            middle = begin + 1 + place
            needed[middle] = True
            stack += [(begin, middle), (middle, end)]
    return needed


def _stepped(x: Floats, y: Floats, keep: Mask, *, left: bool) -> Line:
    """The corners of a step function, from left to right."""
    if x.size and x[0] > x[-1]:
        x, y, keep = x[::-1], y[::-1], keep[::-1]
    if x.size > 4 * COLUMNS:
        places = _of_columns(x, y) | keep
        x, y, keep = x[places], y[places], keep[places]
    kept = np.zeros(max(0, 2 * x.size - 1), dtype=bool)
    kept[::2] = keep
    return thinned(*corners(x, y, left=left), kept)


def corners(x: Floats, y: Floats, *, left: bool) -> Line:
    """The corners of a step function that holds the height of the left, or of the right point."""
    wide, high = np.repeat(x, 2), np.repeat(y, 2)
    return (wide[1:], high[:-1]) if left else (wide[:-1], high[1:])


def _bent(curve: Curve, x: Floats, y: Floats, keep: Mask) -> tuple[Floats, Floats, Mask]:
    """Precision with points inserted in wide gaps, where both classes are added in proportion."""
    assert curve.counts is not None  # noqa: S101 - what lies between says so
    tp, fp = curve.counts
    bent = tp[:-1] * np.diff(fp) != fp[:-1] * np.diff(tp)
    shares, where = [], []
    for place in np.flatnonzero((np.diff(x) > WIDE) & bent).tolist():
        here, there = tp[place] + fp[place], tp[place + 1] + fp[place + 1]
        pieces = 1 + int(np.log(there / here) / BEND)
        taken = here * (there / here) ** (np.arange(1, pieces) / pieces)
        shares.append((taken - here) / (there - here))
        where.append(np.full(pieces - 1, place))
    if not where:
        return x, y, keep
    share, left = np.concatenate(shares), np.concatenate(where)
    hits, alarms = (a[left] + share * (a[left + 1] - a[left]) for a in (tp, fp))
    return (
        np.insert(x, left + 1, hits / tp[-1]),
        np.insert(y, left + 1, hits / (hits + alarms)),
        np.insert(keep, left + 1, values=False),
    )
