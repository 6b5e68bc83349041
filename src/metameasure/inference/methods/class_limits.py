"""Score limits of a mean of AUCs over k classes, with an effective number of cases.

A mean of AUCs varies like a proportion of an effective number of cases. The variance of its
components or influences shows that number, unless nearly all pairs are in the right order or nearly
all in the wrong one: then the pairs that matter are missing from the sample, and the estimated
variance is far too small. So there is a largest number, which classes of different sizes have in
common with two classes of equal size, where it is the number of cases (Newcombe, 2006, near 0
and 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference.effective import student
from metameasure.inference.methods.wilson import wilson_limits_within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.inference.intervals import Interval


def most_effective_cases(sizes: Sequence[float]) -> float:
    """The largest effective number of cases of a mean of AUCs over classes of these sizes.

    With k classes of m cases each it is k^2 m / 2: each case takes part in the AUCs of all classes.

    >>> most_effective_cases([20, 20]), round(most_effective_cases([20, 20, 20]), 9)
    (40.0, 90.0)
    """
    used = np.array([size for size in sizes if size > 0], np.float64)
    return float(used.size**3 / 2 / np.sum(1 / used))


def class_limits(
    empty: Interval, variance: float, sizes: Sequence[float], degrees: float
) -> tuple[float, float]:
    """The limits of a value with this variance, by Wilson's formula on the scale of its range.

    ``sizes`` are the effective numbers of cases of the classes, and ``degrees`` the degrees of
    freedom of the variance.
    """
    low, high = empty.measure.ends
    width = high - low
    share = min(max((empty.value - low) / width, 0.0), 1.0)
    most, spread = most_effective_cases(sizes), share * (1 - share) * width**2
    cases = most if spread == 0 or variance * most <= spread else spread / variance
    return wilson_limits_within(
        empty.value, cases / student(degrees, empty.ci), (low, high), empty.ci
    )
