"""Tests of models over folds and over data sets, against their definitions and SciPy."""

import json
import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import metameasure as mm
from metameasure.inference.folds import corrected_t, differences
from metameasure.inference.multiple_datasets import (
    _averages_left_out,
    friedman_test,
    nemenyi,
    sign_test,
    wilcoxon_test,
)
from oracles import tests_of_models as oracle

# Hundredths, whose differences floats get wrong in the last digit.
VALUES = st.integers(0, 40).map(lambda k: k / 100)
PAIRS = st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=9)
TABLES = st.tuples(st.integers(2, 6), st.integers(2, 5)).flatmap(
    lambda shape: st.lists(
        st.lists(VALUES, min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)
SIMULATED = 500


def close(right):
    return pytest.approx(float(right), rel=1e-10, abs=1e-10)


def exact(pairs):
    """The differences of pairs of hundredths."""
    return [Fraction(round(100 * a) - round(100 * b), 100) for a, b in pairs]


def columns(pairs):
    return [a for a, _ in pairs], [b for _, b in pairs]


def share_rejected(test, *, seed):
    """How often a test of random data has a p-value of 5% or less."""
    rng = np.random.default_rng(seed)
    return np.mean([test(rng) <= 0.05 for _ in range(SIMULATED)])


# ------------------------------------------------------------------------------ folds


@given(PAIRS.filter(lambda p: len(p) > 1), st.integers(1, 99))
def test_corrected_t_is_its_definition(pairs, n_test):
    d = exact(pairs)
    found = corrected_t(*columns(pairs), n_train=100 - n_test, n_test=n_test)
    assert found.difference == close(sum(d) / len(d))
    assert found.df == len(d) - 1
    if len(set(d)) > 1:
        squared = oracle.corrected_t_squared(d, Fraction(100 - n_test), Fraction(n_test))
        assert found.statistic**2 == close(squared)
        assert math.copysign(1, found.statistic) == math.copysign(1, found.difference)
        assert found.pvalue == close(2 * stats.t.sf(abs(found.statistic), found.df))


def test_the_correction_of_the_paired_t_test():
    a, b = [0.81, 0.84, 0.79, 0.88], [0.78, 0.80, 0.80, 0.82]
    plain = stats.ttest_rel(a, b)
    found = corrected_t(a, b, n_train=150, n_test=50)
    assert found.statistic == close(plain.statistic * math.sqrt((1 / 4) / (1 / 4 + 1 / 3)))
    plain_limits = plain.confidence_interval(0.9)
    wider = corrected_t(a, b, n_train=150, n_test=50, ci=0.9)
    stretch = math.sqrt((1 / 4 + 1 / 3) / (1 / 4))
    assert wider.high - wider.low == close((plain_limits.high - plain_limits.low) * stretch)
    assert (wider.low + wider.high) / 2 == close(wider.difference)


def test_limits_of_the_corrected_t_end_where_the_test_rejects():
    a, b = np.array([0.81, 0.84, 0.79, 0.88]), np.array([0.78, 0.80, 0.80, 0.82])
    found = corrected_t(a, b, n_train=3, n_test=1)
    for limit in (found.low, found.high):
        assert corrected_t(a - limit, b, n_train=3, n_test=1).pvalue == pytest.approx(0.05)


def test_equal_differences():
    none = corrected_t([0.3, 0.6], [0.1 + 0.2, 0.6], n_train=2, n_test=1)
    assert (none.difference, none.low, none.high) == (0, 0, 0)
    assert (none.pvalue, none.statistic) == (1, 0)
    same = corrected_t([0.7, 0.6, 0.5], [0.8, 0.7, 0.6], n_train=2, n_test=1)
    assert (same.difference, same.low, same.high) == (-0.1, -0.1, -0.1)
    assert (same.pvalue, same.statistic) == (0, -math.inf)


def test_corrected_t_holds_its_level_when_splits_correlate_as_it_assumes():
    folds, n_train, n_test = 10, 90, 10
    shared = n_test / (n_train + n_test)

    def pvalue(rng):
        d = math.sqrt(shared) * rng.normal() + math.sqrt(1 - shared) * rng.normal(size=folds)
        return corrected_t(d, np.zeros(folds), n_train=n_train, n_test=n_test).pvalue

    assert 0.025 <= share_rejected(pvalue, seed=1) <= 0.08


@pytest.mark.parametrize(
    ("error", "a", "b", "options", "words"),
    [
        (
            mm.DataError,
            [0.1, math.nan, 0.2],
            [0.1, 0.2, 0.3],
            {},
            "1 of 3 values of a .* at fold 1",
        ),
        (mm.DataError, [0.1, 0.2], [0.1, math.inf], {}, "values of b .* at fold 1"),
        (mm.DataError, [0.1, 0.2], [0.1, None], {}, "values of b .* at fold 1"),
        (mm.DataError, [0.1, 0.2, 0.3], [0.1, 0.2], {}, "a and b differ in length: 3 and 2"),
        (mm.DataError, [0.1], [0.2], {}, "at least two folds, got 1"),
        (mm.DataError, [], [], {}, "a and b are empty"),
        (mm.DataError, ["x", "y"], [0.1, 0.2], {}, "real numbers, got 'x'"),
        (mm.ParameterError, [0.1, 0.2], [0.2, 0.3], {"n_test": 0}, "n_test must be > 0, got 0"),
        (
            mm.ParameterError,
            [0.1, 0.2],
            [0.2, 0.3],
            {"n_train": math.nan},
            "n_train must be > 0, got nan",
        ),
        (mm.ParameterError, [0.1, 0.2], [0.2, 0.3], {"ci": 95}, r"ci must be in \(0, 1\), got 95"),
    ],
)
def test_bad_folds(error, a, b, options, words):
    with pytest.raises(error, match=words):
        corrected_t(a, b, **{"n_train": 90, "n_test": 10, **options})


# ------------------------------------------------------------------------- differences


@given(PAIRS)
def test_differences_are_those_of_the_decimals(pairs):
    found = differences(*columns(pairs), "data set")
    assert found.tolist() == [float(d) for d in exact(pairs)]


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1, 1e15, 1e200])
def test_differences_keep_twelve_digits_at_any_scale(scale):
    rng = np.random.default_rng(5)
    a, b = scale * rng.random((2, 50))
    np.testing.assert_allclose(differences(a, b, "fold"), a - b, rtol=0, atol=1e-12 * scale)
    assert not differences(a, a * (1 + 1e-15), "fold").any()


