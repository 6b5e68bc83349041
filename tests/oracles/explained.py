"""Losses relative to that of the prevalence, and errors of a locally fitted calibration curve."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from .cuts import Case, Value, totals
from .probability import brier, exact, log, log_loss, uncertainty

Point = tuple[float, float, Fraction]  # score, label, weight


def scaled_brier(cases: Sequence[Case]) -> Value:
    """1 - Brier / (pi (1 - pi)): Kattan and Gerds 2018."""
    found, largest = brier(cases), uncertainty(cases)
    return 1 - found / largest if largest else None


def likelihoods(cases: Sequence[Case], clip: float | None) -> tuple[float, float] | None:
    """The mean log-likelihood of the scores and of the prevalence."""
    p, n = totals(cases)
    if not p or not n:
        return None
    null = sum(float(part / (p + n)) * log(part / (p + n)) for part in (p, n))
    return -float(log_loss(cases, clip)), null


def mcfadden_r2(cases: Sequence[Case], clip: float | None = None) -> Value:
    """1 - ln L / ln L0: McFadden 1974."""
    found = likelihoods(cases, clip)
    return None if found is None else 1 - found[0] / found[1]


def nagelkerke_r2(cases: Sequence[Case], clip: float | None = None) -> Value:
    """(1 - (L0 / L)^(2/n)) / (1 - L0^(2/n)): Nagelkerke 1991, Eqs. 1 to 3."""
    found = likelihoods(cases, clip)
    if found is None:
        return None
    if math.isinf(found[0]):
        return -math.inf
    return -math.expm1(2 * (found[1] - found[0])) / -math.expm1(2 * found[1])


def reach(points: Sequence[Point], at: float, needed: Fraction) -> float:
    """The distance within which the nearest cases have the needed weight."""
    total = Fraction(0)
    for away, weight in sorted((abs(x - at), weight) for x, _, weight in points):
        total += weight
        if total >= needed:
            return away
    raise ValueError


def line_at(points: Sequence[Point], at: float, span: float) -> float:
    """The locally weighted line at a score: Cleveland 1979, without robustness weights."""
    n = sum(weight for *_, weight in points)
    # A fraction of the weight that differs from a sum of weights by rounding alone is that sum.
    needed = Fraction(span) * n * (1 - Fraction(1, 10**12))
    width = reach(points, at, needed)
    weights = []
    for x, _, weight in points:
        near = abs(x - at) / (1.001 * width) if width else float(x != at)
        weights.append(float(weight) * (1 - min(near, 1.0) ** 3) ** 3)
    total = math.fsum(weights)
    weights = [weight / total for weight in weights]
    center = math.fsum(w * x for w, (x, _, _) in zip(weights, points, strict=True))
    rate = math.fsum(w * y for w, (_, y, _) in zip(weights, points, strict=True))
    pairs = list(zip(weights, points, strict=True))
    variance = math.fsum(w * (x - center) ** 2 for w, (x, _, _) in pairs)
    spread = max(x for x, *_ in points) - min(x for x, *_ in points)
    if math.sqrt(variance) <= max(0.001 * spread, 1e-12):
        return rate
    slope = math.fsum(w * (x - center) * y for w, (x, y, _) in pairs) / variance
    return rate + slope * (at - center)


def curve_errors(cases: Sequence[Case], span: float) -> list[tuple[float, Fraction]]:
    """The distance of each score from the curve through 101 local lines, with its weight."""
    points = [(float(s), float(y), w) for y, s, w in exact(cases)]
    low, high = min(x for x, *_ in points), max(x for x, *_ in points)
    knots = [low + place / 100 * (high - low) for place in range(101)]
    lines = [line_at(points, knot, span) for knot in knots]
    found = []
    for x, _, weight in points:
        place = (x - low) / (high - low) * 100 if high > low else 0.0
        left = min(int(place), 99)
        fitted = lines[left] + (place - left) * (lines[left + 1] - lines[left])
        found.append((abs(x - min(max(fitted, 0.0), 1.0)), weight))
    return found


def ici(cases: Sequence[Case], span: float = 2 / 3) -> Value:
    """The mean error: Austin and Steyerberg 2019."""
    n = sum(totals(cases))
    if not n:
        return None
    return math.fsum(error * float(weight / n) for error, weight in curve_errors(cases, span))


def quantile(cases: Sequence[Case], span: float, share: Fraction) -> Value:
    """The smallest error that a share of the weight does not exceed."""
    n = sum(totals(cases))
    if not n:
        return None
    upto = Fraction(0)
    for error, weight in sorted(curve_errors(cases, span)):
        upto += weight
        if upto >= share * n:
            return error
    raise ValueError


def e50(cases: Sequence[Case], span: float = 2 / 3) -> Value:
    """The median error: Austin and Steyerberg 2019."""
    return quantile(cases, span, Fraction(1, 2))


def e90(cases: Sequence[Case], span: float = 2 / 3) -> Value:
    """The 90th percentile of the errors: Austin and Steyerberg 2019."""
    return quantile(cases, span, Fraction(9, 10))


def emax(cases: Sequence[Case], span: float = 2 / 3) -> Value:
    """The largest error: Austin and Steyerberg 2019."""
    if not sum(totals(cases)):
        return None
    return max(error for error, _ in curve_errors(cases, span))


EXPLAINED_ORACLES: dict[str, Callable[..., Value]] = {
    measure.__name__: measure
    for measure in (scaled_brier, mcfadden_r2, nagelkerke_r2, ici, e50, e90, emax)
}
