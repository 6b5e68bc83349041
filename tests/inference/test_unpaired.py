"""Tests of scores between the classes, against their definitions and SciPy."""

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

import metameasure as mm
from metameasure.inference import MeasureTest, unpaired
from metameasure.inference.permutation import are_few
from metameasure.inference.unpaired import two_sample_test
from oracles import TABLE_ORACLES
from oracles import tests_of_models as oracle

ALTERNATIVES = ["two-sided", "greater", "less"]
# Scores whose differences and sums are exact.
CASES = st.lists(
    st.tuples(st.booleans(), st.integers(0, 8).map(lambda k: k / 8)), min_size=2, max_size=8
)
SIMULATED = 500


def close(right):
    return pytest.approx(float(right), rel=1e-10, abs=1e-12)


def scores_of(rng, positives, negatives, *, ties=False, shift=0.1):
    """Labels and scores in [0, 1], those of the positives higher."""
    labels = np.arange(positives + negatives) < positives
    scores = np.clip(rng.random(labels.size) * 0.8 + shift * labels, 0, 1)
    return labels, np.round(scores, 1) if ties else scores


def classes(labels, scores):
    return scores[labels], scores[~labels]


# -------------------------------------------------------------------- all arrangements


@settings(max_examples=40)
@given(CASES, st.sampled_from(["scored_auc", "auc", "mean_gap", "margin_auc", "brier", "gini"]))
def test_exact_tests_count_all_arrangements(pairs, name):
    labels, scores = zip(*pairs, strict=True)
    assume(0 < sum(labels) < len(labels))
    cases = [(label, score, Fraction(1)) for label, score in pairs]
    below, above = oracle.arrangement_tails(cases, TABLE_ORACLES[name])
    better, worse = (below, above) if mm.parse(name).best == "min" else (above, below)
    expected = {"greater": better, "less": worse, "two-sided": min(2 * min(better, worse), 1)}
    for alternative, pvalue in expected.items():
        found = two_sample_test(labels, scores, name, alternative=alternative, method="exact")
        assert found.pvalue == close(pvalue)
        assert found.value == close(TABLE_ORACLES[name](cases))
        assert found.method == "exact"


@settings(max_examples=40)
@given(CASES)
def test_exact_tests_of_the_distance_count_all_arrangements(pairs):
    labels, scores = zip(*pairs, strict=True)
    assume(0 < sum(labels) < len(labels))
    cases = [(label, score, Fraction(1)) for label, score in pairs]
    turned = [(label, -score, weight) for label, score, weight in cases]
    expected = {
        "two-sided": oracle.arrangement_tails(cases, TABLE_ORACLES["ks"])[1],
        "greater": oracle.arrangement_tails(cases, oracle.one_sided_ks)[1],
        "less": oracle.arrangement_tails(turned, oracle.one_sided_ks)[1],
    }
    for alternative, pvalue in expected.items():
        found = two_sample_test(labels, scores, "ks", alternative=alternative, method="exact")
        assert found.pvalue == close(pvalue)


@pytest.mark.parametrize(("positives", "negatives"), [(3, 5), (5, 3), (2, 9), (9, 2)])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_all_arrangements_as_scipy_has_them(positives, negatives, alternative):
    labels, scores = scores_of(np.random.default_rng(1), positives, negatives)

    def statistic(a, b):
        return np.maximum(a[:, np.newaxis] - b, 0).mean()

    expected = stats.permutation_test(
        classes(labels, scores),
        statistic,
        alternative=alternative,
        n_resamples=np.inf,
        vectorized=False,
    )
    found = two_sample_test(labels, scores, "scored_auc", alternative=alternative)
    assert found.pvalue == close(expected.pvalue)
    assert found.value == found.statistic == close(expected.statistic)
    assert found.resamples == math.comb(positives + negatives, positives)
    assert (found.method, found.n_pos, found.n_neg) == ("exact", positives, negatives)


def test_many_arrangements_come_in_blocks(monkeypatch):
    labels, scores = scores_of(np.random.default_rng(2), 4, 6, ties=True)
    whole = two_sample_test(labels, scores, "scored_auc")
    monkeypatch.setattr(unpaired, "BLOCK_ENTRIES", 50)
    assert two_sample_test(labels, scores, "scored_auc") == whole


