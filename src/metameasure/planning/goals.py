"""The goal of a study: the width of an interval, or the power of a test."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from metameasure.errors import Argument, DataError, ParameterError
from metameasure.planning.assumed import assumed_estimate, is_fraction, lead
from metameasure.planning.precision import PowerGoal, WidthGoal

if TYPE_CHECKING:
    from metameasure.planning.pilot import Pilot
    from metameasure.planning.precision import Estimate, Goal, Variance
    from metameasure.planning.request import Request


def pilot_goal(request: Request, pilot: Pilot) -> Goal:
    """The goal, with the variance that the pilot shows."""
    measure = request.measure
    if len(pilot.models) == 2:
        alternative = pilot.variance_of_difference(measure)
        null = alternative
        if request.formula == "obuchowski":
            first, second = pilot.pair_variances(measure)
            null = alternative + first - second
        return difference_goal(request, assumed_lead(request, pilot), null, alternative)
    if request.formula != "auto":
        value = pilot.value(measure, pilot.models[0])
        return estimate_goal(request, assumed_estimate(measure, value, None, request.formula))
    return estimate_goal(request, pilot.estimate(measure))


def limit_goals(request: Request, pilot: Pilot) -> list[Goal]:
    """The goals at the value of a pilot that does not vary, and at the limits of its interval.

    Where the variance does not follow from the value, it is the one that the interval shows.
    """
    measure, found = request.measure, pilot.interval(request.measure)
    if is_fraction(measure):
        values = dict.fromkeys((found.value, found.low, found.high))
        estimates = [pilot.assumed(measure, value, request.formula) for value in values]
    elif request.goal == "width":
        estimates = [pilot.of_interval(measure)]
    else:
        shown = pilot.of_interval(measure)
        estimates = [replace(shown, value=value) for value in (found.low, found.high)]
    if request.goal == "power" and found.low <= reference_of(request) <= found.high:
        raise DataError(
            f"{measure} does not vary in the pilot of {pilot.cases} cases, and its interval "
            f"[{found.low:.4g}, {found.high:.4g}] contains the reference {reference_of(request):g}",
            remedy="use a larger pilot",
        )
    return [estimate_goal(request, estimate) for estimate in estimates]


def assumed_lead(request: Request, pilot: Pilot) -> float:
    """By how much the first model of a pilot is assumed to be better than the second."""
    if request.difference is not None:
        return request.difference
    if request.margin is not None:
        return 0.0
    return lead(request.measure, *(pilot.value(request.measure, one) for one in pilot.models))


def estimate_goal(request: Request, estimate: Estimate) -> Goal:
    """The width of the interval of an estimate, or the power of its test against a reference."""
    if request.goal == "width":
        return WidthGoal(estimate, request.target, request.ci)
    reference = reference_of(request)
    effect = abs(estimate.value - reference)
    if not effect:
        raise ParameterError(
            (Argument("reference"), f" must differ from the assumed value {estimate.value:g}")
        )
    null = estimate.variance_at(reference) if estimate.variance_at else estimate.variance
    return PowerGoal(effect, null, estimate.variance, request.alpha / 2, request.target)


def reference_of(request: Request) -> float:
    """The value of the null hypothesis; by default that of a constant score."""
    baseline = request.measure.declaration.baseline
    found = baseline if request.reference is None else request.reference
    if not isinstance(found, (int, float)):
        raise ParameterError(
            (Argument("reference"), f" is needed for a test of one model by {request.measure}"),
            remedy=("pass ", Argument("reference"), ", the value under the null hypothesis"),
        )
    return float(found)


def difference_goal(
    request: Request, ahead: float, null: Variance, alternative: Variance
) -> PowerGoal:
    """The power of the paired test of a difference, or of non-inferiority."""
    if request.margin is None:
        if not ahead:
            raise ParameterError(
                "the models are assumed to be equal, so that no test finds a difference",
                remedy=(
                    *("pass another ", Argument("value" if request.values else "difference")),
                    *(" or a ", Argument("margin")),
                ),
            )
        return PowerGoal(abs(ahead), null, alternative, request.alpha / 2, request.target)
    effect = ahead + request.margin
    if effect <= 0:
        worse = f" must be > {-ahead:g}, by which the first model is assumed to be worse, got "
        raise ParameterError((Argument("margin"), worse, f"{request.margin:g}"))
    return PowerGoal(effect, alternative, alternative, request.alpha, request.target)
