"""Two columns of class probabilities, as predict_proba returns them, as one column of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.data.arrays import either
from metameasure.data.class_columns import (
    SUM,
    ClassColumns,
    assign_columns,
    classes_by_name,
    has_two_columns,
)
from metameasure.data.label_codes import distinct_labels, in_order, read_label_names
from metameasure.data.labels import LabelText, read_labels
from metameasure.data.scores import read_scores
from metameasure.errors import Argument, DataError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from metameasure._types import Floats, Mask

ALONE = "pass the column of the positive class alone, of predict_proba's output [:, 1]"
NO_MATRIX = " names the classes of a matrix of scores, but there is none"


@dataclass(frozen=True, eq=False)
class BothColumns:
    """The probabilities of two classes, NaN where one of them is missing, and their classes.

    ``classes`` are in the order of the columns.
    """

    values: tuple[Floats, Floats]
    classes: list[Any]

    @property
    def sorted(self) -> bool:
        """Whether the classes are in the order of scikit-learn, where the second is positive."""
        return self.classes == in_order(self.classes)

    def of(self, label: Any) -> Floats:
        """The probabilities of one class."""
        return self.values[self.classes.index(label)]


def positive_columns(
    y_true: Any,
    scores: Mapping[str, Any],
    *,
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
    what: str = "y_true",
    called: Mapping[str, str] | None = None,
) -> tuple[Mapping[str, Any], Any]:
    """The scores of each model for the positive class, and the positive label.

    A model with two columns has probabilities of two classes. If the columns of all models are in
    the order of the sorted labels, as in scikit-learn, the second is that of the positive class;
    ``pos_label`` names another one.

    Args:
        y_true: label of each case.
        scores: one column per model, or two: a matrix, a data frame or a dict of columns.
        pos_label: positive label, if it is given.
        labels: class of each of two columns; by default by their names or in order.
        what: name of the labels in messages.
        called: names of models and columns in messages.

    >>> positive_columns(["no", "yes"], {"m": [[0.7, 0.3], [0.4, 0.6]]})
    ({'m': array([0.3, 0.6])}, 'yes')
    """
    double = [model for model, values in scores.items() if has_two_columns(values)]
    if not double:
        if labels is not None:
            raise ParameterError((Argument("labels"), NO_MATRIX))
        return scores, pos_label
    found = distinct_labels(y_true, what)
    if not found:  # refused where the labels are read
        second = {model: ClassColumns.of(scores[model]).values[1] for model in double}
        return {**scores, **second}, pos_label
    if pos_label is not None:
        read_labels(y_true, pos_label, what)
        if isinstance(pos_label, LabelText):
            pos_label = pos_label.among(found, "pos_label")
    known = known_classes(found, pos_label)
    asked = None if labels is None else read_label_names(labels, known)
    both = {model: _both(scores[model], model, known, asked, called or {}) for model in double}
    for columns in both.values():
        _check_classes(found, columns.classes, pos_label, what)
    if pos_label is None and len(double) == len(scores):
        pos_label = _second_class(list(both.values()))
    positive = pos_label
    if positive is None:
        read_labels(y_true, None, what)  # an error, unless the labels tell which one is positive
        positive = 1
    return {**scores, **{model: each.of(positive) for model, each in both.items()}}, pos_label


def are_two_classes(scores: Any, y_true: Any) -> bool:
    """Whether two columns are the probabilities of the two classes rather than two models.

    They sum to 1, and are named after the classes or have no names.
    """
    try:
        columns = ClassColumns.of(scores)
        first, second = (read_scores(values) for values in columns.values)
        if first[0].size != second[0].size or _wrong_sums(columns, first, second).any():
            return False
        names = columns.names
        return names is None or classes_by_name(names, distinct_labels(y_true)) is not None
    except DataError:
        # The error is raised where the scores and labels are read.
        return False


def _second_class(models: Sequence[BothColumns]) -> Any:
    """The second class, if the columns of all models are in the order of the sorted classes."""
    second = models[0].classes[1]
    same = all(model.sorted and model.classes[1] == second for model in models)
    return second if same else None


def known_classes(found: list[Any], pos_label: Any = None) -> list[Any]:
    """The sorted classes, of which perhaps one alone was ``found``.

    >>> known_classes([0]), known_classes(["no"], "yes"), known_classes(["no"])
    ([0, 1], ['no', 'yes'], ['no'])
    """
    if len(found) != 1:
        return found
    (only,) = found
    if pos_label is not None and pos_label != only:
        return in_order([only, pos_label])
    return {-1: [-1, 1], 0: [0, 1], 1: [0, 1]}.get(only, found)


def _check_classes(found: list[Any], classes: list[Any], pos_label: Any, what: str) -> None:
    """Refuse labels, and a positive one, that have no column."""
    lacking = [label for label in found if label not in classes]
    if lacking:
        raise DataError(
            f"{what} has the label {shown(lacking[:1])}, which has no column of scores; the "
            f"classes are {shown(classes)}",
            remedy="add a column of scores for it, or drop these cases",
        )
    if pos_label is not None and pos_label not in classes:
        raise ParameterError(
            (
                Argument("pos_label"),
                f" must be one of the classes {shown(classes)}, got {shown([pos_label])}",
            )
        )


def _both(
    scores: Any,
    model: str,
    known: list[Any],
    asked: list[Any] | None,
    called: Mapping[str, str],
) -> BothColumns:
    """The two columns of a model, which must sum to 1."""
    columns = ClassColumns.of(scores)
    assigned = assign_columns(
        *(columns.names, 2, known, asked),
        assume_order=False,
        otherwise=(ALONE, ", or "),
    )
    names = columns.called(called)
    first, second = (
        read_scores(values, name) for values, name in zip(columns.values, names, strict=True)
    )
    if first[0].size != second[0].size:
        raise DataError(
            f"{names[0]} and {names[1]} differ in length: {first[0].size} and {second[0].size}"
        )
    wrong = _wrong_sums(columns, first, second)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise DataError(
            f"the two columns of {called.get(model, model)} must sum to 1, got "
            f"{first[0][row] + second[0][row]:.6g} at row {row} ({np.count_nonzero(wrong)} of "
            f"{wrong.size} cases do not)",
            remedy=f"{ALONE}, or divide both columns by their sum",
        )
    missing = either(first[1], second[1])
    a, b = (
        values if missing is None else np.where(missing, np.nan, values)
        for values, _ in (first, second)
    )
    order = sorted(range(2), key=assigned.columns.__getitem__)
    return BothColumns((a, b), [assigned.classes[place] for place in order])


def _wrong_sums(
    columns: ClassColumns, first: tuple[Floats, Mask | None], second: tuple[Floats, Mask | None]
) -> Mask:
    """The cases whose columns do not sum to 1, up to rounding in the type of the columns.

    Cases with a missing value are not among them.
    """
    types = [np.asarray(values).dtype for values in columns.values]
    rounding = [2 * float(np.finfo(kind).eps) for kind in types if kind.kind == "f"]
    with np.errstate(invalid="ignore"):
        wrong: Mask = ~(np.abs(first[0] + second[0] - 1) <= max([SUM, *rounding]))
    missing = either(first[1], second[1])
    return wrong if missing is None else wrong & ~missing
