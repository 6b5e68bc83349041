"""Domains: what measures are compared on, in strata of elements that are compared in pairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

from metameasure.lab.agreement.exact_ties import Levels, combined_levels
from metameasure.measurement import Combined, Measure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure.inference import Progress


class Stratum(NamedTuple):
    """Elements that are compared with each other.

    Attributes:
        levels: the levels of the elements by each measure.
        weight: how many equal elements each one stands for; None if one.
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
        """What it is, in a few words."""


def base_measures(measures: Sequence[Measure]) -> list[Measure]:
    """The measures that others are made of, each once."""
    found: dict[Measure, None] = {}
    for measure in measures:
        parts = base_measures(measure.parts) if isinstance(measure, Combined) else [measure]
        found |= dict.fromkeys(parts)
    return list(found)


def all_levels(
    measures: Sequence[Measure], base: Mapping[Measure, Levels], *, sure: bool = True
) -> dict[Measure, Levels]:
    """The levels of measures from those of the measures that they are made of."""

    def find(measure: Measure) -> Levels:
        if isinstance(measure, Combined):
            return combined_levels(measure, *map(find, measure.parts), sure=sure)
        return base[measure]

    return {measure: find(measure) for measure in measures}
