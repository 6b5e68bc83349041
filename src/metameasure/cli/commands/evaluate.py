"""``metameasure evaluate``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

import metameasure as mm
from metameasure.cli.groups import UNCERTAINTY, arguments, options
from metameasure.cli.options import (
    COLUMN,
    Classes,
    Cluster,
    File,
    Measures,
    Mute,
    OptionalConfidence,
    Order,
    Predicted,
    Probabilities,
    Resampling,
    RescaledColumns,
    Soft,
)
from metameasure.cli.output import StudyOutput
from metameasure.data import LabelText
from metameasure.evaluation import takes_two_classes
from metameasure.inference import interval_methods


@options(UNCERTAINTY)
class Evaluating:
    """What is evaluated, and the intervals."""

    measures: Measures = "default"
    ci: OptionalConfidence = 0.95
    method: Annotated[
        str, Parameter(choices=interval_methods(), help="Method of the confidence intervals.")
    ] = "auto"
    resampling: Resampling = Resampling()
    mute: Mute = ()


def evaluate(
    file: File,
    /,
    *,
    columns: RescaledColumns = RescaledColumns(),
    group: Annotated[
        str | None,
        COLUMN,
        Parameter(help="Group column; each group is evaluated, and all cases together."),
    ] = None,
    cluster: Cluster = None,
    fold: Annotated[
        str | None, COLUMN, Parameter(help="Fold column, for means over folds.")
    ] = None,
    proba: Probabilities = None,
    predicted: Predicted = None,
    labels: Classes = None,
    order: Order = None,
    soft: Soft = False,
    evaluating: Evaluating = Evaluating(),
    output: StudyOutput = StudyOutput(),
) -> None:
    """Evaluate models: measures with confidence intervals.

    The columns of the label and of the score are inferred when unambiguous.
    """
    classes = None if labels is None else [LabelText(name) for name in labels]
    models = columns.read(
        file,
        group=group,
        cluster=cluster,
        fold=fold,
        proba=proba,
        predicted=predicted,
        labels=classes,
        order=order,
        soft=soft,
        binary=takes_two_classes(evaluating.measures),
    )
    output.write(mm.evaluate(models, progress=output.progress, **arguments(evaluating)))
