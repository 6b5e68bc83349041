"""Plots of curves, measures and studies with matplotlib (``pip install metameasure[plot]``).

Displays follow scikit-learn: ``from_predictions`` and ``from_estimator`` draw and return the
display, ``plot(ax=...)`` draws it again, and ``ax_`` and ``figure_`` are the axes and the figure of
the last drawing. A second display on the same axes continues with other colors and dashes.
"""

from metameasure._lazy import lazy_door

_ROOMS = {
    "advice": "AdviceDisplay",
    "agreement": "AgreementDisplay",
    "confusion": "ConfusionDisplay",
    "cost_curve": "CostCurveDisplay",
    "decision_curve": "DecisionCurveDisplay",
    "det": "DetDisplay",
    "forest": "ForestDisplay",
    "gain_lift": "GainDisplay LiftDisplay",
    "measures": "MeasuresDisplay",
    "precision_recall": "PrecisionRecallDisplay",
    "reliability": "ReliabilityDisplay",
    "robustness": "RobustnessDisplay",
    "roc": "RocDisplay",
    "scores": "ScoresDisplay",
    "selection": "SelectionDisplay",
    "sroc": "SrocDisplay",
    "tpr_fpr": "TprFprDisplay",
    "zones": "ZonesDisplay",
}

_INNER = {
    "_drawing.display": "Display ModelsDisplay SQUARE check_sheet format_of",
    "_drawing.style": "require_matplotlib",
    "advice": "AdviceAgainst",
    "forest": "prevalence_of",
    "precision_recall": "Interpolation",
    "robustness": "Rate",
    "selection": "Ability",
    "tpr_fpr": "Against",
    "zones": "Over",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS, _INNER)
