"""Measures at an operating point: functions of the confusion matrix.

A case is predicted positive if its score is at least the threshold. A cut by ``top`` or ``k`` takes
exactly that weight; inside a tie the matrix is its expectation. 0/0 is undefined, x/0 is infinite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Real
from metameasure.measurement import (
    A_CLASS_EMPTY,
    NO_CASES,
    NO_NEGATIVE,
    NO_POSITIVE,
    NONE_ABOVE,
    NONE_BELOW,
    LeavesOut,
    Share,
    between_orders,
    measure,
)
from metameasure.measurement.families import structure

if TYPE_CHECKING:
    from metameasure.table import Cut


@measure(
    symbol="Acc", aliases=("accuracy_score",), family="threshold", best="max", range=(0, 1), at=0.5,
    baseline=lambda pi: max(pi, 1 - pi), invariant_to={"replication"},
    formula=r"\frac{tp + tn}{n}", reference="xie2022",
    sampling=Share(lambda cut: (cut.tp + cut.tn, cut.n), right=True),
    quantum=structure.quantum_of_cases,
    ratio=lambda r: ((1, -r, r), (0, 0, 1 + r)),
    overall=structure.overall_accuracy,
    bounds=between_orders,
)  # fmt: skip
def accuracy(cut: Cut) -> Any:
    """The fraction of cases that are classified correctly.

    >>> accuracy([1, 1, 0, 0, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1, 0.3])
    0.666666...
    """
    return (cut.tp + cut.tn) / cut.n


@measure(
    symbol="Err", aliases=("zero_one_loss", "hamming_loss"),
    family="threshold", best="min", range=(0, 1), at=0.5,
    baseline=lambda pi: min(pi, 1 - pi), invariant_to={"replication"},
    formula=r"\frac{fp + fn}{n}", reference="xie2022",
    sampling=Share(lambda cut: (cut.fp + cut.fn, cut.n), right=False),
    quantum=structure.quantum_of_cases,
    ratio=lambda r: ((-1, r, 1), (0, 0, 1 + r)),
    overall=structure.overall_error_rate,
    bounds=between_orders,
)  # fmt: skip
def error_rate(cut: Cut) -> Any:
    """The fraction of cases that are classified incorrectly.

    >>> error_rate([1, 1, 0, 0, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1, 0.3])
    0.333333...
    """
    return (cut.fp + cut.fn) / cut.n


@measure(
    symbol="BAcc", aliases=("balanced_accuracy_score", "recall_macro", "macro_recall"),
    family="threshold", best="max", range=(0, 1), at=0.5, baseline=0.5,
    invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"\frac{TPR + TNR}{2}", reference="brodersen2010",
    quantum=structure.quantum_of_pairs,
    ratio=lambda _: ((1, -1, 1), (0, 0, 2)),
    overall=structure.overall_balanced_accuracy,
    leaves_out=LeavesOut(lambda cuts: cuts.P == 0, NO_CASES),
    bounds=between_orders,
)  # fmt: skip
def balanced_accuracy(cut: Cut) -> Any:
    """The accuracy if all classes were equally frequent.

    It is the mean of the true positive rates of the classes.

    >>> balanced_accuracy([1, 1, 0, 0, 0, 0, 0], [0.9, 0.4, 0.5, 0.2, 0.1, 0.3, 0.2])
    0.65
    """
    return (cut.tpr + cut.tnr) / 2


@measure(
    symbol="TPR",
    aliases={
        "recall": "tpr",
        "sensitivity": "tpr",
        "hit_rate": "tpr",
        "recall_score": "tpr",
        "recall_at": "tpr@k=10",
    },
    family="threshold", best="max",
    range=(0, 1), at=0.5, invariant_to={"prevalence", "replication"}, undefined=NO_POSITIVE,
    formula=r"\frac{tp}{P}", reference="yerushalmy1947",
    sampling=Share(lambda cut: (cut.tp, cut.P)),
    quantum=structure.quantum_of_positives,
    ratio=lambda _: ((1, 0, 0), structure.ONE),
    bounds=between_orders,
)  # fmt: skip
def tpr(cut: Cut) -> Any:
    """The fraction of positives that are predicted positive.

    >>> tpr([1, 1, 1, 0, 0], [0.9, 0.5, 0.4, 0.5, 0.2])
    0.666666...
    """
    return cut.tpr


@measure(
    symbol="FPR", aliases=("fall_out", "false_alarm_rate", "type_1_error"), family="threshold",
    best="min", range=(0, 1), at=0.5, invariant_to={"prevalence", "replication"},
    undefined=NO_NEGATIVE, formula=r"\frac{fp}{N}", reference="yerushalmy1947",
    sampling=Share(lambda cut: (cut.fp, cut.N)),
    quantum=structure.quantum_of_negatives,
    ratio=lambda _: ((0, 1, 0), structure.ONE),
    bounds=between_orders,
)  # fmt: skip
def fpr(cut: Cut) -> Any:
    """The fraction of negatives that are predicted positive.

    >>> fpr([1, 1, 0, 0, 0], [0.9, 0.5, 0.5, 0.4, 0.2])
    0.333333...
    """
    return cut.fpr


@measure(
    symbol="TNR", aliases=("specificity",), family="threshold", best="max", range=(0, 1), at=0.5,
    invariant_to={"prevalence", "replication"}, undefined=NO_NEGATIVE,
    formula=r"\frac{tn}{N}", reference="yerushalmy1947",
    sampling=Share(lambda cut: (cut.tn, cut.N)),
    quantum=structure.quantum_of_negatives,
    ratio=lambda _: ((0, -1, 1), structure.ONE),
    bounds=between_orders,
)  # fmt: skip
def tnr(cut: Cut) -> Any:
    """The fraction of negatives that are predicted negative.

    >>> tnr([1, 1, 0, 0, 0], [0.9, 0.5, 0.5, 0.4, 0.2])
    0.666666...
    """
    return cut.tnr


@measure(
    symbol="FNR", aliases=("miss_rate", "type_2_error"), family="threshold", best="min",
    range=(0, 1), at=0.5, invariant_to={"prevalence", "replication"}, undefined=NO_POSITIVE,
    formula=r"\frac{fn}{P}", reference="yerushalmy1947",
    sampling=Share(lambda cut: (cut.fn, cut.P)),
    quantum=structure.quantum_of_positives,
    ratio=lambda _: ((-1, 0, 1), structure.ONE),
    bounds=between_orders,
)  # fmt: skip
def fnr(cut: Cut) -> Any:
    """The fraction of positives that are predicted negative.

    >>> fnr([1, 1, 1, 0, 0], [0.9, 0.5, 0.4, 0.5, 0.2])
    0.333333...
    """
    return cut.fnr


@measure(
    symbol="Prec",
    aliases={
        "ppv": "precision",
        "precision_score": "precision",
        "top_precision": "precision@top=25%",
        "precision_at": "precision@k=10",
        "break_even_point": "precision@k=P",
        "r_precision": "precision@k=P",
    },
    family="threshold", best="max", range=(0, 1), at=0.5, invariant_to={"replication"},
    undefined=NONE_ABOVE, formula=r"\frac{tp}{tp + fp}", reference="kent1955",
    sampling=Share(lambda cut: (cut.tp, cut.tp + cut.fp)),
    ratio=lambda r: ((1, 0, 0), (1, r, 0)),
    bounds=between_orders,
)  # fmt: skip
def precision(cut: Cut) -> Any:
    """The fraction of predicted positives that are positive.

    >>> precision([1, 1, 0, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.666666...
    >>> precision([1, 1, 0, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1], k=2)  # half of the tie is taken
    0.75
    """
    return cut.tp / (cut.tp + cut.fp)


@measure(
    symbol="NPV", family="threshold", best="max", range=(0, 1), at=0.5,
    invariant_to={"replication"}, undefined=NONE_BELOW,
    formula=r"\frac{tn}{tn + fn}", reference="vecchio1966",
    sampling=Share(lambda cut: (cut.tn, cut.tn + cut.fn)),
    ratio=lambda r: ((0, -r, r), (-1, -r, 1 + r)),
    bounds=between_orders,
)  # fmt: skip
def npv(cut: Cut) -> Any:
    """The fraction of predicted negatives that are negative.

    >>> npv([1, 1, 0, 0, 1], [0.9, 0.5, 0.4, 0.2, 0.1])
    0.666666...
    """
    return cut.tn / (cut.tn + cut.fn)


@measure(
    symbol="FDR", family="threshold", best="min", range=(0, 1), at=0.5,
    invariant_to={"replication"}, undefined=NONE_ABOVE,
    formula=r"\frac{fp}{tp + fp}", reference="benjamini1995",
    sampling=Share(lambda cut: (cut.fp, cut.tp + cut.fp)),
    ratio=lambda r: ((0, r, 0), (1, r, 0)),
    bounds=between_orders,
)  # fmt: skip
def fdr(cut: Cut) -> Any:
    """The fraction of predicted positives that are negative.

    >>> fdr([1, 1, 0, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.333333...
    """
    return cut.fp / (cut.tp + cut.fp)


@measure(
    symbol="FOR", family="threshold", best="min", range=(0, 1), at=0.5,
    invariant_to={"replication"}, undefined=NONE_BELOW,
    formula=r"\frac{fn}{tn + fn}", reference="xie2022",
    sampling=Share(lambda cut: (cut.fn, cut.tn + cut.fn)),
    ratio=lambda r: ((-1, 0, 1), (-1, -r, 1 + r)),
    bounds=between_orders,
)  # fmt: skip
def false_omission_rate(cut: Cut) -> Any:
    """The fraction of predicted negatives that are positive.

    >>> false_omission_rate([1, 1, 0, 0, 1], [0.9, 0.5, 0.4, 0.2, 0.1])
    0.333333...
    """
    return cut.fn / (cut.tn + cut.fn)


@measure(
    symbol="LR+", family="threshold", best="max", range=(0, np.inf), at=0.5,
    invariant_to={"prevalence", "replication"},
    undefined="a class is empty, or no case lies above the cut",
    formula=r"\frac{TPR}{FPR}", reference="xie2022",
    ratio=lambda _: ((1, 0, 0), (0, 1, 0)),
    bounds=between_orders,
)  # fmt: skip
def lr_plus(cut: Cut) -> Any:
    """The ratio of the true positive rate to the false positive rate.

    Infinite when no negative is predicted positive.

    >>> lr_plus([1, 1, 0, 0, 0], [0.9, 0.5, 0.5, 0.2, 0.1])
    3.0
    """
    return cut.tpr / cut.fpr


@measure(
    symbol="LR-", family="threshold", best="min", range=(0, np.inf), at=0.5,
    invariant_to={"prevalence", "replication"},
    undefined="a class is empty, or no case lies below the cut",
    formula=r"\frac{FNR}{TNR}", reference="xie2022",
    ratio=lambda _: ((-1, 0, 1), (0, -1, 1)),
    bounds=between_orders,
)  # fmt: skip
def lr_minus(cut: Cut) -> Any:
    """The ratio of the false negative rate to the true negative rate.

    Infinite when no negative is predicted negative.

    >>> lr_minus([1, 1, 1, 0, 0, 0], [0.9, 0.5, 0.1, 0.5, 0.2, 0.1])
    0.5
    """
    return cut.fnr / cut.tnr


@measure(
    symbol="DOR", family="threshold", best="max", range=(0, np.inf), at=0.5,
    invariant_to={"prevalence", "replication"},
    undefined="a class is empty, or both products are 0",
    formula=r"\frac{tp \cdot tn}{fp \cdot fn}", reference="glas2003",
    bounds=between_orders,
)  # fmt: skip
def diagnostic_odds_ratio(cut: Cut) -> Any:
    """The odds of a positive prediction for positives, divided by the odds for negatives.

    Infinite when only the denominator is 0.

    >>> diagnostic_odds_ratio([1, 1, 1, 0, 0, 0], [0.9, 0.5, 0.1, 0.5, 0.2, 0.1])
    4.0
    """
    return (cut.tp * cut.tn) / (cut.fp * cut.fn)


@measure(
    symbol="F", aliases=("f1", "f_beta", "f1_score", "fbeta_score"),
    family="threshold", best="max", range=(0, 1), at=0.5,
    invariant_to={"replication"}, undefined="there is no positive case and none above the cut",
    formula=r"\frac{(1+\beta^2) tp}{(1+\beta^2) tp + \beta^2 fn + fp}",
    reference="vanrijsbergen1979",
    parameters={"beta": Real(0), "alpha": Real(0)}, exclusive=[("beta", "alpha")],
    ratio=structure.ratio_of_f_measure,
    bounds=between_orders,
)  # fmt: skip
def f_measure(cut: Cut, beta: float = 1, alpha: float | None = None) -> Any:
    """The harmonic mean of precision and recall, where recall has the weight alpha = beta².

    Pass beta, or the weight itself as alpha.

    >>> f_measure([1, 1, 0, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1], beta=2)
    0.666666...
    """
    weight = beta**2 if alpha is None else alpha
    found = (1 + weight) * cut.tp
    return found / (found + weight * cut.fn + cut.fp)


@measure(
    symbol="J", aliases=("jaccard_score",), family="threshold", best="max", range=(0, 1), at=0.5,
    invariant_to={"replication"}, undefined="there is no positive case and none above the cut",
    formula=r"\frac{tp}{tp + fp + fn}", reference="jaccard1912",
    ratio=lambda r: ((1, 0, 0), (0, r, 1)),
    bounds=between_orders,
)  # fmt: skip
def jaccard(cut: Cut) -> Any:
    """True positives as a fraction of the cases that are positive or predicted positive.

    >>> jaccard([1, 1, 0, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.5
    """
    return cut.tp / (cut.tp + cut.fp + cut.fn)


@measure(
    symbol="MCC", aliases=("matthews_corrcoef",),
    family="threshold", best="max", range=(-1, 1), at=0.5,
    invariant_to={"replication"},
    undefined="a class is empty, or all cases lie on one side of the cut",
    formula=r"\frac{tp \cdot tn - fp \cdot fn}{\sqrt{P \cdot N \cdot (tp+fp) \cdot (tn+fn)}}",
    reference="matthews1975",
    overall=structure.overall_mcc,
    undefined_of_classes="all cases are of one class, or one class is always predicted",
    bounds=between_orders,
)  # fmt: skip
def mcc(cut: Cut) -> Any:
    """The correlation between label and prediction.

    >>> mcc([1, 1, 0, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.166666...
    """
    classes, sides = cut.P * cut.N, (cut.tp + cut.fp) * (cut.fn + cut.tn)
    return (cut.tp * cut.tn - cut.fp * cut.fn) / structure.geometric_mean(classes, sides)


@measure(
    symbol="κ", aliases=("cohen_kappa_score",),
    family="threshold", best="max", range=(-1, 1), at=0.5,
    invariant_to={"replication"},
    undefined="one class is empty and all cases lie on the side of the other",
    formula=r"\frac{p_o - p_e}{1 - p_e}", reference="cohen1960",
    ratio=structure.ratio_of_kappa,
    overall=structure.overall_kappa,
    undefined_of_classes="all cases are of one class, which is always predicted",
    bounds=between_orders,
)  # fmt: skip
def kappa(cut: Cut) -> Any:
    """The agreement of label and prediction beyond chance, as a fraction of the possible.

    >>> kappa([1, 1, 0, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.166666...
    """
    by_chance = cut.P * (cut.fn + cut.tn) + cut.N * (cut.tp + cut.fp)
    return 2 * (cut.tp * cut.tn - cut.fp * cut.fn) / by_chance


@measure(
    symbol="J'", aliases=("youden_index",), family="threshold", best="max", range=(-1, 1), at=0.5,
    baseline=0.0, invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"TPR - FPR", reference="youden1950",
    quantum=structure.quantum_of_both_rates,
    ratio=lambda _: ((1, -1, 0), structure.ONE),
    bounds=between_orders,
)  # fmt: skip
def youden_j(cut: Cut) -> Any:
    """The true positive rate minus the false positive rate.

    >>> youden_j([1, 1, 1, 0, 0, 0], [0.9, 0.5, 0.1, 0.5, 0.2, 0.1])
    0.333333...
    """
    return cut.tpr - cut.fpr


@measure(
    symbol="G", family="threshold", best="max", range=(0, 1), at=0.5, baseline=0.0,
    invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"\sqrt{TPR \cdot TNR}", reference="kubat1997",
    bounds=between_orders,
)  # fmt: skip
def g_mean(cut: Cut) -> Any:
    """The geometric mean of the true positive rate and the true negative rate.

    >>> g_mean([1, 1, 1, 0, 0], [0.9, 0.5, 0.1, 0.5, 0.2])
    0.577350...
    """
    return np.sqrt(cut.tpr * cut.tnr)
