"""The laboratory: studies that compare measures with each other."""

from metameasure._lazy import lazy_door

_ROOMS = {
    "agreement.comparison": "MeasureComparison compare",
    "agreement.degrees": "Degrees degrees",
    "agreement.item_orders": "permutations",
    "agreement.measure_map": "MeasureCorrelations measure_correlations",
    "agreement.ranked_lists": "ranked_lists",
    "agreement.preference": "ComparisonMatrix PreferenceOrder comparison_matrix preference_order",
    "agreement.real_models": "observed",
    "agreement.simulated": "NormalScores multiclass score_lists",
    "model_choice.over_datasets": "Selections selection_over_datasets",
    "model_choice.selection_study": "Selection selection",
    "perturbation.correlation": "Correlations correlation_with perturbed",
    "perturbation.model_pairs": "OwnScores Pairs ReplacedScores SwappedLabels",
    "perturbation.noise": (
        "LabelNoise ProportionNoise ScoreNoise blur_scores delete_positives permute_attributes "
        "redraw_labels"
    ),
    "perturbation.robustness_study": "Robustness robustness",
    "power_analysis.alternatives": "location mixture own_scores parse_alternative scale shape",
    "power_analysis.power_result": "Power PowerDifferences",
    "power_analysis.power_study": "power",
    "training.candidates": "Candidate attribute_subsets first_attributes grid",
    "training.model_selection": "select_models",
    "training.model_selection_result": "ModelSelection Trained",
    "training.noise_in_training": "TrainingRobustness training_robustness",
    "training.selection_ability": "SelectionAbility selection_ability",
    "training.stopping": "Training",
}

_INNER = {
    "advice._advise": "NOISE SIZES advise",
    "advice.advice_result": "Advice AdviceRow",
    "agreement.comparison": "MEANINGS",
    "agreement.real_models": "Observed",
    "model_choice.question": "Judged",
    "parallel": "stream",
    "perturbation.model_pairs": "PairGenerator",
    "perturbation.noise": "permuted_rows",
    "training.named_learners": "encode named_learners",
    "training.noise_in_training": "judge_folds",
    "training.selection_ability": "ability values_on_sets",
    "training.splits": "fold_of_each strata_of stratified_sets",
    "training.stopping": "train_by",
    "training.selection_tests": "paired_t_pvalue",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS, _INNER)
