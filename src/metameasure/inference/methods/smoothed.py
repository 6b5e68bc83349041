"""Bootstrap intervals of a maximum, corrected for its bias: of the cases, and of smoothed classes.

A maximum over all cuts, or a function of the hull, is biased upwards on a sample and more so on a
resample, so that ordinary bootstrap intervals lie too high and undercover. Smoothed classes are
distributions over the observed scores, and bias and variance are those of samples from them around
their own value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.effective import effective_sizes, kish_sizes
from metameasure.inference.methods.bootstrap import BootstrapMethod, Resampled, by_model, defined
from metameasure.inference.methods.method import Method, register
from metameasure.inference.poisson_numbers import PoissonNumbers
from metameasure.inference.pooled_rows import COARSE, Pools, serves_by_declaration
from metameasure.inference.resampling import portion, replicate
from metameasure.inference.sample import Sample
from metameasure.inference.smoothing import smooth
from metameasure.measurement import Extreme
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure._types import Floats, Indices
    from metameasure.inference.intervals import Interval, Intervals, Plan
    from metameasure.inference.resampling import Values
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress


SLOTS = 4096
"""Minimum number of equally likely slots by which a smoothed class is represented."""
ONE_BY_ONE = 8
"""Cases per row from which it is faster to draw the counts of the rows than each case."""
FEWEST = 1.2
"""Effective number of cases of a class below which one of them has nine tenths of the weight."""
PRECISION = 0.02
"""Standard error of a limit, relative to the length of the interval, at which drawing stops."""


def corrected_limits(
    empty: Interval, drawn: Resampled, by_chance: float | None = None
) -> tuple[float, float]:
    """The limits of a maximum or minimum, from resamples of something with a value of its own.

    On the scale from useless (0) to perfect (1), the bias is subtracted, and the limits are those
    of a score interval with a variance proportional to (1 - x^2)^2. Near 0 the bias is not visible
    on this scale; there the squares are corrected, which have less of it. The bias of absolute
    differences decreases as they grow, so that less of it is subtracted for the upper limit. The
    value itself always lies within the limits. Below the value that is expected by chance, the
    lower limit is 0.
    """
    from scipy.special import stdtrit  # noqa: PLC0415

    kind: Any = empty.measure.declaration.sampling
    ends = empty.measure.declaration.range
    useless, perfect = ends if kind.of == "max" else ends[::-1]

    def scaled(number: Any) -> Any:
        return (number - useless) / (perfect - useless)

    seen, own, resampled = map(scaled, (empty.value, drawn.own, drawn.values))
    mean, spread = float(resampled.mean()), float(resampled.std())
    quantile = float(stdtrit(max(min(drawn.sizes) - 1, 1), (1 + empty.ci) / 2))
    bias = mean - own
    corrected = min(max(seen - bias, -1.0), 1.0)
    ratio = quantile**2 * spread**2 / (1 - mean**2) if spread > 0 and mean**2 < 1 else 0.0
    reach = math.sqrt(ratio * (1 + ratio - corrected**2))
    low, high = (corrected - reach) / (1 + ratio), (corrected + reach) / (1 + ratio)
    squares = np.square(resampled)
    excess = float(squares.mean()) - own**2
    square = seen**2 - excess + quantile * float(squares.std())
    high = max(high, math.sqrt(max(square, 0.0)), seen)
    if kind.upper_bias < 1:
        high = max(high, seen - kind.upper_bias * bias + quantile * spread)
    if by_chance is not None and empty.value < by_chance:
        low = 0.0
    limits = (useless + (perfect - useless) * min(max(x, 0.0), 1.0) for x in (low, high))
    first, second = limits
    return (first, second) if first <= second else (second, first)


class Corrected(BootstrapMethod):
    """The bootstrap of the cases, with the bias of the resamples subtracted."""

    name = "corrected"
    kinds = (Extreme,)
    limits_from = "moments"

    def resampled(self, empty: Interval, drawn: Resampled) -> Interval:
        """The corrected limits, which are those of the value itself."""
        return empty.between(corrected_limits(empty, drawn))


@dataclass(frozen=True, eq=False)
class Smoothed:
    """Two smoothed classes over the rows of a table, from which resamples are drawn.

    Attributes:
        score: the score of each row.
        shares: the fraction of each class on each row, first that of the positives.
        sizes: the effective number of cases of each class.
        units: the weight of an effective case of each class.
    """

    score: Floats
    shares: tuple[Floats, Floats]
    sizes: tuple[int, int]
    units: tuple[float, float]
    known: dict[Any, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, table: ScoreTable, sizes: tuple[float, float] | None = None) -> Smoothed:
        """The classes of a table, smoothed; unweighted cases are their own effective number."""
        weights = float(table.P), float(table.N)
        effective = [max(round(size), 1) for size in sizes or weights]
        units = [weight / size for weight, size in zip(weights, effective, strict=True)]
        shares = smooth(table, (effective[0], effective[1]))
        return cls(table.score, shares, (effective[0], effective[1]), (units[0], units[1]))

    @cached_property
    def slots(self) -> tuple[Indices, Indices] | None:
        """The row of each equally likely slot of each class, if cases are drawn one by one."""
        if self.size >= ONE_BY_ONE * self.score.size:
            return None
        positives, negatives = (
            _slots(share, max(SLOTS, 2 * size))
            for share, size in zip(self.shares, self.sizes, strict=True)
        )
        return positives, negatives

    @cached_property
    def _numbers(self) -> PoissonNumbers:
        """The number of cases of each class on each row, if these are drawn."""
        return PoissonNumbers(
            np.concatenate([n * share for n, share in zip(self.sizes, self.shares, strict=True)])
        )

    @property
    def table(self) -> ScoreTable:
        """The table of the smoothed classes themselves."""
        shares = list(self.shares)
        if self.slots:
            shares = [np.bincount(s, minlength=self.score.size) / s.size for s in self.slots]
        weights = (size * unit for size, unit in zip(self.sizes, self.units, strict=True))
        pos, neg = (share * weight for share, weight in zip(shares, weights, strict=True))
        return ScoreTable.of_weights(self.score, pos, neg)

    def prepare(self, models: Iterable[str]) -> None:
        """Nothing has to be computed before threads start."""

    @property
    def size(self) -> int:
        """The number of cases of a resample."""
        return sum(self.sizes)

    @property
    def entries(self) -> int:
        """Number of entries that are drawn per resample."""
        return self.size if self.slots else 2 * self.score.size

    def draw(self, tables: int, rng: np.random.Generator, *, stratified: bool = False) -> Floats:
        """The number of cases of each class on each row; the rows of the positives come first.

        Without strata the number of positives is random, but each class has at least one case.
        """
        if self.slots is None:
            return self._draw_rows(tables, rng, stratified=stratified)
        n_pos = np.full(tables, self.sizes[0])
        if not stratified:
            n_pos = rng.binomial(self.size, self.sizes[0] / self.size, size=tables)
            n_pos = np.clip(n_pos, 1, self.size - 1)
        return self._draw_cases(n_pos, self.slots, rng)

    def _draw_rows(self, tables: int, rng: np.random.Generator, *, stratified: bool) -> Floats:
        """The same for many cases: each row has a Poisson number of each class.

        Given their totals, these numbers are multinomial. In strata the totals are scaled to the
        sizes of the classes.
        """
        drawn = self._numbers.draw(tables, rng)
        means, rows = self._numbers.means, self.score.size
        for first, size in zip((0, rows), self.sizes, strict=True):
            of_class = drawn[:, first : first + rows]
            total = of_class.sum(axis=1)
            of_class[total == 0] = means[first : first + rows]
            if stratified:
                np.multiply(of_class, (size / of_class.sum(axis=1))[:, np.newaxis], out=of_class)
        return drawn

    def _draw_cases(
        self, n_pos: Indices, slots: tuple[Indices, Indices], rng: np.random.Generator
    ) -> Floats:
        """The same, drawn case by case, each in a slot of its class."""
        positives, negatives = slots
        is_pos = np.arange(self.size) < n_pos[:, np.newaxis]
        place = rng.random(is_pos.shape)
        place *= np.where(is_pos, positives.size, negatives.size)
        slot = place.astype(np.int64)
        slot += np.where(is_pos, 0, positives.size)
        cells = 2 * self.score.size
        cell = np.take(np.concatenate([positives, negatives + self.score.size]), slot)
        cell += np.arange(0, n_pos.size * cells, cells)[:, np.newaxis]
        counts = np.bincount(cell.reshape(-1), minlength=n_pos.size * cells)
        return np.asarray(counts.reshape(-1, cells), np.float64)

    def block(self, model: str, counts: Floats) -> ScoreTable:  # noqa: ARG002 - there is only one
        """The block of tables with these counts per row."""
        rows = self.score.size
        pos, neg = counts[:, :rows], counts[:, rows:]
        if self.units == (1.0, 1.0):
            made = ScoreTable.of_counts(self.score, pos, neg)
        else:
            made = ScoreTable.of_weights(self.score, pos * self.units[0], neg * self.units[1])
        return made.sharing(self.known)


def _slots(share: Floats, slots: int) -> Indices:
    """The row of each of several equally likely slots."""
    upto = np.cumsum(share)
    rows = np.searchsorted(upto / upto[-1], (np.arange(slots) + 0.5) / slots)
    return np.minimum(rows, share.size - 1)


class SmoothedBootstrap(Method):
    """Resamples from smoothed classes, and limits corrected for the bias."""

    name = "smoothed"
    reference = "silverman1987"
    kinds = (Extreme,)
    any_cases = True
    limits_from = "moments"

    @staticmethod
    def intervals(
        empty: Intervals, sample: AnySample, plan: Plan, progress: Progress | None
    ) -> Intervals:
        """The intervals of all models, which are smoothed one after the other."""
        assert isinstance(sample, Sample)  # noqa: S101 - only two classes are smoothed
        asked = by_model(empty)
        made: Intervals = {}
        for part, (model, chosen) in enumerate(asked.items()):
            own_progress = portion(progress, part, len(asked))
            of_model = {(model, measure): empty[model, measure] for measure in chosen}
            made |= _of_model(of_model, sample, model, plan, own_progress)
        return made


def _of_model(
    empty: Intervals, sample: Sample, model: str, plan: Plan, progress: Progress | None
) -> Intervals:
    """The intervals of the measures of one model."""
    reason, seen = sample.too_few, sample.tables[model]
    if not seen.P * seen.N:
        reason = "a class is empty and cannot be smoothed"
    elif min(kish_sizes(sample)) < FEWEST:
        reason = reason or "one case has more than nine tenths of the weight of its class"
    if reason:
        return {key: replace(one, reason=reason) for key, one in empty.items()}
    sizes = effective_sizes(sample, model, plan.ci)
    parts = _parts(seen, sizes, [measure for _, measure in empty], plan)
    made: Intervals = {}
    for number, (part, measures) in enumerate(parts):
        of_part = {(model, measure): empty[model, measure] for measure in measures}
        made |= _resampled(of_part, part, seen, plan, portion(progress, number, len(parts)))
    return made


def _parts(
    seen: ScoreTable, sizes: tuple[float, float], measures: Sequence[Measure], plan: Plan
) -> list[tuple[Smoothed, list[Measure]]]:
    """The smoothed classes that are resampled, with the measures for which they are.

    Neighboring rows are pooled for the measures that declare it, and for others by trying it.
    """
    coarse = Pools.of(_effective(seen, sizes), COARSE)
    if coarse.whole:
        return [(Smoothed.of(seen, sizes), list(measures))]
    pooled = [measure for measure in measures if serves_by_declaration(measure)]
    rest = [measure for measure in measures if measure not in pooled]
    parts = [(Smoothed.of(coarse.pooled(seen), sizes), pooled)] if pooled else []
    return parts + _tried_parts(seen, sizes, rest, plan) if rest else parts


def _tried_parts(
    seen: ScoreTable, sizes: tuple[float, float], measures: list[Measure], plan: Plan
) -> list[tuple[Smoothed, list[Measure]]]:
    """The same for measures without a declaration: of many cases, pools are tried."""
    whole = Smoothed.of(seen, sizes)
    if not Pools.are_worthwhile(whole.size):
        return [(whole, measures)]
    fine = Pools.of(seen)
    served = fine.serve(whole, whole.table, "model", measures, plan)
    rest = [measure for measure in measures if measure not in served]
    parts = [(Smoothed.of(fine.pooled(seen), sizes), served), (whole, rest)]
    return [part for part in parts if part[1]]


def _effective(seen: ScoreTable, sizes: tuple[float, float]) -> ScoreTable:
    """The same table with the weight of each class scaled to its effective number of cases."""
    pos, neg = seen.pos * (sizes[0] / seen.P), seen.neg * (sizes[1] / seen.N)
    return ScoreTable.of_weights(seen.score, pos, neg)


def of_pooled(empty: Intervals, pooled: ScoreTable, plan: Plan) -> Intervals:
    """The intervals of measures that pools serve, from the coarse pools of independent cases."""
    return _resampled(empty, Smoothed.of(pooled), pooled, plan, None)


def _resampled(
    empty: Intervals, population: Smoothed, seen: ScoreTable, plan: Plan, progress: Progress | None
) -> Intervals:
    """The intervals of some measures from resamples of the same smoothed classes."""
    ((model, measures),) = by_model(empty).items()
    own = {key: float(key[1].compute(population.table)) for key in empty}
    effective = _effective(seen, population.sizes)
    chances = {key: _by_chance(one, effective) for key, one in empty.items()}

    def made(drawn: Values) -> Intervals:
        return {
            key: _limited(one, drawn[key], own[key], population.sizes, chances[key])
            for key, one in empty.items()
        }

    def enough(drawn: Values) -> bool:
        return all(
            _error(drawn[key], one.ci) <= PRECISION * (one.high - one.low)
            for key, one in made(drawn).items()
            if one.reason is None
        )

    return made(replicate(population, {model: measures}, plan, progress, enough))


def _by_chance(empty: Interval, effective: ScoreTable) -> float | None:
    """The value that is expected by chance for an effective number of cases, if it is known."""
    kind: Any = empty.measure.declaration.sampling
    if kind.by_chance is None:
        return None
    return float(kind.by_chance(effective, 1 - empty.ci, **dict(empty.measure.parameters)))


def _limited(
    empty: Interval, drawn: Floats, own: float, sizes: tuple[int, int], by_chance: float | None
) -> Interval:
    """The interval of one maximum from its values on resamples of smoothed classes."""
    values, counted = defined(drawn, empty)
    if counted.reason is not None:
        return counted
    low, high = corrected_limits(counted, Resampled(own, values, None, sizes), by_chance)
    found = counted.between((min(low, counted.value), max(high, counted.value)))
    return found.or_bound(min(sizes))


def _error(drawn: Floats, ci: float) -> float:
    """The standard error of a limit that is a mean and some standard deviations of resamples."""
    values = drawn[~np.isnan(drawn)]
    off = values - values.mean()
    square = float(np.mean(off**2))
    if square == 0:
        return 0.0
    kurtosis = float(np.mean(off**4)) / square**2
    quantile = NormalDist().inv_cdf((1 + ci) / 2)
    return math.sqrt(square * (1 + quantile**2 * (kurtosis - 1) / 4) / values.size)


for _method in (Corrected(), SmoothedBootstrap()):
    register(_method)
