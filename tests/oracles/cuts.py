"""Cases, rows and cuts, and the measures that are evaluated at one cut."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

Case = tuple[bool, float, Fraction]  # label, score, weight
Matrix = tuple[Fraction, Fraction, Fraction, Fraction]  # tp, fp, fn, tn
Row = tuple[float, Fraction, Fraction]  # score, weight of its positives, of its negatives
Span = tuple[Fraction, Fraction, Row]  # where a row starts and stops on the line [0, n]
Point = tuple[Fraction, Fraction]  # x, y
Number = int | float | Fraction
Value = Fraction | float | None

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)


def ratio(above: Fraction, below: Fraction) -> Value:
    """a / b: undefined at 0/0, infinite at x/0."""
    if below:
        return above / below
    return math.copysign(math.inf, above) if above else None


def totals(cases: Sequence[Case]) -> tuple[Fraction, Fraction]:
    """P and N, the weights of the positives and of the negatives."""
    p = sum((weight for label, _, weight in cases if label), ZERO)
    n = sum((weight for label, _, weight in cases if not label), ZERO)
    return p, n


def rows(cases: Sequence[Case]) -> list[Row]:
    """The distinct scores that have weight, from highest to lowest, with their weights."""
    levels = sorted({score for _, score, weight in cases if weight > 0}, reverse=True)
    return [(level, *totals([case for case in cases if case[1] == level])) for level in levels]


def spans(cases: Sequence[Case]) -> list[Span]:
    """The rows laid on the line [0, n], from highest to lowest score."""
    start, laid = ZERO, []
    for row in rows(cases):
        stop = start + row[1] + row[2]
        laid.append((start, stop, row))
        start = stop
    return laid


def points(cases: Sequence[Case]) -> list[Point]:
    """(fp, tp) at the K + 1 thresholds, from (0, 0) to (N, P)."""
    path = [(ZERO, ZERO)]
    for _, p, q in rows(cases):
        path.append((path[-1][0] + q, path[-1][1] + p))
    return path


def threshold_cut(cases: Sequence[Case], threshold: float) -> Matrix:
    """Positive iff score >= threshold."""
    tp, fp = totals([case for case in cases if case[1] >= threshold])
    p, n = totals(cases)
    return tp, fp, p - tp, n - fp


def weight_cut(cases: Sequence[Case], k: Fraction) -> Matrix | None:
    """Exactly weight k from the top, in proportion inside a tie; undefined beyond n."""
    p, n = totals(cases)
    if k > p + n:
        return None
    tp = fp = ZERO
    for start, stop, (_, row_p, row_q) in spans(cases):
        share = max(min(k, stop) - start, ZERO) / (stop - start)
        tp, fp = tp + share * row_p, fp + share * row_q
    return tp, fp, p - tp, n - fp


def crossings(path: Sequence[Point], axis: int, level: Fraction) -> Iterator[Point]:
    """The points of a polyline at a level of one coordinate; both ends of a segment that stays."""
    for start, stop in pairwise(path):
        if start[axis] == stop[axis] == level:
            yield from (start, stop)
        elif start[axis] <= level <= stop[axis] and start[axis] < stop[axis]:
            share = (level - start[axis]) / (stop[axis] - start[axis])
            yield (
                start[0] + share * (stop[0] - start[0]),
                start[1] + share * (stop[1] - start[1]),
            )


def roc_cut(cases: Sequence[Case], axis: int, rate: Number) -> Matrix | None:
    """The ROC curve at an FPR (axis 0: highest TPR there) or a TPR (axis 1: lowest FPR there)."""
    p, n = totals(cases)
    total = (n, p)[axis]
    if total == 0:
        return None
    path = points(cases)
    level = Fraction(rate) * total
    if isinstance(rate, float):  # 0.3 stands for 3/10 where the curve has a vertex at 3/10
        level = next((v[axis] for v in path if float(v[axis] / total) == rate), level)
    found = list(crossings(path, axis, level))
    if not found:
        return None
    fp, tp = max(found, key=lambda v: v[1]) if axis == 0 else min(found, key=lambda v: v[0])
    return tp, fp, p - tp, n - fp


def cut(cases: Sequence[Case], kind: str, value: Number | str) -> Matrix | None:
    """The matrix at an operating point, None where there is no such point."""
    p, n = totals(cases)
    if kind == "k" and value == "P":
        return weight_cut(cases, p)
    assert not isinstance(value, str)
    if kind == "threshold":
        return threshold_cut(cases, float(value))
    if kind in ("top", "k"):
        return weight_cut(cases, Fraction(value) * (p + n if kind == "top" else 1))
    return roc_cut(cases, {"at_fpr": 0, "at_tpr": 1}[kind], value)


def accuracy(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """The share of correct decisions: 1 - Xie 2022, Eq. 2."""
    return ratio(tp + tn, tp + fp + fn + tn)


def error_rate(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """The share of wrong decisions: Xie 2022, Eq. 2."""
    return ratio(fp + fn, tp + fp + fn + tn)


def tpr(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """tp / P: Xie 2022, Eq. 3."""
    return ratio(tp, tp + fn)


def fpr(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """fp / N: Xie 2022, Eq. 4."""
    return ratio(fp, fp + tn)


def tnr(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """tn / N: Xie 2022, Eq. 5."""
    return ratio(tn, fp + tn)


def fnr(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """fn / P: Xie 2022, Eq. 6."""
    return ratio(fn, tp + fn)


def precision(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """tp / (tp + fp): Xie 2022, Eq. 13."""
    return ratio(tp, tp + fp)


def npv(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """tn / (tn + fn): precision of the negative class."""
    return ratio(tn, tn + fn)


def fdr(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """fp / (tp + fp): 1 - precision."""
    return ratio(fp, tp + fp)


def false_omission_rate(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """fn / (fn + tn): 1 - npv."""
    return ratio(fn, fn + tn)


def f_measure(
    tp: Fraction,
    fp: Fraction,
    fn: Fraction,
    tn: Fraction,
    *,
    alpha: Number = 1,
    beta: Number | None = None,
) -> Value:
    """Xie 2022, Eq. 15, with alpha = beta^2: (1+alpha) tp / ((1+alpha) tp + alpha fn + fp)."""
    a = Fraction(alpha) if beta is None else Fraction(beta) ** 2
    return ratio((1 + a) * tp, (1 + a) * tp + a * fn + fp)


def jaccard(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """tp / (tp + fp + fn): Jaccard 1901."""
    return ratio(tp, tp + fp + fn)


def mcc(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """The correlation of label and decision: Matthews 1975."""
    above = tp * tn - fp * fn
    below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return math.copysign(math.sqrt(above**2 / below), above) if below else None


def kappa(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """(po - pe) / (1 - pe): Cohen 1960."""
    n = tp + fp + fn + tn
    if n == 0:
        return None
    observed = (tp + tn) / n
    chance = ((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn)) / n**2
    return ratio(observed - chance, 1 - chance)


Rates = tuple[Fraction, Fraction, Fraction, Fraction]  # TPR, FPR, P, N


def needs_both_classes(measure: Callable[..., Value]) -> Callable[..., Value]:
    """The measure of (TPR, FPR, P, N) as one of the matrix; undefined if a class is empty."""

    def at_matrix(
        tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction, **parameters: Number | None
    ) -> Value:
        if tp + fn == 0 or fp + tn == 0:
            return None
        return measure((tp / (tp + fn), fp / (fp + tn), tp + fn, fp + tn), **parameters)

    at_matrix.__name__, at_matrix.__doc__ = measure.__name__, measure.__doc__
    return at_matrix


@needs_both_classes
def balanced_accuracy(rates: Rates) -> Value:
    """(TPR + TNR) / 2: Brodersen et al. 2010."""
    return (rates[0] + 1 - rates[1]) / 2


@needs_both_classes
def lr_plus(rates: Rates) -> Value:
    """TPR / FPR: Xie 2022, Eq. 11."""
    return ratio(rates[0], rates[1])


@needs_both_classes
def lr_minus(rates: Rates) -> Value:
    """FNR / TNR: Xie 2022, Eq. 12."""
    return ratio(1 - rates[0], 1 - rates[1])


@needs_both_classes
def diagnostic_odds_ratio(rates: Rates) -> Value:
    """(tp tn) / (fp fn): Glas et al. 2003."""
    return ratio(rates[0] * (1 - rates[1]), rates[1] * (1 - rates[0]))


@needs_both_classes
def youden_j(rates: Rates) -> Value:
    """TPR - FPR: Youden 1950."""
    return rates[0] - rates[1]


@needs_both_classes
def g_mean(rates: Rates) -> Value:
    """sqrt(TPR TNR): Kubat and Matwin 1997."""
    return math.sqrt(rates[0] * (1 - rates[1]))


@needs_both_classes
def skew_accuracy(rates: Rates, r: Number | None = None) -> Value:
    """Xie 2022, Eq. 19 corrected: (TPR + r (1 - FPR)) / (1 + r), r = N/P by default."""
    skew = rates[3] / rates[2] if r is None else Fraction(r)
    return (rates[0] + skew * (1 - rates[1])) / (1 + skew)


@needs_both_classes
def skew_precision(rates: Rates, r: Number | None = None) -> Value:
    """Xie 2022, Eq. 20: TPR / (TPR + r FPR), r = N/P by default."""
    skew = rates[3] / rates[2] if r is None else Fraction(r)
    return ratio(rates[0], rates[0] + skew * rates[1])


def prevalence(rates: Rates, given: Number | None) -> Fraction:
    """The given prevalence, or P / n."""
    return rates[2] / (rates[2] + rates[3]) if given is None else Fraction(given)


@needs_both_classes
def ppv_at_prevalence(rates: Rates, pi: Number | None = None) -> Value:
    """Bayes' rule for P(positive | called positive) at prevalence pi: Altman and Bland 1994."""
    prior = prevalence(rates, pi)
    return ratio(rates[0] * prior, rates[0] * prior + rates[1] * (1 - prior))


