"""The quanta of measures: numbers of which all their values on whole cases are multiples."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

LARGEST = 60
"""The number of cases beyond which quanta of ratios lie far below what floats tell apart."""


def of_pairs(P: Any, N: Any) -> Any:
    """Of shares of pairs in which a tie counts one half."""
    return 1 / (2 * P * N)


def of_both_rates(P: Any, N: Any) -> Any:
    """Of whole combinations of TPR and FPR."""
    return 1 / (P * N)


def of_cases(P: Any, N: Any) -> Any:
    """Of shares of all cases."""
    return 1 / (P + N)


def of_positives(P: Any, N: Any) -> Any:  # noqa: ARG001
    """Of shares of the positives."""
    return 1 / P


def of_negatives(P: Any, N: Any) -> Any:  # noqa: ARG001
    """Of shares of the negatives."""
    return 1 / N


def common_multiple(n: Any) -> Any:
    """The least common multiple of 1 to n; infinite where n is too large for it to be of use."""
    if np.ndim(n):
        return np.vectorize(common_multiple, otypes=[float])(n)
    return math.lcm(*range(1, int(n) + 1)) if n <= LARGEST else math.inf
