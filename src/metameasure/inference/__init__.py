"""How far a value, or a difference of values, can be trusted."""

from metameasure.inference.adjusting import holm
from metameasure.inference.class_sample import ClassSample
from metameasure.inference.datasets import (
    FriedmanTest,
    friedman_test,
    nemenyi,
    sign_test,
    wilcoxon_test,
)
from metameasure.inference.estimation import (
    Interval,
    Method,
    Plan,
    interval,
    intervals,
)
from metameasure.inference.folds import corrected_t
from metameasure.inference.pairing import Difference, PairMethod, PairPlan, differences
from metameasure.inference.plans import RESAMPLES, SEED
from metameasure.inference.resampling import Progress, portion
from metameasure.inference.sample import Sample
from metameasure.inference.two_samples import TwoSampleTest, two_sample_test

__all__ = [
    "RESAMPLES",
    "SEED",
    "ClassSample",
    "Difference",
    "FriedmanTest",
    "Interval",
    "Method",
    "PairMethod",
    "PairPlan",
    "Plan",
    "Progress",
    "Sample",
    "TwoSampleTest",
    "corrected_t",
    "differences",
    "friedman_test",
    "holm",
    "interval",
    "intervals",
    "nemenyi",
    "portion",
    "sign_test",
    "two_sample_test",
    "wilcoxon_test",
]
