"""Many measures of many models, from one sort a model."""

from metameasure.evaluation.choice import DEFAULT
from metameasure.evaluation.result import Evaluation, Row
from metameasure.evaluation.run import evaluate, evaluate_predictions

__all__ = ["DEFAULT", "Evaluation", "Row", "evaluate", "evaluate_predictions"]
