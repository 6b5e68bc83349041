"""Plots of curves, measures and studies with matplotlib (``pip install metameasure[plot]``).

Displays follow scikit-learn: ``from_predictions`` and ``from_estimator`` draw and return the
display, ``plot(ax=...)`` draws it again, and ``ax_`` and ``figure_`` are the axes and the figure of
the last drawing. A second display on the same axes continues with other colors and dashes.
"""

from pkgutil import iter_modules

from metameasure._lazy import lazy_door

# The display of a module has its name: RocDisplay is in roc.py.
_ROOMS = {
    module.name: f"{module.name.title().replace('_', '')}Display"
    for module in iter_modules(__path__)
    if not module.name.startswith("_")
}

_INNER = {
    "_drawing.display": "Display ModelsDisplay SQUARE check_sheet format_of",
    "_drawing.score_axis": "Scale",
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
