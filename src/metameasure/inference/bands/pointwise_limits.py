"""The minimum width of pointwise limits: that of the fraction which is read at a point.

Where a curve has reached 0 or 1, so have the curves of all resamples, and a bootstrap shows no
uncertainty. A fraction of a finite number of cases is uncertain even there. A resample also has no
negative that scores higher than all observed ones, though the population may have some.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference.bands.confidence_tube import Tube
from metameasure.inference.methods.wilson import wilson_limits_of_fractions

if TYPE_CHECKING:
    from metameasure._types import Floats
    from metameasure.table import ScoreTable


def in_roc_space(
    table: ScoreTable, x: Floats, rate: Floats, positives: float, negatives: float, z: float
) -> tuple[Floats, Floats]:
    """Limits of the true positive rate at thresholds whose false positive rate is uncertain too.

    If only the true positive rate is off, it is by up to z standard deviations; if both rates are,
    each is by up to z / sqrt(2), as their squares add up. The limits include both. Below about
    2.4 / ``negatives`` the threshold may lie above all negatives: the lower limit is 0.
    """
    low, high = wilson_limits_of_fractions(rate, np.full(x.size, positives), z)
    tube = Tube.of(table, (positives, negatives, None), z / math.sqrt(2))
    ((least, most),) = tube.roc(x)
    return np.minimum(low, least), np.maximum(high, most)


def of_pools(table: ScoreTable, x: Floats, cases: float, z: float) -> tuple[Floats, Floats]:
    """Limits of the fraction of positives at scores, from the pools of the isotonic regression.

    As the true fraction rises with the score, no lower limit is below that of lower scores, and no
    upper one above that of higher scores.
    """
    hull = table.hull
    low, high = wilson_limits_of_fractions(
        hull.pos / hull.weight, hull.weight * (cases / table.n), z
    )
    knots = table.score[np.column_stack(table.pools).reshape(-1)][::-1]
    rising = np.repeat(np.maximum.accumulate(low[::-1]), 2)
    falling = np.repeat(np.minimum.accumulate(high)[::-1], 2)
    return np.interp(x, knots, rising), np.interp(x, knots, falling)


def in_depth(
    rate: Floats, taken: Floats, cases: float, total: float, z: float
) -> tuple[Floats, Floats]:
    """Limits of the fraction of a class within a fixed number of cases from the top.

    Both the cases of the class that are taken and those that are left vary as binomial numbers; one
    matters where the rate is near 1, the other where it is near 0.
    """
    left = np.maximum(cases - taken, 0.0)
    more, fewer = (
        wilson_limits_of_fractions(
            np.clip(part * total / np.maximum(size, 1e-9), 0.0, 1.0), size, z
        )[1]
        * size
        / total
        for part, size in ((rate, taken), (1 - rate, left))
    )
    low = rate - rate * np.maximum(fewer - (1 - rate), 0.0)
    high = rate + (1 - rate) * np.maximum(more - rate, 0.0)
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
