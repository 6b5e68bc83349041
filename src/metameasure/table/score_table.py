"""The class ScoreTable."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from operator import neg as negated
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from metameasure import kernels
from metameasure._arguments import Instance, read_argument
from metameasure.errors import Argument, DataError
from metameasure.kernels import ROUNDING, descending, isotonic
from metameasure.table import parquet
from metameasure.table.case_sorting import SPLIT_FROM, merged_classes, sorted_rows
from metameasure.table.operating_point import Cut, Point
from metameasure.table.rows import (
    check_total,
    collapse,
    compress,
    count_before,
    cumulated,
    pick,
    share,
    starts,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from numpy.typing import ArrayLike, NDArray

    from metameasure._types import Floats


KEPT = 2**20
"""Number of scores up to which a table keeps results that it shares with no other table."""


class ScoreTable:
    """Distinct scores from highest to lowest, with the weight of each class at each score.

    Args:
        score: the scores, non-increasing along the last axis; shared by a block or one row per
            table.
        pos: the weight of the positives at each score, shape ``(..., rows)``.
        neg: the weight of the negatives, of the same shape.

    >>> table = ScoreTable([0.9, 0.5, 0.1], pos=[2, 1, 0], neg=[0, 1, 3])
    >>> table.tp, table.fp
    (array([0., 2., 3., 3.]), array([0., 0., 1., 4.]))
    """

    score: Floats
    pos: Floats
    neg: Floats
    _counts: bool = False
    """Whether the weights are known to be integers."""
    _single: bool = False
    """Whether each row is known to be one case of weight 1."""
    _alone: bool = True
    """Whether no other table shares results that depend on the scores alone."""

    def __init__(self, score: ArrayLike, pos: ArrayLike, neg: ArrayLike) -> None:
        try:
            s, p, q = (
                np.array(a).astype(np.float64, casting="same_kind") for a in (score, pos, neg)
            )
        except (ValueError, TypeError) as error:
            raise DataError(f"a score table needs real numbers: {error}") from error
        if (
            p.shape != q.shape
            or not (p.ndim and p.shape[-1])
            or s.shape not in {p.shape, p.shape[-1:]}
        ):
            raise DataError(
                "pos and neg must have the same shape (..., rows), rows >= 1, and score that shape "
                f"or (rows,), got score {s.shape}, pos {p.shape} and neg {q.shape}"
            )
        if np.isnan(s).any() or not (s[..., 1:] <= s[..., :-1]).all():
            raise DataError(
                "the scores of a table must be non-increasing and not NaN",
                remedy="sort the rows from the highest score to the lowest",
            )
        for name, weight in (("pos", p), ("neg", q)):
            if not (np.isfinite(weight) & (weight >= 0)).all():
                raise DataError(f"{name} has a negative or infinite weight")
            check_total(weight, name)
        self._set(s + 0.0, p, q)
        if p.ndim == 1 and ((s[1:] == s[:-1]).any() or not (p + q).all()):
            self._set(*compress(*collapse(self.score, p, q)))
        elif s.ndim == p.ndim:
            self._set(*collapse(self.score, p, q))
        elif (s[1:] == s[:-1]).any():
            raise DataError(
                "duplicate score in the scores shared by a block", remedy="add up its rows"
            )

    def _set(self, score: Floats, pos: Floats, neg: Floats) -> None:
        self.score, self.pos, self.neg = score, pos, neg
        for array in (score, pos, neg):
            array.flags.writeable = False
        self._cuts: dict[Point, Cut] = {}
        self._by_score: dict[Any, Any] = {}
        self._results: dict[Any, Any] = {}

    @classmethod
    def of_weights(cls, score: Floats, pos: Floats, neg: Floats) -> Self:
        """A table or block from validated arrays."""
        table = cls.__new__(cls)
        table._set(score, pos, neg)
        return table

    @classmethod
    def of_counts(
        cls, score: Floats, pos: Floats, neg: Floats, *, one_case_per_row: bool = False
    ) -> Self:
        """A table or block from validated arrays of integer weights."""
        table = cls.of_weights(score, pos, neg)
        table._counts, table._single = True, one_case_per_row
        table.P, table.N = np.add.reduce(pos, axis=-1), np.add.reduce(neg, axis=-1)
        return table

    @classmethod
    def of_cut(cls, cut: Cut, threshold: float) -> Self:
        """The table or block with two scores, above and below a threshold, of a matrix."""
        score = np.array([threshold, np.nextafter(threshold, -np.inf)])
        pos, neg = (np.stack(cells, -1) for cells in ((cut.tp, cut.fn), (cut.fp, cut.tn)))
        return cls.of_weights(score, pos, neg)

    @classmethod
    def from_cases(
        cls, positive: NDArray[np.bool_], score: Floats, weight: Floats | None = None
    ) -> Self:
        """The table of validated cases; with leading axes, one table per row.

        -0.0 becomes 0.0. Ties in a block are collapsed onto their first row.
        """
        if not (isinstance(positive, np.ndarray) and isinstance(score, np.ndarray)):
            raise DataError(
                "from_cases needs validated arrays", remedy="use tabulate(y_true, scores)"
            )
        if score.ndim > 1:
            return cls.of_weights(*collapse(*sorted_rows(positive, score, weight)))
        if weight is None and score.size >= SPLIT_FROM:
            return cls._of_sorted(*merged_classes(positive, score))
        cases = descending(score)
        score, positive = score[cases] + 0.0, positive[cases]
        if weight is None:
            pos = positive.astype(np.float64)
            return cls._of_sorted(score, pos, 1.0 - pos, int(np.count_nonzero(positive)))
        weight = weight[cases]
        pos = np.where(positive, weight, 0.0)
        return cls.of_weights(*compress(*collapse(score, pos, weight - pos)))

    @classmethod
    def _of_sorted(cls, score: Floats, pos: Floats, neg: Floats, positives: int) -> Self:
        """The table of unweighted cases from the highest score to the lowest."""
        fresh = score[1:] != score[:-1]
        if np.count_nonzero(fresh) == fresh.size:
            table = cls.of_weights(score, pos, neg)
            table._single = True
        else:
            starts = np.concatenate([[0], np.flatnonzero(fresh) + 1])
            pos, neg = (np.add.reduceat(w, starts) for w in (pos, neg))
            table = cls.of_weights(score[starts], pos, neg)
        table._counts = True
        # Sums of counts do not depend on their order, so the totals are known.
        table.P, table.N = np.float64(positives), np.float64(fresh.size + 1 - positives)
        return table

    def by_score(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Results that depend on the scores alone, computed once for all tables that share them.

        A large table that shares them with no other computes them again instead of keeping them:
        each result takes as much memory as its scores.
        """
        key = function, arguments
        if self._alone and self.score.size > KEPT:
            return function(self.score, *arguments)
        if key not in self._by_score:
            self._by_score[key] = function(self.score, *arguments)
        return self._by_score[key]

    def once(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a function of this table, computed once for all measures that need it."""
        key = function, arguments
        if key not in self._results:
            self._results[key] = function(self, *arguments)
        return self._results[key]

    def sharing(self, known: dict[Any, Any]) -> Self:
        """This table, sharing those results with other tables with the same scores."""
        self._by_score, self._alone = known, False
        return self

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the leading axes: ``()`` for one table."""
        return self.pos.shape[:-1]

    @cached_property
    def tp(self) -> Floats:
        """The weight of positives at or above each threshold, starting with 0: rows + 1 entries."""
        return cumulated(self.pos, counts=self._counts)

    @cached_property
    def fp(self) -> Floats:
        """The weight of negatives at or above each threshold, starting with 0."""
        return cumulated(self.neg, counts=self._counts)

    @cached_property
    def P(self) -> Any:  # noqa: N802
        """The weight of all positives."""
        return self.tp[..., -1]

    @cached_property
    def N(self) -> Any:  # noqa: N802
        """The weight of all negatives."""
        return self.fp[..., -1]

    @property
    def n(self) -> Any:
        """The weight of all cases."""
        return self.P + self.N

    @property
    def prevalence(self) -> Any:
        """The prevalence: the fraction of positives."""
        return self.P / self.n

    @cached_property
    def tpr(self) -> Floats:
        """The true positive rate at each threshold; NaN without positives."""
        return share(self.tp)

    @cached_property
    def fpr(self) -> Floats:
        """The false positive rate at each threshold; NaN without negatives."""
        return share(self.fp)

    @cached_property
    def weight(self) -> Floats:
        """The weight of both classes at each score."""
        return self.pos + self.neg

    @cached_property
    def one_case_per_row(self) -> bool:
        """Whether each row is one case of weight 1: no ties and no weights."""
        return self._single or bool(
            np.all((self.weight == 1) & ((self.pos == 0) | (self.neg == 0)))
        )

    @property
    def distinct(self) -> Any:
        """K, the number of distinct scores with weight."""
        if not self.shape and self.weight.all():
            return np.int64(self.score.size)
        return np.count_nonzero(self.weight, axis=-1)

    @cached_property
    def _pool_starts(self) -> NDArray[np.int64]:
        """The first row of the pool of each row of the hull, in one table."""
        return isotonic.pools(self.pos, self.neg)

    @property
    def pools(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first and the last row of the pool of each row of the hull, in one table."""
        begin = self._pool_starts
        return begin, np.append(begin[1:], self.score.size) - 1

    @cached_property
    def hull(self) -> ScoreTable:
        """The table whose ROC curve is the convex hull of the ROC curve of this table.

        Adjacent rows are pooled until the fraction of positives decreases from row to row: the hull
        is equivalent to the isotonic regression of the labels on the scores.
        """
        if not self.shape:
            begin = self._pool_starts
            pos, neg = (np.add.reduceat(w, begin) for w in (self.pos, self.neg))
            return ScoreTable.of_weights(self.score[begin], pos, neg)
        rows = self.pos.shape[-1]
        flat = (np.ascontiguousarray(w.reshape(-1, rows)) for w in (self.pos, self.neg))
        pooled = kernels.for_size(self.pos.size).pool(*flat)
        return ScoreTable.of_weights(self.score, *(w.reshape(self.pos.shape) for w in pooled))

    def at(self, point: Point | float | str) -> Cut:
        """The confusion matrix at an operating point: a threshold, or text such as "top=10%".

        Inside a tie the matrix is interpolated linearly: its expectation over random orders of the
        tie. Where the ROC curve is vertical at ``fpr``, its highest point is taken; where it is
        horizontal at ``tpr``, its leftmost point.
        """
        if not isinstance(point, Point):
            point = Point.of(point)
        if point not in self._cuts:
            self._cuts[point] = self._cut(*self._locate(point))
        return self._cuts[point]

    def _locate(self, point: Point) -> tuple[Any, Any]:
        """The last threshold passed, and how far into the next row the point lies."""
        if point.kind == "threshold":
            return self.rows_from(float(point.value)), 0.0
        if point.kind == "k" and point.value != "P" and self._single:
            rows = int(point.value)
            if rows == point.value and rows <= self.pos.shape[-1]:
                return rows, 0.0
        if point.kind in {"k", "top"}:
            along, target = self.tp + self.fp, self._cases(point)
        else:
            along, target = (self.fpr if point.kind == "fpr" else self.tpr), float(point.value)
        target = np.broadcast_to(target, self.shape)
        if point.kind == "tpr":
            last = count_before(along, target * (1 - ROUNDING), "left") - 1
        else:
            last = count_before(along, target * (1 + ROUNDING), "right") - 1
        last = np.clip(last, 0, self.score.shape[-1] - 1)
        here, there = pick(along, last), pick(along, last + 1)
        on_flat = 0.0 if point.kind == "tpr" else 1.0
        with np.errstate(invalid="ignore", divide="ignore"):
            fraction = np.where(there > here, (target - here) / (there - here), on_flat)
        outside = np.isnan(there) | np.isnan(target)
        return last, np.where(outside, np.nan, np.clip(fraction, 0.0, 1.0))

    def _cases(self, point: Point) -> Any:
        """The weight above a cut by number or fraction; NaN where there are fewer cases."""
        if point.value == "P":
            return self.P
        if point.kind == "top":
            return float(point.value) * self.n
        enough = point.value <= self.n * (1 + ROUNDING)
        return np.where(enough, float(point.value), np.nan)

    def rows_from(self, threshold: float) -> Any:
        """The number of rows with a score of at least the threshold."""
        if self.score.ndim == 1:
            return bisect_right(self.score, -threshold, key=negated)
        return np.count_nonzero(self.score >= threshold, axis=-1)

    def require_unit(self, what: str) -> None:
        """Raise an error for scores outside [0, 1] that have weight; ``what`` needs them inside."""
        if self.score[..., -1].min() >= 0 and self.score[..., 0].max() <= 1:
            return
        outside = ((self.score < 0) | (self.score > 1)) & (self.weight > 0)
        scores = np.broadcast_to(self.score, self.pos.shape)[outside]
        if scores.size:
            count = np.unique(scores).size
            some = f"{count} distinct score{'s lie' if count > 1 else ' lies'}"
            raise DataError(
                f"{what} needs scores in [0, 1], but {some} outside (from "
                f"{scores.min():g} to {scores.max():g})",
                remedy="pass probabilities; infinite scores cannot be rescaled"
                if np.isinf(scores).any()
                else ("pass probabilities, or use ", Argument("rescale", "minmax")),
            )

    def _cut(self, index: Any, fraction: Any) -> Cut:
        tp, fp = pick(self.tp, index), pick(self.fp, index)
        if np.any(fraction):
            tp, fp = tp + fraction * pick(self.pos, index), fp + fraction * pick(self.neg, index)
        return Cut(tp, fp, self.P, self.N)

    def cut_in_two(self, point: Point) -> ScoreTable:
        """The table with two scores, above and below a threshold, and the same confusion matrix."""
        return ScoreTable.of_cut(self.at(point), float(point.value))

    def take(self, indices: ArrayLike) -> ScoreTable:
        """The table of some rows, each with all its weight; a repeated index counts repeatedly.

        Indices of shape ``(..., m)`` give a block of tables with m rows; the cost depends on m, not
        on the size of this table.
        """
        if self.shape:
            raise DataError("take needs one table, got a block of tables")
        rows = np.asarray(indices)
        if rows.dtype.kind == "b" and rows.shape == self.score.shape:
            rows = np.flatnonzero(rows)
        if rows.dtype.kind not in "iu":
            raise DataError(f"take needs row indices or a mask of {self.score.size} rows")
        rows = np.sort(rows, axis=-1)
        if not rows.size or not 0 <= rows.min() <= rows.max() < self.score.size:
            raise DataError(f"take needs row indices from 0 to {self.score.size - 1}")
        taken = collapse(self.score[rows], self.pos[rows], self.neg[rows])
        return ScoreTable.of_weights(*(taken if rows.ndim > 1 else compress(*taken)))

    def merge(self, other: ScoreTable) -> ScoreTable:
        """The table of the cases of both tables; blocks are merged table by table."""
        read_argument("other", other, Instance((ScoreTable,), "a ScoreTable"))
        if self.shape != other.shape:
            raise DataError(f"cannot merge blocks of shapes {self.shape} and {other.shape}")
        shared = self.score.ndim == 1 and other.score.ndim == 1
        scores = [
            t.score if shared else np.broadcast_to(t.score, t.pos.shape) for t in (self, other)
        ]
        score = np.concatenate(scores, axis=-1)
        order = np.argsort(-score, axis=-1, kind="stable")
        pos = np.concatenate([self.pos, other.pos], axis=-1)
        neg = np.concatenate([self.neg, other.neg], axis=-1)
        if not shared:
            moved = (np.take_along_axis(a, order, -1) for a in (score, pos, neg))
            return ScoreTable.of_weights(*collapse(*moved))
        score = score[order]
        begin = starts(score)
        pos, neg = (np.add.reduceat(w[..., order], begin, axis=-1) for w in (pos, neg))
        merged = score[begin], pos, neg
        return ScoreTable.of_weights(*(merged if self.shape else compress(*merged)))

    def __add__(self, other: object) -> ScoreTable:
        return self.merge(other) if isinstance(other, ScoreTable) else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Whether both have the same weights at the same scores."""
        if not isinstance(other, ScoreTable):
            return NotImplemented
        mine, theirs = (self.score, self.pos, self.neg), (other.score, other.pos, other.neg)
        return all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        rows = self.score.shape[-1]
        if self.shape:
            return f"<block of score tables: shape {self.shape}, {rows} rows each>"
        return f"<score table: {rows} distinct scores, {self.P:g} positive, {self.N:g} negative>"

    def save(self, path: str | PathLike[str]) -> None:
        """Write the table to a Parquet file; an existing file is replaced atomically."""
        parquet.save(path, self.score, self.pos, self.neg)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a table that ``save`` wrote."""
        return cls(*parquet.load(path))
