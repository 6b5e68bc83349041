"""The decision about requirements: passed, failed, or undecided.

A requirement passes if the whole confidence interval meets it, and fails if the whole interval
violates it. All requirements must pass, so that each pass is tested at the stated level: a gate
passes wrongly with at most this probability. One failure is enough for a gate to fail, so that
failures are adjusted by Holm's method: the limit on the side of failure has the confidence of its
last step.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

from metameasure.evaluation.measure_choice import can_clip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from metameasure.evaluation.requirement import Requirement

Status = Literal["passed", "failed", "undecided"]
POWER = 0.8
"""Probability with which the number of cases to decide decides a requirement."""
MOST_CASES = 1e12
"""Number of cases beyond which a requirement cannot be decided."""
IMPOSSIBLE = "a case had probability 0 of what happened, so that the expected loss is infinite"
"""Why an infinite mean loss decides without limits."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What a requirement is about, with the limits of one confidence.

    Attributes:
        group: the group of cases; None for all cases.
        n, n_pos: the number of cases, and of positives (None for several classes).
        value: the value of the measure.
        baseline: its value for the baseline; None if the bound is a number.
        difference: the value minus that of the baseline times its factor; None without a baseline.
        low, high: the limits of the difference or, if there is none, of the value; None if there
            are none.
        method: the method of the limits.
        reason: why there are no limits.
    """

    group: str | None
    n: int
    n_pos: int | None
    value: float
    baseline: float | None = None
    difference: float | None = None
    low: float | None
    high: float | None
    method: str | None
    reason: str | None = None

    @property
    def center(self) -> float:
        """What is compared with the bound."""
        return self.value if self.difference is None else self.difference

    def limit(self, *, upper: bool) -> float:
        """One of the limits; NaN if there is none."""
        found = self.high if upper else self.low
        return math.nan if found is None else found


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The decision about one requirement, with the limits that decide.

    Attributes:
        cases: the number of cases with which an undecided requirement is decided with a
            probability of 80%, if the estimate is the true value; None if there is no such number.
        reason: why there is no decision, and no such number; or what decides without limits.
    """

    status: Status
    low: float | None
    high: float | None
    cases: int | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Decisions:
    """The decisions about all requirements.

    Attributes:
        each: the decision about each requirement.
        estimates: the estimates with the confidence of the limits that decide failures.
        level: the significance level of a pass.
        failure_level: that of a failure, by the last step of Holm's method.
    """

    each: tuple[Decision, ...]
    estimates: Sequence[Estimate]
    level: float
    failure_level: float


def decide(
    requirements: Sequence[Requirement],
    estimates: Callable[[float], Sequence[Estimate]],
    ci: float,
) -> Decisions:
    """Decide requirements, from their estimates with limits of any confidence.

    Holm's method by intervals: with k requirements left, those fail whose interval of the level
    divided by k violates them; they are taken away until no other one fails.
    """
    level = round((1 - ci) / 2, 12)
    first = estimates(ci)
    tested = sum(one.reason is None for one in first)
    left = max(tested, 1)
    while True:
        last = first if left == 1 else estimates(1 - 2 * level / left)
        failed = sum(map(_is_violated, requirements, last))
        if max(tested - failed, 1) >= left:
            break
        left = max(tested - failed, 1)
    levels = level, level / left
    each = tuple(
        _decided(requirement, passing, failing, levels)
        for requirement, passing, failing in zip(requirements, first, last, strict=True)
    )
    return Decisions(each, last, *levels)


def _is_violated(requirement: Requirement, estimate: Estimate) -> bool:
    """Whether the whole interval violates the requirement."""
    limit = estimate.limit(upper=requirement.upward)
    return not (math.isnan(limit) or requirement.is_met(limit))


def _decided(
    requirement: Requirement, passing: Estimate, failing: Estimate, levels: tuple[float, float]
) -> Decision:
    upward, center = requirement.upward, passing.center
    passes, fails = passing.limit(upper=not upward), failing.limit(upper=upward)
    ends = (passes, fails) if upward else (fails, passes)
    low, high = (None if math.isnan(end) else end for end in ends)
    decided = partial(Decision, low=low, high=high)
    if requirement.is_met(passes):
        return decided(status="passed")
    if _is_violated(requirement, failing):
        return decided(status="failed")
    reason = passing.reason or failing.reason
    alone = passing.difference is None
    if reason and alone and math.isinf(center) and can_clip(requirement.measure):
        status: Status = "passed" if requirement.is_met(center) else "failed"
        return decided(status=status, reason=IMPOSSIBLE)
    if reason:
        return decided(status="undecided", reason=reason)
    limit, level = (passes, levels[0]) if requirement.is_met(center) else (fails, levels[1])
    cases = passing.n * _growth(abs(limit - center), abs(center - requirement.bound), level)
    if cases > MOST_CASES:
        reason = "a limit is infinite" if math.isinf(limit) else "the estimate is at the bound"
        return decided(status="undecided", reason=reason)
    return decided(status="undecided", cases=_rounded_up(cases))


def _growth(reach: float, distance: float, level: float) -> float:
    """By how much the cases must grow, so that a limit at this reach is likely to be nearer."""
    if distance == 0 or math.isinf(reach):
        return math.inf
    quantile, power = (NormalDist().inv_cdf(share) for share in (1 - level, POWER))
    return ((quantile + power) / quantile * reach / distance) ** 2


def _rounded_up(number: float) -> int:
    """The number of cases, rounded up to two digits, as the estimate is rough."""
    unit: int = 10 ** max(math.floor(math.log10(number)) - 1, 0)
    return math.ceil(number / unit) * unit
