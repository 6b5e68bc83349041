"""Measures whose isometrics are straight lines in ROC space.

With P = 1 and N = r each of them is (a TPR + b FPR + c) / (a' TPR + b' FPR + c'), so that its value
is v on the line (a - v a') TPR + (b - v b') FPR + (c - v c') = 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure.measurement import Measure

Terms = tuple[Any, Any, Any]
"""The factor of TPR, that of FPR, and a constant."""
Ratio = tuple[Terms, Terms]
"""Numerator and denominator."""

ONE: Terms = (0.0, 0.0, 1.0)


def _f_measure(r: Any, alpha: float = 1.0, beta: float | None = None) -> Ratio:
    weight = alpha if beta is None else beta**2
    return (1 + weight, 0, 0), (1, r, weight)


def _skew_accuracy(ratio: Any, r: float | None = None) -> Ratio:
    skew = ratio if r is None else r
    return (1, -skew, skew), (0, 0, 1 + skew)


def _skew_precision(ratio: Any, r: float | None = None) -> Ratio:
    return (1, 0, 0), (1, ratio if r is None else r, 0)


def _ppv_at_prevalence(r: Any, pi: float | None = None) -> Ratio:
    prior = 1 / (1 + r) if pi is None else pi
    return (prior, 0, 0), (prior, 1 - prior, 0)


def _npv_at_prevalence(r: Any, pi: float | None = None) -> Ratio:
    prior = 1 / (1 + r) if pi is None else pi
    return (0, prior - 1, 1 - prior), (-prior, prior - 1, 1)


def _expected_cost(r: Any, c: float = 0.5, prior: float | None = None) -> Ratio:
    pi = 1 / (1 + r) if prior is None else prior
    missed, alarm = c * pi, (1 - c) * (1 - pi)
    return (-missed, alarm, missed), ONE


def _kappa(r: Any) -> Ratio:
    return (2 * r, -2 * r, 0), (r - 1, r * (r - 1), 1 + r)


RATIOS: dict[str, Callable[..., Ratio]] = {
    "accuracy": lambda r: ((1, -r, r), (0, 0, 1 + r)),
    "error_rate": lambda r: ((-1, r, 1), (0, 0, 1 + r)),
    "balanced_accuracy": lambda r: ((1, -1, 1), (0, 0, 2)),  # noqa: ARG005 - r does not matter
    "tpr": lambda r: ((1, 0, 0), ONE),  # noqa: ARG005
    "fpr": lambda r: ((0, 1, 0), ONE),  # noqa: ARG005
    "tnr": lambda r: ((0, -1, 1), ONE),  # noqa: ARG005
    "fnr": lambda r: ((-1, 0, 1), ONE),  # noqa: ARG005
    "youden_j": lambda r: ((1, -1, 0), ONE),  # noqa: ARG005
    "precision": lambda r: ((1, 0, 0), (1, r, 0)),
    "fdr": lambda r: ((0, r, 0), (1, r, 0)),
    "npv": lambda r: ((0, -r, r), (-1, -r, 1 + r)),
    "false_omission_rate": lambda r: ((-1, 0, 1), (-1, -r, 1 + r)),
    "lr_plus": lambda r: ((1, 0, 0), (0, 1, 0)),  # noqa: ARG005
    "lr_minus": lambda r: ((-1, 0, 1), (0, -1, 1)),  # noqa: ARG005
    "jaccard": lambda r: ((1, 0, 0), (0, r, 1)),
    "lift": lambda r: ((1 + r, 0, 0), (1, r, 0)),
    "f_measure": _f_measure,
    "kappa": _kappa,
    "skew_accuracy": _skew_accuracy,
    "skew_precision": _skew_precision,
    "ppv_at_prevalence": _ppv_at_prevalence,
    "npv_at_prevalence": _npv_at_prevalence,
    "expected_cost": _expected_cost,
}


def line(measure: Measure, value: Any, r: Any) -> Terms | None:
    """The line on which a measure has a value; None if its isometrics are not straight.

    An infinite value is taken where the denominator is 0.
    """
    made = RATIOS.get(measure.name)
    if made is None or measure.declaration.function.__module__.split(".")[0] != "metameasure":
        return None
    above, below = made(r, **dict(measure.parameters))
    infinite, finite = np.isinf(value), np.where(np.isinf(value), 0.0, value)
    terms = (np.where(infinite, b, a - finite * b) for a, b in zip(above, below, strict=True))
    first, second, constant = terms
    return first, second, constant


def on_diagonal(terms: Terms) -> Any:
    """The TPR at which a line meets the descending diagonal TPR = 1 - FPR."""
    first, second, constant = terms
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.clip((second + constant) / (second - first), 0.0, 1.0) + 0.0


def ends(terms: Terms) -> list[tuple[float, float]]:
    """Where a line enters and leaves the unit square, as (FPR, TPR) from left to right."""
    first, second, constant = (float(term) for term in terms)
    found: list[tuple[float, float]] = []
    if first:
        found += [(edge, -(second * edge + constant) / first) for edge in (0.0, 1.0)]
    if second:
        found += [(-(first * edge + constant) / second, edge) for edge in (0.0, 1.0)]
    size = abs(first) + abs(second) + abs(constant)
    slack = 1e-12 * size / max(abs(first), abs(second), 1e-300)
    inside = sorted(
        (min(max(x, 0.0), 1.0) + 0.0, min(max(y, 0.0), 1.0) + 0.0)
        for x, y in found
        if -slack <= x <= 1 + slack and -slack <= y <= 1 + slack
    )
    return [inside[0], inside[-1]] if inside else []