def test_a_large_value_does_not_hide_small_differences():
    assert differences([1e15, 0.5], [1.0, 0.4], "fold").tolist() == [1e15, 0.1]


# ----------------------------------------------------------------------- two of models


@given(PAIRS)
def test_sign_test_is_its_definition(pairs):
    d = exact(pairs)
    found = sign_test(*columns(pairs))
    assert found.pvalue == close(oracle.sign_pvalue(d))
    assert found.difference == close(oracle.median(d))
    counted = [sum(x > 0 for x in d), sum(x < 0 for x in d), d.count(0)]
    assert [found.higher, found.lower, found.ties] == counted
    if counted[0] + counted[1]:
        scipy = stats.binomtest(found.higher, found.higher + found.lower)
        assert found.pvalue == close(scipy.pvalue)


DISTINCT = [Fraction(2**i * (-1) ** (i % 3 == 0), 1000) for i in range(9)]
"""Differences of which no two means are equal."""


@pytest.mark.parametrize("n", [2, 4, 6, 9])
@pytest.mark.parametrize("ci", [Fraction(1, 2), Fraction(9, 10), Fraction(15, 16)])
@pytest.mark.parametrize(
    ("test", "pvalue"),
    [(sign_test, oracle.sign_pvalue), (wilcoxon_test, lambda d: oracle.signed_rank(d)[1])],
)
def test_limits_hold_what_the_test_accepts(test, pvalue, n, ci):
    d = DISTINCT[:n]
    found = test([float(x) for x in d], [0.0] * n, ci=float(ci))
    expected = oracle.accepted(d, pvalue, ci)
    if expected is None:
        assert (found.low, found.high) == (-math.inf, math.inf)
    else:
        assert (found.low, found.high) == (close(expected[0]), close(expected[1]))
    assert found.low <= found.difference <= found.high


