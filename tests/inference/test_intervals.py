"""The interval of a value: its methods against their definitions, and what a user gets."""

import json
import math
import os
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import Plan, Sample, coverage, measure_intervals
from metameasure.inference.methods import delong, wilson
from metameasure.measurement import CaseMean, PairMean, Share
from oracles import cut, uncertainty
from oracles.scored import order
from strategies import cases, table_of

LIGHT = cases(weights=False)
CONFIDENCE = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])
HALF = Fraction(1, 2)
KERNELS = {
    **uncertainty.KERNELS,
    "gini": lambda s, t: 2 * order(s, t) - 1,
    "area_above_diagonal": lambda s, t: order(s, t) - HALF,
    "r_plus": lambda s, t: Fraction(s) * order(s, t),
    "r_minus": lambda s, t: Fraction(t) * order(s, t),
    "probabilistic_auc": lambda s, t: (1 + Fraction(s) - Fraction(t)) / 2,
    "soft_auc": lambda s, t: Fraction(1 / (1 + math.exp(t - s))),
}
OVER_PAIRS = [m for m in mm.measures() if isinstance(m.declaration.sampling, PairMean)]
SHARES = [m for m in mm.measures() if isinstance(m.declaration.sampling, Share)]
OVER_CASES = [m for m in mm.measures() if isinstance(m.declaration.sampling, CaseMean)]
BUILT_IN = [m for m in mm.measures() if m.family != "own"]
M1 = [1, 1, 1, 0, 0, 0], [1.0, 0.7, 0.6, 0.5, 0.4, 0.0]


def drawn_cases(n=120, seed=11, places=3):
    """Labels and probabilities of a fair model."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.4
    score = 1 / (1 + np.exp(-(1.5 * label - 0.6 + rng.normal(size=n))))
    return label.astype(int), score.round(places)


PLAIN = drawn_cases()


def lists(some):
    return [label for label, _, _ in some], [score for _, score, _ in some]


def quiet(measure, labels, scores, **options):
    """The interval, with no warning that there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
        return mm.interval(labels, scores, measure, pos_label=True, **options)


def has_both(some):
    return len({label for label, _, _ in some}) == 2


def close(right, rel=1e-10, absolute=1e-13):
    return pytest.approx(right, rel=rel, abs=absolute)


def codes(result):
    return {check.code for check in result.checks}


def limits(found):
    return found.low, found.high


# ----------------------------------------------------------------- structural components


def test_every_mean_over_pairs_has_a_kernel():
    assert {m.name for m in OVER_PAIRS} == set(KERNELS)


@pytest.mark.parametrize("measure", OVER_PAIRS, ids=str)
@settings(max_examples=20)
@given(some=LIGHT.filter(has_both))
def test_components_are_the_means_over_the_other_class(measure, some):
    sample = Sample.of(Predictions.of(*(lists(some)[0], {"m": lists(some)[1]}), pos_label=True))
    row = sample.places("m").row
    found = delong.components(measure, sample.tables["m"])
    expected = uncertainty.placements(some, KERNELS[measure.name])
    for values, members, exact in zip(
        found, (sample.positive, ~sample.positive), expected, strict=True
    ):
        assert values[row[members]].tolist() == close([float(v) for v in exact])


@pytest.mark.parametrize("measure", OVER_PAIRS, ids=str)
@settings(max_examples=20)
@given(some=LIGHT.filter(has_both))
def test_variance_is_that_of_delong(measure, some):
    found = delong.spread(measure, table_of(some)).delong
    assert_variance(found, uncertainty.delong_variance(some, KERNELS[measure.name]))


@given(LIGHT.filter(has_both))
def test_theorem_6(some):
    found = delong.spread(mm.scored_auc, table_of(some)).theorem_6
    assert_variance(found, uncertainty.theorem6_variance(some))


def assert_variance(found, expected):
    if expected is None:
        assert math.isnan(found)
    else:
        assert found == close(float(expected), absolute=1e-15)


def test_theorem_6_runs_low_on_the_example_of_its_paper():
    spread = delong.spread(mm.scored_auc, mm.tabulate(*M1))
    assert spread.theorem_6 == close(17 / 675)
    assert spread.delong == close(17 / 450)
    value = mm.scored_auc(*M1)
    narrow = mm.interval(*M1, "scored_auc", method="theorem_6")
    assert limits(narrow) == close(uncertainty.wald_limits(value, 17 / 675))
    wide = mm.interval(*M1, "scored_auc", method="delong")
    assert limits(wide) == close(uncertainty.wald_limits(value, 17 / 450))


@pytest.mark.parametrize("measure", OVER_PAIRS, ids=str)
@settings(max_examples=20)
@given(some=LIGHT, ci=CONFIDENCE)
def test_logit_and_wald_limits(measure, some, ci):
    kernel, (low, high) = KERNELS[measure.name], measure.declaration.range
    variance = uncertainty.delong_variance(some, kernel)
    if not variance:
        return
    value = uncertainty.mean(uncertainty.placements(some, kernel)[0])
    wald = mm.interval(*lists(some), measure, ci=ci, method="delong", pos_label=True)
    below, above = uncertainty.wald_limits(value, variance, ci)
    assert limits(wald) == close((max(below, low), min(above, high)), 1e-9)
    usual = mm.interval(*lists(some), measure, ci=ci, method="delong_logit", pos_label=True)
    scale = Fraction(high) - Fraction(low)
    expected = uncertainty.logit_limits((value - Fraction(low)) / scale, variance / scale**2, ci)
    assert limits(usual) == close(tuple(low + (high - low) * limit for limit in expected), 1e-9)
    assert low <= usual.low <= usual.value <= usual.high <= high


def test_linear_functions_of_the_auc_have_its_interval():
    auc = mm.interval(*PLAIN, "auc")
    gini = mm.interval(*PLAIN, "gini")
    above = mm.interval(*PLAIN, "area_above_diagonal")
    assert limits(gini) == close((2 * auc.low - 1, 2 * auc.high - 1))
    assert limits(above) == close((auc.low - 0.5, auc.high - 0.5))


def test_a_table_of_cases_has_the_interval_of_the_cases():
    for measure in ("auc", "brier", "accuracy", "scored_auc"):
        assert mm.interval(mm.tabulate(*PLAIN), measure) == mm.interval(*PLAIN, measure)
    ks, again = mm.interval(mm.tabulate(*PLAIN), "ks"), mm.interval(*PLAIN, "ks")
    assert limits(ks) == limits(again)


# ------------------------------------------------------------------------ shares, means


