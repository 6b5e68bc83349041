"""Two-sample tests by a measure: whether the scores of positives and negatives differ.

Under the null hypothesis all permutations of the labels are equally likely. For the AUC this is
the Mann-Whitney test, for KS the Kolmogorov-Smirnov test; for other measures labels are permuted.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from metameasure._arguments import COUNT, Choice, read_argument, read_seed
from metameasure.data import NanPolicy, read_table
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference.permutation import (
    MeasureTest,
    Side,
    Tally,
    all_labels,
    are_few,
    counted,
    random_labels,
)
from metameasure.inference.plan import SEED
from metameasure.measurement import Measure, parse
from metameasure.results import SingleRow
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from metameasure._types import Floats


Method = Literal["auto", "exact", "asymptotic", "permutation"]
Known = Literal["exact", "asymptotic"]

OF_DISTRIBUTIONS: dict[Side, Side] = {
    "two-sided": "two-sided",
    "greater": "less",
    "less": "greater",
}
"""The alternatives in SciPy's terms: larger scores have the lower distribution function."""

BLOCK_ENTRIES = 2**17
"""Number of entries of a block of tables."""

EXACT_PAIRS = 20_000
"""Number of pairs up to which the distribution of U is computed, in at most half a second."""

EXACT_CASES = 10_000
"""Number of cases per class up to which SciPy's exact distribution of the distance is used."""


@dataclass(frozen=True)
class TwoSampleTest(SingleRow):
    """The value of a measure, and the p-value of the hypothesis that labels are random.

    Attributes:
        statistic: U for the AUC, the distance in the direction of the alternative for KS, and
            the value for any other measure.
        method: how the p-value was computed: "exact", "asymptotic" or "permutation".
        resamples: the number of permutations; 0 if the labels were not permuted.
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
    alternative: Side = "two-sided",
    method: Method = "auto",
    resamples: int = 9999,
    seed: int | None = SEED,
    pos_label: Any = None,
    nan_policy: NanPolicy = "raise",
) -> TwoSampleTest:
    """Test whether a measure is better than, or differs from, its value for random labels.

    "greater" means that the measure is better than chance, by the measure's own direction: a
    higher AUC, a lower log loss, a slope nearer to 1. For KS, which has no sign, it means that the
    positives score higher. "two-sided" is twice the smaller of both one-sided p-values, at most 1;
    for KS it is the probability of a distance at least as large in either direction.

    "exact" counts all permutations of the labels: for AUC and KS without ties by SciPy, otherwise
    one by one if there are at most ``resamples``. "permutation" draws ``resamples`` of them, and
    the p-value is (1 + number of those at least as extreme) / (1 + resamples). "asymptotic" is for
    AUC, corrected for ties and continuity, and for KS, where it is conservative with ties. "auto"
    is, for AUC and KS, "exact" for few cases without ties and otherwise "asymptotic"; for other
    measures "exact" if that is possible and otherwise "permutation". A permutation without a value
    counts as extreme.

    Weights are not supported: cases of different weight are not exchangeable.

    Args:
        y_true: labels.
        y_score: scores.
        measure: any measure, or its text.
        alternative: "two-sided", "greater" or "less".
        method: "auto", "exact", "asymptotic" or "permutation".
        resamples: the number of permutations that are drawn, or at most counted one by one.
        seed: the seed of the random numbers.
        pos_label: the label of the positives.
        nan_policy: "raise", or "drop" to drop cases with missing values.

    >>> two_sample_test([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.5, 0.4, 0.2, 0.1], "scored_auc").pvalue
    0.2
    """
    chosen = parse(measure)
    read_argument("alternative", alternative, Choice(get_args(Side)))
    read_argument("method", method, Choice(get_args(Method)))
    resamples = read_argument("resamples", resamples, COUNT)
    seeds = np.random.SeedSequence(read_seed(seed))
    table = read_table(
        y_true, y_score, "two_sample_test", pos_label=pos_label, nan_policy=nan_policy
    )
    value, test = _value(chosen, table), MeasureTest(chosen, alternative)
    known = KNOWN.get(chosen.declaration.null or "")
    used, drawn = method, 0
    if used == "auto" and known:
        used = "exact" if known.is_exact(table) else "asymptotic"
    elif used == "auto":
        used = "exact" if are_few(int(table.P), int(table.N), resamples) else "permutation"
    if known and (used == "asymptotic" or (used == "exact" and not _tied(table))):
        pvalue, used = known.pvalue(table, alternative, used)
        if method == "exact" != used:
            raise DataError(
                f"SciPy has no exact test by {chosen} for {table.P:g} and {table.N:g} cases",
                remedy=("use ", Argument("method", "asymptotic")),
            )
    else:
        labels = _permuted(chosen, table, used, resamples, seeds)
        null = np.concatenate([_statistics(test, table, positives) for positives in labels])
        drawn = null.size
        pvalue = _pvalue(test, null, float(test.statistic.of(table)), complete=used == "exact")
    return TwoSampleTest(
        measure=str(chosen),
        value=value,
        statistic=known.statistic(test, table) if known else value,
        pvalue=pvalue,
        alternative=alternative,
        method=used,
        n_pos=int(table.P),
        n_neg=int(table.N),
        resamples=drawn,
    )


def _value(measure: Measure, table: ScoreTable) -> float:
    """The observed value; an error if it is undefined."""
    if not (table.P and table.N):
        kind = "positive" if table.P else "negative"
        raise DataError(f"all {table.n:g} cases are {kind}, but the test needs both classes")
    value = float(measure.quiet_value(table))
    if math.isnan(value):
        raise DataError(
            f"{measure} is undefined on these data ({measure.undefined_when})",
            remedy="use another measure",
        )
    return value


def _tied(table: ScoreTable) -> bool:
    return bool(table.score.size < table.n)


class MannWhitney:
    """The null distribution of the AUC."""

    def statistic(self, test: MeasureTest, table: ScoreTable) -> float:
        """U, the number of pairs in the right order."""
        return float(np.rint(2 * test.measure.compute(table) * table.P * table.N) / 2)

    def is_exact(self, table: ScoreTable) -> bool:
        """Whether "auto" is the exact test."""
        few = min(table.P, table.N) <= 8 and table.P * table.N <= EXACT_PAIRS
        return bool(few and not _tied(table))

    def pvalue(self, table: ScoreTable, side: Side, method: Known) -> tuple[float, Known]:
        """The p-value by SciPy, and the method."""
        from scipy.stats import mannwhitneyu  # noqa: PLC0415

        if method == "exact" and table.P * table.N > EXACT_PAIRS:
            raise ParameterError(
                f"an exact test of {table.P:g} times {table.N:g} pairs would take too long",
                remedy=("use ", Argument("method", "asymptotic")),
            )
        result = mannwhitneyu(*_classes(table), alternative=side, method=method)
        return float(result.pvalue), method


class KolmogorovSmirnov:
    """The null distribution of the distance between the classes' distribution functions."""

    def statistic(self, test: MeasureTest, table: ScoreTable) -> float:
        """The distance in the direction of the alternative."""
        return float(test.statistic.of(table))

    def is_exact(self, table: ScoreTable) -> bool:
        """Whether "auto" is the exact test."""
        return bool(max(table.P, table.N) <= EXACT_CASES and not _tied(table))

    def pvalue(self, table: ScoreTable, side: Side, method: Known) -> tuple[float, Known]:
        """The p-value by SciPy, and the method by which it could be computed."""
        from scipy.stats import ks_2samp  # noqa: PLC0415

        if table.n == 2 and side == "two-sided":
            # Both orders of two cases are equally extreme; SciPy would divide by 0.
            return 1.0, method
        classes, direction = _classes(table), OF_DISTRIBUTIONS[side]
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


