"""Interpolation between the points of curves: values at any x, and areas.

Points are along the last axis; leading axes hold the curves of a block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure.measurement.families import retrieval
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from metameasure._types import Floats, Indices


SLACK = 1e-12
"""Largest distance of an x beyond the ends of a curve that counts as rounding."""
LONG = 512
"""Number of points from which curves are searched one by one, which is then faster."""


def points_before(x: Floats, wanted: Floats, side: Literal["left", "right"]) -> Indices:
    """The number of points of each curve below each wanted x (at or below, with side right).

    The wanted x are shared by all curves, shape (W,), or differ per curve, shape (..., W).
    """
    if x.ndim == 1:
        return np.searchsorted(x, wanted, side=side)
    rows = x.reshape(-1, x.shape[-1])
    if wanted.ndim > 1 or x.shape[-1] >= LONG:
        full = (*x.shape[:-1], wanted.shape[-1])
        asked = np.broadcast_to(wanted, full).reshape(len(rows), -1)
        each = np.empty(asked.shape, np.int64)
        for place, own in enumerate(asked):
            each[place] = rows[place].searchsorted(own, side)
        return each.reshape(full)
    order = np.argsort(wanted, kind="stable")
    # A point counts for the first wanted x above it and for all larger ones.
    goal = np.searchsorted(wanted[order], rows, side="left" if side == "right" else "right")
    size = wanted.size + 1
    goal += np.arange(0, len(rows) * size, size)[:, np.newaxis]
    first = np.bincount(goal.reshape(-1), minlength=len(rows) * size).reshape(-1, size)
    found = np.empty((len(rows), wanted.size), np.int64)
    found[:, order] = np.cumsum(first[:, :-1], axis=-1)
    return found.reshape(*x.shape[:-1], wanted.size)


def points_at(values: Floats, index: Indices) -> Floats:
    """The entries of each curve at its own indices, or of all curves at the same ones."""
    if index.ndim == 1 or values.ndim == 1:
        return values[..., index]
    full = np.broadcast_to(values, (*index.shape[:-1], values.shape[-1]))
    return np.take_along_axis(full, index, -1)


def heights_at(x: Floats, y: Floats, wanted: Floats, between: str, *, first: bool) -> Floats:
    """The value of each curve at each wanted x."""
    if np.any(x[..., -1] < x[..., 0]):
        x, y, first = x[..., ::-1], y[..., ::-1], not first
    last = x.shape[-1] - 1
    if between == "step":
        place = np.clip(points_before(x, wanted * (1 + ROUNDING), "right") - 1, 0, last)
        found = points_at(y, place)
    elif between == "riser":
        finite = np.isfinite(x[..., -1:]).all()
        place = points_before(x, wanted * (1 - ROUNDING) if finite else wanted, "left")
        found = points_at(y, np.clip(place, 0, last))
    else:
        if first:
            right = np.clip(points_before(x, wanted * (1 - ROUNDING), "left"), 0, last)
            left = np.maximum(right - 1, 0)
        else:
            left = np.clip(points_before(x, wanted * (1 + ROUNDING), "right") - 1, 0, last)
            right = np.minimum(left + 1, last)
        here, there = points_at(x, left), points_at(x, right)
        share = np.where(there > here, (wanted - here) / (there - here), float(first))
        below, above = points_at(y, left), points_at(y, right)
        share = np.clip(share, 0.0, 1.0)
        found = np.where(share == 0, below, below + share * (above - below))
    # A curve with undefined x has no value anywhere.
    return np.where(np.isnan(x[..., -1:]), np.nan, found)


def area(x: Floats, y: Floats, between: str) -> Any:
    """The area under each curve, whose x increases."""
    width = np.diff(x, axis=-1)
    if between == "step":
        return np.asarray(np.sum(width * y[..., :-1], axis=-1))
    if between == "riser":
        return np.asarray(np.sum(width * y[..., 1:], axis=-1))
    return np.asarray(np.sum(width * (y[..., 1:] + y[..., :-1]), axis=-1) / 2)


def start_of_precision(tp: Floats, fp: Floats) -> Floats:
    """The precision of the cases with the highest score, along the last axis."""
    taken = tp + fp
    first = np.argmax(taken > 0, axis=-1)[..., np.newaxis]
    return np.take_along_axis(tp, first, -1) / np.take_along_axis(taken, first, -1)


def precision_at(recall: Floats, tp: Floats, fp: Floats, wanted: Floats) -> Floats:
    """The precision at each recall, where both classes grow in proportion between two points.

    Of several points with the same recall, the first counts, which has the fewest negatives.
    """
    last = tp.shape[-1] - 1
    right = np.clip(points_before(recall, wanted * (1 - ROUNDING), "left"), 0, last)
    left = np.maximum(right - 1, 0)
    here, there = points_at(recall, left), points_at(recall, right)
    share = np.where(there > here, (wanted - here) / (there - here), 1.0)
    share = np.clip(share, 0.0, 1.0)
    hits, alarms = (
        np.where(share == 1, after, before + share * (after - before))
        for before, after in ((points_at(a, left), points_at(a, right)) for a in (tp, fp))
    )
    found = np.where(hits + alarms > 0, hits / (hits + alarms), start_of_precision(tp, fp))
    return np.where(np.isnan(recall[..., -1:]), np.nan, found)


def area_of_hyperbolas(tp: Floats, fp: Floats) -> Any:
    """The area under the precision over the recall, where both classes grow in proportion."""
    grown = (np.diff(part, axis=-1) for part in (tp, fp))
    return np.asarray(retrieval.area_of_hyperbolas(tp, fp, *grown) / tp[..., -1])


def lift_at(depth: Floats, tp: Floats, fp: Floats, wanted: Floats) -> Floats:
    """The lift of each fraction of the cases."""
    prevalence = tp[..., -1:] / (tp[..., -1:] + fp[..., -1:])
    return precision_at(depth, tp, fp, wanted) / prevalence


def area_of_lift(depth: Floats, lift: Floats) -> Any:
    """The area under the lift over the fraction of the cases, which both classes grow with.

    From d to e the fraction of positives found is a + b d, and the lift a / d + b.
    """
    found = depth * lift
    run, before = np.diff(depth, axis=-1), depth[..., :-1]
    b = np.where(run > 0, np.diff(found, axis=-1) / run, 0.0)
    a = found[..., :-1] - b * before
    ratio = np.where(before > 0, depth[..., 1:] / before, 1.0)
    return np.asarray(np.sum(a * np.log(ratio) + b * run, axis=-1))


def net_benefit_at(
    threshold: Floats, tp: Floats, fp: Floats, wanted: Floats, line: str | None = None
) -> Floats:
    """The net benefit at each threshold probability.

    Cases with at least that probability are treated; without a model, all cases or none.
    """
    rising = threshold[..., :0:-1]
    treated = rising.shape[-1] - points_before(rising, wanted, "left")
    if line is not None:
        treated = np.full_like(treated, rising.shape[-1] if line == "treat_all" else 0)
    return net_benefit(
        points_at(tp, treated), points_at(fp, treated), tp[..., -1:] + fp[..., -1:], wanted
    )


def net_benefit(tp: Floats, fp: Floats, n: Floats, t: Floats) -> Floats:
    """True positives per case, minus false positives weighted by the odds of the threshold."""
    lost = np.where(fp > 0, fp * (t / (1 - t)), 0.0)
    return (tp - lost) / n
