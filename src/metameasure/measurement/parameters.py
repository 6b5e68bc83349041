"""The kinds of parameter that a measure may have: each knows which values it admits."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from typing import Protocol


class Parameter(Protocol):
    """A set of admissible values."""

    def read(self, value: object) -> object:
        """The value in its one canonical form; ValueError if it is not admissible."""
        ...

    def __str__(self) -> str:
        """The admissible values, for a person."""
        ...


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ValueError("it must be a number")  # noqa: TRY004
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isnan(number):
        raise ValueError("it must be a number")
    return number


@dataclass(frozen=True)
class Real:
    """A real number between two limits; each belongs to the set unless it is called open."""

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False

    def read(self, value: object) -> float:
        """The number as float."""
        number = _number(value)
        above = number > self.low if self.open_low else number >= self.low
        below = number < self.high if self.open_high else number <= self.high
        if not (above and below and math.isfinite(number)):
            raise ValueError(f"it must be {self}")
        return number

    def __str__(self) -> str:
        low = "(" if self.open_low or math.isinf(self.low) else "["
        high = ")" if self.open_high or math.isinf(self.high) else "]"
        return f"a number in {low}{self.low:g}, {self.high:g}{high}"


@dataclass(frozen=True)
class Whole:
    """A whole number between two limits, which belong to the set."""

    low: int = 1
    high: float = math.inf

    def read(self, value: object) -> int:
        """The number as int."""
        number = _number(value)
        if not number.is_integer() or not self.low <= number <= self.high:
            raise ValueError(f"it must be {self}")
        return int(number)

    def __str__(self) -> str:
        return f"a whole number from {self.low}" + (
            f" to {self.high:g}" if math.isfinite(self.high) else ""
        )


@dataclass(frozen=True)
class Interval:
    """A pair of numbers, the lower first, between two limits."""

    low: float = 0.0
    high: float = 1.0

    def read(self, value: object) -> tuple[float, float]:
        """The pair as floats."""
        if not isinstance(value, (tuple, list)) or len(value) != 2:
            raise ValueError("it must be a pair of numbers")
        low, high = (_number(end) for end in value)
        if not self.low <= low < high <= self.high:
            raise ValueError(f"it must be {self}")
        return low, high

    def __str__(self) -> str:
        return f"a pair of numbers, the lower first, in [{self.low:g}, {self.high:g}]"


@dataclass(frozen=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, value: object) -> str:
        """The word."""
        if not isinstance(value, str) or value not in self.words:
            raise ValueError(f"it must be {self}")
        return value

    def __str__(self) -> str:
        return "one of " + ", ".join(repr(word) for word in self.words)


@dataclass(frozen=True)
class Flag:
    """True or False."""

    def read(self, value: object) -> bool:
        """The flag."""
        if not isinstance(value, bool):
            raise ValueError(f"it must be {self}")  # noqa: TRY004
        return value

    def __str__(self) -> str:
        return "True or False"
