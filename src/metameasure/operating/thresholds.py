"""Thresholds as text, with the fewest digits that give the same decisions."""

from __future__ import annotations

import math
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from metameasure._text import number

NONE, ALL = "none positive", "all positive"
FEWEST, MOST = 4, 17


def threshold_text(threshold: float, below: float) -> str:
    """A threshold to at least four digits, and to more if needed for the same decisions.

    The number shown is above the next lower score and at most the threshold.

    >>> threshold_text(2 / 3, 0.5), threshold_text(2 / 3, 0.66665)
    ('0.6666', '0.66666')
    """
    if not math.isfinite(threshold):
        return number(threshold)
    exact = Decimal(threshold + 0.0)
    # The number of decimals that ``number`` gives, or the number of digits where it counts digits.
    plain = threshold == 0 or 1e-3 <= abs(threshold) < 1e5
    for digits in range(FEWEST, MOST + 1):
        step = Decimal(1).scaleb(-digits if plain else exact.adjusted() - digits + 1)
        for rounding in (ROUND_HALF_EVEN, ROUND_FLOOR):
            rounded = exact.quantize(step, rounding)
            if below < float(rounded) <= threshold:
                return f"{rounded:f}" if plain else f"{float(rounded):.{digits}g}"
    return repr(float(threshold))
