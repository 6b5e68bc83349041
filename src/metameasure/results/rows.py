"""Results that are rows of one kind, as records and frames; and how their options are read."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from metameasure.results.formats import as_html, as_markdown
from metameasure.results.frames import tidy_frame
from metameasure.results.tables import as_rich, as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console, ConsoleOptions, RenderResult

    from metameasure.results.tables import Page


class Printed(ABC):
    """A result that is not yet a Result."""

    @abstractmethod
    def page(self) -> Page:
        """The tables and notes for people."""

    def table(self) -> str:
        """The page as plain text."""
        return as_text(self.page())

    def to_markdown(self) -> str:
        """The page in Markdown."""
        return as_markdown(self.page())

    def to_dict(self) -> dict[str, Any]:
        """What JSON has."""
        content: dict[str, Any] = json.loads(self.to_json())  # type: ignore[attr-defined]
        return content

    def to_polars(self) -> Any:
        """The rows as a data frame."""
        return self.frame()  # type: ignore[attr-defined]

    def __str__(self) -> str:
        return self.table()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield as_rich(self.page(), options.max_width)

    def _repr_html_(self) -> str:
        return as_html(self.page())


class Listed(Printed):
    """A result that has rows, all of the dataclass ``kind``."""

    kind: type[Any]

    def __init__(self, rows: Sequence[Any], like: Any = None) -> None:
        self.rows = tuple(rows)
        self._like = like

    def records(self) -> list[dict[str, Any]]:
        """The rows as dicts."""
        return [asdict(row) for row in self.rows]

    def frame(self) -> Any:
        """A tidy frame: of the kind that came in, else of polars."""
        return frame_of(self.kind, self.rows, self._like)

    @abstractmethod
    def to_json(self) -> str:
        """JSON with the rows, and with what else there is to say."""


def frame_of(kind: type[Any], rows: Sequence[Any], like: Any) -> Any:
    """A tidy frame of rows of one dataclass."""
    import polars as pl  # noqa: PLC0415

    # A whole number that may be missing is a float, since not every kind of frame has another.
    types = {"str": pl.String(), "str | None": pl.String(), "int": pl.Int64()}
    kinds = {field.name: types.get(str(field.type), pl.Float64()) for field in fields(kind)}
    return tidy_frame([asdict(row) for row in rows], kinds, like)
