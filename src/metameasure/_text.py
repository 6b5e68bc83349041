"""Text for people: numbers, names and values from data files, made visible and cut."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

UNDEFINED = "–"
ROUNDING = 1e-12
"""Largest width of an interval, or size of a value, that may be due to rounding."""
MOST_REPEATED = 200
"""Number of characters of the input that a message repeats."""
MOST_DECIMALS = 8
"""Decimals up to which a value is written with those of its standard error."""


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


def needed(cases: int) -> str:
    """A planned number of cases, of which the first digits matter.

    >>> needed(24_000), needed(2_700_000_000)
    ('24000', '2700 million')
    """
    return f"{cases}" if cases < 1e6 else f"{cases / 1e6:g} million"


def limits(low: float | None, high: float | None) -> str:
    """An interval with enough decimals to show its width; empty if there is none."""
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return ""
    if not (ROUNDING < high - low < math.inf) or high >= 1e5:
        return f"{number(low)} to {number(high)}"
    decimals = _decimals(low, high)
    return f"{low:.{decimals}f}{' to ' if low < 0 else '–'}{high:.{decimals}f}"


def difference(value: float, low: float | None, high: float | None) -> str:
    """A difference to the decimals of its interval."""
    if low is None or high is None or not 0 < high - low < 1e5 or not math.isfinite(value):
        return number(value)
    return f"{value:.{_decimals(low, high) + 1}f}"


def plus_minus(value: float, error: float) -> str:
    """A value and its standard error, to two significant digits of the error.

    >>> plus_minus(0.00312345, 0.00087), plus_minus(0.0312345, 0.0123), plus_minus(1, 4.5e-10)
    ('0.00312 ± 0.00087', '0.0312 ± 0.0123', '1.0000 ± 4.5e-10')
    """
    decimals = significant(error) if 0 < error < 1e3 else MOST_DECIMALS + 1
    if decimals > MOST_DECIMALS:
        return f"{number(value)} ± {f'{error:.2g}' if 0 < error < 1 else number(error)}"
    return f"{value:.{decimals}f} ± {error:.{decimals}f}"


def significant(value: float) -> int:
    """The decimals that show two significant digits of a positive value; at least four."""
    return max(4, 1 - math.floor(math.log10(value)))


def _decimals(low: float, high: float) -> int:
    return min(max(3, 1 - math.floor(math.log10(high - low))), 12)


def percent(share: float, decimals: int = 0) -> str:
    """A fraction as a percentage that is 0 or 100 only if the fraction is 0 or 1.

    >>> percent(0.604), percent(0.0041, 2), percent(1e-9), percent(0.99999, 1), percent(1.0, 1)
    ('60%', '0.41%', '<1%', '>99.9%', '100%')
    """
    step = 10.0**-decimals
    if 0 < share <= step / 200:
        return f"<{step:g}%"
    if 1 - step / 200 <= share < 1:
        return f">{100 - step:g}%"
    return f"{100 * share:.0f}%" if share in {0, 1} else f"{100 * share:.{decimals}f}%"


def clipped(text: str) -> str:
    """Text that came in, as far as a message repeats it.

    >>> len(clipped("x" * 1000))
    200
    """
    return text if len(text) <= MOST_REPEATED else text[: MOST_REPEATED - 3] + "..."


def repeated(text: object) -> str:
    """A name that came in, for a message: cut, and with its control characters made visible."""
    return visible(clipped(str(text)))


def storable(text: str) -> str:
    r"""Text that every file can hold: surrogates, which stand for no character, as escapes.

    >>> storable("a\ud800")
    'a\\ud800'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


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
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return clipped(", ".join(parts)) + more


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
