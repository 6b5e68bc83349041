"""Values that do not vary: when differences are only rounding, and which limits remain."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from metameasure.kernels import dot
from metameasure.table import ROUNDING


def variance(values: Any, scale: float) -> float:
    """The variance of values that are differences of others of this scale; NaN of one value."""
    if values.size < 2:
        return math.nan
    away = values - np.mean(values)
    if np.max(np.abs(away)) <= ROUNDING * scale:
        return 0.0
    return float(dot(away, away) / (away.size - 1))


def weighted_variance(values: Any, weight: Any, total: Any) -> float:
    """The variance of values that occur several times; NaN if there is only one case."""
    if total < 2:
        return math.nan
    away = values - dot(weight, values) / total
    if is_rounding(away[weight > 0], values[weight > 0]):
        return 0.0
    return float(dot(weight, away * away) / (total - 1))


def is_rounding(away: Any, values: Any) -> bool:
    """Whether values differ from their mean only by rounding."""
    return bool(np.max(np.abs(away)) <= ROUNDING * np.max(np.abs(values)))


def bound(
    value: float, ends: tuple[float, float], independent: float, ci: float
) -> tuple[float, float]:
    """Limits of a mean when all independent values are equal, so that their variance is 0.

    If n independent values within the range are all equal, the fraction of the population that has
    other values is, with the requested confidence, at most 1 - (1 - ci)^(1 / n).
    """
    same = (1 - ci) ** (1 / independent)
    return tuple(end if same == 0 else value + (end - value) * (1 - same) for end in ends)  # type: ignore[return-value]
