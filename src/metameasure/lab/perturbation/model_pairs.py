"""What makes pairs of models of which one is better, many at once.

A generator is any object with ``draw(count, rng)`` that gives ``Pairs``. The lists are the rows of
blocks. Measures do not see in which order the cases of a list stand; so where all cases are drawn
alike, it is the first ones that are changed, and nothing has to be chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from metameasure._arguments import Whole, is_real, read_argument
from metameasure.data import Predictions
from metameasure.errors import DataError
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]
    Mask = NDArray[np.bool_]

CUT = 0.5
"""From which true probability on a case is positive in the papers' data."""
SPARSE = 4
"""How many times larger a pool is of which drawing case by case beats shuffling all of it."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Lists of cases with the scores of a better and of a worse model.

    Attributes:
        positive: the classes, shape (count, n) for both models, or (2, count, n) if the worse model
            is judged on cases of its own.
        better: the scores of the better model, (count, n).
        worse: the scores of the worse model, (count, n).
        weight: 1 for cases that are there and 0 for those that were deleted, of the shape of
            ``positive``; None if all are there.
    """

    positive: Mask
    better: Floats
    worse: Floats
    weight: Floats | None = None

    def __post_init__(self) -> None:
        kinds = [np.asarray(a).dtype.kind for a in (self.positive, self.better, self.worse)]
        if kinds != ["b", "f", "f"]:
            raise DataError("pairs are arrays of bool for positive, of floats for better and worse")
        shape, given = self.better.shape, self.positive.shape
        if len(shape) != 2 or self.worse.shape != shape or given not in {shape, (2, *shape)}:
            raise DataError(
                f"positive {given}, better {shape} and worse {self.worse.shape} are no pairs: "
                "give (count, n) for each, or (2, count, n) for positive"
            )
        if self.weight is not None and self.weight.shape != given:
            raise DataError(f"weight {self.weight.shape} must have the shape of positive {given}")

    @property
    def scores(self) -> Floats:
        """The scores of both models, the better one first: (2, count, n)."""
        return np.stack([self.better, self.worse])

    def tables(self) -> ScoreTable:
        """The score tables: a block of shape (2, count), the better model first."""
        scores = self.scores
        positive = np.broadcast_to(self.positive, scores.shape)
        return ScoreTable.from_cases(positive, scores, self.weight)


class PairGenerator(Protocol):
    """What draws pairs of models."""

    def draw(self, count: int, rng: np.random.Generator) -> Pairs:
        """So many pairs, of lists of one length."""


@dataclass(frozen=True)
class ReplacedScores:
    """True probabilities of which some are replaced, and more of them for the worse model.

    As in Berrar (2014): uniform scores, positive from 0.5 on; the better model has the scores of
    some cases replaced by other uniform ones, the worse model those of further cases, too.

    >>> pairs = ReplacedScores().draw(2, np.random.default_rng(1))
    >>> np.count_nonzero(pairs.better != pairs.worse, axis=1).tolist()
    [10, 10]
    """

    cases: int = 100
    replaced: int = 10
    further: int = 10

    def __post_init__(self) -> None:
        _check_changed(self.cases, replaced=self.replaced, further=self.further)

    def draw(self, count: int, rng: np.random.Generator) -> Pairs:
        """So many pairs, drawn independently."""
        better = rng.random((count, self.cases))
        positive = better >= CUT
        better[:, : self.replaced] = rng.random((count, self.replaced))
        worse = better.copy()
        end = self.replaced + self.further
        worse[:, self.replaced : end] = rng.random((count, self.further))
        return Pairs(positive, better, worse)


@dataclass(frozen=True)
class SwappedLabels:
    """Two data sets whose true probabilities are the scores, one with more classes swapped.

    As in Wu, Flach and Ferri (2007), Fig. 2: uniform scores, positive from 0.5 on, then the classes
    of some cases are swapped. Both models know the true probabilities, each on its own cases.

    >>> pairs = SwappedLabels().draw(3, np.random.default_rng(1))
    >>> np.count_nonzero(pairs.positive != (pairs.scores >= 0.5), axis=2).tolist()
    [[10, 10, 10], [11, 11, 11]]
    """

    cases: int = 100
    swapped: int = 10
    further: int = 1

    def __post_init__(self) -> None:
        _check_changed(self.cases, swapped=self.swapped, further=self.further)

    def draw(self, count: int, rng: np.random.Generator) -> Pairs:
        """So many pairs, drawn independently."""
        scores = rng.random((2, count, self.cases))
        positive = scores >= CUT
        for labels, swapped in zip(
            positive, (self.swapped, self.swapped + self.further), strict=True
        ):
            np.logical_not(labels[:, :swapped], out=labels[:, :swapped])
        return Pairs(positive, *scores)


