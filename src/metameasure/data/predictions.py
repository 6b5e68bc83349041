"""Predictions: validated rows, and the way from them to score tables."""

from __future__ import annotations

import warnings
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._arguments import Choice, read_argument
from metameasure.data.arrays import NanPolicy, as_array, either, missing_cases, missing_values
from metameasure.data.labels import read_labels
from metameasure.data.scores import read_scores, read_weights
from metameasure.errors import DataError, DroppedCasesWarning
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

Rescale = Literal["minmax"]
NOTHING_WEIGHS = "all cases that are left have weight 0: there is nothing to measure"


@dataclass(frozen=True)
class Names:
    """How messages call what a user gave: arguments, or columns of a frame."""

    label: str = "y_true"
    weight: str = "sample_weight"
    group: str = "group"
    cluster: str = "cluster"
    scores: Mapping[str, str] = field(default_factory=dict)


ARGUMENTS = Names()


@dataclass(frozen=True, eq=False)
class Predictions:
    """Labels, one score column a model, weights, groups and clusters, checked and of one length.

    Cases of one cluster (a patient, a customer) were not drawn independently.

    ``dropped`` counts the cases that were left out, ``dropped_group`` has their groups.

    >>> p = Predictions.of(["yes", "no", "no"], {"m": [0.9, 0.9, 0.1]}, pos_label="yes")
    >>> p.table("m")
    <score table: 2 distinct scores, 1 positive, 2 negative>
    """

    positive: Mask
    scores: Mapping[str, Floats]
    weight: Floats | None = None
    group: NDArray[Any] | None = None
    cluster: NDArray[Any] | None = None
    dropped: int = 0
    dropped_group: NDArray[Any] | None = None
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
        cluster: Any = None,
        nan_policy: NanPolicy = "raise",
        rescale: Rescale | None = None,
        names: Names = ARGUMENTS,
    ) -> Predictions:
        """Check everything; with ``nan_policy="drop"`` leave out cases that lack a value.

        A case that lacks one model's score is left out for all of them, so that all models are
        judged on the same cases.
        """
        read_argument("nan_policy", nan_policy, Choice(("raise", "drop")))
        read_argument("rescale", rescale, Choice(("minmax",)), optional=True)
        if not scores:
            raise DataError("there is no model: scores are missing")
        positive, lacking = read_labels(y_true, pos_label, names.label)
        lack = [(names.label, lacking)]
        columns = {}
        for model, values in scores.items():
            what = names.scores.get(model, model)
            columns[model], lacking = read_scores(values, what)
            check_length(columns[model], what, positive.size, names)
            lack.append((what, lacking))
        weight = None
        if sample_weight is not None:
            weight, lacking = read_weights(sample_weight, names.weight)
            check_length(weight, names.weight, positive.size, names)
            lack.append((names.weight, lacking))
        if group is not None:
            group, lacking = read_groups(group, names.group)
            check_length(group, names.group, positive.size, names)
            lack.append((names.group, lacking))
        if cluster is not None:
            cluster, lacking = read_groups(cluster, names.cluster)
            check_length(cluster, names.cluster, positive.size, names)
            lack.append((names.cluster, lacking))
        if not positive.size:
            raise DataError(f"there are no cases: {names.label} is empty")
        if rescale:
            columns = {
                model: _minmax(values, names.scores.get(model, model))
                for model, values in columns.items()
            }
        whole = cls(positive, columns, weight, group, cluster)
        missing = missing_cases(lack, nan_policy)
        return whole if missing is None else whole._without(missing)

    def _without(self, missing: Mask) -> Predictions:
        """The predictions without some cases, which are counted."""
        dropped = int(np.count_nonzero(missing))
        if dropped == self.n:
            raise DataError(f"all {dropped} cases lack a value: none is left")
        kept = self.where(~missing)
        if kept.weight is not None and not kept.weight.any():
            raise DataError(NOTHING_WEIGHS)
        lost = None if self.group is None else self.group[missing]
        return replace(kept, dropped=dropped, dropped_group=lost)

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

    def where(self, rows: NDArray[Any] | slice) -> Predictions:
        """The predictions of some of the cases, given by a mask or by their numbers."""
        scores = {model: values[rows] for model, values in self.scores.items()}
        others = (self.weight, self.group, self.cluster)
        weight, group, cluster = (a if a is None else a[rows] for a in others)
        return Predictions(self.positive[rows], scores, weight, group, cluster)


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
    return read_table(
        y_true,
        y_score,
        "tabulate",
        pos_label=pos_label,
        sample_weight=sample_weight,
        nan_policy=nan_policy,
        rescale=rescale,
    )


