"""``metameasure deciles``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

import metameasure as mm
from metameasure.cli.groups import MEASURES
from metameasure.cli.options import Columns, File
from metameasure.cli.output import Output


def deciles(
    file: File,
    /,
    *,
    columns: Columns = Columns(),
    groups: Annotated[int, Parameter(group=MEASURES, help="Number of groups.")] = 10,
    output: Output = Output(),
) -> None:
    """Show the positives in groups of equal size, from the highest scores down."""
    output.write(mm.decile_table(columns.read(file), groups=groups))
