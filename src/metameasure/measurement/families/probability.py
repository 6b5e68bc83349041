"""Proper scores of predicted probabilities: the score is the probability of a positive."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Real
from metameasure.kernels import dot
from metameasure.measurement import (
    A_CLASS_EMPTY,
    Added,
    CaseMean,
    Differentiable,
    From,
    ProbabilityMean,
    between_orders,
    measure,
)
from metameasure.measurement.families.classes import (
    BRIER_OF_CLASSES,
    LOG_LOSS_OF_CLASSES,
    RMS_OF_CLASSES,
    brier_of_classes,
    log_loss_of_classes,
    rms_of_classes,
)
from metameasure.measurement.families.ranking import auc
from metameasure.measurement.families.threshold import accuracy

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure.data import TrueProbabilities
    from metameasure.measurement import Measure
    from metameasure.table import CoarseTable, ScoreTable

CLIP = Real(0, 0.5, open_low=True, open_high=True)


def _entropy(pi: float) -> float:
    return -sum(p * math.log(p) for p in (pi, 1 - pi) if p > 0)


def _squares(table: ScoreTable) -> tuple[Any, Any]:
    """The squared error of a positive and of a negative at each row."""
    return table.by_score(_squares_of)  # type: ignore[no-any-return]


def _squares_of(score: Any) -> tuple[Any, Any]:
    missed = 1 - score
    return np.square(missed, out=missed), np.square(score)


def _surprises(table: ScoreTable, clip: float | None = None) -> tuple[Any, Any]:
    """The negative log probability of a positive and of a negative at each row."""
    return table.by_score(_surprises_of, clip)  # type: ignore[no-any-return]


def _surprises_of(score: Any, clip: float | None) -> tuple[Any, Any]:
    hit, spared = np.log(score), np.log1p(-score)
    if clip is not None:
        # Clipping the logarithms keeps digits that 1 - clip would lose.
        hit, spared = (np.clip(log, math.log(clip), math.log1p(-clip)) for log in (hit, spared))
    return np.negative(hit, out=hit), np.negative(spared, out=spared)


def _squares_of_probabilities(cases: TrueProbabilities) -> Any:
    """The squared difference between the predicted and the true probability of each case."""
    return np.square(cases.score - cases.true)


def _cross_entropies(cases: TrueProbabilities, clip: float | None = None) -> Any:
    """The negative log-likelihood of each case that is expected under its true probability."""
    missed, alarmed = _surprises_of(cases.score, clip)
    parts = (cases.true, missed), (1 - cases.true, alarmed)
    hit, spared = (np.where(share > 0, share * loss, 0.0) for share, loss in parts)
    return hit + spared


def _skill(lost: Any, table: ScoreTable | CoarseTable) -> Any:
    return _where_both(table, 1 - lost * table.n / table.P * (table.n / table.N))


def _null_loss(table: ScoreTable | CoarseTable) -> Any:
    """The log loss of the prevalence."""
    return -(table.P * np.log(table.P / table.n) + table.N * np.log(table.N / table.n)) / table.n


def _mcfadden(loss: Any, table: ScoreTable | CoarseTable) -> Any:
    return _where_both(table, 1 - loss / _null_loss(table))


def _nagelkerke(loss: Any, table: ScoreTable | CoarseTable) -> Any:
    worst = _null_loss(table)
    return _where_both(table, np.expm1(2 * (loss - worst)) / np.expm1(-2 * worst))


def _where_both(table: ScoreTable | CoarseTable, value: Any) -> Any:
    """The value where both classes have cases."""
    return np.where((table.P > 0) & (table.N > 0), value, np.nan)[()]


def _by_squares(
    of_sum: Callable[[Any, CoarseTable], Any], sign: int = 1
) -> Callable[[Measure, CoarseTable], tuple[float, float]]:
    """The bounds of a monotone function of the sum of squares, which is exact up to rounding."""

    def bounds(measure: Measure, coarse: CoarseTable) -> tuple[float, float]:  # noqa: ARG001
        low, high = (of_sum(lost, coarse) for lost in coarse.total(2, 3)[::sign])
        return float(low), float(high)

    return bounds


def _loss_limits(coarse: CoarseTable, clip: float | None) -> tuple[Any, Any]:
    """The limits of the mean log loss, from the sums of the buckets.

    A bucket that the clip reaches into has no sum of clipped losses; the losses at its ends bound
    those of its cases.
    """
    if clip is None:
        low, high = coarse.total(4, 5)
        return low / coarse.n, high / coarse.n
    least, most = -math.log1p(-clip), -math.log(clip)
    ends = np.zeros(2)
    weights = coarse.pos, coarse.neg
    for place, (near, far) in enumerate(
        ((coarse.highest, coarse.lowest), (coarse.lowest, coarse.highest))
    ):
        low, high = (_surprises_of(score, None)[place] for score in (near, far))
        inside = ~coarse.single & (low >= least) & (high <= most)
        clipped = (np.clip(loss, least, most) for loss in (low, high))
        sums = [np.where(inside, coarse.sums[4 + place], weights[place] * loss) for loss in clipped]
        ends += np.sum(sums, axis=-1)
    return tuple(ends / coarse.n * (1 - coarse.rounding, 1 + coarse.rounding))


def _by_loss(
    of_mean: Callable[[Any, CoarseTable], Any] | None = None,
) -> Callable[[Measure, CoarseTable], tuple[float, float]]:
    """The bounds of the log loss, or of a decreasing function of it."""

    def bounds(measure: Measure, coarse: CoarseTable) -> tuple[float, float]:
        low, high = _loss_limits(coarse, dict(measure.parameters).get("clip"))
        if of_mean is not None:
            low, high = of_mean(high, coarse), of_mean(low, coarse)
        return float(low), float(high)

    return bounds


@measure(
    symbol="BS", aliases=("brier_score_loss",),
    family="probability", best="min", range=(0, 1), unit_scores=True,
    baseline=lambda pi: pi * (1 - pi), invariant_to={"replication"},
    formula=r"\frac{1}{n} \sum_i (s_i - y_i)^2", reference="brier1950",
    sampling=CaseMean(_squares), partial=Added(),
    for_classes=brier_of_classes, sampling_of_classes=BRIER_OF_CLASSES,
    for_probabilities=ProbabilityMean(_squares_of_probabilities),
    bounds=_by_squares(lambda lost, coarse: lost / coarse.n),
)  # fmt: skip
def brier(table: ScoreTable) -> Any:
    """The mean squared difference between the predicted probability and the outcome.

    With ``soft=True`` it is that between the predicted and the true probability, which leaves out
    the variance of the outcomes. Of several classes it is half the mean sum of squared differences
    over the classes, which for two classes is the same.

    >>> brier([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    0.13
    """
    return sse.compute(table) / table.n


@measure(
    symbol="SSE", family="probability", best="min", range=(0, np.inf), unit_scores=True,
    formula=r"\sum_i (s_i - y_i)^2", reference="brier1950, wu2007", partial=Added(),
    bounds=_by_squares(lambda lost, coarse: np.where(coarse.n > 0, lost, np.nan)),
)  # fmt: skip
def sse(table: ScoreTable) -> Any:
    """The sum of the squared differences between the predicted probability and the outcome.

    >>> sse([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    0.52
    """
    missed, alarmed = _squares(table)
    lost = dot(table.pos, missed) + dot(table.neg, alarmed)
    return np.where(table.n > 0, lost, np.nan)[()]


@measure(
    symbol="RMS", family="probability", best="min", range=(0, 1), unit_scores=True,
    baseline=lambda pi: math.sqrt(pi * (1 - pi)), invariant_to={"replication"},
    formula=r"\sqrt{\frac{1}{n} \sum_i (s_i - y_i)^2}", reference="brier1950",
    sampling=CaseMean(_squares, np.sqrt), partial=From(np.sqrt, brier),
    for_classes=rms_of_classes, sampling_of_classes=RMS_OF_CLASSES,
    for_probabilities=ProbabilityMean(_squares_of_probabilities, np.sqrt),
    bounds=_by_squares(lambda lost, coarse: np.sqrt(lost / coarse.n)),
)  # fmt: skip
def rms(table: ScoreTable) -> Any:
    """The root mean squared difference between predicted probability and outcome.

    With ``soft=True`` it is that between the predicted and the true probability.

    >>> rms([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    0.360555...
    >>> rms([0.7, 0.2, 0.7, 0.4], [0.9, 0.5, 0.5, 0.1], soft=True)
    0.254950...
    """
    return np.sqrt(brier.compute(table))


def _ends_of_surprise(clip: float | None = None) -> tuple[float, float]:
    """The smallest and largest loss of a case."""
    return 0.0, -math.log(clip) if clip else math.inf


@measure(
    symbol="LL", aliases=("mxe", "cross_entropy"), family="probability", best="min",
    range=(0, np.inf), unit_scores=True, baseline=_entropy, invariant_to={"replication"},
    formula=r"-\frac{1}{n} \sum_i [y_i \ln s_i + (1 - y_i) \ln (1 - s_i)]", reference="good1952",
    parameters={"clip": CLIP},
    sampling=CaseMean(_surprises, ends=_ends_of_surprise), partial=Added(),
    for_classes=log_loss_of_classes, sampling_of_classes=LOG_LOSS_OF_CLASSES,
    for_probabilities=ProbabilityMean(_cross_entropies, ends=_ends_of_surprise),
    bounds=_by_loss(),
)  # fmt: skip
def log_loss(table: ScoreTable, clip: float | None = None) -> Any:
    """The mean negative log-likelihood of the outcomes, in nats.

    Infinite if an outcome had predicted probability 0; ``clip=1e-15`` moves the scores away from 0
    and 1 instead. With ``soft=True`` it is the cross-entropy of the true and the predicted
    probabilities.

    >>> log_loss([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    0.399253...
    """
    missed, alarmed = _surprises(table, clip)
    return (_weighed(table.pos, missed) + _weighed(table.neg, alarmed)) / table.n


def _weighed(weight: Any, surprise: Any) -> Any:
    """The sum of weight times loss, where an infinite loss without weight counts 0."""
    if np.max(surprise) == np.inf:
        surprise = np.where(weight > 0, surprise, 0.0)
    return dot(weight, surprise)


def _slopes_of_scaled_brier(table: ScoreTable) -> tuple[Any, Any]:
    """The derivatives of 1 - SSE n / (P N) by a positive and by a negative at each row."""
    pairs = table.P * table.N
    lost = brier.compute(table) * table.n
    return tuple(
        (lost * table.n / own - square * table.n - lost) / pairs
        for square, own in zip(_squares(table), (table.P, table.N), strict=True)
    )


@measure(
    symbol="BSS",
    aliases=("brier_skill_score", "index_of_prediction_accuracy", "ipa", "d2_brier_score"),
    family="probability", best="max", range=(-np.inf, 1), unit_scores=True, baseline=0.0,
    invariant_to={"replication"}, undefined=A_CLASS_EMPTY,
    formula=r"1 - \frac{BS}{\pi (1 - \pi)}", reference="kattan2018",
    sampling=Differentiable(_slopes_of_scaled_brier),
    bounds=_by_squares(lambda lost, coarse: _skill(lost / coarse.n, coarse), sign=-1),
)  # fmt: skip
def scaled_brier(table: ScoreTable) -> Any:
    """The fraction by which the Brier score is smaller than that of the prevalence.

    >>> scaled_brier([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    0.48
    """
    return _skill(brier.compute(table), table)


@measure(
    symbol="R²_MF", aliases=("d2_log_loss_score",), family="probability", best="max",
    range=(-np.inf, 1), unit_scores=True, baseline=0.0, invariant_to={"replication"},
    undefined=A_CLASS_EMPTY, formula=r"1 - \frac{LL}{LL_{\pi}}", reference="mcfadden1974",
    parameters={"clip": CLIP},
    bounds=_by_loss(_mcfadden),
)  # fmt: skip
def mcfadden_r2(table: ScoreTable, clip: float | None = None) -> Any:
    """The fraction by which the log loss is smaller than that of the prevalence.

    Minus infinity if an outcome had predicted probability 0; ``clip=1e-15`` moves the scores away
    from 0 and 1 instead.

    >>> mcfadden_r2([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    0.423998...
    """
    return _mcfadden(log_loss.using(clip=clip).compute(table), table)


@measure(
    symbol="R²_N", family="probability", best="max", range=(-np.inf, 1), unit_scores=True,
    baseline=0.0, invariant_to={"replication"}, undefined=A_CLASS_EMPTY,
    formula=r"\frac{1 - \exp(2 (LL - LL_{\pi}))}{1 - \exp(-2 LL_{\pi})}",
    reference="nagelkerke1991", parameters={"clip": CLIP},
    bounds=_by_loss(_nagelkerke),
)  # fmt: skip
def nagelkerke_r2(table: ScoreTable, clip: float | None = None) -> Any:
    """The likelihood-based R² of Cox and Snell, divided by its largest value.

    It is that of the scores as they are, without a new fit, as in val.prob of the R package rms.
    ``clip=1e-15`` moves the scores away from 0 and 1, where the value can be minus infinity.

    >>> nagelkerke_r2([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    0.592592...
    """
    return _nagelkerke(log_loss.using(clip=clip).compute(table), table)


def _bounds_of_sar(
    measure: Measure,  # noqa: ARG001
    coarse: CoarseTable,
) -> tuple[float, float]:
    """The means of the bounds of the three parts."""
    orders = (between_orders(part, coarse) for part in (accuracy, auc))
    (low_a, high_a), (low_b, high_b) = orders
    squares = [np.sqrt(lost / coarse.n) for lost in coarse.total(2, 3)]
    return (
        float(low_a + low_b + 1 - squares[1]) / 3,
        float(high_a + high_b + 1 - squares[0]) / 3,
    )


@measure(
    symbol="SAR", family="probability", best="max", range=(0, 1), unit_scores=True,
    invariant_to={"replication"}, undefined=A_CLASS_EMPTY,
    baseline=lambda pi: (max(pi, 1 - pi) + 1.5 - math.sqrt(pi * (1 - pi))) / 3,
    formula=r"\frac{accuracy + AUC + (1 - RMS)}{3}", reference="caruana2004",
    bounds=_bounds_of_sar,
)  # fmt: skip
def sar(table: ScoreTable) -> Any:
    """The mean of accuracy, area under the ROC curve and one minus the root mean squared error.

    >>> sar([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    0.754814...
    """
    return (accuracy.compute(table) + auc.compute(table) + 1 - rms.compute(table)) / 3
