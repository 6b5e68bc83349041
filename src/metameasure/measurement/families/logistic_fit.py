"""Logistic regression of the labels on the log odds of the scores, for a table or a block."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from metameasure.kernels import dot

if TYPE_CHECKING:
    from metameasure.table import ScoreTable

ITERATIONS = 200
HALVINGS = 60
SMALL_STEP = 1e-8
COARSE_ROWS = 4096
IN_CACHE = 16384


class Coefficients(NamedTuple):
    """What is fitted: log odds of a positive = intercept + slope times log odds of the score."""

    intercept: Any
    slope: Any


def fit_logistic(table: ScoreTable, clip: float | None, *, fit_slope: bool = True) -> Coefficients:
    """The coefficients, NaN where they are not finite; without ``fit_slope`` the slope is 1."""
    x = _log_odds(table.score, clip)
    finite = np.isfinite(x)
    possible = (table.P > 0) & (table.N > 0)
    if not finite.all():
        possible = possible & ~np.any(~finite & (table.weight > 0), axis=-1)
        x = np.where(finite, x, 0.0)
    x, pos, neg = np.broadcast_arrays(x, table.pos, table.neg)
    if fit_slope:
        possible = possible & _overlap(x, pos, neg)
    rows = x.shape[-1]
    values = np.full((*table.shape, 2), np.nan)
    if np.all(possible):
        x, pos, neg = (a.reshape(-1, rows) for a in (x, pos, neg))
        values = _fit(x, pos, neg, fit_slope).reshape(values.shape)
    elif np.any(possible):
        values[possible] = _fit(x[possible], pos[possible], neg[possible], fit_slope)
    return Coefficients(values[..., 0][()], values[..., 1][()])


def _log_odds(score: Any, clip: float | None) -> Any:
    if clip is None:
        return np.log(score / (1 - score))
    # Clipping the log odds keeps digits that 1 - clip would lose.
    limit = math.log1p(-clip) - math.log(clip)
    inner = np.clip(score, clip, 1 - clip)
    x = np.log(inner / (1 - inner))
    return np.where(score <= clip, -limit, np.where(score >= 1 - clip, limit, x))


class Derivatives(NamedTuple):
    """How cases at each row of a table change a fitted coefficient.

    Attributes:
        of_positive, of_negative: the change by a case of weight 1, to the first order.
        variance: its variance for a case of unknown class, if the model holds.
    """

    of_positive: Any
    of_negative: Any
    variance: Any


def fit_derivatives(
    table: ScoreTable, clip: float | None, *, of_slope: bool, fit_slope: bool = True
) -> Derivatives:
    """The derivatives of the slope, or of the intercept, of one table; both must be finite."""
    x = _log_odds(table.score, clip)
    at, pos, neg = (np.reshape(a, (1, -1)) for a in (x, table.pos, table.neg))
    intercept, slope = _fit(at, pos, neg, fit_slope)[0]
    odds = intercept + slope * x
    miss, hit = (1 / (1 + np.exp(np.clip(each, -700, 700))) for each in (odds, -odds))
    spread = table.weight * hit * miss
    lever = _levers(x, spread, of_slope=of_slope, fit_slope=fit_slope)
    return Derivatives(lever * miss, -lever * hit, lever**2 * hit * miss)


def _levers(x: Any, spread: Any, *, of_slope: bool, fit_slope: bool) -> Any:
    """How much a residual at each row changes a coefficient: the inverse information matrix."""
    total = np.sum(spread)
    if not fit_slope:
        return np.full_like(x, 1 / total)
    center = dot(spread, x) / total
    of_slopes = (x - center) / dot(spread, (x - center) ** 2)
    return of_slopes if of_slope else 1 / total - center * of_slopes


def _overlap(x: Any, pos: Any, neg: Any) -> Any:
    """Whether the classes overlap: a positive below a negative and vice versa."""
    ends = []
    for weight in (pos, neg):
        first = np.argmax(weight > 0, axis=-1)
        last = weight.shape[-1] - 1 - np.argmax(weight[..., ::-1] > 0, axis=-1)
        ends += [np.take_along_axis(x, row[..., np.newaxis], -1)[..., 0] for row in (first, last)]
    highest_pos, lowest_pos, highest_neg, lowest_neg = ends
    return (lowest_pos < highest_neg) & (lowest_neg < highest_pos)


def _fit(x: Any, pos: Any, neg: Any, fit_slope: bool) -> Any:
    """The fitted intercepts and slopes, (tables, 2), of tables (tables, rows) with finite ones."""
    solve = _slope if fit_slope else _intercept
    weight = pos + neg
    # Centering the log odds does not change the slope and improves the conditioning.
    center = dot(weight, x) / np.sum(weight, axis=-1) if fit_slope else np.zeros(x.shape[0])
    x = x - center[..., np.newaxis]
    start = None
    if x.shape[-1] > 4 * COARSE_ROWS:
        coarse = _coarser(x, pos, neg)
        if _overlap(*coarse).all():
            start = solve(*coarse, None)
    fitted = solve(x, pos, neg, start)
    fitted[:, 0] -= fitted[:, 1] * center
    return fitted


def _coarser(x: Any, pos: Any, neg: Any) -> tuple[Any, Any, Any]:
    """Adjacent rows merged at their mean, to get starting values for tables with many rows."""
    starts = np.linspace(0, x.shape[-1], COARSE_ROWS, endpoint=False).astype(np.int64)
    summed = (np.add.reduceat(a, starts, axis=-1) for a in (pos, neg, (pos + neg) * x))
    pos, neg, moment = summed
    return moment / np.where(pos + neg > 0, pos + neg, 1.0), pos, neg


def _intercept(x: Any, pos: Any, neg: Any, start: Any) -> Any:
    """The intercept with the slope 1: the root of a decreasing function, by bracketed Newton."""
    spare = 1 + np.abs(np.log(np.sum(pos, axis=-1)) - np.log(np.sum(neg, axis=-1)))
    low, high = -np.max(x, axis=-1) - spare, -np.min(x, axis=-1) + spare
    theta = np.ones((x.shape[0], 2))
    theta[:, 0] = (low + high) / 2 if start is None else start[:, 0]
    for _ in range(ITERATIONS):
        here = theta[:, 0].copy()
        gradient, _, spread, *_ = _moments(x, pos, neg, theta, fit_slope=False)
        low, high = np.where(gradient > 0, here, low), np.where(gradient > 0, high, here)
        newton = here + gradient / spread
        inside = (newton > low) & (newton < high)
        # A table that has converged is at the edge of its bracket and needs no bisection.
        inside |= np.abs(newton - here) <= SMALL_STEP
        theta[:, 0] = np.where(inside, newton, (low + high) / 2)
        if np.all(np.abs(theta[:, 0] - here) <= 1e-15 * (1 + np.abs(here)) + SMALL_STEP * inside):
            # Newton steps shrink quadratically: after a step this small, the next changes no digit.
            break
    return theta


def _slope(x: Any, pos: Any, neg: Any, start: Any) -> Any:
    """Intercept and slope by Newton's method, with steps shortened until they do not overshoot.

    The log likelihood is concave, so its derivative decreases along a step: a step is too long if
    the derivative becomes clearly negative.
    """
    theta = np.zeros((x.shape[0], 2)) if start is None else start
    gradient, step = _newton_step(x, pos, neg, theta)
    for _ in range(ITERATIONS):
        if np.all(np.abs(step) <= SMALL_STEP * (1 + np.abs(theta))):
            return theta + step
        rise = np.sum(gradient * step, axis=-1)
        for _ in range(HALVINGS):
            tried, next_step = _newton_step(x, pos, neg, theta + step)
            too_far = ~(np.sum(tried * step, axis=-1) >= -0.1 * rise)
            if not too_far.any():
                break
            shorter = too_far[:, np.newaxis]
            step, rise = np.where(shorter, step / 2, step), np.where(too_far, rise / 2, rise)
        theta, gradient, step = theta + step, tried, next_step
    return np.full(theta.shape, np.nan)


def _newton_step(x: Any, pos: Any, neg: Any, theta: Any) -> tuple[Any, Any]:
    """The gradient of the log likelihood, and Newton's step from here."""
    g0, g1, h00, h01, h11 = _moments(x, pos, neg, theta, fit_slope=True)
    det = h00 * h11 - h01**2
    step = np.stack([(h11 * g0 - h01 * g1) / det, (h00 * g1 - h01 * g0) / det], axis=-1)
    return np.stack([g0, g1], axis=-1), step


