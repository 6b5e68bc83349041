"""Scores from fitted classifiers with the interface of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.errors import Argument, DataError, ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

BY_PROBABILITY = ("predict_proba",)
BY_RANK = ("decision_function", "predict_proba")


def response_of(estimator: Any, X: Any, responses: tuple[str, ...]) -> NDArray[Any]:
    """The output of the first of these methods that the estimator has."""
    for name in responses:
        if hasattr(estimator, name):
            return np.asarray(getattr(estimator, name)(X))
    raise DataError(
        f"{type(estimator).__name__} must have {' or '.join(responses)}",
        remedy="use a classifier that has it, or pass the scores",
    )


def positive_scores(response: NDArray[Any], classes: list[Any], pos_label: Any) -> NDArray[Any]:
    """The scores of the positive class of two."""
    if pos_label is not None and pos_label not in classes:
        raise ParameterError(
            (
                Argument("pos_label"),
                f" must be one of the classes {shown(classes)}, got {shown([pos_label])}",
            )
        )
    column = 1 if pos_label is None else classes.index(pos_label)
    if response.ndim == 2:
        return response[:, column]
    return response if column == 1 else -response


def estimator_scores(
    estimators: Any, X: Any, *, probabilities: bool, pos_label: Any
) -> tuple[dict[str, NDArray[Any]], Any]:
    """The scores of one or more binary classifiers for the cases X, and the positive label.

    Args:
        estimators: fitted classifier, or a dict of them by name.
        X: features of the cases.
        probabilities: whether predict_proba is needed; else decision_function is preferred.
        pos_label: positive label; by default the second class of the estimators.
    """
    many = (
        estimators if isinstance(estimators, Mapping) else {type(estimators).__name__: estimators}
    )
    if not many:
        raise DataError("there is no estimator", remedy="pass one, or a dict of several")
    responses, scores = BY_PROBABILITY if probabilities else BY_RANK, {}
    for name, estimator in many.items():
        known = list(getattr(estimator, "classes_", ()))
        if not known:
            raise DataError(
                f"{shown([name])} is not a fitted classifier: it has no classes_",
                remedy="fit it, or pass a dict of several by their names",
            )
        if len(known) != 2:
            raise DataError(
                f"{shown([name])} must have two classes, got {len(known)}",
                remedy="fit it to one class against the rest",
            )
        scores[str(name)] = positive_scores(response_of(estimator, X, responses), known, pos_label)
        positive = known[1] if pos_label is None else pos_label
    return scores, positive
