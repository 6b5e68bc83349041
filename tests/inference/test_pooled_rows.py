"""Many cases are resampled by pooled rows, where that makes no difference."""

from importlib import import_module

import numpy as np
import pytest
from scipy.integrate import quad

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import Sample
from metameasure.inference.intervals import Plan, measure_intervals
from metameasure.inference.methods.smoothed import Smoothed
from metameasure.inference.pooled_rows import FINE, Pools, Resolution

resampled = import_module("metameasure.inference.methods.bootstrap")
coarse = import_module("metameasure.inference.pooled_rows")
smoothed = import_module("metameasure.inference.methods.smoothed")
NO_POOLS = Resolution(10**9, 10**9)


def drawn(n, seed=1, share=0.3, digits=None):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < share
    score = 1 / (1 + np.exp(-rng.normal(size=n) - label))
    return label, score if digits is None else score.round(digits)


@pytest.fixture
def coarser(monkeypatch):
    """A few thousand cases are pooled as otherwise a million are."""
    monkeypatch.setattr(coarse, "POOLED_FROM", 0)
    monkeypatch.setattr(resampled, "CELLS_FROM", 0)
    monkeypatch.setattr(coarse, "FINE", Resolution(64, 512))


@pytest.mark.parametrize("digits", [None, 3])
@pytest.mark.parametrize("n", [10, 3000, 200_000])
def test_pools_are_small_beside_what_lies_around_them(n, digits):
    table = mm.tabulate(*drawn(n, digits=digits))
    pools = Pools.of(table)
    small = pools.pooled(table)
    assert (small.P, small.N) == (table.P, table.N)
    assert (np.diff(small.score) < 0).all()
    weight = small.weight
    last = np.append(pools.starts[1:], table.score.size)
    several = last - pools.starts > 1
    before = np.cumsum(weight) - weight
    nearer = np.minimum(before + weight, n - before)
    # A row belongs to the pool in which its middle lies, so that half a row may stand out.
    largest = np.maximum.reduceat(table.weight, pools.starts)
    allowed = np.minimum(nearer / FINE.near, n / FINE.middle) + 1 + largest
    assert (weight <= allowed)[several].all()
    if n == 200_000 and digits is None:
        assert 4 * FINE.middle / 5 < pools.starts.size < 2 * FINE.middle
    if n == 10:
        assert pools.whole


def test_a_pool_has_the_mean_score_of_its_cases():
    label, score = drawn(100_000)
    table = mm.tabulate(label, score)
    pools = Pools.of(table)
    first, last = pools.starts[700], pools.starts[701]
    assert last - first > 1
    assert pools.score[700] == pytest.approx(np.mean(np.sort(score)[::-1][first:last]), rel=1e-14)


def test_infinite_scores_stay_alone():
    label, score = drawn(50_000)
    score[:300], score[300:900] = np.inf, -np.inf
    small = Pools.of(mm.tabulate(label, score))
    assert small.score[0] == np.inf
    assert small.score[-1] == -np.inf
    assert np.isfinite(small.score[1:-1]).all()


@pytest.mark.parametrize(
    "text", ["average_precision", "ndcg", "partial_auc", "tpr@fpr=0.02", "calibration_slope"]
)
def test_limits_are_those_of_all_rows(text, monkeypatch, coarser):
    label, score = drawn(3000)
    pooled = mm.interval(label, score, text, method="bca")
    monkeypatch.setattr(coarse, "POOLED_FROM", 10**9)
    whole = mm.interval(label, score, text, method="bca")
    assert pooled.value == whole.value
    assert pooled.low != whole.low
    # Two quantiles of 2000 values lie apart by chance, in widths: 0.02 is one standard deviation.
    width = whole.high - whole.low
    assert pooled.low == pytest.approx(whole.low, abs=0.08 * width)
    assert pooled.high == pytest.approx(whole.high, abs=0.08 * width)


POOLED = [
    measure
    for measure in mm.measures()
    if isinstance(measure.declaration.sampling, mm.Extreme) and measure.declaration.sampling.pooled
]


