"""PartedTable: a score table in parts, of which one at a time is in memory."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from metameasure.table.score_table import ScoreTable
from metameasure.table.table_part import TablePart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


class PartedTable:
    """A score table whose rows come in parts, from the highest scores to the lowest.

    Args:
        rows: a function that gives the tables of consecutive, disjoint ranges of scores; it may be
            called more than once.
        totals: the weights of all positives and of all negatives.
        extent: the lowest and the highest score.
        parts: about how many parts there are, for the progress of a walk.
    """

    def __init__(
        self,
        rows: Callable[[], Iterable[ScoreTable]],
        totals: tuple[float, float],
        extent: tuple[float, float],
        parts: int,
    ) -> None:
        self.rows, self.totals, self.extent, self.parts = rows, totals, extent, parts

    @classmethod
    def of(cls, table: ScoreTable, cuts: Sequence[int]) -> PartedTable:
        """A table that was cut before some of its rows.

        >>> table = ScoreTable([0.9, 0.5, 0.1], pos=[2, 1, 0], neg=[0, 1, 3])
        >>> [part.tp.tolist() for part in PartedTable.of(table, [1])]
        [[0.0, 2.0, 2.0], [2.0, 3.0, 3.0]]
        """
        bounds = [0, *cuts, table.score.size]

        def rows() -> Iterator[ScoreTable]:
            for begin, end in pairwise(bounds):
                each = (values[begin:end] for values in (table.score, table.pos, table.neg))
                yield ScoreTable.of_weights(*each)

        extent = float(table.score[-1]), float(table.score[0])
        return cls(rows, (float(table.P), float(table.N)), extent, len(cuts) + 1)

    def with_ends(self, first: tuple[float, float], last: tuple[float, float]) -> PartedTable:
        """The same with a row above and a row below all others, of these weights of the classes."""
        low, high = self.extent
        extent = float(np.nextafter(low, -np.inf)), float(np.nextafter(high, np.inf))
        ends = [
            ScoreTable.of_weights(*(np.array([value]) for value in (score, *weights)))
            for score, weights in ((extent[1], first), (extent[0], last))
        ]
        totals = tuple(t + a + b for t, a, b in zip(self.totals, first, last, strict=True))
        return PartedTable(
            lambda: chain(ends[:1], self.rows(), ends[1:]),
            (totals[0], totals[1]),
            extent,
            self.parts + 2,
        )

    def whole(self) -> ScoreTable:
        """The table in one piece, which must fit in memory."""
        parts = list(self.rows())
        each = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("score", "pos", "neg")
        )
        return ScoreTable.of_weights(*each)

    def __iter__(self) -> Iterator[TablePart]:
        before = 0.0, 0.0
        for number, (rows, following) in enumerate(pairwise(chain(self.rows(), [None]))):
            assert rows is not None  # noqa: S101 - only the last is
            following_score = None if following is None else float(following.score[0])
            part = TablePart.of(rows, before, self.totals, following_score)
            part.number = number
            yield part
            before = float(part.tp[-1]), float(part.fp[-1])
