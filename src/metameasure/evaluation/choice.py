"""Which measures an evaluation has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from metameasure.registry import Measure, measures, parse_list

if TYPE_CHECKING:
    from metameasure.table import ScoreTable

DEFAULT = (
    "auc",
    "scored_auc",
    "h_measure",
    "ks",
    "average_precision",
    "brier",
    "log_loss",
    "accuracy",
    "f_measure",
    "mcc",
)

Chosen = str | Measure | Iterable[str | Measure]


def choose(chosen: Chosen) -> tuple[list[Measure], bool]:
    """The measures, and whether each was asked for by name (else it may be left out)."""
    if isinstance(chosen, Measure):
        return [chosen], True
    if chosen == "default":
        return parse_list(DEFAULT), False
    if chosen == "all":
        return measures(), False
    return parse_list(chosen), True


def unfit(measure: Measure, table: ScoreTable) -> str | None:
    """Why a measure that nobody asked for by name says nothing about these scores."""
    if table.score[0] <= 1 and table.score[-1] >= 0:
        return None
    if measure.unit_scores:
        return "it needs scores in [0, 1]"
    if measure.point and measure.point.kind == "threshold":
        return f"the threshold {measure.point} means nothing for scores outside [0, 1]"
    return None
