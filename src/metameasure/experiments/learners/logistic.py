"""Logistic regression with a small ridge (le Cessie and van Houwelingen 1992)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, lstsq

from metameasure._arguments import Real, Whole, read_argument
from metameasure.experiments.learners.coding import AttributeCoder
from metameasure.experiments.learners.learner import Learner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Indices

CONVERGED = 1e-12
"""Decrease of the loss that another step promises, relative to the loss, which ends the search."""


class RidgeLogistic(Learner):
    """Multinomial logistic regression with the coding and the penalty of Weka's Logistic.

    Nominal attributes become indicators, missing values are filled in with the mean or the most
    frequent level, columns are standardized. The loss is -log L + ridge Σβ² over the coefficients
    of all classes but the last, without the intercepts; its minimum is found by Newton's method.
    Where the likelihood has no maximum (classes that can be separated, a level with a single
    training case), Weka's search ends elsewhere on the plateau, and the probabilities differ.

    Args:
        nominal: number of levels of each column, 0 for a numeric one; None if all are numeric.
        ridge: factor of the penalty.
        max_iter: largest number of steps.

    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    >>> RidgeLogistic().fit(X, y).predict_proba([[0.0], [2.0]]).round(4)
    array([[0.7961, 0.2039],
           [0.3884, 0.6116]])
    """

    def __init__(
        self, *, nominal: Sequence[int] | None = None, ridge: float = 1e-8, max_iter: int = 200
    ) -> None:
        self.nominal = nominal
        self.ridge = ridge
        self.max_iter = max_iter

    def _fit(self, X: Floats, y: Indices, levels: Indices) -> None:
        ridge = read_argument("ridge", self.ridge, Real(0))
        steps = read_argument("max_iter", self.max_iter, Whole(1))
        self.coder_ = AttributeCoder(nominal=tuple(levels.tolist()), reference=False).fit(X)
        coded = self.coder_.transform(X)
        self.mean_ = coded.mean(axis=0)
        spread = coded.std(axis=0, ddof=min(1, len(X) - 1))
        self.scale_ = np.where(spread > 0, spread, 1.0)
        Z = self._standardized(coded)
        chosen = np.eye(self.classes_.size)[y][:, :-1]
        penalty = np.full(Z.shape[1], 2 * ridge)
        penalty[0] = 0
        self.coef_, self.n_iter_ = _minimized(Z, chosen, penalty, steps)

    def _probabilities(self, X: Floats) -> Floats:
        return np.exp(_log_probabilities(self._standardized(self.coder_.transform(X)), self.coef_))

    def _standardized(self, coded: Floats) -> Floats:
        """The intercept and the columns with mean 0 and standard deviation 1 in training."""
        return np.column_stack([np.ones(len(coded)), (coded - self.mean_) / self.scale_])


def _log_probabilities(Z: Floats, coef: Floats) -> Floats:
    """The logarithms of the class probabilities; ``coef`` is (columns, classes - 1)."""
    scores = np.zeros((len(Z), coef.shape[1] + 1))
    np.matmul(Z, coef, out=scores[:, :-1])
    scores -= scores.max(axis=1, keepdims=True)
    scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return scores


def _loss(Z: Floats, chosen: Floats, penalty: Floats, coef: Floats) -> tuple[float, Floats]:
    """The penalized loss, and the class probabilities."""
    logs = _log_probabilities(Z, coef)
    others = 1 - chosen.sum(axis=1)
    fit = -float((chosen * logs[:, :-1]).sum() + others @ logs[:, -1])
    return fit + float((penalty[:, np.newaxis] * coef**2).sum()) / 2, np.exp(logs)


def _minimized(Z: Floats, chosen: Floats, penalty: Floats, steps: int) -> tuple[Floats, int]:
    """The coefficients at the minimum of the loss, and the number of steps."""
    columns, others = Z.shape[1], chosen.shape[1]
    coef = np.zeros((columns, others))
    loss, p = _loss(Z, chosen, penalty, coef)
    for taken in range(steps):
        gradient = Z.T @ (p[:, :-1] - chosen) + penalty[:, np.newaxis] * coef
        hessian = np.empty((others, columns, others, columns))
        for a in range(others):
            for b in range(a + 1):
                weight = p[:, a] * ((a == b) - p[:, b])
                block = Z.T @ (weight[:, np.newaxis] * Z)
                hessian[a, :, b] = hessian[b, :, a] = block
            hessian[a, :, a] += np.diag(penalty)
        flat = gradient.T.ravel()
        move = _solved(hessian.reshape(flat.size, flat.size), flat)
        promised = float(flat @ move) / 2
        if promised <= CONVERGED * (1 + loss):
            return coef, taken
        change, length = move.reshape(others, columns).T, 1.0
        while True:
            next_loss, next_p = _loss(Z, chosen, penalty, coef - length * change)
            if next_loss < loss or length < 1e-6:
                break
            length /= 2
        if not next_loss < loss:
            return coef, taken
        coef, loss, p = coef - length * change, next_loss, next_p
    return coef, steps


def _solved(matrix: Floats, right: Floats) -> Floats:
    """The solution of a positive definite system; the shortest one if it is singular."""
    try:
        solution: Floats = cho_solve(cho_factor(matrix, check_finite=False), right)
    except LinAlgError:
        solution = lstsq(matrix, right)[0]
    return solution