@pytest.mark.parametrize("measure", SHARES, ids=str)
@settings(max_examples=12)
@given(some=LIGHT, threshold=st.sampled_from([0.2, 0.5, 0.6]), ci=CONFIDENCE)
def test_wilson_limits_of_every_share(measure, some, threshold, ci):
    chosen = measure.using(threshold=threshold)
    found = quiet(chosen, *lists(some), ci=ci)
    some_cases, of = (int(n) for n in counted(measure.name, some, threshold))
    expected = uncertainty.wilson(some_cases, of, ci)
    if expected is None:
        assert found.reason
        assert all(map(math.isnan, (found.value, *limits(found))))
    else:
        assert found.method == "wilson"
        assert limits(found) == close(expected, absolute=1e-14)
        assert found.low <= found.value <= found.high


def counted(name, some, threshold):
    """Which cases a share counts, and of how many."""
    tp, fp, fn, tn = cut(some, "threshold", threshold)
    return {
        "accuracy": (tp + tn, tp + fp + fn + tn),
        "error_rate": (fp + fn, tp + fp + fn + tn),
        "tpr": (tp, tp + fn),
        "fnr": (fn, tp + fn),
        "fpr": (fp, fp + tn),
        "tnr": (tn, fp + tn),
        "precision": (tp, tp + fp),
        "fdr": (fp, tp + fp),
        "npv": (tn, tn + fn),
        "false_omission_rate": (fn, tn + fn),
    }[name]


@given(st.integers(0, 30), st.integers(1, 30), CONFIDENCE)
def test_wilson(successes, more, ci):
    trials = successes + more - 1 or 1
    successes = min(successes, trials)
    found = wilson.wilson_limits(successes, trials, ci)
    assert found == close(uncertainty.wilson(successes, trials, ci), absolute=1e-14)


@pytest.mark.parametrize("text", ["accuracy@top=10%", "tpr@fpr=0.1", "precision@k=20"])
def test_shares_at_a_moving_cut_are_no_proportions(text):
    assert mm.interval(*PLAIN, text).method == "linearized"
    with pytest.raises(mm.ParameterError, match='"wilson" does not apply to'):
        mm.interval(*PLAIN, text, method="wilson")


@pytest.mark.parametrize("ci", [0.5, 0.95])
def test_normal_limits_are_those_of_the_t_test(ci):
    label, score = PLAIN
    brier, rms, log_loss, benefit = (
        mm.interval(label, score, name, ci=ci, method="normal")
        for name in ("brier", "rms", "log_loss", "net_benefit")
    )
    losses = np.square(score - label)
    assert limits(brier) == close(tuple(stats.ttest_1samp(losses, 0).confidence_interval(ci)))
    assert limits(rms) == close((math.sqrt(brier.low), math.sqrt(brier.high)))
    losses = -np.log(np.where(label, score, 1 - score))
    assert limits(log_loss) == close(tuple(stats.ttest_1samp(losses, 0).confidence_interval(ci)))
    gains = np.where(score >= 0.5, np.where(label, 1.0, -1.0), 0.0)
    assert limits(benefit) == close(tuple(stats.ttest_1samp(gains, 0).confidence_interval(ci)))


def test_normal_limits_end_with_the_range():
    found = mm.interval([1, 0, 0], [0.9, 0.2, 0.9], "brier", method="normal")
    assert limits(found) == (0, 1)


# ----------------------------------------------------------------------------- measures

WILSON = {
    "accuracy", "error_rate", "tpr", "fpr", "tnr", "fnr", "precision", "npv", "fdr",
    "false_omission_rate",
}  # fmt: skip
CASE_MEANS = {"brier", "rms", "log_loss"}
SMOOTHED = {
    "minimum_cost", "auch", "ks", "signed_ks", "h_measure", "ece",
    "miscalibration", "discrimination", "ici", "e50", "e90", "emax",
}  # fmt: skip


COEFFICIENTS = dict.fromkeys(
    ("calibration_slope", "calibration_intercept", "calibration_in_the_large"), "sandwich"
)


def usual_method(measure):
    if measure.declaration.right_pairs and measure.name in KERNELS:
        return "newcombe"
    if measure.name in KERNELS or measure.name in CASE_MEANS:
        return "empirical_likelihood"
    if measure.name in WILSON:
        return "wilson"
    if measure.at_threshold or measure.name in {"net_benefit", "standardized_net_benefit"}:
        return "jeffreys"
    smooth = {"average_precision", "partial_auc", "scaled_brier"}
    if measure.point is not None or measure.name in smooth:
        return "linearized"
    others = dict.fromkeys(SMOOTHED, "smoothed") | COEFFICIENTS
    return others.get(measure.name, "bca")


WITHOUT = ("hosmer_lemeshow", "information_value")  # a test, and infinite on these cases
WITH_LIMITS = [measure for measure in BUILT_IN if measure.name not in WITHOUT]


UNVARIED = {"reciprocal_rank": ("bound",)}
"""The method of measures that are the same on all resamples of these data."""


@pytest.mark.parametrize("measure", WITH_LIMITS, ids=str)
def test_every_measure_has_an_interval_around_its_value(measure):
    found = mm.interval(*PLAIN, measure, resamples=400)
    low, high = measure.declaration.range
    assert low <= found.low <= found.value <= found.high <= high
    assert found.value == measure(*PLAIN)
    assert found.method in {usual_method(measure), *UNVARIED.get(measure.name, ())}
    assert found.reason is None
    assert found.measure == measure
    assert found.ci == 0.95
    if usual_method(measure) == "bca":
        assert found.resamples + found.left_out == 400
    elif found.method == "smoothed":
        assert 256 <= found.resamples + found.left_out <= 400
    else:
        assert (found.resamples, found.left_out) == (None, 0)


PARTIAL = ["partial_auc(fpr=(0.1, 0.3))", "partial_auc(tpr=(0.8, 1))"]
WEIGHTED = [*WITH_LIMITS, *map(mm.parse, PARTIAL)]


@pytest.mark.parametrize("measure", WEIGHTED, ids=str)
@pytest.mark.parametrize("distance", [0, 1, 6, -6])
def test_weights_do_not_move_limits_out_of_the_range(measure, distance):
    low, high = measure.value_range
    for seed in (0, 2, 13):
        rng = np.random.default_rng(seed)
        label, weight = rng.random(40) < 0.4, rng.choice([0.1, 0.3, 0.7, 1.1, 3.3], 40)
        score = expit(rng.normal(size=40) + distance * label - distance / 2)
        sample = Sample.of(Predictions(label, {"m": score}, weight=weight))
        (found,) = measure_intervals(sample, {"m": [measure]}, Plan(resamples=60)).values()
        assert found.reason or low <= found.low <= found.value <= found.high <= high


