"""Groups of options, in the order of the help pages."""

from __future__ import annotations

from pathlib import Path

from cyclopts import ArgumentCollection, CycloptsError, Group


def _not_overwritten(files: ArgumentCollection) -> None:
    """Refuse to write to a file that is read."""
    given = [Path(str(file.value)) for file in files if file.has_tokens and file.value != "-"]
    if len(given) == 2 and all(file.exists() for file in given) and given[0].samefile(given[1]):
        raise CycloptsError(
            msg=f"--output is the input {given[0]}, which is never written to; choose another file"
        )


INPUT = Group("Input", sort_key=1)
MEASURES = Group("Measures", sort_key=2)
GOAL = Group("Operating point", sort_key=3)
STUDY = Group("Study", sort_key=4)
PICTURE = Group("Picture", sort_key=5)
UNCERTAINTY = Group("Uncertainty", sort_key=6)
OUTPUT = Group("Output", sort_key=7)
FILES = Group(validator=_not_overwritten)
"""The files that are read and written, which must differ."""
