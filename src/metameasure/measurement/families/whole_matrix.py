"""Measures of a whole confusion matrix of k classes, from the cuts of its classes.

For two classes they are the binary measures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from metameasure.table import Cut


def overall_accuracy(cuts: Cut) -> Any:
    """The fraction of right answers, from the cuts of all classes."""
    return np.sum(cuts.tp) / np.sum(cuts.P)


def overall_error_rate(cuts: Cut) -> Any:
    """The fraction of wrong answers, from the cuts of all classes."""
    return np.sum(cuts.fn) / np.sum(cuts.P)


def _beyond_chance(cuts: Cut) -> Any:
    """n^2 times the agreement beyond that expected by chance."""
    return np.sum(cuts.tp * cuts.tn - cuts.fp * cuts.fn)


def overall_kappa(cuts: Cut) -> Any:
    """Cohen's kappa of k classes."""
    return _beyond_chance(cuts) / np.sum(cuts.P * (cuts.fn + cuts.tn))


def overall_mcc(cuts: Cut) -> Any:
    """The correlation of Gorodkin for k classes."""
    spread = np.sum(cuts.P * cuts.N), np.sum((cuts.tp + cuts.fp) * (cuts.fn + cuts.tn))
    return np.clip(_beyond_chance(cuts) / (np.sqrt(spread[0]) * np.sqrt(spread[1])), -1, 1)
