"""The door for rows: the only code that validates labels, scores and weights.

What comes through is known to be right; the rest of the library trusts it.
"""

from metameasure.predictions.arrays import NanPolicy
from metameasure.predictions.class_columns import has_class_columns
from metameasure.predictions.classes import ClassScores
from metameasure.predictions.labels import read_labels
from metameasure.predictions.numbers import read_scores, read_weights
from metameasure.predictions.orders import Ranking
from metameasure.predictions.rows import (
    Names,
    Predictions,
    Rescale,
    check_alone,
    read_table,
    tabulate,
    tabulate_lists,
    warn_dropped,
)

__all__ = [
    "ClassScores",
    "Names",
    "NanPolicy",
    "Predictions",
    "Ranking",
    "Rescale",
    "check_alone",
    "has_class_columns",
    "read_labels",
    "read_scores",
    "read_table",
    "read_weights",
    "tabulate",
    "tabulate_lists",
    "warn_dropped",
]
