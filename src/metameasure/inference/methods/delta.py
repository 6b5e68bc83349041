"""Limits and tests of functions of the confusion matrix of k classes, by the delta method.

A case adds one to its cell of the matrix, which changes the value by the slope of the cell. The
variance of the value is that of the sum of these slopes over independent cases or clusters. Few
cases of a class may all be right or all be wrong, which would have no variance. So slopes and
variance are those of a matrix to which each class adds half a right and half a wrong case, as
Jeffreys' prior does for a proportion. Limits are on the logit scale of the range, around a value
between those without and with that prior, and have the degrees of freedom of the classes that add
most to the variance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.effective import student
from metameasure.inference.influence import cluster_effect, standard_error
from metameasure.inference.methods.delong import logit_limits
from metameasure.inference.methods.method import ANY, Method, register
from metameasure.inference.methods.normal import TWO_CASES
from metameasure.table import ROUNDING, Cut

if TYPE_CHECKING:
    from metameasure._types import Floats, Indices
    from metameasure.data import ClassCases
    from metameasure.inference.intervals import Interval, Intervals, Plan
    from metameasure.inference.paired import Difference, PairPlan
    from metameasure.inference.sample import AnySample, ClassSample
    from metameasure.measurement import ClassMeasure, Measure
    from metameasure.progress import Progress

ADDED_TO_CLASS = 0.5
"""Number of right and of wrong cases that are added to each class that has cases."""
INWARDS = 1.5
"""Number of classes whose prior moves the center of the limits, which near the ends of the range
would else be too far out on the logit scale; that of all of many classes would be a bias."""
STEP = 1e-4
"""Step of numerical derivatives, relative to the part of a matrix that is changed."""
ENTRIES = 2**18
"""Number of entries of matrices that are changed at once, which bounds the memory."""
PARTS = ("tp", "fp", "P", "N")


@dataclass(frozen=True)
class Slopes:
    """How much a case of each class, right or wrong, changes a value.

    Attributes:
        value: the value of the matrix with the prior.
        right: the slope of a right answer of each class.
        true: what a wrong answer changes by its true class.
        predicted: what it changes by its predicted class.
        prior: the variance that the cases of the prior add, for cases of weight 1.
    """

    value: float
    right: Floats
    true: Floats
    predicted: Floats
    prior: float

    @classmethod
    def of(cls, measure: ClassMeasure, cases: ClassCases, weight: float) -> Slopes:
        """The slopes of a measure, with a prior of cases of this weight."""
        cuts = _with_prior(cases.cuts, ADDED_TO_CLASS * weight)
        slope = {part: _derivatives(measure, cuts, part) for part in PARTS}
        elsewhere = slope["P"] + slope["N"].sum() - slope["N"]
        right, predicted = elsewhere + slope["tp"], slope["fp"]
        used = cuts.P > 0
        wrong = np.add.outer(elsewhere[used], predicted[used])
        np.fill_diagonal(wrong, 0.0)
        others = max(np.count_nonzero(used) - 1, 1)
        prior = ADDED_TO_CLASS * float(np.sum(right[used] ** 2) + np.sum(wrong**2) / others)
        return cls(float(measure.of_cuts(cuts)), right, elsewhere, predicted, prior)

    def influences(self, cases: ClassCases) -> Floats:
        """The influence of each case with its weight."""
        found = cases.answers
        code = cases.code[found.case]
        right = found.predicted == code
        slope = np.where(right, self.right[code], self.true[code] + self.predicted[found.predicted])
        weight = found.weight(cases.weight)
        return np.asarray(np.bincount(found.case, slope * weight, cases.code.size), np.float64)


def _with_prior(cuts: Cut, weight: float) -> Cut:
    """The matrix with the same weight of right and of wrong cases added to each class in use.

    The wrong ones are predicted as each of the other classes equally often.
    """
    used = cuts.P > 0
    added = np.where(used, weight, 0.0)
    total = float(np.sum(cuts.P)) + 2 * float(np.sum(added))
    of_class = cuts.P + 2 * added
    return Cut(cuts.tp + added, cuts.fp + added, of_class, total - of_class)


def _derivatives(measure: ClassMeasure, cuts: Cut, part: str) -> Floats:
    """The derivatives of a value by one part of the cut of each class; 0 where that is empty."""
    values = np.asarray(getattr(cuts, part), np.float64)
    found = np.zeros(values.size)
    places = np.flatnonzero(values > 0)
    rows = max(ENTRIES // values.size, 1)
    for begin in range(0, places.size, rows):
        changed = places[begin : begin + rows]
        step = STEP * values[changed]
        ends = []
        for sign in (1, -1):
            moved = np.tile(values, (changed.size, 1))
            moved[np.arange(changed.size), changed] += sign * step
            others = {name: getattr(cuts, name) for name in PARTS}
            ends.append(measure.of_cuts(Cut(**{**others, part: moved})))
        found[changed] = (ends[0] - ends[1]) / (2 * step)
    return found


@dataclass(frozen=True)
class Sizes:
    """The effective numbers of cases of the classes, by the weights of the cases (Kish, 1965)."""

    code: Indices
    of_classes: Floats
    typical: float
    """The weight of a case when cases of equal weight stand for all of them."""

    @classmethod
    def of(cls, sample: ClassSample, cases: ClassCases) -> Sizes:
        """The sizes of the classes of a sample."""
        weight = np.ones(sample.size) if sample.weight is None else sample.weight
        total, squares = (
            np.bincount(cases.code, each, cases.k) for each in (weight, np.square(weight))
        )
        sizes = np.divide(total**2, squares, out=np.zeros(cases.k), where=squares > 0)
        return cls(cases.code, sizes, float(squares.sum() / total.sum()))

    def unbiased(self, influence: Floats) -> Floats:
        """Influences whose squares have no bias for the variance within small classes.

        A class of n cases has n + 1 with the prior, one of which its mean takes.
        """
        sizes = np.maximum(self.of_classes, 1.0)
        return np.asarray(influence * np.sqrt((sizes + 1) / sizes)[self.code])

    def degrees(self, influence: Floats, units: int) -> float:
        """The degrees of freedom of a sum of variances of classes (Satterthwaite, 1946)."""
        squares = np.bincount(self.code, np.square(influence), self.of_classes.size)
        used = squares > 0
        if not used.any():
            return float(units - 1)
        each = float(np.sum(squares[used] ** 2 / np.maximum(self.of_classes[used], 1.0)))
        return min(float(squares.sum()) ** 2 / each, units - 1)


class Delta(Method):
    """The slopes of the cells of a confusion matrix, also of weighted and clustered cases."""

    name = "delta"
    reference = "takahashi2022"
    kinds = ANY
    paired_kinds = ANY
    any_cases = True

    def applies_to(self, measure: Measure) -> bool:
        """Whether the confusion matrix of k classes determines the measure."""
        return measure.declaration.matrix

    applies_to_pairs = applies_to

    @staticmethod
    def intervals(
        empty: Intervals,
        sample: AnySample,
        plan: Plan,
        progress: Progress | None,  # noqa: ARG004 - nothing is drawn
    ) -> Intervals:
        """The intervals of all models."""
        rows: Any = sample
        return {key: _limited(one, rows, key[0], plan) for key, one in empty.items()}

    def paired(self, empty: Difference, sample: Any, plan: PairPlan) -> Difference:
        """The test of the differences of the influences, case by case."""
        if sample.units < 2:
            return replace(empty, reason=TWO_CASES)
        measure: Any = empty.measure
        sizes = Sizes.of(sample, sample.tables[empty.a])
        first, second = (
            Slopes.of(measure, cases, sizes.typical).influences(cases)
            for cases in (sample.tables[empty.a], sample.tables[empty.b])
        )
        gaps = first - second
        scale = float(np.max(np.abs(first)) + np.max(np.abs(second)))
        gaps[np.abs(gaps) <= ROUNDING * scale] = 0.0
        gaps = sizes.unbiased(gaps)
        error = standard_error(gaps, sample, stratified=plan.stratified)
        same = sample.tables[empty.a].same_as(sample.tables[empty.b])
        degrees = sizes.degrees(gaps, sample.units)
        return empty.judged(error, sample.units, degrees, plan, same=same)


def _limited(empty: Interval, sample: ClassSample, model: str, plan: Plan) -> Interval:
    """The interval of one value."""
    if sample.units < 2:
        return replace(empty, reason=TWO_CASES)
    measure: Any = empty.measure
    cases = sample.tables[model]
    sizes = Sizes.of(sample, cases)
    slopes = Slopes.of(measure, cases, sizes.typical)
    influence = sizes.unbiased(slopes.influences(cases))
    square = standard_error(influence, sample, stratified=plan.stratified) ** 2
    square += slopes.prior * sizes.typical**2 * cluster_effect(influence, square, sample)
    square *= student(sizes.degrees(influence, sample.units), plan.ci)
    inwards = min(1 / 2, INWARDS / np.count_nonzero(sizes.of_classes))
    center = empty.value + inwards * (slopes.value - empty.value)
    low, high = logit_limits(center, square, measure.ends, plan.ci)
    return empty.between((min(low, empty.value), max(high, empty.value)))


register(Delta())
