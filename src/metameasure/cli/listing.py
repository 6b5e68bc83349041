"""``metameasure measures``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from metameasure.cli.formula import readable
from metameasure.cli.output import Format, write
from metameasure.evaluation.display import arrow
from metameasure.registry import Measure, direction, parse, references
from metameasure.registry import measures as registered


def measures(
    name: Annotated[str | None, typer.Argument(help="One measure, to be shown in full.")] = None,
    family: Annotated[str | None, typer.Option(help="Only the measures of this family.")] = None,
    format: Annotated[  # noqa: A002
        Format | None, typer.Option("--format", help="How to print or write the list.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file to write instead of printing.")
    ] = None,
) -> None:
    """List the measures, or show one in full."""
    chosen = [parse(name)] if name else registered(family)
    records = [_record(measure) for measure in chosen]
    forms = {
        Format.table: lambda: _full(chosen[0]) if name else _text(chosen),
        Format.json: lambda: json.dumps(
            records[0] if name else records, indent=2, ensure_ascii=False
        ),
        Format.csv: lambda: _csv(records),
        Format.markdown: lambda: _markdown(chosen),
    }
    write(forms, lambda: _full(chosen[0]) if name else _rich(chosen), format, output)


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

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for title in ("name", "", "range", "family", "meaning"):
        table.add_column(title, no_wrap=title != "meaning")
    for line in map(_line, chosen):
        table.add_row(
            *(Text(text, style="bold" if not place else "") for place, text in enumerate(line))
        )
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


def _full(measure: Measure) -> str:
    declared = measure.declaration
    facts = {
        "meaning": declared.summary,
        "formula": readable(declared.formula),
        "better": direction(declared.best),
        "range": measure.declaration.limits,
        "taken at": str(measure.point) if measure.point else None,
        "scores": "in [0, 1]" if declared.unit_scores else "any",
        "undefined": f"when {declared.undefined}" if declared.undefined else "never",
        "unchanged by": ", ".join(sorted(declared.invariant_to)) or "nothing",
        "family": declared.family,
        "symbol": declared.symbol,
        "also called": ", ".join(declared.aliases),
        "reference": references().get(declared.reference, declared.reference),
    }
    width = max(map(len, facts))
    lines = [str(measure)]
    lines += [f"  {what.ljust(width)}  {fact}" for what, fact in facts.items() if fact]
    for name, kind in declared.parameters.items():
        lines.append(f"  {'parameter'.ljust(width)}  {name}={declared.defaults[name]}: {kind}")
    return "\n".join(lines)
