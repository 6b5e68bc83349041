"""Measures of order and margin; scores in [0, 1]."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from .cuts import HALF, ONE, ZERO, Case, Value, totals


def pairs(cases: Sequence[Case]) -> Iterator[tuple[float, float, Fraction]]:
    """(positive score, negative score, share of all PN pairs), for every pair."""
    p, n = totals(cases)
    for label_i, score_i, weight_i in cases:
        for label_j, score_j, weight_j in cases:
            if label_i and not label_j and weight_i and weight_j:
                yield score_i, score_j, weight_i * weight_j / (p * n)


def needs_pairs(measure: Callable[..., Fraction]) -> Callable[..., Value]:
    """The measure, undefined if a class is empty."""

    def guarded(cases: Sequence[Case], **parameters: float) -> Value:
        return measure(cases, **parameters) if all(totals(cases)) else None

    guarded.__name__, guarded.__doc__ = measure.__name__, measure.__doc__
    return guarded


def order(positive: float, negative: float) -> Fraction:
    """psi: 1 if the pair is in order, 1/2 if it is tied."""
    return ONE if positive > negative else HALF if positive == negative else ZERO


@needs_pairs
def auc(cases: Sequence[Case]) -> Fraction:
    """Wu, Flach, Ferri 2007, Eq. 1, with 1/2 for ties (Hand and Till 2001)."""
    return sum((w * order(s, t) for s, t, w in pairs(cases)), ZERO)


@needs_pairs
def scored_auc(cases: Sequence[Case]) -> Fraction:
    """Wu, Flach, Ferri 2007, Eq. 5 (Theorem 1)."""
    return sum((w * max(Fraction(s) - Fraction(t), ZERO) for s, t, w in pairs(cases)), ZERO)


@needs_pairs
def r_plus(cases: Sequence[Case]) -> Fraction:
    """Wu, Flach, Ferri 2007, R+ of Theorem 2, with 1/2 for ties."""
    return sum((w * Fraction(s) * order(s, t) for s, t, w in pairs(cases)), ZERO)


@needs_pairs
def r_minus(cases: Sequence[Case]) -> Fraction:
    """Wu, Flach, Ferri 2007, R- of Theorem 2, with 1/2 for ties."""
    return sum((w * Fraction(t) * order(s, t) for s, t, w in pairs(cases)), ZERO)


@needs_pairs
def margin_auc(cases: Sequence[Case], tau: float = 0.1) -> Fraction:
    """Wu, Flach, Ferri 2007, Eq. 4 (Definition 1), of numbers as they are written."""
    return sum((w for s, t, w in pairs(cases) if beyond(s, t, tau)), ZERO)


def beyond(positive: float, negative: float, tau: float) -> bool:
    """Whether one decimal is above another by more than tau, all as they are written."""
    s, t, margin = (Fraction(repr(float(number))) for number in (positive, negative, tau))
    return s - t > margin


@needs_pairs
def mean_gap(cases: Sequence[Case]) -> Fraction:
    """M+ - M-, the difference of the class means: Wu, Flach, Ferri 2007, Theorem 3."""
    return sum((w * (Fraction(s) - Fraction(t)) for s, t, w in pairs(cases)), ZERO)


@needs_pairs
def probabilistic_auc(cases: Sequence[Case]) -> Fraction:
    """The mean over pairs of (1 + s_i - s_j) / 2: Ferri et al. 2005."""
    return sum((w * (1 + Fraction(s) - Fraction(t)) / 2 for s, t, w in pairs(cases)), ZERO)


@needs_pairs
def soft_auc(cases: Sequence[Case], beta: float = 1.0) -> float:
    """Calders and Jaroszewicz 2007: the mean sigmoid of the differences of all pairs."""
    return math.fsum(float(w) / (1 + math.exp(-beta * (s - t))) for s, t, w in pairs(cases))


SCORED_ORACLES: dict[str, Callable[..., Value]] = {
    measure.__name__: measure
    for measure in (scored_auc, r_plus, r_minus, margin_auc, mean_gap, probabilistic_auc, soft_auc)
}
