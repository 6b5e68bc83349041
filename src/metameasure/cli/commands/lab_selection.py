"""``metameasure lab selection``: how well measures choose among models."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from metameasure.cli import reading
from metameasure.cli.output import Output, Written, write_result
from metameasure.cli.progress import progress_bar
from metameasure.cli.shared_options import fed_by
from metameasure.cli.study_options import Measures, columns, drawing
from metameasure.inference import portion

JUDGED = ("all", "rest")


@fed_by(drawing, "drawing")
@fed_by(columns, "columns")
def selection_study(
    columns: Any,
    goal: Annotated[
        str, typer.Option(help="The measure that says which model is the best.")
    ] = "auc",
    measures: Measures = "default",
    size: Annotated[int, typer.Option(help="How many cases a validation set has.", min=2)] = 100,
    repeats: Annotated[int, typer.Option(help="How many validation sets to draw.", min=10)] = 1000,
    judged_on: Annotated[
        str, typer.Option(help="Take the goal on all cases, or on the rest that was not drawn.")
    ] = "all",
    reference: Annotated[
        str | None, typer.Option(help="Test the others against this measure; the goal, if none.")
    ] = None,
    *,
    drawing: Any,
) -> Any:
    """How well measures choose, as the options ask for it; a list if there are several sizes."""
    from metameasure.lab import selection_of  # noqa: PLC0415

    reading.one_of(judged_on, "--judged-on", JUDGED)
    models = drawing.read(columns)
    sizes = size if isinstance(size, list) else [size]
    with progress_bar("drawing validation sets") as progress:
        found = [
            selection_of(
                models,
                goal,
                measures,
                one,
                repeats,
                judged_on=judged_on,  # type: ignore[arg-type]
                reference=reference,
                seed=drawing.seed,
                workers=drawing.workers,
                progress=portion(progress, place, len(sizes)),
            )
            for place, one in enumerate(sizes)
        ]
    return found if isinstance(size, list) else found[0]


@fed_by(selection_study, "result")
def selection(
    result: Any,
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """Show how well measures choose among the models of a file from few cases."""
    write_result(result, format, output)
