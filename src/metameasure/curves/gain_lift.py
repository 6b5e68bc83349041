"""Gain and lift curves: positives found among the cases taken from the top."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure.curves._roc import TPR, thresholds
from metameasure.curves.curve import Curve
from metameasure.curves.curve_kind import curve
from metameasure.curves.interpolation import start_of_precision
from metameasure.measurement import NO_POSITIVE

if TYPE_CHECKING:
    from metameasure.table import ScoreTable


@curve("cases taken", "true positives", reference="xie2022")
def gain_counts(table: ScoreTable) -> Curve:
    """The number of positives found among the cases taken from the top.

    Within a tie, positives are added in proportion. Some authors call this a lift chart; here lift
    is a ratio, ``lift_curve``.

    >>> gain_counts([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1]).at(2)
    1.5
    """
    return Curve("", table.tp + table.fp, table.tp, thresholds(table))


@curve(
    "fraction of cases", TPR, undefined=NO_POSITIVE, aliases=("cap",),
    area="(1 + (1 - prevalence) gini) / 2", reference="siddiqi2006", space="depth",
)  # fmt: skip
def gain(table: ScoreTable) -> Curve:
    """The fraction of positives found in a fraction of all cases, taken from the top.

    The area above the diagonal, divided by that of a perfect ranking, is the accuracy ratio, which
    is ``gini``.

    >>> gain([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1]).at(0.4)
    0.5
    """
    taken = table.tp + table.fp
    taken /= taken[..., -1:]
    return Curve("", taken, table.tpr, thresholds(table))


@curve(
    "fraction of cases", "lift", undefined=NO_POSITIVE, reference="siddiqi2006",
)  # fmt: skip
def lift_curve(table: ScoreTable) -> Curve:
    """The positive rate of a fraction of all cases, taken from the top, divided by that of all.

    It is ``lift`` at each depth. Within a tie, positives are added in proportion. The curve starts
    at the lift of the cases with the highest score.

    >>> lift_curve([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1]).at(0.4)
    1.25
    """
    taken = table.tp + table.fp
    lift = table.tp / taken / table.prevalence[..., np.newaxis]
    start = start_of_precision(table.tp, table.fp) / table.prevalence[..., np.newaxis]
    lift = np.where(taken > 0, lift, start)
    counts = table.tp, table.fp
    return Curve(
        "", taken / taken[..., -1:], lift, thresholds(table), between="lift", counts=counts
    )


cap = gain
"""The cumulative accuracy profile: the name of the gain curve in credit scoring."""
