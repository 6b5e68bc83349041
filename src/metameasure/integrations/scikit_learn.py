"""Scorers for scikit-learn's model selection."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError
from metameasure.predictions import tabulate
from metameasure.predictions.arrays import shown
from metameasure.registry import Measure, parse, parse_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from metameasure.table import ScoreTable


def scorer(measure: str | Measure, *, pos_label: Any = None) -> Callable[..., float]:
    """A measure as ``scoring=`` for GridSearchCV and its like: larger is always better.

    Where smaller is better the sign is turned, where a value is best it is minus the distance from
    it, as scikit-learn wants. Measures of probabilities, and those at a threshold between 0 and 1,
    use ``predict_proba``; the others ``decision_function`` where there is one. It takes part in
    metadata routing.

    >>> from sklearn.linear_model import LogisticRegression
    >>> model = LogisticRegression().fit([[0], [1], [2], [3]], [0, 1, 0, 1])
    >>> round(scorer("auc")(model, [[0], [1], [2], [3]], [0, 1, 0, 1]), 4)
    0.75
    """
    from sklearn.metrics import make_scorer  # noqa: PLC0415

    chosen = parse(measure)
    keywords = {} if pos_label is None else {"pos_label": pos_label}
    return make_scorer(_Loss(chosen), response_method=list(_responses([chosen])), **keywords)  # type: ignore[no-any-return]


def scorers(measures: str | Iterable[str | Measure], *, pos_label: Any = None) -> Scorers:
    """Several measures as one ``scoring=``, from one prediction and one table; give ``refit=``.

    The result maps each measure's text to its value, larger being better as in ``scorer``. If one
    of them needs probabilities, all are taken from ``predict_proba``.
    """
    return Scorers(tuple(parse_list(measures)), pos_label)


class Scorers:
    """A scorer that returns a dict; made by ``scorers``."""

    def __init__(self, measures: tuple[Measure, ...], pos_label: Any = None) -> None:
        self.measures = measures
        self.pos_label = pos_label
        self._weighted: bool | str | None = None

    def set_score_request(self, *, sample_weight: bool | str | None) -> Scorers:
        """Say whether weights that are passed to a search shall reach the measures."""
        self._weighted = sample_weight
        return self

    def get_metadata_routing(self) -> Any:
        """What scikit-learn asks a scorer for when its metadata routing is on."""
        from sklearn.utils.metadata_routing import MetadataRequest  # noqa: PLC0415

        request = MetadataRequest(owner=self)
        request.score.add_request(param="sample_weight", alias=self._weighted)
        return request

    def __call__(
        self,
        estimator: Any,
        X: Any,
        y_true: Any,
        sample_weight: Any = None,
    ) -> dict[str, float]:
        """The value of each measure for an estimator on some cases."""
        score = _positive_scores(estimator, X, _responses(self.measures), self.pos_label)
        table = tabulate(y_true, score, pos_label=self.pos_label, sample_weight=sample_weight)
        return {str(measure): _larger_is_better(measure, table) for measure in self.measures}

    def __repr__(self) -> str:
        return f"scorers([{', '.join(repr(str(measure)) for measure in self.measures)}])"


class _Loss:
    """A measure in the form that make_scorer wraps: it can be pickled, and has a name."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.__name__ = str(measure)

    def __call__(
        self, y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
    ) -> float:
        table = tabulate(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
        return _larger_is_better(self.measure, table)

    def __repr__(self) -> str:
        return str(self.measure)


def _larger_is_better(measure: Measure, table: ScoreTable) -> float:
    value = float(measure.value(table, stacklevel=4))
    if measure.best == "max" or math.isnan(value):
        return value
    return -value if measure.best == "min" else -abs(value - float(measure.best))


def _responses(measures: Iterable[Measure]) -> tuple[str, ...]:
    """What to ask an estimator for, the first that it has."""
    for measure in measures:
        point = measure.point
        at_probability = point and point.kind == "threshold" and 0 < float(point.value) < 1
        if measure.unit_scores or at_probability:
            return ("predict_proba",)
    return ("decision_function", "predict_proba")


def _positive_scores(estimator: Any, X: Any, responses: tuple[str, ...], pos_label: Any) -> Any:
    """The scores of the positive class from the first response that the estimator has."""
    for name in responses:
        if hasattr(estimator, name):
            break
    else:
        raise DataError(
            f"{type(estimator).__name__} has no {' or '.join(responses)}, which these measures need"
        )
    response = np.asarray(getattr(estimator, name)(X))
    classes = list(estimator.classes_)
    if len(classes) != 2:
        raise DataError(f"the estimator knows {len(classes)} classes; binary measures need two")
    if pos_label is not None and pos_label not in classes:
        raise DataError(f"pos_label={shown([pos_label])} is not a label: {shown(classes)}")
    column = 1 if pos_label is None else classes.index(pos_label)
    if response.ndim == 2:
        return response[:, column]
    return response if column == 1 else -response
