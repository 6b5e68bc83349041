"""Many measures of many models, from one sort a model; and models against each other."""

from metameasure.evaluation.checks import Check
from metameasure.evaluation.choice import DEFAULT
from metameasure.evaluation.comparison import Comparison, compare, compare_predictions
from metameasure.evaluation.repeated import compare_datasets, compare_folds
from metameasure.evaluation.result import Evaluation, Row
from metameasure.evaluation.run import evaluate, evaluate_predictions

__all__ = [
    "DEFAULT",
    "Check",
    "Comparison",
    "Evaluation",
    "Row",
    "compare",
    "compare_datasets",
    "compare_folds",
    "compare_predictions",
    "evaluate",
    "evaluate_predictions",
]
