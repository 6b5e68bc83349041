"""Coarse tables: buckets that do not overlap, their sums, and how they are joined and merged."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from metameasure.kernels import cells, compiled, keys_of, plain
from metameasure.table import CoarseTable

NO_ROWS = CoarseTable(np.zeros((0, 10)), counts=True)
SCORES = st.one_of(
    st.sampled_from([0.0, 0.25, 0.5, 0.5 + 2**-52, 0.75, 1.0]),
    st.floats(0, 1),
    st.floats(allow_nan=False).map(lambda s: s + 0.0),
)
LISTS = st.lists(st.tuples(st.booleans(), SCORES), min_size=1, max_size=60)


def absorbed(coarse, cases, weights=None):
    """The table with more cases of weight 1, or of other weights."""
    scores = [sorted(s for y, s in cases if y == label) for label in (True, False)]
    return coarse.absorbed(*(np.array(some, float) for some in scores), weights)


def of_cases(cases, buckets):
    return absorbed(NO_ROWS, cases).reduced(buckets)


def assert_in_order(coarse):
    """Buckets do not overlap, from the highest to the lowest, and their cells do not either."""
    assert (coarse.highest >= coarse.lowest).all()
    low, high = cells(coarse.rows)
    assert (low <= coarse.lowest).all()
    assert (coarse.highest <= high).all()
    assert (high[1:] < low[:-1]).all()


def counted(coarse, cases):
    """Each bucket has the cases between its ends."""
    for place in range(coarse.highest.size):
        for label, weight in ((True, coarse.pos[place]), (False, coarse.neg[place])):
            inside = [s for y, s in cases if coarse.lowest[place] <= s <= coarse.highest[place]]
            assert weight == sum(
                y == label and coarse.lowest[place] <= s <= coarse.highest[place] for y, s in cases
            )
        assert {coarse.lowest[place], coarse.highest[place]} <= set(inside)
    assert coarse.n == len(cases)


@given(LISTS, st.integers(1, 20))
def test_buckets_hold_the_cases_between_their_ends(cases, buckets):
    coarse = of_cases(cases, buckets)
    assert coarse.highest.size <= buckets
    assert_in_order(coarse)
    counted(coarse, cases)


@given(LISTS, LISTS, st.integers(1, 20), st.integers(1, 20))
def test_later_cases_and_merged_tables_are_counted_once(cases, others, buckets, more):
    coarse = absorbed(of_cases(cases, buckets), others)
    assert_in_order(coarse)
    counted(coarse, [*cases, *others])
    merged = of_cases(cases, buckets).merged(of_cases(others, more))
    assert_in_order(merged)
    counted(merged, [*cases, *others])


def test_tables_of_different_data_do_not_collapse_when_merged():
    rng = np.random.default_rng(3)
    parts = [
        of_cases(list(zip(rng.random(4000) < 0.5, rng.random(4000), strict=True)), 200)
        for _ in range(8)
    ]
    merged = parts[0]
    for part in parts[1:]:
        merged = merged.merged(part)
    low, high = mm.auc.bounds(merged)
    assert high - low < 0.02


@pytest.mark.parametrize("weighted", [False, True])
@given(data=st.data())
def test_absorbing_twins(weighted, data):
    rows = of_cases(data.draw(LISTS), data.draw(st.integers(1, 9))).rows
    pos, neg = (np.array(sorted(s for y, s in data.draw(LISTS) if y)) for _ in range(2))
    unit = np.empty(0)
    weights = (1.0 + np.arange(pos.size), 0.5 + np.arange(neg.size)) if weighted else (unit, unit)
    one, other = (
        module.absorb_cases(rows, *cells(rows), pos, neg, *weights)[0]
        for module in (plain, compiled)
    )
    assert one.shape == other.shape
    assert np.array_equal(one[:, :2], other[:, :2])
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(one[:, 2:], other[:, 2:], rtol=1e-12, atol=1e-12)


@given(LISTS, st.data())
def test_joining_twins(cases, data):
    coarse = of_cases(cases, data.draw(st.integers(1, 40)))
    rows = absorbed(coarse, data.draw(LISTS)).rows
    heads = np.array([True, *(data.draw(st.booleans()) for _ in rows[1:])])
    one, other = (module.group_rows(rows, heads) for module in (plain, compiled))
    assert np.array_equal(one[:, :4], other[:, :4])
    np.testing.assert_allclose(one[:, 4:], other[:, 4:], rtol=1e-12, atol=1e-12)
    columns = (np.ascontiguousarray(column) for column in (rows[:, 1], rows[:, 0], *rows.T[2:4]))
    low, high, pos, neg = columns
    pos *= data.draw(st.sampled_from([1.0, 1e30])) ** (np.arange(pos.size) % 7 == 3)
    ends = keys_of(low), keys_of(high)
    one, other = (module.join_costs(*ends, pos, neg) for module in (plain, compiled))
    np.testing.assert_allclose(one, other, rtol=1e-12)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=60))
def test_sums_are_those_of_the_cases(cases):
    coarse = of_cases(cases, 3)
    lost = math.fsum((y - s) ** 2 for y, s in cases)
    low, high = coarse.total(2, 3)
    assert low <= lost <= high
    assert high - low <= 1e-12 * len(cases)
    assert coarse.total(0)[0] <= math.fsum(s for y, s in cases if y) <= coarse.total(0)[1]


def test_the_rows_with_the_smallest_shares_are_joined():
    table = mm.ScoreTable([0.9, 0.6, 0.55, 0.3, 0.29], [5, 1, 1, 9, 1], [1, 1, 1, 1, 1])
    coarse = CoarseTable.of(table).reduced(4)
    assert coarse.highest.tolist() == [0.9, 0.6, 0.3, 0.29]
    assert coarse.lowest.tolist() == [0.9, 0.55, 0.3, 0.29]


def test_a_heavy_tie_stays_exact():
    cases = [(True, 0.5)] * 500 + [(False, 0.5)] * 300 + [(k % 2 == 0, k / 997) for k in range(900)]
    coarse = of_cases(cases, 20)
    (tie,) = np.flatnonzero(coarse.highest == 0.5)
    assert coarse.lowest[tie] == 0.5
    assert (coarse.pos[tie], coarse.neg[tie]) == (500, 300)


def test_one_class_alone_does_not_collapse():
    cases = [(True, k / 997) for k in range(900)]
    coarse = of_cases(cases, 64)
    assert coarse.highest.size > 30
    assert coarse.pos.max() < 60


def test_the_exact_table_and_the_error_where_there_is_none():
    table = mm.ScoreTable([0.9, 0.6, 0.3], [2, 1, 0], [0, 1, 3])
    coarse = CoarseTable.of(table)
    assert coarse.exact
    assert coarse.table == coarse.best == coarse.worst == table
    pooled = coarse.pooled([2])
    assert not pooled.exact
    with pytest.raises(mm.DataError, match=r"1 of 2 buckets have more than one score.*mm.bounds"):
        _ = pooled.table
    with pytest.raises(mm.DataError, match="one table, got a block"):
        CoarseTable.of(mm.tabulate_lists([1, 0], [[0.1, 0.2], [0.3, 0.4]]))
    with pytest.raises(mm.ParameterError, match="must be an Accumulator, a CoarseTable or a Score"):
        mm.auc.bounds([0.3, 0.4])


def test_scores_outside_the_unit_interval_are_refused_where_they_have_no_meaning():
    coarse = CoarseTable.of(mm.tabulate([1, 0, 1], [3.0, 0.4, -1.0])).pooled([])
    with pytest.raises(mm.DataError, match=r"brier needs scores in \[0, 1\]"):
        mm.brier.bounds(coarse)
    assert mm.auc.bounds(coarse) == (0.0, 1.0)


def test_an_undefined_measure_warns():
    coarse = CoarseTable.of(mm.tabulate([1, 1, 1], [0.3, 0.4, 0.5])).pooled([])
    with pytest.warns(mm.UndefinedMeasureWarning, match="auc is undefined: a class is empty") as w:
        assert all(map(math.isnan, mm.auc.bounds(coarse)))
    assert w[0].filename == __file__


def test_a_weighted_mean_of_measures_has_bounds_and_a_two_level_measure_none():
    coarse = CoarseTable.of(mm.tabulate([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2])).pooled([2])
    parts = [mm.auc.bounds(coarse), mm.accuracy.bounds(coarse)]
    mean = mm.linear("auc", "accuracy", alpha=0.25).bounds(coarse)
    assert mean == pytest.approx([0.25 * a + 0.75 * b for a, b in zip(*parts, strict=True)])
    with pytest.raises(mm.ParameterError, match="has no bounds"):
        mm.two_level("auc", "accuracy").bounds(coarse)
    with pytest.raises(mm.ParameterError, match="has no bounds"):
        mm.linear("auc", "abc").bounds(coarse)
    with pytest.raises(mm.ParameterError, match="has no bounds"):
        mm.average_precision.using(interpolation="trapezoid").bounds(coarse)


def test_a_users_measure_declares_its_bounds():
    @mm.measure(at=0.5, range=(-1, 1), bounds=mm.between_orders)
    def bounded_informedness(cut):
        """TPR - FPR."""
        return cut.tpr - cut.fpr

    coarse = CoarseTable.of(mm.tabulate([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2])).pooled([1, 3])
    assert bounded_informedness.bounds(coarse) == pytest.approx((0.0, 1.0))
    with pytest.raises(mm.ParameterError, match="bounds must be a function"):
        mm.measure(bounds=3)
