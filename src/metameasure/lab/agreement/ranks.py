"""What measures see of lists that have ranks and no scores."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from metameasure.errors import DataError
from metameasure.lab.block_values import check_takes_tables
from metameasure.table import Point

if TYPE_CHECKING:
    from metameasure.measurement import Measure


def at_cut(measure: Measure, cut: int, domain: str) -> Measure:
    """The measure of ranks that a measure is: one that has a threshold takes the cut instead."""
    check_takes_tables(measure, domain)
    point = measure.point
    if point is not None:
        if point == measure.declaration.point and point.kind == "threshold":
            return measure.at(Point("k", cut))
        if point.kind == "threshold":
            raise DataError(
                f"{measure} has a threshold for scores, and {domain} have ranks only: give a cut "
                f"by rank, as in {measure.name}@k={cut}"
            )
        return measure
    if "monotone" not in measure.declaration.invariant_to:
        raise DataError(
            f"{measure} depends on more than the order of the scores: it is not defined on "
            f"{domain}; compare it on score_lists(...) or observed(...)"
        )
    return measure


def quantum_on_ranks(measure: Measure, positives: int, negatives: int) -> Any:
    """The quantum on lists without ties, where each cut by rank holds whole numbers of cases."""
    point = measure.point
    whole_cut = point is None or (
        point.kind == "k" and (point.value == "P" or float(point.value).is_integer())
    )
    if not whole_cut:
        return None
    return measure.quantum(Fraction(positives), Fraction(negatives))