@pytest.mark.parametrize("measure", POOLED, ids=str)
def test_smoothed_limits_of_a_few_hundred_pools_are_those_of_all_rows(measure, monkeypatch):
    # Both stop drawing at an error of 2% of the width.
    monkeypatch.setattr(smoothed, "PRECISION", 0.0)
    label, score = drawn(4000)
    pooled = mm.interval(label, score, measure)
    monkeypatch.setattr(smoothed, "COARSE", NO_POOLS)
    whole = mm.interval(label, score, measure)
    assert (pooled.value, pooled.resamples) == (whole.value, whole.resamples)
    assert pooled.low != whole.low
    # The limits of 2000 resamples have an error of 1% of the width.
    width = whole.high - whole.low
    assert pooled.low == pytest.approx(whole.low, abs=0.08 * width)
    assert pooled.high == pytest.approx(whole.high, abs=0.08 * width)


def test_smoothed_classes_are_drawn_until_the_limits_are_precise():
    label, score = drawn(600)
    found = mm.interval(label, score, "ks")
    assert 256 <= found.resamples < 2000
    assert mm.interval(label, score, "ks", resamples=100).resamples == 100
    seeds = [mm.interval(label, score, "ks", seed=seed) for seed in range(30)]
    width = np.mean([one.high - one.low for one in seeds])
    # The standard deviation of 30 limits has an error of an eighth.
    for ends in ([one.low for one in seeds], [one.high for one in seeds]):
        assert np.std(ends, ddof=1) < 1.5 * 0.02 * width


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_limits_move_with_the_value_of_the_pools(method, monkeypatch, coarser):
    label, score = drawn(3000)
    pooled = mm.interval(label, score, "average_precision", method=method, stratified=True)
    monkeypatch.setattr(coarse, "POOLED_FROM", 10**9)
    whole = mm.interval(label, score, "average_precision", method=method, stratified=True)
    width = whole.high - whole.low
    assert pooled.low == pytest.approx(whole.low, abs=0.08 * width)
    assert pooled.high == pytest.approx(whole.high, abs=0.08 * width)


@pytest.mark.parametrize("text", ["taks", "abc", "rows_seen"])
def test_what_pooling_would_change_is_resampled_whole(text, monkeypatch, coarser):
    @mm.measure(best="max", range=(0, np.inf))
    def rows_seen(table):
        """The number of distinct scores."""
        return table.distinct

    label, score = drawn(2000)
    found = mm.interval(label, score, text, resamples=200)
    monkeypatch.setattr(coarse, "POOLED_FROM", 10**9)
    assert found == mm.interval(label, score, text, resamples=200)


def test_what_pools_serve_and_what_not_are_found_together(coarser):
    label, score = drawn(2000)
    together = mm.evaluate(label, score, measures="taks, average_precision, ks, mcc", resamples=200)
    for row in together.rows:
        alone = mm.interval(label, score, row.measure, resamples=200)
        assert (row.low, row.high) == (alone.low, alone.high)


def test_a_measure_without_a_value_is_not_served(coarser):
    @mm.measure(best="max", range=(0, 1), undefined="there are resamples")
    def rarely(table):
        """A value of the whole sample only."""
        return np.full(table.shape, np.nan) if table.shape else 0.5

    table = mm.tabulate(*drawn(2000))
    sample = Sample.of_table(table, "m")
    assert Pools.of(table).serve(sample, table, "m", [rarely, mm.auc], Plan()) == [mm.auc]


def test_few_distinct_scores_are_not_pooled_but_drawn_as_rows():
    label, score = drawn(120_000, digits=1)
    table = mm.tabulate(label, score)
    assert Pools.of(table).whole
    options = {"resamples": 500, "method": "bca"}
    by_rows = mm.interval(label, score, "average_precision", **options)
    assert by_rows == mm.interval(table, "average_precision", **options)


@pytest.mark.parametrize("stratified", [False, True])
def test_rows_of_smoothed_classes_are_drawn_like_their_cases(stratified):
    population = Smoothed.of(mm.tabulate(*drawn(900, digits=1)))
    assert population.slots is None
    counts = population.draw(3000, np.random.default_rng(1), stratified=stratified)
    block = population.block("m", counts)
    # Poisson numbers, which are binomial given the number of all cases.
    spread = 0 if stratified else population.sizes[0] ** 0.5
    assert block.P.mean() == pytest.approx(population.sizes[0], rel=0.01)
    assert block.P.std() == pytest.approx(spread, rel=0.08, abs=1e-9)
    expected = population.table.neg / population.table.N
    found = block.neg.sum(axis=0) / block.N.sum()
    assert found == pytest.approx(expected, abs=5 * (expected.max() / block.N.sum()) ** 0.5)


