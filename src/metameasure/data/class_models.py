"""Models for several classes: their scores for all classes, or the labels that they predicted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metameasure.data.case_columns import Names
from metameasure.data.class_labels import ClassLabels
from metameasure.data.models import Models
from metameasure.data.multiclass import ClassScores
from metameasure.data.scores_by_model import (
    are_by_model,
    check_all_matrices,
    is_frame,
    named_columns,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metameasure.data.options import Given

OF_TWO_CLASSES = ("groups", "pos_label", "rescale")
"""Options that apply to two classes only."""


def class_models(y_true: Any, scores: Mapping[str, Any], like: Any, given: Given) -> Models:
    """The models whose scores are for several classes."""
    check_all_matrices(scores)
    given.refuse(
        *OF_TWO_CLASSES,
        why="does not apply to scores for several classes",
    )
    read = {
        name: ClassScores.of(
            y_true,
            values,
            labels=given.labels,
            sample_weight=given.sample_weight,
            cluster=given.cluster,
            group=given.group,
            fold=given.fold,
            nan_policy=given.nan_policy,
        )
        for name, values in scores.items()
    }
    return Models.of_classes(read, like=like)


def label_columns(scores: Any) -> tuple[dict[str, Any], Any]:
    """The columns by the names of their models, and the data frame that they came in."""
    if not is_frame(scores):
        return named_columns(scores)
    from metameasure.data.frames import plain_columns  # noqa: PLC0415

    return plain_columns(scores), scores


def label_models(y_true: Any, given: Given) -> Models:
    """The models of the labels that they predicted."""
    given.refuse(*OF_TWO_CLASSES, why="does not apply to predicted labels")
    columns, like = label_columns(given.scores)
    called = "scores" if given.predicted is None else "predicted"
    read = ClassLabels.of(
        y_true,
        columns,
        labels=given.labels,
        sample_weight=given.sample_weight,
        cluster=given.cluster,
        group=given.group,
        fold=given.fold,
        nan_policy=given.nan_policy,
        names=Names(scores={} if are_by_model(given.scores) else dict.fromkeys(columns, called)),
    )
    return Models.of_classes(read, like=like)
