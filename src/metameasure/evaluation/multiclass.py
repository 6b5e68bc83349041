"""The evaluation of scores for several classes: of all, and of each against the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from metameasure.data import Models, Predictions
from metameasure.evaluation._evaluate import evaluate_models, rows_of
from metameasure.evaluation.checks import check_columns, check_many_classes, check_rows
from metameasure.evaluation.evaluation_result import Evaluation
from metameasure.evaluation.measure_choice import choose_of_classes, left_out
from metameasure.inference import ClassSample
from metameasure.results import muted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from metameasure.evaluation.evaluation_result import Row
    from metameasure.evaluation.measure_choice import Chosen
    from metameasure.inference import Plan, Progress

OF_EACH_CLASS = "auc"
"""The measure of each class against the rest."""


def evaluate_class_scores(
    models: Models,
    chosen: Chosen,
    plan: Plan | None,
    *,
    mute: str | Iterable[str] = (),
    progress: Progress | None = None,
) -> Evaluation:
    """The evaluation of scores for several classes; undefined values are reported in the result."""
    read = models.classes or {}
    unwanted = muted(mute)
    asked, by_name = choose_of_classes(chosen)
    unfitting = {} if by_name else left_out(read, asked)
    sample = ClassSample.of(read)
    counted = {"n": sample.size, "n_pos": None, "dropped": models.dropped}
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
        models.like,
    )


def _each_class(sample: ClassSample, plan: Plan | None) -> Iterator[Row]:
    """The rows of each class against the rest."""
    for number, (name, member) in enumerate(zip(sample.classes, sample.strata, strict=True)):
        scores = {model: table.scores[:, number] for model, table in sample.tables.items()}
        predictions = Predictions(member, scores, sample.weight, cluster=sample.cluster)
        result = evaluate_models(Models(predictions), OF_EACH_CLASS, plan)
        yield from (replace(row, label=str(name)) for row in result.rows)
