"""Measures on blocks of score tables: which ones apply, and their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.errors import DataError, ParameterError
from metameasure.measurement import Combined, MeanOver, Measure, parse_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from metameasure._types import Floats


SUBJECTS = {"order": "true and predicted orders", "classes": "more than two classes"}


def block_values(measure: Measure, block: Any) -> Floats:
    """The value of a measure on each table of a block."""
    values = np.asarray(measure.compute(block), dtype=np.float64)
    if values.shape != block.shape:
        raise DataError(
            f"{measure} returns values of shape {values.shape} for a block of {block.shape} tables",
            remedy="compute it along the last axis",
        )
    return values


def read_table_measures(
    measures: str | Measure | Iterable[str | Measure], where: str
) -> list[Measure]:
    """One or several measures of the labels and scores of two classes."""
    chosen = [measures] if isinstance(measures, Measure) else parse_list(measures)
    for measure in chosen:
        check_takes_tables(measure, where)
    return chosen


def check_takes_tables(measure: Measure, where: str) -> None:
    """Refuse a measure of anything but the labels and scores of two classes."""
    subject = measure.declaration.subject
    if isinstance(measure, MeanOver) or subject != "table":
        kind = SUBJECTS.get(subject, "groups of cases")
        raise ParameterError(f"{measure} is a measure of {kind}; it does not apply to {where}")


def base_measures(measures: Sequence[Measure]) -> list[Measure]:
    """The measures that combined measures consist of, each once."""
    found: dict[Measure, None] = {}
    for measure in measures:
        parts = base_measures(measure.parts) if isinstance(measure, Combined) else [measure]
        found |= dict.fromkeys(parts)
    return list(found)