@needs_both_classes
def npv_at_prevalence(rates: Rates, pi: Number | None = None) -> Value:
    """Bayes' rule for P(negative | called negative) at prevalence pi: Altman and Bland 1994."""
    right = (1 - rates[1]) * (1 - prevalence(rates, pi))
    return ratio(right, right + (1 - rates[0]) * prevalence(rates, pi))


@needs_both_classes
def expected_cost(rates: Rates, c: Number = 0.5, prior: Number | None = None) -> Value:
    """c pi FNR + (1-c) (1-pi) FPR: Berrar 2014, Q of Eq. 4."""
    pi, share = prevalence(rates, prior), Fraction(c)
    return share * pi * (1 - rates[0]) + (1 - share) * (1 - pi) * rates[1]


def lift(tp: Fraction, fp: Fraction, fn: Fraction, tn: Fraction) -> Value:
    """precision / pi (Huang 2006's lift is the precision alone)."""
    return ratio(tp * (tp + fp + fn + tn), (tp + fp) * (tp + fn))


def minimum_cost(cases: Sequence[Case], c: Number = 0.5, prior: Number | None = None) -> Value:
    """The least expected cost over all K + 1 thresholds: Hand 2009."""
    p, n = totals(cases)
    if p == 0 or n == 0:
        return None
    costs = [expected_cost(tp, fp, p - tp, n - fp, c=c, prior=prior) for fp, tp in points(cases)]
    return min(cost for cost in costs if cost is not None)


