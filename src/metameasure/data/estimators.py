"""Scores from fitted classifiers with the interface of scikit-learn, which is not imported."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.data.labels import is_label
from metameasure.errors import Argument, DataError, MetameasureError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

BY_PROBABILITY = ("predict_proba",)
BY_RANK = ("decision_function", "predict_proba")
ANY_RESPONSE = ("predict_proba", "decision_function")


def is_estimator(value: Any) -> bool:
    """Whether this is an object with the methods of a classifier, fitted or not.

    A column of a pandas frame is also an attribute, but not a method.
    """
    if isinstance(value, type):
        return False

    def has(name: str) -> bool:
        return callable(getattr(value, name, None))

    return any(map(has, ANY_RESPONSE)) or (has("fit") and has("predict"))


def are_estimators(values: Any) -> bool:
    """Whether this is an estimator, a dict that has some, or a list that begins with one."""
    if isinstance(values, Mapping):
        return any(map(is_estimator, values.values()))
    return any(map(is_estimator, values[:1] if isinstance(values, (list, tuple)) else [values]))


@contextmanager
def failing_in_words(name: str, what: str, where: str = "") -> Iterator[None]:
    """Raise a DataError that names the estimator, and the cases, if it raises an error."""
    try:
        yield
    except MetameasureError:
        raise
    except Exception as error:
        raise failure(name, what, error, where) from error


def failure(name: str, what: str, error: Exception, where: str = "") -> DataError:
    """The error for an estimator that raises one."""
    place = f" on {where}" if where else ""
    return DataError(f"{shown([name])} failed to {what}{place}: {type(error).__name__}: {error}")


def response_of(estimator: Any, X: Any, responses: tuple[str, ...]) -> NDArray[Any]:
    """The output of the first of these methods that the estimator has."""
    for name in responses:
        if hasattr(estimator, name):
            return np.asarray(getattr(estimator, name)(X))
    remedy = "use a classifier that has it, or pass the scores"
    if responses == BY_PROBABILITY and hasattr(estimator, "decision_function"):
        remedy = (
            "calibrate it, for example with CalibratedClassifierCV, or use a measure of the "
            "ranking such as auc"
        )
    raise DataError(f"{type(estimator).__name__} must have {' or '.join(responses)}", remedy=remedy)


def classes_of(estimator: Any, name: str) -> list[Any]:
    """The classes of a fitted classifier, which has this name in messages."""
    known = getattr(estimator, "classes_", None)
    if known is None or not len(known):
        raise DataError(
            f"{shown([name])} is not a fitted classifier: it has no classes_",
            remedy="fit it first; pass several estimators as a dict by their names",
        )
    return list(known)


def positive_scores(response: NDArray[Any], classes: list[Any], pos_label: Any) -> NDArray[Any]:
    """The scores of the positive class of two."""
    if pos_label is not None and not (is_label(pos_label) and pos_label in classes):
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


@dataclass(frozen=True, eq=False)
class EstimatorScores:
    """The scores of fitted classifiers for the cases X, by the names of the classifiers.

    Attributes:
        estimators: fitted classifiers with the same classes.
        X: features of the cases.
        responses: methods that may give the scores, in order of preference.
    """

    estimators: Mapping[str, Any]
    X: Any
    responses: tuple[str, ...] = ANY_RESPONSE

    @classmethod
    def of(
        cls, estimators: Any, X: Any, responses: tuple[str, ...] = ANY_RESPONSE
    ) -> EstimatorScores:
        """Those of an estimator, which is named after its class, or of a dict of several."""
        if isinstance(estimators, (list, tuple)):
            raise ParameterError(
                f"several estimators need names, got a {type(estimators).__name__}",
                remedy="pass a dict of them, by their names",
                argument="y_true",
            )
        several = isinstance(estimators, Mapping)
        many = estimators if several else {type(estimators).__name__: estimators}
        if not many:
            raise DataError("there is no estimator", remedy="pass one, or a dict of several")
        return cls({str(name): one for name, one in many.items()}, X, responses)

    def classes(self) -> list[Any]:
        """The classes, which must be the same for all estimators."""
        (first, right), *rest = (
            (name, classes_of(one, name)) for name, one in self.estimators.items()
        )
        for name, classes in rest:
            if classes != right:
                raise DataError(
                    f"the estimators differ in their classes: {shown([name])} has "
                    f"{shown(classes)}, {shown([first])} has {shown(right)}",
                    remedy="fit them to the same labels",
                )
        if len(right) < 2:
            raise DataError(
                f"{shown([first])} must have at least two classes, got {len(right)}",
                remedy="fit it to cases of all classes",
            )
        return right

    def read(
        self, options: Mapping[str, Any], *, several_classes: bool, binary: bool
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """The scores of each model, and the options with the classes that these scores are of.

        If ``binary``, the scores of two classes are those of ``pos_label``, by default of the
        second class. Else, and for more classes, which are refused without ``several_classes``,
        they are a matrix.
        """
        classes, given = self.classes(), dict(options)
        if given.get("labels") is not None:
            raise ParameterError(
                (Argument("labels"), " names the classes of a matrix of scores, got estimators"),
                remedy="remove it",
            )
        if len(classes) > 2 and not several_classes:
            raise DataError(
                f"{shown(list(self.estimators)[:1])} must have two classes, got {len(classes)}",
                remedy="fit it to one class against the rest",
            )
        found = {}
        for name, one in self.estimators.items():
            with failing_in_words(name, "predict"):
                found[name] = response_of(one, self.X, self.responses)
        if len(classes) > 2 or not binary:
            return found, {**given, "labels": classes}
        pos_label = given.get("pos_label")
        scores = {
            name: positive_scores(response, classes, pos_label) for name, response in found.items()
        }
        return scores, {**given, "pos_label": classes[1] if pos_label is None else pos_label}
