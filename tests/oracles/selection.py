"""Choosing among models by hand: every validation set, every coin, every pair of models.

A case is (label, weight, scores of the models); a measure a function of (label, score, weight)
triples whose larger values are better, None where it is undefined. Expectations are exact.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

Case = tuple[int, int, tuple[Any, ...]]
Measure = Callable[[list[tuple[int, Any, int]]], Any]


class Chosen(NamedTuple):
    """The expected regret, the probability of the best model, and the MSA."""

    regret: Any
    hit: Any
    msa: Any


def expected(
    cases: Sequence[Case], measure: Measure, goal: Measure, size: int, judged: str = "rest"
) -> Chosen:
    """The means over all validation sets of one size."""
    outcomes = []
    for drawn in combinations(range(len(cases)), size):
        left = range(len(cases)) if judged == "all" else set(range(len(cases))) - set(drawn)
        outcomes.append(
            _outcome([cases[i] for i in drawn], [cases[i] for i in left], measure, goal)
        )
    return _mean(outcomes)


def expected_with_noise(
    cases: Sequence[Case], measure: Measure, goal: Measure, size: int, redrawn: int
) -> Chosen:
    """The means over all validation sets with this number of labels redrawn at random."""
    outcomes = []
    for drawn in permutations(range(len(cases)), size):
        left = [cases[i] for i in range(len(cases)) if i not in drawn]
        for coins in product((0, 1), repeat=redrawn):
            labels = [*coins, *(cases[i][0] for i in drawn[redrawn:])]
            noisy = [(y, *cases[i][1:]) for y, i in zip(labels, drawn, strict=True)]
            outcomes.append(_outcome(noisy, left, measure, goal))
    return _mean(outcomes)


def _outcome(drawn: list[Case], left: list[Case], measure: Measure, goal: Measure) -> Chosen:
    models = range(len(drawn[0][2]))
    values = [measure([(y, s[m], w) for y, w, s in drawn]) for m in models]
    goals = [goal([(y, s[m], w) for y, w, s in left]) for m in models]
    known = [m for m in models if values[m] is not None]
    picked = [m for m in known if values[m] == max(values[k] for k in known)] or list(models)
    best = max(goals)
    regret = sum((best - goals[m] for m in picked), Fraction(0)) / len(picked)
    hit = Fraction(sum(goals[m] == best for m in picked), len(picked))
    pairs = list(combinations(models, 2))
    agreed = sum((_agreed(values[a], values[b], goals[a], goals[b]) for a, b in pairs), Fraction(0))
    return Chosen(regret, hit, agreed / len(pairs))


def _agreed(value_a: Any, value_b: Any, goal_a: Any, goal_b: Any) -> Fraction:
    if value_a is None or value_b is None or value_a == value_b or goal_a == goal_b:
        return Fraction(1, 2)
    return Fraction(int((value_a > value_b) == (goal_a > goal_b)))


def _mean(outcomes: list[Chosen]) -> Chosen:
    columns: Iterator[tuple[Any, ...]] = zip(*outcomes, strict=True)
    return Chosen(*(sum(column) / len(outcomes) for column in columns))


def auc(cases: list[tuple[int, Any, int]]) -> Fraction | None:
    """The share of pairs that are in the right order, by weight."""
    pairs = [(a, b) for a in cases if a[0] for b in cases if not b[0]]
    total = sum(a[2] * b[2] for a, b in pairs)
    won = sum(
        (a[2] * b[2] * (Fraction(a[1] > b[1]) + Fraction(a[1] == b[1]) / 2) for a, b in pairs),
        Fraction(0),
    )
    return won / total if total else None


def accuracy(cases: list[tuple[int, Any, int]]) -> Fraction | None:
    """The weight of the right decisions at one half."""
    right = sum(w for y, s, w in cases if (s >= Fraction(1, 2)) == bool(y))
    return Fraction(right, sum(w for _, _, w in cases))


def precision(cases: list[tuple[int, Any, int]]) -> Fraction | None:
    """The share of positives among the cases at one half and above."""
    taken = [(y, w) for y, s, w in cases if s >= Fraction(1, 2)]
    return Fraction(sum(y * w for y, w in taken), sum(w for _, w in taken)) if taken else None


def brier(cases: list[tuple[int, Any, int]]) -> Fraction | None:
    """The mean squared error, turned round so that larger is better."""
    lost = sum((w * (s - y) ** 2 for y, s, w in cases), Fraction(0))
    return -lost / sum(w for _, _, w in cases)
