"""Influences of cases: slopes against differences of values, and standard errors."""

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import added_cases, effective, influence
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


# ------------------------------------------------------------------ cuts inside a tie


TIED = ScoreTable(
    [0.9, 0.7, 0.5, 0.3, 0.1], np.array([5.0, 3.0, 2.5, 1.0, 0.5]), np.array([1.0, 2, 3, 4, 5])
)


def weighted_mean(table, of_positive, of_negative):
    return (table.pos @ of_positive + table.neg @ of_negative) / table.n


@pytest.mark.parametrize(
    "text",
    ["precision@top=37%", "mcc@top=37%", "f_measure@k=9", "npv@k=14", "lift@k=P", "mcc@k=P",
     "precision@fpr=0.22", "tpr@fpr=0.22", "mcc@fpr=0.5", "f_measure@tpr=0.6", "fpr@tpr=0.75"],
)  # fmt: skip
def test_slopes_at_a_cut_are_derivatives_where_it_moves_through_a_tie(monkeypatch, text):
    """Inside a tie the cut passes both classes of the tie in their proportion."""
    measure = mm.parse(text)
    cut = TIED.at(measure.point)
    row = int(np.searchsorted((TIED.tp + TIED.fp)[1:], cut.tp + cut.fp))
    edge = float(TIED.pos[row]), float(TIED.neg[row])
    monkeypatch.setattr(influence, "_at_the_edge", lambda *_: edge)
    monkeypatch.setattr(influence, "ADDED_TO_CELL", 0.0)
    expected = np.array(
        [
            [
                (
                    float(measure.compute(moved(TIED, column, place, STEP)))
                    - float(measure.compute(moved(TIED, column, place, -STEP)))
                )
                / (2 * STEP)
                for place in range(5)
            ]
            for column in range(2)
        ]
    )
    expected -= weighted_mean(TIED, *expected)
    np.testing.assert_allclose(np.stack(slopes(measure, TIED)), expected, rtol=1e-5, atol=1e-7)


def test_cells_are_enlarged_by_half_an_effective_case():
    # 10 effective cases of a weight of 2: each cell has a weight of 1 more.
    table = ScoreTable([0.9, 0.1], [6.0, 2.0], [4.0, 8.0])
    found = slopes(mm.precision, table, (4.0, 6.0))
    positive, negative = (np.array([slope, 0.0]) for slope in (5 / 12**2, -7 / 12**2))
    mean = weighted_mean(table, positive, negative)
    np.testing.assert_allclose(found[0], positive - mean, rtol=1e-6)
    np.testing.assert_allclose(found[1], negative - mean, rtol=1e-6)


def test_the_edge_of_a_cut_is_never_empty(monkeypatch):
    asked = []

    def nothing(table, sizes):
        asked.append(sizes)
        return np.zeros((2, table.score.size))

    monkeypatch.setattr(influence, "smooth", nothing)
    table = ScoreTable(np.arange(10.0)[::-1], np.full(10, 0.5), np.full(10, 1.5))
    found = influence._at_the_edge(table, 5.0, (0.3, 6.6))
    assert asked == [(1, 7)]
    # Half of a case, as a fraction of 6.9 cases, each of a weight of 20 / 6.9.
    assert found == pytest.approx((0.5 * 20 / 6.9**2,) * 2)


# ------------------------------------------------------------------ classes and clusters


def sample_of(label, score=None, **given):
    score = np.arange(len(label), dtype=float) if score is None else score
    return Sample.of(Predictions.of(np.array(label), {"m": np.array(score)}, **given))


