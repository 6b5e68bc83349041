"""The models of an evaluation or a comparison, however they are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metameasure.errors import DataError
from metameasure.predictions import Predictions
from metameasure.predictions.arrays import shown


def read_models(
    y_true: Any,
    scores: Any,
    *,
    label: str | None,
    weight: str | None,
    sample_weight: Any,
    group: Any = None,
    cluster: Any = None,
    **options: Any,
) -> tuple[Predictions, Any]:
    """Validated predictions from arrays or a frame, and the frame that they came in.

    With a frame, ``label``, ``scores``, ``weight``, ``group`` and ``cluster`` name its columns.
    """
    from metameasure.sources import choose_columns, is_frame, read_frame  # noqa: PLC0415

    if is_frame(y_true):
        if sample_weight is not None:
            raise DataError("the first argument is a frame: name its column, weight=...")
        columns = choose_columns(y_true, label, scores, weight, group, cluster)
        return read_frame(y_true, columns, **options), y_true
    if label is not None or weight is not None:
        raise DataError("label= and weight= name columns: give the frame as the first argument")
    if scores is None:
        raise DataError("scores are missing: they come after the labels")
    named, like = named_columns(scores)
    predictions = Predictions.of(
        y_true, named, sample_weight=sample_weight, group=group, cluster=cluster, **options
    )
    return predictions, like


def named_columns(scores: Any) -> tuple[Mapping[str, Any], Any]:
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
