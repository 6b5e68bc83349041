"""TablePart: some consecutive rows of a table that may be too large to hold at once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from metameasure.kernels import ROUNDING
from metameasure.table.rows import compress, cumulated
from metameasure.table.score_table import ScoreTable

if TYPE_CHECKING:
    from typing import Any, Self

    from metameasure._types import Floats
    from metameasure.table.operating_point import Point


class TablePart(ScoreTable):
    """Consecutive rows of a score table, which know what lies before them and the totals.

    ``tp`` and ``fp`` count from the highest score of the whole table, and ``P`` and ``N`` are its
    totals, so that a sum over the rows of the whole is the sum over its parts. Its last row has no
    weight and the first score of the next part, if there is one: gaps between scores are those of
    the whole, too.
    """

    before: tuple[float, float]
    number: int = 0
    """Number of parts with higher scores."""
    one_case_per_row = False  # ranks are counted from the whole

    @classmethod
    def of(
        cls,
        rows: ScoreTable,
        before: tuple[float, float],
        totals: tuple[float, float],
        following: float | None,
    ) -> Self:
        """The rows of a table as a part, before the score that follows."""
        score, pos, neg = rows.score, rows.pos, rows.neg
        if following is not None:
            score = np.append(score, following)
            pos, neg = np.append(pos, 0.0), np.append(neg, 0.0)
        part = cls.of_weights(score, pos, neg)
        part.before, part._counts = before, rows._counts
        part.P, part.N = map(np.float64, totals)
        return part

    @cached_property
    def tp(self) -> Floats:
        """The weight of positives at or above each threshold, of the whole table."""
        return self._after(self.pos, self.before[0])

    @cached_property
    def fp(self) -> Floats:
        """The weight of negatives at or above each threshold, of the whole table."""
        return self._after(self.neg, self.before[1])

    def _after(self, weight: Floats, before: float) -> Floats:
        sums = cumulated(weight, counts=self._counts)
        sums += before
        return sums

    @cached_property
    def tpr(self) -> Floats:
        """The true positive rate at each threshold; NaN without positives."""
        return self._share(self.tp, self.P)

    @cached_property
    def fpr(self) -> Floats:
        """The false positive rate at each threshold; NaN without negatives."""
        return self._share(self.fp, self.N)

    def without_empty_rows(self) -> ScoreTable:
        """The rows that have weight, as a table of their own."""
        return ScoreTable.of_weights(*compress(self.score, self.pos, self.neg))

    def cells(self, point: Point) -> tuple[float, float, float, float]:
        """The weight of the positives and negatives of this part above a cut, and of those below.

        Inside a tie they are interpolated, as ``at`` does. Weights are added up on either side of
        the cut, so that nothing is left where nothing lies.
        """
        row, inside = self._cut_at(point)
        both = self.pos, self.neg
        above = [float(np.sum(w[:row])) + inside * float(w[row]) for w in both]
        below = [float(np.sum(w[row + 1 :])) + (1 - inside) * float(w[row]) for w in both]
        return above[0], above[1], below[0], below[1]

    def _cut_at(self, point: Point) -> tuple[int, float]:
        """The row of a cut, and how far into it the cut lies."""
        last = self.score.size - 1
        if point.kind == "threshold":
            row = int(self.rows_from(float(point.value)))
            return min(row, last), float(row > last)
        # Where a rate does not grow, ``at`` would stop or begin inside this part.
        if point.kind == "tpr" and self.tpr[-1] < float(point.value) * (1 - ROUNDING):
            return last, 1.0
        if point.kind == "fpr" and self.fpr[0] > float(point.value) * (1 + ROUNDING):
            return 0, 0.0
        row, inside = self._locate(point)
        return int(row), float(inside)

    @staticmethod
    def _share(sums: Floats, total: Any) -> Floats:
        with np.errstate(invalid="ignore"):
            return np.asarray(sums / total)
