"""Files of predictions: CSV, TSV, Parquet, Arrow and JSON lines, told apart by their content."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import polars as pl

from metameasure._text import shown
from metameasure.errors import DataError

if TYPE_CHECKING:
    from os import PathLike

LOOKED_AT = 65536
SEPARATORS = (",", "\t", ";")
MISSING = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"]
GZIP, BYTE_ORDER_MARK = b"\x1f\x8b", b"\xef\xbb\xbf"
UNREADABLE = (pl.exceptions.PolarsError, OSError, EOFError, zlib.error, ValueError)


def open_file(path: str | PathLike[str]) -> pl.LazyFrame:
    """A file as a lazy frame, of which only the columns that are asked for are read.

    ``-`` is standard input, which is read whole.
    """
    name = os.fsdecode(path)
    if name == "-":
        if sys.stdin is None:
            raise DataError("standard input is closed")
        return _frame(_bytes_of(sys.stdin.buffer, "standard input"), "standard input")
    try:
        file = Path(name)
        if file.is_dir():
            raise DataError(f"{name} is a folder: name a file in it")
        with file.open("rb") as stream:
            start = stream.read(LOOKED_AT)
            if file.is_file() and name.isprintable() and start.startswith((b"PAR1", b"ARROW1")):
                return _stored(file, start)
            content = start + stream.read()
    except FileNotFoundError:
        raise DataError(f"there is no file {name}") from None
    except OSError as error:
        raise DataError(f"{name} cannot be read: {error.strerror or error}") from error
    return _frame(content, name)


def _bytes_of(stream: BinaryIO, name: str) -> bytes:
    try:
        return stream.read()
    except (OSError, ValueError) as error:
        raise DataError(f"{name} cannot be read: {error}") from error


def _stored(file: Path, start: bytes) -> pl.LazyFrame:
    """A Parquet or Arrow file, left on disk; its schema stands at its end, so it must be whole."""
    try:
        scan = pl.scan_parquet if start.startswith(b"PAR1") else pl.scan_ipc
        frame = scan(file, glob=False)
        frame.collect_schema()
    except UNREADABLE as error:
        raise DataError(f"{file} is not a whole file: {_first_line(error)}") from error
    return frame


def _frame(content: bytes, name: str) -> pl.LazyFrame:
    """What some bytes hold."""
    try:
        if content.startswith(GZIP):
            content = gzip.decompress(content)
        content = content.removeprefix(BYTE_ORDER_MARK)
        return _parsed(content, name).lazy()
    except UNREADABLE as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{name} cannot be read: {_first_line(error)}") from error


def _parsed(content: bytes, name: str) -> pl.DataFrame:
    stream = io.BytesIO(content)
    if content.startswith(b"PAR1"):
        return pl.read_parquet(stream)
    if content.startswith(b"ARROW1"):
        return pl.read_ipc(stream)
    if content.startswith(b"\xff\xff\xff\xff"):
        return pl.read_ipc_stream(stream)
    start = content[:LOOKED_AT].lstrip()
    if not start:
        raise DataError(f"{name} is empty")
    if start.startswith(b"["):
        return pl.read_json(stream, infer_schema_length=None)
    if start.startswith(b"{"):
        return _json_lines(content, name)
    if b"\x00" in start:
        raise DataError(f"{name} is neither a known file of data nor UTF-8 text")
    return _separated(content, name)


def _json_lines(content: bytes, name: str) -> pl.DataFrame:
    try:
        return pl.read_ndjson(io.BytesIO(content), infer_schema_length=None)
    except pl.exceptions.PolarsError as error:
        for number, line in enumerate(content.splitlines(), start=1):
            if line.strip() and not _is_json_object(line):
                raise DataError(f"{name}, line {number}: this is no JSON object") from error
        raise


def _is_json_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _separated(content: bytes, name: str) -> pl.DataFrame:
    """Text in columns, separated by what the first line has most of outside quotes."""
    header = content.lstrip().split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    separator = max(SEPARATORS, key=re.sub('"[^"]*"', "", header).count)
    names = next(csv.reader([header], delimiter=separator))
    twice = sorted({column for column in names if names.count(column) > 1})
    if twice:
        raise DataError(f"{name}: the column {shown(twice)} stands twice in the first line")
    try:
        return pl.read_csv(
            io.BytesIO(content),
            separator=separator,
            infer_schema_length=None,
            null_values=MISSING,
        )
    except pl.exceptions.PolarsError as error:
        rows = csv.reader(io.StringIO(content.decode("utf-8", "replace")), delimiter=separator)
        for row in rows:
            if len(row) > len(names):
                raise DataError(
                    f"{name}, line {rows.line_num}: {len(row)} fields where the first line has "
                    f"{len(names)}"
                ) from error
        raise


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0]
