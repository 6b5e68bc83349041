"""Cuts of a ranking after a fraction or number of cases, or at a rate: what they leave free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.resampling import central
from metameasure.table import Cut

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.inference.intervals import Interval, Plan
    from metameasure.table import Point, ScoreTable

RATE_DRAWS = 5000
"""Number of draws; the Monte Carlo error of a limit is about 1% of the width."""


@dataclass(frozen=True)
class FreeRate:
    """The rate that an operating point by rank or by rate leaves free, as a share of its range.

    At a cut by rank it is the precision or the recall, whichever could be 1.
    """

    point: Point
    above: float
    """The weight above a cut by rank, as a fraction of all; else the rate that the point fixes."""

    @classmethod
    def of(cls, table: ScoreTable, point: Point) -> FreeRate:
        """The rate at an operating point of a table."""
        cut = table.at(point)
        if point.kind in {"fpr", "tpr"}:
            return cls(point, float(cut.fpr if point.kind == "fpr" else cut.tpr))
        return cls(point, float((cut.tp + cut.fp) / table.n))

    def __call__(self, cut: Cut) -> Any:
        """The share of confusion matrices."""
        if self.point.kind == "tpr":
            return cut.fp / cut.N
        if self.point.kind == "fpr":
            return cut.tp / cut.P
        least, most = self._ends(cut.P, cut.N)
        free = most - least
        return np.where(free > 0, (cut.tp - least) / np.where(free > 0, free, 1.0), 0.0)

    def _ends(self, n_pos: Any, n_neg: Any) -> tuple[Any, Any]:
        """The smallest and largest weight of positives above a cut by rank."""
        above = n_pos if self.point.value == "P" else self.above * (n_pos + n_neg)
        return np.maximum(above - n_neg, 0.0), np.minimum(above, n_pos)

    def cut(self, share: Any, prevalence: Any) -> Cut:
        """The confusion matrices of one case in all, with these shares and prevalences."""
        n_pos, n_neg = prevalence, 1 - prevalence
        if self.point.kind == "tpr":
            return Cut(self.above * n_pos, share * n_neg, n_pos, n_neg)
        if self.point.kind == "fpr":
            return Cut(share * n_pos, self.above * n_neg, n_pos, n_neg)
        least, most = self._ends(n_pos, n_neg)
        tp = least + share * (most - least)
        above = n_pos if self.point.value == "P" else self.above
        return Cut(tp, above - tp, n_pos, n_neg)

    def trials(self, n_pos: float, n_neg: float) -> float:
        """The number of cases whose side of the cut is free."""
        if self.point.kind in {"fpr", "tpr"}:
            return n_pos if self.point.kind == "fpr" else n_neg
        least, most = self._ends(n_pos, n_neg)
        return float(most - least)


def limits_of_draws(
    empty: Interval,
    rate: FreeRate,
    shares: Floats,
    sizes: tuple[float, float],
    plan: Plan,
    rng: np.random.Generator,
) -> Interval:
    """The quantiles of a value for draws of the free rate, and of the prevalence unless in strata.

    The prevalence is drawn from its posterior with Jeffreys' prior.
    """
    prevalence: Any = sizes[0] / sum(sizes)
    if not plan.stratified:
        prevalence = rng.beta(sizes[0] + 0.5, sizes[1] + 0.5, shares.size)
    found = empty.measure.at_cut(rate.cut(shares, prevalence))
    low, high = central(found, plan.ci)
    return empty.between((min(low, empty.value), max(high, empty.value)))
