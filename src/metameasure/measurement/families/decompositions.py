"""Decompositions of measures into other measures."""

from __future__ import annotations

from typing import Any, NamedTuple

from metameasure.data import NanPolicy, Rescale, read_table
from metameasure.measurement.families.calibration import discrimination, miscalibration, uncertainty
from metameasure.measurement.families.scored import r_minus, r_plus


class BrierDecomposition(NamedTuple):
    """brier = miscalibration - discrimination + uncertainty."""

    miscalibration: Any
    discrimination: Any
    uncertainty: Any


class ScoredAucParts(NamedTuple):
    """scored_auc = r_plus - r_minus."""

    r_plus: Any
    r_minus: Any


def brier_decomposition(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> BrierDecomposition:
    """The decomposition of the Brier score: miscalibration, discrimination and uncertainty.

    Takes the same data as a measure: labels and scores with their options, a table or a block.

    >>> brier_decomposition([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    BrierDecomposition(miscalibration=0.07..., discrimination=0.03..., uncertainty=0.24)
    """
    table = read_table(
        y_true,
        y_score,
        "brier_decomposition",
        pos_label=pos_label,
        sample_weight=sample_weight,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    parts = miscalibration, discrimination, uncertainty
    return BrierDecomposition(*(part.value(table, stacklevel=4) for part in parts))


def scored_auc_parts(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    nan_policy: NanPolicy = "raise",
    rescale: Rescale | None = None,
) -> ScoredAucParts:
    """The decomposition of the scored AUC: R+ and R-.

    Takes the same data as a measure: labels and scores with their options, a table or a block.

    >>> scored_auc_parts([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1])
    ScoredAucParts(r_plus=0.425, r_minus=0.191666...)
    """
    table = read_table(
        y_true,
        y_score,
        "scored_auc_parts",
        pos_label=pos_label,
        sample_weight=sample_weight,
        nan_policy=nan_policy,
        rescale=rescale,
    )
    return ScoredAucParts(*(part.value(table, stacklevel=4) for part in (r_plus, r_minus)))
