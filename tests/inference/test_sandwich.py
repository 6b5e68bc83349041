"""Limits of the calibration slope and intercept, against a slow fit of the same regression."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit, ndtri, stdtrit

import metameasure as mm

close = pytest.approx
ADDED = 0.1
"""Number of cases of each class at the wrong end."""


def drawn(n, seed=1, steep=1.0):
    rng = np.random.default_rng(seed)
    odds = rng.normal(-0.5, 1.5, n)
    return rng.random(n) < expit(odds), expit(steep * odds)


def fitted(x, label, weight, *, fit_slope):
    """The coefficients by a general optimizer of the likelihood."""

    def loss(theta):
        odds = theta[0] + (theta[1] if fit_slope else 1.0) * x
        return float(weight @ (np.logaddexp(0, odds) - label * odds))

    start = np.zeros(2 if fit_slope else 1)
    return minimize(loss, start, method="BFGS", options={"gtol": 1e-9}).x


FITS = {
    "calibration_slope": (True, 1),
    "calibration_intercept": (True, 0),
    "calibration_in_the_large": (False, 0),
}
"""Whether the slope is fitted, and which coefficient the measure is."""


def by_hand(label, score, text, cluster=None):
    """The limits by numerical derivatives by the weight of each case."""
    fit_slope, place_of = FITS[text]
    x, label = logit(score), label.astype(float)
    x = np.concatenate([x, [x.min(), x.max()]])
    label = np.concatenate([label, [1.0, 0.0]])
    weight = np.concatenate([np.ones(score.size), [ADDED, ADDED]])

    def coefficient(weights):
        return fitted(x, label, weights, fit_slope=fit_slope)[place_of]

    slopes = []
    for place in range(x.size):
        change = np.zeros(x.size)
        change[place] = 1e-3
        slopes.append((coefficient(weight + change) - coefficient(weight - change)) / 2e-3)
    slopes = np.array(slopes)
    units = np.arange(score.size) if cluster is None else cluster
    sums = np.bincount(units, slopes[:-2])
    factor = 1.0 if cluster is None else sums.size / (sums.size - 1)
    sandwich = factor * sums @ sums + ADDED * slopes[-2:] @ slopes[-2:]
    theta = fitted(x, label, weight, fit_slope=fit_slope)
    chance = expit(theta[0] + (theta[1] if fit_slope else 1.0) * x)
    design = np.stack([np.ones(x.size), x], axis=1)[:, : 2 if fit_slope else 1]
    information = (design * (weight * chance * (1 - chance))[:, np.newaxis]).T @ design
    assumed = np.linalg.inv(information)[place_of, place_of]
    quantile = ndtri(0.975)
    if cluster is not None:
        degrees = 2 * min(label[:-2].sum(), (1 - label[:-2]).sum()) - 1
        of_classes = [np.bincount(cluster[label[:-2] == y]) for y in (0, 1)]
        degrees = min(degrees, *(n.sum() ** 2 / (n @ n) - 1 for n in of_classes))
        quantile = stdtrit(degrees, 0.975)
    reach = quantile * math.sqrt(max(sandwich, assumed))
    value = theta[place_of]
    high = value + reach
    if text == "calibration_slope" and sandwich > assumed:
        high += (1 - assumed / sandwich) * (value * math.exp(reach / value) - high)
    return value - reach, high


@pytest.mark.parametrize("steep", [0.6, 2.5])
@pytest.mark.parametrize("text", FITS)
def test_limits_by_hand(text, steep):
    label, score = drawn(60, steep=steep)
    found = mm.interval(label, score, text)
    assert found.method == "sandwich"
    expected = by_hand(label, score, text)
    assert (found.low, found.high) == close(expected, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("text", FITS)
def test_limits_of_clusters_by_hand(text):
    label, score = drawn(60, seed=3)
    cluster = np.repeat(np.arange(20), 3)
    found = mm.interval(label, score, text, cluster=cluster)
    expected = by_hand(label, score, text, cluster)
    assert (found.low, found.high) == close(expected, rel=1e-4, abs=1e-4)


def test_the_scale_of_the_weights_does_not_matter():
    label, score = drawn(100)
    weight = np.random.default_rng(2).lognormal(size=100)
    found = [
        mm.interval(label, score, "calibration_slope", sample_weight=scale * weight)
        for scale in (1, 1000)
    ]
    limits = [(one.low, one.high) for one in found]
    assert limits[0] == close(limits[1], rel=1e-9)
    alone = mm.interval(label, score, "calibration_slope")
    assert found[0].high - found[0].low > alone.high - alone.low


def test_weights_that_repeat_one_case_count_as_fewer_cases():
    label, score = drawn(200)
    even = mm.interval(label, score, "calibration_slope", sample_weight=np.full(200, 3.0))
    alone = mm.interval(label, score, "calibration_slope")
    # The added cases have the mean weight, so that equal weights change nothing.
    assert (even.low, even.high) == close((alone.low, alone.high), rel=0.01)


def test_separated_classes_have_no_interval():
    with pytest.warns(mm.UndefinedMeasureWarning):
        found = mm.interval([0, 0, 1, 1], [0.1, 0.2, 0.7, 0.8], "calibration_slope")
    assert "undefined" in found.reason


def test_clipped_scores_of_zero_and_one():
    label, score = drawn(100)
    score[:2], label[:2] = [0, 1], [False, True]
    found = mm.interval(label, score, "calibration_slope(clip=1e-3)")
    assert found.method == "sandwich"
    assert 0 < found.low < found.value < found.high < 3


@pytest.mark.parametrize("text", FITS)
def test_coverage_of_overconfident_scores(text):
    """30 of 100 cases are positive, and log odds are twice as extreme as they should be."""
    truth = {"calibration_slope": 0.5, "calibration_intercept": 0.0}.get(text)
    rng = np.random.default_rng(5)
    if truth is None:
        big = rng.normal(-1.2, 1.5, 400_000)
        truth = mm.calibration_in_the_large(rng.random(big.size) < expit(big), expit(2 * big))
    covered = 0
    for _ in range(200):
        odds = rng.normal(-1.2, 1.5, 100)
        found = mm.interval(rng.random(100) < expit(odds), expit(2 * odds), text)
        covered += found.low <= truth <= found.high
    assert covered >= 0.9 * 200


def test_paired_test_by_the_influences():
    label, score = drawn(300)
    other = expit(3 * logit(score))
    row = mm.compare(label, {"a": score, "b": other}, "calibration_slope", mute="MM06").rows[0]
    assert row.method == "linearized"
    assert row.pvalue < 1e-6
    same = mm.compare(label, {"a": score, "b": score}, "calibration_slope", mute="MM08").rows[0]
    assert same.pvalue == 1
