"""Uncertainty of a value: variances, intervals and tests; exact where the answer is rational.

A paired case list has the same labels in the same order for both models. Whole-number weights
stand for repeated cases. None means undefined.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import NormalDist

from .cuts import HALF, ONE, ZERO, Case, Number, Value
from .scored import beyond, order

Kernel = Callable[[float, float], Fraction]  # of the scores of a positive and of a negative
Limits = tuple[float, float]
Placements = tuple[list[Fraction], list[Fraction]]

NORMAL = NormalDist()


def scored(positive: float, negative: float) -> Fraction:
    """(s_i - s_j)+, whose mean over pairs is the scored AUC: Wu, Flach, Ferri 2007, Eq. 5."""
    return max(Fraction(positive) - Fraction(negative), ZERO)


def gap(positive: float, negative: float) -> Fraction:
    """s_i - s_j, whose mean over pairs is M+ - M-: Wu, Flach, Ferri 2007, Theorem 3."""
    return Fraction(positive) - Fraction(negative)


def margin(tau: float = 0.1) -> Kernel:
    """[s_i - s_j > tau], of numbers as they are written: Wu, Flach, Ferri 2007, Eq. 4."""
    return lambda positive, negative: Fraction(beyond(positive, negative, tau))


KERNELS: dict[str, Kernel] = {
    "auc": order,
    "scored_auc": scored,
    "mean_gap": gap,
    "margin_auc": margin(),
}


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, ZERO) / len(values)


def repeated(cases: Sequence[Case]) -> list[tuple[bool, float]]:
    """(label, score) as often as the whole-number weight says."""
    assert all(Fraction(weight).denominator == 1 for _, _, weight in cases)
    return [(label, score) for label, score, weight in cases for _ in range(int(weight))]


def placements(cases: Sequence[Case], kernel: Kernel = order) -> Placements:
    """V10 and V01, the structural components of DeLong, DeLong, Clarke-Pearson 1988.

    V10_i is the mean of psi(i, j) over the negatives j, one for each positive i; V01_j the mean
    over the positives i, one for each negative j. Both have the measure as their mean.
    """
    positive = [score for label, score in repeated(cases) if label]
    negative = [score for label, score in repeated(cases) if not label]
    v10 = [mean([kernel(s, t) for t in negative]) for s in positive if negative]
    v01 = [mean([kernel(s, t) for s in positive]) for t in negative if positive]
    return v10, v01


def sample_covariance(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    """The sum of (x - mean)(y - mean), divided by one less than there are."""
    products = [(a - mean(x)) * (b - mean(y)) for a, b in zip(x, y, strict=True)]
    return sum(products, ZERO) / (len(x) - 1)


def delong_covariance(
    cases_a: Sequence[Case], cases_b: Sequence[Case], kernel: Kernel = order
) -> Value:
    """S10/m + S01/n of two models on the same cases: DeLong et al. 1988.

    S10 is the sample covariance (divisor m - 1) of the models' V10, S01 that of their V01 (divisor
    n - 1), with m positives and n negatives; undefined below two of each.
    """
    (a10, a01), (b10, b01) = placements(cases_a, kernel), placements(cases_b, kernel)
    m, n = len(a10), len(a01)
    if m < 2 or n < 2:
        return None
    return sample_covariance(a10, b10) / m + sample_covariance(a01, b01) / n


def delong_variance(cases: Sequence[Case], kernel: Kernel = order) -> Value:
    """S10/m + S01/n with the sample variances of V10 and V01: DeLong et al. 1988."""
    return delong_covariance(cases, cases, kernel)


def delong_test(
    cases_a: Sequence[Case], cases_b: Sequence[Case], kernel: Kernel = order
) -> tuple[float, float] | None:
    """z = (a - b) / sqrt(var a + var b - 2 cov) and its two-sided normal p: DeLong et al. 1988.

    Undefined where the variance of the difference is undefined or 0.
    """
    covariance = delong_covariance(cases_a, cases_b, kernel)
    if covariance is None:
        return None
    variance = delong_variance(cases_a, kernel) + delong_variance(cases_b, kernel) - 2 * covariance
    if variance == 0:
        return None
    difference = mean(placements(cases_a, kernel)[0]) - mean(placements(cases_b, kernel)[0])
    z = difference / math.sqrt(variance)
    return z, two_sided(z)


def theorem6_variance(cases: Sequence[Case]) -> Value:
    """Wu, Flach, Ferri 2007, Theorem 6, with x_j where x_i is printed.

    With m positives y_i, n negatives x_j and psi_ij = [y_i > x_j] it is::

        (n - 1) / (m n (m - 1)) sum_i (1/n sum_j (y_i - x_j) psi_ij - sAUC)^2
        + (m - 1) / (m n (n - 1)) sum_j (1/m sum_i (y_i - x_j) psi_ij - sAUC)^2

    that is (n-1)/n S10/m + (m-1)/m S01/n, always below DeLong's S10/m + S01/n unless both are 0.
    """
    v10, v01 = placements(cases, scored)
    m, n = len(v10), len(v01)
    if m < 2 or n < 2:
        return None
    area = mean(v10)
    return Fraction(n - 1, m * n * (m - 1)) * sum((v - area) ** 2 for v in v10) + Fraction(
        m - 1, m * n * (n - 1)
    ) * sum((v - area) ** 2 for v in v01)


def two_sided(z: float) -> float:
    """The probability that a standard normal lies farther from 0 than z."""
    return math.erfc(abs(z) / math.sqrt(2))


def normal_point(confidence: float) -> float:
    """The z within which, on both sides of 0, a standard normal lies with this probability."""
    return -NORMAL.inv_cdf((1 - confidence) / 2)


def wald_limits(value: Number, variance: Number, confidence: float = 0.95) -> Limits:
    """Value -+ z sqrt(variance), not clipped."""
    half = normal_point(confidence) * math.sqrt(variance)
    return float(value) - half, float(value) + half


def logit_limits(value: Number, variance: Number, confidence: float = 0.95) -> Limits | None:
    """Wald limits of ln(v / (1 - v)), whose variance is var / (v (1 - v))^2, turned back.

    Pepe 2003. Undefined at 0 and 1.
    """
    v = Fraction(value)
    if not 0 < v < 1:
        return None
    spread = Fraction(variance) / (v * (1 - v)) ** 2
    odds = float(v / (1 - v))
    half = normal_point(confidence) * math.sqrt(spread)
    low, high = odds * math.exp(-half), odds * math.exp(half)
    return low / (1 + low), high / (1 + high)


def boundary(inside: float, outside: float, rejects: Callable[[Fraction], bool]) -> float:
    """Where the test begins to reject between two floats, by bisection down to adjacent floats."""
    while inside != (middle := (inside + outside) / 2) != outside:
        if rejects(Fraction(middle)):
            outside = middle
        else:
            inside = middle
    return inside


def wilson(successes: int, trials: int, confidence: float = 0.95) -> Limits | None:
    """All p that the score test does not reject: Wilson 1927.

    The test rejects p where (x - n p)^2 > z^2 n p (1 - p). Undefined without trials.
    """
    if trials == 0:
        return None
    squared = Fraction(normal_point(confidence)) ** 2

    def rejects(p: Fraction) -> bool:
        return (successes - trials * p) ** 2 > squared * trials * p * (1 - p)

    share = successes / trials
    return boundary(share, 0.0, rejects), boundary(share, 1.0, rejects)


def coin(heads: int, tosses: int) -> Fraction:
    """The probability of the number of heads in independent tosses with probability 1/2."""
    return Fraction(math.comb(tosses, heads), 2**tosses)


def mcnemar_exact(only_a: int, only_b: int) -> Fraction:
    """The p-value of the sign test on the cases that only one model has right: McNemar 1947.

    It is the probability of every split of these cases that is at most as probable as this one;
    1 where there are none.
    """
    n = only_a + only_b
    observed = coin(only_a, n)
    return sum((coin(k, n) for k in range(n + 1) if coin(k, n) <= observed), ZERO)


def mcnemar_midp(only_a: int, only_b: int) -> Value:
    """The same with half the weight for splits exactly as probable: Fagerland et al. 2013.

    It is the exact p minus the probability of the observed split, or minus half of it where the
    models are even. Undefined where there is no case that only one model has right.
    """
    n = only_a + only_b
    if n == 0:
        return None
    observed = coin(only_a, n)
    chances = [coin(k, n) for k in range(n + 1)]
    below = sum((c for c in chances if c < observed), ZERO)
    return below + HALF * sum((c for c in chances if c == observed), ZERO)


def mcnemar_chi2(
    only_a: int, only_b: int, correction: bool = True
) -> tuple[Fraction, float] | None:
    """(|b - c| - 1)+^2 / (b + c), or without the 1, and its p-value with 1 degree of freedom.

    McNemar 1947; the correction is Edwards 1948. It never turns a difference of 0 into one of 1.
    Undefined where there is no case that only one model has right.
    """
    if only_a + only_b == 0:
        return None
    distance = max(abs(only_a - only_b) - bool(correction), 0)
    statistic = Fraction(distance**2, only_a + only_b)
    return statistic, two_sided(math.sqrt(statistic))


def holm(p_values: Sequence[Number]) -> list[Fraction]:
    """Adjusted p-values, in the order given: Holm 1979.

    That of p is the largest q #{p-values >= q} over all p-values q <= p, at most 1.
    """
    exact = [Fraction(p) for p in p_values]
    steps = [(q, q * sum(other >= q for other in exact)) for q in exact]
    return [min(max(step for q, step in steps if q <= p), ONE) for p in exact]


def bootstrap_by_hand(
    cases: Sequence[Case],
    measure_oracle: Callable[[Sequence[Case]], Value],
    draws: Sequence[Sequence[int]],
) -> list[Value]:
    """The measure of each resample, its cases written out as often as they were drawn: Efron 1979.

    Lists with one case or one group of cases left out make it the jackknife.
    """
    return [measure_oracle([cases[i] for i in draw]) for draw in draws]


def quantile(values: Sequence[Number], share: Number) -> Fraction:
    """Linear between the order statistics, the k-th of B at (k-1)/(B-1): numpy's default."""
    ordered = sorted(Fraction(value) for value in values)
    place = Fraction(share) * (len(ordered) - 1)
    low = min(math.floor(place), len(ordered) - 2) if len(ordered) > 1 else 0
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def defined(values: Sequence[Value]) -> list[Fraction]:
    """The values that are not None; infinite ones are not for here."""
    return [Fraction(value) for value in values if value is not None]


