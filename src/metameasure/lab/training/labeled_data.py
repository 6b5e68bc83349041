"""Attributes and labels for estimators, of any kind that can be indexed by rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.data import ClassScores, as_array, as_block, code_labels, read_models
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.lab.measures import check_takes_tables
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices
    from metameasure.measurement import Measure


@dataclass(frozen=True, eq=False)
class LabeledData:
    """Cases with attributes and labels.

    Attributes:
        X: the attributes: an array, a sparse matrix, or a data frame of pandas or polars.
        y: the labels, as the estimators see them.
        classes: the distinct labels; of two, the positive one is the second.
        code: the index of the class of each case.
    """

    X: Any
    y: NDArray[Any]
    classes: tuple[Any, ...]
    code: Indices

    @classmethod
    def of(cls, X: Any, y: Any, pos_label: Any = None) -> LabeledData:
        """Attributes and labels, checked; ``pos_label`` is for two classes."""
        missing = code_labels(*as_array(y, "y"), "y").missing
        labels = np.asarray(y)
        if missing is not None:
            raise DataError(
                f"{missing.sum()} of {labels.size} labels are missing",
                remedy="drop these cases",
                argument="y",
            )
        X = as_block(X, "X", "biufOUS", "attributes") if isinstance(X, (list, tuple)) else X
        shape = np.shape(X)
        if len(shape) != 2:
            raise DataError(
                f"X must be a matrix of cases by attributes, got shape {shape}", argument="X"
            )
        if shape[0] != labels.size:
            raise DataError(f"X and y differ in length: {shape[0]} and {labels.size}")
        names, code = np.unique(labels, return_inverse=True)
        if names.size < 2:
            raise DataError(f"y must have at least two classes, got {names.size}", argument="y")
        if names.size > 2:
            if pos_label is not None:
                problem = f" applies to two classes, and y has {names.size}"
                raise ParameterError((Argument("pos_label"), problem))
            return cls(X, labels, tuple(names.tolist()), code.reshape(-1))
        rows = read_models(labels, np.zeros(labels.size), pos_label=pos_label).rows_for("training")
        positive = rows.positive
        classes = labels[~positive][0], labels[positive][0]
        return cls(X, labels, classes, positive.astype(np.int64))

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.y.size

    @property
    def attributes(self) -> int:
        """The number of attributes."""
        return int(np.shape(self.X)[1])

    def having(self, *, X: Any = None, code: Any = None) -> LabeledData:
        """The same cases with other attributes, or other classes of two."""
        if code is None:
            return replace(self, X=X)
        labels = np.where(code, *(np.asarray(one) for one in reversed(self.classes)))
        return replace(self, y=labels.astype(self.y.dtype), code=np.asarray(code, np.int64))

    def part(self, cases: Indices) -> LabeledData:
        """Some of the cases."""
        return replace(self, X=self.rows(cases), y=self.y[cases], code=self.code[cases])

    def rows(self, cases: Indices, columns: Indices | None = None) -> Any:
        """The attributes of some cases; ``columns`` selects some attributes."""
        return part_of(self.X, cases, columns)

    def values(self, measures: Sequence[Measure], cases: Indices, scores: Floats) -> Floats:
        """The values of measures for the scores of several models on some cases.

        Args:
            measures: the measures, each in the form of ``fitting``.
            cases: the cases.
            scores: shape (models, cases), or (models, cases, classes) for more than two classes.

        Returns:
            The values, shape (measures, models).
        """
        code = self.code[cases]
        if scores.ndim == 2:
            positive = np.broadcast_to(code == 1, scores.shape)
            block = ScoreTable.from_cases(positive, scores)
            return np.stack([measure.of_block(block) for measure in measures])
        subjects = [ClassScores(self.classes, code, one) for one in scores]
        return np.array([[float(m.compute(one)) for one in subjects] for m in measures])

    def fitting(self, measures: Sequence[Measure]) -> list[Measure]:
        """The measures in the form for this number of classes; an error if one does not apply."""
        if len(self.classes) > 2:
            return [measure.of_classes() for measure in measures]
        for measure in measures:
            check_takes_tables(measure, "estimators of two classes")
        return list(measures)


def part_of(X: Any, cases: Indices, columns: Indices | None = None) -> Any:
    """Some rows, and perhaps some columns, of an array, a sparse matrix or a data frame."""
    if hasattr(X, "iloc"):
        return X.iloc[cases] if columns is None else X.iloc[cases, columns]
    if columns is None:
        return X[cases]
    if hasattr(X, "get_columns"):  # polars
        return X[cases][:, columns.tolist()]
    return X[cases][:, columns]


def read_datasets(X: Any, y: Any, pos_label: Any) -> dict[str, LabeledData]:
    """One data set, or a dict of several, each a pair (X, y)."""
    if not isinstance(X, Mapping):
        if y is None:
            raise ParameterError(
                (Argument("y"), " is missing"),
                remedy="pass X and y, or a dict of pairs (X, y) by data set name",
            )
        return {"": LabeledData.of(X, y, pos_label)}
    if y is not None or not X:
        raise ParameterError(
            (Argument("X"), " must be a matrix with ", Argument("y"), ", or a dict of pairs (X, y)")
        )
    found = {}
    for name, pair in X.items():
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ParameterError(
                (Argument("X"), f" must have a pair (X, y) per data set, got {type(pair).__name__}")
            )
        found[str(name)] = LabeledData.of(*pair, pos_label)
    return found
