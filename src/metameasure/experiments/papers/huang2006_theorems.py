"""The lemmas and theorems of Huang (2006), on all lists of small sizes."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations
from typing import TYPE_CHECKING

import numpy as np

import metameasure as mm
from metameasure import lab
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.tolerance import LastDigit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Kinds = dict[Fraction, Counter[Fraction]]
"""The number of lists by accuracy and AUC."""

SIZES = [(a, b) for a in range(1, 7) for b in range(1, 7) if a + b <= 9]
EQUAL = range(1, 7)
PAIRS = list(permutations(("auc", "accuracy", "gini", "ks", "precision@k=2"), 2))
"""Pairs of measures for the theorems of chapter 4; auc and gini are equivalent."""
WEIGHTS = (0.1, 0.5, 0.7)


@cache
def kinds_of_lists(positives: int, negatives: int) -> Kinds:
    """All lists without ties, counted by accuracy and AUC."""
    n = positives + negatives
    labels = [[i in chosen for i in range(n)] for chosen in combinations(range(n), positives)]
    block = mm.tabulate_lists(labels, [list(range(n, 0, -1))] * len(labels))
    wins = np.rint(mm.auc.compute(block) * positives * negatives).astype(int)
    hits = np.rint(mm.accuracy.using(k=positives).compute(block) * n).astype(int)
    found: Kinds = {}
    for hit, win in zip(hits.tolist(), wins.tolist(), strict=True):
        areas = found.setdefault(Fraction(hit, n), Counter())
        areas[Fraction(win, positives * negatives)] += 1
    return found


def _ends(alpha: Fraction, p: int, q: int) -> tuple[Fraction, Fraction]:
    """Lemma 1: the least and the greatest AUC of lists with an accuracy."""
    square = Fraction((p + q) ** 2)
    least = (square * alpha**2 - (p - q) ** 2) / (4 * p * q)
    return least, 1 - square * (1 - alpha) ** 2 / (4 * p * q)


def _ordered(areas: Counter[Fraction], others: Counter[Fraction]) -> int:
    """The pairs in which the first list has the larger AUC, less those in which it is smaller."""
    return sum(m * k * ((a > b) - (a < b)) for a, m in areas.items() for b, k in others.items())


def _lemma_1(p: int, q: int) -> bool:
    return all((min(a), max(a)) == _ends(alpha, p, q) for alpha, a in kinds_of_lists(p, q).items())


def _lemma_2(p: int, q: int) -> bool:
    ends = [_ends(alpha, p, q) for alpha in sorted(kinds_of_lists(p, q))]
    return all(low < higher[0] and top < higher[1] for (low, top), higher in pairwise(ends))


def _lemma_3(p: int, q: int) -> bool:
    return all(
        len(areas) == (alpha - alpha**2) * (p + q) ** 2 / 2 + 1
        for alpha, areas in kinds_of_lists(p, q).items()
    )


def _lemma_4(p: int, q: int) -> bool:
    return all(
        areas[sum(_ends(alpha, p, q)) - area] == lists
        for alpha, areas in kinds_of_lists(p, q).items()
        for area, lists in areas.items()
    )


def _lemma_5(p: int, q: int) -> bool:
    kinds = kinds_of_lists(p, q)
    return all(_ordered(kinds[a], kinds[b]) > 0 for a, b in permutations(kinds, 2) if a > b)


def _theorem_1(p: int, q: int) -> bool:
    counts = lab.compare("auc", "accuracy", lab.ranked_lists(p, q)).counts
    return counts.con > counts.incon


def _right_pairs(n: int, positives: int) -> Counter[int]:
    """The number of lists by their number of pairs in the right order."""
    chosen = combinations(range(n), positives)
    return Counter(sum(place - i for i, place in enumerate(one)) for one in chosen)


def _lemma_6(n: int) -> bool:
    return all(
        _right_pairs(n, m + 1)[pairs] >= lists
        for m in range(1, (n + 1) // 2)
        for pairs, lists in _right_pairs(n, m).items()
    )


def _lemma_7(n: int) -> bool:
    return all(_right_pairs(n, m) == _right_pairs(n, n - m) for m in range(1, (n + 1) // 2))


def _above(n: int) -> dict[Fraction, dict[Fraction, int]]:
    """The number of lists by accuracy and by the distance of the AUC from the least one."""
    return {
        alpha: {area - _ends(alpha, n, n)[0]: lists for area, lists in areas.items()}
        for alpha, areas in kinds_of_lists(n, n).items()
    }


def _lemma_8(n: int) -> bool:
    above = _above(n)
    return all(above[alpha] == above[1 - alpha] for alpha in above)


def _lemma_9(n: int) -> bool:
    above, half = _above(n), Fraction(1, 2)
    return all(
        above[a].get(gap, 0) >= lists
        for a, b in permutations(above, 2)
        if half >= a > b
        or b > a >= half
        or (a > half > b and 1 - a >= b)
        or (b > half > a and 1 - a < b)
        for gap, lists in above[b].items()
    )


def _theorem_2(n: int) -> bool:
    counts = lab.compare("auc", "accuracy", lab.ranked_lists(n, n)).counts
    return counts.dis_fg > counts.dis_gf


def _compared(f: str, g: str) -> lab.MeasureComparison:
    return lab.compare(f, g, lab.ranked_lists(4, 3, way="enumerate"))


def _theorem_4(f: str, g: str) -> bool:
    """What is claimed of f:g when f is better than g and D of f over g is finite."""
    parts = _compared(f, g)
    if not (parts.consistency > 0.5 and 1 < parts.discriminancy < math.inf):
        return True
    over_f, over_g = (_compared(f"two_level({f}, {g})", part) for part in (f, g))
    return (
        over_f.consistency == 1
        and over_f.discriminancy == math.inf
        and over_g.consistency >= parts.consistency
        and over_g.discriminancy == math.inf
    )


def _theorem_5(f: str, g: str) -> bool:
    return _compared(f"two_level({f}, {g})", f).verdict == "dominates"


def _theorem_6(f: str, g: str) -> bool:
    parts = _compared(f, g).consistency
    found = [
        _compared(f"linear({f}, {g}, alpha={weight})", part).consistency
        for weight in WEIGHTS
        for part in (f, g)
    ]
    return all(math.isnan(parts) or math.isnan(c) or c >= parts - 1e-12 for c in found)


def _theorem_7(f: str, g: str) -> bool:
    """What is claimed of an irrational weight when neither part has an infinite D."""
    if math.inf in (_compared(f, g).discriminancy, _compared(g, f).discriminancy):
        return True
    mixed = f"linear({f}, {g}, alpha=irrational)"
    return all(_compared(mixed, part).discriminancy == math.inf for part in (f, g))


CLAIMS: dict[str, tuple[Callable[..., bool], Iterable[tuple[int | str, ...]]]] = {
    "Lemma 1": (_lemma_1, SIZES),
    "Lemma 2": (_lemma_2, SIZES),
    "Lemma 3": (_lemma_3, SIZES),
    "Lemma 4": (_lemma_4, SIZES),
    "Lemma 5": (_lemma_5, SIZES),
    "Theorem 1": (_theorem_1, [(p, q) for p in range(1, 8) for q in range(1, 8)]),
    "Lemma 6": (_lemma_6, [(n,) for n in range(2, 11)]),
    "Lemma 7": (_lemma_7, [(n,) for n in range(2, 11)]),
    "Lemma 8": (_lemma_8, [(n,) for n in EQUAL]),
    "Lemma 9": (_lemma_9, [(n,) for n in EQUAL]),
    "Theorem 2": (_theorem_2, [(n,) for n in range(1, 17)]),
    "Theorem 4": (_theorem_4, PAIRS),
    "Theorem 5": (_theorem_5, PAIRS),
    "Theorem 6": (_theorem_6, PAIRS),
    "Theorem 7": (_theorem_7, PAIRS),
}


@item(
    "huang2006",
    "theorems",
    derived=True,
    kind="exact",
    question="On how many sizes or pairs of measures do the lemmas and theorems fail?",
    cells=[{"claim": claim} for claim in CLAIMS],
    tolerance=LastDigit(),
    cost=10.0,
    convention="lemmas 1 to 5 on all lists of up to 9 cases, 6 and 7 of up to 10, 8 and 9 of up "
    "to 12; theorems 4 to 7 for pairs of five measures on all lists of 4 + 3 cases. Theorem 3 is a "
    "property test",
    errata={
        ("", "Theorem 2", "failures"): "Huang 11",
        ("", "Theorem 5", "failures"): "Huang 22",
        ("", "Theorem 7", "failures"): "Huang 22",
    },
)
def theorems(claim: str) -> Iterator[Value]:
    """The number of cases that were tried, and of those in which the claim fails."""
    holds, cases = CLAIMS[claim]
    found = [holds(*case) for case in cases]
    yield Value(claim, "tried", len(found))
    yield Value(claim, "failures", found.count(False))
