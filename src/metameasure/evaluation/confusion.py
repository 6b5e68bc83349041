"""The confusion matrix of any number of classes."""

from __future__ import annotations

import json
import math
import warnings
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np

from metameasure._text import shown, some_names
from metameasure.data import (
    ARGUMENTS,
    Names,
    NanPolicy,
    Predictions,
    count_pairs,
    distinct_labels,
    in_order,
    read_label_names,
)
from metameasure.errors import DataError, UndefinedMeasureWarning
from metameasure.evaluation.confusion_page import (
    class_name,
    column_of,
    matrix_page,
    shares,
)
from metameasure.evaluation.per_class import (
    Average,
    ClassMeasures,
    averages,
    cut_measures,
)
from metameasure.measurement import POINT_KEYWORDS, UNREACHED, value_at
from metameasure.results import Printed, json_record
from metameasure.table import Cut, Point, check_total

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from metameasure.measurement import Measure
    from metameasure.results import Page

    Floats = NDArray[np.float64]

By = Literal["true", "predicted", "all"]
THRESHOLD = 0.5
KNOWN_PAIRS = ((False, True), (0, 1), (-1, 1))


class ConfusionMatrix(Printed):
    """How many cases of each true class were predicted to be of each class.

    Rows are true classes, columns predicted ones. Without labels the classes are numbered.

    ``point`` is where scores were cut to predict the classes, if they were.

    Args:
        counts: a square array of counts or weights; a pandas frame has the labels, too.
        labels: the names of the classes, in the order of rows and columns.
        pos_label: of two classes, the positive one; known for bool, 0/1 and -1/1.
        dropped: how many cases were left out for missing values.

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

    counts: Floats
    labels: tuple[Any, ...]
    pos_label: Any
    dropped: int
    point: Point | None
    _rest_of: Any
    """The positive label of which all else is the rest, if no case says how that is called."""

    def __init__(
        self, counts: ArrayLike, labels: Any = None, *, pos_label: Any = None, dropped: int = 0
    ) -> None:
        if labels is None:
            counts, labels = _cross_table(counts)
        self.counts = _read_counts(counts)
        self.named = labels is not None
        names = range(len(self.counts)) if labels is None else read_label_names(labels)
        if len(names) != len(self.counts):
            raise DataError(
                f"there are {len(names)} labels for {len(self.counts)} classes: name each of them"
            )
        self.labels = tuple(names)
        self._place = {label: place for place, label in enumerate(self.labels)}
        self.dropped = dropped
        self.pos_label = self._positive(pos_label)
        self._rest_of: Any = None
        self.point = None

    def _positive(self, pos_label: Any) -> Any:
        """The positive label of two, if it is given or known."""
        if pos_label is None:
            return self.labels[1] if self.named and self.labels in KNOWN_PAIRS else None
        place = self._find(pos_label, "pos_label")
        if len(self.labels) != 2:
            raise DataError(
                f"pos_label={shown([pos_label])}: of {len(self.labels)} classes none is the "
                "positive one; ask for measures with label="
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
        """The matrix of two columns of labels.

        Args:
            y_true: the true classes: text, whole numbers or bool, as an array or any column.
            y_pred: the predicted classes, of the same kind.
            labels: all classes in their order; by default those that occur, from low to high.
            pos_label: of two classes, the positive one.
            sample_weight: an array of weights; a case without weight is no case.
            nan_policy: "raise", or "drop" to leave out cases that lack a value.
            names: what messages call the columns.

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

        By default that is the threshold 0.5. Positive is what scores at least the threshold; a cut
        inside a tie takes its share of it.

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
            raise DataError(
                f"give one operating point, not {len(given)}: {', '.join(map(str, given))}"
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
            raise DataError(f"there is no matrix at {point}: {UNREACHED[point.kind]}")
        negative, positive, rest_of = _two_labels(y_true, pos_label)
        counts = [[cut.tn, cut.fp], [cut.fn, cut.tp]]
        made = cls(counts, [negative, positive], pos_label=positive, dropped=rows.dropped)
        made = made._in_order(in_order(made.labels))
        made._rest_of = rest_of
        made.point = point
        return made

    def _in_order(self, labels: list[Any]) -> Self:
        """The matrix with its classes in another order, or with more of them."""
        places = np.array([labels.index(label) for label in self.labels])
        counts = np.zeros((len(labels), len(labels)))
        counts[np.ix_(places, places)] = self.counts
        return type(self)(counts, labels, pos_label=self.pos_label, dropped=self.dropped)

    @cached_property
    def n(self) -> float:
        """The number of the cases, or their weight."""
        return float(self.counts.sum())

    @cached_property
    def true_totals(self) -> Floats:
        """The cases of each true class."""
        return _fixed(self.counts.sum(axis=1))

    @cached_property
    def predicted_totals(self) -> Floats:
        """The cases that are predicted to be of each class."""
        return _fixed(self.counts.sum(axis=0))

    @cached_property
    def cuts(self) -> Cut:
        """Each class against the rest: binary matrices with an axis of classes.

        Sums are taken without the diagonal, so that with weights an empty part is exactly 0.
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
            raise DataError(
                f"{what}={shown([label])} is not among the labels {shown(self.labels)}"
            ) from None

    def normalised(self, by: By) -> Floats:
        """The counts as shares of each true class, each predicted class, or of all cases.

        The shares of an empty class are NaN.

        >>> ConfusionMatrix([[5, 1], [2, 2]]).normalised("true")[1].tolist()
        [0.5, 0.5]
        """
        if by not in get_args(By):
            raise DataError(f"by={shown([by])} is not known: give one of {shown(get_args(By))}")
        return shares(self.counts, by)

    def measure(
        self,
        measure: str | Measure,
        *,
        label: Any = None,
        average: Average | None = None,
    ) -> float:
        """The value of one measure: of one class against the rest, or of all classes.

        Without ``label`` and ``average`` it is that of the positive class, or of the whole matrix
        for accuracy, error_rate, kappa and mcc. A class for which the measure is undefined is left
        out of a macro or weighted average, with a warning.

        >>> matrix = ConfusionMatrix([[5, 1, 0], [2, 4, 0], [1, 0, 3]], labels=["a", "b", "c"])
        >>> matrix.measure("f_measure(beta=2)", average="macro")
        0.753459...
        >>> matrix.measure("kappa")
        0.614457...
        """
        (chosen,) = _only_one(cut_measures(measure))
        if label is not None and average is not None:
            raise DataError("give label= or average=, not both")
        if label is None and average is None:
            label = self.pos_label
        if label is not None:
            value, left_out = float(value_at(chosen, self.binary(label))), ""
        else:
            value, left_out = self._average(chosen, average)
        if math.isnan(value) or left_out:
            state = "is undefined" if math.isnan(value) else f"is undefined for {left_out}"
            warnings.warn(
                f"{chosen} {state}: {chosen.undefined_when}", UndefinedMeasureWarning, stacklevel=2
            )
        return value

    def _average(self, measure: Measure, average: Average | None) -> tuple[float, str]:
        """An average, and the classes that it leaves out."""
        values = value_at(measure, self.cuts)
        found = averages(measure, self.cuts, values)
        if average is None and "overall" not in found:
            raise DataError(
                f"{measure} is a measure of one class against the rest: say which class, "
                "label=..., or how to average them, average='macro', 'micro' or 'weighted'"
            )
        average = average or "overall"
        if average not in found:
            raise DataError(f"average={shown([average])}: {measure} has {shown(found)}")
        names = [class_name(self.labels[place]) for place in np.flatnonzero(np.isnan(values))]
        if not names or average not in {"macro", "weighted"}:
            return found[average], ""
        left_out = f"{len(names)} of {len(self.labels)} classes ({some_names(names)})"
        return found[average], f"{left_out}, which the average leaves out"

    def measures(
        self, measures: str | Measure | Iterable[str | Measure] = "default"
    ) -> ClassMeasures:
        """Measures of each class against the rest, with their averages.

        ``macro`` is the plain mean over the classes, ``weighted`` that by their true cases, and
        ``micro`` the value of the summed binary matrices; ``overall`` is that of the whole matrix,
        for accuracy, error_rate, kappa and mcc.

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
        if undefined := result.undefined:
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
                    f"matrices of {len(a.labels)} and {len(b.labels)} classes add only by their "
                    "labels: give labels to both"
                )
        elif a.labels != b.labels:
            union = _union(a.labels, b.labels)
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

    def frame(self) -> Any:
        """A tidy polars frame: the true label, the predicted one, and the count of each pair."""
        import polars as pl  # noqa: PLC0415

        labels, k = column_of(self.labels), len(self.labels)
        places = np.arange(k, dtype=np.uint32)
        return pl.DataFrame(
            {
                "true": labels.gather(np.repeat(places, k)),
                "predicted": labels.gather(np.tile(places, k)),
                "count": self.counts.ravel(),
            }
        )

    def content(self) -> dict[str, Any]:
        """What JSON has: ``labels``, ``counts``, ``n`` and ``dropped``."""
        return {
            "labels": column_of(self.labels).to_list(),
            "counts": self.counts.tolist(),
            "n": self.n,
            "dropped": self.dropped,
        }

    def to_json(self) -> str:
        """JSON with ``labels``, ``counts`` (a list a true class), ``n`` and ``dropped``."""
        return json.dumps(json_record(self.content()), indent=2)

    def page(self) -> Page:
        """The counts with their totals; of many classes those with the most errors."""
        return matrix_page(self)

    def __repr__(self) -> str:
        return f"<confusion matrix: {len(self.labels)} classes, {self.n:g} cases>"


