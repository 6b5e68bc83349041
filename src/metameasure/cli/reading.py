"""The options that say what to read, and the predictions that they lead to."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from metameasure.cli.output import say
from metameasure.errors import DataError
from metameasure.evaluation.checks import muted
from metameasure.evaluation.rendering import visible
from metameasure.sources import Columns, choose_columns, open_file, read_frame

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from metameasure.predictions import Predictions

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="CSV, TSV, Parquet, Arrow or JSON lines; - is standard input."
    ),
]
Label = Annotated[str | None, typer.Option(metavar="COL", help="The column of the labels.")]
Scores = Annotated[
    list[str] | None, typer.Option(metavar="COL", help="A column of scores; again for each model.")
]
Weight = Annotated[str | None, typer.Option(metavar="COL", help="The column of the weights.")]
Group = Annotated[
    str | None,
    typer.Option(metavar="COL", help="The groups (queries) of these cases, for means over them."),
]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="COL", help="Cases with the same value here are not independent."),
]
PosLabel = Annotated[str | None, typer.Option(help="The label that is positive.")]
NanPolicy = Annotated[
    str, typer.Option(help="raise: stop at a missing value; drop: leave out its case.")
]
Rescale = Annotated[str | None, typer.Option(help="minmax: map each model's scores to [0, 1].")]
Confidence = Annotated[
    float, typer.Option(help="The confidence of the intervals.", min=0.0, max=1.0)
]
Resamples = Annotated[int, typer.Option(help="How many resamples to draw.", min=1)]
Seed = Annotated[int, typer.Option(help="The seed of the random numbers.", min=0)]
Stratified = Annotated[
    bool, typer.Option("--stratified", help="Keep the number of cases of each class.")
]
Workers = Annotated[
    int | None, typer.Option(help="How many threads work; all cores by default.", min=1)
]
Mute = Annotated[
    list[str] | None,
    typer.Option(metavar="CODE", help="Checks that are not wanted, like MM04 or MM04,MM06."),
]


def read(
    file: str,
    label: str | None,
    score: list[str] | None,
    *,
    weight: str | None = None,
    group: str | None = None,
    cluster: str | None = None,
    pos_label: str | None = None,
    nan_policy: str = "raise",
    rescale: str | None = None,
) -> Predictions:
    """The predictions in a file; says which columns it took if they were not named."""
    frame = open_file(file)
    columns = choose_columns(frame, label, score, weight, group, cluster)
    if label is None or not score:
        scores = ", ".join(map(visible, columns.scores))
        say(f"took {visible(columns.label)} as the label and {scores} as the score")
    return read_frame(
        frame,
        columns,
        pos_label=_typed_label(pos_label, frame, columns),
        nan_policy=one_of(nan_policy, "--nan-policy", ("raise", "drop")),
        rescale=one_of(rescale, "--rescale", (None, "minmax")),
    )


def read_mute(mute: list[str] | None) -> list[str]:
    """The codes of checks that are not wanted."""
    codes = [code.strip() for text in mute or () for code in text.split(",")]
    with as_usage("--mute"):
        muted(codes)
    return codes


@contextmanager
def as_usage(option: str) -> Iterator[None]:
    """What an option may not be is an error in the command, not in the data."""
    try:
        yield
    except DataError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


def one_of(value: Any, option: str, allowed: tuple[Any, ...]) -> Any:
    """The value of an option, if it may have that."""
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
