"""Robustness to noise in plain Python: one list, one case after the other.

Berrar 2014, section 4.1 and Eq. 9; Wu, Flach, Ferri 2007, section 4 and Fig. 2.
"""

import random
from collections.abc import Callable, Sequence
from fractions import Fraction

from .cuts import HALF, ONE, ZERO, Case, Number, Value

List = list[tuple[bool, float]]  # label and score of each case
Pair = tuple[List, List]  # the same for the better and the worse model
Valuation = Callable[[Sequence[Case]], Value]


def value(one: List, measure: Valuation) -> Value:
    return measure([(label, score, ONE) for label, score in one])


def error(better: Value, worse: Value, best: str | Number) -> Fraction:
    """delta of Berrar, Eq. 9; what has no value is a tie."""
    if better is None or worse is None:
        return HALF
    if not isinstance(best, str):
        better, worse = (-abs(Fraction(v) - Fraction(best)) for v in (better, worse))
    elif best == "min":
        better, worse = -better, -worse
    return ONE if worse > better else HALF if worse == better else ZERO


def rates(
    before: Sequence[Pair], after: Sequence[Pair], measure: Valuation, best: str | Number
) -> tuple[Fraction, Fraction, Fraction]:
    """The error rate, the rate of changed selections and the share without a value."""
    errors = changes = undefined = ZERO
    for clean, noisy in zip(before, after, strict=True):
        values = [value(one, measure) for one in noisy]
        here = error(*values, best)
        there = error(*(value(one, measure) for one in clean), best)
        errors += here
        changes += abs(here - there)
        undefined += None in values
    n = len(before)
    return errors / n, changes / n, undefined / n


def auc(one: List) -> Fraction | None:
    """The share of the pairs in order, by their numbers."""
    positives = [score for label, score in one if label]
    negatives = [score for label, score in one if not label]
    if not positives or not negatives:
        return None
    wins = sum((p > q) + (p >= q) for p in positives for q in negatives)
    return Fraction(wins, 2 * len(positives) * len(negatives))


def accuracy(one: List) -> Fraction:
    return Fraction(sum(label == (score >= 0.5) for label, score in one), len(one))


def berrar(dice: random.Random, cases: int, replaced: int, further: int) -> Pair:
    """Uniform scores, some replaced in both models and further, other ones in the worse."""
    truth = [dice.random() for _ in range(cases)]
    labels = [p >= 0.5 for p in truth]
    chosen = dice.sample(range(cases), replaced + further)
    better = truth.copy()
    for case in chosen[:replaced]:
        better[case] = dice.random()
    worse = better.copy()
    for case in chosen[replaced:]:
        worse[case] = dice.random()
    return [*zip(labels, better, strict=True)], [*zip(labels, worse, strict=True)]


def wu_flach_ferri(dice: random.Random, cases: int, swapped: int, further: int) -> Pair:
    """Two data sets with the true probabilities as scores and some classes swapped."""
    made = []
    for wrong in (swapped, swapped + further):
        truth = [dice.random() for _ in range(cases)]
        chosen = set(dice.sample(range(cases), wrong))
        made.append([((p >= 0.5) != (case in chosen), p) for case, p in enumerate(truth)])
    return made[0], made[1]


def noisy_labels(pair: Pair, share: float, dice: random.Random) -> Pair:
    """Some labels are decided by a coin, the same for both models."""
    cases = len(pair[0])
    coins = {c: dice.random() < 0.5 for c in dice.sample(range(cases), round(share * cases))}
    first, second = (
        [(coins.get(case, label), score) for case, (label, score) in enumerate(one)] for one in pair
    )
    return first, second


def noisy_scores(pair: Pair, reach: float, dice: random.Random, *, clip: bool = False) -> Pair:
    """Every score of every model is moved by its own uniform number."""
    moved = []
    for one in pair:
        scores = [score + dice.uniform(-reach, reach) for _, score in one]
        if clip:
            scores = [min(max(score, 0.0), 1.0) for score in scores]
        moved.append([(label, score) for (label, _), score in zip(one, scores, strict=True)])
    return moved[0], moved[1]


def fewer_positives(pair: Pair, share: float, dice: random.Random) -> Pair:
    """Some positives are deleted, the same for both models."""
    positives = [case for case, (label, _) in enumerate(pair[0]) if label]
    gone = set(dice.sample(positives, round(share * len(positives))))
    first, second = ([c for case, c in enumerate(one) if case not in gone] for one in pair)
    return first, second


def simulated(
    draw: Callable[[random.Random], Pair],
    noise: Callable[[Pair, random.Random], Pair],
    measure: Callable[[List], Fraction | None],
    repeats: int,
    seed: int,
) -> tuple[float, float]:
    """The error rate and the rate of changed selections of a measure that should be large."""
    dice = random.Random(seed)  # noqa: S311
    errors = changes = ZERO
    for _ in range(repeats):
        pair = draw(dice)
        there = error(*map(measure, pair), "max")
        here = error(*map(measure, noise(pair, dice)), "max")
        errors += here
        changes += abs(here - there)
    return float(errors / repeats), float(changes / repeats)
