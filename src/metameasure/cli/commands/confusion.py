"""``metameasure confusion``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from metameasure.cli.counting import Counting, Normalize
from metameasure.cli.groups import MEASURES
from metameasure.cli.options import (
    File,
)
from metameasure.cli.output import Output
from metameasure.errors import Argument, ParameterError
from metameasure.evaluation import cut_measures


def confusion(
    file: File,
    /,
    *,
    counting: Counting,
    measures: Annotated[
        str | None,
        Parameter(
            group=MEASURES, metavar="MEASURE",
            help="Also show these comma-separated measures, or default, or all.",
        ),
    ] = None,
    normalize: Normalize = None,
    output: Output = Output(),
) -> None:  # fmt: skip
    """Count the true and predicted classes in a file; measures of each class on request.

    Pass the predicted classes, or the scores of a binary classifier and an operating point.
    """
    if measures and normalize and output.chosen.kind == "rows":
        raise ParameterError(
            (Argument("normalize"), " and ", Argument("measures"), " do not fit into one table"),
            remedy=("choose one of them, or ", Argument("format", "json")),
        )
    chosen = None if measures is None else cut_measures(measures)
    counting.check()
    matrix = counting.count(file)
    output.write(matrix.report(normalize=normalize, measures=chosen))
