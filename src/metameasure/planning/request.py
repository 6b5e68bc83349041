"""What ``sample_size`` is asked for: its arguments, checked before any work."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from metameasure._arguments import (
    FRACTION,
    POSITIVE,
    Choice,
    Real,
    is_real,
    read_argument,
    read_confidence,
)
from metameasure._text import shown
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference import PairPlan, check_margin
from metameasure.measurement import MeanOver, NoInterval, Share
from metameasure.planning.assumed import fraction_of, is_pair_fraction, needs_pilot
from metameasure.planning.auc_variance import Formula

if TYPE_CHECKING:
    from metameasure.measurement import Measure

ASSUMPTIONS = {
    "difference": Real(),
    "correlation": Real(-1, 1, open_low=True, open_high=True),
    "share": Real(0, 1, open_low=True),
}
TEST_ONLY = ("reference", "margin", "difference", "correlation")
OF_THE_PILOT = ("value", "correlation", "share")


@dataclass(frozen=True, kw_only=True)
class Request:
    """The arguments of ``sample_size``; what is None was not given.

    Attributes:
        values: the assumed value of one or two models.
        prevalence: the prevalence, also if the ratio was given.
    """

    measure: Measure
    goal: Literal["width", "power"]
    target: float
    values: tuple[float, ...] | None
    reference: float | None
    margin: float | None
    difference: float | None
    correlation: float | None
    prevalence: float | None
    share: float | None
    ci: float
    alpha: float
    formula: Formula

    @classmethod
    def of(cls, measure: Measure, **given: Any) -> Request:
        """The checked arguments."""
        check_measure(measure)
        alpha = read_argument("alpha", given["alpha"], FRACTION)
        goal, target = _read_goal(measure, given["width"], given["power"], alpha)
        plan = PairPlan(margin=given["margin"])
        check_margin(measure, plan)
        value, reference = given["value"], given["reference"]
        request = cls(
            measure=measure,
            goal=goal,
            target=target,
            values=None if value is None else _read_values(measure, value),
            reference=None if reference is None else _read_value("reference", reference, measure),
            margin=plan.margin,
            prevalence=_read_prevalence(given["prevalence"], given["ratio"]),
            ci=read_confidence(given["ci"]),
            alpha=alpha,
            formula=read_argument("formula", given["formula"], Choice(get_args(Formula))),
            **{
                name: read_argument(name, given[name], kind, optional=True)
                for name, kind in ASSUMPTIONS.items()
            },
        )
        request._check_together()
        return request

    def given(self, name: str) -> bool:
        """Whether an argument was given."""
        return getattr(self, {"value": "values"}.get(name, name)) is not None

    def _check_together(self) -> None:
        if self.goal == "width":
            self._refuse(TEST_ONLY, "is for a test, not for the width of an interval")
        if self.margin is not None:
            self._refuse(["reference"], "is for a test of one model, without a margin")
        if self.formula != "auto" and not is_pair_fraction(self.measure):
            raise ParameterError(
                (Argument("formula"), f" is for the AUC, not for {self.measure}"),
                remedy=("remove ", Argument("formula")),
            )

    def _refuse(self, names: Any, why: str) -> None:
        for name in names:
            if self.given(name):
                problem = (Argument(name), f" {why}")
                raise ParameterError(problem, remedy=("remove ", Argument(name)))

    def _need(self, name: str, what: str) -> None:
        if not self.given(name):
            raise ParameterError(
                (Argument(name), f" is needed without a pilot: {what}"),
                remedy=("pass ", Argument(name), ", or the predictions of a pilot"),
            )

    @property
    def compares(self) -> bool:
        """Whether assumed values are those of two models."""
        return self.margin is not None or len(self.values or ()) == 2

    def check_without_pilot(self) -> None:
        """Refuse what needs a pilot, and name what is missing."""
        self._refuse(["difference"], "is for a pilot of two models")
        over = None if is_pair_fraction(self.measure) else fraction_of(self.measure)
        self._need("value", f"the value of {self.measure} that is expected")
        if self.goal == "width" and len(self.values or ()) == 2:
            raise ParameterError((Argument("value"), " must be one number for a width, got two"))
        if self.compares:
            self._refuse(["reference"], "is for a test of one model")
            self._need("correlation", "that between the two models")
        else:
            self._refuse(["correlation"], "is for a comparison of two models")
        in_part = over is None and isinstance(self.measure.sampling, Share)
        if in_part and self.compares:
            raise needs_pilot(self.measure, "a difference of ")
        if in_part:
            self._need("share", f"the fraction of the cases that {self.measure} is a fraction of")
        else:
            self._refuse(["share"], f"has no effect on {self.measure}")
            if over != "case":
                self._need("prevalence", "the fraction of positives")

    def check_with_pilot(self, models: int) -> None:
        """Refuse what does not go with a pilot, or with its number of models."""
        self._refuse(OF_THE_PILOT, "is estimated from the pilot")
        if self.goal == "width" and models != 1:
            raise DataError(f"the width of an interval needs one model, got {models}")
        if models > 2:
            raise DataError(f"a test needs one or two models, got {models}")
        if models == 1:
            self._refuse(["margin", "difference"], "needs a pilot with two models")
        else:
            self._refuse(["reference"], "needs a pilot with one model")
            if self.formula == "hanley_mcneil":
                raise no_covariance(self.formula)


def no_covariance(formula: str) -> ParameterError:
    """The error for a formula of one model's variance in a comparison of two."""
    return ParameterError(
        (Argument("formula", formula), " has no covariance of two models"),
        remedy=("remove ", Argument("formula")),
    )


