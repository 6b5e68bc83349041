"""``metameasure plot groups``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

import metameasure as mm
from metameasure.cli.compared_groups import ComparingGroups, GroupColumns
from metameasure.cli.groups import PICTURE, arguments, options
from metameasure.cli.options import File
from metameasure.cli.picture import Picture
from metameasure.plots import GroupsDisplay


@options(PICTURE)
class GroupsPlot:
    """Options of groups with intervals."""

    columns: GroupColumns = GroupColumns()
    comparing: ComparingGroups = ComparingGroups()
    differences: Annotated[bool, Parameter(help="Draw differences to all other cases.")] = False
    picture: Picture


def groups(file: File, /, *, plot: GroupsPlot) -> None:
    """Draw measures and rates of groups of cases, or their differences, with intervals."""
    models = plot.columns.read_groups(file)
    given = arguments(plot.comparing)
    result = mm.compare_groups(models, progress=plot.picture.progress, **given)
    plot.picture.draw(GroupsDisplay(result, differences=plot.differences))
