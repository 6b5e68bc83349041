"""Known distributions of a measure when labels are random, which measures declare."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from metameasure.errors import Argument, ParameterError

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.table import ScoreTable

Side = Literal["two-sided", "greater", "less"]

EXACT_PAIRS = 20_000
"""Number of pairs up to which the distribution of U is computed, in at most half a second."""
EXACT_CASES = 10_000
"""Number of cases per class up to which SciPy's exact distribution of the distance is used."""
OF_DISTRIBUTIONS: dict[Side, Side] = {
    "two-sided": "two-sided",
    "greater": "less",
    "less": "greater",
}
"""The alternatives in SciPy's terms: larger scores have the lower distribution function."""


@dataclass(frozen=True)
class NullDistribution(ABC):
    """Base class of the known distributions.

    ``is_distance`` says whether the value is a distance, of which only large values are extreme.
    """

    is_distance: ClassVar[bool] = False

    @abstractmethod
    def statistic(self, value: float, table: ScoreTable, side: Side) -> float:
        """The statistic by which the test is known, from the value of the measure."""

    @abstractmethod
    def is_exact(self, table: ScoreTable) -> bool:
        """Whether "auto" is the exact test."""

    def automatic(self, table: ScoreTable) -> str:
        """The method that "auto" stands for."""
        return "exact" if self.is_exact(table) else "asymptotic"

    def serves(self, method: str, table: ScoreTable) -> bool:
        """Whether SciPy has the p-value by this method; exact ones are for data without ties."""
        return method == "asymptotic" or (method == "exact" and table.one_case_per_row)

    @abstractmethod
    def pvalue(self, table: ScoreTable, side: Side, method: str) -> tuple[float, str]:
        """The p-value by SciPy, and the method by which it could be computed."""


class MannWhitney(NullDistribution):
    """The null distribution of the AUC, a multiple of Mann and Whitney's U."""

    def statistic(self, value: float, table: ScoreTable, side: Side) -> float:  # noqa: ARG002
        """U, the number of pairs in the right order."""
        return float(np.rint(2 * value * table.P * table.N) / 2)

    def is_exact(self, table: ScoreTable) -> bool:
        """Whether there are few cases without ties."""
        few = min(table.P, table.N) <= 8 and table.P * table.N <= EXACT_PAIRS
        return bool(few and table.one_case_per_row)

    def pvalue(self, table: ScoreTable, side: Side, method: str) -> tuple[float, str]:
        """The p-value, and the method."""
        from scipy.stats import mannwhitneyu  # noqa: PLC0415

        if method == "exact" and table.P * table.N > EXACT_PAIRS:
            raise ParameterError(
                f"an exact test of {table.P:g} times {table.N:g} pairs would take too long",
                remedy=("use ", Argument("method", "asymptotic")),
            )
        options: Any = {"alternative": side, "method": method}
        result = mannwhitneyu(*_classes(table), **options)
        return float(result.pvalue), method


class KolmogorovSmirnov(NullDistribution):
    """The null distribution of the largest distance between the classes' distribution functions."""

    is_distance = True

    def directed(self, tables: ScoreTable, side: Side) -> Any:
        """The largest distance in one direction, on a table or each table of a block."""
        gap = tables.tpr - tables.fpr
        return np.max(gap if side == "greater" else -gap, axis=-1)

    def statistic(self, value: float, table: ScoreTable, side: Side) -> float:
        """The distance in the direction of the alternative."""
        return value if side == "two-sided" else float(self.directed(table, side))

    def is_exact(self, table: ScoreTable) -> bool:
        """Whether SciPy has the exact distribution."""
        return bool(max(table.P, table.N) <= EXACT_CASES and table.one_case_per_row)

    def pvalue(self, table: ScoreTable, side: Side, method: str) -> tuple[float, str]:
        """The p-value, and the method by which it could be computed."""
        from scipy.stats import ks_2samp  # noqa: PLC0415

        if table.n == 2 and side == "two-sided":
            # Both orders of two cases are equally extreme; SciPy would divide by 0.
            return 1.0, method
        classes, direction = _classes(table), OF_DISTRIBUTIONS[side]
        if method == "exact":
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", RuntimeWarning)
                    result = ks_2samp(*classes, alternative=direction, method="exact")
                return float(result.pvalue), "exact"
            except RuntimeWarning:
                pass
        result = ks_2samp(*classes, alternative=direction, method="asymp")
        return float(result.pvalue), "asymptotic"


def _classes(table: ScoreTable) -> tuple[Floats, Floats]:
    """The scores of the positives and those of the negatives."""
    pos, neg = (np.repeat(table.score, w.astype(np.int64)) for w in (table.pos, table.neg))
    return pos, neg
