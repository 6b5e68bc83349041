"""Isometrics: the lines in ROC space on which a measure is constant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import POSITIVE, Real, read_argument
from metameasure.curves import FPR, TPR, Curve
from metameasure.errors import DataError, ParameterError
from metameasure.measurement import threshold_measure
from metameasure.table import Cut

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure._types import Floats
    from metameasure.measurement import Measure

    Along = Callable[[Floats], Floats]


NARROW = np.geomspace(1e-5, 5e-3, 25)
PLACES = np.unique(np.concatenate([np.linspace(0.0, 1.0, 101), NARROW, 1 - NARROW]))
"""First places of the search for an isometric: equally spaced, and close to the sides."""
ROUNDS, CLOSE, MOST_POINTS = 10, 1e-6, 4000
"""Maximum rounds of refinement, tolerance between points, and maximum number of points."""
MANY = 1000.0
TRIED = np.array([0.15, 0.35, 0.55, 0.85])
STEPS = 512
"""Number of intervals that are searched for a change of sign."""
HALVINGS = 60
NEAR = 1e-14
"""Relative difference up to which a value equals the goal."""
Terms = tuple[Any, Any, Any]
"""The factor of TPR, that of FPR, and a constant, of a line in ROC space."""


def isometric(measure: str | Measure, value: float, r: float = 1.0) -> Curve:
    """The points of ROC space at which a measure has a given value.

    The measure must depend only on TPR, FPR and the ratio r of negatives to positives. Accuracy,
    precision, F and other ratios of linear functions have straight lines, which are returned as
    their two ends. For other measures points are found by bisection along vertical and horizontal
    lines, until the error between points is at most 1e-6; of several branches at the same FPR the
    lowest is returned.

    Args:
        measure: the measure, or its text.
        value: the value of the measure.
        r: the class ratio N/P.

    >>> line = isometric("accuracy", 0.75, r=3)  # TPR = r FPR + (1 + r) accuracy - r
    >>> line.x, line.y
    (array([0.        , 0.33333333]), array([0., 1.]))
    """
    chosen = of_rates(measure, "an isometric")
    ratio = read_argument("r", r, POSITIVE)
    value = read_argument("value", value, Real(infinite=True))
    terms = line(chosen, value, ratio)
    if terms is not None:
        points = np.array(ends(terms)).reshape(-1, 2)
        points = points[:1] if len(points) and (points[0] == points[-1]).all() else points
    else:
        points = _traced(chosen, value, ratio)
    if not len(points):
        raise DataError(f"{chosen} is nowhere {value:g} in ROC space with r = {ratio:g}")
    x, y = points.T
    return Curve(f"isometric of {chosen} = {value:g}", x, y, labels=(FPR, TPR))


def value_in_roc_space(measure: Measure, fpr: Any, tpr: Any, r: Any) -> Floats:
    """The value of a measure at points of ROC space, with r negatives per positive."""
    return measure.at_cut(Cut(np.asarray(tpr), fpr * r, np.float64(1.0), np.asarray(r)))


def of_rates(measure: str | Measure, what: str, argument: str = "measure") -> Measure:
    """A measure that depends only on TPR, FPR and r."""
    chosen = threshold_measure(measure, what, argument)
    if not depends_on_rates(chosen):
        raise ParameterError(
            f"{what} needs a measure of TPR, FPR and the class ratio; {chosen} depends on the "
            "number of cases",
            argument=argument,
        )
    return chosen


def depends_on_rates(chosen: Measure) -> bool:
    """Whether a measure does not change when all counts are multiplied."""
    x, y = (side.reshape(-1) for side in np.meshgrid(TRIED, TRIED[::-1] - 0.02))
    few = value_in_roc_space(chosen, x, y, 1.5)
    many = chosen.at_cut(Cut(y * MANY, x * 1.5 * MANY, MANY, 1.5 * MANY))
    return np.allclose(few, many, rtol=1e-9, atol=1e-12, equal_nan=True)


def read_on_diagonal(measure: Measure, value: Any, r: Any) -> Any:
    """The TPR at which the isometric of each value meets the descending diagonal."""
    terms = line(measure, value, r)
    if terms is not None:
        return on_diagonal(terms)
    goal, ratio = (np.asarray(a, dtype=np.float64) for a in np.broadcast_arrays(value, r))
    ratios = ratio.reshape(-1, 1)

    def along(tpr: Floats) -> Floats:
        return value_in_roc_space(measure, 1 - tpr, tpr, ratios)

    return first_roots(along, goal.reshape(-1)).reshape(goal.shape)


def _traced(measure: Measure, value: float, r: float) -> Floats:
    """Points of an isometric, dense enough for the tolerance between them."""

    def at_fpr(x: Floats) -> Floats:
        y = first_roots(
            lambda tpr: value_in_roc_space(measure, x[:, np.newaxis], tpr, r),
            np.full(x.size, value),
        )
        return np.column_stack([x, y])

    def at_tpr(y: Floats) -> Floats:
        x = first_roots(
            lambda fpr: value_in_roc_space(measure, fpr, y[:, np.newaxis], r),
            np.full(y.size, value),
        )
        return np.column_stack([x, y])

    found = at_fpr(PLACES)
    # Vertical and steep parts are found along horizontal lines.
    points = _known(np.concatenate([found, at_tpr(PLACES)]))
    for _ in range(ROUNDS):
        middle, wide = (points[1:] + points[:-1]) / 2, np.abs(np.diff(points, axis=0))
        off = np.abs(value_in_roc_space(measure, middle[:, 0], middle[:, 1], r) - value)
        bent = off > CLOSE * max(1.0, abs(value))
        if not bent.any() or len(points) > MOST_POINTS:
            break
        level = wide[:, 0] >= wide[:, 1]
        more = [at_fpr(middle[bent & level, 0]), at_tpr(middle[bent & ~level, 1])]
        points = _known(np.concatenate([points, *more]))
    return points


def _known(points: Floats) -> Floats:
    """The finite points, from left to right and upwards."""
    return np.unique(points[np.isfinite(points).all(axis=1)], axis=0)


def line(measure: Measure, value: Any, r: Any) -> Terms | None:
    """The line on which a measure has a value; None if its isometrics are not straight.

    With P = 1 and N = r a measure with straight isometrics is (a TPR + b FPR + c) / (a' TPR +
    b' FPR + c'), so that its value is v on the line (a - v a') TPR + (b - v b') FPR + (c - v c')
    = 0. An infinite value is taken where the denominator is 0.
    """
    made = measure.declaration.ratio
    if made is None:
        return None
    above, below = made(r, **dict(measure.parameters))
    infinite, finite = np.isinf(value), np.where(np.isinf(value), 0.0, value)
    terms = (np.where(infinite, b, a - finite * b) for a, b in zip(above, below, strict=True))
    first, second, constant = terms
    return first, second, constant


def on_diagonal(terms: Terms) -> Any:
    """The TPR at which a line meets the descending diagonal TPR = 1 - FPR."""
    first, second, constant = terms
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.clip((second + constant) / (second - first), 0.0, 1.0) + 0.0


def ends(terms: Terms) -> list[tuple[float, float]]:
    """Where a line enters and leaves the unit square, as (FPR, TPR) from left to right."""
    first, second, constant = (float(term) for term in terms)
    found: list[tuple[float, float]] = []
    if first:
        found += [(edge, -(second * edge + constant) / first) for edge in (0.0, 1.0)]
    if second:
        found += [(-(first * edge + constant) / second, edge) for edge in (0.0, 1.0)]
    size = abs(first) + abs(second) + abs(constant)
    slack = 1e-12 * size / max(abs(first), abs(second), 1e-300)
    inside = sorted(
        (min(max(x, 0.0), 1.0) + 0.0, min(max(y, 0.0), 1.0) + 0.0)
        for x, y in found
        if -slack <= x <= 1 + slack and -slack <= y <= 1 + slack
    )
    return [inside[0], inside[-1]] if inside else []


def first_roots(along: Along, goal: Floats) -> Floats:
    """The first place from 0 to 1 at which a function reaches each goal; NaN if there is none.

    ``along`` maps places of shape (goals, places) to values; each goal has its own line. Intervals
    with a change of sign are bisected.
    """
    goals = goal[:, np.newaxis]
    grid = np.linspace(0.0, 1.0, STEPS + 1)
    values = along(np.broadcast_to(grid, (goal.size, grid.size)))
    with np.errstate(invalid="ignore"):
        apart = values - goals
        near = np.abs(apart) <= NEAR * np.maximum(1.0, np.abs(goals))
        reached = (values == goals) | (near & np.isfinite(goals))
        side = np.sign(apart)
        changed = side[:, :-1] * side[:, 1:] < 0
    step = np.argmax(changed, axis=1)
    rows = np.arange(goal.size)
    low, high = grid[step], grid[step + 1]
    rises = apart[rows, step] < 0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        under = (along(middle[:, np.newaxis])[:, 0] < goal) == rises
        low, high = np.where(under, middle, low), np.where(under, high, middle)
    found = np.where(changed.any(axis=1), (low + high) / 2, np.nan)
    met = grid[np.argmax(reached, axis=1)]
    return np.where(reached.any(axis=1), np.fmin(met, found), found)
