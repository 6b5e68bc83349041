"""The laboratory: measures of measures."""

from metameasure.lab.comparison import MeasureComparison, compare
from metameasure.lab.lists import RankedLists, ranked_lists
from metameasure.lab.observed import Observed, observed
from metameasure.lab.orders import Permutations, permutations
from metameasure.lab.preference import (
    ComparisonMatrix,
    PreferenceOrder,
    comparison_matrix,
    preference_order,
)
from metameasure.lab.simulated import Multiclass, NormalScores, ScoreLists, multiclass, score_lists

__all__ = [
    "ComparisonMatrix",
    "MeasureComparison",
    "Multiclass",
    "NormalScores",
    "Observed",
    "Permutations",
    "PreferenceOrder",
    "RankedLists",
    "ScoreLists",
    "compare",
    "comparison_matrix",
    "multiclass",
    "observed",
    "permutations",
    "preference_order",
    "ranked_lists",
    "score_lists",
]
