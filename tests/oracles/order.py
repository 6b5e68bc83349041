"""Slow definitions of measures of an order: pairs one by one, random orders of ties written out."""

from fractions import Fraction
from itertools import pairwise, permutations


def mean_rank(values, item):
    """The mean of the places that items of this value share, from 1."""
    below = sum(v < values[item] for v in values)
    same = sum(v == values[item] for v in values)
    return below + Fraction(same + 1, 2)


def ranks(values):
    return [mean_rank(values, item) for item in range(len(values))]


def squared_distance(true, predicted):
    return sum((a - b) ** 2 for a, b in zip(ranks(true), ranks(predicted), strict=True))


def manhattan_distance(true, predicted):
    return sum(abs(a - b) for a, b in zip(ranks(true), ranks(predicted), strict=True))


def reversed_pairs(true, predicted):
    n = len(true)
    return sum(
        (true[i] - true[j]) * (predicted[i] - predicted[j]) < 0 for i in range(n) for j in range(i)
    )


def ordered_auc(true, predicted):
    """The mean over all orders of tied predictions of Huang's formula 1.9; None if undefined.

    a_i is the true rank of the item at predicted place i (errata Huang 5).
    """
    n = len(true)
    half = n // 2
    true_ranks = ranks(true)
    if not half or sorted(true_ranks)[half - 1] == sorted(true_ranks)[half]:
        return None
    values = []
    for order in permutations(range(n)):
        if any(predicted[a] > predicted[b] for a, b in pairwise(order)):
            continue
        a = [true_ranks[item] for item in order]
        places = [place for place in range(1, n + 1) if a[place - 1] > half]
        values.append(sum(a[r - 1] * (r - i) for i, r in enumerate(places, 1)))
    norm = half * sum(half + i for i in range(1, n - half + 1))
    return Fraction(sum(values), len(values)) / norm
