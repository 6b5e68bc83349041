"""Measures of order and margin: how far apart the scores of both classes are.

Scores must lie in [0, 1]. All are sums of gaps between neighbouring scores, so that nothing is lost
when all scores are close together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure import kernels
from metameasure.families.reasons import A_CLASS_EMPTY
from metameasure.kernels.sums import dot
from metameasure.registry import Real, measure

if TYPE_CHECKING:
    from metameasure.table import ScoreTable


def _gaps(table: ScoreTable) -> Any:
    """From each score down to the next; one less than rows."""
    return table.score[..., :-1] - table.score[..., 1:]


@measure(
    symbol="sAUC", aliases=("sauc", "soft_auc"), family="scored", best="max", range=(0, 1),
    baseline=0.0, invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY,
    unit_scores=True, formula=r"\frac{1}{PN} \sum_{i,j} (s_i - s_j)^+", reference="wu2007",
)  # fmt: skip
def scored_auc(table: ScoreTable) -> Any:
    """The mean margin by which positives score higher than negatives; other pairs count 0.

    It is the area under the curve of the AUC as all positive scores are lowered.

    >>> scored_auc([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.233333...
    """
    kept = table.tp[..., 1:-1] * (table.N[..., np.newaxis] - table.fp[..., 1:-1])
    return dot(kept, _gaps(table)) / (table.P * table.N)


@measure(
    symbol="R+", family="scored", best="max", range=(0, 1),
    invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY, unit_scores=True,
    formula=r"\frac{1}{PN} \sum_{i,j} s_i ([s_i > s_j] + [s_i = s_j]/2)", reference="wu2007",
)  # fmt: skip
def r_plus(table: ScoreTable) -> Any:
    """The mean score of the positives, weighted by the share of the negatives that they beat.

    With r_minus it splits the scored AUC: scored_auc = r_plus - r_minus.

    >>> r_plus([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.425
    """
    beaten = table.N[..., np.newaxis] - table.fp[..., 1:] + table.neg / 2
    return dot(table.pos * beaten, table.score) / (table.P * table.N)


@measure(
    symbol="R-", family="scored", best="min", range=(0, 1),
    invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY, unit_scores=True,
    formula=r"\frac{1}{PN} \sum_{i,j} s_j ([s_i > s_j] + [s_i = s_j]/2)", reference="wu2007",
)  # fmt: skip
def r_minus(table: ScoreTable) -> Any:
    """The mean score of the negatives, weighted by the share of the positives that beat them.

    >>> r_minus([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.191666...
    """
    beaten_by = table.tp[..., 1:] - table.pos / 2
    return dot(table.neg * beaten_by, table.score) / (table.P * table.N)


@measure(
    symbol="mAUC", family="scored", best="max", range=(0, 1), baseline=0.0,
    invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY, unit_scores=True,
    formula=r"\frac{1}{PN} \sum_{i,j} [s_i - s_j > \tau]", reference="wu2007",
    parameters={"tau": Real(0, 1)},
)  # fmt: skip
def margin_auc(table: ScoreTable, tau: float = 0.1) -> Any:
    """The share of the pairs in which the positive scores higher by more than tau.

    A pair at exactly the margin does not count.

    >>> margin_auc([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1], tau=0.3)
    0.333333...
    """
    rows = table.score.shape[-1]
    scores = np.ascontiguousarray(table.score.reshape(-1, rows))
    chosen = kernels.for_size(scores.size)
    within = chosen.rows_within(scores, tau).reshape(table.score.shape)
    within = np.broadcast_to(within, table.pos.shape)
    below = table.N[..., np.newaxis] - np.take_along_axis(table.fp, within, -1)
    return dot(table.pos, below) / (table.P * table.N)


@measure(
    symbol="M+-M-", family="scored", best="max", range=(-1, 1), baseline=0.0,
    invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY, unit_scores=True,
    formula=r"M^+ - M^-", reference="wu2007",
)  # fmt: skip
def mean_gap(table: ScoreTable) -> Any:
    """The mean score of the positives less the mean score of the negatives.

    >>> mean_gap([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.150000...
    """
    ahead = table.tp[..., 1:-1] * table.N[..., np.newaxis]
    ahead -= table.fp[..., 1:-1] * table.P[..., np.newaxis]
    return dot(ahead, _gaps(table)) / (table.P * table.N)


@measure(
    symbol="pAUC*", family="scored", best="max", range=(0, 1), baseline=0.5,
    invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY, unit_scores=True,
    formula=r"\frac{1 + M^+ - M^-}{2}", reference="ferri2005",
)  # fmt: skip
def probabilistic_auc(table: ScoreTable) -> Any:
    """The mean gap between the classes' scores, on the scale of the AUC.

    >>> probabilistic_auc([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.575
    """
    return (1 + mean_gap.compute(table)) / 2
