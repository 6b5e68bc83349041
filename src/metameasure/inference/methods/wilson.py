"""Wilson's interval of a fraction of independent cases."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.inference.methods.method import Method, register
from metameasure.measurement import Share
from metameasure.table import Cut

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.inference.intervals import Interval
    from metameasure.measurement import Measure


def wilson_limits(successes: float, trials: float, ci: float) -> tuple[float, float]:
    """The fractions that a score test would not reject (Wilson, 1927).

    >>> wilson_limits(8, 10, 0.95)
    (0.4901..., 0.9433...)
    """
    z, failures = NormalDist().inv_cdf((1 + ci) / 2), trials - successes
    low, high = _limits(successes, successes * failures / trials, trials, z)
    return 0.0 if successes == 0 else float(low), 1.0 if failures == 0 else float(high)


def wilson_limits_within(
    value: float, cases: float, ends: tuple[float, float], ci: float
) -> tuple[float, float]:
    """The limits of a value that varies like a fraction of these cases, on the scale of its range.

    >>> wilson_limits_within(0.8, 20, (-1, 1), 0.95)  # 18 of 20, from -1 to 1
    (0.3979..., 0.9442...)
    """
    low, width = ends[0], ends[1] - ends[0]
    share = min(max((value - low) / width, 0.0), 1.0)
    below, above = wilson_limits(share * cases, cases, ci)
    return low + width * below, low + width * above


def wilson_limits_of_fractions(fraction: Floats, trials: Floats, z: float) -> tuple[Floats, Floats]:
    """The limits of several fractions, for a normal quantile; 0 and 1 for no trials."""
    return _limits(fraction * trials, trials * fraction * (1 - fraction), trials, z)


def _limits(successes: Any, variance: Any, trials: Any, z: float) -> tuple[Any, Any]:
    """The limits from the number of successes and its binomial variance."""
    center = (successes + z * z / 2) / (trials + z * z)
    reach = z / (trials + z * z) * np.sqrt(variance + z * z / 4)
    return np.clip(center - reach, 0.0, 1.0), np.clip(center + reach, 0.0, 1.0)


class Wilson(Method):
    """The score interval of a fraction of the cases that are read at a threshold."""

    name = "wilson"
    reference = "wilson1927"
    kinds = (Share,)

    def keeps_class_sizes(self, measure: Measure) -> bool:
        """Whether it is a fraction of the cases of one class, which is binomial in any case."""
        kind: Any = measure.sampling
        cuts = Cut(1.0, 2.0, 5.0, 9.0), Cut(3.0, 4.0, 5.0, 9.0)
        return {kind.counts(cut)[1] for cut in cuts} in ({5.0}, {9.0})

    def interval(self, empty: Interval, table: Any) -> Interval:
        """Wilson's limits of the counts that the measure declares."""
        kind: Any = empty.measure.sampling
        some, of = (float(count) for count in kind.counts(table.at(empty.measure.point)))
        return empty.between(wilson_limits(some, of, empty.ci))


register(Wilson())
