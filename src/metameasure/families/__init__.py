"""The measures, one file a family, in the order in which they are listed.

Importing this package registers all of them. Beside the families stand what several of them use
(``fitting``, ``grouping``, ``reasons``, ``spacing``), their ``parts`` together, their values at
``matrices`` that are made already, and ``isotonic`` calibration.
"""

# ruff: noqa: I001 - the order is the one of the lists
from metameasure.families import threshold
from metameasure.families import cost
from metameasure.families import ranking
from metameasure.families import retrieval
from metameasure.families import scored
from metameasure.families import probability
from metameasure.families import calibration
from metameasure.families import credit
from metameasure.families import classes
from metameasure.families import order

__all__ = [
    "calibration",
    "classes",
    "cost",
    "credit",
    "order",
    "probability",
    "ranking",
    "retrieval",
    "scored",
    "threshold",
]
