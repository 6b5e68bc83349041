"""The confusion matrix of any number of classes: its measures and its page."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, get_args

from metameasure._arguments import Choice, read_argument
from metameasure._text import amount
from metameasure.errors import Argument, ParameterError, UndefinedMeasureWarning
from metameasure.evaluation.confusion_grid import (
    FRACTIONS,
    By,
    hidden_classes,
    matrix_grid,
    pooled,
    shares,
    shown_classes,
)
from metameasure.evaluation.labeled_counts import LabeledCounts
from metameasure.evaluation.per_class import Average, ClassMeasures, average_of, cut_measures
from metameasure.results import Grid, Result, class_name, plain_labels

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metameasure._types import Floats
    from metameasure.measurement import Measure


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


class ConfusionMatrix(LabeledCounts, Result):
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
    checks, _like = (), None

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


@dataclass(frozen=True)
class ShareCell(ConfusionCell):
    """One pair of classes, with its count as a fraction.

    Attributes:
        share: the fraction of the true class, of the predicted class or of all cases.
    """

    share: float


class ConfusionReport(Result):
    """A confusion matrix and, on request, measures of its classes.

    The rows are those of the measures or, without measures, those of the matrix. ``meta`` has what
    the matrix has there and, if it is normalized, ``normalized`` and ``shares``.
    """

    def __init__(
        self, matrix: ConfusionMatrix, by: By | None, measured: ClassMeasures | None
    ) -> None:
        shares = None if by is None else matrix.normalized(by)
        shown: Result = matrix if measured is None else measured
        rows, self.schema = shown.rows, shown.schema  # type: ignore[misc]
        meta = dict(matrix.meta)
        if shares is not None:
            meta |= {"normalized": by, "shares": shares.tolist()}
        if measured is not None:
            self.extra = measured.extra  # type: ignore[misc]
            self.undefined = measured.undefined
        elif shares is not None:
            self.schema = ShareCell  # type: ignore[misc]
            rows = tuple(
                ShareCell(cell.true, cell.predicted, cell.count, share)
                for cell, share in zip(rows, shares.ravel().tolist(), strict=True)
            )
        super().__init__(rows, meta=meta)
        self._parts = (matrix, by, measured)

    def grids(self) -> list[Grid]:
        """The matrix, then the measures."""
        matrix, by, measured = self._parts
        return [*matrix.grids(by), *([] if measured is None else measured.grids())]

    def notes(self) -> list[str]:
        """The notes on both, without repetition."""
        matrix, _, measured = self._parts
        below = [] if measured is None else measured.notes()
        return list(dict.fromkeys([*matrix.notes(), *below]))


def _only_one(measures: list[Measure]) -> list[Measure]:
    if len(measures) > 1:
        raise ParameterError(
            f"measure must be one measure, got {len(measures)}", remedy="use measures()"
        )
    return measures
