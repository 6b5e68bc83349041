"""Measures that depend on costs, or on an assumed prevalence or class ratio.

Most are taken at an operating point, like the threshold measures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Real
from metameasure.measurement import (
    A_CLASS_EMPTY,
    NO_POSITIVE,
    CaseMean,
    Differentiable,
    Extreme,
    OfHull,
    between_orders,
    measure,
)
from metameasure.measurement.families import structure
from metameasure.table import Point

if TYPE_CHECKING:
    from metameasure.table import Cut, ScoreTable

PREVALENCE = Real(0, 1, open_low=True, open_high=True)


@measure(
    symbol="Acc_r", family="cost", best="max", range=(0, 1), at=0.5,
    baseline=lambda pi: max(pi, 1 - pi), invariant_to={"replication"}, undefined=A_CLASS_EMPTY,
    formula=r"\frac{TPR + r (1 - FPR)}{1 + r}", reference="xie2022",
    parameters={"r": Real(0, open_low=True)},
    ratio=structure.ratio_of_skew_accuracy,
    bounds=between_orders,
)  # fmt: skip
def skew_accuracy(cut: Cut, r: float | None = None) -> Any:
    """The accuracy if there were r negatives per positive.

    r is the observed N/P by default, which gives the accuracy.

    >>> skew_accuracy([1, 1, 1, 0, 0], [0.9, 0.5, 0.1, 0.5, 0.2], r=3)
    0.541666...
    """
    skew = cut.N / cut.P if r is None else r
    return (cut.tpr + skew * cut.tnr) / (1 + skew)


@measure(
    symbol="Prec_r", family="cost", best="max", range=(0, 1), at=0.5,
    invariant_to={"replication"}, undefined="a class is empty, or no case lies above the cut",
    formula=r"\frac{TPR}{TPR + r \cdot FPR}", reference="xie2022",
    parameters={"r": Real(0, open_low=True)},
    ratio=structure.ratio_of_skew_precision,
    bounds=between_orders,
)  # fmt: skip
def skew_precision(cut: Cut, r: float | None = None) -> Any:
    """The precision if there were r negatives per positive.

    r is the observed N/P by default, which gives the precision.

    >>> skew_precision([1, 1, 1, 0, 0], [0.9, 0.5, 0.1, 0.5, 0.2], r=3)
    0.307692...
    """
    skew = cut.N / cut.P if r is None else r
    return cut.tpr / (cut.tpr + skew * cut.fpr)


@measure(
    symbol="PPV_π", family="cost", best="max", range=(0, 1), at=0.5,
    invariant_to={"replication"}, undefined="a class is empty, or no case lies above the cut",
    formula=r"\frac{TPR \cdot \pi}{TPR \cdot \pi + FPR (1 - \pi)}", reference="altman1994",
    parameters={"pi": PREVALENCE},
    ratio=structure.ratio_of_ppv_at_prevalence,
    bounds=between_orders,
)  # fmt: skip
def ppv_at_prevalence(cut: Cut, pi: float | None = None) -> Any:
    """The positive predictive value if the prevalence were pi.

    pi is the observed prevalence by default.

    >>> ppv_at_prevalence([1, 1, 1, 0, 0], [0.9, 0.5, 0.1, 0.5, 0.2], pi=0.02)
    0.026490...
    """
    prior = cut.P / cut.n if pi is None else pi
    found = cut.tpr * prior
    return found / (found + cut.fpr * (1 - prior))


@measure(
    symbol="NPV_π", family="cost", best="max", range=(0, 1), at=0.5,
    invariant_to={"replication"}, undefined="a class is empty, or no case lies below the cut",
    formula=r"\frac{TNR (1 - \pi)}{TNR (1 - \pi) + FNR \cdot \pi}", reference="altman1994",
    parameters={"pi": PREVALENCE},
    ratio=structure.ratio_of_npv_at_prevalence,
    bounds=between_orders,
)  # fmt: skip
def npv_at_prevalence(cut: Cut, pi: float | None = None) -> Any:
    """The negative predictive value if the prevalence were pi.

    pi is the observed prevalence by default.

    >>> npv_at_prevalence([1, 1, 1, 0, 0], [0.9, 0.5, 0.1, 0.5, 0.2], pi=0.02)
    0.986577...
    """
    prior = cut.P / cut.n if pi is None else pi
    left = cut.tnr * (1 - prior)
    return left / (left + cut.fnr * prior)


@measure(
    symbol="Lift", family="cost", best="max", range=(0, np.inf), at="top=10%", baseline=1.0,
    invariant_to={"monotone", "replication"},
    undefined="there is no positive case, or no case lies above the cut",
    formula=r"\frac{tp / (tp + fp)}{P / n}", reference="huang2006",
    ratio=lambda r: ((1 + r, 0, 0), (1, r, 0)),
    bounds=between_orders,
)  # fmt: skip
def lift(cut: Cut) -> Any:
    """The precision divided by the prevalence.

    >>> lift([1, 0, 0, 1, 0], [0.9, 0.9, 0.2, 0.1, 0.1], top=0.4)
    1.25
    """
    return cut.tp / (cut.tp + cut.fp) * cut.n / cut.P


@measure(
    symbol="Cost", family="cost", best="min", range=(0, 1), at=0.5,
    invariant_to={"replication"}, undefined=A_CLASS_EMPTY,
    formula=r"c \pi FNR + (1-c)(1-\pi) FPR", reference="hand2009",
    parameters={"c": Real(0, 1), "prior": PREVALENCE}, stated=("c",),
    ratio=structure.ratio_of_expected_cost,
    bounds=between_orders,
)  # fmt: skip
def expected_cost(cut: Cut, c: float = 0.5, prior: float | None = None) -> Any:
    """The mean cost of a decision when a missed positive costs c and a false alarm 1 - c.

    The prior probability of a positive is the observed prevalence by default.

    >>> expected_cost([1, 1, 1, 0, 0], [0.9, 0.5, 0.1, 0.5, 0.2], c=0.8, prior=0.1)
    0.116666...
    """
    pi = cut.P / cut.n if prior is None else prior
    return c * pi * cut.fnr + (1 - c) * (1 - pi) * cut.fpr


@measure(
    symbol="Cost*", family="cost", best="min", range=(0, 0.25),
    baseline=lambda pi: min(pi, 1 - pi) / 2, invariant_to={"monotone", "replication"},
    undefined=A_CLASS_EMPTY,
    formula=r"\min_t c \pi FNR(t) + (1-c)(1-\pi) FPR(t)", reference="hand2009",
    parameters={"c": Real(0, 1), "prior": PREVALENCE}, stated=("c",),
    sampling=Extreme("min", pooled=True), partial=OfHull(),
    bounds=between_orders,
)  # fmt: skip
def minimum_cost(table: ScoreTable, c: float = 0.5, prior: float | None = None) -> Any:
    """The lowest expected cost over all thresholds.

    >>> minimum_cost([1, 1, 1, 0, 0], [0.9, 0.5, 0.1, 0.5, 0.2], c=0.8, prior=0.1)
    0.053333...
    """
    pi = table.prevalence if prior is None else prior
    miss, alarm = c * pi / table.P, (1 - c) * (1 - pi) / table.N
    cost = table.P[..., np.newaxis] - table.tp
    cost *= miss[..., np.newaxis]
    cost += alarm[..., np.newaxis] * table.fp
    return np.min(cost, axis=-1)


def _benefits(table: ScoreTable, t: float = 0.5) -> tuple[Any, Any]:
    """The contribution of a positive and of a negative at each row to the net benefit."""
    above = table.score >= t
    return above * 1.0, above * (t / (t - 1))


def _ends_of_benefits(t: float = 0.5) -> tuple[float, float]:
    """The smallest and largest contribution of a case."""
    return t / (t - 1), 1.0


@measure(
    symbol="NB", family="cost", best="max", range=(-np.inf, 1), unit_scores=True,
    invariant_to={"replication"}, baseline=lambda pi: max(0.0, 2 * pi - 1),
    formula=r"\frac{tp}{n} - \frac{fp}{n} \cdot \frac{t}{1-t}", reference="vickers2006",
    parameters={"t": Real(0, 1, open_high=True)}, stated=("t",),
    sampling=CaseMean(_benefits, ends=_ends_of_benefits, threshold=lambda t=0.5: t),
    bounds=between_orders,
)  # fmt: skip
def net_benefit(table: ScoreTable, t: float = 0.5) -> Any:
    """True positives per case, minus false positives weighted by the odds of the threshold t.

    >>> net_benefit([1, 1, 1, 0, 0], [0.9, 0.5, 0.1, 0.5, 0.2], t=0.2)
    0.3
    """
    cut = table.at(Point("threshold", t))
    return (cut.tp - cut.fp * (t / (1 - t))) / cut.n


def _slopes_of_standardized(table: ScoreTable, t: float = 0.5) -> tuple[Any, Any]:
    """The derivatives of (tp - fp t / (1 - t)) / P by a positive and by a negative at each row."""
    of_positive, of_negative = _benefits(table, t)
    value = standardized_net_benefit.using(t=t).compute(table)
    return (of_positive - value) / table.P, of_negative / table.P


@measure(
    symbol="sNB", family="cost", best="max", range=(-np.inf, 1),
    unit_scores=True, invariant_to={"replication"}, undefined=NO_POSITIVE,
    baseline=lambda pi: max(0.0, 2 - 1 / pi),
    formula=r"TPR - FPR \cdot \frac{1 - \pi}{\pi} \cdot \frac{t}{1-t}", reference="kerr2016",
    parameters={"t": Real(0, 1, open_high=True)},
    sampling=Differentiable(_slopes_of_standardized, threshold=lambda t=0.5: t),
    bounds=between_orders,
)  # fmt: skip
def standardized_net_benefit(table: ScoreTable, t: float = 0.5) -> Any:
    """The net benefit at the threshold t as a fraction of its largest value, the prevalence.

    >>> standardized_net_benefit([1, 1, 1, 0, 0], [0.9, 0.5, 0.1, 0.5, 0.2], t=0.2)
    0.5
    """
    return net_benefit.using(t=t).compute(table) / table.prevalence
