"""Statements of Wu, Flach and Ferri (2007) about AUC, sROC curves and sAUC: Sections 2 and 3."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np

import metameasure as mm
from metameasure.experiments.papers.wu2007_examples import delong_variance
from metameasure.experiments.statements import (
    CLOSE,
    LARGEST,
    Scores,
    Statement,
    declare,
    labeled,
    shared_scores,
    tied_lists,
    untied_lists,
)


def _points_of_roc(high: Scores, low: Scores) -> bool:
    return len(mm.tabulate(*labeled(high, low)).fpr) <= len(high) + len(low) + 1


def _counted_pairs(high: Scores, low: Scores) -> bool:
    """Whether Eq. 1, in which a tie counts nothing, is the area under the ROC curve."""
    counted = mm.margin_auc(*labeled(high, low), tau=0)
    return abs(counted - mm.auc(*labeled(high, low))) < CLOSE


def _sorted(high: Scores, low: Scores, first: int) -> list[tuple[float, int]]:
    """The cases by decreasing score, those of one class first among ties."""
    cases = [(s, 1) for s in high] + [(s, 0) for s in low]
    return sorted(cases, key=lambda case: (-case[0], case[1] != first))


def _table_1(high: Scores, low: Scores) -> bool:
    """The algorithm of Table 1, line by line."""
    area = c = 0
    for _, label in _sorted(high, low, 1):
        if label:
            c += 1
        else:
            area += c
    found = area / (len(high) * len(low))
    return abs(found - mm.auc(*labeled(high, low))) < CLOSE


def _table_2(high: Scores, low: Scores) -> bool:
    """The algorithm of Table 2, line by line, for both orders of tied cases."""
    pairs = len(high) * len(low)
    scored = mm.scored_auc(*labeled(high, low))
    for first in (0, 1):
        over = under = r = c = 0.0
        for score, label in _sorted(high, low, first):
            if label:
                c += score
                over += r
            else:
                r += score
                under += c
        minus = (len(high) * r - over) / pairs
        if abs(under / pairs - minus - scored) > CLOSE:
            return False
    return True


MARGINS = tuple(margin / 16 for margin in range(17))


def _falls_to_zero(high: Scores, low: Scores) -> bool:
    values = [mm.margin_auc(*labeled(high, low), tau=tau) for tau in MARGINS]
    return values[-1] == 0 and all(a >= b for a, b in pairwise(values))


def _lowered_positives(high: Scores, low: Scores) -> bool:
    """Whether the margin-based AUC counts the pairs that lower positives still win."""
    pairs = len(high) * len(low)
    return all(
        abs(mm.margin_auc(*labeled(high, low), tau=tau) - won / pairs) < CLOSE
        for tau in MARGINS
        for won in [sum(s - tau > t for s, t in product(high, low))]
    )


def _segments(high: Scores, low: Scores) -> bool:
    """Whether the number of levels of the sROC curve on [0, 1] is at most that of the pairs."""
    steps = {s - t for s, t in product(high, low) if 0 < s - t < 1}
    return len(steps) + 1 <= len(high) * len(low)


def _unbiased(high: Scores, low: Scores) -> bool:
    """Whether the mean over all samples of two positives and two negatives is that of all cases."""
    samples = [
        mm.scored_auc(*labeled(s, t))
        for s, t in product(product(high, repeat=2), product(low, repeat=2))
    ]
    return abs(float(np.mean(samples)) - mm.scored_auc(*labeled(high, low))) < CLOSE


def _theorem_6(high: Scores, low: Scores) -> bool:
    """Whether the formula of Theorem 6, with y_i - x_j, is DeLong's estimate."""
    margins = np.maximum(np.subtract.outer(high, low), 0)
    m, n = margins.shape
    rows = np.sum((margins.mean(axis=1) - margins.mean()) ** 2)
    columns = np.sum((margins.mean(axis=0) - margins.mean()) ** 2)
    printed = (n - 1) / (m * n * (m - 1)) * rows + (m - 1) / (m * n * (n - 1)) * columns
    return bool(abs(printed - delong_variance(*labeled(high, low))) < CLOSE)


def _two_of_each() -> list[tuple[Scores, Scores]]:
    return [(high, low) for high, low in tied_lists(LARGEST) if min(len(high), len(low)) > 1]


declare(
    "wu2007",
    [
        Statement(
            "points of ROC",
            "Sec. 2",
            "The ROC curve of t cases has at most t + 1 points.",
            _points_of_roc,
            tied_lists,
        ),
        Statement(
            "Eq. 1",
            "Sec. 1, 2",
            "The fraction of pairs in which the positive has the higher score is the area under "
            "the ROC curve.",
            _counted_pairs,
            tied_lists,
            condition="no positive is tied with a negative",
            under=lambda high, low: not shared_scores(high, low),
            erratum="WFF 4",
        ),
        Statement(
            "Table 1",
            "Sec. 2, Table 1",
            "Without ties, the algorithm that needs no ranks gives the AUC.",
            _table_1,
            untied_lists,
        ),
        Statement(
            "Table 2",
            "Sec. 3, Table 2",
            "The algorithm with two sums gives sAUC.",
            _table_2,
            tied_lists,
        ),
        Statement(
            "margins",
            "Sec. 3",
            "The margin-based AUC never rises with the margin, and is 0 at the margin 1.",
            _falls_to_zero,
            tied_lists,
        ),
        Statement(
            "lowered positives",
            "Sec. 3",
            "The margin-based AUC is the AUC after all positive scores have been lowered by the "
            "margin.",
            _lowered_positives,
            tied_lists,
        ),
        Statement(
            "segments",
            "Sec. 3",
            "The sROC curve of m positives and n negatives has at most mn horizontal segments.",
            _segments,
            tied_lists,
            erratum="WFF 7",
        ),
        Statement(
            "Theorem 5",
            "Sec. 3",
            "sAUC is an unbiased estimate (Theorem 5).",
            _unbiased,
            lambda: tied_lists(5),
        ),
        Statement(
            "Theorem 6",
            "Sec. 3",
            "The variance of Theorem 6 is that of DeLong's method.",
            _theorem_6,
            _two_of_each,
            erratum="WFF 2",
        ),
    ],
)
