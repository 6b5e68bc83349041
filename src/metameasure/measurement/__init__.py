"""Measures as values: declared once, called everywhere, written as text and read back.

The measures themselves are in ``families``, whose import registers them.
"""

from metameasure._lazy import lazy_door

_ROOMS = {
    "bibliography": "references",
    "composite": "Combined Linear TwoLevel linear two_level",
    "declaration": "Baseline Best Declaration Subject arrow direction",
    "families.binning": "MOST_GROUPS divergence_terms filled",
    "families.calibration": (
        "calibration_intercept calibration_slope discrimination ece hosmer_lemeshow "
        "miscalibration spiegelhalter_z uncertainty"
    ),
    "families.confusion": "value_at",
    "families.credit": "information_value",
    "families.decompositions": "brier_decomposition",
    "families.ranking": "ks",
    "families.undefined": "A_CLASS_EMPTY NO_NEGATIVE NO_POSITIVE",
    "grouped_mean": "GroupValues MeanOver group_values mean_of_defined mean_over",
    "parsing": "parse parse_list split_outside",
    "registered": (
        "ClassMeasure Measure POINT_KEYWORDS UNREACHED adopt find measure measures names "
        "own_declarations"
    ),
    "ties": "is_as_good is_best preference tie_tolerance",
    "sampling": "CaseMean ClassPairMean Extreme NoInterval PairMean Sampling Share",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
