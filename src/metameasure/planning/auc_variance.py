"""The variance of an AUC from its value alone, for planning without a pilot.

``binormal`` is exact for the empirical AUC if the scores of each class are normal with the same
variance, perhaps after a monotone transformation. A pair of a positive and a negative is in the
right order if the difference of their scores is positive, so that the joint probability for two
pairs, or for two models, is one of two correlated normal variables.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from metameasure.planning.precision import Variance

if TYPE_CHECKING:
    from collections.abc import Callable

Formula = Literal["auto", "hanley_mcneil", "obuchowski"]


def binormal_covariance(a: float, b: float, correlation: float) -> Variance:
    """The covariance of the AUC of two models whose scores are correlated within each class."""
    # Two pairs with one common case have half of the correlation of two with both cases in common.
    same_case = _both_right(a, b, correlation / 2) - a * b
    same_pair = _both_right(a, b, correlation) - a * b
    return Variance(same_case, same_case, pair=same_pair - 2 * same_case)


def binormal(auc: float) -> Variance:
    """The variance of the AUC of normal scores with equal variances.

    >>> binormal(0.5)
    Variance(positive=0.0833..., negative=0.0833..., case=0.0, pair=0.0833...)
    """
    return binormal_covariance(auc, auc, 1.0)


def hanley_mcneil(auc: float) -> Variance:
    """The variance of the AUC of exponential scores (Hanley and McNeil, 1982)."""
    square = auc**2
    of_positives, of_negatives = 2 * square / (1 + auc) - square, auc / (2 - auc) - square
    return Variance(of_positives, of_negatives, pair=auc * (1 - auc) - of_positives - of_negatives)


def obuchowski(auc: float) -> Variance:
    """The approximation of Obuchowski, Lieber and Wians (2004), with the digits of pROC."""
    from scipy.special import ndtri  # noqa: PLC0415

    square = (float(ndtri(auc)) * 1.414) ** 2
    factor = 0.0099 * math.exp(-square / 2)
    return Variance(factor * (5 * square + 8), factor * (square + 8))


FORMULAS: dict[str, Callable[[float], Variance]] = {
    "auto": binormal,
    "hanley_mcneil": hanley_mcneil,
    "obuchowski": obuchowski,
}


def _both_right(a: float, b: float, correlation: float) -> float:
    """The probability of two events of probability a and b, with correlated normal variables."""
    from scipy.special import ndtri  # noqa: PLC0415
    from scipy.stats import multivariate_normal  # noqa: PLC0415

    if correlation == 1:
        return min(a, b)
    limits = [float(ndtri(a)), float(ndtri(b))]
    matrix = [[1.0, correlation], [correlation, 1.0]]
    return float(multivariate_normal.cdf(limits, cov=matrix))
