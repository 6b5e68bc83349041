"""Sources of models, each of which recognizes and reads its data, and the one reader over them.

To add one, write a class with ``takes`` and ``read`` and decorate it with ``register_source``, in a
module of ``data/engines`` or in your own code. The first source that takes the data reads them;
arrays take what is left.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, Unpack

import numpy as np

from metameasure._text import shown
from metameasure.data.class_columns import classes_by_name, has_class_columns, has_columns
from metameasure.data.engines import load_engines
from metameasure.data.label_codes import distinct_labels
from metameasure.data.models import Models, choose_models, split_names
from metameasure.data.multiclass import ClassScores
from metameasure.data.options import OPTIONS, DataOptions, Given, GroupOptions, takes_models
from metameasure.data.orders import Orders
from metameasure.data.predictions import ARGUMENTS, Names, Predictions, read_table, warn_dropped
from metameasure.errors import Argument, DataError, ParameterError, naming
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator

COLUMNS = ("label", "score", "weight")
PLAIN = (np.ndarray, ScoreTable)
"""Types of data that are not read by the names of their columns."""
NO_COLUMNS = " names a column, but the data have none"
FRAME_FIRST = "pass the data frame or the file name as the first argument"
TABLES_ALONE = (
    "does not apply to score tables and ClassScores, which have their labels, scores and weights"
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
        return holds_scores(data)

    def read(self, data: Any, given: Given) -> Models:
        if isinstance(data, (list, tuple)):
            data = {f"model {number}": table for number, table in enumerate(data, start=1)}
        elif not isinstance(data, (Models, Mapping)):
            data = {"model": data}
        if isinstance(data, Mapping):
            data = named(data)
            first = next(iter(data.values()), None)
            kind = ClassScores if isinstance(first, ClassScores) else ScoreTable
            odd = [name for name, table in data.items() if not isinstance(table, kind)]
            if odd:
                raise DataError(
                    f"a list or dict as the first argument must hold one {kind.__name__} per "
                    f"model, got a {type(data[odd[0]]).__name__} for {shown(odd[:1])}",
                    remedy="pass the labels first and the scores second",
                )
        used = [name for name in OPTIONS if name not in {"score", "nan_policy", "group", "cluster"}]
        given.refuse(*used, why=TABLES_ALONE, remedy="remove it")
        given.refuse(
            *("group", "cluster"),
            why="does not apply to score tables, which have no individual cases, or to ClassScores",
            remedy=(
                *("pass ", Argument("y_true"), " and ", Argument("scores")),
                ", a data frame or a file",
            ),
        )
        if isinstance(data, Models):
            return data.choosing(given.models)
        data = choose_models(data, given.models)
        return Models.of_classes(data) if kind is ClassScores else Models.of_tables(data)


def holds_scores(data: Any) -> bool:
    """Whether the data have their scores, so that none follow: score tables and ready models."""
    several = isinstance(data, (list, tuple)) and any(isinstance(one, ScoreTable) for one in data)
    return several or isinstance(data, (Models, ScoreTable, ClassScores, Mapping))


class _Files:
    """Files by their name or by a pattern of names."""

    def takes(self, data: Any) -> bool:
        return isinstance(data, (str, os.PathLike))

    def read(self, data: Any, given: Given) -> Models:
        with _opened(data) as frame:
            return _read_frame(frame, given, like=None)


class _Frames:
    """Data frames, eager or lazy, of any library that narwhals knows."""

    def takes(self, data: Any) -> bool:
        return is_frame(data)

    def read(self, data: Any, given: Given) -> Models:
        return _read_frame(data, given, like=data)


@contextmanager
def _opened(data: Any) -> Iterator[Any]:
    """A data frame as it is, or that of one or more files, which are named in errors."""
    if not isinstance(data, (str, os.PathLike)):
        yield data
        return
    from metameasure.data.files import open_files  # noqa: PLC0415

    files = open_files(data)
    with files.named_in_errors():
        yield files.frame


def _refuse_array_of_weights(given: Given) -> None:
    given.refuse(
        "sample_weight",
        why="is for arrays, but the data have columns",
        remedy=("name the column of the weights with ", Argument("weight")),
    )


def _read_frame(frame: Any, given: Given, like: Any) -> Models:
    from metameasure.data.frames import (  # noqa: PLC0415
        choose_columns,
        names_in,
        read_class_scores,
        read_orders,
        read_rows,
    )

    _refuse_array_of_weights(given)
    if given.order:
        _refuse_beside_order(given, "label")
        if not isinstance(given.order, str):
            raise ParameterError((Argument("order"), " must name the column of the true values"))
    if given.proba is not None:
        given.refuse(
            *("scores", "group", "pos_label", "rescale"),
            why="does not apply to several classes",
            remedy=("remove it or ", Argument("proba")),
        )
        several = named(given.proba) if isinstance(given.proba, Mapping) else None
        read = {
            name: read_class_scores(frame, replace(given, proba=proba))
            for name, proba in (several or {"model": given.proba}).items()
        }
        columns = next(iter(read.values()))[0]
        scores = {name: each for name, (_, each) in read.items()}
        return Models.of_classes(scores, like=like, columns=columns)
    _refuse_labels(given)
    scores = given.scores
    if isinstance(scores, (str, list, tuple)):
        scores = split_names(scores, names_in(frame))
    columns = choose_columns(
        *(frame, given.order or given.label, scores, given.weight, given.group, given.cluster),
        number=given.number,
        truth="order" if given.order else "label",
    )
    if given.order:
        orders = read_orders(frame, columns, given)
        return Models(orders=orders, like=like, columns=columns)
    return Models(read_rows(frame, columns, given), like=like, columns=columns)


class _Arrays:
    """Labels, and the scores of one or more models."""

    def takes(self, data: Any) -> bool:  # noqa: ARG002 - it takes whatever is left
        return True

    def read(self, data: Any, given: Given) -> Models:
        given.refuse(
            *("label", "weight", "proba"),
            why=NO_COLUMNS.strip(),
            remedy=FRAME_FIRST,
        )
        for name in ("group", "cluster", "order"):
            value = getattr(given, name)
            if isinstance(value, str):
                instead = "True" if name == "order" else "an array with one value per case"
                raise ParameterError(
                    (Argument(name, value), NO_COLUMNS),
                    remedy=f"pass {instead}, or {FRAME_FIRST}",
                )
        if given.scores is None:
            raise DataError(
                ("scores are missing: ", Argument("y_true"), " alone is not enough"),
                remedy=("pass ", Argument("scores"), " after the labels"),
            )
        if given.models is not None:
            given = replace(given, scores=_chosen(given.scores, given.models))
        if given.order:
            return _order_models(data, given)
        found = _class_models(data, given) if given.several_classes else None
        if found is not None:
            return found
        _refuse_labels(given)
        columns, like = named_columns(given.scores)
        tables = [
            name
            for name, values in columns.items()
            if isinstance(values, (ScoreTable, list, tuple)) and holds_scores(values)
        ]
        if tables:
            raise DataError(
                f"the scores of {shown(tables[:1])} are a ScoreTable, which holds the labels, too",
                remedy="pass the score tables alone, as the first argument",
            )
        rows = Predictions.of(
            data,
            columns,
            sample_weight=given.sample_weight,
            group=given.group,
            cluster=given.cluster,
            pos_label=given.pos_label,
            nan_policy=given.nan_policy,
            rescale=given.rescale,
            predicted_labels=given.predicted_labels,
            names=_array_names(given, like),
        )
        return Models(rows, like=like)


def _array_names(given: Given, like: Any) -> Names:
    """The names of arrays in messages; ``like`` is the data frame that the scores came in."""
    unnamed = not isinstance(given.scores, Mapping) and like is None
    return Names(
        group=given.called.get("group", "group"), scores={"model": "scores"} if unnamed else {}
    )


def _refuse_beside_order(given: Given, *more: str) -> None:
    given.refuse(
        *("weight", "sample_weight", "cluster", "pos_label", "rescale", "proba", "labels", *more),
        why="does not apply to an order of items",
        remedy=("remove it or ", Argument("order")),
    )


def _order_models(y_true: Any, given: Given) -> Models:
    """The models that predict an order of items, from arrays."""
    _refuse_beside_order(given)
    columns, like = named_columns(given.scores)
    orders = Orders.of(
        y_true,
        columns,
        group=given.group,
        nan_policy=given.nan_policy,
        names=_array_names(given, like),
    )
    return Models(orders=orders, like=like)


SOURCES: list[Source] = [_Ready(), _Files(), _Frames(), _Arrays()]
"""The sources, in the order in which they are asked."""


def register_source(source: type[Source]) -> type[Source]:
    """Register a class as a source, which is asked before all others."""
    SOURCES.insert(0, source())
    return source


@takes_models(GroupOptions)
def read_models(
    y_true: Any,
    scores: Any = None,
    *,
    several_classes: bool = False,
    predicted_labels: bool = False,
    same_cases: bool = True,
    number: str = "one or more",
    called: Mapping[str, str] | None = None,
    **options: Unpack[GroupOptions],
) -> Models:
    """The models in arrays, a data frame, files, or score tables, all validated in the same way.

    Args:
        several_classes: whether a matrix of scores has one column per class.
        predicted_labels: whether scores may be labels as text: 1 for the positive one, else 0.
        same_cases: whether ready tables that differ in the number of cases are refused.
        number: the number of models that are needed, for an error.
        called: the names that the caller has for some options, for an error.
    """
    given: Any = dict(options)
    source, called = _source_of(y_true), called or {}
    scores, chosen = _scores_and_choice(source, scores, given.pop("score", None))
    read = Given(
        scores=scores,
        models=chosen,
        several_classes=several_classes,
        predicted_labels=predicted_labels,
        number=number,
        called=called,
        **given,
    )
    with naming(called):
        models = source.read(y_true, read)
    if same_cases:
        models.check_same_cases()
    return models


def _scores_and_choice(source: Source, scores: Any, score: Any) -> tuple[Any, Any]:
    """What the scores are or which columns have them, and the names of the models to use.

    ``score`` is a synonym of ``scores``. With both, the first is a dict, a data frame or a list of
    columns, and the second names the models to use; with score tables, one of them does.
    """
    if scores is not None and score is not None:
        if isinstance(source, _Arrays) and _by_model(scores):
            return scores, score
        if isinstance(scores, (list, tuple)) and not isinstance(source, (_Arrays, _Ready)):
            return [*choose_models({str(name): name for name in scores}, score).values()], None
        raise ParameterError(
            ("pass either ", Argument("scores"), " or ", Argument("score"), ", not both")
        )
    given = scores if score is None else score
    return (None, given) if isinstance(source, _Ready) else (given, None)


def read_one_table(
    y_true: Any, scores: Any, what: str, *, stacklevel: int = 2, **options: Unpack[DataOptions]
) -> ScoreTable:
    """The score table of one model, or a ready block, for the function named ``what``.

    ``stacklevel`` is that of the warning about dropped cases, as for ``read_table``.
    """
    by_name = _by_model(scores) or any(options.get(name) is not None for name in COLUMNS)
    if not by_name and (isinstance(y_true, PLAIN) or isinstance(_source_of(y_true), _Arrays)):
        arrays: Any = {name: value for name, value in options.items() if name not in COLUMNS}
        return read_table(y_true, scores, what, stacklevel=stacklevel + 1, **arrays)
    models = read_models(y_true, scores, number="one", **options)
    name = models.only(what)
    warn_dropped(models.dropped, int(models.cases), stacklevel=stacklevel + 1)
    return models.table(name)


@takes_models(DataOptions)
def tabulate(y_true: Any, scores: Any = None, **data: Unpack[DataOptions]) -> ScoreTable:
    """The score table of labels and scores of one model, from which every measure is computed.

    >>> tabulate([1, 0, 1, 0], [0.8, 0.8, 0.3, 0.1])
    <score table: 3 distinct scores, 2 positive, 2 negative>
    """
    return read_one_table(y_true, scores, "tabulate", stacklevel=3, **data)


@dataclass(frozen=True, eq=False)
class LabelsAnd:
    """Labels, another column and weights, not yet validated, and their names in messages."""

    labels: Any
    values: Any
    weight: Any
    names: Names = ARGUMENTS

    @classmethod
    def read(
        cls,
        y_true: Any,
        values: Any,
        sample_weight: Any,
        what: tuple[str, str],
        *,
        label: str | None = None,
        column: Any = None,
        weight: str | None = None,
    ) -> LabelsAnd:
        """Arrays as they are, or columns of a data frame or file.

        ``what`` names the arguments of the values and of their column.
        """
        given = Given(scores=column, label=label, weight=weight, sample_weight=sample_weight)
        if not has_named_columns(y_true):
            if column is not None:
                raise ParameterError((Argument(what[1]), NO_COLUMNS), remedy=FRAME_FIRST)
            given.refuse("label", "weight", why=NO_COLUMNS.strip(), remedy=FRAME_FIRST)
            if values is None:
                raise DataError((Argument(what[0]), " is missing"), remedy="pass it after y_true")
            return cls(y_true, values, sample_weight)
        if values is not None and column is not None:
            raise ParameterError(
                ("pass either ", Argument(what[0]), " or ", Argument(what[1]), ", not both")
            )
        column = values if column is None else column
        for name, value in (("label", label), (what[1], column)):
            if value is None:
                raise ParameterError((Argument(name), " must name a column of the data"))
        _refuse_array_of_weights(given)
        from metameasure.data.frames import choose_columns, read_arrays  # noqa: PLC0415

        with _opened(y_true) as frame:
            columns = choose_columns(frame, label, [column], weight, argument=what[1])
            labels, values, weights = read_arrays(frame, columns, scores=what[1] == "score")
        names = replace(columns.names, scores=dict.fromkeys(what, shown([column])))
        return cls(labels, values, weights, names)


def _source_of(data: Any) -> Source:
    load_engines()
    return next(source for source in SOURCES if source.takes(data))


def has_named_columns(data: Any) -> bool:
    """Whether this is a file or a data frame, whose columns are chosen by name."""
    return isinstance(data, (str, os.PathLike)) or is_frame(data)


def is_frame(values: Any) -> bool:
    """Whether this is a data frame; narwhals is asked only if it has columns with names."""
    if not has_columns(values):
        return False
    from metameasure.data.frames import is_known_frame  # noqa: PLC0415

    return is_known_frame(values)


def _by_model(scores: Any) -> bool:
    """Whether these are scores by the names of their models."""
    return isinstance(scores, Mapping) or is_frame(scores)


def _chosen(scores: Any, names: Any) -> Any:
    """The scores of some models in a dict or data frame."""
    columns = choose_models({str(name): name for name in _column_names(scores)}, names)
    if isinstance(scores, Mapping):
        return {name: scores[name] for name in columns.values()}
    from metameasure.data.frames import with_columns  # noqa: PLC0415

    return with_columns(scores, columns.values())


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
        return None
    given.refuse(
        *("group", "pos_label", "rescale"), why="does not apply to scores for several classes"
    )
    read = {
        name: ClassScores.of(
            y_true,
            values,
            labels=given.labels,
            sample_weight=given.sample_weight,
            cluster=given.cluster,
            nan_policy=given.nan_policy,
        )
        for name, values in models.items()
    }
    return Models.of_classes(read, like=like)


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
