"""The uncertainty that a point of a curve has at least: that of the share which is read there.

Where a curve has reached 0 or 1 all resamples do so too, and a bootstrap sees no uncertainty at
all. A share of so many cases has some even then. Nor can a resample have a negative that scores
higher than all that were seen, though beyond a small false positive rate there may be some.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference.bands.confidence_tube import Tube

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure.curves import CurveKind
    from metameasure.table import ScoreTable

    Floats = NDArray[np.float64]
    Limits = list[tuple[Floats, Floats]]


def wilson(share: Floats, trials: Floats, z: float) -> tuple[Floats, Floats]:
    """Wilson's limits of shares of so many cases; those of none are 0 and 1."""
    centre = (share * trials + z * z / 2) / (trials + z * z)
    reach = z / (trials + z * z) * np.sqrt(trials * share * (1 - share) + z * z / 4)
    return np.clip(centre - reach, 0.0, 1.0), np.clip(centre + reach, 0.0, 1.0)


def least_limits(
    kind: CurveKind,
    table: ScoreTable,
    x: Floats,
    lines: Floats,
    sizes: tuple[float, float, float],
    ci: float,
) -> Limits:
    """Limits of each line at each x that no others should lie within.

    Sizes are the numbers of positives, of negatives and of all cases.
    """
    z = NormalDist().inv_cdf((1 + ci) / 2)
    positives, negatives, cases = sizes
    if kind.name == "roc":
        return [_in_roc_space(table, x, lines[0], positives, negatives, z)]
    if kind.name == "precision_recall":
        taken = x * positives / np.maximum(lines[0], 1 / cases)
        return [wilson(lines[0], np.maximum(taken, 1.0), z)]
    if kind.name == "reliability":
        return [_of_pools(table, x, cases, z)]
    totals = (positives, negatives)
    if dict(kind.parameters).get("against") == "score":
        return [
            wilson(line, np.full(x.size, total), z)
            for line, total in zip(lines, totals, strict=True)
        ]
    return [
        _in_depth(line, x * cases, cases, total, z)
        for line, total in zip(lines, totals, strict=False)
    ]


def _in_roc_space(
    table: ScoreTable, x: Floats, rate: Floats, positives: float, negatives: float, z: float
) -> tuple[Floats, Floats]:
    """Limits of the true positive rate at thresholds whose false positive rate is uncertain too.

    If only the true positive rate errs, it does so by up to z standard deviations; if both rates
    err alike, each by up to z / sqrt(2), as their squares add up. Both must lie within. Below about
    2.4 / ``negatives`` the threshold may lie above all negatives, anywhere: the lower limit is 0.
    """
    low, high = wilson(rate, np.full(x.size, positives), z)
    tube = Tube.of(table, (positives, negatives, None), z / math.sqrt(2))
    ((least, most),) = tube.roc(x)
    return np.minimum(low, least), np.maximum(high, most)


def _of_pools(table: ScoreTable, x: Floats, cases: float, z: float) -> tuple[Floats, Floats]:
    """Limits of the share of positives at scores, from the pools of the isotonic regression.

    As the true share rises with the score, no lower limit is below that of lower scores, and no
    upper one above that of higher scores.
    """
    hull = table.hull
    low, high = wilson(hull.pos / hull.weight, hull.weight * (cases / table.n), z)
    knots = table.score[np.column_stack(table.pools).reshape(-1)][::-1]
    rising = np.repeat(np.maximum.accumulate(low[::-1]), 2)
    falling = np.repeat(np.minimum.accumulate(high)[::-1], 2)
    return np.interp(x, knots, rising), np.interp(x, knots, falling)


def _in_depth(
    rate: Floats, taken: Floats, cases: float, total: float, z: float
) -> tuple[Floats, Floats]:
    """Limits of the share of a class that lies in a fixed number of cases from the top.

    Both the cases of the class that are taken and those that are left vary as binomial numbers; one
    side matters where the rate is near 1, the other where it is near 0.
    """
    left = np.maximum(cases - taken, 0.0)
    more, fewer = (
        wilson(np.clip(part * total / np.maximum(size, 1e-9), 0.0, 1.0), size, z)[1] * size / total
        for part, size in ((rate, taken), (1 - rate, left))
    )
    low = rate - rate * np.maximum(fewer - (1 - rate), 0.0)
    high = rate + (1 - rate) * np.maximum(more - rate, 0.0)
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
