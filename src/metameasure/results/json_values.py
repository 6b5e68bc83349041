"""Rows of results as JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


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
