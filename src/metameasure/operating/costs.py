"""Costs and priors: read, refused in words if they make no sense, and put into one number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from metameasure._arguments import is_real
from metameasure.errors import DataError
from metameasure.measurement import A_CLASS_EMPTY

COST = "expected cost"
SKEW = "skew: (1 - prior) × cost of a false alarm / (prior × cost of a miss)"


@dataclass(frozen=True)
class Costs:
    """What a false alarm and a missed positive cost, and how frequent positives are.

    It can be made as good as possible like a measure, and says of itself what one says.

    Attributes:
        fp: the cost of a false alarm.
        fn: the cost of a missed positive.
        prior: the probability of a positive; None if it is that of the cases.
    """

    fp: float
    fn: float
    prior: float | None = None

    best: ClassVar[Literal["min"]] = "min"
    undefined_when: ClassVar = A_CLASS_EMPTY

    def goodness(self, values: Any) -> Any:
        """What cases are expected to cost, turned so that larger is better."""
        return np.negative(values)

    def __str__(self) -> str:
        return COST

    def weights(self, prior: Any) -> tuple[Any, Any]:
        """What a false positive rate of one costs, and a false negative rate of one."""
        pi = prior if self.prior is None else self.prior
        return (1 - pi) * self.fp, pi * self.fn

    def skew(self, prior: float) -> float:
        """How much more a false positive rate of one costs than a false negative rate of one."""
        alarm, miss = self.weights(prior)
        return alarm / miss if miss else math.inf


def goal_scale(goal: object, value_if_none: Any) -> Any:
    """What differences of values are large or small against.

    That is one for measures. Costs have a unit: a case costs at most what it costs if no case is
    called positive, or the best point would be that.
    """
    return value_if_none if isinstance(goal, Costs) else 1.0


def read_costs(cost_fp: Any, cost_fn: Any, prior: Any) -> Costs:
    """The costs, refused if they are negative or none of them counts."""
    for name, cost in (("cost_fp", cost_fp), ("cost_fn", cost_fn)):
        if not (is_real(cost) and 0 <= float(cost) < math.inf):
            raise DataError(f"{name}={cost!r} is no cost: give a finite number from 0 on")
    if not (cost_fp or cost_fn):
        raise DataError("both costs are 0, so that all decisions cost the same: give another one")
    return Costs(float(cost_fp), float(cost_fn), read_prior(prior))


def read_prior(prior: Any) -> float | None:
    """The probability of a positive, if one is given: strictly between 0 and 1."""
    if prior is None:
        return None
    if not (is_real(prior) and 0 < float(prior) < 1):
        raise DataError(
            f"prior={prior!r} is no prior probability of a positive: it must lie between 0 and 1"
        )
    return float(prior)
