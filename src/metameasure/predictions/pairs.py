"""Pairs of labels, the true one and the predicted one, counted into a matrix."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure.errors import DataError
from metameasure.predictions.arrays import (
    NanPolicy,
    as_array,
    either,
    is_missing,
    missing_cases,
    missing_values,
    shown,
)
from metameasure.predictions.numbers import EXACT_INTEGERS, read_weights
from metameasure.predictions.rows import ARGUMENTS, Names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

Kind = Literal["bool", "numbers", "text", "bytes"]
PREDICTED = "y_pred"
BLOCK = 2**19
MOST_CLASSES = 10_000
"""The square of it is still an array that fits into memory."""


@dataclass(frozen=True, eq=False)
class Counted:
    """The weight of the cases with each pair of labels: true ones down, predicted ones across."""

    counts: Floats
    labels: list[Any]
    dropped: int = 0


@dataclass(frozen=True, eq=False)
class Coded:
    """A column of labels as whole numbers: a case has the label ``labels[code - first]``."""

    codes: NDArray[Any]
    first: int
    labels: Sequence[Any]
    kind: Kind
    missing: Mask | None

    def is_at(self, place: int) -> Mask:
        """The cases that have the label at this place."""
        at: Mask = self.codes == self.first + place
        return at if self.missing is None else at & ~self.missing


def count_pairs(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    names: Names = ARGUMENTS,
) -> Counted:
    """The matrix of two columns of labels, with the labels in their order or in the one given.

    >>> counted = count_pairs(["a", "b", "b"], ["a", "a", "b"])
    >>> counted.labels, counted.counts.tolist()
    (['a', 'b'], [[1.0, 0.0], [1.0, 1.0]])
    """
    if nan_policy not in {"raise", "drop"}:
        raise DataError(f"nan_policy={shown([nan_policy])} is not known: give 'raise' or 'drop'")
    asked = None if labels is None else read_label_names(labels)
    what = names.label, names.scores.get(PREDICTED, PREDICTED)
    read = [as_array(values, name) for values, name in zip((y_true, y_pred), what, strict=True)]
    n = read[0][0].size
    weight, lacking = (
        (None, None) if sample_weight is None else read_weights(sample_weight, names.weight)
    )
    for values, name in ((read[1][0], what[1]), (weight, names.weight)):
        if values is not None and values.size != n:
            raise DataError(
                f"{what[0]} has {n} cases but {name} has {values.size}: they must be as many"
            )
    if not n:
        raise DataError(f"there are no cases: {what[0]} is empty")
    widest = min(math.isqrt(max(2**20, 4 * n)), MOST_CLASSES)
    columns = [
        _coded(array, masked, name, widest, asked is None)
        for (array, masked), name in zip(read, what, strict=True)
    ]
    lack = [*zip(what, (c.missing for c in columns), strict=True), (names.weight, lacking)]
    missing = _missing(lack, nan_policy)
    true, predicted, found = _joined(columns[0], columns[1], what, widest)
    counts = _count(true, predicted, len(found), weight, missing)
    if asked is not None:
        counts = _aligned(counts, found, asked, (true, predicted), what)
    elif true.kind == predicted.kind == "bool":
        asked = [False, True]
    else:
        used = _used(counts)
        counts = counts if len(used) == len(found) else counts[np.ix_(used, used)]
        asked = [found[place] for place in used]
    dropped = 0 if missing is None else int(np.count_nonzero(missing))
    return Counted(counts.astype(np.float64, copy=False), asked, dropped)


def distinct_labels(values: Any, what: str = "y_true") -> list[Any]:
    """The labels that occur in a column, from low to high; of bool always both.

    >>> distinct_labels([2, 7, 2])
    [2, 7]
    """
    column = _coded(*as_array(values, what), what, MOST_CLASSES, False)
    if column.kind == "bool":
        return [False, True]
    codes = column.codes if column.missing is None else column.codes[~column.missing]
    times = np.bincount(np.subtract(codes, column.first, dtype=np.int64))
    return in_order(column.labels[place] for place in np.flatnonzero(times).tolist())


def read_label_names(labels: Any) -> list[Any]:
    """The names of classes: texts or numbers, none missing and none twice."""
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable):
        raise DataError(f"labels={shown([labels])} must be a list of labels")
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


def _coded(
    array: NDArray[Any], masked: Mask | None, what: str, widest: int, whole_only: bool
) -> Coded:
    """A column as codes: whole numbers close to each other as they are, others in their order."""
    kind = array.dtype.kind
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
    _check_number(values.size, what)
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
        _check_number(len(labels), what)
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


def _check_number(classes: int, what: str) -> None:
    if classes > MOST_CLASSES:
        raise DataError(
            f"there are more than {MOST_CLASSES} labels in {what}: a matrix of so many classes "
            "does not fit; group them first"
        )


def _missing(lack: Iterable[tuple[str, Mask | None]], nan_policy: NanPolicy) -> Mask | None:
    """The cases to leave out, unless these are all."""
    missing = missing_cases(lack, nan_policy)
    if missing is not None and missing.all():
        raise DataError(f"all {missing.size} cases lack a value: none is left")
    return missing


def _joined(
    true: Coded, predicted: Coded, what: tuple[str, str], widest: int
) -> tuple[Coded, Coded, Sequence[Any]]:
    """Both columns with codes of the same labels."""
    if true.kind != predicted.kind and {true.kind, predicted.kind} != {"bool", "numbers"}:
        raise DataError(
            f"{what[0]} holds {true.kind} but {what[1]} holds {predicted.kind}: give both columns "
            "labels of one kind"
        )
    ranges = [c.labels for c in (true, predicted) if isinstance(c.labels, range)]
    if len(ranges) == 2:
        first, last = min(r[0] for r in ranges), max(r[-1] for r in ranges)
        if last - first < widest:
            labels = range(first, last + 1)
            a, b = (replace(c, first=first, labels=labels) for c in (true, predicted))
            return a, b, labels
    union = in_order([*true.labels, *predicted.labels])
    _check_number(len(union), f"{what[0]} and {what[1]}")
    place = {label: code for code, label in enumerate(union)}
    recoded = []
    for column in (true, predicted):
        to = np.array([place[label] for label in column.labels], dtype=np.int64)
        codes = to[np.subtract(column.codes, column.first, dtype=np.int64)]
        recoded.append(replace(column, codes=codes, first=0, labels=union))
    return recoded[0], recoded[1], union


def _count(
    true: Coded, predicted: Coded, k: int, weight: Floats | None, missing: Mask | None
) -> NDArray[Any]:
    """How often each pair of codes occurs, or with what weight, block by block of cases."""
    counts = np.zeros(k * k, np.int64 if weight is None else np.float64)
    rows = max(BLOCK, counts.size)
    for begin in range(0, true.codes.size, rows):
        part = slice(begin, begin + rows)
        pairs = np.subtract(true.codes[part], true.first, dtype=np.int64)
        pairs *= k
        pairs += np.subtract(predicted.codes[part], predicted.first, dtype=np.int64)
        weights = None if weight is None else weight[part]
        if missing is not None:
            kept = ~missing[part]
            pairs, weights = pairs[kept], None if weights is None else weights[kept]
        counts += np.bincount(pairs, weights, counts.size)
    return counts.reshape(k, k)


def _used(counts: NDArray[Any]) -> list[int]:
    """The places of the labels that some case has, or is predicted to have."""
    used: list[int] = np.flatnonzero(counts.any(axis=0) | counts.any(axis=1)).tolist()
    return used


def _aligned(
    counts: NDArray[Any],
    found: Sequence[Any],
    asked: list[Any],
    columns: tuple[Coded, Coded],
    what: tuple[str, str],
) -> NDArray[Any]:
    """The counts of the labels that were asked for; others must not occur."""
    place = {label: code for code, label in enumerate(asked)}
    used = _used(counts)
    strange = [code for code in used if found[code] not in place]
    if strange:
        code = strange[0]
        rows, name = next(
            (rows, name)
            for column, name in zip(columns, what, strict=True)
            if (rows := column.is_at(code)).any()
        )
        more = f" ({len(strange) - 1} more labels are neither)" if len(strange) > 1 else ""
        raise DataError(
            f"{name} has {np.count_nonzero(rows)} cases with the label {shown([found[code]])}, the "
            f"first at row {np.argmax(rows)}, which is not among labels={shown(asked)}{more}: add "
            "it there, or leave these cases out"
        )
    to = np.array([place[found[code]] for code in used], dtype=np.int64)
    aligned = np.zeros((len(asked), len(asked)), counts.dtype)
    aligned[np.ix_(to, to)] = counts[np.ix_(used, used)]
    return aligned
