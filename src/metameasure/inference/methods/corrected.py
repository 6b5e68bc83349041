"""Bootstrap intervals of a maximum, corrected for its bias."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure.inference.methods.bootstrap import BootstrapMethod, Resampled
from metameasure.inference.methods.method import register
from metameasure.measurement import Extreme

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.inference.intervals import Interval


def corrected_limits(
    value: float,
    center: float,
    drawn: Floats,
    *,
    of: Literal["max", "min"],
    ends: tuple[float, float],
    sizes: tuple[int, ...],
    ci: float,
    by_chance: float | None = None,
) -> tuple[float, float]:
    """The limits of a maximum, from resamples of something that itself has the value ``center``.

    On the scale from useless (0) to perfect (1), the bias is subtracted, and the limits are those
    of a score interval with a variance proportional to (1 - x^2)^2. Near 0 the bias is not visible
    on this scale; there the squares are corrected, which have less of it. The value itself always
    lies within the limits. Below the value that is expected by chance, the lower limit is 0.
    """
    from scipy.special import stdtrit  # noqa: PLC0415

    useless, perfect = ends if of == "max" else ends[::-1]

    def scaled(number: Any) -> Any:
        return (number - useless) / (perfect - useless)

    seen, own, resampled = scaled(value), scaled(center), scaled(drawn)
    mean, spread = float(resampled.mean()), float(resampled.std())
    quantile = float(stdtrit(max(min(sizes) - 1, 1), (1 + ci) / 2))
    corrected = min(max(seen - (mean - own), -1.0), 1.0)
    ratio = quantile**2 * spread**2 / (1 - mean**2) if spread > 0 and mean**2 < 1 else 0.0
    reach = math.sqrt(ratio * (1 + ratio - corrected**2))
    low, high = (corrected - reach) / (1 + ratio), (corrected + reach) / (1 + ratio)
    squares = np.square(resampled)
    excess = float(squares.mean()) - own**2
    square = seen**2 - excess + quantile * float(squares.std())
    high = max(high, math.sqrt(max(square, 0.0)), seen)
    if by_chance is not None and value < by_chance:
        low = 0.0
    limits = (useless + (perfect - useless) * min(max(x, 0.0), 1.0) for x in (low, high))
    first, second = limits
    return (first, second) if first <= second else (second, first)


class Corrected(BootstrapMethod):
    """The bootstrap of the cases, with the bias of the resamples subtracted."""

    name = "corrected"
    kinds = (Extreme,)

    def resampled(self, empty: Interval, drawn: Resampled) -> Interval:
        """The corrected limits, which are those of the value itself."""
        return empty.between(limits_of_extreme(empty, drawn))


def limits_of_extreme(
    empty: Interval, drawn: Resampled, by_chance: float | None = None
) -> tuple[float, float]:
    """The corrected limits of a measure that is a maximum or minimum."""
    kind: Any = empty.measure.declaration.sampling
    return corrected_limits(
        empty.value,
        drawn.own,
        drawn.values,
        of=kind.of,
        ends=empty.measure.declaration.range,
        sizes=drawn.sizes,
        ci=empty.ci,
        by_chance=by_chance,
    )


register(Corrected())
