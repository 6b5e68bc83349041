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
    chosen = nw.from_native(frame).select(*map(nw.col, columns.all))
    native: Any = chosen.to_native()
    if chosen.implementation.is_polars():
        yield from native.collect_batches(chunk_size=ROWS, maintain_order=True)
    elif chosen.implementation.is_duckdb():
        reader = getattr(native, "to_arrow_reader", None) or native.fetch_arrow_reader
        yield from reader(ROWS)
    else:
        yield chosen.collect().to_native()


def _readable(batches: Iterable[Any]) -> Iterator[Any]:
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
    """A batch as a data frame.

    It may be a data frame of any library, a record batch, a dict of columns, or a pair of labels
    and scores.
    """
    if isinstance(batch, nw.DataFrame):
        return batch
    if isinstance(batch, tuple) and len(batch) == 2:
        batch = dict(zip(PAIR, batch, strict=True))
    if isinstance(batch, Mapping):
        batch = pl.DataFrame({str(name): np.asarray(values) for name, values in batch.items()})
    elif hasattr(batch, "__arrow_c_array__"):  # a record batch, which narwhals does not know
        batch = pl.DataFrame(batch)
    try:
        return nw.from_native(batch, eager_only=True)
    except TypeError:
        raise DataError(
            f"a batch must be a data frame, a dict of columns, or a pair of labels and scores, got "
            f"a {type(batch).__name__}"
        ) from None


def models_of_batches(
    batches: Iterable[Any], columns: Columns, given: Given, like: Any = None
) -> Models:
    """The models in batches that have the same columns."""
    first: list[nw.DataFrame[Any]] = []
    rest, rows = _readable(batches), 0
    for batch in rest:
        first.append(as_frame(batch).select(*map(nw.col, columns.all)))
        rows += len(first[-1])
        if given.parted and rows > WHOLE:
            return _in_parts(chain(_emptied(first), rest), columns, given, like)
    if not rows:
        raise DataError(NO_ROWS)
    return Models(read_rows(concatenated(first), columns, given), like=like, columns=columns)


def concatenated(batches: Iterable[Any]) -> Any:
    """One data frame with the rows of all batches."""
    frames = [as_frame(batch) for batch in batches]
    return (frames[0] if len(frames) == 1 else nw.concat(frames, how="vertical")).to_native()


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
            _check_labels(labels, frame.get_column(columns.label), columns, given)
            part = read_rows(frame.to_native(), columns, given)
        row, dropped = row + len(frame), dropped + part.dropped
        positive_label = part.pos_label
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
