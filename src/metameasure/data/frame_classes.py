"""Columns of a data frame with one score or probability per class, or with predicted labels."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from metameasure._arguments import elements
from metameasure._text import shown
from metameasure.data.class_labels import ClassLabels
from metameasure.data.frames import (
    Columns,
    choose_columns,
    chosen_columns,
    numbers_in,
    optional_values,
    read_predictions,
    values_in,
)
from metameasure.data.multiclass import ClassScores
from metameasure.errors import Argument, ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metameasure.data.options import Given
    from metameasure.data.predictions import Predictions


def columns_of_classes(proba: Any, label: Any) -> list[Any]:
    """The names of the columns of two or more classes, checked; they need a column of labels."""
    if label is None:
        raise ParameterError(
            (Argument("proba"), " needs the column of the classes"),
            remedy=("name it with ", Argument("label")),
        )
    named = [] if isinstance(proba, (set, frozenset)) else elements(proba) or []
    if len(named) < 2:
        raise ParameterError(
            (Argument("proba"), f" must be a list of two or more columns, got {shown([proba])}")
        )
    return named


def read_two_classes(
    frame: Any, proba: Mapping[str, list[Any]], given: Given
) -> tuple[Columns, Predictions]:
    """The predictions of models with two columns of probabilities, which ``proba`` names."""
    others = given.weight, given.group, given.cluster, given.groups, given.fold
    checked = [
        choose_columns(frame, given.label, each, *others, argument="proba")
        for each in proba.values()
    ]
    needed = dict.fromkeys(chain.from_iterable(one.scores for one in checked))
    columns = replace(checked[0], scores=tuple(needed))
    chosen = chosen_columns(frame, columns)
    scores = {
        model: {name: numbers_in(chosen.get_column(name)) for name in each}
        for model, each in proba.items()
    }
    return columns, read_predictions(chosen, columns, scores, given, labels=given.labels)


def read_class_scores(frame: Any, proba: list[Any], given: Given) -> tuple[Columns, ClassScores]:
    """The scores for several classes in some columns of a data frame, which ``proba`` names.

    Without ``labels`` the columns are named after the classes or, if they are not, are in the
    order of the sorted labels; ``assumed`` then has their names.
    """
    columns = _class_columns(frame, proba, given, "proba")
    chosen = chosen_columns(frame, columns)
    scores = ClassScores.of(
        values_in(chosen.get_column(columns.label)),
        {name: numbers_in(chosen.get_column(name)) for name in columns.scores},
        labels=given.labels,
        **_optional_columns(chosen, columns),
        nan_policy=given.nan_policy,
        names=columns.names,
        assume_order=True,
    )
    return columns, scores


def read_class_labels(frame: Any, given: Given) -> tuple[Columns, dict[str, ClassLabels]]:
    """The predicted labels in one or more columns of a data frame."""
    if given.label is None:
        raise ParameterError(
            (Argument("predicted"), " needs the column of the classes"),
            remedy=("name it with ", Argument("label")),
        )
    columns = _class_columns(frame, given.predicted, given, "predicted")
    chosen = chosen_columns(frame, columns)
    labels = ClassLabels.of(
        values_in(chosen.get_column(columns.label)),
        {str(name): values_in(chosen.get_column(name)) for name in columns.scores},
        labels=given.labels,
        **_optional_columns(chosen, columns),
        nan_policy=given.nan_policy,
        names=columns.names,
    )
    return columns, labels


def _class_columns(frame: Any, scores: Any, given: Given, argument: str) -> Columns:
    """The columns of labels, of scores or predicted labels, and of what else is given."""
    others = given.weight, given.group, given.cluster, None, given.fold
    return choose_columns(frame, given.label, scores, *others, argument=argument)


def _optional_columns(chosen: Any, columns: Columns) -> dict[str, Any]:
    """The weights, clusters, groups and folds, by argument."""
    return {
        "sample_weight": optional_values(chosen, columns.weight),
        "cluster": optional_values(chosen, columns.cluster, exact=True),
        "group": optional_values(chosen, columns.group, exact=True),
        "fold": optional_values(chosen, columns.fold, exact=True),
    }
