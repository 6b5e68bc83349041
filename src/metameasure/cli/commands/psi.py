"""``metameasure psi``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

import metameasure as mm
from metameasure._text import visible
from metameasure.cli.groups import MEASURES
from metameasure.cli.options import COLUMN, SCORE, File, Missing, Weight
from metameasure.cli.output import Output, say


def psi(
    file: File,
    /,
    *,
    period: Annotated[
        str, COLUMN, Parameter(help="Column of the period of each case, such as 2024-05.")
    ],
    score: Annotated[
        str | None, SCORE, Parameter(help="Score column (inferred when unambiguous).")
    ] = None,
    weight: Weight = None,
    nan_policy: Missing = "raise",
    reference: Annotated[
        str | None,
        Parameter(
            group=MEASURES, metavar="PERIOD", show_default="the first", help="Reference period."
        ),
    ] = None,
    bins: Annotated[int, Parameter(group=MEASURES, help="Number of bins.")] = 10,
    smoothing: Annotated[
        float, Parameter(group=MEASURES, help="Number of cases to add to each bin.")
    ] = 0.0,
    output: Output = Output(),
) -> None:
    """Show the population stability index (PSI) of the scores of each period."""
    result = mm.psi_over_time(
        file,
        period,
        score=score,
        weight=weight,
        reference=reference,
        bins=bins,
        smoothing=smoothing,
        nan_policy=nan_policy,
    )
    if score is None:
        say(f"took {visible(result.meta['score'])} as the score")
    output.write(result)
