"""Where results go: the terminal, a pipe or a file."""

from __future__ import annotations

import enum
import errno
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metameasure._text import visible
from metameasure.errors import ParameterError
from metameasure.results import FORMATS, format_of_file
from metameasure.writing import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.console import RenderableType


if TYPE_CHECKING:
    Format = str
else:
    Format = enum.StrEnum("Format", {name: name for name in FORMATS})


def refuse_input_as_output(context: typer.Context, value: Any) -> Any:
    """Refuse to write to the file that is read, whichever of the two is looked at last."""
    files = [context.params.get(name) for name in ("file", "output")]
    known = [Path(file) for file in (*files, value) if file not in {None, "-"}]
    if len(known) == 2 and all(file.exists() for file in known) and known[0].samefile(known[1]):
        raise typer.BadParameter(
            f"{visible(str(known[0]))} is the input, which is never written to: name another file",
            param_hint="--output",
        )
    return value


Written = Annotated[
    Format | None,
    typer.Option("--format", help="Output format."),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="A file to write instead of printing.",
        callback=refuse_input_as_output,
    ),
]


def write(
    forms: Mapping[str, Callable[[], str]],
    rich: Callable[[], RenderableType],
    chosen: str | None,
    file: Path | None,
) -> None:
    """Write one form of a result to a file or to standard output, rich if that is a terminal.

    Without a chosen form a file gets what its name ends in.
    """
    chosen = format_of(chosen, file)
    if file is None and sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    if file is None and chosen == "table" and sys.stdout.isatty():
        from rich.console import Console  # noqa: PLC0415

        Console().print(rich())
        return
    text = forms[chosen]().rstrip("\n") + "\n"
    if file is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    with whole_file(file) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_result(result: Any, form: str | None, file: Path | None) -> None:
    """Write a result in a format, or in that of the file's suffix."""
    write(
        {name: partial(each.write, result) for name, each in FORMATS.items()},
        lambda: result,
        form,
        file,
    )


def format_of(chosen: str | None, file: Path | None) -> str:
    """The format that is asked for, or else that of the file's suffix."""
    if chosen is not None or file is None:
        return chosen or "table"
    try:
        return format_of_file(file).name
    except ParameterError as error:
        raise typer.BadParameter(
            f"cannot infer a format from {file.suffix!r}; use --format", param_hint="--output"
        ) from error


def say(message: str) -> None:
    """Tell the user something that is not part of the result."""
    sys.stderr.write(message + "\n")
