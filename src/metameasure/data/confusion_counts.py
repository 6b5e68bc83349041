"""Counts of the pairs of true and predicted labels: of columns of labels, or given as a matrix."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import read_argument
from metameasure._text import shown
from metameasure.data.arrays import NanPolicy, as_array, missing_cases
from metameasure.data.case_columns import ARGUMENTS, NAN_POLICY, Names, check_length
from metameasure.data.label_codes import (
    BLOCK,
    MOST_CLASSES,
    check_number,
    code_labels,
    distinct_labels,
    in_order,
    read_label_names,
)
from metameasure.data.labels import LabelText
from metameasure.data.row_order import check_row_order
from metameasure.data.scores import read_weights
from metameasure.errors import Argument, DataError
from metameasure.table import check_total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from metameasure._types import Floats, Mask
    from metameasure.data.label_codes import Coded


PREDICTED = "y_pred"


@dataclass(frozen=True, eq=False)
class Counted:
    """The weight of the cases per pair of labels: rows are true, columns predicted labels."""

    counts: Floats
    labels: list[Any]
    dropped: int = 0


def count_pairs(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    names: Names = ARGUMENTS,
) -> Counted:
    """The confusion matrix of two columns of labels, sorted or in the order of ``labels``.

    >>> counted = count_pairs(["a", "b", "b"], ["a", "a", "b"])
    >>> counted.labels, counted.counts.tolist()
    (['a', 'b'], [[1.0, 0.0], [1.0, 1.0]])
    """
    read_argument("nan_policy", nan_policy, NAN_POLICY)
    what = names.label, names.scores.get(PREDICTED, PREDICTED)
    check_row_order(y_true, ((what[1], y_pred), (names.weight, sample_weight)), what[0])
    read = [as_array(values, name) for values, name in zip((y_true, y_pred), what, strict=True)]
    n = read[0][0].size
    weight, lacking = (
        (None, None) if sample_weight is None else read_weights(sample_weight, names.weight)
    )
    for values, name in ((read[1][0], what[1]), (weight, names.weight)):
        if values is not None:
            check_length(values, name, n, names)
    if not n:
        raise DataError(f"there are no cases: {what[0]} is empty")
    widest = min(math.isqrt(max(2**20, 4 * n)), MOST_CLASSES)
    columns = [
        code_labels(array, masked, name, widest=widest, whole_only=labels is None)
        for (array, masked), name in zip(read, what, strict=True)
    ]
    known = [label for column in columns for label in column.distinct]
    asked = None if labels is None else read_label_names(labels, known)
    lack = [*zip(what, (c.missing for c in columns), strict=True), (names.weight, lacking)]
    missing = missing_cases(lack, nan_policy)
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


def _joined(
    true: Coded, predicted: Coded, what: tuple[str, str], widest: int
) -> tuple[Coded, Coded, Sequence[Any]]:
    """Both columns, with codes for the same labels."""
    if true.kind != predicted.kind and {true.kind, predicted.kind} != {"bool", "numbers"}:
        raise DataError(
            f"{what[0]} and {what[1]} must have labels of the same type, got {true.kind} and "
            f"{predicted.kind}"
        )
    ranges = [c.labels for c in (true, predicted) if isinstance(c.labels, range)]
    if len(ranges) == 2:
        first, last = min(r[0] for r in ranges), max(r[-1] for r in ranges)
        if last - first < widest:
            labels = range(first, last + 1)
            a, b = (replace(c, first=first, labels=labels) for c in (true, predicted))
            return a, b, labels
    union = in_order([*true.labels, *predicted.labels])
    check_number(len(union), f"{what[0]} and {what[1]}")
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
    """The number or the weight of the cases per pair of codes, counted in blocks of cases."""
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
    """The indices of the labels that occur, true or predicted."""
    used: list[int] = np.flatnonzero(counts.any(axis=0) | counts.any(axis=1)).tolist()
    return used


def _aligned(
    counts: NDArray[Any],
    found: Sequence[Any],
    asked: list[Any],
    columns: tuple[Coded, Coded],
    what: tuple[str, str],
) -> NDArray[Any]:
    """The counts for the given labels; others must not occur."""
    place = {label: code for code, label in enumerate(asked)}
    used = _used(counts)
    unknown = [code for code in used if found[code] not in place]
    if unknown:
        code = unknown[0]
        rows, name = next(
            (rows, name)
            for column, name in zip(columns, what, strict=True)
            if (rows := column.is_at(code)).any()
        )
        more = f" ({len(unknown) - 1} more labels are missing)" if len(unknown) > 1 else ""
        raise DataError(
            (
                Argument("labels"),
                f" must name all classes, got {shown(asked)} but {name} has ",
                f"{np.count_nonzero(rows)} cases with {shown([found[code]])}, the first at row ",
                f"{np.argmax(rows)}{more}",
            ),
            remedy="add the label, or drop these cases",
        )
    to = np.array([place[found[code]] for code in used], dtype=np.int64)
    aligned = np.zeros((len(asked), len(asked)), counts.dtype)
    aligned[np.ix_(to, to)] = counts[np.ix_(used, used)]
    return aligned


def read_counts(counts: ArrayLike) -> Floats:
    """A square array of finite counts or weights >= 0, as a read-only copy."""
    try:
        array = np.array(counts).astype(np.float64, casting="same_kind")
    except (ValueError, TypeError, OverflowError) as error:
        raise DataError(
            f"counts must be a square array of numbers ({error})",
            remedy="for two columns of labels use ConfusionMatrix.of(y_true, y_pred)",
        ) from error
    if array.ndim != 2 or array.shape[0] != array.shape[1] or not array.size:
        raise DataError(
            f"counts must be a square array, got shape {array.shape}",
            remedy="pass one row per true class and one column per predicted class, or use "
            "ConfusionMatrix.of(y_true, y_pred) for labels",
        )
    wrong = ~(np.isfinite(array) & (array >= 0))
    if wrong.any():
        row, column = map(int, np.argwhere(wrong)[0])
        raise DataError(
            f"counts must be finite and >= 0, got {np.count_nonzero(wrong)} others, the first "
            f"{array[row, column]} in row {row}, column {column}"
        )
    check_total(array.ravel(), "counts")
    made = array + 0.0
    made.flags.writeable = False
    return made


def read_cross_table(counts: Any) -> tuple[Any, list[Any] | None]:
    """The counts and the labels of a frame that has both, as pandas.crosstab makes it.

    A class that only rows or only columns have is added to the other; an array has no labels.
    """
    if not (hasattr(counts, "index") and hasattr(counts, "columns")):
        return counts, None
    names = list(counts.index), list(counts.columns)
    if all(labels == list(range(len(labels))) for labels in names):
        return counts, None
    true, predicted = (tuple(read_label_names(labels, refusal=DataError)) for labels in names)
    values = np.asarray(counts)
    labels = list(true) if true == predicted else union_of_labels(true, predicted)
    whole = np.zeros((len(labels), len(labels)), values.dtype)
    whole[np.ix_(*([labels.index(name) for name in side] for side in (true, predicted)))] = values
    return whole, labels


def union_of_labels(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    """The labels of two matrices: sorted if both are, else those of the first one first."""
    joined = read_label_names(dict.fromkeys([*a, *b]), refusal=DataError)
    ordered = in_order(a) == list(a) and in_order(b) == list(b)
    return in_order(joined) if ordered else joined


def two_labels(y_true: Any, pos_label: Any) -> tuple[Any, Any, Any]:
    """The negative and the positive label of a binary column.

    The third is None, or the positive label if no case is negative: then the name of the negative
    class is made up.
    """
    found = distinct_labels(y_true)
    if isinstance(pos_label, LabelText):
        pos_label = pos_label.among(found, "pos_label")
    positive = (True if found == [False, True] else 1) if pos_label is None else pos_label
    others = [label for label in found if label != positive]
    if others:
        return others[0], positive, None
    if pos_label is None:
        return 0, 1, positive
    return f"not {positive}", str(positive), positive
