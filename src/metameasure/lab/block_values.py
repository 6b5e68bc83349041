"""Measures on blocks of tables: their values, and whether they have any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError
from metameasure.measurement import MeanOver

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure.measurement import Measure

    Floats = NDArray[np.float64]


def block_values(measure: Measure, block: Any) -> Floats:
    """The value of a measure on each table of a block."""
    values = np.asarray(measure.compute(block), dtype=np.float64)
    if values.shape != block.shape:
        raise DataError(
            f"{measure} gives values of shape {values.shape} for a block of {block.shape} tables: "
            "it must work along the last axis"
        )
    return values


def check_takes_tables(measure: Measure, where: str) -> None:
    """Refuse a measure that is none of labels and scores."""
    subject = measure.declaration.subject
    if isinstance(measure, MeanOver) or subject != "table":
        kinds = {"order": "true and predicted orders", "classes": "scores for several classes"}
        raise DataError(
            f"{measure} is a measure of {kinds.get(subject, 'groups of cases')}: it is not defined "
            f"on {where}"
        )
