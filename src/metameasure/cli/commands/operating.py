"""``metameasure operating``."""

from __future__ import annotations

import metameasure as mm
from metameasure.cli.options import File, Goal, RescaledColumns
from metameasure.cli.output import Output
from metameasure.operating import read_goal


def operating(
    file: File,
    /,
    *,
    columns: RescaledColumns = RescaledColumns(),
    goal: Goal = Goal(),
    output: Output = Output(),
) -> None:
    """Choose the threshold of each model, by costs or by a measure, and the best model.

    With costs and several models it also shows which model is best for which skew and prior.
    """
    read_goal(**vars(goal))
    output.write(mm.operating_points(columns.read(file), **vars(goal)))
