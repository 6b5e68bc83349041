"""Statements of Huang (2006) about measures: Sections 1.1.2, 3.1, 3.3 and 4.1."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations
from typing import TYPE_CHECKING

import metameasure as mm
from metameasure import lab
from metameasure.experiments.statements import (
    Scores,
    Statement,
    declare,
    labeled,
    once,
    tied_lists,
    untied_lists,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZES = [(a, b) for a in range(1, 6) for b in range(1, 6)]
INTRANSITIVE = (1, 1, 3, 2), (3, 2, 3, 2), (3, 0, 0, 0)
"""The values of three measures on four objects."""


def _unit_range(high: Scores, low: Scores) -> bool:
    return 0 <= mm.scored_auc(*labeled(high, low)) <= 1


@cache
def _compared(positives: int, negatives: int) -> lab.MeasureComparison:
    return lab.compare("auc", "accuracy", lab.ranked_lists(positives, negatives))


def _five_cases(positives: int, negatives: int) -> bool:
    """Whether the five kinds of pairs are all pairs."""
    counts = _compared(positives, negatives).counts
    lists = sum(1 for _ in combinations(range(positives + negatives), positives))
    five = counts.con + counts.incon + counts.dis_fg + counts.dis_gf + counts.ind
    return five == lists * (lists - 1) // 2


def _number_of_values(positives: int, negatives: int) -> bool:
    """Whether AUC takes more values than accuracy."""
    lists = [
        labeled(high, low)
        for high, low in untied_lists(positives + negatives)
        if (len(high), len(low)) == (positives, negatives)
    ]
    areas = {round(mm.auc(*case), 9) for case in lists}
    accuracies = {round(mm.accuracy(*case, k=positives), 9) for case in lists}
    return len(areas) > len(accuracies)


def _short_sizes() -> list[tuple[int, int]]:
    return [(a, b) for a, b in SIZES if a + b <= 6]


def _agreement(positives: int, negatives: int) -> bool:
    """Whether accuracy agrees with AUC in the fraction C of the pairs that AUC decides."""
    counts = _compared(positives, negatives).counts
    agrees = Fraction(counts.con, counts.con + counts.incon + counts.dis_fg)
    return agrees == Fraction(counts.con, counts.con + counts.incon)


def _decides_all(positives: int, negatives: int) -> bool:
    """Whether accuracy decides each pair that AUC decides."""
    return _compared(positives, negatives).counts.dis_fg == 0


def _better(f: tuple[int, ...], g: tuple[int, ...]) -> bool:
    """Definition 10: f is consistent with g and more discriminating."""
    signs = [
        ((f[a] > f[b]) - (f[a] < f[b]), (g[a] > g[b]) - (g[a] < g[b]))
        for a, b in combinations(range(len(f)), 2)
    ]
    agree = sum(x * y for x, y in signs)
    return agree > 0 and sum(y == 0 != x for x, y in signs) > sum(x == 0 != y for x, y in signs)


def _not_transitive() -> bool:
    f, g, h = INTRANSITIVE
    return _better(f, g) and _better(g, h) and not _better(f, h)


def _auc_of_order(order: tuple[int, ...]) -> float:
    """The AUC of the upper half of the items."""
    return mm.auc([rank > len(order) // 2 for rank in order], range(len(order)))


MEASURES: dict[str, Callable[[tuple[int, ...]], float]] = {
    "AUC": _auc_of_order,
    "OAUC": lambda order: mm.ordered_auc.compute(mm.Ranking(order)),
    "ED": lambda order: mm.euclidean_distance.compute(mm.Ranking(order)),
    "MD": lambda order: mm.manhattan_distance.compute(mm.Ranking(order)),
}


@cache
def _distinct(measure: str, length: int) -> int:
    """The number of values of a measure on all orders."""
    orders = permutations(range(1, length + 1))
    return len({round(float(MEASURES[measure](order)), 9) for order in orders})


def _more_values(finer: str, coarser: str, length: int) -> bool:
    return _distinct(finer, length) > _distinct(coarser, length)


def _finer_orders() -> Iterator[tuple[str, str, int]]:
    for length in (4, 5, 6):
        yield "ED", "MD", length
        yield "OAUC", "AUC", length


def _values_of_oauc(length: int) -> bool:
    """Whether OAUC takes the stated number of values."""
    low = length // 2
    stated = low * sum(low + i for i in range(1, length - low + 1))
    return _distinct("OAUC", length) == stated


INCREASING: tuple[Callable[[float], float], ...] = (
    lambda x: 10 * x,
    lambda x: x**3,
    lambda x: -1 / (1 + x),
)


def _monotone(high: Scores, low: Scores) -> bool:
    """Whether increasing functions of AUC order lists as AUC does, here against all others."""
    area = mm.auc(*labeled(high, low))
    others = {mm.auc(*labeled(*case)) for case in untied_lists(5)}
    return all(
        (area > other) == (change(area) > change(other))
        for change in INCREASING
        for other in others
    )


CONSTRUCTED = {
    "two-level": ("two_level({}, {})", "two_level(auc, accuracy)"),
    "linear": ("linear({}, {}, alpha=irrational)", "linear(auc, accuracy, alpha=irrational)"),
}


def _constructed() -> Iterator[tuple[str, str, int]]:
    for kind in CONSTRUCTED:
        for part in ("auc", "accuracy"):
            yield from ((kind, part, size) for size in (2, 3, 4))


def _only_once(kind: str, part: str, size: int) -> bool:
    """Whether a second construction, from the new measure and a part of it, splits no tie."""
    form, first = CONSTRUCTED[kind]
    again = form.format(first, part)
    return lab.compare(again, first, lab.ranked_lists(size, size)).counts.dis_fg == 0


SUM = 1000
LONGEST = 60
"""Number of positives, and of negatives, up to which sums of AUC and accuracy are searched."""


def _areas(size: int, hits: int) -> range:
    """The numbers of right pairs of balanced lists with this number of positives at the top."""
    return range(hits**2, hits**2 + 2 * hits * (size - hits) + 1)


def _sum_orders_by_auc(size: int) -> bool:
    """Whether 1000 AUC + accuracy never contradicts AUC on balanced lists.

    Of two lists, the one with fewer positives at the top may have one right pair more.
    """
    return not any(
        Fraction(SUM, size**2) < Fraction(better - worse, size)
        and {pairs + 1 for pairs in _areas(size, better)} & {*_areas(size, worse)}
        for worse, better in combinations(range(size + 1), 2)
    )


def _rounded_sum_has_two_levels(size: int) -> bool:
    """Whether 1000 AUC + accuracy, both of 3 digits, orders as AUC and then accuracy do."""
    rounded = sorted(
        {
            (round(Fraction(SUM * pairs, size**2)), round(Fraction(SUM * hits, size)))
            for hits in range(size + 1)
            for pairs in _areas(size, hits)
        }
    )
    sums = [SUM * area + accuracy for area, accuracy in rounded]
    return all(one < other for one, other in pairwise(sums))


declare(
    "huang2006",
    [
        Statement(
            "range of SAUC",
            "Sec. 1.1.2",
            "SAUC of probabilities lies between 0 and 1.",
            _unit_range,
            tied_lists,
        ),
        Statement(
            "five cases",
            "Sec. 3.1",
            "The five percentages of two measures sum to 1.",
            _five_cases,
            lambda: SIZES,
            kind="sizes of lists",
        ),
        Statement(
            "number of values",
            "Sec. 3.1",
            "AUC takes more values than accuracy.",
            _number_of_values,
            _short_sizes,
            kind="sizes of lists",
            condition="there are more than two cases",
            under=lambda positives, negatives: positives + negatives > 2,
        ),
        Statement(
            "agreement",
            "Sec. 3.1",
            "If AUC prefers a list to another, accuracy agrees with the probability C.",
            _agreement,
            lambda: SIZES,
            kind="sizes of lists",
            condition="accuracy decides every pair that AUC decides, as for one positive and one "
            "negative; in general C is the probability among the pairs that both decide",
            under=_decides_all,
            erratum="Huang 25",
        ),
        Statement(
            "transitivity",
            "Sec. 4.1.1",
            "That one measure is better than another, by C and D, is not transitive.",
            _not_transitive,
            once,
            kind="examples",
        ),
        Statement(
            "finer measures of orders",
            "Sec. 3.3",
            "ED takes more values than MD, and OAUC more than AUC.",
            _more_values,
            _finer_orders,
            kind="pairs of measures and lengths",
        ),
        Statement(
            "values of OAUC",
            "Sec. 3.3",
            "OAUC takes n1 times the sum of n1 + 1 to n1 + n0 values.",
            _values_of_oauc,
            lambda: [(length,) for length in (4, 5, 6, 7)],
            kind="lengths",
            erratum="Huang 24",
        ),
        Statement(
            "Theorem 3",
            "Sec. 4.1",
            "An increasing function of a measure is equivalent to it (Theorem 3).",
            _monotone,
            lambda: untied_lists(5),
        ),
        Statement(
            "only once",
            "Sec. 4.1.1, 4.1.2",
            "A second construction, from a new measure and a part of it, gives no better measure.",
            _only_once,
            _constructed,
            kind="constructions",
        ),
        Statement(
            "rounded sum as two levels",
            "Sec. 4.1.1",
            "If AUC and accuracy are rounded to 3 digits, 1000 AUC + accuracy is a two-level "
            "measure of the rounded values.",
            _rounded_sum_has_two_levels,
            lambda: [(size,) for size in range(1, LONGEST + 1)],
            kind="sizes of balanced lists",
        ),
        Statement(
            "sum as two levels",
            "Sec. 4.1.1",
            "1000 AUC + accuracy never contradicts AUC, also without rounding. (The thesis calls "
            "it a simple approximation for values of 3 digits; this is our addition.)",
            _sum_orders_by_auc,
            lambda: [(size,) for size in range(1, LONGEST + 1)],
            kind="sizes of balanced lists",
            condition="there are at most 100 cases",
            under=lambda size: 2 * size <= 100,
            erratum="Huang 16",
        ),
    ],
)
