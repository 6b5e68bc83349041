"""``metameasure measures``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from metameasure.cli.groups import MEASURES
from metameasure.cli.latex_text import readable
from metameasure.cli.output import Output
from metameasure.errors import Argument, ParameterError
from metameasure.measurement import Measure, arrow, direction, family_names, parse, references
from metameasure.measurement import measures as registered
from metameasure.results import Cell, Grid, Result

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


def measures(
    name: Annotated[
        str | None, Parameter(name="NAME", group=MEASURES, help="Measure to show in full.")
    ] = None,
    /,
    *,
    family: Annotated[
        str | None,
        Parameter(choices=family_names(), group=MEASURES, help="Family of the measures to list."),
    ] = None,
    output: Output = Output(),
) -> None:
    """List the measures, or show one in full."""
    chosen = [parse(name)] if name else registered(family, subject="all")
    if name and family not in {None, chosen[0].family}:
        raise ParameterError(
            (Argument("family"), f" must be {chosen[0].family} for {name}, got {family}")
        )
    output.write(OneMeasure(chosen) if name else MeasureList(chosen))


@dataclass(frozen=True)
class Description:
    """The declaration of a measure."""

    name: str
    symbol: str
    family: str
    better: str
    range: str
    meaning: str
    formula: str
    undefined: str
    parameters: tuple[str, ...]
    aliases: tuple[str, ...]
    invariant_to: tuple[str, ...]
    reference: str


class MeasureList(Result):
    """Measures with their declarations, as a list."""

    schema = Description

    def __init__(self, measures: list[Measure]) -> None:
        super().__init__([_described(measure) for measure in measures])
        self.measures = measures

    def lines(self) -> Iterator[tuple[str, str, str, str, str]]:
        """The name, direction, range, family and meaning of each measure."""
        for measure, row in zip(self.measures, self.rows, strict=True):
            yield row.name, arrow(measure.best), row.range, row.family, row.meaning

    def grids(self) -> list[Grid]:
        """One row per measure."""
        rows = [(name, [Cell(text) for text in others]) for name, *others in self.lines()]
        return [Grid(["measure", "better", "range", "family", "meaning"], rows)]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.box import SIMPLE_HEAD  # noqa: PLC0415
        from rich.table import Table  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
        for title in ("name", "", "range", "meaning"):
            table.add_column(title, no_wrap=title != "meaning")
        last = None
        for name, sign, limits, family, meaning in self.lines():
            if family != last:
                table.add_row(Text(family.upper(), style="bold cyan"))
            last = family
            table.add_row(Text(name, style="bold"), sign, Text(limits), Text(meaning))
        yield table


class OneMeasure(MeasureList):
    """A measure with everything that is declared about it."""

    def facts(self) -> list[tuple[str, str]]:
        """The facts about the measure, in the order in which they are shown."""
        (measure,), (row,) = self.measures, self.rows
        facts = [
            ("meaning", row.meaning),
            ("formula", readable(row.formula)),
            ("better", row.better),
            ("range", row.range),
            ("taken at", str(measure.point) if measure.point else ""),
            ("scores", "in [0, 1]" if measure.declaration.unit_scores else "any"),
            ("undefined", f"when {row.undefined}" if row.undefined else "never"),
            ("unchanged by", ", ".join(row.invariant_to) or "nothing"),
            ("family", row.family),
            ("symbol", row.symbol),
            ("also called", ", ".join(row.aliases)),
            ("reference", row.reference),
            *(("parameter", parameter) for parameter in row.parameters),
        ]
        return [(what, fact) for what, fact in facts if fact]

    def grids(self) -> list[Grid]:
        """One row per fact."""
        rows = [(what, [Cell(fact)]) for what, fact in self.facts()]
        return [Grid(["measure", str(self.measures[0])], rows)]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.table import Table  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        grid = Table.grid(padding=(0, 2))
        for what, fact in self.facts():
            grid.add_row(Text(f"  {what}", style="cyan"), Text(fact))
        yield Text(str(self.measures[0]), style="bold")
        yield grid


def _described(measure: Measure) -> Description:
    declared = measure.declaration
    defaults = declared.defaults
    return Description(
        name=declared.name,
        symbol=declared.symbol,
        family=declared.family,
        better=direction(declared.best),
        range=declared.limits,
        meaning=declared.summary,
        formula=declared.formula,
        undefined=declared.undefined or "",
        parameters=tuple(f"{n}={defaults[n]}: {kind}" for n, kind in declared.parameters.items()),
        aliases=tuple(declared.aliases),
        invariant_to=tuple(sorted(declared.invariant_to)),
        reference=" ".join(references().get(key, key) for key in declared.reference_keys),
    )
