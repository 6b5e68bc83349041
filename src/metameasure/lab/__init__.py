"""The laboratory: measures of measures."""

from metameasure.lab.alternatives import (
    location,
    mixture,
    own_scores,
    parse_alternative,
    scale,
    shape,
)
from metameasure.lab.comparison import MeasureComparison, compare
from metameasure.lab.correlation import Correlations, correlation_with
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
from metameasure.lab.perturbing import perturbed
from metameasure.lab.power_rows import Power, PowerDifferences
from metameasure.lab.power_study import power
from metameasure.lab.preference import (
    ComparisonMatrix,
    PreferenceOrder,
    comparison_matrix,
    preference_order,
)
from metameasure.lab.selection_rows import Selection
from metameasure.lab.selection_study import selection
from metameasure.lab.selections import Selections, selection_over_datasets
from metameasure.lab.simulated import Multiclass, NormalScores, ScoreLists, multiclass, score_lists

__all__ = [
    "ComparisonMatrix",
    "Correlations",
    "LabelNoise",
    "MeasureComparison",
    "Multiclass",
    "NormalScores",
    "Observed",
    "OwnScores",
    "Pairs",
    "Permutations",
    "Power",
    "PowerDifferences",
    "PreferenceOrder",
    "ProportionNoise",
    "RankedLists",
    "ReplacedScores",
    "Robustness",
    "ScoreLists",
    "ScoreNoise",
    "Selection",
    "Selections",
    "SwappedLabels",
    "blur_scores",
    "compare",
    "comparison_matrix",
    "correlation_with",
    "delete_positives",
    "location",
    "mixture",
    "multiclass",
    "observed",
    "own_scores",
    "parse_alternative",
    "permutations",
    "permute_attributes",
    "perturbed",
    "power",
    "preference_order",
    "ranked_lists",
    "redraw_labels",
    "robustness",
    "scale",
    "score_lists",
    "selection",
    "selection_over_datasets",
    "shape",
]
