"""Huang's five counts by looking at every pair of lists, and all lists of a domain one by one.

A valuation turns a list into something that is larger if the list is better and that ties exactly:
a fraction, a pair of them, a number with a root in it, or enough digits that none is in doubt.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import total_ordering
from itertools import combinations, permutations
from typing import Any

from . import CUT_ORACLES, TABLE_ORACLES, Case, cut, order
from .cuts import mcc as mcc_of_matrix

Valuation = Callable[[Any], Any]
NAMES = ("con", "incon", "dis_fg", "dis_gf", "ind")
ONE = Fraction(1)
DIGITS = 60


def ranked_lists(positives: int, negatives: int) -> Iterator[list[Case]]:
    """All lists without ties, the highest score first."""
    n = positives + negatives
    for chosen in combinations(range(n), positives):
        yield [(place in chosen, float(n - place), ONE) for place in range(n)]


def orders(n: int) -> Iterator[tuple[int, ...]]:
    """All orders of n items: the true rank of the item at each predicted place, lowest first."""
    return permutations(range(1, n + 1))


def list_of_order(true_ranks: Sequence[int]) -> list[Case]:
    """The list whose positives are the items of the upper half of the true order."""
    half = len(true_ranks) // 2
    return [(rank > half, float(place), ONE) for place, rank in enumerate(true_ranks)]


def sign(value: Any) -> int:
    return (value > 0) - (value < 0)


def judged(f: Sequence[Any], g: Sequence[Any]) -> dict[str, int]:
    """The five counts over all pairs of different elements, from their values."""
    seen = Counter(
        (sign(f_a - f_b), sign(g_a - g_b))
        for (f_a, g_a), (f_b, g_b) in combinations([*zip(places(f), places(g), strict=True)], 2)
    )
    return {
        "con": seen[1, 1] + seen[-1, -1],
        "incon": seen[1, -1] + seen[-1, 1],
        "dis_fg": seen[1, 0] + seen[-1, 0],
        "dis_gf": seen[0, 1] + seen[0, -1],
        "ind": seen[0, 0],
    }


def places(values: Sequence[Any]) -> list[int]:
    """Where each value stands among the different ones, from the worst."""
    place = {value: number for number, value in enumerate(sorted(set(values)))}
    return [place[value] for value in values]


def of_table(name: str, best: str = "max", **parameters: Any) -> Valuation:
    """A measure of the whole list, by its slow definition."""
    way = 1 if best == "max" else -1
    return lambda cases: way * rational(TABLE_ORACLES[name](cases, **parameters))


def at_cut(name: str, k: int, best: str = "max", **parameters: Any) -> Valuation:
    """A measure of the k highest cases against the others."""
    way = 1 if best == "max" else -1

    def value(cases: Sequence[Case]) -> Any:
        matrix = cut(cases, "k", k)
        assert matrix is not None
        return way * rational(CUT_ORACLES[name](*matrix, **parameters))

    return value


def rational(value: Any) -> Fraction:
    assert isinstance(value, (Fraction, int)), f"{value} is no fraction"
    return Fraction(value)


def mcc(k: int) -> Valuation:
    """The square of the correlation, with its sign: it ties where the correlation does."""

    def value(cases: Sequence[Case]) -> Fraction:
        tp, fp, fn, tn = cut(cases, "k", k) or ()
        below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
        found = (tp * tn - fp * fn) * abs(tp * tn - fp * fn) / below
        assert abs(float(abs(found)) ** 0.5 - abs(mcc_of_matrix(tp, fp, fn, tn))) < 1e-12
        return found

    return value


def ndcg(cases: Sequence[Case]) -> Decimal:
    """The sum of 1 / log2(1 + rank) over the positives, to many digits."""
    with localcontext() as context:
        context.prec = DIGITS
        ranks = [rank for rank, (label, _, _) in enumerate(cases, 1) if label]
        total = sum((1 / Decimal(1 + rank).ln() for rank in ranks), Decimal(0))
        return round(total, DIGITS - 10)


@total_ordering
class Surd:
    """a + b / sqrt(2) with fractions a and b, compared without rounding."""

    def __init__(self, a: Fraction, b: Fraction) -> None:
        self.a, self.b = a, b

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, Surd)
        return (self.a, self.b) == (other.a, other.b)

    def __hash__(self) -> int:
        return hash((self.a, self.b))

    def __gt__(self, other: "Surd") -> bool:
        a, b = self.a - other.a, self.b - other.b
        if sign(a) * sign(b) >= 0:
            return sign(a) + sign(b) > 0
        # Of opposite signs: the larger square wins, and they cannot be equal.
        return sign(a) > 0 if 2 * a * a > b * b else sign(b) > 0


def two_level(f: Valuation, g: Valuation) -> Valuation:
    return lambda element: (f(element), g(element))


def linear(f: Valuation, g: Valuation, alpha: Fraction) -> Valuation:
    return lambda element: alpha * f(element) + (1 - alpha) * g(element)


def irrational(f: Valuation, g: Valuation) -> Valuation:
    """sqrt(1/2) f + (1 - sqrt(1/2)) g."""

    def value(element: Any) -> Surd:
        first, second = f(element), g(element)
        return Surd(second, first - second)

    return value


def of_order(name: str) -> Valuation:
    """A measure of orders; each is turned so that larger is better."""

    def value(true_ranks: Sequence[int]) -> Fraction:
        places = range(1, len(true_ranks) + 1)
        if name in {"euclidean_distance", "spearman_rho"}:  # both fall with the squared distance
            return -Fraction(order.squared_distance(true_ranks, places))
        if name in {"reversed_pairs", "kendall_tau"}:
            return -Fraction(order.reversed_pairs(true_ranks, places))
        if name == "manhattan_distance":
            return -Fraction(order.manhattan_distance(true_ranks, places))
        return ordered_auc(true_ranks)

    return value


def ordered_auc(true_ranks: Sequence[int]) -> Fraction:
    """Huang's formula 1.9, up to its constant: no ties, so no orders of ties to average over."""
    half = len(true_ranks) // 2
    places = [place for place, rank in enumerate(true_ranks, 1) if rank > half]
    return Fraction(sum(true_ranks[place - 1] * (place - i) for i, place in enumerate(places, 1)))


def of_labels(valuation: Valuation) -> Valuation:
    """A measure of lists as one of orders."""
    return lambda true_ranks: valuation(list_of_order(true_ranks))
