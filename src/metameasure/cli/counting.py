"""The options with which true and predicted classes are counted."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from metameasure.cli.groups import GOAL, MEASURES, options
from metameasure.cli.options import (
    COLUMN,
    Classes,
    Missing,
    PosLabel,
    Score,
    Weight,
    any_of,
    refuse_unused,
)
from metameasure.data import LabelText
from metameasure.errors import Argument, ParameterError, parts_of
from metameasure.evaluation import By, ConfusionMatrix
from metameasure.measurement import POINT_KEYWORDS
from metameasure.table import Point

Normalize = Annotated[
    By | None, Parameter(group=MEASURES, help="Show fractions: of each class, or of all cases.")
]

KEYWORDS = {kind: name for name, kind in POINT_KEYWORDS.items()}
"""The keyword of each kind of operating point."""


@options(GOAL)
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
    at_sensitivity: Annotated[
        str | None, Parameter(metavar="RATE", help="Sensitivity: the true positive rate.")
    ] = None
    at_specificity: Annotated[
        str | None, Parameter(metavar="RATE", help="Specificity: 1 - false positive rate.")
    ] = None

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
        return dict(_point(name, text) for name, text in point.items())

    def count(self, file: str) -> ConfusionMatrix:
        """The confusion matrix of a file."""
        point = self.check()
        columns: dict[str, Any] = {
            "label": self.label,
            "weight": self.weight,
            "nan_policy": self.nan_policy,
        }
        if self.score is None:
            classes = [LabelText(name) for name in self.labels] if self.labels else None
            return ConfusionMatrix.of(file, predicted=self.predicted, labels=classes, **columns)
        positive = None if self.pos_label is None else LabelText(self.pos_label)
        return ConfusionMatrix.at(file, score=self.score, pos_label=positive, **point, **columns)


def _point(name: str, text: str) -> tuple[str, float | str]:
    """The keyword and value of an operating point: a number, a percentage, or P."""
    try:
        point = Point.read(f"{POINT_KEYWORDS[name]}={text}")
        return KEYWORDS[point.kind], point.value
    except ParameterError as error:
        problem, remedy = parts_of(error)
        raise ParameterError((Argument(name), *problem[1:]), remedy=remedy) from None
