"""The best model and threshold at given costs, marked in a figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure.errors import Argument, ParameterError
from metameasure.operating import Costs, read_costs, threshold_text
from metameasure.plots._drawing.style import text_of

if TYPE_CHECKING:
    from metameasure.operating import OptimalityZones, Zone


@dataclass(frozen=True)
class CostMark:
    """Marked costs and prior, with the best model and threshold.

    Attributes:
        costs: the costs and the prior.
        skew: the cost of a false positive rate of 1 over that of a false negative rate of 1.
        pc: the probability cost, 1 / (1 + skew).
        zone: the best model and threshold.
        cost: the expected cost, normalized so that it is 1 if all decisions are wrong.
    """

    costs: Costs
    skew: float
    pc: float
    zone: Zone
    cost: float

    @classmethod
    def of(cls, zones: OptimalityZones, costs: Costs) -> CostMark:
        """The best of several models at some costs."""
        alarm, miss = costs.weights(zones.prevalence)
        zone = zones.best(cost_fp=costs.fp, cost_fn=costs.fn, prior=costs.prior)
        pc = miss / (alarm + miss)
        cost = pc * (1 - zone.tpr) + (1 - pc) * zone.fpr
        return cls(costs, costs.skew(zones.prevalence), pc, zone, cost)

    @property
    def conditions(self) -> str:
        """The costs and the prior as text."""
        costs = f"cost FP {self.costs.fp:g}, FN {self.costs.fn:g}"
        return costs if self.costs.prior is None else f"{costs}, prior {self.costs.prior:g}"

    @property
    def decision(self) -> list[str]:
        """The best model and its threshold as text."""
        zone = self.zone
        if zone.model is None:
            return [zone.name]
        also = f" (also {text_of(', '.join(zone.also))})" if zone.also else ""
        limit = threshold_text(zone.threshold, zone.score_below)
        return [f"{text_of(zone.model)}{also}", f"score ≥ {limit}"]


def read_marked(cost_fp: Any, cost_fn: Any, prior: Any) -> Costs | None:
    """The costs to mark; None if none are given."""
    if all(given is None for given in (cost_fp, cost_fn, prior)):
        return None
    if cost_fp is None or cost_fn is None:
        raise ParameterError(
            "costs are incomplete",
            remedy=("pass both ", Argument("cost_fp"), " and ", Argument("cost_fn")),
            argument="cost_fn" if cost_fn is None else "cost_fp",
        )
    return read_costs(cost_fp, cost_fn, prior)
