"""``metameasure compare``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

import metameasure as mm
from metameasure.cli.groups import MEASURES, UNCERTAINTY, arguments, options
from metameasure.cli.options import (
    Cluster,
    Confidence,
    File,
    Groups,
    Mute,
    Order,
    Predicted,
    Reference,
    Resampling,
    RescaledColumns,
    Soft,
    SomeMeasures,
)
from metameasure.cli.output import StudyOutput
from metameasure.inference import paired_methods


@options(UNCERTAINTY)
class Comparing:
    """What is compared, and the tests."""

    measures: Annotated[
        SomeMeasures,
        Parameter(show_default=lambda _: "auc; kendall_tau with --order, brier with --soft"),
    ] = "default"
    margin: Annotated[float | None, Parameter(group=MEASURES, help="Non-inferiority margin.")] = (
        None
    )
    reference: Reference = None
    ci: Confidence = 0.95
    method: Annotated[
        str, Parameter(choices=paired_methods(), help="Method of the intervals and tests.")
    ] = "auto"
    resampling: Resampling = Resampling()
    mute: Mute = ()


def compare(
    file: File,
    /,
    *,
    columns: RescaledColumns = RescaledColumns(),
    group: Groups = None,
    cluster: Cluster = None,
    order: Order = None,
    soft: Soft = False,
    predicted: Predicted = None,
    comparing: Comparing = Comparing(),
    output: StudyOutput = StudyOutput(),
) -> None:
    """Compare models on the same cases: each pair, with an interval and a p-value."""
    models = columns.read(
        file,
        group=group,
        cluster=cluster,
        predicted=predicted,
        order=order,
        soft=soft,
        number="two or more",
    )
    output.write(mm.compare(models, progress=output.progress, **arguments(comparing)))
