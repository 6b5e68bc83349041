"""Generators of pairs of models, of which one is better.

A generator is any object with a method ``draw(count, rng)`` that returns ``Pairs``. Lists are the
rows of blocks. Measures do not depend on the order of the cases in a list; so where all cases have
the same distribution, the first cases are changed instead of randomly chosen ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from metameasure._arguments import Real, Whole, read_argument
from metameasure.data import Predictions, as_block
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from metameasure._types import Floats, Indices, Mask


CUT = 0.5
"""True probability from which a case is positive in the papers' data."""
SPARSE = 4
"""Ratio of pool to sample size from which drawing is faster than shuffling the pool."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Lists of cases with the scores of a better and of a worse model.

    Attributes:
        positive: the classes, shape (count, n) for both models, or (2, count, n) if the worse model
            is evaluated on cases of its own.
        better: the scores of the better model, (count, n).
        worse: the scores of the worse model, (count, n).
        weight: 0 for deleted cases and 1 for all others, same shape as ``positive``; None if no
            case is deleted.
    """

    positive: Mask
    better: Floats
    worse: Floats
    weight: Floats | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "positive", as_block(self.positive, "positive", "b", "bool"))
        for name in ("better", "worse", *(["weight"] if self.weight is not None else [])):
            values = as_block(getattr(self, name), name, "f", "floats")
            object.__setattr__(self, name, values)
        shape, given = self.better.shape, self.positive.shape
        if len(shape) != 2 or self.worse.shape != shape or given not in {shape, (2, *shape)}:
            raise DataError(
                f"better and worse must have the same shape (count, n), and positive this shape or "
                f"(2, count, n), got {shape}, {self.worse.shape} and {given}"
            )
        if self.weight is not None and self.weight.shape != given:
            raise DataError(f"weight and positive differ in shape: {self.weight.shape} and {given}")

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
    """An object that draws pairs of models."""

    def draw(self, count: int, rng: np.random.Generator) -> Pairs:
        """Draw ``count`` pairs, with lists of the same length."""


@dataclass(frozen=True)
class ReplacedScores:
    """Scores that are true probabilities, with some replaced, and more for the worse model.

    As in Berrar (2014): uniform scores; cases with scores >= 0.5 are positive. For both models the
    scores of ``replaced`` cases are replaced by new uniform ones, and for the worse model those of
    ``further`` cases as well.

    >>> pairs = ReplacedScores().draw(2, np.random.default_rng(1))
    >>> np.count_nonzero(pairs.better != pairs.worse, axis=1).tolist()
    [10, 10]
    """

    cases: int = 100
    replaced: int = 10
    further: int = 10

    def __post_init__(self) -> None:
        _check_changed(self.cases, replaced=self.replaced, further=self.further)

    def __str__(self) -> str:
        return (
            f"replaced scores ({self.cases} cases, {self.replaced} replaced, "
            f"{self.further} more in the worse model)"
        )

    def draw(self, count: int, rng: np.random.Generator) -> Pairs:
        """Draw ``count`` independent pairs."""
        better = rng.random((count, self.cases))
        positive = better >= CUT
        better[:, : self.replaced] = rng.random((count, self.replaced))
        worse = better.copy()
        end = self.replaced + self.further
        worse[:, self.replaced : end] = rng.random((count, self.further))
        return Pairs(positive, better, worse)


@dataclass(frozen=True)
class SwappedLabels:
    """Two data sets whose scores are true probabilities, one with more labels swapped.

    As in Wu, Flach and Ferri (2007), Fig. 2: uniform scores; cases with scores >= 0.5 are positive;
    then the labels of ``swapped`` cases are swapped, and for the worse model those of ``further``
    cases as well. Each model has its own cases.

    >>> pairs = SwappedLabels().draw(3, np.random.default_rng(1))
    >>> np.count_nonzero(pairs.positive != (pairs.scores >= 0.5), axis=2).tolist()
    [[10, 10, 10], [11, 11, 11]]
    """

    cases: int = 100
    swapped: int = 10
    further: int = 1

    def __post_init__(self) -> None:
        _check_changed(self.cases, swapped=self.swapped, further=self.further)

    def __str__(self) -> str:
        return (
            f"swapped labels ({self.cases} cases, {self.swapped} swapped, "
            f"{self.further} more in the worse model)"
        )

    def draw(self, count: int, rng: np.random.Generator) -> Pairs:
        """Draw ``count`` independent pairs."""
        scores = rng.random((2, count, self.cases))
        positive = scores >= CUT
        for labels, swapped in zip(
            positive, (self.swapped, self.swapped + self.further), strict=True
        ):
            np.logical_not(labels[:, :swapped], out=labels[:, :swapped])
        return Pairs(positive, *scores)


