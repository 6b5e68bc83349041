"""Differences, ratios and largest gaps of independent samples, against their definitions."""

import math
from itertools import permutations
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, optimize, stats

from metameasure.inference.independent import (
    Limited,
    correlations,
    difference,
    largest_gap,
    ratio,
)

Z = NormalDist().inv_cdf(0.975)
SIMULATED = 400


def close(right, rel=1e-8):
    return pytest.approx(right, rel=rel, abs=1e-9)


def of(*samples, correlation=None):
    value, low, high = map(np.array, zip(*samples, strict=True))
    return Limited(value, low, high, 0.95, correlation)


def wilson(some, cases):
    """Wilson's limits from SciPy."""
    found = stats.binomtest(some, cases).proportion_ci(0.95, "wilson")
    return some / cases, found.low, found.high


def rates(*counts):
    return of(*(wilson(some, cases) for some, cases in counts))


def limited():
    """A value in (0, 1) with limits on both sides."""
    inside = st.floats(0.01, 0.99)
    return (
        st.tuples(inside, inside, inside)
        .map(lambda three: tuple(sorted(three)))
        .map(lambda three: (three[1], three[0] - 0.005, three[2] + 0.005))
    )


def slow_low(one, other, share=1.0, correlation=0.0):
    """The lower MOVER limit of one - share * other."""
    below, above = one[0] - one[1], share * (other[2] - other[0])
    square = below**2 + above**2 - 2 * correlation * below * above
    return one[0] - share * other[0] - math.sqrt(square)


def slow_high(one, other, share=1.0, correlation=0.0):
    above, below = one[2] - one[0], share * (other[0] - other[1])
    square = below**2 + above**2 - 2 * correlation * below * above
    return one[0] - share * other[0] + math.sqrt(square)


@pytest.mark.parametrize(
    ("counts", "limits"),
    [
        (((56, 70), (48, 80)), (0.0524, 0.3339)),
        (((9, 10), (3, 10)), (0.1705, 0.8090)),
        (((10, 10), (0, 20)), (0.6791, 1.0)),
        (((10, 10), (0, 10)), (0.6075, 1.0)),
    ],
)
def test_differences_of_rates_are_those_of_newcombe_1998(counts, limits):
    found = difference(rates(*counts))
    assert (round(found.low, 4), round(found.high, 4)) == limits


@given(limited(), limited(), st.floats(-0.9, 0.9))
def test_a_difference_is_its_definition(one, other, r):
    together = np.array([[1.0, r], [r, 1.0]])
    for correlation, shared in ((None, 0.0), (together, r)):
        found = difference(of(one, other, correlation=correlation))
        assert found.value == close(one[0] - other[0])
        assert found.low == close(slow_low(one, other, correlation=shared))
        assert found.high == close(slow_high(one, other, correlation=shared))
        excluded = found.low > 0 or found.high < 0
        assert excluded == (found.pvalue < 0.05)


@given(limited(), limited())
def test_a_limit_of_a_ratio_is_where_the_limit_of_a_difference_is_0(one, other):
    found = ratio(of(one, other))
    assert found.value == close(one[0] / other[0])
    if one[1] > 0:
        low = optimize.brentq(lambda r: slow_low(one, other, r), 0, found.value)
        assert found.low == close(low, 1e-6)
    if other[1] > 0.01:
        most = 1e4
        high = optimize.brentq(lambda r: slow_high(one, other, r), found.value, most)
        assert found.high == close(high, 1e-6)


def test_ratios_at_the_ends():
    none, some = wilson(0, 30), wilson(10, 30)
    assert ratio(of(none, some)).value == ratio(of(none, some)).low == 0
    assert 0 < ratio(of(none, some)).high < math.inf
    beyond = ratio(of(some, none))
    assert (beyond.value, beyond.high) == (math.inf, math.inf)
    assert beyond.low > 0
    assert math.isnan(ratio(of(none, none)).value)
    # Nothing bounds a ratio to a value whose lower limit is 0, also of a value that is surely 0.
    known = Limited(np.array([0.0, 0.5]), np.array([0.0, 0.0]), np.array([0.0, 0.8]), 0.95)
    assert ratio(known).high == math.inf


