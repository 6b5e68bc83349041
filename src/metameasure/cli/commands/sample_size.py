"""``metameasure sample-size``."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

import metameasure as mm
from metameasure.cli.groups import MEASURES, STUDY, UNCERTAINTY, arguments, options
from metameasure.cli.options import (
    LISTED,
    MEASURE,
    Confidence,
    OptionalFile,
    RescaledColumns,
    Seed,
    Workers,
    refuse_unused,
)
from metameasure.cli.output import StudyOutput
from metameasure.inference import RESAMPLES, SEED
from metameasure.planning import Formula


@options(STUDY)
class Planning:
    """The goal of a study, and what is assumed."""

    width: Annotated[float | None, Parameter(help="Full width of the confidence interval.")] = None
    power: Annotated[float | None, Parameter(help="Power of the test.")] = None
    value: Annotated[
        tuple[float, ...] | None,
        LISTED,
        Parameter(metavar="FLOAT", help="Assumed value; of two models A,B (without FILE)."),
    ] = None
    reference: Annotated[
        float | None,
        Parameter(help="Value under the null hypothesis (default: constant score)."),
    ] = None
    margin: Annotated[float | None, Parameter(help="Non-inferiority margin.")] = None
    difference: Annotated[
        float | None,
        Parameter(help="Assumed lead of the first model in FILE (default: as in FILE)."),
    ] = None
    correlation: Annotated[
        float | None, Parameter(help="Correlation between two models (without FILE).")
    ] = None
    prevalence: Annotated[
        float | None, Parameter(help="Fraction of positives (default: as in FILE).")
    ] = None
    ratio: Annotated[
        float | None, Parameter(help="Negatives per positive, instead of --prevalence.")
    ] = None
    share: Annotated[
        float | None,
        Parameter(help="Fraction of cases predicted positive (negative), for precision (npv)."),
    ] = None
    alpha: Annotated[float, Parameter(help="Significance level of the test.")] = 0.05
    formula: Annotated[Formula, Parameter(help="Variance of the AUC.")] = "auto"
    ci: Confidence = 0.95
    resamples: Annotated[int, Parameter(group=UNCERTAINTY, help="Number of resamples of FILE.")] = (
        RESAMPLES
    )
    seed: Seed = SEED
    workers: Workers = None


def sample_size(
    file: OptionalFile = None,
    /,
    *,
    measure: Annotated[
        Any, MEASURE, Parameter(name="--measures", group=MEASURES, help="Measure.")
    ] = "auc",
    columns: RescaledColumns = RescaledColumns(),
    planning: Planning = Planning(),
    output: StudyOutput = StudyOutput(),
) -> None:
    """Compute the number of cases that a confidence interval or a test needs.

    FILE has the predictions of a pilot; without it, values are assumed.
    """
    if file is None:
        refuse_unused(columns, vars(columns), "without FILE")
    models = None if file is None else columns.read(file)
    asked = arguments(planning)
    output.write(mm.sample_size(measure, models, progress=output.progress, **asked))
