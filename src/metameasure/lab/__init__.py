"""The laboratory: measures of measures."""

from metameasure.lab.comparison import MeasureComparison, compare
from metameasure.lab.generators import OwnScores, Pairs, ReplacedScores, SwappedLabels
from metameasure.lab.lists import RankedLists, ranked_lists
from metameasure.lab.noise import (
    LabelNoise,
    ProportionNoise,
    ScoreNoise,
    blur_scores,
    delete_positives,
    permute_attributes,
    redraw_labels,
)
from metameasure.lab.noise_study import Robustness, robustness
from metameasure.lab.observation import Observed, observed
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
    "LabelNoise",
    "MeasureComparison",
    "Multiclass",
    "NormalScores",
    "Observed",
    "OwnScores",
    "Pairs",
    "Permutations",
    "PreferenceOrder",
    "ProportionNoise",
    "RankedLists",
    "ReplacedScores",
    "Robustness",
    "ScoreLists",
    "ScoreNoise",
    "SwappedLabels",
    "blur_scores",
    "compare",
    "comparison_matrix",
    "delete_positives",
    "multiclass",
    "observed",
    "permutations",
    "permute_attributes",
    "preference_order",
    "ranked_lists",
    "redraw_labels",
    "robustness",
    "score_lists",
]
