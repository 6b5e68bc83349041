"""Statements of Berrar (2014) about measures: Sections 2, 3 and 4.2."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import metameasure as mm
from metameasure.experiments.papers.berrar2014_examples import FIGURE_3, HALVES
from metameasure.experiments.statements import (
    CLOSE,
    Scores,
    Statement,
    declare,
    labeled,
    once,
    shared_scores,
    tied_lists,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

THRICE = 3


def _several_scores() -> list[tuple[Scores, Scores]]:
    """The lists for which taKS is defined."""
    return [(high, low) for high, low in tied_lists() if len({*high, *low}) > 1]


def _one_score_per_class(high: Scores, low: Scores) -> bool:
    return len(set(high)) == len(set(low)) == 1 and high[0] > low[0]


def _hull_above_curve(high: Scores, low: Scores) -> bool:
    case = labeled(high, low)
    return mm.auch(*case) >= mm.auc(*case) - CLOSE


def _without_margins(high: Scores, low: Scores) -> bool:
    """Eq. 2 without the difference of the scores."""
    right = sum(s > t for s in high for t in low) / (len(high) * len(low))
    return abs(right - mm.auc(*labeled(high, low))) < CLOSE


def _taks_within_bounds(high: Scores, low: Scores) -> bool:
    return abs(mm.taks(*labeled(high, low))) <= 1 + CLOSE


def _taks_of_two_scores(high: Scores, low: Scores) -> bool:
    """TaKS is 1, there are three thresholds, and -1 if the classes are exchanged."""
    case = labeled(high, low)
    exchanged = [1 - label for label in case[0]], case[1]
    best, worst = mm.taks(*case), mm.taks(*exchanged)
    return (best, worst, mm.tabulate(*case).distinct + 1) == (1, -1, 3)


def _score_patterns() -> Iterator[tuple[tuple[int, ...], int]]:
    """Scores of up to six cases, ties included, and numbers of positives."""
    patterns = {tuple(sorted((*high, *low))) for high, low in _several_scores()}
    for scores in sorted(patterns):
        ranks = tuple(round(8 * score) for score in scores)
        yield from ((ranks, positives) for positives in range(1, len(ranks)))


def _random_labels(ranks: tuple[int, ...], positives: int) -> bool:
    """Whether the mean of taKS over all labels is 0."""
    places = range(len(ranks))
    total = sum(
        mm.taks([int(i in chosen) for i in places], list(ranks))
        for chosen in combinations(places, positives)
    )
    return abs(total) < CLOSE * len(ranks) ** 3


def _auc_ignores_class_sizes(high: Scores, low: Scores) -> bool:
    few, many = mm.auc(*labeled(high, low)), mm.auc(*labeled(high, THRICE * low))
    return abs(few - many) < CLOSE


def _h_depends_on_class_sizes() -> bool:
    return any(
        abs(mm.h_measure(*labeled(high, low)) - mm.h_measure(*labeled(high, THRICE * low))) > CLOSE
        for high, low in tied_lists()
    )


CAREFUL, BOLD = ((0.6, 0.6), (0.4, 0.4)), ((1.0, 0.9), (0.95, 0.0))


def _boldness_is_rewarded() -> bool:
    """Of two models the one with a ranking error and extreme scores has the larger sAUC."""
    careful, bold = labeled(*CAREFUL), labeled(*BOLD)
    return mm.auc(*bold) < mm.auc(*careful) and mm.scored_auc(*bold) > mm.scored_auc(*careful)


def _ties_by_error(first: str, second: str, sign: int) -> bool:
    """Whether taKS prefers the second list, whose squared error is larger (1) or smaller (-1)."""
    one, other = FIGURE_3[first], FIGURE_3[second]
    more = mm.sse(HALVES, other) - mm.sse(HALVES, one)
    same = mm.auc(HALVES, one) == mm.auc(HALVES, other)
    return same and mm.taks(HALVES, other) > mm.taks(HALVES, one) and sign * more > 0


declare(
    "berrar2014",
    [
        Statement(
            "sAUC without margins",
            "Sec. 2.2",
            "Without the difference of the scores, the formula of sAUC gives the AUC.",
            _without_margins,
            tied_lists,
            condition="no positive is tied with a negative",
            under=lambda high, low: not shared_scores(high, low),
            erratum="Berrar 3",
        ),
        Statement(
            "AUCH and AUC",
            "Sec. 2.3",
            "AUCH is at least as large as the AUC.",
            _hull_above_curve,
            tied_lists,
        ),
        Statement(
            "AUC and class sizes",
            "Sec. 2.4",
            "AUC does not depend on the class sizes.",
            _auc_ignores_class_sizes,
            tied_lists,
        ),
        Statement(
            "H and class sizes",
            "Sec. 2.4",
            "H depends on the class sizes.",
            _h_depends_on_class_sizes,
            once,
            kind="searches for an example",
        ),
        Statement(
            "range of taKS",
            "Sec. 3.2, 3.4",
            "taKS lies between -1 and 1, so that no model has more than the optimal one.",
            _taks_within_bounds,
            _several_scores,
        ),
        Statement(
            "one score per class",
            "Sec. 3.1, 3.4",
            "Every model with one score per class has three thresholds and a taKS of 1, as the "
            "optimal model has, or -1 if the scores are reversed.",
            _taks_of_two_scores,
            lambda: [case for case in _several_scores() if _one_score_per_class(*case)],
        ),
        Statement(
            "taKS of random labels",
            "Sec. 3.4",
            "The expected taKS of a random model is 0.",
            _random_labels,
            _score_patterns,
            kind="sets of scores",
        ),
        Statement(
            "taKS and squared errors",
            "Sec. 3.3, 3.4",
            "taKS prefers a tie at the top where AUC is indifferent, whether the squared error is "
            "then larger or smaller.",
            _ties_by_error,
            lambda: [("b", "c", 1), ("b", "c with 0.95 twice", -1)],
            kind="pairs of lists of Fig. 3",
        ),
        Statement(
            "boldness",
            "Sec. 4.2",
            "sAUC can be larger for extreme scores with more ranking errors.",
            _boldness_is_rewarded,
            once,
            kind="examples",
        ),
    ],
)
