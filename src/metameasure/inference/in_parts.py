"""Intervals from the parts of a table that does not fit in memory.

They are those of the whole table: what an interval needs of the cases is a sum over the rows, or a
histogram of terms, which a second walk over the parts fills.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.influence import has_influence
from metameasure.inference.intervals import Interval, measure_intervals
from metameasure.inference.methods.delong import Spread, components
from metameasure.inference.methods.empirical_likelihood import (
    BINS,
    Terms,
    spread_on,
    within_ends,
    without_variance,
)
from metameasure.inference.methods.linearized import ADDED_AT_ENDS, limited_by
from metameasure.inference.methods.newcombe import Components, limited
from metameasure.inference.methods.normal import losses_of
from metameasure.inference.methods.smoothed import of_pooled
from metameasure.inference.pooled_rows import COARSE, pool_numbers
from metameasure.inference.resampling import portion
from metameasure.inference.sample import Sample
from metameasure.kernels import ROUNDING, dot, is_rounding
from metameasure.measurement import (
    CaseMean,
    Differentiable,
    Extreme,
    OfCut,
    PairMean,
    Partial,
    partial_of,
    required_partial,
    walk,
)
from metameasure.table import Cut, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats
    from metameasure.inference.intervals import Plan
    from metameasure.measurement import Measure
    from metameasure.progress import Progress
    from metameasure.table import PartedTable, TablePart

    State = tuple[Any, ...]
    Totals = tuple[float, float]

WALKS = 4
"""Largest number of walks over the parts: values, histograms, and two rankings with added cases."""
METHODS = {
    Spread: "newcombe",
    Terms: "empirical_likelihood",
    ScoreTable: "smoothed",
    list: "linearized",
}
"""The methods of the limits that are computed from these."""
TOO_FEW = "the variance needs at least two cases per class"


class _Matrix(OfCut):
    """The confusion matrix at a threshold."""

    def value(self, measure: Measure, state: State, totals: Totals) -> Cut:  # noqa: ARG002
        return self.cut(state)


class _CoarsePools(Partial):
    """The table of the coarse pools from which smoothed classes are resampled.

    The state has, for each pool, its number, the weights of both classes, the sum of its scores,
    and its first and last score.
    """

    def of_part(self, measure: Measure, part: TablePart) -> State:  # noqa: ARG002
        kept = part.weight > 0
        number = pool_numbers(part, COARSE)[kept]
        score, pos, neg = part.score[kept], part.pos[kept], part.neg[kept]
        starts = np.concatenate([[0], np.flatnonzero(number[1:] != number[:-1]) + 1])
        ends = np.append(starts[1:], number.size) - 1
        with np.errstate(over="ignore"):
            sums = [np.add.reduceat(one, starts) for one in (pos, neg, score * (pos + neg))]
        return number[starts], *sums, score[starts], score[ends]

    def join(self, first: State, second: State) -> State:
        if first[0][-1] != second[0][0]:
            return tuple(np.concatenate(both) for both in zip(first, second, strict=True))
        sums = (a[-1:] + b[:1] for a, b in zip(first[1:4], second[1:4], strict=True))
        common = first[0][-1:], *sums, first[4][-1:], second[5][:1]
        between = zip(first, common, second, strict=True)
        return tuple(np.concatenate([a[:-1], c, b[1:]]) for a, c, b in between)

    def value(self, measure: Measure, state: State, totals: Totals) -> ScoreTable:  # noqa: ARG002
        _, pos, neg, total, first, last = state
        return ScoreTable.of_weights(np.clip(total / (pos + neg), last, first), pos, neg)


class _Spreads(Partial):
    """The variances of the structural components of both classes: numbers, means and squares."""

    def of_part(self, measure: Measure, part: TablePart) -> State:
        found = []
        for weight, values in zip((part.pos, part.neg), components(measure, part), strict=True):
            total = float(np.add.reduce(weight))
            mean = float(dot(weight, values)) / total if total else 0.0
            away = values - mean
            used = values[weight > 0]
            largest = float(np.max(np.abs(used), initial=0.0))
            found.append((total, mean, float(dot(weight, away * away)), largest))
        return tuple(found)

    def join(self, first: State, second: State) -> State:
        return tuple(_pooled(a, b) for a, b in zip(first, second, strict=True))

    def value(self, measure: Measure, state: State, totals: Totals) -> Spread:  # noqa: ARG002
        variances = [
            square / (n - 1) if square > n * (ROUNDING * largest) ** 2 else 0.0
            for n, _, square, largest in state
        ]
        return Spread(variances[0], variances[1], *totals)


def _pooled(first: State, second: State) -> State:
    """The number, mean and sum of squares of two groups of values (Chan, 1983), and their scale."""
    n = first[0] + second[0]
    if not n:
        return first
    gap = second[1] - first[1]
    mean = first[1] + gap * second[0] / n
    square = first[2] + second[2] + gap * gap * first[0] * second[0] / n
    return n, mean, square, max(first[3], second[3])


@dataclass(frozen=True, eq=False)
class _Range:
    """The mean of the terms of an empirical likelihood, and how far they reach.

    Attributes:
        mean: the mean of the terms.
        scales: by how much the distance of a positive and of a negative from the mean counts.
        seen: the smallest and the largest term of cases of each class, two rows of two.
        possible: the same of terms that cases of the class would have at one of the scores.
        entries: the number of terms that may differ.
        shifts: what the terms of the positives and of the negatives of each part lack.
    """

    mean: float
    scales: Floats
    seen: Floats
    possible: Floats
    entries: int
    shifts: Floats

    @property
    def varies(self) -> bool:
        """Whether terms differ by more than rounding."""
        seen = self.seen[np.isfinite(self.seen)]
        known = seen.size > 0 and math.isfinite(self.mean)
        return known and not is_rounding(seen - self.mean, seen)

    def away(self, ends: Floats) -> tuple[float, float]:
        """The smallest and the largest distance of ends from the mean."""
        away = self.scales * (ends - self.mean)
        return float(np.min(away[0])), float(np.max(away[1]))


def _values(measure: Measure, part: TablePart) -> tuple[Any, Any]:
    """The losses of both classes at each row, or their structural components within the part."""
    pairs = isinstance(measure.declaration.sampling, PairMean)
    return (components if pairs else losses_of)(measure, part)


class _TermRange(Partial):
    """What the empirical likelihood needs of terms before their histogram.

    The state has the weights and sums of both classes, the ends of the terms of cases and of those
    that are possible, the number of terms, and what each part adds to the positives of the parts
    above it and to the negatives of those below it.
    """

    def of_part(self, measure: Measure, part: TablePart) -> State:
        values, used = _values(measure, part), part.weight > 0
        weights, sums = np.zeros(2), np.zeros(2)
        seen, possible = np.array([[np.inf] * 2, [-np.inf] * 2]), np.empty((2, 2))
        entries = 0
        for place, (weight, value) in enumerate(zip((part.pos, part.neg), values, strict=True)):
            possible[:, place] = value[used].min(), value[used].max()
            counted, own = weight[weight > 0], value[weight > 0]
            if own.size:
                weights[place], sums[place] = counted.sum(), dot(counted, own)
                seen[:, place] = own.min(), own.max()
                entries += own.size
        adds = np.zeros(2)
        kind: Any = measure.declaration.sampling
        if isinstance(kind, PairMean) and kind.of_gaps:
            adds[:] = values[0][0], values[1][-1]
        return weights, sums, seen, possible, entries, adds[np.newaxis]

    def join(self, first: State, second: State) -> State:
        below, above = second[5][:, 0].sum(), first[5][:, 1].sum()
        first = self._moved(first, np.array([below, 0.0]))
        second = self._moved(second, np.array([0.0, above]))
        ends = (
            np.stack([np.minimum(a[0], b[0]), np.maximum(a[1], b[1])])
            for a, b in zip(first[2:4], second[2:4], strict=True)
        )
        counted = (a + b for a, b in zip(first[:2], second[:2], strict=True))
        adds = np.concatenate([first[5], second[5]])
        return *counted, *ends, first[4] + second[4], adds

    @staticmethod
    def _moved(state: State, by: Floats) -> State:
        """The state of a part to whose terms something is added."""
        weights, sums, seen, possible, entries, adds = state
        return weights, sums + by * weights, seen + by, possible + by, entries, adds

    def value(self, measure: Measure, state: State, totals: Totals) -> _Range:
        _, sums, seen, possible, entries, adds = state
        n, of_classes = float(sum(totals)), np.array(totals)
        pairs = isinstance(measure.declaration.sampling, PairMean)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = float(np.mean(sums / of_classes) if pairs else sums.sum() / n)
            scales = n / of_classes if pairs else np.ones(2)
        upto = np.cumsum(adds, axis=0)
        shifts = np.column_stack([upto[-1, 0] - upto[:, 0], upto[:, 1] - adds[:, 1]])
        return _Range(mean, scales, seen, possible, entries, shifts)


@dataclass(frozen=True)
class _Histogram(Partial):
    """The distances of terms from their mean, on a grid or, if there are few, each of them."""

    found: _Range

    def of_part(self, measure: Measure, part: TablePart) -> State:
        found, kept = self.found, []
        both = zip((part.pos, part.neg), _values(measure, part), strict=True)
        for place, (weight, value) in enumerate(both):
            away = value[weight > 0] + (found.shifts[part.number, place] - found.mean)
            kept.append((weight[weight > 0], found.scales[place] * away))
        counts, distances = (np.concatenate(one) for one in zip(*kept, strict=True))
        if found.entries <= BINS:
            return distances, counts
        return (spread_on(self._grid, np.clip(distances, *self._ends), counts),)

    @property
    def _ends(self) -> tuple[float, float]:
        return self.found.away(self.found.seen)

    @property
    def _grid(self) -> Floats:
        return np.linspace(*self._ends, BINS)

    def join(self, first: State, second: State) -> State:
        if self.found.entries <= BINS:
            return tuple(np.concatenate(both) for both in zip(first, second, strict=True))
        return (first[0] + second[0],)

    def value(self, measure: Measure, state: State, totals: Totals) -> Terms:
        away, counts = state if self.found.entries <= BINS else (self._grid, state[0])
        n = float(sum(totals))
        pairs = isinstance(measure.declaration.sampling, PairMean)
        kept = away[counts > 0], counts[counts > 0]
        least, most = self.found.away(self.found.possible)
        return Terms(self.found.mean, *kept, least, most, n, min(totals) if pairs else n)


def intervals_in_parts(
    table: PartedTable,
    measures: Sequence[Measure],
    plan: Plan,
    progress: Progress | None = None,
) -> dict[Measure, Interval]:
    """The values and intervals of measures, from up to four walks over the parts of a table."""
    asked: dict[Any, tuple[Measure, Partial]] = {
        ("value", measure): (measure, required_partial(measure)) for measure in measures
    }
    needed = {m: one for m in measures if (one := _needed(m, plan))}
    asked |= {("needed", measure): (measure, one) for measure, one in needed.items()}
    found = walk(table, asked, portion(progress, 0, WALKS))
    again: dict[Any, tuple[Measure, Partial]] = {
        measure: (measure, _Histogram(value))
        for (_, measure), value in found.items()
        if isinstance(value, _Range) and value.varies
    }
    terms = walk(table, again, portion(progress, 1, WALKS)) if again else {}
    terms |= _with_added_cases(table, [m for m in measures if _by_ends(m, plan)], progress)
    made: dict[Measure, Interval] = {}
    waiting: dict[tuple[str, Measure], Interval] = {}
    for measure in measures:
        value = float(measure.within_range(found["value", measure]))
        one = terms.get(measure, found.get(("needed", measure)))
        empty = Interval.empty(measure, value, plan, METHODS.get(type(one), "auto"))
        if isinstance(one, Cut):
            empty = _at_cut(measure, one, plan)
        elif empty.reason is None:
            empty = _limited(empty, one, plan, table.totals)
        if isinstance(one, ScoreTable) and empty.reason is None:
            waiting["model", measure], pooled = empty, one
        made[measure] = empty
    if waiting:
        made |= {measure: one for (_, measure), one in of_pooled(waiting, pooled, plan).items()}
    return made


def _with_added_cases(
    table: PartedTable, measures: Sequence[Measure], progress: Progress | None
) -> dict[Measure, list[tuple[float, float]]]:
    """The values and variances of the rankings with a part of a case added at the ends."""
    asked: dict[Any, tuple[Measure, Partial]] = {}
    for measure in measures:
        kind: Any = measure.declaration.sampling
        asked["value", measure] = measure, required_partial(measure)
        asked["variance", measure] = measure, kind.squares
    found: dict[Measure, list[tuple[float, float]]] = {measure: [] for measure in measures}
    positive, negative = (ADDED_AT_ENDS, 0.0), (0.0, ADDED_AT_ENDS)
    orders = ((negative, positive), (positive, negative)) if measures else ()
    for number, ends in enumerate(orders, start=2):
        of_ends = walk(table.with_ends(*ends), asked, portion(progress, number, WALKS))
        for measure in measures:
            each = (float(of_ends[what, measure]) for what in ("value", "variance"))
            found[measure].append((next(each), next(each)))
    return found


def has_interval_in_parts(measure: Measure, plan: Plan) -> bool:
    """Whether the value and the interval of a measure come from the parts of a table."""
    known = _needed(measure, plan) is not None or _by_ends(measure, plan)
    return known and partial_of(measure) is not None


def _fits_parts(plan: Plan) -> bool:
    """Whether intervals of this plan come from parts."""
    return plan.method == "auto" and not plan.stratified


def _by_ends(measure: Measure, plan: Plan) -> bool:
    """Whether the limits come from rankings with cases added at the ends."""
    kind = measure.declaration.sampling
    smooth = isinstance(kind, Differentiable) and kind.squares is not None
    return _fits_parts(plan) and smooth and has_influence(measure)


def _needed(measure: Measure, plan: Plan) -> Partial | None:
    """What an interval needs of the first walk besides the value; None if nothing is known."""
    if not _fits_parts(plan):
        return None
    kind = measure.declaration.sampling
    if measure.threshold is not None:
        return _Matrix()
    if isinstance(kind, PairMean) and measure.declaration.right_pairs:
        return _Spreads()
    if isinstance(kind, Extreme) and kind.pooled:
        return _CoarsePools()
    means = isinstance(kind, CaseMean) or (isinstance(kind, PairMean) and kind.of_gaps)
    return _TermRange() if means else None


def _at_cut(measure: Measure, cut: Cut, plan: Plan) -> Interval:
    """The interval of a measure at a threshold, from the confusion matrix."""
    table = ScoreTable.of_cut(cut, float(measure.threshold))  # type: ignore[arg-type]
    sample = Sample.of_table(table, "model")
    return measure_intervals(sample, {"model": [measure]}, plan)["model", measure]


def _limited(empty: Interval, found: Any, plan: Plan, sizes: tuple[float, float]) -> Interval:
    """The interval, or the same with the reason why there is none; that of pools is empty yet."""
    of_pairs = isinstance(empty.measure.declaration.sampling, PairMean)
    if (of_pairs or isinstance(found, ScoreTable | list)) and min(sizes) < 2:
        return replace(empty, reason=TOO_FEW if min(sizes) else "a class is empty")
    if isinstance(found, Spread):
        return limited(empty, Components(found.delong, found.n_pos, found.n_neg), plan)
    if isinstance(found, list):
        return limited_by(empty, found)
    if isinstance(found, Terms):
        return within_ends(empty, found.limits(plan.ci))
    if isinstance(found, _Range):
        independent = min(sizes) if of_pairs else sum(sizes)
        ends = float(found.possible[0].min()), float(found.possible[1].max())
        return without_variance(empty, found.mean, independent, ends)
    return empty
