"""Rows of results as data: frames and JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl


def tidy_frame(
    records: Sequence[Mapping[str, Any]], kinds: Mapping[str, pl.DataType], like: Any
) -> Any:
    """A frame of the kind of ``like``, else of polars, even if there are no records."""
    from metameasure.sources import same_kind  # noqa: PLC0415

    data = {name: [record[name] for record in records] for name in kinds}
    return same_kind(data, dict(kinds), like)


def json_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record whose numbers JSON can hold: NaN is null, infinity a string."""
    return {
        name: _json_number(value) if isinstance(value, float) else value
        for name, value in record.items()
    }


def _json_number(value: float) -> float | str | None:
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
