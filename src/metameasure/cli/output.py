"""Where results go: the terminal, a pipe or a file."""

from __future__ import annotations

import enum
import errno
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from metameasure._text import visible
from metameasure.writing import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult


class Result(Protocol):
    """What can be written in any form."""

    def table(self) -> str:
        """For people."""

    def to_markdown(self) -> str:
        """In Markdown."""

    def to_json(self) -> str:
        """As JSON."""

    def frame(self) -> Any:
        """As a tidy frame."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """For a terminal."""


class Format(enum.StrEnum):
    """How a result is written."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"


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
    Format | None, typer.Option("--format", help="How to print or write the result.")
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
_SUFFIXES = {
    ".json": Format.json,
    ".csv": Format.csv,
    ".md": Format.markdown,
    ".txt": Format.table,
    "": Format.table,
}


def write(
    forms: Mapping[Format, Callable[[], str]],
    rich: Callable[[], RenderableType],
    chosen: Format | None,
    file: Path | None,
) -> None:
    """Write one form of a result to a file or to standard output, rich if that is a terminal.

    Without a chosen form a file gets what its name ends in.
    """
    chosen = format_of(chosen, file)
    if file is None and sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    if file is None and chosen == Format.table and sys.stdout.isatty():
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


def write_result(result: Result, form: Format | None, file: Path | None) -> None:
    """Write a result in the form that is asked for."""
    forms = {
        Format.table: result.table,
        Format.json: result.to_json,
        Format.csv: lambda: str(result.frame().write_csv()),
        Format.markdown: result.to_markdown,
    }
    write(forms, lambda: result, form, file)


def format_of(chosen: Format | None, file: Path | None) -> Format:
    """The form that is asked for, or else that which the name of a file asks for."""
    if chosen is not None or file is None:
        return chosen or Format.table
    suffix = file.suffix.lower()
    if suffix not in _SUFFIXES:
        raise typer.BadParameter(
            f"what to write to a file that ends in {suffix!r} is not known: say it with --format",
            param_hint="--output",
        )
    return _SUFFIXES[suffix]


def say(message: str) -> None:
    """Tell the user something that is not part of the result."""
    sys.stderr.write(message + "\n")
