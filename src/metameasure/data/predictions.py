"""Predictions: validated rows, and the way from them to score tables."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._arguments import Choice, Flag, read_argument
from metameasure._text import shown
from metameasure.data.arrays import NanPolicy, as_array, either, missing_values
from metameasure.data.case_columns import (
    ARGUMENTS,
    BY_MODEL,
    NAN_POLICY,
    CaseRows,
    ColumnReader,
    Names,
    read_groups,
)
from metameasure.data.class_columns import has_class_columns
from metameasure.data.label_codes import distinct_labels
from metameasure.data.labels import read_labels
from metameasure.data.queries import Queries
from metameasure.data.row_order import check_row_order
from metameasure.data.scores import read_scores, read_weights
from metameasure.data.two_classes import positive_columns
from metameasure.errors import Argument, DataError, DroppedCasesWarning, ParameterError
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from metameasure._types import Floats, Mask


Rescale = Literal["minmax"]
PredictedLabels = bool | Literal["only"]
"""Whether scores may be predicted labels, as text; or are nothing else, as text or numbers."""
RESCALE = Choice(("minmax",))


@dataclass(frozen=True, eq=False)
class Predictions(CaseRows):
    """Validated rows: labels, one score column per model, weights, groups and clusters.

    Cases of one cluster (a patient, a customer) are not independent. ``groups`` has columns of
    groups that are compared, by name, and ``fold`` the folds of a cross-validation.

    ``dropped`` is the number of dropped cases, ``dropped_group`` has their groups. ``pos_label`` is
    the positive label; None if that of the labels which is 1 or True.

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
    groups: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    fold: NDArray[Any] | None = None
    pos_label: Any = None
    _tables: dict[str, ScoreTable] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        y_true: Any,
        scores: Mapping[str, Any],
        *,
        labels: Sequence[Any] | None = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        group: Any = None,
        cluster: Any = None,
        groups: Mapping[str, Any] | None = None,
        fold: Any = None,
        nan_policy: NanPolicy = "raise",
        rescale: Rescale | None = None,
        predicted_labels: PredictedLabels = False,
        names: Names = ARGUMENTS,
    ) -> Predictions:
        """Validate everything; with ``nan_policy="drop"`` drop cases with a missing value.

        A case without the score of one model is dropped for all, so that all models are evaluated
        on the same cases. A model may have two columns, the probabilities of both classes, whose
        order ``labels`` names; see ``positive_columns``. With ``predicted_labels``, or a
        ``pos_label`` that is text, scores may be labels as text; with "only" all are labels.
        """
        reader = ColumnReader(names, nan_policy)
        read_argument("rescale", rescale, RESCALE, optional=True)
        read_argument("predicted_labels", predicted_labels, Flag("only"))
        read_argument("scores", scores, BY_MODEL)
        read_argument("groups", groups, BY_MODEL, optional=True)
        if not scores:
            raise DataError("there is no model: scores are empty")
        others = [(names.weight, sample_weight), (names.group, group)]
        others += [(names.cluster, cluster), (names.fold, fold)]
        grouped = {
            name: (names.group if name == "group" else shown([name]), values)
            for name, values in (groups or {}).items()
        }
        called = ((names.model(model), values) for model, values in scores.items())
        check_row_order(y_true, (*called, *others, *grouped.values()), names.label)
        of_scores = _reader_of_scores(y_true, pos_label, predicted_labels)
        with reader:
            scores, pos_label = positive_columns(
                *(y_true, scores),
                pos_label=pos_label,
                labels=labels,
                what=names.label,
                called=names.scores,
            )
            positive = reader.read(y_true, partial(_labels, pos_label), names.label)
            columns = {
                model: reader.read(values, of_scores, names.model(model))
                for model, values in scores.items()
            }
            weight, group, cluster, fold = (
                reader.optional(values, kind, called)
                for (called, values), kind in zip(
                    others, (read_weights, *[read_groups] * 3), strict=True
                )
            )
            by_name = {
                name: reader.read(values, read_groups, called)
                for name, (called, values) in grouped.items()
            }
        if rescale:
            columns = {
                model: _minmax(values, names.model(model)) for model, values in columns.items()
            }
        if pos_label is not None:
            pos_label = _unusual_positive(y_true, positive, pos_label)
        whole = cls(
            *(positive, columns, weight, group, cluster),
            groups=by_name,
            fold=fold,
            pos_label=pos_label,
        )
        return whole.without(reader.missing)

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.positive.size

    def table(self, model: str) -> ScoreTable:
        """The score table of one model, made when it is first asked for."""
        if model not in self._tables:
            self._tables[model] = ScoreTable.from_cases(
                *_weighted(self.positive, self.scores[model], self.weight)
            )
        return self._tables[model]

    def where(self, rows: NDArray[Any] | slice) -> Predictions:
        """The predictions of some of the cases, given by a mask or by indices."""
        scores, groups = (
            {name: values[rows] for name, values in columns.items()}
            for columns in (self.scores, self.groups)
        )
        others = (self.weight, self.group, self.cluster, self.fold)
        weight, group, cluster, fold = (a if a is None else a[rows] for a in others)
        return Predictions(
            *(self.positive[rows], scores, weight, group, cluster),
            groups=groups,
            fold=fold,
            pos_label=self.pos_label,
        )

    def queries(self) -> Queries:
        """The cases in their groups, which are known."""
        assert self.group is not None  # noqa: S101 - known to the caller
        return Queries(self.positive, self.group, self.weight)

    def renamed(self, name: str) -> Predictions:
        """The predictions of a single model under another name."""
        ((old, scores),) = self.scores.items()
        tables = {name: self._tables[old]} if old in self._tables else {}
        return replace(self, scores={name: scores}, _tables=tables)


