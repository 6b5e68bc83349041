"""Rates as normal deviates: lines that are bent there, limits, and ticks in per cent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axis import Axis
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Line = tuple[Floats, Floats]

WIDE, BENDS = 0.05, 64
"""A line across a tie that is longer is bent, with so many points along each axis."""
NARROWEST = 2.0
MARGIN = 0.03
GAP = 0.1
"""The least distance of ticks as a share of the axis."""
NICE = (50, 1, 0.01, 5, 0.1, 20, 0.001, 10, 2, 0.5, 30, 40, 0.2)
"""Per cent at which ticks may stand, the more welcome ones first; also those from 100 down."""


def deviates(rates: Floats, half: float) -> Floats:
    """The normal deviates of rates, none of which is nearer to 0 or 1 than half a case."""
    from scipy.special import ndtri  # noqa: PLC0415

    found: Floats = ndtri(np.clip(rates, half, 1 - half))
    return found


def half_a_case(weights: Floats) -> float:
    """The rate that half a case of a class makes; with small weights, half of the least one."""
    least = min(1.0, float(weights[weights > 0].min()))
    return least / 2 / float(weights.sum())


def bent_line(x: Floats, y: Floats, halves: tuple[float, float]) -> Line:
    """A line of rates in deviates: where both rates change at once it is straight only in rates."""
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
    """The ends of an axis that holds all lines."""
    ends = [end for line in lines for end in (float(line.min()), float(line.max()))]
    low, high = min(ends), max(ends)
    more = max(MARGIN * (high - low), (NARROWEST - high + low) / 2)
    return low - more, high + more


def set_ticks(axis: Axis, low: float, high: float) -> None:
    """Put ticks at rates that have short names, in per cent, as many as there is room for."""
    from scipy.special import ndtri  # noqa: PLC0415

    chosen: dict[float, str] = {}
    for percent in NICE:
        for share, name in ((percent / 100, f"{percent:g}"), (1 - percent / 100, _rest(percent))):
            place = float(ndtri(share))
            room = all(abs(place - other) >= GAP * (high - low) for other in chosen)
            if low <= place <= high and room:
                chosen[place] = name
    axis.set_ticks(list(chosen), list(chosen.values()))


def _rest(percent: float) -> str:
    """What is left of 100 per cent, without rounding it to 100."""
    return f"{100 - percent:.10g}"
