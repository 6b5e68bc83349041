"""``metameasure deciles``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

import metameasure as mm
from metameasure.cli.groups import MEASURES
from metameasure.cli.options import Columns, File
from metameasure.cli.output import Output
from metameasure.cli.values import listed
from metameasure.errors import Argument, ParameterError


def deciles(
    file: File,
    /,
    *,
    columns: Columns = Columns(),
    groups: Annotated[
        int | None, Parameter(group=MEASURES, show_default="10", help="Number of groups.")
    ] = None,
    edges: Annotated[
        tuple[float, ...],
        Parameter(
            converter=listed,
            consume_multiple=True,
            group=MEASURES,
            help="Scores that separate bands of fixed ends.",
        ),
    ] = (),
    output: Output = Output(),
) -> None:
    """Show the positives in groups of equal size or in score bands, highest scores first."""
    if edges and groups is not None:
        raise ParameterError(("pass either ", Argument("groups"), " or ", Argument("edges")))
    models = columns.read(file)
    if edges:
        output.write(mm.score_band_table(models, edges=edges))
    else:
        output.write(mm.decile_table(models, groups=10 if groups is None else groups))
