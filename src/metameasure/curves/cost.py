"""Cost curves and decision curves: the cost or benefit of decisions for all costs and priors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure.curves._roc import last_scores, thresholds
from metameasure.curves.curve import Curve
from metameasure.curves.curve_kind import NO_CASE, curve
from metameasure.curves.interpolation import net_benefit
from metameasure.measurement import A_CLASS_EMPTY

if TYPE_CHECKING:
    from metameasure.table import ScoreTable

COST = ("probability cost", "normalized expected cost")


@curve(*COST, undefined=A_CLASS_EMPTY, reference="drummond2006")
def cost_curve(table: ScoreTable) -> Curve:
    """The lowest expected cost that any threshold gives, against the probability cost PC.

    The cost PC FNR + (1 - PC) FPR of one threshold is a straight line; this is the lower envelope
    of these lines, whose vertices come from the convex hull of the ROC curve. PC is the fraction
    of the cost due to missed positives if all decisions were wrong: prior cost_fn / (prior cost_fn
    + (1 - prior) cost_fp). The threshold of a point is the best one up to the next point. The area
    is the Brier score after isotonic calibration with equal weights of both classes.

    >>> curve = cost_curve([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    >>> curve.x, curve.y, curve.threshold
    (array([0. , 0. , 0.5, 1. , 1. ]), array([0.  , 0.  , 0.25, 0.  , 0.  ]),
     array([inf, 0.9, 0.5, 0.1, 0.1]))
    """
    hull = table.hull
    found, alarmed = np.diff(hull.tpr, axis=-1), np.diff(hull.fpr, axis=-1)
    change = alarmed / (found + alarmed)
    if table.shape:
        # A row without weight repeats the point before it.
        change = np.where(hull.weight > 0, change, np.where(np.isnan(hull.tpr[..., 1:]), np.nan, 0))
        change = np.maximum.accumulate(change, axis=-1)
    ends = np.zeros((*change.shape[:-1], 1))
    x = np.concatenate([ends, change, ends + 1], axis=-1)
    missed = 1 - hull.tpr[..., 1:]
    cost = change * missed + (1 - change) * hull.fpr[..., 1:]
    y = np.concatenate([ends, cost, ends * hull.tpr[..., -1:]], axis=-1)
    best = last_scores(table)
    return Curve("", x, y, np.concatenate([ends + np.inf, best, best[..., -1:]], axis=-1))


@curve(*COST, undefined=A_CLASS_EMPTY, reference="drummond2006")
def cost_lines(table: ScoreTable) -> Curve:
    """The expected cost PC FNR + (1 - PC) FPR of each threshold against the probability cost PC.

    One curve per threshold, from its false positive rate at PC = 0 to its false negative rate at
    PC = 1; the thresholds are the last of the leading axes.

    >>> cost_lines([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1]).y.tolist()
    [[0.0, 1.0], [0.0, 0.5], [0.5, 0.0], [1.0, 0.0]]
    """
    y = np.stack([table.fpr, 1 - table.tpr], axis=-1)
    limits = np.broadcast_to(thresholds(table), table.fpr.shape)
    return Curve("", np.array([0.0, 1.0]), y, np.broadcast_to(limits[..., np.newaxis], y.shape))


@curve(
    "threshold probability", "net benefit", unit_scores=True, undefined=NO_CASE,
    reference="vickers2006",
)  # fmt: skip
def decision_curve(table: ScoreTable) -> Curve:
    """The net benefit against the threshold probability.

    Net benefit is the number of true positives per case, minus that of false positives weighted by
    the odds t / (1 - t); cases with a score of at least t are treated. The points are at t = 1,
    where nobody is treated, and at the scores, from the highest to the lowest; ``at`` is exact
    between them. The lines ``treat_all`` and ``treat_none`` are the net benefit without a model.

    >>> curve = decision_curve([1, 1, 1, 0, 0], [0.9, 0.5, 0.1, 0.5, 0.2])
    >>> curve.at([0.2, 0.5]), curve.at(0.2, "treat_all")
    (array([0.3, 0.2]), 0.5)
    """
    limits = np.minimum(thresholds(table), 1.0)
    n = table.n[..., np.newaxis]
    y = net_benefit(table.tp, table.fp, n, limits)
    everyone = net_benefit(table.tp[..., -1:], table.fp[..., -1:], n, limits)
    others = {"treat_all": everyone, "treat_none": np.broadcast_to(0.0, y.shape)}
    counts = (table.tp, table.fp)
    return Curve(
        "", limits, y, thresholds(table), between="odds", others=others, counts=counts,
        domain=(0.0, 1.0),
    )  # fmt: skip
