"""One-dimensional arrays out of whatever a caller has."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]


def as_array(values: Any, what: str) -> tuple[NDArray[Any], Mask | None]:
    """The values as a one-dimensional array, and where they are masked (None: nowhere)."""
    masked = None
    if isinstance(values, np.ma.MaskedArray):
        masked = np.ma.getmaskarray(values)
        values = values.data
        masked = masked if masked.any() else None
    try:
        array = np.asarray(values)
    except (ValueError, TypeError) as error:
        raise DataError(f"{what} cannot be read as an array: {error}") from error
    if array.ndim != 1:
        raise DataError(_not_flat(array, what))
    return array, masked


def _not_flat(array: NDArray[Any], what: str) -> str:
    if array.ndim == 0:
        return f"{what} is a single value; give one value a case"
    if array.ndim == 2 and array.shape[1] == 2:
        return (
            f"{what} has two columns, as predict_proba gives them: take the column of the "
            "positive class, [:, 1]"
        )
    return f"{what} has the shape {array.shape}; give one value a case, in one dimension"


def is_missing(value: Any) -> bool:
    """Whether an object stands for no value: None, NaN, and pandas' own two."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(value, (float, np.floating)) and math.isnan(value)


def missing_objects(array: NDArray[Any]) -> Mask | None:
    """Where an array of objects has no value (None: nowhere)."""
    missing = np.fromiter((is_missing(v) for v in array), dtype=bool, count=array.size)
    return missing if missing.any() else None


def either(first: Mask | None, second: Mask | None) -> Mask | None:
    """Where one of two masks is set."""
    if first is None or second is None:
        return second if first is None else first
    return first | second


def shown(values: Any, most: int = 5) -> str:
    """A few values for a message, escaped and cut so that hostile text stays harmless."""
    items = list(values)
    parts = [
        text if len(text := repr(_plain(v))) <= 40 else text[:37] + "..." for v in items[:most]
    ]
    return ", ".join(parts) + (f" and {len(items) - most} more" if len(items) > most else "")


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
