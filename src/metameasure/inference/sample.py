"""Sample: the cases of an evaluation as what resampling and paired tests need.

A resample changes only how often each case counts. The scores stay where they are, so that nothing
is sorted again: a block of resamples is one block of score tables with the same scores.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import DataError
from metameasure.inference.arguments import read_workers
from metameasure.table import Places

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from metameasure.predictions import Predictions
    from metameasure.table import ScoreTable

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]
    Mask = NDArray[np.bool_]

GROUPS = 200
"""The number of groups of a jackknife; with fewer units each is left out on its own."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Cases that were drawn from a population, with the scores of one or more models.

    Attributes:
        positive: the class of each case.
        scores: the scores of each model.
        tables: the score table of each model.
        cluster: the number of the cluster that each case belongs to; None if they are independent.
        weight: what each case weighs; None if all weigh the same.
        count: how many equal cases each one stands for; None if one.
    """

    positive: Mask
    scores: Mapping[str, Floats]
    tables: Mapping[str, ScoreTable]
    cluster: Indices | None = None
    weight: Floats | None = None
    count: Floats | None = None
    _places: dict[str, Places] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls, predictions: Predictions, *, in_pairs: bool = False, workers: int | None = None
    ) -> Sample:
        """The sample that predictions are; a case without weight is none.

        Models that are to be compared ``in_pairs``, case by case, need the places of their cases.
        Their tables then come from these, without another sort, and models are sorted side by side.
        """
        if predictions.weight is not None and not predictions.weight.all():
            kept = predictions.weight > 0
            predictions = predictions.where(kept if kept.any() else slice(0, 1))
        cluster = None
        if predictions.cluster is not None:
            cluster = np.unique(predictions.cluster, return_inverse=True)[1].reshape(-1)
        positive, scores, weight = predictions.positive, predictions.scores, predictions.weight
        if not in_pairs:
            tables = {model: predictions.table(model) for model in scores}
            return cls(positive, scores, tables, cluster, weight)

        def place(model: str) -> Places:
            return Places.of(scores[model], positive, weight, cluster)

        with ThreadPoolExecutor(read_workers(workers)) as pool:
            places = dict(zip(scores, pool.map(place, scores), strict=True))
            found = pool.map(Places.table, places.values())
            tables = dict(zip(scores, found, strict=True))
        return cls(positive, scores, tables, cluster, weight, None, places)

    @classmethod
    def of_table(cls, table: ScoreTable, model: str) -> Sample:
        """The sample that a table of unweighted cases tells of."""
        if table.shape:
            raise DataError("an interval is of one table, not of a block")
        count = np.concatenate([table.pos, table.neg])
        if np.any(count != np.floor(count)):
            raise DataError(
                "the weights of this table are no counts, and it does not say which cases they "
                "are of: give the rows (labels, scores and weights) instead of the table"
            )
        kept = count > 0
        positive = np.repeat([True, False], table.score.size)[kept]
        scores = {model: np.tile(table.score, 2)[kept]}
        return cls(positive, scores, {model: table}, count=count[kept])

    def places(self, model: str) -> Places:
        """Where the cases stand in the table of a model, found once."""
        if model not in self._places:
            self._places[model] = Places.of(
                self.scores[model], self.positive, self.weight, self.cluster
            )
        return self._places[model]

    @property
    def independent(self) -> bool:
        """Whether the cases were drawn one by one and weigh the same."""
        return self.cluster is None and self.weight is None

    @property
    def size(self) -> int:
        """The number of cases, or of kinds of cases."""
        return self.positive.size

    @cached_property
    def classes(self) -> tuple[int, int]:
        """The number of positive and of negative cases that have weight."""
        if self.weight is None:
            n_pos = int(np.count_nonzero(self.positive))
            return n_pos, self.size - n_pos
        used = self.positive[self.weight > 0]
        return int(np.count_nonzero(used)), int(np.count_nonzero(~used))

    @cached_property
    def units(self) -> int:
        """How many things there are to be drawn: cases, or clusters of them."""
        return self.positive.size if self.cluster is None else int(self.cluster.max()) + 1

    def draw(self, tables: int, rng: np.random.Generator, *, stratified: bool = False) -> Floats:
        """How often each unit is drawn, in so many resamples of the size of the sample."""
        if not stratified:
            return _draw(tables, self.units, self.count, rng)
        if self.cluster is not None:
            raise DataError("clusters may hold both classes: draw them without strata")
        counts = np.empty((tables, self.units))
        for stratum in (self.positive, ~self.positive):
            if stratum.any():
                count = None if self.count is None else self.count[stratum]
                counts[:, stratum] = _draw(tables, int(np.count_nonzero(stratum)), count, rng)
        return counts

    def block(self, model: str, counts: Floats) -> ScoreTable:
        """The block of tables of a model in which each unit counts so often."""
        return self.places(model).tables(counts)

    def leave_out(self, rng: np.random.Generator) -> Floats:
        """How often each unit counts when one group of units after the other is left out."""
        if self.count is None:
            groups = min(self.units, GROUPS)
            counts = np.ones((groups, self.units))
            counts[rng.permutation(self.units) % groups, np.arange(self.units)] = 0.0
            return counts
        left = self.count.astype(np.int64)
        groups = int(min(left.sum(), GROUPS))
        counts = np.tile(self.count, (groups, 1))
        for group in range(groups):
            size = int(left.sum()) // (groups - group)
            out = rng.multivariate_hypergeometric(left, size, method="marginals")
            counts[group] -= out
            left = left - out
        return counts


def _draw(tables: int, units: int, count: Floats | None, rng: np.random.Generator) -> Floats:
    """As many units as there are, with replacement, in each table."""
    if count is not None:
        total = count.sum()
        return np.asarray(rng.multinomial(int(total), count / total, size=tables), np.float64)
    chosen = rng.integers(0, units, size=(tables, units))
    if tables > 1:
        chosen += np.arange(0, tables * units, units)[:, np.newaxis]
    drawn = np.bincount(chosen.reshape(-1), minlength=tables * units)
    return np.asarray(drawn.reshape(tables, units), np.float64)
