"""Files of predictions: CSV, TSV, Parquet, Arrow and JSON lines, told apart by their content."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from metameasure.errors import DataError

if TYPE_CHECKING:
    from os import PathLike

    import polars as pl

LOOKED_AT = 65536
MISSING = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"]


def open_file(path: str | PathLike[str]) -> pl.LazyFrame:
    """A file as a lazy frame, of which only the columns that are asked for are read.

    ``-`` is standard input, which is read whole.
    """
    import polars as pl  # noqa: PLC0415

    if str(path) == "-":
        return _opened(io.BytesIO(sys.stdin.buffer.read()), "standard input")
    file = Path(path)
    if file.is_dir():
        raise DataError(f"{path} is a folder: name a file in it")
    try:
        with file.open("rb") as stream:
            start = stream.read(LOOKED_AT)
    except FileNotFoundError:
        raise DataError(f"there is no file {path}") from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    if start.startswith(b"PAR1"):
        return _checked(pl.scan_parquet(file), str(path))
    if start.startswith(b"ARROW1"):
        return _checked(pl.scan_ipc(file), str(path))
    return _opened(io.BytesIO(file.read_bytes()), str(path))


def _opened(stream: io.BytesIO, name: str) -> pl.LazyFrame:
    """What a stream in memory holds."""
    import polars as pl  # noqa: PLC0415

    start = stream.getvalue()[:LOOKED_AT]
    try:
        if start.startswith(b"\x1f\x8b"):
            return _opened(io.BytesIO(gzip.decompress(stream.getvalue())), name)
        if not start.strip():
            raise DataError(f"{name} is empty")
        if start.startswith(b"PAR1"):
            return pl.read_parquet(stream).lazy()
        if start.startswith(b"ARROW1"):
            return pl.read_ipc(stream).lazy()
        if start.lstrip().startswith(b"{"):
            return pl.read_ndjson(stream, infer_schema_length=None).lazy()
        if start.lstrip().startswith(b"["):
            return pl.read_json(stream, infer_schema_length=None).lazy()
        return pl.read_csv(
            stream,
            separator=_separator(start),
            infer_schema_length=None,
            null_values=MISSING,
        ).lazy()
    except (pl.exceptions.PolarsError, OSError, EOFError) as error:
        raise DataError(f"{name} cannot be read: {_first_line(error)}") from error


def _checked(frame: pl.LazyFrame, name: str) -> pl.LazyFrame:
    """A lazy frame whose file is whole: its schema stands at the end of it."""
    import polars as pl  # noqa: PLC0415

    try:
        frame.collect_schema()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"{name} is not a whole file: {_first_line(error)}") from error
    return frame


def _separator(start: bytes) -> str:
    """The separator that the first line has most of."""
    header = start.lstrip().split(b"\n", 1)[0]
    return max([",", "\t", ";"], key=lambda sign: header.count(sign.encode()))


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0]
