"""``metameasure confusion``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from metameasure._text import shown
from metameasure.cli.groups import GOAL, MEASURES
from metameasure.cli.options import (
    COLUMN,
    Classes,
    File,
    Missing,
    PosLabel,
    Score,
    Weight,
    any_of,
    refuse_unused,
)
from metameasure.cli.output import Output
from metameasure.data import LabelText, Names
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.evaluation import By, ConfusionMatrix, cut_measures
from metameasure.measurement import POINT_KEYWORDS
from metameasure.table import Point

if TYPE_CHECKING:
    import polars as pl

Normalize = Annotated[
    By | None, Parameter(group=MEASURES, help="Show fractions: of each class, or of all cases.")
]


@Parameter(name="*", group=GOAL)
@dataclass(frozen=True, kw_only=True)
class Counting:
    """Columns of true and predicted classes, or of scores and an operating point."""

    label: Annotated[str, COLUMN, Parameter(alias="-l", help="Column of the true classes.")]
    predicted: Annotated[str | None, COLUMN, Parameter(help="Column of the predicted classes.")] = (
        None
    )
    score: Score = None
    weight: Weight = None
    labels: Classes = None
    pos_label: PosLabel = None
    nan_policy: Missing = "raise"
    threshold: Annotated[
        str | None,
        Parameter(
            metavar="SCORE", show_default="0.5", help="Positive if the score is at least this."
        ),
    ] = None
    top: Annotated[
        str | None,
        Parameter(metavar="FRACTION", help="Fraction of cases, highest scores first, e.g. 10%."),
    ] = None
    k: Annotated[
        str | None,
        Parameter(metavar="NUMBER", help="Number of cases, highest scores first; P: of positives."),
    ] = None
    at_fpr: Annotated[str | None, Parameter(metavar="RATE", help="False positive rate.")] = None
    at_tpr: Annotated[str | None, Parameter(metavar="RATE", help="True positive rate.")] = None

    def check(self) -> dict[str, Any]:
        """The operating point as a keyword; refuses options that do not go together."""
        point = {
            name: value for name in POINT_KEYWORDS if (value := getattr(self, name)) is not None
        }
        if len(point) > 1:
            raise ParameterError(("choose one of ", *any_of(point)))
        if (self.predicted is None) == (self.score is None):
            raise ParameterError(("pass either ", Argument("predicted"), " or ", Argument("score")))
        if self.score is None:
            refuse_unused(self, (*point, "pos_label"), "with ", Argument("predicted"))
        else:
            refuse_unused(self, ("labels",), "with ", Argument("score"))
        return {
            name: Point.read(f"{POINT_KEYWORDS[name]}={value}").value
            for name, value in point.items()
        }

    def count(self, file: str) -> ConfusionMatrix:
        """The confusion matrix of a file."""
        point = self.check()
        across = str(self.predicted if self.score is None else self.score)
        frame = self._frame(file, across)
        called = dict.fromkeys(("y_pred", "y_score"), shown([across]))
        options: dict[str, Any] = {
            "sample_weight": None if self.weight is None else frame[self.weight],
            "nan_policy": self.nan_policy,
            "names": Names(shown([self.label]), shown([self.weight]), scores=called),
        }
        truth, found = frame[self.label], frame[across]
        if self.score is None:
            classes = [LabelText(name) for name in self.labels] if self.labels else None
            return ConfusionMatrix.of(truth, found, labels=classes, **options)
        positive = None if self.pos_label is None else LabelText(self.pos_label)
        return ConfusionMatrix.at(truth, found, pos_label=positive, **point, **options)

    def _frame(self, file: str, across: str) -> pl.DataFrame:
        """The columns that are needed."""
        import polars as pl  # noqa: PLC0415

        from metameasure.data import choose_columns, open_file  # noqa: PLC0415

        frame = open_file(file)
        columns = choose_columns(frame, self.label, [across], self.weight)
        try:
            return frame.select(columns.all).collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise DataError(f"the data cannot be read: {' '.join(str(error).split())}") from error


def confusion(
    file: File,
    /,
    *,
    counting: Counting,
    measures: Annotated[
        str | None,
        Parameter(
            group=MEASURES, metavar="MEASURE",
            help="Also show these comma-separated measures, default or all.",
        ),
    ] = None,
    normalize: Normalize = None,
    output: Output = Output(),
) -> None:  # fmt: skip
    """Count the true and predicted classes in a file; measures of each class on request.

    Pass the predicted classes, or the scores of a binary classifier and an operating point.
    """
    if measures and normalize and output.chosen == "csv":
        raise ParameterError(
            (
                Argument("normalize"),
                " and ",
                Argument("measures"),
                " do not fit into one CSV table",
            ),
            remedy=("choose one of them, or ", Argument("format", "json")),
        )
    chosen = None if measures is None else cut_measures(measures)
    counting.check()
    matrix = counting.count(file)
    output.write(matrix.report(normalize=normalize, measures=chosen))
