"""Wilson's interval of a fraction of independent cases."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from metameasure.inference.methods.method import Method, is_at_threshold, register
from metameasure.measurement import Share

if TYPE_CHECKING:
    from metameasure.inference.intervals import Interval
    from metameasure.measurement import Measure


def wilson_limits(successes: float, trials: float, ci: float) -> tuple[float, float]:
    """The fractions that a score test would not reject (Wilson, 1927).

    >>> wilson_limits(8, 10, 0.95)
    (0.4901..., 0.9433...)
    """
    z = NormalDist().inv_cdf((1 + ci) / 2)
    center = (successes + z * z / 2) / (trials + z * z)
    failures = trials - successes
    reach = z / (trials + z * z) * math.sqrt(successes * failures / trials + z * z / 4)
    low = 0.0 if successes == 0 else max(center - reach, 0.0)
    return low, 1.0 if failures == 0 else min(center + reach, 1.0)


class Wilson(Method):
    """The score interval of a fraction of the cases that are read at a threshold."""

    name = "wilson"
    reference = "wilson1927"
    kinds = (Share,)

    def applies_to(self, measure: Measure) -> bool:
        """Whether the measure is a fraction at a threshold; by rank, cases are not independent."""
        return super().applies_to(measure) and is_at_threshold(measure)

    def interval(self, empty: Interval, table: Any) -> Interval:
        """Wilson's limits of the counts that the measure declares."""
        kind: Any = empty.measure.declaration.sampling
        some, of = (float(count) for count in kind.counts(table.at(empty.measure.point)))
        return empty.between(wilson_limits(some, of, empty.ci))


register(Wilson())
