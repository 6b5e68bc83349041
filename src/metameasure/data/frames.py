"""Predictions from any data frame that narwhals knows; results in the same kind of frame."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import polars as pl

from metameasure._text import shown
from metameasure.data import ClassScores, Names, NanPolicy, Predictions, Rescale
from metameasure.data.scores import EXACT_INTEGERS
from metameasure.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

LABEL_TYPES = (nw.Boolean, nw.String, nw.Categorical, nw.Enum)
UNREADABLE = (nw.exceptions.NarwhalsError, pl.exceptions.PolarsError, OSError)


@dataclass(frozen=True)
class Columns:
    """Which columns hold what."""

    label: Any
    scores: tuple[Any, ...]
    weight: Any = None
    group: Any = None
    cluster: Any = None

    @property
    def all(self) -> list[Any]:
        """Every column that is needed, once."""
        named = [self.label, *self.scores, self.weight, self.group, self.cluster]
        return list(dict.fromkeys(name for name in named if name is not None))

    @property
    def names(self) -> Names:
        """How messages call these columns."""
        return Names(
            shown([self.label]),
            shown([self.weight]),
            shown([self.group]),
            shown([self.cluster]),
            {str(name): shown([name]) for name in self.scores},
        )


def is_frame(values: Any) -> bool:
    """Whether narwhals knows this as a data frame, eager or lazy."""
    try:
        nw.from_native(values)
    except TypeError:
        return False
    except nw.exceptions.NarwhalsError as error:
        raise DataError(f"the frame cannot be used: {_in_one_line(error)}") from error
    return True


def choose_columns(
    frame: Any,
    label: Any = None,
    scores: Any = None,
    weight: Any = None,
    group: Any = None,
    cluster: Any = None,
) -> Columns:
    """Check the columns that are named; find the label or the score only if one column can be it.

    A label has exactly two values; a score is any other number.
    """
    lazy = nw.from_native(frame).lazy()
    schema = lazy.collect_schema()
    named = _names(scores)
    single = {"label": label, "weight": weight, "group": group, "cluster": cluster}
    for what, name in (*single.items(), *(("scores", name) for name in named)):
        if name is not None and not _is_column(name, schema, what):
            raise DataError(_no_column(name, list(schema)))
    if len(set(named)) < len(named):
        raise DataError(f"a score column is named twice: {shown(named)}")
    if label in named:
        raise DataError(f"the column {shown([label])} cannot be both the label and a score")
    taken = {label, *named, weight, group, cluster}
    if label is None:
        label = _only(_two_valued(lazy, taken), "label", lazy)
    if not named:
        numbers = [c for c in schema if c not in {*taken, label} and schema[c].is_numeric()]
        named = [_only(numbers, "score", lazy)]
    return Columns(label, tuple(named), weight, group, cluster)


def read_frame(
    frame: Any,
    columns: Columns,
    *,
    pos_label: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> Predictions:
    """The predictions in some columns of a frame; only these columns are read."""
    chosen = _chosen(frame, columns)
    weight, group, cluster = (
        None if name is None else _array(chosen.get_column(name), exact=exact)
        for name, exact in (
            (columns.weight, False),
            (columns.group, True),
            (columns.cluster, True),
        )
    )
    return Predictions.of(
        _array(chosen.get_column(columns.label)),
        {str(name): _numbers(chosen.get_column(name)) for name in columns.scores},
        pos_label=pos_label,
        sample_weight=weight,
        group=group,
        cluster=cluster,
        nan_policy=nan_policy,
        rescale=rescale,
        names=columns.names,
    )


def read_classes(
    frame: Any,
    label: Any,
    proba: Sequence[Any],
    *,
    labels: Sequence[Any] | None = None,
    weight: Any = None,
    cluster: Any = None,
    nan_policy: NanPolicy = "raise",
) -> ClassScores:
    """The scores for several classes in some columns of a frame.

    Without ``labels`` the columns bear the names of the classes or, if they do not, stand in the
    order of the sorted labels; then ``assumed`` has their names.
    """
    if label is None:
        raise DataError("say which column holds the classes: label=...")
    unordered = isinstance(proba, (str, set, frozenset)) or not isinstance(proba, Iterable)
    named = [] if unordered else list(proba)
    if len(named) < 2:
        raise DataError(
            f"proba={shown([proba])} must be a list of columns, one for each of two or more classes"
        )
    columns = choose_columns(frame, label, named, weight, cluster=cluster)
    chosen = _chosen(frame, columns)
    return ClassScores.of(
        _array(chosen.get_column(label)),
        {name: _numbers(chosen.get_column(name)) for name in columns.scores},
        labels=labels,
        sample_weight=None if weight is None else _array(chosen.get_column(weight)),
        cluster=None if cluster is None else _array(chosen.get_column(cluster), exact=True),
        nan_policy=nan_policy,
        names=columns.names,
        assume_order=True,
    )


def names_in(frame: Any) -> list[Any]:
    """The names of the columns of a frame."""
    return list(nw.from_native(frame).lazy().collect_schema())


def values_in(frame: Any, name: Any) -> list[Any]:
    """The distinct values in a column of a frame, in any order."""
    known = names_in(frame)
    if name not in known:
        raise DataError(_no_column(name, known))
    column = nw.from_native(frame).lazy().select(nw.col(name)).drop_nulls().unique()
    return _collect(column).get_column(name).to_list()


def score_columns(frame: Any) -> Mapping[str, NDArray[Any]]:
    """Every column of a frame of scores."""
    eager = _collect(nw.from_native(frame).lazy())
    return {str(name): _numbers(eager.get_column(name)) for name in eager.columns}


def same_kind(data: Mapping[str, list[Any]], schema: Mapping[str, Any], like: Any) -> Any:
    """A new frame of the kind of ``like``; a polars one if that is None or lives elsewhere."""
    made = pl.DataFrame(data, schema=schema)
    if like is None:
        return made
    kind = nw.from_native(like).implementation
    data = {name: made[name].to_list() for name in made.columns}
    types = nw.from_native(made).schema
    if kind is nw.Implementation.PYARROW:
        return nw.from_dict(data, schema=types, backend=kind).to_native()
    if kind in {nw.Implementation.PANDAS, nw.Implementation.MODIN}:
        # A missing integer makes its column one of floats, a missing text would become 'None'.
        gaps = [name for name in data if types[name] == nw.Int64 and None in data[name]]
        types.update(dict.fromkeys(gaps, nw.Float64()))
        typed = [nw.col(name).cast(its) for name, its in types.items() if its != nw.String]
        return nw.from_dict(data, backend=kind).with_columns(*typed).to_native()
    return made


def _chosen(frame: Any, columns: Columns) -> nw.DataFrame[Any]:
    """The columns that are needed, of which there must be a row."""
    chosen = _collect(nw.from_native(frame).lazy().select(*map(nw.col, columns.all)))
    if not len(chosen):
        raise DataError("there are no cases: the data have no row")
    return chosen


def _collect(lazy: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
    try:
        return lazy.collect()
    except UNREADABLE as error:
        raise DataError(f"the data cannot be read: {_in_one_line(error)}") from error


def _array(column: nw.Series[Any], *, exact: bool = False) -> NDArray[Any]:
    """The values of a column, a missing one as None or NaN.

    With ``exact`` integers beside a missing value stay integers.
    """
    kind = column.dtype
    if isinstance(kind, nw.Decimal):
        column = column.cast(nw.Float64)
    elif isinstance(kind, (nw.Categorical, nw.Enum, nw.Int128, nw.UInt128)):
        return np.array([*column.to_list(), None], dtype=object)[:-1]
    elif kind.is_integer() and column.null_count():
        # As an array they would become floats, which changes names and large numbers.
        largest = max(abs(int(column.min() or 0)), abs(int(column.max() or 0)))
        if exact or largest > EXACT_INTEGERS:
            return np.array(column.to_list(), dtype=object)
    values: NDArray[Any] = column.to_numpy()
    return values


def _numbers(column: nw.Series[Any]) -> NDArray[Any]:
    """The values of a column of scores; text is refused, with the first that is no number."""
    if not isinstance(column.dtype, nw.String):
        return _array(column)
    for row, value in enumerate(column.to_list()):
        try:
            float(value if value is not None else "nan")
        except ValueError:
            raise DataError(
                f"column {shown([column.name])} holds {shown([value])} at row {row}, which "
                "is text and no number: mend or leave out that row"
            ) from None
    raise DataError(f"column {shown([column.name])} holds numbers as text: convert it to numbers")


def _two_valued(lazy: nw.LazyFrame[Any], taken: set[Any]) -> list[Any]:
    """The columns that could be the label."""
    schema = lazy.collect_schema()
    found = []
    for name, kind in schema.items():
        if name not in taken and (kind.is_numeric() or isinstance(kind, LABEL_TYPES)):
            values = lazy.select(nw.col(name)).drop_nulls().unique().head(3)
            if len(_collect(values)) == 2:
                found.append(name)
    return found


def _only(candidates: list[Any], what: str, lazy: nw.LazyFrame[Any]) -> Any:
    if len(candidates) == 1:
        return candidates[0]
    remedy = "label=..." if what == "label" else "scores=..."
    if candidates:
        message = f"{len(candidates)} columns can be the {what}: {shown(candidates, 8)}"
        raise DataError(f"{message}. Name it: {remedy}")
    if not len(_collect(lazy.head(1))):
        raise DataError("there are no cases: the data have no row")
    texts = [n for n, kind in lazy.collect_schema().items() if isinstance(kind, nw.String)]
    if what == "score" and len(texts) == 1:
        try:
            _numbers(_collect(lazy.select(nw.col(texts[0]))).get_column(texts[0]))
        except DataError as error:
            raise DataError(f"no column can be the score: {error}. Name it: {remedy}") from None
    if what == "score" and texts:
        raise DataError(
            f"no column can be the score: {shown(texts, 8)} hold text. Name it: {remedy}"
        )
    columns = shown(lazy.collect_schema(), 8)
    raise DataError(f"no column can be the {what}; the columns are {columns}. Name it: {remedy}")


def _names(scores: Any) -> list[Any]:
    """The names of score columns: none, one or several.

    A dict or frame has scores under its names, which must not be taken for those of other scores.
    """
    if isinstance(scores, np.ndarray):
        scores = scores.tolist()
    single = isinstance(scores, (str, bytes, Mapping)) or not isinstance(scores, Iterable)
    if single or is_frame(scores):
        return [] if scores is None else [scores]
    # A set has another order in each run.
    return sorted(scores, key=str) if isinstance(scores, (set, frozenset)) else list(scores)


def _is_column(name: Any, schema: Mapping[str, Any], what: str) -> bool:
    """Whether there is a column of this name; refused if it can be no name."""
    try:
        return name in schema
    except TypeError:
        each = "must be names of columns" if what == "scores" else "must be the name of one column"
        raise DataError(
            f"{what}= {each} of the frame, and there is a {type(name).__name__}: values go into a "
            "column of their own"
        ) from None


def _no_column(name: Any, names: list[Any]) -> str:
    near = difflib.get_close_matches(str(name), [str(n) for n in names], n=1)
    hint = f"did you mean {shown(near)}?" if near else f"the columns are {shown(names, 8)}"
    return f"there is no column {shown([name])}; {hint}"


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())
