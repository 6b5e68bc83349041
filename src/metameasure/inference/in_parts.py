"""Intervals from the parts of a table that does not fit in memory.

They are those of the whole table: what an interval needs of the cases is a sum over the rows, or a
histogram of terms, which a second walk over the parts fills.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.intervals import Interval, measure_intervals
from metameasure.inference.methods.delong import Spread, components
from metameasure.inference.methods.empirical_likelihood import BINS, Terms, spread_on
from metameasure.inference.methods.newcombe import Components, limited
from metameasure.inference.methods.normal import losses_of, of_means
from metameasure.inference.sample import Sample
from metameasure.kernels import ROUNDING, dot
from metameasure.measurement import CaseMean, OfCut, PairMean, Partial, required_partial, walk
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats
    from metameasure.inference.intervals import Plan
    from metameasure.measurement import Measure
    from metameasure.table import Cut, PartedTable, TablePart

    State = tuple[Any, ...]
    Totals = tuple[float, float]

IN_MEMORY = "this interval needs all cases in memory"
OF_WEIGHTS = "an interval of weighted cases needs all cases in memory"


class _Matrix(OfCut):
    """The confusion matrix at a threshold."""

    def value(self, measure: Measure, state: State, totals: Totals) -> Cut:  # noqa: ARG002
        return self.cut(state, totals)


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


@dataclass(frozen=True)
class _Range:
    """The mean of losses, and the smallest and largest one of cases, and of both classes."""

    mean: float
    least: float
    most: float
    ends: tuple[float, float]
    entries: int

    @property
    def varies(self) -> bool:
        """Whether losses differ by more than rounding."""
        away = max(self.most - self.mean, self.mean - self.least)
        return bool(away > ROUNDING * max(abs(self.least), abs(self.most)))


class _LossRange(Partial):
    """What the empirical likelihood needs of losses before their histogram."""

    def of_part(self, measure: Measure, part: TablePart) -> State:
        losses, used = losses_of(measure, part), part.weight > 0
        observed = [
            (weight[weight > 0], loss[weight > 0])
            for weight, loss in zip((part.pos, part.neg), losses, strict=True)
        ]
        every = np.concatenate([loss for _, loss in observed])
        possible = np.concatenate([loss[used] for loss in losses])
        total = sum(float(dot(weight, loss)) for weight, loss in observed)
        return total, every.min(), every.max(), possible.min(), possible.max(), every.size

    def join(self, first: State, second: State) -> State:
        low, high = (
            [end(a, b) for a, b in zip(first[1:5], second[1:5], strict=True)] for end in (min, max)
        )
        entries = first[5] + second[5]
        return first[0] + second[0], low[0], high[1], low[2], high[3], entries

    def value(self, measure: Measure, state: State, totals: Totals) -> _Range:  # noqa: ARG002
        total, least, most, low, high, entries = state
        return _Range(total / sum(totals), float(least), float(most), (low, high), entries)


@dataclass(frozen=True)
class _Histogram(Partial):
    """The distances of losses from their mean, on a grid or, if there are few, each of them."""

    found: _Range

    def of_part(self, measure: Measure, part: TablePart) -> State:
        losses = losses_of(measure, part)
        pairs = zip((part.pos, part.neg), losses, strict=True)
        kept = [(weight[weight > 0], loss[weight > 0] - self.found.mean) for weight, loss in pairs]
        counts, away = (np.concatenate(one) for one in zip(*kept, strict=True))
        if self.found.entries <= BINS:
            return away, counts
        return (spread_on(self._grid, away, counts),)

    @property
    def _grid(self) -> Floats:
        ends = self.found.least - self.found.mean, self.found.most - self.found.mean
        return np.linspace(*ends, BINS)

    def join(self, first: State, second: State) -> State:
        if self.found.entries <= BINS:
            return tuple(np.concatenate(both) for both in zip(first, second, strict=True))
        return (first[0] + second[0],)

    def value(self, measure: Measure, state: State, totals: Totals) -> Terms:  # noqa: ARG002
        away, counts = state if self.found.entries <= BINS else (self._grid, state[0])
        n, mean = float(sum(totals)), self.found.mean
        least, most = (end - mean for end in self.found.ends)
        return Terms(mean, away[counts > 0], counts[counts > 0], least, most, n, n)


def intervals_in_parts(
    table: PartedTable, measures: Sequence[Measure], plan: Plan, *, weighted: bool
) -> dict[Measure, Interval]:
    """The values and intervals of measures, from one or two walks over the parts of a table."""
    asked: dict[Any, tuple[Measure, Partial]] = {
        ("value", measure): (measure, required_partial(measure)) for measure in measures
    }
    for measure in measures:
        needed = None if weighted else _needed(measure, plan)
        if needed is not None:
            asked["needed", measure] = measure, needed
    found = walk(table, asked)
    again: dict[Any, tuple[Measure, Partial]] = {
        measure: (measure, _Histogram(value))
        for (_, measure), value in found.items()
        if isinstance(value, _Range) and value.varies and np.isfinite(value.mean)
    }
    terms = walk(table, again) if again else {}
    return {
        measure: _interval(
            measure,
            float(measure.within_range(found["value", measure])),
            terms.get(measure, found.get(("needed", measure))),
            plan,
            OF_WEIGHTS if weighted else IN_MEMORY,
        )
        for measure in measures
    }


def _needed(measure: Measure, plan: Plan) -> Partial | None:
    """What an interval needs besides the value; None if it needs all cases."""
    if plan.method != "auto" or plan.stratified:
        return None
    kind = measure.declaration.sampling
    if measure.threshold is not None:
        return _Matrix()
    if isinstance(kind, PairMean) and measure.declaration.right_pairs:
        return _Spreads()
    return _LossRange() if isinstance(kind, CaseMean) else None


def _interval(measure: Measure, value: float, found: Any, plan: Plan, otherwise: str) -> Interval:
    from metameasure.table import Cut  # noqa: PLC0415

    if isinstance(found, Cut):
        table = ScoreTable.of_cut(found, float(measure.threshold))  # type: ignore[arg-type]
        sample = Sample.of_table(table, "model")
        return measure_intervals(sample, {"model": [measure]}, plan)["model", measure]
    methods = {Spread: "newcombe", Terms: "empirical_likelihood"}
    method = methods.get(type(found), "auto")
    empty = Interval.empty(measure, value, plan, method)
    if empty.reason is not None:
        return empty
    if isinstance(found, Spread):
        if min(found.n_pos, found.n_neg) < 2:
            return replace(empty, reason="the variance needs at least two cases per class")
        return limited(empty, Components(found.delong, found.n_pos, found.n_neg), plan)
    if isinstance(found, Terms):
        kind: Any = measure.declaration.sampling
        low, high = measure.ends
        limits = found.limits(plan.ci)
        return empty.between(of_means((max(limits[0], low), min(limits[1], high)), kind))
    return replace(empty, reason=otherwise)
