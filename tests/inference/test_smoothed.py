"""Limits of maxima from resamples: the correction of the bias, and which classes are resampled."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import optimize, stats

import metameasure as mm
from metameasure.inference.intervals import Plan
from metameasure.inference.methods import smoothed
from metameasure.inference.methods.bootstrap import Resampled
from metameasure.inference.methods.smoothed import corrected_limits
from metameasure.inference.pooled_rows import Resolution
from metameasure.inference.smoothing import _smoothed_share, smooth

RNG = np.random.default_rng(2)


def limits(measure, value, own, values, sizes=(30, 40), by_chance=None):
    empty = SimpleNamespace(measure=measure, value=value, ci=0.9)
    return corrected_limits(empty, Resampled(own, np.array(values), None, sizes), by_chance)


def end_of_score_interval(corrected, ratio, side):
    """x below or above with (x - corrected)^2 = ratio (1 - x^2)."""
    ends = (-1.0, corrected) if side == "low" else (corrected, 1.0)
    return optimize.brentq(lambda x: (x - corrected) ** 2 - ratio * (1 - x**2), *ends, xtol=1e-14)


@pytest.mark.parametrize("value", [0.5, 0.7, 0.9])
def test_limits_are_those_of_a_score_interval_without_the_bias(value):
    values = RNG.normal(0.75, 0.06, 400).clip(0, 1)
    quantile = stats.t.ppf(0.95, 29)
    corrected = value - (values.mean() - 0.72)
    ratio = quantile**2 * values.var() / (1 - values.mean() ** 2)
    low, high = limits(mm.ks, value, 0.72, values)
    assert low == pytest.approx(end_of_score_interval(corrected, ratio, "low"))
    squares = values**2
    square = value**2 - (squares.mean() - 0.72**2) + quantile * squares.std()
    of_scores = end_of_score_interval(corrected, ratio, "high")
    assert high == pytest.approx(min(1.0, max(of_scores, math.sqrt(square), value)))


def test_the_scale_runs_from_useless_to_perfect():
    values = RNG.normal(0.75, 0.06, 400).clip(0, 1)
    low, high = limits(mm.ks, 0.7, 0.72, values)
    # AUCH is useless at 1/2: the same numbers on the scale from 1/2 to 1.
    assert limits(mm.auch, 0.85, 0.86, (1 + values) / 2) == pytest.approx(
        ((1 + low) / 2, (1 + high) / 2)
    )
    # The minimum cost is at most 1/4, which is useless, and at least 0.
    cost = limits(mm.minimum_cost, 0.3 / 4, 0.28 / 4, (1 - values) / 4)
    assert cost == pytest.approx(((1 - high) / 4, (1 - low) / 4))


def test_resamples_that_do_not_vary_have_no_width():
    assert limits(mm.ks, 0.7, 0.7, [0.7] * 20) == pytest.approx((0.7, 0.7))
    assert limits(mm.ks, 1.0, 1.0, [1.0] * 20) == pytest.approx((1.0, 1.0))


def test_the_smaller_class_has_the_degrees_of_freedom():
    values = RNG.normal(0.7, 0.05, 400)
    wide, narrow = (limits(mm.ks, 0.7, 0.7, values, sizes) for sizes in ((5, 40), (40, 40)))
    assert limits(mm.ks, 0.7, 0.7, values, (40, 5)) == wide
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
    assert limits(mm.ks, 0.7, 0.7, values, (1, 40)) == limits(mm.ks, 0.7, 0.7, values, (2, 40))


def test_below_the_value_by_chance_the_lower_limit_is_zero():
    values = RNG.normal(0.7, 0.02, 400)
    low, high = limits(mm.ks, 0.7, 0.7, values)
    assert 0 < low < 0.7
    assert limits(mm.ks, 0.7, 0.7, values, by_chance=0.7) == (low, high)
    assert limits(mm.ks, 0.7, 0.7, values, by_chance=0.71) == (0, high)


def test_half_of_the_bias_of_sums_of_absolute_differences_is_subtracted_above():
    values = RNG.normal(0.3, 0.05, 400)  # far above its own value
    expected = 0.6 - (values.mean() - 0.05) / 2 + stats.t.ppf(0.95, 29) * values.std()
    assert expected < 0.6 == limits(mm.ece, 0.6, 0.05, values)[1]
    values = RNG.normal(0.3, 0.1, 400)
    expected = 0.6 - (values.mean() - 0.15) / 2 + stats.t.ppf(0.95, 29) * values.std()
    assert 0.6 < expected < 1
    # The whole bias of ICI is subtracted: its upper limit is smaller.
    assert limits(mm.ici, 0.6, 0.15, values)[1] < expected
    assert limits(mm.ece, 0.6, 0.15, values)[1] == pytest.approx(expected)
    # Discrimination has the range [0, 0.25].
    assert limits(mm.discrimination, 0.15, 0.0375, values / 4)[1] == pytest.approx(expected / 4)


@pytest.mark.parametrize("measure", [mm.e90, mm.emax])
def test_a_single_distance_far_from_zero_has_no_bias_above(measure):
    values = RNG.normal(0.3, 0.1, 400)
    expected = 0.6 + stats.t.ppf(0.95, 29) * values.std()
    assert limits(measure, 0.6, 0.15, values)[1] == pytest.approx(expected)


@pytest.mark.parametrize("measure", [mm.ici, mm.e50, mm.e90, mm.emax])
def test_the_distance_of_a_calibrated_curve_by_chance(measure):
    """A tenth of the labels of calibrated scores have a larger distance."""
    rng = np.random.default_rng(12)
    score = rng.beta(1, 3, 300)
    drawn = [measure(rng.random(300) < score, score) for _ in range(300)]
    table = mm.tabulate(rng.random(300) < score, score)
    found = measure.declaration.sampling.by_chance(table, 0.1)
    # The 90% quantile of 300 draws is between their 85% and 95% quantiles with 99.6% confidence.
    assert np.quantile(drawn, 0.85) < found < np.quantile(drawn, 0.95)


def test_calibrated_curves_have_a_lower_limit_of_zero():
    rng, positive = np.random.default_rng(8), 0
    for _ in range(20):
        score = rng.beta(2, 2, 100)
        found = mm.interval(rng.random(100) < score, score, "ici", workers=1)
        positive += found.low > 0
    # More than 3 of 20 have a probability of 1.6% if 5% are expected.
    assert positive <= 3


def test_every_measure_is_resampled_from_one_of_the_smoothed_classes(monkeypatch):
    monkeypatch.setattr(smoothed, "COARSE", Resolution(2, 8))
    monkeypatch.setattr(smoothed, "serves_by_declaration", lambda measure: measure == mm.ks)
    label = RNG.random(300) < 0.5
    table = mm.tabulate(label, label + RNG.normal(size=300))
    plan = Plan(resamples=100)
    for measures in ([mm.ks], [mm.auch], [mm.ks, mm.auch, mm.h_measure]):
        parts = smoothed._parts(table, (150.0, 150.0), measures, plan)
        assert sorted(map(str, (m for _, chosen in parts for m in chosen))) == sorted(
            map(str, measures)
        )
        for part, chosen in parts:
            assert (part.score.size < 300) == (chosen == [mm.ks])
            assert part.sizes == (150, 150)


def test_of_many_cases_pools_serve_some_measures_and_all_rows_the_others(monkeypatch):
    monkeypatch.setattr(smoothed.Pools, "are_worthwhile", staticmethod(lambda cases: True))
    label = RNG.random(300) < 0.5
    table = mm.tabulate(label, label + RNG.normal(size=300))
    measures, sizes = [mm.ks, mm.auch, mm.h_measure], (150.0, 150.0)
    for served in ([], [mm.auch], measures):
        monkeypatch.setattr(smoothed.Pools, "serve", lambda *_, served=served: served)
        parts = smoothed._tried_parts(table, sizes, measures, Plan(resamples=100))
        rest = [m for m in measures if m not in served]
        assert [chosen for _, chosen in parts] == [some for some in (served, rest) if some]


@pytest.mark.parametrize("size", [1, 8, 40])
def test_a_smoothed_class_is_a_mixture_of_normal_distributions(size):
    places, weight = np.array([-1.2, 0.1, 0.7, 2.0, 5.0]), np.array([1.0, 3.0, 2.0, 2.0, 0.0])
    at = np.linspace(-4, 5, 40)
    used, share = places[:4], weight[:4] / 8
    mean = share @ used
    spread = math.sqrt(share @ (used - mean) ** 2 * size / max(size - 1, 1))
    # The bandwidth is sd m^(-1/5), and the points are shrunk so that the variance stays.
    bandwidth = size**-0.2
    shrink = 1 / math.sqrt(1 + bandwidth**2)
    points, width = mean + (used - mean) * shrink, spread * bandwidth * shrink
    exact = stats.norm.cdf((at[:, np.newaxis] - points) / width) @ share
    found = _smoothed_share(places, weight, size, at)
    np.testing.assert_allclose(found, exact, atol=2e-5)


def test_a_class_with_one_score_is_smoothed_with_the_spread_of_the_scale():
    at = np.linspace(-3, 3, 13)
    width = 10**-0.2 / math.sqrt(1 + 10**-0.4)
    found = _smoothed_share(np.array([0.5, 9.0]), np.array([4.0, 0.0]), 10, at)
    np.testing.assert_allclose(found, stats.norm.cdf((at - 0.5) / width), atol=2e-5)


@pytest.mark.parametrize("text", ["ks", "ece", "ici", "miscalibration", "minimum_cost"])
def test_a_class_with_nearly_all_weight_on_one_case_has_no_interval(text):
    rng = np.random.default_rng(0)
    label = np.arange(100) < 40
    score = np.clip(0.3 * label + 0.7 * rng.random(100), 0, 1)
    weight = np.where(np.arange(100) == 60, 1e4, 1.0)
    found = mm.interval(label, score, text, sample_weight=weight)
    assert found.reason == "one case has more than nine tenths of the weight of its class"
    lighter = np.where(np.arange(100) == 60, 120.0, 1.0)
    assert mm.interval(label, score, text, sample_weight=lighter, resamples=100).reason is None


def test_the_error_of_a_limit_is_that_of_many_sets_of_resamples():
    """A limit is a mean and some standard deviations, here of skewed values."""
    rng = np.random.default_rng(3)
    drawn = rng.gamma(3.0, size=(800, 400))
    quantile = stats.norm.ppf(0.95)
    limit = drawn.mean(axis=1) + quantile * drawn.std(axis=1)
    below = drawn.mean(axis=1) - quantile * drawn.std(axis=1)
    # The skewness makes the error of one limit larger and that of the other smaller.
    spread = math.sqrt((limit.var() + below.var()) / 2)
    found = np.mean([smoothed._error(one, 0.9) for one in drawn])
    assert found == pytest.approx(spread, rel=0.08)
    with_gaps = np.append(drawn[0], [np.nan, np.nan])
    assert smoothed._error(with_gaps, 0.9) == smoothed._error(drawn[0], 0.9)
    assert smoothed._error(np.full(9, 0.5), 0.9) == 0


@pytest.mark.parametrize("rows", [12, 200])
@pytest.mark.parametrize("stratified", [False, True])
def test_resamples_of_weighted_classes_have_their_weights(rows, stratified):
    """20.4 and 30.6 effective cases are 20 and 31 of a larger weight."""
    rng = np.random.default_rng(rows)
    table = mm.ScoreTable(np.arange(rows)[::-1], 4 * rng.random(rows), rng.random(rows))
    population = smoothed.Smoothed.of(table, (20.4, 30.6))
    assert population.sizes == (20, 31)
    assert population.units == pytest.approx((float(table.P) / 20, float(table.N) / 31))
    own = population.table
    assert (float(own.P), float(own.N)) == pytest.approx((float(table.P), float(table.N)))
    for found, share in zip((own.pos / own.P, own.neg / own.N), population.shares, strict=True):
        assert found == pytest.approx(share, abs=2 / 4096)
    block = population.block("m", population.draw(6000, rng, stratified=stratified))
    for weights, unit, size in zip((block.P, block.N), population.units, (20, 31), strict=True):
        spread = 0.0 if stratified else unit * math.sqrt(size)
        if population.slots is not None:
            spread *= math.sqrt(1 - size / 51)
        assert weights.mean() == pytest.approx(unit * size, rel=0.02)
        assert weights.std() == pytest.approx(spread, rel=0.06, abs=1e-9)
    for drawn_weight, expected in ((block.pos, own.pos), (block.neg, own.neg)):
        error = 5 * np.sqrt(expected.max() * max(population.units) / 6000)
        assert drawn_weight.mean(axis=0) == pytest.approx(expected, abs=error)
    assert population.entries == (51 if population.slots else 2 * rows)


def test_effective_tables_have_the_effective_sizes():
    table = mm.ScoreTable([0.9, 0.5, 0.1], [4.0, 2.0, 2.0], [1.0, 1.0, 3.0])
    found = smoothed._effective(table, (2.0, 10.0))
    assert found.pos == pytest.approx([1, 0.5, 0.5])
    assert found.neg == pytest.approx([2, 2, 6])


def mixture(places, weight, size, at):
    """The distribution function of a smoothed class, as a mixture of normal distributions."""
    share = weight / weight.sum()
    mean = share @ places
    spread = math.sqrt(share @ (places - mean) ** 2 * size / (size - 1))
    bandwidth = size**-0.2
    shrink = 1 / math.sqrt(1 + bandwidth**2)
    points = mean + (places - mean) * shrink
    width = spread * bandwidth * shrink
    return stats.norm.cdf((np.asarray(at)[:, np.newaxis] - points) / width) @ share


def test_a_row_has_what_lies_between_its_ranks():
    """On the scale of normal scores of the ranks, from the highest score to the lowest."""
    pos, neg = np.array([3.0, 2.0, 2.0, 1.0, 0.5]), np.array([1.0, 1.0, 2.0, 3.0, 2.5])
    table = mm.ScoreTable([9, 7, 5, 2, 1], pos, neg)
    weight, total = pos + neg, (pos + neg).sum()
    upto = np.cumsum(weight) / total
    places = stats.norm.isf(upto - weight / total / 2)
    edges = stats.norm.isf(upto[:-1])
    found = smooth(table, (8, 9))
    for shares, of_class, size in zip(found, (pos, neg), (8, 9), strict=True):
        below = np.concatenate([[1.0], mixture(places, of_class, size, edges), [0.0]])
        np.testing.assert_allclose(shares, -np.diff(below), atol=5e-5)
