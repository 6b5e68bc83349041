"""Validation sets: small random parts of the cases, as blocks of score tables.

The rank of each case for each model is found once. A validation set is then a small set of ranks,
sorted as integers; scores are not sorted again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from metameasure.table import Places, ScoreTable, collapse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from metameasure._types import Floats, Indices, Mask
    from metameasure.data import Predictions
    from metameasure.measurement import Measure


BLOCK = 2**18
"""Number of entries of a block: enough for compiled kernels, and small enough for the cache."""


@dataclass(frozen=True, eq=False)
class Cases:
    """Labeled cases with the scores of several models, from which validation sets are drawn.

    Attributes:
        positive: the class of each case.
        scores: the scores, one row per model.
        weight: the weight of each case; None if all weights are equal.
    """

    positive: Mask
    scores: Floats
    weight: Floats | None = None

    @classmethod
    def of(cls, predictions: Predictions) -> Cases:
        """The cases of predictions, except those with weight 0."""
        scores = np.stack(list(predictions.scores.values()))
        whole = cls(predictions.positive, scores, predictions.weight)
        if whole.weight is None or whole.weight.all():
            return whole
        return whole.part(np.flatnonzero(whole.weight))

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.positive.size

    @property
    def models(self) -> int:
        """The number of models."""
        return len(self.scores)

    @property
    def fewest(self) -> int:
        """The number of cases of the rarer class."""
        positives = int(np.count_nonzero(self.positive))
        return min(positives, self.n - positives)

    @cached_property
    def places(self) -> tuple[Places, ...]:
        """The ranks of the cases for each model."""
        return tuple(Places.of(score, self.positive, self.weight) for score in self.scores)

    def part(self, cases: Indices) -> Cases:
        """Some of the cases."""
        weight = None if self.weight is None else self.weight[cases]
        return Cases(self.positive[cases], self.scores[:, cases], weight)

    def draw(self, size: int, repeats: int, rng: np.random.Generator) -> Indices:
        """Validation sets: distinct cases in random order, one row per repeat."""
        return np.stack([rng.choice(self.n, size, replace=False) for _ in range(repeats)])

    def values(self, measure: Measure) -> Floats:
        """The value of a measure on all cases, one per model."""
        return np.array([float(measure.compute(places.table())) for places in self.places])

    def weights(self) -> tuple[Floats, Floats]:
        """The weight of each case as a positive and as a negative; one of both is 0."""
        weight = np.ones(self.n) if self.weight is None else self.weight
        return weight * self.positive, weight * ~self.positive

    def values_of(self, measure: Measure, drawn: Indices) -> Floats:
        """The value of a measure on the cases drawn: shape (models, repeats)."""
        parts = _slices(drawn.shape[0], self.models * drawn.shape[1])
        tables = (
            self._tables(drawn[part], self.positive[drawn[part]][np.newaxis]) for part in parts
        )
        return np.concatenate([measure.of_block(table)[0] for table in tables], axis=-1)

    def tables_without(self, drawn: Indices, model: int) -> Iterator[ScoreTable]:
        """Blocks of tables of the cases not drawn, for one model."""
        for part in _slices(drawn.shape[0], self.n, BLOCK // 2):
            yield self._without(drawn[part], self.places[model])

    def _without(self, drawn: Indices, places: Places) -> ScoreTable:
        """The tables of the cases not drawn: the table of all cases minus those drawn."""
        if self.weight is not None:
            left = np.ones((drawn.shape[0], self.n))
            np.put_along_axis(left, drawn, 0.0, axis=1)
            return places.tables(left)
        whole, positive = places.table(), self.positive[drawn]
        rows = places.row[drawn] + np.arange(drawn.shape[0])[:, np.newaxis] * whole.score.size
        parts = []
        for weight, taken in ((whole.pos, rows[positive]), (whole.neg, rows[~positive])):
            left = np.repeat(weight[np.newaxis], drawn.shape[0], axis=0)
            np.subtract.at(left.reshape(-1), taken, 1.0)
            parts.append(left)
        return ScoreTable.of_counts(whole.score, *parts).sharing(places.known)

    def blocks(
        self, drawn: Indices, shares: Sequence[float], rng: np.random.Generator
    ) -> Iterator[tuple[slice, ScoreTable]]:
        """The tables of validation sets with label noise: shape (shares, models, repeats).

        Each block has some of the repeats. All models have the same noisy labels, and a larger
        share redraws the same labels as a smaller one, and more.
        """
        repeats, size = drawn.shape
        coins = rng.integers(0, 2, drawn.shape, dtype=np.uint8).astype(bool)
        for part in _slices(repeats, len(shares) * self.models * size):
            labels = redrawn(self.positive[drawn[part]], coins[part], shares)
            yield part, self._tables(drawn[part], labels)

    def _tables(self, drawn: Indices, labels: Mask) -> ScoreTable:
        """The block of the drawn cases with these labels, whose first axis is noise."""
        rows = np.stack([places.row[drawn] for places in self.places])
        if self.weight is not None:
            return self._weighted(drawn, labels, rows)
        # The class is in the lowest bit, so that it is sorted along with the rank.
        keys = 2 * rows + labels[:, np.newaxis]
        keys.sort(axis=-1)
        pos = (keys & 1).astype(np.float64)
        return ScoreTable.of_counts(*collapse(self._scores(keys >> 1), pos, 1.0 - pos))

    def _weighted(self, drawn: Indices, labels: Mask, rows: Indices) -> ScoreTable:
        assert self.weight is not None  # noqa: S101 - checked by the caller
        order = np.argsort(rows, axis=-1, kind="stable")
        weight = self.weight[drawn]
        pos, neg = (
            np.take_along_axis((part * weight)[:, np.newaxis], order[np.newaxis], -1)
            for part in (labels, ~labels)
        )
        score = self._scores(np.take_along_axis(rows, order, -1)[np.newaxis])
        return ScoreTable(np.broadcast_to(score, pos.shape), pos, neg)

    def _scores(self, rows: Indices) -> Floats:
        """The scores at rows of the models' tables; the second axis is that of the models."""
        scores = np.empty(rows.shape)
        for model, places in enumerate(self.places):
            scores[:, model] = places.score[rows[:, model]]
        return scores


def redrawn(labels: Mask, coins: Mask, shares: Sequence[float]) -> Mask:
    """Labels with a fraction of them replaced by coin tosses, for each of the shares.

    Cases were drawn in random order, so that the first of them can be redrawn.

    >>> labels, coins = np.zeros((1, 4), bool), np.ones((1, 4), bool)
    >>> redrawn(labels, coins, (0.0, 0.5)).astype(int).tolist()
    [[[0, 0, 0, 0]], [[1, 1, 0, 0]]]
    """
    size = labels.shape[-1]
    noisy = np.repeat(labels[np.newaxis], len(shares), axis=0)
    for made, share in zip(noisy, shares, strict=True):
        count = round(share * size)
        made[:, :count] = coins[:, :count]
    return noisy


def _slices(repeats: int, entries: int, block: int = BLOCK) -> Iterator[slice]:
    """Slices of equal numbers of repeats, so that blocks have a limited number of entries."""
    parts = min(repeats, max(1, math.ceil(repeats * entries / block)))
    step = math.ceil(repeats / parts)
    for start in range(0, repeats, step):
        yield slice(start, min(start + step, repeats))
