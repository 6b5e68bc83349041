"""Limits of functions of the confusion matrix, from draws of its cells with Jeffreys' prior.

The four cells of a matrix at a fixed threshold are multinomial. With half a case added to each,
their posterior is that of independent gamma variables, and the quantiles of a measure of draws of
them cover well even where a cell is empty or the value is at the end of its range, where resamples
do not vary. If cases were sampled within the classes, the rates of both classes are drawn instead,
and their sizes are fixed. Weighted cases count as fewer cases of equal weight, and so do cases in
clusters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference.effective import cluster_degrees, student
from metameasure.inference.influence import cut_of_cells, slopes_of_cells
from metameasure.inference.methods.method import ANY, Method, register
from metameasure.inference.resampling import central
from metameasure.inference.sample import Sample
from metameasure.table import Cut, Point

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.inference.intervals import Intervals, Plan
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress

CELL_DRAWS = 5000
"""Number of draws; the Monte Carlo error of a limit is about 1% of the width."""
JEFFREYS_PRIOR = 0.5
"""Number of cases that Jeffreys' prior adds to each cell."""


@dataclass(frozen=True)
class Cells:
    """The cells of a confusion matrix as numbers of independent cases of equal weight.

    Attributes:
        cases: the effective number of cases in tp, fn, fp and tn.
        weight: the weight of such a case in each cell.
        prior: the weight of such a case in the class of each cell, for the prior.
    """

    cases: tuple[float, ...]
    weight: tuple[float, ...]
    prior: tuple[float, ...]

    @classmethod
    def of_weights(cls, total: Floats, squares: Floats) -> Cells:
        """The cells with these sums of weights and of squared weights."""
        of_classes = [
            squares[members].sum() / total[members].sum() if total[members].any() else 1.0
            for members in (slice(0, 2), slice(2, 4))
        ]
        prior = np.repeat(of_classes, 2)
        weight = np.divide(squares, total, out=prior.copy(), where=total > 0)
        return cls(*(tuple(each.tolist()) for each in (total / weight, weight, prior)))

    def spread_by(self, factor: float) -> Cells:
        """The same matrix of fewer and heavier cases."""
        return Cells(
            tuple(cases / factor for cases in self.cases),
            tuple(weight * factor for weight in self.weight),
            tuple(weight * factor for weight in self.prior),
        )

    @property
    def smoothed(self) -> Floats:
        """The weight of each cell with that of the prior."""
        cases, weight, prior = map(np.array, (self.cases, self.weight, self.prior))
        return np.asarray(cases * weight + JEFFREYS_PRIOR * prior)


@lru_cache(maxsize=16)
def _drawn(cells: Cells, seed: int) -> Cut:
    """Confusion matrices from the posterior of the cells, the same for all measures of a table."""
    rng = np.random.default_rng(seed)
    same = np.allclose(cells.weight, cells.prior)
    shape = np.array(cells.cases)[:, np.newaxis] + (JEFFREYS_PRIOR if same else 0.0)
    drawn = rng.standard_gamma(shape, (4, CELL_DRAWS)) * np.array(cells.weight)[:, np.newaxis]
    if not same:
        added = rng.standard_gamma(JEFFREYS_PRIOR, (4, CELL_DRAWS))
        drawn += added * np.array(cells.prior)[:, np.newaxis]
    return cut_of_cells(drawn)


def _with_sizes(drawn: Cut, cells: Cells) -> Cut:
    """The drawn rates of both classes in classes of the observed sizes: two binomials."""
    tp, fn, fp, tn = np.array(cells.cases) * np.array(cells.weight)
    return Cut(drawn.tpr * (tp + fn), drawn.fpr * (fp + tn), tp + fn, fp + tn)


def cells_of(sample: Sample, model: str, measure: Measure, ci: float) -> Cells:
    """The cells at the threshold of a measure, as independent cases of equal weight."""
    threshold: float = measure.threshold  # type: ignore[assignment]
    if sample.independent:
        cut = sample.tables[model].at(Point("threshold", threshold))
        total = np.array([float(cell) for cell in (cut.tp, cut.fn, cut.fp, cut.tn)])
        return Cells.of_weights(total, total)
    above = sample.scores[model] >= threshold
    cell = np.where(sample.positive, 1, 3) - above
    weight = np.ones(cell.size) if sample.weight is None else sample.weight
    total, squares = (
        np.asarray(np.bincount(cell, each, 4), np.float64) for each in (weight, weight**2)
    )
    cells = Cells.of_weights(total, squares)
    if sample.cluster is None:
        return cells
    counted = np.bincount(4 * sample.cluster + cell, weight, 4 * sample.units)
    by_cluster = np.asarray(counted, np.float64).reshape(-1, 4)
    return cells.spread_by(_design_effect(measure, cells, by_cluster, squares, sample, ci))


def _design_effect(
    measure: Measure,
    cells: Cells,
    by_cluster: Floats,
    squares: Floats,
    sample: Sample,
    ci: float,
) -> float:
    """By how much clusters widen the variance of a measure, to the first order.

    The variance between clusters has Student's quantile, with degrees of freedom by the effective
    number of clusters of each class.
    """
    slope = slopes_of_cells(measure.at_cut, cells.smoothed)
    total = by_cluster.sum(axis=0)
    slope -= total @ slope / total.sum()
    alone = float(squares @ slope**2)
    units = len(by_cluster)
    # Where the measure does not vary, all cases of a cluster count as one.
    largest = float(np.square(by_cluster.sum(axis=1)).sum() / squares.sum())
    if not alone > 0 or not math.isfinite(alone):
        return max(largest, 1.0)
    together = float(np.sum(np.square(by_cluster @ slope))) * units / (units - 1)
    apart = [np.square(by_cluster[:, of] @ slope[of]).sum() for of in (slice(2), slice(2, 4))]
    return max(together / alone, 1.0) * student(cluster_degrees(apart, sample, units), ci)


class Jeffreys(Method):
    """The quantiles of a measure of draws of the confusion matrix, which enclose the value."""

    name = "jeffreys"
    reference = "brown2001"
    kinds = ANY
    any_cases = True
    infinite = True

    def applies_to(self, measure: Measure) -> bool:
        """Whether the confusion matrix at a fixed threshold determines the measure."""
        return measure.threshold is not None

    @staticmethod
    def intervals(
        empty: Intervals,
        sample: AnySample,
        plan: Plan,
        progress: Progress | None,  # noqa: ARG004 - the draws take no time
    ) -> Intervals:
        """The intervals of all measures, which share the draws at a threshold."""
        assert isinstance(sample, Sample)  # noqa: S101 - measures at a threshold have two classes
        made: Intervals = {}
        for key, one in empty.items():
            if sample.cluster is not None and sample.too_few:
                made[key] = replace(one, reason=sample.too_few)
                continue
            cells = cells_of(sample, key[0], one.measure, plan.ci)
            seed = np.random.SeedSequence(plan.seed).generate_state(1)[0]
            cut = _drawn(cells, int(seed))
            if plan.stratified:
                cut = _with_sizes(cut, cells)
            low, high = central(one.measure.at_cut(cut), plan.ci)
            made[key] = one.between((min(low, one.value), max(high, one.value)))
        return made


register(Jeffreys())
