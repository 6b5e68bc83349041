"""Matrices of counts that are given: an array, or a cross table with the labels in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.data.label_codes import distinct_labels, in_order, read_label_names
from metameasure.data.labels import LabelText
from metameasure.errors import DataError
from metameasure.table import check_total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from metameasure._types import Floats


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
            remedy="pass one row per true class and one column per predicted class",
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
