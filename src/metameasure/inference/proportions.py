"""Shares of independent cases: their limits, and McNemar's test of two shares of the same cases."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Literal

McNemar = Literal["exact", "mid-p", "chi-squared", "corrected"]


def wilson_limits(successes: float, trials: float, ci: float) -> tuple[float, float]:
    """The shares that a score test would not reject (Wilson, 1927).

    >>> wilson_limits(8, 10, 0.95)
    (0.4901..., 0.9433...)
    """
    z = NormalDist().inv_cdf((1 + ci) / 2)
    centre = (successes + z * z / 2) / (trials + z * z)
    failures = trials - successes
    reach = z / (trials + z * z) * math.sqrt(successes * failures / trials + z * z / 4)
    low = 0.0 if successes == 0 else max(centre - reach, 0.0)
    return low, 1.0 if failures == 0 else min(centre + reach, 1.0)


def mcnemar(only_a: int, only_b: int, form: McNemar = "mid-p") -> float:
    """The p-value of the hypothesis that two models are right equally often.

    Only the cases count on which one model is right and the other wrong. The exact form is
    conservative; the mid-p form, which counts half of the probability of what was seen, rejects
    about as often as it says (Fagerland, Lydersen and Laake, 2013). "corrected" is the chi-squared
    form with the continuity correction.

    >>> mcnemar(1, 7)
    0.0390...
    """
    from scipy.special import bdtr, chdtrc  # noqa: PLC0415

    discordant, fewer = only_a + only_b, min(only_a, only_b)
    if discordant == 0 or (only_a == only_b and form != "mid-p"):
        return 1.0
    if only_a == only_b:
        # Both tails are the same one; half of what was seen is taken from it once.
        return 1 - float(bdtr(fewer, discordant, 0.5) - bdtr(fewer - 1, discordant, 0.5)) / 2
    if form in {"chi-squared", "corrected"}:
        distance = abs(only_a - only_b) - (1 if form == "corrected" else 0)
        return float(chdtrc(1, distance**2 / discordant))
    upto = float(bdtr(fewer, discordant, 0.5))
    if form == "exact":
        return min(1.0, 2 * upto)
    return upto + (float(bdtr(fewer - 1, discordant, 0.5)) if fewer else 0.0)


def paired_limits(
    only_a: int, only_b: int, both: int, neither: int, ci: float
) -> tuple[float, float]:
    """The limits of the difference of two shares of the same cases (Newcombe, 1998, method 10).

    The limits of both shares by Wilson are put together as if at right angles, but for the
    correlation of the two models' answers.
    """
    n = only_a + only_b + both + neither
    first, second = both + only_a, both + only_b
    a, b = first / n, second / n
    low_a, high_a = wilson_limits(first, n, ci)
    low_b, high_b = wilson_limits(second, n, ci)
    product = first * (n - first) * second * (n - second)
    covariance: float = both * neither - only_a * only_b
    if covariance > 0:
        covariance = max(covariance - n / 2, 0)
    phi = covariance / math.sqrt(product) if product else 0.0

    def reach(up: float, down: float) -> float:
        return math.sqrt(max(up * up - 2 * phi * up * down + down * down, 0.0))

    return a - b - reach(a - low_a, high_b - b), a - b + reach(high_a - a, b - low_b)
