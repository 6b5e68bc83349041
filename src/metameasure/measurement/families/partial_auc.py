"""The area under a part of the ROC curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Flag, Range
from metameasure.measurement import A_CLASS_EMPTY, Differentiable, between_orders, measure

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.table import ScoreTable


def _slopes_of_partial_auc(
    table: ScoreTable,
    fpr: tuple[float, float] = (0.0, 0.1),
    tpr: tuple[float, float] | None = None,
    standardized: bool = False,
) -> tuple[Floats, Floats]:
    """How much a positive and a negative at each row change the partial area.

    The area over a range of true positive rates is that over false positive rates from the other
    end of the ranking, with the classes exchanged.
    """
    if tpr is None:
        of_positive, of_negative = _slopes_of_area(table.pos, table.neg, fpr)
    else:
        seen_from_below = table.neg[::-1], table.pos[::-1]
        slopes = _slopes_of_area(*seen_from_below, (1 - tpr[1], 1 - tpr[0]))
        of_negative, of_positive = (slope[::-1] for slope in slopes)
    low, high = _ends_of_partial_auc(fpr, tpr, standardized)
    width = fpr[1] - fpr[0] if tpr is None else tpr[1] - tpr[0]
    factor = (high - low) / width
    return factor * of_positive, factor * of_negative


def _slopes_of_area(pos: Floats, neg: Floats, limits: tuple[float, float]) -> tuple[Floats, Floats]:
    """How much a positive and a negative at each row change the area between two rates.

    A positive raises the curve from its row on. A negative stretches the curve at its row, where
    the area grows by the height of the curve, and with it the axis that the limits refer to.
    """
    tp, fp = (np.concatenate([[0.0], np.cumsum(w)]) for w in (pos, neg))
    n_pos, n_neg = tp[-1], fp[-1]
    low, high = limits[0] * n_neg, limits[1] * n_neg
    begin, end = np.clip(fp[:-1], low, high), np.clip(fp[1:], low, high)
    rise = np.divide(pos, neg, out=np.zeros_like(pos), where=neg > 0)
    height = tp[:-1] + rise * ((begin + end) / 2 - fp[:-1])
    area = float(np.sum(height * (end - begin)))
    # Within the row of a positive the curve is raised by half on average.
    raised = np.concatenate([np.cumsum((end - begin)[::-1])[::-1][1:], [0.0]])
    inside = (
        np.divide(
            np.square(fp[1:] - begin) - np.square(fp[1:] - end),
            2 * neg**2,
            out=np.zeros_like(pos),
            where=neg > 0,
        )
        * neg
    )
    of_positive = raised + (end - begin) - inside
    at_low, at_high = np.interp([low, high], fp, tp)
    before, within = _fractions(fp, low, high)
    stretched = within * height - at_high * (before + within) + at_low * before
    of_negative = stretched + limits[1] * at_high - limits[0] * at_low
    scale = n_pos * n_neg
    return of_positive / scale - area / scale / n_pos, of_negative / scale - area / scale / n_neg


def _fractions(upto: Floats, low: float, high: float) -> tuple[Floats, Floats]:
    """The fraction of each row that lies below an interval, and the one that lies inside.

    A row without extent lies on one side.
    """
    first, last = upto[:-1], upto[1:]
    extent = last - first
    below = np.clip(low - first, 0.0, extent)
    inside = np.clip(high - first, 0.0, extent) - below
    empty = extent == 0
    parts = (
        np.divide(part, extent, out=here.astype(np.float64), where=~empty)
        for part, here in ((below, first < low), (inside, (first >= low) & (first < high)))
    )
    before, within = parts
    return before, within


def _ends_of_partial_auc(
    fpr: tuple[float, float] = (0.0, 0.1),
    tpr: tuple[float, float] | None = None,
    standardized: bool = False,
) -> tuple[float, float]:
    """The partial areas of the worst and of a perfect ranking."""
    low, high = fpr if tpr is None else (1 - tpr[1], 1 - tpr[0])
    if not standardized:
        return 0.0, high - low
    diagonal = (high**2 - low**2) / 2
    return (1 - diagonal / (high - low - diagonal)) / 2, 1.0


@measure(
    symbol="pAUC", family="ranking", best="max", range=(-np.inf, 1),
    baseline=0.005, invariant_to={"monotone", "prevalence", "replication"},
    undefined=A_CLASS_EMPTY, formula=r"\int_a^b TPR \, dFPR", reference="mcclish1989",
    parameters={"fpr": Range(), "tpr": Range(), "standardized": Flag()}, stated=("fpr",),
    exclusive=[("fpr", "tpr")],
    sampling=Differentiable(_slopes_of_partial_auc, ends=_ends_of_partial_auc),
    bounds=between_orders,
)  # fmt: skip
def partial_auc(
    table: ScoreTable,
    fpr: tuple[float, float] = (0.0, 0.1),
    tpr: tuple[float, float] | None = None,
    standardized: bool = False,
) -> Any:
    """The area under the ROC curve between two false positive rates, or two true positive rates.

    With ``tpr`` it is the area of the true negative rate over that range of true positive rates.
    Standardized by McClish, a random ranking has 0.5 and a perfect one 1.

    >>> partial_auc([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1], fpr=(0, 0.2))
    0.08
    """
    if tpr is None:
        area = _area_between(table.fp, table.tp, fpr) / (table.N * table.P)
    else:
        beside = np.expand_dims(table.N, -1) - table.fp
        area = _area_between(table.tp, beside, tpr) / (table.N * table.P)
    low, high = fpr if tpr is None else (1 - tpr[1], 1 - tpr[0])
    area = np.clip(area, 0.0, high - low)  # a sum of products may exceed it by rounding
    if not standardized:
        return area
    diagonal = (high**2 - low**2) / 2
    return (1 + (area - diagonal) / (high - low - diagonal)) / 2


def _area_between(x: Any, y: Any, limits: tuple[float, float]) -> Any:
    """The area under a polyline between two fractions of its last x."""
    low, high = (np.expand_dims(x[..., -1] * limit, -1) for limit in limits)
    if x.ndim == 1:
        rows = slice(np.searchsorted(x, low[0], "right") - 1, np.searchsorted(x, high[0]) + 1)
        x, y = x[rows], y[rows]
    left, right = x[..., :-1], x[..., 1:]
    begin, end = np.clip(left, low, high), np.clip(right, low, high)
    slope = np.where(right > left, (y[..., 1:] - y[..., :-1]) / (right - left), 0.0)
    middle = y[..., :-1] + slope * ((begin + end) / 2 - left)
    return np.sum(np.where(end > begin, middle * (end - begin), 0.0), axis=-1)
