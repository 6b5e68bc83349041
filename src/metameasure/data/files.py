"""Files of predictions: CSV, TSV, Parquet, Arrow and JSON lines, recognized by their content."""

from __future__ import annotations

import codecs
import csv
import glob
import gzip
import io
import json
import os
import re
import sys
import zlib
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
import polars as pl

from metameasure._arguments import check_polars_threads
from metameasure._text import clipped, repeated, shown
from metameasure.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike

HEAD = 65536
"""Number of bytes that decide the format of a file."""
DEEPEST = 100
"""Largest number of lists and objects that may be nested in JSON."""
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
SEPARATORS = (",", "\t", ";")
MISSING = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"]
GZIP = b"\x1f\x8b"
OTHER_ENCODINGS = {
    codecs.BOM_UTF32_LE: "UTF-32",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""The encodings of text that are recognized and refused, by the marks at its start."""
TO_UTF8 = "save it as UTF-8"
UNREADABLE = (pl.exceptions.PolarsError, OSError, EOFError, zlib.error, csv.Error, ValueError)


@dataclass(frozen=True, eq=False)
class Files:
    """One or more files with the same columns, by their names."""

    frames: Mapping[str, pl.LazyFrame]

    @property
    def frame(self) -> pl.LazyFrame:
        """The rows of all files, one file after the other."""
        (first, frame), *others = self.frames.items()
        if not others:
            return frame
        expected = frame.collect_schema()
        for name, other in others:
            _check_columns(repeated(name), other.collect_schema(), repeated(first), expected)
        each = [other.select(expected.names()) for other in self.frames.values()]
        return pl.concat(each, how="vertical_relaxed")

    @contextmanager
    def named_in_errors(self) -> Iterator[None]:
        """Name the file that cannot be read in the error about it."""
        try:
            yield
        except DataError as error:
            if isinstance(error.__cause__, UNREADABLE):
                for name, frame in self.frames.items():
                    _read_whole(name, frame)
            raise


def open_files(path: str | PathLike[str]) -> Files:
    """The files with this name, or whose names match this pattern, in the order of their names."""
    name = os.fsdecode(path)
    if name == "-" or not glob.has_magic(name):
        return Files({name: open_file(name)})
    try:
        if Path(name).exists():
            return Files({name: open_file(name)})
        matching = glob.iglob(name, recursive=True)  # noqa: PTH207 - the pattern may be absolute
        found = sorted(file for file in matching if not Path(file).is_dir())
    except DataError:
        raise
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from error
    if not found:
        raise DataError(f"no file matches {repeated(name)}")
    return Files({file: open_file(file) for file in found})


def _check_columns(name: str, schema: pl.Schema, first: str, expected: pl.Schema) -> None:
    """Refuse a file whose columns differ from those of the first one."""
    for one, its, other, others in (
        (name, schema, first, expected),
        (first, expected, name, schema),
    ):
        lacking = [column for column in others if column not in its]
        if lacking:
            raise DataError(f"{one} has no column {shown(lacking)}, but {other} has")
    for column, kind in expected.items():
        if schema[column] != kind and not (schema[column].is_numeric() and kind.is_numeric()):
            raise DataError(
                f"column {shown([column])} is {schema[column]} in {name} but {kind} in {first}",
                remedy="convert it to the same type in all files",
            )


def _read_whole(name: str, frame: pl.LazyFrame) -> None:
    try:
        frame.collect()
    except UNREADABLE as error:
        raise _unreadable(name, error) from error


def open_file(path: str | PathLike[str]) -> pl.LazyFrame:
    """A file as a lazy frame, of which only the needed columns are read.

    ``-`` is standard input, which is read at once.
    """
    check_polars_threads()
    name = os.fsdecode(path)
    if name == "-":
        if sys.stdin is None:
            raise DataError("standard input is closed")
        return _frame(_bytes_of(sys.stdin.buffer, "standard input"), "standard input")
    try:
        file = Path(name)
        _refuse_folder(file)
        with file.open("rb") as stream:
            start = stream.read(HEAD)
            if file.is_file() and name.isprintable() and start.startswith((b"PAR1", b"ARROW1")):
                return _stored(file, start)
            content = start + stream.read()
    except FileNotFoundError:
        raise DataError(f"there is no file {repeated(name)}") from None
    except DataError:
        raise
    except (OSError, ValueError) as error:
        # A name with a null byte is a ValueError.
        raise _unreadable(name, error) from error
    return _frame(content, name)


def _refuse_folder(file: Path) -> None:
    if file.is_dir():
        raise DataError(f"{repeated(file)} is a folder", remedy="pass the name of a file in it")


def _bytes_of(stream: BinaryIO, name: str) -> bytes:
    try:
        return stream.read()
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from error


def _stored(file: Path, start: bytes) -> pl.LazyFrame:
    """A Parquet or Arrow file, left on disk; its schema is at its end, so it must be complete."""
    try:
        scan = pl.scan_parquet if start.startswith(b"PAR1") else pl.scan_ipc
        frame = scan(file, glob=False)
        frame.collect_schema()
    except UNREADABLE as error:
        reason = _first_line(error)
        raise DataError(f"{repeated(str(file))} is incomplete or corrupt: {reason}") from error
    return frame


def _frame(content: bytes, name: str) -> pl.LazyFrame:
    """The content of a file as a lazy frame."""
    try:
        if content.startswith(GZIP):
            content = gzip.decompress(content)
        content = content.removeprefix(codecs.BOM_UTF8)
        return _parsed(content, name).lazy()
    except UNREADABLE as error:
        if isinstance(error, DataError):
            raise
        raise _unreadable(name, error) from error


def _parsed(content: bytes, name: str) -> pl.DataFrame:
    stream = io.BytesIO(content)
    if content.startswith(b"PAR1"):
        return pl.read_parquet(stream)
    if content.startswith(b"ARROW1"):
        return pl.read_ipc(stream)
    if content.startswith(b"\xff\xff\xff\xff"):
        return pl.read_ipc_stream(stream)
    start = content[:HEAD].lstrip()
    if not start:
        raise DataError(f"{repeated(name)} is empty")
    if start.startswith((b"[", b"{")):
        _check_depth(content, name)
    if start.startswith(b"["):
        return pl.read_json(stream, infer_schema_length=None)
    if start.startswith(b"{"):
        return _json_lines(content, name)
    if encoding := _encoding(start):
        raise DataError(f"{repeated(name)} is {encoding} text, not UTF-8", remedy=TO_UTF8)
    if b"\x00" in start:
        raise DataError(f"{repeated(name)} is neither in a supported format nor UTF-8 text")
    return _separated(content, name)


def _encoding(start: bytes) -> str | None:
    """The encoding of text that is not UTF-8, if it is one of those that are recognized.

    Without a mark, UTF-16 has a zero in every other byte where all characters are Latin.
    """
    for mark, encoding in OTHER_ENCODINGS.items():
        if start.startswith(mark):
            return encoding
    zeros = sorted(start[place::2].count(0) for place in (0, 1))
    return "UTF-16" if zeros[0] == 0 and zeros[1] == len(start) // 2 > 0 else None


def _check_depth(content: bytes, name: str) -> None:
    """Refuse deeply nested JSON, with which the reader of old releases ends the process."""
    opened = content.count(b"[") + content.count(b"{")
    if opened <= DEEPEST + content.count(b"\n"):
        return
    brackets = _STRING.sub(b"", content).translate(None, delete=_NO_BRACKETS)
    levels = np.cumsum(np.where(np.isin(np.frombuffer(brackets, np.uint8), list(b"[{")), 1, -1))
    if levels.max(initial=0) > DEEPEST:
        raise DataError(f"{repeated(name)} cannot be read: nested more than {DEEPEST} deep")


def _json_lines(content: bytes, name: str) -> pl.DataFrame:
    try:
        return pl.read_ndjson(io.BytesIO(content), infer_schema_length=None)
    except pl.exceptions.PolarsError as error:
        for number, line in enumerate(content.splitlines(), start=1):
            if line.strip() and not _is_json_object(line):
                where = f"{repeated(name)}, line {number}"
                raise DataError(f"{where}: not a JSON object") from error
        raise


def _is_json_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _separated(content: bytes, name: str) -> pl.DataFrame:
    """Text in columns; the separator is the most frequent one in the header, outside quotes."""
    if b"\n" not in content:
        content = content.replace(b"\r", b"\n")
    header = content.lstrip().split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    separator = max(SEPARATORS, key=re.sub('"[^"]*"', "", header).count)
    names = next(csv.reader([header], delimiter=separator))
    twice = sorted(column for column, times in Counter(names).items() if times > 1)
    if twice:
        raise DataError(f"{repeated(name)}: duplicate column {shown(twice)} in the header")
    try:
        return pl.read_csv(
            io.BytesIO(content),
            separator=separator,
            infer_schema_length=None,
            null_values=MISSING,
            new_columns=names,  # polars keeps doubled quotes
        )
    except pl.exceptions.PolarsError as error:
        _check_utf8(content, name)
        rows = csv.reader(io.StringIO(content.decode("utf-8", "replace")), delimiter=separator)
        for row in rows:
            if len(row) > len(names):
                raise DataError(
                    f"{repeated(name)}, line {rows.line_num}: {len(row)} fields, but the header "
                    f"has {len(names)}"
                ) from error
        raise


def _check_utf8(content: bytes, name: str) -> None:
    """Say in which line a text has bytes that are not UTF-8."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(f"{repeated(name)}, line {line}: not UTF-8 text", remedy=TO_UTF8) from error


def _unreadable(name: str, error: Exception) -> DataError:
    reason = getattr(error, "strerror", None) or _first_line(error)
    return DataError(f"{repeated(name)} cannot be read: {reason}")


def _first_line(error: Exception) -> str:
    return clipped(str(error).strip().split("\n", 1)[0])
