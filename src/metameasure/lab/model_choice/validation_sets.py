"""Validation sets: small random parts of the cases, as blocks of score tables.

The place of each case in each model's order is found once. A validation set is then a handful of
places, sorted as whole numbers; no score is ever sorted again.
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

    from numpy.typing import NDArray

    from metameasure.data import Predictions
    from metameasure.measurement import Measure

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]
    Mask = NDArray[np.bool_]

BLOCK = 2**18
"""The entries of a block: enough for compiled kernels, and few enough for the cache."""


@dataclass(frozen=True, eq=False)
class Cases:
    """Labelled cases with the scores of several models: what validation sets are drawn from.

    Attributes:
        positive: the class of each case.
        scores: one row a model.
        weight: what each case weighs; None if all weigh the same.
    """

    positive: Mask
    scores: Floats
    weight: Floats | None = None

    @classmethod
    def of(cls, predictions: Predictions) -> Cases:
        """The cases of validated predictions; those without weight are left out."""
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
        """The order of the cases for each model."""
        return tuple(Places.of(score, self.positive, self.weight) for score in self.scores)

    def part(self, cases: Indices) -> Cases:
        """Some of the cases."""
        weight = None if self.weight is None else self.weight[cases]
        return Cases(self.positive[cases], self.scores[:, cases], weight)

    def draw(self, size: int, repeats: int, rng: np.random.Generator) -> Indices:
        """Validation sets: so many distinct cases in random order, one row a repeat."""
        return np.stack([rng.choice(self.n, size, replace=False) for _ in range(repeats)])

    def values(self, measure: Measure) -> Floats:
        """The value of a measure on all cases, one a model."""
        return np.array([float(measure.compute(places.table())) for places in self.places])

    def values_without(self, measure: Measure, drawn: Indices) -> Floats:
        """The value of a measure on the cases not drawn: shape (models, repeats)."""
        values = np.empty((self.models, drawn.shape[0]))
        for part in _slices(drawn.shape[0], self.n, BLOCK // 2):
            for model, places in enumerate(self.places):
                values[model, part] = measure.compute(self._without(drawn[part], places))
        return values

    def _without(self, drawn: Indices, places: Places) -> ScoreTable:
        """The tables of the cases not drawn: those of all cases less what was drawn."""
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

        They come a part of the repeats at a time. All models see the same noisy labels, and more
        noise redraws the labels that less noise has redrawn, and others.
        """
        repeats, size = drawn.shape
        coins = rng.integers(0, 2, drawn.shape, dtype=np.uint8).astype(bool)
        for part in _slices(repeats, len(shares) * self.models * size):
            labels = redrawn(self.positive[drawn[part]], coins[part], shares)
            yield part, self._tables(drawn[part], labels)

    def _tables(self, drawn: Indices, labels: Mask) -> ScoreTable:
        """The block of the drawn cases with these labels, which have an axis of noise in front."""
        rows = np.stack([places.row[drawn] for places in self.places])
        if self.weight is not None:
            return self._weighted(drawn, labels, rows)
        # The class stands in the lowest bit, so that it moves with its place.
        keys = 2 * rows + labels[:, np.newaxis]
        keys.sort(axis=-1)
        pos = (keys & 1).astype(np.float64)
        return ScoreTable.of_counts(*collapse(self._scores(keys >> 1), pos, 1.0 - pos))

    def _weighted(self, drawn: Indices, labels: Mask, rows: Indices) -> ScoreTable:
        assert self.weight is not None  # noqa: S101 - the caller has seen to it
        order = np.argsort(rows, axis=-1, kind="stable")
        weight = self.weight[drawn]
        pos, neg = (
            np.take_along_axis((part * weight)[:, np.newaxis], order[np.newaxis], -1)
            for part in (labels, ~labels)
        )
        score = self._scores(np.take_along_axis(rows, order, -1)[np.newaxis])
        return ScoreTable(np.broadcast_to(score, pos.shape), pos, neg)

    def _scores(self, rows: Indices) -> Floats:
        """The scores at rows of the models' tables, the models on the second axis."""
        scores = np.empty(rows.shape)
        for model, places in enumerate(self.places):
            scores[:, model] = places.score[rows[:, model]]
        return scores


def redrawn(labels: Mask, coins: Mask, shares: Sequence[float]) -> Mask:
    """Labels of which a share is decided by a coin, for each of the shares.

    Cases were drawn in random order, so that those to redraw may be the first of them.

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
    """The repeats in equal parts, so that no block has more entries than it should."""
    parts = min(repeats, max(1, math.ceil(repeats * entries / block)))
    step = math.ceil(repeats / parts)
    for start in range(0, repeats, step):
        yield slice(start, min(start + step, repeats))
