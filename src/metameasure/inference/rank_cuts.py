"""Limits of values at a cut after a fraction or number of cases."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference.effective import effective_sizes, kish
from metameasure.inference.free_rate import RATE_DRAWS, FreeRate, limits_of_draws
from metameasure.inference.influence import influences, slopes, slopes_at_cut, standard_error
from metameasure.inference.resampling import generator
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from metameasure.inference.intervals import Interval, Plan
    from metameasure.inference.sample import Sample
    from metameasure.measurement import Measure
    from metameasure.table import Point

STEP = 1e-4
"""Step of numerical derivatives, relative to the variance of a fraction."""
HEAVY = 16.0
"""Enlargement of a variance per heavy case above the cut; it was found by simulation."""
LARGEST_FACTOR = 4.0
"""Maximum factor by which the correlation of rate and prevalence changes a variance."""


def rank_cut_interval(
    empty: Interval, sample: Sample, model: str, plan: Plan, wider: float
) -> Interval:
    """The interval of a value at a cut by rank, of variances enlarged by a factor.

    The point leaves one rate free, which varies like a fraction of an effective number of cases.
    The limits are the quantiles of the value for draws of this rate and of the prevalence from
    their posteriors with Jeffreys' prior.
    """
    measure, table = empty.measure, sample.tables[model]
    point: Point = measure.point  # type: ignore[assignment]
    rate = FreeRate.of(table, point)
    share = float(rate(table.at(point)))
    sizes = effective_sizes(sample, model, plan.ci)
    wider *= heavier_above(sample, model, point)
    influence = influences(slopes_at_cut(rate, point, table, sizes), sample, model)
    error = standard_error(influence, sample, stratified=plan.stratified)
    cases = rate.trials(*sizes)
    if cases > 0 and error > ROUNDING and 0 < share < 1:
        cases = share * (1 - share) / error**2 / wider
    if cases > 0 and 0 < share < 1 and not plan.stratified:
        of_value = influences(slopes(measure, table, sizes), sample, model)
        square = wider * standard_error(of_value, sample, stratified=False) ** 2
        factor = _correlated(measure, rate, share, cases, sizes, square)
        cases, sizes = cases / factor, (sizes[0] / factor, sizes[1] / factor)
    rng = generator(np.random.SeedSequence(plan.seed))
    shares = rng.beta(share * cases + 0.5, (1 - share) * cases + 0.5, RATE_DRAWS)
    return limits_of_draws(empty, rate, shares, sizes, plan, rng)


def heavier_above(sample: Sample, model: str, point: Point) -> float:
    """By how much different weights of the cases above a cut enlarge the variance; at least 1.

    Few heavy cases above the cut move it by more than their influences show.
    """
    if sample.weight is None:
        return 1.0
    table = sample.tables[model]
    cut, before = table.at(point), (table.tp + table.fp)[:-1]
    above = (before < cut.tp + cut.fp)[sample.places(model).row]
    weight = sample.weight[above]
    if not weight.size:
        return 1.0
    return float(1 + HEAVY * (1 / kish(weight) - 1 / weight.size))


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
    return min(max(square / apart, 1 / LARGEST_FACTOR), LARGEST_FACTOR)
