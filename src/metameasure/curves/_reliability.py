"""The reliability curve: the observed frequency of positives against the predicted probability."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure.curves.curve import Curve
from metameasure.curves.curve_kind import NO_CASE, curve

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.table import ScoreTable


@curve(
    "score", "share of positives", unit_scores=True, undefined=NO_CASE,
    reference="dimitriadis2021", space="calibration",
)  # fmt: skip
def reliability(table: ScoreTable) -> Curve:
    """The fraction of positives at each score, by isotonic regression.

    Adjacent scores are pooled until the fraction increases with the score, so there are no bins to
    choose. Each pool has two points, at its lowest and at its highest score; pools are connected by
    straight lines, and the curve is constant beyond the first and the last pool. The curve of
    calibrated scores stays near the diagonal.

    >>> curve = reliability([1, 0, 1, 0], [0.8, 0.6, 0.4, 0.2])
    >>> curve.x, curve.y
    (array([0.2, 0.4, 0.6, 0.8]), array([0. , 0.5, 0.5, 1. ]))
    """
    if table.shape:
        score, fit = table.score, isotonic_rows(table)
    else:
        score, fit = _knots(table)
    return Curve("", score[..., ::-1], fit[..., ::-1], domain=(0.0, 1.0))


def _knots(table: ScoreTable) -> tuple[Floats, Floats]:
    """The highest and the lowest score of each pool, and its fraction of positives."""
    hull = table.hull
    begin, end = table.pools
    rows = np.column_stack([begin, end]).reshape(-1)
    kept = np.ones(rows.size, dtype=bool)
    kept[1::2] = begin != end
    fit = np.repeat(hull.pos / hull.weight, 2)
    return table.score[rows[kept]], fit[kept]


def isotonic_rows(table: ScoreTable) -> Floats:
    """The isotonic fit of the fraction of positives at each row of a block.

    A row without weight is interpolated between the nearest rows that have weight.
    """
    hull = table.hull
    rows = np.arange(table.pos.shape[-1])
    pool = np.maximum.accumulate(np.where(hull.weight > 0, rows, 0), axis=-1)
    share = hull.pos / hull.weight
    fit = np.take_along_axis(share, pool, -1)
    weighted = table.weight > 0
    if weighted.all():
        return fit
    above = np.maximum.accumulate(np.where(weighted, rows, -1), axis=-1)
    turned = np.where(weighted, rows, rows.size)[..., ::-1]
    below = np.minimum.accumulate(turned, axis=-1)[..., ::-1]
    above, below = (
        np.where(above < 0, np.minimum(below, rows[-1]), above),
        np.where(below == rows.size, np.maximum(above, 0), below),
    )
    score = np.broadcast_to(table.score, table.pos.shape)
    high, low = (np.take_along_axis(score, end, -1) for end in (above, below))
    first, second = (np.take_along_axis(fit, end, -1) for end in (above, below))
    gap = np.where(high > low, high - low, 1.0)
    return np.where(weighted, fit, second + (first - second) * np.maximum(score - low, 0) / gap)
