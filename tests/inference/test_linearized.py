"""Limits and paired tests from influences."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import PairPlan, Sample
from metameasure.inference.added_cases import Extended, with_prior
from metameasure.inference.influence import standard_error
from metameasure.inference.methods import linearized
from metameasure.inference.paired import unjudged
from metameasure.inference.rank_cuts import heavier_above

close = pytest.approx


def drawn(n, seed=1, share=0.3, distance=1.0):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < share
    return label, expit(rng.normal(size=n) + distance * label - 1)


def slow_average_precision(cases):
    """The mean over the positives of the precision at their score, from (score, label, weight)."""
    total = sum(w for _, y, w in cases if y)
    value = 0.0
    for score, y, weight in cases:
        if y:
            at_least = [(yy, ww) for ss, yy, ww in cases if ss >= score]
            value += weight * sum(w for yy, w in at_least if yy) / sum(w for _, w in at_least)
    return value / total


@pytest.mark.parametrize(("right", "limit"), [(False, 0), (True, 1)], ids=["low", "high"])
def test_the_limits_of_average_precision_by_hand(right, limit):
    label, score = drawn(60)
    cases = [(s, bool(y), 1.0) for s, y in zip(score, label, strict=True)]
    cases += [(9.0, right, 0.2), (-9.0, not right, 0.2)]  # a fifth of a case of each class
    value, step, square = slow_average_precision(cases), 1e-5, 0.0
    for place, (s, y, w) in enumerate(cases):
        ends = []
        for change in (step, -step):
            changed = list(cases)
            changed[place] = (s, y, w + change)
            ends.append(slow_average_precision(changed))
        square += w * ((ends[0] - ends[1]) / (2 * step)) ** 2
    # The true values p with (value - p)^2 = z^2 p (1 - p) / n.
    factor = 1.959964**2 * square / (value * (1 - value))
    roots = np.sort(np.roots([1 + factor, -(2 * value + factor), value**2]).real)
    found = mm.interval(label, score, "average_precision")
    assert found.method == "linearized"
    assert (found.low, found.high)[limit] == close(roots[limit], abs=1e-6)


def test_a_perfect_ranking_of_many_cases_has_a_short_interval():
    """A share of 3 in 1500 negatives above all positives would reduce the value to 0.97."""
    label = np.repeat([1, 0], [500, 1500])
    found = mm.interval(label, np.linspace(1, 0, 2000), "average_precision")
    assert 0.94 < found.low < 0.98
    assert found.high == 1


def test_a_negative_is_added_above_and_a_positive_below():
    table = with_prior(mm.ScoreTable([0.9, 0.1], [2, 0], [0, 3]), (0.1, 0.2))
    assert table.pos.tolist() == [0, 2, 0, 0.1]
    assert table.neg.tolist() == [0.2, 0, 3, 0]
    assert (np.diff(table.score) < 0).all()
    mixed = mm.ScoreTable([0.9, 0.1], [2, 1], [4, 3])
    table = with_prior(mixed, (0.1, 0.2))
    assert (table.pos.tolist(), table.neg.tolist()) == ([0, 2, 1, 0.1], [0.2, 4, 3, 0])
    table = with_prior(mixed, (0.1, 0.2), right=True)
    assert (table.pos.tolist(), table.neg.tolist()) == ([0.1, 2, 1, 0], [0, 4, 3, 0.2])


@pytest.mark.parametrize("text", ["average_precision", "partial_auc", "lift", "precision@k=10"])
def test_perfect_rankings_have_width(text):
    label = np.repeat([1, 0], [10, 30])
    found = mm.interval(label, np.linspace(1, 0, 40), text)
    assert found.low < 0.98 * found.value
    assert found.value <= found.high


@pytest.mark.parametrize("text", ["average_precision", "partial_auc", "lift", "tpr@fpr=0.2"])
def test_repeated_cases_in_clusters_add_no_information(text):
    label, score = drawn(300)
    again = np.repeat(np.arange(300), 4)
    alone = mm.interval(label, score, text)
    clustered = mm.interval(label[again], score[again], text, cluster=again)
    naive = mm.interval(label[again], score[again], text)
    width = alone.high - alone.low
    assert clustered.method == "linearized"
    assert (clustered.low, clustered.high) == close((alone.low, alone.high), abs=0.15 * width)
    assert naive.high - naive.low < 0.7 * width


@pytest.mark.parametrize("text", ["average_precision", "partial_auc", "lift", "tpr@fpr=0.2"])
def test_the_scale_of_weights_does_not_matter(text):
    label, score = drawn(200)
    weight = 1 + np.arange(200) % 5
    found, scaled, plain = (
        mm.interval(label, score, text, sample_weight=w) for w in (weight, 7.5 * weight, None)
    )
    assert (scaled.low, scaled.high) == close((found.low, found.high), rel=1e-6)
    assert found.high - found.low > plain.high - plain.low


def test_equal_weights_are_none():
    label, score = drawn(200)
    weighted = mm.interval(label, score, "average_precision", sample_weight=np.full(200, 2.0))
    plain = mm.interval(label, score, "average_precision")
    # The sum of squares of n influences has n - 1 degrees of freedom, that of a table n.
    assert (weighted.low, weighted.high) == close((plain.low, plain.high), abs=1e-3)


@pytest.mark.parametrize("text", ["average_precision", "lift"])
def test_stratified_intervals_are_shorter(text):
    label, score = drawn(500)
    fixed, random = (mm.interval(label, score, text, stratified=s) for s in (True, False))
    assert fixed.high - fixed.low < random.high - random.low


def test_one_positive_is_too_few():
    for text in ("average_precision", "lift"):
        found = mm.interval([1, 0, 0, 0], [4, 3, 2, 1], text)
        assert "at least two cases per class" in found.reason


def test_other_interpolations_are_resampled():
    label, score = drawn(80)
    found = mm.interval(label, score, "average_precision(interpolation=max)", resamples=200)
    assert found.method == "bca"


@pytest.mark.parametrize("text", ["average_precision", "lift"])
def test_coverage_at_five_percent_positives(text):
    """10 expected positives among 200: at least 92% in 300 data sets, up to chance."""
    measure, rng = mm.parse(text), np.random.default_rng(7)
    many = 400_000
    positive = np.repeat([True, False], many)
    scores = rng.normal(size=2 * many) + 1.2 * positive
    weight = np.where(positive, 0.05, 0.95)
    truth = measure(positive, scores, sample_weight=weight)
    covered = 0
    for _ in range(300):
        label = np.zeros(200, bool)
        while label.sum() < 2:
            label = rng.random(200) < 0.05
        found = mm.interval(label, rng.normal(size=200) + 1.2 * label, measure)
        covered += found.low <= truth <= found.high
    assert covered / 300 >= 0.92 - 2.6 * math.sqrt(0.92 * 0.08 / 300)


def test_heavy_cases_above_a_cut_widen_its_limits():
    label, score = np.array([1, 0, 1, 0, 1, 0]), np.array([0.9, 0.8, 0.7, 0.4, 0.3, 0.2])
    weight = np.array([2.0, 1.0, 1.0, 1.0, 1.0, 2.0])
    point = mm.parse("lift@top=50%").point
    given = Sample.of(Predictions(label == 1, {"m": score}, weight=weight))
    # The three cases above the cut count as 4^2 / 6 cases of equal weight.
    assert heavier_above(given, "m", point) == close(1 + 16 * (6 / 16 - 1 / 3))
    equal = Sample.of(Predictions(label == 1, {"m": score}, weight=np.full(6, 3.0)))
    assert heavier_above(equal, "m", point) == close(1)


def test_nearly_perfect_rankings_of_200_cases_are_not_covered_too_often():
    """100 + 100 cases with an AUC of .99; limits on the logit scale covered 99% and more."""
    rng, distance, covered = np.random.default_rng(9), 3.29, 0
    label = np.repeat([True, False], 10**5)
    truth = mm.average_precision(label, rng.normal(size=2 * 10**5) + distance * label)
    label, widths = np.repeat([True, False], 100), []
    for _ in range(300):
        found = mm.interval(label, rng.normal(size=200) + distance * label, "average_precision")
        covered += found.low <= truth <= found.high
        widths.append(found.high - found.low)
    assert 0.92 * 300 <= covered < 0.99 * 300
    assert np.mean(widths) < 0.13


@pytest.mark.parametrize("options", [{}, {"stratified": True}], ids=str)
@pytest.mark.parametrize("text", ["average_precision", "lift", "tpr@fpr=0.1", "precision@k=100"])
def test_a_table_of_counts_has_the_limits_of_its_cases(text, options):
    label, score = drawn(3000)
    score = score.round(1)
    rows = mm.interval(label, score, text, **options)
    table = mm.interval(mm.tabulate(label, score), text, **options)
    width = rows.high - rows.low
    assert (table.low, table.high) == close((rows.low, rows.high), abs=0.01 * width)


def test_the_standard_error_of_counts_is_that_of_their_cases():
    rows = Sample.of(Predictions(np.array([True] * 3 + [False] * 2), {"m": np.arange(5.0)}))
    influence = np.array([1.0, 1.0, 0.0, -1.0, -1.0])
    counted = Sample.of_table(mm.ScoreTable([2, 1], [2, 1], [2, 0]), "m")
    expected = math.sqrt(4 * 5 / 4)
    of_counts = np.array([1.0, 0.0, -1.0])
    for found in (
        standard_error(influence, rows, stratified=False),
        standard_error(of_counts, counted, stratified=False),
    ):
        assert found == close(expected)


@pytest.mark.parametrize(
    ("text", "value"), [("tpr@k=0", 0), ("tpr@top=0%", 0), ("lift@top=100%", 1), ("tpr@k=4", 1)]
)
def test_a_cut_at_an_end_of_the_ranking_is_known(text, value):
    found = mm.interval([1, 1, 0, 0], [0.9, 0.3, 0.4, 0.1], text)
    assert (found.value, found.low, found.high) == close((value,) * 3)


def test_the_precision_of_all_cases_is_the_prevalence():
    found = mm.interval([1, 1, 0, 0], [0.9, 0.3, 0.4, 0.1], "precision@top=100%")
    assert found.low < 0.2
    assert found.high > 0.8


def test_the_worst_ranking_has_width_too():
    label = np.repeat([0, 1], [30, 10])
    found = mm.interval(label, np.linspace(1, 0, 40), "partial_auc")
    assert (found.value, found.low) == (0, 0)
    assert found.high > 0.01


def test_wide_limits_do_not_overflow():
    given = [1, 0, 1, 0], [0.9, 0.2, 0.6, 0.7]
    found = mm.interval(*given, "average_precision", ci=0.999, cluster=[0, 0, 1, 1])
    assert (found.low, found.high) == close((0, 1), abs=1e-5)


def test_weights_of_many_orders_of_magnitude():
    label, score = drawn(40)
    weight = 10.0 ** np.linspace(-12, 12, 40)
    for text in ("auc", "average_precision", "lift", "tpr@fpr=0.1"):
        found = mm.interval(label, score, text, sample_weight=weight)
        assert found.low <= found.value <= found.high
    for text in ("ks", "h_measure"):
        found = mm.interval(label, score, text, sample_weight=weight)
        assert "nine tenths of the weight" in found.reason


# --------------------------------------------------------------------------------- paired


def two_models(n, seed, share=0.4, distances=(1.0, 1.0)):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < share
    common = rng.normal(size=n)
    noise = (common + rng.normal(size=n) for _ in distances)
    return label, {
        name: expit((each / math.sqrt(2) + distance * label) - 0.5)
        for name, each, distance in zip("ab", noise, distances, strict=True)
    }


def only(comparison):
    (row,) = comparison.rows
    return row


@pytest.mark.parametrize("text", ["average_precision", "ks", "h_measure", "f_measure", "mcc"])
def test_the_test_is_that_of_a_bootstrap_in_large_samples(text):
    label, scores = two_models(1500, 2, distances=(1.0, 0.9))
    found, resampled = (
        only(mm.compare(label, scores, text, method=method))
        for method in ("linearized", "bootstrap")
    )
    width = resampled.high - resampled.low
    assert found.high - found.low == close(width, rel=0.2)
    assert found.difference == resampled.difference
    assert abs(found.pvalue - resampled.pvalue) < 0.1


def test_weighted_pair_means_are_compared_without_resampling():
    label, scores = two_models(400, 3, distances=(1.2, 0.6))
    plain = only(mm.compare(label, scores, "auc"))
    equal = only(mm.compare(label, scores, "auc", sample_weight=np.full(400, 2.0)))
    assert (plain.method, equal.method) == ("delong", "linearized")
    assert (equal.low, equal.high) == close((plain.low, plain.high), abs=2e-3)
    again = np.repeat(np.arange(400), 3)
    repeated = {name: score[again] for name, score in scores.items()}
    clustered = only(mm.compare(label[again], repeated, "auc", cluster=again))
    assert (clustered.low, clustered.high) == close((plain.low, plain.high), abs=2e-3)


def test_models_of_the_same_order_do_not_differ():
    label, scores = two_models(300, 4)
    same = {"a": scores["a"], "b": scores["a"] ** 3}
    found = only(mm.compare(label, same, "average_precision"))
    assert (found.low, found.high, found.pvalue) == (0, 0, 1)


def test_few_positives_are_exchanged_instead():
    label, scores = two_models(60, 5, share=0.2)
    assert only(mm.compare(label, scores, "ks", resamples=100)).method == "swapped"
    asked = only(mm.compare(label, scores, "ks", method="linearized"))
    assert asked.method == "linearized"


def test_near_perfect_rankings_are_exchanged_instead_of_delongs_test():
    """Few cases overlap with the other class, and DeLong's test rejects 1% of true nulls."""
    label, scores = two_models(100, 7, distances=(3.3, 3.3), share=0.5)
    assert only(mm.compare(label, scores, "auc", resamples=100)).method == "swapped"
    label, scores = two_models(100, 7, distances=(1.2, 1.2), share=0.5)
    assert only(mm.compare(label, scores, "auc")).method == "delong"


