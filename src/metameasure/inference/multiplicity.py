"""Adjusted p-values of several hypotheses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def holm(pvalues: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values (1979); NaN stays NaN and does not count.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    known = sorted((p, place) for place, p in enumerate(pvalues) if not math.isnan(p))
    adjusted = list(pvalues)
    highest = 0.0
    for rank, (pvalue, place) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * pvalue))
        adjusted[place] = highest
    return adjusted
