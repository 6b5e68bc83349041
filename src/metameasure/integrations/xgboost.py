"""Measures as evaluation functions of XGBoost."""

from __future__ import annotations

from typing import Any

from metameasure.errors import ParameterError
from metameasure.integrations.boosting import EvaluationFunction, arguments_of
from metameasure.measurement import Measure, TwoLevel

MAXIMIZED = ("auc", "pre", "map", "ndcg")
"""Beginnings of the names that XGBoost maximizes."""


def metric(measure: str | Measure, *, margins: bool = False) -> XGBoostMetric:
    """A measure as ``custom_metric=`` of ``xgboost.train`` and ``eval_metric=`` of XGBClassifier.

    XGBoost minimizes functions: ``early_stopping_rounds`` alone stops by the smallest value. The
    value of a measure whose larger values are better is therefore negated, and so is its name,
    ``-h_measure``. XGBoost rounds values to six decimals. Weights of the validation set are used.

    Args:
        measure: any measure of scores except ``two_level``; with a multiclass objective
            (multi:softprob) a multiclass measure.
        margins: whether predictions are margins, as they are if the objective is a function or
            binary:logitraw. The logistic function or softmax makes them probabilities.

    >>> metric("auc")([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    -0.875
    """
    return XGBoostMetric(measure, margins=margins)


class XGBoostMetric(EvaluationFunction):
    """An evaluation function of XGBoost, smaller is better; made by ``metric``."""

    def __init__(self, measure: str | Measure, *, margins: bool = False) -> None:
        super().__init__(measure, margins=margins)
        if isinstance(self.measure, TwoLevel):
            first, second = self.measure.parts
            raise ParameterError(
                f"XGBoost rounds values to six decimals, which loses the second part of {measure}",
                remedy=f"use {first}, or linear({first}, {second}, alpha=0.9)",
                argument="measure",
            )
        self._negated, self.higher_is_better = self.higher_is_better, False
        # XGBoost writes values as text, separated by spaces, and reads them again.
        self.name = self.name.replace(" ", "")
        if self._negated:
            self.name = f"-{self.name}"
        elif self.name.startswith(MAXIMIZED):
            self.name = f"({self.name})"
        self.__name__ = self.name

    def value(self, y_true: Any, predictions: Any, sample_weight: Any = None) -> float:
        """The value of the measure, smaller is better."""
        found = super().value(y_true, predictions, sample_weight)
        return -found if self._negated else found

    def __call__(
        self, first: Any, second: Any, sample_weight: Any = None
    ) -> float | tuple[str, float]:
        """The name and the value for predictions and a ``DMatrix``.

        For labels, predictions and weights, the value alone.
        """
        value = self.value(*arguments_of(first, second, sample_weight))
        return (self.name, value) if hasattr(second, "get_label") else value
