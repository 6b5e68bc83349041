"""Exchanges of the scores of two models between them, case by case.

The cases of both models are rows of one table, so that nothing is sorted again: an exchange changes
only which row of a case counts for which model. The rows, and pools of them, do not depend on which
model a score came from, so that every exchange has the same ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.pooled_rows import Pools
from metameasure.kernels import for_size
from metameasure.measurement import Extreme
from metameasure.table import Places, ScoreTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices
    from metameasure.inference.sample import Sample
    from metameasure.measurement import Measure

    Swaps = NDArray[np.uint8]

BETWEEN = 0.25
"""By how much a rank is moved to break a tie; ranks differ by a half at least."""


@dataclass(frozen=True, eq=False)
class Exchange:
    """The cases of two models on the rows of one table.

    Attributes:
        measure: the measure whose values are compared.
        sample: the cases.
        score: the score of each row.
        first, second: the cell of each case by either model: its row or, for a negative, its row
            plus the number of rows.
    """

    measure: Measure
    sample: Sample
    score: Floats
    first: Indices
    second: Indices
    _known: dict[Any, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, measure: Measure, sample: Sample, models: tuple[str, str]) -> Exchange:
        """The exchange of the scores of two models, or of their ranks if only these count."""
        scores = _comparable(measure, sample, models)
        places = Places.of(scores, np.tile(sample.positive, 2))
        rows = places.row + places.score.size * np.tile(~sample.positive, 2)
        return cls(measure, sample, places.score, rows[: sample.size], rows[sample.size :])

    def pooled(self) -> Exchange:
        """The same with neighboring rows pooled."""
        pools = Pools.of(self._table(self._counts(self.first) + self._counts(self.second)))
        if pools.whole:
            return self
        sizes = np.diff(pools.starts, append=self.score.size)
        pool = np.repeat(np.arange(pools.starts.size), sizes)
        cells = np.concatenate([pool, pool + pools.starts.size])
        parts = cells[self.first], cells[self.second]
        return Exchange(self.measure, self.sample, pools.score, *parts)

    @property
    def entries(self) -> int:
        """Number of entries of an exchange: the cases, and the cells of both tables."""
        return self.sample.size + 4 * self.score.size

    @property
    def observed(self) -> float:
        """The difference of the two values without an exchange."""
        return float(self.differences(np.zeros((1, self.sample.units), np.uint8))[0])

    def draw(self, tables: int, rng: np.random.Generator) -> Swaps:
        """Which units are exchanged, at random: (tables, units)."""
        units = self.sample.units
        drawn = rng.integers(0, 256, (tables, -(-units // 8)), dtype=np.uint8)
        return np.unpackbits(drawn, axis=1, count=units)

    def random_differences(self, tables: int, rng: np.random.Generator) -> Floats:
        """The differences of the two values after random exchanges."""
        return self.differences(self.draw(tables, rng))

    def differences(self, swapped: Swaps) -> Floats:
        """The differences of the two values after these exchanges; NaN where one is undefined."""
        if self.sample.cluster is not None:
            swapped = np.take(swapped, self.sample.cluster, axis=1)
        tables = (
            self._exchanged(self.first, self.second, swapped),
            self._exchanged(self.second, self.first, swapped),
        )
        first, second = (
            self.measure.of_block(table) - self._by_chance(table)
            for table in map(self._table, tables)
        )
        with np.errstate(invalid="ignore"):
            return np.asarray(first - second)

    @property
    def by_chance(self) -> float:
        """The difference of what both values have by chance alone, without an exchange."""
        first, second = (
            float(self._by_chance(self._table(self._counts(cells))))
            for cells in (self.first, self.second)
        )
        return first - second

    def _by_chance(self, table: ScoreTable) -> Any:
        """What a value has by chance alone, if the measure declares it."""
        kind = self.measure.declaration.sampling
        if not isinstance(kind, Extreme) or kind.chance_mean is None:
            return 0.0
        weight = self._weight
        unit = float(weight @ weight) / float(weight.sum()) if weight.size else 1.0
        return math.sqrt(unit) * kind.chance_mean(table, **dict(self.measure.parameters))

    def _exchanged(self, own: Indices, other: Indices, swapped: Swaps) -> Floats:
        """The weight in each cell for a model, some of whose cases are exchanged."""
        kernels: Any = for_size(self.sample.size)
        found: Floats = kernels.exchanged_cells(
            own, other, swapped, self._weight, 2 * self.score.size
        )
        return found

    @property
    def _weight(self) -> Floats:
        """The weight of each case; empty if all weigh 1."""
        return np.empty(0) if self.sample.weight is None else self.sample.weight

    def _counts(self, cells: Indices) -> Floats:
        """The weight in each cell."""
        return np.asarray(np.bincount(cells, self.sample.weight, 2 * self.score.size), np.float64)

    def _table(self, counts: Floats) -> ScoreTable:
        """The table, or block of tables, with these weights in its cells."""
        made = ScoreTable.of_counts if self.sample.weight is None else ScoreTable.of_weights
        pos, neg = np.split(counts, 2, axis=-1)
        return made(self.score, pos, neg).sharing(self._known)


def _comparable(measure: Measure, sample: Sample, models: tuple[str, str]) -> Floats:
    """The scores of the first model and of the second, or ranks if a measure depends only on these.

    Ranks are those of the cases, also of weighted ones: by weight, a case with most of the weight
    would have the same rank in all models, and an exchange of its ranks would change nothing.
    """
    if "monotone" not in measure.declaration.invariant_to:
        return np.concatenate([sample.scores[model] for model in models]).astype(np.float64)
    first, second = (_ranks(sample.places(model).row) for model in models)
    return _without_ties(first, second)


def _ranks(row: Indices) -> Floats:
    """The rank of each case by a model, in the middle of its tie; the highest score comes last."""
    cases = np.bincount(row)
    return np.asarray((cases / 2 - np.cumsum(cases))[row])


def _without_ties(first: Floats, second: Floats) -> Floats:
    """The ranks by two models, with ties between a case of one and a case of the other broken.

    After an exchange such ties would make values vary less than those of samples do. By turns, the
    rank of the model whose case comes first in the data is the smaller or the larger one. Ties
    within a model stay ties.
    """
    ranks, place = np.unique(np.concatenate([first, second]), return_inverse=True)
    places = np.split(place, 2)
    case, single = np.zeros((2, ranks.size), np.int64), np.ones(ranks.size, np.bool_)
    for number, of_model in enumerate(places):
        case[number, of_model] = np.arange(first.size)
        single &= np.bincount(of_model, minlength=ranks.size) == 1
    turn = (case[0] < case[1]) ^ (np.arange(ranks.size) % 2 == 1)
    moved = [ranks + np.where(single & later, BETWEEN, 0.0) for later in (turn, ~turn)]
    return np.concatenate([one[of_model] for one, of_model in zip(moved, places, strict=True)])
