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

from metameasure._arguments import Flag, Instance, read_argument
from metameasure._text import shown
from metameasure.data.accumulator import Accumulator
from metameasure.data.case_columns import ARGUMENTS, Names
from metameasure.data.class_cases import ClassCases
from metameasure.data.class_labels import are_labels
from metameasure.data.class_models import class_models, label_columns, label_models
from metameasure.data.engines import load_engines
from metameasure.data.estimators import EstimatorScores
from metameasure.data.models import Models, choose_models, named
from metameasure.data.options import OPTIONS, DataOptions, FoldOptions, Given, takes_models
from metameasure.data.orders import Orders
from metameasure.data.predictions import Predictions, read_table, warn_dropped
from metameasure.data.refusals import (
    refuse_array_of_weights,
    refuse_beside_order,
    refuse_beside_soft,
)
from metameasure.data.row_order import check_row_order
from metameasure.data.scores_by_model import (
    are_by_model,
    choose_scores,
    columns_by_class,
    has_two_at_most,
    is_frame,
    named_columns,
)
from metameasure.data.true_probabilities import SoftLabels
from metameasure.errors import Argument, DataError, ParameterError, naming
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator

COLUMNS = ("label", "score", "weight")
PLAIN = (np.ndarray, ScoreTable)
"""Types of data that are not read by the names of their columns."""
ORDER = Instance((bool, str), "True or the name of a column")
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
            data = {name: _table_of(each) for name, each in named(data).items()}
            first = next(iter(data.values()), None)
            kind = type(first) if isinstance(first, ClassCases) else ScoreTable
            odd = [name for name, table in data.items() if not isinstance(table, kind)]
            if odd:
                raise DataError(
                    f"a list or dict as the first argument must hold one {kind.__name__} per "
                    f"model, got a {type(data[odd[0]]).__name__} for {shown(odd[:1])}",
                    remedy="pass the labels first and the scores second",
                )
        of_cases = ("group", "groups", "cluster", "fold")
        used = [name for name in OPTIONS if name not in {"score", "nan_policy", *of_cases}]
        given.refuse(*used, why=TABLES_ALONE, remedy="remove it")
        given.refuse(
            *of_cases,
            why="does not apply to score tables, which have no individual cases, or to ClassScores",
            remedy=(
                *("pass ", Argument("y_true"), " and ", Argument("scores")),
                ", a data frame or a file",
            ),
        )
        if isinstance(data, Models):
            return data.choosing(given.models)
        data = choose_models(data, given.models)
        return Models.of_tables(data) if kind is ScoreTable else Models.of_classes(data)


def holds_scores(data: Any) -> bool:
    """Whether the data have their scores, so that none follow: score tables and ready models."""
    tables = ScoreTable, Accumulator
    several = isinstance(data, (list, tuple)) and any(isinstance(one, tables) for one in data)
    return several or isinstance(data, (Models, *tables, ClassCases, Mapping))


def _table_of(data: Any) -> Any:
    """The score table of an accumulator, or other data as they are."""
    return data.table if isinstance(data, Accumulator) else data


class _Files:
    """Files by their name or by a pattern of names."""

    def takes(self, data: Any) -> bool:
        return isinstance(data, (str, os.PathLike))

    def read(self, data: Any, given: Given) -> Models:
        from metameasure.data.frame_models import read_frame  # noqa: PLC0415

        with opened(data) as frame:
            return read_frame(frame, given, like=None)


class _Frames:
    """Data frames, eager or lazy, of any library that narwhals knows."""

    def takes(self, data: Any) -> bool:
        return is_frame(data)

    def read(self, data: Any, given: Given) -> Models:
        from metameasure.data.frame_models import read_frame  # noqa: PLC0415

        return read_frame(data, given, like=data)


