"""Measures of scores for k classes.

Measures that also exist for two classes (log loss, Brier) are declared there; their functions for k
classes are here. A class without cases is left out of a mean over classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Choice, Whole
from metameasure.measurement import (
    NO_CASES,
    ClassCaseMean,
    ClassDifferentiable,
    ClassPairMean,
    LeavesOut,
    measure,
)
from metameasure.table import cumulated

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.data import ClassScores

ONE_CLASS = "fewer than two classes have cases"
WITHOUT_CASES = LeavesOut(lambda scores: scores.totals == 0, NO_CASES)


def separation(scores: ClassScores) -> Any:
    """The fraction of pairs in which a case of class i has the higher score for i: (..., i, j).

    A tie counts one half. NaN where a class is empty. Needs one sort per class.
    """
    found = np.empty((*scores.shape, scores.k, scores.k))
    for column in range(scores.k):
        order = scores.ordered(column)
        weight = (order.code == column).astype(np.float64)
        if scores.weight is not None:
            weight = weight * scores.weight[..., order.case]
        upto = cumulated(weight, counts=scores.weight is None)
        found[..., column, :] = scores.add(order.between(upto), order)
    totals = scores.totals
    return found / (totals[..., :, np.newaxis] * totals[..., np.newaxis, :])


def _pair_components(scores: ClassScores) -> Any:
    """For each case, the mean over the other classes of its fraction of wins in both roles.

    In the column of its own class a case wins against cases with lower scores; in the column of
    another class it loses to members with higher scores.
    """
    totals = scores.totals
    used = int(np.count_nonzero(totals))
    share = np.divide(1.0, totals, out=np.zeros(scores.k), where=totals > 0)[scores.code]
    if scores.weight is not None:
        share *= scores.weight
    found = np.zeros(scores.code.size)
    for column in range(scores.k):
        order = scores.ordered(column)
        member = order.code == column
        part = share[order.case]
        lost, won = (order.between(cumulated(np.where(m, part, 0.0))) for m in (member, ~member))
        found[order.case] += np.where(member, used - 1 - won, lost)
    return found / (used * (used - 1))


@measure(
    symbol="M", aliases=("m_measure",), family="classes", subject="classes", best="max",
    range=(0, 1), baseline=0.5, undefined=ONE_CLASS,
    formula=r"\frac{2}{k(k-1)} \sum_{i<j} \frac{A(i|j) + A(j|i)}{2}", reference="hand2001",
    sampling=ClassPairMean(_pair_components), leaves_out=WITHOUT_CASES,
)  # fmt: skip
def hand_till_auc(scores: ClassScores) -> Any:
    """The mean AUC over all pairs of classes, using the scores of both classes of each pair.

    >>> scores = [[0.6, 0.3, 0.1], [0.4, 0.5, 0.1], [0.2, 0.2, 0.6], [0.7, 0.2, 0.1]]
    >>> hand_till_auc(["a", "b", "c", "b"], scores)
    0.7916...
    """
    pairs = separation(scores)
    used = scores.totals > 0
    counted = used[..., :, np.newaxis] & used[..., np.newaxis, :] & ~np.eye(scores.k, dtype=bool)
    total = np.sum(np.where(counted, pairs, 0.0), axis=(-1, -2))
    return total / np.count_nonzero(counted, axis=(-1, -2))


def _influences_on_ovr_auc(scores: ClassScores, average: str = "macro") -> Floats:
    """How much each case adds to the mean one-vs-rest AUC.

    In the column of its own class a case adds the fraction of the other classes that it beats; in
    the column of another class it adds the fraction of the members that beat it.
    """
    weight = np.ones(scores.code.size) if scores.weight is None else scores.weight
    totals = scores.totals
    others = totals.sum() - totals
    used = (totals > 0) & (others > 0)
    of_classes = totals / totals.sum() if average == "weighted" else used / np.count_nonzero(used)
    found, values = np.zeros(scores.code.size), np.zeros(scores.k)
    for column in np.flatnonzero(used):
        order = scores.ordered(int(column))
        member, part = order.code == column, weight[order.case]
        above, below = (order.between(cumulated(np.where(m, part, 0.0))) for m in (member, ~member))
        won = np.where(member, 1 - below / others[column], above / totals[column])
        values[column] = float(part[member] @ won[member]) / totals[column]
        size = np.where(member, totals[column], others[column])
        found[order.case] += of_classes[column] * part * (won - values[column]) / size
    if average == "weighted":
        found += weight * (values[scores.code] - of_classes @ values) / totals.sum()
    return found


@measure(
    symbol="AUC_ovr", family="classes", subject="classes", best="max", range=(0, 1), baseline=0.5,
    undefined=ONE_CLASS, formula=r"\sum_i w_i AUC(i|rest)", reference="fawcett2006",
    parameters={"average": Choice(("macro", "weighted"))},
    sampling=ClassDifferentiable(_influences_on_ovr_auc), leaves_out=WITHOUT_CASES,
    stated=("average",),
)  # fmt: skip
def ovr_auc(scores: ClassScores, average: str = "macro") -> Any:
    """The mean one-vs-rest AUC over the classes.

    Classes have equal weights, or weights by number of cases (``average="weighted"``).

    >>> scores = [[0.6, 0.3, 0.1], [0.4, 0.5, 0.1], [0.2, 0.2, 0.6], [0.7, 0.2, 0.1]]
    >>> ovr_auc(["a", "b", "c", "b"], scores)
    0.7638...
    """
    totals = scores.totals
    used = totals > 0
    pairs = np.where(used[..., np.newaxis, :], separation(scores), 0.0)
    others = np.sum(totals, axis=-1)[..., np.newaxis] - totals
    apart = (pairs * totals[..., np.newaxis, :]).sum(axis=-1)
    apart = (apart - np.diagonal(pairs, axis1=-2, axis2=-1) * totals) / others
    weight = totals if average == "weighted" else used * 1.0
    return np.sum(np.where(used, apart * weight, 0.0), axis=-1) / np.sum(weight, axis=-1)


def _within_top(scores: ClassScores, k: int = 2) -> Any:
    """The probability of each class to be among the k highest scores, with random ties."""
    last = np.partition(scores.scores, -k, axis=1)[:, -k, np.newaxis]
    above, tied = scores.scores > last, scores.scores == last
    room = k - np.count_nonzero(above, axis=1, keepdims=True)
    return above + tied * (room / np.count_nonzero(tied, axis=1, keepdims=True))


@measure(
    symbol="Acc_k", aliases=("top_k_accuracy_score",), family="classes", subject="classes",
    best="max", range=(0, 1), formula=r"\frac{1}{n} \sum_i [\mathrm{rank}_i(y_i) \le k]",
    reference="russakovsky2015", parameters={"k": Whole(1)}, stated=("k",),
    fewest_classes=lambda k=2: k + 1,
    sampling=ClassCaseMean(_within_top),
)  # fmt: skip
def top_k_accuracy(scores: ClassScores, k: int = 2) -> Any:
    """The fraction of cases whose class is among the k classes with the highest scores.

    If classes are tied for the last places, a case counts with the probability that its class gets
    one of them at random.

    >>> scores = [[0.6, 0.3, 0.1], [0.2, 0.4, 0.4], [0.2, 0.2, 0.6], [0.7, 0.2, 0.1]]
    >>> top_k_accuracy(["a", "b", "b", "c"], scores)
    0.625
    """
    inside = _within_top(scores, k)
    return scores.mean(np.take_along_axis(inside, scores.code[:, np.newaxis], 1)[:, 0])


def _surprises(scores: ClassScores, clip: float | None = None) -> Any:
    """The negative log-likelihood of each class."""
    with np.errstate(divide="ignore"):
        return -np.log(scores.scores if clip is None else np.clip(scores.scores, clip, 1 - clip))


def _squares(scores: ClassScores) -> Any:
    """Half the sum of squared errors, if a case were of each class."""
    squares = np.einsum("nk,nk->n", scores.scores, scores.scores)[:, np.newaxis]
    return (squares - 2 * scores.scores + 1) / 2


LOG_LOSS_OF_CLASSES: ClassCaseMean = ClassCaseMean(_surprises)
BRIER_OF_CLASSES: ClassCaseMean = ClassCaseMean(_squares)
RMS_OF_CLASSES: ClassCaseMean = ClassCaseMean(_squares, np.sqrt)


def log_loss_of_classes(scores: ClassScores, clip: float | None = None) -> Any:
    """The mean negative log-likelihood of the class of a case."""
    own = scores.own if clip is None else np.clip(scores.own, clip, 1 - clip)
    surprise = -np.log(own)
    impossible = np.isinf(surprise)
    happened = scores.mean(impossible.astype(np.float64)) > 0
    return np.where(happened, np.inf, scores.mean(np.where(impossible, 0.0, surprise)))[()]


def brier_of_classes(scores: ClassScores) -> Any:
    """Half the mean sum of squared errors, which for two classes is the Brier score."""
    errors = scores.scores.copy()
    errors[np.arange(scores.code.size), scores.code] -= 1
    return scores.mean(np.einsum("nk,nk->n", errors, errors)) / 2


def rms_of_classes(scores: ClassScores) -> Any:
    """The root of the Brier score."""
    return np.sqrt(brier_of_classes(scores))
