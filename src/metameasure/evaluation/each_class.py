"""The rows of each of several classes against the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from metameasure.data import ClassScores, Models, Predictions
from metameasure.inference import find_method
from metameasure.measurement import parse_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from metameasure.data import ClassCases
    from metameasure.evaluation.evaluation_result import Evaluation, Row
    from metameasure.inference import ClassSample, Plan

OF_ANSWERS = "precision, tpr, f_measure"
"""The measures of a class that was predicted or not."""
OF_SCORES = "auc"
"""The measure of the scores of a class."""


def rows_of_classes(
    sample: ClassSample, plan: Plan | None, evaluate: Callable[..., Evaluation]
) -> Iterator[Row]:
    """The rows of each class: of its predictions and, if there are scores, of these.

    ``evaluate`` evaluates models of two classes.
    """
    for number, name in enumerate(sample.classes):
        for model, cases in sample.tables.items():
            parts = [(_answered(sample, cases, number), OF_ANSWERS)]
            if isinstance(cases, ClassScores):
                parts.append((_scored(sample, cases, number), OF_SCORES))
            for predictions, measures in parts:
                models = Models(replace(predictions, scores={model: predictions.scores["model"]}))
                result = evaluate(models, measures, _fitting(plan, measures))
                # A tie for the prediction makes several rows of one case.
                found = (replace(row, n=sample.size) for row in result.rows)
                yield from (
                    replace(row, label=str(name), n_pos=sample.classes[name]) for row in found
                )


def _fitting(plan: Plan | None, measures: str) -> Plan | None:
    """The plan, with the automatic method if its method does not apply to these measures."""
    if plan is None or plan.method == "auto":
        return plan
    method = find_method(plan.method)
    fits = all(map(method.applies_to, parse_list(measures)))
    return plan if fits else replace(plan, method="auto")


def _scored(sample: ClassSample, scores: ClassScores, number: int) -> Predictions:
    """The cases with their score for a class."""
    return Predictions(
        scores.code == number,
        {"model": scores.scores[:, number]},
        sample.weight,
        cluster=sample.cluster,
    )


def _answered(sample: ClassSample, cases: ClassCases, number: int) -> Predictions:
    """The cases with score 1 if a class was predicted, else 0.

    A case with a tie for the prediction is a cluster of parts, one per class.
    """
    found = cases.answers
    weight, cluster = sample.weight, sample.cluster
    if found.share is not None:
        weight = found.weight(weight)
        cluster = found.case if cluster is None else np.asarray(cluster)[found.case]
    score = (found.predicted == number).astype(np.float64)
    return Predictions(cases.code[found.case] == number, {"model": score}, weight, cluster=cluster)
