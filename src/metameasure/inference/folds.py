"""Values over the folds of one data set: the corrected resampled t interval and test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import POSITIVE, read_argument, read_confidence
from metameasure.data import read_scores
from metameasure.errors import DataError
from metameasure.measurement import merged, preference, scale_of

if TYPE_CHECKING:
    from metameasure._types import Floats


DIGITS = 12
"""Number of significant digits of reported differences."""


@dataclass(frozen=True)
class CorrectedT:
    """The mean difference over folds, its limits, and the two-sided test that it is 0."""

    difference: float
    low: float
    high: float
    pvalue: float
    statistic: float
    df: int


@dataclass(frozen=True)
class FoldMean:
    """The mean of values over folds.

    Attributes:
        mean: the mean.
        deviation: the standard deviation over the folds; NaN for one fold.
        error: the standard error of the mean; NaN for one fold.
        low, high: the limits; NaN for one fold.
    """

    mean: float
    deviation: float
    error: float
    low: float
    high: float


def fold_mean(values: Floats, ratio: float, ci: float) -> FoldMean:
    """The mean over folds with the corrected resampled t interval of Nadeau and Bengio (2003).

    ``ratio`` is the number of test cases divided by that of the training cases of a fold.

    >>> found = fold_mean(np.array([0.81, 0.84, 0.79]), 1 / 2, 0.95)
    >>> found.mean, found.deviation, found.low, found.high
    (0.8133..., 0.0251..., 0.7144..., 0.9121...)
    """
    from scipy.special import stdtrit  # noqa: PLC0415

    folds = values.size
    if not np.ptp(values):
        deviation = 0.0 if folds > 1 else math.nan
        mean = float(values[0])
    else:
        mean, deviation = float(values.mean()), float(values.std(ddof=1))
    error = math.sqrt(1 / folds + ratio) * deviation
    half = error * float(stdtrit(folds - 1, (1 + ci) / 2)) if folds > 1 else math.nan
    return FoldMean(mean, deviation, error, mean - half, mean + half)


def corrected_t(a: Any, b: Any, *, n_train: float, n_test: float, ci: float = 0.95) -> CorrectedT:
    """The corrected resampled t test of two models on the same folds or repeated splits.

    Folds share training cases, so that the plain paired t test rejects far too often. Nadeau and
    Bengio replace the factor 1/J of the variance by 1/J + n_test/n_train, which is right when the
    correlation of two splits is the fraction of the cases that are tested.

    When all differences are equal, the variance is 0: if all of them are 0 the p-value is 1;
    otherwise the statistic is infinite, the p-value 0 and the interval a point. Do not rely on
    such a p-value.

    Args:
        a: the values of the first model, one per fold.
        b: the values of the second model on the same folds, in the same order.
        n_train: the number of training cases per split; the mean if they differ.
        n_test: the number of test cases per split; the mean if they differ.
        ci: the confidence.

    >>> corrected_t([0.81, 0.84, 0.79], [0.78, 0.80, 0.80], n_train=200, n_test=100)
    CorrectedT(difference=0.02, low=-0.083..., high=0.123..., pvalue=0.494..., statistic=0.828...,
               df=2)
    """
    from scipy.stats import t as student  # noqa: PLC0415

    ci = read_confidence(ci)
    n_train = read_argument("n_train", n_train, POSITIVE)
    n_test = read_argument("n_test", n_test, POSITIVE)
    found = differences(a, b, "fold")
    if found.size < 2:
        raise DataError("the variance needs at least two folds, got 1")
    df = found.size - 1
    of_folds = fold_mean(found, n_test / n_train, ci)
    difference = of_folds.mean
    if of_folds.error:
        statistic = difference / of_folds.error
    else:
        statistic = math.copysign(math.inf, difference) if difference else 0.0
    return CorrectedT(
        difference=difference,
        low=of_folds.low,
        high=of_folds.high,
        pvalue=float(2 * student.sf(abs(statistic), df)),
        statistic=statistic,
        df=df,
    )


def differences(a: Any, b: Any, place: str) -> Floats:
    """The values of a minus those of b, tied ones equal; ``place`` is "fold" or so.

    Ties of a with b are 0, and tied differences, such as 0.8 - 0.7 and 0.7 - 0.6, have equal size.

    >>> differences([0.8, 0.7, 0.3], [0.7, 0.6, 0.1 + 0.2], "fold")
    array([0.1, 0.1, 0. ])
    """
    first, second = (_read(values, name, place) for values, name in ((a, "a"), (b, "b")))
    if first.size != second.size:
        raise DataError(
            f"a and b differ in length: {first.size} and {second.size}",
            remedy=f"pass one value of each model per {place}",
        )
    if not first.size:
        raise DataError("a and b are empty", remedy=f"pass one value of each model per {place}")
    sizes = np.maximum(np.abs(first), np.abs(second))
    scale = np.maximum(sizes, scale_of(sizes))
    sign = preference(first, second, scale=scale)
    gaps = _shortened(np.abs(first - second), sizes)
    # A tie has no scale of its own here, so that a small difference elsewhere stays apart from it.
    return sign * merged(np.where(sign, gaps, 0.0), scale=np.where(sign, scale, 0.0))


def _shortened(values: Floats, scale: Floats) -> Floats:
    """The values to the twelfth digit of their scale: 0.3 for 0.9 - 0.6. It decides no tie."""
    with np.errstate(divide="ignore"):
        digits = DIGITS - np.floor(np.log10(scale))
    shift = 10.0 ** np.clip(digits, -300, 300)
    shortened: Floats = np.rint(values * shift) / shift
    return shortened


def _read(values: Any, name: str, place: str) -> Floats:
    numbers, _ = read_scores(values, name)
    bad = ~np.isfinite(numbers)
    if bad.any():
        raise DataError(
            f"{np.count_nonzero(bad)} of {bad.size} values of {name} are missing or infinite, the "
            f"first at {place} {np.argmax(bad)} (counted from 0)",
            remedy=f"drop this {place} from a and b",
        )
    return numbers
