"""Cuts of a ranking after a fraction or number of cases, or at a rate: what they leave free."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.effective import effective_sizes
from metameasure.inference.influence import influences, slopes, slopes_at_cut, standard_error
from metameasure.inference.methods.bootstrap import quantiles
from metameasure.inference.resampling import generator
from metameasure.table import Cut

if TYPE_CHECKING:
    from metameasure.inference.intervals import Interval, Plan
    from metameasure.inference.sample import Sample
    from metameasure.measurement import Measure
    from metameasure.table import Point, ScoreTable

STEP = 1e-4
"""Step of numerical derivatives, relative to the variance of a fraction."""
MOST = 4.0
"""Maximum factor by which the correlation of rate and prevalence changes a variance."""
DRAWS = 5000
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


def rank_cut_interval(
    empty: Interval, sample: Sample, model: str, plan: Plan, wider: float
) -> Interval:
    """The interval of a value at a cut by rank or by rate, of variances enlarged by a factor.

    The point leaves one rate free, which varies like a fraction of an effective number of cases.
    The limits are the quantiles of the value for draws of this rate and of the prevalence from
    their posteriors with Jeffreys' prior.
    """
    measure, table = empty.measure, sample.tables[model]
    point: Point = measure.point  # type: ignore[assignment]
    rate = FreeRate.of(table, point)
    share = float(rate(table.at(point)))
    sizes = effective_sizes(sample, model, plan.ci)
    influence = influences(slopes_at_cut(rate, point, table, sizes), sample, model)
    error = standard_error(influence, sample, stratified=plan.stratified)
    cases = rate.trials(*sizes)
    if cases > 0 and error > 0 and 0 < share < 1:
        cases = share * (1 - share) / error**2 / wider
    if cases > 0 and 0 < share < 1 and not plan.stratified:
        of_value = influences(slopes(measure, table, sizes), sample, model)
        square = wider * standard_error(of_value, sample, stratified=False) ** 2
        factor = _correlated(measure, rate, share, cases, sizes, square)
        cases, sizes = cases / factor, (sizes[0] / factor, sizes[1] / factor)
    rng = generator(np.random.SeedSequence(plan.seed))
    shares = rng.beta(share * cases + 0.5, (1 - share) * cases + 0.5, DRAWS)
    prevalence = table.P / table.n
    if not plan.stratified:
        prevalence = rng.beta(sizes[0] + 0.5, sizes[1] + 0.5, DRAWS)
    found = measure.at_cut(rate.cut(shares, prevalence))
    low, high = quantiles(found, ((1 - plan.ci) / 2, (1 + plan.ci) / 2))
    return empty.between((min(low, empty.value), max(high, empty.value)))


def _correlated(
    measure: Measure,
    rate: FreeRate,
    share: float,
    cases: float,
    sizes: tuple[float, float],
    square: float,
) -> float:
    """The variance of a value, relative to that of independent draws of rate and prevalence."""
    n = sum(sizes)
    prevalence = sizes[0] / n
    spreads = share * (1 - share) / cases, prevalence * (1 - prevalence) / n
    steps = np.array([[STEP, 0.0], [-STEP, 0.0], [0.0, STEP], [0.0, -STEP]])
    steps *= [share * (1 - share), prevalence * (1 - prevalence)]
    at = np.array([share, prevalence]) + steps
    values = measure.at_cut(rate.cut(at[:, 0], at[:, 1]))
    slope = (values[[0, 2]] - values[[1, 3]]) / (
        steps[0, 0] - steps[1, 0],
        steps[2, 1] - steps[3, 1],
    )
    apart = float(slope**2 @ np.array(spreads))
    if not (apart > 0 and math.isfinite(apart)):
        return 1.0
    return min(max(square / apart, 1 / MOST), MOST)
