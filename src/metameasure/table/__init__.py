"""The score table: all that a binary measure may know about labels and scores.

A table holds the distinct scores from highest to lowest and, for each, the weight of the positives
and of the negatives that got it. It has room for axes in front: a block of tables is one object
whose weights (and, if they differ, scores) have the shape ``(..., rows)``. A row without weight
means nothing: it changes no measure.
"""

from metameasure.kernels.sums import ROUNDING
from metameasure.table.places import Places, drawn_counts
from metameasure.table.point import Cut, Point, shortest
from metameasure.table.scoretable import ScoreTable

__all__ = [
    "ROUNDING",
    "Cut",
    "Places",
    "Point",
    "ScoreTable",
    "drawn_counts",
    "shortest",
]
