"""The row of each case in a score table, for resampling without another sort."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.kernels import descending
from metameasure.table.score_table import ScoreTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices, Mask

    Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Places:
    """The cases of one model in the order of its table.

    Attributes:
        score: the distinct scores from highest to lowest.
        case: the cases from the highest score to the lowest.
        starts: index of the first case of each row; None if every case has its own row.
        positive: the class of each case.
        weight: the weight of each case; None if all have weight 1.
        unit: the index of the resampling unit of each case; None if cases are drawn alone.
    """

    score: Floats
    case: Indices
    starts: Indices | None
    positive: Mask
    weight: Floats | None = None
    unit: Indices | None = None
    known: dict[Any, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        score: Floats,
        positive: Mask,
        weight: Floats | None = None,
        unit: Indices | None = None,
    ) -> Places:
        """The index of validated cases."""
        case = descending(score)
        score = score[case] + 0.0
        fresh = score[1:] != score[:-1]
        if fresh.all():
            return cls(score, case, None, positive, weight, unit)
        starts = np.concatenate([[0], np.flatnonzero(fresh) + 1])
        return cls(score[starts], case, starts, positive, weight, unit)

    @cached_property
    def row(self) -> Indices:
        """The row of each case in the table, in case order."""
        row = np.empty(self.case.size, np.int64)
        if self.starts is None:
            row[self.case] = np.arange(self.case.size)
        else:
            sizes = np.diff(self.starts, append=self.case.size)
            row[self.case] = np.repeat(np.arange(self.score.size), sizes)
        return row

    def of_cases(self, of_positives: Floats, of_negatives: Floats) -> Floats:
        """The value of each case, from the values of positives and of negatives at each row."""
        if self.starts is not None:
            sizes = np.diff(self.starts, append=self.case.size)
            of_positives, of_negatives = (np.repeat(v, sizes) for v in (of_positives, of_negatives))
        values = np.empty(self.case.size)
        values[self.case] = np.where(self._positive, of_positives, of_negatives)
        return values

    def table(self) -> ScoreTable:
        """The table in which each case counts once."""
        weight = None if self.weight is None else self.weight[self.case]
        pos = self._positive if weight is None else self._positive * weight
        neg = 1.0 - pos if weight is None else weight - pos
        if self.starts is not None:
            pos, neg = (np.add.reduceat(w, self.starts) for w in (pos, neg))
        return self._made(pos, neg)

    def tables(self, counts: Floats) -> ScoreTable:
        """The block of tables from the counts of each unit, shape (tables, units)."""
        taken = np.take(counts, self._unit, axis=1)
        if self.weight is not None:
            taken *= self.weight[self.case]
        pos = taken * self._positive
        neg = np.subtract(taken, pos, out=taken)
        if self.starts is not None:
            pos, neg = (np.add.reduceat(w, self.starts, axis=1) for w in (pos, neg))
        return self._made(pos, neg)

    def _made(self, pos: Floats, neg: Floats) -> ScoreTable:
        made = ScoreTable.of_counts if self.weight is None else ScoreTable.of_weights
        return made(self.score, pos, neg).sharing(self.known)

    @cached_property
    def _positive(self) -> Floats:
        return self.positive[self.case].astype(np.float64)

    @cached_property
    def _unit(self) -> Indices:
        return self.case if self.unit is None else self.unit[self.case]


def drawn_counts(
    tables: int, units: int, rng: np.random.Generator, *, short: bool = False
) -> Counts:
    """The number of times each unit is drawn per table, sampling all units with replacement.

    Random numbers of 32 bits, where they suffice, are drawn twice as fast; the draws differ from
    those of 64 bits.
    """
    kind: Any = np.uint32 if short and tables * units < 2**32 else np.int64
    chosen: Any = rng.integers(0, units, size=(tables, units), dtype=kind)
    if tables > 1:
        chosen += np.arange(tables, dtype=kind)[:, np.newaxis] * kind(units)
    drawn = np.bincount(chosen.reshape(-1), minlength=tables * units)
    return drawn.reshape(tables, units)
