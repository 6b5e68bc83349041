"""Measures as values: declared once, callable, written as text and parsed.

The measures themselves are in ``families``, whose import registers them.
"""

from metameasure._lazy import lazy_door

_ROOMS = {
    "bibliography": "references",
    "composite": "Combined Linear TwoLevel linear two_level",
    "_measure": "ClassMeasure Measure POINT_KEYWORDS UNREACHED",
    "declaration": (
        "A_CLASS_EMPTY Baseline Best Declaration NONE_ABOVE NONE_BELOW NO_NEGATIVE NO_POSITIVE "
        "Subject arrow direction"
    ),
    "decorator": "adopt measure",
    "families.binning": "MOST_GROUPS divergence_terms filled",
    "families.calibration": (
        "calibration_intercept calibration_slope discrimination ece hosmer_lemeshow "
        "miscalibration spiegelhalter_z uncertainty"
    ),
    "families.credit": "information_value",
    "families.decompositions": "brier_decomposition",
    "families.ranking": "ks",
    "grouped_mean": "GroupValues MeanOver group_values mean_of_defined mean_over",
    "parsing": "parse parse_list split_outside threshold_measure",
    "registry": "find measures names own_declarations",
    "ties": "is_as_good is_best preference tie_tolerance",
    "sampling": "CaseMean ClassPairMean Extreme NoInterval PairMean Sampling Share",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
