"""The scores that an estimator of scikit-learn's kind gives to cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

BY_PROBABILITY = ("predict_proba",)
BY_RANK = ("decision_function", "predict_proba")


def response_of(estimator: Any, X: Any, responses: tuple[str, ...]) -> NDArray[Any]:
    """The first of these responses that the estimator has."""
    for name in responses:
        if hasattr(estimator, name):
            return np.asarray(getattr(estimator, name)(X))
    raise DataError(f"{type(estimator).__name__} has no {' or '.join(responses)}, which is needed")


def positive_scores(response: NDArray[Any], classes: list[Any], pos_label: Any) -> NDArray[Any]:
    """The scores of the positive class of two."""
    if pos_label is not None and pos_label not in classes:
        raise DataError(f"pos_label={shown([pos_label])} is not a label: {shown(classes)}")
    column = 1 if pos_label is None else classes.index(pos_label)
    if response.ndim == 2:
        return response[:, column]
    return response if column == 1 else -response
