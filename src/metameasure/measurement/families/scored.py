"""Measures of order and margin: the differences between the scores of both classes.

Scores must lie in [0, 1]. All are computed from gaps between adjacent scores, which keeps their
digits when all scores are close together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from metameasure import kernels
from metameasure._arguments import Real
from metameasure.data import read_table
from metameasure.kernels import ROUNDING, dot
from metameasure.measurement import A_CLASS_EMPTY, Added, From, PairMean, between_orders, measure

if TYPE_CHECKING:
    from metameasure.measurement._measure import Measure, Options
    from metameasure.table import CoarseTable, ScoreTable


STEEPEST = 1000.0
"""Largest steepness of the sigmoid of the soft AUC."""
MOST_ROWS = 256
"""Number of scores up to which all pairs are computed."""
PAIRS = 2**22
"""Number of entries of a matrix of pairs."""
DIGITS = 40.0
"""Natural logarithm of the accuracy of the interpolation, with some room."""


def _gaps(table: ScoreTable) -> Any:
    """The gap between each score and the next: rows - 1 entries."""
    return table.by_score(_gaps_of)


def _gaps_of(score: Any) -> Any:
    return score[..., :-1] - score[..., 1:]


def _margins(table: ScoreTable) -> tuple[Any, Any]:
    """The mean margin of a positive at each row, and that over a negative at each row."""
    gaps, of_positives = _gaps(table), np.zeros(table.pos.shape)
    of_negatives = np.zeros(table.pos.shape)
    passed = gaps * (1 - table.fpr[..., 1:-1])
    of_positives[..., :-1] = np.cumsum(passed[..., ::-1], axis=-1)[..., ::-1]
    np.cumsum(gaps * table.tpr[..., 1:-1], axis=-1, out=of_negatives[..., 1:])
    return of_positives, of_negatives


def _differences(table: ScoreTable) -> tuple[Any, Any]:
    """The mean signed difference of each row from the other class."""
    mean_pos, mean_neg = (
        dot(weight, table.score) / total
        for weight, total in ((table.pos, table.P), (table.neg, table.N))
    )
    return table.score - mean_neg[..., np.newaxis], mean_pos[..., np.newaxis] - table.score


def _half_differences(table: ScoreTable) -> tuple[Any, Any]:
    of_positives, of_negatives = _differences(table)
    return (1 + of_positives) / 2, (1 + of_negatives) / 2


def _winning_scores(table: ScoreTable) -> tuple[Any, Any]:
    """The score of a positive times its wins, and the mean score that wins over a negative."""
    beaten = 1 - (table.fpr[..., 1:] + table.fpr[..., :-1]) / 2
    counted = table.pos * table.score
    ahead = np.cumsum(counted, axis=-1) - counted / 2
    return table.score * beaten, ahead / table.P[..., np.newaxis]


def _losing_scores(table: ScoreTable) -> tuple[Any, Any]:
    """The mean score that a positive wins over, and the score of a negative times its losses."""
    beaten_by = (table.tpr[..., 1:] + table.tpr[..., :-1]) / 2
    counted = table.neg * table.score
    behind = np.cumsum(counted[..., ::-1], axis=-1)[..., ::-1] - counted / 2
    return behind / table.N[..., np.newaxis], table.score * beaten_by


def _clear_wins(table: ScoreTable, tau: float = 0.1) -> tuple[Any, Any]:
    """The fraction of negatives below a positive by more than tau, and of positives above."""
    within = _within(table, tau)
    below = 1 - np.take_along_axis(table.fpr, within, -1)
    # A positive row is ahead of row l by more than tau if it has at most l rows within tau.
    rows = np.arange(within.shape[-1])
    ahead = np.stack([np.searchsorted(one, rows, "right") for one in within.reshape(-1, rows.size)])
    return below, np.take_along_axis(table.tpr, ahead.reshape(within.shape), -1)


def _within(table: ScoreTable, tau: float) -> Any:
    """The number of rows not more than tau below each row, counted from the top.

    0.4 is above 0.3 by more than 0.1 as floats, so that what is beyond by rounding alone is within.
    """
    scores = np.ascontiguousarray(table.score.reshape(-1, table.score.shape[-1]))
    within = kernels.for_size(scores.size).rows_within(scores, tau * (1 + ROUNDING))
    return np.broadcast_to(within.reshape(table.score.shape), table.pos.shape)


def _soft_wins(table: ScoreTable, beta: float = 1.0) -> tuple[Any, Any]:
    """The mean sigmoid of a positive at each row, and that of a negative."""
    of_positives = _sigmoid_sums(table.score, table.neg, beta) / table.N[..., np.newaxis]
    of_negatives = _sigmoid_sums(table.score, table.pos, -beta) / table.P[..., np.newaxis]
    return of_positives, of_negatives


def _sigmoid_sums(score: Any, weight: Any, beta: float) -> Any:
    """The sum of weights times the sigmoid of the difference of each score from all scores.

    Up to some hundred scores all pairs are computed. More scores are interpolated from Chebyshev
    points, whose number depends on the steepness only; the error is that of rounding.
    """
    if score.ndim == 1:
        return _shared_sums(score, weight, beta)
    rows = score.shape[-1]
    scores = np.broadcast_to(score, weight.shape).reshape(-1, rows)
    weights = weight.reshape(-1, rows)
    sums = np.empty(weights.shape)
    if rows > MOST_ROWS:
        for place, one in enumerate(scores):
            sums[place] = _shared_sums(one, weights[place], beta)
        return sums.reshape(weight.shape)
    step = max(1, PAIRS // rows**2)
    for begin in range(0, len(scores), step):
        part = slice(begin, begin + step)
        gaps = scores[part, :, np.newaxis] - scores[part, np.newaxis]
        sums[part] = np.einsum("brk,bk->br", _sigmoid(beta * gaps), weights[part])
    return sums.reshape(weight.shape)


def _shared_sums(score: Any, weight: Any, beta: float) -> Any:
    """The same for one set of scores, and one or more sets of weights."""
    low, reach = float(score[-1]), float(score[0] - score[-1])
    steepness = abs(beta) * reach / (2 * np.pi)
    degree = int(np.ceil(DIGITS / np.arcsinh(1 / steepness))) + 1 if steepness else 1
    if score.size <= max(2 * degree, MOST_ROWS):
        return weight @ _sigmoid(beta * (score[:, np.newaxis] - score)).T
    from scipy.fft import dct  # noqa: PLC0415

    # Interpolation at the points cos(pi j / degree), as a sum of Chebyshev polynomials.
    x = (score - low) * (2 / reach) - 1
    points = np.cos(np.pi * np.arange(degree + 1) / degree)
    ends = np.full(degree + 1, 1 / degree)
    ends[[0, -1]] /= 2
    at_points = ends * dct(_chebyshev_sums(x, weight, degree), type=1)
    found = np.empty(at_points.shape)
    step = max(1, PAIRS // points.size)
    for begin in range(0, points.size, step):
        part = slice(begin, begin + step)
        gaps = points[part, np.newaxis] - points
        found[..., part] = at_points @ _sigmoid(beta * reach / 2 * gaps).T
    coefficients = ends * dct(found, type=1)
    return np.polynomial.chebyshev.chebval(x, np.moveaxis(coefficients, -1, 0))


def _chebyshev_sums(x: Any, weight: Any, degree: int) -> Any:
    """The weighted sum over x of each Chebyshev polynomial, by their recurrence."""
    sums = np.empty((*weight.shape[:-1], degree + 1))
    before, now = np.ones(x.size), x.copy()
    sums[..., 0], sums[..., 1] = weight @ before, weight @ now
    for place in range(2, degree + 1):
        before *= -1
        before += 2 * x * now
        before, now = now, before
        sums[..., place] = weight @ now
    return sums


def _sigmoid(x: Any) -> Any:
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x))


@measure(
    symbol="sAUC", aliases=("sauc", "softened_auc"), family="scored", best="max", range=(0, 1),
    baseline=0.0, invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY,
    unit_scores=True, formula=r"\frac{1}{PN} \sum_{i,j} (s_i - s_j)^+", reference="wu2007",
    sampling=PairMean(_margins, own_methods=("theorem_6",), of_gaps=True), partial=Added(),
    bounds=between_orders,
)  # fmt: skip
def scored_auc(table: ScoreTable) -> Any:
    """The mean margin by which positives score higher than negatives; other pairs count 0.

    It is the area under the AUC as a function of the amount by which positive scores are lowered.

    >>> scored_auc([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.233333...
    """
    kept = table.tp[..., 1:-1] * (table.N[..., np.newaxis] - table.fp[..., 1:-1])
    return dot(kept, _gaps(table)) / (table.P * table.N)


@measure(
    symbol="R+", family="scored", best="max", range=(0, 1),
    invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY, unit_scores=True,
    formula=r"\frac{1}{PN} \sum_{i,j} s_i ([s_i > s_j] + [s_i = s_j]/2)", reference="wu2007",
    sampling=PairMean(_winning_scores), partial=Added(),
    bounds=between_orders,
)  # fmt: skip
def r_plus(table: ScoreTable) -> Any:
    """The mean score of the positives, weighted by the fraction of negatives that they beat.

    With r_minus it splits the scored AUC: scored_auc = r_plus - r_minus.

    >>> r_plus([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.425
    """
    beaten = table.N[..., np.newaxis] - table.fp[..., 1:] + table.neg / 2
    return dot(table.pos * beaten, table.score) / (table.P * table.N)


def _bounds_of_r_minus(
    measure: Measure,  # noqa: ARG001
    coarse: CoarseTable,
) -> tuple[float, float]:
    """The sums of scores of the negatives times the positives above their buckets, and in them."""
    of_negatives = coarse.sums[1]
    upto = np.cumsum(coarse.pos)
    pairs = coarse.P * coarse.N
    halves = np.where(coarse.single, coarse.pos / 2, 0.0)
    low, high = (
        float(dot(above, of_negatives) / pairs)
        for above in (upto - coarse.pos + halves, upto - halves)
    )
    return low * (1 - coarse.rounding), high * (1 + coarse.rounding)


@measure(
    symbol="R-", family="scored", best="min", range=(0, 1),
    invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY, unit_scores=True,
    formula=r"\frac{1}{PN} \sum_{i,j} s_j ([s_i > s_j] + [s_i = s_j]/2)", reference="wu2007",
    sampling=PairMean(_losing_scores), partial=Added(),
    bounds=_bounds_of_r_minus,
)  # fmt: skip
def r_minus(table: ScoreTable) -> Any:
    """The mean score of the negatives, weighted by the fraction of positives that beat them.

    >>> r_minus([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.191666...
    """
    beaten_by = table.tp[..., 1:] - table.pos / 2
    return dot(table.neg * beaten_by, table.score) / (table.P * table.N)


@measure(
    symbol="mAUC", family="scored", best="max", range=(0, 1), baseline=0.0,
    invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY, unit_scores=True,
    formula=r"\frac{1}{PN} \sum_{i,j} [s_i - s_j > \tau]", reference="wu2007",
    parameters={"tau": Real(0, 1)}, stated=("tau",),
    sampling=PairMean(_clear_wins),
    bounds=between_orders,
)  # fmt: skip
def margin_auc(table: ScoreTable, tau: float = 0.1) -> Any:
    """The fraction of pairs in which the positive scores higher by more than tau.

    A pair at exactly the margin does not count.

    >>> margin_auc([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1], tau=0.3)
    0.333333...
    """
    below = table.N[..., np.newaxis] - np.take_along_axis(table.fp, _within(table, tau), -1)
    return dot(table.pos, below) / (table.P * table.N)


@measure(
    symbol="softAUC", family="scored", best="max", range=(0, 1), baseline=0.5,
    invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY, unit_scores=True,
    formula=r"\frac{1}{PN} \sum_{i,j} \frac{1}{1 + e^{-\beta (s_i - s_j)}}",
    reference="calders2007", parameters={"beta": Real(0, STEEPEST, open_low=True)},
    stated=("beta",),
    sampling=PairMean(_soft_wins),
    bounds=between_orders,
)  # fmt: skip
def soft_auc(table: ScoreTable, beta: float = 1.0) -> Any:
    """The mean over all pairs of a sigmoid of the difference of their scores.

    A steep sigmoid counts pairs as the AUC does; a flat one makes the measure smooth, for training.
    Huang's softened AUC (``softened_auc``) is another measure, the scored AUC.

    >>> soft_auc([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.536275...
    """
    return dot(table.pos, _sigmoid_sums(table.score, table.neg, beta)) / (table.P * table.N)


def _bounds_of_mean_gap(
    measure: Measure,  # noqa: ARG001
    coarse: CoarseTable,
) -> tuple[float, float]:
    """The difference of the mean scores, which the sums of the buckets give up to rounding."""
    of_positives, of_negatives = coarse.total(0), coarse.total(1)
    low, high = (
        float(of_positives[end] / coarse.P - of_negatives[1 - end] / coarse.N) for end in (0, 1)
    )
    return low, high


def _bounds_of_probabilistic_auc(
    measure: Measure,
    coarse: CoarseTable,
) -> tuple[float, float]:
    """Those of the difference of the mean scores, on the scale of the AUC."""
    low, high = _bounds_of_mean_gap(measure, coarse)
    return (1 + low) / 2, (1 + high) / 2


@measure(
    symbol="M+-M-", family="scored", best="max", range=(-1, 1), baseline=0.0,
    invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY, unit_scores=True,
    formula=r"M^+ - M^-", reference="wu2007",
    sampling=PairMean(_differences), partial=Added(),
    bounds=_bounds_of_mean_gap,
)  # fmt: skip
def mean_gap(table: ScoreTable) -> Any:
    """The mean score of the positives minus the mean score of the negatives.

    >>> mean_gap([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.150000...
    """
    ahead = table.tp[..., 1:-1] * table.N[..., np.newaxis]
    ahead -= table.fp[..., 1:-1] * table.P[..., np.newaxis]
    return dot(ahead, _gaps(table)) / (table.P * table.N)


@measure(
    symbol="pAUC*", family="scored", best="max", range=(0, 1), baseline=0.5,
    invariant_to={"prevalence", "replication"}, undefined=A_CLASS_EMPTY, unit_scores=True,
    formula=r"\frac{1 + M^+ - M^-}{2}", reference="ferri2005",
    sampling=PairMean(_half_differences), partial=From(lambda gap: (1 + gap) / 2, mean_gap),
    bounds=_bounds_of_probabilistic_auc,
)  # fmt: skip
def probabilistic_auc(table: ScoreTable) -> Any:
    """The mean difference between the scores of the classes, on the scale of the AUC.

    >>> probabilistic_auc([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.575
    """
    return (1 + mean_gap.compute(table)) / 2


class ScoredAucParts(NamedTuple):
    """scored_auc = r_plus - r_minus."""

    r_plus: Any
    r_minus: Any


def scored_auc_parts(
    y_true: Any, y_score: Any = None, **options: Unpack[Options]
) -> ScoredAucParts:
    """The decomposition of the scored AUC: R+ and R-.

    Takes the same data as a measure: labels and scores with their options, a table or a block.

    >>> scored_auc_parts([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    ScoredAucParts(r_plus=0.425, r_minus=0.191666...)
    """
    table = read_table(y_true, y_score, "scored_auc_parts", **options)
    return ScoredAucParts(*(part.value(table, stacklevel=4) for part in (r_plus, r_minus)))
