"""Measures as evaluation functions of CatBoost."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.integrations.boosting import EvaluationFunction

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from metameasure._types import Floats
    from metameasure.measurement import Measure


def metric(measure: str | Measure) -> CatBoostMetric:
    """A measure as ``eval_metric=`` or one of ``custom_metric=`` of CatBoost.

    CatBoost passes margins: the logistic function makes them probabilities, with the loss function
    MultiClass softmax. Weights of the validation set are used. CatBoost evaluates the training set,
    too.

    Args:
        measure: any measure of scores; with the loss function MultiClass a multiclass measure.

    >>> metric("auc").evaluate([[-2.0, 0.5, 0.5, 3.0]], [0, 1, 0, 1], None)
    (0.875, 1.0)
    """
    plain = CatBoostMetric(measure, margins=True)
    # CatBoost names values after the class of the object.
    named: type[CatBoostMetric] = type(plain.name, (CatBoostMetric,), {})
    return named(plain.measure, margins=True)


class CatBoostMetric(EvaluationFunction):
    """An evaluation function of CatBoost; made by ``metric``."""

    no_jit = True
    """Tells CatBoost not to compile the methods with numba."""

    def evaluate(self, approxes: Sequence[Floats], target: Any, weight: Any) -> tuple[float, float]:
        """The value, and 1 as its weight: a measure is not a mean over cases.

        CatBoost refuses infinite values; the largest number stands for them.
        """
        columns = approxes[0] if len(approxes) == 1 else np.column_stack(approxes)
        largest = sys.float_info.max
        return min(max(self.value(target, columns, weight), -largest), largest), 1.0

    def is_max_optimal(self) -> bool:
        """Whether larger values are better."""
        return self.higher_is_better

    def get_final_error(self, error: float, weight: float) -> float:  # noqa: ARG002
        """The value."""
        return error

    def __repr__(self) -> str:
        return f"metric({str(self.measure)!r})"

    def __deepcopy__(self, memo: dict[int, Any]) -> CatBoostMetric:
        """Itself: CatBoost copies its parameters, and scikit-learn's ``clone`` refuses copies."""
        return self

    def __reduce__(self) -> tuple[Callable[..., CatBoostMetric], tuple[Measure]]:
        return metric, (self.measure,)  # english: ok
