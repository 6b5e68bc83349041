"""The base of everything that is returned and shown: rows with a schema, facts and checks."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from metameasure._arguments import Choice, read_argument
from metameasure._text import UNDEFINED, number, storable
from metameasure.results.check import check_lines
from metameasure.results.formats import FORMATS, as_html, format_named, format_of_file
from metameasure.results.labels import plain_labels
from metameasure.results.tables import MOST_SHOWN, Cell, Grid, Page, as_rich
from metameasure.writing import whole_file

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    import polars as pl
    from rich.console import Console, ConsoleOptions, RenderResult

    from metameasure.results.check import Check
    from metameasure.results.verdict import Verdict

KINDS = ("str", "int", "float", "bool")
"""Types of fields whose values stand in records as they are."""


class Result:
    """Rows of one dataclass, whose fields are the schema; facts about them; and checks.

    A subclass declares ``schema`` and, where the rows alone make no good page, ``lead``, ``grids``
    and ``notes``. Everything else is the same for all results: records, data frames, the output
    formats of ``results/formats.py`` as ``to_json()``, ``to_csv()`` and so on, ``save``, and the
    pages in a terminal and a notebook.

    A field of the schema is str, int, float or bool, each perhaps ``| None``; ``Any`` for a label
    of the data, whose kind is found in the data; ``tuple[str, ...]`` for names, which data frames
    join by commas; anything else becomes text, e.g. a measure, which states its parameters.

    Attributes:
        schema: the dataclass of the rows.
        extra: the dataclasses of further tables, each by the name of the attribute with its rows.
        rows: the rows.
        meta: facts about all rows, which JSON can hold.
        checks: warnings about the data and the values.
    """

    schema: ClassVar[type[Any]]
    extra: ClassVar[Mapping[str, type[Any]]] = {}
    rows: tuple[Any, ...]
    meta: dict[str, Any]
    checks: tuple[Check, ...]

    def __init__(
        self,
        rows: Sequence[Any],
        *,
        meta: Mapping[str, Any] | None = None,
        checks: Sequence[Check] = (),
        like: Any = None,
    ) -> None:
        self.rows = tuple(rows)
        self.meta = dict(meta or {})
        self.checks = tuple(checks)
        self._like = like

    def grids(self) -> list[Grid]:
        """The tables for people; by default one with the first rows."""
        return [grid_of(self.schema, self.rows)]

    def lead(self) -> list[str]:
        """The lines above the tables: the answer, if there is one in words."""
        return []

    def notes(self) -> list[str]:
        """The lines below the tables; the checks follow them."""
        return []

    def verdicts(self) -> list[Verdict]:
        """The test cases of a test report (JUnit); none unless the result decides something."""
        return []

    def page(self) -> Page:
        """The tables for people, with the lines above them, and the notes and checks below.

        It shows a bounded number of lines, and says so; data frames, CSV and JSON have all rows.
        """
        notes = [*self.notes(), *check_lines(self.checks)]
        return Page(self.grids(), notes, self.lead()).bounded().visible()

    def records(self, table: str = "rows") -> list[dict[str, Any]]:
        """The rows of a table as dicts."""
        columns, _ = self._columns(table)
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def _columns(self, table: str) -> tuple[dict[str, list[Any]], dict[str, str]]:
        """The columns of a table, and the kind of each."""
        rows, schema = self._table(table)
        columns: dict[str, list[Any]] = {}
        kinds: dict[str, str] = {}
        for field in fields(schema):
            name, kind = field.name, _base(field.type)
            values = [getattr(row, name) for row in rows]
            if kind == "Any":
                values, kind = plain_labels(values)
            elif kind not in KINDS:
                values = [_as_text(value) for value in values]
            columns[name], kinds[name] = values, kind
        return columns, kinds

    def _table(self, name: str) -> tuple[Sequence[Any], type[Any]]:
        """The rows of a table, and their dataclass."""
        read_argument("table", name, Choice(("rows", *self.extra)))
        return getattr(self, name), self.schema if name == "rows" else self.extra[name]

    def to_dict(self) -> dict[str, Any]:
        """The rows, the rows of further tables, the facts and the checks, all by name."""
        tables = {name: self.records(name) for name in ("rows", *self.extra)}
        return {**tables, **self.meta, "checks": [check.record() for check in self.checks]}

    def frame(self, table: str = "rows") -> Any:
        """The rows of a table as a data frame of the kind that came in, else of polars."""
        return self._frame(table, self._like)

    def to_polars(self, table: str = "rows") -> pl.DataFrame:
        """The rows of a table as a polars data frame."""
        frame: pl.DataFrame = self._frame(table, None)
        return frame

    def to_pandas(self, table: str = "rows") -> Any:
        """The rows of a table as a pandas data frame."""
        return self._frame(table, import_module("pandas").DataFrame())

    def _frame(self, table: str, like: Any) -> Any:
        import polars as pl  # noqa: PLC0415

        from metameasure.data import same_kind  # noqa: PLC0415

        types = {"int": pl.Int64(), "float": pl.Float64(), "bool": pl.Boolean()}
        columns, kinds = self._columns(table)
        data = {name: [_in_frame(value) for value in values] for name, values in columns.items()}
        schema = {name: types.get(kind, pl.String()) for name, kind in kinds.items()}
        return same_kind(data, schema, like)

    def to(self, format: str) -> str:  # noqa: A002 - the name of the option
        """The result in an output format, by its name."""
        return format_named(format).write(self)

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> None:  # noqa: A002
        """Write the result to a file, in the format of its suffix unless another is named."""
        chosen = format_of_file(path) if format is None else format_named(format)
        text = chosen.write(self).rstrip("\n") + "\n"
        with whole_file(path) as stream:
            stream.write(text.encode())

    def table(self) -> str:
        """The page as plain text."""
        return self.to("table")

    if TYPE_CHECKING:

        def to_json(self) -> str:
            """The format json."""

        def to_csv(self) -> str:
            """The format csv."""

        def to_spreadsheet(self) -> str:
            """The format spreadsheet."""

        def to_markdown(self) -> str:
            """The format markdown."""

        def to_html(self) -> str:
            """The format html."""

        def to_junit(self) -> str:
            """The format junit."""

        def to_latex(self) -> str:
            """The format latex."""

    else:

        def __getattr__(self, name: str) -> Any:
            form = FORMATS.get(name.removeprefix("to_")) if name.startswith("to_") else None
            if form is None:
                raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
            method = partial(form.write, self)
            method.__doc__ = form.write.__doc__
            return method

        def __dir__(self) -> list[str]:
            return sorted({*super().__dir__(), *(f"to_{name}" for name in FORMATS)})

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.rows)} rows>"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield as_rich(self.page(), options.max_width)

    def _repr_html_(self) -> str:
        return as_html(self.page())


class SingleRow(Result):
    """A result that is a dataclass itself: its only row, with its fields as the schema."""

    def __init_subclass__(cls) -> None:
        cls.schema = cls
        cls.meta, cls.checks, cls._like = {}, (), None

    @property
    def rows(self) -> tuple[Any, ...]:  # type: ignore[override]
        """The result as its only row."""
        return (self,)

    def grids(self) -> list[Grid]:
        """One line per field."""
        body = [
            (field.name.replace("_", " "), [Cell(_cell_text(getattr(self, field.name)))])
            for field in fields(self.schema)
        ]
        return [Grid(["", "value"], body)]


def grid_of(schema: type[Any], rows: Sequence[Any], title: str | None = None) -> Grid:
    """A table with one line per row, up to a maximum, and one column per field."""
    first, *others = (field.name for field in fields(schema))
    body = [
        (_cell_text(getattr(row, first)), [Cell(_cell_text(getattr(row, n))) for n in others])
        for row in rows[:MOST_SHOWN]
    ]
    header = [name.replace("_", " ") for name in (first, *others)]
    caption = f"the first {MOST_SHOWN} of {len(rows)} rows" if len(rows) > MOST_SHOWN else ""
    return Grid(header, body, caption, title)


def _cell_text(value: Any) -> str:
    if value is None:
        return UNDEFINED
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return number(value) if isinstance(value, float) else str(value)


def _base(annotation: Any) -> str:
    """The type of a field without "or None", as text."""
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return text.removesuffix(" | None")


def _as_text(value: Any) -> Any:
    """Names as a list, any other object as text, and None as it is."""
    if value is None:
        return None
    return list(value) if isinstance(value, tuple) else str(getattr(value, "stated", value))


def _in_frame(value: Any) -> Any:
    text = ", ".join(value) if isinstance(value, list) else value
    return storable(text) if isinstance(text, str) else text
