"""The setup of a model selection study: the models, the goal, and the measures that select."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from metameasure._arguments import Real, Whole, read_several
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.evaluation import LeftOut, choose, unfit
from metameasure.lab.measures import base_measures, check_takes_tables
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
"""Measures that select by default."""
REPETITIONS = Whole(10)
"""Numbers of repeats and resamples that allow an estimate of their variance."""


def ask(
    predictions: Predictions,
    goal: str | Measure,
    chosen: Chosen,
    *,
    noise: Sequence[float] = (0.0,),
    judged: Judged = "rest",
) -> tuple[Question, list[LeftOut]]:
    """The question, with the goal as its first measure; and the measures that are left out.

    A measure of probabilities is left out if the scores of a model are not in [0, 1].
    """
    if len(predictions.scores) < 2:
        raise DataError(f"need at least two models, got {len(predictions.scores)}")
    if predictions.cluster is not None or predictions.group is not None:
        raise DataError("validation sets are drawn case by case; clusters and groups do not apply")
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


def read_sizes(name: str, sizes: Any, cases: Cases) -> list[int]:
    """Sizes of validation sets, in ascending order, that leave enough cases to judge by."""
    read = sorted(set(read_several(name, sizes, Whole(2))))
    if read[-1] >= cases.n:
        problem = f" must be less than the number of cases, {cases.n}, got {read[-1]}"
        raise ParameterError((Argument(name), problem))
    if cases.fewest * (cases.n - read[-1]) < cases.n:
        raise ParameterError(
            f"validation sets of {read[-1]} cases would leave no case of the rarer class, which "
            f"has {cases.fewest} of {cases.n} cases",
            remedy=("reduce ", Argument(name)),
        )
    return read


def read_noise(noise: Any) -> tuple[float, ...]:
    """Fractions of the labels that are redrawn, in ascending order, with 0 first."""
    return tuple(sorted({0.0, *read_several("noise", noise, Real(0, 1), least=0)}))


def _check_goal(goal: Measure, predictions: Predictions) -> None:
    """Refuse a goal that is not meaningful for the scores of a model."""
    for model in predictions.scores:
        score = predictions.table(model).score
        if score[0] <= 1 and score[-1] >= 0:
            continue
        span = f"scores of {model} are in [{score[-1]:g}, {score[0]:g}]"
        if goal.unit_scores:
            raise DataError(
                f"the goal {goal} needs scores in [0, 1], but the {span}",
                remedy=(
                    "use probabilities, ",
                    Argument("rescale", "minmax"),
                    " or a goal that depends only on the order, e.g. auc",
                ),
            )
        for part in base_measures([goal]):
            point = part.point
            if not (point and point.kind == "threshold" and point == part.declaration.point):
                continue
            raise DataError(
                f"the threshold {point.value:g} of the goal {goal} is not meaningful: the {span}",
                remedy=f"choose a threshold, e.g. {part.name}@0 or {part.name}@top=10%",
            )


def _reasons(measure: Measure, predictions: Predictions, *, by_name: bool) -> dict[str, str]:
    """Why a measure does not apply to some of the models.

    The threshold of a measure that was requested by name may be meant for these scores.
    """
    if by_name and not measure.unit_scores:
        return {}
    found = {model: unfit(measure, predictions.table(model)) for model in predictions.scores}
    return {model: why for model, why in found.items() if why}


def _check_values(question: Question, models: Sequence[str]) -> None:
    """Refuse a goal that is not finite for a model."""
    for model, value in zip(models, question.cases.values(question.goal).tolist(), strict=True):
        if math.isfinite(value):
            continue
        if math.isnan(value):
            why, remedy = f"undefined: {question.goal.undefined_when}", "choose another goal"
        else:
            why, remedy = "infinite", "choose a finite goal"
            if "clip" in question.goal.declaration.parameters:
                remedy += f", e.g. {question.goal.using(clip=0.001)}"
        raise DataError(f"the goal {question.goal} of {model} is {why}", remedy=remedy)
