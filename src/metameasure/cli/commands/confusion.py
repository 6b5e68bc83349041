"""``metameasure confusion``."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from metameasure._text import shown
from metameasure.cli import reading
from metameasure.cli.output import Output, Written, format_of, write_result
from metameasure.cli.shared_options import fed_by
from metameasure.data import LabelText, Names, choose_columns, open_file
from metameasure.errors import DataError, UndefinedMeasureWarning
from metameasure.evaluation import By, ConfusionMatrix, cut_measures
from metameasure.measurement import POINT_KEYWORDS
from metameasure.table import Point

if TYPE_CHECKING:
    import polars as pl


Normalize = Annotated[
    str | None, typer.Option(help="Shares of each class: true or predicted; or of all.")
]


def counting(
    file: reading.File,
    label: Annotated[str, typer.Option(metavar="COL", help="The column of the true classes.")],
    predicted: Annotated[
        str | None, typer.Option(metavar="COL", help="The column of the predicted classes.")
    ] = None,
    score: Annotated[
        str | None, typer.Option(metavar="COL", help="Or, of two classes, the column of scores.")
    ] = None,
    weight: reading.Weight = None,
    labels: reading.Classes = None,
    pos_label: reading.PosLabel = None,
    threshold: Annotated[
        str | None, typer.Option(help="Positive is what scores at least this; 0.5 by default.")
    ] = None,
    top: Annotated[str | None, typer.Option(help="Or the share with the highest scores.")] = None,
    k: Annotated[
        str | None, typer.Option("--k", help="Or so many cases; P: the positives.")
    ] = None,
    at_fpr: Annotated[
        str | None, typer.Option(help="Or the cut with this false positive rate.")
    ] = None,
    at_tpr: Annotated[
        str | None, typer.Option(help="Or the cut with this true positive rate.")
    ] = None,
    nan_policy: reading.NanPolicy = "raise",
) -> Callable[[], ConfusionMatrix]:
    """What reads and counts the classes in a file, once all options are known to be right."""
    cuts = dict(zip(POINT_KEYWORDS, (threshold, top, k, at_fpr, at_tpr), strict=True))
    point = _point({name: value for name, value in cuts.items() if value is not None})
    if (predicted is None) == (score is None):
        raise typer.BadParameter(
            "name the column of the predicted classes or that of the scores, one of them",
            param_hint="--predicted / --score",
        )
    if predicted is not None and (point or pos_label is not None):
        raise typer.BadParameter(
            "predicted classes are not cut: an operating point and --pos-label are for --score",
            param_hint="--predicted",
        )
    if score is not None and labels:
        raise typer.BadParameter("it is for --predicted", param_hint="--labels")
    policy = reading.one_of(nan_policy, "--nan-policy", ("raise", "drop"))

    def count() -> ConfusionMatrix:
        across = predicted if score is None else score
        assert across is not None  # noqa: S101 - one of them is given
        frame = _columns(file, label, across, weight)
        called = dict.fromkeys(("y_pred", "y_score"), shown([across]))
        options: dict[str, Any] = {
            "sample_weight": None if weight is None else frame[weight],
            "nan_policy": policy,
            "names": Names(shown([label]), shown([weight]), scores=called),
        }
        if score is None:
            classes = [LabelText(name) for name in labels] if labels else None
            return ConfusionMatrix.of(frame[label], frame[across], labels=classes, **options)
        positive = None if pos_label is None else LabelText(pos_label)
        return ConfusionMatrix.at(
            frame[label], frame[across], pos_label=positive, **point, **options
        )

    return count


@fed_by(counting, "count")
def confusion(
    count: Any,
    measures: Annotated[
        str | None,
        typer.Option(help="Also measures, with commas between them, 'default' or 'all'."),
    ] = None,
    normalize: Normalize = None,
    format: Written = None,  # noqa: A002
    output: Output = None,
) -> None:
    """Count the true and predicted classes in a file; measures of each class on request.

    Give the predicted classes, or the scores of a binary classifier and where to cut them.
    """
    if measures and normalize and format_of(format, output) == "csv":
        raise typer.BadParameter(
            "CSV is one table, of shares or of measures: ask for one of them, or for JSON",
            param_hint="--normalize / --measures",
        )
    chosen = None if measures is None else cut_measures(measures)
    by = read_normalize(normalize)
    matrix = count()
    with warnings.catch_warnings():
        # What is undefined stands below the table.
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        report = matrix.report(normalize=by, measures=chosen)
    write_result(report, format, output)


def read_normalize(normalize: str | None) -> Any:
    """What counts are shown as shares of, if they are."""
    return reading.one_of(normalize, "--normalize", (None, *get_args(By)))


def _point(given: dict[str, str]) -> dict[str, Any]:
    """The operating point as a keyword, if there is one."""
    if len(given) > 1:
        raise typer.BadParameter(
            f"give one operating point, not {len(given)}",
            param_hint=" / ".join(f"--{name.replace('_', '-')}" for name in given),
        )
    return {
        name: Point.read(f"{POINT_KEYWORDS[name]}={value}").value for name, value in given.items()
    }


def _columns(file: str, label: str, across: str, weight: str | None) -> pl.DataFrame:
    """The columns that are needed."""
    import polars as pl  # noqa: PLC0415

    frame = open_file(file)
    columns = choose_columns(frame, label, [across], weight)
    try:
        return frame.select(columns.all).collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"the data cannot be read: {' '.join(str(error).split())}") from error
