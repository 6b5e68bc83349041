"""Values of models in tables, and which of them is the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metameasure._text import limits, number
from metameasure.results import Cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure.evaluation.evaluation_result import Row


def value_cell(row: Row | None, best: set[str]) -> Cell:
    """The value of a row with its interval; bold if its model is among the best."""
    if row is None:
        return Cell("")
    return Cell(number(row.value), limits(row.low, row.high), row.model in best)


def best_models(rows: Sequence[Row | None]) -> set[str]:
    """The models with the best value to the digits shown; none if all models have that value."""
    found = [row for row in rows if row is not None]
    known = {row.model: row.value for row in found if not row.undefined}
    if not known:
        return set()
    top = max(known.values(), key=found[0].measure.goodness)
    best = {model for model, value in known.items() if number(value) == number(top)}
    return best if len(best) < len(found) else set()
