"""Measures whose isometrics are straight lines in ROC space.

With P = 1 and N = r each of them is (a TPR + b FPR + c) / (a' TPR + b' FPR + c'), so that its value
is v on the line (a - v a') TPR + (b - v b') FPR + (c - v c') = 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from metameasure.measurement import Measure

Terms = tuple[Any, Any, Any]
"""The factor of TPR, that of FPR, and a constant."""


def line(measure: Measure, value: Any, r: Any) -> Terms | None:
    """The line on which a measure has a value; None if its isometrics are not straight.

    An infinite value is taken where the denominator is 0.
    """
    made = measure.declaration.ratio
    if made is None:
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