def test_workers_do_not_change_the_numbers_and_progress_only_rises(coarser):
    label, score = drawn(2000)
    sample = Sample.of(Predictions.of(label, {"m": score}))
    asked = {"m": [mm.ks, mm.average_precision, mm.taks, mm.lift]}
    reported = []
    one = measure_intervals(sample, asked, Plan(resamples=100, workers=1), reported.append)
    assert one == measure_intervals(sample, asked, Plan(resamples=100, workers=2))
    assert reported == sorted(reported)
    assert reported[-1] == 1


def test_weighted_cases_are_never_pooled(monkeypatch, coarser):
    label, score = drawn(600)
    options = {"sample_weight": np.full(600, 2.0), "resamples": 100, "method": "bca"}
    found = mm.interval(label, score, "average_precision", **options)
    monkeypatch.setattr(coarse, "POOLED_FROM", 10**9)
    assert found == mm.interval(label, score, "average_precision", **options)


@pytest.mark.parametrize(
    ("near", "middle", "n"), [(4, 20, 1000.0), (48, 384, 5000.0), (8, 64, 30.0)]
)
def test_the_number_of_pools_is_that_of_their_sizes(near, middle, n):
    """A pool at some distance from the end has a fraction of the cases up to there, and of all."""
    cases = np.array([0.5, 3.0, 7.9, 60.0, 200.0, 500.0])
    cases = cases[cases <= n / 2]
    found = Resolution(near, middle).pools_within(cases, n)
    for place, end in enumerate(cases):
        expected, _ = quad(
            lambda at: 1 / max(1, min(at / near, n / middle)),
            0,
            end,
            points=[p for p in (near, near * n / middle) if p < end] or None,
        )
        assert found[place] == pytest.approx(expected, rel=1e-6)


def test_changes_agree_that_differ_by_a_tenth_of_their_spread():
    whole = np.array([1.0, -1.0, 1.0, -1.0])
    assert coarse.agree(whole, whole + 0.1)
    assert not coarse.agree(whole, whole + 0.101)
    assert coarse.agree(1 + whole, 1.09 + whole)
    # The root of the mean square: 0.19 for one of four cases.
    assert coarse.agree(whole, whole + np.array([0.19, 0, 0, 0]))
    assert not coarse.agree(whole, whole + np.array([0.21, 0, 0, 0]))
    # Changes that are undefined for both are left out; for one of them they differ.
    undefined = np.append(whole, np.nan)
    assert coarse.agree(undefined, undefined)
    assert not coarse.agree(undefined, np.append(whole, 1.0))
    assert not coarse.agree(np.full(3, np.nan), np.full(3, np.nan))
    assert coarse.agree(np.zeros(4), np.full(4, 0.5e-12))
    assert not coarse.agree(np.zeros(4), np.full(4, 2e-12))


@pytest.mark.parametrize(("shift", "noise", "served"), [(0.3, 0.0, True), (0.0, 0.3, False)])
def test_pools_may_move_a_value_but_not_change_how_it_varies(shift, noise, served):
    rng = np.random.default_rng(5)

    @mm.measure(best="max", range=(-9, 9))
    def moved(table):
        """The AUC, changed if rows are pooled."""
        pooled = table.score.shape[-1] < 2000
        return mm.auc.compute(table) + pooled * (shift + noise * rng.normal())

    table = mm.tabulate(*drawn(2000))
    sample, pools = Sample.of_table(table, "m"), Pools.of(table, Resolution(16, 128))
    assert not pools.whole
    assert (pools.serve(sample, table, "m", [moved], Plan()) == [moved]) is served


@pytest.mark.parametrize("n", [500, 5000, 20_001])
def test_both_ends_of_a_ranking_have_the_same_pools(n):
    half = np.arange(n, 0.0, -1.0)
    starts = Pools.of(mm.ScoreTable(half, np.ones(n), np.ones(n)), Resolution(16, 128)).starts
    sizes = np.diff(np.append(starts, n))
    first, second = np.count_nonzero(starts < n / 2), np.count_nonzero(starts >= n / 2)
    assert abs(first - second) <= 2
    # A pool begins where its number from the ends is an integer, give or take a case.
    few = sizes.size // 3
    assert np.abs(sizes[:few] - sizes[::-1][:few]).max() <= 1
