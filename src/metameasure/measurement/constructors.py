"""Constructors: names that make a measure out of measures, as ``mean_over(average_precision)``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from metameasure.errors import UnknownMeasure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    from metameasure.measurement.registered import Measure

    Maker = TypeVar("Maker", bound=Callable[..., Measure])

makers: dict[str, Callable[..., Measure]] = {}
"""The constructors by name: each takes measures, then parameters by name."""
meanings: dict[str, str] = {}
"""The other names of constructed measures, with the texts that they stand for."""


def constructor(aliases: Mapping[str, str] | None = None) -> Callable[[Maker], Maker]:
    """Register a function that makes a measure of measures: texts may then use its name."""

    def register(maker: Maker) -> Maker:
        makers[maker.__name__] = maker
        meanings.update(aliases or {})
        return maker

    return register


@dataclass(frozen=True)
class Term:
    """A measure with a weight, which is half of a linear combination."""

    weight: float
    measure: Measure

    def __add__(self, other: object) -> Measure:
        if not isinstance(other, Term):
            return NotImplemented
        if not math.isclose(self.weight + other.weight, 1, abs_tol=1e-9):
            raise UnknownMeasure(
                f"a linear combination is of two measures with weights that sum to 1; "
                f"{self.weight:g} and {other.weight:g} do not"
            )
        return makers["linear"](self.measure, other.measure, alpha=self.weight)
