"""Tests by a measure, and correlations, by their definitions: every arrangement is tried."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from . import TABLE_ORACLES
from .cuts import ONE, ZERO, Case, Value
from .tests_of_models import mid_ranks, one_sided_ks

Labels = tuple[bool, ...]  # from the highest score to the lowest


def arrangements(positives: int, negatives: int) -> Iterator[Labels]:
    """Every way to deal labels to ranks."""
    n = positives + negatives
    for chosen in combinations(range(n), positives):
        yield tuple(place in chosen for place in range(n))


def cases(labels: Labels, scores: Sequence[float]) -> list[Case]:
    return [(label, score, ONE) for label, score in zip(labels, scores, strict=True)]


def statistic(name: str, side: str) -> Callable[[Sequence[Case]], Value]:
    """The value of a measure; for KS the distance in one direction, if the side says so."""
    if name != "ks" or side == "two-sided":
        return TABLE_ORACLES[name]
    sign = 1 if side == "greater" else -1
    return lambda listed: one_sided_ks([(label, sign * s, w) for label, s, w in listed])


def tail(beyond: int, at: int, total: int, level: Fraction, randomized: bool) -> Fraction:
    """The probability of rejection, if ``beyond`` of equally likely values are more extreme."""
    room = level * total - beyond
    if randomized:
        return min(ONE, max(ZERO, room / at))
    return ONE if at <= room else ZERO


def rejection(
    name: str,
    side: str,
    values: Sequence[float],
    seen: float,
    level: Fraction,
    *,
    smaller_is_better: bool = False,
    randomized: bool = True,
) -> Fraction:
    """The probability that a test rejects what it has seen, which is one of the values."""
    above = sum(v > seen and not math.isclose(v, seen, abs_tol=1e-11) for v in values)
    below = sum(v < seen and not math.isclose(v, seen, abs_tol=1e-11) for v in values)
    at = len(values) - above - below
    better, worse = (below, above) if smaller_is_better else (above, below)
    rest = at, len(values)
    if name == "ks" or side == "greater":
        return tail(better if name != "ks" else above, *rest, level, randomized)
    if side == "less":
        return tail(worse, *rest, level, randomized)
    return sum((tail(b, *rest, level / 2, randomized) for b in (above, below)), ZERO)


def lehmann(labels: Labels, power: int) -> Fraction:
    """The probability of an order if F is the distribution of negatives, F^power of positives.

    Lehmann 1953: the integral over ordered uniforms of the product of power u^(power - 1) over the
    positives, times the orders within each class.
    """
    weights = [power if label else 1 for label in reversed(labels)]
    positives = sum(labels)
    orders = math.factorial(positives) * math.factorial(len(labels) - positives)
    found = Fraction(orders)
    for last in range(len(weights)):
        found *= Fraction(weights[last], sum(weights[: last + 1]))
    return found


def exact_power(
    name: str, side: str, sizes: tuple[int, int], power: int, level: Fraction, **options: bool
) -> float:
    """The power of a measure of the order against Lehmann's alternative."""
    orders = list(arrangements(*sizes))
    places = [float(-place) for place in range(sum(sizes))]
    values = [float(statistic(name, side)(cases(order, places))) for order in orders]  # type: ignore[arg-type]
    return sum(
        float(lehmann(order, power) * rejection(name, side, values, seen, level, **options))
        for order, seen in zip(orders, values, strict=True)
    )


def pearson(a: Sequence[float], b: Sequence[float]) -> float:
    """Huang 2006, section 4.2."""
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    s_ab = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    s_aa, s_bb = sum((x - mean_a) ** 2 for x in a), sum((y - mean_b) ** 2 for y in b)
    return s_ab / math.sqrt(s_aa * s_bb)


def spearman(a: Sequence[Fraction], b: Sequence[Fraction]) -> float:
    """The correlation of the ranks, ties having their mean."""
    ranks = ([float(rank) for rank in mid_ranks(values)] for values in (a, b))
    return pearson(*ranks)


def distance(truth: Sequence[float], scores: Sequence[float]) -> float:
    """The root mean square of Huang 2006, section 1.1.3."""
    squares = [(t - s) ** 2 for t, s in zip(truth, scores, strict=True)]
    return math.sqrt(sum(squares) / len(squares))
