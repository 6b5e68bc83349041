"""Curves: functions from a score table to points, each declared once.

Importing this package declares all of them. A ``CurveKind`` makes a ``Curve``, with its points,
from labels and scores, from a table or from a block.
"""

# ruff: noqa: I001 - the order is the one of the lists
from metameasure.curves.curve import Curve
from metameasure.curves.curve_kind import CurveKind, CurveSpace, curve_kinds, find_kind
from metameasure.curves._roc import det, roc, roc_hull, roc_surface, tpr_fpr
from metameasure.curves._sroc import sroc
from metameasure.curves._precision_recall import BETWEEN, precision_recall
from metameasure.curves.gain_lift import cap, gain, gain_counts, lift_curve
from metameasure.curves.cost import cost_curve, cost_lines, decision_curve
from metameasure.curves._reliability import reliability
from metameasure.curves._roc import FNR, FPR, TPR, thresholds
from metameasure.curves._sroc import MOST_PAIRS, on_grid, scores_in_pairs
from metameasure.curves.interpolation import points_before, points_at

__all__ = [
    "BETWEEN",
    "FNR",
    "FPR",
    "MOST_PAIRS",
    "TPR",
    "Curve",
    "CurveKind",
    "CurveSpace",
    "cap",
    "cost_curve",
    "cost_lines",
    "curve_kinds",
    "decision_curve",
    "det",
    "find_kind",
    "gain",
    "gain_counts",
    "lift_curve",
    "on_grid",
    "points_at",
    "points_before",
    "precision_recall",
    "reliability",
    "roc",
    "roc_hull",
    "roc_surface",
    "scores_in_pairs",
    "sroc",
    "thresholds",
    "tpr_fpr",
]
