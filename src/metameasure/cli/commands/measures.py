"""``metameasure measures``."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from metameasure.cli.latex_text import readable
from metameasure.cli.output import Output, Written, write
from metameasure.measurement import Measure, arrow, direction, parse, references
from metameasure.measurement import measures as registered


def measures(
    name: Annotated[str | None, typer.Argument(help="One measure, to be shown in full.")] = None,
    family: Annotated[str | None, typer.Option(help="Only the measures of this family.")] = None,
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """List the measures, or show one in full."""
    chosen = [parse(name)] if name else registered(family, subject="all")
    if name and family not in {None, chosen[0].family}:
        raise typer.BadParameter(
            f"{name} is of the family {chosen[0].family}", param_hint="--family"
        )
    records = [_record(measure) for measure in chosen]
    forms = {
        "table": lambda: _full(chosen[0]) if name else _text(chosen),
        "json": lambda: json.dumps(records[0] if name else records, indent=2),
        "csv": lambda: _csv(records),
        "markdown": lambda: _markdown(chosen),
    }
    write(forms, lambda: _full_rich(chosen[0]) if name else _rich(chosen), format, output)


def _record(measure: Measure) -> dict[str, Any]:
    declared = measure.declaration
    return {
        "name": declared.name,
        "symbol": declared.symbol,
        "family": declared.family,
        "better": direction(declared.best),
        "range": measure.declaration.limits,
        "meaning": declared.summary,
        "formula": declared.formula,
        "undefined": declared.undefined,
        "parameters": {n: str(kind) for n, kind in declared.parameters.items()},
        "aliases": list(declared.aliases),
        "invariant_to": sorted(declared.invariant_to),
        "reference": references().get(declared.reference, declared.reference),
    }


def _line(measure: Measure) -> tuple[str, str, str, str, str]:
    declared = measure.declaration
    return (
        declared.name,
        arrow(declared.best),
        measure.declaration.limits,
        declared.family,
        declared.summary,
    )


def _text(chosen: list[Measure]) -> str:
    lines = [_line(measure) for measure in chosen]
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    return "\n".join(
        "  ".join(
            [*(text.ljust(width) for text, width in zip(line, widths, strict=False)), line[4]]
        )
        for line in lines
    )


def _rich(chosen: list[Measure]) -> Any:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for title in ("name", "", "range", "meaning"):
        table.add_column(title, no_wrap=title != "meaning")
    family = None
    for name, sign, limits, of, meaning in map(_line, chosen):
        if of != family:
            table.add_row(Text(of.upper(), style="bold cyan"))
            family = of
        table.add_row(Text(name, style="bold"), sign, Text(limits), Text(meaning))
    return table


def _markdown(chosen: list[Measure]) -> str:
    lines = ["| measure | better | range | family | meaning |", "| --- | --- | --- | --- | --- |"]
    lines += [f"| {' | '.join(_line(measure))} |" for measure in chosen]
    return "\n".join(lines)


def _csv(records: list[dict[str, Any]]) -> str:
    import polars as pl  # noqa: PLC0415

    flat = [
        {k: v if isinstance(v, str | None) else json.dumps(v) for k, v in record.items()}
        for record in records
    ]
    return pl.DataFrame(flat, infer_schema_length=None).write_csv()


def _facts(measure: Measure) -> list[tuple[str, str]]:
    """What there is to say about a measure, in the order in which it is said."""
    declared = measure.declaration
    facts = [
        ("meaning", declared.summary),
        ("formula", readable(declared.formula)),
        ("better", direction(declared.best)),
        ("range", declared.limits),
        ("taken at", str(measure.point) if measure.point else ""),
        ("scores", "in [0, 1]" if declared.unit_scores else "any"),
        ("undefined", f"when {declared.undefined}" if declared.undefined else "never"),
        ("unchanged by", ", ".join(sorted(declared.invariant_to)) or "nothing"),
        ("family", declared.family),
        ("symbol", declared.symbol),
        ("also called", ", ".join(declared.aliases)),
        ("reference", references().get(declared.reference, declared.reference)),
    ]
    defaults = declared.defaults
    facts += [("parameter", f"{n}={defaults[n]}: {k}") for n, k in declared.parameters.items()]
    return [(what, fact) for what, fact in facts if fact]


def _full(measure: Measure) -> str:
    facts = _facts(measure)
    width = max(len(what) for what, _ in facts)
    return "\n".join([str(measure), *(f"  {what.ljust(width)}  {fact}" for what, fact in facts)])


def _full_rich(measure: Measure) -> Any:
    from rich.console import Group  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    grid = Table.grid(padding=(0, 2))
    for what, fact in _facts(measure):
        grid.add_row(Text(f"  {what}", style="cyan"), Text(fact))
    return Group(Text(str(measure), style="bold"), grid)
