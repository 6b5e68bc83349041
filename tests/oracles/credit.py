"""Measures of credit scoring."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from .cuts import Case, Number, Value, totals
from .probability import log, mass_groups, observed_expected


def information_value(cases: Sequence[Case], bins: int = 10, smoothing: Number = 0) -> Value:
    """The sum over bins of (a - g) ln(a / g), Kullback's divergence: Siddiqi 2006."""
    p, n = totals(cases)
    if p == 0 or n == 0:
        return None
    groups, extra = mass_groups(cases, bins), Fraction(smoothing)
    terms = []
    for observed, _, size in map(observed_expected, groups):
        a = (observed + extra) / (p + extra * len(groups))
        g = (size - observed + extra) / (n + extra * len(groups))
        if (a == 0) != (g == 0):
            return math.inf
        if a:
            terms.append(float(a - g) * log(a / g))
    return math.fsum(terms)


CREDIT_ORACLES: dict[str, Callable[..., Value]] = {"information_value": information_value}
