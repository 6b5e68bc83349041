"""Rows of results as data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl


def tidy_frame(
    records: Sequence[Mapping[str, Any]], kinds: Mapping[str, pl.DataType], like: Any
) -> Any:
    """A frame of the kind of ``like``, else of polars, even if there are no records."""
    from metameasure.data import same_kind  # noqa: PLC0415

    data = {name: [record[name] for record in records] for name in kinds}
    return same_kind(data, dict(kinds), like)
