"""``metameasure lab power``: how well measures tell two classes from one."""

from __future__ import annotations

from typing import Annotated

import typer

from metameasure.cli import reading
from metameasure.cli.output import Output, Written, write_result
from metameasure.cli.progress import progress_bar

SIDES = ("two-sided", "greater", "less")


def power(
    measures: Annotated[
        str, typer.Argument(metavar="MEASURES", help="Measures with commas between them.")
    ] = "auc, scored_auc, ks, h_measure",
    alternative: Annotated[
        list[str] | None,
        typer.Option(help="How the classes differ, as location(0.5), scale(2) or mixture(0.3, 1)."),
    ] = None,
    positives: Annotated[
        list[int] | None, typer.Option(help="How many positives; again for each size.", min=1)
    ] = None,
    negatives: Annotated[
        list[int] | None, typer.Option(help="How many negatives; again for each size.", min=1)
    ] = None,
    side: Annotated[str, typer.Option(help="One of " + ", ".join(SIDES) + ".")] = SIDES[0],
    level: Annotated[float, typer.Option(help="The level of the tests.")] = 0.05,
    repeats: Annotated[int, typer.Option(help="How many data sets.", min=1)] = 2000,
    permutations: Annotated[int, typer.Option(help="How often labels are dealt out.", min=1)] = 999,
    ci: reading.Confidence = 0.95,
    seed: reading.Seed = 1,
    workers: reading.Workers = None,
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """Show the power of measures as tests of whether both classes have the same scores."""
    from metameasure import lab  # noqa: PLC0415

    reading.one_of(side, "--side", SIDES)
    with reading.as_usage("--alternative"):
        differences = [lab.parse_alternative(text) for text in alternative or ["location(0.8)"]]
    with progress_bar("testing") as progress:
        result = lab.power(
            measures,
            differences,
            positives or [25],
            negatives or positives or [25],
            side=side,  # type: ignore[arg-type]
            level=level,
            repeats=repeats,
            permutations=permutations,
            ci=ci,
            seed=seed,
            workers=workers,
            progress=progress,
        )
    write_result(result, format, output)
