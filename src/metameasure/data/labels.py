"""Labels: which cases are positive."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.data.arrays import as_array, either, missing_values
from metameasure.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]


def read_labels(
    y_true: Any, pos_label: Any = None, what: str = "y_true"
) -> tuple[Mask, Mask | None]:
    """Which cases are positive, and which have no label (None: all have one).

    bool, 0/1 and -1/1 are understood; any other pair of labels needs ``pos_label``.
    """
    labels, masked = as_array(y_true, what)
    missing = either(masked, missing_values(labels))
    present = labels if missing is None else labels[~missing]
    if labels.dtype.kind == "O":
        present = _typed(present, what)
    elif labels.dtype.kind not in "biufUS":
        raise DataError(f"{what} holds {labels.dtype} values: give bool, numbers or text as labels")
    if missing is None:
        return _positive(present, pos_label, what), None
    positive = np.zeros(labels.shape, dtype=bool)
    positive[~missing] = _positive(present, pos_label, what)
    return positive, missing


def _typed(labels: NDArray[Any], what: str) -> NDArray[Any]:
    """Objects that are all numbers, or all bool, as such; other labels must be texts or numbers."""
    kinds = {type(label) for label in labels}
    if kinds <= {bool, np.bool_}:
        return labels.astype(bool)
    for kind in kinds:
        if not issubclass(kind, (str, bytes, numbers.Real, np.bool_)):
            raise DataError(
                f"{what} holds values of the kind {kind.__name__}: give bool, numbers or text"
            )
    if all(issubclass(kind, (numbers.Real, np.bool_)) for kind in kinds):
        try:
            return labels.astype(np.float64)
        except OverflowError:
            raise DataError(f"{what} has a number beyond float64: give smaller labels") from None
    return labels


def _positive(labels: NDArray[Any], pos_label: Any, what: str) -> Mask:
    if not labels.size:
        return np.zeros(0, dtype=bool)
    if pos_label is not None:
        return _equal_to(labels, pos_label, what)
    if labels.dtype.kind == "b":
        return labels
    if labels.dtype.kind in "iuf":
        positive: Mask = labels == 1
        ones = np.count_nonzero(positive)
        # All others are 0, or all are -1. Counting is several times faster than finding extremes.
        if np.count_nonzero(labels) == ones or np.count_nonzero(labels == -1) == labels.size - ones:
            return positive
    found = _distinct(labels)
    if len(found) > 2:
        raise DataError(_too_many(found, what))
    labels_are = "label in {} is" if len(found) == 1 else "labels in {} are"
    remedies = " or ".join(f"pos_label={shown([label])}" for label in found)
    raise DataError(
        f"the {labels_are.format(what)} {shown(found)}: say which is positive, {remedies}"
    )


def _equal_to(labels: NDArray[Any], pos_label: Any, what: str) -> Mask:
    if not isinstance(pos_label, (str, bytes, numbers.Number, np.generic)):
        raise DataError(f"pos_label={shown([pos_label])} must be one label, a number or a text")
    positive = np.asarray(labels == pos_label, dtype=bool)
    others = labels[~positive]
    if others.size and not (others == others[0]).all():
        found = _distinct(labels)
        if len(found) > 2:
            raise DataError(_too_many(found, what))
        raise DataError(
            f"pos_label={shown([pos_label])} is not among the labels {shown(found)} in {what}"
        )
    return positive


def _distinct(labels: NDArray[Any]) -> list[Any]:
    return sorted(set(labels.tolist()), key=lambda label: (str(type(label)), label))


def _too_many(found: list[Any], what: str) -> str:
    return (
        f"there are {len(found)} labels, {shown(found)}, in {what}: a binary measure needs two; "
        "keep two of them, turn them into one class against the rest, or give the probabilities of "
        "all classes: a matrix with a column a class, or the columns of a frame, proba=[...]"
    )


def spellings(label: Any) -> set[str]:
    """The texts that stand for a label where there are only texts, as in names of columns.

    >>> sorted(spellings(2.0)), sorted(spellings(True)), sorted(spellings("cat"))
    (['2', '2.0'], ['1', 'TRUE', 'True', 'true'], ['cat'])
    """
    if isinstance(label, (bool, np.bool_)):
        word = str(bool(label))
        return {word, word.lower(), word.upper(), str(int(label))}
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        label = int(label)
    if isinstance(label, numbers.Integral):
        return {str(int(label)), f"{int(label)}.0"}
    return {label.decode("utf-8", "backslashreplace") if isinstance(label, bytes) else str(label)}


def typed_label(text: str, labels: Iterable[Any]) -> Any:
    """The label that a text stands for: one of these or, if it is none of them, one of their kind.

    >>> typed_label("2", [1, 2]), typed_label("7", [1, 2]), typed_label("true", [False, True])
    (2, 7, True)
    """
    known = list(labels)
    for label in known:
        if text in spellings(label):
            return label
    if all(isinstance(label, (str, bytes)) for label in known):
        return text
    try:
        number = float(text)
        if not any(isinstance(label, (bool, np.bool_)) for label in known):
            return int(number) if number.is_integer() else number
    except ValueError:
        pass
    raise DataError(f"{shown([text])} is none of the labels {shown(known)}, nor of their kind")
