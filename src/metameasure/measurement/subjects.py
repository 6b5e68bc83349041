"""Measures of other subjects than score tables: of orders, and of scores for k classes."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.data import ClassScores, NanPolicy, Ranking, check_alone, need_scores, warn_dropped
from metameasure.errors import ParameterError, UndefinedMeasureWarning, Wording
from metameasure.measurement import registry
from metameasure.measurement._measure import Measure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@registry.kind("order")
class OrderMeasure(Measure):
    """A function from a true and a predicted order of the same items to a number."""

    def read(self, y_true: Any, y_score: Any = None) -> Any:  # type: ignore[override]
        """The Ranking of the true and the predicted values of items, or a ready one."""
        if isinstance(y_true, Ranking):
            check_alone("a Ranking", y_score)
            return y_true
        if y_score is None:
            raise need_scores(self.name, "a Ranking")
        return Ranking.of(y_true, y_score)

    def compute(self, table: Any) -> Any:
        """The bare value, without a warning."""
        if not isinstance(table, Ranking):
            raise ParameterError(
                f"{self} compares a true order with a predicted order; labels of two classes have "
                "no order",
                remedy=Wording(
                    "pass a Ranking, or true and predicted values",
                    "use it in lab compare --permutations, or in Python",
                ),
            )
        return super().compute(table)


@registry.kind("classes")
class ClassMeasure(Measure):
    """A function from the scores of cases for k classes to a number."""

    takes_classes = True

    def read(  # type: ignore[override]
        self,
        y_true: Any,
        y_score: Any = None,
        *,
        labels: Sequence[Any] | None = None,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
    ) -> Any:
        """The validated scores of labels and a matrix of scores, or ready ClassScores."""
        if isinstance(y_true, ClassScores):
            check_alone("ClassScores", y_score, labels, sample_weight)
            return y_true
        if y_score is None:
            raise need_scores(self.name, "ClassScores")
        scores = ClassScores.of(
            y_true, y_score, labels=labels, sample_weight=sample_weight, nan_policy=nan_policy
        )
        warn_dropped(scores.dropped, scores.code.size, stacklevel=3)
        return scores

    def _answer(self, subject: ClassScores) -> Any:
        value = self.value(subject, stacklevel=4)
        if self.declaration.undefined and subject.absent and not np.isnan(value).any():
            # A measure that allows absent classes is a mean over the classes.
            warnings.warn(
                f"{self} leaves out {len(subject.absent)} of {subject.k} classes, which have no "
                f"cases: {shown(subject.absent)}",
                UndefinedMeasureWarning,
                stacklevel=3,
            )
        return value

    def require_unit(self, table: Any) -> None:
        """Raise an error unless the scores are probabilities of the classes."""
        if isinstance(table, ClassScores):
            table.require_probabilities(self)

    def compute(self, table: Any) -> Any:
        """The bare value, without checks and without a warning."""
        if not isinstance(table, ClassScores):
            raise ParameterError(
                f"{self} is a measure of scores for k classes",
                remedy=Wording(
                    "pass a matrix of scores, one column per class",
                    "pass the columns of all classes to metameasure evaluate --proba",
                ),
            )
        return super().compute(table)

    def of_classes(self, scores: str | None = None) -> ClassMeasure:  # noqa: ARG002
        """This measure itself."""
        return self

    def __reduce__(self) -> tuple[Callable[..., Measure], tuple[Any, ...]]:
        return _restore_of_classes, (self.name, self.parameters)


def _restore_of_classes(name: str, parameters: tuple[tuple[str, Any], ...]) -> Measure:
    known = registry.find(name).of_classes()
    return ClassMeasure(known.declaration, parameters)