def test_two_scores_make_fishers_test():
    labels = np.repeat([1, 1, 0, 0], [4, 1, 2, 5])
    scores = np.repeat([1, 0, 1, 0], [4, 1, 2, 5])
    for alternative in ("greater", "less"):
        fisher = stats.fisher_exact([[4, 1], [2, 5]], alternative=alternative).pvalue
        found = two_sample_test(labels, scores, alternative=alternative, method="exact")
        assert found.pvalue == close(fisher)


# ------------------------------------------------------------------------------- draws


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_drawn_arrangements_as_scipy_draws_them(alternative, ties):
    labels, scores = scores_of(np.random.default_rng(3), 12, 20, ties=ties)

    def statistic(a, b, axis):
        gaps = np.expand_dims(a, axis) - np.expand_dims(b, axis - 1)
        return np.maximum(gaps, 0).mean(axis=(axis - 1, axis))

    expected = stats.permutation_test(
        classes(labels, scores), statistic, alternative=alternative, rng=1, axis=-1
    ).pvalue
    found = two_sample_test(labels, scores, "scored_auc", alternative=alternative, seed=1)
    assert (found.method, found.resamples) == ("permutation", 9999)
    assert found.value == close(mm.scored_auc(labels, scores))
    half = expected / 2 if alternative == "two-sided" else expected
    error = math.sqrt(half * (1 - half) / 9999) * (2 if alternative == "two-sided" else 1)
    assert found.pvalue == pytest.approx(expected, abs=4 * math.sqrt(2) * error)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("name", ["auc", "ks"])
def test_drawn_arrangements_of_the_classical_measures(name, alternative):
    labels, scores = scores_of(np.random.default_rng(4), 7, 9)
    options = {"measure": name, "alternative": alternative}
    drawn = two_sample_test(labels, scores, method="permutation", seed=2, **options)
    exact = two_sample_test(labels, scores, method="exact", **options)
    assert drawn.pvalue == pytest.approx(exact.pvalue, abs=0.02)
    assert (drawn.value, drawn.statistic) == (close(exact.value), close(exact.statistic))
    assert (exact.resamples, drawn.resamples) == (0, 9999)


def test_few_rows_are_drawn_row_by_row():
    labels = np.repeat([1, 1, 0, 0], [60, 40, 50, 50])
    scores = np.repeat([1, 0, 1, 0], [60, 40, 50, 50])
    fisher = stats.fisher_exact([[60, 40], [50, 50]], alternative="greater").pvalue
    found = two_sample_test(labels, scores, alternative="greater", method="permutation", seed=3)
    assert found.pvalue == pytest.approx(fisher, abs=4 * math.sqrt(fisher / 9999))
    assert found.resamples == 9999


def test_the_same_seed_gives_the_same_pvalue():
    labels, scores = scores_of(np.random.default_rng(5), 300, 500, shift=0.02)
    first, again, other = (
        two_sample_test(labels, scores, "scored_auc", resamples=999, seed=s) for s in (7, 7, 8)
    )
    assert first == again
    assert first.pvalue != other.pvalue
    assert first.resamples == 999


def test_the_smallest_pvalue_is_that_of_the_observed_labels():
    labels = [1] * 10 + [0] * 10
    found = two_sample_test(
        labels, np.linspace(1, 0, 20), "scored_auc", alternative="greater", resamples=99, seed=1
    )
    assert found.pvalue == 0.01


def test_better_than_chance_by_the_direction_of_the_measure():
    labels, scores = scores_of(np.random.default_rng(6), 60, 60, shift=0.2)
    for name in ("scored_auc", "brier", "log_loss", "h_measure", "f_measure@top=50%"):
        better, worse = (
            two_sample_test(labels, scores, name, alternative=way, resamples=499, seed=1).pvalue
            for way in ("greater", "less")
        )
        assert better < 0.05
        assert worse > 0.95
    slope = two_sample_test(
        labels, scores, "calibration_slope", alternative="greater", resamples=199, seed=1
    )
    assert slope.pvalue < 0.05


