"""ClassScores: cases of k classes, with a score or probability for each class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError
from metameasure.kernels.plain import descending
from metameasure.predictions.arrays import as_array, either, missing_values, shown
from metameasure.predictions.numbers import read_scores, read_weights
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure.predictions.arrays import NanPolicy

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
        dropped: how many cases were left out for missing values.
        kept: which of the cases that were given are left; None if all are.

    >>> ClassScores.of(["a", "b", "c"], [[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])
    <scores of 3 cases for 3 classes>
    """

    classes: tuple[Any, ...]
    code: Indices
    scores: Floats
    weight: Floats | None = None
    dropped: int = 0
    kept: Mask | None = None
    _ordered: dict[int, Ordered] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        y_true: Any,
        scores: Any,
        *,
        labels: Sequence[Any] | None = None,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
    ) -> ClassScores:
        """Check everything; columns are named by ``labels``, or in the order of sorted labels.

        ``scores`` is a matrix with a column a class, or a dict of columns by class.
        """
        if nan_policy not in ("raise", "drop"):
            raise DataError(f"nan_policy={nan_policy!r} is not known: give 'raise' or 'drop'")
        names, columns, missing = _columns(scores, labels)
        code, classes, unlabelled = _codes(y_true, names, columns.shape[1])
        if code.size != len(columns):
            raise DataError(
                f"y_true has {code.size} cases but the scores have {len(columns)} rows: they must "
                "be as many"
            )
        weight = None
        missing = either(missing, unlabelled)
        if sample_weight is not None:
            weight, lacking = read_weights(sample_weight)
            if weight.size != code.size:
                raise DataError(f"y_true has {code.size} cases but sample_weight {weight.size}")
            missing = either(missing, lacking)
        if not code.size:
            raise DataError("there are no cases: y_true is empty")
        whole = cls(classes, code, columns, weight)
        if missing is None:
            return whole
        if nan_policy == "raise":
            raise DataError(
                f"{np.count_nonzero(missing)} of {missing.size} cases lack a value (NaN or null), "
                f"the first at row {np.argmax(missing)}: fill them in, or leave these cases out "
                'with nan_policy="drop"'
            )
        if missing.all():
            raise DataError(f"all {missing.size} cases lack a value: none is left")
        return whole.keeping(~missing)

    def where(self, rows: NDArray[Any]) -> ClassScores:
        """The scores of some of the cases."""
        weight = None if self.weight is None else self.weight[..., rows]
        return ClassScores(self.classes, self.code[rows], self.scores[rows], weight)

    def keeping(self, kept: Mask) -> ClassScores:
        """What is left of the cases that were given when only these are kept."""
        rows = kept if self.kept is None else kept[self.kept]
        return replace(self.where(rows), dropped=int(np.count_nonzero(~kept)), kept=kept)

    def counting(self, counts: Floats) -> ClassScores:
        """The block in which each case counts so often: shape (tables, cases)."""
        weight = counts if self.weight is None else counts * self.weight
        return ClassScores(
            self.classes, self.code, self.scores, weight, self.dropped, self.kept, self._ordered
        )

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
            case = descending(score)
            score = score[case]
            fresh, ends = score[1:] != score[:-1], None
            if not fresh.all():
                limits = np.concatenate([[0], np.flatnonzero(fresh) + 1, [score.size]])
                sizes = np.diff(limits)
                ends = np.repeat(limits[:-1], sizes), np.repeat(limits[1:], sizes)
            self._ordered[column] = Ordered(case, self.code[case], ends)
        return self._ordered[column]

    def table(self, column: int) -> ScoreTable:
        """The score table of one class against all others."""
        if self.shape:
            raise DataError("the table of a class is of one set of cases, not of a block")
        return ScoreTable.from_cases(self.code == column, self.scores[:, column], self.weight)

    def require_probabilities(self, who: object) -> None:
        """Refuse scores that are no probabilities of classes."""
        wrong = ~((self.scores >= 0) & (self.scores <= 1)).all(axis=1)
        if wrong.any():
            raise DataError(
                f"{who} needs probabilities in [0, 1], but {np.count_nonzero(wrong)} cases have "
                f"others, the first at row {np.argmax(wrong)}"
            )
        total = self.scores.sum(axis=1)
        wrong = np.abs(total - 1) > SUM
        if wrong.any():
            row = int(np.argmax(wrong))
            raise DataError(
                f"{who} needs probabilities that add up to 1, but those of "
                f"{np.count_nonzero(wrong)} cases do not (row {row}: {total[row]:.6g}): divide "
                "rows by their sums, or give the missing column"
            )

    def __repr__(self) -> str:
        block = f"block of shape {self.shape}: " if self.shape else ""
        return f"<{block}scores of {self.code.size} cases for {self.k} classes>"