@pytest.mark.parametrize("weighted", [False, True])
def test_with_fixed_class_sizes_the_error_is_that_of_what_a_class_does_not_share(weighted):
    rng = np.random.default_rng(9)
    label, of_cases = rng.random(30) < 0.4, rng.normal(size=30) + 2
    weight = rng.uniform(0.5, 3, 30) if weighted else np.ones(30)
    sample = sample_of(label, sample_weight=weight)
    left = of_cases.copy()
    for members in (label, ~label):
        # A class of fixed size has a mean per weight, which does not vary.
        left[members] -= weight[members] * of_cases[members].sum() / weight[members].sum()
    found = standard_error(of_cases, sample, stratified=True)
    assert found == pytest.approx(np.sqrt(np.sum(left**2) * 30 / 29))
    together = sample_of(label, cluster=np.arange(30) // 3, sample_weight=weight)
    sums = of_cases.reshape(10, 3).sum(axis=1)
    found = standard_error(of_cases, together, stratified=False)
    assert found == pytest.approx(np.sqrt(np.sum(sums**2) * 10 / 9))


def test_counted_cases_of_fixed_classes():
    counted = Sample.of_table(ScoreTable([3, 2, 1], [2, 0, 3], [1, 4, 0]), "m")
    of_rows = np.array([2.0, -1.0, 0.5, 1.0])
    cases = np.repeat(of_rows, [2, 3, 1, 4])
    left = cases - np.repeat([cases[:5].mean(), cases[5:].mean()], 5)
    found = standard_error(of_rows, counted, stratified=True)
    assert found == pytest.approx(np.sqrt(np.sum(left**2) * 10 / 9))


@pytest.mark.parametrize(("noise", "varies"), [(0.75e-12, False), (1.5e-12, True)])
def test_influences_vary_within_classes_beyond_rounding(noise, varies):
    weight = np.array([1.0, 2, 3, 4])
    sample = sample_of([1, 1, 0, 0], sample_weight=weight)
    same = np.array([5.0, 5.0, -2.0, -2.0]) * weight
    changed = same + 8 * np.array([noise, -noise, 0, 0])
    assert influence.varies_within_classes(changed, sample, 8.0) is varies


def test_the_effect_of_clusters_on_a_variance():
    of_cases = np.array([1.0, 2.0, -1.0, 0.5])
    assert influence.cluster_effect(of_cases, 50.0, sample_of([1, 0, 1, 0])) == 1
    together = sample_of([1, 0, 1, 0], cluster=[0, 0, 0, 1])
    assert influence.cluster_effect(of_cases, 50.0, together) == pytest.approx(50 / 6.25)
    assert influence.cluster_effect(of_cases, 3.0, together) == 1
    assert influence.cluster_effect(np.zeros(4), 0.0, together) == 2


def slow_design_effect(label, score, cluster, weight):
    """The variance of TPR - FPR between clusters, by that of single cases, over 32 cuts."""
    n, total = label.size, weight.sum()
    middle = [weight[score > s].sum() + weight[score == s].sum() / 2 for s in score]
    part = np.array([min(int(32 * m / total), 31) for m in middle])
    between = within = 0.0
    for cut in range(32):
        above, adds = part <= cut, np.zeros(n)
        for sign, members in ((1, label), (-1, ~label)):
            share = np.where(members, weight, 0) / weight[members].sum()
            adds += sign * share * (above - share @ above)
        within += adds @ adds
        between += sum(adds[cluster == one].sum() ** 2 for one in np.unique(cluster))
    units = np.unique(cluster).size
    return between / within * units / (units - 1)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("digits", [None, 1])
def test_the_design_effect_is_that_of_the_difference_of_both_rates(weighted, digits):
    rng = np.random.default_rng(11)
    cluster = rng.integers(0, 14, 130)
    label = rng.random(130) < 0.2 + 0.5 * rng.random(14)[cluster]
    score = label + rng.normal(size=130) + rng.normal(size=14)[cluster]
    score = score if digits is None else score.round(digits)
    weight = rng.uniform(0.5, 3, 130) if weighted else np.ones(130)
    sample = sample_of(label, score, cluster=cluster, sample_weight=weight)
    expected = slow_design_effect(label, score, np.unique(cluster, return_inverse=True)[1], weight)
    assert expected > 1.2
    assert design_effect(sample, "m") == pytest.approx(expected)


def test_clusters_that_vary_less_than_cases_have_no_effect():
    # Each cluster has one case of each class with the same score.
    score = np.repeat(np.arange(20.0), 2)
    sample = sample_of([1, 0] * 20, score, cluster=np.repeat(np.arange(20), 2))
    assert design_effect(sample, "m") == 1


def test_degrees_of_freedom_of_few_clusters_of_a_class():
    # 12 positives in 4 clusters, and 40 negatives, each of which is a cluster of its own.
    label = np.repeat([1, 0], [12, 40])
    cluster = np.concatenate([np.repeat(np.arange(4), 3), 4 + np.arange(40)])
    sample = sample_of(label, cluster=cluster)
    assert effective.cluster_sizes(sample) == pytest.approx([4, 40])
    expected = 4**2 / (3**2 / 3 + 1**2 / 43)
    assert effective.cluster_degrees((3.0, 1.0), sample, 44) == pytest.approx(expected)
    # All of the variance is that of the 4 clusters, that of the others, or there is none.
    assert effective.cluster_degrees((3.0, 0.0), sample, 44) == pytest.approx(3)
    assert effective.cluster_degrees((0.0, 1.0), sample, 44) == pytest.approx(43)
    assert effective.cluster_degrees((0.0, 0.0), sample, 44) == pytest.approx(3)
    assert effective.cluster_degrees((1.0, 1.0), sample, 2.0) == pytest.approx(1)
    assert effective.independent_units(sample) == pytest.approx(4)


@pytest.mark.parametrize(("clusters", "few"), [(24, True), (25, False)])
def test_clusters_are_few_below_25(clusters, few):
    label = np.concatenate([np.ones(2 * clusters, int), np.zeros(80, int)])
    cluster = np.concatenate([np.repeat(np.arange(clusters), 2), 100 + np.arange(80)])
    sample = sample_of(label, cluster=cluster)
    units = clusters + 80
    expected = clusters - 1 if few else units - 1
    assert effective.cluster_degrees((1.0, 0.0), sample, units) == pytest.approx(expected)


def test_a_single_cluster_of_a_class_has_one_degree_of_freedom():
    label = np.repeat([1, 0], [3, 40])
    sample = sample_of(label, cluster=np.concatenate([np.zeros(3, int), 1 + np.arange(40)]))
    assert effective.cluster_degrees((2.0, 0.0), sample, 41) == 1
    assert effective.cluster_degrees((0.0, 0.0), sample, 41) == 1


def test_effective_numbers_of_units():
    label = np.array([1, 1, 1, 0, 0, 0, 0])
    weight = np.array([1.0, 1.0, 2.0, 1.0, 3.0, 1.0, 1.0])
    assert effective.independent_units(sample_of(label)) == 3
    weighted = sample_of(label, sample_weight=weight)
    assert effective.class_sizes(weighted) == pytest.approx([16 / 6, 36 / 12])
    assert effective.independent_units(weighted) == pytest.approx(16 / 6)
    together = sample_of(label, sample_weight=weight, cluster=[0, 0, 1, 0, 1, 2, 3])
    assert effective.cluster_sizes(together) == pytest.approx([16 / 8, 36 / 12])
    assert effective.independent_units(together) == pytest.approx(2)
    counted = Sample.of_table(ScoreTable([2, 1], [4, 1], [0, 3]), "m")
    assert effective.class_sizes(counted) == [5, 3]
    # A class without cases does not count.
    assert effective.independent_units(sample_of([0, 0, 0])) == 3
    assert added_cases.degrees_of_freedom(sample_of(label)) == 2 * 3 - 1
    assert added_cases.degrees_of_freedom(together) == pytest.approx(1)
    assert added_cases.degrees_of_freedom(sample_of([1, 0])) == 1
    alone = sample_of(
        [1] * 9 + [0] * 20, cluster=np.concatenate([np.arange(9) % 6, 9 + np.arange(20)])
    )
    assert added_cases.degrees_of_freedom(alone) == pytest.approx(81 / 15 - 1)
    assert effective.student(5, 0.9) == pytest.approx(
        (stats.t.ppf(0.95, 5) / stats.norm.ppf(0.95)) ** 2
    )
