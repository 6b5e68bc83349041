"""Sources of models, each of which recognizes and reads its data, and the one reader over them.

To add one, write a class with ``takes`` and ``read`` and decorate it with ``register_source``. The
first source that takes the data reads them; arrays take what is left.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from metameasure._text import shown
from metameasure.data.class_columns import classes_by_name, has_class_columns, has_columns
from metameasure.data.label_codes import distinct_labels
from metameasure.data.models import Given, Models
from metameasure.data.multiclass import ClassScores, read_class_models
from metameasure.data.predictions import Names, Predictions
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.data.arrays import NanPolicy
    from metameasure.data.predictions import Rescale

DATA_ARGUMENTS = (
    "scores",
    "label",
    "weight",
    "group",
    "cluster",
    "sample_weight",
    "proba",
    "labels",
    "pos_label",
    "rescale",
)


class Source(Protocol):
    """A kind of data that models can be read from."""

    def takes(self, data: Any) -> bool:
        """Whether the data are of this kind."""
        ...

    def read(self, data: Any, given: Given) -> Models:
        """The models in the data."""
        ...


class _Ready:
    """Score tables, scores for several classes, and models that were read before."""

    def takes(self, data: Any) -> bool:
        return isinstance(data, (Models, ScoreTable, ClassScores, Mapping))

    def read(self, data: Any, given: Given) -> Models:
        if isinstance(data, Mapping):
            data = named(data)
            odd = [name for name, table in data.items() if not isinstance(table, ScoreTable)]
            if odd:
                raise DataError(
                    f"a dict as the first argument must hold one ScoreTable per model, got a "
                    f"{type(data[odd[0]]).__name__} for {shown(odd[:1])}",
                    remedy="pass the labels first and the dict of scores second",
                )
        given.refuse(
            *DATA_ARGUMENTS,
            why="does not apply to score tables, which have their labels, scores and weights",
            remedy="remove it",
        )
        if isinstance(data, Models):
            return data
        if isinstance(data, ClassScores):
            return Models(classes={"model": data})
        return Models.of_tables({"model": data} if isinstance(data, ScoreTable) else data)


class _Files:
    """Files by their name or by a pattern of names."""

    def takes(self, data: Any) -> bool:
        return isinstance(data, (str, os.PathLike))

    def read(self, data: Any, given: Given) -> Models:
        from metameasure.data.files import open_files  # noqa: PLC0415

        files = open_files(data)
        with files.named_in_errors():
            return _read_frame(files.frame, given, like=None)


class _Frames:
    """Data frames, eager or lazy, of any library that narwhals knows."""

    def takes(self, data: Any) -> bool:
        return is_frame(data)

    def read(self, data: Any, given: Given) -> Models:
        return _read_frame(data, given, like=data)


def _read_frame(frame: Any, given: Given, like: Any) -> Models:
    from metameasure.data.frames import choose_columns, read_class_scores, read_rows  # noqa: PLC0415

    given.refuse(
        "sample_weight",
        why="is for arrays, but the data have columns",
        remedy=("name the column of the weights with ", Argument("weight")),
    )
    if given.proba is not None:
        given.refuse(
            *("scores", "group", "pos_label", "rescale"),
            why="does not apply to several classes",
            remedy=("remove it or ", Argument("proba")),
        )
        columns, scores = read_class_scores(frame, given)
        return Models(classes={"model": scores}, like=like, columns=columns)
    _refuse_labels(given)
    columns = choose_columns(
        frame, given.label, given.scores, given.weight, given.group, given.cluster
    )
    return Models(read_rows(frame, columns, given), like=like, columns=columns)


class _Arrays:
    """Labels, and the scores of one or more models."""

    def takes(self, data: Any) -> bool:  # noqa: ARG002 - it takes whatever is left
        return True

    def read(self, data: Any, given: Given) -> Models:
        given.refuse(
            *("label", "weight", "proba"),
            why="names columns, but the data have none",
            remedy="pass the data frame or the file name as the first argument",
        )
        if given.scores is None:
            raise DataError(
                ("scores are missing: ", Argument("y_true"), " alone is not enough"),
                remedy=("pass ", Argument("scores"), " after the labels"),
            )
        if given.several_classes:
            found = _class_models(data, given)
            if found is not None:
                return found
        columns, like = named_columns(given.scores)
        unnamed = not isinstance(given.scores, Mapping) and like is None
        rows = Predictions.of(
            data,
            columns,
            sample_weight=given.sample_weight,
            group=given.group,
            cluster=given.cluster,
            pos_label=given.pos_label,
            nan_policy=given.nan_policy,
            rescale=given.rescale,
            names=Names(scores={"model": "scores"} if unnamed else {}),
        )
        return Models(rows, like=like)


SOURCES: list[Source] = [_Ready(), _Files(), _Frames(), _Arrays()]
"""The sources, in the order in which they are asked."""


def register_source(source: type[Source]) -> type[Source]:
    """Register a class as a source, which is asked before all others."""
    SOURCES.insert(0, source())
    return source


def read_models(
    data: Any,
    scores: Any = None,
    *,
    score: Any = None,
    label: Any = None,
    weight: Any = None,
    group: Any = None,
    cluster: Any = None,
    sample_weight: Any = None,
    proba: Sequence[Any] | None = None,
    labels: Sequence[Any] | None = None,
    pos_label: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
    several_classes: bool = False,
    same_cases: bool = True,
) -> Models:
    """The models in arrays, a data frame, files, or score tables, all validated in the same way.

    Args:
        data: labels; a data frame, a file name or a pattern like ``"scores/*.parquet"`` with the
            columns ``label``, ``scores``, ``weight``, ``group`` and ``cluster``; a ScoreTable or a
            dict with one per model; or ready Models.
        scores: scores of one model, a dict or data frame with those of several, or the names of
            their columns in the data.
        score: synonym of ``scores``.
        label: column of the labels; inferred when unambiguous.
        weight: column of the weights.
        group: column of the groups, or an array.
        cluster: column of the clusters, or an array.
        sample_weight: array of weights.
        proba: columns of the scores for each of several classes.
        labels: class of each column of scores for several classes.
        pos_label: positive label, unless labels are bool, 0/1 or -1/1.
        nan_policy: "raise", or "drop" to drop cases with a missing value.
        rescale: "minmax" to map the scores of each model to [0, 1].
        several_classes: whether a matrix of scores has one column per class.
        same_cases: whether ready tables that differ in the number of cases are refused.
    """
    if score is not None and scores is not None:
        raise ParameterError(
            ("pass either ", Argument("scores"), " or ", Argument("score"), ", not both")
        )
    given = Given(
        scores=scores if score is None else score,
        label=label,
        weight=weight,
        group=group,
        cluster=cluster,
        sample_weight=sample_weight,
        proba=proba,
        labels=labels,
        pos_label=pos_label,
        nan_policy=nan_policy,
        rescale=rescale,
        several_classes=several_classes,
    )
    models = next(source.read for source in SOURCES if source.takes(data))(data, given)
    if same_cases:
        models.check_same_cases()
    return models


def is_frame(values: Any) -> bool:
    """Whether this is a data frame; narwhals is asked only if it has columns with names."""
    if not has_columns(values):
        return False
    from metameasure.data.frames import is_known_frame  # noqa: PLC0415

    return is_known_frame(values)


def named(values: Mapping[Any, Any]) -> dict[str, Any]:
    """The values by the names of their models, as text."""
    by_name = {str(name): value for name, value in values.items()}
    if len(by_name) < len(values):
        raise DataError(f"two models have the same name: {shown(values)}")
    return by_name


def named_columns(scores: Any) -> tuple[dict[str, Any], Any]:
    """The score columns by the names of their models, and the data frame that they came in."""
    if isinstance(scores, Mapping):
        return named(scores), None
    if is_frame(scores):
        from metameasure.data.frames import score_columns  # noqa: PLC0415

        return score_columns(scores), scores
    name = getattr(scores, "name", None)
    return {name if isinstance(name, str) and name else "model": scores}, None


def _class_models(y_true: Any, given: Given) -> Models | None:
    """The models, if their scores are for several classes; None if they are for two.

    A matrix is for several classes. The columns of a data frame or dict are models for two, unless
    ``labels`` are given, or there are more than two labels and the columns are named after them.
    """
    scores = given.scores
    frame = is_frame(scores)
    matrices = (
        [has_class_columns(value) for value in scores.values()]
        if isinstance(scores, Mapping)
        else []
    )
    if any(matrices):
        if not all(matrices):
            raise DataError(
                "some models have a matrix of scores for several classes, others a single column",
                remedy="pass one matrix per model, with one column per class",
            )
        models, like = named(scores), next(filter(is_frame, scores.values()), None)
    elif isinstance(scores, Mapping) or frame:
        if given.labels is None and not _are_classes(_column_names(scores), y_true):
            return None
        models, like = {"model": scores}, scores if frame else None
    elif has_class_columns(scores):
        models, like = {"model": scores}, None
    else:
        _refuse_labels(given)
        return None
    given.refuse(
        *("group", "pos_label", "rescale"), why="does not apply to scores for several classes"
    )
    read = read_class_models(
        y_true,
        models,
        labels=given.labels,
        sample_weight=given.sample_weight,
        cluster=given.cluster,
        nan_policy=given.nan_policy,
    )
    return Models(classes=read, like=like)


def _refuse_labels(given: Given) -> None:
    given.refuse("labels", why="names the classes of a matrix of scores, but there is none")


def _column_names(scores: Any) -> list[Any]:
    if isinstance(scores, Mapping):
        return list(scores)
    from metameasure.data.frames import names_in  # noqa: PLC0415

    return names_in(scores)


def _are_classes(columns: list[Any], y_true: Any) -> bool:
    """Whether there are more than two labels, and the columns are named after them."""
    if len(columns) < 3:
        return False
    try:
        labels = distinct_labels(y_true)
    except DataError:
        # The error is raised where labels of two classes are read.
        return False
    return len(labels) > 2 and classes_by_name(columns, labels) is not None
