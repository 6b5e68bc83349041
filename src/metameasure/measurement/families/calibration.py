"""Calibration: agreement of predicted probabilities with observed frequencies."""

from __future__ import annotations

import math
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack

import numpy as np

from metameasure import kernels
from metameasure._arguments import Choice, Real, Whole
from metameasure.data import read_table
from metameasure.kernels import dot
from metameasure.measurement import (
    Coefficient,
    Extreme,
    NoInterval,
    between_orders,
    measure,
)
from metameasure.measurement.families.binning import MOST_GROUPS, group
from metameasure.measurement.families.local_regression import (
    error_by_chance,
    largest_error,
    mean_error,
    quantile_of_errors,
)
from metameasure.measurement.families.logistic_fit import (
    Derivatives,
    fit_derivatives,
    fit_logistic,
)
from metameasure.measurement.families.probability import CLIP, brier

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure.measurement._measure import Measure, Options
    from metameasure.table import CoarseTable, ScoreTable

SPAN, TWO_THIRDS = {"span": Real(0, 1, open_low=True)}, 2 / 3
NOT_FITTED = "a score is 0 or 1, a class is empty, or a score separates the classes"
FOLDED = math.sqrt(2 / math.pi)
"""Mean absolute value of a standard normal variable."""


@measure(
    symbol="CAL", family="calibration", best="min", range=(0, 1), unit_scores=True, baseline=0.0,
    formula=r"\frac{1}{n-w+1} \sum_j |\bar{y}_{j..j+w} - \bar{s}_{j..j+w}|",
    reference="caruana2004", parameters={"window": Whole(1)}, stated=("window",),
)  # fmt: skip
def calibration_error(table: ScoreTable, window: int = 100) -> Any:
    """The mean absolute difference of predicted probability and frequency in sliding windows.

    A window has ``window`` cases, or all if there are fewer, and slides along the ranking. A tie
    counts in each window with the fraction that the window covers.

    >>> calibration_error([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1], window=2)
    0.125
    """
    ahead = np.zeros(table.tp.shape)
    np.cumsum(table.pos - table.weight * table.score, axis=-1, out=ahead[..., 1:])
    if table.one_case_per_row:
        w = min(window, table.pos.shape[-1])
        return np.mean(np.abs(ahead[..., w:] - ahead[..., :-w]), axis=-1) / w
    place = table.tp + table.fp
    widths = np.minimum(float(window), np.atleast_1d(table.n).reshape(-1))
    chosen = kernels.for_size(place.size if table.shape else 0)
    flat = (np.ascontiguousarray(a.reshape(-1, a.shape[-1])) for a in (place, ahead))
    return chosen.window_gap(*flat, widths).reshape(table.shape)


def _ece_by_chance(
    table: ScoreTable,
    probability: float,
    bins: int = 10,
    equal: Literal["mass", "width"] = "mass",
) -> float:
    """The value that the error of calibrated scores exceeds with this probability."""
    spread = _spread_of_bins(table, bins, equal)
    deviation = math.sqrt((1 - FOLDED**2) * float(spread @ spread))
    return FOLDED * float(spread.sum()) + NormalDist().inv_cdf(1 - probability) * deviation


def _ece_of_calibrated(
    table: ScoreTable, bins: int = 10, equal: Literal["mass", "width"] = "mass"
) -> Any:
    """The expected error of calibrated scores."""
    return FOLDED * np.sum(_spread_of_bins(table, bins, equal), axis=-1)


def _spread_of_bins(table: ScoreTable, bins: int, equal: Literal["mass", "width"]) -> Any:
    """The standard deviation of the difference in each bin for calibrated scores.

    The difference is then approximately normal.
    """
    of_bins = group(table, bins, equal)
    weight = np.where(of_bins.weight > 0, of_bins.weight, 1.0)
    variance = of_bins.expected * (1 - of_bins.expected / weight)
    return np.sqrt(np.maximum(variance, 0.0)) / np.asarray(table.n)[..., np.newaxis]


