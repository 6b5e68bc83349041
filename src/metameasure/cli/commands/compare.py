"""``metameasure compare``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

import metameasure as mm
from metameasure.cli.groups import MEASURES, UNCERTAINTY
from metameasure.cli.options import (
    Cluster,
    Confidence,
    File,
    Groups,
    Mute,
    Reference,
    Resampling,
    RescaledColumns,
    SomeMeasures,
)
from metameasure.cli.output import Output
from metameasure.cli.progress import progress_bar
from metameasure.inference import PairMethod


def compare(
    file: File,
    /,
    *,
    columns: RescaledColumns = RescaledColumns(),
    group: Groups = None,
    cluster: Cluster = None,
    measure: Annotated[SomeMeasures, Parameter(alias="--measure")] = "auc",
    margin: Annotated[
        float | None, Parameter(group=MEASURES, help="Non-inferiority margin.")
    ] = None,
    reference: Reference = None,
    ci: Confidence = 0.95,
    method: Annotated[
        PairMethod, Parameter(group=UNCERTAINTY, help="Method of the intervals and tests.")
    ] = "auto",
    resampling: Resampling = Resampling(),
    mute: Mute = (),
    output: Output = Output(),
) -> None:
    """Compare models on the same cases: each pair, with an interval and a p-value."""
    models = columns.read(file, group=group, cluster=cluster)
    with progress_bar("comparing") as progress:
        result = mm.compare(
            models,
            measure=measure,
            ci=ci,
            method=method,
            margin=margin,
            reference=reference,
            mute=mute,
            progress=progress,
            **vars(resampling),
        )
    output.write(result)
