"""Pooled rows, so that many cases are resampled at the cost of a few thousand rows.

An interval needs the differences between the values of resamples and the value of the sample.
Pooling neighboring rows hardly changes these for most measures, as long as pools are small relative
to the number of cases before and after them. This is checked on a few resamples of all rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference.resampling import generator
from metameasure.measurement import Extreme
from metameasure.table import ROUNDING, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Indices
    from metameasure.inference.methods.smoothed import Smoothed
    from metameasure.inference.resampling import Drawing
    from metameasure.inference.sample import Sample
    from metameasure.measurement import Measure


POOLED_FROM = 100_000
"""Number of cases from which rows are pooled for resampling."""
COMPARED = 16
"""Number of resamples of all rows with which pooled rows are compared."""
TOLERANCE = 0.1
"""Maximum difference of the two, in standard deviations of the values on resamples."""


@dataclass(frozen=True)
class Resolution:
    """The sizes of pools.

    Attributes:
        near: a pool has at most one case per this number of cases up to the nearer end of the
            ranking.
        middle: a pool has at most one case per this number of cases in all.
    """

    near: int
    middle: int

    def pools_within(self, cases: Floats, n: float) -> Floats:
        """Number of pools of the first cases at an end of the ranking of n cases."""
        most = max(n / self.middle, 1.0)
        growing = self.near * np.log(np.clip(cases / self.near, 1.0, most))
        beyond = np.maximum(cases - self.near * most, 0.0) / most
        found: Floats = np.minimum(cases, self.near) + growing + beyond
        return found


FINE = Resolution(256, 4096)
"""Some 7000 pools, for every measure that they serve."""
COARSE = Resolution(48, 384)
"""Some 700 pools, for smoothed classes."""


def pool_numbers(table: ScoreTable, resolution: Resolution) -> Floats:
    """The number of the pool of each row, which grows from row to row."""
    n = float(table.n)
    middle = (table.tp + table.fp)[1:] - table.weight / 2
    ahead = resolution.pools_within(np.minimum(middle, n / 2), n)
    behind = resolution.pools_within(np.minimum(n - middle, n / 2), n)
    return np.floor(ahead - behind)


@dataclass(frozen=True, eq=False)
class Pools:
    """Neighboring rows of a table, pooled.

    Attributes:
        starts: the first row of each pool.
        score: the mean score of the cases of each pool.
        rows: the number of rows before pooling.
    """

    starts: Indices
    score: Floats
    rows: int

    @classmethod
    def of(cls, table: ScoreTable, resolution: Resolution | None = None) -> Pools:
        """The pools of one table: single rows at its ends, larger ones further in."""
        number = pool_numbers(table, resolution or FINE)
        starts = np.concatenate([[0], np.flatnonzero(number[1:] != number[:-1]) + 1])
        first, last = table.score[starts], table.score[np.append(starts[1:], number.size) - 1]
        with np.errstate(over="ignore"):
            total = np.add.reduceat(table.score * table.weight, starts)
        # Rounding must not move a mean into the next pool.
        mean = np.clip(total / np.add.reduceat(table.weight, starts), last, first)
        return cls(starts, mean, number.size)

    @staticmethod
    def are_worthwhile(cases: int) -> bool:
        """Whether there are enough cases for pools to save time."""
        return cases >= POOLED_FROM

    @property
    def whole(self) -> bool:
        """Whether every row is its own pool."""
        return self.starts.size == self.rows

    def pooled(self, table: ScoreTable) -> ScoreTable:
        """A table or block with these rows, pooled."""
        pos, neg = (np.add.reduceat(w, self.starts, axis=-1) for w in (table.pos, table.neg))
        return ScoreTable.of_weights(self.score, pos, neg)

    def serve(
        self,
        population: Sample | Smoothed,
        own: ScoreTable,
        model: str,
        measures: Sequence[Measure],
        plan: Drawing,
    ) -> list[Measure]:
        """The measures whose values vary on resamples of pools as they do without pooling.

        ``own`` is the table of the population itself.
        """
        if self.whole:
            return list(measures)
        rng = generator(np.random.SeedSequence(plan.seed))
        population.prepare([model])
        before = self._values(own, measures)
        changes = []
        for _ in range(COMPARED):
            counts = population.draw(1, rng, stratified=plan.stratified)
            changes.append(self._values(population.block(model, counts), measures) - before)
        of_measures = np.stack(changes, axis=-1)
        return [m for m, change in zip(measures, of_measures, strict=True) if agree(*change)]

    def _values(self, table: ScoreTable, measures: Sequence[Measure]) -> Floats:
        """The value of each measure on a table, or a block of one, with all rows and pooled."""
        forms = table, self.pooled(table)
        found = [[np.reshape(measure.compute(form), ()) for form in forms] for measure in measures]
        return np.array(found, np.float64)


def serves_by_declaration(measure: Measure) -> bool:
    """Whether the measure declares that pools serve it."""
    kind = measure.declaration.sampling
    return isinstance(kind, Extreme) and kind.pooled


def agree(whole: Floats, pooled: Floats) -> bool:
    """Whether the changes from resample to resample are nearly the same."""
    known = ~(np.isnan(whole) & np.isnan(pooled))
    whole, pooled = whole[known], pooled[known]
    if not whole.size:
        return False
    apart = math.sqrt(np.mean(np.square(whole - pooled)))
    return apart <= TOLERANCE * float(np.std(whole)) + ROUNDING
