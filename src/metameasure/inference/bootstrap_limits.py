"""Limits from the values on resamples: percentile, basic, and bias-corrected and accelerated."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

NORMAL = NormalDist()


def percentile_limits(drawn: Floats, ci: float) -> tuple[float, float]:
    """The quantiles of the values on resamples."""
    return _pair(quantiles(drawn, ((1 - ci) / 2, (1 + ci) / 2)))


def basic_limits(
    value: float, drawn: Floats, ends: tuple[float, float], ci: float
) -> tuple[float, float]:
    """The same quantiles, reflected: what resamples are from the sample, it is from the truth."""
    low, high = percentile_limits(drawn, ci)
    limits = 2 * value - high, 2 * value - low
    return _pair([min(max(limit, ends[0]), ends[1]) for limit in limits])


def bca_limits(value: float, drawn: Floats, left_out: Floats, ci: float) -> tuple[float, float]:
    """Quantiles moved for bias and for a spread that changes with the value (Efron, 1987).

    A resample with just the value counts one half below it. ``left_out`` are the values of the
    jackknife, whose skewness is the acceleration.
    """
    below = np.count_nonzero(drawn < value) + np.count_nonzero(drawn == value) / 2
    # Where all resamples lie on one side the bias is known to be large, not to be infinite.
    share = min(max(below / drawn.size, 0.5 / drawn.size), 1 - 0.5 / drawn.size)
    bias, accelerated = NORMAL.inv_cdf(share), acceleration(left_out)
    shares = []
    for tail in ((1 - ci) / 2, (1 + ci) / 2):
        moved = bias + NORMAL.inv_cdf(tail)
        left = 1 - accelerated * moved
        # Beyond its pole the correction has no meaning: it then goes as far as it can.
        shares.append(NORMAL.cdf(bias + moved / left) if left > 0 else float(moved > 0))
    return _pair(quantiles(drawn, shares))


def acceleration(left_out: Floats) -> float:
    """A sixth of the skewness of what leaving out a group changes; 0 if it changes nothing.

    A value that leaving out a group makes undefined or infinite does not count.
    """
    known = left_out[np.isfinite(left_out)]
    if known.size < 2:
        return 0.0
    change = known.mean() - known
    square = float(np.sum(change**2))
    return float(np.sum(change**3)) / (6 * square**1.5) if square > 0 else 0.0


def quantiles(values: Floats, shares: Sequence[float]) -> list[float]:
    """Quantiles with straight lines between the ordered values, some of which may be infinite."""
    ordered = np.sort(values)
    found = []
    for share in shares:
        place = share * (ordered.size - 1)
        below, above = (float(ordered[int(end)]) for end in (math.floor(place), math.ceil(place)))
        between = math.isfinite(below) and below < above
        found.append(below + (place % 1) * (above - below) if between else below)
    return found


def _pair(limits: Sequence[float]) -> tuple[float, float]:
    low, high = limits
    return low, high
