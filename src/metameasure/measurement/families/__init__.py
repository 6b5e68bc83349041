"""The measures, one file per family, in the order in which they are listed.

Importing this package registers all of them, and the constructors of measures. The other modules
are used by several families (``logistic_fit``, ``binning``, ``quanta``), or compute
``decompositions`` of measures and ``isotonic`` calibration.
"""

# ruff: noqa: I001 - the order is the one of the lists
from metameasure.measurement import composite, grouped_mean
from metameasure.measurement.families import threshold
from metameasure.measurement.families import cost
from metameasure.measurement.families import ranking
from metameasure.measurement.families import h_measure
from metameasure.measurement.families import retrieval
from metameasure.measurement.families import scored
from metameasure.measurement.families import probability
from metameasure.measurement.families import calibration
from metameasure.measurement.families import credit
from metameasure.measurement.families import classes
from metameasure.measurement.families import order

__all__ = [
    "calibration",
    "classes",
    "composite",
    "cost",
    "credit",
    "grouped_mean",
    "h_measure",
    "order",
    "probability",
    "ranking",
    "retrieval",
    "scored",
    "threshold",
]
