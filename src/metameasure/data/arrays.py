"""One-dimensional arrays out of whatever a caller has."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]

NanPolicy = Literal["raise", "drop"]


def as_array(values: Any, what: str, hint: str = "") -> tuple[NDArray[Any], Mask | None]:
    """The values as a one-dimensional array, and where they are masked (None: nowhere).

    ``hint`` is the remedy for an array with two columns.
    """
    masked = None
    if isinstance(values, np.ma.MaskedArray):
        masked = np.ma.getmaskarray(values)
        values = values.data
        masked = masked if masked.any() else None
    try:
        array = np.asarray(values)
        if _has_changed(values, array):
            array = np.asarray(values, dtype=object)
    except (ValueError, TypeError, OverflowError) as error:
        raise DataError(f"{what} cannot be read as an array: {error}") from error
    if array.ndim != 1:
        raise DataError(_not_flat(values, array, what, hint))
    return array, masked


def _has_changed(values: Any, array: NDArray[Any]) -> bool:
    """Whether a value became another: a NaN among texts, or integers beside a missing one."""
    kind = getattr(getattr(values, "dtype", None), "kind", None)
    return (kind is None and array.dtype.kind in "US") or (
        kind in {"i", "u"} and array.dtype.kind == "f"
    )


def _not_flat(values: Any, array: NDArray[Any], what: str, hint: str) -> str:
    if array.ndim == 0:
        if isinstance(values, Iterable) and not isinstance(values, (str, bytes)):
            return f"{what} is a {type(values).__name__}: make it a list first, list({what})"
        return f"{what} is a single value; give one value a case"
    if hint and array.ndim == 2 and array.shape[1] == 2:
        return f"{what} has two columns: {hint}"
    return f"{what} has the shape {array.shape}; give one value a case, in one dimension"


def is_missing(value: Any) -> bool:
    """Whether an object stands for no value: None, NaN, and pandas' own two."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(value, (float, np.floating)) and math.isnan(value)


def missing_values(array: NDArray[Any]) -> Mask | None:
    """Where an array has no value (None: nowhere)."""
    if array.dtype.kind == "O":
        missing = np.fromiter((is_missing(v) for v in array), dtype=bool, count=array.size)
    elif array.dtype.kind == "f":
        missing = np.isnan(array)
    else:
        return None
    return missing if np.count_nonzero(missing) else None


def either(first: Mask | None, second: Mask | None) -> Mask | None:
    """Where one of two masks is set."""
    if first is None or second is None:
        return second if first is None else first
    return first | second


def missing_cases(lack: Iterable[tuple[str, Mask | None]], nan_policy: NanPolicy) -> Mask | None:
    """The cases to leave out, or an error if that was not asked for."""
    missing = None
    for what, rows in lack:
        if rows is not None and nan_policy == "raise":
            raise DataError(
                f"{np.count_nonzero(rows)} of {rows.size} values of {what} are missing (NaN or "
                f"null), the first at row {np.argmax(rows)}: fill them in, or leave these cases "
                'out with nan_policy="drop"'
            )
        missing = either(missing, rows)
    return missing


def sortable(names: NDArray[Any]) -> NDArray[Any]:
    """Names of groups as they are if they have an order, else as text."""
    mixed = names.dtype.kind == "O" and len({type(name) for name in names}) > 1
    return names.astype(str) if mixed else names
