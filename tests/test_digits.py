"""Digits are kept: scores close together, many cases, extreme scores."""

import math
from fractions import Fraction

import numpy as np
import pytest

import metameasure as mm


def digits(value, truth):
    error = abs(value - truth)
    return 17 if not error else -math.log10(error / abs(truth))


def test_scored_measures_of_scores_that_are_almost_equal():
    rng = np.random.default_rng(0)
    scores = 0.999 + 1e-9 * rng.random(300)
    labels = rng.random(300) < 0.4
    pairs = [(Fraction(p), Fraction(q)) for p in scores[labels] for q in scores[~labels]]
    truth = float(sum(max(p - q, 0) for p, q in pairs) / len(pairs))
    assert digits(mm.scored_auc(labels, scores), truth) > 12
    gap = float(sum(p - q for p, q in pairs) / len(pairs))
    assert digits(mm.mean_gap(labels, scores), gap) > 10


@pytest.fixture(scope="module")
def many():
    rng = np.random.default_rng(1)
    scores = rng.random(1_000_000)
    return rng.random(scores.size) < scores, scores


def test_losses_of_many_cases(many):
    labels, scores = many
    of_label = np.where(labels, scores, 1 - scores)
    n = scores.size
    truth = -math.fsum(map(math.log, np.where(labels, scores, 0.5))) / n
    truth -= math.fsum(math.log1p(-s) for s in np.where(labels, 0.0, scores)) / n
    truth -= math.fsum([math.log(2)] * int(np.count_nonzero(~labels))) / n
    assert digits(mm.log_loss(labels, scores), truth) > 12
    assert digits(mm.brier(labels, scores), math.fsum((1 - of_label) ** 2) / n) > 12


def test_auc_of_many_cases_is_exact(many):
    labels, scores = many
    order = np.argsort(scores)
    ranks = np.empty(scores.size, dtype=np.int64)
    ranks[order] = np.arange(1, scores.size + 1)
    P = int(labels.sum())
    N = labels.size - P
    wins = Fraction(int(ranks[labels].sum()) - P * (P + 1) // 2, P * N)
    assert mm.auc(labels, scores) == pytest.approx(float(wins), rel=1e-15)


def test_a_fit_to_many_cases_is_the_fit():
    rng = np.random.default_rng(2)
    scores = rng.uniform(0.02, 0.98, 60_000)
    logit = np.log(scores / (1 - scores))
    labels = rng.random(scores.size) < 1 / (1 + np.exp(0.3 - 0.7 * logit))
    slope = mm.calibration_slope(labels, scores)
    intercept = mm.calibration_intercept(labels, scores)
    assert abs(slope - 0.7) < 0.03

    def residual(a, b):
        return labels - 1 / (1 + np.exp(-(a + b * logit)))

    assert abs(math.fsum(residual(intercept, 1.0))) < 1e-7
    # The gradient at the fitted slope vanishes for the intercept that balances it.
    low, high = -5.0, 5.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if residual(middle, slope).sum() > 0 else (low, middle)
    assert abs(math.fsum(residual(low, slope) * logit)) < 1e-5


def test_large_weights_have_ranks_beyond_any_table():
    weights = np.array([1e9, 2e9, 3e9])
    value = mm.ndcg([1, 0, 1], [0.9, 0.5, 0.1], sample_weight=weights)
    # The integral of 1 / ln(x + 1) by a fine sum over logarithmic steps.
    edges = np.concatenate(
        [np.arange(1.5, 2**20 + 0.5), np.geomspace(2**20 + 0.5, 6e9 + 1.5, 2_000_000)]
    )
    density = np.diff(edges) / np.log((edges[1:] + edges[:-1]) / 2)
    total = np.concatenate([[0.0], np.cumsum(density)])
    upto = [np.interp(x + 1.5, edges, total) for x in (1e9, 3e9, 6e9, 4e9)]
    assert value == pytest.approx((upto[0] + upto[2] - upto[1]) / upto[3], rel=1e-8)


def test_saturated_scores_stay_finite():
    labels, scores = [1, 0, 1, 0], [1.0, 1e-300, 1 - 1e-16, 0.0]
    assert mm.log_loss(labels, scores) == pytest.approx(5e-17, abs=1e-16)
    assert mm.log_loss([0, 1], [1.0, 0.0], clip=1e-15) == pytest.approx(-math.log(1e-15), rel=1e-14)
