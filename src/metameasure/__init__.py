"""Measures of classifiers, and measures of those measures.

A measure is a function from a score table to a number. A table holds the distinct scores from
highest to lowest with the weight of the positives and negatives that got them; it is built once, by
one sort, and every measure is read from it.

    import metameasure as mm

    mm.auc(y_true, y_score)                      one number
    mm.evaluate(y_true, {"a": s1, "b": s2})      many measures of many models, as a tidy frame
    mm.measures()                                what there is
    mm.roc(y_true, y_score)                      a curve
    mm.parse("f_measure(beta=2)@top=10%")        a measure from its text
    mm.advise(y_true, {"a": s1, "b": s2})        which measure should choose between them
    mm.lab                                       measures of measures
    mm.plots                                     pictures
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from metameasure import measurement
from metameasure.errors import UnknownMeasure
from metameasure.measurement import families  # noqa: F401 - the families register their measures

__version__ = "0.1.0"

_HOMES = {
    "Advice": "lab.advice.advice_result",
    "Band": "inference.bands._band",
    "CalibrationTable": "evaluation.calibration",
    "CaseMean": "measurement",
    "Check": "results",
    "Choice": "_arguments",
    "ClassMeasures": "evaluation.per_class",
    "ClassPairMean": "measurement",
    "ClassScores": "data",
    "Comparison": "evaluation",
    "ConfusionMatrix": "evaluation.confusion",
    "Curve": "curves",
    "CurveKind": "curves",
    "Cut": "table",
    "DataError": "errors",
    "DecileTable": "evaluation.deciles",
    "DroppedCasesWarning": "errors",
    "Evaluation": "evaluation",
    "Extreme": "measurement",
    "Flag": "_arguments",
    "Interval": "inference",
    "IsotonicCalibration": "measurement.families.isotonic",
    "Measure": "measurement",
    "MetameasureError": "errors",
    "NoInterval": "measurement",
    "OperatingPoint": "operating",
    "OperatingPoints": "operating",
    "OptimalityZones": "operating",
    "PairMean": "measurement",
    "ParameterError": "errors",
    "Predictions": "data",
    "Range": "_arguments",
    "Ranking": "data",
    "Real": "_arguments",
    "ScoreTable": "table",
    "Share": "measurement",
    "StabilityTable": "evaluation.stability",
    "UndefinedMeasureWarning": "errors",
    "UnknownMeasure": "errors",
    "Whole": "_arguments",
    "advise": "lab.advice._advise",
    "band": "inference.bands._band",
    "brier_decomposition": "measurement.families.decompositions",
    "calibrate_isotonic": "measurement.families.isotonic",
    "calibration_table": "evaluation.calibration",
    "cap": "curves",
    "compare": "evaluation",
    "compare_datasets": "evaluation",
    "compare_folds": "evaluation",
    "cost_curve": "curves",
    "cost_lines": "curves",
    "decile_table": "evaluation.deciles",
    "decision_curve": "curves",
    "det": "curves",
    "evaluate": "evaluation",
    "gain": "curves",
    "interval": "inference",
    "interval_method": "inference",
    "isometric": "operating",
    "lift_chart": "curves",
    "linear": "measurement",
    "mean_over": "measurement",
    "measure": "measurement",
    "measures": "measurement",
    "operating_point": "operating",
    "operating_points": "operating",
    "optimality_zones": "operating",
    "parse": "measurement",
    "precision_recall": "curves",
    "psi": "evaluation.stability",
    "psi_table": "evaluation.stability",
    "reliability": "curves",
    "roc": "curves",
    "roc_hull": "curves",
    "roc_surface": "curves",
    "scored_auc_parts": "measurement.families.decompositions",
    "scorer": "integrations",
    "scorers": "integrations",
    "sroc": "curves",
    "tabulate": "data",
    "tabulate_lists": "data",
    "tpr_fpr": "curves",
    "two_level": "measurement",
    "two_sample_test": "inference",
}
_MODULES = ("lab", "plots")


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module 'metameasure' has no attribute {name!r}")
    if name in _MODULES:
        value: Any = import_module(f"metameasure.{name}")
    elif name in _HOMES:
        value = getattr(import_module(f"metameasure.{_HOMES[name]}"), name)
    else:
        try:
            value = measurement.parse(name)
        except UnknownMeasure as error:
            raise AttributeError(
                f"module 'metameasure' has no attribute {name!r}: {error}"
            ) from None
        if not value.__module__.startswith("metameasure."):
            # A user's measure may be declared again.
            return value
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*_HOMES, *_MODULES, *measurement.names(), "__version__"})