@dataclass(frozen=True, eq=False)
class OwnScores:
    """Your own predictions; for the worse model some scores are replaced.

    A score is replaced by that of a random case, so that scores of any scale keep their
    distribution. ``OwnScores.of`` reads labels and scores.

    Attributes:
        positive: the classes of the cases.
        score: the scores of the cases.
        share: the fraction of the scores that are replaced for the worse model.
        before: the fraction of the scores that are replaced for both models, in other cases.
        size: the number of cases per pair, drawn without replacement; None for all cases.
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
        """The generator for these labels and scores.

        >>> own = OwnScores.of([1, 0, 1, 0, 0, 1], [0.9, 0.2, 0.6, 0.4, 0.1, 0.3], share=0.5)
        >>> own.draw(1000, np.random.default_rng(1)).better.shape
        (1000, 6)
        """
        rows = Predictions.of(y_true, {"y_score": y_score}, pos_label=pos_label)
        return cls(rows.positive, rows.scores["y_score"], share, before, size)

    def __post_init__(self) -> None:
        share, before = Argument("share"), Argument("before")
        for name, value in ((share, self.share), (before, self.before)):
            read_argument(name.name, value, Real(0, 1))
        object.__setattr__(self, "positive", as_block(self.positive, "positive", "b", "bool"))
        object.__setattr__(self, "score", as_block(self.score, "score", "f", "floats"))
        if self.positive.shape != self.score.shape or self.score.ndim != 1:
            raise DataError(
                f"positive and score must be flat and of the same length, got shapes "
                f"{self.positive.shape} and {self.score.shape}"
            )
        if self.positive.all() or not self.positive.any():
            raise DataError("need cases of both classes, got one class")
        read_argument("size", self.size, Whole(1, self.score.size), optional=True)
        if sum(self._replaced) > self.cases:
            total = f"{self.share:g} + {self.before:g}"
            raise ParameterError((share, " + ", before, f" must be <= 1, got {total}"))
        if not self._replaced[1]:
            raise ParameterError(
                (share, f" of {self.cases} scores rounds to 0: {self.share:g}"),
                remedy="increase it",
            )

    def __str__(self) -> str:
        drawn = "" if self.size is None else f", size={self.size}"
        given = f"{self.score.size} cases, share={self.share:g}, before={self.before:g}"
        return f"own scores ({given}{drawn})"

    @property
    def cases(self) -> int:
        """The number of cases per pair."""
        return self.score.size if self.size is None else self.size

    @property
    def _replaced(self) -> tuple[int, int]:
        """The number of scores replaced for both models, and of those only for the worse."""
        return round(self.before * self.cases), round(self.share * self.cases)

    def draw(self, count: int, rng: np.random.Generator) -> Pairs:
        """Draw ``count`` pairs, each with its own cases."""
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
    """``count`` rows of ``size`` distinct integers below ``pool``, in random order.

    An entry that repeats one to its left is drawn again until there are no repeats. So each entry
    ends with the first of its draws that the entries before it leave free, as in sequential
    sampling without replacement.
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
    """Refuse to change more cases than a list has."""
    read_argument("cases", cases, Whole(1))
    for name, value in parts.items():
        read_argument(name, value, Whole(0))
    if sum(parts.values()) > cases:
        given = " and ".join(f"{name}={value}" for name, value in parts.items())
        raise ParameterError(f"{given} exceed cases={cases}", argument="cases")


GENERATORS: dict[str, PairGenerator] = {
    "replaced_scores": ReplacedScores(),
    "swapped_labels": SwappedLabels(),
}
"""The papers' generators, by name."""
