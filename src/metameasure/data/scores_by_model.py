"""The scores of one or more models: whether columns are models, or classes of one model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from metameasure.data.class_columns import (
    classes_by_name,
    has_class_columns,
    has_columns,
    has_two_columns,
)
from metameasure.data.label_codes import distinct_labels
from metameasure.data.models import choose_models, named
from metameasure.data.two_classes import are_two_classes
from metameasure.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def is_frame(values: Any) -> bool:
    """Whether this is a data frame; narwhals is asked only if it has columns with names."""
    if not has_columns(values):
        return False
    from metameasure.data.frames import is_known_frame  # noqa: PLC0415

    return is_known_frame(values)


def are_by_model(scores: Any) -> bool:
    """Whether these are scores by the names of their models."""
    return isinstance(scores, Mapping) or is_frame(scores)


def choose_scores(scores: Any, names: Any) -> Any:
    """The scores of some models in a dict or data frame."""
    columns = choose_models({str(name): name for name in _column_names(scores)}, names)
    if isinstance(scores, Mapping):
        return {name: scores[name] for name in columns.values()}
    from metameasure.data.frames import with_columns  # noqa: PLC0415

    return with_columns(scores, columns.values())


def named_columns(scores: Any) -> tuple[dict[str, Any], Any]:
    """The score columns by the names of their models, and the data frame that they came in."""
    if isinstance(scores, Mapping):
        return named(scores), None
    if is_frame(scores):
        from metameasure.data.frames import score_columns  # noqa: PLC0415

        return score_columns(scores), scores
    name = getattr(scores, "name", None)
    return {name if isinstance(name, str) and name else "model": scores}, None


def columns_by_class(
    scores: Any, y_true: Any, labels: Sequence[Any] | None
) -> tuple[dict[str, Any], Any] | None:
    """The scores of each model, some of which have one column per class; None if none has.

    A matrix has one column per class. The columns of a data frame or dict are models, unless
    ``labels`` are given or the columns are the probabilities of the classes: two that sum to 1, or
    more with more than two labels, and named after the labels. The second is the data frame that
    the scores came in.
    """
    if isinstance(scores, Mapping) and any(map(has_class_columns, scores.values())):
        return named(scores), next(filter(is_frame, scores.values()), None)
    if are_by_model(scores):
        if labels is None and not _are_classes(scores, y_true):
            return None
        return {"model": scores}, None if isinstance(scores, Mapping) else scores
    return ({"model": scores}, None) if has_class_columns(scores) else None


def has_two_at_most(scores: Iterable[Any]) -> bool:
    """Whether no model has more than two columns of scores."""
    return not any(has_class_columns(values) and not has_two_columns(values) for values in scores)


def check_all_matrices(scores: Mapping[str, Any]) -> None:
    """Refuse models with scores for several classes beside models with a single column."""
    if not all(map(has_class_columns, scores.values())):
        raise DataError(
            "some models have a matrix of scores for several classes, others a single column",
            remedy="pass one matrix per model, with one column per class",
        )


def _column_names(scores: Any) -> list[Any]:
    if isinstance(scores, Mapping):
        return list(scores)
    from metameasure.data.frames import names_in  # noqa: PLC0415

    return names_in(scores)


def _are_classes(scores: Any, y_true: Any) -> bool:
    """Whether the columns are the probabilities of the classes that the labels have."""
    if has_two_columns(scores):
        return are_two_classes(scores, y_true)
    columns = _column_names(scores)
    if len(columns) < 3:
        return False
    try:
        labels = distinct_labels(y_true)
    except DataError:
        # The error is raised where labels of two classes are read.
        return False
    return len(labels) > 2 and classes_by_name(columns, labels) is not None
