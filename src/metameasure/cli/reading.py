"""The options that say what to read, and the predictions that they lead to."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metameasure._text import visible
from metameasure.cli.output import refuse_input_as_output, say
from metameasure.data import LabelText, read_models
from metameasure.errors import DataError, ParameterError
from metameasure.results import muted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from metameasure.data import Models

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="CSV, TSV, Parquet, Arrow or JSON lines; - is standard input.",
        callback=refuse_input_as_output,
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
Classes = Annotated[
    list[str] | None,
    typer.Option("--labels", metavar="CLASS ...", help="The classes, in the order meant."),
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
    int | None,
    typer.Option(help="How many threads or processes work; all cores by default.", min=1),
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
) -> Models:
    """The models in a file; says which columns were inferred."""
    models = read_models(
        file,
        score or None,
        label=label,
        weight=weight,
        group=group,
        cluster=cluster,
        pos_label=None if pos_label is None else LabelText(pos_label),
        nan_policy=one_of(nan_policy, "--nan-policy", ("raise", "drop")),
        rescale=one_of(rescale, "--rescale", (None, "minmax")),
    )
    columns = models.columns
    if columns is not None and (label is None or not score):
        scores = ", ".join(map(visible, columns.scores))
        say(f"took {visible(columns.label)} as the label and {scores} as the score")
    return models


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
    except (DataError, ParameterError) as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


def one_of(value: Any, option: str, allowed: tuple[Any, ...]) -> Any:
    """The value of an option, if it may have that."""
    if value not in allowed:
        words = ", ".join(str(word) for word in allowed if word)
        raise typer.BadParameter(f"{value!r} is not one of {words}", param_hint=option)
    return value


def none_of(given: Mapping[str, Any], where: str) -> None:
    """Refuse options that would do nothing."""
    idle = [option for option, value in given.items() if value is not None]
    if idle:
        raise typer.BadParameter(
            f"{where} it means nothing: leave it out", param_hint=" / ".join(idle)
        )
