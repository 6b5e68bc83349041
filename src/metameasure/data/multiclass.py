"""ClassScores: cases of k classes, with a score or probability for each class."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Choice, read_argument
from metameasure._text import shown
from metameasure.data.arrays import as_array, missing_cases
from metameasure.data.class_columns import ClassColumns, assign_columns
from metameasure.data.label_codes import code_labels, read_label_names
from metameasure.data.predictions import ARGUMENTS, NOTHING_WEIGHS, check_length, read_groups
from metameasure.data.scores import read_scores, read_weights
from metameasure.errors import DataError
from metameasure.kernels import sorted_down

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure.data.arrays import NanPolicy
    from metameasure.data.label_codes import Coded
    from metameasure.data.predictions import Names

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]
    Mask = NDArray[np.bool_]

SUM = 1e-6
"""By how much the probabilities of a case may miss 1."""


@dataclass(frozen=True, eq=False)
class Ordered:
    """The cases by their score for one class, from highest to lowest.

    ``code`` has their classes; ``ends`` the first and last place of each one's tie, or None if no
    two cases are tied.
    """

    case: Indices
    code: Indices
    ends: tuple[Indices, Indices] | None

    def between(self, upto: Floats) -> Floats:
        """What lies above each case of sums from none to all, half of its tie included."""
        if self.ends is None:
            return (upto[..., :-1] + upto[..., 1:]) / 2
        start, end = self.ends
        return (upto[..., start] + upto[..., end]) / 2


@dataclass(frozen=True, eq=False)
class ClassScores:
    """The class of each case, and its scores for all classes.

    Attributes:
        classes: the names of the classes, one a column of the scores.
        code: the number of the class of each case.
        scores: shape (cases, classes).
        weight: what each case weighs, (..., cases): axes in front make a block, in which the same
            cases count differently; None if each counts once.
        cluster: the cluster that each case belongs to; None if they are independent.
        dropped: how many cases were left out for missing values.
        kept: which of the cases that were given are left; None if all are.
        assumed: the names of the columns, if these say nothing of the classes and the columns were
            taken in the order of the sorted labels.

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
        nan_policy: NanPolicy = "raise",
        names: Names = ARGUMENTS,
        assume_order: bool = False,
    ) -> ClassScores:
        """Check everything, and find the class of each column.

        Args:
            y_true: the class of each case.
            scores: a matrix with a column a class, or a data frame or dict of such columns.
            labels: the class of each column. By default columns with names bear those of the
                classes, and columns without stand in the order of the sorted labels.
            sample_weight: what each case weighs.
            cluster: the cluster of each case.
            nan_policy: "raise", or "drop" to leave out cases that lack a value.
            names: what messages call all this.
            assume_order: whether columns with names of no class are taken as if they had none.
        """
        read_argument("nan_policy", nan_policy, Choice(("raise", "drop")))
        asked = None if labels is None else read_label_names(labels)
        columns = ClassColumns.of(scores)
        array, masked = as_array(y_true, names.label)
        called = _called(columns, names)
        read = [
            read_scores(values, what) for values, what in zip(columns.values, called, strict=True)
        ]
        for (values, _), what in zip(read, called, strict=True):
            check_length(values, what, array.size, names)
        if not array.size:
            raise DataError(f"there are no cases: {names.label} is empty")
        coded = code_labels(array, masked, names.label)
        lack = [(names.label, coded.missing)]
        lack += [(what, lacking) for what, (_, lacking) in zip(called, read, strict=True)]
        weight = None
        if sample_weight is not None:
            weight, lacking = read_weights(sample_weight, names.weight)
            check_length(weight, names.weight, array.size, names)
            lack.append((names.weight, lacking))
        if cluster is not None:
            cluster, lacking = read_groups(cluster, names.cluster)
            check_length(cluster, names.cluster, array.size, names)
            lack.append((names.cluster, lacking))
        missing = missing_cases(lack, nan_policy)
        if missing is not None and missing.all():
            raise DataError(f"all {missing.size} cases lack a value: none is left")
        found = assign_columns(
            columns.names, len(read), coded.distinct, asked, assume_order=assume_order
        )
        whole = cls(
            tuple(found.classes),
            _codes(coded, found.classes, names),
            # Columns lie whole in memory, since each is sorted by itself.
            np.array([read[place][0] for place in found.columns]).T,
            weight,
            cluster,
            assumed=found.assumed,
        )
        return whole if missing is None else whole.keeping(~missing)

    def where(self, rows: NDArray[Any]) -> ClassScores:
        """The scores of some of the cases."""
        weight = None if self.weight is None else self.weight[..., rows]
        cluster = None if self.cluster is None else self.cluster[rows]
        code, scores = self.code[rows], self.scores[rows]
        return ClassScores(self.classes, code, scores, weight, cluster, assumed=self.assumed)

    def keeping(self, kept: Mask) -> ClassScores:
        """What is left of the cases that were given when only these are kept."""
        left = self.where(kept if self.kept is None else kept[self.kept])
        if left.weight is not None and not left.weight.any():
            raise DataError(NOTHING_WEIGHS)
        return replace(left, dropped=int(np.count_nonzero(~kept)), kept=kept)

    def counting(self, counts: Floats) -> ClassScores:
        """The block in which each case counts so often: shape (tables, cases)."""
        return replace(self, weight=counts if self.weight is None else counts * self.weight)

    @property
    def shape(self) -> tuple[int, ...]:
        """The axes in front: ``()`` unless it is a block."""
        return () if self.weight is None else self.weight.shape[:-1]

    @property
    def k(self) -> int:
        """The number of classes."""
        return len(self.classes)

    @property
    def n(self) -> Any:
        """The weight of all cases."""
        return np.float64(self.code.size) if self.weight is None else self.weight.sum(axis=-1)

    @cached_property
    def totals(self) -> Floats:
        """The weight of each class, (..., classes)."""
        return self.add(np.ones(self.code.size))

    @property
    def absent(self) -> tuple[Any, ...]:
        """The classes that no case is of; of a block, in none of its tables."""
        used: list[bool] = np.any(self.totals.reshape(-1, self.k), axis=0).tolist()
        return tuple(name for name, some in zip(self.classes, used, strict=True) if not some)

    def add(self, values: Floats, order: Ordered | None = None) -> Floats:
        """The sum over the cases of each class of weight times value, (..., classes).

        ``order`` is the one that the values are in, if it is not that of the cases.
        """
        code = self.code if order is None else order.code
        if self.weight is None:
            return np.asarray(np.bincount(code, values, self.k), np.float64)
        weight = self.weight if order is None else self.weight[..., order.case]
        member = np.zeros((code.size, self.k))
        member[np.arange(code.size), code] = 1.0
        return np.asarray((weight * values) @ member)

    def mean(self, values: Floats) -> Any:
        """The weighted mean of a value a case."""
        if self.weight is None:
            return values.mean()
        return self.weight @ values / self.n

    @property
    def own(self) -> Floats:
        """The score that each case has for its own class."""
        return np.take_along_axis(self.scores, self.code[:, np.newaxis], 1)[:, 0]

    def ordered(self, column: int) -> Ordered:
        """The cases by their score for one class, sorted once for all blocks."""
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
        """Why these scores are no probabilities of the classes, if they are none."""
        wrong = ~((self.scores >= 0) & (self.scores <= 1)).all(axis=1)
        if wrong.any():
            return (
                f"probabilities lie in [0, 1], and {np.count_nonzero(wrong)} cases have others, "
                f"the first at row {np.argmax(wrong)}"
            )
        total = self.scores.sum(axis=1)
        wrong = np.abs(total - 1) > SUM
        if wrong.any():
            row = int(np.argmax(wrong))
            return (
                f"probabilities add up to 1, and those of {np.count_nonzero(wrong)} cases do not "
                f"(row {row}: {total[row]:.6g})"
            )
        return None

    def require_probabilities(self, who: object) -> None:
        """Refuse scores that are no probabilities of classes."""
        if self.improbable:
            raise DataError(
                f"{who} needs probabilities: {self.improbable}. Give the columns of all classes, "
                "divided by their sum, or take a measure of any scores, like hand_till_auc"
            )

    def __repr__(self) -> str:
        block = f"block of shape {self.shape}: " if self.shape else ""
        return f"<{block}scores of {self.code.size} cases for {self.k} classes>"


def _called(columns: ClassColumns, names: Names) -> list[str]:
    """How messages call the columns of the scores."""
    if columns.names is None:
        return [f"column {place} of the scores" for place in range(len(columns.values))]
    return [
        names.scores.get(str(name), f"the column {shown([name])} of the scores")
        for name in columns.names
    ]


def _codes(coded: Coded, classes: Sequence[Any], names: Names) -> Indices:
    """The class of each case as a number; a case without a label has any."""
    number = {name: place for place, name in enumerate(classes)}
    to = np.array([number.get(coded.name(place), -1) for place in range(len(coded.labels))])
    code = to[coded.places]
    if coded.missing is not None:
        code[coded.missing] = 0
    wrong = code < 0
    if wrong.any():
        strange = [label for label in coded.distinct if label not in number]
        raise DataError(
            f"{np.count_nonzero(wrong)} cases of {names.label}, the first at row "
            f"{np.argmax(wrong)}, are of none of the classes {shown(classes)} but of "
            f"{shown(strange)}: give these a column of scores, or leave the cases out"
        )
    return code
