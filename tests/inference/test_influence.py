"""Influences of cases: slopes against differences of values, and standard errors."""

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import influence
from metameasure.inference.effective import design_effect, effective_sizes
from metameasure.inference.free_rate import FreeRate
from metameasure.inference.influence import (
    has_influence,
    influences,
    slopes,
    standard_error,
)
from metameasure.inference.sample import Sample
from metameasure.table import Point, ScoreTable

SMOOTH = [
    "average_precision",
    "partial_auc",
    "partial_auc(fpr=(0.2, 0.55))",
    "partial_auc(tpr=(0.3, 0.8))",
    "partial_auc(tpr=(0.8, 1.0), standardized=True)",
    "ks",
    "h_measure",
    "h_measure(alpha=3, beta=1.5)",
    "h_measure(severity=prior)",
    "auc",
    "scored_auc",
    "brier",
    "log_loss",
    "net_benefit(t=0.3)",
    "calibration_slope",
    "calibration_intercept",
    "calibration_in_the_large",
    "scaled_brier",
    "standardized_net_benefit(t=0.3)",
]
STEP = 1e-6


def weighted_table(rng, rows=12):
    score = np.sort(rng.random(rows))[::-1]
    return ScoreTable(score, *(rng.random((2, rows)) + rng.integers(0, 3, (2, rows))))


def moved(table, column, row, step):
    weights = [np.array(table.pos), np.array(table.neg)]
    weights[column][row] += step
    return ScoreTable(table.score, *weights)


@pytest.mark.parametrize("text", SMOOTH)
def test_slopes_are_derivatives_by_the_weight_of_a_case(text):
    measure, rng = mm.parse(text), np.random.default_rng(1)
    for _ in range(5):
        table = weighted_table(rng)
        for column, found in enumerate(slopes(measure, table)):
            for row in range(table.score.size):
                up, down = (
                    float(measure.compute(moved(table, column, row, step)))
                    for step in (STEP, -STEP)
                )
                assert found[row] == pytest.approx((up - down) / (2 * STEP), abs=1e-7)


@pytest.mark.parametrize("text", [*SMOOTH, "f_measure", "mcc", "lift", "tpr@fpr=0.1"])
def test_influences_of_all_cases_add_up_to_nothing(text):
    measure, table = mm.parse(text), weighted_table(np.random.default_rng(2))
    of_positive, of_negative = slopes(measure, table)
    assert table.pos @ of_positive + table.neg @ of_negative == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    "text",
    ["auc", "ks", "h_measure", "average_precision", "partial_auc", "f_measure", "mcc", "lift",
     "tpr@fpr=0.1", "fpr@tpr=0.8", "precision@k=50", "f_measure@k=P", "mcc@top=20%"],
)  # fmt: skip
def test_standard_errors_are_those_of_many_samples(text):
    measure, rng = mm.parse(text), np.random.default_rng(3)
    values, errors = [], []
    for _ in range(300):
        label = rng.random(800) < 0.3
        sample = Sample.of(Predictions.of(label, {"m": rng.normal(size=800) + 1.2 * label}))
        table = sample.tables["m"]
        values.append(measure.value(table))
        found = influences(slopes(measure, table), sample, "m")
        errors.append(standard_error(found, sample, stratified=False))
    # The standard deviation of 300 values has an error of 4%.
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.14)


def test_fixed_class_sizes_take_the_prevalence_out_of_the_error():
    rng = np.random.default_rng(4)
    label = np.repeat([True, False], [200, 600])
    values, errors = [], []
    for _ in range(300):
        sample = Sample.of(Predictions.of(label, {"m": rng.normal(size=800) + 1.2 * label}))
        table = sample.tables["m"]
        values.append(mm.average_precision.value(table))
        found = influences(slopes(mm.average_precision, table), sample, "m")
        errors.append([standard_error(found, sample, stratified=s) for s in (True, False)])
    fixed, random = np.mean(errors, axis=0)
    assert fixed == pytest.approx(np.std(values), rel=0.14)
    assert random > 1.03 * fixed


