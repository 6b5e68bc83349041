"""Local linear regression of the labels on the scores (lowess), for a table or a block.

The positive rate at a score is that of a weighted least squares line through the nearest cases, as
in Cleveland's lowess without robustness iterations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.kernels import dot
from metameasure.measurement.families.binning import group
from metameasure.table import ROUNDING, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure._types import Floats

ANCHORS = 101
"""Number of scores at which a line is fitted."""
WIDER = 1.001
"""Width of the window relative to the distance of its last case, so that this case counts, too."""
LEAST_SPREAD = 1e-3
"""Standard deviation of the scores in a window, relative to the range, for a line with a slope."""

CALIBRATED, POOLED_ROWS = 200, 200
"""Number of tables that are drawn for calibrated scores, and the most rows of each."""


def local_rates(table: ScoreTable, span: float) -> Any:
    """The fitted positive rate at each row, clipped to [0, 1].

    Lines are fitted at 101 equally spaced scores from the lowest to the highest, each to the
    nearest cases that have the fraction ``span`` of the weight, with tricube weights; between these
    scores the rate is interpolated.
    """
    score = np.broadcast_to(table.score, table.pos.shape)
    held = table.weight > 0
    low = np.asarray(np.min(score, axis=-1, where=held, initial=np.inf))
    width = np.asarray(np.max(score, axis=-1, where=held, initial=-np.inf)) - low
    last = _last_rows(table, span)
    places = np.linspace(0, 1, ANCHORS)
    fitted = np.stack(
        [_fit(table, score, last, low + place * width, width) for place in places], axis=-1
    )
    share = (score - low[..., np.newaxis]) / width[..., np.newaxis]
    place = np.clip(np.nan_to_num(share), 0, 1) * (ANCHORS - 1)
    left = np.minimum(place.astype(np.int64), ANCHORS - 2)
    here, there = (np.take_along_axis(fitted, rows, -1) for rows in (left, left + 1))
    return np.clip(here + (place - left) * (there - here), 0, 1)


def _last_rows(table: ScoreTable, span: float) -> Any:
    """For a window that begins at each row, its last row; the number of rows if there is none."""
    upto = table.tp + table.fp
    target = upto[..., :-1] + (span * (1 - ROUNDING) * table.n)[..., np.newaxis]
    along, wanted = (a.reshape(-1, a.shape[-1]) for a in (upto, target))
    found = [np.searchsorted(*each) for each in zip(along, wanted, strict=True)]
    return np.reshape(found, target.shape) - 1


def _fit(table: ScoreTable, score: Floats, last: Any, at: Any, width: Any) -> Any:
    """The rate that the line through the cases around a score has there."""
    away = np.abs(score - at[..., np.newaxis])
    # A window that reaches beyond the last row does not have enough weight.
    ends = np.concatenate([away, np.full((*away.shape[:-1], 1), np.inf)], axis=-1)
    reach = np.min(np.maximum(away, np.take_along_axis(ends, last, -1)), axis=-1, keepdims=True)
    near = np.where(reach > 0, np.minimum(away / (WIDER * reach), 1.0), away > 0)
    kernel = _cube(1 - _cube(near))
    total = dot(kernel, table.weight)
    center = dot(kernel * table.weight, score) / total
    apart = score - center[..., np.newaxis]
    variance = dot(kernel * table.weight, apart**2) / total
    rate = dot(kernel, table.pos) / total
    slope = dot(kernel * table.pos, apart) / total / variance
    least = np.maximum(LEAST_SPREAD * width, ROUNDING)
    return rate + np.where(np.sqrt(variance) > least, slope * (at - center), 0.0)


def _cube(x: Any) -> Any:
    """The third power, in a fraction of the time of ``x**3``."""
    return x * x * x


def curve_errors(table: ScoreTable, span: float) -> Any:
    """The absolute difference of the score and the fitted rate at each row.

    It is computed once for all measures of the same curve.
    """
    return table.once(_curve_errors, span)


def _curve_errors(table: ScoreTable, span: float) -> Any:
    return np.abs(table.score - local_rates(table, span))


def mean_error(table: ScoreTable, span: float) -> Any:
    """The mean error of the cases."""
    return dot(table.weight, curve_errors(table, span)) / table.n


def largest_error(table: ScoreTable, span: float) -> Any:
    """The largest error of a case."""
    errors = np.where(table.weight > 0, curve_errors(table, span), 0.0)
    return np.where(table.n > 0, np.max(errors, axis=-1), np.nan)[()]


def quantile_of_errors(table: ScoreTable, span: float, share: float) -> Any:
    """The smallest error that is not exceeded by this fraction of the cases."""
    errors = curve_errors(table, span)
    order = np.argsort(errors, axis=-1)
    errors, weight = (np.take_along_axis(a, order, -1) for a in (errors, table.weight))
    enough = np.cumsum(weight, axis=-1) >= (share * (1 - ROUNDING) * table.n)[..., np.newaxis]
    first = np.argmax(enough & (weight > 0), axis=-1)[..., np.newaxis]
    found = np.take_along_axis(errors, first, -1)[..., 0]
    return np.where(table.n > 0, found, np.nan)[()]


def error_by_chance(
    value: Callable[[ScoreTable, float], Any], table: ScoreTable, probability: float, span: float
) -> float:
    """What a function of the errors exceeds with this probability if the scores are calibrated."""
    with np.errstate(divide="ignore", invalid="ignore"):
        drawn = value(table.once(_calibrated_tables), span)
    return float(np.quantile(drawn, 1 - probability))


def _calibrated_tables(table: ScoreTable) -> ScoreTable:
    """Tables with the scores of this one, pooled, in which scores are true probabilities.

    The curve averages over many cases, so that the weights of the positives are drawn from normal
    distributions. Each call draws the same ones.
    """
    pools = group(table, POOLED_ROWS)
    used = pools.weight > 0
    weight, expected = pools.weight[used], pools.expected[used]
    score = np.clip(expected / weight, 0.0, 1.0)
    noise = np.random.default_rng(0).standard_normal((CALIBRATED, score.size))
    pos = expected + np.sqrt(expected * (1 - score)) * noise
    return ScoreTable.of_weights(score, pos, weight - pos)
