"""Text for people: numbers, names and values from data files, made visible and cut."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

UNDEFINED = "–"


def number(value: float) -> str:
    """A value to four decimals; very large and very small ones to four digits."""
    if math.isnan(value):
        return UNDEFINED
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.4f}" if value == 0 or 1e-3 <= abs(value) < 1e5 else f"{value:.4g}"


def amount(weight: float) -> str:
    """A number of cases, or the weight of some."""
    whole = math.isfinite(weight) and weight == math.floor(weight) and abs(weight) < 1e15
    return f"{weight:.0f}" if whole else number(weight)


def limits(low: float | None, high: float | None) -> str:
    """An interval with enough decimals to show its width; empty if there is none."""
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return ""
    if not (low < high and math.isfinite(low) and math.isfinite(high)) or high >= 1e5:
        return f"{number(low)} to {number(high)}"
    decimals = _decimals(low, high)
    return f"{low:.{decimals}f}{' to ' if low < 0 else '–'}{high:.{decimals}f}"


def difference(value: float, low: float | None, high: float | None) -> str:
    """A difference to the decimals of its interval."""
    if low is None or high is None or not 0 < high - low < 1e5 or not math.isfinite(value):
        return number(value)
    return f"{value:.{_decimals(low, high) + 1}f}"


def _decimals(low: float, high: float) -> int:
    return min(max(3, 1 - math.floor(math.log10(high - low))), 12)


def visible(text: str) -> str:
    """Text from a data file with its control characters made visible."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def some_names(names: Sequence[str], most: int = 5) -> str:
    """A few names in a row, and how many more there are.

    >>> some_names(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def shown(values: Any, most: int = 5) -> str:
    """A few values for a message, escaped and cut so that hostile text stays harmless."""
    items = list(values)
    parts = [_cut(repr(_plain(v))) for v in items[:most]]
    return ", ".join(parts) + (f" and {len(items) - most} more" if len(items) > most else "")


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
