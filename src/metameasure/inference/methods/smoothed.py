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
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.methods.bootstrap import BootstrapMethod, Resampled, by_model, defined
from metameasure.inference.methods.method import Method, register
from metameasure.inference.pooled_rows import Pools
from metameasure.inference.resampling import portion, replicate
from metameasure.measurement import Extreme
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure._types import Floats, Indices
    from metameasure.inference.intervals import Interval, Intervals, Plan
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure
    from metameasure.progress import Progress


SLOTS = 4096
"""Minimum number of equally likely slots by which a smoothed class is represented."""
ONE_BY_ONE = 8
"""Cases per row from which it is faster to draw the counts of the rows than each case."""
CELLS = 4096
"""Number of cells of the grid on which a class is smoothed."""
REACH = 5.0
"""Half-width of the normal kernel, in standard deviations."""


def corrected_limits(
    empty: Interval, drawn: Resampled, by_chance: float | None = None
) -> tuple[float, float]:
    """The limits of a maximum or minimum, from resamples of something with a value of its own.

    On the scale from useless (0) to perfect (1), the bias is subtracted, and the limits are those
    of a score interval with a variance proportional to (1 - x^2)^2. Near 0 the bias is not visible
    on this scale; there the squares are corrected, which have less of it. The value itself always
    lies within the limits. Below the value that is expected by chance, the lower limit is 0.
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
    corrected = min(max(seen - (mean - own), -1.0), 1.0)
    ratio = quantile**2 * spread**2 / (1 - mean**2) if spread > 0 and mean**2 < 1 else 0.0
    reach = math.sqrt(ratio * (1 + ratio - corrected**2))
    low, high = (corrected - reach) / (1 + ratio), (corrected + reach) / (1 + ratio)
    squares = np.square(resampled)
    excess = float(squares.mean()) - own**2
    square = seen**2 - excess + quantile * float(squares.std())
    high = max(high, math.sqrt(max(square, 0.0)), seen)
    if by_chance is not None and empty.value < by_chance:
        low = 0.0
    limits = (useless + (perfect - useless) * min(max(x, 0.0), 1.0) for x in (low, high))
    first, second = limits
    return (first, second) if first <= second else (second, first)


class Corrected(BootstrapMethod):
    """The bootstrap of the cases, with the bias of the resamples subtracted."""

    name = "corrected"
    kinds = (Extreme,)

    def resampled(self, empty: Interval, drawn: Resampled) -> Interval:
        """The corrected limits, which are those of the value itself."""
        return empty.between(corrected_limits(empty, drawn))


@dataclass(frozen=True, eq=False)
class Smoothed:
    """Two smoothed classes over the rows of a table, from which resamples are drawn.

    ``shares`` has, for each class, its fraction on each row.
    """

    score: Floats
    shares: tuple[Floats, Floats]
    n_pos: int
    n_neg: int
    known: dict[Any, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, table: ScoreTable) -> Smoothed:
        """The classes of a table of unweighted cases, smoothed."""
        return cls(table.score, smooth(table), int(table.P), int(table.N))

    @cached_property
    def slots(self) -> tuple[Indices, Indices] | None:
        """The row of each equally likely slot of each class, if cases are drawn one by one."""
        if self.size >= ONE_BY_ONE * self.score.size:
            return None
        positives, negatives = (
            _slots(share, max(SLOTS, 2 * size))
            for share, size in zip(self.shares, (self.n_pos, self.n_neg), strict=True)
        )
        return positives, negatives

    @property
    def table(self) -> ScoreTable:
        """The table of the smoothed classes themselves."""
        pos, neg = self.shares
        if self.slots:
            pos, neg = (np.bincount(s, minlength=self.score.size) / s.size for s in self.slots)
        return ScoreTable.of_weights(self.score, pos * self.n_pos, neg * self.n_neg)

    def prepare(self, models: Iterable[str]) -> None:
        """Nothing has to be computed before threads start."""

    @property
    def size(self) -> int:
        """The number of cases of a resample."""
        return self.n_pos + self.n_neg

    @property
    def entries(self) -> int:
        """Number of entries that are drawn per resample."""
        return self.size if self.slots else 2 * self.score.size

    def draw(self, tables: int, rng: np.random.Generator, *, stratified: bool = False) -> Floats:
        """The number of cases of each class on each row; the rows of the positives come first.

        Without strata the number of positives is random, but each class has at least one case.
        """
        n_pos = np.full(tables, self.n_pos)
        if not stratified:
            n_pos = rng.binomial(self.size, self.n_pos / self.size, size=tables)
            n_pos = np.clip(n_pos, 1, self.size - 1)
        if self.slots:
            return self._draw_cases(n_pos, self.slots, rng)
        sizes = n_pos, self.size - n_pos
        drawn = [rng.multinomial(n, share) for n, share in zip(sizes, self.shares, strict=True)]
        return np.concatenate(drawn, axis=1).astype(np.float64)

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
        made = ScoreTable.of_counts(self.score, counts[:, :rows], counts[:, rows:])
        return made.sharing(self.known)


def smooth(table: ScoreTable) -> tuple[Floats, Floats]:
    """The fraction of each class on each row, smoothed over the observed rows.

    The scale is that of normal scores of the pooled ranks, on which a row covers the interval of
    its ranks: nothing depends on the scale of the scores, and rows with many cases hardly change.
    The kernel is normal with the bandwidth sd m^(-1/5) for m cases, and the points are shrunk to
    their mean so that each class keeps its variance.
    """
    from scipy.special import ndtri  # noqa: PLC0415

    upto = (table.tp + table.fp)[1:] / table.n
    edges = -ndtri(upto[:-1])
    places = -ndtri(upto - table.weight / 2 / table.n)
    found = []
    for weight in (table.pos, table.neg):
        above = 1 - _smoothed_share(places, weight, edges)
        found.append(np.maximum(np.diff(above, prepend=0.0, append=1.0), 0.0))
    return found[0], found[1]


def _smoothed_share(places: Floats, weight: Floats, at: Floats) -> Floats:
    """The fraction of a smoothed class below some places."""
    used = weight > 0
    places, weight = places[used], weight[used]
    total = float(weight.sum())
    mean = float(weight @ places) / total
    # One score has no spread; that of the scale itself is 1.
    spread = 1.0
    if places.size > 1:
        spread = math.sqrt(float(weight @ np.square(places - mean)) / (total - 1))
    relative = total**-0.2
    shrink = 1 / math.sqrt(1 + relative**2)
    points, width = mean + (places - mean) * shrink, spread * relative * shrink
    grid = np.linspace(points.min() - REACH * width, points.max() + REACH * width, CELLS)
    step = grid[1] - grid[0]
    cell, part = np.divmod((points - grid[0]) / step, 1.0)
    left = np.minimum(cell.astype(np.int64), CELLS - 2)
    mass = np.bincount(left, weight * (1 - part), CELLS)
    mass += np.bincount(left + 1, weight * part, CELLS)
    half = math.ceil(REACH * width / step)
    kernel = np.exp(-0.5 * np.square(np.arange(-half, half + 1) * step / width))
    density = np.convolve(mass, kernel)[half : half + CELLS]
    below = (np.cumsum(density) - density / 2) / density.sum()
    return np.asarray(np.interp(at, grid, below, left=0.0, right=1.0))


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

    @staticmethod
    def intervals(
        empty: Intervals, sample: AnySample, plan: Plan, progress: Progress | None
    ) -> Intervals:
        """The intervals of all models, which are smoothed one after the other."""
        asked = by_model(empty)
        made: Intervals = {}
        for part, (model, chosen) in enumerate(asked.items()):
            own_progress = portion(progress, part, len(asked))
            made |= _of_model(empty, sample, model, chosen, plan, own_progress)
        return made


def _of_model(
    empty: Intervals,
    sample: AnySample,
    model: str,
    chosen: Sequence[Measure],
    plan: Plan,
    progress: Progress | None,
) -> Intervals:
    """The intervals of the measures of one model."""
    reason, seen = sample.too_few, sample.tables[model]
    assert isinstance(seen, ScoreTable)  # noqa: S101 - only two classes are smoothed
    if not seen.P * seen.N:
        reason = "a class is empty and cannot be smoothed"
    if reason:
        return {(model, m): replace(empty[model, m], reason=reason) for m in chosen}
    population, rest = Smoothed.of(seen), list(chosen)
    parts = []
    if Pools.are_worthwhile(population.size):
        pools = Pools.of(seen)
        served = pools.serve(population, population.table, model, rest, plan)
        parts.append((Smoothed.of(pools.pooled(seen)), served))
        rest = [measure for measure in rest if measure not in served]
    parts = [part for part in (*parts, (population, rest)) if part[1]]
    made = {}
    for number, (part, measures) in enumerate(parts):
        own_progress = portion(progress, number, len(parts))
        drawn = replicate(part, {model: measures}, plan, own_progress)
        for measure in measures:
            key = model, measure
            made[key] = _of_measure(empty[key], drawn[key], part, seen)
    return made


def _of_measure(empty: Interval, drawn: Floats, population: Smoothed, seen: ScoreTable) -> Interval:
    """The interval of one maximum from its values on resamples of smoothed classes."""
    measure = empty.measure
    values, counted = defined(drawn, empty)
    if counted.reason is not None:
        return counted
    kind, by_chance = measure.declaration.sampling, None
    if isinstance(kind, Extreme) and kind.by_chance is not None:
        by_chance = kind.by_chance(seen, 1 - empty.ci, **dict(measure.parameters))
    own = float(measure.compute(population.table))
    found = Resampled(own, values, None, (population.n_pos, population.n_neg))
    return counted.between(corrected_limits(counted, found, by_chance))


for _method in (Corrected(), SmoothedBootstrap()):
    register(_method)
