"""All ranked lists of some positives and negatives, without ties."""

from __future__ import annotations

import math
from functools import cache, partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from metameasure._arguments import Choice, Whole, read_argument
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.lab.agreement.domain import (
    Domain,
    Levels,
    Stratum,
    all_levels,
    at_cut,
    levels_of,
    levels_of_exact,
    quantum_of_counts,
)
from metameasure.lab.agreement.pair_counts import DENSE
from metameasure.lab.measures import base_measures
from metameasure.lab.parallel import run
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats
    from metameasure.measurement import Measure
    from metameasure.progress import Progress


Way = Literal["auto", "enumerate", "count"]
MOST = 10**8
"""Number of lists up to which they are enumerated."""
ENTRIES = 2**20
"""Number of entries of a block of lists."""
LONGEST = 62
"""Number of cases whose classes fit into one integer."""


class RankedLists(Domain):
    """All orders of some positives and negatives, without ties.

    Args:
        positives: the number of positives per list.
        negatives: the number of negatives per list.
        cut: the number of cases that measures with a threshold classify as positive; by default the
            number of positives.
        way: "enumerate" all lists, "count" them by kind (only for measures at the cut and measures
            that depend on AUC alone), or "auto".

    >>> from metameasure import lab
    >>> lab.ranked_lists(4, 4).size
    70
    """

    def __init__(
        self, positives: int, negatives: int, cut: int | None = None, way: Way = "auto"
    ) -> None:
        self.positives: int = read_argument("positives", positives, Whole(1))
        self.negatives: int = read_argument("negatives", negatives, Whole(1))
        chosen = read_argument("cut", cut, Whole(0, self.n), optional=True)
        self.cut: int = self.positives if chosen is None else chosen
        self.way = read_argument("way", way, Choice(get_args(Way)))

    @property
    def n(self) -> int:
        """The length of a list."""
        return self.positives + self.negatives

    @property
    def size(self) -> int:
        """The number of lists."""
        return math.comb(self.n, self.positives)

    def __str__(self) -> str:
        return f"ranked lists of {self.positives} positives and {self.negatives} negatives"

    def strata(
        self,
        measures: Sequence[Measure],
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Stratum]:
        """One stratum: all lists."""
        base = {m: at_cut(m, self.cut, str(self)) for m in base_measures(measures)}
        countable = all(self._is_counted(measure) for measure in base.values())
        if self.way == "count" and not countable:
            raise ParameterError(
                (
                    Argument("way", "count"),
                    " supports only measures at the cut and measures that depend on AUC alone",
                ),
                remedy=("use ", Argument("way", "enumerate")),
            )
        if countable and self.way != "enumerate":
            found, weight = self._counted(list(dict.fromkeys(base.values())), progress)
        else:
            weight = None
            found = self._enumerated(list(dict.fromkeys(base.values())), workers, progress)
        yield Stratum(all_levels(measures, {m: found[base[m]] for m in base}), weight)

    def _is_counted(self, measure: Measure) -> bool:
        point = measure.point
        at_the_cut = point is not None and point.kind == "k" and point.value == self.cut
        return at_the_cut or measure.declaration.right_pairs

    def _counted(
        self, chosen: list[Measure], progress: Progress | None
    ) -> tuple[dict[Measure, Levels], NDArray[Any]]:
        """The levels of the kinds of lists, and the number of lists of each kind."""
        kinds_of_both = (self.positives * self.negatives + 1) * (min(self.positives, self.cut) + 1)
        if kinds_of_both > DENSE:
            raise DataError(
                f"{self} are too many to count: {kinds_of_both:,} kinds, more than {DENSE:,}",
                remedy="use shorter lists, or random score lists",
            )
        cells = list_counts(self.positives, self.negatives, self.cut, progress)
        found = {}
        for measure in chosen:
            by_pairs = measure.declaration.right_pairs
            lists = self._by_right_pairs() if by_pairs else self._by_positives_above()
            kinds = self._levels(measure, measure.of_block(self._table(lists)))
            which = cells.right if by_pairs else cells.above - cells.above.min()
            found[measure] = Levels(kinds.code[which], kinds.values, kinds.exact)
        return found, cells.lists

    def _by_right_pairs(self) -> Floats:
        """One list per number of correctly ordered pairs."""
        right = np.arange(self.positives * self.negatives + 1)
        whole, rest = divmod(right, self.negatives)
        pos = np.zeros((right.size, self.n))
        place = np.arange(self.n)
        pos[place < whole[:, np.newaxis]] = 1
        # One more positive is above the rest of the negatives; the other positives are last.
        one = np.where(whole < self.positives, whole + self.negatives - rest, 0)
        pos[np.arange(right.size), one] = 1
        last = np.maximum(self.positives - whole - 1, 0)
        pos[place >= self.n - last[:, np.newaxis]] = 1
        return pos

    def _by_positives_above(self) -> Floats:
        """One list per number of positives above the cut."""
        least, most = max(0, self.cut - self.negatives), min(self.cut, self.positives)
        above = np.arange(least, most + 1)[:, np.newaxis]
        place = np.arange(self.n)
        below = (place >= self.cut) & (place < self.cut + self.positives - above)
        return ((place < above) | below).astype(np.float64)

    def _levels(self, measure: Measure, values: Floats) -> Levels:
        quantum = quantum_of_counts(measure, self.positives, self.negatives, ties=False)
        return levels_of(measure, values, quantum)

    def _table(self, pos: Floats) -> ScoreTable:
        score = np.arange(self.n, 0.0, -1.0)
        return ScoreTable.of_counts(score, pos, 1.0 - pos, one_case_per_row=True)

    def _enumerated(
        self, chosen: list[Measure], workers: int | None, progress: Progress | None
    ) -> dict[Measure, Levels]:
        self._check_size(len(chosen))
        by_hull = [m for m in chosen if m.declaration.exact and self._has_exact(m)]
        by_value = [m for m in chosen if m not in by_hull]
        tasks = list(self._tasks())
        work = partial(_evaluate, self, by_value, bool(by_hull))
        parts = run(work, tasks, seed=0, workers=workers, progress=progress, threads=True)
        values = [np.concatenate(column) for column in zip(*(p[0] for p in parts), strict=True)]
        found = {m: self._levels(m, v) for m, v in zip(by_value, values, strict=True)}
        if by_hull:
            hulls = np.concatenate([part[1] for part in parts])
            distinct, code = np.unique(hulls, return_inverse=True)
            steps = [_steps(int(hull), self.n) for hull in distinct]
            for measure in by_hull:
                exact = [_exact(measure, hull) for hull in steps]
                found[measure] = levels_of_exact(measure.best, code.reshape(-1), exact)
        return found

    def _has_exact(self, measure: Measure) -> bool:
        one_step = [(self.positives, self.negatives)]
        return _exact(measure, one_step) is not None

    def _check_size(self, measures: int) -> None:
        if self.size > MOST or self.n > LONGEST:
            gib = self.size * (16 * measures + 24) >> 30
            raise DataError(
                f"there are {_about(self.size)} {self}, which would take {_about(gib)} GiB",
                remedy="use shorter lists, random score lists, or only AUC and "
                "measures at the cut, which need no enumeration",
            )

    def _tasks(self) -> Iterator[tuple[int, int, int]]:
        """Blocks of lists: the positives in the upper half, and a range of upper halves."""
        upper = self.n // 2
        for found in range(self.positives + 1):
            tops, bottoms = (
                math.comb(upper, found),
                math.comb(self.n - upper, self.positives - found),
            )
            at_once = max(1, ENTRIES // (max(bottoms, 1) * self.n))
            if tops and bottoms:
                for start in range(0, tops, at_once):
                    yield found, start, min(start + at_once, tops)

    def block(self, task: tuple[int, int, int]) -> ScoreTable:
        """The lists of one task: some upper halves, each with all possible lower halves."""
        found, start, end = task
        upper = self.n // 2
        tops = _halves(upper, found)[start:end]
        bottoms = _halves(self.n - upper, self.positives - found)
        pos = np.empty((self.n, len(tops), len(bottoms)))
        pos[:upper] = tops.T[:, :, np.newaxis]
        pos[upper:] = bottoms.T[:, np.newaxis]
        return self._table(pos.reshape(self.n, -1).T)


ranked_lists = RankedLists


def _about(count: int) -> str:
    """An integer; a very large one as a power of ten."""
    digits = math.floor(count.bit_length() * math.log10(2))
    return f"{count:,}" if digits < 18 else f"about 10^{digits}"


@cache
def _halves(n: int, positives: int) -> Floats:
    """All lists of n cases with this number of positives."""
    chosen = list(combinations(range(n), positives))
    rows = np.zeros((len(chosen), n))
    if positives:
        np.put_along_axis(rows, np.array(chosen), 1.0, axis=1)
    return rows


def _evaluate(
    domain: RankedLists,
    measures: Sequence[Measure],
    hulls: bool,
    task: tuple[int, int, int],
    _: np.random.Generator,
) -> tuple[list[Floats], NDArray[np.int64] | None]:
    """The values of measures on a block of lists, and the hulls of the lists."""
    table = domain.block(task)
    values = [measure.of_block(table) for measure in measures]
    return values, _hull_codes(table) if hulls else None


def _hull_codes(table: ScoreTable) -> NDArray[np.int64]:
    """Each list's hull as an integer: the list with that hull whose steps begin with negatives.

    The last case of a list is the lowest bit.
    """
    hull = table.hull
    n = hull.pos.shape[-1]
    p, q = hull.pos.astype(np.int64), hull.neg.astype(np.int64)
    after = n - (np.arange(n) + p + q)
    digits = ((1 << p) - 1) << np.where(p > 0, after, 0)
    return np.asarray(digits.sum(axis=-1))


def _steps(hull: int, n: int) -> list[tuple[int, int]]:
    """The numbers of positives and negatives of each step of a hull."""
    steps: list[tuple[int, int]] = []
    pos = neg = 0
    for place in range(n - 1, -1, -1):
        positive = hull >> place & 1
        if pos and not positive:
            steps.append((pos, neg))
            pos = neg = 0
        pos, neg = pos + positive, neg + 1 - positive
    return [*steps, (pos, neg)]


def _exact(measure: Measure, steps: Sequence[tuple[int, int]]) -> Any:
    assert measure.declaration.exact is not None  # noqa: S101 - only such measures get here
    return measure.declaration.exact(steps, **dict(measure.parameters))


class Cells(NamedTuple):
    """Kinds of lists: correctly ordered pairs, positives above the cut, and number of lists."""

    right: NDArray[np.int64]
    above: NDArray[np.int64]
    lists: NDArray[Any]


def list_counts(
    positives: int, negatives: int, cut: int, progress: Progress | None = None
) -> Cells:
    """All ranked lists of some positives and negatives, grouped by kind.

    The number of correctly ordered pairs of a list is the size of a partition in a box. So lists
    are counted by Gaussian binomial coefficients: of the part above the cut, of the part below it,
    and the pairs across. Nothing is enumerated, and all counts are integers.
    """
    n = positives + negatives
    # A polynomial is packed into one integer: each coefficient can hold the number of lists.
    width = -(-(n + 1) // 8) * 8
    hits = range(max(0, cut - negatives), min(cut, positives) + 1)
    upper = _triangle_row(cut, width, hits)
    lower = upper
    if cut != n - cut:
        lower = _triangle_row(n - cut, width, [positives - found for found in hits])
    products: dict[tuple[int, int], int] = {}
    right, above, count = [], [], []
    for found in hits:
        rest = positives - found
        product = products.pop((rest, found), None) if upper is lower else None
        if product is None:
            product = products[found, rest] = upper[found] * lower[rest]
        inside = found * (cut - found) + rest * (n - cut - rest)
        # A positive above the cut is correctly ordered with every negative below it.
        across = found * (negatives - (cut - found))
        right.append(across + np.arange(inside + 1))
        above.append(np.full(inside + 1, found))
        count += _unpacked(product, inside + 1, width)
        if progress:
            progress((found - hits.start + 1) / len(hits))
    return Cells(np.concatenate(right), np.concatenate(above), np.array(count, dtype=object))


def _triangle_row(n: int, width: int, wanted: Iterable[int]) -> dict[int, int]:
    """The requested Gaussian binomials [n, k], packed: [n, k] = [n-1, k-1] + q^k [n-1, k].

    [n, k] = [n, n-k]: one integer serves both, as Python squares faster than it multiplies.
    """
    smaller = {k: min(k, n - k) for k in wanted}
    most = max(smaller.values())
    row = [1]
    for _ in range(n):
        shifted = [value << (width * k) for k, value in enumerate(row)]
        row = [a + b for a, b in zip([*shifted, 0], [0, *row], strict=True)][: most + 1]
    return {k: row[least] for k, least in smaller.items()}


def _unpacked(packed: int, terms: int, width: int) -> list[int]:
    size = width // 8
    content = packed.to_bytes(terms * size, "little")
    return [int.from_bytes(content[k * size : (k + 1) * size], "little") for k in range(terms)]
