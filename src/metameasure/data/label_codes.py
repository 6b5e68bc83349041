"""Columns of labels as codes: text, whole numbers or bool, which never mix."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._text import shown
from metameasure.data.arrays import as_array, either, is_missing, missing_values
from metameasure.data.scores import EXACT_INTEGERS
from metameasure.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Indices = NDArray[np.int64]
    Mask = NDArray[np.bool_]

Kind = Literal["bool", "numbers", "text", "bytes"]
BLOCK = 2**19
MOST_CLASSES = 10_000
"""The square of it is still an array that fits into memory."""


@dataclass(frozen=True, eq=False)
class Coded:
    """A column of labels as whole numbers: a case has the label ``labels[code - first]``.

    The labels of bool are 0 and 1. What is missing has any code.
    """

    codes: NDArray[Any]
    first: int
    labels: Sequence[Any]
    kind: Kind
    missing: Mask | None

    def is_at(self, place: int) -> Mask:
        """The cases that have the label at this place."""
        at: Mask = self.codes == self.first + place
        return at if self.missing is None else at & ~self.missing

    @property
    def places(self) -> Indices:
        """The label of each case as its place among the labels."""
        places: Indices = np.subtract(self.codes, self.first, dtype=np.int64)
        return places

    @property
    def distinct(self) -> list[Any]:
        """The labels that some case has, from low to high; of bool always both."""
        if self.kind == "bool":
            return [False, True]
        places = self.places if self.missing is None else self.places[~self.missing]
        used: list[int] = np.flatnonzero(np.bincount(places)).tolist()
        return in_order(self.labels[place] for place in used)

    def name(self, place: int) -> Any:
        """The label at a place, of bool as such."""
        return bool(self.labels[place]) if self.kind == "bool" else self.labels[place]


def distinct_labels(values: Any, what: str = "y_true") -> list[Any]:
    """The labels that occur in a column, from low to high; of bool always both.

    >>> distinct_labels([2, 7, 2])
    [2, 7]
    """
    return code_labels(*as_array(values, what), what).distinct


def read_label_names(labels: Any) -> list[Any]:
    """The names of classes: texts or numbers, none missing and none twice."""
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable):
        raise DataError(f"labels={shown([labels])} must be a list of labels")
    if isinstance(labels, (set, frozenset)):
        raise DataError("labels is a set, which has no order: give a list, in the order meant")
    names = list(labels)
    if not names:
        raise DataError("labels is empty: name at least one class")
    try:
        names = [_plain(name, "labels") for name in names]
        twice = [name for name, times in _times(names).items() if times > 1]
    except TypeError as error:
        raise DataError(f"labels must be texts or numbers: {error}") from None
    if twice:
        raise DataError(f"labels has {shown(twice)} more than once: name every class once")
    kind = _kind_of(names, "labels")
    return [int(n) if kind == "numbers" and isinstance(n, bool) else n for n in names]


def in_order(labels: Iterable[Any]) -> list[Any]:
    """Labels of one kind from low to high."""
    return sorted(dict.fromkeys(labels))


def _times(names: Sequence[Any]) -> dict[Any, int]:
    times: dict[Any, int] = {}
    for name in names:
        times[name] = times.get(name, 0) + 1
    return times


def code_labels(
    array: NDArray[Any],
    masked: Mask | None,
    what: str,
    *,
    widest: int = MOST_CLASSES,
    whole_only: bool = False,
) -> Coded:
    """A column as codes: whole numbers close to each other as they are, others in their order.

    ``widest`` is how far apart these may lie; with ``whole_only`` other numbers are refused.
    """
    kind = array.dtype.kind
    if not array.size:
        return Coded(np.zeros(0, np.int64), 0, [], "numbers", masked)
    if kind == "b":
        return Coded(array.view(np.uint8), 0, range(2), "bool", masked)
    if kind in "US" or kind == "O":
        return _coded_by_name(array, masked, what, whole_only)
    if kind not in "iuf":
        raise DataError(f"{what} holds {array.dtype} values: give bool, numbers or text as labels")
    if kind == "f":
        masked = either(masked, missing_values(array))
        array = _whole_numbers(array, masked, what, whole_only)
    if array.dtype.kind != "f":
        low, high = int(array.min()), int(array.max())
        if high - low < widest and high < 2**63:
            return Coded(array, low, range(low, high + 1), "numbers", masked)
    values, codes = np.unique(array, return_inverse=True)
    check_number(values.size, what)
    return Coded(codes, 0, values.tolist(), "numbers", masked)


def _whole_numbers(
    floats: NDArray[Any], missing: Mask | None, what: str, whole_only: bool
) -> NDArray[Any]:
    """Floats that are whole as integers; others are scores, unless the classes are named."""
    present = floats if missing is None else floats[~missing]
    if not present.size:
        return np.zeros(floats.shape, np.int64)
    whole = np.isfinite(present) & (present == np.floor(present))
    if not whole.all():
        if whole_only:
            raise DataError(_like_a_score(present[~whole][0], int(np.sum(~whole)), what))
        return np.where(np.isnan(floats), present[0], floats)
    if np.abs(present).max() > EXACT_INTEGERS:
        raise DataError(
            f"{what} has labels up to {np.abs(present).max():g} as floats, which cannot tell such "
            "integers apart: give an array of integers, or text"
        )
    filled = floats if missing is None else np.where(missing, present[0], floats)
    return filled.astype(np.int64)


def _like_a_score(value: Any, times: int, what: str) -> str:
    return (
        f"{what} has {times} numbers that are not whole, like {shown([value])}: if they are "
        "scores, cut them at a threshold (ConfusionMatrix.at, or --score); if they are names of "
        "classes, list these with labels="
    )


def _coded_by_name(array: NDArray[Any], masked: Mask | None, what: str, whole_only: bool) -> Coded:
    """A column of texts or objects, looked up block by block."""
    place: dict[Any, int] = {}
    labels: list[Any] = []
    codes = np.empty(array.size, np.int64)
    for begin in range(0, array.size, BLOCK):
        part = array[begin : begin + BLOCK].tolist()
        try:
            fresh = [label for label in dict.fromkeys(part) if label not in place]
        except TypeError:
            odd = next((label for label in part if label.__hash__ is None), part[0])
            raise DataError(
                f"{what} holds values of the kind {type(odd).__name__}: give bool, numbers or text"
            ) from None
        for label in fresh:
            if is_missing(label):
                place[label] = -1
            else:
                place[label] = len(labels)
                labels.append(_plain(label, what))
        check_number(len(labels), what)
        codes[begin : begin + BLOCK] = np.fromiter(
            map(place.__getitem__, part), np.int64, len(part)
        )
    kind = _kind_of(labels, what)
    fractions = [label for label in labels if isinstance(label, float)]
    if fractions and whole_only:
        raise DataError(_like_a_score(fractions[0], len(fractions), what))
    absent = codes < 0
    codes[absent] = 0
    return Coded(codes, 0, labels, kind, either(masked, absent if absent.any() else None))


def _plain(label: Any, what: str) -> Any:
    """A label as Python has it, a whole number as an integer."""
    if isinstance(label, np.generic):
        label = label.item()
    if is_missing(label):
        raise DataError(f"{what} has a missing name (None or NaN): leave it out")
    if isinstance(label, float) and label.is_integer():
        return int(label)
    return label


def _kind_of(labels: Iterable[Any], what: str) -> Kind:
    """The one kind that all labels are of; numbers beside bool are numbers."""
    known: dict[Kind, type] = {"bool": bool, "numbers": numbers.Real, "text": str, "bytes": bytes}
    kinds: dict[Kind, Any] = {}
    for label in labels:
        kind = next((name for name, one in known.items() if isinstance(label, one)), None)
        if kind is None:
            raise DataError(
                f"{what} holds values of the kind {type(label).__name__}: give bool, numbers or "
                "text"
            )
        kinds.setdefault(kind, label)
    if len(kinds) > 1 and set(kinds) != {"bool", "numbers"}:
        raise DataError(
            f"{what} mixes {' and '.join(kinds)}, as in {shown(kinds.values())}: make all labels "
            "one kind"
        )
    return "numbers" if len(kinds) != 1 else next(iter(kinds))


def check_number(classes: int, what: str) -> None:
    """Refuse more classes than a matrix can have."""
    if classes > MOST_CLASSES:
        raise DataError(
            f"there are more than {MOST_CLASSES} labels in {what}: a matrix of so many classes "
            "does not fit; group them first"
        )
