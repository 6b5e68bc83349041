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

from metameasure._arguments import read_workers
from metameasure.errors import DataError
from metameasure.inference.units import Units, cluster_codes
from metameasure.table import Places

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from metameasure.data import Predictions
    from metameasure.table import ScoreTable

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]
    Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Sample(Units):
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
        cluster = cluster_codes(predictions.cluster)
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
    def without_tables(cls, predictions: Predictions) -> Sample:
        """The cases alone, for models whose scores need not be comparable from case to case."""
        return cls(predictions.positive, predictions.scores, {}, weight=predictions.weight)

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
    def size(self) -> int:
        """The number of cases, or of kinds of cases."""
        return self.positive.size

    @property
    def strata(self) -> list[Mask]:
        """The positives and the negatives."""
        return [self.positive, ~self.positive]

    @cached_property
    def classes(self) -> tuple[int, int]:
        """The number of positive and of negative cases that have weight."""
        if self.weight is None:
            n_pos = int(np.count_nonzero(self.positive))
            return n_pos, self.size - n_pos
        used = self.positive[self.weight > 0]
        return int(np.count_nonzero(used)), int(np.count_nonzero(~used))

    def prepare(self, models: Iterable[str]) -> None:
        """Find the places of the cases."""
        for model in models:
            self.places(model)

    def block(self, model: str, counts: Floats) -> ScoreTable:
        """The block of tables of a model in which each unit counts so often."""
        return self.places(model).tables(counts)
