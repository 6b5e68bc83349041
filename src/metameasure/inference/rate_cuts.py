"""Limits of values at a cut at a false or true positive rate.

The true threshold of a false positive rate has a binomial number K of negatives above it. So it
lies between two neighboring negatives, and the positives above it are those above the K-th negative
and some of those between the two. Draws of K, of the place between the two and of the true rate
given the observed one assume nothing about the distribution of the scores, and hold where only a
few negatives lie beyond the cut. For a true positive rate the classes change places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference.effective import effective_sizes
from metameasure.inference.free_rate import RATE_DRAWS, FreeRate, limits_of_draws
from metameasure.inference.resampling import generator

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.inference.intervals import Interval, Plan
    from metameasure.inference.sample import Sample
    from metameasure.table import Point, ScoreTable


def rate_cut_interval(empty: Interval, sample: Sample, model: str, plan: Plan) -> Interval:
    """The interval of a value at a cut at a rate, also of weighted and clustered cases."""
    point: Point = empty.measure.point  # type: ignore[assignment]
    table = sample.tables[model]
    sizes = effective_sizes(sample, model, plan.ci)
    rng = generator(np.random.SeedSequence(plan.seed))
    shares = drawn_rates(table, point, sizes, rng)
    return limits_of_draws(empty, FreeRate.of(table, point), shares, sizes, plan, rng)


def drawn_rates(
    table: ScoreTable, point: Point, sizes: tuple[float, float], rng: np.random.Generator
) -> Floats:
    """Draws of the rate of the other class at a cut that fixes the rate of one class."""
    fixed, free = (table.fp / table.N, table.tp / table.P), sizes[::-1]
    if point.kind == "tpr":
        fixed, free = fixed[::-1], sizes
    (level, rate), (n_fixed, n_free) = fixed, free
    above = rng.binomial(max(round(n_fixed), 1), float(point.value), RATE_DRAWS)
    least, most = (
        np.interp((above + half) / n_fixed, level, rate, left=0.0, right=1.0)
        for half in (-0.5, 0.5)
    )
    observed = least + rng.beta(0.5, 0.5, RATE_DRAWS) * (most - least)
    return np.asarray(rng.beta(observed * n_free + 0.5, (1 - observed) * n_free + 0.5))
