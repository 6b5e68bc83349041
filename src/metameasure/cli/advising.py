"""``metameasure advise``: which measure should choose your model?"""

from __future__ import annotations

from typing import Annotated

import typer

from metameasure.cli import reading
from metameasure.cli.output import write_result
from metameasure.cli.progress import progress_bar
from metameasure.cli.tabling import Output, Written
from metameasure.inference import SEED


def advise(
    file: reading.File,
    label: reading.Label = None,
    score: reading.Scores = None,
    goal: Annotated[
        str, typer.Option(help="What finally counts: a measure, like auc or expected_cost(c=0.2).")
    ] = "auc",
    size: Annotated[
        list[int] | None,
        typer.Option(help="How many validation cases you can afford; again for each.", min=2),
    ] = None,
    measures: Annotated[
        str, typer.Option(help="Measures with commas between them, 'default' or 'all'.")
    ] = "default",
    repeats: Annotated[
        int, typer.Option(help="How many validation sets of each size to draw.", min=10)
    ] = 500,
    noise: Annotated[
        list[float] | None,
        typer.Option(help="A share of wrong labels to try beside none; again for each."),
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
    """Advise which measure should choose among models when validation cases are few."""
    from metameasure.lab.advice import NOISE, SIZES, advise_predictions  # noqa: PLC0415

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
        result = advise_predictions(
            predictions,
            goal,
            size or SIZES,
            measures,
            repeats=repeats,
            noise=NOISE if noise is None else noise,
            seed=seed,
            workers=workers,
            progress=progress,
        )
    write_result(result, format, output)
