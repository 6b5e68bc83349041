"""``metameasure calibration``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

import metameasure as mm
from metameasure.cli.groups import MEASURES, UNCERTAINTY
from metameasure.cli.options import Confidence, File, RescaledColumns
from metameasure.cli.output import Output
from metameasure.evaluation import Equal


def calibration(
    file: File,
    /,
    *,
    columns: RescaledColumns = RescaledColumns(),
    bins: Annotated[int, Parameter(group=MEASURES, help="Number of bins.")] = 10,
    equal: Annotated[
        Equal, Parameter(group=MEASURES, help="Bins of equal mass (number of cases) or width.")
    ] = "mass",
    ci: Confidence = 0.95,
    fitted: Annotated[
        bool,
        Parameter(
            group=UNCERTAINTY, help="Test with groups - 2 degrees of freedom (fitted sample)."
        ),
    ] = False,
    output: Output = Output(),
) -> None:
    """Compare predicted probabilities with observed frequencies, in bins and by measures."""
    models = columns.read(file)
    output.write(mm.calibration_table(models, bins=bins, equal=equal, ci=ci, fitted=fitted))
