"""ClassLabels: cases of k classes, with one predicted class each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import read_argument
from metameasure.data.arrays import as_array, missing_cases
from metameasure.data.case_columns import ARGUMENTS, BY_MODEL, NAN_POLICY, check_length
from metameasure.data.class_cases import Answers, ClassCases, OtherColumns, class_codes
from metameasure.data.label_codes import code_labels, in_order, read_label_names
from metameasure.data.row_order import check_row_order
from metameasure.errors import Argument, DataError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices, Mask
    from metameasure.data.arrays import NanPolicy
    from metameasure.data.case_columns import Names
    from metameasure.data.label_codes import Coded

FIRST = 1000
"""Number of values that are looked at before a column is read as labels."""
NOT_NAMED = ("add them to ", Argument("labels"), ", or drop these cases")


@dataclass(frozen=True, eq=False)
class ClassLabels(ClassCases):
    """The class of each case, and the class that was predicted for it.

    Attributes:
        classes: names of the classes.
        code: number of the class of each case.
        predicted: number of the class that was predicted.
        weight, cluster, group, fold, dropped, dropped_group, kept: see ``ClassCases``.

    >>> ClassLabels.of(["a", "b", "c"], {"model": ["a", "b", "b"]})
    {'model': <predicted labels of 3 cases for 3 classes>}
    """

    classes: tuple[Any, ...]
    code: Indices
    predicted: Indices
    weight: Floats | None = None
    cluster: NDArray[Any] | None = None
    dropped: int = 0
    kept: Mask | None = None
    group: NDArray[Any] | None = None
    fold: NDArray[Any] | None = None
    dropped_group: NDArray[Any] | None = None

    @classmethod
    def of(
        cls,
        y_true: Any,
        predicted: Mapping[str, Any],
        *,
        labels: Sequence[Any] | None = None,
        sample_weight: Any = None,
        cluster: Any = None,
        group: Any = None,
        fold: Any = None,
        nan_policy: NanPolicy = "raise",
        names: Names = ARGUMENTS,
    ) -> dict[str, ClassLabels]:
        """Validate the true labels and those that each model predicted.

        Args:
            y_true: class of each case.
            predicted: predicted class of each case, for each model.
            labels: all classes, in order. By default those that occur, sorted.
            sample_weight: weight of each case.
            cluster: cluster of each case.
            group: group of each case.
            fold: fold of each case in a cross-validation.
            nan_policy: "raise", or "drop" to drop cases with a missing value.
            names: names of the arguments or columns in messages.
        """
        read_argument("nan_policy", nan_policy, NAN_POLICY)
        read_argument("predicted", predicted, BY_MODEL)
        called = ((names.model(model), values) for model, values in predicted.items())
        others = OtherColumns(sample_weight, cluster, group, fold)
        check_row_order(y_true, (*called, *others.called(names).values()), names.label)
        whole = labels is None
        true = code_labels(*as_array(y_true, names.label), names.label, whole_only=whole)
        n = true.codes.size
        if not n:
            raise DataError(f"there are no cases: {names.label} is empty")
        lack = [(names.label, true.missing)]
        guesses: dict[str, Coded] = {}
        for model, values in predicted.items():
            what = names.model(model)
            guess = code_labels(*as_array(values, what), what, whole_only=whole)
            check_length(guess.codes, what, n, names)
            _check_kinds(true, guess, names.label, what)
            guesses[model] = guess
            lack.append((what, guess.missing))
        columns = others.read(n, names, lack)
        missing = missing_cases(lack, nan_policy)
        known = in_order(label for column in (true, *guesses.values()) for label in column.distinct)
        classes = known if labels is None else read_label_names(labels, known)
        code = class_codes(true, classes, names.label, "that are not named", NOT_NAMED)
        found = {}
        for model, guess in guesses.items():
            what = names.model(model)
            chosen = class_codes(guess, classes, what, "that are not named", NOT_NAMED)
            made = cls(tuple(classes), code, chosen, **columns)
            found[model] = made if missing is None else made.keeping(~missing)
        return found

    def where(self, rows: NDArray[Any]) -> ClassLabels:
        """The predicted labels of some of the cases."""
        others = self.columns_of(rows)
        return ClassLabels(self.classes, self.code[rows], self.predicted[rows], **others)

    def same_as(self, other: ClassLabels) -> bool:
        """Whether all predicted labels are equal."""
        return np.array_equal(self.predicted, other.predicted)

    @cached_property
    def answers(self) -> Answers:
        """The predicted classes."""
        return Answers(np.arange(self.code.size), self.predicted, None)

    def __repr__(self) -> str:
        block = f"block of shape {self.shape}: " if self.shape else ""
        return f"<{block}predicted labels of {self.code.size} cases for {self.k} classes>"


def _check_kinds(true: Coded, guess: Coded, label: str, what: str) -> None:
    """Refuse predicted labels of another type than the true ones."""
    if true.kind != guess.kind and {true.kind, guess.kind} != {"bool", "numbers"}:
        raise DataError(
            f"{label} and {what} must have labels of the same type, got {true.kind} and "
            f"{guess.kind}"
        )


def are_labels(y_true: Any, columns: Iterable[Any]) -> bool:
    """Whether columns hold predicted labels, not scores.

    Text does; integers do if there are more than two labels, and all of them are labels.

    >>> are_labels([0, 2, 1], [[0, 1, 1]]), are_labels([0, 1], [[0, 1]])
    (True, False)
    """
    try:
        arrays = [as_array(values, "") for values in columns]
        if not arrays or any(_fractional(array) for array, _ in arrays):
            return False
        guesses = [code_labels(array, masked, "") for array, masked in arrays]
        if all(guess.kind == "text" for guess in guesses):
            return True
        known = set(code_labels(*as_array(y_true, ""), "").distinct)
        return len(known) > 2 and all(known.issuperset(guess.distinct) for guess in guesses)
    except DataError:
        # The error is raised where the columns are read.
        return False


def _fractional(array: NDArray[Any]) -> bool:
    """Whether one of the first values is a number that is not an integer."""
    if array.dtype.kind != "f":
        return False
    first = array[:FIRST]
    return bool(np.any((first != np.floor(first)) & ~np.isnan(first)))
