"""Attributes as numbers, for learners that read numbers only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from metameasure._arguments import Flag, read_argument
from metameasure.experiments.learners.learner import check_codes, read_levels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from metameasure._types import Floats

from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data


class AttributeCoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Code nominal attributes as indicators, and fill in missing values from the training cases.

    A missing number becomes the mean, a missing level the most frequent one. Together with
    scikit-learn's ``StandardScaler`` and ``LogisticRegression(C=5e7)`` it is Weka's Logistic.

    Args:
        nominal: number of levels of each column, 0 for a numeric one; None if all are numeric.
        reference: leave out the indicator of the first level, so that the columns of an attribute
            do not add up to 1. An attribute with two levels is always one column.

    >>> coder = AttributeCoder(nominal=(3, 0), reference=False)
    >>> coder.fit_transform([[0, 1.0], [2, np.nan], [2, 3.0], [np.nan, 2.0]])
    array([[1., 0., 0., 1.],
           [0., 0., 1., 2.],
           [0., 0., 1., 3.],
           [0., 0., 1., 2.]])
    """

    def __init__(self, *, nominal: Sequence[int] | None = None, reference: bool = True) -> None:
        self.nominal = nominal
        self.reference = reference

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:  # noqa: ARG002
        """Find the means and the most frequent levels."""
        read_argument("reference", self.reference, Flag())
        values = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        self.levels_ = read_levels(self.nominal, values)
        self.fill_ = np.array(
            [
                _typical(column[~np.isnan(column)], count)
                for column, count in zip(values.T, self.levels_, strict=True)
            ]
        )
        return self

    def transform(self, X: ArrayLike) -> Floats:
        """The attributes as numbers."""
        check_is_fitted(self)
        values = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False
        )
        check_codes(values, self.levels_)
        filled = np.where(np.isnan(values), self.fill_, values)
        parts = []
        for column, count in zip(filled.T, self.levels_, strict=True):
            first = int(self.reference or count == 2)
            coded = column[:, np.newaxis] == np.arange(first, count)
            parts.append(coded if count else column[:, np.newaxis])
        return np.concatenate(parts, axis=1, dtype=np.float64)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _typical(values: Floats, levels: int) -> float:
    """The mean, or the most frequent level; 0 if nothing is known."""
    if not values.size:
        return 0.0
    return float(np.bincount(values.astype(np.int64)).argmax() if levels else values.mean())
