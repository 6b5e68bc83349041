"""The H measure of Hand, and its exact value."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Choice, Real
from metameasure.measurement import A_CLASS_EMPTY, Extreme, OfHull, between_orders, measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.table import ScoreTable

STEP = 1e-4
"""Step of the numerical derivative by alpha, relative to alpha."""


def _exact_h_measure(
    steps: Sequence[tuple[int, int]],
    alpha: float = 2.0,
    beta: float = 2.0,
    severity: str | None = None,
) -> Fraction | None:
    """The value from the numbers of positives and negatives of each step of the hull.

    None unless alpha and beta are integers, for which incomplete beta functions are polynomials.
    """
    P, N = (sum(step[place] for step in steps) for place in (0, 1))
    a, b = (Fraction(alpha), Fraction(beta)) if severity is None else (1 + Fraction(N, P), 2)
    if a.denominator * b.denominator > 1:
        return None
    lost = sum(_exact_least_cost(*step, int(a), int(b)) for step in steps)
    return 1 - lost / _exact_least_cost(P, N, int(a), int(b))


@cache
def _exact_least_cost(pos: int, neg: int, alpha: int, beta: int) -> Fraction:
    """As ``_least_cost``, in fractions."""
    x = Fraction(neg, pos + neg)
    missed = _upto(x, alpha + 1, beta) * alpha
    alarmed = (1 - _upto(x, alpha, beta + 1)) * beta
    return (pos * missed + neg * alarmed) / (alpha + beta)


def _upto(x: Fraction, alpha: int, beta: int) -> Fraction:
    """The distribution function of Beta(alpha, beta) at x: a binomial tail."""
    trials = alpha + beta - 1
    chances = (
        math.comb(trials, j) * x**j * (1 - x) ** (trials - j) for j in range(alpha, trials + 1)
    )
    return sum(chances, Fraction(0))


def _slopes_of_h_measure(
    table: ScoreTable, alpha: float = 2.0, beta: float = 2.0, severity: str | None = None
) -> tuple[Any, Any]:
    """How much a positive and a negative at each row change the H measure, with the hull fixed.

    With ``severity="prior"`` they change the density of the costs, too.
    """
    by_prior = severity == "prior"
    if by_prior:
        alpha, beta = 1 + float(table.N / table.P), 2.0
    hull = table.hull
    begin, end = table.pools
    everyone = _slopes_of_least_cost(np.asarray(table.P), np.asarray(table.N), alpha, beta)
    lost, most = _costs(table, alpha, beta)
    slopes = [
        (lost / most * of_all - np.repeat(of_pools, end + 1 - begin)) / most
        for of_pools, of_all in zip(
            _slopes_of_least_cost(hull.pos, hull.neg, alpha, beta), everyone, strict=True
        )
    ]
    if by_prior:
        step = STEP * alpha
        ratios = [
            lost / most for lost, most in (_costs(table, alpha + d, beta) for d in (step, -step))
        ]
        by_alpha = (ratios[1] - ratios[0]) / (2 * step)
        slopes[0] -= by_alpha * table.N / table.P**2
        slopes[1] += by_alpha / table.P
    return slopes[0], slopes[1]


def _costs(table: ScoreTable, alpha: float, beta: float) -> tuple[float, float]:
    """The expected cost of one table with the best thresholds, and that of one pool."""
    lost = _least_cost(table.hull.pos, table.hull.neg, alpha, beta)
    return float(np.sum(lost)), float(_least_cost(table.P, table.N, alpha, beta))


def _slopes_of_least_cost(pos: Any, neg: Any, alpha: float, beta: float) -> tuple[Any, Any]:
    """What one more positive or negative of a pool costs: the best thresholds stay."""
    from scipy.special import betainc, betaincc  # noqa: PLC0415

    x = neg / (pos + neg)
    return betainc(alpha + 1, beta, x) * alpha / 2, betaincc(alpha, beta + 1, x) * beta / 2


@measure(
    symbol="H", family="ranking", best="max", range=(0, 1), baseline=0.0,
    invariant_to={"monotone", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"1 - \frac{\int_0^1 \min_t [c \pi FNR(t) + (1-c)(1-\pi) FPR(t)] u(c) dc}"
            r"{\int_0^1 \min(c \pi, (1-c)(1-\pi)) u(c) dc}",
    reference="hand2009",
    parameters={"alpha": Real(0, 1e6, open_low=True), "beta": Real(0, 1e6, open_low=True),
                "severity": Choice(("prior",))},
    exclusive=[("alpha", "severity"), ("beta", "severity")],
    sampling=Extreme(pooled=True, slopes=_slopes_of_h_measure), partial=OfHull(),
    exact=_exact_h_measure,
    bounds=between_orders,
)  # fmt: skip
def h_measure(
    table: ScoreTable, alpha: float = 2.0, beta: float = 2.0, severity: str | None = None
) -> Any:
    """The fraction of the expected cost of the trivial classifiers that the ranking saves.

    The cost c of a missed positive (1 - c of a false alarm) has the Beta(alpha, beta) density, and
    each cost has its best threshold. ``severity="prior"`` sets alpha = 1 + N/P, the default of the
    packages called hmeasure.

    >>> h_measure([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.159946...
    """
    of_rows: Any = alpha
    if severity == "prior":
        alpha, beta = 1 + table.N / table.P, 2.0
        of_rows = np.asarray(alpha)[..., np.newaxis] if table.shape else alpha
    hull = table.hull
    lost = np.add.reduce(_least_cost(hull.pos, hull.neg, of_rows, beta), axis=-1)
    return 1 - lost / _least_cost(table.P, table.N, alpha, beta)


def _least_cost(pos: Any, neg: Any, alpha: Any, beta: float) -> Any:
    """The expected cost of one pool of cases, with the best threshold for each cost.

    They are predicted positive for every c above the fraction x of negatives, so the cost is
    pos times the integral of c u(c) up to x, plus neg times that of (1 - c) u(c) from x. It is
    given times (alpha + beta) / 2. With beta = 2 the integrals are elementary, and the sum shrinks
    to neg (1 - x^alpha (1 + alpha (1 - x) / 2)); with alpha = 2, too, that is a polynomial.
    """
    weight = pos + neg
    if isinstance(alpha, float) and alpha == beta == 2.0:
        mixed = pos * neg / weight
        cost = mixed + mixed * mixed / weight
    elif beta == 2.0:
        share = pos / weight
        below_one = np.expm1(alpha * np.log1p(-share))
        cost = -neg * (below_one + alpha * share * (1 + below_one) / 2)
    else:
        from scipy.special import betainc, betaincc  # noqa: PLC0415

        x = neg / weight
        missed, alarmed = betainc(alpha + 1, beta, x), betaincc(alpha, beta + 1, x)
        cost = (pos * missed * alpha + neg * alarmed * beta) / 2
    return np.where(weight > 0, cost, 0.0) if np.ndim(weight) > 1 else cost
