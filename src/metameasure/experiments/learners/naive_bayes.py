"""Naive Bayes for nominal and numeric attributes with missing values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np
from scipy.special import logsumexp, ndtr

from metameasure._arguments import Choice, Real, Whole, read_argument
from metameasure.errors import Argument, ParameterError
from metameasure.experiments.learners.discretization import entropy_cuts, intervals_of
from metameasure.experiments.learners.learner import Learner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Indices

NumericModel: TypeAlias = Literal["binned", "normal", "kernel", "discretized"]
NUMERIC_MODELS = ("binned", "normal", "kernel", "discretized")
DEFAULT_PRECISION = 0.01
"""Distance between adjacent values of an attribute with a single value."""
NO_SPREAD = 1e-10
"""Standard deviation up to which a sample counts as constant."""


class Smoothing(NamedTuple):
    """How probabilities are kept from being 0, as numbers that have been checked."""

    laplace: float
    prior_laplace: float
    floor: float
    zero_probability: float
    zero_std: float
    ddof: int

    def logs(self, probability: Floats) -> Floats:
        """The logarithms, after probabilities up to the floor (or unknown) are replaced."""
        kept = probability > self.floor
        logs: Floats = np.log(np.where(kept, probability, self.zero_probability))
        return logs


class MixedNaiveBayes(Learner):
    """Naive Bayes for nominal and numeric attributes; missing values are skipped.

    The defaults are those of Weka's NaiveBayes. The naiveBayes of R's e1071 is
    ``MixedNaiveBayes(numeric="normal", laplace=0, prior_laplace=0, ddof=1, floor=0,
    zero_probability=0.001)``.

    Args:
        nominal: number of levels of each column, 0 for a numeric one; None if all are numeric.
        numeric: model of numeric attributes. ``"binned"``: values are rounded to multiples of the
            attribute's precision (the mean distance between adjacent distinct training values),
            and the probability of a value is that of its bin under a normal distribution with at
            least 1/6 of the precision as standard deviation. ``"normal"``: normal density.
            ``"kernel"``: as binned, with one normal per training value whose standard deviation
            is the range of the class's values over the square root of their number.
            ``"discretized"``: nominal, with the intervals of ``entropy_cuts``.
        laplace: pseudo-count of each level of a nominal attribute.
        prior_laplace: pseudo-count of each class.
        ddof: 1 for the standard deviation with denominator n - 1, 0 for n.
        floor: largest probability (or density) of a value that counts as zero.
        zero_probability: what replaces such probabilities; None for the floor.
        zero_std: standard deviation of a normal density where the sample has none.

    >>> X, y = [[0, 1.0], [0, 2.0], [1, 2.0], [1, np.nan]], ["a", "a", "b", "b"]
    >>> learner = MixedNaiveBayes(nominal=(2, 0)).fit(X, y)
    >>> learner.predict_proba([[0, 2.0], [1, np.nan]]).round(4)
    array([[0.5894, 0.4106],
           [0.25  , 0.75  ]])
    """

    def __init__(
        self,
        *,
        nominal: Sequence[int] | None = None,
        numeric: NumericModel = "binned",
        laplace: float = 1.0,
        prior_laplace: float = 1.0,
        ddof: int = 0,
        floor: float = 1e-75,
        zero_probability: float | None = None,
        zero_std: float = 1e-3,
    ) -> None:
        self.nominal = nominal
        self.numeric = numeric
        self.laplace = laplace
        self.prior_laplace = prior_laplace
        self.ddof = ddof
        self.floor = floor
        self.zero_probability = zero_probability
        self.zero_std = zero_std

    def smoothing(self) -> Smoothing:
        """The parameters that keep probabilities from being 0, checked."""
        least = Real(0)
        floor = read_argument("floor", self.floor, least)
        zero = read_argument("zero_probability", self.zero_probability, least, optional=True)
        zero = floor if zero is None else zero
        if not zero:
            raise ParameterError(
                (Argument("zero_probability"), " must be > 0 if ", Argument("floor"), " is 0")
            )
        return Smoothing(
            laplace=read_argument("laplace", self.laplace, least),
            prior_laplace=read_argument("prior_laplace", self.prior_laplace, least),
            floor=floor,
            zero_probability=zero,
            zero_std=read_argument("zero_std", self.zero_std, Real(0, open_low=True)),
            ddof=read_argument("ddof", self.ddof, Whole(0, 1)),
        )

    def _fit(self, X: Floats, y: Indices, levels: Indices) -> None:
        read_argument("numeric", self.numeric, Choice(NUMERIC_MODELS))
        self.smoothing_ = smoothing = self.smoothing()
        classes = self.classes_.size
        self.numeric_, self.nominal_ = np.flatnonzero(levels == 0), np.flatnonzero(levels)
        counts = np.bincount(y, minlength=classes) + smoothing.prior_laplace
        self.log_prior_ = np.log(counts / counts.sum())
        codes, levels = X[:, self.nominal_], levels[self.nominal_]
        numbers = X[:, self.numeric_]
        if self.numeric == "discretized":
            self.cuts_ = [entropy_cuts(column, y) for column in numbers.T]
            codes = np.hstack([codes, intervals_of(numbers, self.cuts_)])
            levels = np.append(levels, [cuts.size + 1 for cuts in self.cuts_]).astype(np.int64)
        self.tables_ = [
            smoothing.logs(_level_probabilities(column, y, classes, n, smoothing.laplace))
            for column, n in zip(codes.T, levels, strict=True)
        ]
        if self.numeric == "normal":
            self.mean_, self.std_ = _moments(numbers, y, classes, smoothing.ddof)
            self.std_ = np.where(self.std_ > smoothing.floor, self.std_, smoothing.zero_std)
        elif self.numeric != "discretized":
            self.precision_ = np.array([precision_of(column) for column in numbers.T])
            numbers = np.rint(numbers / self.precision_) * self.precision_
            least = self.precision_ / 6
            if self.numeric == "binned":
                self.mean_, std = _moments(numbers, y, classes, smoothing.ddof)
                self.mean_ = np.nan_to_num(self.mean_)
                self.std_ = np.where(std > NO_SPREAD, np.maximum(std, least), least)
            else:
                self.kernels_ = [
                    [_kernels(column[y == c], sd) for c in range(classes)]
                    for column, sd in zip(numbers.T, least, strict=True)
                ]

    def _probabilities(self, X: Floats) -> Floats:
        codes, numbers = X[:, self.nominal_], X[:, self.numeric_]
        if self.numeric == "discretized":
            codes = np.hstack([codes, intervals_of(numbers, self.cuts_)])
        logs = np.tile(self.log_prior_, (X.shape[0], 1))
        for column, table in zip(codes.T, self.tables_, strict=True):
            known = ~np.isnan(column)
            logs[known] += table[column[known].astype(np.int64)]
        if self.numeric != "discretized":
            each = self.smoothing_.logs(self._numeric_probabilities(numbers))
            logs += np.where(np.isnan(numbers)[..., np.newaxis], 0.0, each).sum(axis=1)
        probabilities: Floats = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
        return probabilities

    def _numeric_probabilities(self, X: Floats) -> Floats:
        """The probability or density of each value given each class: (cases, columns, classes)."""
        if self.numeric == "normal":
            z = (X[..., np.newaxis] - self.mean_.T) / self.std_.T
            density: Floats = np.exp(-z * z / 2) / (self.std_.T * np.sqrt(2 * np.pi))
            return density
        half = self.precision_ / 2
        rounded = np.rint(X / self.precision_) * self.precision_
        if self.numeric == "kernel":
            found = np.full((*X.shape, self.classes_.size), np.nan)
            for column, kernels in enumerate(self.kernels_):
                for c, (center, weight, std) in enumerate(kernels):
                    away = rounded[:, column, np.newaxis] - center
                    bins = _bin_probability(away, half[column], std)
                    found[:, column, c] = bins @ weight
            return found
        away = rounded[..., np.newaxis] - self.mean_.T
        return _bin_probability(away, half[:, np.newaxis], self.std_.T)


def _bin_probability(away: Floats, half: Floats | float, std: Floats | float) -> Floats:
    """The probability of a bin under a normal distribution.

    Above the mean this is a difference of numbers near 1, as in Weka: a bin more than 8 standard
    deviations above the mean has probability 0, one as far below has not.
    """
    probability: Floats = ndtr((away + half) / std) - ndtr((away - half) / std)
    return probability


def precision_of(column: Floats) -> float:
    """The mean distance between adjacent distinct values.

    The distances are added in order, as in Weka: the last digit of the precision decides how values
    midway between two multiples are rounded.
    """
    distinct = np.unique(column[~np.isnan(column)])
    if distinct.size < 2:
        return DEFAULT_PRECISION
    return float(np.diff(distinct).cumsum()[-1] / (distinct.size - 1))


def _moments(X: Floats, y: Indices, classes: int, ddof: int) -> tuple[Floats, Floats]:
    """The means and standard deviations of each class and column, NaN where they are undefined."""
    mean, std = np.full((2, classes, X.shape[1]), np.nan)
    for column, values in enumerate(X.T):
        known = ~np.isnan(values)
        v, c = values[known], y[known]
        n = np.bincount(c, minlength=classes)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean[:, column] = np.bincount(c, v, classes) / n
            squares = np.bincount(c, (v - mean[c, column]) ** 2, classes)
            std[:, column] = np.sqrt(squares / (n - ddof))
    return mean, std


def _level_probabilities(
    codes: Floats, y: Indices, classes: int, levels: int, laplace: float
) -> Floats:
    """The probability of each level given each class: (levels, classes)."""
    known = ~np.isnan(codes)
    cells = codes[known].astype(np.int64) * classes + y[known]
    counts = np.bincount(cells, minlength=levels * classes).reshape(levels, classes) + laplace
    with np.errstate(invalid="ignore"):
        shares: Floats = counts / counts.sum(axis=0)
    return shares


def _kernels(values: Floats, least: float) -> tuple[Floats, Floats, float]:
    """The centers, weights and standard deviation of the normals of one class."""
    values = values[~np.isnan(values)]
    if not values.size:
        return np.zeros(1), np.ones(1), least
    center, count = np.unique(values, return_counts=True)
    std = float(np.ptp(values) / np.sqrt(values.size))
    return center, count / values.size, max(std, least)
