"""Measures of credit scoring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Real, Whole
from metameasure.measurement import A_CLASS_EMPTY, measure
from metameasure.measurement.families.binning import MOST_GROUPS, divergence_terms, group

if TYPE_CHECKING:
    from metameasure.table import ScoreTable


@measure(
    symbol="IV", family="credit", best="max", range=(0, np.inf), baseline=0.0,
    invariant_to={"monotone", "replication"}, undefined=A_CLASS_EMPTY,
    formula=r"\sum_b (a_b - g_b) \ln \frac{a_b}{g_b}, \; a_b = p_b / P, \; g_b = q_b / N",
    reference="siddiqi2006", parameters={"bins": Whole(1, MOST_GROUPS), "smoothing": Real(0)},
    stated=("bins",),
)  # fmt: skip
def information_value(table: ScoreTable, bins: int = 10, smoothing: float = 0.0) -> Any:
    """The divergence of the two classes over bins with equal numbers of cases.

    Infinite when a bin has no case of a class; ``smoothing=0.5`` adds half a case of each class to
    every bin, as is common.

    >>> information_value([1, 1, 1, 0, 0, 0], [0.9, 0.5, 0.5, 0.5, 0.2, 0.2], bins=2, smoothing=0.5)
    1.228367...
    """
    g = group(table, bins)
    added = smoothing * (g.weight > 0)
    total = np.sum(added, axis=-1)
    bad = (g.pos + added) / (table.P + total)[..., np.newaxis]
    good = (g.neg + added) / (table.N + total)[..., np.newaxis]
    value = np.sum(divergence_terms(bad, good), axis=-1)
    return np.where(table.P * table.N > 0, value, np.nan)