@pytest.mark.parametrize("measure", WITH_LIMITS, ids=str)
def test_more_confidence_is_a_wider_interval(measure):
    narrow, usual, wide = (
        mm.interval(*PLAIN, measure, ci=ci, resamples=200) for ci in (0.5, 0.95, 0.99)
    )
    assert wide.low <= usual.low <= narrow.low <= narrow.high <= usual.high <= wide.high
    assert narrow.high - narrow.low < wide.high - wide.low


@pytest.mark.parametrize("measure", BUILT_IN, ids=str)
def test_every_measure_can_be_resampled(measure):
    low, high = measure.declaration.range
    for method in ("percentile", "bca"):
        found = mm.interval(*PLAIN, measure, resamples=100, method=method)
        if math.isinf(found.value):
            assert found.reason == "an infinite value has no limits"
            continue
        assert low <= found.low <= found.high <= high
        assert found.method in {method, *UNVARIED.get(measure.name, ())}
        assert found.resamples == 100


def test_intervals_do_not_depend_on_what_else_is_asked():
    label, score = PLAIN
    sample = Sample.of(Predictions.of(label, {"a": score, "b": score[::-1]}))
    chosen = [mm.parse(text) for text in ("auc", "f_measure", "ks", "mcc")]
    together = measure_intervals(sample, {"a": chosen, "b": chosen}, Plan(resamples=200))
    for measure in chosen:
        assert mm.interval(label, score, measure, resamples=200) == together["a", measure]
        other = mm.interval(label, score[::-1], measure, resamples=200)
        assert other == together["b", measure]


def test_the_order_of_cases_does_not_matter_without_resampling():
    label, score = PLAIN
    turned = np.random.default_rng(3).permutation(label.size)
    for measure in ("auc", "brier", "accuracy", "ks"):
        one = mm.interval(label, score, measure, resamples=200)
        other = mm.interval(label[turned], score[turned], measure, resamples=200)
        assert limits(one) == close(limits(other))


FIXED = [
    "accuracy", "precision", "f_measure", "mcc", "kappa", "net_benefit(t=0.3)", "brier",
    "log_loss", "rms",
]  # fmt: skip
"""Measures that depend on the numbers of cases of the classes."""


@pytest.mark.parametrize("text", FIXED)
@pytest.mark.parametrize("weighted", [False, True])
def test_limits_within_classes_are_near_those_of_stratified_resamples(text, weighted):
    rng = np.random.default_rng(3)
    label = np.repeat([1, 0], [150, 450])
    score = expit(2 * (rng.normal(size=600) + 1.5 * label - 1.2))
    given = {"sample_weight": 1.0 + np.arange(600) % 3} if weighted else {}
    found = mm.interval(label, score, text, stratified=True, **given)
    resampled = mm.interval(label, score, text, stratified=True, method="percentile", **given)
    width = resampled.high - resampled.low
    assert found.method in {"jeffreys", "empirical_likelihood"}
    # Weighted classes of resamples vary in weight.
    assert found.high - found.low == pytest.approx(width, rel=0.2 if weighted else 0.1)
    free = mm.interval(label, score, text, **given)
    assert found.high - found.low < 1.01 * (free.high - free.low)


def test_the_sizes_of_the_classes_do_not_vary_within_them():
    """All cases of a class have the same loss: the loss is known if the sizes are fixed."""
    label = np.repeat([1, 0], [30, 70])
    score = np.where(label, 0.6, 0.3)
    loose = mm.interval(label, score, "brier")
    fixed = mm.interval(label, score, "brier", stratified=True)
    assert (loose.method, fixed.method) == ("empirical_likelihood", "bound")


@pytest.mark.parametrize("text", ["tpr", "tnr", "auc", "gini", "scored_auc", "margin_auc"])
def test_rates_and_pairs_do_not_depend_on_the_sizes_of_the_classes(text):
    fixed, loose = (mm.interval(*PLAIN, text, stratified=s) for s in (True, False))
    assert (fixed.low, fixed.high) == (loose.low, loose.high)


@pytest.mark.parametrize(("text", "method"), [("accuracy", "wilson"), ("brier", "normal")])
def test_methods_for_varying_class_sizes_refuse_fixed_ones(text, method):
    with pytest.raises(mm.ParameterError, match="does not support stratified"):
        mm.interval(*PLAIN, text, method=method, stratified=True)


def test_stratified_resamples_are_those_of_a_fixed_prevalence():
    free = mm.interval(*PLAIN, "uncertainty", method="percentile", resamples=300)
    fixed = mm.interval(*PLAIN, "uncertainty", method="percentile", resamples=300, stratified=True)
    assert free.low < free.high
    assert fixed.low == fixed.high == fixed.value


# ---------------------------------------------------------------------------- evaluation


def test_without_ci_there_are_no_limits():
    found = mm.evaluate(*PLAIN, measures="auc, f_measure, ks", ci=None)
    assert {(row.low, row.high, row.method) for row in found.rows} == {(None, None, None)}
    assert found.ci is None
    frame = found.frame()
    assert frame["low"].null_count() == frame["high"].null_count() == 3
    assert json.loads(found.to_json())["ci"] is None


def test_an_evaluation_has_the_intervals_of_its_measures():
    label, score = PLAIN
    texts = ["auc", "accuracy@0.5", "brier", "f_measure", "h_measure"]
    options = {"ci": 0.9, "resamples": 200, "seed": 3}
    found = mm.evaluate(label, {"m": score}, texts, **options)
    for row, text in zip(found.rows, texts, strict=True):
        alone = mm.interval(label, score, text, **options)
        assert (row.value, row.low, row.high) == (alone.value, *limits(alone))
        assert row.method == alone.method
    assert found.ci == json.loads(found.to_json())["ci"] == 0.9
    frame = found.frame()
    assert frame["low"].to_list() == [row.low for row in found.rows]
    methods = ["newcombe", "wilson", "empirical_likelihood", "jeffreys", "smoothed"]
    assert frame["method"].to_list() == methods


def test_each_group_has_its_own_intervals():
    label, score = PLAIN
    group = np.arange(label.size) % 2
    found = mm.evaluate(label, {"m": score}, "auc, f_measure", group=group, resamples=100)
    for row in found.rows[2:]:
        part = group == int(row.group)
        alone = mm.interval(label[part], score[part], row.measure, resamples=100)
        assert (row.low, row.high) == limits(alone)


def test_a_group_without_weight_has_no_intervals():
    label, score = PLAIN
    group = np.where(np.arange(label.size) < 40, "none", "some")
    with pytest.warns(mm.UndefinedMeasureWarning):
        found = mm.evaluate(
            label,
            {"m": score},
            "auc, brier, accuracy, f_measure, ks",
            group=group,
            sample_weight=(group == "some").astype(float),
            resamples=50,
        )
    empty = [row for row in found.rows if row.group == "none"]
    assert len(empty) == 5
    assert all(row.undefined and row.low is None and row.high is None for row in empty)
    assert {row.n for row in empty} == {0}


