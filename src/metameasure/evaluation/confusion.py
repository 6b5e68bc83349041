"""The confusion matrix of any number of classes."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np

from metameasure._arguments import Choice, read_argument
from metameasure._text import amount, shown
from metameasure.data import (
    ARGUMENTS,
    Names,
    NanPolicy,
    Predictions,
    count_pairs,
    in_order,
    read_counts,
    read_cross_table,
    read_label_names,
    two_labels,
    union_of_labels,
)
from metameasure.errors import Argument, DataError, ParameterError, UndefinedMeasureWarning
from metameasure.evaluation.confusion_grid import (
    FRACTIONS,
    By,
    hidden_classes,
    matrix_grid,
    pooled,
    shares,
    shown_classes,
)
from metameasure.evaluation.confusion_report import ConfusionReport
from metameasure.evaluation.per_class import Average, ClassMeasures, average_of, cut_measures
from metameasure.measurement import POINT_KEYWORDS, UNREACHED
from metameasure.results import (
    Grid,
    Result,
    class_name,
    plain_labels,
)
from metameasure.table import Cut, Point

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

    from metameasure._types import Floats
    from metameasure.measurement import Measure


THRESHOLD = 0.5
KNOWN_PAIRS = ((False, True), (0, 1), (-1, 1))


@dataclass(frozen=True)
class ConfusionCell:
    """One pair of classes.

    Attributes:
        true: the label of the true class.
        predicted: the label of the predicted class.
        count: the number of cases with this pair, or their weight.
    """

    true: Any
    predicted: Any
    count: float


class ConfusionMatrix(Result):
    """The number of cases of each true class that were predicted as each class.

    Rows are true classes, columns are predicted classes. Without labels the classes are numbered.
    A result has one row per pair of classes; ``meta`` has ``labels``, ``counts`` (one list per true
    class), ``n`` and ``dropped``. ``point`` is the operating point of the predictions, if known.

    Args:
        counts: a square array of counts or weights; a pandas cross table has the labels, too.
        labels: the names of the classes, in the order of rows and columns.
        pos_label: of two classes, the positive one; known for bool, 0/1 and -1/1.
        dropped: the number of cases dropped for missing values.

    >>> matrix = ConfusionMatrix([[5, 1], [2, 4]], labels=["cat", "dog"])
    >>> print(matrix)
    true ↓ predicted →  cat  dog  total
    cat                   5    1      6
    dog                   2    4      6
    total                 7    5     12
    12 cases in 2 classes
    >>> matrix.measure("tpr", label="dog")
    0.666666...
    """

    schema = ConfusionCell
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
        self.dropped = dropped
        self.pos_label = self._positive(pos_label)
        self._rest_of: Any = None
        self.point = None
        self.checks, self._like = (), None

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
        y_pred: Any,
        *,
        labels: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
        names: Names = ARGUMENTS,
    ) -> Self:
        """The matrix of true and predicted labels.

        Args:
            y_true: the true classes: text, integers or bool, as an array or a column.
            y_pred: the predicted classes, of the same kind.
            labels: all classes in order; by default those that occur, sorted.
            pos_label: of two classes, the positive one.
            sample_weight: an array of weights; cases of weight 0 do not count.
            nan_policy: "raise", or "drop" to drop cases with missing values.
            names: the names of the columns in messages.

        >>> ConfusionMatrix.of(["a", "b", "c"], ["a", "b", "b"]).counts.tolist()
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
        """
        found = count_pairs(
            y_true,
            y_pred,
            labels=labels,
            sample_weight=sample_weight,
            nan_policy=nan_policy,
            names=names,
        )
        return cls(found.counts, found.labels, pos_label=pos_label, dropped=found.dropped)

    @classmethod
    def at(
        cls,
        y_true: Any,
        y_score: Any,
        threshold: float | None = None,
        *,
        top: float | None = None,
        k: float | Literal["P"] | None = None,
        at_fpr: float | None = None,
        at_tpr: float | None = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        nan_policy: NanPolicy = "raise",
        names: Names = ARGUMENTS,
    ) -> Self:
        """The matrix of binary labels and scores at one operating point.

        The default is the threshold 0.5. A case is positive if its score is at least the threshold;
        an operating point within a tie counts a fraction of the tied cases.

        >>> ConfusionMatrix.at([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1], k=2).counts.tolist()
        [[1.5, 0.5], [0.5, 1.5]]
        """
        values = (threshold, top, k, at_fpr, at_tpr)
        given = [
            Point(kind, value)
            for kind, value in zip(POINT_KEYWORDS.values(), values, strict=True)
            if value is not None
        ]
        if len(given) > 1:
            raise ParameterError(
                f"pass one operating point, got {len(given)}: {', '.join(map(str, given))}"
            )
        point = given[0] if given else Point("threshold", THRESHOLD)
        rows = Predictions.of(
            y_true,
            {"y_score": y_score},
            pos_label=pos_label,
            sample_weight=sample_weight,
            nan_policy=nan_policy,
            names=names,
        )
        cut = rows.table("y_score").at(point)
        if np.isnan(cut.tp + cut.fp):
            raise DataError(f"no confusion matrix at {point}: {UNREACHED[point.kind]}")
        negative, positive, rest_of = two_labels(y_true, pos_label)
        counts = [[cut.tn, cut.fp], [cut.fn, cut.tp]]
        made = cls(counts, [negative, positive], pos_label=positive, dropped=rows.dropped)
        made = made._in_order(in_order(made.labels))
        made._rest_of = rest_of
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

    def normalized(self, by: By) -> Floats:
        """The counts as fractions of each true class, each predicted class, or of all cases.

        The fractions of an empty class are NaN.

        >>> ConfusionMatrix([[5, 1], [2, 2]]).normalized("true")[1].tolist()
        [0.5, 0.5]
        """
        return shares(self.counts, read_argument("by", by, Choice(get_args(By))))

    def measure(
        self,
        measure: str | Measure,
        *,
        label: Any = None,
        average: Average | None = None,
    ) -> float:
        """The value of one measure: of one class against the rest, or of all classes.

        Without ``label`` and ``average`` it is the value of the positive class, or that of the
        whole matrix for accuracy, error_rate, kappa and mcc. Macro and weighted averages exclude
        classes for which the measure is undefined, with a warning.

        >>> matrix = ConfusionMatrix([[5, 1, 0], [2, 4, 0], [1, 0, 3]], labels=["a", "b", "c"])
        >>> matrix.measure("f_measure(beta=2)", average="macro")
        0.753459...
        >>> matrix.measure("kappa")
        0.614457...
        """
        (chosen,) = _only_one(cut_measures(measure))
        if label is not None and average is not None:
            raise ParameterError(
                ("pass either ", Argument("label"), " or ", Argument("average"), ", not both")
            )
        if label is None and average is None:
            label = self.pos_label
        if label is not None:
            value, left_out = float(chosen.at_cut(self.binary(label))), ""
        else:
            value, left_out = average_of(self, chosen, average)
        if math.isnan(value) or left_out:
            state = "is undefined" if math.isnan(value) else f"is undefined for {left_out}"
            warnings.warn(
                f"{chosen} {state}: {chosen.undefined_when}", UndefinedMeasureWarning, stacklevel=2
            )
        return value

    def measures(
        self, measures: str | Measure | Iterable[str | Measure] = "default"
    ) -> ClassMeasures:
        """Measures of each class against the rest, with their averages.

        ``macro`` is the mean over the classes, ``weighted`` the mean weighted by the number of true
        cases, and ``micro`` the value of the sum of the binary matrices; ``overall`` is the value
        of the whole matrix, for accuracy, error_rate, kappa and mcc.

        >>> matrix = ConfusionMatrix([[5, 1], [2, 4]], labels=["cat", "dog"])
        >>> print(matrix.measures("precision, tpr"))
        class  precision ↑   tpr ↑  n
        cat         0.7143  0.8333  6
        dog         0.8000  0.6667  6
        average   precision ↑   tpr ↑   n
        macro          0.7571  0.7500  12
        micro          0.7500  0.7500  12
        weighted       0.7571  0.7500  12
        """
        result = ClassMeasures(self, cut_measures(measures))
        undefined = [row for row in result.rows if row.undefined]
        if undefined:
            first, more = undefined[0], len(undefined) - 1
            others = f" and {more} more values are" if more else " is"
            warnings.warn(
                f"{first.measure} of {first.place}{others} undefined (NaN): "
                f"{first.measure.undefined_when}",
                UndefinedMeasureWarning,
                stacklevel=2,
            )
        return result

    def __add__(self, other: object) -> ConfusionMatrix:
        """The matrix of the cases of both, aligned by label."""
        if not isinstance(other, ConfusionMatrix):
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
        added = ConfusionMatrix(
            a.counts + b.counts,
            labels if a.named or b.named else None,
            pos_label=a.pos_label if a.pos_label == b.pos_label else None,
            dropped=a.dropped + b.dropped,
        )
        added._rest_of = a._rest_of if a.labels == b.labels else None
        return added

    def __radd__(self, other: object) -> ConfusionMatrix:
        """The matrix itself for 0, with which ``sum`` begins."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def _named_like(self, other: ConfusionMatrix) -> ConfusionMatrix:
        """The matrix with the labels of another, if that knows what the rest is called here."""
        if self._rest_of is None or other._rest_of is not None or len(other.labels) != 2:
            return self
        if self._rest_of not in other.labels:
            return self
        positive, theirs = self.labels.index(self.pos_label), other.labels.index(self._rest_of)
        counts = self.counts if positive == theirs else self.counts[::-1, ::-1]
        made = ConfusionMatrix(counts, other.labels, dropped=self.dropped)
        made.pos_label = other.labels[theirs]
        return made

    def __eq__(self, other: object) -> bool:
        """Whether both have the same counts of the same labels in the same order."""
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return self.labels == other.labels and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def rows(self) -> tuple[ConfusionCell, ...]:  # type: ignore[override]
        """One row per pair of classes, true classes first."""
        pairs = product(self.labels, self.labels)
        counts = self.counts.ravel().tolist()
        return tuple(ConfusionCell(*pair, n) for pair, n in zip(pairs, counts, strict=True))

    @cached_property
    def meta(self) -> dict[str, Any]:  # type: ignore[override]
        """The labels, the counts as one list per true class, and the number of cases."""
        return {
            "labels": plain_labels(self.labels)[0],
            "counts": self.counts.tolist(),
            "n": self.n,
            "dropped": self.dropped,
        }

    def grids(self, by: By | None = None) -> list[Grid]:
        """The counts, or fractions of them, with totals; of many classes those with most errors."""
        shown = shown_classes(self.counts)
        names = [class_name(self.labels[place]) for place in shown]
        counts = self.counts
        if len(shown) < len(counts):
            names.append(f"{len(counts) - len(shown)} others")
            counts = pooled(counts, shown)
        return [matrix_grid(counts, names, by, self._caption(by))]

    def notes(self) -> list[str]:
        """Which classes are shown."""
        lines = hidden_classes(self.counts)
        return [*lines, "the matrix has the sums of the others"] if lines else []

    def _caption(self, by: By | None) -> str:
        what = f"; {FRACTIONS[by]}" if by else ""
        dropped = f", {self.dropped} left out for missing values" if self.dropped else ""
        return f"{amount(self.n)} cases in {len(self.labels)} classes{dropped}{what}"

    def report(
        self,
        *,
        normalize: By | None = None,
        measures: str | Measure | Iterable[str | Measure] | None = None,
    ) -> ConfusionReport:
        """The matrix as counts or fractions, together with measures of its classes.

        Args:
            normalize: the cases that fractions refer to: "true", "predicted" or "all".
            measures: measures as for ``measures``; None for none.
        """
        measured = None if measures is None else ClassMeasures(self, cut_measures(measures))
        return ConfusionReport(self, normalize, measured)

    def __repr__(self) -> str:
        return f"<confusion matrix: {len(self.labels)} classes, {self.n:g} cases>"


def _fixed(array: Floats) -> Floats:
    array.flags.writeable = False
    return array


def _only_one(measures: list[Measure]) -> list[Measure]:
    if len(measures) > 1:
        raise ParameterError(
            f"measure must be one measure, got {len(measures)}", remedy="use measures()"
        )
    return measures
