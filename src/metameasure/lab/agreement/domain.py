"""Domains: what measures are compared on, in strata whose elements are compared in pairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

from metameasure.errors import DataError
from metameasure.lab.agreement.exact_ties import Levels, combined_levels
from metameasure.lab.measures import check_takes_tables
from metameasure.measurement import Combined, Measure
from metameasure.table import Point

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure.inference import Progress


class Stratum(NamedTuple):
    """Elements that are compared with each other.

    Attributes:
        levels: the levels of the elements, per measure.
        weight: the number of equal elements that each element stands for; None if 1.
    """

    levels: Mapping[Measure, Levels]
    weight: NDArray[Any] | None = None


class Domain(ABC):
    """Something on which any two measures can be compared."""

    simulated: bool = False

    @abstractmethod
    def strata(
        self,
        measures: Sequence[Measure],
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Stratum]:
        """The strata, with the levels of all measures."""

    @abstractmethod
    def __str__(self) -> str:
        """A short description of the elements, in the plural."""


def all_levels(
    measures: Sequence[Measure], base: Mapping[Measure, Levels], *, sure: bool = True
) -> dict[Measure, Levels]:
    """The levels of measures, from those of the measures that they consist of."""

    def find(measure: Measure) -> Levels:
        if isinstance(measure, Combined):
            return combined_levels(measure, *map(find, measure.parts), sure=sure)
        return base[measure]

    return {measure: find(measure) for measure in measures}


def at_cut(measure: Measure, cut: int, domain: str) -> Measure:
    """The measure as it applies to ranks: a default threshold is replaced by the cut."""
    check_takes_tables(measure, domain)
    point = measure.point
    if point is not None:
        if point == measure.declaration.point and point.kind == "threshold":
            return measure.at(Point("k", cut))
        if point.kind == "threshold":
            raise DataError(
                f"{measure} has a score threshold, but {domain} have ranks only",
                remedy=f"use a rank cutoff, e.g. {measure.name}@k={cut}",
            )
        return measure
    if "monotone" not in measure.declaration.invariant_to:
        raise DataError(
            f"{measure} depends on more than the order of the scores; it does not apply to "
            f"{domain}",
            remedy="compare it on score_lists(...) or observed(...)",
        )
    return measure
