"""Labels of two classes: which cases are positive."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.data.arrays import (
    KINDS,
    as_array,
    either,
    kinds_of,
    missing_values,
    mixed_kinds,
)
from metameasure.errors import Argument, DataError, ParameterError, Wording, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from metameasure._types import Mask


LABELS = "bool, numbers or text"
OF_CLASSES = Wording(
    "keep two of them, use one class against the rest, or pass the scores of all classes to "
    "mm.evaluate, as a matrix with one column per class or as columns named with proba",
    "keep two of them, use one class against the rest, or pass the scores of all classes to "
    "metameasure evaluate --proba",
)


def read_labels(
    y_true: Any, pos_label: Any = None, what: str = "y_true"
) -> tuple[Mask, Mask | None]:
    """The mask of positive cases, and that of cases without a label (None: all have one).

    bool, 0/1 and -1/1 are understood; any other pair of labels needs ``pos_label``.
    """
    labels, masked = as_array(y_true, what)
    missing = either(masked, missing_values(labels))
    present = labels if missing is None else labels[~missing]
    if labels.dtype.kind == "O":
        present = _typed(present, what)
    elif labels.dtype.kind not in "biufUS":
        raise DataError(f"{what} must be {LABELS}, got {labels.dtype}")
    if missing is None:
        return _positive(present, pos_label, what), None
    positive = np.zeros(labels.shape, dtype=bool)
    positive[~missing] = _positive(present, pos_label, what)
    return positive, missing


def _typed(labels: NDArray[Any], what: str) -> NDArray[Any]:
    """Labels in an array of objects, in an array of their own type if they are of one."""
    kinds = kinds_of(labels)
    if set(kinds) <= {"bool"}:
        return labels.astype(bool)
    for kind in kinds:
        if kind not in KINDS:
            raise DataError(f"{what} must be {LABELS}, got {kind}")
    if set(kinds) <= {"bool", "numbers"}:
        try:
            return labels.astype(np.float64)
        except OverflowError:
            raise DataError(f"{what} has a number that is too large for float64") from None
    different = set(labels)
    if len(kinds) > 1 and len(set(map(str, different))) < len(different):
        raise mixed_kinds(kinds, what, "labels")
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
        # All others are 0, or all are -1. Counting is several times faster than min and max.
        if np.count_nonzero(labels) == ones or np.count_nonzero(labels == -1) == labels.size - ones:
            return positive
    found = _distinct(labels)
    if len(found) > 2:
        raise _too_many(found, what)
    labels_are = "label in {} is" if len(found) == 1 else "labels in {} are"
    choices = [part for label in found for part in (" or ", Argument("pos_label", label))]
    raise DataError(
        f"the {labels_are.format(what)} {shown(found)}: which one is positive is unknown",
        remedy=("pass ", *choices[1:], *_of_probabilities(found)),
    )


def is_label(value: Any) -> bool:
    """Whether this can be a label: a number or text."""
    return isinstance(value, (str, bytes, numbers.Number, np.generic))


def check_pos_label(pos_label: Any) -> None:
    """Raise an error for a positive label that cannot be a label; None stands for none."""
    if pos_label is not None and not is_label(pos_label):
        raise ParameterError(
            (Argument("pos_label"), f" must be a number or text, got {shown([pos_label])}")
        )


def _equal_to(labels: NDArray[Any], pos_label: Any, what: str) -> Mask:
    check_pos_label(pos_label)
    if isinstance(pos_label, LabelText):
        pos_label = pos_label.among(_distinct(labels), "pos_label")
    try:
        positive = np.asarray(labels == pos_label, dtype=bool)
    except OverflowError:
        # An integer that the type of the labels cannot hold is none of them.
        positive = np.zeros(labels.shape, dtype=bool)
    others = labels[~positive]
    if others.size and not (others == others[0]).all():
        found = _distinct(labels)
        if len(found) > 2:
            raise _too_many(found, what)
        raise ParameterError(
            (
                Argument("pos_label"),
                f" must be one of the labels in {what}, {shown(found)}; got {shown([pos_label])}",
            )
        )
    return positive


def _distinct(labels: NDArray[Any]) -> list[Any]:
    return sorted(set(labels.tolist()), key=lambda label: (str(type(label)), label))


def _too_many(found: list[Any], what: str) -> DataError:
    """The error for more than two labels, which may be classes or the values of items."""
    order = Wording(
        "for true values of items, pass order=True to mm.evaluate",
        "for true values of items, use metameasure evaluate --order",
    )
    remedy: tuple[str | Argument | Wording, ...] = (OF_CLASSES,)
    if all(isinstance(label, numbers.Real) for label in found):
        continuous = any(label % 1 for label in found)
        remedy = (order, *_of_probabilities(found)) if continuous else (OF_CLASSES, "; ", order)
    return DataError(
        f"{what} has {len(found)} labels, {shown(found)}, but a binary measure needs two",
        remedy=remedy,
    )


def _of_probabilities(found: list[Any]) -> tuple[Wording, ...]:
    """The remedy for labels that are probabilities, to be added to another one."""
    numeric = all(isinstance(label, numbers.Real) for label in found)
    if not (numeric and 0 <= found[0] <= found[-1] <= 1 and any(0 < p < 1 for p in found)):
        return ()
    return (
        Wording(
            "; for true probabilities, pass soft=True to mm.evaluate or mm.rms",
            "; for true probabilities, use metameasure evaluate --soft",
        ),
    )


class LabelText(str):
    """A label as typed on the command line: the label in the data that is written like this."""

    __slots__ = ()

    def among(self, labels: Iterable[Any], argument: str) -> Any:
        """The label in the data, or another one of their type."""
        try:
            return typed_label(self, labels)
        except DataError as error:
            raise ParameterError((Argument(argument), ": ", *parts_of(error)[0])) from None


def spellings(label: Any) -> set[str]:
    """The ways to write a label as text, as in names of columns.

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
    """The label that is written as this text: one of these labels or another of their type.

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
    raise DataError(f"{shown([text])} is not one of the labels {shown(known)}, nor of their type")
