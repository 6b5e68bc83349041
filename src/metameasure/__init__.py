"""Measures of classifiers, and measures of those measures.

A measure is a function from a score table to a number. A table holds the distinct scores from
highest to lowest with the weight of the positives and negatives that got them; it is built once, by
one sort, and every measure is read from it.

    import metameasure as mm

    mm.auc(y_true, y_score)                      one number
    mm.evaluate(y_true, {"a": s1, "b": s2})      many measures of many models, as a tidy frame
    mm.gate(y_true, y_score, "auc >= 0.8")       whether a model meets requirements
    mm.Accumulator().update(y_true, y_score)     scores in batches; mm.bounds gives their values
    mm.measures()                                what there is
    mm.roc(y_true, y_score)                      a curve
    mm.parse("f_measure(beta=2)@top=10%")        a measure from its text
    mm.sample_size("auc", width=0.05, value=0.8, prevalence=0.3)     how many cases it takes
    mm.advise(y_true, {"a": s1, "b": s2})        which measure should choose between them
    mm.lab                                       measures of measures
    mm.plots                                     pictures
    mm.integrations                              LightGBM, XGBoost, CatBoost, MLflow
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from metameasure import measurement
from metameasure._lazy import lazy_door
from metameasure.errors import UnknownMeasure
from metameasure.measurement import families  # noqa: F401 - the families register their measures

__version__ = "0.1.0"

_ROOMS = {
    "_arguments": "Choice Flag Range Real Whole",
    "curves": (
        "Curve CurveKind cap cost_curve cost_lines decision_curve det gain gain_counts lift_curve "
        "precision_recall reliability roc roc_hull roc_surface sroc tpr_fpr"
    ),
    "data": "Accumulator ClassLabels ClassScores Predictions Ranking tabulate tabulate_lists",
    "errors": (
        "CompilationCacheWarning DataError DroppedCasesWarning MetameasureError ParameterError "
        "UndefinedMeasureWarning UnknownMeasure"
    ),
    "evaluation": (
        "Bounds CalibrationTable ClassMeasures Comparison ConfusionMatrix DecileTable "
        "Evaluation Gate GroupComparison Reclassification ScoreBandTable StabilityOverTime "
        "StabilityTable bounds calibration_table compare compare_datasets compare_folds "
        "compare_groups decile_table evaluate gate psi psi_over_time psi_table reclassification "
        "score_band_table"
    ),
    "inference": "Band Interval band interval interval_method two_sample_test",
    "integrations": "scorer scorers",
    "lab": "Advice advise train_by",
    "measurement": (
        "Added CaseMean ClassCaseMean ClassDifferentiable ClassPairMean Coefficient "
        "Differentiable Extreme Extremes IsotonicCalibration KolmogorovSmirnov LeavesOut "
        "MannWhitney Measure NoInterval OfHull PairMean ProbabilityMean Share Sums "
        "between_orders brier_decomposition calibrate_isotonic linear mean_over measure "
        "measures parse scored_auc_parts two_level"
    ),
    "operating": (
        "OperatingPoint OperatingPoints OptimalityZones isometric operating_point "
        "operating_points optimality_zones"
    ),
    "planning": "SampleSize sample_size",
    "results": "Check",
    "table": "CoarseTable Cut ScoreTable",
}
_MODULES = ("experiments", "integrations", "lab", "plots")
_GUESSES = {
    "CalibrationDisplay": "plots.ReliabilityDisplay",
    "ComparisonReport": "compare",
    "ConfusionMatrixDisplay": "plots.ConfusionDisplay",
    "CrossValidationReport": "evaluate(..., fold=...)",
    "DetCurveDisplay": "plots.DetDisplay",
    "EstimatorReport": "evaluate",
    "Overall_ACC": "accuracy",
    "PrecisionRecallDisplay": "plots.PrecisionRecallDisplay",
    "RocCurveDisplay": "plots.RocDisplay",
    "bootstrap": 'interval(..., method="bca")',
    "calibration_curve": "reliability",
    "ci": "interval",
    "ci_auc": "interval",
    "ci_se": "band",
    "class_likelihood_ratios": "lr_plus",
    "classification_report": "evaluate",
    "confidence_interval": "interval",
    "confusion": "ConfusionMatrix.of",
    "confusion_matrix": "ConfusionMatrix.of",
    "coords": "operating_point",
    "cumulative_gain": "gain",
    "cumulative_gain_curve": "gain",
    "decision_curve_analysis": "decision_curve",
    "delong_test": "compare",
    "det_curve": "det",
    "get_scorer": "scorer",
    "ks_curve": "tpr_fpr",
    "lift_chart": "lift_curve",
    "lift_score": "lift",
    "make_scorer": "scorer",
    "mcnemar_test": 'compare(..., method="mcnemar")',
    "metric": "measure",  # english: ok
    "metrics": "measures",  # english: ok
    "multiclass_roc": "hand_till_auc",
    "optimal_cutoff": "operating_point",
    "plot": "plots",
    "population_stability_index": "psi",
    "power_roc_test": "sample_size",
    "pr_curve": "precision_recall",
    "precision_recall_curve": "precision_recall",
    "precision_recall_fscore_support": "ConfusionMatrix.of",
    "reliability_curve": "reliability",
    "reliability_diagram": "plots.ReliabilityDisplay",
    "roc_curve": "roc",
    "roc_test": "compare",
}
"""Names in other libraries of what is here under another name; those of measures are aliases."""


_load, _, _listed = lazy_door(__name__, _ROOMS)


def __getattr__(name: str) -> Any:
    if name.startswith("_") or name in _listed:
        return _load(name)
    missing = f"module 'metameasure' has no attribute {name!r}"
    if name in _GUESSES:
        raise AttributeError(f"{missing}; use mm.{_GUESSES[name]}")
    if name in _MODULES:
        return import_module(f"metameasure.{name}")
    try:
        value = measurement.parse(name)
    except UnknownMeasure as error:
        for known in (*_listed, *_MODULES, *measurement.names()):
            if known.casefold() == name.casefold():
                raise AttributeError(f"{missing}; use mm.{known}") from None
        raise AttributeError(f"{missing}: {error}") from None
    if value.__module__.startswith("metameasure."):
        # A user's measure may be declared again.
        globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*_listed, *_MODULES, *measurement.names(), "__version__"})
