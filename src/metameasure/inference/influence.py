"""The influence of each case on a value: how much it adds, to the first order.

The variance of a value is that of the sum of the influences of independent units, which are cases
or clusters of them, and the variance of a difference of two models that of the differences of their
influences, case by case.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.effective import kish_sizes
from metameasure.inference.pooled_rows import COARSE, Pools
from metameasure.inference.sample import ProbabilitySample
from metameasure.inference.smoothing import smooth
from metameasure.kernels import dot
from metameasure.measurement import (
    CaseMean,
    ClassDifferentiable,
    Coefficient,
    Differentiable,
    Extreme,
    PairMean,
    ProbabilityMean,
)
from metameasure.table import ROUNDING, Cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from metameasure._types import Floats
    from metameasure.inference.sample import AnySample, ClassSample, Sample
    from metameasure.measurement import Measure
    from metameasure.table import Point, ScoreTable

STEP = 1e-4
"""Step of numerical derivatives, relative to the weight of all cases."""
NEAR = 2
"""Number of pools before and behind a cut whose cases pass it when it moves."""
ADDED_TO_CELL = 0.5
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
    return isinstance(kind, PairMean | ProbabilityMean | Coefficient) or measure.point is not None


def slopes(
    measure: Measure, table: ScoreTable, sizes: tuple[float, float] | None = None
) -> tuple[Floats, Floats]:
    """How much a positive and a negative of weight 1, added at each row, change a value.

    ``sizes`` are the effective numbers of cases of a table of weighted cases.
    """
    kind: Any = measure.declaration.sampling
    parameters = dict(measure.parameters)
    with np.errstate(divide="ignore", invalid="ignore"):
        if isinstance(kind, Differentiable | Extreme | Coefficient):
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


def case_influences(measure: Measure, sample: Sample | ProbabilitySample, model: str) -> Floats:
    """The influence of each case on the value of a model."""
    if isinstance(sample, ProbabilitySample):
        weight = np.ones(sample.size) if sample.weight is None else sample.weight
        terms, share = sample.terms(measure, model), weight / weight.sum()
        return np.asarray(share * (terms - dot(share, terms)))
    return influences(slopes(measure, sample.tables[model], kish_sizes(sample)), sample, model)


def influences(of_rows: tuple[Floats, Floats], sample: Sample, model: str) -> Floats:
    """The influence of each case with its weight, from the slopes at each row."""
    found = sample.places(model).of_cases(*of_rows)
    return found if sample.weight is None else found * sample.weight


def class_influences(measure: Measure, sample: ClassSample, model: str) -> Floats:
    """The influence of each case of k classes on the value of a model."""
    kind: Any = measure.declaration.sampling
    cases, parameters = sample.tables[model], dict(measure.parameters)
    if isinstance(kind, ClassDifferentiable):
        return np.asarray(kind.influences(cases, **parameters))
    components = np.asarray(kind.components(cases, **parameters))
    found = components if sample.weight is None else components * sample.weight
    found = found - _of_class_sizes(found, sample)
    return found / _class_weights(sample)


def contributing(measure: Measure, sample: Sample) -> Iterator[float]:
    """The effective number of units that contribute to the value of each model.

    It is that of normal influences with the same kurtosis; 0 if there are none.
    """
    return (_contributing(_unit_influences(measure, sample, model)) for model in sample.tables)


def _contributing(influences: Iterable[tuple[Floats, Floats]]) -> float:
    second = fourth = 0.0
    for influence, count in influences:
        squares = influence**2
        second += float(count @ squares)
        fourth += float(count @ np.square(squares, out=squares))
    return 3 * second**2 / fourth if second > 0 else 0.0


def _unit_influences(
    measure: Measure, sample: Sample, model: str
) -> Iterator[tuple[Floats, Floats]]:
    """The influences of some units on the value of a model, and how often each occurs.

    Independent cases with the same score and class have the same influence.
    """
    table = sample.tables[model]
    of_rows = slopes(measure, table, kish_sizes(sample))
    if not sample.independent:
        of_units = _of_units(influences(of_rows, sample, model), sample)
        yield of_units, np.ones(of_units.size)
        return
    for influence, count in zip(of_rows, (table.pos, table.neg), strict=True):
        present = np.flatnonzero(count)
        yield influence[present], count[present]


def _of_units(influence: Floats, sample: AnySample) -> Floats:
    """The influence of each case, or of each cluster."""
    if sample.cluster is None:
        return influence
    return np.asarray(np.bincount(sample.cluster, influence, sample.units), np.float64)


def standard_error(influence: Floats, sample: AnySample, *, stratified: bool) -> float:
    """The standard error of a sum of influences, from independent cases or clusters.

    In strata the numbers of cases of the classes are fixed, and do not add to it.
    """
    if stratified:
        influence = influence - _of_class_sizes(influence, sample)
    if sample.count is not None:
        units, square = float(sample.count.sum()), float(sample.count @ influence**2)
    else:
        of_units = _of_units(influence, sample)
        units, square = float(sample.units), float(of_units @ of_units)
    return math.sqrt(square * units / max(units - 1, 1))


def varies_within_classes(influence: Floats, sample: AnySample, scale: float) -> bool:
    """Whether cases of a class have different influences, relative to a scale of influences.

    If not, only the numbers of cases of the classes change the value, to the first order.
    """
    apart = influence - _of_class_sizes(influence, sample)
    return float(np.max(np.abs(apart))) > ROUNDING * scale


def cluster_effect(influence: Floats, variance: float, sample: AnySample) -> float:
    """By how much clusters enlarge the variance of a sum of influences; at least 1.

    Where the value does not vary, all cases of a cluster count as one.
    """
    if sample.cluster is None:
        return 1.0
    alone = float(influence @ influence)
    return max(variance / alone, 1.0) if alone > 0 else sample.size / sample.units


def _class_weights(sample: AnySample) -> Floats:
    """The weight of all cases of the class of each case."""
    weight = np.ones(sample.size) if sample.weight is None else sample.weight
    found = np.empty(sample.size)
    for members in sample.strata:
        found[members] = weight[members].sum()
    return found


def _of_class_sizes(influence: Floats, sample: AnySample) -> Floats:
    """The part of the influence of each case that it shares, by weight, with all of its class."""
    ones, shared = np.ones(sample.size), np.zeros(sample.size)
    count = ones if sample.count is None else sample.count
    weight = ones if sample.weight is None else sample.weight
    for members in sample.strata:
        if members.any():
            mean = (count[members] @ influence[members]) / (count[members] @ weight[members])
            shared[members] = mean * weight[members]
    return shared


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
    slope = slopes_of_cells(function, cells + ADDED_TO_CELL * cells.sum() / (n_pos + n_neg))
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
    weights, least = (
        (float(table.P), float(table.N)),
        ADDED_TO_CELL * float(table.n) / sum(sizes) ** 2,
    )
    found = (
        float(share[near].sum()) * weight for share, weight in zip(shares, weights, strict=True)
    )
    positives, negatives = (max(one, least) for one in found)
    return positives, negatives
