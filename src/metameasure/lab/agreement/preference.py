"""Several measures compared in pairs, and the order of preference that follows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, ClassVar

from metameasure._text import number
from metameasure.errors import Argument, ParameterError
from metameasure.lab.agreement.comparison import ComparisonRow, all_comparisons
from metameasure.measurement import parse, parse_list
from metameasure.progress import reporting
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from metameasure.lab.agreement.comparison import MeasureComparison
    from metameasure.lab.agreement.domain import Domain
    from metameasure.measurement import Measure
    from metameasure.progress import Progress

    Comparisons = Mapping[tuple[Measure, Measure], MeasureComparison]

BETTER = ("better", "dominates")
TITLES = {
    "consistency": "consistency C: fraction of pairs ordered by both on which they agree",
    "discriminancy": "discriminancy D: pairs only the row discriminates per pair only the column "
    "discriminates",
}


class ComparisonMatrix(Result):
    """All pairs of some measures; one row per ordered pair."""

    schema = ComparisonRow

    def __init__(self, measures: Sequence[Measure], found: Comparisons, domain: str) -> None:
        rows = [found[pair].rows[0] for pair in permutations(measures, 2)]
        super().__init__(rows, meta={"domain": domain})
        self.measures = tuple(measures)
        self.domain = domain
        self._found = found

    def __getitem__(self, pair: tuple[str | Measure, str | Measure]) -> MeasureComparison:
        f, g = map(parse, pair)
        if (f, g) not in self._found:
            names = ", ".join(map(str, self.measures))
            raise ParameterError(f"{f} and {g} must be two different measures of {names}")
        return self._found[f, g]

    def is_better(self, f: str | Measure, g: str | Measure) -> bool:
        """Whether f is better than g."""
        return self[f, g].verdict in BETTER

    def grids(self) -> list[Grid]:
        """Consistency and discriminancy, each as a square table."""
        header = ["", *map(str, self.measures)]
        grids = []
        for degree, title in TITLES.items():
            body = [
                (str(row), [self._cell(row, column, degree) for column in self.measures])
                for row in self.measures
            ]
            grids.append(Grid(header, body, self.domain, title, "row better than column"))
        return grids

    def _cell(self, row: Measure, column: Measure, degree: str) -> Cell:
        if row == column:
            return Cell("")
        value = getattr(self._found[row, column], degree)
        stands_out = degree == "discriminancy" and self.is_better(row, column)
        return Cell(number(value), stands_out=stands_out)

    def __repr__(self) -> str:
        return f"<comparison of {len(self.measures)} measures>"


@dataclass(frozen=True)
class PreferenceRow:
    """A measure and its place in the order, from 1."""

    place: int
    measure: str


class PreferenceOrder(Result):
    """Measures from best to worst.

    Attributes:
        tiers: the measures from best to worst; measures of one tier are not better than each other.
        cycles: sets of measures that are better than each other in a cycle; they share a tier.
            A single domain has none, since a better measure discriminates more pairs.
        not_better: pairs whose first measure is in a higher tier without being better, which is
            possible since "better" is not transitive.
        matrix: all comparisons.
    """

    schema = PreferenceRow
    extra: ClassVar = {"comparisons": ComparisonRow}

    def __init__(self, matrix: ComparisonMatrix) -> None:
        self.matrix = matrix
        self.comparisons = matrix.rows
        groups = _cycles(matrix)
        self.cycles = tuple(tuple(group) for group in groups if len(group) > 1)
        self.tiers = tuple(_tiers(matrix, groups))
        self.not_better = tuple(
            (f, g)
            for higher, lower in combinations(self.tiers, 2)
            for f in higher
            for g in lower
            if not matrix.is_better(f, g)
        )
        places = enumerate(self.tiers, 1)
        super().__init__(
            [PreferenceRow(place, str(measure)) for place, tier in places for measure in tier],
            meta={
                "order": self.text,
                "cycles": [[str(measure) for measure in cycle] for cycle in self.cycles],
                "not_better": [[str(f), str(g)] for f, g in self.not_better],
                "domain": matrix.domain,
            },
        )

    @property
    def measures(self) -> list[Measure]:
        """The measures from best to worst."""
        return [measure for tier in self.tiers for measure in tier]

    @property
    def text(self) -> str:
        """The order on one line; ≳ if some measure of a tier is not better than one of the next."""
        text = ""
        for above, tier in zip(((), *self.tiers), self.tiers, strict=False):
            better = all(self.matrix.is_better(f, g) for f in above for g in tier)
            text += (" > " if better else " ≳ ") * bool(above) + self._tier_text(tier)
        return text

    def _tier_text(self, tier: Sequence[Measure]) -> str:
        """The measures of a tier: equivalent ones separated by =, others by ~."""
        groups: list[list[Measure]] = []
        for measure in tier:
            for group in groups:
                if self.matrix[group[0], measure].verdict == "equivalent":
                    group.append(measure)
                    break
            else:
                groups.append([measure])
        return " ~ ".join(" = ".join(map(str, group)) for group in groups)

    def grids(self) -> list[Grid]:
        """Consistency and discriminancy, each as a square table."""
        return self.matrix.grids()

    def notes(self) -> list[str]:
        """The order, and exceptions to it."""
        lines = [self.text]
        for cycle in self.cycles:
            names = ", ".join(map(str, cycle))
            lines.append(f"cycle: {names} are better than each other in turn")
        return lines + [f"{f} precedes {g} but is not better" for f, g in self.not_better]

    def __repr__(self) -> str:
        return f"<{self.text}>"


def comparison_matrix(
    measures: str | Iterable[str | Measure],
    domain: Domain,
    *,
    precision: float | None = None,
    workers: int | None = None,
    progress: bool | Progress | None = True,
) -> ComparisonMatrix:
    """Compare all pairs of some measures on a domain; see ``compare``."""
    chosen = parse_list(measures)
    if len(chosen) < 2:
        raise ParameterError(
            (Argument("measures"), f" needs at least 2 different measures, got {len(chosen)}")
        )
    what = f"lab.comparison_matrix: {len(chosen)} measures on {domain}"
    with reporting(progress, what) as report:
        found = all_comparisons(chosen, domain, precision, workers, report)
    return ComparisonMatrix(chosen, found, str(domain))


def preference_order(
    measures: str | Iterable[str | Measure],
    domain: Domain,
    *,
    precision: float | None = None,
    workers: int | None = None,
    progress: bool | Progress | None = True,
) -> PreferenceOrder:
    """Order measures from best to worst; exceptions to transitivity are reported.

    >>> from metameasure import lab
    >>> lab.preference_order("accuracy, auc, two_level(auc, accuracy)", lab.ranked_lists(4, 4))
    <two_level(auc, accuracy) > auc > accuracy>
    """
    matrix = comparison_matrix(
        measures, domain, precision=precision, workers=workers, progress=progress
    )
    return PreferenceOrder(matrix)


def _cycles(matrix: ComparisonMatrix) -> list[list[Measure]]:
    """The measures, grouped where they are better than each other in a cycle."""
    reached = {f: {g for g in matrix.measures if f != g and matrix.is_better(f, g)}
               for f in matrix.measures}  # fmt: skip
    for through in matrix.measures:
        for start in matrix.measures:
            if through in reached[start]:
                reached[start] |= reached[through]
    groups: list[list[Measure]] = []
    for measure in matrix.measures:
        for group in groups:
            if measure in reached[group[0]] and group[0] in reached[measure]:
                group.append(measure)
                break
        else:
            groups.append([measure])
    return groups


def _tiers(matrix: ComparisonMatrix, groups: Sequence[list[Measure]]) -> list[tuple[Measure, ...]]:
    """Groups from best to worst: a tier has the groups that no remaining group is better than."""
    remaining, tiers = list(groups), []
    while remaining:
        top = [
            group
            for group in remaining
            if not any(
                matrix.is_better(f, g)
                for other in remaining
                if other is not group
                for f in other
                for g in group
            )
        ]
        tiers.append(tuple(measure for group in top for measure in group))
        remaining = [group for group in remaining if group not in top]
    return tiers
