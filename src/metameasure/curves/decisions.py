"""Measures of the decisions at a threshold, which may lie anywhere in ROC space."""

from __future__ import annotations

from metameasure.errors import DataError
from metameasure.measurement import Measure, parse


def read_decisions(measure: str | Measure, what: str) -> Measure:
    """The measure, if it is one of the decisions at a threshold that is still to be chosen."""
    found = parse(measure)
    if found.declaration.point is None:
        raise DataError(
            f"{what} needs a measure of TPR, FPR and the ratio r of the classes at any threshold, "
            f"and {found} needs the whole ranking or a threshold of its own: take one like "
            "accuracy, precision or f_measure"
        )
    if found.point != found.declaration.point:
        raise DataError(
            f"{what} looks at all points of ROC space, and {found} is taken at one: leave out "
            f"@{found.point}"
        )
    return found