@pytest.mark.parametrize("label", [np.repeat([1, 0], [60, 200]), np.repeat([0, 1], [60, 200])])
def test_two_models_at_the_end_of_the_range_may_differ(label):
    """The first five cases of both models are all positive, or all negative."""
    rng, high = np.random.default_rng(6), np.repeat([1, 0], [60, 200])
    scores = {"a": rng.normal(size=260) + 6 * high, "b": rng.normal(size=260) + 5.5 * high}
    found = mm.compare(label, scores, "precision@k=5")
    row = only(found)
    assert (row.difference, row.method) == (0, "bound")
    assert row.high - row.low > 0.05
    assert "MM08" not in {check.code for check in found.checks}


def test_nearly_perfect_rankings_are_covered():
    """10 positives and 30 negatives; half of the samples have an average precision of 1."""
    rng, distance, covered = np.random.default_rng(11), 3.3, 0
    big = np.concatenate([rng.normal(distance, size=10**5), rng.normal(size=3 * 10**5)])
    truth = mm.average_precision(np.repeat([1, 0], [10**5, 3 * 10**5]), big)
    label = np.repeat([1, 0], [10, 30])
    for _ in range(300):
        found = mm.interval(label, rng.normal(size=40) + distance * label, "average_precision")
        covered += found.low <= truth <= found.high
    assert covered >= 0.92 * 300


