"""What all learners share: reading attributes and labels, and the conventions of scikit-learn."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from metameasure.errors import Argument, DataError, MetameasureError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from metameasure._types import Floats, Indices

if find_spec("sklearn") is None:
    raise MetameasureError(
        "learners need scikit-learn, which is not installed",
        remedy="pip install 'metameasure[sklearn]'",
    )

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data


class Learner(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of nominal and numeric attributes with missing values.

    A subclass has ``_fit(X, y, levels)`` with class codes and the number of levels of each column
    (0 for a numeric one), and ``_probabilities(X)``.

    Attributes:
        classes_: the labels, in the order of the columns of ``predict_proba``.
        levels_: the number of levels of each column, 0 for a numeric one.
    """

    nominal: Sequence[int] | None
    classes_: NDArray[Any]
    levels_: Indices

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn from attributes (n, d) and labels (n)."""
        values, labels = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        check_classification_targets(labels)
        self.levels_ = read_levels(self.nominal, values)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        self._fit(plain(values), codes.astype(np.int64), self.levels_)
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """The probabilities of the classes, one row per case."""
        check_is_fitted(self)
        values = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False
        )
        check_codes(values, self.levels_)
        return self._probabilities(plain(values))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The most probable class of each case; of equally probable ones, the first."""
        best = self.predict_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[best]
        return labels

    def _fit(self, X: Floats, y: Indices, levels: Indices) -> None:
        raise NotImplementedError

    def _probabilities(self, X: Floats) -> Floats:
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def plain(array: Any, dtype: Any = None) -> NDArray[Any]:
    """The array in the one layout that kernels are compiled for; copied only if it has another."""
    return np.require(array, dtype, ["C", "W"])


def read_levels(nominal: Sequence[int] | None, X: Floats) -> Indices:
    """The number of levels of each column, 0 for a numeric one; the codes of X are checked."""
    if nominal is None:
        return np.zeros(X.shape[1], dtype=np.int64)
    levels = np.asarray(nominal)
    if levels.shape != (X.shape[1],) or not np.issubdtype(levels.dtype, np.integer):
        raise ParameterError(
            (
                Argument("nominal"),
                f" must be None or {X.shape[1]} integers, one per column, got {nominal!r}",
            )
        )
    if (levels < 0).any():
        raise ParameterError((Argument("nominal"), f" must be >= 0, got {levels.min()}"))
    levels = levels.astype(np.int64)
    check_codes(X, levels)
    return levels


def check_codes(X: Floats, levels: Indices) -> None:
    """Raise an error if a nominal column has a value that is not one of its codes."""
    for column in np.flatnonzero(levels):
        values = X[:, column]
        wrong = ~np.isnan(values) & ~np.isin(values, np.arange(levels[column]))
        if wrong.any():
            raise DataError(
                f"column {column} must have codes from 0 to {levels[column] - 1}, "
                f"got {values[wrong][0]:g} in row {np.flatnonzero(wrong)[0]}",
                argument="X",
            )
