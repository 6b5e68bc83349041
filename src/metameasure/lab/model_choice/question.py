"""The setup of a model selection study: the models, the goal, and the measures that select."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._arguments import Real, Whole, read_several
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.evaluation import LeftOut, choose, unfit
from metameasure.lab.measures import base_measures, check_takes_tables
from metameasure.lab.model_choice.remaining import values_without
from metameasure.lab.model_choice.validation_sets import Cases
from metameasure.measurement import Measure, is_best, parse, preference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Indices, Mask
    from metameasure.data import Predictions
    from metameasure.evaluation import Chosen


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
Judged = Literal["all", "rest"]


@dataclass(frozen=True, eq=False)
class Question:
    """The setup of a study: which measures select the models that are best by the goal?

    Attributes:
        cases: the cases that validation sets are drawn from.
        goal: the measure that determines which model is best.
        measures: the measures that select.
        noise: fractions of the validation labels that are redrawn at random.
        judged: whether the goal is computed on all cases or on those that were not drawn.
    """

    cases: Cases
    goal: Measure
    measures: tuple[Measure, ...]
    noise: tuple[float, ...] = (0.0,)
    judged: Judged = "rest"


@dataclass(frozen=True, eq=False)
class Judgments:
    """The selections, judged by the goal: arrays of shape (measures, noise, repeats).

    Where the goal is undefined, ``regret``, ``hit`` and ``msa`` are NaN.

    Attributes:
        regret: the goal of the best model minus that of the selected one.
        hit: the probability that the selected model is the best one.
        msa: the fraction of pairs of models that the measure orders as the goal does.
        undefined: whether the measure is undefined for a model.
        chosen: the number of repeats in which each model is selected, (measures, noise, models).
    """

    regret: Floats
    hit: Floats
    msa: Floats
    undefined: Mask
    chosen: Floats

    @classmethod
    def of(cls, values: Floats, goals: Floats) -> Judgments:
        """The judgments of the measures' values, (models, measures, noise, repeats), by goals.

        Both are goodness, and goals have the shape (models, repeats).
        """
        reached = goals[:, np.newaxis, np.newaxis]
        chosen = choice(values)
        judged = regret_of(chosen, reached), hit_of(chosen, reached), agreement(values, reached)
        unknown = ~np.isfinite(goals).all(axis=0)
        for each in judged:
            each[..., unknown] = np.nan
        selected = np.moveaxis(chosen.sum(axis=-1), 0, -1)
        return cls(*judged, np.asarray(np.isnan(values).any(axis=0)), selected)

    @classmethod
    def joined(cls, parts: Sequence[Judgments]) -> Judgments:
        """The judgments of the repeats of several parts."""
        return cls(
            regret=np.concatenate([one.regret for one in parts], axis=-1),
            hit=np.concatenate([one.hit for one in parts], axis=-1),
            msa=np.concatenate([one.msa for one in parts], axis=-1),
            undefined=np.concatenate([one.undefined for one in parts], axis=-1),
            chosen=np.sum([one.chosen for one in parts], axis=0),
        )


def goals_of(question: Question, cases: Cases, drawn: Indices) -> Floats:
    """The goal of each model, on which selections are judged: (models, repeats)."""
    goal = question.goal
    if question.judged == "rest":
        return np.asarray(goal.goodness(values_without(cases, goal, drawn)))
    return np.repeat(goal.goodness(cases.values(goal))[:, np.newaxis], len(drawn), axis=1)


def judge(question: Question, drawn: Indices, goals: Floats, rng: np.random.Generator) -> Judgments:
    """The selections on these validation sets, judged by these goals of the models."""
    models = question.cases.models
    found = []
    for part, block in question.cases.blocks(drawn, question.noise, rng):
        noise, _, repeats = block.shape
        values = np.empty((models, len(question.measures), noise, repeats))
        for place, measure in enumerate(question.measures):
            values[:, place] = np.moveaxis(measure.goodness(measure.of_block(block)), 1, 0)
        found.append(Judgments.of(values, goals[:, part]))
    return Judgments.joined(found)


def choice(values: Floats) -> Floats:
    """The probability that each model is selected; models are on the first axis, larger is better.

    Models that are tied for the best are equally likely. A model with an undefined value is not
    selected; if all values are undefined, all models are equally likely.
    """
    among = is_best(values) | np.isnan(values).all(axis=0)
    shares: Floats = among / np.count_nonzero(among, axis=0)
    return shares


def regret_of(chosen: Floats, goals: Floats) -> Floats:
    """The expected difference between the best goal and that of the selected model."""
    with np.errstate(invalid="ignore"):
        lost = np.max(goals, axis=0) - goals
        expected: Floats = np.sum(chosen * lost, axis=0)
    return expected


def hit_of(chosen: Floats, goals: Floats) -> Floats:
    """The probability that the selected model is the best one, or tied with it."""
    share: Floats = np.sum(chosen * is_best(goals), axis=0)
    return share


def agreement(values: Floats, goals: Floats, tie: float = 0.5) -> Floats:
    """The fraction of pairs of models that both order alike; a tie in either counts ``tie``."""
    first, second = np.triu_indices(values.shape[0], 1)
    alike = preference(values[first], values[second]) * preference(goals[first], goals[second])
    share: Floats = np.mean(alike > 0, axis=0) + tie * np.mean(alike == 0, axis=0)
    return share


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
    aim = goal if isinstance(goal, Measure) else parse(goal, "goal")
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