@given(limited(), limited())
def test_the_largest_gap_of_two_samples_is_their_difference(one, other):
    pair = sorted((one, other), reverse=True)
    gap, plain = largest_gap(of(one, other), (0, 1)).difference, difference(of(*pair))
    assert gap.value == close(plain.value)
    high = min(max(plain.high, -plain.low), 1)
    assert (gap.low, gap.high) == close((max(plain.low, 0), high), 1e-6)
    assert gap.pvalue == pytest.approx(plain.pvalue, abs=1e-6)


def range_probability(width, samples):
    """The probability that the range of normal values is at most a width, by integration."""
    normal = NormalDist()

    def density(x):
        return samples * normal.pdf(x) * (normal.cdf(x) - normal.cdf(x - width)) ** (samples - 1)

    return integrate.quad(density, -8, 8 + width)[0]


@given(st.lists(limited(), min_size=3, max_size=6))
def test_the_largest_gap_is_its_definition(samples):
    found = largest_gap(of(*samples), (0, 1))
    values = [value for value, _, _ in samples]
    assert found.difference.value == close(max(values) - min(values))
    assert (values[found.highest], values[found.lowest]) == (max(values), min(values))
    assert found.ratio.value == close(min(values) / max(values))
    quantile = optimize.brentq(lambda q: range_probability(q, len(samples)) - 0.95, 1, 8)
    factor = quantile / math.sqrt(2) / Z
    wide = [(v, v - factor * (v - low), v + factor * (high - v)) for v, low, high in samples]
    pairs = list(permutations(wide, 2))
    low, high = (max(limit(*pair) for pair in pairs) for limit in (slow_low, slow_high))
    assert found.difference.low == pytest.approx(max(low, 0), abs=1e-5)
    assert found.difference.high == pytest.approx(min(high, 1), abs=1e-5)
    assert (found.difference.low > 0) == (found.difference.pvalue < 0.05)
    inside = [(v, max(low, 0.0), min(high, 1.0)) for v, low, high in wide]
    shares = [ratio(of(*pair)) for pair in permutations(inside, 2)]
    assert found.ratio.low == pytest.approx(min(share.low for share in shares), abs=1e-5)
    highest = min(1.0, *(share.high for share in shares))
    assert found.ratio.high == pytest.approx(highest, abs=1e-5)


def test_equal_samples_have_no_gap():
    found = largest_gap(of(*[(0.4, 0.3, 0.5)] * 3), (0, 1)).difference
    assert (found.value, found.low, found.pvalue) == (0, 0, 1)


def share_of(test, seed):
    rng = np.random.default_rng(seed)
    return np.mean([test(rng) for _ in range(SIMULATED)])


@pytest.mark.parametrize("sizes", [(80,) * 5, (40, 80, 160, 640)])
def test_equal_rates_are_rejected_in_about_5_percent(sizes):
    def significant(rng):
        counts = zip(rng.binomial(sizes, 0.4).tolist(), sizes, strict=True)
        return largest_gap(rates(*counts), (0, 1)).difference.pvalue < 0.05

    assert 0.02 <= share_of(significant, 6) <= 0.08


def test_intervals_of_the_largest_gap_contain_the_true_one():
    true = [0.3, 0.35, 0.4, 0.4]

    def covers(rng):
        counts = [(int(some), 120) for some in rng.binomial(120, true)]
        found = largest_gap(rates(*counts), (0, 1))
        inside = found.difference.low <= 0.1 <= found.difference.high
        return inside and found.ratio.low <= 0.75 <= found.ratio.high

    assert share_of(covers, 7) >= 0.94


def test_correlations_of_sums():
    from scipy.sparse import csc_array

    sums = np.random.default_rng(1).normal(size=(40, 3))
    found = correlations(csc_array(sums))
    for i in range(3):
        for j in range(3):
            squares = [float(np.sum(sums[:, k] ** 2)) for k in (i, j)]
            assert found[i, j] == close(
                np.sum(sums[:, i] * sums[:, j]) / math.sqrt(math.prod(squares))
            )