def _columns(
    scores: Any, labels: Sequence[Any] | None
) -> tuple[list[Any] | None, Floats, Mask | None]:
    """The names of the columns if they are known, the columns, and the cases that lack a value."""
    names = None if labels is None else list(labels)
    if isinstance(scores, Mapping):
        if names is not None and set(names) != set(scores):
            raise DataError(f"labels {shown(names)} do not name the scores, {shown(scores)}")
        names = names or list(scores)
        scores = [scores[name] for name in names]
        read = [read_scores(column, f"the scores of {shown([name])}") for name, column in
                zip(names, scores, strict=True)]  # fmt: skip
    else:
        matrix = np.asarray(scores)
        if matrix.ndim != 2 or matrix.shape[1] < 2:
            raise DataError(
                f"the scores of several classes are a matrix with a column a class, not of the "
                f"shape {matrix.shape}"
            )
        read = [read_scores(column, f"column {i} of the scores") for i, column in
                enumerate(matrix.T)]  # fmt: skip
    if len({values.size for values, _ in read}) > 1:
        raise DataError("the columns of the scores are not of one length")
    if names is not None and len(names) != len(read):
        raise DataError(f"there are {len(names)} labels for {len(read)} columns of scores")
    if names is not None and len(set(names)) < len(names):
        raise DataError(f"a class is named twice: {shown(names)}")
    missing = None
    for _, lacking in read:
        missing = either(missing, lacking)
    return names, np.column_stack([values for values, _ in read]), missing


def _codes(
    y_true: Any, names: list[Any] | None, columns: int
) -> tuple[Indices, tuple[Any, ...], Mask | None]:
    """The class of each case as a number, the classes, and which cases have none."""
    labels, masked = as_array(y_true, "y_true")
    missing = either(masked, missing_values(labels))
    present = labels if missing is None else labels[~missing]
    if present.dtype.kind == "O" and len({type(label) for label in present}) == 1:
        present = np.array(present.tolist())
    if names is None:
        try:
            found, code = np.unique(present, return_inverse=True)
        except TypeError:
            raise DataError("y_true mixes kinds of labels: make them all texts") from None
        if found.size != columns:
            raise DataError(
                f"y_true has {found.size} classes, {shown(found)}, but the scores have {columns} "
                "columns: say which column is which class, labels=[...]"
            )
        names = found.tolist()
    else:
        numbers = {name: number for number, name in enumerate(names)}
        code = np.fromiter((numbers.get(label, -1) for label in present.tolist()), np.int64)
        if (code < 0).any():
            wrong = sorted({str(label) for label in present[code < 0].tolist()})
            raise DataError(
                f"{np.count_nonzero(code < 0)} labels of y_true are none of the classes "
                f"{shown(names)}: {shown(wrong)}"
            )
    if missing is None:
        return code.astype(np.int64), tuple(names), None
    whole = np.zeros(labels.size, np.int64)
    whole[~missing] = code
    return whole, tuple(names), missing
