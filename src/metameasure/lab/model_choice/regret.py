"""Selecting a model by a measure, and judging the selected model by a goal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from metameasure.lab.measures import block_values
from metameasure.measurement import is_best, preference

if TYPE_CHECKING:
    from metameasure._types import Floats, Indices, Mask
    from metameasure.lab.model_choice.validation_sets import Cases
    from metameasure.measurement import Measure


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

    Where the goal is undefined, all but ``undefined`` are NaN.

    Attributes:
        regret: the goal of the best model minus that of the selected one.
        hit: the probability that the selected model is the best one.
        msa: the fraction of pairs of models that the measure orders as the goal does.
        undefined: whether the measure is undefined for a model.
    """

    regret: Floats
    hit: Floats
    msa: Floats
    undefined: Mask


def goals_of(question: Question, cases: Cases, drawn: Indices) -> Floats:
    """The goal of each model, on which selections are judged: (models, repeats)."""
    goal = question.goal
    if question.judged == "rest":
        return np.asarray(goal.goodness(cases.values_without(goal, drawn)))
    return np.repeat(goal.goodness(cases.values(goal))[:, np.newaxis], len(drawn), axis=1)


def judge(question: Question, drawn: Indices, goals: Floats, rng: np.random.Generator) -> Judgments:
    """The selections on these validation sets, judged by these goals of the models."""
    repeats = len(drawn)
    shape = (len(question.measures), len(question.noise), repeats)
    regret, hit, msa = (np.empty(shape) for _ in range(3))
    undefined = np.empty(shape, dtype=bool)
    for part, block in question.cases.blocks(drawn, question.noise, rng):
        reached = goals[:, np.newaxis, part]
        for place, measure in enumerate(question.measures):
            values = np.moveaxis(measure.goodness(block_values(measure, block)), 1, 0)
            chosen = choice(values)
            regret[place, :, part] = regret_of(chosen, reached)
            hit[place, :, part] = hit_of(chosen, reached)
            msa[place, :, part] = agreement(values, reached)
            undefined[place, :, part] = np.isnan(values).any(axis=0)
    unknown = ~np.isfinite(goals).all(axis=0)
    for judged in (regret, hit, msa):
        judged[..., unknown] = np.nan
    return Judgments(regret, hit, msa, undefined)


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


def agreement(values: Floats, goals: Floats) -> Floats:
    """The fraction of pairs of models that both order alike; a tie in either counts 1/2."""
    first, second = np.triu_indices(values.shape[0], 1)
    alike = preference(values[first], values[second]) * preference(goals[first], goals[second])
    share: Floats = (1 + np.mean(alike, axis=0)) / 2
    return share
