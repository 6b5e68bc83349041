"""``metameasure demo``: the main job on data that come with the package."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from metameasure.cli.output import say, write_result
from metameasure.cli.progress import progress_bar
from metameasure.data import read_models
from metameasure.evaluation import Evaluation, compare, evaluate_models
from metameasure.inference import Plan
from metameasure.writing import whole_file

if TYPE_CHECKING:
    import polars as pl


def demo(
    format: Annotated[  # noqa: A002
        str | None, typer.Option("--format", help="How to print the result.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Also write the predictions to this CSV file, to play with.")
    ] = None,
) -> None:
    """Evaluate six models on a real task: is a handwritten digit odd?"""
    from metameasure.lab import advise_models  # noqa: PLC0415

    frame = demo_frame()
    say(
        f"Six models, {frame.height} handwritten digits that they had not seen: is the digit odd?\n"
        "A tree, naive Bayes, logistic regression, nearest neighbours, a forest and boosting."
    )
    columns = [c for c in frame.columns if c != "label"]
    models = read_models(frame, columns, label="label")
    with progress_bar("evaluating") as progress:
        result = evaluate_models(models, "default", Plan(), progress=progress)
    write_result(result, format, None)
    say(_favourites(result))
    if format not in {"json", "csv"}:
        # A program that reads the result expects one document.
        say("Is the difference real? The three best, each pair on the same digits:")
        best = ["knn", "forest", "boosting"]
        compared = compare(frame, best, "auc, accuracy, brier", label="label", mute="many-ties")
        write_result(compared, format, None)
        say("Which measure should have chosen, had there been only a hundred labelled digits?")
        with progress_bar("drawing validation sets") as progress:
            advice = advise_models(models, "auc", [100], repeats=200, noise=(), progress=progress)
        write_result(advice, format, None)
    if save:
        with whole_file(save) as temporary:
            frame.write_csv(temporary)
        say(f"wrote {save}; try: metameasure evaluate {save} --score knn --measures all")


def demo_frame() -> pl.DataFrame:
    """The predictions that come with the package."""
    import polars as pl  # noqa: PLC0415

    with as_file(files("metameasure.cli.commands").joinpath("digits.parquet")) as path:
        return pl.read_parquet(path)


def _favourites(result: Evaluation) -> str:
    """Which model each measure would choose."""
    chosen: dict[str, list[str]] = {}
    for measure in dict.fromkeys(row.measure for row in result.rows):
        rows = [row for row in result.rows if row.measure == measure]
        best = max(rows, key=lambda row: row.measure.goodness(row.value))
        chosen.setdefault(best.model, []).append(str(measure))
    lines = [f"  {model}: {', '.join(names)}" for model, names in chosen.items()]
    return "\n".join(["The measures do not agree on the best model:", *lines])
