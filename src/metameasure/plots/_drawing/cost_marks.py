"""What is best at some costs and a prior, to be marked in a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure.errors import DataError
from metameasure.operating import Costs, read_costs, threshold_text
from metameasure.plots._drawing.style import text_of

if TYPE_CHECKING:
    from metameasure.operating import OptimalityZones, Zone


@dataclass(frozen=True)
class CostMark:
    """Costs and a prior that are marked, and what is best there.

    Attributes:
        costs: the costs and the prior.
        skew: how much more a false positive rate of one costs than a false negative rate of one.
        pc: the probability cost, 1 / (1 + skew).
        zone: the model and the threshold that are best.
        cost: the expected cost, normalised so that it is 1 if all decisions are wrong.
    """

    costs: Costs
    skew: float
    pc: float
    zone: Zone
    cost: float

    @classmethod
    def of(cls, zones: OptimalityZones, costs: Costs) -> CostMark:
        """The best of several models."""
        alarm, miss = costs.weights(zones.prevalence)
        zone = zones.best(cost_fp=costs.fp, cost_fn=costs.fn, prior=costs.prior)
        pc = miss / (alarm + miss)
        cost = pc * (1 - zone.tpr) + (1 - pc) * zone.fpr
        return cls(costs, costs.skew(zones.prevalence), pc, zone, cost)

    @property
    def conditions(self) -> str:
        """The costs and the prior, in words."""
        costs = f"a false alarm costs {self.costs.fp:g}, a miss {self.costs.fn:g}"
        return costs if self.costs.prior is None else f"{costs}, prior {self.costs.prior:g}"

    @property
    def decision(self) -> list[str]:
        """What to do, in words: the model and its threshold, or none."""
        zone = self.zone
        if zone.model is None:
            return [zone.name]
        also = f" (also {text_of(', '.join(zone.also))})" if zone.also else ""
        limit = threshold_text(zone.threshold, zone.score_below)
        return [f"{text_of(zone.model)}{also}", f"score ≥ {limit}"]


def read_marked(cost_fp: Any, cost_fn: Any, prior: Any) -> Costs | None:
    """The costs for which to mark what is best, if some are given: then both must be."""
    if all(given is None for given in (cost_fp, cost_fn, prior)):
        return None
    if cost_fp is None or cost_fn is None:
        raise DataError("to mark what is best give both costs, cost_fp= and cost_fn=")
    return read_costs(cost_fp, cost_fn, prior)
