"""Curves and operating points by their definitions: loops over cases, pairs and thresholds."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from .cuts import ONE, ZERO, Case, Matrix, Point, Value, points, rows, threshold_cut, totals

Tag = TypeVar("Tag")


def thresholds(cases: Sequence[Case]) -> list[float]:
    """Infinity, and each score that has weight, from highest to lowest."""
    return [math.inf, *(score for score, _, _ in rows(cases))]


def roc(cases: Sequence[Case]) -> list[Point]:
    """(FPR, TPR) at each threshold."""
    p, n = totals(cases)
    return [(fp / n, tp / p) for fp, tp in points(cases)]


def hull(cases: Sequence[Case]) -> list[tuple[Point, float]]:
    """The points of the ROC curve that lie above all lines between others, with thresholds."""
    return vertices(list(zip(roc(cases), thresholds(cases), strict=True)))


def vertices(path: Sequence[tuple[Point, Tag]]) -> list[tuple[Point, Tag]]:
    """The points with tags that lie above all lines between two others, from left to right.

    Both corners of ROC space belong to them.
    """
    found = []
    for place, ((x, y), tag) in enumerate(path):
        if any(other == (x, y) for other, _ in path[:place]):
            continue
        others = [other for other, _ in path if other != (x, y)]
        covered = any(_above_or_on(first, second, (x, y)) for first in others for second in others)
        if not covered or (x, y) in {(ZERO, ZERO), (ONE, ONE)}:
            found.append(((x, y), tag))
    return sorted(found, key=lambda one: one[0])


def _above_or_on(first: Point, second: Point, point: Point) -> bool:
    """Whether the line between two points passes above the third, or through it."""
    (x0, y0), (x1, y1), (x, y) = first, second, point
    if not x0 <= x <= x1:
        return False
    if x0 == x1:
        return max(y0, y1) >= y and min(y0, y1) <= y
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0) >= y


def sroc(cases: Sequence[Case], tau: float) -> Fraction:
    """The share of the pairs that are apart by more than tau, rounding not being enough."""
    p, n = totals(cases)
    ahead, limit = ZERO, Fraction(tau) * (1 + Fraction(1, 10**12))
    for label, score, weight in cases:
        for other_label, other, other_weight in cases:
            if label and not other_label and score - other > limit:
                ahead += weight * other_weight
    return ahead / (p * n)


def margins(cases: Sequence[Case]) -> list[float]:
    """0 and the distinct differences by which a positive is ahead, from small to large."""
    weighed = [case for case in cases if case[2] > 0]
    gaps = {s - t for label, s, _ in weighed for other, t, _ in weighed if label and not other}
    rising = sorted(gap for gap in gaps if gap > 0)
    # Of differences that are equal up to rounding, the largest counts.
    return [0.0, *(gap for gap in rising if not any(gap < g <= gap * (1 + 1e-12) for g in rising))]


def precision_recall(cases: Sequence[Case]) -> list[Point]:
    """(recall, precision) at each threshold but the first."""
    p, _ = totals(cases)
    return [(tp / p, tp / (tp + fp)) for fp, tp in points(cases)[1:]]


def precision_at(cases: Sequence[Case], recall: Fraction) -> Fraction:
    """Davis and Goadrich 2006: true and false positives added in proportion, fewest first."""
    p, _ = totals(cases)
    goal, path = recall * p, points(cases)
    for (fp0, tp0), (fp1, tp1) in pairwise(path):
        if tp0 < goal <= tp1:
            fp = fp0 + (goal - tp0) / (tp1 - tp0) * (fp1 - fp0)
            return goal / (goal + fp)
    raise AssertionError("a recall above 0 is reached somewhere")


def taken(cases: Sequence[Case]) -> list[Point]:
    """(cases taken, true positives) at each threshold: Xie 2022, Sec. 3.2."""
    return [(fp + tp, tp) for fp, tp in points(cases)]


def least_cost(cases: Sequence[Case], pc: Fraction) -> Fraction:
    """The lowest of all thresholds' lines at a probability cost: Drummond and Holte 2006."""
    return min(pc * (ONE - tpr) + (ONE - pc) * fpr for fpr, tpr in roc(cases))


def net_benefit(cases: Sequence[Case], t: Fraction) -> Fraction:
    """Vickers and Elkin 2006."""
    tp, fp, _, _ = threshold_cut(cases, float(t))
    return (tp - fp * t / (ONE - t)) / sum(totals(cases), ZERO)


def isotonic(cases: Sequence[Case]) -> dict[float, Fraction]:
    """The isotonic regression at each score: the max-min formula over runs of scores."""
    levels = sorted(rows(cases))

    def share(low: int, high: int) -> Fraction:
        inside = levels[low : high + 1]
        return sum((p for _, p, _ in inside), ZERO) / sum((p + q for _, p, q in inside), ZERO)

    size = range(len(levels))
    return {
        levels[i][0]: max(min(share(a, b) for b in size if b >= i) for a in size if a <= i)
        for i in size
    }


def best_threshold(
    cases: Sequence[Case], value: Callable[..., Value], best: str
) -> tuple[float, Value]:
    """The highest threshold with the best value of a function of the confusion matrix."""
    found: tuple[float, Value] = (math.nan, None)
    for threshold in thresholds(cases):
        here = value(*threshold_cut(cases, threshold))
        if here is None:
            continue
        if found[1] is None or (here > found[1] if best == "max" else here < found[1]):
            found = threshold, here
    return found


def expected_cost(
    matrix: Matrix, cost_fp: Fraction, cost_fn: Fraction, prior: Fraction
) -> Fraction:
    """What a case costs on average where positives are as frequent as the prior says."""
    tp, fp, fn, tn = matrix
    return prior * cost_fn * fn / (tp + fn) + (ONE - prior) * cost_fp * fp / (fp + tn)


def best_models(
    models: dict[str, Sequence[Case]], skew: Fraction
) -> tuple[Fraction, set[tuple[str, float]]]:
    """The lowest FNR + skew FPR of all models and thresholds, and who reaches it."""
    found: dict[tuple[str, float], Fraction] = {}
    for name, cases in models.items():
        for (fpr, tpr), threshold in zip(roc(cases), thresholds(cases), strict=True):
            found[name, threshold] = ONE - tpr + skew * fpr
    lowest = min(found.values())
    return lowest, {key for key, cost in found.items() if cost == lowest}
