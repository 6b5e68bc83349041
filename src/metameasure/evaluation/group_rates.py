"""Rates of groups at a threshold, by which the fairness of decisions is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metameasure.measurement import Declaration, Measure, Share, parse
from metameasure.table import Point

if TYPE_CHECKING:
    from metameasure.table import Cut

THRESHOLD = 0.5
"""Threshold of scores in [0, 1], if none is chosen."""
CRITERIA = {
    "selection_rate": "demographic parity",
    "tpr": "equal opportunity",
    "fpr": "predictive equality",
}
"""The criterion that asks for equal values of a rate in all groups."""
EQUALIZED_ODDS = "equalized odds"
"""The criterion that asks for equal TPR and equal FPR."""


def _selection_rate(cut: Cut) -> Any:
    """The fraction of cases that are predicted positive."""
    return (cut.tp + cut.fp) / cut.n


SELECTION_RATE = Measure(
    Declaration(
        name="selection_rate",
        function=_selection_rate,
        symbol="SR",
        family="threshold",
        best="max",
        range=(0, 1),
        point=Point("threshold", THRESHOLD),
        sampling=Share(lambda cut: (cut.tp + cut.fp, cut.n)),
    )
)
"""It is not registered as a measure, since neither a high nor a low value is better."""


def rates_at(threshold: float) -> list[Measure]:
    """The selection rate, the TPR and the FPR at a threshold."""
    rates = (SELECTION_RATE, parse("tpr"), parse("fpr"))
    return [rate.using(threshold=threshold) for rate in rates]


def is_rate(measure: Measure) -> bool:
    """Whether a measure is a fraction of cases at a threshold, so that ratios make sense."""
    return isinstance(measure.sampling, Share)