def test_what_has_an_influence():
    assert has_influence(mm.average_precision)
    assert not has_influence(mm.parse("average_precision(interpolation=max)"))
    assert not has_influence(mm.rms)
    assert not has_influence(mm.ece)
    assert has_influence(mm.lift)
    assert has_influence(mm.mcc)


@pytest.mark.parametrize(
    ("point", "share", "trials"),
    [
        (Point("top", 0.2), 0.75, 20),  # 15 of the first 20 are positive
        (Point("top", 0.6), 25 / 30, 30),  # 25 of all 30 positives
        (Point("k", 20), 0.75, 20),
        (Point("k", "P"), 20 / 30, 30),
        (Point("fpr", 1 / 14), 15 / 30, 30),
        (Point("tpr", 0.5), 5 / 70, 70),
    ],
)
def test_the_rate_that_a_point_leaves_free(point, share, trials):
    table = ScoreTable([0.9, 0.7, 0.5, 0.3], [15, 5, 5, 5], [5, 5, 25, 35])
    rate, cut = FreeRate.of(table, point), table.at(point)
    assert float(rate(cut)) == pytest.approx(share)
    assert rate.trials(30.0, 70.0) == pytest.approx(trials)
    again = rate.cut(np.array([share]), np.array([0.3]))
    assert again.tp * 100 == pytest.approx(float(cut.tp))
    assert again.fp * 100 == pytest.approx(float(cut.fp))


def test_repeated_cases_in_clusters_count_once():
    rng = np.random.default_rng(5)
    label = rng.random(150) < 0.4
    score = rng.normal(size=150) + label
    again = np.repeat(np.arange(150), 4)
    rows = Predictions.of(label[again], {"m": score[again]}, cluster=again)
    sample = Sample.of(rows)
    assert design_effect(sample, "m") == pytest.approx(4 * 150 / 149)
    n_pos, n_neg = effective_sizes(sample, "m", 0.95)
    assert n_pos == pytest.approx(label.sum(), rel=0.03)
    assert n_neg == pytest.approx((~label).sum(), rel=0.03)


def test_equal_weights_change_no_size_and_unequal_ones_count_as_fewer():
    label, score = np.array([1, 1, 0, 0, 0]), np.arange(5.0)
    equal = Sample.of(Predictions.of(label, {"m": score}, sample_weight=np.full(5, 3.0)))
    assert effective_sizes(equal, "m", 0.95) == pytest.approx((2, 3))
    weight = [1.0, 3.0, 1.0, 1.0, 2.0]
    unequal = Sample.of(Predictions.of(label, {"m": score}, sample_weight=weight))
    assert effective_sizes(unequal, "m", 0.95) == pytest.approx((16 / 10, 16 / 6))


