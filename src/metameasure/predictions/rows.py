"""Predictions: validated rows, and the way from them to score tables."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure.errors import DataError, DroppedCasesWarning
from metameasure.predictions.arrays import as_array, either, missing_objects, shown
from metameasure.predictions.labels import read_labels
from metameasure.predictions.numbers import read_scores, read_weights
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

NanPolicy = Literal["raise", "drop"]
Rescale = Literal["minmax"]


@dataclass(frozen=True, eq=False)
class Predictions:
    """Labels, one score column a model, weights and groups, all checked and of one length.

    >>> p = Predictions.of(["yes", "no", "no"], {"m": [0.9, 0.9, 0.1]}, pos_label="yes")
    >>> p.table("m")
    <score table: 2 distinct scores, 1 positive, 2 negative>
    """

    positive: Mask
    scores: Mapping[str, Floats]
    weight: Floats | None = None
    group: NDArray[Any] | None = None
    dropped: int = 0
    _tables: dict[str, ScoreTable] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        y_true: Any,
        scores: Mapping[str, Any],
        *,
        pos_label: Any = None,
        sample_weight: Any = None,
        group: Any = None,
        nan_policy: NanPolicy = "raise",
        rescale: Rescale | None = None,
    ) -> Predictions:
        """Check everything; with ``nan_policy="drop"`` leave out cases that lack a value.

        A case that lacks one model's score is left out for all of them, so that all models are
        judged on the same cases.
        """
        _check_option("nan_policy", nan_policy, ("raise", "drop"))
        _check_option("rescale", rescale, (None, "minmax"))
        positive, lacking = read_labels(y_true, pos_label)
        lack = {"y_true": lacking}
        columns = {}
        for model, values in scores.items():
            columns[model], lack[model] = read_scores(values, model)
            _check_length(columns[model], positive, model)
        weight = None
        if sample_weight is not None:
            weight, lack["sample_weight"] = read_weights(sample_weight)
            _check_length(weight, positive, "sample_weight")
        if group is not None:
            group, lack["group"] = read_groups(group)
            _check_length(group, positive, "group")
        if not positive.size:
            raise DataError("there are no cases: y_true is empty")
        missing = _missing_rows(lack, nan_policy)
        dropped = 0
        if missing is not None:
            dropped, kept = int(np.count_nonzero(missing)), ~missing
            if dropped == positive.size:
                raise DataError(f"all {dropped} cases lack a value: none is left")
            positive, columns = positive[kept], {m: s[kept] for m, s in columns.items()}
            weight, group = (a if a is None else a[kept] for a in (weight, group))
            if weight is not None and not weight.any():
                raise DataError("all cases that are left have weight 0")
        if rescale:
            columns = {model: _minmax(values, model) for model, values in columns.items()}
        return cls(positive, columns, weight, group, dropped)

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.positive.size

    def table(self, model: str) -> ScoreTable:
        """The score table of one model, made once."""
        if model not in self._tables:
            self._tables[model] = ScoreTable.from_cases(
                *_weighted(self.positive, self.scores[model], self.weight)
            )
        return self._tables[model]

    def where(self, rows: NDArray[Any]) -> Predictions:
        """The predictions of some of the cases, given by a mask or by their numbers."""
        scores = {model: values[rows] for model, values in self.scores.items()}
        weight, group = (a if a is None else a[rows] for a in (self.weight, self.group))
        return Predictions(self.positive[rows], scores, weight, group)


def tabulate(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> ScoreTable:
    """The score table of labels and scores: the one sort that all measures share.

    >>> tabulate([1, 0, 1, 0], [0.8, 0.8, 0.3, 0.1])
    <score table: 3 distinct scores, 2 positive, 2 negative>
    """
    rows = Predictions.of(
        y_true,
        {"y_score": y_score},
        pos_label=pos_label,
        sample_weight=sample_weight,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    if rows.dropped:
        warnings.warn(
            f"{rows.dropped} of {rows.dropped + rows.n} cases lack a value and were left out",
            DroppedCasesWarning,
            stacklevel=3,
        )
    return rows.table("y_score")


def tabulate_lists(
    positive: ArrayLike, score: ArrayLike, sample_weight: ArrayLike | None = None
) -> ScoreTable:
    """The block of score tables of many lists of cases of one length.

    Args:
        positive: bool or 0/1, shape ``(..., n)``, or ``(n,)`` for lists with the same labels.
        score: shape ``(..., n)``.
        sample_weight: of the shape of the scores, or ``(n,)``.

    >>> tabulate_lists([1, 0, 0], [[0.9, 0.5, 0.1], [0.1, 0.5, 0.5]])
    <block of score tables: shape (2,), 3 rows each>
    """
    scores = np.atleast_2d(np.asarray(score, dtype=np.float64))
    try:
        labels = np.broadcast_to(np.asarray(positive), scores.shape)
        weights = (
            None
            if sample_weight is None
            else np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), scores.shape)
        )
    except ValueError as error:
        raise DataError(f"labels and weights do not fit the scores: {error}") from error
    if labels.dtype.kind not in "biuf" or not ((labels == 0) | (labels == 1)).all():
        raise DataError("the labels of a block of lists must be bool, or 0 and 1")
    if np.isnan(scores).any():
        raise DataError("a score of the block is NaN")
    if weights is not None and not (np.isfinite(weights) & (weights >= 0)).all():
        raise DataError("a weight of the block is negative or not finite")
    return ScoreTable.from_cases(labels == 1, scores, weights)


def read_groups(groups: Any) -> tuple[NDArray[Any], Mask | None]:
    """The group of each case, and where there is none (None: nowhere)."""
    values, missing = as_array(groups, "group")
    if values.dtype.kind == "O":
        missing = either(missing, missing_objects(values))
    elif values.dtype.kind == "f" and np.isnan(values).any():
        missing = either(missing, np.isnan(values))
    return values, missing


def _weighted(
    positive: Mask, score: Floats, weight: Floats | None
) -> tuple[Mask, Floats, Floats | None]:
    """Without the cases that have no weight."""
    if weight is None or weight.all():
        return positive, score, weight
    kept = weight > 0
    return positive[kept], score[kept], weight[kept]


def _check_option(name: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed:
        raise DataError(f"{name}={shown([value])} is not known: give one of {shown(allowed)}")


def _check_length(values: NDArray[Any], positive: Mask, what: str) -> None:
    if values.size != positive.size:
        raise DataError(
            f"y_true has {positive.size} cases but {what} has {values.size}: they must be as many"
        )


def _missing_rows(lack: Mapping[str, Mask | None], nan_policy: NanPolicy) -> Mask | None:
    """The cases to leave out, or an error if that was not asked for."""
    missing = None
    for what, rows in lack.items():
        if rows is not None and nan_policy == "raise":
            raise DataError(
                f"{np.count_nonzero(rows)} of {rows.size} values of {what} are missing (NaN or "
                f"null), the first at row {np.argmax(rows)}: fill them in, or leave these cases "
                'out with nan_policy="drop"'
            )
        missing = either(missing, rows)
    return missing


def _minmax(values: Floats, what: str) -> Floats:
    low, high = values.min(), values.max()
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise DataError(f"{what} cannot be rescaled: its scores run from {low} to {high}")
    rescaled: Floats = (values - low) / (high - low)
    return rescaled
