"""Orders: validated true values of items, and the values that models predicted for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure.data.case_columns import ARGUMENTS, CaseRows, ColumnReader, read_groups
from metameasure.data.queries import OrderQueries
from metameasure.data.ranking import Ranking
from metameasure.data.row_order import check_row_order
from metameasure.data.scores import read_scores
from metameasure.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from metameasure._types import Floats
    from metameasure.data.arrays import NanPolicy
    from metameasure.data.case_columns import Names


@dataclass(frozen=True, eq=False)
class Orders(CaseRows):
    """The true values of items, one column of predicted values per model, groups and folds.

    Only the order of the values matters. ``dropped`` is the number of dropped items,
    ``dropped_group`` has their groups.

    >>> orders = Orders.of([10, 20, 30], {"m": [0.1, 0.7, 0.5]})
    >>> orders.ranking("m").predicted
    array([1., 3., 2.])
    """

    true: Floats
    scores: Mapping[str, Floats]
    group: NDArray[Any] | None = None
    dropped: int = 0
    dropped_group: NDArray[Any] | None = None
    fold: NDArray[Any] | None = None

    @classmethod
    def of(
        cls,
        y_true: Any,
        scores: Mapping[str, Any],
        *,
        group: Any = None,
        fold: Any = None,
        nan_policy: NanPolicy = "raise",
        names: Names = ARGUMENTS,
    ) -> Orders:
        """Validate everything; with ``nan_policy="drop"`` drop items with a missing value."""
        if not scores:
            raise DataError("there is no model: scores are empty")
        columns = {model: (names.model(model), values) for model, values in scores.items()}
        others = (names.group, group), (names.fold, fold)
        check_row_order(y_true, [*columns.values(), *others], names.label)
        with ColumnReader(names, nan_policy, "items") as reader:
            true = reader.read(y_true, read_scores, names.label)
            found = {
                model: reader.read(values, read_scores, what)
                for model, (what, values) in columns.items()
            }
            group, fold = (reader.optional(a, read_groups, what) for what, a in others)
        return cls(true, found, group, fold=fold).without(reader.missing)

    @property
    def n(self) -> int:
        """The number of items."""
        return self.true.size

    def where(self, rows: NDArray[Any] | slice) -> Orders:
        """The orders of some of the items, given by a mask or by indices."""
        scores = {model: values[rows] for model, values in self.scores.items()}
        group, fold = (a if a is None else a[rows] for a in (self.group, self.fold))
        return Orders(self.true[rows], scores, group, fold=fold)

    def ranking(self, model: str) -> Ranking:
        """The true ranks, and those that a model predicted."""
        return Ranking.of_values(self.true, self.scores[model])

    def queries(self) -> OrderQueries:
        """The items in their groups, which are known."""
        assert self.group is not None  # noqa: S101 - known to the caller
        return OrderQueries(self.true, self.group)
