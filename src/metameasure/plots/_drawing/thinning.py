"""Curves as lines to draw: what lies between their points, thinned to what the eye can see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure.curves import Curve

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]
    Mask = NDArray[np.bool_]
    Line = tuple[Floats, Floats]

COLUMNS = 2000
"""A picture is never looked at with more dots from left to right."""
NEAR = 1 / 4000
"""A point that lies nearer to the line without it, as a share of the picture, is not seen."""
BEND = 0.03
"""The growth of the cases taken from one point to the next where precision is bent.

Precision is a + b / taken there, so that a straight line misses it by BEND² / 4 at most.
"""
WIDE = 0.005


def trace(curve: Curve, keep: Mask | None = None) -> Line:
    """The points of a curve, with straight lines between them.

    Corners and bends are put in where the curve has them; points that cannot be seen are left out
    but for those that are to be kept.
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
    """A line without the points that cannot be seen."""
    places = seen(x, (y,), keep)
    return x[places], y[places]


def seen(x: Floats, lines: Sequence[Floats], keep: Mask | None = None) -> Indices:
    """The places of the points that can be seen on one of several lines over the same x.

    First the first, last, lowest and highest point of each column of dots are left, then those
    without which a line would be another one.
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
    """The first, last, lowest and highest point of each column of dots, as far as x keeps going."""
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
    """The points that a line needs to be seen as it is (Ramer, Douglas and Peucker)."""
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
    """The corners of a line of steps, from left to right."""
    if x.size and x[0] > x[-1]:
        x, y, keep = x[::-1], y[::-1], keep[::-1]
    if x.size > 4 * COLUMNS:
        places = _of_columns(x, y) | keep
        x, y, keep = x[places], y[places], keep[places]
    kept = np.zeros(max(0, 2 * x.size - 1), dtype=bool)
    kept[::2] = keep
    return thinned(*corners(x, y, left=left), kept)


def corners(x: Floats, y: Floats, *, left: bool) -> Line:
    """Points with corners between them: the height of the left one holds, or of the right one."""
    wide, high = np.repeat(x, 2), np.repeat(y, 2)
    return (wide[1:], high[:-1]) if left else (wide[:-1], high[1:])


def _bent(curve: Curve, x: Floats, y: Floats, keep: Mask) -> tuple[Floats, Floats, Mask]:
    """Precision where both classes are added in proportion, with points in wide gaps."""
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
