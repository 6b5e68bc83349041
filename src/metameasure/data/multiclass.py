"""ClassScores: cases of k classes, with a score or probability per class."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import read_argument
from metameasure.data.arrays import as_array, missing_cases
from metameasure.data.case_columns import ARGUMENTS, NAN_POLICY, check_length
from metameasure.data.class_cases import Answers, ClassCases, OtherColumns, class_codes
from metameasure.data.class_columns import SUM, ClassColumns, assign_columns
from metameasure.data.label_codes import code_labels, read_label_names
from metameasure.data.row_order import check_row_order
from metameasure.data.scores import read_scores
from metameasure.errors import DataError
from metameasure.kernels import sorted_down

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices, Mask
    from metameasure.data.arrays import NanPolicy
    from metameasure.data.case_columns import Names


@dataclass(frozen=True, eq=False)
class Ordered:
    """The cases sorted by their score for one class, from highest to lowest.

    ``code`` has their classes; ``ends`` the start and end of the tie of each, or None if there are
    no ties.
    """

    case: Indices
    code: Indices
    ends: tuple[Indices, Indices] | None

    def between(self, upto: Floats) -> Floats:
        """Cumulative sums up to each case, with half of its tie; ``upto`` starts at no case."""
        if self.ends is None:
            return (upto[..., :-1] + upto[..., 1:]) / 2
        start, end = self.ends
        return (upto[..., start] + upto[..., end]) / 2


@dataclass(frozen=True, eq=False)
class ClassScores(ClassCases):
    """The class of each case, and its scores for all classes.

    Attributes:
        classes: names of the classes, one per column of the scores.
        code: number of the class of each case.
        scores: shape (cases, classes).
        weight: weight of each case, (..., cases): axes in front make a block, in which the same
            cases have different weights; None if all weigh 1.
        cluster: cluster of each case; None if cases are independent.
        dropped: number of cases that were dropped because a value is missing.
        kept: mask of the cases that were kept; None if all were.
        assumed: names of the columns, if they are not named after classes and were taken in the
            order of the sorted labels.
        group, fold, dropped_group: see ``ClassCases``.

    >>> ClassScores.of(["a", "b", "c"], [[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])
    <scores of 3 cases for 3 classes>
    """

    classes: tuple[Any, ...]
    code: Indices
    scores: Floats
    weight: Floats | None = None
    cluster: NDArray[Any] | None = None
    dropped: int = 0
    kept: Mask | None = None
    assumed: tuple[Any, ...] = ()
    group: NDArray[Any] | None = None
    fold: NDArray[Any] | None = None
    dropped_group: NDArray[Any] | None = None
    _ordered: dict[int, Ordered] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        y_true: Any,
        scores: Any,
        *,
        labels: Sequence[Any] | None = None,
        sample_weight: Any = None,
        cluster: Any = None,
        group: Any = None,
        fold: Any = None,
        nan_policy: NanPolicy = "raise",
        names: Names = ARGUMENTS,
        assume_order: bool = False,
    ) -> ClassScores:
        """Validate everything, and find the class of each column.

        Args:
            y_true: class of each case.
            scores: matrix with one column per class, or a data frame or dict of such columns.
            labels: class of each column. By default columns are named after the classes; columns
                without names are in the order of the sorted labels.
            sample_weight: weight of each case.
            cluster: cluster of each case.
            group: group of each case.
            fold: fold of each case in a cross-validation.
            nan_policy: "raise", or "drop" to drop cases with a missing value.
            names: names of the arguments or columns in messages.
            assume_order: whether columns that are not named after classes are in the order of the
                sorted labels.
        """
        read_argument("nan_policy", nan_policy, NAN_POLICY)
        others = OtherColumns(sample_weight, cluster, group, fold)
        check_row_order(
            y_true, [("the scores", scores), *others.called(names).values()], names.label
        )
        columns = ClassColumns.of(scores)
        array, masked = as_array(y_true, names.label)
        called = columns.called(names.scores)
        read = [
            read_scores(values, what) for values, what in zip(columns.values, called, strict=True)
        ]
        for (values, _), what in zip(read, called, strict=True):
            check_length(values, what, array.size, names)
        if not array.size:
            raise DataError(f"there are no cases: {names.label} is empty")
        coded = code_labels(array, masked, names.label)
        asked = None if labels is None else read_label_names(labels, coded.distinct)
        lack = [(names.label, coded.missing)]
        lack += [(what, lacking) for what, (_, lacking) in zip(called, read, strict=True)]
        of_cases = others.read(array.size, names, lack)
        missing = missing_cases(lack, nan_policy)
        found = assign_columns(
            columns.names, len(read), coded.distinct, asked, assume_order=assume_order
        )
        whole = cls(
            tuple(found.classes),
            class_codes(
                coded,
                found.classes,
                names.label,
                "without a column of scores",
                "add a column of scores for them, or drop these cases",
            ),
            # Columns are contiguous in memory, since each is sorted on its own.
            np.array([read[place][0] for place in found.columns]).T,
            assumed=found.assumed,
            **of_cases,
        )
        return whole if missing is None else whole.keeping(~missing)

    def where(self, rows: NDArray[Any]) -> ClassScores:
        """The scores of some of the cases."""
        code, scores, others = self.code[rows], self.scores[rows], self.columns_of(rows)
        return ClassScores(self.classes, code, scores, **others, assumed=self.assumed)

    def same_as(self, other: ClassScores) -> bool:
        """Whether all scores are equal."""
        return np.array_equal(self.scores, other.scores)

    @cached_property
    def answers(self) -> Answers:
        """The class with the highest score; each of several that are tied."""
        best = self.scores.argmax(axis=1)
        highest = np.take_along_axis(self.scores, best[:, np.newaxis], 1)
        tied = np.count_nonzero(self.scores == highest, axis=1)
        if (tied == 1).all():
            return Answers(np.arange(best.size), best, None)
        case, predicted = np.nonzero(self.scores == highest)
        return Answers(case, predicted, 1 / tied[case])

    def add(self, values: Floats, order: Ordered | None = None) -> Floats:
        """The weighted sum of values per class, (..., classes).

        ``order`` is the order of the values, if it is not that of the cases.
        """
        code = self.code if order is None else order.code
        if self.weight is None:
            return np.asarray(np.bincount(code, values, self.k), np.float64)
        weight = self.weight if order is None else self.weight[..., order.case]
        member = np.zeros((code.size, self.k))
        member[np.arange(code.size), code] = 1.0
        return np.asarray((weight * values) @ member)

    def mean(self, values: Floats) -> Any:
        """The weighted mean of one value per case."""
        if self.weight is None:
            return values.mean()
        return self.weight @ values / self.n

    @property
    def own(self) -> Floats:
        """The score of each case for its own class."""
        return np.take_along_axis(self.scores, self.code[:, np.newaxis], 1)[:, 0]

    def ordered(self, column: int) -> Ordered:
        """The cases sorted by their score for one class, once for all blocks."""
        if column not in self._ordered:
            score = np.ascontiguousarray(self.scores[:, column])
            case, score = sorted_down(score)
            fresh, ends = score[1:] != score[:-1], None
            if not fresh.all():
                limits = np.concatenate([[0], np.flatnonzero(fresh) + 1, [score.size]])
                sizes = np.diff(limits)
                ends = np.repeat(limits[:-1], sizes), np.repeat(limits[1:], sizes)
            self._ordered[column] = Ordered(case, self.code[case], ends)
        return self._ordered[column]

    @cached_property
    def improbable(self) -> str | None:
        """Why these scores are not probabilities of the classes; None if they are."""
        wrong = ~((self.scores >= 0) & (self.scores <= 1)).all(axis=1)
        if wrong.any():
            return (
                f"{np.count_nonzero(wrong)} cases have scores outside [0, 1], the first at row "
                f"{np.argmax(wrong)}"
            )
        total = self.scores.sum(axis=1)
        wrong = np.abs(total - 1) > SUM
        if wrong.any():
            row = int(np.argmax(wrong))
            return (
                f"the scores of {np.count_nonzero(wrong)} cases do not sum to 1 (row {row}: "
                f"{total[row]:.6g})"
            )
        return None

    def require_probabilities(self, who: object) -> None:
        """Refuse scores that are not probabilities of classes."""
        if self.improbable:
            raise DataError(
                f"{who} needs probabilities: {self.improbable}",
                remedy="pass the columns of all classes, divided by their sum, or use a measure "
                "for any scores, such as hand_till_auc",
            )

    def __repr__(self) -> str:
        block = f"block of shape {self.shape}: " if self.shape else ""
        return f"<{block}scores of {self.code.size} cases for {self.k} classes>"
