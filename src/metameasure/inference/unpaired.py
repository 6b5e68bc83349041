"""Whether the scores of positives and negatives differ: two-sample tests by a measure.

Under the null hypothesis the labels are dealt to the scores at random. For the AUC that is the test
of Mann and Whitney, for KS that of Kolmogorov and Smirnov; for any other measure the labels are
dealt out again and again.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure._arguments import COUNT, Choice, read_argument, read_seed
from metameasure.data import NanPolicy, read_table
from metameasure.errors import DataError
from metameasure.inference.plan import SEED
from metameasure.measurement import Measure, parse
from metameasure.table import ROUNDING, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]
    Seeds = np.random.SeedSequence

Alternative = Literal["two-sided", "greater", "less"]
Method = Literal["auto", "exact", "asymptotic", "permutation"]

Known = Literal["exact", "asymptotic"]

CLASSICAL = ("auc", "ks")
"""The measures whose distribution under the null hypothesis is known."""

OF_DISTRIBUTIONS: dict[Alternative, Alternative] = {
    "two-sided": "two-sided",
    "greater": "less",
    "less": "greater",
}
"""The alternatives in SciPy's words: larger scores have the lower distribution function."""

BLOCK_ENTRIES = 2**17
"""The entries of a block of tables: a megabyte."""

EXACT_PAIRS = 20_000
"""The pairs up to which the distribution of U is computed, which takes half a second there."""

EXACT_CASES = 10_000
"""The cases of a class up to which SciPy's exact distribution of the distance is asked for."""


@dataclass(frozen=True)
class TwoSampleTest:
    """The value of a measure, and the probability of one as extreme if labels were random.

    Attributes:
        statistic: U for the AUC, the distance in the direction of the alternative for KS, and
            otherwise the value again.
        method: how the p-value came about: "exact", "asymptotic" or "permutation".
        resamples: how often the labels were dealt out; 0 if they were not.
    """

    measure: str
    value: float
    statistic: float
    pvalue: float
    alternative: str
    method: str
    n_pos: int
    n_neg: int
    resamples: int


def two_sample_test(
    y_true: Any,
    y_score: Any,
    measure: str | Measure = "auc",
    *,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    resamples: int = 9999,
    seed: int | None = SEED,
    pos_label: Any = None,
    nan_policy: NanPolicy = "raise",
) -> TwoSampleTest:
    """Test whether a measure is better, or other, than it would be if labels were random.

    "greater" means that the measure is better than chance, by the measure's own direction: a
    higher AUC, a lower log loss, a slope nearer to 1. For KS, which has no sign, it means that the
    positives score higher. "two-sided" is twice the smaller of both one-sided p-values, at most 1,
    also for a measure like the scored AUC, which pairs in the wrong order only keep near 0; for KS
    it is the probability of a distance as large in either direction.

    "exact" counts all arrangements of the labels: for AUC and KS without ties by SciPy, otherwise
    one by one if they are at most ``resamples``. "permutation" draws ``resamples`` of them, and the
    p-value is (1 + those as extreme) / (1 + resamples). "asymptotic" is for AUC, corrected for ties
    and continuity, and for KS, whose p-value ties make too large. "auto" takes, for AUC and KS,
    "exact" for few cases without ties and otherwise "asymptotic"; for other measures "exact" if
    that is possible and otherwise "permutation". An arrangement without a value counts as extreme.

    There are no weights: to deal out labels again has no meaning for cases that differ in weight.

    Args:
        y_true: labels.
        y_score: scores.
        measure: any measure, or its text.
        alternative: "two-sided", "greater" or "less".
        method: "auto", "exact", "asymptotic" or "permutation".
        resamples: how many arrangements are drawn, and up to how many are counted one by one.
        seed: a whole number; the same gives the same p-value.
        pos_label: the label of the positives.
        nan_policy: "raise", or "drop" for cases that lack a value.

    >>> two_sample_test([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.5, 0.4, 0.2, 0.1], "scored_auc").pvalue
    0.2
    """
    chosen = parse(measure)
    read_argument("alternative", alternative, Choice(get_args(Alternative)))
    read_argument("method", method, Choice(get_args(Method)))
    resamples = read_argument("resamples", resamples, COUNT)
    seed = read_seed(seed)
    seeds = np.random.SeedSequence(seed)
    table = read_table(
        y_true, y_score, "two_sample_test", pos_label=pos_label, nan_policy=nan_policy
    )
    value = _value(chosen, table)
    statistic = float(_statistic(chosen, table, alternative))
    used = _usual_method(chosen, table, resamples) if method == "auto" else method
    known, drawn = chosen.name in CLASSICAL, 0
    if known and (used == "asymptotic" or (used == "exact" and not _tied(table))):
        if chosen.name == "auc":
            pvalue = _mann_whitney(table, alternative, used)
        else:
            pvalue, used = _kolmogorov_smirnov(table, alternative, used)
            if method == "exact" != used:
                raise DataError(
                    f"SciPy has no exact distribution of {chosen} for {table.P:g} and {table.N:g} "
                    'cases: take method="asymptotic"'
                )
    else:
        null = np.concatenate(
            [
                _of_arrangements(chosen, table, positives, alternative)
                for positives in _arrangements(chosen, table, used, resamples, seeds)
            ]
        )
        drawn = null.size
        pvalue = _pvalue(chosen, null, statistic, alternative, complete=used == "exact")
    return TwoSampleTest(
        measure=str(chosen),
        value=value,
        statistic=statistic if known else value,
        pvalue=pvalue,
        alternative=alternative,
        method=used,
        n_pos=int(table.P),
        n_neg=int(table.N),
        resamples=drawn,
    )


