"""Measures of other subjects than score tables: orders, true probabilities, and k classes."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.data import (
    ClassCases,
    ClassLabels,
    ClassScores,
    NanPolicy,
    Ranking,
    SoftLabels,
    check_alone,
    has_class_columns,
    need_scores,
    warn_dropped,
)
from metameasure.errors import (
    Argument,
    DataError,
    ParameterError,
    UndefinedMeasureWarning,
    Wording,
)
from metameasure.measurement import registry
from metameasure.measurement._measure import Measure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from metameasure.table import Cut


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


@registry.kind("probabilities")
class ProbabilityMeasure(Measure):
    """A function from the true and the predicted probabilities of cases to a number."""

    def read(  # type: ignore[override]
        self,
        y_true: Any,
        y_score: Any = None,
        *,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
    ) -> Any:
        """The validated true and predicted probabilities."""
        if y_score is None:
            names = Argument("y_true"), " and ", Argument("y_score")
            raise DataError((f"{self} with soft=True needs ", *names), argument="y_score")
        given = {"sample_weight": sample_weight, "nan_policy": nan_policy}
        cases = SoftLabels.of(y_true, {"y_score": y_score}, **given)
        warn_dropped(cases.dropped, cases.true.size, stacklevel=3)
        return cases.of_model("y_score")

    def require_unit(self, table: Any) -> None:
        """Do nothing, since all probabilities were validated."""

    def of_probabilities(self) -> ProbabilityMeasure:
        """This measure itself."""
        return self

    def __reduce__(self) -> tuple[Callable[..., Measure], tuple[Any, ...]]:
        return _restore_of_probabilities, (self.name, self.parameters)


def _restore_of_probabilities(name: str, parameters: tuple[tuple[str, Any], ...]) -> Measure:
    return ProbabilityMeasure(registry.find(name).of_probabilities().declaration, parameters)


@registry.kind("classes")
class ClassMeasure(Measure):
    """A function from the scores or the predicted labels of cases of k classes to a number."""

    def read(  # type: ignore[override]
        self,
        y_true: Any,
        y_score: Any = None,
        *,
        labels: Sequence[Any] | None = None,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
    ) -> Any:
        """The validated classes and a matrix of scores or, if enough, predicted labels.

        Ready ClassScores and ClassLabels stay as they are.
        """
        if isinstance(y_true, ClassCases):
            check_alone(type(y_true).__name__, y_score, labels, sample_weight)
            return y_true
        if y_score is None:
            raise need_scores(self.name, "ClassScores")
        options: Any = {
            "labels": labels, "sample_weight": sample_weight, "nan_policy": nan_policy
        }  # fmt: skip
        found: ClassCases
        if self.declaration.matrix and not has_class_columns(y_score):
            found = ClassLabels.of(y_true, {"y_score": y_score}, **options)["y_score"]
        else:
            found = ClassScores.of(y_true, y_score, **options)
        warn_dropped(found.dropped, found.code.size, stacklevel=3)
        return found

    def _answer(self, subject: ClassCases) -> Any:
        value = self.value(subject, stacklevel=4)
        left_out = self.left_out(subject)
        if left_out and not np.isnan(value).any():
            warnings.warn(
                f"{self} {self.leaves_out_text(subject)}", UndefinedMeasureWarning, stacklevel=3
            )
        return value

    def left_out(self, subject: ClassCases) -> tuple[Any, ...]:
        """The classes that a mean over classes leaves out; in a block, of all of its tables."""
        rule = self.declaration.leaves_out
        if rule is None:
            return ()
        mask = np.reshape(rule.where(self._argument(subject)), (-1, subject.k))
        return tuple(name for place, name in enumerate(subject.classes) if mask[:, place].all())

    def leaves_out_text(self, subject: ClassCases) -> str:
        """Which classes a mean over classes leaves out, and why."""
        names, rule = self.left_out(subject), self.declaration.leaves_out
        assert rule is not None  # noqa: S101 - else nothing is left out
        return f"leaves out {len(names)} of {subject.k} classes, {rule.why}: {shown(names)}"

    @property
    def fewest_classes(self) -> int:
        """The smallest number of classes for which the measure means something."""
        least = self.declaration.fewest_classes
        return 1 if least is None else least(**dict(self.parameters))

    def _argument(self, subject: ClassCases) -> Any:
        """What the function gets: the cuts of all classes, or the scores."""
        return subject.cuts if self.declaration.matrix else subject

    def of_cuts(self, cuts: Cut) -> Any:
        """The bare value of confusion matrices, from the cuts of their classes."""
        return self._apply(cuts)

    def require_unit(self, table: Any) -> None:
        """Raise an error unless the scores are probabilities of the classes."""
        if isinstance(table, ClassScores):
            table.require_probabilities(self)

    def compute(self, table: Any) -> Any:
        """The bare value, without checks and without a warning."""
        if not isinstance(table, ClassCases if self.declaration.matrix else ClassScores):
            labels = ", got predicted labels" if isinstance(table, ClassLabels) else ""
            raise ParameterError(
                f"{self} is a measure of scores for k classes{labels}",
                remedy=Wording(
                    "pass a matrix of scores, one column per class",
                    "pass the columns of all classes to metameasure evaluate --proba",
                ),
            )
        if table.k < self.fewest_classes:
            raise ParameterError(
                f"{self} needs at least {self.fewest_classes} classes, got {table.k}",
                argument="measures",
            )
        return super().compute(self._argument(table))

    def of_classes(self, scores: str | None = None) -> ClassMeasure:  # noqa: ARG002
        """This measure itself."""
        return self

    def __reduce__(self) -> tuple[Callable[..., Measure], tuple[Any, ...]]:
        return _restore_of_classes, (self.name, self.parameters)


def _restore_of_classes(name: str, parameters: tuple[tuple[str, Any], ...]) -> Measure:
    known = registry.find(name).of_classes()
    return ClassMeasure(known.declaration, parameters)