@contextmanager
def opened(data: Any) -> Iterator[Any]:
    """A data frame as it is, or that of one or more files, which are named in errors."""
    if not isinstance(data, (str, os.PathLike)):
        yield data
        return
    from metameasure.data.files import open_files  # noqa: PLC0415

    files = open_files(data)
    with files.named_in_errors():
        yield files.frame


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
        for name in ("group", "cluster", "fold", "order"):
            value = getattr(given, name)
            if isinstance(value, str):
                instead = "True" if name == "order" else "an array with one value per case"
                raise ParameterError(
                    (Argument(name, value), NO_COLUMNS),
                    remedy=f"pass {instead}, or {FRAME_FIRST}",
                )
        if given.order:
            refuse_beside_order(given)
        if given.soft:
            refuse_beside_soft(given)
        if given.predicted is not None:
            given.refuse("scores", why="does not go with predicted labels")
            check_row_order(data, [("predicted", given.predicted)])
            given = replace(given, scores=given.predicted, predicted_labels="only")
            if given.pos_label is None:
                return label_models(data, given)
        if given.scores is None:
            raise DataError(
                ("scores are missing: ", Argument("y_true"), " alone is not enough"),
                remedy=("pass ", Argument("scores"), " after the labels"),
            )
        if given.models is not None:
            given = replace(given, scores=choose_scores(given.scores, given.models))
        check_row_order(data, [("scores", given.scores)])
        if given.order or given.soft:
            return _models_of_values(data, given)
        by_class = columns_by_class(given.scores, data, given.labels)
        two = by_class is None or (given.binary and has_two_at_most(by_class[0].values()))
        if by_class is not None and given.several_classes and not two:
            return class_models(data, *by_class, given)
        labeled = given.pos_label is None and by_class is None and given.several_classes
        if labeled and _hold_labels(data, given.scores):
            return label_models(data, given)
        columns, like = by_class or named_columns(given.scores)
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
        unnamed = by_class is not None or not are_by_model(given.scores)
        rows = Predictions.of(
            data,
            columns,
            labels=given.labels,
            sample_weight=given.sample_weight,
            group=given.group,
            cluster=given.cluster,
            groups=given.groups,
            fold=given.fold,
            pos_label=given.pos_label,
            nan_policy=given.nan_policy,
            rescale=given.rescale,
            predicted_labels=given.predicted_labels,
            names=_array_names(given, unnamed=unnamed),
        )
        return Models(rows, like=like)


def _array_names(given: Given, *, unnamed: bool) -> Names:
    """The names of arrays in messages; the scores may be those of a model without a name."""
    return Names(
        group=given.called.get("group", "group"), scores={"model": "scores"} if unnamed else {}
    )


def _models_of_values(y_true: Any, given: Given) -> Models:
    """The models that predict an order of items, or true probabilities, from arrays."""
    columns, like = named_columns(given.scores)
    common: Any = {
        "group": given.group,
        "fold": given.fold,
        "nan_policy": given.nan_policy,
        "names": _array_names(given, unnamed=not are_by_model(given.scores)),
    }
    if given.order:
        return Models(orders=Orders.of(y_true, columns, **common), like=like)
    weights: Any = {"sample_weight": given.sample_weight, "cluster": given.cluster}
    return Models(soft=SoftLabels.of(y_true, columns, **weights, **common), like=like)


SOURCES: list[Source] = [_Ready(), _Files(), _Frames(), _Arrays()]
"""The sources, in the order in which they are asked."""


def register_source(source: type[Source]) -> type[Source]:
    """Register a class as a source, which is asked before all others."""
    SOURCES.insert(0, source())
    return source


@takes_models(FoldOptions)
def read_models(
    y_true: Any,
    scores: Any = None,
    *,
    several_classes: bool = False,
    binary: bool = True,
    predicted_labels: bool = False,
    same_cases: bool = True,
    number: str = "one or more",
    parted: bool = False,
    called: Mapping[str, str] | None = None,
    groups: Mapping[str, Any] | None = None,
    **options: Unpack[FoldOptions],
) -> Models:
    """The models in arrays, a data frame, files, or score tables, all validated in the same way.

    Args:
        several_classes: whether a matrix of scores may be for more than two classes.
        binary: whether two columns of scores are those of a binary classifier, of which the one of
            the positive class is used.
        predicted_labels: whether scores may be labels as text: 1 for the positive one, else 0.
        same_cases: whether ready tables that differ in the number of cases are refused.
        number: the number of models that are needed, for an error.
        parted: whether the score tables of many cases may be in parts, without the cases.
        called: the names that the caller has for some options, for an error.
        groups: several columns of groups; see ``named_groups``.
    """
    given: Any = dict(options)
    read_argument("order", given.get("order"), ORDER, optional=True)
    read_argument("soft", given.get("soft", False), Flag())
    source, called = _source_of(y_true), called or {}
    if isinstance(scores, EstimatorScores):
        for name in ("order", "soft"):
            if given.get(name):
                raise ParameterError((Argument(name), " does not apply to fitted classifiers"))
        scores, given = scores.read(given, several_classes=several_classes, binary=binary)
    scores, chosen = _scores_and_choice(source, scores, given.pop("score", None))
    read = Given(
        scores=scores,
        models=chosen,
        several_classes=several_classes,
        binary=binary,
        predicted_labels=predicted_labels,
        number=number,
        parted=parted,
        called=called,
        groups=groups,
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
        if isinstance(source, _Arrays) and are_by_model(scores):
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
    by_name = are_by_model(scores) or isinstance(scores, EstimatorScores)
    by_name = by_name or any(options.get(name) is not None for name in COLUMNS)
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
        refuse_array_of_weights(given)
        from metameasure.data.frames import choose_columns, read_arrays  # noqa: PLC0415

        with opened(y_true) as frame:
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


def _hold_labels(y_true: Any, scores: Any) -> bool:
    """Whether a column, or each of several, holds predicted labels."""
    columns, _ = label_columns(scores)
    return not any(map(holds_scores, columns.values())) and are_labels(y_true, columns.values())