def percentile_limits(replicates: Sequence[Value], confidence: float = 0.95) -> Limits | None:
    """The quantiles of the replicates at (1 -+ confidence) / 2: Efron and Tibshirani 1993, Ch. 13.

    Undefined replicates are left out, here and below.
    """
    kept, tail = defined(replicates), (1 - Fraction(confidence)) / 2
    return (float(quantile(kept, tail)), float(quantile(kept, 1 - tail))) if kept else None


def basic_limits(
    value: Number, replicates: Sequence[Value], confidence: float = 0.95
) -> Limits | None:
    """2 value minus the percentile limits, exchanged: Davison and Hinkley 1997, Eq. 5.6."""
    kept, tail = defined(replicates), (1 - Fraction(confidence)) / 2
    if not kept:
        return None
    twice = 2 * Fraction(value)
    return float(twice - quantile(kept, 1 - tail)), float(twice - quantile(kept, tail))


def acceleration(jackknife_values: Sequence[Value]) -> float | None:
    """sum (mean - v)^3 / (6 (sum (mean - v)^2)^1.5) over the jackknife values: Efron 1987.

    Efron and Tibshirani 1993, Eq. 14.15. The values leave out one case each, or one group of
    cases each. Undefined where all are equal.
    """
    kept = defined(jackknife_values)
    distances = [mean(kept) - v for v in kept]
    squares = sum((d**2 for d in distances), ZERO)
    cubes = sum((d**3 for d in distances), ZERO)
    return float(cubes) / (6 * float(squares) ** 1.5) if squares else None


