"""CaseBuckets: cases that arrive in batches, sorted into ranges of scores, in memory or on disk.

Each batch is sorted by class and cut at the edges of the buckets, so that a bucket holds sorted
runs. When the runs take more memory than allowed, they are written to a temporary file without a
name, which the system removes with the process. One bucket at a time becomes a part of the table.
"""

from __future__ import annotations

import math
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from metameasure._text import clipped
from metameasure.errors import DataError
from metameasure.table import PartedTable, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from metameasure._types import Floats, Mask

MEMORY = 2**30
"""Number of bytes of cases that are held before they are written to disk."""
BUCKETS = 256
"""Number of ranges of scores."""
SAMPLE = 2**17
"""Number of scores whose quantiles are the edges of the buckets, and of cases divided at once."""
LARGEST = 2**22
"""Number of rows above which a bucket is divided again."""
SAME = 16
"""Number of cases with the same score from which they are kept as one row."""


class CaseBuckets:
    """Cases by the range of their score, added in batches of any order.

    Args:
        memory: the number of bytes of cases that are held; more are written to disk.
        weighted: whether cases have weights.
        largest: the number of rows above which a bucket is divided again.
        edges: the scores at which buckets begin, from the lowest to the highest; by default
            quantiles of the first cases.
    """

    def __init__(
        self,
        *,
        memory: int = MEMORY,
        weighted: bool = False,
        largest: int = LARGEST,
        edges: Floats | None = None,
    ) -> None:
        self.memory, self.weighted, self.largest = memory, weighted, largest
        self.totals = [0.0, 0.0]
        self._extent = math.inf, -math.inf
        self._edges, self._buckets = np.zeros(0), list[_Bucket]()
        self._waiting: list[tuple[Mask, Floats, Floats | None]] = []
        self._waiting_cases = self._held = 0
        self._file: Any = None
        if edges is not None:
            self._begin(edges)

    def add(self, positive: Mask, score: Floats, weight: Floats | None = None) -> None:
        """Add validated cases."""
        if weight is not None and not weight.all():
            kept = weight > 0
            positive, score, weight = positive[kept], score[kept], weight[kept]
        self._waiting.append((positive, score, weight))
        self._waiting_cases += score.size
        if self._waiting_cases >= SAMPLE:
            self._divide_waiting()

    def table(self) -> PartedTable:
        """The table of all cases, whose parts are the buckets; at least one case is needed."""
        self._divide_waiting()
        parts = sum(bucket.rows > 0 for bucket in self._buckets)
        return PartedTable(self._tables, (self.totals[0], self.totals[1]), self._extent, parts)

    @property
    def rows(self) -> int:
        """The largest number of rows that the table can have."""
        return self._waiting_cases + sum(bucket.rows for bucket in self._buckets)

    def close(self) -> None:
        """Forget the cases, and remove the temporary file."""
        self._buckets, self._waiting, self._waiting_cases, self._held = [], [], 0, 0
        if self._file is not None:
            with suppress(OSError):  # of a full disk, again
                self._file.close()

    def _begin(self, edges: Floats) -> None:
        self._edges, self._buckets = edges, [_Bucket() for _ in range(edges.size + 1)]

    def _divide_waiting(self) -> None:
        """Divide the cases that wait, by the quantiles of the first of them; many at once."""
        if not self._buckets:
            self._begin(_edges((score for _, score, _ in self._waiting), self._waiting_cases))
        if self._waiting_cases:
            positive, score = (
                np.concatenate([batch[place] for batch in self._waiting]) for place in (0, 1)
            )
            weights = [weight for _, _, weight in self._waiting if weight is not None]
            self._divide(positive, score, np.concatenate(weights) if self.weighted else None)
        self._waiting, self._waiting_cases = [], 0

    def _divide(self, positive: Mask, score: Floats, weight: Floats | None) -> None:
        for place, members in enumerate((positive, ~positive)):
            run = _sorted(score[members] + 0.0, None if weight is None else weight[members])
            if run.score.size:
                low, high = self._extent
                self._extent = min(low, float(run.score[0])), max(high, float(run.score[-1]))
            self.totals[place] += run.total
            cuts = np.searchsorted(run.score, self._edges, side="left")
            for bucket, (begin, end) in zip(
                self._buckets, pairwise([0, *cuts.tolist(), run.score.size]), strict=True
            ):
                if begin < end:
                    self._held += bucket.take(place, run.between(begin, end))
        if self._held > self.memory:
            self._spill()

    def _spill(self) -> None:
        """Write the runs to disk, one after the other."""
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="metameasure-")  # noqa: SIM115
            self._file.seek(0, os.SEEK_END)
            for bucket in self._buckets:
                bucket.write(self._file)
            self._file.flush()
        except OSError as error:
            self.close()
            raise DataError(
                f"cases cannot be written to the temporary folder {tempfile.gettempdir()}: "
                f"{clipped(error.strerror or str(error))}",
                remedy="make room there, or name another folder with the environment variable "
                "TMPDIR",
            ) from error
        self._held = 0

    def _tables(self) -> Iterator[ScoreTable]:
        for bucket in reversed(self._buckets):
            if bucket.rows > self.largest:
                yield from self._divided(bucket)
            elif bucket.rows:
                yield bucket.table(self._file, weighted=self.weighted)

    def _divided(self, bucket: _Bucket) -> Iterator[ScoreTable]:
        """The tables of a bucket that is too large for one.

        It is divided by its own quantiles. Frequent scores are then in buckets of their own, where
        they take no memory, so that no bucket remains as large as the first one.
        """
        runs = (run for place in (0, 1) for run in bucket.runs(place, self._file))
        tied = np.array(list(bucket.tied))
        edges = _edges(chain((run.score for run in runs), [tied]), bucket.rows)
        inner = CaseBuckets(
            memory=self.memory, weighted=self.weighted, largest=self.largest, edges=edges
        )
        try:
            for place in (0, 1):
                for run in bucket.runs(place, self._file):
                    inner.add(np.full(run.score.size, place == 0), run.score, run.weight)
            for score, (pos, neg) in bucket.tied.items():
                inner.tie(score, pos, neg)
            yield from inner.table().rows()
        finally:
            inner.close()

    def tie(self, score: float, pos: float, neg: float) -> None:
        """Add cases with the same score; the edges are known."""
        place = int(np.searchsorted(self._edges, score, side="right"))
        self._buckets[place].tie(score, pos, neg)


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """Cases of one class, from the lowest score to the highest."""

    score: Floats
    weight: Floats | None

    @property
    def total(self) -> float:
        return float(self.score.size if self.weight is None else self.weight.sum())

    @property
    def arrays(self) -> list[Floats]:
        return [self.score] if self.weight is None else [self.score, self.weight]

    def between(self, begin: int, end: int) -> _Run:
        weight = None if self.weight is None else self.weight[begin:end]
        return _Run(self.score[begin:end], weight)


