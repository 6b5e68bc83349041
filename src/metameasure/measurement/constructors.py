"""Constructors: functions that make a measure from measures: ``mean_over(average_precision)``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from metameasure.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    from metameasure.measurement._measure import Measure

    Maker = TypeVar("Maker", bound=Callable[..., Measure])

makers: dict[str, Callable[..., Measure]] = {}
"""Constructors by name; each takes measures, then keyword parameters."""
meanings: dict[str, str] = {}
"""Aliases of constructed measures, with the texts that they stand for."""


def constructor(aliases: Mapping[str, str] | None = None) -> Callable[[Maker], Maker]:
    """Register a function that makes a measure from measures, for use in texts."""

    def register(maker: Maker) -> Maker:
        makers[maker.__name__] = maker
        meanings.update(aliases or {})
        return maker

    return register


@dataclass(frozen=True)
class Term:
    """A measure with a weight: one half of a linear combination."""

    weight: float
    measure: Measure

    def __add__(self, other: object) -> Measure:
        if not isinstance(other, Term):
            return NotImplemented
        if not math.isclose(self.weight + other.weight, 1, abs_tol=1e-9):
            raise ParameterError(
                "the weights of a linear combination must sum to 1, got "
                f"{self.weight:g} and {other.weight:g}"
            )
        return makers["linear"](self.measure, other.measure, alpha=self.weight)