def pvalue_of(measure, null, observed, side, *, complete):
    test = MeasureTest(measure, side)
    return unpaired._pvalue(
        test, measure.goodness(null), float(measure.goodness(observed)), complete=complete
    )


def test_better_is_nearer_where_a_value_is_best():
    slope = mm.parse("calibration_slope")
    null = np.array([0.5, 0.9, 1.05, 1.2, 3.0])
    assert pvalue_of(slope, null, 1.2, "greater", complete=True) == 0.6
    assert pvalue_of(slope, null, 1.2, "less", complete=True) == 0.6


def test_a_measure_that_labels_do_not_move():
    labels, scores = scores_of(np.random.default_rng(7), 10, 15)
    assert two_sample_test(labels, np.full(25, 0.5), "scored_auc", resamples=99).pvalue == 1
    assert two_sample_test(labels, scores, "uncertainty", resamples=99).pvalue == 1


def test_arrangements_without_a_value_count_as_extreme():
    null = np.array([0.1, math.nan, 0.2, math.inf])
    measure = mm.parse("log_loss")
    pvalue = pvalue_of(measure, null, 0.15, "greater", complete=True)
    assert pvalue == 0.5
    assert pvalue_of(measure, null, 0.15, "less", complete=True) == 0.75
    assert pvalue_of(measure, null, math.inf, "less", complete=False) == 0.6


def test_equal_values_that_rounding_has_moved_count_as_extreme():
    null = np.array([0.3, 0.1 + 0.2, 0.3 - 1e-16, 0.2, 0.4])
    gap = mm.parse("mean_gap")
    assert pvalue_of(gap, null, 0.3, "greater", complete=True) == 0.8
    assert pvalue_of(gap, null * 1e-9, 0.3e-9, "less", complete=True) == 0.8
    around_zero = np.array([1e-17, -1e-17, 0.0, 0.5])
    assert pvalue_of(gap, around_zero, 0.0, "less", complete=True) == 0.75


# ------------------------------------------------------------------------------- scipy


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(("positives", "negatives"), [(1, 1), (5, 9), (8, 40), (30, 20)])
def test_auc_is_the_test_of_mann_and_whitney(positives, negatives, ties, alternative):
    labels, scores = scores_of(np.random.default_rng(8), positives, negatives, ties=ties)
    for method in ("auto", "asymptotic", *([] if ties else ["exact"])):
        expected = stats.mannwhitneyu(
            *classes(labels, scores), alternative=alternative, method=method
        )
        found = two_sample_test(labels, scores, alternative=alternative, method=method)
        assert found.statistic == expected.statistic
        assert found.pvalue == expected.pvalue
        assert found.value == close(expected.statistic / (positives * negatives))
    distinct = np.unique(scores).size == scores.size
    exact = distinct and min(positives, negatives) <= 8
    usual = two_sample_test(labels, scores, alternative=alternative)
    assert (usual.method, usual.resamples) == ("exact" if exact else "asymptotic", 0)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(("positives", "negatives"), [(1, 2), (5, 9), (8, 40), (150, 200)])
def test_ks_is_the_test_of_kolmogorov_and_smirnov(positives, negatives, ties, alternative):
    labels, scores = scores_of(np.random.default_rng(9), positives, negatives, ties=ties)
    way = {"two-sided": "two-sided", "greater": "less", "less": "greater"}[alternative]
    for method, theirs in (("asymptotic", "asymp"), *([] if ties else [("exact", "exact")])):
        expected = stats.ks_2samp(*classes(labels, scores), alternative=way, method=theirs)
        found = two_sample_test(labels, scores, "ks", alternative=alternative, method=method)
        assert (found.statistic, found.pvalue) == (
            close(expected.statistic),
            close(expected.pvalue),
        )
        assert found.value == close(stats.ks_2samp(*classes(labels, scores)).statistic)
    usual = two_sample_test(labels, scores, "ks", alternative=alternative)
    tied = np.unique(scores).size < scores.size
    assert usual.method == ("asymptotic" if tied else "exact")


