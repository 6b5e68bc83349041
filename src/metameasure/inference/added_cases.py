"""A ranking with a small fraction of a case of each class added at its wrong end.

Near a perfect value all influences vanish, and a sample often lacks the cases that matter most. The
variance of a ranking with such cases added does not vanish.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference.effective import class_sizes, independent_units
from metameasure.inference.influence import influences, standard_error
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.inference.sample import ProbabilitySample, Sample

PRIOR = 0.1
"""Number of cases of each class that are added at the wrong end of the ranking."""


def with_prior(
    table: ScoreTable, weights: tuple[float, float], *, right: bool = False
) -> ScoreTable:
    """A table with a negative above and a positive below all cases, of these weights.

    In the ``right`` order, the positive is above and the negative below.
    """
    edges = np.nextafter(table.score[[0, -1]], [np.inf, -np.inf])
    score = np.concatenate([edges[:1], table.score, edges[1:]])
    pos = np.concatenate([weights[:1], table.pos, [0.0]])
    neg = np.concatenate([[0.0], table.neg, weights[1:]])
    if not right:
        pos[[0, -1]], neg[[0, -1]] = pos[[-1, 0]], neg[[-1, 0]]
    return ScoreTable.of_weights(score, pos, neg)


@dataclass(frozen=True)
class Extended:
    """The table of a model with added cases.

    Attributes:
        table: the table; the added cases are on its first and last row.
        units: the mean weight of a positive and of a negative.
        right: whether they are added at the right ends.
    """

    table: ScoreTable
    units: tuple[float, float]
    right: bool

    @classmethod
    def of(cls, sample: Sample, model: str, *, right: bool = False) -> Extended:
        """The table of a model of a sample."""
        positive, negative = 1.0, 1.0
        if sample.weight is not None:
            positive, negative = (float(sample.weight[each].mean()) for each in sample.strata)
        table = with_prior(sample.tables[model], (PRIOR * positive, PRIOR * negative), right=right)
        return cls(table, (positive, negative), right)

    def variance(
        self, slopes: tuple[Floats, Floats], sample: Sample, model: str, *, stratified: bool
    ) -> float:
        """The variance of a value, from its slopes at each row of the table."""
        (of_positive, of_negative), table = slopes, sample.tables[model]
        square = self._of_added(of_positive**2, of_negative**2)
        inner = of_positive[1:-1], of_negative[1:-1]
        if sample.independent and not stratified:
            return square + float(table.pos @ inner[0] ** 2 + table.neg @ inner[1] ** 2)
        found = influences(inner, sample, model)
        return square + standard_error(found, sample, stratified=stratified) ** 2

    def sum(self, of_rows: Floats, sample: Sample, model: str) -> float:
        """The sum over cases of variances that are given for a case of weight 1 at each row."""
        added, inner = self._of_added(of_rows, of_rows), of_rows[1:-1]
        if sample.weight is None:
            return added + float(sample.tables[model].weight @ inner)
        return added + float(sample.weight**2 @ sample.places(model).of_cases(inner, inner))

    def _of_added(self, of_positive: Floats, of_negative: Floats) -> float:
        """What the added cases add to a sum of squares."""
        first, last = (0, -1) if self.right else (-1, 0)
        squares = of_positive[first], of_negative[last]
        return PRIOR * float(sum(unit**2 * s for unit, s in zip(self.units, squares, strict=True)))


def degrees_of_freedom(sample: Sample | ProbabilitySample) -> float:
    """The degrees of freedom of a variance of influences: those of twice the smaller class.

    Cases without classes have those of all of them.
    """
    sizes = class_sizes(sample)
    degrees = max(len(sizes) * min(sizes) - 1, 1.0)
    return degrees if sample.cluster is None else min(degrees, independent_units(sample) - 1)
