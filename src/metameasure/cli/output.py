"""Where results go: the terminal, a pipe or a file."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from metameasure._text import shown
from metameasure.cli.groups import FILES, OUTPUT, options
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.results import FORMATS, Format, format_named, format_of_file
from metameasure.writing import whole_file

NARROWEST = 20
"""Width of a terminal below which lines are left to it, since columns would lose their numbers."""


def format_option() -> Parameter:
    """The option ``--format`` with all formats that are registered when it is asked for."""
    return Parameter(
        choices=tuple(FORMATS), group=OUTPUT,
        help="Output format (default: from the suffix of --output).",
    )  # fmt: skip


ShowProgress = Annotated[
    bool,
    Parameter(
        negative="--no-progress", group=OUTPUT, show_default=False,
        help="Show the progress of work of more than two seconds on standard error (default).",
    ),
]  # fmt: skip


@options(OUTPUT)
class Output:
    """Where and how a result is written."""

    format: Annotated[str | None, format_option()] = None
    output: Annotated[
        Path | None,
        Parameter(
            alias="-o", metavar="FILE", group=(OUTPUT, FILES),
            help="File to write instead of printing.",
        ),
    ] = None  # fmt: skip
    csv_safe: Annotated[
        bool, Parameter(help="Guard names in CSV that spreadsheet programs take as formulas.")
    ] = False

    def __post_init__(self) -> None:
        self.chosen  # noqa: B018 - refuse an unknown suffix before any work

    @property
    def chosen(self) -> Format:
        """The format that is written; guarded CSV is that for spreadsheet programs."""
        named, guarded = self._named, format_named("spreadsheet")
        if not self.csv_safe:
            return named
        if named.name not in {"csv", guarded.name}:
            raise ParameterError(
                (Argument("csv_safe"), f" applies to CSV only, and the format is {named.name}"),
                remedy=("use ", Argument("format", "csv")),
            )
        return guarded

    @property
    def _named(self) -> Format:
        """The format, chosen or inferred from the suffix of the file."""
        if self.format is not None or self.output is None:
            return format_named(self.format or "table")
        try:
            return format_of_file(self.output)
        except (DataError, ParameterError):
            raise ParameterError(
                f"cannot infer a format from {shown([self.output.suffix])}",
                remedy=("use ", Argument("format")),
                argument="output",
            ) from None

    def comment(self, message: str) -> None:
        """Write a text about results beside them, or to standard error if it cannot be there."""
        if self.output is None and self.chosen.kind == "text" and sys.stdout is not None:
            sys.stdout.write(message + "\n")
        else:
            say(message)

    def write(self, result: Any) -> None:
        """Write a result to the file or to standard output, rich in a terminal."""
        if self.output is None and sys.stdout is None:
            raise OSError(errno.EBADF, "standard output is closed")
        form = self.chosen
        if self.output is None and form.name == "table" and sys.stdout.isatty():
            from rich.console import Console  # noqa: PLC0415

            console = Console()
            if console.width < NARROWEST:
                console = Console(width=NARROWEST)
            console.print(result)
            return
        text = (str(result) if form.name == "table" else form.write(result)).rstrip("\n") + "\n"
        if self.output is None:
            sys.stdout.write(text)
            sys.stdout.flush()
            return
        with whole_file(self.output) as stream:
            stream.write(text.encode())


@options(OUTPUT)
class StudyOutput(Output):
    """Where and how a result is written that may take long."""

    progress: ShowProgress = True


def say(message: str) -> None:
    """Write a message that is not part of the result to standard error, if it is open."""
    if sys.stderr is not None:
        sys.stderr.write(message + "\n")
