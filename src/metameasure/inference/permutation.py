"""Permutation tests: of one data set, and of many data sets at once.

Under the null hypothesis all permutations of the labels are equally likely. A measure that depends
only on the order of the scores has the same null distribution on all data sets of a size without
ties, so that its critical values are computed once. For any other measure, and any data set with
ties, the labels are permuted on the scores of that data set.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from metameasure.measurement import PairMean, tie_tolerance
from metameasure.table import ROUNDING, ScoreTable, collapse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats
    from metameasure.measurement import Measure, Side

    Counts = NDArray[np.int64]

Tails = tuple[float, float]
"""The significance levels for large and for small values."""

IN_CACHE = 2**15
"""Number of entries of a block of sums over rows, so that it fits in the cache."""
AT_ONCE = 2**18
"""Number of entries of any other block, so that compiled kernels are used."""


@dataclass(frozen=True)
class Statistic:
    """A test statistic: the value of a measure, oriented so that larger is better."""

    measure: Measure
    side: Side | None = None

    def of(self, tables: ScoreTable) -> Any:
        """The value on a table, or on each table of a block."""
        null: Any = self.measure.declaration.null
        if self.side is not None:
            return np.asarray(null.directed(tables, self.side))
        return np.asarray(self.measure.goodness(self.measure.compute(tables)))

    @property
    def sees_order_only(self) -> bool:
        """Whether it depends only on the order of the labels, if there are no ties."""
        by_order = "monotone" in self.measure.declaration.invariant_to
        return by_order and not self.measure.at_threshold


@dataclass(frozen=True)
class MeasureTest:
    """A measure as a test statistic, with the side on which the test rejects.

    For KS this is the Kolmogorov-Smirnov test: it rejects large distances in the given direction,
    or in either. For other measures "two-sided" uses half of the level for each tail.
    """

    measure: Measure
    side: Side

    @property
    def statistic(self) -> Statistic:
        """The test statistic."""
        directed = self._is_distance and self.side != "two-sided"
        return Statistic(self.measure, self.side if directed else None)

    @property
    def _is_distance(self) -> bool:
        """Whether the statistic is a distance, of which only large values are extreme."""
        null = self.measure.declaration.null
        return null is not None and null.is_distance

    def tails(self, level: float) -> Tails:
        """The significance levels for large and for small values."""
        if self.side == "greater" or self._is_distance:
            return level, 0.0
        return (0.0, level) if self.side == "less" else (level / 2, level / 2)


class Tally(NamedTuple):
    """Numbers of permutations above, at and below the observed value, which is one of them."""

    above: Any
    at: Any
    below: Any
    total: int

    def pvalue(self, tails: Tails) -> float:
        """The p-value when the level is divided between the tails in this proportion."""
        counts = zip(tails, (self.above, self.below), strict=True)
        found = [(beyond + self.at) / part / self.total for part, beyond in counts if part]
        return float(min(1.0, *found))

    def rejected(self, tails: Tails, randomized: bool) -> Floats:
        """The rejection probability of each data set."""
        found = np.zeros(np.shape(self.at))
        for level, beyond in zip(tails, (self.above, self.below), strict=True):
            expected = level * self.total
            if level and randomized:
                found += np.clip((expected - beyond) / self.at, 0.0, 1.0)
            elif level:
                found += beyond + self.at <= expected * (1 + ROUNDING)
        return found


class Limit(NamedTuple):
    """A critical value, its rounding tolerance, and the rejection probability at the value."""

    value: float
    slack: float
    share: float


@dataclass(frozen=True)
class Critical:
    """Critical values for large values and, with the sign reversed, for small values."""

    limits: tuple[Limit | None, Limit | None]

    @classmethod
    def of(cls, null: Floats, tails: Tails, randomized: bool) -> Critical:
        """From the values on equally likely permutations of the labels."""
        high, low = tails
        return cls(
            (
                _limit(null, high, randomized) if high else None,
                _limit(-null, low, randomized) if low else None,
            )
        )

    def rejected(self, seen: Floats) -> Floats:
        """The rejection probability of each data set."""
        found = np.zeros(seen.shape)
        for limit, values in zip(self.limits, (seen, -seen), strict=True):
            if limit is not None:
                at = (values >= limit.value - limit.slack) & (values <= limit.value + limit.slack)
                found += np.where(at, limit.share, values > limit.value)
        return found


def _limit(null: Floats, level: float, randomized: bool) -> Limit:
    """The value that is exceeded with at most this probability."""
    ordered = np.sort(np.where(np.isnan(null), np.inf, null))
    expected = level * ordered.size
    value = float(ordered[ordered.size - 1 - math.floor(expected * (1 + ROUNDING))])
    slack = float(_slack(ordered))
    above = ordered.size - np.searchsorted(ordered, value + slack, "right")
    at = ordered.size - np.searchsorted(ordered, value - slack, "left") - above
    share = max(float((expected - above) / at), 0.0) if randomized else 0.0
    return Limit(value, slack, share)


def _slack(values: Floats, axis: int | None = None) -> Any:
    """The rounding tolerance, relative to the largest value."""
    sizes = np.abs(values)
    largest = np.max(sizes, axis=axis, where=np.isfinite(sizes), initial=0.0)
    # Not whether a measure prefers a model is asked, but which permutations have the value of the
    # observed one. The p-value must not depend on the unit of a statistic, so its scale is not 1.
    return tie_tolerance(largest, scale=0.0)


def counted(null: Floats, observed: Floats) -> list[Any]:
    """Numbers of values above, at and below the observed one, along the last axis.

    Equal values differ by rounding, which is relative to the largest value. An undefined value
    counts as more extreme than the observed one, on both sides.
    """
    slack = _slack(np.concatenate([null, observed], axis=-1), axis=-1)[..., np.newaxis]
    not_above, not_below = null <= observed + slack, null >= observed - slack
    found = ~not_above, not_above & not_below, ~not_below
    return [np.count_nonzero(each, axis=-1) for each in found]


def tables_of(score: Floats, pos: Floats) -> ScoreTable:
    """The tables of data sets: scores from highest to lowest (data sets, n), labels (..., n).

    Labels may have an axis of permutations after that of the data sets. Ties are collapsed.
    """
    tied = (score[:, 1:] == score[:, :-1]).any()
    if pos.ndim > score.ndim:
        score = np.broadcast_to(score[:, np.newaxis], pos.shape)
    table = score, pos, 1.0 - pos
    return ScoreTable.of_weights(*(collapse(*table) if tied else table))


def all_labels(cases: Counts, positives: int, entries: int = AT_ONCE) -> Iterator[Floats]:
    """Blocks of the numbers of positives per row, (tables, rows): every permutation once.

    ``cases`` has the number of cases per row.
    """
    rows, n = cases.size, int(cases.sum())
    row_of_case = np.repeat(np.arange(rows), cases).tolist()
    places = combinations(row_of_case, min(positives, n - positives))
    while block := list(islice(places, entries // rows + 1)):
        cell = np.array(block) + rows * np.arange(len(block))[:, np.newaxis]
        fewer = np.bincount(cell.reshape(-1), minlength=len(block) * rows).reshape(-1, rows)
        yield (fewer if 2 * positives <= n else cases - fewer).astype(np.float64)


def random_labels(
    tables: int, cases: Counts, positives: int, rng: np.random.Generator, *, by_row: bool = False
) -> Floats:
    """Random numbers of positives per row, (tables, rows): all permutations are equally likely.

    ``by_row`` draws row by row, which is faster for few rows of many cases.
    """
    method: Literal["marginals", "count"] = "marginals" if by_row else "count"
    drawn = rng.multivariate_hypergeometric(cases, positives, size=tables, method=method)
    return drawn.astype(np.float64)


def are_few(positives: int, negatives: int, most: int) -> bool:
    """Whether there are at most ``most`` permutations of the labels."""
    permutations = 1
    # The binomial coefficient of large numbers is too large to be computed.
    for i in range(min(positives, negatives)):
        permutations = permutations * (positives + negatives - i) // (i + 1)
        if permutations > most:
            return False
    return True


def tally(
    statistics: Sequence[Statistic],
    score: Floats,
    seen: Sequence[Floats],
    positives: int,
    permutations: int,
    rng: np.random.Generator,
) -> list[Tally]:
    """Random permutations of the labels of each data set, counted per statistic.

    An undefined value counts as more extreme than the observed one. Scores are (data sets, n), from
    highest to lowest; ``seen`` has the observed statistics.
    """
    data_sets, n = score.shape
    counts: Counts = np.zeros((len(statistics), 3, data_sets), np.int64)
    for rows, permuted in _blocks(statistics, data_sets, permutations, n):
        labels = random_labels((rows.stop - rows.start) * permuted, np.ones(n, int), positives, rng)
        tables = tables_of(score[rows], labels.reshape(-1, permuted, n))
        for count, statistic, values in zip(counts, statistics, seen, strict=True):
            for row, found in enumerate(counted(statistic.of(tables), values[rows, np.newaxis])):
                count[row, rows] += found
    return [Tally(above, at + 1, below, permutations + 1) for above, at, below in counts]


def _blocks(
    statistics: Sequence[Statistic], data_sets: int, permutations: int, n: int
) -> Iterator[tuple[slice, int]]:
    """Slices of data sets, and the number of permutations per step."""
    only_sums = all(
        isinstance(s.measure.declaration.sampling, PairMean) and not s.sees_order_only
        for s in statistics
    )
    entries = IN_CACHE if only_sums else AT_ONCE
    together = max(1, entries // (permutations * n))
    at_once = max(1, min(permutations, entries // n))
    for first in range(0, data_sets, together):
        rows = slice(first, min(first + together, data_sets))
        for begin in range(0, permutations, at_once):
            yield rows, min(at_once, permutations - begin)


@dataclass(frozen=True)
class Examination:
    """The tests that are applied to every data set."""

    tests: tuple[MeasureTest, ...]
    level: float
    permutations: int
    randomized: bool

    @property
    def of_order(self) -> list[Statistic]:
        """The statistics that depend only on the order."""
        found = dict.fromkeys(test.statistic for test in self.tests)
        return [statistic for statistic in found if statistic.sees_order_only]

    def criticals(self, nulls: Mapping[Statistic, Floats]) -> dict[MeasureTest, Critical]:
        """Critical values for data sets without ties, of tests that depend only on the order."""
        return {
            test: Critical.of(nulls[test.statistic], test.tails(self.level), self.randomized)
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
        """The rejection probabilities: (tests, data sets)."""
        score = np.concatenate([positives, negatives], axis=-1)
        order = np.argsort(-score, axis=-1, kind="stable")
        score = np.take_along_axis(score, order, -1) + 0.0
        tables = tables_of(score, (order < positives.shape[-1]).astype(np.float64))
        seen = {s: s.of(tables) for s in dict.fromkeys(test.statistic for test in self.tests)}
        tied = (score[:, 1:] == score[:, :-1]).any(axis=-1)
        found = np.zeros((len(self.tests), score.shape[0]))
        for of_order, permuted in ((False, np.full(tied.shape, True)), (True, tied)):
            asked = [s for s in seen if s.sees_order_only == of_order]
            if not (asked and permuted.any()):
                continue
            values = [seen[s][permuted] for s in asked]
            size = positives.shape[-1], self.permutations
            tallies = dict(
                zip(asked, tally(asked, score[permuted], values, *size, rng), strict=True)
            )
            for row, test in zip(found, self.tests, strict=True):
                if test.statistic in tallies:
                    tails = test.tails(self.level)
                    row[permuted] = tallies[test.statistic].rejected(tails, self.randomized)
        for row, test in zip(found, self.tests, strict=True):
            if test in criticals:
                row[~tied] = criticals[test].rejected(seen[test.statistic][~tied])
        return found