@dataclass(frozen=True, eq=False)
class OwnScores:
    """Your own predictions, and for the worse model the same with some scores replaced.

    A score is replaced by that of a case drawn from all of them, so that scores of any scale keep
    their distribution. ``OwnScores.of`` makes it from labels and scores.

    Attributes:
        positive: the classes of the cases.
        score: their scores.
        share: the share of the scores that is replaced for the worse model.
        before: the share that is replaced for both, in other cases.
        size: how many cases a pair is judged on, drawn without replacement; None for all.
    """

    positive: Mask
    score: Floats
    share: float = 0.1
    before: float = 0.0
    size: int | None = None

    @classmethod
    def of(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        share: float = 0.1,
        before: float = 0.0,
        size: int | None = None,
        pos_label: Any = None,
    ) -> OwnScores:
        """The generator of validated predictions.

        >>> own = OwnScores.of([1, 0, 1, 0, 0, 1], [0.9, 0.2, 0.6, 0.4, 0.1, 0.3], share=0.5)
        >>> own.draw(1000, np.random.default_rng(1)).better.shape
        (1000, 6)
        """
        rows = Predictions.of(y_true, {"y_score": y_score}, pos_label=pos_label)
        return cls(rows.positive, rows.scores["y_score"], share, before, size)

    def __post_init__(self) -> None:
        for name, value in (("share", self.share), ("before", self.before)):
            if not (is_real(value) and 0 <= value <= 1):
                raise DataError(f"{name}={value!r} must lie between 0 and 1")
        if self.positive.all() or not self.positive.any():
            raise DataError("all cases are of one class, so that no model is better than another")
        if self.size is not None:
            read_argument("size", self.size, Whole(1))
            if self.size > self.score.size:
                raise DataError(
                    f"size={self.size} is more than the {self.score.size} cases that there are: "
                    "cases are drawn without replacement"
                )
        if sum(self._replaced) > self.cases:
            raise DataError(
                f"share={self.share:g} and before={self.before:g} replace more scores than the "
                f"{self.cases} that there are: they must add up to at most 1"
            )
        if not self._replaced[1]:
            raise DataError(
                f"share={self.share:g} of {self.cases} scores is none, and the worse model would "
                "be no worse: give a larger share"
            )

    def __str__(self) -> str:
        drawn = "" if self.size is None else f", size={self.size}"
        given = f"{self.score.size} cases, share={self.share:g}, before={self.before:g}"
        return f"OwnScores({given}{drawn})"

    @property
    def cases(self) -> int:
        """How many cases a pair is judged on."""
        return self.score.size if self.size is None else self.size

    @property
    def _replaced(self) -> tuple[int, int]:
        """How many scores are replaced for both models, and further ones for the worse."""
        return round(self.before * self.cases), round(self.share * self.cases)

    def draw(self, count: int, rng: np.random.Generator) -> Pairs:
        """So many pairs, each on cases of its own drawing."""
        drawn = draw_distinct(count, self.cases, self.score.size, rng)
        better = self.score[drawn]
        first, further = self._replaced
        better[:, :first] = self._others(count, first, rng)
        worse = better.copy()
        worse[:, first : first + further] = self._others(count, further, rng)
        return Pairs(self.positive[drawn], better, worse)

    def _others(self, count: int, scores: int, rng: np.random.Generator) -> Floats:
        return self.score[rng.integers(0, self.score.size, (count, scores))]


def draw_distinct(count: int, size: int, pool: int, rng: np.random.Generator) -> Indices:
    """So many rows of so many distinct numbers below ``pool``, in random order.

    What repeats a number further left is drawn again, until nothing does. A number stays taken once
    it was seen, if by another place further left: so each place ends with the first of its numbers
    that the places before it leave free, as when they are drawn one after the other.
    """
    if pool <= SPARSE * size:
        return rng.permuted(np.broadcast_to(np.arange(pool), (count, pool)), axis=1)[:, :size]
    drawn = rng.integers(0, pool, (count, size))
    rows = np.arange(count)
    while rows.size:
        order = np.argsort(drawn[rows], axis=1, kind="stable")
        ranked = np.take_along_axis(drawn[rows], order, 1)
        row, place = np.nonzero(ranked[:, 1:] == ranked[:, :-1])
        drawn[rows[row], order[row, place + 1]] = rng.integers(0, pool, row.size)
        rows = rows[np.unique(row)]
    return drawn


def _check_changed(cases: Any, **parts: Any) -> None:
    """Refuse to change more cases than there are."""
    read_argument("cases", cases, Whole(1))
    for name, value in parts.items():
        read_argument(name, value, Whole(0))
    if sum(parts.values()) > cases:
        given = " and ".join(f"{name}={value}" for name, value in parts.items())
        raise DataError(f"{given} are more than the cases={cases} that there are")


GENERATORS: dict[str, PairGenerator] = {
    "replaced_scores": ReplacedScores(),
    "swapped_labels": SwappedLabels(),
}
"""The papers' generators, by the names that a study knows them by."""
