"""The measures, one file a family, in the order in which they are listed.

Importing this package registers all of them, and the constructors of measures. Beside the families
stand what several of them use (``logistic_fit``, ``binning``, ``undefined``, ``quanta``), their
``decompositions``, their values at a ``confusion`` matrix, and ``isotonic`` calibration.
"""

# ruff: noqa: I001 - the order is the one of the lists
from metameasure.measurement import composite, grouped_mean
from metameasure.measurement.families import threshold
from metameasure.measurement.families import cost
from metameasure.measurement.families import ranking
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
    "order",
    "probability",
    "ranking",
    "retrieval",
    "scored",
    "threshold",
]