def _value(measure: Measure, table: ScoreTable) -> float:
    """The observed value; an error if there is none, since then nothing can be tested."""
    if not (table.P and table.N):
        kind = "positive" if table.P else "negative"
        raise DataError(f"all {table.n:g} cases are {kind}: the test needs cases of both classes")
    value = float(measure.quiet_value(table))
    if math.isnan(value):
        raise DataError(
            f"{measure} is undefined on these data ({measure.undefined_when}): there is nothing to "
            "test, take another measure"
        )
    return value


def _statistic(measure: Measure, table: ScoreTable, alternative: str) -> Any:
    """What is compared between arrangements of the labels, for a table or a block."""
    if measure.name == "ks" and alternative != "two-sided":
        gap = table.tpr - table.fpr
        return np.max(gap if alternative == "greater" else -gap, axis=-1)
    value = measure.compute(table)
    return np.rint(2 * value * table.P * table.N) / 2 if measure.name == "auc" else value


def _tied(table: ScoreTable) -> bool:
    return bool(table.score.size < table.n)


def _usual_method(measure: Measure, table: ScoreTable, resamples: int) -> Method:
    """What "auto" stands for."""
    fewer, more = sorted((int(table.P), int(table.N)))
    if measure.name == "auc":
        exact = fewer <= 8 and fewer * more <= EXACT_PAIRS and not _tied(table)
    elif measure.name == "ks":
        exact = more <= EXACT_CASES and not _tied(table)
    else:
        return "exact" if _are_few(table, resamples) else "permutation"
    return "exact" if exact else "asymptotic"


def _classes(table: ScoreTable) -> tuple[Floats, Floats]:
    """The scores of the positives and those of the negatives."""
    pos, neg = (np.repeat(table.score, w.astype(np.int64)) for w in (table.pos, table.neg))
    return pos, neg


def _mann_whitney(table: ScoreTable, alternative: Alternative, method: Known) -> float:
    """The p-value of the AUC."""
    from scipy.stats import mannwhitneyu  # noqa: PLC0415

    if method == "exact" and table.P * table.N > EXACT_PAIRS:
        raise DataError(
            f"an exact test of {table.P:g} times {table.N:g} pairs would take too long: take "
            'method="asymptotic"'
        )
    result = mannwhitneyu(*_classes(table), alternative=alternative, method=method)
    return float(result.pvalue)


def _kolmogorov_smirnov(
    table: ScoreTable, alternative: Alternative, method: Known
) -> tuple[float, Known]:
    """The p-value of KS, and the method by which SciPy could find it."""
    from scipy.stats import ks_2samp  # noqa: PLC0415

    if table.n == 2 and alternative == "two-sided":
        # Both orders of two cases are as extreme; SciPy would divide by 0.
        return 1.0, method
    classes, direction = _classes(table), OF_DISTRIBUTIONS[alternative]
    if method == "exact":
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                result = ks_2samp(*classes, alternative=direction, method="exact")
            return float(result.pvalue), "exact"
        except RuntimeWarning:
            pass
    result = ks_2samp(*classes, alternative=direction, method="asymp")
    return float(result.pvalue), "asymptotic"