@measure(
    symbol="ECE", aliases=("expected_calibration_error",), family="calibration", best="min",
    range=(0, 1), unit_scores=True, baseline=0.0, invariant_to={"replication"},
    formula=r"\frac{1}{n} \sum_b |\sum_{i \in b} y_i - \sum_{i \in b} s_i|", reference="naeini2015",
    parameters={"bins": Whole(1, MOST_GROUPS), "equal": Choice(("mass", "width"))},
    stated=("bins", "equal"),
    sampling=Extreme(
        by_chance=_ece_by_chance, pooled=True, chance_mean=_ece_of_calibrated, upper_bias=0.5
    ),
)  # fmt: skip
def ece(table: ScoreTable, bins: int = 10, equal: Literal["mass", "width"] = "mass") -> Any:
    """The mean absolute difference of predicted probability and frequency over bins of scores.

    Bins have equal numbers of cases, or equal width; a tie is never split: its middle decides its
    bin.

    >>> ece([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1], bins=2)
    0.16
    """
    bins_ = group(table, bins, equal)
    return np.sum(np.abs(bins_.pos - bins_.expected), axis=-1) / table.n


def _bounds_of_miscalibration(
    measure: Measure,  # noqa: ARG001
    coarse: CoarseTable,
) -> tuple[float, float]:
    """The Brier score, exact up to rounding, minus that of the isotonic fit of either order.

    The fit is the best monotone function of the scores, so that its Brier score does not grow when
    positives move up or negatives down.
    """
    low, high = (lost / coarse.n for lost in coarse.total(2, 3))
    most, least = (_brier_of_isotonic(table) for table in (coarse.worst, coarse.best))
    return float(low - most), float(high - least)


@measure(
    symbol="MCB", family="calibration", best="min", range=(0, 1), unit_scores=True, baseline=0.0,
    invariant_to={"replication"}, formula=r"BS - BS_{isotonic}", reference="dimitriadis2021",
    sampling=Extreme(pooled=True),
    bounds=_bounds_of_miscalibration,
)  # fmt: skip
def miscalibration(table: ScoreTable) -> Any:
    """The reduction of the Brier score by isotonic recalibration.

    brier = miscalibration - discrimination + uncertainty.

    >>> miscalibration([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.072000...
    """
    return brier.compute(table) - _brier_of_isotonic(table)


@measure(
    symbol="DSC", family="calibration", best="max", range=(0, 0.25), unit_scores=True,
    baseline=0.0, invariant_to={"monotone", "replication"},
    formula=r"\pi (1 - \pi) - BS_{isotonic}", reference="dimitriadis2021",
    sampling=Extreme(pooled=True, upper_bias=0.5),
    bounds=between_orders,
)  # fmt: skip
def discrimination(table: ScoreTable) -> Any:
    """The improvement of the recalibrated scores over the Brier score of the base rate.

    >>> discrimination([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.039999...
    """
    return uncertainty.compute(table) - _brier_of_isotonic(table)


@measure(
    symbol="UNC", family="calibration", best="min", range=(0, 0.25), unit_scores=True,
    baseline=lambda pi: pi * (1 - pi), invariant_to={"monotone", "replication"},
    formula=r"\pi (1 - \pi)", reference="dimitriadis2021",
    bounds=between_orders,
)  # fmt: skip
def uncertainty(table: ScoreTable) -> Any:
    """The Brier score of the base rate, which does not depend on the model.

    >>> uncertainty([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.24
    """
    return table.prevalence * (table.N / table.n)


def _brier_of_isotonic(table: ScoreTable) -> Any:
    pos, neg, weight = table.hull.pos, table.hull.neg, table.hull.weight
    lost = np.divide(pos * neg, weight, out=np.zeros_like(weight), where=weight > 0)
    return np.sum(lost, axis=-1) / table.n


_median_error, _high_error = (partial(quantile_of_errors, share=share) for share in (0.5, 0.9))


def _curve(value: Callable[[ScoreTable, float], Any], upper_bias: float = 1.0) -> Extreme:
    """How a function of the distances of the calibration curve from the scores varies."""

    def by_chance(table: ScoreTable, probability: float, span: float = TWO_THIRDS) -> float:
        return error_by_chance(value, table, probability, span)

    return Extreme(by_chance=by_chance, pooled=True, upper_bias=upper_bias)


