"""Costs of errors and prior probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from metameasure._arguments import FRACTION, Real, read_argument
from metameasure.errors import Argument, ParameterError
from metameasure.measurement import A_CLASS_EMPTY

COST = "expected cost"
SKEW = "skew: (1 - prior) × cost_fp / (prior × cost_fn)"


@dataclass(frozen=True)
class Costs:
    """The costs of both kinds of error and the prior; optimized like a measure.

    Attributes:
        fp: the cost of a false positive.
        fn: the cost of a false negative.
        prior: the prior probability of a positive; None for the prevalence.
    """

    fp: float
    fn: float
    prior: float | None = None

    best: ClassVar[Literal["min"]] = "min"
    undefined_when: ClassVar = A_CLASS_EMPTY

    def goodness(self, values: Any) -> Any:
        """The negative expected cost: larger is better."""
        return np.negative(values)

    def __str__(self) -> str:
        return COST

    def weights(self, prior: Any) -> tuple[Any, Any]:
        """The cost of a false positive rate of 1, and that of a false negative rate of 1."""
        pi = prior if self.prior is None else self.prior
        return (1 - pi) * self.fp, pi * self.fn

    def skew(self, prior: float) -> float:
        """The ratio of the costs of a false positive rate of 1 and a false negative rate of 1."""
        alarm, miss = self.weights(prior)
        return alarm / miss if miss else math.inf


def goal_scale(goal: object, value_if_none: Any) -> Any:
    """The scale for differences of values: 1 for measures.

    Costs have a unit: the lowest expected cost is at most that of predicting no case as positive.
    """
    return value_if_none if isinstance(goal, Costs) else 1.0


def read_costs(cost_fp: Any, cost_fn: Any, prior: Any) -> Costs:
    """The costs, which are finite and >= 0, and not both 0."""
    fp, fn = read_argument("cost_fp", cost_fp, Real(0)), read_argument("cost_fn", cost_fn, Real(0))
    if not (fp or fn):
        raise ParameterError((Argument("cost_fp"), " and ", Argument("cost_fn"), " are both 0"))
    return Costs(fp, fn, read_prior(prior))


def read_prior(prior: Any) -> float | None:
    """The prior probability of a positive, strictly between 0 and 1, or None."""
    probability: float | None = read_argument("prior", prior, FRACTION, optional=True)
    return probability
