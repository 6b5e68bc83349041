"""Operating points as rows, one a model or a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metameasure.operating.choosing import OperatingPoint


@dataclass(frozen=True)
class ModelPoint:
    """The operating point of one model.

    Attributes:
        model: the name of the model.
        threshold: the score from which on cases count as positive; infinite if none should.
        value: the value of the measure, or the expected cost of a case.
        tpr: the true positive rate there.
        fpr: the false positive rate there.
        tp: how many positives are called positive, or their weight.
        fp: how many negatives are called positive.
        fn: how many positives are called negative.
        tn: how many negatives are called negative.
        diagonal_reading: the TPR of the point on the descending diagonal that is as good.
        score_below: the next lower score: every threshold above it decides the same.
        value_if_all: the value, or the expected cost, if all cases were called positive.
        value_if_none: the same if none were.
        prior: the probability of a positive for which it is best.
        prevalence: the share of the positives among the cases.
    """

    model: str
    threshold: float
    value: float
    tpr: float
    fpr: float
    tp: float
    fp: float
    fn: float
    tn: float
    diagonal_reading: float
    score_below: float
    value_if_all: float
    value_if_none: float
    prior: float
    prevalence: float


def rows_of(point: OperatingPoint, names: Iterable[str]) -> list[ModelPoint]:
    """The point of a table, or the first ones of a block, each with its name."""
    columns = [
        np.broadcast_to(values, point.shape).reshape(-1) for values in point.columns().values()
    ]
    return [
        ModelPoint(name, *(float(column[place]) for column in columns))
        for place, name in enumerate(names)
    ]
