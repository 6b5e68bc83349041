"""Measures as evaluation functions of LightGBM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metameasure.integrations.boosting import EvaluationFunction, arguments_of

if TYPE_CHECKING:
    from metameasure.measurement import Measure


def metric(measure: str | Measure, *, margins: bool = False) -> LightGBMMetric:
    """A measure as ``feval=`` of ``lightgbm.train`` and ``eval_metric=`` of ``LGBMClassifier.fit``.

    Weights of the validation set are used. Set LightGBM's own ``metric`` to "None" for early
    stopping by the measure alone.

    Args:
        measure: any measure of scores; with a multiclass objective a multiclass measure.
        margins: whether predictions are margins, as they are if the objective is a function. The
            logistic function or softmax makes them probabilities.

    >>> metric("auc")([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    ('auc', 0.875, True)
    """
    return LightGBMMetric(measure, margins=margins)


class LightGBMMetric(EvaluationFunction):
    """An evaluation function of LightGBM; made by ``metric``."""

    def __call__(
        self, first: Any, second: Any, sample_weight: Any = None
    ) -> tuple[str, float, bool]:
        """The name, the value, and whether larger is better.

        Takes predictions and a ``Dataset``, or labels, predictions and weights.
        """
        value = self.value(*arguments_of(first, second, sample_weight))
        return self.name, value, self.higher_is_better
