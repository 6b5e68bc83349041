"""Statements of Wu and Flach (2005) about AUC and sAUC: Section 2."""

from __future__ import annotations

from itertools import product

import metameasure as mm
from metameasure.experiments.papers.wu2005_examples import LABELS, MODELS
from metameasure.experiments.statements import (
    CLOSE,
    Scores,
    Statement,
    declare,
    labeled,
    tied_lists,
    untied_lists,
)


def _thresholds() -> list[tuple[float]]:
    return [(percent / 100,) for percent in range(22, 83)]


def _better_at_threshold(threshold: float) -> bool:
    """Whether M1 has the higher accuracy and precision."""
    return all(
        measure(LABELS, MODELS["M1"], threshold=threshold)
        > measure(LABELS, MODELS["M2"], threshold=threshold)
        for measure in (mm.accuracy, mm.precision)
    )


def _two_scores() -> list[tuple[float, float]]:
    """Scores of the two positives between those of the negatives around them."""
    scores = [percent / 100 for percent in range(16, 89, 8)]
    return list(product(scores, scores))


def _same_auc(one: float, other: float) -> bool:
    scores = [*MODELS["M1"][:2], one, other, *MODELS["M1"][4:]]
    return mm.auc(LABELS, scores) == mm.auc(LABELS, MODELS["M1"])


def _product(high: Scores, low: Scores) -> bool:
    """Whether sAUC is the fraction of pairs in the right order times their mean difference."""
    gaps = [s - t for s, t in product(high, low)]
    right = [gap for gap in gaps if gap > 0]
    share = len(right) / len(gaps)
    found = share * sum(right) / len(right) if right else 0.0
    return abs(found - mm.scored_auc(*labeled(high, low))) < CLOSE


def _descending(high: Scores, low: Scores) -> list[tuple[float, int]]:
    return sorted([(s, 1) for s in high] + [(s, 0) for s in low], reverse=True)


def _table_1(high: Scores, low: Scores) -> bool:
    """The algorithm of Table 1, line by line: both of its results."""
    minus = plus = negatives = positives = 0
    for _, label in _descending(high, low):
        if label:
            minus += len(low) - negatives
            positives += 1
        else:
            negatives += 1
            plus += positives
    pairs, auc = len(high) * len(low), mm.auc(*labeled(high, low))
    return abs(minus / pairs - auc) < CLOSE and abs(plus / pairs - auc) < CLOSE


def _table_2(high: Scores, low: Scores) -> bool:
    """The algorithm of Table 2, line by line."""
    minus = plus = negatives = positives = 0.0
    for score, label in _descending(high, low):
        if label:
            minus += sum(low) - negatives
            positives += score
        else:
            negatives += score
            plus += positives
    found = (plus - minus) / (len(high) * len(low))
    return abs(found - mm.scored_auc(*labeled(high, low))) < CLOSE


declare(
    "wu2005",
    [
        Statement(
            "Table 1",
            "Sec. 2.1, Table 1",
            "The algorithm that needs no ranks gives the AUC in two ways.",
            _table_1,
            untied_lists,
            kind="lists without ties",
        ),
        Statement(
            "thresholds",
            "Sec. 2.2, Example 1",
            "M1 has the higher accuracy and precision at all thresholds between 0.21 and 0.83.",
            _better_at_threshold,
            _thresholds,
            kind="thresholds",
        ),
        Statement(
            "two scores",
            "Sec. 2.2, Example 1",
            "The AUC does not change while the scores of two positives vary between 0.15 and 0.89.",
            _same_auc,
            _two_scores,
            kind="pairs of scores",
        ),
        Statement(
            "product",
            "Sec. 2.2",
            "sAUC is the AUC times the mean difference of the pairs in the right order.",
            _product,
            tied_lists,
        ),
        Statement(
            "Table 2",
            "Sec. 2.2, Table 2",
            "The algorithm with two sums gives sAUC.",
            _table_2,
            tied_lists,
        ),
    ],
)