@settings(max_examples=40)
@given(PAIRS)
def test_wilcoxon_test_is_its_definition(pairs):
    d = exact(pairs)
    found = wilcoxon_test(*columns(pairs))
    statistic, pvalue = oracle.signed_rank(d)
    assert found.statistic == close(statistic)
    assert found.pvalue == close(pvalue)
    assert found.difference == close(oracle.hodges_lehmann(d))
    assert found.low <= found.difference <= found.high
    assert found.zeros == d.count(0)


def with_ties_and_zeros(n):
    """Two columns of n values; the number of equal pairs is even."""
    rng = np.random.default_rng(n)
    a, b = rng.integers(0, 20, (2, n)) / 8
    a[:2] = b[:2]
    if np.count_nonzero(a == b) % 2:
        a[2] = b[2]
    return a, b


@pytest.mark.parametrize("n", [7, 9, 80])
@pytest.mark.parametrize("zeros", ["zsplit", "wilcox", "pratt"])
def test_wilcoxon_test_is_scipys(n, zeros):
    a, b = with_ties_and_zeros(n)
    scipy = stats.wilcoxon(a, b, zero_method=zeros)
    found = wilcoxon_test(a, b, zeros=zeros)
    assert (found.statistic, found.pvalue) == (close(scipy.statistic), close(scipy.pvalue))


@pytest.mark.parametrize("n", [1, 6, 20, 50])
def test_wilcoxon_test_without_ties_is_scipys(n):
    a, b = np.random.default_rng(n).normal(size=(2, n))
    scipy = stats.wilcoxon(a, b, method="exact")
    found = wilcoxon_test(a, b)
    assert (found.statistic, found.pvalue) == (close(scipy.statistic), close(scipy.pvalue))


@pytest.mark.parametrize("zeros", ["zsplit", "wilcox", "pratt"])
def test_wilcoxon_test_with_ties_is_near_scipys_normal_one(zeros):
    a, b = with_ties_and_zeros(50)
    scipy = stats.wilcoxon(a, b, zero_method=zeros)
    found = wilcoxon_test(a, b, zeros=zeros)
    assert found.statistic == close(scipy.statistic)
    assert found.pvalue == pytest.approx(scipy.pvalue, rel=0.02)


@pytest.mark.parametrize("zeros", ["zsplit", "wilcox", "pratt"])
@pytest.mark.parametrize("n", [1, 2, 5, 60])
def test_models_that_are_equal_everywhere(n, zeros):
    same = [0.5] * n
    assert sign_test(same, same).pvalue == 1
    found = wilcoxon_test(same, same, zeros=zeros)
    assert (found.pvalue, found.difference, found.zeros) == (1, 0, n)


def test_limits_by_the_normal_distribution_continue_the_exact_ones():
    d = np.random.default_rng(3).normal(0.2, 1, 51)
    whole, short = wilcoxon_test(d, 0 * d), wilcoxon_test(d[:50], 0 * d[:50])
    assert whole.low == pytest.approx(short.low, abs=0.1)
    assert whole.high == pytest.approx(short.high, abs=0.1)
    # Just outside the limits the normal test, with its continuity correction, rejects.
    for outside, inside in (
        (whole.low - 1e-9, whole.low + 1e-9),
        (whole.high + 1e-9, whole.high - 1e-9),
    ):
        pvalues = [
            stats.wilcoxon(d - shift, method="asymptotic", correction=True).pvalue
            for shift in (outside, inside)
        ]
        assert pvalues[0] <= 0.05 < pvalues[1]


def test_limits_cover():
    def outside(rng):
        d = rng.normal(0.3, 1, 15)
        tests = sign_test(d, 0 * d), wilcoxon_test(d, 0 * d)
        return np.array([not t.low <= 0.3 <= t.high for t in tests])

    rng = np.random.default_rng(4)
    missed = np.mean([outside(rng) for _ in range(SIMULATED)], axis=0)
    # The sign test's limits cover 96.5% with 15 values, which are discrete.
    assert 0.015 <= missed[0] <= 0.06
    assert 0.025 <= missed[1] <= 0.08


