"""The order of the cases in columns with an index, as pandas has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metameasure.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_row_order(y_true: Any, others: Iterable[tuple[str, Any]], what: str = "y_true") -> None:
    """Refuse a column whose index has the index values of ``y_true`` in another order.

    Whether its rows are to be matched by index or by position is then unknown. Columns with other
    index values, such as those of predictions that are numbered from 0, are matched by position.
    """
    index = _index_of(y_true)
    if index is None:
        return
    for name, values in others:
        other = _index_of(values)
        if other is None or other is index or len(other) != len(index) or other.equals(index):
            continue
        if other.isin(index).all() and index.isin(other).all():
            raise DataError(
                f"{what} and {name} have the same index in different order",
                remedy=f"reorder {name} with .loc[{what}.index] if the index names the cases, or "
                "pass .to_numpy() if the order is right",
            )


def _index_of(values: Any) -> Any:
    """The index of a column or data frame; None if it has none."""
    index = getattr(values, "index", None)
    return index if hasattr(index, "equals") else None