def check_measure(measure: Measure) -> None:
    """Refuse measures without an interval, and those whose units are not cases."""
    kind = measure.declaration.sampling
    if isinstance(kind, NoInterval):
        raise ParameterError(f"{measure} has no interval: {kind.reason}", argument="measure")
    if isinstance(measure, MeanOver):
        raise ParameterError(
            f"{measure} is a mean over groups, and sample_size counts cases",
            remedy=f"use {measure.inner}",
            argument="measure",
        )


def _read_goal(
    measure: Measure, width: Any, power: Any, alpha: float
) -> tuple[Literal["width", "power"], float]:
    if (width is None) == (power is None):
        given = "neither" if width is None else "both"
        raise ParameterError(
            ("pass either ", Argument("width"), " or ", Argument("power"), f", got {given}")
        )
    if power is not None:
        target: float = read_argument("power", power, FRACTION)
        if target <= alpha:
            raise ParameterError(
                (Argument("power"), " must be > ", Argument("alpha"), f" ({alpha:g}), got ",
                 f"{target:g}")
            )  # fmt: skip
        return "power", target
    low, high = measure.declaration.range
    bounded = math.isfinite(high - low)
    kind = Real(0, high - low, open_low=True, open_high=True) if bounded else POSITIVE
    return "width", read_argument("width", width, kind)


def _read_values(measure: Measure, value: Any) -> tuple[float, ...]:
    several = [value] if is_real(value) or isinstance(value, str) else value
    try:
        values = tuple(_read_value("value", one, measure) for one in several)
    except TypeError:
        values = ()
    if len(values) not in {1, 2}:
        raise ParameterError(
            (Argument("value"), f" must be one number or two, got {shown([value])}")
        )
    return values


def _read_value(name: str, value: Any, measure: Measure) -> float:
    """A value inside the range of the measure; at its ends the variance is 0."""
    low, high = measure.declaration.range
    found: float = read_argument(name, value, Real(low, high, open_low=True, open_high=True))
    return found


def _read_prevalence(prevalence: Any, ratio: Any) -> float | None:
    if prevalence is not None and ratio is not None:
        raise ParameterError(
            ("pass either ", Argument("prevalence"), " or ", Argument("ratio"), ", not both")
        )
    if ratio is not None:
        negatives: float = read_argument("ratio", ratio, POSITIVE)
        return 1 / (1 + negatives)
    share: float | None = read_argument("prevalence", prevalence, FRACTION, optional=True)
    return share
