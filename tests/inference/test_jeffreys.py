"""Limits of functions of the confusion matrix: exact posteriors, empty cells, weights, clusters."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from metameasure.inference import Sample
from metameasure.inference.methods import jeffreys
from metameasure.inference.methods.jeffreys import Cells, cells_of


def matrix(tp, fn, fp, tn):
    """Labels and scores with this confusion matrix at 0.5."""
    label = np.repeat([1, 1, 0, 0], [tp, fn, fp, tn])
    return label, np.repeat([0.9, 0.1, 0.9, 0.1], [tp, fn, fp, tn])


@pytest.mark.parametrize(
    ("measure", "some", "rest"),
    [("tpr", 30, 12), ("precision", 30, 9), ("accuracy", 30 + 77, 12 + 9), ("tnr", 77, 9)],
)
def test_fractions_have_the_beta_posterior(measure, some, rest):
    """The sum of two cells has the prior of both: 1/2 or 1."""
    found = mm.interval(*matrix(30, 12, 9, 77), measure, method="jeffreys")
    prior = 1 if measure == "accuracy" else 0.5
    expected = stats.beta(some + prior, rest + prior).ppf([0.025, 0.975])
    assert [found.low, found.high] == pytest.approx(expected, abs=0.004)


def test_jaccard_and_the_f_measure_are_functions_of_one_fraction():
    found, of_f = (
        mm.interval(*matrix(30, 12, 9, 77), name, method="jeffreys")
        for name in ("jaccard", "f_measure")
    )
    expected = stats.beta(30.5, 22).ppf([0.025, 0.975])
    assert [found.low, found.high] == pytest.approx(expected, abs=0.004)
    for j, f in zip((found.low, found.high), (of_f.low, of_f.high), strict=True):
        assert f == pytest.approx(2 * j / (1 + j))


def test_the_net_benefit_is_a_function_of_the_matrix_at_its_parameter():
    """At t = 0 all cases are above, and it is the fraction of true positives."""
    label, score = matrix(30, 12, 9, 77)
    assert mm.parse("net_benefit(t=0.3)").threshold == 0.3
    found = mm.interval(label, score, "net_benefit(t=0)")
    assert found.method == "jeffreys"
    expected = stats.beta(42.5, 86 + 1.5).ppf([0.025, 0.975])
    assert [found.low, found.high] == pytest.approx(expected, abs=0.004)


def test_the_net_benefit_of_matrices_is_tp_minus_weighted_fp_per_case():
    tp, fp = np.array([3.0, 0.0]), np.array([2.0, 4.0])
    found = mm.parse("net_benefit(t=0.2)").at_cut(mm.Cut(tp, fp, np.full(2, 5.0), np.full(2, 15.0)))
    assert found == pytest.approx([(3 - 2 / 4) / 20, -4 / 4 / 20])


def test_a_net_benefit_of_0_has_limits():
    """With no case above the threshold, one of each class could have been."""
    found = mm.interval([1] * 5 + [0] * 95, np.linspace(0, 0.4, 100), "net_benefit(t=0.8)")
    assert found.value == 0
    # The gamma variables of both empty cells have shape 1/2; most of their difference is above.
    drawn = stats.chi2(1).rvs((2, 10**6), random_state=1) / 2
    low, high = np.quantile((drawn[0] - 4 * drawn[1]) / 102, [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx((low, high), rel=0.1)


@pytest.mark.parametrize("name", ["f_measure", "mcc", "kappa", "jaccard", "g_mean", "youden_j"])
def test_a_perfect_table_is_not_certain(name):
    found = mm.interval(*matrix(10, 0, 0, 30), name)
    assert found.method == "jeffreys"
    assert 0.5 < found.low < 0.9
    assert found.high == found.value == 1


def test_no_positive_is_found():
    for name in ("mcc", "f_measure", "kappa", "lr_plus"):
        found = mm.interval(*matrix(0, 8, 1, 191), name)
        assert found.low <= found.value < found.high
        assert found.high > 0.2
        assert found.left_out == 0


def test_an_empty_cell_below_a_ratio_has_a_lower_limit():
    found = mm.interval(*matrix(10, 2, 0, 30), "lr_plus")
    assert found.value == found.high == math.inf
    assert 2 < found.low < 30


def test_equal_weights_are_none_and_integers_are_not_repetition():
    label, score = matrix(12, 5, 6, 40)
    plain = mm.interval(label, score, "mcc")
    equal = mm.interval(label, score, "mcc", sample_weight=np.full(label.size, 3.0))
    assert (equal.low, equal.high) == pytest.approx((plain.low, plain.high), abs=1e-12)
    heavy = np.where(np.arange(label.size) % 2, 9.0, 1.0)
    weighted = mm.interval(label, score, "mcc", sample_weight=heavy)
    assert weighted.high - weighted.low > 1.15 * (plain.high - plain.low)


def test_weights_of_classes_do_not_change_the_number_of_cases():
    """Positives with a weight of 1/5 are still as many cases."""
    label, score = matrix(12, 5, 6, 40)
    found = mm.interval(label, score, "youden_j", sample_weight=np.where(label, 0.2, 1.0))
    plain = mm.interval(label, score, "youden_j")
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=1e-9)


def test_effective_numbers_of_cases():
    total, squares = np.array([4.0, 0.0, 6.0, 10.0]), np.array([8.0, 0.0, 6.0, 10.0])
    found = Cells.of_weights(total, squares)
    assert found.cases == (2.0, 0.0, 6.0, 10.0)
    assert found.weight == (2.0, 2.0, 1.0, 1.0)
    assert found.prior == (2.0, 2.0, 1.0, 1.0)
    spread = found.spread_by(2.0)
    assert spread.cases == (1.0, 0.0, 3.0, 5.0)
    assert np.array(spread.cases) @ np.array(spread.weight) == total.sum()


def clustered(clusters, repeated):
    rng = np.random.default_rng(5)
    label = rng.random(clusters) < 0.4
    score = np.clip(label * 0.3 + rng.random(clusters) * 0.7, 0, 1)
    number = np.repeat(np.arange(clusters), repeated)
    return label[number], score[number], number, label, score


def test_copies_of_a_case_count_as_one():
    label, score, number, single, its_score = clustered(200, 4)
    found = mm.interval(label, score, "mcc", cluster=number)
    alone = mm.interval(single, its_score, "mcc")
    # Student's quantile with 199 degrees is 0.6% wider; the prior of four copies is that of one.
    assert found.low == pytest.approx(alone.low, abs=0.01)
    assert found.high == pytest.approx(alone.high, abs=0.01)


def test_copies_of_a_perfect_case_count_as_one():
    label, score = matrix(10, 0, 0, 30)
    number = np.repeat(np.arange(40), 5)
    found = mm.interval(label[number], score[number], "mcc", cluster=number)
    alone = mm.interval(label, score, "mcc")
    # Student's quantile for the 10 clusters of positives widens the variance by 15 to 30%.
    assert found.low == pytest.approx(alone.low, abs=0.04)
    assert found.high == 1


def test_clusters_of_one_case_are_cases():
    label, score = matrix(30, 12, 9, 77)
    predictions = mm.Predictions.of(label, {"m": score}, cluster=np.arange(label.size))
    sample = Sample.of(predictions)
    found = cells_of(sample, "m", mm.mcc, 0.95)
    wider = (stats.t(127).ppf(0.975) / stats.norm.ppf(0.975)) ** 2
    assert found.cases == pytest.approx(np.array([30, 12, 9, 77]) / wider, rel=0.02)


def test_one_cluster_has_no_interval():
    label, score = matrix(3, 2, 2, 3)
    found = mm.interval(label, score, "mcc", cluster=np.zeros(10))
    assert math.isnan(found.low)
    assert "two clusters" in found.reason


@pytest.mark.parametrize("seed", [1, 2])
def test_the_seed_hardly_matters(seed):
    first = mm.interval(*matrix(30, 12, 9, 77), "kappa", seed=seed)
    other = mm.interval(*matrix(30, 12, 9, 77), "kappa", seed=seed + 10)
    width = first.high - first.low
    assert abs(first.low - other.low) < 0.06 * width
    assert mm.interval(*matrix(30, 12, 9, 77), "kappa", seed=seed) == first


SETTINGS = [
    (200, 0.05, 0.6, 0.05), (40, 0.25, 0.9, 0.1), (100, 0.1, 0.3, 0.02),
    (200, 0.04, 0.1, 0.01),  # most samples have 8 positives, of which none or one is found
    (40, 0.25, 0.98, 0.01),  # two thirds of the samples are perfect
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::metameasure.errors.UndefinedMeasureWarning")
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_limits_cover_with_few_positives(setting):
    """Nominal 95%: at least 92% within the error of 400 data sets, for measures of all shapes."""
    n, prevalence, tpr, fpr = setting
    share = np.array([prevalence * tpr, prevalence * (1 - tpr),
                      (1 - prevalence) * fpr, (1 - prevalence) * (1 - fpr)])  # fmt: skip
    benefit = mm.parse("net_benefit(t=0.3)")
    measures = [
        mm.mcc, mm.f_measure, mm.kappa, mm.jaccard, mm.balanced_accuracy, mm.lr_minus, benefit,
    ]  # fmt: skip
    truth = mm.tabulate([1, 1, 0, 0], [0.9, 0.1, 0.9, 0.1], sample_weight=share)
    covered, defined = np.zeros(len(measures)), np.zeros(len(measures))
    for cells in np.random.default_rng(n).multinomial(n, share, size=400):
        label, score = matrix(*cells)
        if label.all() or not label.any():
            continue
        for place, row in enumerate(mm.evaluate(label, score, measures).rows):
            if math.isfinite(row.value):
                defined[place] += 1
                covered[place] += row.low <= float(row.measure.compute(truth)) <= row.high
    assert (stats.binom.cdf(covered, defined, 0.92) > 0.005).all(), covered / defined


def test_the_design_effect_of_clusters_is_that_of_their_sums(monkeypatch):
    of_classes = []

    def degrees(variances, sample, units):
        of_classes.append(variances)
        return units - 1

    monkeypatch.setattr(jeffreys, "cluster_degrees", degrees)
    # Cells tp, fn, fp and tn of four clusters; the slopes of the accuracy are known.
    by_cluster = np.array([[3.0, 0, 1, 0], [0, 2, 0, 2], [4, 0, 0, 1], [1, 1, 1, 3]])
    squares = total = by_cluster.sum(axis=0)  # cases of weight 1
    cells = SimpleNamespace(smoothed=total + 0.5)
    right = np.array([1.0, 0, 0, 1])
    accuracy = right @ cells.smoothed / cells.smoothed.sum()
    slope = (right - accuracy) / cells.smoothed.sum()
    slope -= total @ slope / total.sum()
    together = np.sum((by_cluster @ slope) ** 2) * 4 / 3
    expected = max(together / (squares @ slope**2), 1.0)
    expected *= (stats.t.ppf(0.95, 3) / stats.norm.ppf(0.95)) ** 2
    found = jeffreys._design_effect(mm.accuracy, cells, by_cluster, squares, None, 0.9)
    assert found == pytest.approx(expected, rel=1e-6)
    classes = (slice(2), slice(2, 4))
    each = [np.sum((by_cluster[:, of] @ slope[of]) ** 2) for of in classes]
    assert of_classes[0] == pytest.approx(each, rel=1e-6)
    # Where nothing varies, the cases of a cluster count as one.
    perfect = np.array([[3.0, 0, 0, 0], [1.0, 0, 0, 0]])
    cells = SimpleNamespace(smoothed=np.array([4.0, 0, 0, 0]))
    found = jeffreys._design_effect(mm.accuracy, cells, perfect, perfect.sum(axis=0), None, 0.9)
    assert found == pytest.approx((9 + 1) / 4)


@pytest.mark.parametrize(
    "cells",
    [
        Cells((30.0, 0.0, 4.0, 9.0), (1.0, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1.0)),
        Cells((3.0, 0.0, 4.0, 9.0), (2.0, 0.5, 1.5, 3.0), (1.0, 1.0, 4.0, 4.0)),
    ],
    ids=["equal", "weighted"],
)
def test_drawn_cells_have_the_moments_of_gamma_variables(cells):
    """n cases of weight w, and half a case of the prior: means and variances add up."""
    drawn = jeffreys._drawn(cells, 3)
    for values, n, w, v in zip(
        (drawn.tp, drawn.fn, drawn.fp, drawn.tn),
        cells.cases,
        cells.weight,
        cells.prior,
        strict=True,
    ):
        mean, variance = n * w + 0.5 * v, n * w**2 + 0.5 * v**2
        assert values.size == 5000
        assert values.mean() == pytest.approx(mean, abs=5 * math.sqrt(variance / 5000))
        assert values.var() == pytest.approx(variance, rel=0.2)


def test_draws_within_classes_keep_their_sizes():
    cells = Cells((3.0, 1.0, 4.0, 9.0), (2.0, 2.0, 1.5, 3.0), (1.0, 1.0, 4.0, 4.0))
    drawn = mm.Cut(
        np.array([1.0, 3.0]), np.array([2.0, 8.0]), np.array([4.0, 5.0]), np.full(2, 10.0)
    )
    found = jeffreys._with_sizes(drawn, cells)
    assert found.tp == pytest.approx([8 / 4, 8 * 3 / 5])
    assert found.fp == pytest.approx([33 * 0.2, 33 * 0.8])
    assert (found.P, found.N) == (8, 33)


def test_cells_of_weighted_cases_by_hand():
    rng = np.random.default_rng(8)
    label, score, weight = rng.random(40) < 0.4, rng.random(40).round(1), rng.uniform(0.5, 3, 40)
    sample = Sample.of(mm.Predictions.of(label, {"m": score}, sample_weight=weight))
    found = cells_of(sample, "m", mm.mcc, 0.95)
    cells = [(label == y) & ((score >= 0.5) == above) for y in (1, 0) for above in (1, 0)]
    for place, members in enumerate(cells):
        own = weight[members]
        typical = np.sum(own**2) / own.sum()
        of_class = weight[label == label[members][0]]
        assert found.weight[place] == pytest.approx(typical)
        assert found.cases[place] == pytest.approx(own.sum() / typical)
        assert found.prior[place] == pytest.approx(np.sum(of_class**2) / of_class.sum())


def test_cells_of_clusters_by_hand(monkeypatch):
    rng = np.random.default_rng(9)
    label, score, cluster = rng.random(40) < 0.4, rng.random(40).round(1), np.arange(40) % 7
    weight = rng.uniform(0.5, 3, 40)
    asked = []

    def effect(measure, cells, by_cluster, squares, sample, ci):
        asked.append((by_cluster, squares))
        return 2.0

    monkeypatch.setattr(jeffreys, "_design_effect", effect)
    given = {"sample_weight": weight, "cluster": cluster}
    alone, together = (
        cells_of(Sample.of(mm.Predictions.of(label, {"m": score}, **options)), "m", mm.mcc, 0.95)
        for options in ({"sample_weight": weight}, given)
    )
    assert together == alone.spread_by(2.0)
    ((by_cluster, squares),) = asked
    cells = [(label == y) & ((score >= 0.5) == above) for y in (1, 0) for above in (1, 0)]
    for place, members in enumerate(cells):
        assert squares[place] == pytest.approx(np.sum(weight[members] ** 2))
        for one in range(7):
            expected = weight[members & (cluster == one)].sum()
            assert by_cluster[one, place] == pytest.approx(expected)
