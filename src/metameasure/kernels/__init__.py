"""Loops that NumPy cannot express, on plain arrays.

``plain`` has them in NumPy and SciPy, ``compiled`` in numba: the same names, the same signatures,
arrays in and arrays out. Numba takes a second to load, so small work never asks for it. What needs
no compiled twin stands beside them: ``sorting``, ``pooling`` of one table, and ``sums``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from metameasure.kernels.sorting import LAST, descending, descending_rows, packed, sorted_down
from metameasure.kernels.sums import ROUNDING, dot

if TYPE_CHECKING:
    from types import ModuleType

COMPILED_FROM = 100_000
"""The number of entries from which a block is worth loading numba."""


def for_size(entries: int) -> ModuleType:
    """The module of kernels to use for a block with so many entries.

    It depends on nothing else, so that the last digit of a value does not either.
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
    "packed",
    "sorted_down",
]
