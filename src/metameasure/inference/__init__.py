"""How far a value, or a difference of values, can be trusted."""

from metameasure._lazy import lazy_door

_ROOMS = {
    "bands._band": "Around Band POINTS band",
    "coverage": "known_coverage",
    "folds": "corrected_t",
    "grouped_means": "check_units differences_of_groups interval_of_groups values_of_groups",
    "intervals": "Interval Method Plan interval measure_intervals",
    "multiclass_sample": "ClassSample",
    "multiple_datasets": "FriedmanTest friedman_test nemenyi sign_test wilcoxon_test",
    "multiplicity": "holm",
    "paired": "Difference PairMethod PairPlan check_margin differences",
    "plan": "RESAMPLES SEED",
    "proportions": "wilson_limits",
    "resampling": "Progress generator portion replicate",
    "sample": "Sample",
    "unpaired": "TwoSampleTest two_sample_test",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