@pytest.mark.parametrize("scores", [[0.7, 0.2], [0.2, 0.7], [0.5, 0.5]])
@pytest.mark.parametrize("method", ["auto", "exact", "asymptotic"])
def test_two_cases_have_no_test(scores, method):
    for name in ("auc", "ks"):
        found = two_sample_test([1, 0], scores, name, method=method)
        assert found.pvalue == 1
    exact = two_sample_test([1, 0], scores, "ks", alternative="greater", method="exact")
    assert exact.pvalue == (0.5 if scores[0] > scores[1] else 1)


def test_positives_that_score_higher():
    labels, scores = scores_of(np.random.default_rng(10), 40, 50, shift=0.3)
    for name in ("auc", "ks", "scored_auc"):
        pvalues = [
            two_sample_test(labels, scores, name, alternative=way, seed=1).pvalue
            for way in ("greater", "less")
        ]
        assert pvalues[0] < 0.01
        assert pvalues[1] > 0.9


def test_an_exact_distance_that_scipy_cannot_find():
    rng = np.random.default_rng(11)
    labels = np.arange(9973 + 9999) < 9973
    scores = rng.random(labels.size) + 0.005 * labels
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fell_back = stats.ks_2samp(*classes(labels, scores), method="exact").pvalue
    found = two_sample_test(labels, scores, "ks")
    assert found.pvalue == close(fell_back)
    if found.method == "asymptotic":
        with pytest.raises(mm.DataError, match="no exact distribution of ks for 9973 and 9999"):
            two_sample_test(labels, scores, "ks", method="exact")


def test_many_cases():
    labels, scores = scores_of(np.random.default_rng(12), 6, 200_000, shift=0.0)
    for name in ("auc", "ks"):
        found = two_sample_test(labels, scores, name)
        assert found.method == "asymptotic"
        assert 0.01 < found.pvalue <= 1
    with pytest.raises(mm.ParameterError, match="would take too long"):
        two_sample_test(labels, scores, method="exact")
    with pytest.raises(mm.ParameterError, match="more than 9999 permutations"):
        two_sample_test(labels, np.round(scores, 1), method="exact")


# ------------------------------------------------------------------------------- level


@pytest.mark.parametrize(
    ("name", "method"),
    [("scored_auc", "permutation"), ("auc", "asymptotic"), ("brier", "permutation")],
)
def test_tests_hold_their_level(name, method):
    rng = np.random.default_rng(13)

    def pvalue():
        return two_sample_test(
            np.arange(30) < 12,
            rng.random(30),
            name,
            method=method,
            resamples=199,
            seed=rng.integers(99),
        ).pvalue

    assert 0.025 <= np.mean([pvalue() <= 0.05 for _ in range(SIMULATED)]) <= 0.08


# --------------------------------------------------------------------------- bad input

Y, S = [1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1]


@pytest.mark.parametrize(
    ("error", "labels", "scores", "options", "words"),
    [
        (mm.DataError, [1, 1], [0.2, 0.1], {}, "all 2 cases are positive"),
        (mm.DataError, [0, 0, 0], [0.2, 0.1, 0.3], {}, "all 3 cases are negative"),
        (mm.DataError, Y, [2, 1, 1, 0], {"measure": "scored_auc"}, r"needs scores in \[0, 1\]"),
        (mm.DataError, Y, [0.9, math.nan, 0.5, 0.1], {}, "missing"),
        (mm.DataError, Y, [0.9, 0.5, 0.1], {}, "y_true and y_score differ in length: 4 and 3"),
        (mm.DataError, ["a", "b"], [0.1, 0.2], {}, "pos_label"),
        (mm.DataError, Y, S, {"measure": "precision@threshold=0.95"}, "is undefined on these data"),
        (
            mm.ParameterError,
            Y,
            S,
            {"measure": "gini", "method": "asymptotic"},
            "does not apply to gini",
        ),
        (
            mm.ParameterError,
            2 * Y,
            2 * S,
            {"measure": "gini", "method": "exact", "resamples": 10},
            "more than 10 permutations",
        ),
        (
            mm.ParameterError,
            Y,
            S,
            {"resamples": 5},
            "resamples must be an integer from 10 to 1000000, got 5",
        ),
        (
            mm.ParameterError,
            Y,
            S,
            {"alternative": "larger"},
            "alternative must be one of 'two-sided', 'greater', 'less', got 'larger'",
        ),
        (
            mm.ParameterError,
            Y,
            S,
            {"method": "bootstrap"},
            "method must be one of 'auto', 'exact', .*, got 'bootstrap'",
        ),
        (
            mm.ParameterError,
            Y,
            S,
            {"resamples": 0},
            "resamples must be an integer from 10 to 1000000, got 0",
        ),
        (
            mm.ParameterError,
            Y,
            S,
            {"resamples": 99.5},
            "resamples must be an integer from 10 to 1000000, got 99.5",
        ),
        (mm.ParameterError, Y, S, {"seed": -1}, "seed must be an integer >= 0 or None, got -1"),
        (mm.ParameterError, Y, S, {"seed": "x"}, "seed must be an integer >= 0 or None, got 'x'"),
    ],
)
def test_bad_input(error, labels, scores, options, words):
    with pytest.raises(error, match=words):
        two_sample_test(labels, scores, **options)


