"""Columns of scores for several classes: their forms, and the class of each column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.data.label_codes import in_order
from metameasure.data.labels import spellings, typed_label
from metameasure.errors import Argument, DataError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAME_CLASSES = ("name the class of each column with ", Argument("labels"))
MATRIX = "scores for several classes must be a matrix with one column per class"
SUM = 1e-6
"""Largest difference from 1 of the sum of the probabilities of a case."""


@dataclass(frozen=True, eq=False)
class ClassColumns:
    """The columns of scores, and their names; None if they have none."""

    names: list[Any] | None
    values: list[Any]

    @classmethod
    def of(cls, scores: Any) -> ClassColumns:
        """The columns of a matrix, a data frame, or a dict of columns."""
        if hasattr(scores, "collect"):
            scores = scores.collect()
        names: list[Any] | None
        if isinstance(scores, Mapping):
            names, values = list(scores), list(scores.values())
        elif has_columns(scores):
            found = _frame_columns(scores)
            # A pandas frame without names numbers its columns.
            names = None if found == list(range(len(found))) else found
            values = [scores[name] for name in found]
        else:
            matrix = _matrix(scores)
            names, values = None, [matrix[:, place] for place in range(matrix.shape[1])]
        if len(values) < 2:
            raise DataError(f"{MATRIX}, got {len(values)} column{'s' * (len(values) != 1)}")
        return cls(names, values)

    def called(self, names: Mapping[str, str]) -> list[str]:
        """The names of the columns in messages, which ``names`` has for some of them."""
        if self.names is None:
            return [f"column {place} of the scores" for place in range(len(self.values))]
        return [
            names.get(str(name), f"column {shown([name])} of the scores") for name in self.names
        ]


def has_class_columns(scores: Any) -> bool:
    """Whether these are several columns of scores: a matrix, a data frame, or a dict of columns.

    A dict of one column, or of matrices, has models.

    >>> has_class_columns([[0.2, 0.8], [0.6, 0.4]]), has_class_columns([0.2, 0.8])
    (True, False)
    """
    if isinstance(scores, Mapping):
        return len(scores) > 1 and not any(map(has_class_columns, scores.values()))
    return has_columns(scores) or _is_matrix(scores)


def has_two_columns(scores: Any) -> bool:
    """Whether these are two columns of scores, of which each may be of a class.

    >>> has_two_columns([[0.2, 0.8], [0.6, 0.4]]), has_two_columns([[0.2, 0.5, 0.3]])
    (True, False)
    """
    if not has_class_columns(scores):
        return False
    if isinstance(scores, Mapping):
        return len(scores) == 2
    if has_columns(scores):
        return len(_names_of(scores)) == 2
    return len(scores[0]) == 2 if isinstance(scores, (list, tuple)) else np.shape(scores)[1] == 2


def _is_matrix(scores: Any) -> bool:
    """Whether these have rows and columns; the first row of a list decides."""
    if isinstance(scores, (list, tuple)):
        return bool(scores) and isinstance(scores[0], (list, tuple, np.ndarray))
    return np.ndim(scores) == 2


def has_columns(values: Any) -> bool:
    """Whether this is a data frame of some kind, with names of columns."""
    named = (getattr(type(values), name, None) for name in ("columns", "column_names"))
    return any(each is not None for each in named)


def _names_of(frame: Any) -> list[Any]:
    """The names of the columns of a data frame, which may be lazy."""
    if hasattr(frame, "collect_schema"):
        return list(frame.collect_schema())
    return list(frame.column_names if hasattr(frame, "column_names") else frame.columns)


def _frame_columns(frame: Any) -> list[Any]:
    """The names of the columns of a data frame, each of which occurs once."""
    names = _names_of(frame)
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise DataError(f"duplicate column {shown(twice)} in the scores", remedy="rename it")
    return names


def _matrix(scores: Any) -> Any:
    """A matrix with one column per class; a masked one keeps its mask."""
    try:
        matrix = scores if isinstance(scores, np.ndarray) else np.asarray(scores)
    except ValueError as error:
        raise DataError(f"{MATRIX}: {error}") from None
    if matrix.ndim != 2:
        raise DataError(f"{MATRIX}, got shape {matrix.shape}")
    return matrix


def classes_by_name(names: Sequence[Any], labels: Sequence[Any]) -> list[Any] | None:
    """The class of each column that is named after it; None if no column is named after a label.

    All names may have the same prefix and suffix. A column that is named after no label is of a
    class that does not occur. It is an error if only some labels have a column.

    >>> classes_by_name(["p_dog", "p_cat", "p_owl"], ["cat", "dog"])
    ['dog', 'cat', 'owl']
    """
    texts: Sequence[str] = [str(name) for name in names]
    found = _named_after(texts, labels)
    if not found:
        texts, found = _inside(texts, labels)
    if not found:
        return None
    if len(found) < len(labels):
        lacking = [label for label in labels if label not in found.values()]
        raise DataError(
            f"there are columns for the labels {shown(found.values())} but not for "
            f"{shown(lacking)}; the columns are {shown(names)}",
            remedy=("rename or add columns, or ", *NAME_CLASSES),
        )
    try:
        return [found[text] if text in found else typed_label(text, labels) for text in texts]
    except DataError as error:
        raise DataError(f"a column is not named after a class: {error}", remedy="drop it") from None


def _named_after(texts: Sequence[str], labels: Sequence[Any]) -> dict[str, Any]:
    """The labels that are written as one of the texts."""
    known = {text: label for label in labels for text in spellings(label)}
    found = {text: known[text] for text in texts if text in known}
    if len(set(found.values())) < len(found):
        raise DataError(f"two columns are named after the same class: {shown(found)}")
    return found


def _inside(texts: Sequence[str], labels: Sequence[Any]) -> tuple[Sequence[str], dict[str, Any]]:
    """Names without their common prefix and suffix, and the labels among them."""
    each = {cores: hits for cores in _cores(texts, labels) if (hits := _named_after(cores, labels))}
    whole = [cores for cores, hits in each.items() if len(hits) == len(labels)]
    if len(whole) > 1:
        raise DataError(
            f"the columns {shown(texts)} match the classes in several ways", remedy=NAME_CLASSES
        )
    nothing: tuple[Sequence[str], dict[str, Any]] = texts, {}
    return max(each.items(), key=lambda item: len(item[1]), default=nothing)


def _cores(texts: Sequence[str], labels: Sequence[Any]) -> Iterator[tuple[str, ...]]:
    """Names without a common prefix and suffix, for each length of a label."""
    before, after = _common(texts), _common([text[::-1] for text in texts])
    lengths = {len(text) for label in labels for text in spellings(label)}
    shortest = min(map(len, texts))
    for around in sorted({len(text) - length for text in texts for length in lengths}):
        if 0 < around < shortest:
            for begin in range(max(0, around - after), min(before, around) + 1):
                yield tuple(text[begin : len(text) - around + begin] for text in texts)


def _common(texts: Sequence[str]) -> int:
    """The length of the common prefix."""
    first, last = min(texts), max(texts)
    same = (a == b for a, b in zip(first, last, strict=False))
    return next((place for place, equal in enumerate(same) if not equal), min(map(len, texts)))


@dataclass(frozen=True)
class Assigned:
    """The sorted classes, and the index of the column of each.

    ``assumed`` has the names of the columns if these are not named after the classes.
    """

    classes: list[Any]
    columns: list[int]
    assumed: tuple[Any, ...] = ()


def assign_columns(
    names: list[Any] | None,
    number: int,
    found: list[Any],
    labels: list[Any] | None,
    *,
    assume_order: bool,
    otherwise: tuple[str, ...] = (),
) -> Assigned:
    """The class of each of a number of columns, from the sorted labels ``found`` in the data.

    Columns are named after the classes. Without names they are in the order of ``labels`` or, if
    there are none, of ``found``; with ``assume_order`` so are columns not named after classes.
    ``otherwise`` is another way to pass the scores, for an error.

    >>> assign_columns(["p1", "p0"], 2, [0, 1], None, assume_order=False)
    Assigned(classes=[0, 1], columns=[1, 0], assumed=())
    """
    if labels is not None:
        if len(labels) != number:
            raise ParameterError(
                (
                    Argument("labels"),
                    f" must name the class of each column: got {len(labels)} labels for {number} ",
                    "columns of scores",
                )
            )
        return Assigned(labels, _columns_of_labels(names, labels))
    classes = None if names is None else classes_by_name(names, found)
    if classes is not None:
        place = {name: column for column, name in enumerate(classes)}
        if len(place) < number:
            raise DataError(f"two columns are named after the same class: {shown(names)}")
        ordered = in_order(place)
        return Assigned(ordered, [place[name] for name in ordered])
    if names is not None and not assume_order:
        raise DataError(
            f"the columns {shown(names)} of the scores are not named after the classes "
            f"{shown(found)}",
            remedy=(*otherwise, *NAME_CLASSES),
        )
    if len(found) != number:
        count = "is 1 class" if len(found) == 1 else f"are {len(found)} classes"
        raise DataError(
            f"there {count}, {shown(found)}, but the scores have {number} columns",
            remedy=(*otherwise, *NAME_CLASSES),
        )
    return Assigned(found, list(range(number)), tuple(names or ()))


def _columns_of_labels(names: list[Any] | None, labels: list[Any]) -> list[int]:
    """The column of each of the given labels.

    Labels are in the order of the columns, unless all columns are named after them.
    """
    places = {text: place for place, label in enumerate(labels) for text in spellings(label)}
    meant = [places.get(str(name)) for name in names or ()]
    if all(place is None or place == column for column, place in enumerate(meant)):
        return list(range(len(labels)))
    if None in meant or len(set(meant)) < len(meant):
        raise DataError(
            (
                Argument("labels"),
                f" and the names of the columns contradict each other: {shown(labels)} and ",
                shown(names),
            ),
            remedy="pass labels in the order of the columns, or rename the columns",
        )
    return [meant.index(place) for place in range(len(labels))]