def read_table(
    y_true: Any,
    y_score: Any,
    what: str,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
    stacklevel: int = 2,
) -> ScoreTable:
    """The table of labels and scores, or a ready one, for a function of this name.

    ``stacklevel`` says who is told of dropped cases: 1 is the one that called, 2 its caller. What
    needs no weights, no rescaling and no dropping goes a shorter way.
    """
    if isinstance(y_true, ScoreTable):
        check_alone(y_score, pos_label, sample_weight, rescale)
        return y_true
    if y_score is None:
        raise DataError(f"{what} needs y_true and y_score, or a ScoreTable")
    if sample_weight is rescale is None and nan_policy == "raise":
        positive, no_label = read_labels(y_true, pos_label)
        score, no_score = read_scores(y_score)
        if no_label is no_score is None and positive.size == score.size > 0:
            return ScoreTable.from_cases(positive, score)
    rows = Predictions.of(
        y_true,
        {"y_score": y_score},
        pos_label=pos_label,
        sample_weight=sample_weight,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    warn_dropped(rows.dropped, rows.n, stacklevel=stacklevel + 1)
    return rows.table("y_score")


def check_alone(*extras: Any) -> None:
    """Refuse what is given with a ready table."""
    if any(extra is not None for extra in extras):
        raise DataError("a ScoreTable already has its labels, scores and weights: give it alone")


def warn_dropped(dropped: int, kept: int, *, stacklevel: int) -> None:
    """Tell a caller, 1 being the one that called this, of cases that were left out, if any."""
    if dropped:
        warnings.warn(
            f"{dropped} of {dropped + kept} cases lack a value and were left out",
            DroppedCasesWarning,
            stacklevel + 1,
        )


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
    try:
        scores = np.atleast_2d(np.asarray(score).astype(np.float64, casting="same_kind"))
        labels = np.broadcast_to(np.asarray(positive), scores.shape)
        weights = None
        if sample_weight is not None:
            given = np.asarray(sample_weight).astype(np.float64, casting="same_kind")
            weights = np.broadcast_to(given, scores.shape)
    except (ValueError, TypeError) as error:
        raise DataError(f"these are no lists of cases of one length: {error}") from error
    if not scores.size:
        raise DataError("there are no cases")
    if labels.dtype.kind not in "biuf" or not ((labels == 0) | (labels == 1)).all():
        raise DataError("the labels of a block of lists must be bool, or 0 and 1")
    if np.isnan(scores).any():
        raise DataError("a score of the block is NaN")
    if weights is not None and not (np.isfinite(weights) & (weights >= 0)).all():
        raise DataError("a weight of the block is negative or not finite")
    return ScoreTable.from_cases(labels == 1, scores, weights)


def read_groups(groups: Any, what: str = "group") -> tuple[NDArray[Any], Mask | None]:
    """The group of each case, and where there is none (None: nowhere)."""
    values, masked = as_array(groups, what)
    missing = either(masked, missing_values(values))
    if values.dtype.kind == "O":
        kinds = {type(name) for name in values}
        odd = [kind.__name__ for kind in kinds if not issubclass(kind, Hashable)]
        if odd:
            raise DataError(f"{what} holds values of the kind {odd[0]}: give names or numbers")
    return values, missing


def _weighted(
    positive: Mask, score: Floats, weight: Floats | None
) -> tuple[Mask, Floats, Floats | None]:
    """Without the cases that have no weight; one stays in any case, as a table has a row."""
    if weight is None or weight.all():
        return positive, score, weight
    kept = weight > 0
    if not kept.any():
        kept[0] = True
    return positive[kept], score[kept], weight[kept]


def check_length(values: NDArray[Any], what: str, cases: int, names: Names) -> None:
    """Refuse a column that has not as many values as there are cases."""
    if values.size != cases:
        raise DataError(
            f"{names.label} has {cases} cases but {what} has {values.size}: they must be as many"
        )


def _minmax(values: Floats, what: str) -> Floats:
    low, high = np.nanmin(values), np.nanmax(values)
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise DataError(f"{what} cannot be rescaled: its scores run from {low} to {high}")
    # Halved first, since the distance of two doubles may be no double.
    rescaled: Floats = (values / 2 - low / 2) / (high / 2 - low / 2)
    return rescaled
