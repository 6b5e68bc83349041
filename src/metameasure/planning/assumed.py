"""Estimates and tests from assumed values, without data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from metameasure.errors import Argument, ParameterError, Wording
from metameasure.measurement import PairMean, Share
from metameasure.planning.auc_variance import FORMULAS, binormal, binormal_covariance
from metameasure.planning.precision import Over, PairFraction, Proportion, Variance
from metameasure.table import Point, ScoreTable

if TYPE_CHECKING:
    from metameasure.measurement import Measure
    from metameasure.planning.auc_variance import Formula
    from metameasure.planning.precision import Estimate

CELLS: dict[Over, float] = {"positive": 11.0, "negative": 1100.0, "case": 1111.0}
"""What a fraction is of, by the sum of the cells TP 1, FN 10, FP 100 and TN 1000 that it counts."""


def assumed_estimate(
    measure: Measure, value: float, share: float | None, formula: Formula
) -> Estimate:
    """The estimate of a measure that has this value."""
    if is_pair_fraction(measure):
        low, high = measure.declaration.range

        def variance_at(other: float) -> Variance:
            return FORMULAS[formula]((other - low) / (high - low)) * (high - low) ** 2

        return PairFraction(measure, value, variance_at(value), variance_at)
    over = fraction_of(measure)
    return Proportion.of(measure, value, over or "case", share or 1.0)


def assumed_difference(
    measure: Measure, values: tuple[float, float], correlation: float
) -> tuple[Variance, Variance]:
    """The variances of the difference of two models: of equal ones, and of these."""
    if is_pair_fraction(measure):
        return _difference_of_aucs(measure, values, correlation)
    return _difference_of_fractions(values, correlation, fraction_of(measure) or "case")


def _difference_of_aucs(
    measure: Measure, values: tuple[float, float], correlation: float
) -> tuple[Variance, Variance]:
    low, high = measure.declaration.range
    a, b = ((value - low) / (high - low) for value in values)
    variance = binormal(a) + binormal(b) - binormal_covariance(a, b, correlation) * 2.0
    # The paired test estimates the variance of the difference without assuming that it is 0.
    return variance * (high - low) ** 2, variance * (high - low) ** 2


def _difference_of_fractions(
    values: tuple[float, float], correlation: float, over: Over
) -> tuple[Variance, Variance]:
    """The variances of McNemar's test (Connor, 1987)."""
    a, b = values
    both = a * b + correlation * math.sqrt(a * (1 - a) * b * (1 - b))
    if not max(0.0, a + b - 1) <= both <= min(a, b):
        problem = f" {correlation:g} is impossible for fractions of {a:g} and {b:g}"
        raise ParameterError((Argument("correlation"), problem))
    discordant = a + b - 2 * both
    if discordant <= 0:
        raise ParameterError(
            (Argument("correlation"), " leaves no case on which the models differ")
        )
    return Variance(**{over: discordant}), Variance(**{over: discordant - (a - b) ** 2})


def lead(measure: Measure, a: float, b: float) -> float:
    """By how much a is better than b; a minus b if the best value lies inside the range."""
    return b - a if measure.best == "min" else a - b


def is_pair_fraction(measure: Measure) -> bool:
    """Whether a measure is the fraction of right pairs, or a linear function of it."""
    declared = measure.declaration
    return isinstance(declared.sampling, PairMean) and declared.right_pairs


def is_fraction(measure: Measure) -> bool:
    """Whether the variance of a measure follows from its value."""
    return is_pair_fraction(measure) or isinstance(measure.sampling, Share)


def fraction_of(measure: Measure) -> Over | None:
    """What a proportion is of; None for some of the cases, as those predicted positive."""
    kind: Any = measure.sampling
    if not isinstance(kind, Share):
        raise needs_pilot(measure)
    cells = ScoreTable([1.0, 0.0], [1.0, 10.0], [100.0, 1000.0]).at(Point("threshold", 0.5))
    counted = float(kind.counts(cells)[1])
    return next((over for over, total in CELLS.items() if total == counted), None)


def needs_pilot(measure: Measure, what: str = "") -> ParameterError:
    """The error for a measure whose variance does not follow from its value."""
    return ParameterError(
        f"the variance of {what}{measure} does not follow from its value",
        remedy=("pass the predictions of a pilot", Wording(" as y_true and scores", " as FILE")),
        argument="measure",
    )
