"""``metameasure advise``: which measure should choose your model?"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from metameasure.cli.output import Output, Written, write_result
from metameasure.cli.progress import progress_bar
from metameasure.cli.shared_options import fed_by
from metameasure.cli.study_options import Measures, columns, drawing


@fed_by(drawing, "drawing")
@fed_by(columns, "columns")
def advice_study(
    columns: Any,
    goal: Annotated[
        str, typer.Option(help="What finally counts: a measure, like auc or expected_cost(c=0.2).")
    ] = "auc",
    size: Annotated[
        list[int] | None,
        typer.Option(help="How many validation cases you can afford; again for each.", min=2),
    ] = None,
    measures: Measures = "default",
    repeats: Annotated[
        int, typer.Option(help="How many validation sets of each size to draw.", min=10)
    ] = 500,
    noise: Annotated[
        list[float] | None,
        typer.Option(help="A share of wrong labels to try beside none; again for each."),
    ] = None,
    *,
    drawing: Any,
) -> Any:
    """Which measure should choose among models, as the options ask for it."""
    from metameasure.lab import NOISE, SIZES, advise_models  # noqa: PLC0415

    models = drawing.read(columns)
    with progress_bar("drawing validation sets") as progress:
        return advise_models(
            models,
            goal,
            size or SIZES,
            measures,
            repeats=repeats,
            noise=NOISE if noise is None else noise,
            seed=drawing.seed,
            workers=drawing.workers,
            progress=progress,
        )


@fed_by(advice_study, "result")
def advise(
    result: Any,
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """Advise which measure should choose among models when validation cases are few."""
    write_result(result, format, output)
