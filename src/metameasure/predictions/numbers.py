"""Scores and weights: real numbers, one a case."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError
from metameasure.predictions.arrays import as_array, either, missing_objects, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

EXACT_INTEGERS = 2**53


def read_scores(scores: Any, what: str = "y_score") -> tuple[Floats, Mask | None]:
    """The scores as float64, and where there is none (None: nowhere). Infinities may stay."""
    return _read(scores, what)


def read_weights(weights: Any, what: str = "sample_weight") -> tuple[Floats, Mask | None]:
    """The weights as float64, finite and not negative, and where there is none."""
    values, missing = _read(weights, what)
    present = values if missing is None else values[~missing]
    wrong = ~(np.isfinite(present) & (present >= 0))
    if wrong.any():
        raise DataError(
            f"{what} has {np.count_nonzero(wrong)} negative or infinite weights (the first is "
            f"{shown(present[wrong][:1])}): give finite weights of 0 or more"
        )
    if present.size and not present.any():
        raise DataError(f"all weights in {what} are 0: no case is left")
    return values, missing


def _read(values: Any, what: str) -> tuple[Floats, Mask | None]:
    array, missing = as_array(values, what)
    kind = array.dtype.kind
    if kind == "O":
        missing = either(missing, missing_objects(array))
        array = _floats_of_objects(array, missing, what)
    elif kind not in "fiub":
        raise DataError(f"{what} holds {_NAMES.get(kind, str(array.dtype))}: give real numbers")
    elif kind in "iu" and array.itemsize == 8 and array.size:
        _check_exact(array, what)
    floats = array.astype(np.float64, copy=False)
    if floats.size and np.isnan(floats.min()):
        missing = either(missing, np.isnan(floats))
    return floats, missing


_NAMES = {"U": "text", "S": "bytes", "c": "complex numbers", "M": "dates", "m": "durations"}


def _check_exact(array: NDArray[Any], what: str) -> None:
    largest = max(abs(int(array.min())), abs(int(array.max())))
    if largest > EXACT_INTEGERS:
        raise DataError(
            f"{what} has integers up to {largest}, which float64 cannot tell apart: "
            "subtract an offset or divide first"
        )


def _floats_of_objects(array: NDArray[Any], missing: Mask | None, what: str) -> Floats:
    floats = np.full(array.shape, np.nan)
    present = np.arange(array.size) if missing is None else np.flatnonzero(~missing)
    for row in present:
        value = array[row]
        if not isinstance(value, (numbers.Real, np.number)) and type(value).__name__ != "Decimal":
            raise DataError(
                f"{what} holds {shown([value])} at row {row}, which is no real number: "
                "convert the column to numbers first"
            )
        floats[row] = float(value)
    return floats
