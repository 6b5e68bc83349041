"""K*, an instance-based learner with an entropic distance (Cleary and Trigg 1995)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure._arguments import Real, read_argument
from metameasure.experiments.learners.learner import Learner, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Indices

BLOCK = 500
"""Number of test cases whose probabilities of moving to all training cases are held at once."""


class KStar(Learner):
    """K*: the probability of a class is the sum of the probabilities of moving to its cases.

    The probability that a value moves to a training value at distance x is s exp(-2 s x) for a
    numeric attribute, and (1 - s)/L + s [equal] for a nominal one with L levels. For each value,
    s makes the effective number of training cases n0 + blend (n - n0), where n0 is the number of
    nearest ones. The probability of moving to a missing value is the mean over the known ones.

    Missing values of a test case are skipped. As in Weka's KStar, the product over the attributes
    is raised to the power (d + 1) / (d + 1 - m) after each known attribute that follows m of d
    missing ones, so that known values count more; the order of the attributes matters.

    Args:
        nominal: number of levels of each column, 0 for a numeric one; None if all are numeric.
        blend: fraction between the nearest cases only (0) and all cases alike (1).
        accuracy: difference from the wanted effective number of cases at which the search for s
            ends, after at most 40 steps. Weka's is the default; it changes probabilities by
            some percent.

    >>> X, y = [[1.0], [2.0], [3.0], [6.0], [7.0], [8.0]], [0, 0, 0, 1, 1, 1]
    >>> KStar().fit(X, y).predict_proba([[2.5], [5.0]]).round(4)
    array([[0.9683, 0.0317],
           [0.1621, 0.8379]])
    """

    def __init__(
        self, *, nominal: Sequence[int] | None = None, blend: float = 0.2, accuracy: float = 0.01
    ) -> None:
        self.nominal = nominal
        self.blend = blend
        self.accuracy = accuracy

    def _fit(self, X: Floats, y: Indices, levels: Indices) -> None:  # noqa: ARG002
        read_argument("blend", self.blend, Real(0, 1))
        read_argument("accuracy", self.accuracy, Real(0, open_low=True))
        self.training_, self.labels_ = plain(X.T), y

    def _probabilities(self, X: Floats) -> Floats:
        from metameasure.experiments.learners import _kstar_kernel  # noqa: PLC0415 - loads numba

        blocks = [
            _kstar_kernel.probabilities(
                block,
                block.argsort(axis=0),
                self.training_,
                self.labels_,
                self.levels_,
                self.classes_.size,
                float(self.blend),
                float(self.accuracy),
            )
            for block in (X[start : start + BLOCK] for start in range(0, len(X), BLOCK))
        ]
        return np.concatenate(blocks)
