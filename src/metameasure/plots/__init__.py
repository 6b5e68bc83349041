"""Pictures of curves, measures and studies, with matplotlib (``pip install metameasure[plot]``).

Displays follow scikit-learn: ``from_predictions`` and ``from_estimator`` draw at once and give the
display, whose ``plot(ax=...)`` draws it again; ``ax_`` and ``figure_`` are what was drawn on. A
second display on the same axes goes on with other colours and dashes.
"""

from metameasure.plots.advice_curves import AdviceDisplay
from metameasure.plots.agreement import AgreementDisplay
from metameasure.plots.benefits import DecisionCurveDisplay
from metameasure.plots.costs import CostCurveDisplay
from metameasure.plots.depths import GainDisplay, LiftDisplay
from metameasure.plots.display import Display, ModelsDisplay
from metameasure.plots.distributions import ScoresDisplay
from metameasure.plots.forecasts import ReliabilityDisplay
from metameasure.plots.forests import ForestDisplay
from metameasure.plots.margins import SrocDisplay
from metameasure.plots.matrices import ConfusionDisplay
from metameasure.plots.measure_matrix import MeasuresDisplay
from metameasure.plots.models import Models
from metameasure.plots.precision_recall import PrecisionRecallDisplay
from metameasure.plots.rates import DetDisplay, TprFprDisplay
from metameasure.plots.robustness_curves import RobustnessDisplay
from metameasure.plots.roc import RocDisplay
from metameasure.plots.selection_curves import SelectionDisplay
from metameasure.plots.zones import ZonesDisplay

__all__ = [
    "AdviceDisplay",
    "AgreementDisplay",
    "ConfusionDisplay",
    "CostCurveDisplay",
    "DecisionCurveDisplay",
    "DetDisplay",
    "Display",
    "ForestDisplay",
    "GainDisplay",
    "LiftDisplay",
    "MeasuresDisplay",
    "Models",
    "ModelsDisplay",
    "PrecisionRecallDisplay",
    "ReliabilityDisplay",
    "RobustnessDisplay",
    "RocDisplay",
    "ScoresDisplay",
    "SelectionDisplay",
    "SrocDisplay",
    "TprFprDisplay",
    "ZonesDisplay",
]
