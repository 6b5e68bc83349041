"""Choosing a model by a measure, and judging the choice by a goal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from metameasure.lab.block_values import block_values
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure.lab.model_choice.validation_sets import Cases
    from metameasure.measurement import Measure

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]
    Mask = NDArray[np.bool_]

Judged = Literal["all", "rest"]


@dataclass(frozen=True, eq=False)
class Question:
    """Which of these measures chooses among the models what the goal would choose?

    Attributes:
        cases: the cases that validation sets are drawn from.
        goal: what finally counts.
        measures: what chooses.
        noise: shares of the validation labels that are redrawn by a fair coin.
        judged: whether the goal is taken on all cases or on those that were not drawn.
    """

    cases: Cases
    goal: Measure
    measures: tuple[Measure, ...]
    noise: tuple[float, ...] = (0.0,)
    judged: Judged = "rest"


@dataclass(frozen=True, eq=False)
class Judgements:
    """What became of the choices: arrays of shape (measures, noise, repeats).

    Where the goal has no value, all but ``undefined`` are NaN.

    Attributes:
        regret: how much worse than the best model the chosen one is in the goal.
        hit: the probability that the chosen model is the best one.
        msa: the share of the pairs of models that the measure orders as the goal does.
        undefined: whether the measure has no value for one of the models.
    """

    regret: Floats
    hit: Floats
    msa: Floats
    undefined: Mask


def goals_of(question: Question, cases: Cases, drawn: Indices) -> Floats:
    """The goal of each model by which choices from these cases are judged: (models, repeats)."""
    goal = question.goal
    if question.judged == "rest":
        return np.asarray(goal.goodness(cases.values_without(goal, drawn)))
    return np.repeat(goal.goodness(cases.values(goal))[:, np.newaxis], len(drawn), axis=1)


def judge(
    question: Question, drawn: Indices, goals: Floats, rng: np.random.Generator
) -> Judgements:
    """What becomes of the choices on these validation sets, when the models reach these goals."""
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
    return Judgements(regret, hit, msa, undefined)


def choice(values: Floats) -> Floats:
    """The probability that each model is chosen; models are on the first axis, larger is better.

    Models that tie for the best share the choice. A model without a value is not chosen; if none
    has one, each is as likely.
    """
    known = ~np.isnan(values)
    top = np.max(np.where(known, values, -np.inf), axis=0)
    with np.errstate(invalid="ignore"):
        among = known & ((values == top) | (values >= top - ROUNDING * np.abs(top)))
    among |= ~known.any(axis=0)
    shares: Floats = among / np.count_nonzero(among, axis=0)
    return shares


def regret_of(chosen: Floats, goals: Floats) -> Floats:
    """By how much the goal of the chosen model is expected to fall short of the best one."""
    with np.errstate(invalid="ignore"):
        lost = np.max(goals, axis=0) - goals
        expected: Floats = np.sum(chosen * lost, axis=0)
    return expected


def hit_of(chosen: Floats, goals: Floats) -> Floats:
    """The probability that the chosen model is the best one, or one of the best."""
    top = np.max(goals, axis=0)
    with np.errstate(invalid="ignore"):
        best = goals >= top - ROUNDING * np.abs(top)
    share: Floats = np.sum(chosen * best, axis=0)
    return share


def agreement(values: Floats, goals: Floats) -> Floats:
    """The share of the pairs of models that both order alike; a tie in either counts one half."""
    first, second = np.triu_indices(values.shape[0], 1)
    alike = order(values[first], values[second]) * order(goals[first], goals[second])
    share: Floats = (1 + np.mean(alike, axis=0)) / 2
    return share


def order(a: Floats, b: Floats) -> Floats:
    """1 where a is larger, -1 where b is, and 0 where they tie or one has no value."""
    with np.errstate(invalid="ignore"):
        gap = a - b
        apart = np.abs(gap) > ROUNDING * np.maximum(np.abs(a), np.abs(b))
        # Two infinities of one sign tie; an infinite distance is a distance.
        apart |= np.isinf(gap)
        return np.where(apart, np.sign(gap), 0.0)
