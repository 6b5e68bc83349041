"""When a computed value agrees with a printed one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from metameasure.experiments.declaration import Printed, Value

SLACK = 1e-9
"""Relative slack for the rounding of binary numbers at a tie of decimal digits."""


class Tolerance(Protocol):
    """A rule that accepts or refuses a value."""

    def accepts(self, printed: Printed, value: Value) -> bool:
        """Whether the value agrees with the printed one."""
        ...

    def __str__(self) -> str:
        """The rule in words."""
        ...


@dataclass(frozen=True)
class LastDigit:
    """The value rounds to the printed digits; either way if it lies in the middle.

    A number that is printed without a decimal point, such as a count, must be met exactly.

    Attributes:
        decimals: the number of decimals of a table that shortens 0.000 and 1.000 to 0 and 1.
    """

    decimals: int | None = None

    def accepts(self, printed: Printed, value: Value) -> bool:
        """Whether the value is at most half a unit of the last digit away."""
        short = self.decimals is not None and "." not in printed.text
        unit = 10.0 ** -(self.decimals or 0) if short else 2 * printed.half_unit
        return _within(printed.value, value.value, unit / 2)

    def __str__(self) -> str:
        return "the value rounds to the printed digits"


@dataclass(frozen=True)
class Within:
    """The value is near the printed one; `why` explains the limit.

    Attributes:
        why: where the limit comes from.
        absolute: the largest difference.
        relative: the largest difference relative to the printed value; the larger limit counts.
    """

    why: str
    absolute: float = 0.0
    relative: float = 0.0

    def accepts(self, printed: Printed, value: Value) -> bool:
        """Whether the difference, less the rounding of the print, is within the limit."""
        limit = max(self.absolute, self.relative * abs(printed.value))
        return _within(printed.value, value.value, limit + printed.half_unit)

    def __str__(self) -> str:
        limits = [f"{self.absolute:g}"] * (self.absolute > 0)
        limits += [f"{100 * self.relative:g}%"] * (self.relative > 0)
        return f"the difference is at most {' or '.join(limits)}: {self.why}"


@dataclass(frozen=True)
class Sampling:
    """The difference is within the sampling error of both sides.

    Attributes:
        repeats: the number of repeats of the paper, for rates; None if its error is unknown.
        scale: what a rate of 1 is printed as: 1, or 100 for percentages.
        spread: the standard error of a printed value that is no rate, unless the value has a
            ``print_error`` or the printed one an ``error``.
        z: the number of standard errors; the default is for 99% confidence.
    """

    repeats: int | None = None
    scale: float = 1.0
    spread: float = 0.0
    z: float = 2.5758293035489004

    def accepts(self, printed: Printed, value: Value) -> bool:
        """Whether the interval of the difference holds 0."""
        limit = self.z * self.error(printed, value)
        return _within(printed.value, value.value, limit + printed.half_unit)

    def error(self, printed: Printed, value: Value) -> float:
        """The standard error of the difference; that of rates follows from their pooled rate."""
        if self.repeats is None:
            return math.hypot(value.error, value.print_error or printed.error or self.spread)
        theirs, ours = printed.value / self.scale, value.value / self.scale
        rate = (self.repeats * theirs + value.count * ours) / (self.repeats + value.count)
        variance = max(rate * (1.0 - rate), 0.0) * (1.0 / self.repeats + 1.0 / value.count)
        return self.scale * math.sqrt(variance)

    def __str__(self) -> str:
        return f"the difference is at most {self.z:.3g} times its standard error"


def _within(printed: float, value: float, limit: float) -> bool:
    if math.isnan(printed) or math.isnan(value):
        return math.isnan(printed) and math.isnan(value)
    if math.isinf(printed) or math.isinf(value):
        return printed == value
    return abs(value - printed) <= limit + SLACK * max(abs(printed), abs(value))