def test_wilcoxon_test_holds_its_level():
    def pvalue(rng):
        return wilcoxon_test(rng.normal(size=20), rng.normal(size=20)).pvalue

    assert 0.025 <= share_rejected(pvalue, seed=6) <= 0.08


@pytest.mark.parametrize("test", [sign_test, wilcoxon_test])
def test_turning_the_pair_turns_the_difference(test):
    a, b = [0.9, 0.4, 0.7, 0.8, 0.6, 0.5, 0.7], [0.8, 0.6, 0.4, 0.4, 0.1, 0.5, 0.6]
    there, back = test(a, b, ci=0.8), test(b, a, ci=0.8)
    assert there.pvalue == back.pvalue
    turned = (-back.difference, -back.high, -back.low)
    assert (there.difference, there.low, there.high) == pytest.approx(turned)


@pytest.mark.parametrize(
    ("error", "call", "words"),
    [
        (
            mm.DataError,
            lambda: sign_test([0.1, math.nan], [0.1, 0.2]),
            "values of a .* at data set 1",
        ),
        (
            mm.DataError,
            lambda: wilcoxon_test([0.1], [0.1, 0.2]),
            "a and b differ in length: 1 and 2",
        ),
        (mm.DataError, lambda: wilcoxon_test([], []), "a and b are empty"),
        (
            mm.ParameterError,
            lambda: wilcoxon_test([0.1], [0.2], zeros="drop"),
            "zeros must be one of 'zsplit', 'wilcox', 'pratt', got 'drop'",
        ),
        (
            mm.ParameterError,
            lambda: sign_test([0.1], [0.2], ci=1),
            r"ci must be in \(0, 1\), got 1",
        ),
        (mm.DataError, lambda: friedman_test([0.1, 0.2]), r"shape \(2,\)"),
        (mm.DataError, lambda: friedman_test([[0.1, 0.2]]), r"shape \(1, 2\)"),
        (mm.DataError, lambda: friedman_test([[0.1, 0.2], [0.3]]), "a table of real numbers"),
        (mm.DataError, lambda: friedman_test([["a", "b"], ["c", "d"]]), "a table of real numbers"),
        (mm.DataError, lambda: nemenyi([[0.1, 0.2], [0.1, math.nan]]), "data set 1, model 1"),
        (
            mm.ParameterError,
            lambda: nemenyi([[0.1, 0.2], [0.1, 0.3]], best="high"),
            "best must be one of 'max', 'min', got 'high'",
        ),
        (
            mm.ParameterError,
            lambda: nemenyi([[0.1, 0.2], [0.1, 0.3]], alpha=5),
            r"alpha must be in \(0, 1\), got 5",
        ),
    ],
)
def test_bad_data_sets(error, call, words):
    with pytest.raises(error, match=words):
        call()


# ------------------------------------------------------------------------- all models


@given(TABLES)
def test_friedman_test_is_its_definition(values):
    whole = [[round(100 * v) for v in row] for row in values]
    ranks = [oracle.mid_ranks([Fraction(-v) for v in row]) for row in whole]
    chi2, f = oracle.friedman(ranks)
    found = friedman_test(values)
    averages = [sum(column) / len(ranks) for column in zip(*ranks, strict=True)]
    assert list(found.ranks) == [close(r) for r in averages]
    n, k = len(values), len(values[0])
    assert (found.df, found.f_df) == (k - 1, (k - 1, (k - 1) * (n - 1)))
    if chi2 is None:
        assert (found.statistic, found.pvalue) == (0, 1)
        assert (found.f_statistic, found.f_pvalue) == (0, 1)
        return
    assert found.statistic == close(chi2)
    assert found.pvalue == close(stats.chi2.sf(float(chi2), k - 1))
    if k > 2:
        scipy = stats.friedmanchisquare(*np.transpose(values))
        assert (found.statistic, found.pvalue) == (close(scipy.statistic), close(scipy.pvalue))
    if f is None:
        assert found.f_statistic == math.inf
    else:
        assert found.f_statistic == close(f)
        assert found.f_pvalue == close(stats.f.sf(float(f), *found.f_df))


