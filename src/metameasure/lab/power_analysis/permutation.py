"""Exact tests of many data sets at once: the labels are dealt to the scores at random.

A measure of the order has the same distribution on all data sets of a size that have no ties, so
that its critical values are found once. Any other measure, and any data set with ties, needs labels
that are dealt out again and again on the scores of that data set, which stay where they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from metameasure.table import ROUNDING, ScoreTable, collapse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure.measurement import Measure

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

Side = Literal["two-sided", "greater", "less"]
Tails = tuple[float, float]
"""The levels at which large and small values are rejected."""

IN_CACHE = 2**15
"""The entries of a block of sums over rows: so few that they stay in the cache."""
AT_ONCE = 2**18
"""The entries of a block otherwise; with half of them the kernels are still compiled."""


@dataclass(frozen=True)
class Statistic:
    """What is compared between arrangements of the labels: larger speaks for better."""

    measure: Measure
    side: Side | None = None

    def of(self, tables: ScoreTable) -> Floats:
        """The value on each table of a block."""
        if self.side is not None:
            gap = tables.tpr - tables.fpr
            return np.asarray(np.max(gap if self.side == "greater" else -gap, axis=-1))
        return np.asarray(self.measure.goodness(self.measure.compute(tables)))

    @property
    def sees_order_only(self) -> bool:
        """Whether it depends on nothing but the order of the labels, if there are no ties."""
        point = self.measure.point
        cut_at_score = point is not None and point.kind == "threshold"
        return "monotone" in self.measure.declaration.invariant_to and not cut_at_score


@dataclass(frozen=True)
class MeasureTest:
    """A measure as a test, with the side on which it rejects.

    For KS that is the test of Kolmogorov and Smirnov: the distance in the direction asked for, or
    in either, and large ones are rejected. Otherwise "two-sided" gives half of the level to large
    values and half to small ones.
    """

    measure: Measure
    side: Side

    @property
    def statistic(self) -> Statistic:
        """What it compares."""
        directed = self.measure.name == "ks" and self.side != "two-sided"
        return Statistic(self.measure, self.side if directed else None)

    def tails(self, level: float) -> Tails:
        """The levels at which large and small values are rejected."""
        if self.side == "greater" or self.measure.name == "ks":
            return level, 0.0
        return (0.0, level) if self.side == "less" else (level / 2, level / 2)


class Tally(NamedTuple):
    """How many arrangements lie above, at and below what was seen, which is one of them."""

    above: Any
    at: Any
    below: Any
    total: int

    def rejected(self, tails: Tails, randomised: bool) -> Floats:
        """The probability with which each data set is rejected."""
        found = np.zeros(np.shape(self.at))
        for level, beyond in zip(tails, (self.above, self.below), strict=True):
            expected = level * self.total
            if level and randomised:
                found += np.clip((expected - beyond) / self.at, 0.0, 1.0)
            elif level:
                found += beyond + self.at <= expected * (1 + ROUNDING)
        return found


class Limit(NamedTuple):
    """A critical value, by how much equal values differ, and how often it is rejected itself."""

    value: float
    slack: float
    share: float


@dataclass(frozen=True)
class Critical:
    """The values beyond which a test rejects, for large values and, signs turned, small ones."""

    limits: tuple[Limit | None, Limit | None]

    @classmethod
    def of(cls, null: Floats, tails: Tails, randomised: bool) -> Critical:
        """From the values on arrangements of the labels, which are equally likely."""
        high, low = tails
        return cls(
            (
                _limit(null, high, randomised) if high else None,
                _limit(-null, low, randomised) if low else None,
            )
        )

    def rejected(self, seen: Floats) -> Floats:
        """The probability with which each data set is rejected."""
        found = np.zeros(seen.shape)
        for limit, values in zip(self.limits, (seen, -seen), strict=True):
            if limit is not None:
                at = (values >= limit.value - limit.slack) & (values <= limit.value + limit.slack)
                found += np.where(at, limit.share, values > limit.value)
        return found


def _limit(null: Floats, level: float, randomised: bool) -> Limit:
    """The value that is exceeded with at most this probability, and how it is treated itself."""
    ordered = np.sort(np.where(np.isnan(null), np.inf, null))
    expected = level * ordered.size
    value = float(ordered[ordered.size - 1 - math.floor(expected * (1 + ROUNDING))])
    slack = float(_slack(ordered))
    above = ordered.size - np.searchsorted(ordered, value + slack, "right")
    at = ordered.size - np.searchsorted(ordered, value - slack, "left") - above
    share = max(float((expected - above) / at), 0.0) if randomised else 0.0
    return Limit(value, slack, share)


def _slack(values: Floats, axis: int | None = None) -> Any:
    """By how much equal values may differ: rounding is relative to the largest of all."""
    sizes = np.abs(values)
    return ROUNDING * np.max(sizes, axis=axis, where=np.isfinite(sizes), initial=0.0)


def tables_of(score: Floats, pos: Floats) -> ScoreTable:
    """The tables of data sets: scores from highest to lowest (data sets, n), labels (..., n).

    Labels may have an axis of arrangements behind that of the data sets. Ties are put together.
    """
    tied = (score[:, 1:] == score[:, :-1]).any()
    if pos.ndim > score.ndim:
        score = np.broadcast_to(score[:, np.newaxis], pos.shape)
    table = score, pos, 1.0 - pos
    return ScoreTable._of(*(collapse(*table) if tied else table))


def all_labels(positives: int, negatives: int) -> Iterator[Floats]:
    """Blocks of labels in order, (tables, n): every arrangement once."""
    n = positives + negatives
    fewer, label = min((positives, 1.0), (negatives, 0.0))
    places = combinations(range(n), fewer)
    while block := list(islice(places, AT_ONCE // n + 1)):
        labels = np.full((len(block), n), 1.0 - label)
        np.put_along_axis(labels, np.array(block), label, -1)
        yield labels


def random_labels(tables: int, positives: int, negatives: int, rng: np.random.Generator) -> Floats:
    """Labels in order, (tables, n), every arrangement with the same probability."""
    ones = np.ones(positives + negatives, np.int64)
    drawn = rng.multivariate_hypergeometric(ones, positives, size=tables, method="count")
    return drawn.astype(np.float64)


def tally(
    statistics: Sequence[Statistic],
    score: Floats,
    seen: Sequence[Floats],
    positives: int,
    permutations: int,
    rng: np.random.Generator,
) -> list[Tally]:
    """What labels dealt out at random give on each data set, by statistic.

    An arrangement without a value counts as more extreme than any. Scores are (data sets, n), from
    highest to lowest; ``seen`` has the statistics on the true labels.
    """
    data_sets, n = score.shape
    counts: Counts = np.zeros((len(statistics), 3, data_sets), np.int64)
    for rows, dealt in _blocks(statistics, data_sets, permutations, n):
        labels = random_labels((rows.stop - rows.start) * dealt, positives, n - positives, rng)
        tables = tables_of(score[rows], labels.reshape(-1, dealt, n))
        for count, statistic, values in zip(counts, statistics, seen, strict=True):
            null, here = statistic.of(tables), values[rows, np.newaxis]
            slack = _slack(np.concatenate([null, here], axis=-1), axis=-1)[:, np.newaxis]
            not_above, not_below = null <= here + slack, null >= here - slack
            for row, found in enumerate((~not_above, not_above & not_below, ~not_below)):
                count[row, rows] += np.count_nonzero(found, axis=-1)
    return [Tally(above, at + 1, below, permutations + 1) for above, at, below in counts]


def _blocks(
    statistics: Sequence[Statistic], data_sets: int, permutations: int, n: int
) -> Iterator[tuple[slice, int]]:
    """Data sets, and how many arrangements of each are dealt out at once."""
    only_sums = all(s.measure.family == "scored" for s in statistics)
    entries = IN_CACHE if only_sums else AT_ONCE
    together = max(1, entries // (permutations * n))
    at_once = max(1, min(permutations, entries // n))
    for first in range(0, data_sets, together):
        rows = slice(first, min(first + together, data_sets))
        for begin in range(0, permutations, at_once):
            yield rows, min(at_once, permutations - begin)


@dataclass(frozen=True)
class Examination:
    """The tests that every data set goes through."""

    tests: tuple[MeasureTest, ...]
    level: float
    permutations: int
    randomised: bool

    @property
    def of_order(self) -> list[Statistic]:
        """The statistics that see only the order."""
        found = dict.fromkeys(test.statistic for test in self.tests)
        return [statistic for statistic in found if statistic.sees_order_only]

    def criticals(self, nulls: Mapping[Statistic, Floats]) -> dict[MeasureTest, Critical]:
        """Critical values for data sets without ties, of the tests that see only the order."""
        return {
            test: Critical.of(nulls[test.statistic], test.tails(self.level), self.randomised)
            for test in self.tests
            if test.statistic in nulls
        }

    def rejections(
        self,
        positives: Floats,
        negatives: Floats,
        criticals: Mapping[MeasureTest, Critical],
        rng: np.random.Generator,
    ) -> Floats:
        """The probability with which each test rejects each data set: (tests, data sets)."""
        score = np.concatenate([positives, negatives], axis=-1)
        order = np.argsort(-score, axis=-1, kind="stable")
        score = np.take_along_axis(score, order, -1) + 0.0
        tables = tables_of(score, (order < positives.shape[-1]).astype(np.float64))
        seen = {s: s.of(tables) for s in dict.fromkeys(test.statistic for test in self.tests)}
        tied = (score[:, 1:] == score[:, :-1]).any(axis=-1)
        found = np.zeros((len(self.tests), score.shape[0]))
        for of_order, dealt in ((False, np.full(tied.shape, True)), (True, tied)):
            asked = [s for s in seen if s.sees_order_only == of_order]
            if not (asked and dealt.any()):
                continue
            values = [seen[s][dealt] for s in asked]
            size = positives.shape[-1], self.permutations
            counted = dict(zip(asked, tally(asked, score[dealt], values, *size, rng), strict=True))
            for row, test in zip(found, self.tests, strict=True):
                if test.statistic in counted:
                    tails = test.tails(self.level)
                    row[dealt] = counted[test.statistic].rejected(tails, self.randomised)
        for row, test in zip(found, self.tests, strict=True):
            if test in criticals:
                row[~tied] = criticals[test].rejected(seen[test.statistic][~tied])
        return found