def test_clusters_that_share_nothing_change_nothing():
    rng = np.random.default_rng(6)
    label = rng.random(4000) < 0.4
    rows = Predictions.of(label, {"m": rng.normal(size=4000) + label}, cluster=np.arange(4000) // 4)
    assert design_effect(Sample.of(rows), "m") == pytest.approx(1, abs=0.06)


# ------------------------------------------------------------------------ derivatives at a cut


def test_slopes_at_a_threshold_are_the_derivatives_of_the_enlarged_matrix():
    # Each cell is enlarged by half a case: tp 3.5, fn 1.5, fp 0.5, tn 4.5.
    table = mm.ScoreTable([0.9, 0.6, 0.2], [2, 1, 1], [0, 0, 4])
    of_positive, of_negative = slopes(mm.precision, table)
    positive, negative = (slope * np.array([1.0, 1.0, 0.0]) for slope in (0.5 / 16, -3.5 / 16))
    mean = (table.pos @ positive + table.neg @ negative) / 8
    np.testing.assert_allclose(of_positive, positive - mean, rtol=1e-6)
    np.testing.assert_allclose(of_negative, negative - mean, rtol=1e-6)


@pytest.mark.parametrize(
    "text", ["precision", "mcc", "precision@top=30%", "tpr@fpr=0.2", "f_measure@k=5"]
)
def test_slopes_at_a_cut_do_not_depend_on_the_unit_of_the_weights(text):
    rng = np.random.default_rng(4)
    pos, neg = rng.integers(0, 4, (2, 12)).astype(float)
    score = np.linspace(0.95, 0.05, 12)
    sizes = float(pos.sum()), float(neg.sum())
    one, heavy = (mm.ScoreTable(score, unit * pos, unit * neg) for unit in (1, 16))
    measure = mm.parse(text)
    large = mm.parse(text.replace("k=5", "k=80"))
    for light, weighted in zip(
        slopes(measure, one, sizes), slopes(large, heavy, sizes), strict=True
    ):
        np.testing.assert_allclose(16 * weighted, light, rtol=1e-9, atol=1e-12)


def test_few_clusters_make_the_effective_numbers_smaller():
    rng = np.random.default_rng(8)
    label, cluster = rng.random(60) < 0.5, np.repeat(np.arange(6), 10)
    score = label + rng.normal(size=60) + rng.normal(size=6)[cluster]
    sample = Sample.of(Predictions.of(label, {"m": score}, cluster=cluster))
    # A variance with 5 degrees of freedom: Student's quantile instead of the normal one.
    wider = (stats.t.ppf(0.95, 5) / stats.norm.ppf(0.95)) ** 2
    expected = [n / (design_effect(sample, "m") * wider) for n in (label.sum(), (~label).sum())]
    assert min(expected) > 1
    assert effective_sizes(sample, "m", 0.9) == pytest.approx(tuple(expected))


@pytest.mark.parametrize(
    ("taken", "near"), [(0.5, range(3)), (1.0, range(3)), (5.0, range(2, 7)), (9.5, range(7, 10))]
)
def test_at_the_edge_are_the_cases_of_two_rows_on_each_side(monkeypatch, taken, near):
    shares = np.arange(1.0, 11) / 55, np.arange(10.0, 0, -1) / 55
    monkeypatch.setattr(influence, "smooth", lambda table, sizes: shares)
    pos = np.array([1.0, 0, 1, 1, 0, 1, 0, 0, 0, 0])
    table = ScoreTable(np.arange(10.0)[::-1], pos, 1 - pos)
    found = influence._at_the_edge(table, taken, (4.0, 6.0))
    expected = [
        n * sum(share[row] for row in near) for n, share in zip((4, 6), shares, strict=True)
    ]
    assert found == pytest.approx(tuple(expected))


def contributing(of_cases, sample):
    """The number of units that contribute, by the influences of cases."""
    of_units = influence._of_units(of_cases, sample)
    return influence._contributing([(of_units, np.ones(of_units.size))])


def test_the_number_of_contributing_units():
    label, score = np.array([1, 1, 0, 0, 0]), np.arange(5.0)
    sample = Sample.of(Predictions.of(label, {"m": score}))
    influence_of = np.array([1.0, -2.0, 0.5, 0.0, 3.0])
    # Three times the square of the sum of squares, by the sum of fourth powers.
    expected = 3 * 14.25**2 / (1 + 16 + 0.5**4 + 81)
    assert contributing(influence_of, sample) == pytest.approx(expected)
    assert contributing(np.zeros(5), sample) == 0
    together = Sample.of(Predictions.of(label, {"m": score}, cluster=[0, 0, 1, 1, 2]))
    expected = 3 * (1 + 0.25 + 9) ** 2 / (1 + 0.5**4 + 81)
    assert contributing(influence_of, together) == pytest.approx(expected)
