"""Labeled counts: how often each true class was predicted as each class."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from metameasure._arguments import Whole, read_argument
from metameasure._text import shown
from metameasure.data import (
    LabelsAnd,
    NanPolicy,
    Predictions,
    check_alone,
    count_pairs,
    in_order,
    positive_columns,
    read_counts,
    read_cross_table,
    read_label_names,
    two_labels,
    union_of_labels,
)
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.measurement import POINT_KEYWORDS, UNREACHED
from metameasure.table import Cut, Point, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from metameasure._types import Floats


THRESHOLD = 0.5
KNOWN_PAIRS = ((False, True), (0, 1), (-1, 1))


class LabeledCounts:
    """A square array of counts with the labels of its classes; see ``ConfusionMatrix``."""

    counts: Floats
    labels: tuple[Any, ...]
    pos_label: Any
    dropped: int
    point: Point | None
    _rest_of: Any
    """The positive label, if the name of the other class is made up."""

    def __init__(
        self, counts: ArrayLike, labels: Any = None, *, pos_label: Any = None, dropped: int = 0
    ) -> None:
        if labels is None:
            counts, labels = read_cross_table(counts)
        self.counts = read_counts(counts)
        self.named = labels is not None
        names = range(len(self.counts)) if labels is None else read_label_names(labels)
        if len(names) != len(self.counts):
            raise ParameterError(
                f"counts and labels differ in length: {len(self.counts)} and {len(names)}",
                argument="labels",
            )
        self.labels = tuple(names)
        self._place = {label: place for place, label in enumerate(self.labels)}
        self.dropped = read_argument("dropped", dropped, Whole(0))
        self.pos_label = self._positive(pos_label)
        self._rest_of: Any = None
        self.point = None

    def _positive(self, pos_label: Any) -> Any:
        """The positive label of two, if it is given or known."""
        if pos_label is None:
            return self.labels[1] if self.named and self.labels in KNOWN_PAIRS else None
        place = self._find(pos_label, "pos_label")
        if len(self.labels) != 2:
            raise ParameterError(
                (Argument("pos_label"), f" needs two classes, got {len(self.labels)}"),
                remedy=("pass ", Argument("label"), " to measure() instead"),
            )
        return self.labels[place]

    @classmethod
    def of(
        cls,
        y_true: Any,
        y_pred: Any = None,
        *,
        label: str | None = None,
        predicted: str | None = None,
        weight: str | None = None,
        labels: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
    ) -> Self:
        """The matrix of true and predicted labels.

        Args:
            y_true: the true classes: text, integers or bool; or a data frame or file name.
            y_pred: the predicted classes, of the same kind.
            label: the column of the true classes in a data frame or file.
            predicted: the column of the predicted classes.
            weight: the column of the weights.
            labels: all classes in order; by default those that occur, sorted.
            pos_label: of two classes, the positive one.
            sample_weight: an array of weights; cases of weight 0 do not count.
            nan_policy: "raise", or "drop" to drop cases with missing values.

        >>> from metameasure import ConfusionMatrix
        >>> ConfusionMatrix.of(["a", "b", "c"], ["a", "b", "b"]).counts.tolist()
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
        """
        data = LabelsAnd.read(
            *(y_true, y_pred, sample_weight, ("y_pred", "predicted")),
            label=label,
            column=predicted,
            weight=weight,
        )
        found = count_pairs(
            data.labels,
            data.values,
            labels=labels,
            sample_weight=data.weight,
            nan_policy=nan_policy,
            names=data.names,
        )
        return cls(found.counts, found.labels, pos_label=pos_label, dropped=found.dropped)

    @classmethod
    def at(
        cls,
        y_true: Any,
        scores: Any = None,
        threshold: float | None = None,
        *,
        top: float | None = None,
        k: float | Literal["P"] | None = None,
        at_fpr: float | None = None,
        at_tpr: float | None = None,
        at_sensitivity: float | None = None,
        at_specificity: float | None = None,
        label: str | None = None,
        score: str | None = None,
        weight: str | None = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
    ) -> Self:
        """The matrix of binary labels and scores at one operating point.

        The data are arrays, a data frame or file with the columns ``label``, ``score`` and
        ``weight``, or a ScoreTable, whose labels are then 0 and 1. The default is the threshold
        0.5. A case is positive if its score is at least the threshold; an operating point within a
        tie counts a fraction of the tied cases.

        >>> from metameasure import ConfusionMatrix
        >>> ConfusionMatrix.at([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1], k=2).counts.tolist()
        [[1.5, 0.5], [0.5, 1.5]]
        """
        values = (threshold, top, k, at_fpr, at_tpr, at_sensitivity, at_specificity)
        given = [
            Point.named(name, value)
            for name, value in zip(POINT_KEYWORDS.values(), values, strict=True)
            if value is not None
        ]
        if len(given) > 1:
            raise ParameterError(
                f"pass one operating point, got {len(given)}: {', '.join(map(str, given))}"
            )
        point = given[0] if given else Point("threshold", THRESHOLD)
        if isinstance(y_true, ScoreTable):
            check_alone("a ScoreTable", scores, label, score, weight, pos_label, sample_weight)
            return cls._of_cut(y_true, point, [0, 1])
        data = LabelsAnd.read(
            *(y_true, scores, sample_weight, ("scores", "score")),
            label=label,
            column=score,
            weight=weight,
        )
        scores, pos_label = positive_columns(
            *(data.labels, {"scores": data.values}),
            pos_label=pos_label,
            what=data.names.label,
            called=data.names.scores,
        )
        rows = Predictions.of(
            data.labels,
            scores,
            pos_label=pos_label,
            sample_weight=data.weight,
            nan_policy=nan_policy,
            names=data.names,
        )
        negative, positive, rest_of = two_labels(data.labels, pos_label)
        made = cls._of_cut(rows.table("scores"), point, [negative, positive], rows.dropped)
        made._rest_of = rest_of
        return made

    @classmethod
    def _of_cut(
        cls, table: ScoreTable, point: Point, labels: Sequence[Any], dropped: int = 0
    ) -> Self:
        """The matrix of a score table; ``labels`` are the negative and the positive one."""
        cut = table.at(point)
        if np.isnan(cut.tp + cut.fp):
            raise DataError(f"no confusion matrix at {point}: {UNREACHED[point.kind]}")
        counts = [[cut.tn, cut.fp], [cut.fn, cut.tp]]
        made = cls(counts, labels, pos_label=labels[1], dropped=dropped)
        made = made._in_order(in_order(made.labels))
        made.point = point
        return made

    def _in_order(self, labels: list[Any]) -> Self:
        """The matrix with its classes in another order, or with additional classes."""
        places = np.array([labels.index(label) for label in self.labels])
        counts = np.zeros((len(labels), len(labels)))
        counts[np.ix_(places, places)] = self.counts
        return type(self)(counts, labels, pos_label=self.pos_label, dropped=self.dropped)

    @cached_property
    def n(self) -> float:
        """The number of cases, or their weight."""
        return float(self.counts.sum())

    @cached_property
    def true_totals(self) -> Floats:
        """The number of cases of each true class."""
        return _fixed(self.counts.sum(axis=1))

    @cached_property
    def predicted_totals(self) -> Floats:
        """The number of cases predicted as each class."""
        return _fixed(self.counts.sum(axis=0))

    @cached_property
    def cuts(self) -> Cut:
        """The binary matrices of each class against the rest, with an axis of classes.

        Sums exclude the diagonal, so that the weight of an empty part is exactly 0.
        """
        off = self.counts.copy()
        np.fill_diagonal(off, 0.0)
        tp, fp, fn = np.diagonal(self.counts).copy(), off.sum(axis=0), off.sum(axis=1)
        used = self.counts > 0
        elsewhere = np.count_nonzero(used) + np.diagonal(used)
        elsewhere = elsewhere - np.count_nonzero(used, axis=0) - np.count_nonzero(used, axis=1)
        tn = np.where(elsewhere > 0, np.maximum(self.n - tp - fp - fn, 0.0), 0.0)
        return Cut(*map(_fixed, (tp, fp, tp + fn, fp + tn)))

    def binary(self, label: Any) -> Cut:
        """The binary matrix of one class against the rest.

        >>> from metameasure import ConfusionMatrix
        >>> cut = ConfusionMatrix([[5, 1], [2, 4]], labels=["cat", "dog"]).binary("dog")
        >>> print(cut.tp, cut.fp, cut.fn, cut.tn)
        4.0 1.0 2.0 5.0
        """
        place = self._find(label)
        cuts = self.cuts
        return Cut(*(part[place] for part in (cuts.tp, cuts.fp, cuts.P, cuts.N)))

    def _find(self, label: Any, what: str = "label") -> int:
        try:
            return self._place[label]
        except (KeyError, TypeError):
            raise ParameterError(
                (Argument(what), f" must be one of {shown(self.labels)}, got {shown([label])}")
            ) from None

    def __add__(self, other: object) -> Self:
        """The matrix of the cases of both, aligned by label."""
        if not isinstance(other, LabeledCounts):
            return NotImplemented
        a, b = self._named_like(other), other._named_like(self)
        if not (a.named and b.named):
            if len(a.labels) != len(b.labels):
                raise DataError(
                    f"matrices of {len(a.labels)} and {len(b.labels)} classes without labels "
                    "cannot be added",
                    remedy="pass labels to both",
                )
        elif a.labels != b.labels:
            union = union_of_labels(a.labels, b.labels)
            a, b = a._in_order(union), b._in_order(union)
        labels = a.labels if a.named else b.labels
        added = type(self)(
            a.counts + b.counts,
            labels if a.named or b.named else None,
            pos_label=a.pos_label if a.pos_label == b.pos_label else None,
            dropped=a.dropped + b.dropped,
        )
        added._rest_of = a._rest_of if a.labels == b.labels else None
        return added

    def __radd__(self, other: object) -> Self:
        """The matrix itself for 0, with which ``sum`` begins."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def _named_like(self, other: LabeledCounts) -> Self:
        """The matrix with the labels of another, if that knows what the rest is called here."""
        if self._rest_of is None or other._rest_of is not None or len(other.labels) != 2:
            return self
        if self._rest_of not in other.labels:
            return self
        positive, theirs = self.labels.index(self.pos_label), other.labels.index(self._rest_of)
        counts = self.counts if positive == theirs else self.counts[::-1, ::-1]
        made = type(self)(counts, other.labels, dropped=self.dropped)
        made.pos_label = other.labels[theirs]
        return made

    def __eq__(self, other: object) -> bool:
        """Whether both have the same counts of the same labels in the same order."""
        if not isinstance(other, LabeledCounts):
            return NotImplemented
        return self.labels == other.labels and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]


def _fixed(array: Floats) -> Floats:
    array.flags.writeable = False
    return array