@measure(
    symbol="ICI", aliases=("integrated_calibration_index", "eavg"), family="calibration",
    best="min", range=(0, 1), unit_scores=True, baseline=0.0, invariant_to={"replication"},
    formula=r"\frac{1}{n} \sum_i |s_i - \hat{r}(s_i)|",
    reference="austin2019, cleveland1979", parameters=SPAN, sampling=_curve(mean_error),
)  # fmt: skip
def ici(table: ScoreTable, span: float = TWO_THIRDS) -> Any:
    """The integrated calibration index: the mean distance of the calibration curve from the score.

    The curve is a local linear regression (lowess without robustness iterations) with the nearest
    fraction ``span`` of the cases, fitted at 101 scores. It is the curve of val.prob of the R
    package rms, which calls this number Eavg; other packages use other smoothers.

    >>> ici([1, 0, 1, 0, 1, 0], [0.9, 0.5, 0.5, 0.2, 0.7, 0.4])
    0.165952...
    """
    return mean_error(table, span)


@measure(
    symbol="E50", family="calibration", best="min", range=(0, 1), unit_scores=True, baseline=0.0,
    invariant_to={"replication"}, formula=r"\mathrm{median}_i |s_i - \hat{r}(s_i)|",
    reference="austin2019", parameters=SPAN, sampling=_curve(_median_error),
)  # fmt: skip
def e50(table: ScoreTable, span: float = TWO_THIRDS) -> Any:
    """The median distance of the calibration curve from the score.

    The curve is that of ``ici``. Of an even number of cases it is the smaller of the two middle
    distances.

    >>> e50([1, 0, 1, 0, 1, 0], [0.9, 0.5, 0.5, 0.2, 0.7, 0.4])
    0.099999...
    """
    return _median_error(table, span)


@measure(
    symbol="E90", family="calibration", best="min", range=(0, 1), unit_scores=True, baseline=0.0,
    invariant_to={"replication"}, formula=r"Q_{0.9} |s_i - \hat{r}(s_i)|",
    reference="austin2019", parameters=SPAN, sampling=_curve(_high_error, upper_bias=0.0),
)  # fmt: skip
def e90(table: ScoreTable, span: float = TWO_THIRDS) -> Any:
    """The distance of the calibration curve from the score that 90% of the cases do not exceed.

    The curve is that of ``ici``.

    >>> e90([1, 0, 1, 0, 1, 0], [0.9, 0.5, 0.5, 0.2, 0.7, 0.4])
    0.399999...
    """
    return _high_error(table, span)


@measure(
    symbol="Emax", family="calibration", best="min", range=(0, 1), unit_scores=True, baseline=0.0,
    invariant_to={"replication"}, formula=r"\max_i |s_i - \hat{r}(s_i)|",
    reference="austin2019", parameters=SPAN, sampling=_curve(largest_error, upper_bias=0.0),
)  # fmt: skip
def emax(table: ScoreTable, span: float = TWO_THIRDS) -> Any:
    """The largest distance of the calibration curve from the score.

    The curve is that of ``ici``.

    >>> emax([1, 0, 1, 0, 1, 0], [0.9, 0.5, 0.5, 0.2, 0.7, 0.4])
    0.399999...
    """
    return largest_error(table, span)


def _coefficient(*, of_slope: bool = False, fit_slope: bool = True) -> Coefficient:
    """How the slope, or the intercept, varies."""

    def derivatives(table: ScoreTable, clip: float | None = None) -> Derivatives:
        return fit_derivatives(table, clip, of_slope=of_slope, fit_slope=fit_slope)

    def slopes(table: ScoreTable, **parameters: Any) -> tuple[Any, Any]:
        found = derivatives(table, **parameters)
        return found.of_positive, found.of_negative

    def variances(table: ScoreTable, **parameters: Any) -> Any:
        return derivatives(table, **parameters).variance

    return Coefficient(slopes, variances, ratio=of_slope)


@measure(
    symbol="slope", family="calibration", best=1.0, range=(-np.inf, np.inf), unit_scores=True,
    invariant_to={"replication"},
    undefined=NOT_FITTED,
    formula=r"b \; in \; logit P(y=1) = a + b \; logit(s)", reference="cox1958",
    parameters={"clip": CLIP}, sampling=_coefficient(of_slope=True),
)  # fmt: skip
def calibration_slope(table: ScoreTable, clip: float | None = None) -> Any:
    """The slope of the outcome on the predicted log odds: below 1, predictions are too extreme.

    ``clip=1e-6`` moves scores away from 0 and 1, where the log odds are infinite.

    >>> calibration_slope([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.328792...
    """
    return fit_logistic(table, clip).slope


