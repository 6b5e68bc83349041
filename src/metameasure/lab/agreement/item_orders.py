"""All permutations of some items: the domain for measures of two orders."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import islice
from itertools import permutations as arrangements
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Whole, read_argument
from metameasure.data import Ranking
from metameasure.lab.agreement.domain import (
    Domain,
    Stratum,
    all_levels,
    at_cut,
    levels_of,
    quantum_of_counts,
)
from metameasure.lab.measures import base_measures
from metameasure.lab.parallel import run
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from metameasure._types import Floats
    from metameasure.measurement import Measure
    from metameasure.progress import Progress


LONGEST = 11
"""Largest number of items."""
TAILS = 7
"""Number of items at the end of a permutation that are permuted at once."""
AT_ONCE = 32
"""Number of beginnings of permutations per task."""


class Permutations(Domain):
    """All permutations of n items, compared with their true order (n from 2 to 11).

    For measures of labels and scores, the upper half of the true order is positive (the larger half
    if the number of items is odd), and the cut is at the number of positives.
    """

    def __init__(self, n: int) -> None:
        self.n: int = read_argument("n", n, Whole(2, LONGEST))
        self.negatives = self.n // 2
        self.positives = self.n - self.negatives

    def __str__(self) -> str:
        return f"permutations of {self.n} items"

    def strata(
        self,
        measures: Sequence[Measure],
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Stratum]:
        """One stratum: all permutations."""
        base = {measure: self._placed(measure) for measure in base_measures(measures)}
        chosen = list(dict.fromkeys(base.values()))
        work = partial(_evaluate, self, chosen)
        parts = run(
            work, list(self._tasks()), seed=0, workers=workers, progress=progress, threads=True
        )
        found = {
            measure: levels_of(measure, np.concatenate(column), self._quantum(measure))
            for measure, column in zip(chosen, zip(*parts, strict=True), strict=True)
        }
        yield Stratum(all_levels(measures, {m: found[placed] for m, placed in base.items()}))

    def _placed(self, measure: Measure) -> Measure:
        if measure.declaration.subject == "order":
            return measure
        return at_cut(measure, self.positives, str(self))

    def _quantum(self, measure: Measure) -> Any:
        if measure.declaration.subject == "order":
            return measure.quantum(Fraction(self.n))
        return quantum_of_counts(measure, self.positives, self.negatives, ties=False)

    def _tasks(self) -> Iterator[list[tuple[int, ...]]]:
        """The beginnings of permutations, in groups."""
        heads = arrangements(range(1, self.n + 1), max(0, self.n - TAILS))
        while some := list(islice(heads, AT_ONCE)):
            yield some

    def block(self, heads: Sequence[tuple[int, ...]]) -> Floats:
        """All permutations with these beginnings."""
        tails = min(self.n, TAILS)
        places = np.array(list(arrangements(range(tails))))
        whole = np.empty((len(heads), len(places), self.n))
        for row, head in zip(whole, heads, strict=True):
            rest = np.array([item for item in range(1, self.n + 1) if item not in head])
            row[:, : len(head)] = head
            row[:, len(head) :] = rest[places]
        return whole.reshape(-1, self.n)


permutations = Permutations


def _evaluate(
    domain: Permutations,
    measures: Sequence[Measure],
    heads: Sequence[tuple[int, ...]],
    _: np.random.Generator,
) -> list[Floats]:
    """The values of measures on a block of permutations."""
    orders = domain.block(heads)
    ranking = Ranking(orders)
    pos = np.asfortranarray((orders[:, ::-1] > domain.negatives).astype(np.float64))
    score = np.arange(domain.n, 0.0, -1.0)
    table = ScoreTable.of_counts(score, pos, 1.0 - pos, one_case_per_row=True)
    return [m.of_block(ranking if m.declaration.subject == "order" else table) for m in measures]
