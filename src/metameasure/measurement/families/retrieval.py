"""Measures of the top of a ranking: precision and recall, and gains by rank.

They depend on the order only. Inside a tie the value is the expectation over random orders, or the
value at the expected point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure import kernels
from metameasure._arguments import Choice, Whole
from metameasure.kernels import dot
from metameasure.measurement import (
    A_CLASS_EMPTY,
    NO_POSITIVE,
    Added,
    Differentiable,
    Partial,
    between_orders,
    measure,
)
from metameasure.measurement.families import structure
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.measurement import Measure
    from metameasure.table import CoarseTable, ScoreTable, TablePart

TABULATED = 2**24
SUMMED, LAST = 2**16, 2**12
_BEFORE, _AFTER = slice(None, -1), slice(1, None)


def _quantum_of_average_precision(P: Any, N: Any, interpolation: str = "step") -> Any:
    """The quantum of ratios of integers up to n, averaged over the positives."""
    ratios = interpolation in {"step", "max"}
    return 1 / (P * structure.common_multiple(P + N)) if ratios else None


def _slopes_of_average_precision(
    table: ScoreTable,
    interpolation: str = "step",  # noqa: ARG001 - only steps have slopes
) -> tuple[Floats, Floats]:
    """How much a positive and a negative at each row change the average precision.

    A case changes the precision at its own row and at all later ones; a positive counts with the
    precision at its own row, too.
    """
    precision, gained, lost = _gained_and_lost(table)
    mean = dot(table.pos, precision) / table.P
    return (precision + gained - mean) / table.P, -lost / table.P


def _gained_and_lost(table: ScoreTable) -> tuple[Floats, Floats, Floats]:
    """The precision at each row, and what a positive adds to and a negative takes from the sum."""
    precision, taken = _precision(table), table.tp[1:] + table.fp[1:]
    change = np.divide(table.pos, taken, out=np.zeros_like(taken), where=taken > 0)
    gained, lost = (np.cumsum((change * share)[::-1])[::-1] for share in (1 - precision, precision))
    return precision, gained, lost


class _SquaredSlopes(Partial):
    """The sum of the squared slopes of all cases.

    The slopes of a part lack what the parts below it add, the same for all its cases: the state has
    the weights, sums and sums of squares of the slopes of both classes, from which the sums with
    such a constant follow, what the part adds to those above it, and the sum of the precisions.
    """

    def of_part(self, measure: Measure, part: TablePart) -> tuple[Any, ...]:  # noqa: ARG002
        precision, gained, lost = _gained_and_lost(part)
        of_positive = precision + gained
        return (
            *(np.sum(part.pos), dot(part.pos, of_positive), dot(part.pos, of_positive**2)),
            *(np.sum(part.neg), dot(part.neg, lost), dot(part.neg, lost**2)),
            *(gained[0], lost[0], dot(part.pos, precision)),
        )

    def join(self, first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
        positives, negatives = first[:3], first[3:6]
        shifted = (*_shifted(positives, second[6]), *_shifted(negatives, second[7]), *first[6:])
        return tuple(a + b for a, b in zip(shifted, second, strict=True))

    def value(
        self,
        measure: Measure,  # noqa: ARG002
        state: tuple[Any, ...],
        totals: tuple[float, float],
    ) -> Any:
        _, _, square = _shifted(state[:3], -state[8] / totals[0])
        return (square + state[5]) / totals[0] ** 2


def _shifted(sums: tuple[Any, ...], by: Any) -> tuple[Any, Any, Any]:
    """The weight, sum and sum of squares of values to which a constant is added."""
    weight, total, square = sums
    return weight, total + by * weight, square + 2 * by * total + by * by * weight


def _bounds_of_average_precision(
    measure: Measure, coarse: CoarseTable
) -> tuple[float, float] | None:
    """The worst and the best orders and ties in each bucket.

    The precision at a positive of a bucket is at most that after all its positives and none of its
    negatives, which is attained if its positives are tied at the top. Behind all negatives the
    precision at the positives is at least that at their own rank: they are tied with no other, and
    the sum over them is at least the integral, since the precision grows. Of the best precision
    from a point on, the end of the bucket is certain. Between points on the hyperbola, the
    precision at a recall depends on the ROC curve at that recall alone, so that orders bound it.
    """
    interpolation = dict(measure.parameters).get("interpolation", "step")
    if interpolation == "davis_goadrich":
        return between_orders(measure, coarse)
    if interpolation == "trapezoid":
        return None
    high = float(measure.compute(coarse.best))
    if interpolation != "step":
        return float(measure.compute(coarse.corners)), high
    corners = coarse.corners
    before, behind = corners.tp[:-1], corners.fp[1:]
    alone = corners.pos * _precision(corners)
    grown = np.log1p(corners.pos / (before + behind))
    least = corners.pos - np.where(behind > 0, behind * grown, 0.0)
    return float(np.sum(np.where(coarse.single, alone, least)) / corners.P), high


@measure(
    symbol="AP", aliases=("apr", "average_precision_score"),
    similar_to=("pr_auc", "prauc", "auc_pr", "aucpr", "auprc"),
    family="retrieval", best="max", range=(0, 1),
    baseline=lambda pi: pi, invariant_to={"monotone", "replication"}, undefined=NO_POSITIVE,
    formula=r"\sum_k \frac{p_k}{P} \cdot \frac{tp_k}{tp_k + fp_k}",
    reference="buckley2000, davis2006",
    parameters={"interpolation": Choice(("step", "davis_goadrich", "trapezoid", "max",
                                         "11_point"))},
    quantum=_quantum_of_average_precision,
    sampling=Differentiable(_slopes_of_average_precision,
                            only=lambda interpolation="step": interpolation == "step",
                            squares=_SquaredSlopes()),
    partial=Added(lambda interpolation="step": interpolation in {"step", "davis_goadrich"}),
    bounds=_bounds_of_average_precision,
)  # fmt: skip
def average_precision(table: ScoreTable, interpolation: str = "step") -> Any:
    """The mean precision over the ranks of the positives.

    ``interpolation`` between the points of the precision-recall curve: steps (``step``), the
    hyperbola on which true and false positives grow in proportion (``davis_goadrich``), straight
    lines from (0, precision_1) (``trapezoid``), the best precision at this or a higher recall
    (``max``), or the mean of the latter at recalls 0, 0.1, ..., 1 (``11_point``).

    >>> average_precision([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.755555...
    """
    return _AREAS[interpolation](table)


def _precision(table: ScoreTable) -> Any:
    """The precision after each row; 0 before the first case, where it does not count."""
    taken = table.tp[..., 1:] + table.fp[..., 1:]
    if not taken.size or taken[..., 0].all():
        return table.tp[..., 1:] / taken
    return np.divide(table.tp[..., 1:], taken, out=np.zeros_like(taken), where=taken > 0)


def _step(table: ScoreTable) -> Any:
    return dot(table.pos, _precision(table)) / table.P


def _max(table: ScoreTable) -> Any:
    return dot(table.pos, _best_from_here(table)) / table.P


def _best_from_here(table: ScoreTable) -> Any:
    return np.maximum.accumulate(_precision(table)[..., ::-1], axis=-1)[..., ::-1]


def _eleven_point(table: ScoreTable) -> Any:
    best = _best_from_here(table)
    least = table.P[..., np.newaxis] / 10 * (1 - ROUNDING)
    reached = [
        np.max(np.where(table.tp[..., 1:] >= tenth * least, best, 0), -1) for tenth in range(11)
    ]
    return np.where(table.P > 0, np.mean(reached, axis=0), np.nan)


def _trapezoid(table: ScoreTable) -> Any:
    precision = _precision(table)
    weight = table.tp[..., 1:] + table.fp[..., 1:] > 0
    first = np.argmax(weight, axis=-1)[..., np.newaxis]
    start = np.take_along_axis(precision, first, -1)
    before = np.concatenate([start, precision[..., :-1]], axis=-1)
    before = np.where(np.arange(precision.shape[-1]) <= first, start, before)
    return dot(table.pos, (precision + before) / 2) / table.P


def _davis_goadrich(table: ScoreTable) -> Any:
    return area_of_hyperbolas(table.tp, table.fp, table.pos, table.neg) / table.P


def area_of_hyperbolas(tp: Any, fp: Any, pos: Any, neg: Any) -> Any:
    """The area under the precision over true positives, where both classes grow in proportion.

    ``pos`` and ``neg`` are the increments of true and false positives at each row.
    """
    before, taken, weight = tp[..., :-1], tp[..., :-1] + fp[..., :-1], pos + neg
    rate = np.where(pos > 0, weight / pos, 1.0)
    offset = taken - rate * before
    grown = np.where(taken > 0, np.log1p(weight / taken), 0.0)
    return np.sum(np.where(pos > 0, (pos - offset * grown / rate) / rate, 0.0), axis=-1)


_AREAS = {
    "step": _step,
    "davis_goadrich": _davis_goadrich,
    "trapezoid": _trapezoid,
    "max": _max,
    "11_point": _eleven_point,
}


@measure(
    symbol="AUPRG", family="retrieval", best="max", range=(-np.inf, 1), baseline=0.0,
    invariant_to={"monotone", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"\int_0^1 precG \, drecG, \; precG = 1 - \frac{P fp}{N tp}, \;"
            r" recG = 1 - \frac{P fn}{N tp}",
    reference="flach2015", partial=Added(),
    bounds=between_orders,
)  # fmt: skip
def precision_recall_gain_auc(table: ScoreTable) -> Any:
    """The area under the precision-recall-gain curve.

    Gains measure precision and recall on a harmonic scale from the prevalence (0) to one (1).

    >>> precision_recall_gain_auc([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    -0.114583...
    """
    P, N = table.P[..., np.newaxis], table.N[..., np.newaxis]
    start = P * P / (P + N)
    tp0, fp0, tp1, fp1 = (a[..., end] for end in (_BEFORE, _AFTER) for a in (table.tp, table.fp))
    counted = (tp1 > start) & (table.pos > 0)
    if not table.shape:
        rows = np.flatnonzero(counted)
        tp0, fp0, tp1, fp1, counted = (a[rows] for a in (tp0, fp0, tp1, fp1, counted))
    begin = np.maximum(tp0, start)
    fp_begin = fp0 + np.where(tp1 > tp0, (begin - tp0) / (tp1 - tp0), 0.0) * (fp1 - fp0)
    # Along a segment of the ROC curve both gains are linear in 1/tp, hence in each other.
    odds = P / N
    width = (P / begin - P / tp1) * odds
    height = 1 - (fp_begin / begin + fp1 / tp1) * odds / 2
    area = np.sum(np.where(counted, width * height, 0.0), axis=-1)
    return np.where(table.P * table.N > 0, area, np.nan)


@measure(
    symbol="nDCG", aliases=("ndcg_score",),
    family="retrieval", best="max", range=(0, 1), invariant_to={"monotone"},
    undefined=NO_POSITIVE,
    formula=r"\frac{\sum_i y_i / \log_2 (i+1)}{\sum_{i \le P} 1 / \log_2 (i+1)}",
    reference="jarvelin2002", parameters={"k": Whole(1)}, partial=Added(),
    bounds=between_orders,
)  # fmt: skip
def ndcg(table: ScoreTable, k: int | None = None) -> Any:
    """The discounted cumulative gain of the positives, divided by that of the ideal ranking.

    With ``k``, only the first k ranks count. A case of weight w takes w ranks.

    >>> ndcg([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.916181...
    """
    last = np.inf if k is None else float(k)
    if table.one_case_per_row:
        each = 1 / np.log(np.arange(2, min(table.pos.shape[-1], last) + 2))
        total = np.concatenate([[0.0], np.cumsum(each)])
        ideal = np.minimum(table.P, last).astype(np.int64)
        return dot(table.pos[..., : each.size], each) / total[ideal]
    gained = np.diff(_discount(np.minimum(table.tp + table.fp, last)), axis=-1)
    weight = table.weight
    share = np.divide(table.pos, weight, out=np.zeros_like(weight), where=weight > 0)
    return dot(share, gained) / _discount(np.minimum(table.P, last))


def _discount(ranks: Any) -> Any:
    """The sum of 1 / ln(i + 1) over the first ranks; a fraction of a rank counts in proportion."""
    whole = np.floor(ranks)
    largest = int(np.max(whole, initial=0))
    if largest <= TABULATED:
        each = 1 / np.log(np.arange(2, largest + 3))
        total = np.concatenate([[0.0], np.cumsum(each)])
        index = whole.astype(np.int64)
        return total[index] + (ranks - whole) * each[index]
    upto = _sum_of_reciprocal_logs(np.maximum(whole, TABULATED) + 1)
    beyond = upto - _sum_of_reciprocal_logs(TABULATED + 1)
    part = np.where(whole > TABULATED, (ranks - whole) / np.log(whole + 2), 0.0)
    return _discount(np.where(whole > TABULATED, TABULATED, ranks)) + beyond + part


def _sum_of_reciprocal_logs(x: Any) -> Any:
    """Up to a constant, the sum of 1 / ln j for j up to a large x (Euler and Maclaurin)."""
    from scipy.special import expi  # noqa: PLC0415

    log = np.log(x)
    return expi(log) + 1 / (2 * log) - 1 / (12 * x * log**2)


def _bounds_of_reciprocal_rank(
    measure: Measure,
    coarse: CoarseTable,
) -> tuple[float, float]:
    """The first positive before and behind all negatives of the first bucket with positives.

    A tie counts whole ranks, so that a fractional weight of negatives takes up to one rank more.
    The logarithms of a large tie are rounded in proportion to its weight.
    """
    low, high = between_orders(measure, coarse)
    first = np.argmax(coarse.pos > 0)
    if coarse.single[first]:
        weight = float(coarse.pos[first] + coarse.neg[first])
        rounding = 4 * np.finfo(float).eps * weight if weight > SUMMED else 0.0
        return low * (1 - rounding), high * (1 + rounding)
    return low if coarse.counts else 1 / (1 / low + 1), high


@measure(
    symbol="RR", family="retrieval", best="max", range=(0, 1), invariant_to={"monotone"},
    undefined=NO_POSITIVE, formula=r"E \frac{1}{rank \; of \; the \; first \; positive}",
    reference="voorhees1999",
    bounds=_bounds_of_reciprocal_rank,
)  # fmt: skip
def reciprocal_rank(table: ScoreTable) -> Any:
    """One over the rank of the first positive.

    In a tie it is the expectation over random orders. A case of weight w takes w ranks.

    >>> reciprocal_rank([0, 1, 0, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.416666...
    """
    first = np.argmax(table.pos > 0, axis=-1)[..., np.newaxis]
    above, pos, neg = (
        np.take_along_axis(a, first, -1)[..., 0].reshape(-1)
        for a in (table.fp[..., :-1], table.pos, table.neg)
    )
    chosen = kernels.for_size(table.pos.size if table.shape else 0)
    value = chosen.first_positive(above, pos, np.minimum(neg, 2 * SUMMED))
    for large in np.flatnonzero(neg > 2 * SUMMED):
        value[large] = _first_of_a_large_tie(above[large], pos[large], neg[large])
    return np.where(table.P > 0, value.reshape(table.shape), np.nan)


def _first_of_a_large_tie(above: float, pos: float, neg: float) -> float:
    """The expected reciprocal rank for a tie with too many negatives to sum over ranks.

    The first and the last ranks are added; between them the sum is an integral (Euler and
    Maclaurin), taken in the logarithm of the rank.
    """
    ends = np.concatenate([np.arange(SUMMED), neg - np.arange(LAST)])
    value = np.sum(_first_at(ends, above, pos, neg))
    nodes, weights = np.polynomial.legendre.leggauss(20)
    edges = np.linspace(np.log(SUMMED - 0.5), np.log(neg - LAST + 0.5), 400)
    half = np.diff(edges)[:, np.newaxis] / 2
    drawn = np.exp(edges[:-1, np.newaxis] + half * (nodes + 1))
    return float(value + np.sum(half * weights * drawn * _first_at(drawn, above, pos, neg)))


def _first_at(drawn: Any, above: float, pos: float, neg: float) -> Any:
    """The probability of this many negatives before the first positive, divided by its rank."""
    left = neg - drawn + 1
    chance = np.exp(_log_rising(left, pos, neg + 1) - _log_rising(neg + 1, pos, neg + 1))
    return chance * pos / (pos + left - 1) / (above + drawn + 1)


def _log_rising(x: Any, pos: float, scale: float) -> Any:
    """The logarithm of gamma(x + pos) / gamma(x) / (scale + pos)^pos.

    By Stirling's series, in which the scale avoids cancellation of large terms, and by the function
    itself where x is small.
    """
    from scipy.special import gammaln  # noqa: PLC0415

    large = np.maximum(x, 100.0)
    series = (large - 0.5) * np.log1p(pos / large) - pos
    series += pos * np.log1p((large - scale) / (scale + pos))
    series += (1 / (large + pos) - 1 / large) / 12 - ((large + pos) ** -3 - large**-3.0) / 360
    small = np.minimum(x, 100.0)
    exact = gammaln(small + pos) - gammaln(small) - pos * np.log(scale + pos)
    return np.where(x > 100, series, exact)
