"""Naive Bayes cross-validated many times at once, without Python code per fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import Argument, DataError, ParameterError
from metameasure.experiments.learners.learner import plain, read_levels

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from metameasure._types import Floats
    from metameasure.experiments.learners.naive_bayes import MixedNaiveBayes


def cross_validated_bayes(
    learner: MixedNaiveBayes,
    X: ArrayLike,
    y: ArrayLike,
    folds: ArrayLike,
    *,
    rows: ArrayLike | None = None,
    training_rows: ArrayLike | None = None,
) -> Floats:
    """The class probabilities of all cases, each predicted from the other folds: (repeats, n, k).

    The same as fitting ``learner`` for each repeat and fold, but a class that is missing in a
    training part keeps its column. Takes ``numeric="binned"`` and ``"normal"``.

    Args:
        learner: the parameters; it is not fitted.
        X: attributes (n, d).
        y: labels, (n); (repeats, n) if each repeat has its own; (repeats, folds, n) if each
            training part has.
        folds: the fold of each case, numbered from 0: (repeats, n).
        rows: attribute j of case i is that of row ``rows[r, i, j]`` of X: (repeats, n, d).
        training_rows: the same in each training part: (repeats, folds, n, d). Test parts have
            the values of ``rows``, or of X if it is None.

    >>> from metameasure.experiments import MixedNaiveBayes
    >>> X, y = [[1.0], [2.0], [3.0], [2.0], [4.0], [3.0], [5.0], [4.0]], [0, 0, 0, 0, 1, 1, 1, 1]
    >>> found = cross_validated_bayes(MixedNaiveBayes(), X, y, [[0, 1, 2, 3] * 2])
    >>> found[0, :, 1].round(3)
    array([0.028, 0.   , 0.902, 0.065, 0.986, 0.14 , 1.   , 0.935])
    """
    from metameasure.experiments.learners import _bayes_kernel  # noqa: PLC0415 - loads numba

    if learner.numeric not in {"binned", "normal"}:
        raise ParameterError(
            (Argument("numeric"), f' must be "binned" or "normal" here, got "{learner.numeric}"')
        )
    values = np.asarray(X, dtype=np.float64)
    levels = read_levels(learner.nominal, values)
    n, d = values.shape
    folds = plain(np.atleast_2d(np.asarray(folds)), np.int64)
    repeats, parts = folds.shape[0], int(folds.max()) + 1
    labels = np.asarray(y)
    if labels.ndim < 3:
        labels = np.atleast_2d(labels)[:, np.newaxis]
    classes, codes = np.unique(labels, return_inverse=True)
    codes = codes.reshape(labels.shape).astype(np.int64)
    _check_shape("folds", folds, (repeats, n))
    if parts < 2 or folds.min() < 0:
        raise DataError(
            f"folds must be numbered from 0 to 1 or more, got {folds.min()} to {folds.max()}",
            argument="folds",
        )
    _check_shape("y", codes, (repeats, parts, n), free=2)
    everywhere = np.arange(n, dtype=np.int32).repeat(d).reshape(1, 1, n, d)
    tested = trained = everywhere
    if rows is not None:
        tested = plain(rows, np.int32)
        _check_shape("rows", tested, (repeats, n, d))
        tested = trained = tested[:, np.newaxis]
    if training_rows is not None:
        trained = plain(training_rows, np.int32)
        _check_shape("training_rows", trained, (repeats, parts, n, d))
    found: Floats = _bayes_kernel.cross_validate(
        plain(values.T),
        *_coded(values, levels),
        levels,
        codes,
        folds,
        parts,
        classes.size,
        max([1, *levels.tolist()]),
        trained,
        tested,
        learner.numeric == "binned",
        np.array(learner.smoothing(), dtype=np.float64),
    )
    return found


def _check_shape(name: str, array: NDArray[Any], shape: tuple[int, ...], free: int = 0) -> None:
    """Raise an error unless each axis has its length; the first ``free`` may have length 1."""
    wrong = array.ndim != len(shape) or any(
        given != meant and (given != 1 or axis >= free)
        for axis, (given, meant) in enumerate(zip(array.shape, shape, strict=True))
    )
    if wrong:
        raise DataError(f"{name} must have shape {shape}, got {array.shape}", argument=name)


def _coded(values: Floats, levels: NDArray[np.int64]) -> tuple[NDArray[np.int32], Floats]:
    """Codes of the values, -1 where missing, and what they mean, in increasing order.

    Both are (columns, cases). The codes of a nominal attribute are its values.
    """
    codes = np.full(values.T.shape, -1, dtype=np.int32)
    distinct = np.zeros(values.T.shape)
    for column, count in enumerate(levels):
        known = ~np.isnan(values[:, column])
        found = values[known, column]
        if count:
            codes[column, known] = found
        else:
            different, codes[column, known] = np.unique(found, return_inverse=True)
            distinct[column, : different.size] = different
    return codes, distinct
