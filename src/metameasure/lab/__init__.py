"""The laboratory: studies that compare measures with each other."""

from metameasure._lazy import lazy_door

_ROOMS = {
    "agreement.comparison": "MeasureComparison compare",
    "agreement.item_orders": "permutations",
    "agreement.ranked_lists": "ranked_lists",
    "agreement.preference": "ComparisonMatrix PreferenceOrder comparison_matrix preference_order",
    "agreement.real_models": "observed",
    "agreement.simulated": "NormalScores multiclass score_lists",
    "model_choice.over_datasets": "Selections selection_over_datasets",
    "model_choice.selection_result": "Selection",
    "model_choice.selection_study": "selection",
    "perturbation.correlation": "Correlations correlation_with",
    "perturbation.model_pairs": "OwnScores Pairs ReplacedScores SwappedLabels",
    "perturbation.noise": (
        "LabelNoise ProportionNoise ScoreNoise blur_scores delete_positives permute_attributes "
        "redraw_labels"
    ),
    "perturbation.probability_lists": "perturbed",
    "perturbation.robustness_study": "Robustness robustness",
    "power_analysis.alternatives": "location mixture own_scores parse_alternative scale shape",
    "power_analysis.power_result": "Power PowerDifferences",
    "power_analysis.power_study": "power",
}

_INNER = {
    "advice._advise": "NOISE REPEATS SIZES advise",
    "advice.advice_result": "Advice AdviceRow",
    "agreement.comparison": "MEANINGS",
    "agreement.real_models": "Observed",
    "model_choice.regret": "Judged",
    "perturbation.model_pairs": "PairGenerator",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS, _INNER)
