"""Data in batches: as whole columns if they are few, else in parts of score tables.

Up to ``WHOLE`` rows nothing differs from data in memory. Of more rows only the score tables are
kept, in ranges of scores, so that memory does not grow with the rows; see ``CaseBuckets``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import polars as pl

from metameasure._text import shown
from metameasure.data.arrays import is_missing
from metameasure.data.case_buckets import CaseBuckets
from metameasure.data.frames import NO_ROWS, UNREADABLE, in_one_line, read_rows, values_in
from metameasure.data.labels import read_labels
from metameasure.data.models import Models
from metameasure.data.parted_cases import PartedCases
from metameasure.errors import DataError, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metameasure.data.frames import Columns
    from metameasure.data.options import Given

ROWS = 2**20
"""Number of rows of a batch."""
WHOLE = 2**22
"""Number of rows up to which all columns are kept in memory."""
FEW = 2**20
"""Number of distinct scores up to which a score table is kept in one piece."""
LIBRARIES = ("duckdb", "narwhals", "polars", "pyarrow")
"""Modules of the errors that reading may raise."""
A_BATCH = "a data frame, a dict of columns, or a pair of labels and scores"
PAIR = ("y_true", "model")
"""Names of the columns of a pair of labels and scores."""
MOST_LABELS = 20
"""Number of distinct labels after which no more are collected for an error."""


def models_of_frame(frame: Any, columns: Columns, given: Given, like: Any) -> Models:
    """The models in some columns of a data frame, which may be too large for memory if lazy."""
    of_cases = (columns.group, columns.cluster, columns.fold, given.rescale)
    tables_alone = all(one is None for one in of_cases) and not columns.groups
    lazy = isinstance(nw.from_native(frame), nw.LazyFrame)
    if lazy and given.parted and tables_alone and not given.predicted_labels:
        return models_of_batches(_batches_of(frame, columns), columns, given, like)
    return Models(read_rows(frame, columns, given), like=like, columns=columns)


def _batches_of(frame: Any, columns: Columns) -> Iterator[Any]:
    """Some columns of a lazy frame as data frames, one after the other."""
    lazy = nw.from_native(frame)
    if lazy.implementation.is_duckdb():
        # Old releases do not take every name as a column expression.
        names = ('"' + str(name).replace('"', '""') + '"' for name in columns.all)
        chosen = lazy.to_native().project(", ".join(names))
        yield from (getattr(chosen, "to_arrow_reader", None) or chosen.fetch_arrow_reader)(ROWS)
        return
    selected = lazy.select(*map(nw.col, columns.all))
    if lazy.implementation.is_polars():
        native: Any = selected.to_native()
        yield from native.collect_batches(chunk_size=ROWS, maintain_order=True)
    else:
        yield selected.collect().to_native()


def readable(batches: Iterable[Any]) -> Iterator[Any]:
    """The batches; errors of the libraries that read them are put into words."""
    with _reading():
        yield from batches


@contextmanager
def _reading() -> Iterator[None]:
    """Errors of the libraries that read the data, in words."""
    try:
        yield
    except Exception as error:
        known = isinstance(error, UNREADABLE)
        if not known and type(error).__module__.split(".")[0].lstrip("_") not in LIBRARIES:
            raise
        raise DataError(f"the data cannot be read: {in_one_line(error)}") from error


def as_frame(batch: Any) -> nw.DataFrame[Any]:
    """A batch as a data frame of polars.

    It may be a data frame of any library, a record batch, a dict of columns, or a pair of labels
    and scores.
    """
    if isinstance(batch, nw.DataFrame):
        return batch
    if isinstance(batch, tuple) and len(batch) == 2:
        batch = dict(zip(PAIR, batch, strict=True))
    if isinstance(batch, Mapping):
        return nw.from_native(_frame_of(batch))
    try:
        if hasattr(batch, "__arrow_c_array__"):  # a record batch, which narwhals does not know
            batch = pl.DataFrame(batch)
        frame: nw.DataFrame[Any] = nw.from_native(batch, eager_only=True)
        return nw.from_native(frame.to_polars())
    except TypeError:
        raise DataError(
            f"a batch must be {A_BATCH}, got a {type(batch).__name__}",
            remedy="pass weights and several models as columns of a dict or a data frame",
        ) from None


def _frame_of(columns: Mapping[Any, Any]) -> pl.DataFrame:
    """A data frame of some arrays, which must have the same length."""
    arrays = {str(name): np.asarray(values) for name, values in columns.items()}
    shapes = {name: array.shape for name, array in arrays.items()}
    if any(len(shape) != 1 for shape in shapes.values()):
        raise DataError(f"a batch must be {A_BATCH}, with one value per row in each column")
    if len(set(shapes.values())) > 1:
        (first, n), *others = ((name, shape[0]) for name, shape in shapes.items())
        other, m = next(pair for pair in others if pair[1] != n)
        raise DataError(f"{shown([first, other])} of a batch differ in length: {n} and {m}")
    try:
        return pl.DataFrame(
            {
                name: array.tolist() if array.dtype == object else array
                for name, array in arrays.items()
            }
        )
    except (TypeError, *UNREADABLE) as error:
        raise DataError(f"a batch cannot be read: {in_one_line(error)}") from error


def models_of_batches(
    batches: Iterable[Any], columns: Columns, given: Given, like: Any = None
) -> Models:
    """The models in batches that have the same columns."""
    first: list[nw.DataFrame[Any]] = []
    rest, rows = readable(batches), 0
    for batch in rest:
        first.append(_chosen(as_frame(batch), columns))
        rows += len(first[-1])
        if given.parted and rows > WHOLE:
            return _in_parts(chain(_emptied(first), rest), columns, given, like)
    if not rows:
        raise DataError(NO_ROWS)
    return Models(read_rows(concatenated(first), columns, given), like=like, columns=columns)


def concatenated(batches: Iterable[Any]) -> Any:
    """One data frame with the rows of all batches."""
    frames = [as_frame(batch).to_native() for batch in batches]
    filled = [frame for frame in frames if frame.height] or frames[:1]
    try:
        return pl.concat(filled, how="vertical_relaxed")
    except UNREADABLE as error:
        why = in_one_line(error)
        raise DataError(f"the batches do not have the same columns: {why}") from error


def _chosen(frame: nw.DataFrame[Any], columns: Columns) -> nw.DataFrame[Any]:
    """The columns that are needed; an error if a batch lacks one. An empty batch may have none."""
    lacking = [name for name in columns.all if name not in frame.columns]
    if lacking and len(frame):
        raise DataError(f"a batch has no column {shown(lacking)}, but the first one has")
    return frame if lacking else frame.select(*map(nw.col, columns.all))


def _emptied(values: list[Any]) -> Iterator[Any]:
    """The values of a list, each of which is forgotten when the next one is asked for."""
    values.reverse()
    while values:
        yield values.pop()


def _in_parts(batches: Iterable[Any], columns: Columns, given: Given, like: Any) -> Models:
    weighted = columns.weight is not None
    buckets = {str(name): CaseBuckets(weighted=weighted) for name in columns.scores}
    labels: set[Any] = set()
    counted, row, dropped, positive_label = np.zeros(2, np.int64), 0, 0, None
    for batch in batches:
        frame = as_frame(batch)
        if not len(frame):
            continue
        with _in_rows(row, row + len(frame)):
            frame = _chosen(frame, columns)
            _check_labels(labels, frame.get_column(columns.label), columns, given)
            complete = _complete(frame, columns, given)
            row, dropped = row + len(frame), dropped + len(frame) - len(complete)
            if not _has_weight(complete, columns):
                continue
            part = read_rows(complete.to_native(), columns, given)
        dropped, positive_label = dropped + part.dropped, part.pos_label
        used = part.positive if part.weight is None else part.positive[part.weight > 0]
        counted += np.count_nonzero(used), np.count_nonzero(~used)
        for model, bucket in buckets.items():
            bucket.add(part.positive, part.scores[model], part.weight)
    n_pos, n_neg = counted.tolist()
    if not n_pos + n_neg:
        raise DataError(NO_ROWS)
    tables = {model: bucket.table() for model, bucket in buckets.items()}
    few = not weighted and all(bucket.rows <= FEW for bucket in buckets.values())
    return Models(
        parted=PartedCases(tables, n_pos + n_neg, n_pos, dropped, weighted, positive_label),
        _ready={model: table.whole() for model, table in tables.items()} if few else {},
        like=like,
        columns=columns,
    )


def _complete(frame: nw.DataFrame[Any], columns: Columns, given: Given) -> nw.DataFrame[Any]:
    """The rows without missing values, if others are dropped."""
    if given.nan_policy != "drop":
        return frame
    missing = [
        nw.col(name).is_null() | nw.col(name).is_nan()
        if frame.schema[name].is_float()
        else nw.col(name).is_null()
        for name in columns.all
    ]
    return frame.filter(~nw.any_horizontal(*missing, ignore_nulls=True))


def _has_weight(frame: nw.DataFrame[Any], columns: Columns) -> bool:
    """Whether there are cases of another weight than 0."""
    if columns.weight is None or not len(frame):
        return len(frame) > 0
    return bool(np.any(values_in(frame.get_column(columns.weight)) != 0))


@contextmanager
def _in_rows(begin: int, end: int) -> Iterator[None]:
    """Name the rows of a batch in an error about it, whose rows are those of the batch."""
    try:
        yield
    except DataError as error:
        problem, remedy = parts_of(error)
        where = f"in the batch of rows {begin} to {end - 1}, counted from its first row: "
        raise DataError((where, *problem), remedy=remedy, argument=error.argument) from None


def _check_labels(known: set[Any], column: Any, columns: Columns, given: Given) -> None:
    """Refuse labels that a batch adds to those of the batches before it, if there are too many."""
    values = values_in(column.unique(), exact=True).tolist()
    fresh = {value for value in values if not is_missing(value)} - known
    if fresh:
        known |= set(list(fresh)[:MOST_LABELS])
        read_labels(list(known), given.pos_label, shown([columns.label]))
