"""Two-sample tests by a measure: whether the scores of positives and negatives differ.

Under the null hypothesis all permutations of the labels are equally likely. For the AUC this is
the Mann-Whitney test, for KS the Kolmogorov-Smirnov test; for other measures labels are permuted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

import numpy as np

from metameasure._arguments import Choice, read_argument, read_resamples, read_seed
from metameasure.data import UnweightedOptions, after_data, read_one_table, takes_models
from metameasure.errors import Argument, DataError, ParameterError
from metameasure.inference.permutation import (
    MeasureTest,
    Tally,
    all_labels,
    are_few,
    counted,
    random_labels,
)
from metameasure.inference.resampling import SEED
from metameasure.measurement import Measure, Side, is_measure, parse
from metameasure.progress import reporting
from metameasure.results import SingleRow
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from metameasure._types import Floats
    from metameasure.progress import Progress


Method = Literal["auto", "exact", "asymptotic", "permutation"]

BLOCK_ENTRIES = 2**17
"""Number of entries of a block of tables."""


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


@takes_models(UnweightedOptions)
def two_sample_test(
    y_true: Any,
    scores: Any = None,
    measure: str | Measure | None = None,
    *,
    alternative: Side = "two-sided",
    method: Method = "auto",
    resamples: int = 9999,
    seed: int | None = SEED,
    progress: bool | Progress | None = True,
    **data: Unpack[UnweightedOptions],
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

    Weights are not supported: cases of different weight are not exchangeable. Those of a score
    table must be counts.

    Args:
        scores: the scores, or the name of their column in a data frame or file.
        measure: any measure, or its text, by default the AUC; directly after data that have their
            scores: ``two_sample_test(table, "ks")``.
        alternative: "two-sided", "greater" or "less".
        method: "auto", "exact", "asymptotic" or "permutation".
        resamples: the number of permutations that are drawn, or at most counted one by one.
        seed: the seed of the random numbers.
        progress: whether work of more than two seconds shows its progress on standard error, or a
            function that is called with the fraction that is done.

    >>> two_sample_test([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.5, 0.4, 0.2, 0.1], "scored_auc").pvalue
    0.2
    """
    if measure is None and not isinstance(scores, (str, Measure)):
        measure = "auc"
    given = (y_true, scores, measure)
    score = data.get("score")
    scores, measure = after_data(
        *("two_sample_test", "measure", "auc", given, Measure, score, is_measure)
    )
    chosen = parse(measure)
    read_argument("alternative", alternative, Choice(get_args(Side)))
    read_argument("method", method, Choice(get_args(Method)))
    resamples = read_resamples(resamples)
    seeds = np.random.SeedSequence(read_seed(seed))
    table = _read(y_true, scores, data)
    value, test = _value(chosen, table), MeasureTest(chosen, alternative)
    known = chosen.declaration.null
    used: str = method
    drawn = 0
    if used == "auto":
        few = are_few(int(table.P), int(table.N), resamples)
        used = known.automatic(table) if known else "exact" if few else "permutation"
    if known and known.serves(used, table):
        pvalue, used = known.pvalue(table, alternative, used)
        if method not in {"auto", used}:
            raise DataError(
                f"SciPy has no {method} test by {chosen} for {table.P:g} and {table.N:g} cases",
                remedy=("use ", Argument("method", used)),
            )
    elif used not in PERMUTED:
        raise ParameterError(
            (Argument("method", used), f" does not apply to {chosen}"),
            remedy=("use ", Argument("method", "permutation")),
        )
    else:
        labels, complete = PERMUTED[used](table, resamples, seeds)
        with reporting(progress, f"two_sample_test: {resamples} permutations") as report:
            null = _null_statistics(test, table, labels, resamples, report)
        drawn = null.size
        pvalue = _pvalue(test, null, float(test.statistic.of(table)), complete=complete)
    return TwoSampleTest(
        measure=str(chosen),
        value=value,
        statistic=known.statistic(value, table, alternative) if known else value,
        pvalue=pvalue,
        alternative=alternative,
        method=used,
        n_pos=int(table.P),
        n_neg=int(table.N),
        resamples=drawn,
    )


def _read(y_true: Any, scores: Any, data: UnweightedOptions) -> ScoreTable:
    """The table of one model, whose weights are numbers of cases."""
    table = read_one_table(y_true, scores, "two_sample_test", stacklevel=4, **data)
    if table.shape:
        raise DataError("a two-sample test needs one table, got a block of tables")
    if any(np.any(count != np.floor(count)) for count in (table.pos, table.neg)):
        raise DataError(
            "the weights in the score table are not counts, but a two-sample test needs cases of "
            "equal weight",
            remedy=("pass ", Argument("y_true"), " and ", Argument("scores"), " without weights"),
        )
    return table


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


def _enumerated(
    table: ScoreTable,
    resamples: int,
    seeds: np.random.SeedSequence,  # noqa: ARG001 - for those that are drawn
) -> tuple[Iterator[Floats], bool]:
    """Blocks of all permutations of the labels, as the numbers of positives per row."""
    cases, positives = table.weight.astype(np.int64), int(table.P)
    if not are_few(positives, int(table.N), resamples):
        raise ParameterError(
            f"there are more than {resamples} permutations of {table.P:g} positives and "
            f"{table.N:g} negatives",
            remedy=("use ", Argument("method", "permutation"), " or more ", Argument("resamples")),
        )
    return all_labels(cases, positives, BLOCK_ENTRIES), True


def _drawn(
    table: ScoreTable, resamples: int, seeds: np.random.SeedSequence
) -> tuple[Iterator[Floats], bool]:
    """Blocks of random permutations of the labels; they are not complete."""
    cases, positives = table.weight.astype(np.int64), int(table.P)
    size = max(1, BLOCK_ENTRIES // cases.size)
    # The time of shuffling grows with the smaller class, that of drawing by row with the rows.
    by_row = bool(10 * cases.size < min(table.P, table.N))
    sizes = [min(size, resamples - begin) for begin in range(0, resamples, size)]
    # Every block has its own seed, so that blocks could be drawn in any order.
    blocks = (
        random_labels(tables, cases, positives, np.random.default_rng(seed), by_row=by_row)
        for seed, tables in zip(seeds.spawn(len(sizes)), sizes, strict=True)
    )
    return blocks, False


PERMUTED = {"exact": _enumerated, "permutation": _drawn}
"""The methods that permute labels: their blocks, and whether these are all permutations."""


def _null_statistics(
    test: MeasureTest,
    table: ScoreTable,
    labels: Iterator[Floats],
    resamples: int,
    progress: Progress | None,
) -> Floats:
    """The statistics of all permutations, of which there are at most ``resamples``."""
    parts: list[Floats] = []
    done = 0
    for positives in labels:
        parts.append(_statistics(test, table, positives))
        done += len(positives)
        if progress:
            progress(done / resamples)
    return np.concatenate(parts)


def _statistics(test: MeasureTest, table: ScoreTable, positives: Floats) -> Floats:
    """The statistic of each permutation in a block."""
    block = ScoreTable.of_weights(table.score, positives, table.weight - positives)
    return np.broadcast_to(test.statistic.of(block), positives.shape[:1])


def _pvalue(test: MeasureTest, null: Floats, observed: float, *, complete: bool) -> float:
    """The fraction of the permutations that are at least as extreme as the observed labels.

    All permutations include the observed one; to those that are drawn it is added.
    """
    above, at, below = counted(null, np.array([observed]))
    more = 0 if complete else 1
    return Tally(above, at + more, below, null.size + more).pvalue(test.tails(1.0))
