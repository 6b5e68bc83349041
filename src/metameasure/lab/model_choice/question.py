"""What a study of choices is asked: the models, the goal, and the measures that may choose."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from metameasure._arguments import Whole, is_real, read_argument
from metameasure.errors import DataError
from metameasure.evaluation import LeftOut, choose, unfit
from metameasure.lab.agreement.domain import base_measures
from metameasure.lab.block_values import check_takes_tables
from metameasure.lab.model_choice.regret import Question
from metameasure.lab.model_choice.validation_sets import Cases
from metameasure.measurement import Measure, parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.data import Predictions
    from metameasure.evaluation import Chosen
    from metameasure.lab.model_choice.regret import Judged

DEFAULT = (
    "auc",
    "scored_auc",
    "h_measure",
    "auch",
    "ks",
    "taks",
    "average_precision",
    "precision_recall_gain_auc",
    "ndcg",
    "partial_auc",
    "brier",
    "log_loss",
    "rms",
    "sar",
    "accuracy",
    "balanced_accuracy",
    "f_measure",
    "mcc",
    "kappa",
    "youden_j",
)
SIZE, REPEATS = Whole(2), Whole(10)


def ask(
    predictions: Predictions,
    goal: str | Measure,
    chosen: Chosen,
    *,
    noise: Sequence[float] = (0.0,),
    judged: Judged = "rest",
) -> tuple[Question, list[LeftOut]]:
    """The question, the goal first among its measures; and the measures that cannot choose here.

    A measure of probabilities cannot choose among models of which one gives none.
    """
    if len(predictions.scores) < 2:
        raise DataError("a choice needs at least two models: give the scores of another one")
    if predictions.cluster is not None or predictions.group is not None:
        raise DataError(
            "validation sets are drawn case by case: clusters and groups are not for them"
        )
    aim = goal if isinstance(goal, Measure) else parse(goal)
    check_takes_tables(aim, "validation sets of cases")
    _check_goal(aim, predictions)
    asked, by_name = choose(chosen, DEFAULT)
    left_out: list[LeftOut] = []
    kept = [aim]
    for measure in asked:
        check_takes_tables(measure, "validation sets of cases")
        reasons = _reasons(measure, predictions, by_name=by_name)
        left_out += [LeftOut(model, str(measure), why) for model, why in reasons.items()]
        if not reasons and measure not in kept:
            kept.append(measure)
    question = Question(Cases.of(predictions), aim, tuple(kept), tuple(noise), judged)
    _check_values(question, list(predictions.scores))
    return question, left_out


def read_size(size: Any, cases: Cases, what: str = "sizes") -> int:
    """The size of validation sets that leave enough cases to judge by."""
    read: int = read_argument(what, size, SIZE)
    if read >= cases.n:
        raise DataError(
            f"{what}: validation sets of {read} cases cannot be drawn from {cases.n} so that some "
            "are left to judge by: give a smaller size"
        )
    if cases.fewest * (cases.n - read) < cases.n:
        raise DataError(
            f"{what}: validation sets of {read} cases would leave no case of a class, which has "
            f"{cases.fewest} of {cases.n}: give a smaller size"
        )
    return read


def read_count(name: str, value: Any) -> int:
    """The number of repeats or resamples; fewer than ten say nothing about their spread."""
    count: int = read_argument(name, value, REPEATS)
    return count


def read_noise(noise: Any) -> tuple[float, ...]:
    """The shares of labels that are redrawn, none first."""
    asked: list[Any] = list(noise) if isinstance(noise, Iterable) else [noise]
    if not all(is_real(share) and 0 <= float(share) <= 1 for share in asked):
        raise DataError(f"noise={noise!r}: give shares of the labels from 0 to 1, as in 0.1")
    return tuple(sorted({0.0, *map(float, asked)}))


def _check_goal(goal: Measure, predictions: Predictions) -> None:
    """Refuse a goal that says nothing about the scores of a model."""
    for model in predictions.scores:
        score = predictions.table(model).score
        if score[0] <= 1 and score[-1] >= 0:
            continue
        span = f"those of {model} run from {score[-1]:g} to {score[0]:g}"
        if goal.unit_scores:
            raise DataError(
                f"the goal {goal} needs probabilities, scores in [0, 1], but {span}: give "
                'probabilities, or rescale="minmax", or a goal that sees only the order, as auc'
            )
        for part in base_measures([goal]):
            point = part.point
            if not (point and point.kind == "threshold" and point == part.declaration.point):
                continue
            raise DataError(
                f"the goal {goal} cuts at {point}, which means nothing for ranks and other scores "
                f"outside [0, 1], and {span}: say where to cut, as in {part.name}@0 or "
                f"{part.name}@top=10%"
            )


def _reasons(measure: Measure, predictions: Predictions, *, by_name: bool) -> dict[str, str]:
    """Why a measure says nothing about some of the models.

    A threshold that was asked for by name may be meant for such scores.
    """
    if by_name and not measure.unit_scores:
        return {}
    found = {model: unfit(measure, predictions.table(model)) for model in predictions.scores}
    return {model: why for model, why in found.items() if why}


def _check_values(question: Question, models: Sequence[str]) -> None:
    """Refuse a goal without a finite value for every model."""
    for model, value in zip(models, question.cases.values(question.goal).tolist(), strict=True):
        if math.isfinite(value):
            continue
        if math.isnan(value):
            why = f"is undefined: {question.goal.undefined_when}"
        else:
            why = "is infinite, so that no loss can be counted in it: give a goal that stays finite"
            if question.goal.name == "log_loss":
                why += ", as log_loss(clip=0.001)"
        raise DataError(f"the goal {question.goal} of {model} {why}")
