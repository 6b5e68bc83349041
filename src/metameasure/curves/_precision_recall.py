"""The precision-recall curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure._arguments import Choice
from metameasure.curves._roc import thresholds
from metameasure.curves.curve import Curve
from metameasure.curves.curve_kind import curve
from metameasure.curves.interpolation import start_of_precision
from metameasure.measurement import NO_POSITIVE

if TYPE_CHECKING:
    from metameasure.curves.curve import Between
    from metameasure.table import ScoreTable

BETWEEN: dict[str, Between] = {
    "davis_goadrich": "hyperbola",
    "step": "riser",
    "trapezoid": "line",
    "max": "riser",
}


@curve(
    "recall", "precision", undefined=NO_POSITIVE, reference="davis2006", space="precision_recall",
    area="average_precision with the same interpolation",
    parameters={"interpolation": Choice(tuple(BETWEEN))},
)  # fmt: skip
def precision_recall(table: ScoreTable, interpolation: str = "davis_goadrich") -> Curve:
    """The precision at each threshold against the recall.

    Between two points true and false positives grow in proportion, so that the precision follows a
    hyperbola, not a straight line; the other interpolations are those of ``average_precision``. The
    curve starts at the precision of the cases with the highest score.

    >>> curve = precision_recall([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    >>> curve.y
    array([1.        , 1.        , 0.66666667, 0.5       , 0.6       ])
    >>> curve.at(0.5)  # half of the tie: 1.5 of 2 cases
    0.75
    """
    taken = table.tp + table.fp
    precision = table.tp / taken
    start = start_of_precision(table.tp, table.fp)
    if table.shape:
        precision = np.where(taken > 0, precision, start)
    precision[..., 0] = start[..., 0]
    if interpolation == "max":
        precision = np.maximum.accumulate(precision[..., ::-1], axis=-1)[..., ::-1]
    between = BETWEEN[interpolation]
    counts = (table.tp, table.fp) if between == "hyperbola" else None
    points = (table.tpr, precision, thresholds(table))
    return Curve("", *points, between=between, counts=counts, first=True)
