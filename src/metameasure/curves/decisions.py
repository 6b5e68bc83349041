"""Measures of the decisions at a threshold, at many points of ROC space at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure.errors import DataError
from metameasure.registry import Measure, parse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure.table import Cut

    Floats = NDArray[np.float64]


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


def value_at(measure: Measure, cut: Cut) -> Floats:
    """The value at each of many confusion matrices; NaN where it is undefined."""
    shape = np.broadcast_shapes(*(np.shape(part) for part in (cut.tp, cut.fp, cut.P, cut.N)))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = measure.declaration.function(cut, **dict(measure.parameters))
    return np.broadcast_to(np.asarray(found, dtype=np.float64), shape)
