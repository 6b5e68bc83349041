"""Logistic regression of the labels on the log odds of the scores, for a table or a block."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.kernels.sums import dot

if TYPE_CHECKING:
    from metameasure.table import ScoreTable

ITERATIONS = 100
HALVINGS = 30
SMALL_STEP = 1e-8
COARSE_ROWS = 4096
IN_CACHE = 16384


def fit_logistic(table: ScoreTable, clip: float | None, *, fit_slope: bool) -> Any:
    """The slope, or with the slope held at 1 the intercept; NaN where there is no finite one."""
    x = np.log(table.score / (1 - table.score))
    if clip is not None:
        # 1 - clip has lost digits that the limit of the log odds need not lose.
        limit = math.log1p(-clip) - math.log(clip)
        x = np.where(table.score <= clip, -limit, np.where(table.score >= 1 - clip, limit, x))
    finite = np.isfinite(x)
    possible = (table.P > 0) & (table.N > 0)
    if not finite.all():
        possible = possible & ~np.any(~finite & (table.weight > 0), axis=-1)
        x = np.where(finite, x, 0.0)
    x, pos, neg = np.broadcast_arrays(x, table.pos, table.neg)
    if fit_slope:
        possible = possible & _overlap(x, pos, neg)
    rows = x.shape[-1]
    if np.all(possible):
        x, pos, neg = (a.reshape(-1, rows) for a in (x, pos, neg))
        return _fit(x, pos, neg, fit_slope).reshape(table.shape)[()]
    values = np.full(table.shape, np.nan)
    if np.any(possible):
        values[possible] = _fit(x[possible], pos[possible], neg[possible], fit_slope)
    return values[()]


def _overlap(x: Any, pos: Any, neg: Any) -> Any:
    """Whether some positive lies below some negative, and the other way round."""
    ends = []
    for weight in (pos, neg):
        first = np.argmax(weight > 0, axis=-1)
        last = weight.shape[-1] - 1 - np.argmax(weight[..., ::-1] > 0, axis=-1)
        ends += [np.take_along_axis(x, row[..., np.newaxis], -1)[..., 0] for row in (first, last)]
    highest_pos, lowest_pos, highest_neg, lowest_neg = ends
    return (lowest_pos < highest_neg) & (lowest_neg < highest_pos)


def _fit(x: Any, pos: Any, neg: Any, fit_slope: bool) -> Any:
    """The fitted slopes or intercepts of tables (tables, rows) that have one."""
    theta = np.zeros((x.shape[0], 2))
    if fit_slope:
        # The slope does not feel where the log odds begin; around their mean it is well posed.
        weight = pos + neg
        x = x - (dot(weight, x) / np.sum(weight, axis=-1))[..., np.newaxis]
    else:
        theta[:, 1] = 1.0
    if x.shape[-1] > 4 * COARSE_ROWS:
        coarse = _coarser(x, pos, neg)
        if _overlap(*coarse).all():
            theta = _newton(*coarse, theta, fit_slope)
    return _newton(x, pos, neg, theta, fit_slope)[:, 1 if fit_slope else 0]


def _coarser(x: Any, pos: Any, neg: Any) -> tuple[Any, Any, Any]:
    """Neighbouring rows put together at their mean: a near start for tables with many rows."""
    starts = np.linspace(0, x.shape[-1], COARSE_ROWS, endpoint=False).astype(np.int64)
    summed = (np.add.reduceat(a, starts, axis=-1) for a in (pos, neg, (pos + neg) * x))
    pos, neg, moment = summed
    return moment / np.where(pos + neg > 0, pos + neg, 1.0), pos, neg


def _newton(x: Any, pos: Any, neg: Any, theta: Any, fit_slope: bool) -> Any:
    """Newton's method, each step halved until the gradient shrinks, for all tables at once."""
    weight = pos + neg
    gradient, step = _derivatives(x, pos, weight, theta, fit_slope)
    for _ in range(ITERATIONS):
        # Steps shrink quadratically: after one so small, the next would change no digit.
        if np.all(np.abs(step) <= SMALL_STEP * (1 + np.abs(theta))):
            break
        for _ in range(HALVINGS):
            tried, next_step = _derivatives(x, pos, weight, theta + step, fit_slope)
            worse = ~(tried <= gradient)
            if not worse.any():
                break
            step = np.where(worse[:, np.newaxis], step / 2, step)
        theta, gradient, step = theta + step, tried, next_step
    return theta + step


def _derivatives(x: Any, pos: Any, weight: Any, theta: Any, fit_slope: bool) -> tuple[Any, Any]:
    """The size of the gradient of the log likelihood, and Newton's step from here."""
    sums = np.zeros((5, x.shape[0]))
    for begin in range(0, x.shape[-1], IN_CACHE):
        part = slice(begin, begin + IN_CACHE)
        sums += _moments(x[:, part], pos[:, part], weight[:, part], theta, fit_slope)
    g0, g1, h00, h01, h11 = sums
    if not fit_slope:
        return np.abs(g0), np.stack([g0 / h00, np.zeros_like(g0)], axis=-1)
    det = h00 * h11 - h01**2
    step = np.stack([(h11 * g0 - h01 * g1) / det, (h00 * g1 - h01 * g0) / det], axis=-1)
    return np.hypot(g0, g1), step


def _moments(x: Any, pos: Any, weight: Any, theta: Any, fit_slope: bool) -> Any:
    """The sums over rows that the first and second derivatives are made of."""
    expected = theta[:, 1:] * x
    expected += theta[:, :1]
    np.negative(expected, out=expected)
    np.exp(expected, out=expected)
    expected += 1
    np.reciprocal(expected, out=expected)
    residual = weight * expected
    np.subtract(1, expected, out=expected)
    spread = np.multiply(residual, expected, out=expected)
    np.subtract(pos, residual, out=residual)
    sums = np.zeros((5, x.shape[0]))
    sums[0], sums[2] = np.sum(residual, axis=-1), np.sum(spread, axis=-1)
    if fit_slope:
        sums[1], sums[3] = dot(residual, x), dot(spread, x)
        np.multiply(spread, x, out=spread)
        sums[4] = dot(spread, x)
    return sums
