"""Pictures of curves, measures and studies, with matplotlib (``pip install metameasure[plot]``).

Displays follow scikit-learn: ``from_predictions`` and ``from_estimator`` draw at once and give the
display, whose ``plot(ax=...)`` draws it again; ``ax_`` and ``figure_`` are what was drawn on.
"""

from metameasure.plots.display import Display, ModelsDisplay
from metameasure.plots.models import Models
from metameasure.plots.roc import RocDisplay

__all__ = ["Display", "Models", "ModelsDisplay", "RocDisplay"]
