"""One-dimensional arrays from array-like input, and where values are missing."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._text import shown
from metameasure.errors import Argument, DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Mask


NanPolicy = Literal["raise", "drop"]
KINDS: dict[str, Any] = {
    "bool": (bool, np.bool_),
    "numbers": numbers.Real,
    "text": str,
    "bytes": bytes,
}
"""The kinds of names and labels, with their types."""
ONE_PER_CASE = "pass a one-dimensional array with one value per case"


def as_array(values: Any, what: str, remedy: str | None = None) -> tuple[NDArray[Any], Mask | None]:
    """The values as a one-dimensional array, and the mask of masked ones (None: there are none).

    ``remedy`` is what to do about an array with two columns.
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
        raise _not_flat(values, array, what, remedy)
    return array, masked


def as_block(values: Any, what: str, kinds: str, words: str) -> NDArray[Any]:
    """The values as an array with one or more axes, whose type is of one of these kinds."""
    try:
        block = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise DataError(f"{what} cannot be read as an array: {error}", argument=what) from error
    if not block.ndim or block.dtype.kind not in kinds:
        got = f"{block.dtype} of shape {block.shape}"
        raise DataError(f"{what} must be an array of {words}, got {got}", argument=what)
    return block


def _has_changed(values: Any, array: NDArray[Any]) -> bool:
    """Whether values were changed: NaN among text, or integers with missing ones."""
    kind = getattr(getattr(values, "dtype", None), "kind", None)
    return (kind is None and array.dtype.kind in "US") or (
        kind in {"i", "u"} and array.dtype.kind == "f"
    )


def _not_flat(values: Any, array: NDArray[Any], what: str, remedy: str | None) -> DataError:
    if array.ndim == 0:
        if isinstance(values, Iterable) and not isinstance(values, (str, bytes)):
            remedy = "pass the values of one model" if isinstance(values, Mapping) else ""
            return DataError(
                f"{what} is a {type(values).__name__}, not an array",
                remedy=remedy or f"pass list({what})",
            )
        return DataError(f"{what} is a single value", remedy=ONE_PER_CASE)
    if remedy and array.ndim == 2 and array.shape[1] == 2:
        return DataError(f"{what} has two columns", remedy=remedy)
    return DataError(f"{what} has shape {array.shape}", remedy=ONE_PER_CASE)


def is_missing(value: Any) -> bool:
    """Whether an object is a missing value: None, NaN, and pandas' NA and NaT."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(value, (float, np.floating)) and math.isnan(value)


def missing_values(array: NDArray[Any]) -> Mask | None:
    """The mask of missing values in an array (None: there are none)."""
    if array.dtype.kind == "O":
        missing = np.fromiter((is_missing(v) for v in array), dtype=bool, count=array.size)
    elif array.dtype.kind == "f":
        missing = np.isnan(array)
    elif array.dtype.kind in "mM":
        missing = np.isnat(array)
    else:
        return None
    return missing if np.count_nonzero(missing) else None


def either(first: Mask | None, second: Mask | None) -> Mask | None:
    """The union of two masks."""
    if first is None or second is None:
        return second if first is None else first
    return first | second


def missing_cases(lack: Iterable[tuple[str, Mask | None]], nan_policy: NanPolicy) -> Mask | None:
    """The cases to drop; an error if missing values are not to be dropped, or all cases are."""
    missing, found = None, list(lack)
    for what, rows in found:
        if rows is not None and nan_policy == "raise":
            raise DataError(
                f"{np.count_nonzero(rows)} of {rows.size} values of {what} are missing (NaN or "
                f"null), the first at row {np.argmax(rows)}",
                remedy=(
                    "fill them in, or drop these cases with ",
                    Argument("nan_policy", "drop"),
                ),
            )
        missing = either(missing, rows)
    if missing is not None and missing.all():
        where = ", ".join(what for what, rows in found if rows is not None)
        raise DataError(f"all {missing.size} cases have a missing value in {where}: none is left")
    return missing


def kinds_of(values: Iterable[Any]) -> dict[str, Any]:
    """The kinds of values, those of ``KINDS`` or the names of other types, each with an example."""
    examples: dict[type, Any] = {}
    for value in values:
        examples.setdefault(type(value), value)
    kinds: dict[str, Any] = {}
    for one, value in examples.items():
        name = next((name for name, types in KINDS.items() if issubclass(one, types)), one.__name__)
        kinds.setdefault(name, value)
    return kinds


def mixed_kinds(kinds: Mapping[str, Any], what: str, names: str) -> DataError:
    """The error for names of different kinds, which would look alike as text: 1 and '1'."""
    return DataError(
        f"{what} must have {names} of one type, got {' and '.join(kinds)}, such as "
        f"{shown(kinds.values())}",
        remedy="convert them to the same type",
    )
