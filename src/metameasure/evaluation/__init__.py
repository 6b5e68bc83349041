"""Evaluation and comparison of models, and tables of their scores."""

from metameasure._lazy import lazy_door

_ROOMS = {
    "_bounds": "Bounds BoundsRow bounds",
    "_compare": "compare compare_models",
    "_compare_groups": "compare_groups",
    "_evaluate": "evaluate evaluate_models",
    "_gate": "gate",
    "_reclassification": "Reclassification reclassification",
    "calibration": (
        "BINS CalibrationBin CalibrationTable EQUAL Equal calibration_bins calibration_table "
        "calibration_table_of"
    ),
    "checks": "check_columns",
    "comparison_result": "Comparison PairRow",
    "confusion": "ConfusionMatrix ConfusionReport",
    "confusion_grid": "By",
    "deciles": "DecileTable decile_table decile_table_of",
    "evaluation_result": "Evaluation LeftOut Row",
    "fold_summary": "FoldSummary FoldValue",
    "found_values": "Best Limits",
    "group_comparison": "GapRow GroupComparison GroupRow",
    "group_contrasts": "GroupMethod",
    "gate_result": "Gate GateRow Undecided",
    "measure_choice": "Chosen DEFAULT choose takes_two_classes unfit",
    "per_class": "ClassMeasures cut_measures",
    "repeated": "compare_datasets compare_folds",
    "requirement": "Requirement read_requirements",
    "score_bands": "ScoreBandTable score_band_table",
    "stability": "StabilityTable psi psi_table",
    "stability_over_time": "StabilityOverTime psi_over_time",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
