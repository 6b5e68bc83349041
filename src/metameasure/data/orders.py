"""Orders: validated true values of items, and the values that models predicted for them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import read_argument
from metameasure.data.arrays import missing_cases
from metameasure.data.predictions import ARGUMENTS, NAN_POLICY, check_length, read_groups
from metameasure.data.ranking import Ranking
from metameasure.data.scores import read_scores
from metameasure.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from metameasure._types import Floats, Mask
    from metameasure.data.arrays import NanPolicy
    from metameasure.data.predictions import Names


@dataclass(frozen=True, eq=False)
class Orders:
    """The true values of items, one column of predicted values per model, and groups.

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

    @classmethod
    def of(
        cls,
        y_true: Any,
        scores: Mapping[str, Any],
        *,
        group: Any = None,
        nan_policy: NanPolicy = "raise",
        names: Names = ARGUMENTS,
    ) -> Orders:
        """Validate everything; with ``nan_policy="drop"`` drop items with a missing value."""
        read_argument("nan_policy", nan_policy, NAN_POLICY)
        if not scores:
            raise DataError("there is no model: scores are empty")
        what = names.label
        lack: list[tuple[str, Mask | None]] = []
        try:
            true, lacking = read_scores(y_true, what)
            lack.append((what, lacking))
            columns: dict[str, Floats] = {}
            for model, values in scores.items():
                what = names.model(model)
                columns[model], lacking = read_scores(values, what)
                check_length(columns[model], what, true.size, names)
                lack.append((what, lacking))
            if group is not None:
                what = names.group
                group, lacking = read_groups(group, what)
                check_length(group, what, true.size, names)
                lack.append((what, lacking))
            what = next((called for called, rows in lack if rows is not None), names.label)
            missing = missing_cases(lack, nan_policy)
        except DataError as error:
            error.caused_by(names.argument(what))
            raise
        if not true.size:
            raise DataError(
                f"there are no items: {names.label} is empty", argument=names.argument(names.label)
            )
        whole = cls(true, columns, group)
        return whole if missing is None else whole._without(missing)

    def _without(self, missing: Mask) -> Orders:
        """The orders without some items, which are counted."""
        lost = None if self.group is None else self.group[missing]
        kept = self.where(~missing)
        return replace(kept, dropped=int(np.count_nonzero(missing)), dropped_group=lost)

    @property
    def n(self) -> int:
        """The number of items."""
        return self.true.size

    def where(self, rows: NDArray[Any] | slice) -> Orders:
        """The orders of some of the items, given by a mask or by indices."""
        scores = {model: values[rows] for model, values in self.scores.items()}
        return Orders(self.true[rows], scores, None if self.group is None else self.group[rows])

    def ranking(self, model: str) -> Ranking:
        """The true ranks, and those that a model predicted."""
        return Ranking.of_values(self.true, self.scores[model])
