"""``metameasure evaluate``."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from metameasure.cli.output import Format, say, write
from metameasure.errors import DataError, UndefinedMeasureWarning
from metameasure.evaluation import Evaluation, evaluate_predictions
from metameasure.evaluation.display import as_rich, visible
from metameasure.registry import parse_list
from metameasure.sources import Columns, choose_columns, open_file, read_frame

if TYPE_CHECKING:
    import polars as pl


def evaluate(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="CSV, TSV, Parquet, Arrow or JSON lines; - is standard input."
        ),
    ],
    label: Annotated[
        str | None, typer.Option(metavar="COL", help="The column of the labels.")
    ] = None,
    score: Annotated[
        list[str] | None,
        typer.Option(metavar="COL", help="A column of scores; again for each model."),
    ] = None,
    weight: Annotated[
        str | None, typer.Option(metavar="COL", help="The column of the weights.")
    ] = None,
    group: Annotated[
        str | None, typer.Option(metavar="COL", help="Evaluate each value of this column.")
    ] = None,
    pos_label: Annotated[str | None, typer.Option(help="The label that is positive.")] = None,
    measures: Annotated[
        str, typer.Option(help="Measures with commas between them, 'default' or 'all'.")
    ] = "default",
    nan_policy: Annotated[
        str, typer.Option(help="raise: stop at a missing value; drop: leave out its case.")
    ] = "raise",
    rescale: Annotated[
        str | None, typer.Option(help="minmax: map each model's scores to [0, 1].")
    ] = None,
    format: Annotated[  # noqa: A002
        Format | None, typer.Option("--format", help="How to print or write the result.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file to write instead of printing.")
    ] = None,
) -> None:
    """Evaluate the predictions in a file: every measure of every model, from one sort each.

    Without --label or --score the column is found if only one can be it.
    """
    if measures not in {"default", "all"}:
        parse_list(measures)
    frame = open_file(file)
    columns = choose_columns(frame, label, score, weight, group)
    if label is None or not score:
        scores = ", ".join(map(visible, columns.scores))
        say(f"took {visible(columns.label)} as the label and {scores} as the score")
    predictions = read_frame(
        frame,
        columns,
        pos_label=_typed_label(pos_label, frame, columns),
        nan_policy=_one_of(nan_policy, "--nan-policy", ("raise", "drop")),
        rescale=_one_of(rescale, "--rescale", (None, "minmax")),
    )
    with warnings.catch_warnings():
        # What is undefined stands below the table.
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        result = evaluate_predictions(predictions, measures)
    write_evaluation(result, format, output)


def write_evaluation(result: Evaluation, form: Format | None, file: Path | None) -> None:
    """Print or write an evaluation."""
    forms = {
        Format.table: result.table,
        Format.json: result.to_json,
        Format.csv: lambda: result.frame().write_csv(),
        Format.markdown: result.to_markdown,
    }
    write(forms, lambda: as_rich(result), form, file)


def _one_of(value: Any, option: str, allowed: tuple[Any, ...]) -> Any:
    if value not in allowed:
        words = ", ".join(str(word) for word in allowed if word)
        raise typer.BadParameter(f"{value!r} is not one of {words}", param_hint=option)
    return value


def _typed_label(text: str | None, frame: pl.LazyFrame, columns: Columns) -> Any:
    """The positive label, given as text, as a value of the label column."""
    if text is None:
        return None
    kind = frame.collect_schema()[columns.label]
    truths: dict[str, Literal[True, False]] = {"true": True, "1": True, "false": False, "0": False}
    try:
        if kind.is_numeric():
            return int(text) if kind.is_integer() else float(text)
        return truths[text.lower()] if str(kind) == "Boolean" else text
    except (ValueError, KeyError):
        raise DataError(
            f"--pos-label {text!r}: the labels in {visible(columns.label)} are {kind} values"
        ) from None
