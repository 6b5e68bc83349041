"""Axes of normal deviates (probits): curved lines, limits, and ticks in percent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metameasure._types import Floats

    Line = tuple[Floats, Floats]

WIDE, BENDS = 0.05, 64
"""Length of a line across a tie from which on it is curved, and its points along each axis."""
NARROWEST = 2.0
"""Least length of an axis in deviates."""
MARGIN = 0.03
NICE = (50, 1, 0.01, 5, 0.1, 20, 0.001, 10, 2, 0.5, 30, 40, 0.2)
"""Percentages of ticks in order of preference; also 100 minus each."""


def deviates(rates: Floats, half: float) -> Floats:
    """The normal deviates of rates, clipped half a case away from 0 and 1."""
    from scipy.special import ndtri  # noqa: PLC0415

    found: Floats = ndtri(np.clip(rates, half, 1 - half))
    return found


def half_a_case(weights: Floats) -> float:
    """The rate of half a case of a class; with weights below 1, of half the least weight."""
    least = min(1.0, float(weights[weights > 0].min()))
    return least / 2 / float(weights.sum())


def bent_line(x: Floats, y: Floats, halves: tuple[float, float]) -> Line:
    """A polyline of rates in deviates, curved where both rates change at once."""
    from scipy.special import ndtr  # noqa: PLC0415

    across, up = deviates(x, halves[0]), deviates(y, halves[1])
    tied = (np.diff(x) != 0) & (np.diff(y) != 0)
    wide = np.flatnonzero(tied & (np.hypot(np.diff(across), np.diff(up)) > WIDE))
    places, shares = [], []
    for place in wide.tolist():
        steps = (
            (ndtr(np.linspace(d[place], d[place + 1], BENDS)) - r[place])
            / (r[place + 1] - r[place])
            for r, d in ((x, across), (y, up))
        )
        share = np.unique(np.concatenate(list(steps)))
        shares.append(share[(share > 0) & (share < 1)])
        places.append(np.full(shares[-1].size, place))
    if not places:
        return across, up
    left, share = np.concatenate(places), np.concatenate(shares)
    inserted = (
        np.insert(d, left + 1, deviates(r[left] + share * (r[left + 1] - r[left]), half))
        for r, d, half in ((x, across, halves[0]), (y, up, halves[1]))
    )
    wider, higher = inserted
    return wider, higher


def limits(lines: Iterable[Floats]) -> tuple[float, float]:
    """The limits of an axis that contains all lines."""
    ends = [end for line in lines for end in (float(line.min()), float(line.max()))]
    low, high = min(ends), max(ends)
    more = max(MARGIN * (high - low), (NARROWEST - high + low) / 2)
    return low - more, high + more


def percent_ticks(low: float, high: float) -> dict[float, str]:
    """Ticks between two deviates with their percentages, in order of preference."""
    from scipy.special import ndtri  # noqa: PLC0415

    ticks = {}
    for percent in NICE:
        for rate, name in ((percent / 100, f"{percent:g}"), (1 - percent / 100, _rest(percent))):
            deviate = float(ndtri(rate))
            if low <= deviate <= high:
                ticks[deviate] = name
    return ticks


def _rest(percent: float) -> str:
    """100 minus a percentage, without rounding it to 100."""
    return f"{100 - percent:.10g}"
