"""Measures at confusion matrices that are made already."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure.measurement import Measure
    from metameasure.table import Cut

    Floats = NDArray[np.float64]


def value_at(measure: Measure, cut: Cut) -> Floats:
    """The value at each of some matrices, without what rounding has put beyond the range.

    It is NaN where the measure is undefined.
    """
    shape = np.broadcast_shapes(*(np.shape(part) for part in (cut.tp, cut.fp, cut.P, cut.N)))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = measure.declaration.function(cut, **dict(measure.parameters))
    within = measure.within_range(np.asarray(found, dtype=np.float64))
    return np.broadcast_to(within, shape)
