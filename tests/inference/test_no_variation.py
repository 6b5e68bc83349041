"""Limits where nothing varies: constant scores, and resamples that all have the same value."""

import numpy as np
import pytest

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import PairPlan, Sample
from metameasure.inference.scaled_differences import scaled_difference

LABEL = np.repeat([1, 0], [30, 70])
CONSTANT = np.full(100, 0.3)
PERFECT = 0.1 + 0.8 * LABEL
MAXIMA = ["ks", "signed_ks", "auch", "h_measure", "discrimination"]


def largest_other_share(independent, ci=0.95):
    """The largest fraction of a population that may be missing from independent cases."""
    return 1 - (1 - ci) ** (1 / independent)


def only(comparison):
    (row,) = comparison.rows
    return row


def most_with_unseen(measure, n_pos, n_neg, ci):
    """The largest value of populations in which these constant scores are not improbable.

    Fractions p of the positives and q of the negatives have other scores, which are right; none of
    them was drawn with a probability of (1 - p)^n_pos (1 - q)^n_neg.
    """
    found = []
    for part in np.linspace(0, 1, 201):
        p = 1 - (1 - ci) ** (part / n_pos)
        q = 1 - (1 - ci) ** ((1 - part) / n_neg)
        positives, negatives = n_pos * np.array([p, 1 - p, 0]), n_neg * np.array([0, 1 - q, q])
        table = mm.ScoreTable([0.9, 0.5, 0.1], positives, negatives)
        found.append(float(measure.compute(table)))
    return max(found)


@pytest.mark.parametrize("text", ["ks", "auch"])
@pytest.mark.parametrize("ci", [0.8, 0.95])
@pytest.mark.parametrize("sizes", [(30, 70), (12, 8), (400, 25)])
def test_constant_scores_exclude_what_they_would_rarely_hide(text, ci, sizes):
    label = np.repeat([1, 0], sizes)
    found = mm.interval(label, np.full(label.size, 0.5), text, ci=ci)
    assert found.method == "bound"
    expected = most_with_unseen(mm.parse(text), *sizes, ci)
    assert (found.low, found.high) == pytest.approx((found.value, expected), abs=1e-9)


@pytest.mark.parametrize("text", ["ks", "auch", "h_measure", "discrimination"])
def test_the_truth_is_covered_where_most_samples_do_not_vary(text):
    """Two percent of the positives have other scores: about half of the samples lack them."""
    rng, measure = np.random.default_rng(1), mm.parse(text)
    truth = measure.compute(mm.ScoreTable([0.9, 0.5], [0.02, 0.98], [0.0, 1.0]))
    covered, bounds = 0, 0
    for _ in range(200):
        label = np.repeat([1, 0], 35)
        score = np.where(label & (rng.random(70) < 0.02), 0.9, 0.5)
        found = mm.interval(label, score, text, resamples=256)
        covered += found.low - 1e-12 <= truth <= found.high
        bounds += found.method == "bound"
    assert 60 <= bounds <= 140
    assert covered >= 0.92 * 200


@pytest.mark.parametrize("text", MAXIMA)
@pytest.mark.parametrize("method", ["auto", "smoothed", "corrected", "percentile", "basic", "bca"])
def test_every_method_has_width_for_constant_scores(text, method):
    found = mm.interval(LABEL, CONSTANT, text, method=method, resamples=100)
    low, high = found.measure.ends
    share = largest_other_share(30)
    expected = (
        value + share * (end - value) for value, end in ((found.value, low), (found.value, high))
    )
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-12)
    assert "MM13" not in {check.code for check in found.checks}


@pytest.mark.parametrize("method", ["auto", "bca"])
def test_a_table_of_counts_has_the_bound_of_its_cases(method):
    of_rows, of_table = (
        mm.interval(*data, "ks", method=method, resamples=100)
        for data in ((LABEL, CONSTANT), (mm.tabulate(LABEL, CONSTANT),))
    )
    assert (of_rows.low, of_rows.high) == pytest.approx((of_table.low, of_table.high), abs=1e-15)


@pytest.mark.parametrize("method", ["auto", "bca"])
def test_weights_count_as_fewer_cases(method):
    weight = np.where(np.arange(100) % 10 == 0, 20.0, 1.0)
    found = mm.interval(LABEL, CONSTANT, "ks", sample_weight=weight, method=method, resamples=100)
    of_positives = weight[:30]
    effective = of_positives.sum() ** 2 / (of_positives @ of_positives)
    assert found.method == "bound"
    # The method that smooths rounds the number of cases.
    room = 0.02 if method == "auto" else 1e-12
    assert found.high == pytest.approx(largest_other_share(effective), abs=room)


@pytest.mark.parametrize("method", ["auto", "bca"])
def test_clusters_count_as_single_cases_at_most(method):
    cluster = np.arange(100) // 5  # six with positives
    found = mm.interval(LABEL, CONSTANT, "ks", cluster=cluster, method=method, resamples=100)
    assert found.method == "bound"
    assert found.high >= largest_other_share(6) - 1e-12


