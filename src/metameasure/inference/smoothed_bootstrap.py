"""The interval of a maximum: resamples from smoothed classes, and limits that know its bias.

A maximum over all cuts, or a function of the hull, exploits the roughness of a sample; a resample
of it is rougher still, so that ordinary bootstrap intervals lie too high and miss. Here the classes
are smoothed over the scores that were seen, and bias and spread are those of samples from the
smoothed classes around their own value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]

SLOTS = 4096
"""The least number of equally likely slots that a smoothed class is written as."""
ONE_BY_ONE = 8
"""The cases a row from which it is faster to draw how many a row gets than to draw each case."""
CELLS = 4096
REACH = 5.0
"""Where a normal kernel is taken to end, in standard deviations."""


@dataclass(frozen=True, eq=False)
class Smoothed:
    """Two smoothed classes over the rows of a table, to be drawn from.

    ``shares`` has, for each class, the part of it on each row.
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
        return ScoreTable._of(self.score, pos * self.n_pos, neg * self.n_neg)

    def prepare(self, models: Iterable[str]) -> None:
        """Nothing is to be found before threads start."""

    @property
    def size(self) -> int:
        """The number of cases of a resample."""
        return self.n_pos + self.n_neg

    @property
    def entries(self) -> int:
        """The numbers that are drawn for a resample."""
        return self.size if self.slots else 2 * self.score.size

    def draw(self, tables: int, rng: np.random.Generator, *, stratified: bool = False) -> Floats:
        """How many cases of each class fall on each row: the rows of the positives come first.

        Without strata the number of positives is random too, but there is one case of each class.
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
        """The same case by case, each in a slot of its class."""
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
        """The block of tables that counts of rows stand for."""
        rows = self.score.size
        made = ScoreTable.of_counts(self.score, counts[:, :rows], counts[:, rows:])
        return made.sharing(self.known)


def smooth(table: ScoreTable) -> tuple[Floats, Floats]:
    """The share of each class on each row, after smoothing over the rows that there are.

    The scale is that of normal scores of the pooled ranks, on which a row owns what lies between
    its ranks: so nothing depends on the scale of the scores, and rows with many cases stay as they
    are. The kernel is normal with the bandwidth sd m^(-1/5) for m cases, and the points are drawn
    together so that each class keeps its variance.
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
    """The share of a smoothed class below some places."""
    used = weight > 0
    places, weight = places[used], weight[used]
    total = float(weight.sum())
    mean = float(weight @ places) / total
    # One score says nothing of the spread; that of the scale itself is 1.
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
    """The row of each of so many equally likely slots."""
    upto = np.cumsum(share)
    rows = np.searchsorted(upto / upto[-1], (np.arange(slots) + 0.5) / slots)
    return np.minimum(rows, share.size - 1)


def smoothed_limits(
    value: float,
    centre: float,
    drawn: Floats,
    *,
    of: Literal["max", "min"],
    ends: tuple[float, float],
    sizes: tuple[int, ...],
    ci: float,
    by_chance: float | None = None,
) -> tuple[float, float]:
    """The limits of a maximum, from resamples of smoothed classes that themselves have ``centre``.

    On the scale from useless (0) to perfect (1), the bias is taken off, and the limits are those of
    a score interval with a spread that shrinks like 1 - x^2 towards perfection. Near uselessness
    the bias cannot be seen on this scale; there the squares are corrected, which have less of it.
    The value itself always lies within. Below the value that chance alone may have, the interval
    reaches down to nothing.
    """
    from scipy.special import stdtrit  # noqa: PLC0415

    useless, perfect = ends if of == "max" else ends[::-1]

    def scaled(number: Any) -> Any:
        return (number - useless) / (perfect - useless)

    seen, own, resampled = scaled(value), scaled(centre), scaled(drawn)
    mean, spread = float(resampled.mean()), float(resampled.std())
    quantile = float(stdtrit(max(min(sizes) - 1, 1), (1 + ci) / 2))
    corrected = min(max(seen - (mean - own), -1.0), 1.0)
    ratio = quantile**2 * spread**2 / (1 - mean**2) if spread > 0 and mean**2 < 1 else 0.0
    reach = math.sqrt(ratio * (1 + ratio - corrected**2))
    low, high = (corrected - reach) / (1 + ratio), (corrected + reach) / (1 + ratio)
    squares = np.square(resampled)
    excess = float(squares.mean()) - own**2
    square = seen**2 - excess + quantile * float(squares.std())
    high = max(high, math.sqrt(max(square, 0.0)), seen)
    if by_chance is not None and value < by_chance:
        low = 0.0
    limits = (useless + (perfect - useless) * min(max(x, 0.0), 1.0) for x in (low, high))
    first, second = limits
    return (first, second) if first <= second else (second, first)
