"""Pictures of curves, measures and studies, with matplotlib (``pip install metameasure[plot]``).

Displays follow scikit-learn: ``from_predictions`` and ``from_estimator`` draw at once and give the
display, whose ``plot(ax=...)`` draws it again; ``ax_`` and ``figure_`` are what was drawn on. A
second display on the same axes goes on with other colours and dashes.
"""

from metameasure._lazy import lazy_door

_ROOMS = {
    "_drawing.display": "Display ModelsDisplay",
    "advice": "AdviceDisplay",
    "agreement": "AgreementDisplay",
    "confusion": "ConfusionDisplay",
    "cost_curve": "CostCurveDisplay",
    "decision_curve": "DecisionCurveDisplay",
    "forest": "ForestDisplay",
    "gain_lift": "GainDisplay LiftDisplay",
    "measures": "MeasuresDisplay",
    "precision_recall": "PrecisionRecallDisplay",
    "rates": "DetDisplay TprFprDisplay",
    "reliability": "ReliabilityDisplay",
    "robustness": "RobustnessDisplay",
    "roc": "RocDisplay",
    "scores": "ScoresDisplay",
    "selection": "SelectionDisplay",
    "sroc": "SrocDisplay",
    "zones": "ZonesDisplay",
}

_INNER = {
    "_drawing.display": "SQUARE check_sheet format_of",
    "_drawing.style": "require_matplotlib",
    "cost_curve": "read_pc",
    "decision_curve": "read_thresholds",
    "forest": "prevalence_of",
    "gain_lift": "read_depth",
    "precision_recall": "f_lines",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS, _INNER)
