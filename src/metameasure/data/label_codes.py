"""Columns of labels as integer codes: text, numbers or bool, never mixed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._text import shown
from metameasure.data.arrays import (
    KINDS,
    as_array,
    either,
    is_missing,
    kinds_of,
    missing_values,
    mixed_kinds,
)
from metameasure.data.labels import LABELS, LabelText
from metameasure.data.scores import EXACT_INTEGERS
from metameasure.errors import Argument, DataError, ParameterError, parts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Indices, Mask


Kind = Literal["bool", "numbers", "text", "bytes"]
BLOCK = 2**19
MOST_CLASSES = 10_000
"""Largest number of classes, so that a square matrix fits into memory."""


@dataclass(frozen=True, eq=False)
class Coded:
    """A column of labels as integers: the label of a case is ``labels[code - first]``.

    The labels of bool are 0 and 1. The code of a missing label is arbitrary.
    """

    codes: NDArray[Any]
    first: int
    labels: Sequence[Any]
    kind: Kind
    missing: Mask | None

    def is_at(self, place: int) -> Mask:
        """The cases with the label at this index."""
        at: Mask = self.codes == self.first + place
        return at if self.missing is None else at & ~self.missing

    @property
    def places(self) -> Indices:
        """The index of the label of each case."""
        places: Indices = np.subtract(self.codes, self.first, dtype=np.int64)
        return places

    @property
    def distinct(self) -> list[Any]:
        """The labels that occur, sorted; of bool always both."""
        if self.kind == "bool":
            return [False, True]
        places = self.places if self.missing is None else self.places[~self.missing]
        used: list[int] = np.flatnonzero(np.bincount(places)).tolist()
        return in_order(self.labels[place] for place in used)

    def name(self, place: int) -> Any:
        """The label at an index, bool if the labels are."""
        return bool(self.labels[place]) if self.kind == "bool" else self.labels[place]


def distinct_labels(values: Any, what: str = "y_true") -> list[Any]:
    """The labels that occur in a column, sorted; of bool always both.

    >>> distinct_labels([2, 7, 2])
    [2, 7]
    """
    return code_labels(*as_array(values, what), what).distinct


def read_label_names(
    labels: Any,
    known: Iterable[Any] = (),
    refusal: type[DataError | ParameterError] = ParameterError,
) -> list[Any]:
    """The names of classes: text or numbers, without duplicates and missing values.

    Those typed on the command line become the ``known`` labels that are written like them.
    ``refusal`` is the class of the errors: DataError for names that come with the data.
    """
    listed = isinstance(labels, Iterable) and not isinstance(labels, (str, bytes, set, frozenset))
    names = list(labels) if listed and getattr(labels, "ndim", None) != 0 else []
    if not names:
        got = shown([labels])
        raise refusal((Argument("labels"), f" must be a list of class names, got {got}"))
    try:
        names = [
            name.among(known, "labels") if isinstance(name, LabelText) else _plain(name, "labels")
            for name in names
        ]
        twice = [name for name, times in _times(names).items() if times > 1]
        kind = _kind_of(names, "labels")
    except DataError as error:
        raise refusal(parts_of(error)[0], argument="labels") from None
    except TypeError as error:
        raise refusal((Argument("labels"), f" must be text or numbers: {error}")) from None
    if twice:
        raise refusal((Argument("labels"), f" has duplicates: {shown(twice)}"))
    return [int(n) if kind == "numbers" and isinstance(n, bool) else n for n in names]


def in_order(labels: Iterable[Any]) -> list[Any]:
    """The distinct labels, sorted."""
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
    """A column as codes: integers in a narrow range as they are, other labels numbered.

    ``widest`` is the largest such range; with ``whole_only`` other numbers than integers are
    refused.
    """
    kind = array.dtype.kind
    if not array.size:
        return Coded(np.zeros(0, np.int64), 0, [], "numbers", masked)
    if kind == "b":
        return Coded(array.view(np.uint8), 0, range(2), "bool", masked)
    if kind in "US" or kind == "O":
        return _coded_by_name(array, masked, what, whole_only)
    if kind not in "iuf":
        raise DataError(f"{what} must be {LABELS}, got {array.dtype}")
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
    """Floats as integers if all are whole; others are refused with ``whole_only``."""
    present = floats if missing is None else floats[~missing]
    if not present.size:
        return np.zeros(floats.shape, np.int64)
    whole = np.isfinite(present) & (present == np.floor(present))
    if not whole.all():
        if whole_only:
            raise _like_a_score(present[~whole][0], int(np.sum(~whole)), what)
        return np.where(np.isnan(floats), present[0], floats)
    largest = float(np.abs(present).max())
    if largest > EXACT_INTEGERS:
        raise DataError(
            f"{what} has labels up to {largest:g} as floats, which cannot represent "
            "such integers exactly",
            remedy="pass integers or text",
        )
    filled = floats if missing is None else np.where(missing, present[0], floats)
    return filled.astype(np.int64)


def _like_a_score(value: Any, times: int, what: str) -> DataError:
    return DataError(
        f"{what} must be labels, got {times} numbers that are not integers, such as "
        f"{shown([value])}",
        remedy=(
            "apply a threshold if they are scores, or list the classes with ",
            Argument("labels"),
        ),
    )


def _coded_by_name(array: NDArray[Any], masked: Mask | None, what: str, whole_only: bool) -> Coded:
    """A column of text or objects, coded in blocks."""
    place: dict[Any, int] = {}
    labels: list[Any] = []
    codes = np.empty(array.size, np.int64)
    for begin in range(0, array.size, BLOCK):
        part = array[begin : begin + BLOCK].tolist()
        try:
            fresh = [label for label in dict.fromkeys(part) if label not in place]
        except TypeError:
            odd = next((label for label in part if label.__hash__ is None), part[0])
            raise DataError(f"{what} must be {LABELS}, got {type(odd).__name__}") from None
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
        raise _like_a_score(fractions[0], len(fractions), what)
    absent = codes < 0
    codes[absent] = 0
    return Coded(codes, 0, labels, kind, either(masked, absent if absent.any() else None))


def _plain(label: Any, what: str) -> Any:
    """A label as a Python object, whole numbers as int."""
    if isinstance(label, np.generic):
        label = label.item()
    if is_missing(label):
        raise DataError(f"{what} has a missing label (None or NaN)")
    if isinstance(label, float) and label.is_integer():
        return int(label)
    return label


def _kind_of(labels: Iterable[Any], what: str) -> Kind:
    """The one type of all labels; numbers and bool together are numbers."""
    kinds: dict[Any, Any] = kinds_of(labels)
    for kind in kinds:
        if kind not in KINDS:
            raise DataError(f"{what} must be {LABELS}, got {kind}")
    if len(kinds) > 1 and set(kinds) != {"bool", "numbers"}:
        raise mixed_kinds(kinds, what, "labels")
    return "numbers" if len(kinds) != 1 else next(iter(kinds))


def check_number(classes: int, what: str) -> None:
    """Refuse more classes than fit into a matrix."""
    if classes > MOST_CLASSES:
        raise DataError(
            f"{what} has more than {MOST_CLASSES} distinct labels", remedy="group them first"
        )