def test_frames_and_json_of_missing_limits_have_nulls():
    frame = pl.DataFrame({"y": [1, 0, 0, 0], "m": [0.9, 0.8, 0.1, 0.2]})
    found = mm.evaluate(frame, label="y", scores="m", measures="auc", resamples=50)
    tidy = found.frame()
    assert tidy["value"].to_list() == [1.0]
    assert tidy["low"].to_list() == tidy["high"].to_list() == [None]
    (row,) = json.loads(found.to_json())["rows"]
    assert row["low"] is row["high"] is None
    pandas = mm.evaluate(frame.to_pandas(), label="y", scores="m", measures="auc").frame()
    assert isinstance(pandas, pd.DataFrame)
    assert pandas["low"].isna().all()


def test_limits_stand_beside_their_values_in_print():
    label, score = PLAIN
    found = mm.evaluate(label, {"m": score}, "auc")
    (row,) = found.rows
    shown = f"{row.value:.4f}  {row.low:.3f}–{row.high:.3f}"
    assert shown in str(found)
    assert f"({row.low:.3f}–{row.high:.3f})" in found.to_markdown()
    assert f"<small>{row.low:.3f}–{row.high:.3f}</small>" in found._repr_html_()


# ----------------------------------------------------------------------------- hard cases


@pytest.mark.parametrize(("n_pos", "n_neg"), [(6, 9), (30, 4), (50, 1000)])
@pytest.mark.parametrize("ci", [0.9, 0.95])
def test_perfect_separation_gives_a_bound(n_pos, n_neg, ci):
    label = np.repeat([1, 0], [n_pos, n_neg])
    score = np.linspace(1, 0, n_pos + n_neg)
    same = (1 - ci) ** (1 / min(n_pos, n_neg))
    found = mm.interval(label, score, "auc", ci=ci, method="delong")
    assert limits(found) == close((same, 1.0))
    assert (found.value, found.method) == (1, "bound")
    worst = mm.interval(1 - label, score, "auc", ci=ci, method="delong")
    assert limits(worst) == close((0.0, 1 - same))
    assert (worst.value, worst.method) == (0, "bound")
    gini = mm.interval(label, score, "gini", ci=ci, method="delong")
    assert limits(gini) == close((2 * same - 1, 1.0))


def test_perfect_separation_is_reported():
    label = np.repeat([1, 0], [30, 40])
    best = mm.evaluate(label, {"m": np.linspace(1, 0, 70)}, "auc")
    assert [c.measure for c in best.checks if c.code == "MM10"] == ["auc"]
    worst = mm.evaluate(label, {"m": np.linspace(0, 1, 70)}, "auc")
    assert "MM10" in codes(worst)
    assert "MM10" not in codes(mm.evaluate(*PLAIN, measures="auc"))


def test_one_score_per_class_gives_a_bound_away_from_the_ends():
    label, score = [1, 1, 0, 0] * 5, [0.75, 0.75, 0.25, 0.25] * 5
    same = 0.05 ** (1 / 10)
    found = mm.interval(label, score, "scored_auc")
    assert (found.value, found.method) == (0.5, "bound")
    assert limits(found) == close((0.5 * same, 1 - 0.5 * same))
    same = 0.05 ** (1 / 20)
    brier = mm.interval(label, score, "brier")
    assert (brier.value, brier.method) == (0.0625, "bound")
    assert limits(brier) == close((0.0625 * same, 1 - 0.9375 * same))
    for method in ("auto", "delong"):
        tied = mm.interval(label, [0.5] * 20, "auc", method=method)
        assert tied.method == ("newcombe" if method == "auto" else "bound")
        assert tied.low < 0.5 < tied.high


@pytest.mark.parametrize(
    ("measure", "below"),
    [
        ("mean_gap", 0.2),
        ("mean_gap", 0.3),
        ("scored_auc", 0.2),
        ("scored_auc", 0.3),
        ("brier", 0.3),
        ("log_loss", 0.3),
        ("rms", 0.3),
    ],
)
def test_rounding_is_no_spread(measure, below):
    found = mm.interval([1, 1, 0, 0] * 5, [0.7, 0.7, below, below] * 5, measure)
    assert found.method == "bound"
    assert found.high - found.low > 0.01


def test_one_positive_has_no_interval_and_says_why():
    label, score = [1, *[0] * 9], np.linspace(1, 0, 10)
    found = mm.interval(label, score, "auc")
    assert all(map(math.isnan, limits(found)))
    assert "at least two cases per class" in found.reason
    measures = "auc, brier, ks, average_precision, f_measure"
    result = mm.evaluate(label, {"m": score}, measures, resamples=100)
    assert {"MM01", "MM12"} <= codes(result)
    without = [c.measure for c in result.checks if c.code == "MM12"]
    assert without == ["auc", "ks", "average_precision"]


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_one_positive_cannot_be_resampled(method):
    label, score = [1, *[0] * 49], np.linspace(1, 0, 50)
    found = mm.interval(label, score, "average_precision", method=method, resamples=100)
    assert "at least two cases per class" in found.reason


def test_one_cluster_of_positives_cannot_be_resampled():
    label, score = np.repeat([1, 0], [10, 40]), np.linspace(1, 0, 50)
    cluster = np.where(label == 1, 0, np.arange(50))
    found = mm.interval(label, score, "auc", cluster=cluster, resamples=100)
    assert "at least two clusters per class" in found.reason


def test_the_bound_of_a_root_is_the_root_of_the_bound():
    label = np.repeat([1, 0], [50, 50])
    brier, rms = (mm.interval(label, label * 1.0, measure) for measure in ("brier", "rms"))
    assert brier.method == rms.method == "bound"
    assert rms.high == close(math.sqrt(brier.high))


def test_few_resamples_are_named():
    label, score = [1, 0] * 30, np.linspace(1, 0, 60)
    measure = "ndcg"
    assert "MM15" in codes(mm.evaluate(label, score, measure, resamples=100))
    assert "MM15" in codes(mm.evaluate(label, score, measure, ci=0.9999))
    assert "MM15" not in codes(mm.evaluate(label, score, measure, resamples=200))


def test_limits_from_moments_need_no_resamples_beyond_them():
    rng = np.random.default_rng(0)
    label = rng.random(200) < 0.3
    score = rng.normal(0.3 * label, 0.2)
    for scores in (score, np.full(200, 0.5)):
        found = mm.interval(label, scores, "ks", ci=0.99)
        assert found.resamples < 1000
        assert "MM15" not in codes(found)
    few = mm.interval(label, score, "ks", resamples=50)
    assert "50 resamples are too few" in str(few)


