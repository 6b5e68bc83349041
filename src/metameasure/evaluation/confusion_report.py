"""A confusion matrix as counts or fractions, together with measures of its classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metameasure.results import Result

if TYPE_CHECKING:
    from metameasure.evaluation.confusion import ConfusionMatrix
    from metameasure.evaluation.confusion_grid import By
    from metameasure.evaluation.per_class import ClassMeasures
    from metameasure.results import Grid


@dataclass(frozen=True)
class ShareCell:
    """One pair of classes, with its count as a fraction.

    Attributes:
        true: the label of the true class.
        predicted: the label of the predicted class.
        count: the number of cases with this pair, or their weight.
        share: the fraction of the true class, of the predicted class or of all cases.
    """

    true: Any
    predicted: Any
    count: float
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
