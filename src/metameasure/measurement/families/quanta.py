"""The quanta of measures: the numbers that divide all their values for integer weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

LARGEST = 60
"""Number of cases beyond which quanta of ratios are below the resolution of floats."""


def of_pairs(P: Any, N: Any) -> Any:
    """The quantum of fractions of pairs in which a tie counts one half."""
    return 1 / (2 * P * N)


def of_both_rates(P: Any, N: Any) -> Any:
    """The quantum of integer combinations of TPR and FPR."""
    return 1 / (P * N)


def of_cases(P: Any, N: Any) -> Any:
    """The quantum of fractions of all cases."""
    return 1 / (P + N)


def of_positives(P: Any, N: Any) -> Any:  # noqa: ARG001
    """The quantum of fractions of the positives."""
    return 1 / P


def of_negatives(P: Any, N: Any) -> Any:  # noqa: ARG001
    """The quantum of fractions of the negatives."""
    return 1 / N


def common_multiple(n: Any) -> Any:
    """The least common multiple of 1 to n; infinite where it would be too large."""
    if np.ndim(n):
        return np.vectorize(common_multiple, otypes=[float])(n)
    return math.lcm(*range(1, int(n) + 1)) if n <= LARGEST else math.inf
