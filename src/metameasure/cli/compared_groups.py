"""Options of the commands that compare groups."""

from typing import Annotated

from cyclopts import Parameter

from metameasure.cli.groups import INPUT, MEASURES, UNCERTAINTY, options
from metameasure.cli.options import (
    COLUMN,
    Cluster,
    Confidence,
    RescaledColumns,
    SomeMeasures,
)
from metameasure.data import Models, named_groups


@options(INPUT)
class GroupColumns(RescaledColumns):
    """Columns of the models and of the groups."""

    group: Annotated[
        tuple[str, ...] | None, COLUMN, Parameter(help="Group column (repeatable).")
    ] = None
    cluster: Cluster = None

    def read_groups(self, file: str) -> Models:
        """The models in a file, with their groups."""
        groups = named_groups(file, self.group)
        return self.read(file, group=None, groups=groups, called={"groups": "group"})


@options(UNCERTAINTY)
class ComparingGroups:
    """What is compared between groups."""

    measures: SomeMeasures = "auc"
    threshold: Annotated[
        float | None,
        Parameter(
            group=MEASURES,
            help="Threshold of the rates (default: 0.5 if the scores lie in [0, 1]).",
        ),
    ] = None
    rates: Annotated[
        bool,
        Parameter(
            group=MEASURES,
            negative="--no-rates",
            show_default=False,
            help="Compare selection rate, TPR and FPR (default).",
        ),
    ] = True
    crossed: Annotated[bool, Parameter(group=INPUT, help="Combine the group columns, too.")] = False
    ci: Confidence = 0.95
