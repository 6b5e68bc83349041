"""The score table: the sufficient statistic of labels and scores for every binary measure.

A table holds the distinct scores from highest to lowest and, for each, the weight of the positives
and of the negatives with that score. A block of tables is one object with leading axes: its weights
(and, if they differ, its scores) have the shape ``(..., rows)``. A row without weight changes no
measure.
"""

from metameasure.kernels import ROUNDING
from metameasure.table.case_index import Places, drawn_counts
from metameasure.table.coarse_table import CoarseTable
from metameasure.table.operating_point import POINT_SYNONYMS, POINT_VALUES, Cut, Point, shortest
from metameasure.table.parted_table import PartedTable
from metameasure.table.rows import check_total, collapse, count_before, cumulated, pick
from metameasure.table.score_table import ScoreTable
from metameasure.table.table_part import TablePart

__all__ = [
    "POINT_SYNONYMS",
    "POINT_VALUES",
    "ROUNDING",
    "CoarseTable",
    "Cut",
    "PartedTable",
    "Places",
    "Point",
    "ScoreTable",
    "TablePart",
    "check_total",
    "collapse",
    "count_before",
    "cumulated",
    "drawn_counts",
    "pick",
    "shortest",
]
