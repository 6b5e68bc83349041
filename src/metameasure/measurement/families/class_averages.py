"""Averages over classes of measures of the confusion matrix, from scores or predicted labels.

The measure of a class is that of the class against the rest. A class whose value is 0/0 is left out
of the average, and results name it; a value of 0 counts. Macro averages give all classes the same
weight, weighted ones that of their number of cases. The macro average of the true positive rate is
the balanced accuracy, and its weighted average is the accuracy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metameasure._arguments import Real
from metameasure.measurement import LeavesOut, measure
from metameasure.measurement.families.structure import mean_over_classes

if TYPE_CHECKING:
    from metameasure.table import Cut

NEVER = LeavesOut(lambda cuts: cuts.tp + cuts.fp == 0, "which are never predicted")
NOWHERE = LeavesOut(
    lambda cuts: cuts.P + cuts.fp == 0, "which have no cases and are never predicted"
)
NO_PREDICTED = "no class that has cases is predicted"


def _precisions(cuts: Cut) -> Any:
    """The precision of each class."""
    return cuts.tp / (cuts.tp + cuts.fp)


def _f_measures(cuts: Cut, beta: float) -> Any:
    """The F-measure of each class; 0 for a class that is never predicted."""
    found = (1 + beta**2) * cuts.tp
    return found / (found + beta**2 * cuts.fn + cuts.fp)


@measure(
    symbol="F_macro", aliases=("f1_macro", "macro_f", "macro_f1"), family="classes",
    subject="classes", matrix=True, best="max", range=(0, 1), reference="takahashi2022",
    formula=r"\frac{1}{k} \sum_c F_c", parameters={"beta": Real(0)}, leaves_out=NOWHERE,
)  # fmt: skip
def macro_f_measure(cuts: Cut, beta: float = 1) -> Any:
    """The mean F-measure of the classes.

    A class that has cases and is never predicted, or the reverse, counts with 0.

    >>> macro_f_measure(["a", "b", "c", "c"], ["a", "b", "b", "c"])
    0.777777...
    """
    return mean_over_classes(_f_measures(cuts, beta), 1.0)


@measure(
    symbol="F_weighted", aliases=("f1_weighted", "weighted_f", "weighted_f1"), family="classes",
    subject="classes", matrix=True, best="max", range=(0, 1), reference="takahashi2022",
    formula=r"\sum_c \frac{P_c}{n} F_c", parameters={"beta": Real(0)}, leaves_out=NOWHERE,
)  # fmt: skip
def weighted_f_measure(cuts: Cut, beta: float = 1) -> Any:
    """The mean F-measure of the cases' classes, so that frequent classes count more.

    >>> weighted_f_measure(["a", "b", "c", "c"], ["a", "b", "b", "c"])
    0.75
    """
    return mean_over_classes(_f_measures(cuts, beta), cuts.P)


@measure(
    symbol="Prec_macro", aliases=("precision_macro",), family="classes", subject="classes",
    matrix=True, best="max", range=(0, 1), formula=r"\frac{1}{k} \sum_c Prec_c",
    reference="takahashi2022", leaves_out=NEVER,
)  # fmt: skip
def macro_precision(cuts: Cut) -> Any:
    """The mean precision of the classes that are predicted at least once.

    >>> macro_precision(["a", "b", "c", "c"], ["a", "b", "b", "c"])
    0.833333...
    """
    return mean_over_classes(_precisions(cuts), 1.0)


@measure(
    symbol="Prec_weighted", aliases=("precision_weighted",), family="classes", subject="classes",
    matrix=True, best="max", range=(0, 1), formula=r"\sum_c \frac{P_c}{n} Prec_c",
    reference="takahashi2022", undefined=NO_PREDICTED, leaves_out=NEVER,
)  # fmt: skip
def weighted_precision(cuts: Cut) -> Any:
    """The mean precision of the cases' classes, of those that are predicted at least once.

    >>> weighted_precision(["a", "b", "c", "c"], ["a", "b", "b", "c"])
    0.875
    """
    return mean_over_classes(_precisions(cuts), cuts.P)