def bias_correction(value: Number, replicates: Sequence[Value], ties: Number = 0) -> float | None:
    """z0, the normal quantile of the share of the replicates below the value: Efron 1987.

    A replicate equal to the value counts as `ties`: 0 in Efron and Tibshirani 1993, Eq. 14.14,
    and in R's boot; 1/2 in scipy. Undefined where the share is 0 or 1.
    """
    kept = defined(replicates)
    below = sum(v < Fraction(value) for v in kept)
    level = Fraction(ties) * sum(v == Fraction(value) for v in kept)
    share = (below + level) / len(kept) if kept else ZERO
    return NORMAL.inv_cdf(float(share)) if 0 < share < 1 else None


def bca_limits(
    value: Number,
    replicates: Sequence[Value],
    jackknife_values: Sequence[Value],
    confidence: float = 0.95,
    ties: Number = 0,
) -> Limits | None:
    """The quantiles at Phi(z0 + (z0 + z) / (1 - a (z0 + z))) for z = -+ the normal point.

    Efron 1987; z0 from `bias_correction`, a from `acceleration`, undefined where one of them is.
    """
    z0 = bias_correction(value, replicates, ties)
    a = acceleration(jackknife_values)
    if z0 is None or a is None:
        return None

    def limit(z: float) -> float:
        share = NORMAL.cdf(z0 + (z0 + z) / (1 - a * (z0 + z)))
        return float(quantile(defined(replicates), share))

    point = normal_point(confidence)
    return limit(-point), limit(point)
