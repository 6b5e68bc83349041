"""Finished cells of a run, on disk, so that a run that was stopped goes on where it was.

A line per cell is appended as the cell ends. A line that was cut when a run was killed is ignored,
and its cell runs again.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from metameasure._text import repeated
from metameasure.errors import DataError
from metameasure.experiments.declaration import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


def digest(identity: Mapping[str, Any]) -> str:
    """The hash of what a cell is: its item, parameters, data, seed and version."""
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class CellStore:
    """The finished cells in a file, by hash."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._found: dict[str, list[Value]] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text("utf-8", errors="replace") if path.exists() else ""
        except OSError as error:
            problem = f"{repeated(path)} cannot be used: {error.strerror or error}"
            raise DataError(problem) from error
        for line in text.splitlines():
            try:
                cell = json.loads(line)
                self._found[cell["cell"]] = [Value(*each) for each in cell["values"]]
            except (ValueError, KeyError, TypeError):
                continue
        self._torn = bool(text) and not text.endswith("\n")

    def __contains__(self, cell: str) -> bool:
        return cell in self._found

    def __getitem__(self, cell: str) -> list[Value]:
        return self._found[cell]

    def add(self, cell: str, values: Iterable[Value]) -> None:
        """Keep the values of a cell that has ended."""
        kept = list(values)
        record = {"cell": cell, "values": [astuple(value) for value in kept]}
        line = "\n" * self._torn + json.dumps(record) + "\n"
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
            try:
                os.write(file, line.encode())  # in one piece, so that two runs do not mix lines
                os.fsync(file)
            finally:
                os.close(file)
        except OSError as error:
            problem = f"{repeated(self.path)} cannot be written: {error.strerror}"
            raise DataError(problem) from error
        self._torn = False
        self._found[cell] = kept
