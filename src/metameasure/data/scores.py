"""Scores and weights: real numbers, one per case."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.data.arrays import as_array, either, missing_values
from metameasure.errors import DataError
from metameasure.table import check_total

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats, Mask


EXACT_INTEGERS = 2**53
_NAMES = {"U": "text", "S": "bytes", "c": "complex numbers", "M": "dates", "m": "durations"}


def read_scores(scores: Any, what: str = "y_score") -> tuple[Floats, Mask | None]:
    """The scores as float64, and the mask of missing ones (None: there are none).

    Infinite scores are allowed.
    """
    return _read(scores, what, "of predict_proba's output pass the positive class, [:, 1]")


def read_weights(weights: Any, what: str = "sample_weight") -> tuple[Floats, Mask | None]:
    """The weights as float64, finite and not negative, and the mask of missing ones."""
    values, missing = _read(weights, what)
    wrong = ~(np.isfinite(values) & (values >= 0))
    if missing is not None:
        wrong &= ~missing
    if wrong.any():
        row = int(np.argmax(wrong))
        raise DataError(
            f"{what} must be finite and >= 0, got {values[row]} at row {row} "
            f"({np.count_nonzero(wrong)} of {values.size} weights are not)"
        )
    if values.size and not np.any(values if missing is None else values[~missing]):
        raise DataError(f"all weights in {what} are 0: no case is left")
    check_total(values if missing is None else values[~missing], what)
    return values, missing


def _read(values: Any, what: str, remedy: str | None = None) -> tuple[Floats, Mask | None]:
    array, missing = as_array(values, what, remedy)
    kind = array.dtype.kind
    if kind == "O":
        missing = either(missing, missing_values(array))
        array = _floats_of_objects(array, missing, what)
    elif kind not in "fiub":
        raise DataError(f"{what} must be real numbers, got {_NAMES.get(kind, str(array.dtype))}")
    elif kind in "iu" and array.itemsize == 8:
        _check_exact(array if missing is None else array[~missing], what)
    floats = array.astype(np.float64, copy=False)
    if kind == "f" and array.itemsize > floats.itemsize:
        _check_separate(array, floats, what)
    return floats, either(missing, missing_values(floats))


def _check_exact(integers: NDArray[Any], what: str) -> None:
    if integers.size:
        largest = max(abs(int(integers.min())), abs(int(integers.max())))
        if largest > EXACT_INTEGERS:
            raise DataError(
                f"{what} has integers up to {shown([largest])}, which float64 cannot represent "
                "exactly",
                remedy="subtract an offset or divide first",
            )


def _check_separate(values: NDArray[Any], floats: Floats, what: str) -> None:
    """Refuse different values of one type that are the same number in float64."""
    order = np.argsort(floats, kind="stable")
    (equal,) = np.nonzero(floats[order[:-1]] == floats[order[1:]])
    if values.dtype.kind == "f":
        equal = equal[values[order[equal]] != values[order[equal + 1]]]
    for place in equal.tolist():
        rows = sorted(order[place : place + 2].tolist())
        one, other = (values[row] for row in rows)
        if type(one) is type(other) and one != other:
            raise DataError(
                f"{what} has different values that are equal in float64, at rows {rows[0]} and "
                f"{rows[1]}: {shown([one])} and {shown([other])}",
                remedy="subtract an offset or round them first",
            )


def _floats_of_objects(array: NDArray[Any], missing: Mask | None, what: str) -> Floats:
    floats = np.full(array.shape, np.nan)
    present = np.arange(array.size) if missing is None else np.flatnonzero(~missing)
    integers = []
    for row in present:
        value = array[row]
        if not isinstance(value, numbers.Real) and type(value).__name__ != "Decimal":
            kind = "text" if isinstance(value, str) else type(value).__name__
            raise DataError(
                f"{what} must be real numbers, got {shown([value])} ({kind}) at row {row}",
                remedy="convert it to numbers first",
            )
        if isinstance(value, numbers.Integral) and abs(int(value)) > EXACT_INTEGERS:
            integers.append(int(value))
        else:
            floats[row] = float(value)
    if integers:
        _check_exact(np.array(integers, dtype=object), what)
    _check_separate(array, floats, what)
    return floats
