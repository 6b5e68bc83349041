"""Score limits of the AUC: Newcombe's method by another solver, perfect ranking, weights."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import Sample
from metameasure.inference.effective import cluster_degrees
from metameasure.inference.methods.newcombe import Components, model_variance, score_limits


def drawn(n=120, seed=3, distance=1.2):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.3
    return label, label * distance + rng.normal(size=n)


def test_the_model_variance_is_that_of_hanley_and_mcneil_with_equal_classes():
    """With m = n = k Newcombe's mean of both class sizes is k, as in Hanley and McNeil (1982)."""
    auc, k = 0.85, 40
    q1, q2 = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    printed = (auc * (1 - auc) + (k - 1) * (q1 - auc**2) + (k - 1) * (q2 - auc**2)) / k**2
    assert model_variance(auc, k, k) == pytest.approx(printed, rel=1e-12)


@pytest.mark.parametrize(("auc", "n_pos", "n_neg"), [(0.8, 20, 30), (0.95, 10, 90), (0.6, 50, 50)])
def test_limits_solve_the_equation_of_the_score_interval(auc, n_pos, n_neg):
    """Without components the limits are those of Newcombe's method 5, by another solver."""
    z = stats.norm.ppf(0.975)

    def distance(true):
        return abs(auc - true) - z * math.sqrt(model_variance(true, n_pos, n_neg))

    expected = [optimize.brentq(distance, *ends) for ends in ((1e-9, auc), (auc, 1 - 1e-9))]
    found = score_limits(auc, Components(0.0, n_pos, n_neg), 0.95)
    assert found == pytest.approx(expected, abs=1e-9)


def test_a_large_variance_of_the_components_counts():
    auc, variance = 0.8, 0.01
    z = stats.norm.ppf(0.975)
    found = score_limits(auc, Components(variance, 1000, 1000), 0.95)
    # (auc - x)^2 = z^2 variance x (1 - x) / (auc (1 - auc)), a quadratic equation
    factor = z**2 * variance / (auc * (1 - auc))
    roots = np.roots([1 + factor, -(2 * auc + factor), auc**2])
    assert found == pytest.approx(sorted(roots))


def test_the_default_is_at_least_as_wide_as_both():
    label, score = drawn()
    found = mm.interval(label, score, "auc")
    assert found.method == "newcombe"
    assert found.low <= found.value <= found.high
    alone = score_limits(found.value, Components(0.0, label.sum(), (~label).sum()), 0.95)
    assert found.low <= alone[0]
    assert found.high >= alone[1]


def test_a_perfect_ranking_has_a_lower_limit():
    label = np.repeat([True, False], [10, 30])
    found = mm.interval(label, label, "auc")
    assert found.value == found.high == 1
    assert 0.8 < found.low < 0.9
    worst = mm.interval(~label, label, "auc")
    assert (worst.low, worst.high) == (0, pytest.approx(1 - found.low))


@pytest.mark.parametrize("wider", [1.0, 20.0])
def test_linear_functions_have_the_same_limits(wider):
    """Where positives are spread out far more than negatives, the variance of components counts."""
    label, score = drawn()
    score = np.where(label, wider * score, score)
    sample = Sample.of(Predictions.of(label, {"m": score}))
    found = Components.of(sample, "m", mm.auc)
    value = mm.auc(label, score)
    assert (found.variance > model_variance(value, *sample.classes)) == (wider > 1)
    auc, gini, area = (
        mm.interval(label, score, name) for name in ("auc", "gini", "area_above_diagonal")
    )
    assert (gini.low, gini.high) == pytest.approx((2 * auc.low - 1, 2 * auc.high - 1))
    assert (area.low, area.high) == pytest.approx((auc.low - 0.5, auc.high - 0.5))


def test_equal_weights_are_none_and_a_table_is_its_rows():
    label, score = drawn()
    score = score.round(1)
    plain = mm.interval(label, score, "auc")
    for other in (
        mm.interval(label, score, "auc", sample_weight=np.full(label.size, 7.0)),
        mm.interval(mm.tabulate(label, score), "auc"),
    ):
        assert (other.low, other.high) == pytest.approx((plain.low, plain.high), abs=1e-12)


def test_weights_cost_cases():
    label, score = drawn()
    weight = np.where(np.arange(label.size) % 2, 9.0, 1.0)
    plain, weighted = (
        mm.interval(label, score, "auc", sample_weight=given) for given in (None, weight)
    )
    assert weighted.high - weighted.low > 1.15 * (plain.high - plain.low)


def test_copies_of_a_case_count_as_one():
    label, score = drawn(200)
    number = np.repeat(np.arange(200), 4)
    found = mm.interval(label[number], score[number], "auc", cluster=number)
    alone = mm.interval(label, score, "auc")
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high), abs=0.012)


@pytest.mark.parametrize("more", [{}, {"sample_weight": np.ones(10)}, {"cluster": range(10)}])
def test_one_positive_has_no_interval(more):
    found = mm.interval([1, *[0] * 9], np.linspace(1, 0, 10), "auc", **more)
    assert math.isnan(found.low)
    what = "clusters" if "cluster" in more else "cases"
    assert found.reason == f"the variance needs at least two {what} per class"


