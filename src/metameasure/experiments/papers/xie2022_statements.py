"""Statements of Xie (2022) about measures and curves."""

from __future__ import annotations

import math
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING

import numpy as np

import metameasure as mm
from metameasure.experiments.statements import (
    CLOSE,
    Scores,
    Statement,
    declare,
    labeled,
    once,
    tied_lists,
    untied_lists,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = 3, 4
"""The numbers of positives and negatives of the confusion matrices."""


def _matrices() -> list[tuple[int, int]]:
    """True and false positives, such that no measure is undefined."""
    positives, negatives = SIZES
    return list(product(range(1, positives), range(1, negatives)))


def _matrix(tp: int, fp: int) -> mm.ConfusionMatrix:
    positives, negatives = SIZES
    return mm.ConfusionMatrix([[negatives - fp, fp], [positives - tp, tp]], labels=[0, 1])


def _close(*values: float) -> bool:
    return max(values) - min(values) < CLOSE


def _names(tp: int, fp: int) -> bool:
    m = _matrix(tp, fp).measure
    return (
        _close(m("tpr"), m("sensitivity"), m("recall"), 1 - m("fnr"))
        and _close(m("fpr"), 1 - m("specificity"), 1 - m("tnr"), m("type_1_error"))
        and _close(m("fnr"), m("type_2_error"))
        and _close(m("fdr"), 1 - m("precision"))
    )


def _likelihood_ratio(tp: int, fp: int) -> bool:
    """Whether LR+ has the probability of the null hypothesis, negative, above that of the other."""
    m = _matrix(tp, fp).measure
    return _close(m("lr_plus"), m("fpr") / m("tpr"))


def _ratios_improve(tp: int, fp: int) -> bool:
    """Whether one more true positive, or one less false positive, improves both ratios."""
    better = [_matrix(tp + 1, fp)] * (tp + 1 < SIZES[0]) + [_matrix(tp, fp - 1)] * (fp > 1)
    here = _matrix(tp, fp).measure
    return all(
        other.measure("lr_plus") > here("lr_plus") and other.measure("lr_minus") < here("lr_minus")
        for other in better
    )


def _harmonic(tp: int, fp: int) -> bool:
    m = _matrix(tp, fp).measure
    return all(
        _close(m(f"f_measure(alpha={a})"), (1 + a) / (1 / m("precision") + a / m("recall")))
        for a in (0.5, 1, 3)
    )


def _ranking(high: Scores, low: Scores) -> list[int]:
    """The labels of a list without ties, the highest score first."""
    return [label for _, label in sorted(zip([*high, *low], labeled(high, low)[0], strict=True))][
        ::-1
    ]


def _places_in_the_top(high: Scores, low: Scores) -> bool:
    """Whether the precision of the first k cases stays if their order is reversed."""
    labels = _ranking(high, low)
    scores = range(len(labels), 0, -1)
    return all(
        mm.precision(labels, scores, k=k)
        == mm.precision(labels[:k][::-1] + labels[k:], scores, k=k)
        for k in range(1, len(labels))
    )


SHAPES = ("steps", "straight lines")


def _areas() -> Iterator[tuple[Scores, Scores, str]]:
    return ((*case, shape) for case in untied_lists() for shape in SHAPES)


def _average_precision(high: Scores, low: Scores, shape: str) -> bool:
    """Whether the sum of Eq. 16 is the area under the precision-recall curve."""
    table = mm.tabulate(*labeled(high, low))
    tp, fp = table.tp[1:], table.fp[1:]
    precision, recall = tp / (tp + fp), np.append(0.0, tp / len(high))
    heights = precision
    if shape == "straight lines":
        heights = (precision + np.append(precision[0], precision[:-1])) / 2
    area = float(np.sum(np.diff(recall) * heights))
    return _close(area, mm.average_precision(*labeled(high, low)))


def _falling_precision(high: Scores, low: Scores) -> bool:
    table = mm.tabulate(*labeled(high, low))
    at = [
        (tp, tp / (tp + fp))
        for tp, fp in zip(table.tp[1:].tolist(), table.fp[1:].tolist(), strict=True)
    ]
    return all(p >= q for (a, p), (b, q) in pairwise(at) if b > a)


def _skew(high: Scores, low: Scores) -> bool:
    """Whether the ROC curve stays if there are three times as many negatives."""
    few, many = (mm.tabulate(*labeled(high, times * low)) for times in (1, 3))
    return bool(np.allclose(few.fpr, many.fpr) and np.allclose(few.tpr, many.tpr))


def _skewed_measures() -> bool:
    few = mm.ConfusionMatrix([[3, 1], [1, 2]], labels=[0, 1])
    many = mm.ConfusionMatrix([[9, 3], [1, 2]], labels=[0, 1])
    return all(few.measure(m) != many.measure(m) for m in ("accuracy", "error_rate", "f1"))


def _few_positives() -> list[tuple[int, int]]:
    return list(combinations(range(1, 6), 2))


def _skew_ratio(positives: int, negatives: int) -> bool:
    """Whether the ratio N/P of the definition is below 1."""
    return negatives / positives < 1


STRAIGHT = ("accuracy", "precision", "f1")
BENT = "g_mean"


def _operating() -> Iterator[tuple[list[int], str]]:
    return product(map(_ranking, *zip(*untied_lists(7), strict=True)), (*STRAIGHT, BENT))


def _best_on_hull(labels: list[int], measure: str) -> bool:
    """Whether a point of the convex hull has the best value of a measure."""
    scores = range(len(labels), 0, -1)
    table = mm.tabulate(labels, scores)
    curve = list(zip(table.fpr.tolist(), table.tpr.tolist(), strict=True))
    values = [_at(point, measure, table.N / table.P) for point in curve]
    reached = [value for point, value in zip(curve, values, strict=True) if _on_hull(point, curve)]
    return max(reached) >= max(v for v in values if not math.isnan(v)) - CLOSE


def _at(point: tuple[float, float], measure: str, negatives: float) -> float:
    """The value of a measure at a point of ROC space; -inf where it is undefined."""
    fpr, tpr = point
    if point == (0.0, 0.0) and measure in {"precision", "f1"}:
        return -math.inf
    matrix = [[negatives * (1 - fpr), negatives * fpr], [1 - tpr, tpr]]
    return mm.ConfusionMatrix(matrix, labels=[0, 1]).measure(measure)


def _on_hull(point: tuple[float, float], curve: list[tuple[float, float]]) -> bool:
    """Whether no line between two points of the curve runs above a point."""
    x, y = point
    return not any(
        a <= x <= c and a < c and b + (d - b) * (x - a) / (c - a) > y + CLOSE
        for (a, b), (c, d) in combinations(curve, 2)
    )


def _algorithm_1(high: Scores, low: Scores) -> bool:
    """The algorithm of the ROC curve, line by line, against the points by threshold."""
    cases = sorted([(s, 1) for s in high] + [(s, 0) for s in low], reverse=True)
    tp = fp = 0
    points: list[tuple[float, float]] = []
    before = -math.inf
    for score, label in cases:
        if score != before:
            points.append((fp / len(low), tp / len(high)))
            before = score
        tp, fp = tp + label, fp + 1 - label
    points.append((fp / len(low), tp / len(high)))
    thresholds = [math.inf, *sorted({*high, *low}, reverse=True)]
    return points == [
        (sum(t >= cut for t in low) / len(low), sum(s >= cut for s in high) / len(high))
        for cut in thresholds
    ]


def _last_negatives(high: Scores, low: Scores) -> bool:
    """Whether the lowest score belongs to positives alone, or the classes have the same size."""
    return len(high) == len(low) or min(low) > min(high)


def _algorithm_2(high: Scores, low: Scores) -> bool:
    """The algorithm of the area as it is printed, in which line 21 has N for P."""
    table = mm.tabulate(*labeled(high, low))
    tp, fp = table.tp.tolist(), table.fp.tolist()
    area = sum((fp[i] - fp[i - 1]) * (tp[i] + tp[i - 1]) / 2 for i in range(1, len(tp) - 1))
    area += (len(low) - fp[-2]) * (len(low) + tp[-2]) / 2
    return _close(area / (len(high) * len(low)), mm.auc(*labeled(high, low)))


def _rank_sum(high: Scores, low: Scores) -> bool:
    """Eq. 21 with ranks in decreasing order of the scores, as printed."""
    ranked = sorted([*high, *low], reverse=True)
    ranks = sorted(ranked.index(score) + 1 for score in high)
    found = sum(rank - i for i, rank in enumerate(ranks, 1)) / (len(high) * len(low))
    return _close(found, mm.auc(*labeled(high, low)))


def _gini(high: Scores, low: Scores) -> bool:
    return _close((mm.gini(*labeled(high, low)) + 1) / 2, mm.auc(*labeled(high, low)))


def _equal_areas() -> Iterator[tuple[tuple[Scores, Scores], tuple[Scores, Scores]]]:
    balanced = [(high, low) for high, low in untied_lists() if len(high) == len(low) == 3]
    for one, other in combinations(balanced, 2):
        if mm.auc(*labeled(*one)) == mm.auc(*labeled(*other)):
            yield one, other


def _same_loss(one: tuple[Scores, Scores], other: tuple[Scores, Scores]) -> bool:
    """Whether the mean loss over cost ratios, each with its best threshold, is the same.

    H is 1 less this loss, up to a factor that depends on the class sizes alone.
    """
    return _close(mm.h_measure(*labeled(*one)), mm.h_measure(*labeled(*other)))


def _crossing() -> bool:
    """Whether of two lists whose curves cross AUC prefers the one that is worse at a low FPR."""
    one, other = [0, 1, 1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 1, 1, 0]
    scores = range(8, 0, -1)
    larger = mm.auc(one, scores) > mm.auc(other, scores)
    return larger and mm.tpr(one, scores, k=2) < mm.tpr(other, scores, k=2)


MANY = 100


def _lift_axis(high: Scores, low: Scores) -> bool:
    """Whether the axes of the lift chart and of the ROC curve differ by at most the prevalence."""
    table = mm.tabulate(*labeled(high, MANY * low))
    depth = (table.tp + table.fp) / table.n
    return bool(np.max(np.abs(depth - table.fpr)) <= table.P / table.n + CLOSE)


declare(
    "xie2022",
    [
        Statement(
            "names",
            "Sec. 1",
            "Sensitivity, recall and TPR are the same, as are FPR, the type I error and 1 - "
            "specificity, FNR and the type II error, FDR and 1 - precision.",
            _names,
            _matrices,
            kind="confusion matrices",
        ),
        Statement(
            "likelihood ratio",
            "Sec. 1",
            "The likelihood ratio has the null hypothesis in the numerator.",
            _likelihood_ratio,
            _matrices,
            kind="confusion matrices",
            erratum="Xie 7",
        ),
        Statement(
            "better ratios",
            "Sec. 1",
            "A larger LR+ and a smaller LR- mean better predictions.",
            _ratios_improve,
            _matrices,
            kind="confusion matrices",
        ),
        Statement(
            "F measure",
            "Sec. 1",
            "The F measure is a weighted harmonic mean of precision and recall.",
            _harmonic,
            _matrices,
            kind="confusion matrices",
        ),
        Statement(
            "precision at k",
            "Sec. 1",
            "Precision at k ignores the places of the relevant documents among the first k.",
            _places_in_the_top,
            untied_lists,
        ),
        Statement(
            "average precision",
            "Sec. 1, Eq. 16",
            "Average precision is the area under the precision-recall curve.",
            _average_precision,
            _areas,
            kind="lists and forms of the curve",
            condition="the curve is a step function",
            under=lambda _, __, shape: shape == "steps",
            erratum="Xie 5",
        ),
        Statement(
            "class skew",
            "Sec. 2.3",
            "ROC curves do not depend on the class sizes.",
            _skew,
            tied_lists,
        ),
        Statement(
            "skewed measures",
            "Sec. 2.3",
            "Accuracy, empirical risk and F measure depend on the class sizes.",
            _skewed_measures,
            once,
            kind="examples",
        ),
        Statement(
            "skew ratio",
            "Sec. 2.3, 2.4",
            "The skew ratio N/P is below 1 if there are fewer positives.",
            _skew_ratio,
            _few_positives,
            kind="pairs of class sizes",
            erratum="Xie 8",
        ),
        Statement(
            "convex hull",
            "Sec. 2.4",
            "The best operating point by any measure lies on the convex hull of the ROC curve.",
            _best_on_hull,
            _operating,
            kind="lists and measures",
            condition="the isometrics are straight lines, as those of accuracy, precision and F1, "
            "not of the geometric mean of TPR and TNR",
            under=lambda _, measure: measure != BENT,
            erratum="Xie 11",
        ),
        Statement(
            "Algorithm 1",
            "Sec. 2.5",
            "The algorithm finds the points of the ROC curve, also with ties.",
            _algorithm_1,
            tied_lists,
        ),
        Statement(
            "Algorithm 2",
            "Sec. 2.6",
            "The algorithm gives the area under the ROC curve.",
            _algorithm_2,
            tied_lists,
            condition="the classes have the same size, or the lowest score is of positives alone",
            under=_last_negatives,
            erratum="Xie 3",
        ),
        Statement(
            "rank sum",
            "Sec. 2.6, Eq. 21",
            "With ranks in decreasing order of the scores, the rank sum gives the AUC.",
            _rank_sum,
            untied_lists,
            erratum="Xie 4",
        ),
        Statement("Gini", "Sec. 2.6", "AUC is (Gini + 1)/2.", _gini, tied_lists),
        Statement(
            "cost ratios",
            "Sec. 2.6",
            "AUC is the performance averaged over all cost ratios.",
            _same_loss,
            _equal_areas,
            kind="pairs of lists with the same AUC, read as: their mean losses are the same, each "
            "cost ratio with its best threshold and the cost ratios with a Beta(2, 2) distribution",
            erratum="Xie 12",
        ),
        Statement(
            "crossing curves",
            "Sec. 2.6",
            "If ROC curves cross, the comparison by AUC can mislead.",
            _crossing,
            once,
            kind="examples",
        ),
        Statement(
            "falling precision",
            "Sec. 3.1",
            "Precision falls as recall rises.",
            _falling_precision,
            untied_lists,
            erratum="Xie 9",
        ),
        Statement(
            "lift charts",
            "Sec. 3.2",
            "With few positives the axes of lift charts and ROC curves are nearly the same.",
            _lift_axis,
            tied_lists,
            kind="lists, each negative 100 times",
        ),
    ],
)
