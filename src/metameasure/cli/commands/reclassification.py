"""``metameasure reclassification``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

import metameasure as mm
from metameasure.cli.groups import MEASURES
from metameasure.cli.options import Columns, Confidence, File, Mute, Reference
from metameasure.cli.output import Output
from metameasure.cli.values import listed


def reclassification(
    file: File,
    /,
    *,
    columns: Columns = Columns(),
    cuts: Annotated[
        tuple[float, ...],
        Parameter(
            converter=listed,
            consume_multiple=True,
            group=MEASURES,
            help="Thresholds between risk categories.",
        ),
    ] = (),
    reference: Reference = None,
    ci: Confidence = 0.95,
    mute: Mute = (),
    output: Output = Output(),
) -> None:
    """Show net reclassification (NRI) and integrated discrimination (IDI) of a second model."""
    models = columns.read(file)
    result = mm.reclassification(models, cuts=cuts, reference=reference, ci=ci, mute=mute)
    output.write(result)
