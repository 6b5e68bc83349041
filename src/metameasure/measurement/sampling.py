"""Kinds of statistics, which determine the sampling distribution of a measure.

The sampling distribution of a measure that declares none of these is estimated by resampling.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure.measurement.partial import Partial


@dataclass(frozen=True)
class PairMean:
    """A mean over all pairs of a positive and a negative.

    ``components`` gives, from a table and the parameters, the mean over the negatives for a
    positive at each row, and the mean over the positives for a negative at each row.
    ``own_methods`` names interval methods that were derived for this measure alone. ``of_gaps``
    tells that the components are sums over the gaps between scores: below a positive, and above a
    negative; those of a part of a table lack the sums of the other parts.
    """

    components: Callable[..., tuple[Any, Any]]
    own_methods: tuple[str, ...] = ()
    of_gaps: bool = False


@dataclass(frozen=True)
class ClassPairMean:
    """A mean over all pairs of cases of two different classes.

    ``components`` gives, from the scores for k classes and the parameters, the contribution of all
    pairs that each case belongs to.
    """

    components: Callable[..., Any]


@dataclass(frozen=True)
class ClassCaseMean:
    """The mean of a loss over cases of k classes, or a non-decreasing function of that mean.

    ``losses`` gives, from the scores for k classes and the parameters, the loss that each case
    would have in each class, (cases, classes); ``of_mean`` is the function of the mean, if there is
    one.
    """

    losses: Callable[..., Any]
    of_mean: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class ClassDifferentiable:
    """A smooth function of the cases of k classes.

    ``influences`` gives, from the scores for k classes and the parameters, how much each case adds
    to the value, to the first order and with its weight.
    """

    influences: Callable[..., Any]


@dataclass(frozen=True)
class CaseMean:
    """The mean of a loss or gain over all cases, or a non-decreasing function of that mean.

    ``losses`` gives, from a table and the parameters, the loss of a positive and of a negative at
    each row; ``of_mean`` is the function of the mean, if there is one. ``ends`` gives, from the
    parameters, the smallest and largest loss of a case, if they differ from the range.
    ``threshold`` gives, from the parameters, the threshold of a measure whose losses depend only on
    the class and on the side of the threshold, so that it is a function of the confusion matrix.
    """

    losses: Callable[..., tuple[Any, Any]]
    of_mean: Callable[[Any], Any] | None = None
    ends: Callable[..., tuple[float, float]] | None = None
    threshold: Callable[..., float] | None = None


@dataclass(frozen=True)
class ProbabilityMean:
    """The mean over cases of a loss of the predicted probability, given the true probability.

    ``losses`` gives, from TrueProbabilities and the parameters, the loss of each case; ``of_mean``
    and ``ends`` are those of ``CaseMean``.
    """

    losses: Callable[..., Any]
    of_mean: Callable[[Any], Any] | None = None
    ends: Callable[..., tuple[float, float]] | None = None

    def value(self, cases: Any, **parameters: Any) -> Any:
        """The value for TrueProbabilities."""
        mean = cases.mean(self.losses(cases, **parameters))
        return mean if self.of_mean is None else self.of_mean(mean)


@dataclass(frozen=True)
class Share:
    """The fraction of some cases among others, when the cut is at a threshold.

    ``counts`` gives both numbers from the confusion matrix. ``right`` is True for the fraction of
    right answers among all cases, False for that of wrong ones, and None for other fractions.
    """

    counts: Callable[[Any], tuple[Any, Any]]
    right: bool | None = None


@dataclass(frozen=True)
class Differentiable:
    """A smooth function of the numbers of positives and negatives at each rank.

    ``slopes`` gives, from a table and the parameters, how much a positive and a negative that are
    added at each row change the value, to the first order. ``only`` tells of the parameters whether
    the value is smooth, if not always. ``ends`` gives, from the parameters, the smallest and the
    largest value, if they differ from the range. ``threshold`` is that of ``CaseMean``.
    ``squares`` tells how the sum of the squared slopes of all cases comes from the parts of a
    table, if it does.
    """

    slopes: Callable[..., tuple[Any, Any]]
    only: Callable[..., bool] | None = None
    ends: Callable[..., tuple[float, float]] | None = None
    threshold: Callable[..., float] | None = None
    squares: Partial | None = None


@dataclass(frozen=True)
class Coefficient:
    """A coefficient of a regression of the labels on the scores, fitted by maximum likelihood.

    ``slopes`` are those of ``Differentiable``. ``variances`` gives, from a table and the
    parameters, what a case at each row adds to the variance of the value if the regression model
    holds. ``ratio`` tells that values are compared by their ratio, as slopes are.
    """

    slopes: Callable[..., tuple[Any, Any]]
    variances: Callable[..., Any]
    ratio: bool = False


@dataclass(frozen=True)
class Extreme:
    """A maximum or minimum over all cuts or signs, or a function of the ROC convex hull.

    It is biased on a sample, and again on a resample. ``by_chance`` gives, from a table, a
    probability and the parameters, the value that is exceeded with that probability when the true
    value is 0 (scores unrelated to the labels, or calibrated), if this is known. ``pooled`` tells
    that pooling neighboring scores hardly changes how the value varies from sample to sample, so
    that intervals of many cases take no time; without it, this is tried out on the cases.
    ``slopes`` are those of ``Differentiable`` with the best cut, hull or signs held fixed, if they
    are known; paired tests need them. ``chance_mean`` gives, from a table or block and the
    parameters, the mean by chance alone. If it depends on the scores, equally good models differ in
    it, and paired tests subtract it. ``upper_bias`` is the part of the bias that is subtracted for
    the upper limit: absolute differences have less of it the larger they are.
    """

    of: Literal["max", "min"] = "max"
    by_chance: Callable[..., float] | None = None
    pooled: bool = False
    slopes: Callable[..., tuple[Any, Any]] | None = None
    chance_mean: Callable[..., Any] | None = None
    upper_bias: float = 1.0


@dataclass(frozen=True)
class NoInterval:
    """A statistic that estimates no population value, so that it has no interval by default."""

    reason: str


Sampling = (
    PairMean
    | ClassPairMean
    | ClassCaseMean
    | ClassDifferentiable
    | CaseMean
    | ProbabilityMean
    | Share
    | Differentiable
    | Coefficient
    | Extreme
    | NoInterval
)
