"""Measures that see only the order of the scores."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from scipy.integrate import quad
from scipy.special import beta as beta_function
from scipy.special import betaincinv

from .cuts import ONE, ZERO, Case, Number, Point, Value, crossings, points, rows, spans, totals
from .scored import auc

Line = tuple[Fraction, Fraction]  # value at c = 0 and at c = 1
TAILS = (1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.1)
QUANTILES = (*TAILS, 0.5, *(1 - tail for tail in reversed(TAILS)))
EXACT_DEGREE = 64


def needs_roc(measure: Callable[..., Value]) -> Callable[..., Value]:
    """The measure of the K + 1 points (FPR, TPR) as one of cases; undefined if a class is empty."""

    def of_cases(cases: Sequence[Case], **parameters: object) -> Value:
        p, n = totals(cases)
        if p == 0 or n == 0:
            return None
        return measure([(fp / n, tp / p) for fp, tp in points(cases)], **parameters)

    of_cases.__name__, of_cases.__doc__ = measure.__name__, measure.__doc__
    return of_cases


def trapezoids(path: Sequence[Point]) -> Fraction:
    """The area between a polyline and the x axis."""
    steps = pairwise(path)
    return sum(((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in steps), ZERO)


def clip(path: Sequence[Point], low: Fraction, high: Fraction) -> list[Point]:
    """The part of a polyline with x in [low, high], its ends interpolated."""
    inner = [v for v in path if low < v[0] < high]
    *_, entry = crossings(path, 0, low)
    leave = next(crossings(path, 0, high))
    return [entry, *inner, leave]


def integral(
    f: Callable[[float], float], low: float, high: float, left: float = 0, right: float = 0
) -> float:
    """The integral of f(x) (x - low)^left (high - x)^right from low to high."""
    value, _ = quad(
        f, low, high, weight="alg", wvar=(left, right), epsabs=1e-18, epsrel=1e-12, limit=200
    )
    return float(value)


def gini(cases: Sequence[Case]) -> Value:
    """2 AUC - 1: Hand and Till 2001."""
    area = auc(cases)
    return None if area is None else 2 * area - 1


def area_above_diagonal(cases: Sequence[Case]) -> Value:
    """AUC - 1/2: the area between the ROC curve and the diagonal."""
    area = auc(cases)
    return None if area is None else area - Fraction(1, 2)


@needs_roc
def antidiagonal_intercept(roc: Sequence[Point]) -> Value:
    """The TPR at which the ROC curve meets TPR = 1 - FPR."""
    turned = [(x + y, y) for x, y in roc]
    return next(crossings(turned, 0, ONE))[1]


@needs_roc
def equal_error_rate(roc: Sequence[Point]) -> Value:
    """The FPR at which the ROC curve has FPR = FNR."""
    turned = [(x + y, x) for x, y in roc]
    return next(crossings(turned, 0, ONE))[1]


@needs_roc
def partial_auc(
    roc: Sequence[Point],
    fpr: tuple[Number, Number] = (0, 0.1),
    tpr: tuple[Number, Number] | None = None,
    standardized: bool = False,
) -> Value:
    """The area under the ROC curve over a range of FPR, or beside it over TPR: McClish 1989."""
    low, high = (Fraction(bound) for bound in (fpr if tpr is None else tpr))
    path = roc if tpr is None else [(y, 1 - x) for x, y in roc]
    diagonal = [(ZERO, ZERO), (ONE, ONE)] if tpr is None else [(ZERO, ONE), (ONE, ZERO)]
    area = trapezoids(clip(path, low, high))
    if not standardized:
        return area
    least = trapezoids(clip(diagonal, low, high))
    return None if low == high else (1 + (area - least) / (high - low - least)) / 2


def upper_hull(path: Sequence[Point]) -> list[Point]:
    """The upper convex hull by the monotone chain: Andrew 1979."""
    hull: list[Point] = []
    for x, y in sorted(path):
        while len(hull) > 1:
            (x0, y0), (x1, y1) = hull[-2:]
            if (x1 - x0) * (y - y0) < (y1 - y0) * (x - x0):
                break
            hull.pop()
        hull.append((x, y))
    return hull


@needs_roc
def auch(roc: Sequence[Point]) -> Value:
    """Berrar 2014, Eq. 3."""
    return trapezoids(upper_hull(roc))


@needs_roc
def ks(roc: Sequence[Point]) -> Value:
    """Berrar 2014, Eq. 5."""
    return max(abs(y - x) for x, y in roc)


@needs_roc
def signed_ks(roc: Sequence[Point]) -> Value:
    """Berrar 2014, Eq. 5, with the sign of the difference; of equal ones the positive."""
    return max((y - x for x, y in roc), key=lambda gap: (abs(gap), gap))


@needs_roc
def abc(roc: Sequence[Point]) -> Value:
    """Berrar 2014, Eq. 7, with n = K + 1 thresholds."""
    return sum((y - x for x, y in roc[1:-1]), ZERO) / (len(roc) - 1)


@needs_roc
def taks(roc: Sequence[Point]) -> Value:
    """Berrar 2014, Eq. 8, with n = K + 1 thresholds."""
    return sum((y - x for x, y in roc[1:-1]), ZERO) / (len(roc) - 2) if len(roc) > 2 else None


def lower_envelope(lines: Sequence[Line]) -> Iterator[tuple[Fraction, Fraction, Line]]:
    """The minimum of lines over c in [0, 1], as pieces (from, to, line)."""
    low, current = ZERO, min(lines)
    while low < 1:
        excess = [(line[0] - current[0], line[1] - current[1], line) for line in lines]
        meetings = [(at0 / (at0 - at1), line[1], line) for at0, at1, line in excess if at1 < at0]
        high, _, following = min(meetings, default=(ONE, ZERO, current))
        yield low, min(high, ONE), current
        low, current = high, following


def beta_integral(low: Fraction, high: Fraction, line: Line, alpha: int, beta: int) -> Fraction:
    """The integral of line(c) c^(alpha-1) (1-c)^(beta-1) for whole alpha, beta: a polynomial."""
    total = ZERO
    for j in range(beta):
        sign = math.comb(beta - 1, j) * (-1) ** j
        for value, power in ((line[0], alpha + j), (line[1] - line[0], alpha + j + 1)):
            total += sign * value * (high**power - low**power) / power
    return total


def beta_quadrature(low: float, high: float, line: Line, alpha: float, beta: float) -> float:
    """The same over B(alpha, beta), for any alpha, beta > 0; ends that are not smooth weighed."""
    total = float(beta_function(alpha, beta))
    start, stop = float(line[0]) / total, float(line[1]) / total
    left = alpha - 1 if low == 0 and alpha < 2 else 0.0
    right = beta - 1 if high == 1 and beta < 2 else 0.0

    def loss(c: float) -> float:
        shape = math.pow(c, alpha - 1 - left) * math.pow(1 - c, beta - 1 - right)
        return (start * (1 - c) + stop * c) * shape

    return integral(loss, low, high, left, right)


def minimum_loss(
    roc: Sequence[Point], pi: Fraction, alpha: Fraction, beta: Fraction
) -> Fraction | float:
    """The integral over c of the least cost, c weighed by Beta(alpha, beta) up to a constant."""
    lines = [((1 - pi) * x, pi * (1 - y)) for x, y in roc]
    pieces = lower_envelope(lines)
    if alpha.denominator == beta.denominator == 1 and alpha + beta <= EXACT_DEGREE:
        return sum((beta_integral(*piece, int(alpha), int(beta)) for piece in pieces), ZERO)
    splits = [
        float(betaincinv(float(alpha), float(beta), q)) for q in QUANTILES if min(alpha, beta) >= 1
    ]
    terms = []
    for low, high, line in pieces:
        ends = [float(low), *(s for s in splits if low < s < high), float(high)]
        for start, stop in pairwise(ends):
            if start < stop:
                terms.append(beta_quadrature(start, stop, line, float(alpha), float(beta)))
    return math.fsum(terms)


def h_measure(
    cases: Sequence[Case], alpha: Number = 2, beta: Number = 2, severity: str | None = None
) -> Value:
    """Hand 2009; Berrar 2014, Eq. 4 with the denominator corrected to the trivial classifiers."""
    p, n = totals(cases)
    if p == 0 or n == 0:
        return None
    a, b = (1 + n / p, Fraction(2)) if severity == "prior" else (Fraction(alpha), Fraction(beta))
    roc = [(fp / n, tp / p) for fp, tp in points(cases)]
    loss = minimum_loss(roc, p / (p + n), a, b)
    trivial = minimum_loss([(ZERO, ZERO), (ONE, ONE)], p / (p + n), a, b)
    return 1 - loss / trivial


def precisions(cases: Sequence[Case]) -> list[Point]:
    """(recall, precision) at the K thresholds that take something."""
    p, _ = totals(cases)
    return [(tp / p, tp / (tp + fp)) for fp, tp in points(cases)[1:]]


def step_area(cases: Sequence[Case]) -> Fraction:
    """Xie 2022, Eq. 16: the mean over the positives of the precision at their own score."""
    p, _ = totals(cases)
    total = ZERO
    for label, score, weight in cases:
        if label and weight:
            tp, fp = totals([case for case in cases if case[1] >= score])
            total += weight * tp / (tp + fp)
    return total / p


def davis_goadrich_area(cases: Sequence[Case]) -> float:
    """The integral of precision over recall along the ROC curve: Davis and Goadrich 2006."""
    p, _ = totals(cases)
    path = points(cases)
    return math.fsum(map(precision_integral, path, path[1:])) / float(p)


def precision_integral(start: Point, stop: Point) -> float:
    """The integral of tp / (tp + fp) dtp from one point (fp, tp) straight to another."""
    if start[1] == stop[1]:
        return 0.0
    (fp0, tp0), rise = map(float, start), float(stop[1] - start[1])
    slope = float((stop[0] - start[0]) / (stop[1] - start[1]))

    def precision(step: float) -> float:
        return (tp0 + step) / (tp0 + step + fp0 + slope * step)

    return integral(precision, 0, rise)


def trapezoid_area(cases: Sequence[Case]) -> Fraction:
    """The area under the polyline through the points, level from recall 0 to the first."""
    curve = precisions(cases)
    return trapezoids([(ZERO, curve[0][1]), *curve])


def max_area(cases: Sequence[Case]) -> Fraction:
    """Xie 2022, Eq. 17: each step of recall at the greatest precision from there on."""
    curve = precisions(cases)
    recalls = [ZERO, *(recall for recall, _ in curve)]
    return sum(
        (
            (curve[k][0] - recalls[k]) * max(precision for _, precision in curve[k:])
            for k in range(len(curve))
        ),
        ZERO,
    )


def eleven_point_area(cases: Sequence[Case]) -> Fraction:
    """The mean at recall 0, .1, ..., 1 of the greatest precision at that recall or more."""
    curve = precisions(cases)
    levels = [Fraction(tenth, 10) for tenth in range(11)]
    return sum((max(y for x, y in curve if x >= level) for level in levels), ZERO) / 11


AREAS: dict[str, Callable[[Sequence[Case]], Fraction | float]] = {
    "step": step_area,
    "davis_goadrich": davis_goadrich_area,
    "trapezoid": trapezoid_area,
    "max": max_area,
    "11_point": eleven_point_area,
}


def average_precision(cases: Sequence[Case], interpolation: str = "step") -> Value:
    """Xie 2022, Eq. 16, under the given interpolation; undefined only without positives."""
    return AREAS[interpolation](cases) if totals(cases)[0] else None


def precision_recall_gain_auc(cases: Sequence[Case]) -> Value:
    """The area under precG over recG in [0, 1]: Flach and Kull 2015."""
    p, n = totals(cases)
    if p == 0 or n == 0:
        return None
    by_tp = [(tp, fp) for fp, tp in points(cases)]
    gains = [
        (1 - p * (p - tp) / (n * tp), 1 - p * fp / (n * tp))
        for tp, fp in clip(by_tp, p * p / (p + n), p)
    ]
    return trapezoids(gains)


def discounted_gain(pieces: Sequence[tuple[Fraction, Fraction, Fraction]]) -> float:
    """The sum over (start, stop, gain) of gain / log2(m + 2) on each position (m, m + 1]."""
    terms = []
    for start, stop, gain in pieces:
        for m in range(math.floor(start), math.ceil(stop)):
            overlap = min(stop, Fraction(m + 1)) - max(start, Fraction(m))
            terms.append(float(overlap * gain) / math.log2(m + 2))
    return math.fsum(terms)


def ndcg(cases: Sequence[Case], k: Number | None = None) -> Value:
    """Järvelin and Kekäläinen 2002, ties by their mean gain: McSherry and Najork 2008."""
    p, n = totals(cases)
    limit = p + n if k is None else Fraction(k)
    if p == 0 or limit == 0:
        return None
    found = [
        (start, min(stop, limit), row_p / (row_p + row_q))
        for start, stop, (_, row_p, row_q) in spans(cases)
        if start < limit
    ]
    return discounted_gain(found) / discounted_gain([(ZERO, min(p, limit), ONE)])


def reciprocal_rank(cases: Sequence[Case]) -> Value:
    """The mean of 1 / (rank of the first positive) over random orders of its tie: Voorhees 1999."""
    if totals(cases)[0] == 0:
        return None
    above = ZERO
    for _, p, q in rows(cases):
        if p > 0:
            break
        above += q
    total, chance, j = ZERO, ONE, 0
    while chance > 0:
        still_negative = chance * (q - j) / (p + q - j) if q > j else ZERO
        total += (chance - still_negative) / (above + j + 1)
        chance, j = still_negative, j + 1
    return total


RANKING_ORACLES: dict[str, Callable[..., Value]] = {
    measure.__name__: measure
    for measure in (
        auc,
        gini,
        area_above_diagonal,
        antidiagonal_intercept,
        equal_error_rate,
        partial_auc,
        auch,
        ks,
        signed_ks,
        abc,
        taks,
        h_measure,
        average_precision,
        precision_recall_gain_auc,
        ndcg,
        reciprocal_rank,
    )
}
