"""The structure of measures that they declare.

Quanta are the numbers that divide all values for integer weights. Ratios are those of linear
functions of TPR and FPR, so that isometrics are lines: with P = 1 and N = r such a measure is
(a TPR + b FPR + c) / (a' TPR + b' FPR + c'). Overall values are those of a whole confusion matrix
of k classes, from the cuts of its classes; for two classes they are the binary measures.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from metameasure.table import Cut

LARGEST = 60
"""Number of cases beyond which quanta of ratios are below the resolution of floats."""

Terms = tuple[Any, Any, Any]
"""The coefficients of TPR and FPR, and the constant."""
Ratio = tuple[Terms, Terms]
"""Numerator and denominator."""

ONE: Terms = (0.0, 0.0, 1.0)


def quantum_of_pairs(P: Any, N: Any) -> Any:
    """The quantum of fractions of pairs in which a tie counts one half."""
    return 1 / (2 * P * N)


def quantum_of_both_rates(P: Any, N: Any) -> Any:
    """The quantum of integer combinations of TPR and FPR."""
    return 1 / (P * N)


def quantum_of_cases(P: Any, N: Any) -> Any:
    """The quantum of fractions of all cases."""
    return 1 / (P + N)


def quantum_of_positives(P: Any, N: Any) -> Any:  # noqa: ARG001
    """The quantum of fractions of the positives."""
    return 1 / P


def quantum_of_negatives(P: Any, N: Any) -> Any:  # noqa: ARG001
    """The quantum of fractions of the negatives."""
    return 1 / N


def common_multiple(n: Any) -> Any:
    """The least common multiple of 1 to n; infinite where it would be too large."""
    if np.ndim(n):
        return np.vectorize(common_multiple, otypes=[float])(n)
    return math.lcm(*range(1, int(n) + 1)) if n <= LARGEST else math.inf


def ratio_of_f_measure(r: Any, beta: float = 1, alpha: float | None = None) -> Ratio:
    """The F-measure."""
    weight = beta**2 if alpha is None else alpha
    return (1 + weight, 0, 0), (1, r, weight)


def ratio_of_skew_accuracy(ratio: Any, r: float | None = None) -> Ratio:
    """Accuracy at a skew."""
    skew = ratio if r is None else r
    return (1, -skew, skew), (0, 0, 1 + skew)


def ratio_of_skew_precision(ratio: Any, r: float | None = None) -> Ratio:
    """Precision at a skew."""
    return (1, 0, 0), (1, ratio if r is None else r, 0)


def ratio_of_ppv_at_prevalence(r: Any, pi: float | None = None) -> Ratio:
    """The positive predictive value at a prevalence."""
    prior = 1 / (1 + r) if pi is None else pi
    return (prior, 0, 0), (prior, 1 - prior, 0)


def ratio_of_npv_at_prevalence(r: Any, pi: float | None = None) -> Ratio:
    """The negative predictive value at a prevalence."""
    prior = 1 / (1 + r) if pi is None else pi
    return (0, prior - 1, 1 - prior), (-prior, prior - 1, 1)


def ratio_of_expected_cost(r: Any, c: float = 0.5, prior: float | None = None) -> Ratio:
    """The expected cost."""
    pi = 1 / (1 + r) if prior is None else prior
    missed, alarm = c * pi, (1 - c) * (1 - pi)
    return (-missed, alarm, missed), ONE


def ratio_of_kappa(r: Any) -> Ratio:
    """Cohen's kappa."""
    return (2 * r, -2 * r, 0), (r - 1, r * (r - 1), 1 + r)


def overall_accuracy(cuts: Cut) -> Any:
    """The fraction of right answers, from the cuts of all classes."""
    return np.sum(cuts.tp, axis=-1) / np.sum(cuts.P, axis=-1)


def overall_error_rate(cuts: Cut) -> Any:
    """The fraction of wrong answers, from the cuts of all classes."""
    return np.sum(cuts.fn, axis=-1) / np.sum(cuts.P, axis=-1)


def overall_balanced_accuracy(cuts: Cut) -> Any:
    """The mean true positive rate of the classes that have cases."""
    return mean_over_classes(cuts.tpr, 1.0)


def mean_over_classes(values: Any, weight: Any) -> Any:
    """The weighted mean of the values of classes, without those that are undefined."""
    known = ~np.isnan(values)
    weight = np.where(known, weight, 0.0)
    return np.sum(np.where(known, values, 0.0) * weight, axis=-1) / np.sum(weight, axis=-1)


def _beyond_chance(cuts: Cut) -> Any:
    """n^2 times the agreement beyond that expected by chance."""
    return np.sum(cuts.tp * cuts.tn - cuts.fp * cuts.fn, axis=-1)


def overall_kappa(cuts: Cut) -> Any:
    """Cohen's kappa of k classes."""
    return _beyond_chance(cuts) / np.sum(cuts.P * (cuts.fn + cuts.tn), axis=-1)


def overall_mcc(cuts: Cut) -> Any:
    """The correlation of Gorodkin for k classes."""
    of_sides = (cuts.tp + cuts.fp) * (cuts.fn + cuts.tn)
    spread = np.sum(cuts.P * cuts.N, axis=-1), np.sum(of_sides, axis=-1)
    return np.clip(_beyond_chance(cuts) / geometric_mean(*spread), -1, 1)


def geometric_mean(a: Any, b: Any) -> Any:
    """The root of a product; of equal numbers that number, so that a perfect table has MCC 1."""
    return np.where(a == b, a, np.sqrt(a) * np.sqrt(b))
