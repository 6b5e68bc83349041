"""Tests of two or more models over several data sets.

A value is compared only with the values on the same data set. Values that differ by rounding are
equal. The tests follow Demšar (2006); deviations are noted.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure._arguments import FRACTION, Choice, read_argument, read_confidence
from metameasure.errors import DataError
from metameasure.inference.folds import differences
from metameasure.measurement import merged, scale_of
from metameasure.table import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metameasure._types import Floats


Zeros = Literal["zsplit", "wilcox", "pratt"]
End = Literal["max", "min"]

EXACT_UP_TO = 50
"""Number of data sets up to which the distribution of the signed ranks is computed."""


@dataclass(frozen=True)
class SignTest:
    """The median difference, its limits, and the two-sided test that either sign is as likely.

    ``higher`` and ``lower`` count the data sets where a is above and below b.
    """

    difference: float
    low: float
    high: float
    pvalue: float
    higher: int
    lower: int
    ties: int


@dataclass(frozen=True)
class WilcoxonTest:
    """The Hodges-Lehmann difference, its limits, and the two-sided signed rank test.

    ``statistic`` is T, the smaller of the sums of ranks; ``zeros`` counts the equal pairs.
    """

    difference: float
    low: float
    high: float
    pvalue: float
    statistic: float
    zeros: int


@dataclass(frozen=True)
class FriedmanTest:
    """The average ranks, Friedman's chi-square and the F of Iman and Davenport."""

    ranks: tuple[float, ...]
    statistic: float
    pvalue: float
    df: int
    f_statistic: float
    f_pvalue: float
    f_df: tuple[int, int]


@dataclass(frozen=True)
class NemenyiTest:
    """The average ranks, the difference of two that is critical, and a p-value for each pair.

    ``pvalues[i][j]`` belongs to the models i and j; the diagonal is 1.
    """

    ranks: tuple[float, ...]
    critical_difference: float
    pvalues: tuple[tuple[float, ...], ...]
    alpha: float


def sign_test(a: Any, b: Any, *, ci: float = 0.95) -> SignTest:
    """The exact sign test of two models over data sets.

    Data sets on which both are equal are left out of the test, and counted. The limits are
    differences from the sorted list of all data sets; they cover the median with probability ``ci``
    or more, and are infinite where there are too few data sets.

    >>> sign_test([0.8, 0.7, 0.9, 0.6, 0.5, 0.8], [0.7, 0.7, 0.6, 0.5, 0.3, 0.6])
    SignTest(difference=0.15..., low=0.0, high=0.3, pvalue=0.0625, higher=5, lower=0, ties=1)
    """
    from scipy.stats import binom  # noqa: PLC0415

    ci = read_confidence(ci)
    found = np.sort(differences(a, b, "data set"))
    higher, lower = int(np.count_nonzero(found > 0)), int(np.count_nonzero(found < 0))
    tail = float(binom.cdf(min(higher, lower), higher + lower, 0.5))
    at_most = binom.cdf(np.arange(found.size), found.size, 0.5)
    low, high = _limits(found, _left_out(at_most, ci))
    return SignTest(
        difference=float(np.median(found)),
        low=low,
        high=high,
        pvalue=min(1.0, 2 * tail),
        higher=higher,
        lower=lower,
        ties=found.size - higher - lower,
    )


def wilcoxon_test(a: Any, b: Any, *, zeros: Zeros = "zsplit", ci: float = 0.95) -> WilcoxonTest:
    """Wilcoxon's signed rank test of two models over data sets.

    ``zeros`` is the treatment of data sets on which both are equal. By default they are split
    as by Demšar: half of their ranks goes to each side, and one of an odd number is left out.
    "wilcox" leaves out all, "pratt" all but their ranks. Ties have the mean of their ranks. Up to
    50 data sets the p-value is exact, with or without ties; beyond, it is SciPy's normal
    approximation.

    The difference is the median of the means of any two differences (Walsh averages), and its
    limits are two of these means; with ties they cover with probability ``ci`` or more. Time and
    memory grow with the square of the number of data sets.

    >>> wilcoxon_test([0.8, 0.7, 0.9, 0.6, 0.5, 0.8], [0.7, 0.7, 0.6, 0.5, 0.3, 0.6], ci=0.9)
    WilcoxonTest(difference=0.15..., low=0.05, high=0.25, pvalue=0.0625, statistic=0.0, zeros=1)
    """
    ci = read_confidence(ci)
    read_argument("zeros", zeros, Choice(get_args(Zeros)))
    found = np.sort(differences(a, b, "data set"))
    equal = int(np.count_nonzero(found == 0))
    statistic, pvalue = _signed_ranks(found, equal, zeros)
    means = _walsh_averages(found)
    low, high = _limits(means, _averages_left_out(found.size, ci))
    return WilcoxonTest(
        difference=float(np.median(means)),
        low=low,
        high=high,
        pvalue=pvalue,
        statistic=statistic,
        zeros=equal,
    )


