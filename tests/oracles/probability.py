"""Measures of the scores as probabilities; scores in [0, 1]."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from .cuts import (
    ONE,
    ZERO,
    Case,
    Number,
    Row,
    Span,
    Value,
    accuracy,
    rows,
    spans,
    threshold_cut,
    totals,
)
from .scored import auc

ExactCase = tuple[bool, Fraction, Fraction]  # label, score, weight
Vector = np.ndarray[tuple[int], np.dtype[np.float64]]


def exact(cases: Sequence[Case], clip: float | None = None) -> list[ExactCase]:
    """The cases that have weight, their scores as fractions, moved into [clip, 1 - clip]."""
    low = ZERO if clip is None else Fraction(clip)
    return [
        (label, min(max(Fraction(score), low), 1 - low), weight)
        for label, score, weight in cases
        if weight
    ]


def log(x: Fraction) -> float:
    """The natural logarithm, accurate for any x > 0 that is near 0 or near 1."""
    return math.log1p(x - 1) if x > Fraction(1, 2) else math.log(x)


def logit(x: Fraction) -> float:
    """ln(x / (1 - x))."""
    return log(x) - log(1 - x)


def sse(cases: Sequence[Case]) -> Value:
    """The sum of squared errors: Wu, Flach, Ferri 2007 (their Brier score)."""
    if not sum(totals(cases)):
        return None
    return sum((weight * (label - score) ** 2 for label, score, weight in exact(cases)), ZERO)


def brier(cases: Sequence[Case]) -> Value:
    """The mean squared error: Brier 1950."""
    errors = sse(cases)
    return None if errors is None else errors / sum(totals(cases))


def rms(cases: Sequence[Case]) -> Value:
    """The root of the mean squared error: Huang 2006, Section 1.1.3."""
    mean = brier(cases)
    return None if mean is None else math.sqrt(mean)


def log_loss(cases: Sequence[Case], clip: float | None = None) -> Value:
    """Minus the mean log-likelihood, MXE: Huang 2006, Section 1.1.3."""
    n = sum(totals(cases))
    if n == 0:
        return None
    chances = [(score if label else 1 - score, w) for label, score, w in exact(cases, clip)]
    if any(chance == 0 for chance, _ in chances):
        return math.inf
    return -math.fsum(float(weight / n) * log(chance) for chance, weight in chances)


def window_error(laid: Sequence[Span], start: Fraction, width: Fraction) -> Fraction:
    """|mean label - mean score| over [start, start + width] of the line."""
    gap = ZERO
    for low, high, (score, p, q) in laid:
        overlap = max(min(high, start + width) - max(low, start), ZERO)
        gap += overlap * (p / (p + q) - Fraction(score))
    return abs(gap) / width


def calibration_error(cases: Sequence[Case], window: Number = 100) -> Value:
    """CAL over sliding windows: Caruana and Niculescu-Mizil 2004."""
    n = sum(totals(cases))
    if n == 0:
        return None
    width, laid = min(Fraction(window), Fraction(n)), spans(cases)
    starts = range(math.floor(n - width) + 1)
    return sum((window_error(laid, Fraction(j), width) for j in starts), ZERO) / len(starts)


def mass_groups(cases: Sequence[Case], groups: int) -> list[list[Row]]:
    """The rows by the group floor(groups m / n) of their middle m; empty groups left out."""
    n = sum(totals(cases))
    members: dict[int, list[Row]] = {}
    for start, stop, row in spans(cases):
        members.setdefault(math.floor(groups * (start + stop) / (2 * n)), []).append(row)
    return list(members.values())


def width_groups(cases: Sequence[Case], groups: int) -> list[list[Row]]:
    """The rows by how many of the inner edges g / groups, as doubles, their score reaches."""
    members: dict[int, list[Row]] = {}
    for row in rows(cases):
        members.setdefault(sum(row[0] >= g / groups for g in range(1, groups)), []).append(row)
    return list(members.values())


def observed_expected(group: Sequence[Row]) -> tuple[Fraction, Fraction, Fraction]:
    """O, E, n of a group: its positive weight, its weighted score, its weight."""
    observed = sum((p for _, p, _ in group), ZERO)
    expected = sum(((p + q) * Fraction(score) for score, p, q in group), ZERO)
    return observed, expected, sum((p + q for _, p, q in group), ZERO)


def ece(cases: Sequence[Case], bins: int = 10, equal: str = "mass") -> Value:
    """The expected calibration error over bins that split no tie: Naeini et al. 2015."""
    n = sum(totals(cases))
    if n == 0:
        return None
    groups = {"mass": mass_groups, "width": width_groups}[equal](cases, bins)
    gaps = (observed - expected for observed, expected, _ in map(observed_expected, groups))
    return sum(map(abs, gaps), ZERO) / n


def hosmer_lemeshow(cases: Sequence[Case], groups: int = 10) -> Value:
    """The sum over groups of (O - E)^2 / (E (1 - E/n)): Hosmer and Lemeshow 1980."""
    if not sum(totals(cases)):
        return None
    statistic: Fraction | float = ZERO
    for observed, expected, size in map(observed_expected, mass_groups(cases, groups)):
        variance = expected * (1 - expected / size)
        if variance:
            statistic += (observed - expected) ** 2 / variance
        elif observed != expected:
            statistic = math.inf
    return statistic


def isotonic(cases: Sequence[Case]) -> list[tuple[Row, Fraction]]:
    """The rows with their isotonic fit: max over lower of min over upper ends of block means."""
    ascending = rows(cases)[::-1]
    count = len(ascending)
    means = {}
    for a in range(count):
        positive = weight = ZERO
        for b in range(a, count):
            positive += ascending[b][1]
            weight += ascending[b][1] + ascending[b][2]
            means[a, b] = positive / weight
    return [
        (row, max(min(means[a, b] for b in range(k, count)) for a in range(k + 1)))
        for k, row in enumerate(ascending)
    ]


def recalibrated_brier(cases: Sequence[Case]) -> Fraction:
    """The Brier score of the isotonic recalibration."""
    errors = (p * (1 - fit) ** 2 + q * fit**2 for (_, p, q), fit in isotonic(cases))
    return sum(errors, ZERO) / sum(totals(cases))


def uncertainty(cases: Sequence[Case]) -> Value:
    """UNC = pi (1 - pi): Dimitriadis, Gneiting, Jordan 2021."""
    p, n = totals(cases)
    return p * n / (p + n) ** 2 if p + n else None


def miscalibration(cases: Sequence[Case]) -> Value:
    """MCB = Brier - recalibrated Brier: Dimitriadis, Gneiting, Jordan 2021."""
    mean = brier(cases)
    return None if mean is None else mean - recalibrated_brier(cases)


def discrimination(cases: Sequence[Case]) -> Value:
    """DSC = pi (1 - pi) - recalibrated Brier: Dimitriadis, Gneiting, Jordan 2021."""
    spread = uncertainty(cases)
    return None if spread is None else spread - recalibrated_brier(cases)


def has_logits(present: Sequence[ExactCase]) -> bool:
    """Whether both classes are there and every score is inside (0, 1)."""
    labels = {label for label, _, _ in present}
    return len(labels) == 2 and all(0 < score < 1 for _, score, _ in present)


def separated(present: Sequence[ExactCase]) -> bool:
    """Whether a threshold separates the classes, completely or up to a shared score."""
    positive = [score for label, score, _ in present if label]
    negative = [score for label, score, _ in present if not label]
    return min(positive) >= max(negative) or max(positive) <= min(negative)


def root(f: Callable[[float], float], low: float, high: float) -> float:
    """Where f changes its sign, to the last digits."""
    return float(brentq(f, low, high, xtol=1e-15, rtol=1e-15))


class Logistic:
    """The weighted logistic regression logit P = a + b x, by its score equations."""

    def __init__(self, x: Vector, present: Sequence[ExactCase]) -> None:
        n = sum(weight for _, _, weight in present)
        self.x = x
        self.weight = np.array([float(weight / n) for _, _, weight in present])
        self.sign = np.array([1 if label else -1 for label, _, _ in present])
        self.center = logit(sum((w for label, _, w in present if label), ZERO) / n)

    def residuals(self, a: float, b: float) -> Vector:
        """w (y - P), without cancellation where P is near y."""
        residuals: Vector = self.weight * self.sign * expit(-self.sign * (a + b * self.x))
        return residuals

    def intercept(self, b: float) -> float:
        """The a at which the residuals sum to zero; all P are below, then above, the mean label."""
        low = self.center - max(b * self.x) - 1
        high = self.center - min(b * self.x) + 1
        return root(lambda a: math.fsum(self.residuals(a, b)), low, high)

    def slope(self) -> float:
        """The b at which the residuals, at their best a, are orthogonal to x."""

        def score(b: float) -> float:
            return math.fsum(self.x * self.residuals(self.intercept(b), b))

        low, high = -1.0, 1.0
        while score(low) < 0:
            low *= 2
        while score(high) > 0:
            high *= 2
        return root(score, low, high)


def calibration_slope(cases: Sequence[Case], clip: float | None = None) -> Value:
    """b of the logistic regression logit P = a + b logit(s): Cox 1958."""
    present = exact(cases, clip)
    if not has_logits(present) or separated(present):
        return None
    return joint_fit(present)[1]


def calibration_intercept(cases: Sequence[Case], clip: float | None = None) -> Value:
    """a of the logistic regression logit P = a + b logit(s): Cox 1958."""
    present = exact(cases, clip)
    if not has_logits(present) or separated(present):
        return None
    return joint_fit(present)[0]


def joint_fit(present: Sequence[ExactCase]) -> tuple[float, float]:
    """a and b of the logistic regression logit P = a + b logit(s)."""
    x = np.array([logit(score) for _, score, _ in present])
    scale = float(np.std(x))
    fit = Logistic((x - np.mean(x)) / scale, present)
    slope = fit.slope()
    return fit.intercept(slope) - slope * float(np.mean(x)) / scale, slope / scale


def calibration_in_the_large(cases: Sequence[Case], clip: float | None = None) -> Value:
    """a of the logistic regression logit P = a + logit(s): Cox 1958."""
    present = exact(cases, clip)
    if not has_logits(present):
        return None
    return Logistic(np.array([logit(score) for _, score, _ in present]), present).intercept(1)


def spiegelhalter_z(cases: Sequence[Case]) -> Value:
    """Spiegelhalter 1986: the standardized sum of (y - s)(1 - 2s)."""
    above = sum((w * (y - s) * (1 - 2 * s) for y, s, w in exact(cases)), ZERO)
    below = sum((w * (1 - 2 * s) ** 2 * s * (1 - s) for _, s, w in exact(cases)), ZERO)
    return math.copysign(math.sqrt(above**2 / below), above) if below else None


def sar(cases: Sequence[Case]) -> Value:
    """(accuracy + AUC + 1 - RMS) / 3: Caruana and Niculescu-Mizil 2004."""
    parts = accuracy(*threshold_cut(cases, 0.5)), auc(cases), rms(cases)
    if parts[0] is None or parts[1] is None or parts[2] is None:
        return None
    return float((parts[0] + parts[1] + ONE) / 3) - parts[2] / 3


PROBABILITY_ORACLES: dict[str, Callable[..., Value]] = {
    measure.__name__: measure
    for measure in (
        brier,
        sse,
        rms,
        log_loss,
        calibration_error,
        ece,
        miscalibration,
        discrimination,
        uncertainty,
        calibration_slope,
        calibration_intercept,
        calibration_in_the_large,
        spiegelhalter_z,
        hosmer_lemeshow,
        sar,
    )
}