def _read_counts(counts: ArrayLike) -> Floats:
    try:
        array = np.array(counts).astype(np.float64, casting="same_kind")
    except (ValueError, TypeError, OverflowError) as error:
        raise DataError(
            f"the counts are no square array of numbers ({error}): for two columns of labels there "
            "is ConfusionMatrix.of(y_true, y_pred)"
        ) from error
    if array.ndim != 2 or array.shape[0] != array.shape[1] or not array.size:
        raise DataError(
            f"the counts have the shape {array.shape}: give a square array, true classes down and "
            "predicted ones across"
        )
    wrong = ~(np.isfinite(array) & (array >= 0))
    if wrong.any():
        row, column = map(int, np.argwhere(wrong)[0])
        raise DataError(
            f"{np.count_nonzero(wrong)} counts are negative or not finite (the first is "
            f"{array[row, column]} in row {row}, column {column}): give counts of 0 or more"
        )
    check_total(array.ravel(), "counts")
    return _fixed(array + 0.0)


def _fixed(array: Floats) -> Floats:
    array.flags.writeable = False
    return array


def _cross_table(counts: Any) -> tuple[Any, list[Any] | None]:
    """The counts and labels of a frame with both in it, as pandas.crosstab makes it.

    A class that only rows or only columns have is added to the other; anything else has no labels.
    """
    if not (hasattr(counts, "index") and hasattr(counts, "columns")):
        return counts, None
    names = list(counts.index), list(counts.columns)
    if all(labels == list(range(len(labels))) for labels in names):
        return counts, None
    true, predicted = (tuple(read_label_names(labels)) for labels in names)
    values = np.asarray(counts)
    labels = list(true) if true == predicted else _union(true, predicted)
    whole = np.zeros((len(labels), len(labels)), values.dtype)
    whole[np.ix_(*([labels.index(name) for name in side] for side in (true, predicted)))] = values
    return whole, labels


def _two_labels(y_true: Any, pos_label: Any) -> tuple[Any, Any, Any]:
    """The negative and the positive label of a column that is known to be binary.

    The third is None, or the positive label if no case is negative: the other one is then made up.
    """
    found = distinct_labels(y_true)
    positive = (True if found == [False, True] else 1) if pos_label is None else pos_label
    others = [label for label in found if label != positive]
    if others:
        return others[0], positive, None
    if pos_label is None:
        return 0, 1, positive
    return f"not {positive}", str(positive), positive


def _union(a: tuple[Any, ...], b: tuple[Any, ...]) -> list[Any]:
    """The labels of two matrices: in their order if both have it, else those of a first."""
    joined = read_label_names(dict.fromkeys([*a, *b]))
    ordered = in_order(a) == list(a) and in_order(b) == list(b)
    return in_order(joined) if ordered else joined


def _only_one(measures: list[Measure]) -> list[Measure]:
    if len(measures) > 1:
        raise DataError(f"{len(measures)} measures were named: ask for one, or for measures()")
    return measures