def read_table(
    y_true: Any,
    y_score: Any,
    what: str,
    *,
    labels: Sequence[Any] | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
    stacklevel: int = 2,
) -> ScoreTable:
    """The score table of labels and scores, or a ready one, for the function named ``what``.

    ``stacklevel`` is that of the warning about dropped cases: 1 is the caller, 2 its caller. Data
    with one column, without weights, rescaling and missing values take a shorter way.
    """
    if isinstance(y_true, ScoreTable):
        check_alone("a ScoreTable", y_score, labels, pos_label, sample_weight, rescale)
        return y_true
    if y_score is None:
        raise need_scores(what, "a ScoreTable")
    policy = read_argument("nan_policy", nan_policy, NAN_POLICY)
    plain = labels is sample_weight is rescale is None and policy == "raise"
    if plain and not has_class_columns(y_score):
        argument = "y_true"
        check_row_order(y_true, [("y_score", y_score)])
        try:
            positive, no_label = read_labels(y_true, pos_label)
            argument = "y_score"
            score, no_score = _reader_of_scores(y_true, pos_label)(y_score, argument)
        except DataError as error:
            error.caused_by(argument)
            raise
        if no_label is None and no_score is None and positive.size == score.size > 0:
            return ScoreTable.from_cases(positive, score)
    rows = Predictions.of(
        y_true,
        {"y_score": y_score},
        labels=labels,
        pos_label=pos_label,
        sample_weight=sample_weight,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    warn_dropped(rows.dropped, rows.n, stacklevel=stacklevel + 1)
    return rows.table("y_score")


def check_alone(ready: str, *extras: Any) -> None:
    """Refuse other data beside a ready table or the like, which ``ready`` names."""
    if any(extra is not None for extra in extras):
        raise ParameterError(
            (
                *(f"pass either {ready} or ", Argument("y_true"), " and "),
                *(Argument("y_score"), ", not both"),
            )
        )


def need_scores(what: str, ready: str) -> DataError:
    """The error for labels without scores."""
    return DataError(
        (f"{what} needs ", Argument("y_true"), " and ", Argument("y_score")),
        remedy=f"pass both, or {ready}",
        argument="y_score",
    )


def read_unlabeled(
    values: Any, weights: Any, name: str, nan_policy: NanPolicy
) -> tuple[ScoreTable, int]:
    """Scores without labels: a table of positives only, and the number of dropped cases."""
    scores, missing = read_scores(values, name)
    rows = Predictions.of(
        np.ones(scores.size, dtype=bool),
        {name: scores if missing is None else np.where(missing, np.nan, scores)},
        sample_weight=weights,
        nan_policy=nan_policy,
        names=Names(label=name, weight=f"{name}_weight"),
    )
    return rows.table(name), rows.dropped


def warn_dropped(dropped: int, kept: int, *, stacklevel: int) -> None:
    """Warn about dropped cases, if there are any; at ``stacklevel`` 1 the caller is warned."""
    if dropped:
        warnings.warn(
            f"dropped {dropped} of {dropped + kept} cases with missing values",
            DroppedCasesWarning,
            stacklevel + 1,
        )


def tabulate_lists(
    positive: ArrayLike, score: ArrayLike, sample_weight: ArrayLike | None = None
) -> ScoreTable:
    """The block of score tables of many lists of cases of equal length.

    Args:
        positive: bool or 0/1, shape ``(..., n)``, or ``(n,)`` for lists with the same labels.
        score: shape ``(..., n)``.
        sample_weight: shape of ``score``, or ``(n,)``.

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
        raise DataError(f"the lists of cases must have equal length: {error}") from error
    if not scores.size:
        raise DataError("there are no cases")
    if labels.dtype.kind not in "biuf" or not ((labels == 0) | (labels == 1)).all():
        raise DataError("the labels of lists of cases must be bool, or 0 and 1")
    if np.isnan(scores).any():
        raise DataError("the scores of lists of cases must not be NaN")
    if weights is not None and not (np.isfinite(weights) & (weights >= 0)).all():
        raise DataError("the weights of lists of cases must be finite and >= 0")
    return ScoreTable.from_cases(labels == 1, scores, weights)


def _labels(pos_label: Any, values: Any, what: str) -> tuple[Mask, Mask | None]:
    """The positive cases, and those without a label."""
    return read_labels(values, pos_label, what)


def _unusual_positive(y_true: Any, positive: Mask, pos_label: Any) -> Any:
    """The positive label as it is in the data; None if labels are bool, 0/1 or -1/1 and it is 1."""
    labels, masked = as_array(y_true, "y_true")
    missing = either(masked, missing_values(labels))
    negative = ~positive if missing is None else ~(positive | missing)
    if positive.any():
        (pos_label,) = labels[[np.argmax(positive)]].tolist()
    (other,) = labels[[np.argmax(negative)]].tolist() if negative.any() else [0]
    if isinstance(pos_label, bytes):
        return pos_label.decode("utf-8", "backslashreplace")
    return None if pos_label == 1 and other in {-1, 0} else pos_label


def _reader_of_scores(
    y_true: Any, pos_label: Any, predicted_labels: PredictedLabels = False
) -> Callable[[Any, str], tuple[Floats, Mask | None]]:
    """The function that reads a column of scores; with text as positive label, or of labels."""
    if not (predicted_labels or isinstance(pos_label, str)):
        return read_scores
    return partial(_scores_or_labels, y_true, pos_label, only=predicted_labels == "only")


def _scores_or_labels(
    y_true: Any, pos_label: Any, values: Any, what: str, *, only: bool
) -> tuple[Floats, Mask | None]:
    """Scores; or of predicted labels, 1 for the positive one and 0 for the other."""
    array, masked = as_array(values, what)
    text = array.dtype.kind in "US" or any(isinstance(value, (str, bytes)) for value in array[:1])
    if not (text or only):
        return read_scores(values, what)
    if pos_label is None:
        positive, missing = read_labels(values, pos_label, what)
        return positive.astype(np.float64), missing
    known = distinct_labels(y_true)
    strange = [one for one in distinct_labels(values, what) if one not in [*known, pos_label]]
    if strange:
        raise DataError(
            f"{what} has {shown(strange[:1])}, which is not one of the labels {shown(known)}",
            remedy="predicted labels are written like the true ones, and scores are numbers",
        )
    # A label from the command line is text.
    positive = next((one for one in known if str(one) == pos_label), pos_label)
    return (array == positive).astype(np.float64), either(masked, missing_values(array))


def _weighted(
    positive: Mask, score: Floats, weight: Floats | None
) -> tuple[Mask, Floats, Floats | None]:
    """The cases that have weight; at least one, since a table has at least one row."""
    if weight is None or weight.all():
        return positive, score, weight
    kept = weight > 0
    if not kept.any():
        kept[0] = True
    return positive[kept], score[kept], weight[kept]


def _minmax(values: Floats, what: str) -> Floats:
    low, high = np.nanmin(values), np.nanmax(values)
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise DataError(f"{what} cannot be rescaled: the scores range from {low} to {high}")
    # Halved first, since the difference of two doubles can overflow.
    rescaled: Floats = (values / 2 - low / 2) / (high / 2 - low / 2)
    return rescaled