def test_a_measure_that_does_not_exist():
    with pytest.raises(mm.UnknownMeasure, match="there is no measure"):
        two_sample_test(Y, S, "auroc")


def test_there_are_no_weights():
    with pytest.raises(TypeError, match="sample_weight"):
        two_sample_test(Y, S, sample_weight=[1, 2, 1, 1])


def test_cases_that_lack_a_value_can_be_left_out():
    with pytest.warns(mm.DroppedCasesWarning, match="1 of 5 cases") as caught:
        found = two_sample_test([*Y, 1], [*S, math.nan], nan_policy="drop")
    assert caught[0].filename == __file__
    assert found == two_sample_test(Y, S)


def test_labels_and_measures_by_name():
    named = two_sample_test(["yes", "no", "yes", "no"], S, "roc_auc", pos_label="yes")
    assert named == two_sample_test(Y, S)
    assert named.measure == "auc"
    assert two_sample_test(Y, S, mm.margin_auc.using(tau=0.3)).measure == "margin_auc(tau=0.3)"


def test_data_are_read_as_for_intervals(tmp_path):
    frame, expected = pl.DataFrame({"y": Y, "m": S, "w": S}), two_sample_test(Y, S, "ks")
    table, columns = mm.tabulate(Y, S), {"label": "y", "score": "m"}
    frame.write_csv(tmp_path / "m.csv")
    for data in (frame, frame.to_pandas(), tmp_path / "m.csv"):
        assert two_sample_test(data, "ks", **columns) == expected
        assert two_sample_test(data, "m", "ks", label="y") == expected
        assert two_sample_test(data, **columns) == two_sample_test(Y, S)
    for ready in (table, [table], {"a": table}):
        assert two_sample_test(ready, "ks") == two_sample_test(ready, None, mm.ks) == expected
    assert two_sample_test(table) == two_sample_test(Y, scores=S)


@pytest.mark.parametrize(
    ("error", "data", "words"),
    [
        (mm.DataError, (mm.tabulate(Y, S, sample_weight=[0.5, 1, 1, 1]), "ks"), "are not counts"),
        (mm.DataError, (mm.tabulate_lists(Y, [S, S]), "ks"), "needs one table, got a block"),
        (mm.DataError, (Y, "ks"), "scores are missing"),
        (mm.ParameterError, (mm.ks, Y, S), "the data come first, then the measure"),
        (mm.ParameterError, (pl.DataFrame({"y": Y, "m": S}), "m"), "measure is missing"),
    ],
)
def test_bad_data(error, data, words):
    with pytest.raises(error, match=words):
        two_sample_test(*data)


def test_infinite_scores():
    scores = [math.inf, 0, 1, -math.inf]
    assert two_sample_test(Y, scores).pvalue == two_sample_test(Y, [3, 1, 2, 0]).pvalue
    assert two_sample_test(Y, scores, "ks").pvalue == two_sample_test(Y, [3, 1, 2, 0], "ks").pvalue


def test_permutations_are_few_up_to_the_limit():
    for positives, negatives in itertools.product(range(1, 9), repeat=2):
        number = math.comb(positives + negatives, positives)
        assert are_few(positives, negatives, number)
        assert not are_few(positives, negatives, number - 1)
    assert not are_few(10**6, 10**6, 10**9)
