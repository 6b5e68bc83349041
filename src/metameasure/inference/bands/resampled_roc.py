"""The heights of the ROC curves of resamples at the same x, without tables and curves.

That is what a bootstrap asks for, thousands of times. It equals ``roc.compute(block).at(x)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.curves import points_at, points_before
from metameasure.table import ROUNDING, drawn_counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices
    from metameasure.table import Places

    Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RankedClasses:
    """The cases of both classes, each in the order of falling scores.

    Attributes:
        negatives: the unit with which each negative is drawn.
        positives: the unit with which each positive is drawn.
        weights: what negatives and positives weigh; None if all cases weigh the same.
        ties: for each negative, and after the last, the numbers of negatives before its tie and up
            to its end, and of positives up to its end; None if there are no ties.
        ahead: for each negative, and after the last, the number of positives before its tie.
    """

    negatives: Indices
    positives: Indices
    weights: tuple[Floats, Floats] | None
    ties: tuple[Indices, Indices, Indices] | None
    ahead: Indices

    @classmethod
    def of(cls, places: Places) -> RankedClasses:
        """The classes of cases, from their places in a table."""
        is_pos = places.positive[places.case]
        of_neg, of_pos = places.case[~is_pos], places.case[is_pos]
        weights = None
        if places.weight is not None:
            weights = places.weight[of_neg], places.weight[of_pos]
        unit = np.arange(places.case.size) if places.unit is None else places.unit
        row = places.row
        neg_row, pos_row = row[of_neg], row[of_pos]
        ahead = np.append(np.searchsorted(pos_row, neg_row), of_pos.size)
        ties = None
        if places.starts is not None:
            first = np.append(np.searchsorted(neg_row, neg_row), of_neg.size)
            end = np.append(np.searchsorted(neg_row, neg_row, side="right"), of_neg.size)
            upto = np.append(np.searchsorted(pos_row, neg_row, side="right"), of_pos.size)
            ties = first, end, upto
        return cls(unit[of_neg], unit[of_pos], weights, ties, ahead)

    def draw(
        self, tables: int, rng: np.random.Generator, *, stratified: bool = False
    ) -> tuple[Counts, Counts]:
        """Number of times that each negative and each positive is drawn, per resample.

        Independent cases are drawn by their ranks, which saves the lookup of their ranks.
        """
        n, m = self.negatives.size, self.positives.size
        if stratified:
            negatives = drawn_counts(tables, n, rng, short=True)
            return negatives, drawn_counts(tables, m, rng, short=True)
        both = drawn_counts(tables, n + m, rng, short=True)
        return both[:, :n], both[:, n:]

    def taken(self, counts: Floats) -> tuple[Counts, Counts]:
        """The counts of the negatives and of the positives, from those of units (tables, units)."""
        negatives, positives = (
            counts.take(units, axis=1).astype(np.int64)
            for units in (self.negatives, self.positives)
        )
        return negatives, positives

    def roc(self, drawn: tuple[Counts, Counts], x: Floats) -> Floats:
        """The true positive rate at each false positive rate, from the counts of the cases.

        The rates have the shape (tables, x); NaN where a class is empty.
        """
        fp, tp = (self._upto(counts, place) for place, counts in enumerate(drawn))
        P, N = tp[:, -1:], fp[:, -1:]
        wanted = x * N
        goal = wanted * (1 + ROUNDING)
        # The first negative that would be one too many; all that comes before its tie is taken.
        goal = goal if self.weights else np.floor(goal).astype(fp.dtype)
        place = points_before(fp[:, 1:], goal, "right")
        found: Any = points_at(tp, self.ahead[place])
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.ties is not None:
                first, end, upto = (part[place] for part in self.ties)
                before = points_at(fp, first)
                share = (wanted - before) / (points_at(fp, end) - before)
                hits = points_at(tp, upto) - found
                found = found + np.where(hits > 0, np.clip(share, 0.0, 1.0) * hits, 0.0)
            return np.asarray(np.where(N > 0, found / P, np.nan))

    def _upto(self, counts: Counts, place: int) -> Any:
        """The weight of the first cases of a class, from none to all, in each table.

        Whole numbers are added several times faster than floats.
        """
        weighed: Any = counts if self.weights is None else counts * self.weights[place]
        sums = np.zeros((counts.shape[0], counts.shape[1] + 1), weighed.dtype)
        np.cumsum(weighed, axis=1, out=sums[:, 1:])
        return sums