def net_benefit(cases: Sequence[Case], t: float = 0.5) -> Value:
    """tp/n - fp/n t/(1-t), cut at t: Vickers and Elkin 2006."""
    tp, fp, fn, tn = threshold_cut(cases, t)
    n = tp + fp + fn + tn
    odds_part = ratio(fp * Fraction(t), n * (1 - Fraction(t)))
    return None if n == 0 or odds_part is None else tp / n - odds_part


def standardized_net_benefit(cases: Sequence[Case], t: float = 0.5) -> Value:
    """tp/P - fp/P t/(1-t), cut at t: Kerr et al. 2016."""
    tp, fp, fn, _ = threshold_cut(cases, t)
    odds = Fraction(t) / (1 - Fraction(t))
    return ratio(tp - fp * odds, tp + fn)


CUT_ORACLES: dict[str, Callable[..., Value]] = {
    measure.__name__: measure
    for measure in (
        accuracy,
        error_rate,
        balanced_accuracy,
        tpr,
        fpr,
        tnr,
        fnr,
        precision,
        npv,
        fdr,
        false_omission_rate,
        lr_plus,
        lr_minus,
        diagnostic_odds_ratio,
        f_measure,
        jaccard,
        mcc,
        kappa,
        youden_j,
        g_mean,
        skew_accuracy,
        skew_precision,
        ppv_at_prevalence,
        npv_at_prevalence,
        lift,
        expected_cost,
    )
}
TABLE_CUT_ORACLES: dict[str, Callable[..., Value]] = {
    "minimum_cost": minimum_cost,
    "net_benefit": net_benefit,
    "standardized_net_benefit": standardized_net_benefit,
}
