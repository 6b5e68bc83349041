"""Bounds of measures from a coarse table, between which the exact value lies.

A certificate is a function of a measure, with its parameters and operating point, and a coarse
table; it returns the smallest and the largest value, or None if it has none for these parameters.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from metameasure.kernels import ROUNDING
from metameasure.table import CoarseTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure.measurement._measure import Measure

    Ends = tuple[float, float]
    Certificate = Callable[[Measure, CoarseTable], Ends | None]


def between_orders(measure: str | Measure, coarse: CoarseTable) -> Ends:
    """The values where negatives come first in every bucket, and where positives do.

    They bound a measure that never gets worse when the score of a positive rises or that of a
    negative falls: in each bucket no positive is above its highest score and no negative below its
    lowest one, so that the exact table becomes the best one by such moves, and so does the worst
    one become the exact table. At an operating point the moves change the number of true
    positives and of false positives above the cut, or one of them where the other is fixed, and
    the measure must not decrease in the first or increase in the second.
    """
    from metameasure.measurement.parsing import parse  # noqa: PLC0415 - it knows all measures

    asked, coarse = parse(measure), CoarseTable.of(coarse)
    worst, best = (float(asked.compute(table)) for table in (coarse.worst, coarse.best))
    return (worst, best) if asked.best == "max" else (best, worst)


def widened(measure: Measure, coarse: CoarseTable, ends: Ends) -> Ends:
    """The ends moved apart by what rounding may have changed, and no further than the range.

    Sums of weights have a relative error of at most ``ROUNDING``, and those of buckets, unless they
    are integers, the one that is counted while they are added up; a value depends on up to four of
    them. Values smaller than 1 are sums of terms of up to 1, of which that is taken. An end that
    is undefined (0/0), because there may be no case above a cut, is that of the range.
    """
    rounding = ROUNDING + (0.0 if coarse.counts else 4 * coarse.rounding)
    low, high = ends
    lowest, highest = measure.declaration.range
    if math.isnan(low) and math.isnan(high):
        return ends
    low, high = (lowest if math.isnan(low) else low), (highest if math.isnan(high) else high)
    low, high = (
        end + side * rounding * max(1.0, abs(end)) if math.isfinite(end) else end
        for side, end in ((-1, low), (1, high))
    )
    return max(low, float(lowest)), min(high, float(highest))