def test_the_prevalence_is_known_in_strata():
    found = mm.interval(LABEL, PERFECT, "uncertainty", stratified=True, resamples=100)
    assert found.low == found.high == found.value == pytest.approx(0.21)


def test_values_that_are_infinite_in_both_orders_do_not_follow_from_the_prevalence():
    found = mm.interval(LABEL, CONSTANT, "information_value", stratified=True, resamples=100)
    assert (found.value, found.low, found.method) == (0, 0, "bound")
    assert found.high == np.inf


@pytest.mark.parametrize("text", ["lift@top=10%", "tpr@k=5", "precision@k=5"])
@pytest.mark.parametrize("cases", [(10, 30), (3, 14), (7, 24)])
def test_a_cut_within_one_tie_of_strata_has_width(text, cases):
    label = np.repeat([1, 0], cases)
    found = mm.interval(label, np.full(label.size, 0.4), text, stratified=True)
    assert found.low < 0.9 * found.value
    assert found.high > 1.1 * found.value


@pytest.mark.parametrize("text", ["ks", "auc", "h_measure", "average_precision", "auch", "ndcg"])
@pytest.mark.parametrize("method", ["auto", "bootstrap"])
def test_two_constant_models_are_not_known_to_be_equal(text, method):
    found = mm.compare(
        LABEL, {"a": CONSTANT, "b": 2 * CONSTANT}, text, method=method, resamples=100
    )
    row = only(found)
    assert (row.difference, row.pvalue, row.method) == (0, 1, "bound")
    low, high = mm.parse(text).ends
    reach = largest_other_share(30) * (high - low)
    assert (row.low, row.high) == pytest.approx((-reach, reach))
    assert not {"MM08", "MM13"} & {check.code for check in found.checks}


def test_a_constant_model_is_equal_to_itself():
    row = only(mm.compare(LABEL, {"a": CONSTANT, "b": CONSTANT.copy()}, "ks"))
    assert (row.low, row.high, row.pvalue) == (0, 0, 1)


@pytest.mark.parametrize("text", ["tpr", "balanced_accuracy", "f_measure", "ks", "h_measure"])
def test_predictions_that_are_alike_within_classes_bound_the_difference(text):
    """All positives are right by one model and wrong by the other; others may differ."""
    scores = {"a": PERFECT, "b": np.full(100, 0.2)}
    row = only(mm.compare(LABEL, scores, text, method="linearized"))
    assert row.method == "bound"
    # A fraction of other positives changes the difference by at most twice its width.
    assert row.low <= row.difference - largest_other_share(30) * row.difference
    assert row.pvalue >= 0.5**30


def test_models_of_several_classes_that_are_always_right_may_differ_elsewhere():
    label = np.repeat([0, 1, 2], 20)
    right = np.eye(3)[label]
    scores = {"a": 0.4 / 3 + 0.6 * right, "b": 0.7 / 3 + 0.3 * right}
    row = only(mm.compare(label, scores, "hand_till_auc", resamples=100))
    reach = largest_other_share(20)
    assert (row.method, row.low, row.high) == ("bound", pytest.approx(-reach), pytest.approx(reach))
    same = only(mm.compare(label, {"a": right, "b": right}, "hand_till_auc", resamples=100))
    assert (same.low, same.high) == (0, 0)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("method", ["auto", "swapped", "bootstrap"])
def test_limits_of_differences_stay_in_their_range_and_hold_the_difference(method, weighted):
    """A perfect model against one that is always wrong: the largest differences."""
    label = np.tile([True, False, False], 12)
    weight = np.random.default_rng(1).lognormal(0, 2, 36) if weighted else None
    scores = {"best": np.where(label, 0.9, 0.1), "worst": np.where(label, 0.1, 0.9)}
    for pair in (("best", "worst"), ("worst", "best")):
        given = {model: scores[model] for model in pair}
        rows = mm.compare(
            label, given, ["partial_auc", "lift", "accuracy", "mcc", "brier"],
            sample_weight=weight, method=method, resamples=100,
        ).rows  # fmt: skip
        for row in rows:
            least, most = map(float, mm.parse(row.measure).declaration.range)
            assert least - most <= row.low <= row.difference <= row.high <= most - least


def test_the_limits_of_a_scaled_difference_may_leave_the_range_of_a_difference():
    """A bad model minus 1.5 times a good one: about 0.2 - 1.5 * 0.95."""
    rng = np.random.default_rng(2)
    label = np.repeat([1, 0], 40)
    scores = {"bad": rng.normal(size=80) - 1.2 * label, "good": rng.normal(size=80) + 2.3 * label}
    sample = Sample.of(Predictions.of(label, scores))
    found = scaled_difference(sample, mm.auc, ("bad", "good"), 1.5, PairPlan(resamples=200))
    assert -1.5 < found.low < found.difference < found.high < -1