def paired(monkeypatch, first, second, label=(1, 1, 0, 0), **given):
    """The paired test of two models whose cases have these influences."""
    known = iter([np.array(first, float), np.array(second, float)])
    monkeypatch.setattr(linearized, "case_influences", lambda *_: next(known))
    scores = {"a": np.arange(len(label)) + 0.0, "b": -np.arange(len(label)) + 0.0}
    sample = Sample.of(Predictions.of(np.array(label), scores, **given))
    empty = unjudged(("a", "b"), mm.average_precision, (0.8, 0.7), "linearized")
    plan = PairPlan(ci=0.9)
    return linearized.Linearized().paired(empty, sample, plan)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("noise", "method"), [(1.5e-12, "bound"), (3e-12, "linearized")])
def test_rounding_is_relative_to_the_largest_influences(monkeypatch, turned, noise, method):
    """The largest influence of either model is 1, and rounding at most 1e-12 of their sum."""
    models = [np.resize([1.0, -0.5, 0.25, 0.0], 20) for _ in "ab"]
    models[1][1] += noise
    label = np.repeat([1, 0], 10)
    found = paired(monkeypatch, *(reversed(models) if turned else models), label=label)
    assert found.method == method


@pytest.mark.parametrize(
    ("text", "first", "expected"),
    [
        ("precision@k=3", [1, 1, 1], True),
        ("precision@k=3", [0, 0, 0], True),
        ("precision@k=3", [1, 0, 1], False),
        ("lift@top=25%", [0, 0, 0], True),
        ("tpr@fpr=0.2", [1, 1, 1], False),
        ("tpr@fpr=0.9", [1, 1, 1], True),
        ("precision", [1, 1, 1], False),  # a threshold fixes nothing
        ("average_precision", [1, 1, 1], False),
    ],
)
def test_values_at_an_end_of_what_the_cut_leaves_free(text, first, expected):
    """Of 12 cases, the first three have these labels; the others are 1, 0, 1, 0, ... and 0."""
    label = np.array([*first, 1, 0, 1, 0, 1, 0, 0, 0, 0])
    sample = Sample.of(Predictions.of(label, {"m": np.linspace(1, 0, 12)}))
    assert linearized._at_an_end(mm.parse(text), sample, "m") is expected


