"""Loops that NumPy cannot express, on plain arrays.

``plain`` has them in NumPy and SciPy, ``compiled`` in numba: the same names, the same signatures,
arrays in and arrays out. Numba takes a second to load, so it is loaded for large blocks only.
Kernels without a compiled twin are in ``sorting``, ``isotonic`` and ``sums``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from metameasure.kernels.cache_warning import (
    leave_warning_to_parent,
    warn_not_kept,
    warning_left_to_caller,
    why_not_kept,
)
from metameasure.kernels.sorting import LAST, descending, descending_rows, packed, sorted_down
from metameasure.kernels.sums import ROUNDING, dot, is_rounding, variance, weighted_variance

if TYPE_CHECKING:
    from types import ModuleType

COMPILED_FROM = 100_000
"""Number of entries from which a block is worth loading numba."""


def for_size(entries: int) -> ModuleType:
    """The module of kernels to use for a block with this number of entries.

    It depends on nothing else, so that results are reproducible to the last digit.
    """
    return import_module(
        "metameasure.kernels.compiled" if entries >= COMPILED_FROM else "metameasure.kernels.plain"
    )


__all__ = [
    "COMPILED_FROM",
    "LAST",
    "ROUNDING",
    "descending",
    "descending_rows",
    "dot",
    "for_size",
    "is_rounding",
    "leave_warning_to_parent",
    "packed",
    "sorted_down",
    "variance",
    "warn_not_kept",
    "warning_left_to_caller",
    "weighted_variance",
    "why_not_kept",
]