POPULATIONS = {
    "5% prevalence": (10, 190, lambda rng, n: rng.normal(1.5, 1, n), stats.norm(1.5, math.sqrt(2))),
    "heavy tails": (30, 70, lambda rng, n: 8 + rng.standard_cauchy(n), stats.cauchy(8, 2)),
    "near 1": (25, 25, lambda rng, n: rng.normal(3.3, 1, n), stats.norm(3.3, math.sqrt(2))),
}


@pytest.mark.parametrize("name", POPULATIONS)
def test_limits_cover_in_hard_places(name):
    """Nominal 95%: at least 92% within the error of 500 data sets; the differences are known."""
    n_pos, n_neg, positives, difference = POPULATIONS[name]
    rng = np.random.default_rng(n_pos)
    label = np.repeat([True, False], [n_pos, n_neg])
    truth = 1 - difference.cdf(0)
    covered = 0
    for _ in range(500):
        others = rng.standard_cauchy(n_neg) if name == "heavy tails" else rng.normal(size=n_neg)
        found = mm.interval(label, np.concatenate([positives(rng, n_pos), others]), "auc")
        covered += found.low <= truth <= found.high
    assert stats.binom.cdf(covered, 500, 0.92) > 0.005, covered / 500


def components_by_hand(label, score, weight, cluster=None):
    """The variance, the effective sizes and the variances of both classes, by plain loops."""
    cluster = np.arange(label.size) if cluster is None else cluster
    terms, sizes, alone = np.zeros(label.size), [], 0.0
    for members, others in ((label, ~label), (~label, label)):
        total = weight[members].sum()
        means = np.zeros(label.size)
        for case in np.flatnonzero(members):
            ahead = np.sign(score[case] - score[others]) * (1 if label[case] else -1)
            means[case] = weight[others] @ ((1 + ahead) / 2) / weight[others].sum()
        mean = weight[members] @ means[members] / total
        terms[members] = (weight * (means - mean) / total)[members]
        sizes.append(total**2 / np.sum(weight[members] ** 2))
        n = np.count_nonzero(members)
        alone += n / (n - 1) * np.sum(terms[members] ** 2)
    sums = []
    for members in (label, ~label):
        used = np.unique(cluster[members]).size
        of_class = np.array([terms[members & (cluster == one)].sum() for one in np.unique(cluster)])
        sums.append(of_class * math.sqrt(used / (used - 1)))
    together = np.sum((sums[0] + sums[1]) ** 2)
    return alone, together, sizes, [np.sum(one**2) for one in sums]


def test_components_of_weighted_cases_by_hand():
    label, score = drawn(60)
    score = score.round(1)
    weight = np.random.default_rng(4).uniform(0.5, 3, 60)
    sample = Sample.of(Predictions.of(label, {"m": score}, sample_weight=weight))
    found = Components.of(sample, "m", mm.auc)
    alone, _, sizes, _ = components_by_hand(label, score, weight)
    assert found.variance == pytest.approx(alone)
    assert (found.n_pos, found.n_neg) == pytest.approx(tuple(sizes))
    assert found.degrees == math.inf


@pytest.mark.parametrize("weighted", [False, True])
def test_components_of_clusters_by_hand(weighted):
    rng = np.random.default_rng(7)
    cluster = rng.integers(0, 30, 150)
    label = rng.random(150) < 0.2 + 0.6 * rng.random(30)[cluster]
    score = (label + rng.normal(size=150) + 2 * rng.normal(size=30)[cluster]).round(1)
    weight = rng.uniform(0.5, 3, 150) if weighted else np.ones(150)
    sample = Sample.of(Predictions.of(label, {"m": score}, sample_weight=weight, cluster=cluster))
    found = Components.of(sample, "m", mm.auc)
    alone, together, sizes, apart = components_by_hand(label, score, weight, cluster)
    effect = together / alone
    assert effect > 1.2
    assert found.variance == pytest.approx(together)
    assert (found.n_pos, found.n_neg) == pytest.approx(tuple(size / effect for size in sizes))
    assert found.degrees == pytest.approx(cluster_degrees(apart, sample, 30))


def test_clusters_of_a_perfect_ranking_count_as_cases():
    label = np.repeat([True, False], [12, 20])
    cluster = np.repeat(np.arange(16), 2)
    sample = Sample.of(Predictions.of(label, {"m": label + 0.0}, cluster=cluster))
    found = Components.of(sample, "m", mm.auc)
    assert (found.variance, found.n_pos, found.n_neg) == pytest.approx((0, 6, 10))


def test_effective_sizes_are_at_least_one_case():
    label, score = np.tile([True, True, False, False], 15), np.repeat([3.0, 1.0], 30)
    score += np.tile([0.5, 1.0, 0.0, 0.2], 15)
    sample = Sample.of(Predictions.of(label, {"m": score}, cluster=np.repeat([0, 1], 30)))
    found = Components.of(sample, "m", mm.auc)
    assert min(found.n_pos, found.n_neg) >= 1


def test_limits_have_students_quantile():
    auc, degrees = 0.8, 4
    found = score_limits(auc, Components(0.0, 20, 30, degrees), 0.9)
    t = stats.t.ppf(0.95, degrees)
    for limit in found:
        assert abs(auc - limit) == pytest.approx(t * math.sqrt(model_variance(limit, 20, 30)))
    assert found[0] < auc < found[1]
