"""The evaluation of scores for k classes: measures of all classes, and of each against the rest."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError, UndefinedMeasureWarning
from metameasure.evaluation.checks import FEW, Check, check_rows, muted
from metameasure.evaluation.result import Evaluation, Row
from metameasure.evaluation.run import evaluate_predictions
from metameasure.inference import ClassSample, intervals
from metameasure.predictions import ClassScores, Predictions
from metameasure.predictions.arrays import sortable
from metameasure.predictions.rows import read_groups
from metameasure.registry import Measure, measures, parse_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from metameasure.evaluation.choice import Chosen
    from metameasure.inference import Plan, Progress
    from metameasure.predictions import NanPolicy

DEFAULT = ("hand_till_auc", "ovr_auc", "log_loss", "brier", "rms", "accuracy")


def has_classes(scores: Any) -> bool:
    """Whether these are scores for several classes: a matrix, or a dict of matrices."""
    values = list(scores.values()) if isinstance(scores, Mapping) else [scores]
    return bool(values) and all(isinstance(v, np.ndarray) and v.ndim == 2 for v in values)


def evaluate_classes(
    y_true: Any,
    scores: Any,
    chosen: Chosen,
    plan: Plan | None,
    *,
    labels: Sequence[Any] | None = None,
    sample_weight: Any = None,
    cluster: Any = None,
    nan_policy: NanPolicy = "raise",
    mute: str | Iterable[str] = (),
    progress: Progress | None = None,
) -> Evaluation:
    """The evaluation of labels and one matrix of scores a model, with a column a class."""
    models = scores if isinstance(scores, Mapping) else {"model": scores}
    read = {
        str(model): ClassScores.of(
            y_true, matrix, labels=labels, sample_weight=sample_weight, nan_policy=nan_policy
        )
        for model, matrix in models.items()
    }
    lacking = [scores.kept for scores in read.values() if scores.kept is not None]
    if lacking:
        # All models are judged on the same cases.
        kept = np.logical_and.reduce(lacking)
        if not kept.any():
            raise DataError("no case has the scores of all models: none is left")
        read = {model: scores.keeping(kept) for model, scores in read.items()}
        cluster = None if cluster is None else np.asarray(cluster)[kept]
    return evaluate_class_scores(read, chosen, plan, cluster=cluster, mute=mute, progress=progress)


def evaluate_class_scores(
    read: Mapping[str, ClassScores],
    chosen: Chosen,
    plan: Plan | None,
    *,
    cluster: Any = None,
    mute: str | Iterable[str] = (),
    like: Any = None,
    progress: Progress | None = None,
) -> Evaluation:
    """The evaluation of validated scores for classes."""
    unwanted = muted(mute)
    asked = _choose(chosen)
    first = next(iter(read.values()))
    codes = None
    if cluster is not None:
        names = sortable(read_groups(cluster, "cluster")[0])
        codes = np.unique(names, return_inverse=True)[1].reshape(-1)
        if codes.size != first.code.size:
            raise DataError(f"there are {first.code.size} cases but {codes.size} clusters")
    sample = ClassSample(read, codes, first.weight)
    rows: list[Row] = []
    found = []
    counted = first.code.size, None, first.dropped
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMeasureWarning)
        if plan is None:
            for model, scores in read.items():
                rows += [Row(model, None, m, m.value(scores), *counted) for m in asked]
        else:
            made = intervals(sample, dict.fromkeys(read, asked), plan, progress)
            for (model, measure), i in made.items():
                low, high = (None, None) if i.reason else (i.low, i.high)
                rows.append(Row(model, None, measure, i.value, *counted, low, high, i.method))
                found.append(i)
    checks = [*_class_checks(first), *check_rows(rows, found or [None] * len(rows))]
    if isinstance(chosen, str) and chosen in {"default", "all"}:
        rows += _each_class(read, codes, plan)
    kept = [check for check in checks if check.code not in unwanted]
    return Evaluation(rows, (), kept, None if plan is None else plan.ci, like)


def _each_class(read: Mapping[str, ClassScores], cluster: Any, plan: Plan | None) -> Iterator[Row]:
    """The AUC of each class against the rest, by the scores for it."""
    first = next(iter(read.values()))
    for number, name in enumerate(first.classes):
        predictions = Predictions(
            first.code == number,
            {model: scores.scores[:, number] for model, scores in read.items()},
            first.weight,
            cluster=cluster,
        )
        result = evaluate_predictions(predictions, "auc", plan)
        yield from (replace(row, group=f"class {name}") for row in result.rows)


def _choose(chosen: Chosen) -> list[Measure]:
    if chosen == "default":
        return [measure.of_classes() for measure in parse_list(DEFAULT)]
    if chosen == "all":
        return [m.of_classes() for m in measures(subject=None) if m.takes_classes]
    asked = [chosen] if isinstance(chosen, Measure) else parse_list(chosen)
    return [measure.of_classes() for measure in asked]


def _class_checks(scores: ClassScores) -> list[Check]:
    """Classes that are empty or have few cases."""
    found = []
    totals = np.bincount(scores.code, minlength=scores.k)
    for name, total in zip(scores.classes, totals, strict=True):
        if total == 0:
            message = "no case is of this class: means over classes leave it out"
            found.append(Check("MM02", message, None, f"class {name}"))
        elif total < FEW:
            message = f"only {total} cases are of this class: values vary widely"
            found.append(Check("MM01", message, None, f"class {name}"))
    return found
