"""The coarse table: adjacent scores pooled into buckets, from which measures have bounds.

A bucket is a range of scores with the weight of each class in it. Where the cases of a bucket lie
inside of it is unknown, so that a measure has a smallest and a largest possible value. Sums of
scores and losses are kept, so that means over cases stay exact up to rounding.

Buckets are cells of one fixed binary tree: the prefixes of the bits of floats, in the order of the
numbers. Two cells are disjoint or one holds the other, so that coarse tables of different data can
be merged, and the union of two buckets that overlap is no larger than the larger one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure import kernels
from metameasure._arguments import COUNT, Instance, Whole, read_argument, read_several
from metameasure.errors import DataError
from metameasure.kernels import (
    COARSE_COLUMNS,
    HIGHEST,
    LOWEST,
    NEG,
    POS,
    SUMS,
    cells,
    join_rows,
    keys_of,
    sums_of_cases,
    sums_of_rows,
)
from metameasure.table.rows import compress
from metameasure.table.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metameasure._types import Floats

SUM_SLACK = 1e-9
"""Rounding of the sums of a bucket, per weight, that is accepted in stored rows."""
ROUNDED = 64
"""Number of roundings of a sum over the buckets of a table, at most."""


@dataclass(frozen=True, eq=False)
class CoarseTable:
    """Buckets of scores from the highest to the lowest, with the weight of each class in each.

    Buckets do not overlap, and both ends of a bucket are scores of cases. A bucket with one score
    is exact. ``mm.Accumulator`` makes coarse tables, and so does ``of``.

    Attributes:
        rows: one row per bucket: highest and lowest score, weight of the positives and of the
            negatives, then the sums of their scores, squared errors and log losses, which are 0 in
            buckets with one score, whose sums follow from the weights.
        counts: whether all weights are known to be integers.
        roundings: number of additions, at most, that rounded a sum of a bucket.

    >>> table = ScoreTable([0.9, 0.8, 0.3, 0.1], pos=[2, 1, 0, 1], neg=[0, 1, 3, 1])
    >>> coarse = CoarseTable.of(table).pooled([2])
    >>> coarse
    <coarse table: 2 buckets, of which 0 have one score, 4 positive, 5 negative>
    >>> coarse.lowest, coarse.pos
    (array([0.8, 0.1]), array([3., 1.]))
    """

    rows: Floats
    counts: bool = False
    roundings: int = 0

    @classmethod
    def of(cls, data: Any) -> CoarseTable:
        """The table whose buckets are the scores of a score table, or the coarse table of data."""
        table = read_argument("data", getattr(data, "coarse", data), DATA)
        if isinstance(table, CoarseTable):
            return table
        if table.shape:
            raise DataError("a coarse table is made of one table, got a block of tables")
        rows = np.zeros((table.score.size, COARSE_COLUMNS))
        rows[:, HIGHEST] = rows[:, LOWEST] = table.score
        rows[:, POS], rows[:, NEG] = table.pos, table.neg
        return cls(rows, bool(np.all(rows[:, [POS, NEG]] % 1 == 0)))

    @classmethod
    def empty(cls) -> CoarseTable:
        """The table without cases."""
        return cls(np.zeros((0, COARSE_COLUMNS)), counts=True)

    @classmethod
    def checked(cls, rows: Floats, *, counts: bool, roundings: int) -> CoarseTable:
        """The table of rows that were stored, if they are possible; an error if not."""
        highest, lowest, pos, neg = rows[:, :4].T
        with np.errstate(invalid="ignore"):
            ordered = (highest >= lowest).all()  # NaN is not
        rows = rows + 0.0
        low, high = cells(rows)
        if not ordered or not (high[1:] < low[:-1]).all():
            raise DataError("the buckets of a coarse table must be ordered and not overlap")
        weights = rows[:, [POS, NEG]]
        if not (np.isfinite(weights) & (weights >= 0)).all() or not (pos + neg > 0).all():
            raise DataError("the weights of a coarse table must be finite and >= 0, not all 0")
        if counts and (weights != np.floor(weights)).any():
            raise DataError("the weights of this coarse table must be integers")
        single = highest == lowest
        unit = ~single & (lowest >= 0) & (highest <= 1)
        ends = [sums_of_cases(score, pos, neg)[unit] for score in (lowest, highest)]
        sums, (least, most) = rows[unit, SUMS], (f(*ends) for f in (np.minimum, np.maximum))
        slack = SUM_SLACK * (pos + neg)[unit, np.newaxis]
        if rows[single, SUMS].any() or not ((least - slack <= sums) & (sums <= most + slack)).all():
            raise DataError("the sums of a coarse table must be possible for its scores")
        return cls(rows, counts, roundings)

    @property
    def highest(self) -> Floats:
        """The highest score of each bucket."""
        column: Floats = self.rows[:, HIGHEST]
        return column

    @property
    def lowest(self) -> Floats:
        """The lowest score of each bucket."""
        column: Floats = self.rows[:, LOWEST]
        return column

    @property
    def pos(self) -> Floats:
        """The weight of the positives in each bucket."""
        column: Floats = self.rows[:, POS]
        return column

    @property
    def neg(self) -> Floats:
        """The weight of the negatives in each bucket."""
        column: Floats = self.rows[:, NEG]
        return column

    @cached_property
    def single(self) -> Any:
        """Whether each bucket has one score, so that it is exact."""
        return self.highest == self.lowest

    @property
    def exact(self) -> bool:
        """Whether all buckets have one score: the table is a score table."""
        return bool(self.single.all())

    @cached_property
    def P(self) -> Any:  # noqa: N802
        """The weight of all positives."""
        return np.add.reduce(self.pos)

    @cached_property
    def N(self) -> Any:  # noqa: N802
        """The weight of all negatives."""
        return np.add.reduce(self.neg)

    @property
    def n(self) -> Any:
        """The weight of all cases."""
        return self.P + self.N

    @property
    def prevalence(self) -> Any:
        """The prevalence: the fraction of positives."""
        return self.P / self.n

    @cached_property
    def sums(self) -> Floats:
        """The sums of each bucket: scores, squared errors and log losses, positives first each."""
        return np.ascontiguousarray(sums_of_rows(self.rows).T)

    def total(self, *columns: int) -> tuple[float, float]:
        """The limits of the total of some of the sums, which all are sums of terms of one sign."""
        total = float(sum(np.add.reduce(self.sums[column]) for column in columns))
        return total * (1 - self.rounding), total * (1 + self.rounding)

    @property
    def rounding(self) -> float:
        """The relative error of a sum over all buckets, at most: one rounding per addition."""
        return (self.roundings + ROUNDED) * float(np.finfo(float).eps)

    @cached_property
    def corners(self) -> ScoreTable:
        """The table with one row per bucket: the corners of its ROC curve are on the exact one."""
        return self._table(self.highest, self.pos, self.neg)

    @cached_property
    def best(self) -> ScoreTable:
        """The table in which the positives of each bucket come first, and then its negatives."""
        return self._apart(positives_first=True)

    @cached_property
    def worst(self) -> ScoreTable:
        """The table in which the negatives of each bucket come first, and then its positives."""
        return self._apart(positives_first=False)

    def _apart(self, *, positives_first: bool) -> ScoreTable:
        wide, late = np.flatnonzero(~self.single), 1 if positives_first else 0
        score = np.stack([self.highest, self.lowest], -1)
        weights = np.zeros((2, *score.shape))
        weights[:, :, 0] = self.pos, self.neg
        weights[late, wide, 1] = weights[late, wide, 0]
        weights[late, wide, 0] = 0.0
        return self._table(*compress(score.reshape(-1), *weights.reshape(2, -1)))

    def _table(self, score: Floats, pos: Floats, neg: Floats) -> ScoreTable:
        made = ScoreTable.of_counts if self.counts else ScoreTable.of_weights
        return made(*(np.array(column) for column in (score, pos, neg)))

    @property
    def table(self) -> ScoreTable:
        """The score table, if all buckets have one score; an error if not."""
        if not self.exact:
            raise DataError(
                f"{np.count_nonzero(~self.single)} of {self.single.size} buckets have more than "
                "one score, so that there is no exact score table",
                remedy="use mm.bounds, or .coarse.corners for a table with one row per bucket",
            )
        return self.corners

    def require_unit(self, what: str) -> None:
        """Raise an error for scores outside [0, 1]; ``what`` needs them inside."""
        for table in (self.best, self.worst):
            table.require_unit(what)

    def pooled(self, starts: Iterable[int]) -> CoarseTable:
        """The table of larger buckets: the first one begins at bucket 0, others at ``starts``."""
        begin = read_several("starts", starts, Whole(0, self.highest.size - 1), least=0)
        heads = np.zeros(self.highest.size, np.bool_)
        heads[[0, *begin]] = True
        return self._grouped(self.rows, heads)

    def reduced(self, buckets: int) -> CoarseTable:
        """The table with this number of buckets at most, if there are more.

        Buckets are joined within the smallest cells of the tree that hold them. Those joined have
        the smallest share of the positives and of the negatives, whichever is larger.
        """
        read_argument("buckets", buckets, COUNT)
        size = self.highest.size
        if size <= buckets:
            return self
        ends = keys_of(self.lowest), keys_of(self.highest)
        costs = kernels.for_size(size).join_costs(*ends, self.pos.copy(), self.neg.copy())
        joined = size - buckets
        heads = np.append(True, costs > np.partition(costs, joined - 1)[joined - 1])
        return self._grouped(self.rows, heads)

    def merged(self, other: CoarseTable) -> CoarseTable:
        """The table of the cases of both; buckets that overlap become one."""
        rows, heads = join_rows(np.concatenate([self.rows, other.rows]))
        made = CoarseTable(rows, self.counts and other.counts, max(self.roundings, other.roundings))
        return made._grouped(rows, heads)

    def absorbed(
        self,
        pos: Floats,
        neg: Floats,
        weights: tuple[Floats, Floats] | None = None,
        *,
        counts: bool = True,
    ) -> CoarseTable:
        """The table with more cases: the ascending scores of each class, and their weights."""
        unit = np.empty(0)
        size = self.highest.size + pos.size + neg.size
        found, longest = kernels.for_size(size).absorb_cases(
            self.rows, *cells(self.rows), pos, neg, *(weights or (unit, unit))
        )
        return CoarseTable(found, self.counts and counts, self.roundings + additions(longest))

    def _grouped(self, rows: Floats, heads: Any) -> CoarseTable:
        longest = int(np.max(np.diff(np.flatnonzero(heads), append=heads.size), initial=0))
        if longest > 1:
            rows = kernels.for_size(heads.size).group_rows(rows, heads)
        return CoarseTable(rows, self.counts, self.roundings + additions(longest))

    def __repr__(self) -> str:
        return (
            f"<coarse table: {self.single.size} buckets, of which "
            f"{np.count_nonzero(self.single)} have one score, {self.P:g} positive, "
            f"{self.N:g} negative>"
        )


def additions(terms: int) -> int:
    """The number of roundings of a sum, which is pairwise for more than a few terms."""
    return terms if terms < ROUNDED // 2 else ROUNDED // 2 + terms.bit_length()


DATA = Instance((CoarseTable, ScoreTable), "an Accumulator, a CoarseTable or a ScoreTable")
