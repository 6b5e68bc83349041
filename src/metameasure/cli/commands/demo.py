"""``metameasure demo``."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
from cyclopts import Parameter

import metameasure as mm
from metameasure._text import repeated, shown
from metameasure.cli.groups import OUTPUT
from metameasure.cli.output import StudyOutput, say
from metameasure.data import read_models
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.evaluation import Evaluation
from metameasure.measurement import is_best
from metameasure.writing import whole_file

if TYPE_CHECKING:
    import polars as pl


def demo(
    *,
    output: StudyOutput = StudyOutput(),
    save: Annotated[
        Path | None,
        Parameter(group=OUTPUT, metavar="FILE", help="CSV file to write the predictions to."),
    ] = None,
) -> None:
    """Evaluate six models on a real task: is a handwritten digit odd?"""
    if save and (save.is_dir() or not save.absolute().parent.is_dir()):
        problem = f"{repeated(save)} cannot be written: name a file in a folder that exists"
        raise DataError(problem)
    if save and save.suffix != ".csv":
        raise ParameterError((Argument("save"), f" must be a .csv file, got {shown([str(save)])}"))
    frame = _digits()
    output.comment(
        f"Six models, {frame.height} handwritten digits that they had not seen: is the digit odd?\n"
        "A tree, naive Bayes, logistic regression, nearest neighbors, a forest and boosting."
    )
    columns = [c for c in frame.columns if c != "label"]
    models = read_models(frame, columns, label="label")
    result = mm.evaluate(models, progress=output.progress)
    output.write(result)
    output.comment(_favorites(result))
    if output.chosen.kind == "text" and output.output is None:
        output.comment(
            "Are the differences significant? The three best models, each pair on the same digits:"
        )
        best = ["knn", "forest", "boosting"]
        compared = mm.compare(frame, best, "auc, accuracy, brier", label="label", mute="many-ties")
        output.write(compared)
        output.comment("Which measure should choose if there are only a hundred labeled digits?")
        # Other processes would need more time and memory to begin than this small study.
        advice = mm.advise(
            models, goal="auc", sizes=100, noise=(), workers=1, progress=output.progress
        )
        output.write(advice)
    if save:
        with whole_file(save) as stream:
            frame.write_csv(stream)
        name = repeated(save)
        say(f"wrote {name}; try: metameasure evaluate {name} --score knn --measures all")


def _digits() -> pl.DataFrame:
    """The predictions that come with the package."""
    import polars as pl  # noqa: PLC0415

    with as_file(files("metameasure.cli.commands").joinpath("digits.parquet")) as path:
        return pl.read_parquet(path)


def _favorites(result: Evaluation) -> str:
    """The model that each measure prefers, or those that tie for it."""
    chosen: dict[str, list[str]] = {}
    for measure in dict.fromkeys(row.measure for row in result.rows):
        rows = [row for row in result.rows if row.measure == measure]
        best = is_best(measure.goodness(np.array([row.value for row in rows])))
        names = ", ".join(row.model for row, top in zip(rows, best, strict=True) if top)
        chosen.setdefault(names, []).append(str(measure))
    lines = [f"  {models}: {', '.join(names)}" for models, names in chosen.items()]
    return "\n".join(["The measures do not agree on the best model:", *lines])
