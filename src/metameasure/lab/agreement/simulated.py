"""Random lists: domains for measures that need more than all ranked lists."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from metameasure._arguments import Whole, read_argument, read_seed
from metameasure._text import shown
from metameasure.data import ClassScores
from metameasure.errors import DataError, ParameterError
from metameasure.inference import portion
from metameasure.lab.agreement.domain import (
    Domain,
    Stratum,
    all_levels,
    levels_of,
    quantum_of_counts,
)
from metameasure.lab.measures import base_measures, check_takes_tables
from metameasure.lab.parallel import portions, run
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats
    from metameasure.lab.agreement.domain import Levels
    from metameasure.measurement import Measure
    from metameasure.progress import Progress

    Drawn = tuple[NDArray[np.bool_], Floats]

BATCH = 500
"""Number of lists per batch. Lists are compared within a batch; batches are independent."""
TOGETHER = 4
"""Number of batches per task."""
ROUND = 10
"""Number of tasks after which the precision is checked."""


class Simulated(Domain):
    """Random lists in independent batches, from which standard errors are estimated."""

    simulated = True

    def __init__(self, lists: int, seed: int | None) -> None:
        self.batches = -(-read_argument("lists", lists, Whole(2 * BATCH)) // BATCH)
        self.seed = read_seed(seed)

    def strata(
        self,
        measures: Sequence[Measure],
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Stratum]:
        """The batches, drawn when they are needed."""
        placed = {measure: self.placed(measure) for measure in base_measures(measures)}
        tasks = portions(self.batches, TOGETHER)
        work = partial(_batches, self, list(dict.fromkeys(placed.values())))
        for done in range(0, len(tasks), ROUND):
            some = tasks[done : done + ROUND]
            own_progress = portion(progress, done // ROUND, -(-len(tasks) // ROUND))
            parts = run(
                work, some, seed=self.seed, workers=workers, progress=own_progress, before=done
            )
            for found in chain.from_iterable(parts):
                base = {measure: found[chosen] for measure, chosen in placed.items()}
                yield Stratum(all_levels(measures, base, certain=False))

    @abstractmethod
    def placed(self, measure: Measure) -> Measure:
        """The measure as it applies to these lists; an error if it does not."""

    @abstractmethod
    def batch(self, measures: Sequence[Measure], rng: np.random.Generator) -> dict[Measure, Levels]:
        """The levels of the measures on a batch of lists."""


def _batches(
    domain: Simulated, measures: Sequence[Measure], count: int, rng: np.random.Generator
) -> list[dict[Measure, Levels]]:
    return [domain.batch(measures, rng) for _ in range(count)]


class Generator(Protocol):
    """A function that draws lists: classes and scores, one row per list."""

    def __call__(self, count: int, rng: np.random.Generator) -> Drawn:
        """Draw ``count`` lists."""


@dataclass(frozen=True)
class NormalScores:
    """Lists with normal scores, mapped to (0, 1); the distance of the classes varies by list.

    Attributes:
        positives: the number of positives per list.
        negatives: the number of negatives per list.
        least: the smallest distance of the means, in standard deviations.
        most: the largest distance of the means, in standard deviations.
    """

    positives: int = 50
    negatives: int = 50
    least: float = 0.0
    most: float = 2.0

    def __call__(self, count: int, rng: np.random.Generator) -> Drawn:
        """Draw ``count`` lists."""
        from scipy.special import ndtr  # noqa: PLC0415

        positive = np.arange(self.positives + self.negatives) < self.positives
        shift = rng.uniform(self.least, self.most, (count, 1))
        score = rng.standard_normal((count, positive.size)) + (positive - 0.5) * shift
        return np.broadcast_to(positive, score.shape), ndtr(score)


class ScoreLists(Simulated):
    """Random lists of classes and scores, for measures that depend on more than ranks.

    Args:
        generator: a function (count, rng) that returns the classes and scores of ``count`` lists,
            one row per list; by default normal scores of 50 positives and 50 negatives.
        lists: the maximum number of lists, drawn in independent batches.
        seed: the random seed.
    """

    def __init__(
        self, generator: Generator | None = None, *, lists: int = 20_000, seed: int | None = 1
    ) -> None:
        generator = NormalScores() if generator is None else generator
        if not callable(generator):
            raise ParameterError(
                f"generator must be a function (count, rng) that returns classes and scores, got "
                f"{shown([generator])}",
                argument="generator",
            )
        super().__init__(lists, seed)
        self.generator = generator

    def __str__(self) -> str:
        return f"random score lists from {_named(self.generator)}"

    def placed(self, measure: Measure) -> Measure:
        """The measure itself."""
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
            quantum = quantum_of_counts(measure, *next(iter(sizes)), ties=True) if whole else None
            found[measure] = levels_of(measure, measure.of_block(table), quantum, certain=False)
        return found

    def _drawn(self, rng: np.random.Generator) -> Drawn:
        try:
            positive, score = (np.asarray(part) for part in self.generator(BATCH, rng))
        except (TypeError, ValueError) as error:
            raise DataError(
                f"{_named(self.generator)} must return a pair of arrays, classes and scores: "
                f"{error}"
            ) from error
        if positive.shape != score.shape or score.ndim != 2 or len(score) != BATCH:
            raise DataError(
                f"{_named(self.generator)} must return classes and scores with one row for each of "
                f"the {BATCH} lists, got shapes {positive.shape} and {score.shape}"
            )
        if np.isnan(score).any():
            raise DataError(f"{_named(self.generator)} returned scores that are NaN")
        return positive.astype(bool), score.astype(np.float64)


score_lists = ScoreLists


class Multiclass(Simulated):
    """Random lists of several classes, for measures of more than two classes, as in Huang (2006).

    The probabilities of a case are uniform random numbers, normalized to sum to 1. The same number
    of cases has its largest probability in each class, and the true classes, equally many of each,
    are in random order.

    Args:
        classes: the number of classes.
        per_class: the number of cases per class.
        lists: the maximum number of lists, drawn in independent batches.
        seed: the random seed.
    """

    def __init__(
        self, classes: int, per_class: int, *, lists: int = 5000, seed: int | None = 1
    ) -> None:
        super().__init__(lists, seed)
        self.classes = read_argument("classes", classes, Whole(2))
        self.per_class = read_argument("per_class", per_class, Whole(1))

    def __str__(self) -> str:
        return f"random lists of {self.classes} classes with {self.per_class} cases each"

    def placed(self, measure: Measure) -> Measure:
        """The measure, for more than two classes."""
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
        return {
            m: levels_of(m, v, None, certain=False) for m, v in zip(measures, values, strict=True)
        }


def _put_largest(scores: Floats, code: NDArray[np.int64]) -> None:
    """Swap each case's largest score with its score for the class in ``code``."""
    rows = np.arange(code.size)
    where = scores.argmax(axis=1)
    largest, there = scores[rows, where], scores[rows, code]
    scores[rows, where], scores[rows, code] = there, largest


multiclass = Multiclass


def _named(generator: Any) -> str:
    return getattr(generator, "__name__", None) or str(generator)
