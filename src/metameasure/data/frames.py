"""Data frames of any library that narwhals knows: their columns in, the same kind of frame out."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import polars as pl

from metameasure._arguments import check_polars_threads
from metameasure._text import clipped, shown
from metameasure.data.case_columns import Names
from metameasure.data.models import named
from metameasure.data.orders import Orders
from metameasure.data.predictions import Predictions
from metameasure.data.scores import EXACT_INTEGERS
from metameasure.data.true_probabilities import SoftLabels
from metameasure.errors import Argument, DataError, ParameterError, Wording, parts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure.data.options import Given

DECIMAL_COMMA = re.compile(r"\s*[-+]?[0-9]*,[0-9]+(e[-+]?[0-9]+)?\s*", re.IGNORECASE)
NEAR = 0.75
"""Least similarity of a name to the one that was perhaps meant."""
AT_ONCE = 64
"""Number of columns whose values are counted at once, since each query reads the whole schema."""
FIRST_ROWS = 100
"""Number of rows that are read first; a column with more than two values there is no label."""
LABEL_TYPES = (nw.Boolean, nw.String, nw.Categorical, nw.Enum)
NO_ROWS = "there are no cases: the data have no rows"
UNREADABLE = (nw.exceptions.NarwhalsError, pl.exceptions.PolarsError, OSError)


@dataclass(frozen=True)
class Columns:
    """The columns of a data frame that hold labels, scores, weights, groups and clusters."""

    label: Any
    scores: tuple[Any, ...]
    weight: Any = None
    group: Any = None
    cluster: Any = None
    groups: Mapping[str, Any] = field(default_factory=dict)
    fold: Any = None

    @property
    def all(self) -> list[Any]:
        """All columns that are needed, without repetition."""
        others = [self.weight, self.group, self.cluster, *self.groups.values(), self.fold]
        named = [self.label, *self.scores, *others]
        return list(dict.fromkeys(name for name in named if name is not None))

    @property
    def names(self) -> Names:
        """The names of these columns in messages."""
        return Names(
            shown([self.label]),
            shown([self.weight]),
            shown([self.group]),
            shown([self.cluster]),
            {str(name): shown([name]) for name in self.scores},
            shown([self.fold]),
        )


def is_known_frame(values: Any) -> bool:
    """Whether narwhals supports this as a data frame, eager or lazy."""
    try:
        nw.from_native(values)
    except TypeError:
        return False
    except nw.exceptions.NarwhalsError as error:
        raise DataError(f"the data frame cannot be used: {in_one_line(error)}") from error
    return True


def choose_columns(
    frame: Any,
    label: Any = None,
    scores: Any = None,
    weight: Any = None,
    group: Any = None,
    cluster: Any = None,
    groups: Mapping[str, Any] | None = None,
    fold: Any = None,
    *,
    argument: str = "scores",
    number: str = "one or more",
    truth: str = "label",
) -> Columns:
    """The columns, checked; label and score are inferred if they are unambiguous.

    A label column has exactly two values; a score column is any other column of numbers. Errors
    name the ``argument`` of the scores, the ``number`` of score columns to name, and the argument
    of the ``truth``, the label or a true order.
    """
    lazy = _lazy(frame)
    schema = lazy.collect_schema()
    wanted = _names(scores, argument)
    groups = groups or {}
    single = {truth: label, "weight": weight, "group": group, "cluster": cluster, "fold": fold}
    several = [(argument, name) for name in wanted] + [("groups", name) for name in groups.values()]
    for what, name in (*single.items(), *several):
        if name is not None and not _is_column(name, schema, what):
            raise no_column(name, list(schema), what)
    if len(set(wanted)) < len(wanted):
        raise ParameterError((Argument(argument), f" has duplicate columns: {shown(wanted)}"))
    named({name: name for name in wanted})
    if label in wanted:
        raise ParameterError(
            f"column {shown([label])} cannot be both the {truth} and a score", argument=truth
        )
    taken = {label, *wanted, weight, group, cluster, *groups.values(), fold}
    if label is None:
        label = _only(_two_valued(lazy, taken), "label", lazy)
    if not wanted:
        numbers = [c for c in schema if c not in {*taken, label} and schema[c].is_numeric()]
        wanted = [_only(numbers, "score", lazy, number, argument)]
    return Columns(label, tuple(wanted), weight, group, cluster, groups, fold)


def read_rows(frame: Any, columns: Columns, given: Given) -> Predictions:
    """The predictions in some columns of a data frame; only these columns are read."""
    chosen = chosen_columns(frame, columns)
    read = values_in if given.predicted_labels else numbers_in
    scores = {str(name): read(chosen.get_column(name)) for name in columns.scores}
    return read_predictions(chosen, columns, scores, given)


def read_predictions(
    chosen: nw.DataFrame[Any],
    columns: Columns,
    scores: Mapping[str, Any],
    given: Given,
    labels: Sequence[Any] | None = None,
) -> Predictions:
    """The predictions with these scores, and the labels and other columns of a data frame."""
    weight, group, cluster, fold = (
        optional_values(chosen, name, exact=exact)
        for name, exact in (
            (columns.weight, False),
            (columns.group, True),
            (columns.cluster, True),
            (columns.fold, True),
        )
    )
    groups = {
        name: values_in(chosen.get_column(column), exact=True)
        for name, column in columns.groups.items()
    }
    return Predictions.of(
        values_in(chosen.get_column(columns.label)),
        scores,
        labels=labels,
        pos_label=given.pos_label,
        sample_weight=weight,
        group=group,
        cluster=cluster,
        groups=groups,
        fold=fold,
        nan_policy=given.nan_policy,
        rescale=given.rescale,
        predicted_labels=given.predicted_labels,
        names=columns.names,
    )


def read_orders(frame: Any, columns: Columns, given: Given) -> Orders:
    """The true and predicted values of items in some columns of a data frame."""
    chosen = chosen_columns(frame, columns)
    return Orders.of(
        numbers_in(chosen.get_column(columns.label)),
        {str(name): numbers_in(chosen.get_column(name)) for name in columns.scores},
        group=optional_values(chosen, columns.group, exact=True),
        fold=optional_values(chosen, columns.fold, exact=True),
        nan_policy=given.nan_policy,
        names=columns.names,
    )


def read_soft_labels(frame: Any, columns: Columns, given: Given) -> SoftLabels:
    """The true and predicted probabilities in some columns of a data frame."""
    chosen = chosen_columns(frame, columns)
    return SoftLabels.of(
        numbers_in(chosen.get_column(columns.label)),
        {str(name): numbers_in(chosen.get_column(name)) for name in columns.scores},
        sample_weight=optional_values(chosen, columns.weight),
        group=optional_values(chosen, columns.group, exact=True),
        cluster=optional_values(chosen, columns.cluster, exact=True),
        fold=optional_values(chosen, columns.fold, exact=True),
        nan_policy=given.nan_policy,
        names=columns.names,
    )


def read_arrays(
    frame: Any, columns: Columns, *, scores: bool
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """The labels, another column, which has ``scores`` or labels, and the weights if there are."""
    chosen = chosen_columns(frame, columns)
    values = chosen.get_column(columns.scores[0])
    weight = optional_values(chosen, columns.weight)
    labels = values_in(chosen.get_column(columns.label))
    return labels, numbers_in(values) if scores else values_in(values), weight


def optional_values(
    frame: nw.DataFrame[Any], name: Any, *, exact: bool = False
) -> NDArray[Any] | None:
    """The values of a column; None if it has no name."""
    return None if name is None else values_in(frame.get_column(name), exact=exact)


def names_in(frame: Any) -> list[Any]:
    """The names of the columns of a data frame."""
    return list(_lazy(frame).collect_schema())


def with_columns(frame: Any, names: Iterable[Any]) -> Any:
    """The data frame with these columns alone."""
    return nw.from_native(frame).select(*map(nw.col, names)).to_native()


def plain_columns(frame: Any) -> dict[str, NDArray[Any]]:
    """All columns of a data frame, of scores or of labels."""
    eager = _collect(_lazy(frame))
    return named({name: values_in(eager.get_column(name)) for name in eager.columns})


def score_columns(frame: Any) -> dict[str, NDArray[Any]]:
    """All columns of a data frame of scores."""
    eager = _collect(_lazy(frame))
    return named({name: numbers_in(eager.get_column(name)) for name in eager.columns})


def group_columns(frame: Any) -> dict[str, NDArray[Any]]:
    """All columns of a data frame of groups."""
    eager = _collect(_lazy(frame))
    columns = {name: values_in(eager.get_column(name), exact=True) for name in eager.columns}
    return named(columns, "columns of groups")


def same_kind(data: Mapping[str, list[Any]], schema: Mapping[str, Any], like: Any) -> Any:
    """A new data frame of the kind of ``like``; of polars if that is None or not in memory."""
    made = pl.DataFrame(data, schema=schema)
    if like is None:
        return made
    kind = nw.from_native(like).implementation
    data = {name: made[name].to_list() for name in made.columns}
    types = nw.from_native(made).schema
    if kind is nw.Implementation.PYARROW:
        return nw.from_dict(data, schema=types, backend=kind).to_native()
    if kind in {nw.Implementation.PANDAS, nw.Implementation.MODIN}:
        # A missing integer makes its column float; missing text would become 'None'.
        gaps = [name for name in data if types[name] == nw.Int64 and None in data[name]]
        types.update(dict.fromkeys(gaps, nw.Float64()))
        typed = [nw.col(name).cast(its) for name, its in types.items() if its != nw.String]
        return nw.from_dict(data, backend=kind).with_columns(*typed).to_native()
    return made


def chosen_columns(frame: Any, columns: Columns) -> nw.DataFrame[Any]:
    """The columns that are needed, with at least one row."""
    chosen = _collect(_lazy(frame).select(*map(nw.col, columns.all)))
    if not len(chosen):
        raise DataError(NO_ROWS)
    return chosen


def _lazy(frame: Any) -> nw.LazyFrame[Any]:
    lazy: nw.LazyFrame[Any] = nw.from_native(frame).lazy()
    if lazy.implementation.is_polars():
        check_polars_threads()
    return lazy


def _collect(lazy: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
    try:
        return lazy.collect()
    except UNREADABLE as error:
        raise DataError(f"the data cannot be read: {in_one_line(error)}") from error


def values_in(column: nw.Series[Any], *, exact: bool = False) -> NDArray[Any]:
    """The values of a column, missing ones as None or NaN.

    With ``exact``, integers in a column with missing values stay integers.
    """
    kind = column.dtype
    if isinstance(kind, nw.Decimal):
        floats = column.cast(nw.Float64)
        if floats.n_unique() < column.n_unique():
            return np.array(column.to_list(), dtype=object)  # refused where numbers are read
        column = floats
    elif isinstance(kind, (nw.Categorical, nw.Enum, nw.Int128, nw.UInt128)):
        return np.array([*column.to_list(), None], dtype=object)[:-1]
    elif kind.is_integer() and column.null_count():
        # As an array they would become floats, which changes names and large numbers.
        largest = max(abs(int(column.min() or 0)), abs(int(column.max() or 0)))
        if exact or largest > EXACT_INTEGERS:
            return np.array(column.to_list(), dtype=object)
    values: NDArray[Any] = column.to_numpy()
    return values


def numbers_in(column: nw.Series[Any]) -> NDArray[Any]:
    """The values of a column of scores; text is refused."""
    if not isinstance(column.dtype, nw.String):
        return values_in(column)
    values = column.to_list()
    if values.count(None) == len(values):  # as text files have them
        return values_in(column.cast(nw.Float64))
    for row, value in enumerate(values):
        if value is not None and DECIMAL_COMMA.fullmatch(value):
            raise DataError(
                f"column {shown([column.name])} has {shown([value])} at row {row}, a number with a "
                "decimal comma",
                remedy=Wording(
                    "write decimal points, or pass a data frame that was read with decimal commas",
                    "write decimal points",
                ),
            )
        if value is not None and not _is_number(value):
            some = any(value is not None and _is_number(value) for value in values)
            labels = "name columns of predicted labels with ", Argument("predicted")
            raise DataError(
                f"column {shown([column.name])} has {shown([value])} at row {row}, which is text, "
                "not a number",
                remedy="fix or drop that row" if some else labels,
            )
    raise DataError(
        f"column {shown([column.name])} has numbers as text", remedy="convert it to numbers"
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _two_valued(lazy: nw.LazyFrame[Any], taken: set[Any]) -> list[Any]:
    """The columns that could be the label."""
    schema = lazy.collect_schema()
    columns = {
        # pyarrow has no distinct values of string views, which become strings here
        name: nw.col(name).cast(kind) if kind == nw.String else nw.col(name)
        for name, kind in schema.items()
        if name not in taken and (kind.is_numeric() or isinstance(kind, LABEL_TYPES))
    }
    first = _collect(lazy.head(FIRST_ROWS).select(*columns.values()))
    different = {
        name: column.n_unique() - bool(column.null_count())
        for name, column in zip(columns, first.iter_columns(), strict=True)
    }
    if len(first) < FIRST_ROWS:  # which are all rows
        return [name for name, number in different.items() if number == 2]
    few = [(name, columns[name]) for name, number in different.items() if number <= 2]
    return [
        name
        for begin in range(0, len(few), AT_ONCE)
        for name in _with_two_values(lazy, dict(few[begin : begin + AT_ONCE]))
    ]


def _with_two_values(lazy: nw.LazyFrame[Any], columns: Mapping[Any, nw.Expr]) -> list[Any]:
    """Those of some columns that have two values, missing ones not counted."""
    values = (column.n_unique().alias(f"values {i}") for i, column in enumerate(columns.values()))
    missing = (
        column.null_count().alias(f"missing {i}") for i, column in enumerate(columns.values())
    )
    ((*counts,),) = _collect(lazy.select(*values, *missing)).rows()
    each = zip(columns, counts[: len(columns)], counts[len(columns) :], strict=True)
    return [name for name, different, lacking in each if different - bool(lacking) == 2]


def _only(
    candidates: list[Any],
    what: str,
    lazy: nw.LazyFrame[Any],
    number: str = "it",
    argument: str = "label",
) -> Any:
    if len(candidates) == 1:
        return candidates[0]
    remedy = f"name {number} with ", Argument(argument)
    if candidates:
        raise DataError(
            f"{len(candidates)} columns can be the {what}: {shown(candidates, 8)}", remedy=remedy
        )
    if not len(_collect(lazy.head(1))):
        raise DataError(NO_ROWS)
    texts = [n for n, kind in lazy.collect_schema().items() if isinstance(kind, nw.String)]
    if what == "score" and len(texts) == 1:
        try:
            numbers_in(_collect(lazy.select(nw.col(texts[0]))).get_column(texts[0]))
        except DataError as error:
            problem, otherwise = parts_of(error)
            raise DataError(
                ("no column can be the score: ", *problem),
                remedy=(*(otherwise or ()), ", or name it with ", Argument(argument)),
            ) from None
    if what == "score" and texts:
        raise DataError(f"no column can be the score: {shown(texts, 8)} have text", remedy=remedy)
    columns = shown(lazy.collect_schema(), 8)
    raise DataError(f"no column can be the {what}: the columns are {columns}", remedy=remedy)


def _names(scores: Any, argument: str) -> list[Any]:
    """The names of score columns: none, one or several.

    A dict or data frame is not a list of names, though it can be iterated over like one.
    """
    if isinstance(scores, np.ndarray):
        scores = scores.tolist()
    single = isinstance(scores, (str, bytes, Mapping)) or not isinstance(scores, Iterable)
    if single or is_known_frame(scores):
        return [] if scores is None else [scores]
    # The order of a set differs from run to run.
    named = sorted(scores, key=str) if isinstance(scores, (set, frozenset)) else list(scores)
    if any(isinstance(name, float) for name in named):
        raise ParameterError(
            (Argument(argument), " must be names of columns of the data, got numbers"),
            remedy="add the values to the data as a column",
        )
    return named


def _is_column(name: Any, schema: Mapping[str, Any], what: str) -> bool:
    """Whether there is a column of this name; values that cannot be a name are refused."""
    try:
        return name in schema
    except TypeError:
        each = "names of columns" if what in {"scores", "proba"} else "the name of a column"
        raise ParameterError(
            (Argument(what), f" must be {each} of the data, got a {type(name).__name__}"),
            remedy="add the values to the data as a column",
        ) from None


def no_column(name: Any, names: list[Any], what: str) -> ParameterError:
    """The error for an argument that names a column which the data do not have."""
    near = difflib.get_close_matches(str(name), [str(n) for n in names], n=1, cutoff=NEAR)
    hint = f"did you mean {shown(near)}?" if near else f"the columns are {shown(names, 8)}"
    if isinstance(name, str) and {part.strip() for part in name.split(",")} <= set(names):
        hint = "name one column only"
    return ParameterError(f"there is no column {shown([name])}", remedy=hint, argument=what)


def in_one_line(error: Exception) -> str:
    """The text of an error of another library, in one line."""
    return clipped(" ".join(str(error).split()))
