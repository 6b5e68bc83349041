"""Measures as values: declared once, callable, written as text and parsed.

The measures themselves are in ``families``, whose import registers them.
"""

from metameasure._lazy import lazy_door

_ROOMS = {
    "composite": "Combined Linear TwoLevel linear two_level",
    "_measure": "Measure POINT_KEYWORDS UNREACHED",
    "certificates": "between_orders",
    "declaration": (
        "A_CLASS_EMPTY Baseline Best Declaration LeavesOut NONE_ABOVE NONE_BELOW NO_CASES "
        "NO_NEGATIVE NO_POSITIVE Subject arrow direction references"
    ),
    "decorator": "adopt measure",
    "families.binning": "MOST_GROUPS divergence_terms filled",
    "families.calibration": (
        "brier_decomposition calibration_in_the_large calibration_intercept calibration_slope "
        "discrimination ece "
        "hosmer_lemeshow miscalibration spiegelhalter_z uncertainty"
    ),
    "families.credit": "information_value",
    "families.isotonic": "IsotonicCalibration calibrate_isotonic",
    "families.ranking": "ks",
    "families.scored": "scored_auc_parts",
    "grouped_mean": "GroupValues MeanOver group_values mean_of_defined mean_over",
    "null_distributions": "KolmogorovSmirnov MannWhitney NullDistribution Side",
    "parsing": "is_measure parse parse_list split_outside threshold_measure",
    "partial": (
        "Added Extremes From OfCut OfHull Partial Sums partial_of required_partial "
        "values_in_parts walk"
    ),
    "registry": "family_names find measures names own_declarations",
    "subjects": "ClassMeasure",
    "ties": "is_as_good is_best merged preference scale_of tie_tolerance",
    "sampling": (
        "CaseMean ClassCaseMean ClassDifferentiable ClassPairMean Coefficient Differentiable "
        "Extreme NoInterval PairMean ProbabilityMean Sampling Share"
    ),
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
