"""Several measures against each other: all pairs, and the order of preference that follows."""

from __future__ import annotations

import json
from itertools import combinations
from typing import TYPE_CHECKING, Any

from metameasure._text import number
from metameasure.errors import DataError
from metameasure.lab.agreement.comparison import (
    all_comparisons,
    comparison_frame,
    ordered_pairs,
    read_measures,
)
from metameasure.measurement import parse
from metameasure.results import Cell, Grid, Page, Printed, json_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from metameasure.inference import Progress
    from metameasure.lab.agreement.comparison import MeasureComparison
    from metameasure.lab.agreement.domain import Domain
    from metameasure.measurement import Measure

    Comparisons = Mapping[tuple[Measure, Measure], MeasureComparison]

BETTER = ("better", "dominates")
TITLES = {
    "consistency": "consistency C: how often row and column agree where both decide",
    "discriminancy": "discriminancy D: pairs only the row decides for each only the column decides",
}


class ComparisonMatrix(Printed):
    """All pairs of some measures; ``frame()`` has a row for each pair in both directions."""

    def __init__(self, measures: Sequence[Measure], found: Comparisons, domain: str) -> None:
        self.measures = tuple(measures)
        self.domain = domain
        self._found = found

    def __getitem__(self, pair: tuple[str | Measure, str | Measure]) -> MeasureComparison:
        f, g = map(parse, pair)
        if (f, g) not in self._found:
            raise DataError(f"{f} and {g} are no pair of {', '.join(map(str, self.measures))}")
        return self._found[f, g]

    def is_better(self, f: Measure, g: Measure) -> bool:
        """Whether f is better than g."""
        return self._found[f, g].verdict in BETTER

    def records(self) -> list[dict[str, Any]]:
        """The comparisons as dicts."""
        return [self._found[pair].records()[0] for pair in ordered_pairs(self.measures)]

    def frame(self) -> Any:
        """A tidy frame."""
        return comparison_frame(self.records())

    def to_json(self) -> str:
        """JSON with ``rows`` and the ``domain``."""
        rows = [json_record(record) for record in self.records()]
        return json.dumps({"rows": rows, "domain": self.domain}, indent=2)

    def page(self) -> Page:
        """The degrees of consistency and of discriminancy, each as a square."""
        grids = []
        for degree, title in TITLES.items():
            body = [
                (str(row), [self._cell(row, column, degree) for column in self.measures])
                for row in self.measures
            ]
            header = ["", *map(str, self.measures)]
            grids.append(Grid(header, body, self.domain, title))
        return Page(grids, [])

    def _cell(self, row: Measure, column: Measure, degree: str) -> Cell:
        if row == column:
            return Cell("")
        value = getattr(self._found[row, column], degree)
        stands_out = degree == "discriminancy" and self.is_better(row, column)
        return Cell(number(value), stands_out=stands_out)

    def __repr__(self) -> str:
        return f"<comparison of {len(self.measures)} measures>"


class PreferenceOrder(Printed):
    """Measures from best to worst.

    Attributes:
        tiers: the measures from best to worst; those of one tier are not better than each other.
        cycles: sets of measures that are better than each other round about; they share a tier.
            There are none on one domain, where a better measure decides more pairs.
        not_better: pairs of which the first stands in a higher tier, but is not better: "better" is
            not transitive.
        matrix: all comparisons.
    """

    def __init__(self, matrix: ComparisonMatrix) -> None:
        self.matrix = matrix
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

    @property
    def measures(self) -> list[Measure]:
        """The measures in a line."""
        return [measure for tier in self.tiers for measure in tier]

    @property
    def text(self) -> str:
        """The order as one line; ≳ where not all of a tier are better than all of the next."""
        text = ""
        for above, tier in zip(((), *self.tiers), self.tiers, strict=False):
            better = all(self.matrix.is_better(f, g) for f in above for g in tier)
            text += (" > " if better else " ≳ ") * bool(above) + self._tier_text(tier)
        return text

    def _tier_text(self, tier: Sequence[Measure]) -> str:
        """The measures of a tier: equivalent ones joined by =, others by ~."""
        groups: list[list[Measure]] = []
        for measure in tier:
            for group in groups:
                if self.matrix[group[0], measure].verdict == "equivalent":
                    group.append(measure)
                    break
            else:
                groups.append([measure])
        return " ~ ".join(" = ".join(map(str, group)) for group in groups)

    def records(self) -> list[dict[str, Any]]:
        """One dict a measure with its place, from 1."""
        return [
            {"place": place, "measure": str(measure)}
            for place, tier in enumerate(self.tiers, 1)
            for measure in tier
        ]

    def frame(self) -> Any:
        """A tidy frame."""
        import polars as pl  # noqa: PLC0415

        return pl.DataFrame(
            self.records(), schema={"place": pl.Int64(), "measure": pl.String()}, orient="row"
        )

    def to_json(self) -> str:
        """JSON with the ``order``, the ``rows``, the ``cycles`` and the comparisons."""
        content = {
            "order": self.text,
            "rows": self.records(),
            "cycles": [[str(measure) for measure in cycle] for cycle in self.cycles],
            "not_better": [[str(f), str(g)] for f, g in self.not_better],
            "comparisons": [json_record(record) for record in self.matrix.records()],
            "domain": self.matrix.domain,
        }
        return json.dumps(content, indent=2)

    def page(self) -> Page:
        """Both degrees, and the order below them."""
        lines = [self.text]
        for cycle in self.cycles:
            names = ", ".join(map(str, cycle))
            lines.append(f"no order: {names} are better than each other in a circle")
        lines += [f"{f} stands before {g} without being better" for f, g in self.not_better]
        return Page(self.matrix.page().grids, lines)

    def __repr__(self) -> str:
        return f"<{self.text}>"


def comparison_matrix(
    measures: str | Iterable[str | Measure],
    domain: Domain,
    *,
    precision: float | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ComparisonMatrix:
    """All pairs of some measures on a domain."""
    chosen = read_measures(measures)
    found = all_comparisons(chosen, domain, precision, workers, progress)
    return ComparisonMatrix(chosen, found, str(domain))


def preference_order(
    measures: str | Iterable[str | Measure],
    domain: Domain,
    *,
    precision: float | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> PreferenceOrder:
    """Measures from best to worst; "better" need not be transitive, and exceptions are reported.

    >>> from metameasure import lab
    >>> lab.preference_order("accuracy, auc, two_level(auc, accuracy)", lab.ranked_lists(4, 4))
    <two_level(auc, accuracy) > auc > accuracy>
    """
    matrix = comparison_matrix(
        measures, domain, precision=precision, workers=workers, progress=progress
    )
    return PreferenceOrder(matrix)


def _cycles(matrix: ComparisonMatrix) -> list[list[Measure]]:
    """The measures, those together that are better than each other round about."""
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
    """Groups from best to worst: those first that no remaining group is better than."""
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
