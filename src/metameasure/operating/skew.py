"""Costs and priors: read, refused in words if they make no sense, and put into one number."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from typing import Any

from metameasure.errors import DataError


@dataclass(frozen=True)
class Costs:
    """What a false alarm and a missed positive cost, and how frequent positives are.

    Attributes:
        fp: the cost of a false alarm.
        fn: the cost of a missed positive.
        prior: the probability of a positive; None if it is that of the cases.
    """

    fp: float
    fn: float
    prior: float | None = None

    def weights(self, prior: Any) -> tuple[Any, Any]:
        """What a false positive rate of one costs, and a false negative rate of one."""
        pi = prior if self.prior is None else self.prior
        return (1 - pi) * self.fp, pi * self.fn


def read_costs(cost_fp: Any, cost_fn: Any, prior: Any) -> Costs:
    """The costs, refused if they are negative or none of them counts."""
    for name, cost in (("cost_fp", cost_fp), ("cost_fn", cost_fn)):
        if not (is_real(cost) and 0 <= float(cost) < math.inf):
            raise DataError(f"{name}={cost!r} is no cost: give a number that is not negative")
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


def read_positive(name: str, value: Any, what: str) -> float:
    """A finite number above 0."""
    if not (is_real(value) and 0 < float(value) < math.inf):
        raise DataError(f"{name}={value!r} is no {what}: give a number above 0")
    return float(value)


def is_real(value: Any) -> bool:
    """Whether this is a real number, which a truth value is not."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)
