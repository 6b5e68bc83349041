"""``metameasure groups``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

import metameasure as mm
from metameasure.cli.compared_groups import ComparingGroups, GroupColumns
from metameasure.cli.groups import UNCERTAINTY, arguments, options
from metameasure.cli.options import File, Mute, Seed, Workers
from metameasure.cli.output import StudyOutput
from metameasure.evaluation import GroupMethod
from metameasure.inference import RESAMPLES, SEED


@options(UNCERTAINTY)
class Testing:
    """The tests of groups."""

    method: Annotated[GroupMethod, Parameter(help="Test of a group against all other cases.")] = (
        "auto"
    )
    resamples: Annotated[int, Parameter(help="Number of resamples.")] = RESAMPLES
    seed: Seed = SEED
    workers: Workers = None
    mute: Mute = ()


def groups(
    file: File,
    /,
    *,
    columns: GroupColumns = GroupColumns(),
    comparing: ComparingGroups = ComparingGroups(),
    testing: Testing = Testing(),
    output: StudyOutput = StudyOutput(),
) -> None:
    """Compare groups of cases: measures and rates, differences and largest gaps.

    Each group is compared with all other cases.
    """
    models = columns.read_groups(file)
    given = arguments(comparing) | arguments(testing)
    output.write(mm.compare_groups(models, progress=output.progress, **given))