class _Bucket:
    """The cases in one range of scores.

    Attributes:
        cases: the number of cases in runs.
        tied: the weight of the positives and negatives at frequent scores.
    """

    __slots__ = ("cases", "held", "stored", "tied")

    def __init__(self) -> None:
        self.cases = 0
        self.tied: dict[float, tuple[float, float]] = {}
        self.held: tuple[list[_Run], list[_Run]] = ([], [])
        self.stored: tuple[list[tuple[int, int, int]], ...] = ([], [])

    @property
    def rows(self) -> int:
        """The largest number of rows that the table can have."""
        return self.cases + len(self.tied)

    def take(self, place: int, run: _Run) -> int:
        """Add cases of one class; the number of bytes that they take."""
        starts = np.concatenate([[0], np.flatnonzero(run.score[1:] != run.score[:-1]) + 1])
        if starts.size * SAME <= run.score.size:
            ones = np.ones(run.score.size) if run.weight is None else run.weight
            weights = np.add.reduceat(ones, starts)
            for score, weight in zip(run.score[starts].tolist(), weights.tolist(), strict=True):
                self.tie(score, *((weight, 0.0) if place == 0 else (0.0, weight)))
            return 0
        self.held[place].append(run)
        self.cases += run.score.size
        return 8 * run.score.size * len(run.arrays)

    def tie(self, score: float, pos: float, neg: float) -> None:
        """Add cases with the same score."""
        before = self.tied.get(score, (0.0, 0.0))
        self.tied[score] = before[0] + pos, before[1] + neg

    def write(self, file: BinaryIO) -> None:
        """Write the runs of each class that are held as one to the end of a file."""
        for held, stored in zip(self.held, self.stored, strict=True):
            if held:
                begin, arrays = file.tell(), len(held[0].arrays)
                for part in range(arrays):
                    file.writelines(np.ascontiguousarray(run.arrays[part]).data for run in held)
                stored.append((begin, sum(run.score.size for run in held), arrays))
                held.clear()

    def runs(self, place: int, file: BinaryIO | None) -> Iterator[_Run]:
        """The cases of one class; those that were stored together are not sorted."""
        yield from self.held[place]
        for begin, cases, arrays in self.stored[place]:
            assert file is not None  # noqa: S101 - it has been written
            file.seek(begin)
            read = [np.frombuffer(file.read(8 * cases), np.float64) for _ in range(arrays)]
            yield _Run(read[0], read[1] if arrays > 1 else None)

    def table(self, file: BinaryIO | None, *, weighted: bool) -> ScoreTable:
        """The score table of all cases."""
        runs = [list(self.runs(place, file)) for place in (0, 1)]
        every = [run for of_class in runs for run in of_class]
        tied = np.array(list(self.tied))
        tables = []
        if every:
            positive = np.repeat(
                [True, False], [sum(run.score.size for run in of_class) for of_class in runs]
            )
            weights = [run.weight for run in every if run.weight is not None]
            tables.append(
                ScoreTable.from_cases(
                    positive,
                    np.concatenate([run.score for run in every]),
                    np.concatenate(weights) if weighted else None,
                )
            )
        if tied.size:
            order = np.argsort(-tied)
            pos, neg = np.array(list(self.tied.values()))[order].T
            tables.append(ScoreTable.of_weights(tied[order], pos.copy(), neg.copy()))
        return tables[0] if len(tables) == 1 else tables[0].merge(tables[1])


def _sorted(score: Floats, weight: Floats | None) -> _Run:
    if weight is None:
        score.sort()
        return _Run(score, None)
    order = np.argsort(score, kind="stable")
    return _Run(score[order], weight[order])


def _edges(scores: Iterable[Floats], cases: int) -> Floats:
    """The quantiles of some scores, from the lowest to the highest.

    A frequent score has two edges, at and right above it, and so a bucket of its own.
    """
    step = max(1, cases // SAMPLE)
    sample = np.sort(np.concatenate([part[::step] + 0.0 for part in scores]))
    places = np.linspace(0, sample.size, BUCKETS + 1)[1:-1].astype(np.int64)
    found, times = np.unique(sample[places], return_counts=True)
    above = np.nextafter(found[times > 1], np.inf)
    return np.union1d(found, above[above < np.inf])
