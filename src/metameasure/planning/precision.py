"""How the precision of a value grows with the numbers of cases.

The variance of an estimate is a sum of terms, each a constant divided by a number of cases. An
estimate has a value, such a variance, and the width of the interval that ``interval`` computes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

from metameasure.inference import Components, score_limits, wilson_limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure.measurement import Measure

FEWEST, MOST = 1.0, 1e12
"""Limits of the number of cases that is searched."""
PER_CLASS = 2
"""Number of cases of a class that an interval or a test needs at least."""
ROUNDING = 1e-9
"""Relative error of a solution, which must not cost another case."""
TINY = 1e-300
"""What stands for a shortfall of 0 or less, which has no logarithm."""


@dataclass(frozen=True)
class Sizes:
    """Numbers of cases; those of the classes are NaN if the prevalence is not known."""

    cases: float
    positives: float
    negatives: float

    @classmethod
    def at(cls, prevalence: float | None, cases: float) -> Sizes:
        """The numbers of cases with this prevalence."""
        share = math.nan if prevalence is None else prevalence
        return cls(cases, share * cases, (1 - share) * cases)

    def rounded_up(self) -> Sizes:
        """The whole numbers from these on, at least two of each."""
        if math.isnan(self.positives):
            return Sizes(_ceil(self.cases), math.nan, math.nan)
        positives, negatives = _ceil(self.positives), _ceil(self.negatives)
        return Sizes(positives + negatives, positives, negatives)


def _ceil(number: float) -> int:
    return max(math.ceil(number * (1 - ROUNDING)), PER_CLASS)


@dataclass(frozen=True)
class Variance:
    """A variance: constants divided by the numbers of positives, negatives, cases and pairs."""

    positive: float = 0.0
    negative: float = 0.0
    case: float = 0.0
    pair: float = 0.0

    def at(self, sizes: Sizes) -> float:
        """The variance with these numbers of cases."""
        terms = (
            (self.positive, sizes.positives),
            (self.negative, sizes.negatives),
            (self.case, sizes.cases),
            (self.pair, sizes.positives * sizes.negatives),
        )
        return sum(constant / number for constant, number in terms if constant)

    def __add__(self, other: Variance) -> Variance:
        return Variance(
            self.positive + other.positive,
            self.negative + other.negative,
            self.case + other.case,
            self.pair + other.pair,
        )

    def __mul__(self, factor: float) -> Variance:
        return Variance(
            factor * self.positive, factor * self.negative, factor * self.case, factor * self.pair
        )

    def __sub__(self, other: Variance) -> Variance:
        return self + other * -1.0


@dataclass(frozen=True)
class Estimate:
    """A value that is expected, and the variance of its estimate.

    ``variance_at`` gives the variance for another value, if it follows from the value.
    """

    measure: Measure
    value: float
    variance: Variance
    variance_at: Callable[[float], Variance] | None = None

    def width(self, sizes: Sizes, ci: float) -> float:
        """The expected width of the confidence interval."""
        return 2 * NormalDist().inv_cdf((1 + ci) / 2) * math.sqrt(self.variance.at(sizes))


@dataclass(frozen=True)
class PairFraction(Estimate):
    """A fraction of right pairs, or a linear function of it, with Newcombe's score limits."""

    def width(self, sizes: Sizes, ci: float) -> float:
        """The expected width of Newcombe's interval."""
        low, high = self.measure.declaration.range
        span = high - low
        found = Components(self.variance.at(sizes) / span**2, sizes.positives, sizes.negatives)
        below, above = score_limits((self.value - low) / span, found, ci)
        return span * (above - below)


Over = Literal["positive", "negative", "case"]
"""What a fraction is of: all cases of a class, or a part of all cases."""


@dataclass(frozen=True)
class Proportion(Estimate):
    """A fraction of some cases, with Wilson's limits.

    Attributes:
        over: the cases that the fraction is of.
        share: the part of these cases that it is of.
    """

    over: Over = "case"
    share: float = 1.0

    @classmethod
    def of(cls, measure: Measure, value: float, over: Over, share: float = 1.0) -> Proportion:
        """The proportion with its binomial variance."""

        def variance_at(fraction: float) -> Variance:
            return Variance(**{over: fraction * (1 - fraction) / share})

        return cls(measure, value, variance_at(value), variance_at, over, share)

    def width(self, sizes: Sizes, ci: float) -> float:
        """The expected width of Wilson's interval."""
        numbers = {
            "positive": sizes.positives,
            "negative": sizes.negatives,
            "case": sizes.cases,
        }
        trials = self.share * numbers[self.over]
        low, high = wilson_limits(self.value * trials, trials, ci)
        return high - low


@dataclass(frozen=True)
class WidthGoal:
    """An interval of some width."""

    estimate: Estimate
    target: float
    ci: float

    def is_possible(self, prevalence: float | None) -> bool:
        """Whether the estimate varies."""
        return self.estimate.variance.at(Sizes.at(prevalence, MOST)) > 0

    def reached(self, sizes: Sizes) -> float:
        """The expected width."""
        return self.estimate.width(sizes, self.ci)

    def shortfall(self, sizes: Sizes) -> float:
        """The expected width, relative to the target."""
        return self.reached(sizes) / self.target


@dataclass(frozen=True)
class PowerGoal:
    """A test of some power, by an estimate with a normal distribution.

    Attributes:
        effect: the distance between the assumed value and that of the null hypothesis.
        null: the variance from which the test computes its critical value.
        alternative: the variance under the assumption.
        tail: the significance level in the direction of the effect.
        target: the power.
    """

    effect: float
    null: Variance
    alternative: Variance
    tail: float
    target: float

    def is_possible(self, prevalence: float | None) -> bool:
        """Whether the estimate varies under both hypotheses."""
        sizes = Sizes.at(prevalence, MOST)
        return self.null.at(sizes) > 0 and self.alternative.at(sizes) > 0

    def reached(self, sizes: Sizes) -> float:
        """The probability that the test rejects."""
        beyond = self.effect - self._critical(sizes)
        if self.alternative.at(sizes) == 0:
            return float(beyond > 0)
        return NormalDist().cdf(beyond / math.sqrt(self.alternative.at(sizes)))

    def shortfall(self, sizes: Sizes) -> float:
        """The effect that would have this power, relative to the assumed one."""
        beyond = NormalDist().inv_cdf(self.target) * math.sqrt(self.alternative.at(sizes))
        return (self._critical(sizes) + beyond) / self.effect

    def _critical(self, sizes: Sizes) -> float:
        return NormalDist().inv_cdf(1 - self.tail) * math.sqrt(self.null.at(sizes))


Goal = WidthGoal | PowerGoal


def needed_cases(goal: Goal, prevalence: float | None) -> float:
    """The number of cases that reach a goal, not rounded, within the limits of the search."""
    from scipy.optimize import brentq  # noqa: PLC0415

    def above(log_cases: float) -> float:
        shortfall = goal.shortfall(Sizes.at(prevalence, math.exp(log_cases)))
        return math.log(max(shortfall, TINY))

    low, high = math.log(FEWEST), math.log(MOST)
    if above(low) <= 0:
        return FEWEST
    if above(high) > 0:
        return MOST
    return math.exp(brentq(above, low, high, xtol=1e-13, rtol=1e-15))
