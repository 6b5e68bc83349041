"""True probabilities of the positive class, and those that a model predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import read_argument
from metameasure.data.arrays import missing_cases
from metameasure.data.predictions import ARGUMENTS, NAN_POLICY, NO_WEIGHT, check_length
from metameasure.data.scores import read_scores, read_weights
from metameasure.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure._types import Floats
    from metameasure.data.arrays import NanPolicy


@dataclass(frozen=True, eq=False)
class TrueProbabilities:
    """The true and the predicted probability of each case, and its weight.

    ``dropped`` is the number of cases that were dropped because a value is missing.

    >>> TrueProbabilities.of([0.2, 0.9], [0.3, 0.8]).mean(np.array([1.0, 2.0]))
    1.5
    """

    true: Floats
    score: Floats
    weight: Floats | None = None
    dropped: int = 0

    @classmethod
    def of(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
    ) -> TrueProbabilities:
        """Validate everything; with ``nan_policy="drop"`` drop cases with a missing value."""
        read_argument("nan_policy", nan_policy, NAN_POLICY)
        readers: dict[str, tuple[Any, Callable[..., Any]]] = {
            "y_true": (y_true, read_scores),
            "y_score": (y_score, read_scores),
            "sample_weight": (sample_weight, read_weights),
        }
        columns, lack = {}, []
        for name, (values, reader) in readers.items():
            if values is not None:
                columns[name], lacking = reader(values, name)
                check_length(columns[name], name, columns["y_true"].size, ARGUMENTS)
                lack.append((name, lacking))
        if not columns["y_true"].size:
            raise DataError("there are no cases: y_true is empty", argument="y_true")
        missing = missing_cases(lack, nan_policy)
        kept = slice(None) if missing is None else ~missing
        columns = {name: values[kept] for name, values in columns.items()}
        for name in ("y_true", "y_score"):
            _require_unit(columns[name], name)
        weight = columns.get("sample_weight")
        if weight is not None and not weight.any():
            raise DataError(NO_WEIGHT)
        dropped = 0 if missing is None else int(np.count_nonzero(missing))
        return cls(columns["y_true"], columns["y_score"], weight, dropped)

    def mean(self, values: Floats) -> float:
        """The weighted mean of one value per case; cases without weight do not count."""
        if self.weight is None:
            return float(values.mean())
        used = self.weight > 0
        return float(np.average(values[used], weights=self.weight[used]))


def _require_unit(values: Floats, what: str) -> None:
    wrong = ~((values >= 0) & (values <= 1))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise DataError(
            f"{what} must be probabilities in [0, 1], got {values[row]:g} "
            f"({np.count_nonzero(wrong)} of {values.size} values are outside)",
            argument=what,
        )
