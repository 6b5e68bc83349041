"""Measures as evaluation functions of XGBoost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metameasure._arguments import Flag, read_argument
from metameasure.errors import ParameterError
from metameasure.integrations.boosting import EvaluationFunction, arguments_of
from metameasure.measurement import Measure, TwoLevel

if TYPE_CHECKING:
    from xgboost.callback import EarlyStopping

MAXIMIZED = ("auc", "pre", "map", "ndcg")
"""Beginnings of the names that XGBoost maximizes by itself."""
SCALE = 10**10
"""Factor of two-level values: XGBoost keeps six decimals, and these need all digits of a float."""


def metric(measure: str | Measure, *, margins: bool = False, negated: bool = True) -> XGBoostMetric:
    """A measure as ``custom_metric=`` of ``xgboost.train`` and ``eval_metric=`` of XGBClassifier.

    With ``early_stopping_rounds`` alone XGBoost stops by the smallest value, unless the name begins
    with "auc", "pre", "map" or "ndcg". The value of another measure whose larger values are better
    is therefore negated, and so is its name, ``-h_measure``. For plain values pass
    ``negated=False`` and stop with ``early_stopping``, which knows the direction. XGBoost rounds
    values to six decimals; those of ``two_level`` are multiplied by 10^10, which their names tell.
    Weights of the validation set are used.

    Args:
        measure: any measure of scores; with a multiclass objective (multi:softprob) a multiclass
            measure.
        margins: whether predictions are margins, as they are if the objective is a function or
            binary:logitraw. The logistic function or softmax makes them probabilities.
        negated: whether values are negated where ``early_stopping_rounds`` needs it.

    >>> metric("ks")([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    -0.5
    >>> metric("ks", negated=False)([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    0.5
    """
    return XGBoostMetric(measure, margins=margins, negated=negated)


def early_stopping(
    function: XGBoostMetric,
    rounds: int,
    *,
    data_name: str | None = None,
    save_best: bool = False,
    min_delta: float = 0.0,
) -> EarlyStopping:
    """XGBoost's callback for early stopping by a measure, in the direction of the measure.

    Args:
        function: the evaluation function, made by ``metric``, which XGBoost gets as well.
        rounds: the number of rounds without a better value after which training stops.
        data_name: the name of the validation set; by default the last one.
        save_best: whether the model has only the rounds up to the best one.
        min_delta: the smallest change that is an improvement.
    """
    from xgboost.callback import EarlyStopping  # noqa: PLC0415

    if not isinstance(function, XGBoostMetric):
        raise ParameterError(
            f"early_stopping takes an evaluation function, got {function!r}",
            remedy="pass the evaluation function that XGBoost gets",
            argument="function",
        )
    return EarlyStopping(
        rounds=rounds,
        metric_name=function.name,  # english: ok
        data_name=data_name,
        maximize=function.higher_is_better,
        save_best=save_best,
        min_delta=min_delta,
    )


class XGBoostMetric(EvaluationFunction):
    """An evaluation function of XGBoost; made by ``metric``."""

    def __init__(
        self, measure: str | Measure, *, margins: bool = False, negated: bool = True
    ) -> None:
        super().__init__(measure, margins=margins)
        self._factor = 1
        # XGBoost writes values as text, separated by spaces, and reads them again.
        self.name = self.name.replace(" ", "")
        if isinstance(self.measure, TwoLevel):
            self._factor, self.name = SCALE, f"1e10*{self.name}"
        by_name = self.name.startswith(MAXIMIZED)
        negated = read_argument("negated", negated, Flag())
        if self.higher_is_better and negated and not by_name:
            self._factor, self.name = -self._factor, f"-{self.name}"
            self.higher_is_better = False
        elif by_name and not self.higher_is_better:
            self.name = f"({self.name})"
        self.__name__ = self.name

    def value(self, y_true: Any, predictions: Any, sample_weight: Any = None) -> float:
        """The value of the measure, perhaps negated or multiplied."""
        return self._factor * super().value(y_true, predictions, sample_weight)

    def __call__(
        self, first: Any, second: Any, sample_weight: Any = None
    ) -> float | tuple[str, float]:
        """The name and the value for predictions and a ``DMatrix``.

        For labels, predictions and weights, the value alone.
        """
        value = self.value(*arguments_of(first, second, sample_weight))
        return (self.name, value) if hasattr(second, "get_label") else value
