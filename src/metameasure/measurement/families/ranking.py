"""Measures of the order of the scores: the ROC curve and its summaries."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.kernels import dot
from metameasure.measurement import (
    A_CLASS_EMPTY,
    Added,
    Extreme,
    Extremes,
    From,
    KolmogorovSmirnov,
    MannWhitney,
    OfHull,
    PairMean,
    Sums,
    between_orders,
    is_as_good,
    measure,
)
from metameasure.measurement.families import structure

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.measurement import Measure
    from metameasure.table import CoarseTable, ScoreTable


def _wins(table: ScoreTable) -> tuple[Any, Any]:
    """The fraction of negatives below a positive at each row, and of positives above a negative."""
    fp, tp = table.fp, table.tp
    beaten = 1 - (fp[..., 1:] + fp[..., :-1]) / (2 * np.expand_dims(table.N, -1))
    return beaten, (tp[..., 1:] + tp[..., :-1]) / (2 * np.expand_dims(table.P, -1))


def _scaled(components: tuple[Any, Any], factor: float, shift: float) -> tuple[Any, Any]:
    of_positives, of_negatives = components
    return factor * of_positives + shift, factor * of_negatives + shift


@measure(
    symbol="AUC", aliases=("roc_auc", "c_statistic", "roc_auc_score"),
    family="ranking", best="max", range=(0, 1),
    baseline=0.5, invariant_to={"monotone", "prevalence", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"\frac{1}{PN} \sum_k q_k (tp_{k-1} + p_k / 2)", reference="bamber1975, hanley1982",
    sampling=PairMean(_wins), partial=Added(), null=MannWhitney(),
    quantum=structure.quantum_of_pairs,
    right_pairs=True,
    bounds=between_orders,
)  # fmt: skip
def auc(table: ScoreTable) -> Any:
    """The probability that a random positive scores higher than a random negative.

    A tie counts one half, which is the area under the ROC curve with straight lines across ties.

    >>> auc([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.583333...
    """
    below, above = dot(table.neg, table.tp[..., :-1]), dot(table.neg, table.tp[..., 1:])
    return (below + above) / 2 / (table.P * table.N)


@measure(
    symbol="Gini", aliases=("accuracy_ratio",), family="ranking", best="max", range=(-1, 1),
    baseline=0.0, invariant_to={"monotone", "prevalence", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"2 AUC - 1", reference="somers1962",
    sampling=PairMean(lambda table: _scaled(_wins(table), 2, -1)),
    partial=From(lambda auc: 2 * auc - 1, auc),
    quantum=structure.quantum_of_both_rates,
    right_pairs=True,
    bounds=between_orders,
)  # fmt: skip
def gini(table: ScoreTable) -> Any:
    """The probability that a random positive scores higher than a random negative, minus lower.

    >>> gini([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.166666...
    """
    return 2 * auc.compute(table) - 1


@measure(
    symbol="AAD", family="ranking", best="max", range=(-0.5, 0.5), baseline=0.0,
    invariant_to={"monotone", "prevalence", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"AUC - 1/2", reference="xie2022",
    sampling=PairMean(lambda table: _scaled(_wins(table), 1, -0.5)),
    partial=From(lambda auc: auc - 0.5, auc),
    quantum=structure.quantum_of_pairs,
    right_pairs=True,
    bounds=between_orders,
)  # fmt: skip
def area_above_diagonal(table: ScoreTable) -> Any:
    """The area between the ROC curve and the diagonal of a random ranking.

    >>> area_above_diagonal([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.083333...
    """
    return auc.compute(table) - 0.5


@measure(
    symbol="ADI", family="ranking", best="max", range=(0, 1), baseline=0.5,
    invariant_to={"monotone", "prevalence", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"TPR(t) \; where \; TPR(t) = 1 - FPR(t)", reference="xie2022",
    bounds=between_orders,
)  # fmt: skip
def antidiagonal_intercept(table: ScoreTable) -> Any:
    """The true positive rate at the point where it equals the true negative rate.

    That is where the ROC curve, with straight lines across ties, meets the descending diagonal.

    >>> antidiagonal_intercept([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.6
    """
    wins = table.tp * np.expand_dims(table.N, -1) + table.fp * np.expand_dims(table.P, -1)
    goal = table.P * table.N
    passed = np.count_nonzero(wins < np.expand_dims(goal, -1), axis=-1)
    after = np.clip(passed, 1, table.pos.shape[-1])[..., np.newaxis]
    tp, there = (np.take_along_axis(a, after, -1)[..., 0] for a in (table.tp, wins))
    tp0, here = (np.take_along_axis(a, after - 1, -1)[..., 0] for a in (table.tp, wins))
    fraction = (goal - here) / (there - here)
    return (tp0 + fraction * (tp - tp0)) / table.P


@measure(
    symbol="EER", family="ranking", best="min", range=(0, 1), baseline=0.5,
    invariant_to={"monotone", "prevalence", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"FPR(t) \; where \; FPR(t) = FNR(t)", reference="xie2022",
    bounds=between_orders,
)  # fmt: skip
def equal_error_rate(table: ScoreTable) -> Any:
    """The false positive rate at the point where it equals the false negative rate.

    >>> equal_error_rate([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.4
    """
    return 1 - antidiagonal_intercept.compute(table)


@measure(
    symbol="AUCH", family="ranking", best="max", range=(0.5, 1), baseline=0.5,
    invariant_to={"monotone", "prevalence", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"\sum_i (x_{i+1} - x_i) \frac{y_i + y_{i+1}}{2} \; over \; the \; hull",
    reference="provost2001",
    sampling=Extreme(pooled=True), partial=OfHull(),
    quantum=structure.quantum_of_pairs,
    bounds=between_orders,
)  # fmt: skip
def auch(table: ScoreTable) -> Any:
    """The area under the convex hull of the ROC curve.

    >>> auch([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.666666...
    """
    return auc.compute(table.hull)


def _rate_gaps(table: ScoreTable) -> Any:
    """The difference between the true and the false positive rate at each threshold."""
    return table.tpr - table.fpr


def _largest_gap(high: Any, low: Any) -> Any:
    """The one that is larger in size; of two of equal size, the positive one."""
    return np.where(is_as_good(high, -low), high, low)


def _ks_by_chance(table: ScoreTable, probability: float) -> float:
    """The value that the distance of two samples of one distribution exceeds by chance."""
    from scipy.special import kolmogi  # noqa: PLC0415

    return float(kolmogi(probability)) * math.sqrt(1 / table.P + 1 / table.N)


def _slopes_of_ks(table: ScoreTable) -> tuple[Floats, Floats]:
    """How much a positive and a negative at each row change KS, at the cut where it is."""
    gaps = _rate_gaps(table)
    cut = int(np.argmax(np.abs(gaps)))
    above = np.arange(table.score.size) < cut
    sign = 1.0 if gaps[cut] >= 0 else -1.0
    of_positive = sign * (above - table.tpr[cut]) / table.P
    return of_positive, -sign * (above - table.fpr[cut]) / table.N


def _bounds_of_ks(
    measure: Measure,  # noqa: ARG001
    coarse: CoarseTable,
) -> tuple[float, float]:
    """The differences at the corners of the buckets, and the largest possible ones.

    The exact ROC curve passes through the corners. Inside a bucket the difference is at most that
    after all its positives and before all its negatives, and at least that of the opposite order.
    """
    gaps = [t.tpr - t.fpr for t in (coarse.corners, coarse.best, coarse.worst)]
    certain, *possible = (float(np.max(np.abs(gap))) for gap in gaps)
    return certain, max(possible)


@measure(
    symbol="KS", aliases=("kolmogorov_smirnov", "ks_statistic"), family="ranking", best="max",
    range=(0, 1), baseline=0.0, invariant_to={"monotone", "prevalence", "replication"},
    undefined=A_CLASS_EMPTY, formula=r"\max_t |TPR(t) - FPR(t)|",
    reference="smirnov1948, berrar2014",
    sampling=Extreme(by_chance=_ks_by_chance, pooled=True, slopes=_slopes_of_ks),
    partial=Extremes(_rate_gaps, lambda high, low: np.maximum(high, -low)),
    null=KolmogorovSmirnov(),
    quantum=structure.quantum_of_both_rates,
    bounds=_bounds_of_ks,
)  # fmt: skip
def ks(table: ScoreTable) -> Any:
    """The largest absolute difference between the true and the false positive rate.

    >>> ks([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.333333...
    """
    return np.max(np.abs(_rate_gaps(table)), axis=-1)


@measure(
    symbol="KS+-", family="ranking", best="max", range=(-1, 1), baseline=0.0,
    invariant_to={"monotone", "prevalence", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"TPR(t) - FPR(t), \; t = \arg\max |TPR - FPR|", reference="berrar2014",
    sampling=Extreme(pooled=True), partial=Extremes(_rate_gaps, _largest_gap),
    quantum=structure.quantum_of_both_rates,
    bounds=between_orders,
)  # fmt: skip
def signed_ks(table: ScoreTable) -> Any:
    """The difference between the true and the false positive rate that is largest in size.

    It is KS with a sign: negative if negatives tend to score higher. Of two differences of equal
    size it is the positive one.

    >>> signed_ks([0, 1, 0, 1], [0.9, 0.5, 0.4, 0.2])
    -0.5
    """
    gaps = _rate_gaps(table)
    return _largest_gap(np.max(gaps, axis=-1), np.min(gaps, axis=-1))


def _gap_and_distinct(table: ScoreTable) -> tuple[Any, Any]:
    return _gap(table), table.distinct


def _quantum_of_mean_gap(P: Any, N: Any) -> Any:
    """A sum of differences of rates, divided by a number of thresholds."""
    return 1 / (P * N * structure.common_multiple(P + N))


@measure(
    symbol="ABC", family="ranking", best="max", range=(-1, 1), baseline=0.0,
    invariant_to={"monotone", "prevalence", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"\frac{1}{K} \sum_{k=1}^{K-1} (TPR_k - FPR_k)", reference="berrar2014",
    partial=Sums(_gap_and_distinct, lambda gap, distinct: gap / distinct),
    quantum=_quantum_of_mean_gap,
    right_pairs=True,
)  # fmt: skip
def abc(table: ScoreTable) -> Any:
    """The area between the curves of TPR and FPR over the thresholds, scaled to width one.

    It is signed, and 0 when all cases have the same score.

    >>> abc([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.041666...
    """
    return _gap(table) / table.distinct


@measure(
    symbol="taKS", family="ranking", best="max", range=(-1, 1),
    invariant_to={"monotone", "prevalence", "replication"},
    undefined="a class is empty, or all cases have the same score",
    formula=r"\frac{1}{K-1} \sum_{k=1}^{K-1} (TPR_k - FPR_k)", reference="berrar2014",
    partial=Sums(_gap_and_distinct, lambda gap, distinct: gap / (distinct - 1)),
    quantum=_quantum_of_mean_gap,
    right_pairs=True,
)  # fmt: skip
def taks(table: ScoreTable) -> Any:
    """The mean of TPR - FPR over the thresholds, without the two trivial ones.

    Without ties it is an increasing function of the AUC; ties are rewarded.

    >>> taks([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.055555...
    """
    return _gap(table) / (table.distinct - 1)


def _gap(table: ScoreTable) -> Any:
    """The sum of TPR - FPR over the thresholds after rows that have weight."""
    gap = table.tp[..., 1:] * np.expand_dims(table.N, -1)
    gap -= table.fp[..., 1:] * np.expand_dims(table.P, -1)
    if not table.weight.all():
        gap *= table.weight > 0
    return np.sum(gap, axis=-1) / (table.P * table.N)
