"""Labels: which cases are positive."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError
from metameasure.predictions.arrays import as_array, either, missing_objects, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]


def read_labels(y_true: Any, pos_label: Any = None) -> tuple[Mask, Mask | None]:
    """Which cases are positive, and which have no label (None: all have one).

    bool, 0/1 and -1/1 are understood; any other pair of labels needs ``pos_label``.
    """
    labels, missing = as_array(y_true, "y_true")
    if labels.dtype.kind == "O":
        missing = either(missing, missing_objects(labels))
        labels = _typed(labels, missing)
    elif labels.dtype.kind == "f" and np.isnan(labels).any():
        missing = either(missing, np.isnan(labels))
    elif labels.dtype.kind not in "biufUS":
        raise DataError(f"y_true holds {labels.dtype} values: give bool, numbers or text as labels")
    if missing is None:
        return _positive(labels, pos_label), None
    positive = np.zeros(labels.shape, dtype=bool)
    positive[~missing] = _positive(labels[~missing], pos_label)
    return positive, missing


def _typed(labels: NDArray[Any], missing: Mask | None) -> NDArray[Any]:
    """Objects that are all numbers (or all bool) as such; missing ones become zero."""
    present = labels if missing is None else labels[~missing]
    kinds = {type(label) for label in present}
    if not all(issubclass(kind, (bool, np.bool_, numbers.Real)) for kind in kinds):
        return labels
    numeric = np.zeros(labels.shape, dtype=bool if kinds <= {bool, np.bool_} else np.float64)
    numeric[... if missing is None else ~missing] = present
    return numeric


def _positive(labels: NDArray[Any], pos_label: Any) -> Mask:
    if not labels.size:
        return np.zeros(0, dtype=bool)
    if pos_label is not None:
        return _equal_to(labels, pos_label)
    if labels.dtype.kind == "b":
        return labels
    if labels.dtype.kind in "iuf":
        positive: Mask = labels == 1
        lowest = labels.min()
        if lowest in {-1, 0, 1} and (positive | (labels == min(lowest, 0))).all():
            return positive
    found = _distinct(labels)
    if len(found) > 2:
        raise DataError(_too_many(found))
    pair = "is" if len(found) == 1 else "are"
    raise DataError(
        f"the labels {pair} {shown(found)}: say which is positive, pos_label={shown(found[-1:])}"
    )


def _equal_to(labels: NDArray[Any], pos_label: Any) -> Mask:
    positive = np.asarray(labels == pos_label, dtype=bool)
    if positive.shape != labels.shape:
        raise DataError(f"pos_label={shown([pos_label])} cannot be compared with the labels")
    others = labels[~positive]
    if others.size and not (others == others[0]).all():
        found = _distinct(labels)
        if len(found) > 2:
            raise DataError(_too_many(found))
        raise DataError(f"pos_label={shown([pos_label])} is not among the labels {shown(found)}")
    return positive


def _distinct(labels: NDArray[Any]) -> list[Any]:
    return sorted(set(labels.tolist()), key=lambda label: (str(type(label)), label))


def _too_many(found: list[Any]) -> str:
    return (
        f"there are {len(found)} labels, {shown(found)}: a binary measure needs two; "
        "keep two of them, or turn them into one class against the rest"
    )
