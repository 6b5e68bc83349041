"""Reference values: computed in integers, or summed without rounding."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cases import Floats, Labels

UNIT_ROUNDOFF = 2.0**-53


def digits(value: float, truth: Fraction | float) -> float:
    """Number of correct decimal digits of a value; at most 15.95, the limit of float64."""
    exact = Fraction(truth)
    error = abs(float((Fraction(value) - exact) / exact))
    return -math.log10(max(error, UNIT_ROUNDOFF))


def auc(labels: Labels, score: Floats) -> Fraction:
    """The AUC of scores without ties, from the sum of the ranks of the positives."""
    rank = np.flatnonzero(labels[np.argsort(score)] == 1) + 1
    positives = rank.size
    wins = int(rank.sum()) - positives * (positives + 1) // 2
    return Fraction(wins, positives * (labels.size - positives))


def scored_auc(labels: Labels, score: Floats) -> Fraction:
    """The mean of the positive part of s_i - s_j over all pairs, in fractions."""
    positives = negatives = 0
    total, below = Fraction(0), Fraction(0)
    for i in np.argsort(score):
        s = Fraction(float(score[i]))
        if labels[i]:
            total += negatives * s - below
            positives += 1
        else:
            below += s
            negatives += 1
    return total / (positives * negatives)


def brier(labels: Labels, score: Floats) -> float:
    """The Brier score; its terms are rounded, their sum is not."""
    return math.fsum(((score - labels) ** 2).tolist()) / labels.size


def log_loss(labels: Labels, score: Floats) -> float:
    """The log loss; its terms are rounded, their sum is not."""
    terms = np.where(labels == 1, -np.log(score), -np.log1p(-score))
    return math.fsum(terms.tolist()) / labels.size