@measure(
    symbol="intercept", family="calibration", best=0.0, range=(-np.inf, np.inf), unit_scores=True,
    invariant_to={"replication"}, undefined=NOT_FITTED,
    formula=r"a \; in \; logit P(y=1) = a + b \; logit(s)", reference="cox1958",
    parameters={"clip": CLIP}, sampling=_coefficient(),
)  # fmt: skip
def calibration_intercept(table: ScoreTable, clip: float | None = None) -> Any:
    """The fitted log odds of the outcome where the predicted probability is 1/2.

    It is the intercept of the regression that also has the ``calibration_slope``, called
    ``Intercept`` by val.prob of the R package rms. With the slope fixed at 1 it is
    ``calibration_in_the_large``, which the R package CalibrationCurves calls the intercept.

    >>> calibration_intercept([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.523610...
    """
    return fit_logistic(table, clip).intercept


@measure(
    symbol="CITL", aliases=("citl",), family="calibration", best=0.0, range=(-np.inf, np.inf),
    unit_scores=True, invariant_to={"replication"},
    undefined="a score is 0 or 1, or a class is empty",
    formula=r"a \; in \; logit P(y=1) = a + logit(s)", reference="cox1958",
    parameters={"clip": CLIP}, sampling=_coefficient(fit_slope=False),
)  # fmt: skip
def calibration_in_the_large(table: ScoreTable, clip: float | None = None) -> Any:
    """The mean shift by which the predicted log odds are too low.

    >>> calibration_in_the_large([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    0.930291...
    """
    return fit_logistic(table, clip, fit_slope=False).intercept


@measure(
    symbol="Z", family="calibration", best=0.0, range=(-np.inf, np.inf), unit_scores=True,
    undefined="all scores are 0, 1/2 or 1",
    formula=r"\frac{\sum_i (y_i - s_i)(1 - 2 s_i)}{\sqrt{\sum_i (1 - 2 s_i)^2 s_i (1 - s_i)}}",
    reference="spiegelhalter1986",
)  # fmt: skip
def spiegelhalter_z(table: ScoreTable) -> Any:
    """The z statistic of the Brier score under perfect calibration.

    >>> spiegelhalter_z([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    1.250925...
    """
    score, slant = table.score, 1 - 2 * table.score
    excess = dot(table.pos, (1 - score) * slant) - dot(table.neg, score * slant)
    variance = dot(table.weight, slant**2 * score * (1 - score))
    return np.where(variance > 0, excess / np.sqrt(variance), np.nan)[()]


@measure(
    symbol="HL", family="calibration", best="min", range=(0, np.inf), unit_scores=True,
    baseline=0.0, formula=r"\sum_g \frac{(O_g - E_g)^2}{E_g (1 - E_g / n_g)}",
    reference="hosmer1980", parameters={"groups": Whole(1, MOST_GROUPS)}, stated=("groups",),
    sampling=NoInterval(
        "it is a test statistic, which is positive for true probabilities too; the calibration "
        "table shows its p-value"
    ),
)  # fmt: skip
def hosmer_lemeshow(table: ScoreTable, groups: int = 10) -> Any:
    """The chi-squared statistic of expected and observed positives over groups of equal size.

    A tie is never split. Infinite when a group with predicted probability 0 or 1 differs from it.

    >>> hosmer_lemeshow([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1], groups=2)
    1.935922...
    """
    g = group(table, groups)
    missed = np.square(g.pos - g.expected)
    # Rounding must not make the variance negative where all probabilities are close to 1.
    spread = g.expected * np.maximum(1 - g.expected / g.weight, 0.0)
    distance = np.sum(np.where(missed > 0, missed / spread, 0.0), axis=-1)
    return np.where(table.n > 0, distance, np.nan)[()]


class BrierDecomposition(NamedTuple):
    """brier = miscalibration - discrimination + uncertainty."""

    miscalibration: Any
    discrimination: Any
    uncertainty: Any


def brier_decomposition(
    y_true: Any, y_score: Any = None, **options: Unpack[Options]
) -> BrierDecomposition:
    """The decomposition of the Brier score: miscalibration, discrimination and uncertainty.

    Takes the same data as a measure: labels and scores with their options, a table or a block.

    >>> brier_decomposition([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    BrierDecomposition(miscalibration=0.07..., discrimination=0.03..., uncertainty=0.24)
    """
    table = read_table(y_true, y_score, "brier_decomposition", **options)
    parts = miscalibration, discrimination, uncertainty
    return BrierDecomposition(*(part.value(table, stacklevel=4) for part in parts))
