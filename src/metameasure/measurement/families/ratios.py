"""Measures that are ratios of linear functions of TPR and FPR, so that isometrics are lines.

With P = 1 and N = r each of them is (a TPR + b FPR + c) / (a' TPR + b' FPR + c').
"""

from __future__ import annotations

from typing import Any

Terms = tuple[Any, Any, Any]
"""The coefficients of TPR and FPR, and the constant."""
Ratio = tuple[Terms, Terms]
"""Numerator and denominator."""

ONE: Terms = (0.0, 0.0, 1.0)


def of_f_measure(r: Any, alpha: float = 1.0, beta: float | None = None) -> Ratio:
    """The F-measure."""
    weight = alpha if beta is None else beta**2
    return (1 + weight, 0, 0), (1, r, weight)


def of_skew_accuracy(ratio: Any, r: float | None = None) -> Ratio:
    """Accuracy at a skew."""
    skew = ratio if r is None else r
    return (1, -skew, skew), (0, 0, 1 + skew)


def of_skew_precision(ratio: Any, r: float | None = None) -> Ratio:
    """Precision at a skew."""
    return (1, 0, 0), (1, ratio if r is None else r, 0)


def of_ppv_at_prevalence(r: Any, pi: float | None = None) -> Ratio:
    """The positive predictive value at a prevalence."""
    prior = 1 / (1 + r) if pi is None else pi
    return (prior, 0, 0), (prior, 1 - prior, 0)


def of_npv_at_prevalence(r: Any, pi: float | None = None) -> Ratio:
    """The negative predictive value at a prevalence."""
    prior = 1 / (1 + r) if pi is None else pi
    return (0, prior - 1, 1 - prior), (-prior, prior - 1, 1)


def of_expected_cost(r: Any, c: float = 0.5, prior: float | None = None) -> Ratio:
    """The expected cost."""
    pi = 1 / (1 + r) if prior is None else prior
    missed, alarm = c * pi, (1 - c) * (1 - pi)
    return (-missed, alarm, missed), ONE


def of_kappa(r: Any) -> Ratio:
    """Cohen's kappa."""
    return (2 * r, -2 * r, 0), (r - 1, r * (r - 1), 1 + r)
