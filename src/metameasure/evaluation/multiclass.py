"""The evaluation of scores for k classes: measures of all classes, and of each against the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._text import shown
from metameasure.data import ClassScores, Predictions
from metameasure.errors import DataError
from metameasure.evaluation._evaluate import evaluate_predictions, rows_of
from metameasure.evaluation.checks import check_columns, check_many_classes, check_rows
from metameasure.evaluation.evaluation_result import Evaluation
from metameasure.evaluation.measure_choice import choose_of_classes, left_out
from metameasure.inference import ClassSample
from metameasure.results import muted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from metameasure.evaluation.evaluation_result import Row
    from metameasure.evaluation.measure_choice import Chosen
    from metameasure.inference import Plan, Progress

OF_EACH_CLASS = "auc"
"""The measure of each class against the rest, by the scores for it."""


def read_class_scores(
    y_true: Any, models: Mapping[str, Any], **options: Any
) -> dict[str, ClassScores]:
    """The validated scores of each model, all on the same cases and for the same classes.

    The options are those of ``ClassScores.of``.
    """
    read = {model: ClassScores.of(y_true, scores, **options) for model, scores in models.items()}
    first, *others = read.items()
    for model, scores in others:
        if scores.classes != first[1].classes:
            raise DataError(
                f"{model} has scores for the classes {shown(scores.classes)}, but {first[0]} for "
                f"{shown(first[1].classes)}: give all models the same columns"
            )
    lacking = [scores.kept for scores in read.values() if scores.kept is not None]
    if not lacking:
        return read
    kept = np.logical_and.reduce(lacking)
    if not kept.any():
        raise DataError(f"no case of {kept.size} has the scores of all models: none is left")
    return {model: scores.keeping(kept) for model, scores in read.items()}


def evaluate_class_scores(
    read: Mapping[str, ClassScores],
    chosen: Chosen,
    plan: Plan | None,
    *,
    mute: str | Iterable[str] = (),
    like: Any = None,
    progress: Progress | None = None,
) -> Evaluation:
    """The evaluation of validated scores for classes; what is undefined is said in the result."""
    unwanted = muted(mute)
    asked, by_name = choose_of_classes(chosen)
    unfitting = {} if by_name else left_out(read, asked)
    sample = ClassSample.of(read)
    dropped = next(iter(read.values())).dropped
    counted = {"n": sample.size, "n_pos": None, "dropped": dropped}
    fitting = {model: [m for m in asked if (model, m) not in unfitting] for model in read}
    rows, found = rows_of(sample, fitting, plan, counted, progress)
    checks = [
        *check_many_classes(sample),
        *(check for model, scores in read.items() for check in check_columns(scores, model)),
        *check_rows(rows, found),
    ]
    if not by_name:
        rows += _each_class(sample, plan)
    return Evaluation(
        rows,
        list(unfitting.values()),
        [check for check in checks if check.code not in unwanted],
        None if plan is None else plan.ci,
        like,
    )


def _each_class(sample: ClassSample, plan: Plan | None) -> Iterator[Row]:
    """The rows of each class against the rest."""
    for number, (name, member) in enumerate(zip(sample.classes, sample.strata, strict=True)):
        scores = {model: table.scores[:, number] for model, table in sample.tables.items()}
        predictions = Predictions(member, scores, sample.weight, cluster=sample.cluster)
        result = evaluate_predictions(predictions, OF_EACH_CLASS, plan)
        yield from (replace(row, label=str(name)) for row in result.rows)