def _moments(x: Any, pos: Any, neg: Any, theta: Any, *, fit_slope: bool) -> Any:
    """The sums over rows in the first and second derivatives."""
    sums = np.zeros((5, x.shape[0]))
    for begin in range(0, x.shape[-1], IN_CACHE):
        part = slice(begin, begin + IN_CACHE)
        sums += _moments_in_cache(x[:, part], pos[:, part], neg[:, part], theta, fit_slope)
    return sums


def _moments_in_cache(x: Any, pos: Any, neg: Any, theta: Any, fit_slope: bool) -> Any:
    """The residual: pos times the probability of a negative minus neg times that of a positive.

    This form is accurate for probabilities near 0 and 1.
    """
    odds = theta[:, 1:] * x
    odds += theta[:, :1]
    np.exp(odds, out=odds)
    miss = 1 / (1 + odds)
    hit = np.where(np.isinf(odds), 1.0, odds * miss)
    missed, alarmed = pos * miss, neg * hit
    residual = missed - alarmed
    spread = missed * hit + alarmed * miss
    sums = np.zeros((5, x.shape[0]))
    sums[0], sums[2] = np.sum(residual, axis=-1), np.sum(spread, axis=-1)
    if fit_slope:
        sums[1], sums[3] = dot(residual, x), dot(spread, x)
        np.multiply(spread, x, out=spread)
        sums[4] = dot(spread, x)
    return sums
