"""``metameasure lab selection``: how well measures choose among models."""

from __future__ import annotations

from typing import Annotated

import typer

from metameasure.cli import reading
from metameasure.cli.output import write_result
from metameasure.cli.progress import progress_bar
from metameasure.cli.tabling import Output, Written
from metameasure.inference import SEED

JUDGED = ("all", "rest")


def selection(
    file: reading.File,
    label: reading.Label = None,
    score: reading.Scores = None,
    goal: Annotated[
        str, typer.Option(help="The measure that says which model is the best.")
    ] = "auc",
    measures: Annotated[
        str, typer.Option(help="Measures with commas between them, 'default' or 'all'.")
    ] = "default",
    size: Annotated[int, typer.Option(help="How many cases a validation set has.", min=2)] = 100,
    repeats: Annotated[int, typer.Option(help="How many validation sets to draw.", min=10)] = 1000,
    judged_on: Annotated[
        str, typer.Option(help="Take the goal on all cases, or on the rest that was not drawn.")
    ] = "all",
    reference: Annotated[
        str | None, typer.Option(help="Test the others against this measure; the goal, if none.")
    ] = None,
    weight: reading.Weight = None,
    pos_label: reading.PosLabel = None,
    seed: reading.Seed = SEED,
    workers: reading.Workers = None,
    nan_policy: reading.NanPolicy = "raise",
    rescale: reading.Rescale = None,
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """Show how well measures choose among the models of a file from few cases."""
    from metameasure.lab.selection_study import selection_of_predictions  # noqa: PLC0415

    reading.one_of(judged_on, "--judged-on", JUDGED)
    predictions = reading.read(
        file,
        label,
        score,
        weight=weight,
        pos_label=pos_label,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    with progress_bar("drawing validation sets") as progress:
        result = selection_of_predictions(
            predictions,
            goal,
            measures,
            size,
            repeats,
            judged_on=judged_on,  # type: ignore[arg-type]
            reference=reference,
            seed=seed,
            workers=workers,
            progress=progress,
        )
    write_result(result, format, output)
