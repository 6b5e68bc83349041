"""PartedCases: models on cases that do not fit in memory, with a score table in parts for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metameasure.table import PartedTable


@dataclass(frozen=True, eq=False)
class PartedCases:
    """The score tables of models, in parts, and what is known of their cases.

    Attributes:
        tables: the table of each model.
        n, n_pos: the number of cases and of positive cases that have weight.
        dropped: the number of cases that were dropped because a value is missing.
        weighted: whether cases have weights.
        pos_label: the positive label; None for bool, 0/1 and -1/1.
    """

    tables: Mapping[str, PartedTable]
    n: int
    n_pos: int
    dropped: int
    weighted: bool
    pos_label: Any
