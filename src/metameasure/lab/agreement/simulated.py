"""Lists that are drawn at random: where there are too many to look at all of them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from metameasure._arguments import Whole, read_argument, read_seed
from metameasure.data import ClassScores
from metameasure.errors import DataError
from metameasure.inference import portion
from metameasure.lab.agreement.domain import (
    Domain,
    Stratum,
    all_levels,
    base_measures,
)
from metameasure.lab.agreement.exact_ties import levels_of
from metameasure.lab.block_values import block_values, check_takes_tables
from metameasure.lab.parallel import run
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from metameasure.inference import Progress
    from metameasure.lab.agreement.exact_ties import Levels
    from metameasure.measurement import Measure

    Floats = NDArray[np.float64]
    Drawn = tuple[NDArray[np.bool_], Floats]

BATCH = 500
"""The lists that are compared with each other; batches are independent."""
TOGETHER = 4
"""The batches of a task."""
ROUND = 10
"""The tasks after which one looks whether the result is precise enough."""


class Simulated(Domain):
    """Lists drawn at random, in independent batches, whose spread gives standard errors."""

    simulated = True

    def __init__(self, lists: int, seed: int | None) -> None:
        seed = read_seed(seed)
        self.batches = -(-read_argument("lists", lists, Whole(2 * BATCH)) // BATCH)
        self.seed = seed

    def strata(
        self,
        measures: Sequence[Measure],
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Stratum]:
        """The batches, which are drawn as they are asked for, some at a time."""
        placed = {measure: self.placed(measure) for measure in base_measures(measures)}
        starts = range(0, self.batches, TOGETHER)
        tasks = [min(TOGETHER, self.batches - start) for start in starts]
        work = partial(_batches, self, list(dict.fromkeys(placed.values())))
        for done in range(0, len(tasks), ROUND):
            some = tasks[done : done + ROUND]
            told = portion(progress, done // ROUND, -(-len(tasks) // ROUND))
            parts = run(work, some, seed=self.seed, workers=workers, progress=told, before=done)
            for found in chain.from_iterable(parts):
                base = {measure: found[chosen] for measure, chosen in placed.items()}
                yield Stratum(all_levels(measures, base, sure=False))

    @abstractmethod
    def placed(self, measure: Measure) -> Measure:
        """The measure as it is taken here; refused if it cannot be."""

    @abstractmethod
    def batch(self, measures: Sequence[Measure], rng: np.random.Generator) -> dict[Measure, Levels]:
        """The levels of the measures on a batch of lists."""


def _batches(
    domain: Simulated, measures: Sequence[Measure], count: int, rng: np.random.Generator
) -> list[dict[Measure, Levels]]:
    return [domain.batch(measures, rng) for _ in range(count)]


class Generator(Protocol):
    """What draws lists: classes and scores, a row a list."""

    def __call__(self, count: int, rng: np.random.Generator) -> Drawn:
        """So many lists."""


@dataclass(frozen=True)
class NormalScores:
    """Lists with normal scores, mapped to (0, 1); each list has its own distance of the classes.

    Attributes:
        positives: the number of positives.
        negatives: the number of negatives.
        least: the smallest distance of the means, in standard deviations.
        most: the largest.
    """

    positives: int = 50
    negatives: int = 50
    least: float = 0.0
    most: float = 2.0

    def __call__(self, count: int, rng: np.random.Generator) -> Drawn:
        """So many lists."""
        from scipy.special import ndtr  # noqa: PLC0415

        positive = np.arange(self.positives + self.negatives) < self.positives
        shift = rng.uniform(self.least, self.most, (count, 1))
        score = rng.standard_normal((count, positive.size)) + (positive - 0.5) * shift
        return np.broadcast_to(positive, score.shape), ndtr(score)


class ScoreLists(Simulated):
    """Lists of classes and scores from a generator."""

    def __init__(self, generator: Generator, lists: int, seed: int | None) -> None:
        if not callable(generator):
            raise DataError(
                "score_lists takes a generator: a function of a number of lists and a random "
                "generator that gives their classes and scores, a row a list"
            )
        super().__init__(lists, seed)
        self.generator = generator

    def __str__(self) -> str:
        return f"score lists of {_named(self.generator)}, drawn at random"

    def placed(self, measure: Measure) -> Measure:
        """The measure itself, if it is one of labels and scores."""
        check_takes_tables(measure, "score lists")
        return measure

    def batch(self, measures: Sequence[Measure], rng: np.random.Generator) -> dict[Measure, Levels]:
        """The levels of the measures on a batch of lists."""
        positive, score = self._drawn(rng)
        table = ScoreTable.from_cases(positive, score)
        sizes = {(int(p), int(q)) for p, q in zip(table.P, table.N, strict=True)}
        whole = len(sizes) == 1 and min(min(sizes)) > 0
        found = {}
        for measure in measures:
            if measure.unit_scores:
                measure.require_unit(table)
            quantum = None
            if whole and (measure.point is None or measure.point.kind == "threshold"):
                quantum = measure.quantum(*map(Fraction, next(iter(sizes))))
            found[measure] = levels_of(measure, block_values(measure, table), quantum, sure=False)
        return found

    def _drawn(self, rng: np.random.Generator) -> Drawn:
        try:
            positive, score = (np.asarray(part) for part in self.generator(BATCH, rng))
        except (TypeError, ValueError) as error:
            raise DataError(
                f"the generator must give classes and scores for a number of lists: {error}"
            ) from error
        if positive.shape != score.shape or score.ndim != 2 or len(score) != BATCH:
            raise DataError(
                f"the generator gave classes {positive.shape} and scores {score.shape}: both must "
                f"have a row for each of the {BATCH} lists that were asked for"
            )
        if np.isnan(score).any():
            raise DataError("the generator gave scores that are NaN")
        return positive.astype(bool), score.astype(np.float64)


def score_lists(
    generator: Generator | None = None, *, lists: int = 20_000, seed: int | None = 1
) -> ScoreLists:
    """Lists of classes and scores drawn at random, for measures that see more than ranks.

    Args:
        generator: a function of a number of lists and a random generator that gives their classes
            and their scores, a row a list; normal scores of 50 + 50 cases by default.
        lists: how many lists are drawn at most, in independent batches.
        seed: the seed of the random numbers.
    """
    return ScoreLists(generator or NormalScores(), lists, seed)


class Multiclass(Simulated):
    """Lists of several classes as Huang draws them.

    The probabilities of a case are uniform numbers, normalised; as many cases have their largest
    probability in one class as in another, and the true classes are a random order of as many.
    """

    def __init__(self, classes: int, per_class: int, lists: int, seed: int | None) -> None:
        super().__init__(lists, seed)
        self.classes = read_argument("classes", classes, Whole(2))
        self.per_class = read_argument("per_class", per_class, Whole(1))

    def __str__(self) -> str:
        return f"lists of {self.classes} classes with {self.per_class} cases each, drawn at random"

    def placed(self, measure: Measure) -> Measure:
        """The measure for several classes."""
        if measure.declaration.subject == "classes":
            return measure
        return measure.of_classes()

    def batch(self, measures: Sequence[Measure], rng: np.random.Generator) -> dict[Measure, Levels]:
        """The levels of the measures on a batch of lists."""
        code = np.repeat(np.arange(self.classes), self.per_class)
        names = tuple(range(self.classes))
        values = np.empty((len(measures), BATCH))
        for number in range(BATCH):
            scores = rng.random((code.size, self.classes))
            scores /= scores.sum(axis=1, keepdims=True)
            _put_largest(scores, code)
            subject = ClassScores(names, rng.permutation(code), scores)
            values[:, number] = [measure.compute(subject) for measure in measures]
        return {m: levels_of(m, v, None, sure=False) for m, v in zip(measures, values, strict=True)}


def _put_largest(scores: Floats, code: NDArray[np.int64]) -> None:
    """Exchange each case's largest score with that of its place's class."""
    rows = np.arange(code.size)
    where = scores.argmax(axis=1)
    largest, there = scores[rows, where], scores[rows, code]
    scores[rows, where], scores[rows, code] = there, largest


def multiclass(
    classes: int, per_class: int, *, lists: int = 5000, seed: int | None = 1
) -> Multiclass:
    """Lists of several classes drawn at random, for measures of several classes."""
    return Multiclass(classes, per_class, lists, seed)


def _named(generator: Any) -> str:
    return getattr(generator, "__name__", None) or str(generator)