def test_the_paired_test_has_the_error_of_the_gaps(monkeypatch):
    first, second = np.array([0.3, -0.1, 0.2, -0.4]), np.array([0.1, 0.1, -0.1, 0.0])
    found = paired(monkeypatch, first, second)
    error = math.sqrt(np.sum((first - second) ** 2) * 4 / 3)
    # Twice the smaller class minus 1.
    assert found.pvalue == close(2 * stats.t.sf(0.1 / error, 3))


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize(
    ("units", "stratified"),
    [
        ("plain", False),
        ("plain", True),
        ("weighted", False),
        ("weighted", True),
        ("clustered", False),
    ],
)
def test_added_cases_have_the_mean_weight_of_their_class(right, units, stratified):
    """The positive is above all cases in the right order, and below them in the wrong one."""
    rng = np.random.default_rng(12)
    label, score = rng.random(20) < 0.4, rng.random(20).round(1)
    weight = rng.uniform(0.5, 3, 20) if units == "weighted" else np.ones(20)
    given = {"cluster": np.arange(20) // 2} if units == "clustered" else {}
    sample = Sample.of(Predictions.of(label, {"m": score}, sample_weight=weight, **given))
    extended = Extended.of(sample, "m", 0.3, right=right)
    rows = sample.tables["m"].score.size
    mean = weight[label].mean(), weight[~label].mean()
    top = (0.3 * mean[0], 0.0) if right else (0.0, 0.3 * mean[1])
    bottom = (0.0, 0.3 * mean[1]) if right else (0.3 * mean[0], 0.0)
    assert (extended.table.pos[0], extended.table.neg[0]) == close(top)
    assert (extended.table.pos[-1], extended.table.neg[-1]) == close(bottom)
    of_positive, of_negative = rng.normal(size=(2, rows + 2))
    ends = (of_positive[0], of_negative[-1]) if right else (of_positive[-1], of_negative[0])
    added = 0.3 * sum((unit * slope) ** 2 for unit, slope in zip(mean, ends, strict=True))
    row = np.searchsorted(-sample.tables["m"].score, -score)
    inner = weight * np.where(label, of_positive[1:-1][row], of_negative[1:-1][row])
    if units == "plain" and not stratified:
        expected = added + np.sum(inner**2)
    else:
        expected = added + standard_error(inner, sample, stratified=stratified) ** 2
    found = extended.variance((of_positive, of_negative), sample, "m", stratified=stratified)
    assert found == close(expected)
    of_rows = rng.random(rows + 2)
    ends = (of_rows[0], of_rows[-1]) if right else (of_rows[-1], of_rows[0])
    added = 0.3 * sum(unit**2 * one for unit, one in zip(mean, ends, strict=True))
    expected = added + weight**2 @ of_rows[1:-1][row]
    assert extended.sum(of_rows, sample, "m") == close(expected)