def test_all_data_sets_rank_the_models_alike():
    # 3! rankings are equally likely on each data set, and 3 with a tie at the top.
    assert friedman_test([[3, 2, 1]] * 2).f_pvalue == close(Fraction(1, 6))
    assert friedman_test([[3, 2, 1]] * 4).f_pvalue == close(Fraction(1, 6**3))
    assert friedman_test([[2, 2, 1]] * 3).f_pvalue == close(Fraction(1, 3**2))


def test_the_direction_of_ranks():
    values = [[0.9, 0.1, 0.5], [0.8, 0.2, 0.1]]
    assert friedman_test(values).ranks == (1, 2.5, 2.5)
    assert friedman_test(values, best="min").ranks == (3, 1.5, 1.5)
    assert nemenyi(values, best="min").ranks == (3, 1.5, 1.5)
    assert friedman_test(values).pvalue == friedman_test(values, best="min").pvalue


def test_ranks_of_infinite_and_rounded_values():
    values = [[math.inf, 0.3, 0.1 + 0.2], [math.inf, math.inf, -math.inf]]
    assert friedman_test(values, best="min").ranks == (2.75, 2.0, 1.25)


def test_ties_over_data_sets_are_those_of_measures():
    """Values on both sides of a rounded digit tie, and so does a rounding error with 0."""
    edge = 0.12345678901235
    a, b = [edge - 1e-16, 0.5, 0.9], [edge + 1e-16, 0.5 + 2e-13, 1e-17]
    found = sign_test(a, b)
    assert (found.higher, found.lower, found.ties) == (1, 0, 2)
    assert sign_test([1e-17, 0.5], [0.0, 0.4]).ties == 1
    assert sign_test([1e-17, 5e-17], [0.0, 4e-17]).ties == 0
    near = [0.2 + 0.5e-13 - 1e-16, 0.2 + 0.5e-13 + 1e-16]
    assert np.ptp(differences(near, [0.1, 0.1], "fold")) == 0
    assert sign_test([1e6, 0.5 + 1e-7], [1e6, 0.5]).higher == 1
    assert friedman_test([near, [0.5, 1e-17], [0.4, 0.3]]).ranks == (7 / 6, 11 / 6)
    assert friedman_test([[0.5, 1e-17, 0.0]] * 2).ranks == (1.0, 2.5, 2.5)


def test_friedman_test_holds_its_level():
    def pvalue(rng):
        return friedman_test(rng.normal(size=(12, 4))).f_pvalue

    assert 0.025 <= share_rejected(pvalue, seed=7) <= 0.08


def test_nemenyi_of_two_models_is_a_normal_test():
    values = [[0.9, 0.8], [0.7, 0.8], [0.9, 0.6], [0.4, 0.3], [0.6, 0.2]]
    found = nemenyi(values, alpha=0.1)
    z = abs(found.ranks[0] - found.ranks[1]) / math.sqrt(2 * 3 / (6 * 5))
    assert found.pvalues[0][1] == close(2 * stats.norm.sf(z))
    assert found.critical_difference == close(stats.norm.ppf(0.95) * math.sqrt(6 / 30))


def test_nemenyi_rejects_at_the_critical_difference():
    rng = np.random.default_rng(8)
    values = rng.normal(size=(10, 5)) + np.arange(5) / 2
    found = nemenyi(values)
    ranks = np.array(found.ranks)
    far = np.abs(ranks[:, np.newaxis] - ranks) >= found.critical_difference
    pvalues = np.array(found.pvalues)
    assert 0 < np.count_nonzero(far) < 20
    assert ((pvalues <= 0.05) == far).all()
    assert (pvalues == pvalues.T).all()
    assert np.diag(pvalues) == pytest.approx(1)


# -------------------------------------------------------------------------- Demsar 2006

# Table 6: the AUC of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 data sets.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.975, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def test_demsar_table_2():
    # Sec. 3.1.3: C4.5 against C4.5+m has R+ = 93 and R- = 12, so T = 12; the two ties are split.
    found = wilcoxon_test(DEMSAR[:, 1], DEMSAR[:, 0])
    assert found.statistic == 12
    assert found.zeros == 2
    assert found.pvalue < 0.05


