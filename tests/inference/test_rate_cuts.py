"""Limits at a cut at a rate: what is drawn, and coverage with few cases beyond the cut."""

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from metameasure.inference.rate_cuts import drawn_rates
from metameasure.table import Point


def rates(table, text, sizes, seed=0):
    kind, _, value = text.partition("=")
    return drawn_rates(table, Point(kind, float(value)), sizes, np.random.default_rng(seed))


def test_the_rate_between_two_negatives_by_hand():
    # + + - + - -: at a third of three negatives, K of them lie above the true threshold, and the
    # observed rate is 0 to 2/3 (K = 0), 2/3 to 1 (K = 1), or 1 (K = 2, 3).
    table = mm.tabulate([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    drawn = rates(table, "fpr=0.33333333", (3, 3))
    chance = stats.binom(3, 1 / 3).pmf(range(4))
    means = [1 / 3, 5 / 6, 1.0, 1.0]  # of the arcsine distribution between the ends
    expected = sum(p * (3 * mean + 0.5) / 4 for p, mean in zip(chance, means, strict=True))
    assert drawn.mean() == pytest.approx(expected, abs=4 * drawn.std() / np.sqrt(drawn.size))


def test_the_classes_change_places_for_a_true_positive_rate():
    label, score = [1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 5, 3, 2, 1]
    table = mm.tabulate(label, score)
    mirrored = mm.tabulate([1 - y for y in label], score)
    first, second = rates(table, "tpr=0.7", (4, 4)), rates(mirrored, "fpr=0.7", (4, 4))
    assert (first == second).all()


@pytest.mark.parametrize("text", ["tpr@fpr=0", "tpr@fpr=1", "fpr@tpr=0", "fpr@tpr=1"])
def test_the_ends_of_the_range(text):
    rng = np.random.default_rng(1)
    label = rng.random(100) < 0.4
    found = mm.interval(label, label + rng.normal(size=100), text)
    assert 0 <= found.low < found.high <= 1


def test_a_rate_that_the_cases_do_not_reach_has_wide_limits():
    # One percent of 40 negatives: the true threshold is above all of them with a chance of 67%.
    rng = np.random.default_rng(2)
    label = np.repeat([True, False], [60, 40])
    found = mm.interval(label, 3 * label + rng.normal(size=100), "tpr@fpr=0.01")
    assert found.low < 0.1
    assert found.high > 0.9


POPULATIONS = {
    "normal": (stats.norm(1.2), stats.norm()),
    "cauchy": (stats.cauchy(7.8), stats.cauchy()),
    "nearly perfect": (stats.norm(3.0), stats.norm()),
}


@pytest.mark.parametrize("name", POPULATIONS)
@pytest.mark.parametrize("level", [0.01, 0.05])
def test_coverage_with_few_negatives_beyond_the_cut(name, level):
    """100 positives and 100 negatives, of which one or five lie beyond the cut."""
    positives, negatives = POPULATIONS[name]
    truth = positives.sf(negatives.isf(level))
    rng = np.random.default_rng(3)
    label, covered = np.repeat([True, False], 100), 0
    for _ in range(200):
        score = np.concatenate([k.rvs(100, random_state=rng) for k in (positives, negatives)])
        found = mm.interval(label, score, f"tpr@fpr={level}")
        covered += found.low <= truth <= found.high
    assert covered >= 0.92 * 200


def test_weights_and_clusters_widen():
    rng = np.random.default_rng(4)
    label = rng.random(400) < 0.4
    score = label + rng.normal(size=400)
    alone = mm.interval(label, score, "tpr@fpr=0.1")
    weighted = mm.interval(label, score, "tpr@fpr=0.1", sample_weight=rng.lognormal(0, 1, 400))
    again = np.repeat(np.arange(400), 3)
    clustered = mm.interval(label[again], score[again], "tpr@fpr=0.1", cluster=again)
    width = alone.high - alone.low
    assert weighted.high - weighted.low > 1.1 * width
    assert clustered.high - clustered.low == pytest.approx(width, rel=0.1)


def slow_rates(table, level, sizes, rng, number=100_000):
    """The same draws one step at a time: K negatives above, a place between two, the true rate."""
    n_neg, n_pos = sizes
    above = rng.binomial(round(n_neg), level, number)
    ends = []
    for half in (-0.5, 0.5):
        rate = (above + half) / n_neg
        inner = np.interp(rate, table.fpr, table.tpr)
        ends.append(np.where(rate < 0, 0.0, np.where(rate > 1, 1.0, inner)))
    observed = ends[0] + np.sin(rng.uniform(0, np.pi / 2, number)) ** 2 * (ends[1] - ends[0])
    first, second = (rng.gamma(part * n_pos + 0.5) for part in (observed, 1 - observed))
    return first / (first + second)


@pytest.mark.parametrize("level", [0.05, 0.4, 0.95])
@pytest.mark.parametrize("sizes", [(6.0, 5.0), (3.3, 8.6)])
def test_draws_have_the_distribution_of_their_definition(level, sizes):
    rng = np.random.default_rng(6)
    label = rng.random(40) < 0.5
    table = mm.tabulate(label, label + rng.normal(size=40))
    found = drawn_rates(table, Point("fpr", level), sizes[::-1], np.random.default_rng(1))
    slow = slow_rates(table, level, sizes, np.random.default_rng(2))
    assert found.size == 5000
    # Kolmogorov's distance is below 0.03 with a probability of 99.96%.
    assert stats.ks_2samp(found, slow).statistic < 0.03


def test_a_class_that_counts_as_less_than_one_case():
    table = mm.tabulate([1, 0, 1, 0], [4, 3, 2, 1])
    found = drawn_rates(table, Point("fpr", 0.5), (2.0, 0.2), np.random.default_rng(1))
    assert ((found > 0) & (found < 1)).all()
