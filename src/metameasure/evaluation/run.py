"""The evaluation itself."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError, UndefinedMeasureWarning
from metameasure.evaluation.choice import Chosen, choose, unfit
from metameasure.evaluation.result import Evaluation, LeftOut, Row
from metameasure.predictions import NanPolicy, Predictions, Rescale
from metameasure.predictions.arrays import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from metameasure.registry import Measure


def evaluate(
    y_true: Any,
    scores: Any = None,
    measures: Chosen = "default",
    ci: float | None = None,
    *,
    label: str | None = None,
    weight: str | None = None,
    group: Any = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> Evaluation:
    """Every measure asked for, of every model, from one sort a model.

    Give labels and scores (an array, a dict of models, a data frame with a column a model), or a
    data frame and the names of its columns::

        mm.evaluate(y_true, {"forest": s1, "logistic": s2})
        mm.evaluate(frame, label="y", scores=["forest", "logistic"], weight="w", group="site")

    Args:
        y_true: the labels, or a data frame that has them in the column ``label``.
        scores: the scores, or the names of their columns in that frame.
        measures: "default", "all", or measures and their texts. From "default" and "all" those are
            left out that the scores do not allow; the result says which and why.
        ci: the confidence of an interval for each value; this release has none, so only None.
        label: the column of the labels; found if only one column has two values.
        weight: the column of the weights.
        group: the column of the groups, or an array; each group is evaluated on its own, after all
            cases together.
        pos_label: the label that counts as positive, unless labels are bool, 0/1 or -1/1.
        sample_weight: an array of weights.
        nan_policy: "raise", or "drop" to leave out cases that lack a value.
        rescale: "minmax" to map each model's scores to [0, 1].

    >>> result = evaluate([1, 0, 1, 0], {"a": [0.9, 0.5, 0.5, 0.1]}, measures="auc, brier")
    >>> print(result)
    measure       a
    auc ↑    0.8750
    brier ↓  0.1300
    4 cases, 2 positive
    """
    from metameasure.sources import choose_columns, is_frame, read_frame  # noqa: PLC0415

    if ci is not None:
        raise DataError("this release has no confidence intervals: leave ci out")
    options = {"pos_label": pos_label, "nan_policy": nan_policy, "rescale": rescale}
    if is_frame(y_true):
        if sample_weight is not None:
            raise DataError("the first argument is a frame: name its column, weight=...")
        columns = choose_columns(y_true, label, scores, weight, group)
        predictions = read_frame(y_true, columns, **options)
        return evaluate_predictions(predictions, measures, like=y_true)
    if label is not None or weight is not None:
        raise DataError("label= and weight= name columns: give the frame as the first argument")
    if scores is None:
        raise DataError("scores are missing: evaluate(y_true, scores)")
    named, like = _models(scores)
    predictions = Predictions.of(y_true, named, sample_weight=sample_weight, group=group, **options)
    return evaluate_predictions(predictions, measures, like=like)


def _models(scores: Any) -> tuple[Mapping[str, Any], Any]:
    """The score columns by the name of their model, and the frame that they came in."""
    from metameasure.sources import is_frame  # noqa: PLC0415
    from metameasure.sources.frames import score_columns  # noqa: PLC0415

    if isinstance(scores, Mapping):
        named = {str(name): values for name, values in scores.items()}
        if len(named) < len(scores):
            raise DataError(f"two models have the same name: {shown(scores)}")
        return named, None
    if is_frame(scores):
        return score_columns(scores), scores
    name = getattr(scores, "name", None)
    return {str(name) if isinstance(name, str) and name else "model": scores}, None


def evaluate_predictions(
    predictions: Predictions, measures: Chosen = "default", like: Any = None
) -> Evaluation:
    """The evaluation of validated predictions; its frames are of the kind of ``like``."""
    chosen, by_name = choose(measures)
    rows: list[Row] = []
    left_out = {} if by_name else _left_out(predictions, chosen)
    for group, part in _groups(predictions):
        used = slice(None) if part.weight is None else part.weight > 0
        n, n_pos = part.positive[used].size, int(np.count_nonzero(part.positive[used]))
        dropped = _dropped(predictions, group)
        for model in part.scores:
            table = part.table(model)
            for measure in chosen:
                if (model, measure) in left_out:
                    continue
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", UndefinedMeasureWarning)
                    value = measure.value(table)
                rows.append(Row(model, group, measure, value, n, n_pos, dropped))
    result = Evaluation(rows, list(left_out.values()), like)
    _warn(result.undefined)
    return result


def _left_out(
    predictions: Predictions, chosen: list[Measure]
) -> dict[tuple[str, Measure], LeftOut]:
    """What the scores of a model, taken as a whole, do not allow."""
    return {
        (model, measure): LeftOut(model, str(measure), reason)
        for model in predictions.scores
        for measure in chosen
        if (reason := unfit(measure, predictions.table(model)))
    }


def _groups(predictions: Predictions) -> Iterator[tuple[str | None, Predictions]]:
    """All cases, then each group of them."""
    yield None, predictions
    if predictions.group is None:
        return
    names, member = np.unique(_sortable(predictions.group), return_inverse=True)
    rows = np.argsort(member, kind="stable")
    ends = np.cumsum(np.bincount(member, minlength=names.size))[:-1]
    for name, part in zip(names, np.split(rows, ends), strict=True):
        yield _group_name(name), predictions.where(part)


def _group_name(group: Any) -> str:
    """A group as text; a whole number is one, even where a missing one has made it a float."""
    whole = isinstance(group, (float, np.floating)) and float(group).is_integer()
    return str(int(group) if whole else group)


def _dropped(predictions: Predictions, group: str | None) -> int:
    """How many cases were left out, of all or of one group."""
    if group is None or predictions.dropped_group is None:
        return predictions.dropped
    return sum(_group_name(name) == group for name in predictions.dropped_group)


def _sortable(group: NDArray[Any]) -> NDArray[Any]:
    """The groups as they are if they have an order, else as text."""
    mixed = group.dtype.kind == "O" and len({type(name) for name in group}) > 1
    return group.astype(str) if mixed else group


def _warn(undefined: Sequence[Row]) -> None:
    if undefined:
        first = undefined[0]
        others = f" and {len(undefined) - 1} more values are" if len(undefined) > 1 else " is"
        warnings.warn(
            f"{first.measure} of {first.model}{others} undefined (NaN): "
            f"{first.measure.undefined_when}",
            UndefinedMeasureWarning,
            stacklevel=4,
        )
