"""Loops that NumPy cannot express, on plain arrays.

``plain`` has them in NumPy and SciPy, ``compiled`` in numba: the same names, the same signatures,
arrays in and arrays out. Numba takes a second to load, so it is loaded for large blocks only.
Kernels without a compiled twin are in ``coarse``, ``sorting``, ``isotonic`` and ``sums``.
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
from metameasure.kernels.coarse import (
    COARSE_COLUMNS,
    HIGHEST,
    LOWEST,
    NEG,
    POS,
    SUMS,
    cells,
    join_rows,
    keys_of,
    sums_of_cases,
    sums_of_rows,
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
    "COARSE_COLUMNS",
    "COMPILED_FROM",
    "HIGHEST",
    "LAST",
    "LOWEST",
    "NEG",
    "POS",
    "ROUNDING",
    "SUMS",
    "cells",
    "descending",
    "descending_rows",
    "dot",
    "for_size",
    "is_rounding",
    "join_rows",
    "keys_of",
    "leave_warning_to_parent",
    "packed",
    "sorted_down",
    "sums_of_cases",
    "sums_of_rows",
    "variance",
    "warn_not_kept",
    "warning_left_to_caller",
    "weighted_variance",
    "why_not_kept",
]
