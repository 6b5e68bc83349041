"""The influence of each case on a value: how much it adds, to the first order.

The variance of a value is that of the sum of the influences of independent units, which are cases
or clusters of them, and the variance of a difference of two models that of the differences of their
influences, case by case.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.pooled_rows import COARSE, Pools
from metameasure.inference.smoothing import smooth
from metameasure.measurement import CaseMean, Differentiable, Extreme, PairMean
from metameasure.table import Cut

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure._types import Floats
    from metameasure.inference.sample import AnySample, Sample
    from metameasure.measurement import Measure
    from metameasure.table import Point, ScoreTable

STEP = 1e-4
"""Step of numerical derivatives, relative to the weight of all cases."""
NEAR = 2
"""Number of pools before and behind a cut whose cases pass it when it moves."""
PRIOR = 0.5
"""Number of cases by which each cell of a confusion matrix is enlarged before it is changed."""


def has_influence(measure: Measure) -> bool:
    """Whether the influence of the cases on a measure is known."""
    kind = measure.declaration.sampling
    if isinstance(kind, Differentiable):
        return kind.only is None or kind.only(**dict(measure.parameters))
    if isinstance(kind, Extreme):
        return kind.slopes is not None
    if isinstance(kind, CaseMean):
        return kind.of_mean is None
    return isinstance(kind, PairMean) or measure.point is not None


def slopes(
    measure: Measure, table: ScoreTable, sizes: tuple[float, float] | None = None
) -> tuple[Floats, Floats]:
    """How much a positive and a negative of weight 1, added at each row, change a value.

    ``sizes`` are the effective numbers of cases of a table of weighted cases.
    """
    kind: Any = measure.declaration.sampling
    parameters = dict(measure.parameters)
    with np.errstate(divide="ignore", invalid="ignore"):
        if isinstance(kind, Differentiable | Extreme):
            found: Any = kind.slopes(table, **parameters)  # type: ignore[misc]
        elif isinstance(kind, PairMean):
            of_pairs = kind.components(table, **parameters)
            value = measure.compute(table)
            sizes = table.P, table.N
            found = [(part - value) / n for part, n in zip(of_pairs, sizes, strict=True)]
        elif isinstance(kind, CaseMean):
            value = measure.compute(table)
            found = [(loss - value) / table.n for loss in kind.losses(table, **parameters)]
        else:
            point: Point = measure.point  # type: ignore[assignment]
            found = slopes_at_cut(measure.at_cut, point, table, sizes)
    of_positive, of_negative = found
    return of_positive, of_negative


def influences(of_rows: tuple[Floats, Floats], sample: Sample, model: str) -> Floats:
    """The influence of each case with its weight, from the slopes at each row."""
    found = sample.places(model).of_cases(*of_rows)
    return found if sample.weight is None else found * sample.weight


def standard_error(influence: Floats, sample: AnySample, *, stratified: bool) -> float:
    """The standard error of a sum of influences, from independent cases or clusters.

    In strata the numbers of cases of the classes are fixed, and do not add to it.
    """
    if stratified:
        weight = _multiplicity(sample) if sample.weight is None else sample.weight
        influence = influence.copy()
        for members in sample.strata:
            of_class = weight[members]
            if not of_class.size:
                continue
            total = float(_multiplicity(sample)[members] @ influence[members])
            share = of_class if sample.weight is not None else np.ones(of_class.size)
            influence[members] -= share * (total / of_class.sum())
    if sample.count is not None:
        return math.sqrt(float(sample.count @ influence**2))
    units, of_units = sample.units, influence
    if sample.cluster is not None:
        of_units = np.asarray(np.bincount(sample.cluster, influence, units), np.float64)
    return math.sqrt(float(of_units @ of_units) * units / max(units - 1, 1))


def _multiplicity(sample: AnySample) -> Floats:
    """The number of equal cases that each row of a sample stands for."""
    return np.ones(sample.size) if sample.count is None else sample.count


def slopes_of_cells(function: Callable[[Cut], Any], cells: Floats) -> Floats:
    """The derivatives of a function by the cells tp, fn, fp and tn, by central differences."""
    steps = STEP * cells.sum() * np.concatenate([np.eye(4), -np.eye(4)])
    moved = np.maximum(cells + steps, STEP * cells).T
    values = function(cut_of_cells(moved))
    return np.asarray((values[:4] - values[4:]) / (2 * STEP * cells.sum()))


def cut_of_cells(cells: Floats) -> Cut:
    """The confusion matrices with these cells: tp, fn, fp and tn."""
    tp, fn, fp, tn = cells
    return Cut(tp, fp, tp + fn, fp + tn)


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


def slopes_at_cut(
    function: Callable[[Cut], Any],
    point: Point,
    table: ScoreTable,
    sizes: tuple[float, float] | None = None,
) -> tuple[Floats, Floats]:
    """The slopes of a function of the confusion matrix at an operating point.

    A case changes its own cell. At a threshold that is all. At other points the cut moves until the
    point is reached again, and the cases that it passes change their cells.
    """
    cut = table.at(point)
    cells = np.array([float(cell) for cell in (cut.tp, cut.fn, cut.fp, cut.tn)])
    n_pos, n_neg = sizes or (float(table.P), float(table.N))
    slope = slopes_of_cells(function, cells + PRIOR * cells.sum() / (n_pos + n_neg))
    upto = (table.tp + table.fp)[1:]
    taken = cells[0] + cells[2]
    above = np.clip(1 - (upto - taken) / np.maximum(table.weight, 1e-300), 0.0, 1.0)
    of_positive = above * slope[0] + (1 - above) * slope[1]
    of_negative = above * slope[2] + (1 - above) * slope[3]
    if point.kind != "threshold":
        lowered = slope[1] - slope[0], slope[3] - slope[2]
        positives, negatives = _at_the_edge(table, taken, (n_pos, n_neg))
        passed = (positives * lowered[0] + negatives * lowered[1]) / (positives + negatives)
        if point.kind == "fpr":
            rate = cells[2] / (cells[2] + cells[3])
            of_negative += (above - rate) * passed * (positives + negatives) / negatives
        elif point.kind == "tpr":
            rate = cells[0] / (cells[0] + cells[1])
            of_positive += (above - rate) * passed * (positives + negatives) / positives
        else:
            share = taken / cells.sum() if point.kind == "top" else 0.0
            of_positive += (above - share - (point.value == "P")) * passed
            of_negative += (above - share) * passed
    mean = (table.pos @ of_positive + table.neg @ of_negative) / table.n
    return of_positive - mean, of_negative - mean


def _at_the_edge(
    table: ScoreTable, taken: float, sizes: tuple[float, float]
) -> tuple[float, float]:
    """The relative weights of positives and negatives near a cut, from smoothed classes."""
    coarse = Pools.of(table, COARSE).pooled(table)
    shares = smooth(coarse, (max(round(sizes[0]), 1), max(round(sizes[1]), 1)))
    row = int(np.searchsorted((coarse.tp + coarse.fp)[1:], taken))
    near = slice(max(row - NEAR, 0), row + NEAR + 1)
    weights, least = (float(table.P), float(table.N)), PRIOR * float(table.n) / sum(sizes) ** 2
    found = (
        float(share[near].sum()) * weight for share, weight in zip(shares, weights, strict=True)
    )
    positives, negatives = (max(one, least) for one in found)
    return positives, negatives
