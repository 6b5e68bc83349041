"""Measures as evaluation functions: what LightGBM, XGBoost and CatBoost have in common."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Flag, read_argument
from metameasure._text import shown
from metameasure.data import ClassScores, tabulate
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.measurement import MeanOver, Measure, parse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats

SINGLE_PRECISION = 1e-4
"""Largest difference from 1 of a sum of probabilities in single precision."""


class EvaluationFunction:
    """A measure of the predictions of a boosting library.

    Labels are 0 and 1, or 0 to k - 1 if there is one column of predictions per class. An undefined
    value is the worst one, since a NaN in the first round would end early stopping at once.

    Attributes:
        measure: the measure.
        margins: whether predictions are margins, not probabilities.
        name: the name of the values: the text of the measure, or if a given value is best, the
            distance from it.
        higher_is_better: whether larger values are better.
    """

    def __init__(self, measure: str | Measure, *, margins: bool = False) -> None:
        self.measure = parse(measure)
        _check_fits(self.measure)
        self.margins = read_argument("margins", margins, Flag())
        best = self.measure.best
        self.higher_is_better = best == "max"
        self.name = str(self.measure) if isinstance(best, str) else f"|{self.measure}-{best:g}|"

    def value(self, y_true: Any, predictions: Any, sample_weight: Any = None) -> float:
        """The value of the measure, or its distance from the best one."""
        weight = None if sample_weight is None or not len(sample_weight) else sample_weight
        columns = np.asarray(predictions, np.float64)
        found = self._measured(np.asarray(y_true), columns, weight)
        best = self.measure.best
        if math.isnan(found):
            return -math.inf if best == "max" else math.inf
        return found if isinstance(best, str) else abs(found - best)

    def _measured(self, y_true: NDArray[Any], predictions: Floats, weight: Any) -> float:
        several = predictions.ndim == 2 and predictions.shape[1] > 2
        if several or self.measure.declaration.subject == "classes":
            measure, scores = self.measure.of_classes(), self._class_probabilities(predictions)
            known = range(scores.shape[1])
            classes = ClassScores.of(y_true, scores, labels=known, sample_weight=weight)
            return float(measure.value(classes, stacklevel=5))
        table = tabulate(_positive(y_true), self._scores(predictions), sample_weight=weight)
        return float(self.measure.value(table, stacklevel=5))

    def _scores(self, predictions: Floats) -> Floats:
        """The scores of the positive class."""
        if predictions.ndim == 2:
            return self._class_probabilities(predictions)[:, 1]
        if self.margins and "monotone" not in self.measure.declaration.invariant_to:
            return _logistic(predictions)
        return predictions

    def _class_probabilities(self, predictions: Floats) -> Floats:
        """One column of probabilities per class."""
        if predictions.ndim == 1:
            positive = _logistic(predictions) if self.margins else predictions
            return np.column_stack([1 - positive, positive])
        if self.margins:
            return _softmax(predictions)
        totals: Floats = predictions.sum(axis=1, keepdims=True)
        if np.abs(totals - 1).max(initial=0) < SINGLE_PRECISION:
            predictions = predictions / totals
        return predictions

    def __repr__(self) -> str:
        margins = ", margins=True" if self.margins else ""
        return f"metric({str(self.measure)!r}{margins})"


def arguments_of(first: Any, second: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """Labels, predictions and weights, as either interface of a library passes them.

    That of the library itself passes predictions and a data set, that for scikit-learn labels,
    predictions and weights.
    """
    if hasattr(second, "get_label"):
        return second.get_label(), first, second.get_weight()
    return first, second, sample_weight


def _logistic(margins: Floats) -> Floats:
    from scipy.special import expit  # noqa: PLC0415

    probabilities: Floats = expit(margins)
    return probabilities


def _softmax(margins: Floats) -> Floats:
    from scipy.special import softmax  # noqa: PLC0415

    probabilities: Floats = softmax(margins, axis=1)
    return probabilities


def _positive(y_true: NDArray[Any]) -> NDArray[np.bool_]:
    """The labels 0 and 1 as bool."""
    positive: NDArray[np.bool_] = y_true == 1
    if not (positive | (y_true == 0)).all():
        raise DataError(
            f"labels must be 0 and 1 if there is one prediction per case, got "
            f"{shown(np.unique(y_true))}",
            remedy="use an objective with one probability per class (XGBoost: multi:softprob) and "
            "a multiclass measure such as log_loss or hand_till_auc",
        )
    return positive


def _check_fits(measure: Measure) -> None:
    """Refuse measures that need more than labels and predictions."""
    if isinstance(measure, MeanOver):
        raise ParameterError(
            f"{measure} needs the group of each case, which an evaluation function does not have",
            remedy=(f"use {measure.inner}, or evaluate the predictions with ", Argument("group")),
            argument="measure",
        )
    if measure.declaration.subject == "order":
        raise ParameterError(
            f"{measure} compares a true order with a predicted order, not labels with scores",
            remedy="choose a measure of scores",
            argument="measure",
        )