KNOWN: dict[str, MannWhitney | KolmogorovSmirnov] = {
    "mann_whitney": MannWhitney(),
    "kolmogorov_smirnov": KolmogorovSmirnov(),
}
"""The null distributions that measures declare."""


def _classes(table: ScoreTable) -> tuple[Floats, Floats]:
    """The scores of the positives and those of the negatives."""
    pos, neg = (np.repeat(table.score, w.astype(np.int64)) for w in (table.pos, table.neg))
    return pos, neg


def _permuted(
    measure: Measure,
    table: ScoreTable,
    method: Method,
    resamples: int,
    seeds: np.random.SeedSequence,
) -> Iterator[Floats]:
    """Blocks of permutations of the labels, as the numbers of positives per row."""
    if method == "asymptotic":
        raise ParameterError(
            (Argument("method", method), f" does not apply to {measure}"),
            remedy=("use ", Argument("method", "permutation")),
        )
    cases, positives = table.weight.astype(np.int64), int(table.P)
    size = max(1, BLOCK_ENTRIES // cases.size)
    if method == "permutation":
        # The time of shuffling grows with the smaller class, that of drawing by row with the rows.
        by_row = bool(10 * cases.size < min(table.P, table.N))
        sizes = [min(size, resamples - begin) for begin in range(0, resamples, size)]
        # Every block has its own seed, so that blocks could be drawn in any order.
        for seed, tables in zip(seeds.spawn(len(sizes)), sizes, strict=True):
            yield random_labels(
                tables, cases, positives, np.random.default_rng(seed), by_row=by_row
            )
        return
    if not are_few(positives, int(table.N), resamples):
        raise ParameterError(
            f"there are more than {resamples} permutations of {table.P:g} positives and "
            f"{table.N:g} negatives",
            remedy=("use ", Argument("method", "permutation"), " or more ", Argument("resamples")),
        )
    yield from all_labels(cases, positives, BLOCK_ENTRIES)


def _statistics(test: MeasureTest, table: ScoreTable, positives: Floats) -> Floats:
    """The statistic of each permutation in a block."""
    block = ScoreTable._of(table.score, positives, table.weight - positives)
    return np.broadcast_to(test.statistic.of(block), positives.shape[:1])


def _pvalue(test: MeasureTest, null: Floats, observed: float, *, complete: bool) -> float:
    """The fraction of the permutations that are at least as extreme as the observed labels.

    All permutations include the observed one; to those that are drawn it is added.
    """
    above, at, below = counted(null, np.array([observed]))
    more = 0 if complete else 1
    return Tally(above, at + more, below, null.size + more).pvalue(test.tails(1.0))
