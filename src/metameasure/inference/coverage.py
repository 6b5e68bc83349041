"""How well intervals cover, from the simulations whose results come with the package."""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from metameasure.inference.sample import AnySample
    from metameasure.measurement import Measure

CasesKind = Literal["independent", "weighted", "clustered"]
NEAR = 1.0
"""Settings further away than the nearest one by less than this count, too."""


class Simulated(NamedTuple):
    """The coverage of an interval in one simulated setting.

    Attributes:
        fewest: the expected number of cases of the smaller class.
        prevalence: the share of the smaller class.
        cases: whether cases are independent, weighted or clustered.
        setting: the name of the setting.
        coverage: the fraction of the intervals that contain the true value.
        data_sets: the number of data sets with an interval.
    """

    fewest: float
    prevalence: float
    cases: CasesKind
    setting: str
    coverage: float
    data_sets: int

    def is_below(self, coverage: float) -> bool:
        """Whether the coverage is lower than this by more than two standard errors."""
        error = math.sqrt(coverage * (1 - coverage) / self.data_sets)
        return self.coverage < coverage - 2 * error


@cache
def _studied() -> dict[str, dict[str, list[Simulated]]]:
    """What was simulated, by measure and method."""
    file = files("metameasure.inference").joinpath("coverage.json")
    found = json.loads(file.read_text(encoding="utf-8"))
    return {
        measure: {method: [Simulated(*row) for row in rows] for method, rows in methods.items()}
        for measure, methods in found.items()
    }


def cases_kind(sample: AnySample) -> CasesKind:
    """Whether the cases of a sample are independent, weighted or clustered."""
    if sample.cluster is not None:
        return "clustered"
    return "independent" if sample.weight is None else "weighted"


def known_coverage(
    measure: Measure, method: str, sizes: tuple[float, float], cases: CasesKind = "independent"
) -> Simulated | None:
    """The lowest coverage in simulations like this; None if there were none.

    Those are like this that have about the same number of cases in the smaller class and about the
    same prevalence: a factor of 2 in the number counts like a factor of 4 in the odds.
    """
    rows = _studied().get(str(measure), {}).get(method, [])
    fewest = max(min(sizes), 1.0)
    odds = fewest / max(*sizes, 1.0)

    def distance(row: Simulated) -> float:
        apart = row.prevalence / (1 - row.prevalence) / odds
        return abs(math.log2(row.fewest / fewest)) + abs(math.log2(apart)) / 2

    known = [(distance(row), row) for row in rows if row.cases == cases]
    if not known:
        return None
    nearest = min(away for away, _ in known)
    like_this = [row for away, row in known if away <= nearest + NEAR]
    return min(like_this, key=lambda row: row.coverage)
