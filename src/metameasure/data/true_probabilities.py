"""True probabilities of the positive class, and those that models predicted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.data.case_columns import ARGUMENTS, CaseRows, ColumnReader, read_groups
from metameasure.data.row_order import check_row_order
from metameasure.data.scores import read_scores, read_weights
from metameasure.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from metameasure._types import Floats, Mask
    from metameasure.data.arrays import NanPolicy
    from metameasure.data.case_columns import Names


@dataclass(frozen=True, eq=False)
class TrueProbabilities:
    """The true and the predicted probability of each case, and its weight.

    The weight has shape (..., cases): axes in front make a block, in which the same cases have
    different weights; None if all weigh 1.

    >>> TrueProbabilities(np.array([0.2, 0.9]), np.array([0.3, 0.8])).mean(np.array([1.0, 2.0]))
    1.5
    """

    true: Floats
    score: Floats
    weight: Floats | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The axes in front: ``()`` unless it is a block."""
        return () if self.weight is None else self.weight.shape[:-1]

    def counting(self, counts: Floats) -> TrueProbabilities:
        """The block in which each case is counted this many times: shape (tables, cases)."""
        weight = counts if self.weight is None else counts * self.weight
        return replace(self, weight=weight)

    def mean(self, values: Floats) -> Any:
        """The weighted mean of one value per case; cases without weight do not count."""
        if self.weight is None:
            return float(values.mean())
        if np.isfinite(values).all():
            total = self.weight @ values
        else:
            with np.errstate(invalid="ignore"):
                total = np.sum(np.where(self.weight > 0, self.weight * values, 0.0), axis=-1)
        mean = total / np.sum(self.weight, axis=-1)
        return mean if self.shape else float(mean)


@dataclass(frozen=True, eq=False)
class SoftLabels(CaseRows):
    """True probabilities of cases instead of labels, and one column of scores per model.

    Cases may have weights, groups, clusters and folds. ``dropped`` is the number of dropped cases,
    ``dropped_group`` has their groups.

    >>> SoftLabels.of([0.2, 0.9], {"m": [0.3, 0.8]}).of_model("m").score
    array([0.3, 0.8])
    """

    true: Floats
    scores: Mapping[str, Floats]
    weight: Floats | None = None
    group: NDArray[Any] | None = None
    cluster: NDArray[Any] | None = None
    dropped: int = 0
    dropped_group: NDArray[Any] | None = None
    fold: NDArray[Any] | None = None

    @classmethod
    def of(
        cls,
        y_true: Any,
        scores: Mapping[str, Any],
        *,
        sample_weight: Any = None,
        group: Any = None,
        cluster: Any = None,
        fold: Any = None,
        nan_policy: NanPolicy = "raise",
        names: Names = ARGUMENTS,
    ) -> SoftLabels:
        """Validate everything; with ``nan_policy="drop"`` drop cases with a missing value."""
        if not scores:
            raise DataError("there is no model: scores are empty")
        columns = {model: (names.model(model), values) for model, values in scores.items()}
        others = (names.group, group), (names.cluster, cluster), (names.fold, fold)
        weights = names.weight, sample_weight
        check_row_order(y_true, [*columns.values(), weights, *others], names.label)
        with ColumnReader(names, nan_policy) as reader:
            true = reader.read(y_true, _read_probabilities, names.label)
            found = {
                model: reader.read(values, _read_probabilities, what)
                for model, (what, values) in columns.items()
            }
            weight = reader.optional(sample_weight, read_weights, names.weight)
            group, cluster, fold = (reader.optional(a, read_groups, what) for what, a in others)
        return cls(true, found, weight, group, cluster, fold=fold).without(reader.missing)

    @property
    def n(self) -> int:
        """The number of cases that have weight."""
        return self.true.size if self.weight is None else int(np.count_nonzero(self.weight))

    def where(self, rows: NDArray[Any] | slice) -> SoftLabels:
        """Some of the cases, given by a mask or by indices."""
        scores = {model: values[rows] for model, values in self.scores.items()}
        others = (self.weight, self.group, self.cluster, self.fold)
        weight, group, cluster, fold = (a if a is None else a[rows] for a in others)
        return SoftLabels(self.true[rows], scores, weight, group, cluster, fold=fold)

    def of_model(self, model: str) -> TrueProbabilities:
        """The true probabilities, and those that a model predicted."""
        return TrueProbabilities(self.true, self.scores[model], self.weight)


def _read_probabilities(values: Any, what: str) -> tuple[Floats, Mask | None]:
    """Probabilities, and the mask of missing ones."""
    read, missing = read_scores(values, what)
    with np.errstate(invalid="ignore"):
        wrong = ~((read >= 0) & (read <= 1))
    if missing is not None:
        wrong &= ~missing
    if wrong.any():
        row = int(np.argmax(wrong))
        raise DataError(
            f"{what} must be probabilities in [0, 1], got {read[row]:g} at row {row} "
            f"({np.count_nonzero(wrong)} of {read.size} values are outside)"
        )
    return read, missing
