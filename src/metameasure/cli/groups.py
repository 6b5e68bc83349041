"""Groups of options, in the order of the help pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, dataclass_transform

from cyclopts import ArgumentCollection, CycloptsError, Group, Parameter

Options = TypeVar("Options")


def _not_overwritten(files: ArgumentCollection) -> None:
    """Refuse to write to a file that is read."""
    given = [Path(str(file.value)) for file in files if file.has_tokens and file.value != "-"]
    try:
        same = len(given) == 2 and given[0].samefile(given[1])
    except OSError:  # there is no such file, or its name is too long, as reading or writing it says
        return
    if same:
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


@dataclass_transform(kw_only_default=True, frozen_default=True)
def options(group: Group) -> Callable[[type[Options]], type[Options]]:
    """A decorator for a class whose fields are options, in this group unless they say another."""

    def declare(declared: type[Options]) -> type[Options]:
        return Parameter(name="*", group=group)(dataclass(frozen=True, kw_only=True)(declared))

    return declare


def arguments(given: object) -> dict[str, Any]:
    """The values of options, as arguments of the function whose names they have.

    A class of options in a field counts as its own fields, but one that reads or writes does not.
    """
    found: dict[str, Any] = {}
    for name, value in vars(given).items():
        if not is_dataclass(value):
            found[name] = value
        elif name not in {"columns", "picture"}:
            found |= arguments(value)
    return found