def test_few_clusters_are_named():
    label, score = [1, 0] * 60, np.random.default_rng(1).random(120)
    found = mm.evaluate(label, score, "auc", cluster=np.arange(120) % 6, resamples=200)
    assert any(c.code == "MM01" and "6 clusters" in c.message for c in found.checks)


@pytest.mark.parametrize("few", ["positive", "negative"])
def test_few_clusters_of_one_class_are_named(few):
    label = np.repeat([few == "positive", few == "negative"], [40, 200])
    cluster = np.concatenate([np.arange(40) // 10, 4 + np.arange(200) // 5])
    score = np.random.default_rng(1).random(240)
    message = f"only 4 clusters with {few} cases; intervals are unreliable"
    for found in (
        mm.interval(label, score, "auc", cluster=cluster),
        mm.evaluate(label, score, "auc", cluster=cluster),
    ):
        assert [c.message for c in found.checks if c.code == "MM01"] == [message]


def test_a_dominating_cluster_is_named():
    label = np.tile([1, 0], 150)
    cluster = np.concatenate([np.zeros(150), np.arange(150)])
    score = np.random.default_rng(1).random(300)
    found = mm.interval(label, score, "auc", cluster=cluster)
    assert "clusters with positive cases count as" in str(found)


def test_a_dominating_weight_is_named():
    label, score = np.tile([1, 0], 100), np.random.default_rng(1).random(200)
    weight = np.ones(200)
    assert "MM01" not in codes(mm.interval(label, score, "auc", sample_weight=weight))
    weight[1] = 99  # half of the weight of the negatives; (99 + 99)^2 / (99^2 + 99) = 3.96
    found = mm.interval(label, score, "auc", sample_weight=weight)
    message = "100 negative cases count as 3.96 of equal weight; estimates are unreliable"
    assert message in [c.message for c in found.checks if c.code == "MM01"]


@pytest.mark.parametrize("text", ["auc", "scored_auc", "tpr", "ks"])
def test_few_clusters_of_positives_are_covered(text):
    """4 clusters of 10 positives, 40 of 5 negatives: at least 92% in 200 data sets, up to chance.

    Student's quantile for all 44 clusters covered 88% to 92%.
    """
    measure, rng = mm.parse(text), np.random.default_rng(3)

    def data(positives, negatives):
        sizes = np.repeat([10, 5], [positives, negatives])
        cluster = np.repeat(np.arange(sizes.size), sizes)
        label = cluster < positives
        shared = rng.normal(size=sizes.size)[cluster]
        latent = np.sqrt(0.3) * shared + np.sqrt(0.7) * rng.normal(size=cluster.size)
        return label, expit(1.2 * (latent + 1.2 * label - 0.6)), cluster

    label, score, _ = data(20_000, 40_000)
    truth, covered = measure(label, score), 0
    for _ in range(200):
        label, score, cluster = data(4, 40)
        found = mm.interval(label, score, measure, cluster=cluster, resamples=256)
        covered += found.low <= truth <= found.high
    assert covered / 200 >= 0.92 - 2.6 * math.sqrt(0.92 * 0.08 / 200)


def test_integers_and_fractions_may_name_clusters_together():
    label, score = [1, 0] * 30, np.random.default_rng(1).random(60)
    mixed = [1, 2.5, *range(2, 60)]
    assert mm.interval(label, score, "auc", cluster=mixed, resamples=100).reason is None


def test_scaled_weights_change_no_check():
    label, score = [1, 0, 0] * 20, np.random.default_rng(1).random(60)
    for weight in (0.01, 1.0, 1000.0):
        found = mm.evaluate(label, score, "auc", sample_weight=np.full(60, weight), resamples=200)
        assert "MM06" not in codes(found)


@pytest.mark.parametrize("measure", BUILT_IN, ids=str)
def test_there_is_no_missing_limit_without_a_reason(measure):
    for labels in ([1, *[0] * 9], [1] * 9 + [0], [1] * 10, [1], [1, 0]):
        score = np.linspace(0.9, 0.1, len(labels))
        found = quiet(measure, labels, score, resamples=30, workers=1)
        assert any(map(math.isnan, limits(found))) == bool(found.reason)
        if not found.reason:
            assert found.low <= found.high
        if math.isnan(found.value):
            assert "the value is undefined" in found.reason


def test_few_positives_are_reported():
    label = np.repeat([1, 0], [12, 100])
    rng = np.random.default_rng(2)
    found = mm.evaluate(label, {"m": label + rng.normal(size=112)}, "auc")
    assert "only 12 positive cases" in str(found)
    assert "MM01" in codes(found)
    muted = mm.evaluate(label, {"m": label + rng.normal(size=112)}, "auc", mute="few-cases")
    assert "MM01" not in codes(muted)


def test_one_class_is_reported():
    with pytest.warns(mm.UndefinedMeasureWarning, match="auc of m is undefined"):
        found = mm.evaluate([1] * 30, {"m": np.linspace(0, 1, 30)}, "auc, brier")
    auc, brier = found.rows
    assert auc.undefined
    assert auc.low is None
    assert brier.low <= brier.value <= brier.high
    assert "MM02" in codes(found)
    assert found.frame()["low"].to_list() == [None, brier.low]


def test_heavy_ties_are_reported():
    label, score = PLAIN
    tied = mm.evaluate(label, {"m": np.round(score * 3)}, "auc")
    assert "MM04" in codes(tied)
    assert "MM04" not in codes(mm.evaluate(label, {"m": score}, "auc"))


def test_hard_labels_are_reported():
    label, score = PLAIN
    found = mm.evaluate(label, {"m": (score > 0.5).astype(float)}, "auc")
    assert "MM05" in codes(found)
    assert "MM04" not in codes(found)
    (row,) = found.rows
    assert row.low < row.value < row.high


def test_resamples_without_a_value_are_counted_and_reported():
    label = np.repeat([1, 0], [2, 18])
    score = np.linspace(1, 0, 20)[np.r_[0, 7, 1:7, 8:20]]
    found = mm.interval(label, score, "auc", method="percentile", resamples=2000)
    assert found.resamples + found.left_out == 2000
    chance = 0.9**20
    error = math.sqrt(chance * (1 - chance) / 2000)
    assert found.left_out / 2000 == pytest.approx(chance, abs=5 * error)
    result = mm.evaluate(label, {"m": score}, "auc", method="percentile", resamples=2000)
    assert "MM03" in codes(result)
    kept = mm.interval(label, score, "auc", method="percentile", stratified=True, resamples=500)
    assert (kept.resamples, kept.left_out) == (500, 0)


@pytest.mark.parametrize("name", sorted(SMOOTHED))
@settings(max_examples=8)
@given(some=LIGHT.filter(has_both), ci=CONFIDENCE)
def test_smoothed_limits_hold_the_value_and_stay_in_the_range(name, some, ci):
    found = quiet(name, *lists(some), ci=ci, resamples=25, workers=1)
    low, high = mm.parse(name).declaration.range
    if not found.reason:
        assert low <= found.low <= found.value + 1e-12
        assert found.value - 1e-12 <= found.high <= high


def test_an_infinite_loss_has_no_limits():
    label, score = [1, 0, 1, 0], [0.0, 0.2, 0.5, 0.8]
    found = mm.interval(label, score, "log_loss")
    assert found.value == math.inf
    assert all(map(math.isnan, limits(found)))
    assert "infinite" in found.reason
    result = mm.evaluate(label, {"m": score}, "log_loss")
    assert "MM12" in codes(result)
    (row,) = json.loads(result.to_json())["rows"]
    assert (row["value"], row["infinite"], row["low"], row["high"]) == (None, "+", None, None)


def test_a_loss_that_no_case_has_may_be_infinite():
    label, score = [0, 0, 1, 1] * 5, [0.0, 0.3, 1.0, 0.6] * 5
    found = mm.interval(label, score, "log_loss", method="normal")
    assert 0 <= found.low < found.value < found.high < math.inf


@pytest.mark.parametrize("method", ["auto", "percentile", "basic", "bca"])
@pytest.mark.parametrize("text", ["lr_plus", "diagnostic_odds_ratio", "log_loss"])
@pytest.mark.parametrize("more", [{}, {"sample_weight": [2.0] * 36}, {"cluster": range(36)}])
def test_an_infinite_value_has_no_upper_limit_by_any_method(method, text, more):
    label, score = [1, 1, 0, 0] * 9, [0.9, 1.0, 0.0, 0.2] * 9
    if text == "log_loss":
        score[0], score[2] = 0.0, 0.1
    found = mm.interval(label, score, text, method=method, **more)
    assert found.value == math.inf
    if found.method == "jeffreys":  # of a ratio whose denominator is an empty cell
        assert 1 < found.low < found.high == math.inf
        return
    assert all(map(math.isnan, limits(found)))
    assert found.reason == "an infinite value has no limits"


def test_limits_that_leave_out_the_value_are_not_given():
    rng = np.random.default_rng(0)
    score = rng.beta(2, 3, 2000)
    label = rng.random(2000) < score
    found = mm.interval(label, score, "calibration_error", resamples=300)
    assert math.isnan(found.low)
    assert "on one side of the value" in found.reason
    percentile = mm.interval(label, score, "calibration_error", resamples=300, method="percentile")
    assert percentile.low > found.value


def test_the_statistic_of_a_test_has_no_interval_unless_asked_for():
    found = mm.interval(*PLAIN, "hosmer_lemeshow")
    assert math.isnan(found.low)
    assert "it is a test statistic" in found.reason
    assert mm.interval(*PLAIN, "hosmer_lemeshow", method="percentile", resamples=50).reason is None


def test_a_mean_that_does_not_vary_is_bounded_by_what_a_case_can_count():
    label, score = [1] * 5 + [0] * 95, np.linspace(0, 0.4, 100)
    chosen = "net_benefit, net_benefit(t=0.8)"
    result = mm.evaluate(label, {"m": score}, chosen, method="normal")
    usual, dearer = result.rows
    # If 100 cases add nothing, at most this share of others is to be expected.
    share = 1 - 0.05 ** (1 / 100)
    assert (usual.value, usual.method) == (0, "bound")
    assert (usual.low, usual.high) == pytest.approx((-share, share))
    assert (dearer.low, dearer.high) == pytest.approx((-4 * share, share))
    assert "MM13" not in codes(result)
    certain = mm.interval([1, 0] * 10, [1, 0] * 10, "log_loss(clip=0.01)")
    assert certain.high < -math.log(0.01)
    assert "MM13" not in codes(mm.evaluate([1, 0] * 10, {"m": [1.0, 0.0] * 10}, "log_loss"))


def test_an_interval_without_width_is_reported():
    found = mm.evaluate(*PLAIN, "uncertainty", resamples=50, stratified=True)
    assert "MM13" in codes(found)


def simulated(fewest, coverage_, prevalence=0.5, cases="independent"):
    return coverage.Simulated(fewest, prevalence, cases, f"{fewest} {cases}", coverage_, 2000)


def test_the_lowest_coverage_of_similar_simulations_is_found(monkeypatch):
    rows = [
        simulated(7, 0.85, 0.05),
        simulated(25, 0.89),
        simulated(25, 0.95, 0.05),
        simulated(100, 0.94),
        simulated(60, 0.88, cases="clustered"),
    ]
    monkeypatch.setattr(coverage, "_studied", lambda: {"auc": {"newcombe": rows}})

    def found(*sizes, **cases):
        return coverage.known_coverage(mm.auc, "newcombe", sizes, **cases).coverage

    assert found(30, 30) == 0.89
    assert found(25, 475) == 0.95
    assert found(150, 150) == 0.94
    assert found(150, 150, cases="clustered") == 0.88
    assert found(6, 100) == found(100, 6) == found(1, 20) == 0.85
    assert found(0, 0) == 0.85
    assert coverage.known_coverage(mm.auc, "newcombe", (30, 30), "weighted") is None
    assert coverage.known_coverage(mm.auc, "bca", (30, 30)) is None
    assert coverage.known_coverage(mm.ks, "smoothed", (30, 30)) is None


def test_low_coverage_is_reported(monkeypatch):
    rows = [simulated(25, 0.85), simulated(150, 0.94), simulated(25, 0.85, cases="weighted")]
    monkeypatch.setattr(coverage, "_studied", lambda: {"auc": {"newcombe": rows}})
    few, many = drawn_cases(60), drawn_cases(300)
    assert "MM09" in codes(mm.evaluate(*few, measures="auc"))
    assert "MM09" not in codes(mm.evaluate(*many, measures="auc"))
    assert "MM09" in codes(mm.evaluate(*many, measures="auc", sample_weight=np.full(300, 2.0)))
    (check,) = (c for c in mm.interval(*few, "auc").checks if c.code == "MM09")
    assert "covered 85%" in check.message
    assert "25 cases of the smaller class" in check.message
    assert not mm.interval(*many, "auc").checks


def test_coverage_that_may_be_chance_is_not_reported():
    assert simulated(25, 0.905).is_below(0.92)
    assert not simulated(25, 0.91).is_below(0.92)


def test_an_infinite_limit_is_explained():
    label = np.repeat([1, 0], 30)
    score = np.where(label, 0.8, 0.3)
    score[0] = 1.0
    found = mm.interval(label, score, "log_loss")
    assert math.isinf(found.high)
    assert "log_loss(clip=1e-15)" in next(c.message for c in found.checks if c.code == "MM20")
    assert "MM20" not in codes(mm.interval(label, score, "log_loss(clip=1e-15)"))
    assert "MM20" in codes(mm.evaluate(label, score, "log_loss"))


def test_an_interval_carries_checks():
    label, score = np.repeat([1, 0], [4, 40]), np.linspace(1, 0, 44) ** 2 % 0.9
    found = mm.interval(label, score, "ndcg", resamples=20)
    assert {"MM01", "MM15"} <= codes(found)
    assert "only 4 positive cases" in str(found)
    clustered = mm.interval([1, 0] * 60, np.linspace(1, 0, 120), "auc", cluster=np.arange(120) % 6)
    assert any("6 clusters" in check.message for check in clustered.checks)
    assert "MM12" in codes(mm.interval([1, 0, 0, 0], [4, 3, 2, 1], "auc"))


# ------------------------------------------------------------------ weights and clusters


@pytest.mark.parametrize("text", ["accuracy", "npv", "f_measure", "average_precision", "ks", "sar"])
@pytest.mark.parametrize("without_weight", [0, 3])
def test_unit_weights_change_no_interval(text, without_weight):
    rng = np.random.default_rng(4)
    label = rng.random(80) < 0.3
    score = expit(rng.normal(label, 1))
    weight = np.repeat([1.0, 0.0], [80, without_weight])
    more = np.append(label, [True] * without_weight), np.append(score, [0.1] * without_weight)
    plain = mm.interval(label, score, text, resamples=50)
    assert mm.interval(*more, text, sample_weight=weight, resamples=50) == plain


@pytest.mark.parametrize("text", ["accuracy", "auc", "lift", "h_measure"])
def test_unit_weights_change_no_comparison(text):
    rng = np.random.default_rng(4)
    label = rng.random(80) < 0.3
    scores = {model: expit(rng.normal(label, 1)) for model in "ab"}
    plain, weighted = (
        mm.compare(label, scores, [text], sample_weight=weight) for weight in (None, np.ones(80))
    )
    assert weighted.rows == plain.rows


@pytest.mark.parametrize("text", ["accuracy", "brier"])
def test_unit_weights_change_no_interval_of_several_classes_or_true_probabilities(text):
    rng = np.random.default_rng(4)
    label, predicted, ones = rng.integers(0, 3, 90), rng.integers(0, 3, 90), np.ones(90)
    data = {"y_true": label, "predicted": predicted}
    if text == "brier":
        data = {"y_true": rng.random(90), "scores": rng.random(90), "soft": True}
    plain = mm.interval(**data, measure=text)
    assert mm.interval(**data, measure=text, sample_weight=ones) == plain


def test_weights_are_resampled_with_their_cases():
    label, score = PLAIN
    weight = 1 + np.arange(label.size) % 3
    options = {"measure": "calibration_slope", "resamples": 500, "method": "bca"}
    found = mm.interval(label, score, **options, sample_weight=weight)
    assert found.value == mm.calibration_slope(label, score, sample_weight=weight)
    assert found.low < found.value < found.high
    scaled = mm.interval(label, score, **options, sample_weight=0.125 * weight)
    assert limits(scaled) == close(limits(found))


@pytest.mark.parametrize("method", ["delong", "delong_logit", "theorem_6", "wilson", "normal"])
@pytest.mark.parametrize(
    ("given_as", "what"), [("sample_weight", "weighted"), ("cluster", "clustered")]
)
def test_some_methods_take_no_weights_and_clusters(method, given_as, what):
    options = {given_as: 1 + np.arange(PLAIN[0].size) % 60}
    with pytest.raises(mm.ParameterError, match=f'{method}.*{what}; use method="auto" or "bca"'):
        mm.interval(*PLAIN, "auc", method=method, **options)


@pytest.mark.parametrize("measure", ["auc", "brier", "f_measure"])
def test_cases_that_are_repeated_in_clusters_add_no_information(measure):
    label, score = PLAIN
    repeated = np.repeat(np.arange(label.size), 5)
    options = {"resamples": 1500, "method": "bca"}
    plain = mm.interval(label, score, measure, **options)
    clustered = mm.interval(
        label[repeated], score[repeated], measure, cluster=repeated, resamples=1500
    )
    naive = mm.interval(label[repeated], score[repeated], measure, **options)
    width = plain.high - plain.low
    assert clustered.value == close(plain.value)
    assert limits(clustered) == pytest.approx(limits(plain), abs=0.1 * width)
    ratio = (clustered.high - clustered.low) / (naive.high - naive.low)
    assert ratio == pytest.approx(math.sqrt(5), rel=0.12)


def test_clusters_may_have_any_names():
    label, score = PLAIN
    numbers = np.arange(label.size) // 4
    found = [
        mm.interval(label, score, "auc", cluster=names, resamples=100)
        for names in (numbers, [f"patient {n:03}" for n in numbers], numbers * 10 - 50)
    ]
    assert found[0] == found[1] == found[2]


def test_clusters_of_a_frame_are_named():
    label, score = PLAIN
    frame = pl.DataFrame({"y": label, "m": score, "who": np.arange(label.size) // 4})
    named = mm.evaluate(frame, label="y", scores="m", measures="auc", cluster="who", resamples=99)
    given_apart = mm.evaluate(
        label, {"m": score}, "auc", cluster=np.arange(label.size) // 4, resamples=99
    )
    assert named.rows == given_apart.rows
    assert named.rows[0].method == "newcombe"


# ------------------------------------------------------------------------ user's measures


def test_a_users_measure_has_an_interval():
    @mm.measure(at=0.5, best="max", range=(0, 1))
    def share_found(cut):
        """The share of the positives that is found."""
        return cut.tp / (cut.tp + cut.fn)

    found = mm.interval(*PLAIN, "share_found", resamples=300)
    assert found.method == "jeffreys"
    assert found.low < found.value < found.high
    for method in ("jeffreys", "bca"):
        own, same = (
            mm.interval(*PLAIN, text, method=method, resamples=300)
            for text in ("share_found", "tpr")
        )
        assert limits(own) == close(limits(same))
    (row,) = mm.evaluate(*PLAIN, measures="share_found", resamples=50).rows
    assert row.method == "jeffreys"


def test_a_users_measure_that_takes_no_blocks_is_refused():
    @mm.measure()
    def only_one(table):
        """The mean score, for one table only."""
        return float(np.sum(table.score * table.weight) / np.sum(table.n))

    assert math.isfinite(only_one(*PLAIN))
    with pytest.raises(
        mm.DataError, match=r"only_one returns .* compute the measure along the last axis"
    ):
        mm.interval(*PLAIN, "only_one", resamples=20)


# -------------------------------------------------------------------------- bad arguments

BAD = [
    (mm.ParameterError, {"ci": 0}, r"ci must be in \(0, 1\), got 0"),
    (mm.ParameterError, {"ci": 1}, r"ci must be in \(0, 1\), got 1"),
    (mm.ParameterError, {"ci": 95}, r"ci must be in \(0, 1\), got 95"),
    (mm.ParameterError, {"ci": "x"}, r"ci must be in \(0, 1\), got 'x'"),
    (mm.ParameterError, {"ci": True}, r"ci must be in \(0, 1\), got True"),
    (mm.ParameterError, {"ci": math.nan}, r"ci must be in \(0, 1\), got nan"),
    (
        mm.ParameterError,
        {"method": "credible"},
        "method must be one of 'auto', 'newcombe', .*, got 'credible'",
    ),
    (mm.ParameterError, {"method": None}, "method must be one of .*, got None"),
    (mm.ParameterError, {"resamples": 9}, "resamples must be an integer from 10 to 1000000, got 9"),
    (mm.ParameterError, {"resamples": 0}, "resamples must be an integer from 10 to 1000000, got 0"),
    (
        mm.ParameterError,
        {"resamples": 1.5},
        "resamples must be an integer from 10 to 1000000, got 1.5",
    ),
    (
        mm.ParameterError,
        {"resamples": True},
        "resamples must be an integer from 10 to 1000000, got True",
    ),
    (
        mm.ParameterError,
        {"resamples": "many"},
        "resamples must be an integer from 10 to 1000000, got 'many'",
    ),
    (mm.ParameterError, {"seed": -1}, "seed must be an integer >= 0 or None, got -1"),
    (mm.ParameterError, {"seed": 0.5}, "seed must be an integer >= 0 or None, got 0.5"),
    (mm.ParameterError, {"seed": "x"}, "seed must be an integer >= 0 or None, got 'x'"),
    (mm.ParameterError, {"workers": 0}, "workers must be an integer >= 1, got 0"),
    (mm.ParameterError, {"workers": 1.5}, "workers must be an integer >= 1, got 1.5"),
    (mm.ParameterError, {"workers": "all"}, "workers must be an integer >= 1, got 'all'"),
    (mm.DataError, {"cluster": [1, 2, 3]}, "y_true and cluster differ in length: 120 and 3"),
    (
        mm.DataError,
        {"sample_weight": [1, 2, 3]},
        "y_true and sample_weight differ in length: 120 and 3",
    ),
]


@pytest.mark.parametrize("measure", ["f_measure", "auc"])
@pytest.mark.parametrize(("error", "options", "words"), BAD)
def test_bad_arguments_are_refused_in_words(error, measure, options, words):
    with pytest.raises(error, match=words):
        mm.interval(*PLAIN, measure, **options)
    with pytest.raises(error, match=words.replace(r"(0, 1\)", r"(0, 1\) or None")):
        mm.evaluate(*PLAIN, measures=measure, **options)


@pytest.mark.parametrize("name", ["acu", "", 3])
def test_unknown_measures_are_refused(name):
    with pytest.raises(mm.UnknownMeasure if name == "acu" else mm.ParameterError):
        mm.interval(*PLAIN, name)


@pytest.mark.parametrize(
    ("method", "measure"),
    [
        ("delong", "ks"), ("delong", "brier"), ("delong_logit", "accuracy"), ("theorem_6", "auc"),
        ("wilson", "f_measure"), ("wilson", "auc"), ("normal", "auc"), ("normal", "accuracy"),
        ("smoothed", "auc"), ("smoothed", "f_measure"),
    ],
)  # fmt: skip
def test_a_method_that_does_not_fit_is_refused(method, measure):
    words = f'method="{method}" does not apply to {measure}; use method="auto" or "bca"'
    with pytest.raises(mm.ParameterError, match=words):
        mm.interval(*PLAIN, measure, method=method)


def test_scores_may_not_be_missing_nor_given_twice():
    label, score = PLAIN
    with pytest.raises(mm.DataError, match="scores are missing"):
        mm.interval(label, "auc")
    table = mm.tabulate(label, score)
    with pytest.raises(mm.ParameterError, match="scores must be names of models"):
        mm.interval(table, measure="auc", scores=score)
    for extra in ({"cluster": label}, {"sample_weight": label + 1}):
        with pytest.raises(mm.ParameterError, match="does not apply to score tables"):
            mm.interval(table, measure="auc", **extra)
    with pytest.raises(mm.DataError, match=r"needs scores in \[0, 1\]"):
        mm.interval(label, 7 * score, "scored_auc")


def test_numpy_numbers_are_numbers():
    given_plainly = mm.interval(*PLAIN, "mcc", ci=0.5, resamples=50, seed=2, workers=1)
    as_numpy = mm.interval(
        *PLAIN,
        "mcc",
        ci=np.float64(0.5),
        resamples=np.int64(50),
        seed=np.uint8(2),
        workers=np.int32(1),
    )
    assert as_numpy == given_plainly


def test_any_number_is_written_as_json():
    found = mm.evaluate(*PLAIN, measures="auc", ci=np.float32(0.5))
    assert json.loads(found.to_json())["ci"] == 0.5


def test_missing_values_are_left_out_of_intervals_too():
    label, score = PLAIN
    gone = np.where(np.arange(label.size) % 10, score, np.nan)
    kept = ~np.isnan(gone)
    with pytest.warns(mm.DroppedCasesWarning, match=f"{sum(~kept)} of {kept.size} cases") as warned:
        found = mm.interval(label, gone, "auc", nan_policy="drop")
    assert warned[0].filename == __file__
    assert limits(found) == limits(mm.interval(label[kept], score[kept], "auc"))
    with pytest.raises(mm.DataError, match="missing"):
        mm.interval(label, gone, "auc")


def test_by_default_all_cores_work():
    assert mm.interval(*PLAIN, "mcc", resamples=50) == mm.interval(
        *PLAIN, "mcc", resamples=50, workers=os.cpu_count()
    )


def test_the_data_come_before_the_measure():
    label, score = PLAIN
    with pytest.raises(
        mm.ParameterError, match=r"data come first.*interval\(y_true, scores, 'auc'"
    ):
        mm.interval("auc", label, score)
    with pytest.raises(mm.ParameterError, match=r"interval\(y_true, scores, 'ks'"):
        mm.interval(mm.ks, label, score)
    with pytest.raises(mm.ParameterError, match="measure is missing"):
        mm.interval(label, score)
    with pytest.raises(mm.DataError, match="scores are missing"):
        mm.interval(label, "auc")
    table = mm.tabulate(label, score)
    assert mm.interval(table, "auc") == mm.interval(table, measure="auc")