def wilcoxon_pvalue(a: Any, b: Any, *, zeros: Zeros = "zsplit") -> float:
    """The p-value of ``wilcoxon_test`` alone, whose time does not grow with the square."""
    found = np.sort(differences(a, b, "data set"))
    return _signed_ranks(found, int(np.count_nonzero(found == 0)), zeros)[1]


def friedman_test(values: Any, *, best: End = "max") -> FriedmanTest:
    """Friedman's test of several models over data sets.

    Ties have the mean of their ranks, and the chi-square is corrected for them, unlike Demšar's.
    The F of Iman and Davenport is more accurate for few data sets. Where all data sets rank the
    models in the same order, F is infinite and its p-value is the probability of that.

    Args:
        values: one row per data set, one column per model.
        best: whether the largest or the smallest value gets rank 1.

    >>> test = friedman_test([[0.9, 0.8, 0.7], [0.8, 0.7, 0.7], [0.6, 0.7, 0.5]])
    >>> test.ranks, round(test.pvalue, 4), round(test.f_pvalue, 4)
    ((1.333..., 1.833..., 2.833...), 0.1482, 0.1322)
    """
    from scipy.stats import chi2, f  # noqa: PLC0415

    ranks = _ranks(values, best)
    n, k = ranks.shape
    mean = (k + 1) / 2
    within = float(np.sum((ranks - mean) ** 2))
    between = float(np.sum((ranks.sum(axis=0) - n * mean) ** 2))
    statistic = (k - 1) * between / within if within else 0.0
    f_df = (k - 1, (k - 1) * (n - 1))
    if (ranks == ranks[0]).all():
        f_statistic = math.inf if within else 0.0
        f_pvalue = math.exp((1 - n) * math.log(_arrangements(ranks[0])))
    else:
        f_statistic = (n - 1) * statistic / (n * (k - 1) - statistic)
        f_pvalue = float(f.sf(f_statistic, *f_df))
    return FriedmanTest(
        ranks=tuple(ranks.mean(axis=0).tolist()),
        statistic=statistic,
        pvalue=float(chi2.sf(statistic, k - 1)),
        df=k - 1,
        f_statistic=f_statistic,
        f_pvalue=f_pvalue,
        f_df=f_df,
    )


def nemenyi(values: Any, *, best: End = "max", alpha: float = 0.05) -> NemenyiTest:
    """Nemenyi's test of all pairs of models, by their average ranks.

    Two models differ at the level ``alpha`` when their average ranks differ by at least the
    critical difference. The level holds for all pairs together.

    Args:
        values: one row per data set, one column per model.
        best: whether the largest or the smallest value gets rank 1.
        alpha: the level of the critical difference.

    >>> test = nemenyi([[0.9, 0.8, 0.7], [0.8, 0.7, 0.7], [0.6, 0.7, 0.5]])
    >>> test.ranks, round(test.critical_difference, 3), round(test.pvalues[0][2], 4)
    ((1.333..., 1.833..., 2.833...), 1.914, 0.1575)
    """
    from scipy.stats import studentized_range  # noqa: PLC0415

    alpha = read_argument("alpha", alpha, FRACTION)
    ranks = _ranks(values, best)
    n, k = ranks.shape
    averages = ranks.mean(axis=0)
    # The range of k normal variates is over the error of one of them, not of a difference.
    error = math.sqrt(k * (k + 1) / (12 * n))
    gaps = np.abs(averages[:, np.newaxis] - averages) / error
    pvalues = np.clip(studentized_range.sf(gaps, k, np.inf), 0.0, 1.0)
    return NemenyiTest(
        ranks=tuple(averages.tolist()),
        critical_difference=error * float(studentized_range.ppf(1 - alpha, k, np.inf)),
        pvalues=tuple(tuple(row) for row in pvalues.tolist()),
        alpha=alpha,
    )


