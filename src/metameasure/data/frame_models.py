"""The models in the columns of a data frame, eager or lazy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from metameasure.data.batches import models_of_frame
from metameasure.data.frame_classes import (
    columns_of_classes,
    read_class_labels,
    read_class_scores,
    read_two_classes,
)
from metameasure.data.frames import choose_columns, names_in, read_orders, read_soft_labels
from metameasure.data.models import Models, named, split_names
from metameasure.data.refusals import (
    refuse_array_of_weights,
    refuse_beside_order,
    refuse_beside_soft,
    refuse_labels,
)
from metameasure.errors import Argument, ParameterError

if TYPE_CHECKING:
    from metameasure.data.frames import Columns
    from metameasure.data.options import Given


def read_frame(frame: Any, given: Given, like: Any) -> Models:
    """The models in a data frame; results are frames of the kind of ``like``."""
    refuse_array_of_weights(given)
    if given.order:
        refuse_beside_order(given, "label")
        if not isinstance(given.order, str):
            raise ParameterError((Argument("order"), " must name the column of the true values"))
    if given.soft:
        refuse_beside_soft(given)
        if given.label is None:
            raise ParameterError(
                (Argument("label"), " must name the column of the true probabilities")
            )
    if given.predicted is not None:
        given.refuse(
            *("scores", "proba", "rescale"),
            why="does not apply to predicted labels",
            remedy=("remove it or ", Argument("predicted")),
        )
    if given.predicted is not None and given.pos_label is not None:
        given = replace(given, scores=given.predicted, predicted=None, predicted_labels="only")
    if given.predicted is not None:
        given.refuse(
            "groups",
            why="does not apply to predicted labels of several classes",
            remedy=("remove it, or name the positive one of two with ", Argument("pos_label")),
        )
        guesses = split_names(given.predicted, names_in(frame))
        columns, labels = read_class_labels(frame, replace(given, predicted=guesses))
        return Models.of_classes(labels, like=like, columns=columns)
    if given.proba is not None:
        given.refuse(
            "scores",
            why="does not apply to class columns",
            remedy=("remove it or ", Argument("proba")),
        )
        several = named(given.proba) if isinstance(given.proba, Mapping) else {"model": given.proba}
        proba = {name: columns_of_classes(each, given.label) for name, each in several.items()}
        if given.binary and all(len(each) == 2 for each in proba.values()):
            columns, rows = read_two_classes(frame, proba, given)
            return Models(rows, like=like, columns=columns)
        given.refuse(
            *("groups", "pos_label", "rescale"),
            why="does not apply to several classes",
            remedy=("remove it or ", Argument("proba")),
        )
        read = {name: read_class_scores(frame, each, given) for name, each in proba.items()}
        columns = next(iter(read.values()))[0]
        scores = {name: each for name, (_, each) in read.items()}
        return Models.of_classes(scores, like=like, columns=columns)
    columns = columns_of_cases(frame, given)
    if given.order:
        orders = read_orders(frame, columns, given)
        return Models(orders=orders, like=like, columns=columns)
    if given.soft:
        return Models(soft=read_soft_labels(frame, columns, given), like=like, columns=columns)
    return models_of_frame(frame, columns, given, like)


def columns_of_cases(frame: Any, given: Given) -> Columns:
    """The columns of cases or items and of their scores, one for each model."""
    refuse_labels(given)
    scores = given.scores
    if isinstance(scores, (str, list, tuple)):
        scores = split_names(scores, names_in(frame))
    return choose_columns(
        *(frame, given.order or given.label, scores, given.weight, given.group, given.cluster),
        *(given.groups, given.fold),
        number=given.number,
        truth="order" if given.order else "label",
    )
