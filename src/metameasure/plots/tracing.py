"""Curves as lines to draw: what lies between their points, thinned to what the eye can see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure.curves import Curve

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]
    Line = tuple[Floats, Floats]

COLUMNS = 2000
"""A picture is never looked at with more dots from left to right."""
NEAR = 1 / 4000
"""A point that lies nearer to the line without it, as a share of the picture, is not seen."""
BENDS = 16
"""How many points are put where a line between two points is bent."""
WIDE = 0.005


def trace(curve: Curve, line: str | None = None, keep: Mask | None = None) -> Line:
    """The points of a curve, or of another of its lines, with straight lines between them.

    Corners and bends are put in where the curve has them; points that cannot be seen are left out
    but for those that are to be kept.
    """
    x, y = curve.x, curve.y if line is None else curve.others[line]
    known = np.isfinite(x) & np.isfinite(y)
    if curve.between == "odds":
        x = np.linspace(0.0, min(1.0, float(np.max(x[known]))), COLUMNS + 1)[:-1]
        return thinned(x, curve.at(x, line))
    if curve.between == "hyperbola" and curve.counts is not None:
        return thinned(*_bent(curve, x, y))
    x, y = x[known], y[known]
    keep = None if keep is None else keep[known]
    if curve.between in {"step", "riser"}:
        return _stepped(x, y, left=curve.between == "step")
    return thinned(x, y, keep)


def thinned(x: Floats, y: Floats, keep: Mask | None = None) -> Line:
    """A line without the points that cannot be seen.

    First the first, last, lowest and highest point of each column of dots are left, then those
    without which the line would be another one.
    """
    kept = np.zeros(x.size, dtype=bool) if keep is None else keep.copy()
    if x.size > 4 * COLUMNS:
        places = np.flatnonzero(_of_columns(x, y) | kept)
        x, y, kept = x[places], y[places], kept[places]
    seen = _bending(_scaled(x), _scaled(y), kept)
    return x[seen], y[seen]


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


def _stepped(x: Floats, y: Floats, *, left: bool) -> Line:
    """Corners between points: the height of the point at the left holds, or that at the right."""
    if x.size and x[0] > x[-1]:
        x, y = x[::-1], y[::-1]
    if x.size > 4 * COLUMNS:
        places = _of_columns(x, y)
        x, y = x[places], y[places]
    wide, high = np.repeat(x, 2), np.repeat(y, 2)
    corners = (wide[1:], high[:-1]) if left else (wide[:-1], high[1:])
    return thinned(*corners)


def _bent(curve: Curve, x: Floats, y: Floats) -> Line:
    """Precision where both classes are added in proportion, with points in wide gaps."""
    assert curve.counts is not None  # noqa: S101 - what lies between says so
    tp, fp = curve.counts
    wide = np.flatnonzero((np.diff(x) > WIDE) & (np.diff(fp) > 0) & (tp[:-1] > 0))
    share = np.arange(1, BENDS) / BENDS
    more = [begin + (end - begin) * share for begin, end in _ends(wide, tp)]
    false = [begin + (end - begin) * share for begin, end in _ends(wide, fp)]
    if not more:
        return x, y
    found, alarmed = np.concatenate(more), np.concatenate(false)
    where = np.repeat(wide + 1, share.size)
    recall, precision = found / tp[-1], found / (found + alarmed)
    return np.insert(x, where, recall), np.insert(y, where, precision)


def _ends(places: NDArray[np.int64], counts: Floats) -> list[tuple[float, float]]:
    return list(zip(counts[places].tolist(), counts[places + 1].tolist(), strict=True))