CLUSTERS = {"cluster": np.arange(40) // 2}


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("auto", {}),
        ("normal", {}),
        ("percentile", {}),
        ("auto", CLUSTERS),
        ("percentile", CLUSTERS),
    ],
)
@pytest.mark.parametrize(("positives", "score"), [(10, 0.5), (0, 0.3), (40, 0.3)])
def test_the_log_loss_of_a_constant_score_is_bounded(options, positives, score, method):
    label = np.repeat([True, False], [positives, 40 - positives])
    given = {"method": method, **options}
    found = mm.interval(label, np.full(40, score), "log_loss", pos_label=True, **given)
    assert 0 < found.low < found.value < found.high < 1.5


def test_a_certain_score_may_be_wrong_in_other_cases():
    found = mm.interval([True] * 40, np.ones(40), "log_loss", pos_label=True)
    assert (found.value, found.low) == (0, 0)
    assert np.isinf(found.high)


def test_a_class_that_is_held_impossible_may_occur_in_other_cases():
    scores = np.tile([0.5, 0.5, 0.0], (8, 1))
    found = mm.interval([0, 1] * 4, scores, "log_loss", labels=[0, 1, 2])
    assert 0 < found.low < found.value == pytest.approx(np.log(2))
    assert np.isinf(found.high)
    possible = mm.interval([0, 1] * 4, scores * 0.8 + [0, 0, 0.2], "log_loss", labels=[0, 1, 2])
    share = 1 - 0.05 ** (1 / 8)
    value = -np.log(0.4)
    assert possible.high == pytest.approx(value + share * (-np.log(0.2) - value))


@pytest.mark.parametrize("scores", [(0.6, 0.9, 0.1, 0.4), (1, 1, 0, 0)])
def test_a_perfect_value_without_a_least_one_is_not_bounded_also_after_rounding(scores):
    high, low = np.linspace(*scores[:2], 10), np.linspace(*scores[2:], 30)
    label = np.repeat([1, 0], [10, 30])
    found = mm.interval(label, np.concatenate([high, low]), "precision_recall_gain_auc")
    assert found.value == pytest.approx(1, abs=1e-12)
    assert found.low == -np.inf
    assert found.high <= 1
    assert [check.code for check in found.checks] == ["MM01", "MM20"]


@pytest.mark.parametrize("text", ["abc", "taks", "equal_error_rate"])
def test_positives_with_the_same_score_are_not_known_to_be_all_alike(text):
    # A test that finds 85% of the positives finds all 10 of a sample in 20% of the samples.
    label = np.repeat([1, 0], [10, 90])
    score = np.repeat([1, 1, 0], [10, 9, 81])
    truth = mm.parse(text)(
        np.repeat([1, 0], [100, 900]), np.repeat([1, 0, 1, 0], [85, 15, 90, 810])
    )
    for stratified in (False, True):
        found = mm.interval(label, score, text, stratified=stratified)
        assert found.low < truth < found.high


def test_the_uncertainty_does_not_depend_on_scores_that_are_alike():
    one = mm.interval(LABEL, CONSTANT, "uncertainty", resamples=100)
    several = np.arange(LABEL.size) / LABEL.size
    assert one == mm.interval(LABEL, several, "uncertainty", resamples=100)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
@pytest.mark.parametrize("text", ["equal_error_rate", "mcfadden_r2", "auc", "mcc", "ks"])
@pytest.mark.parametrize("clusters", [2, 3])
def test_limits_of_few_clusters_do_not_shrink_as_the_confidence_grows(clusters, text, method):
    rng = np.random.default_rng(clusters)
    label = rng.random(20) < 0.4
    score = np.clip(0.3 * label + 0.6 * rng.random(20), 0, 1)
    given = {"cluster": np.arange(20) * clusters // 20, "method": method, "resamples": 500}
    found = [mm.interval(label, score, text, ci=ci, **given) for ci in (0.3, 0.5, 0.6, 0.9, 0.99)]
    limits = np.array([(one.low, one.high) for one in found if one.reason is None])
    assert len(limits) > 1
    assert (np.diff(limits[:, 0]) <= 1e-12).all()
    assert (np.diff(limits[:, 1]) >= -1e-12).all()


@pytest.mark.parametrize("clusters", [2, 3])
def test_few_clusters_that_are_alike_are_not_known_to_be_all_alike(clusters):
    # The clusters are copies of each other but for one score.
    label, score = np.tile([1, 1, 0, 0, 0], 3 * clusters), np.tile([9, 6, 7, 3, 1], 3 * clusters)
    score = score / 10
    score[0] = 0.95
    cluster = np.repeat(np.arange(clusters), 15)
    found = mm.interval(label, score, "mcfadden_r2", cluster=cluster)
    share = 1 - 0.05 ** (1 / clusters)
    assert found.high >= found.value + share * (1 - found.value) - 1e-12
    assert found.low <= found.value - share * (1 - found.value) + 1e-12
