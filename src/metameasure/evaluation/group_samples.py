"""Groups of cases and, for each, all other cases, as samples of one model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csc_array, hstack

from metameasure._text import shown
from metameasure.data import Groups, Predictions, group_name
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference import Sample, case_influences, cluster_codes, has_influence
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices
    from metameasure.measurement import Measure

MOST_GROUPS = 1000
"""Largest number of groups of a column: each is compared with all other cases."""
CROSSED = " × "
"""What stands between the names of crossed groups."""


@dataclass(frozen=True, eq=False)
class Partition:
    """The groups of one column, or of several columns that are crossed.

    Attributes:
        by: the name of the column.
        names: the name of each group.
        code: the index of the group of each case.
    """

    by: str
    names: tuple[str, ...]
    code: Indices

    @classmethod
    def of(cls, by: str, group: NDArray[Any]) -> Partition:
        """The groups of a column without missing values."""
        groups, code = Groups.of(group), np.empty(group.size, np.int64)
        for place in range(groups.names.size):
            code[groups.cases(place)] = place
        return cls(by, tuple(map(group_name, groups.names.tolist())), code)

    def crossed_with(self, other: Partition) -> Partition:
        """The groups that have cases in both."""
        both = self.code * len(other.names) + other.code
        used, code = np.unique(both, return_inverse=True)
        pairs = (divmod(pair, len(other.names)) for pair in used.tolist())
        names = (f"{self.names[one]}{CROSSED}{other.names[two]}" for one, two in pairs)
        return Partition(f"{self.by}{CROSSED}{other.by}", tuple(names), code.reshape(-1))

    @cached_property
    def cases(self) -> list[Indices]:
        """The cases of each group."""
        order = np.argsort(self.code, kind="stable")
        ends = np.cumsum(np.bincount(self.code, minlength=len(self.names)))
        return np.split(order, ends[:-1])


def partitions_of(rows: Predictions, *, crossed: bool) -> list[Partition]:
    """The groups of each column and, if they are crossed, of all columns together."""
    found = [Partition.of(by, group) for by, group in rows.groups.items()]
    if crossed:
        if len(found) < 2:
            raise ParameterError(
                (Argument("crossed"), f" needs at least two columns of groups, got {len(found)}"),
                remedy=("name another one with ", Argument("group")),
            )
        found.append(reduce(Partition.crossed_with, found))
    for partition in found:
        if len(partition.names) < 2:
            raise DataError(
                f"need at least two groups, but {shown([partition.by])} has only "
                f"{shown(partition.names)}",
                argument="group",
            )
        if len(partition.names) > MOST_GROUPS:
            raise DataError(
                f"{shown([partition.by])} has {len(partition.names)} groups, but at most "
                f"{MOST_GROUPS} can be compared",
                remedy="divide its values into ranges, such as quarters of the cases, or name "
                "another column",
                argument="group",
            )
    return found


class GroupSamples:
    """The samples of all groups of a partition, for one model.

    Attributes:
        model: the name of the model.
        partition: the groups.
        groups: the sample of each group.
    """

    def __init__(self, whole: Sample, rows: Predictions, partition: Partition) -> None:
        self._whole, self._rows = whole, rows
        self.partition = partition
        self.groups = [Sample.of(rows.where(cases)) for cases in partition.cases]
        self.model = next(iter(rows.scores))

    def rest(self, place: int) -> Sample:
        """The sample of all cases outside a group.

        The table of independent cases of equal weight is that of all cases without the group, so
        that nothing is sorted again.
        """
        if not self._whole.independent:
            return Sample.of(self._rows.where(self.partition.code != place))
        cases, table = self.partition.cases[place], self._whole.tables[self.model]
        row, positive = self._whole.places(self.model).row[cases], self._rows.positive[cases]
        pos, neg = (
            weight - np.bincount(row[members], minlength=weight.size)
            for weight, members in ((table.pos, positive), (table.neg, ~positive))
        )
        kept = pos + neg > 0
        rest = ScoreTable.of_counts(table.score[kept], pos[kept], neg[kept])
        return Sample.of_table(rest, self.model)

    @cached_property
    def _cluster(self) -> Indices | None:
        """The cluster of each case, if clusters have cases of several groups; else None."""
        cluster = cluster_codes(self._rows.cluster)
        if cluster is None:
            return None
        pairs = np.unique(cluster * len(self.partition.names) + self.partition.code)
        return cluster if pairs.size > np.max(cluster) + 1 else None

    def check(self, measure: Measure) -> None:
        """Refuse a measure whose values in dependent groups have unknown correlations."""
        if self._cluster is not None and not has_influence(measure):
            raise DataError(
                f"some clusters have cases in several groups of {shown([self.partition.by])}, and "
                f"the correlation of {measure} between dependent groups is not known",
                remedy="use other measures, such as auc or measures at a threshold",
                argument="cluster",
            )

    def influences(self, measure: Measure, places: Sequence[int]) -> Any:
        """What each cluster adds to the values of some groups; None if groups are independent."""
        if self._cluster is None:
            return None
        columns = [
            self._summed(
                case_influences(measure, self.groups[place], self.model),
                self.partition.cases[place],
            )
            for place in places
        ]
        return hstack(columns, format="csc") if columns else None

    def influence_on_rest(self, measure: Measure, place: int, rest: Sample) -> Any:
        """What each cluster adds to the value of all cases outside a group."""
        outside = np.flatnonzero(self.partition.code != place)
        return self._summed(case_influences(measure, rest, self.model), outside)

    def _summed(self, influence: Floats, cases: Indices) -> Any:
        """The sums over clusters of the influences of some cases, as a sparse column."""
        assert self._cluster is not None  # noqa: S101 - asked of dependent groups only
        cluster, clusters = self._cluster[cases], int(np.max(self._cluster)) + 1
        return csc_array((influence, (cluster, np.zeros_like(cluster))), shape=(clusters, 1))