def _are_few(table: ScoreTable, most: int) -> bool:
    """Whether there are at most so many arrangements of the labels."""
    n, fewer = int(table.n), int(min(table.P, table.N))
    arrangements = 1
    # The binomial coefficient of large numbers has more digits than anyone wants to wait for.
    for i in range(fewer):
        arrangements = arrangements * (n - i) // (i + 1)
        if arrangements > most:
            return False
    return True


def _arrangements(
    measure: Measure, table: ScoreTable, method: Method, resamples: int, seeds: Seeds
) -> Iterator[Counts]:
    """Blocks of arrangements of the labels, each by the number of positives in the rows."""
    if method == "exact":
        return _all_arrangements(table, resamples)
    if method == "permutation":
        return _random_arrangements(table, resamples, seeds)
    raise DataError(
        f"{measure} has no asymptotic test, only {' and '.join(CLASSICAL)} have one: take "
        'method="permutation"'
    )


def _all_arrangements(table: ScoreTable, most: int) -> Iterator[Counts]:
    """Every arrangement once."""
    if not _are_few(table, most):
        raise DataError(
            f"there are more than {most} arrangements of {table.P:g} positives and {table.N:g} "
            'negatives: take method="permutation", or more resamples'
        )
    cases = table.weight.astype(np.int64)
    rows = cases.size
    row_of_case = np.repeat(np.arange(rows), cases).tolist()
    arrangements = combinations(row_of_case, int(min(table.P, table.N)))
    while block := list(islice(arrangements, max(1, BLOCK_ENTRIES // rows))):
        places = np.array(block) + rows * np.arange(len(block))[:, np.newaxis]
        fewer = np.bincount(places.reshape(-1), minlength=len(block) * rows).reshape(-1, rows)
        yield fewer if table.P <= table.N else cases - fewer


def _random_arrangements(table: ScoreTable, resamples: int, seeds: Seeds) -> Iterator[Counts]:
    """Arrangements at random: the positives are drawn from the cases without putting back.

    Every block has a seed of its own, so that blocks may be drawn in any order.
    """
    cases, positives = table.weight.astype(np.int64), int(table.P)
    # Shuffling takes time with the cases of the smaller class, drawing row by row with the rows.
    by_row = 10 * cases.size < min(table.P, table.N)
    size = max(1, BLOCK_ENTRIES // cases.size)
    sizes = [min(size, resamples - begin) for begin in range(0, resamples, size)]
    for seed, tables in zip(seeds.spawn(len(sizes)), sizes, strict=True):
        yield np.random.default_rng(seed).multivariate_hypergeometric(
            cases, positives, size=tables, method="marginals" if by_row else "count"
        )


def _of_arrangements(
    measure: Measure, table: ScoreTable, positives: Counts, alternative: str
) -> Floats:
    """The statistic of each arrangement in a block."""
    pos = positives.astype(np.float64)
    block = ScoreTable._of(table.score, pos, table.weight - pos)
    return np.broadcast_to(_statistic(measure, block, alternative), pos.shape[:1])


def _pvalue(
    measure: Measure, null: Floats, observed: float, alternative: str, *, complete: bool
) -> float:
    """The share of the arrangements that are as extreme as the observed one.

    Equal values differ by rounding, which is relative to the largest of all. All arrangements have
    the observed one among them; to those that are drawn it is added.
    """
    null, seen = measure.goodness(null), measure.goodness(observed)
    sizes = np.abs(np.append(null, seen))
    slack = ROUNDING * float(np.max(sizes, where=np.isfinite(sizes), initial=0.0))
    above = np.count_nonzero(~(null < seen - slack)) + (not complete)
    below = np.count_nonzero(~(null > seen + slack)) + (not complete)
    total = null.size + (not complete)
    if alternative == "greater" or measure.name == "ks":
        return float(above / total)
    return float(
        below / total if alternative == "less" else min(1.0, 2 * min(above, below) / total)
    )
