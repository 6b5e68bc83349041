"""All permutations of some items: what measures of orders are compared on."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from itertools import islice
from itertools import permutations as arrangements
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Whole, read_argument
from metameasure.data import Ranking
from metameasure.errors import DataError
from metameasure.lab.agreement.domain import Domain, Stratum, all_levels, base_measures
from metameasure.lab.agreement.exact_ties import levels_of
from metameasure.lab.agreement.ranks import at_cut, quantum_on_ranks
from metameasure.lab.block_values import block_values
from metameasure.lab.parallel import run
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from metameasure.inference import Progress
    from metameasure.measurement import Measure

    Floats = NDArray[np.float64]

LONGEST = 11
"""The longest lists of which all orders are looked at."""
TAILS = 7
"""The items at the end of which all orders are made at once."""
AT_ONCE = 32
"""The number of beginnings that are worked on together."""


class Permutations(Domain):
    """All orders in which some items, whose true order is known, can be predicted.

    To measures of labels and scores the upper half of the true order is positive (of an odd number
    of items the larger half), and the cut takes as many cases as there are positives.
    """

    def __init__(self, n: int) -> None:
        self.n = read_argument("n", n, Whole(2))
        if n > LONGEST:
            raise DataError(
                f"there are {math.factorial(n):,} permutations of {n} items, which would take "
                f"{math.factorial(n) * 16 / 2**30:,.0f} GiB a measure: choose at most {LONGEST}"
            )
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
        return quantum_on_ranks(measure, self.positives, self.negatives)

    def _tasks(self) -> Iterator[list[tuple[int, ...]]]:
        """The beginnings of permutations, some at a time."""
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


def permutations(n: int) -> Permutations:
    """All orders in which n items can be predicted, against their true order."""
    return Permutations(n)


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
    table = ScoreTable.of_counts(score, pos, 1.0 - pos, one_case_a_row=True)
    return [
        block_values(m, ranking if m.declaration.subject == "order" else table) for m in measures
    ]
