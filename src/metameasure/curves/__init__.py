"""Curves: functions from a score table to points, each declared once.

Importing this package declares all of them. ``Curve`` has the points, ``CurveKind`` is what makes
them from labels and scores, from a table or from a block.
"""

# ruff: noqa: I001 - the order is the one of the lists
from metameasure.curves.curve import Curve
from metameasure.curves.kinds import CurveKind, curve_kinds, find_kind
from metameasure.curves.rates import det, roc, roc_hull, roc_surface, tpr_fpr
from metameasure.curves.margins import sroc
from metameasure.curves.depths import cap, gain, lift_chart, precision_recall
from metameasure.curves.costs import cost_curve, cost_lines, decision_curve
from metameasure.curves.forecasts import reliability

__all__ = [
    "Curve",
    "CurveKind",
    "cap",
    "cost_curve",
    "cost_lines",
    "curve_kinds",
    "decision_curve",
    "det",
    "find_kind",
    "gain",
    "lift_chart",
    "precision_recall",
    "reliability",
    "roc",
    "roc_hull",
    "roc_surface",
    "sroc",
    "tpr_fpr",
]