def _limits(ordered: Floats, left_out: int) -> tuple[float, float]:
    """The limits when some of the ordered values are left out at each end."""
    if not left_out:
        return -math.inf, math.inf
    return float(ordered[left_out - 1]), float(ordered[-left_out])


def _left_out(at_most: Any, ci: float) -> int:
    """Number of values to leave out at each end, from the probabilities of at most 0, 1, ..."""
    return int(np.searchsorted(at_most, (1 - ci) / 2 * (1 + ROUNDING), side="right"))


def _signed_ranks(ordered: Floats, equal: int, zeros: Zeros) -> tuple[float, float]:
    """T and its p-value."""
    from scipy.stats import rankdata, wilcoxon  # noqa: PLC0415

    if zeros == "wilcox":
        ordered = ordered[ordered != 0]
    elif zeros == "zsplit" and equal % 2:
        ordered = np.delete(ordered, np.searchsorted(ordered, 0.0))
    ranks = rankdata(np.abs(ordered))
    smaller = min(ranks[ordered > 0].sum(), ranks[ordered < 0].sum())
    split = ranks[ordered == 0].sum() / 2 if zeros == "zsplit" else 0.0
    statistic = float(smaller + split)
    if ordered.size > EXACT_UP_TO and ordered.any():
        return statistic, float(wilcoxon(ordered, zero_method=zeros).pvalue)
    # Doubled, ranks are integers even where they are means of two.
    at_most = _sums_at_most((2 * ranks[ordered != 0]).astype(int).tolist())
    return statistic, min(1.0, 2 * float(at_most[int(2 * smaller)]))


def _sums_at_most(ranks: Iterable[int]) -> Floats:
    """The probabilities that the sum of the positive ranks is at most 0, 1, ..."""
    ranks = list(ranks)
    # The number of choices with each sum; all are integers below 2^53.
    choices = np.zeros(sum(ranks) + 1)
    choices[0] = 1
    for rank in ranks:
        choices[rank:] = choices[rank:] + choices[:-rank]
    at_most: Floats = np.cumsum(choices) / 2.0 ** len(ranks)
    return at_most


def _walsh_averages(ordered: Floats) -> Floats:
    """The means of any two values, including each value with itself, in order."""
    means = np.concatenate([(v + ordered[i:]) / 2 for i, v in enumerate(ordered)])
    means.sort()
    return means


def _averages_left_out(n: int, ci: float) -> int:
    """Number of Walsh averages of n values to leave out at each end."""
    from scipy.stats import norm  # noqa: PLC0415

    if n <= EXACT_UP_TO:
        return _left_out(_sums_at_most(range(1, n + 1)), ci)
    error = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    reach = n * (n + 1) / 4 - float(norm.ppf((1 + ci) / 2)) * error
    return max(0, math.floor(reach + 0.5))


def _ranks(values: Any, best: End) -> Floats:
    """The ranks of the models on each data set; 1 is the best."""
    from scipy.stats import rankdata  # noqa: PLC0415

    read_argument("best", best, Choice(get_args(End)))
    try:
        table = np.asarray(values, dtype=np.float64)
    except (ValueError, TypeError) as error:
        raise DataError(f"values must be a table of real numbers: {error}") from error
    if table.ndim != 2 or min(table.shape) < 2:
        raise DataError(
            f"values must have at least two rows and two columns, got shape {table.shape}",
            remedy="pass one row per data set and one column per model",
        )
    missing = np.isnan(table)
    if missing.any():
        row, column = np.argwhere(missing)[0]
        raise DataError(
            f"{np.count_nonzero(missing)} of {missing.size} values are missing, the first at data "
            f"set {row}, model {column} (counted from 0)",
            remedy="drop these data sets or models",
        )
    table = merged(table, scale=scale_of(table, axis=1))
    ranks: Floats = rankdata(-table if best == "max" else table, axis=1)
    return ranks


def _arrangements(ranks: Floats) -> int:
    """Number of ways to assign the ranks to the models."""
    alike = Counter(ranks.tolist()).values()
    return math.factorial(ranks.size) // math.prod(map(math.factorial, alike))
