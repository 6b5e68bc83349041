"""Confidence intervals, tests and bands."""

from metameasure._lazy import lazy_door

_ROOMS = {
    "added_cases": "degrees_of_freedom",
    "bands._band": "Around Band POINTS band",
    "folds": "FoldMean corrected_t fold_mean",
    "grouped_means": (
        "check_units differences_of_groups interval_of_groups rows_in_groups values_of_groups"
    ),
    "in_parts": "has_interval_in_parts intervals_in_parts",
    "independent": "Contrast LargestGap Limited correlations difference largest_gap ratio",
    "influence": "case_influences has_influence standard_error",
    "intervals": "Interval Method Plan interval measure_intervals",
    "coverage": "Simulated known_coverage",
    "interval_checks": (
        "FEW check_chance check_classes check_drawn check_effective_units check_interval "
        "check_width"
    ),
    "methods.method": "find_method interval_method interval_methods paired_methods",
    "methods.delong": "Spread spread spread_of_difference",
    "methods.mcnemar": "counts_right",
    "methods.newcombe": "Components score_limits",
    "methods.normal": "contributions",
    "methods.wilson": "wilson_limits",
    "multiple_datasets": (
        "FriedmanTest NemenyiTest friedman_test nemenyi sign_test wilcoxon_pvalue wilcoxon_test"
    ),
    "paired": "Difference PairMethod PairPlan check_margin differences holm",
    "permutation": (
        "AT_ONCE Critical Examination MeasureTest Statistic all_labels random_labels tables_of"
    ),
    "resampling": "Drawing RESAMPLES SEED generator portion replicate",
    "sample": (
        "AnySample ClassSample OrderSample ProbabilitySample Sample cluster_codes "
        "sample_without_tables samples_of"
    ),
    "scaled_differences": "scaled_difference",
    "unpaired": "TwoSampleTest two_sample_test",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
