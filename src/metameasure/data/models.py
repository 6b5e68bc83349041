"""The models of an evaluation or a comparison, however they are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure._text import shown
from metameasure.data import Predictions, has_class_columns
from metameasure.data.class_columns import classes_by_name
from metameasure.data.label_codes import distinct_labels
from metameasure.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence


def read_models(
    y_true: Any,
    scores: Any,
    *,
    label: str | None,
    weight: str | None,
    sample_weight: Any,
    group: Any = None,
    cluster: Any = None,
    **options: Any,
) -> tuple[Predictions, Any]:
    """Validated predictions from arrays or a frame, and the frame that they came in.

    With a frame, ``label``, ``scores``, ``weight``, ``group`` and ``cluster`` name its columns.
    """
    from metameasure.data import choose_columns, is_frame, read_frame  # noqa: PLC0415

    if is_frame(y_true):
        if sample_weight is not None:
            raise DataError("the first argument is a frame: name its column, weight=...")
        columns = choose_columns(y_true, label, scores, weight, group, cluster)
        return read_frame(y_true, columns, **options), y_true
    if label is not None or weight is not None:
        raise DataError("label= and weight= name columns: give the frame as the first argument")
    if scores is None:
        raise DataError("scores are missing: they come after the labels")
    named, like = named_columns(scores)
    predictions = Predictions.of(
        y_true, named, sample_weight=sample_weight, group=group, cluster=cluster, **options
    )
    return predictions, like


@dataclass(frozen=True, eq=False)
class ClassModels:
    """The scores of each model for several classes, and the frame that they came in."""

    scores: Mapping[str, Any]
    like: Any = None


def class_models(y_true: Any, scores: Any, labels: Sequence[Any] | None) -> ClassModels | None:
    """The models, if the scores are for several classes; None if they are for two.

    A matrix is for several classes. The columns of a frame or dict are models for two, unless
    ``labels`` are given, or there are more labels than two and the columns are named after them.
    """
    from metameasure.data import is_frame, names_in  # noqa: PLC0415

    if isinstance(scores, Mapping):
        values = list(scores.values())
        whole = [has_class_columns(value) for value in values]
        if any(whole):
            if not all(whole):
                raise DataError(
                    "some models have scores for several classes and others a column of scores: "
                    "give each model a matrix with a column a class"
                )
            like = next(filter(is_frame, values), None)
            return ClassModels(_by_text(scores), like)
        columns, like = list(scores), None
    elif is_frame(scores):
        columns, like = names_in(scores), scores
    elif scores is not None and has_class_columns(scores):
        return ClassModels({"model": scores})
    else:
        columns = []
    if columns and (labels is not None or _are_classes(columns, y_true)):
        return ClassModels({"model": scores}, like)
    if labels is not None:
        raise DataError(
            "labels= names the classes of the columns of a matrix, or of proba=[...], and there is "
            "none"
        )
    return None


def refuse_for_classes(**given: Any) -> None:
    """Refuse what goes with two classes, or with a frame, but not with matrices of scores."""
    wrong = [f"{name}=" for name, value in given.items() if value is not None]
    if wrong:
        raise DataError(
            f"{' and '.join(wrong)} does not go with scores for several classes, which are for all "
            "cases and all classes: leave it out, or give a frame and proba=[...]"
        )


def _are_classes(columns: list[Any], y_true: Any) -> bool:
    """Whether there are several labels, and the columns are named after them."""
    if len(columns) < 3:
        return False
    try:
        labels = distinct_labels(y_true)
    except DataError:
        # What is wrong will be said where labels of two classes are read.
        return False
    return len(labels) > 2 and classes_by_name(columns, labels) is not None


def _by_text(scores: Mapping[Any, Any]) -> dict[str, Any]:
    """Models by their names as text."""
    named = {str(name): values for name, values in scores.items()}
    if len(named) < len(scores):
        raise DataError(f"two models have the same name: {shown(scores)}")
    return named


def named_columns(scores: Any) -> tuple[Mapping[str, Any], Any]:
    """The score columns by the name of their model, and the frame that they came in."""
    from metameasure.data import is_frame  # noqa: PLC0415
    from metameasure.data.frames import score_columns  # noqa: PLC0415

    if isinstance(scores, Mapping):
        return _by_text(scores), None
    if is_frame(scores):
        return score_columns(scores), scores
    name = getattr(scores, "name", None)
    return {str(name) if isinstance(name, str) and name else "model": scores}, None
