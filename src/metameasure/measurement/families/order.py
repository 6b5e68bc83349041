"""Measures of a predicted order of items against the true order.

Ranks run from 1, the lowest, to n. Items with the same value get their mean rank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure import kernels
from metameasure.measurement import measure

if TYPE_CHECKING:
    from metameasure.data import Ranking


@measure(
    symbol="ED", family="order", subject="order", best="min", range=(0, np.inf),
    formula=r"\sqrt{\sum_i (a_i - i)^2}", reference="huang2006",
)  # fmt: skip
def euclidean_distance(ranking: Ranking) -> Any:
    """The Euclidean distance of the predicted ranks from the true ranks.

    >>> euclidean_distance([1, 2, 3, 4], [0.1, 0.4, 0.3, 0.9])
    1.414213...
    """
    return np.sqrt(np.sum(np.square(ranking.predicted - ranking.true), axis=-1))


@measure(
    symbol="MD", family="order", subject="order", best="min", range=(0, np.inf),
    formula=r"\sum_i |a_i - i|", reference="huang2006",
    quantum=lambda n: n / n,
)  # fmt: skip
def manhattan_distance(ranking: Ranking) -> Any:
    """The sum of absolute differences of the predicted ranks and the true ranks.

    >>> manhattan_distance([1, 2, 3, 4], [0.1, 0.4, 0.3, 0.9])
    2.0
    """
    return np.sum(np.abs(ranking.predicted - ranking.true), axis=-1)


@measure(
    symbol="SRN", aliases=("srn", "sum_of_reversed_number"), family="order", subject="order",
    best="min", range=(0, np.inf), formula=r"\sum_{i<j} [a_i > a_j]", reference="huang2006",
    quantum=lambda n: n / n,
)  # fmt: skip
def reversed_pairs(ranking: Ranking) -> Any:
    """The number of pairs of items in the wrong order.

    A pair that is tied in one of the orders is not reversed.

    >>> reversed_pairs([1, 2, 3, 4], [0.1, 0.4, 0.3, 0.9])
    1.0
    """
    return _reversed(ranking)


def _reversed(ranking: Ranking) -> Any:
    """The number of pairs, in predicted order, whose true ranks decrease.

    Both ranks, doubled to be integers, are sorted as one number: within a tie of the prediction the
    true ranks then increase, so that none of its pairs count.
    """
    n = ranking.n
    true, predicted = (
        (2 * r.reshape(-1, n)).astype(np.int64) for r in (ranking.true, ranking.predicted)
    )
    both = predicted * (4 * n) + true
    both.sort(axis=-1)
    counted = kernels.for_size(both.size).inversions((both % (4 * n)).astype(np.float64))
    return counted.reshape(ranking.shape)[()].astype(np.float64)


@measure(
    symbol="OAUC", aliases=("oauc",), family="order", subject="order", best="max", range=(0, 1),
    undefined="there is only one item, or a tie lies across the middle of the true order",
    formula=r"\frac{\sum_i a_{r_i} (r_i - i)}"
            r"{\lfloor n/2 \rfloor \sum_{i=1}^{\lceil n/2 \rceil} (\lfloor n/2 \rfloor + i)}",
    reference="huang2006",
    quantum=lambda n: 1 / _most(n),
)  # fmt: skip
def ordered_auc(ranking: Ranking) -> Any:
    """The AUC of the upper half of the true order, with each item weighted by its true rank.

    For a tie of the prediction it is the expectation over random orders.

    >>> ordered_auc([1, 2, 3, 4], [0.1, 0.4, 0.3, 0.9])
    0.785714...
    """
    below = ranking.n // 2
    upper = ranking.true > below
    straddled = np.count_nonzero(upper, axis=-1) != ranking.n - below
    wins = ranking.predicted - _ranks_among(ranking.predicted, upper)
    total = np.sum(np.where(upper, ranking.true * wins, 0.0), axis=-1)
    most = _most(ranking.n)
    return np.where(straddled | (most == 0), np.nan, total / max(most, 1))[()]


def _most(n: Any) -> Any:
    """The sum for a perfect order of n items: all upper items above all lower items."""
    below = n // 2
    return below * (n - below) * (n + below + 1) / 2


def _ranks_among(predicted: Any, members: Any) -> Any:
    """The rank of each member among the members; ties get their mean rank."""
    place = np.argsort(predicted, axis=-1, kind="stable")
    inside = np.take_along_axis(members, place, -1).astype(np.float64)
    ordered = np.take_along_axis(predicted, place, -1)
    upto = np.cumsum(inside, axis=-1)
    first = np.concatenate(
        [np.ones((*ordered.shape[:-1], 1), bool), ordered[..., 1:] != ordered[..., :-1]], axis=-1
    )
    last = np.concatenate([first[..., 1:], np.ones((*first.shape[:-1], 1), bool)], axis=-1)
    before = np.maximum.accumulate(np.where(first, upto - inside, 0.0), axis=-1)
    after = np.flip(np.minimum.accumulate(np.flip(np.where(last, upto, np.inf), -1), axis=-1), -1)
    ranks = np.empty(ordered.shape)
    np.put_along_axis(ranks, place, (before + after + 1) / 2, -1)
    return ranks


@measure(
    symbol="τ", aliases=("kendall",), family="order", subject="order", best="max", range=(-1, 1),
    undefined="there is only one item, or all are tied in one of the orders",
    formula=r"\frac{concordant - discordant}{\sqrt{(pairs - ties) (pairs - ties')}}",
    reference="kendall1938",
    quantum=lambda n: 2 / (n * (n - 1)),
)  # fmt: skip
def kendall_tau(ranking: Ranking) -> Any:
    """The difference of the fractions of pairs in the right and in the wrong order.

    Ties are handled as in Kendall's tau-b.

    >>> kendall_tau([1, 2, 3, 4], [0.1, 0.4, 0.3, 0.9])
    0.666666...
    """
    pairs = ranking.n * (ranking.n - 1) / 2
    tied, tied_too = _tied_pairs(ranking.true), _tied_pairs(ranking.predicted)
    both = _tied_pairs(ranking.true * (2 * ranking.n + 2) + ranking.predicted)
    discordant = _reversed(ranking)
    concordant = pairs - tied - tied_too + both - discordant
    return (concordant - discordant) / np.sqrt((pairs - tied) * (pairs - tied_too))


def _tied_pairs(values: Any) -> Any:
    """The number of pairs with the same value."""
    ordered = np.sort(values, axis=-1)
    same = ordered[..., 1:] == ordered[..., :-1]
    place = np.arange(1, ordered.shape[-1])
    start = np.maximum.accumulate(np.where(same, 0, place), axis=-1)
    return np.sum(np.where(same, place - start, 0), axis=-1)


@measure(
    symbol="ρ", aliases=("spearman",), family="order", subject="order", best="max", range=(-1, 1),
    undefined="there is only one item, or all are tied in one of the orders",
    formula=r"\frac{\sum_i (a_i - \bar{a}) (i - \bar{a})}"
            r"{\sqrt{\sum_i (a_i - \bar{a})^2 \sum_i (i - \bar{a})^2}}",
    reference="spearman1904",
    quantum=lambda n: 6 / (n * (n * n - 1)),
)  # fmt: skip
def spearman_rho(ranking: Ranking) -> Any:
    """The correlation of the predicted ranks with the true ranks.

    >>> spearman_rho([1, 2, 3, 4], [0.1, 0.4, 0.3, 0.9])
    0.8
    """
    middle = (ranking.n + 1) / 2
    true, predicted = ranking.true - middle, ranking.predicted - middle
    common = np.sum(true * predicted, axis=-1)
    return common / np.sqrt(np.sum(true**2, axis=-1) * np.sum(predicted**2, axis=-1))