def test_demsar_table_6():
    # The 13th data set has 0.975 twice but the ranks 2 and 3: there are more digits than printed.
    values = DEMSAR.copy()
    values[12, 2] += 1e-6
    found = friedman_test(values)
    assert found.ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    # Sec. 3.2.2 has chi2 = 9.28 and F = 3.69 without the correction for ties, which are two pairs
    # of 6 each, three in all, and one four of 60; F(3, 39) is 2.85 at 5%.
    chi2 = found.statistic * (1 - (3 * 6 + 60) / (14 * 4 * 15))
    assert chi2 == pytest.approx(9.28, abs=5e-3)
    assert 13 * chi2 / (14 * 3 - chi2) == pytest.approx(3.69, abs=5e-3)
    assert found.f_df == (3, 39)
    assert found.f_pvalue < 0.05
    assert nemenyi(values).critical_difference == pytest.approx(1.25, abs=5e-3)
    assert nemenyi(values, alpha=0.1).critical_difference == pytest.approx(1.12, abs=5e-3)


@pytest.mark.parametrize(
    ("alpha", "printed"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_demsar_table_5(alpha, printed):
    # The critical values of the Nemenyi test for 2 to 10 models.
    for k, value in enumerate(printed, 2):
        found = nemenyi(np.eye(4, k), alpha=alpha).critical_difference
        assert found / math.sqrt(k * (k + 1) / 24) == pytest.approx(value, abs=1.1e-3)


@pytest.mark.parametrize("method", ["nemenyi", "wilcoxon", "sign"])
def test_demsar_table_6_in_json(method):
    names = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
    values = dict(zip(names, DEMSAR.T, strict=True))
    content = json.loads(mm.compare_datasets(values, method=method, ci=0.9).to_json())
    assert set(content) == {"rows", "checks", "ci", "friedman", "ranks", "critical_difference"}
    scipy = stats.friedmanchisquare(*DEMSAR.T)
    found = content["friedman"]
    assert (found["statistic"], found["pvalue"]) == (close(scipy.statistic), close(scipy.pvalue))
    assert (found["df"], found["f_df"]) == (3, [3, 39])
    ranks = stats.rankdata(-DEMSAR, axis=1).mean(axis=0)
    assert content["ranks"] == pytest.approx(dict(zip(names, ranks, strict=True)))
    assert content["critical_difference"] == pytest.approx(1.12, abs=5e-3)


def test_models_that_are_ranked_alike_everywhere_have_json_too():
    found = mm.compare_datasets({"a": [0.9, 0.8, 0.7], "b": [0.8, 0.7, 0.6], "c": [0.1, 0.2, 0.3]})
    content = json.loads(found.to_json(), parse_constant=pytest.fail)
    friedman = content["friedman"]
    assert (friedman["f_statistic"], friedman["f_statistic_infinite"]) == (None, "+")


@pytest.mark.parametrize("n", range(2, 13))
@pytest.mark.parametrize("ci", [0.8, 0.9, 0.95, 0.99])
def test_walsh_averages_are_left_out_by_the_exact_distribution_of_signed_ranks(n, ci):
    sums = Counter(sum(rank * sign for rank, sign in zip(range(1, n + 1), signs, strict=True))
                   for signs in product((0, 1), repeat=n))  # fmt: skip
    error, at_most, expected = (1 - Fraction(str(ci))) / 2, Fraction(0), 0
    for total in range(n * (n + 1) // 2 + 1):
        at_most += Fraction(sums[total], 2**n)
        expected += at_most <= error
    assert _averages_left_out(n, ci) == expected


def test_of_many_data_sets_the_distribution_of_signed_ranks_is_normal():
    # 51 * 52 / 4 = 663, and a variance of 51 * 52 * 103 / 24.
    reach = 663 - stats.norm.ppf(0.975) * math.sqrt(51 * 52 * 103 / 24)
    assert _averages_left_out(51, 0.95) == math.floor(reach + 0.5)
    # Tables of the signed rank test have 434 as the critical value of 50: sums of 0 to 434.
    assert _averages_left_out(50, 0.95) == 435
