"""Slow reference definitions of every binary measure, in fractions where the value is rational.

A case is (label, score, weight); weight 0 means absent. None means undefined; infinity is a value.
"""

from collections.abc import Callable

from .credit import CREDIT_ORACLES
from .cuts import CUT_ORACLES, TABLE_CUT_ORACLES, Case, Matrix, Value, cut
from .explained import EXPLAINED_ORACLES
from .probability import PROBABILITY_ORACLES
from .ranking import RANKING_ORACLES
from .scored import SCORED_ORACLES

TABLE_ORACLES: dict[str, Callable[..., Value]] = {
    **TABLE_CUT_ORACLES,
    **RANKING_ORACLES,
    **SCORED_ORACLES,
    **PROBABILITY_ORACLES,
    **EXPLAINED_ORACLES,
    **CREDIT_ORACLES,
}

__all__ = ["CUT_ORACLES", "TABLE_ORACLES", "Case", "Matrix", "Value", "cut"]
