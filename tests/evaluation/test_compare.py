"""Models against each other: on the same cases, over folds, over data sets."""

import io
import json
import math
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import metameasure as mm
from metameasure import kernels
from metameasure.data import Predictions
from metameasure.inference import PairPlan, Sample, differences, holm, sign_test, wilcoxon_test
from metameasure.inference.folds import corrected_t
from metameasure.inference.methods.delong import spread_of_difference
from metameasure.inference.methods.mcnemar import (
    McNemar,
    McNemarChi2,
    McNemarExact,
    paired_limits,
)
from metameasure.inference.multiple_datasets import friedman_test, nemenyi
from oracles import uncertainty
from strategies import EIGHTHS, TENTHS

COLUMNS = ["a", "b", "measure", "difference", "low", "high", "pvalue", "adjusted_pvalue", "method"]
Z = NormalDist().inv_cdf(0.975)


def models(n=150, seed=5, shifts=(1.6, 1.1, 1.3), correlation=0.5, shared=0.4):
    """Labels, and probabilities of models of which some are better."""
    rng = np.random.default_rng(seed)
    label = (rng.random(n) < shared).astype(int)
    common, *own = rng.normal(size=(1 + len(shifts), n))
    scores = {}
    for name, shift, noise in zip("abcdef", shifts, own, strict=False):
        mixed = math.sqrt(correlation) * common + math.sqrt(1 - correlation) * noise
        scores[name] = 1 / (1 + np.exp(0.4 - 1.3 * (shift * (label - 0.5) + mixed)))
    return label, scores


LABEL, SCORES = models()
PAIR = {name: SCORES[name] for name in "ab"}


def close(right, rel=1e-10, absolute=1e-13):
    return pytest.approx(right, rel=rel, abs=absolute)


def codes(found):
    return {check.code for check in found.checks}


def only_row(*args, **options):
    (row,) = mm.compare(*args, **options).rows
    return row


def paired_cases(grid):
    """Labels with two scores each."""
    case = st.tuples(st.booleans(), st.sampled_from(grid), st.sampled_from(grid))
    return st.lists(case, min_size=2, max_size=12)


PAIRED = st.sampled_from([EIGHTHS, TENTHS, [0.25, 0.5, 0.75]]).flatmap(paired_cases)


# -------------------------------------------------------------------------- definitions


@pytest.mark.parametrize("name", ["auc", "scored_auc", "mean_gap", "margin_auc"])
@settings(max_examples=30)
@given(some=PAIRED)
def test_delongs_test_of_a_pair(name, some):
    a, b = ([(label, pair[i], 1) for label, *pair in some] for i in range(2))
    expected = uncertainty.delong_test(a, b, uncertainty.KERNELS[name])
    if expected is None:
        return
    label = [label for label, *_ in some]
    scores = {"a": [s for _, s, _ in a], "b": [s for _, s, _ in b]}
    row = only_row(label, scores, name, pos_label=True, method="delong")
    z, pvalue = expected
    assert row.pvalue == close(pvalue, 1e-9)
    sample = Sample.of(Predictions.of(label, scores, pos_label=True))
    error = math.sqrt(spread_of_difference(mm.parse(name), sample, "a", "b").delong)
    assert row.difference == close(z * error, 1e-9)
    widest = 2 if name == "mean_gap" else 1
    assert row.low == close(max(row.difference - Z * error, -widest), 1e-9)
    assert row.high == close(min(row.difference + Z * error, widest), 1e-9)


@settings(max_examples=40)
@given(PAIRED)
def test_the_test_of_means_is_that_of_their_differences(some):
    label, a, b = (np.array(column, float) for column in zip(*some, strict=True))
    gaps = np.square(a - label) - np.square(b - label)
    if np.ptp(gaps) < 1e-9:
        return
    row = only_row(label == 1, {"a": a, "b": b}, "brier", pos_label=True)
    error = gaps.std(ddof=1) / math.sqrt(gaps.size)
    assert row.method == "normal"
    assert row.difference == close(gaps.mean())
    degrees = gaps.size - 1
    reach = stats.t.ppf(0.975, degrees) * error
    assert row.pvalue == close(2 * stats.t.sf(abs(gaps.mean()) / error, degrees))
    assert (row.low, row.high) == close((max(gaps.mean() - reach, -1), min(gaps.mean() + reach, 1)))


class Uncorrected(McNemarChi2):
    """The chi-squared form without the correction."""

    correction = 0


@given(st.integers(0, 25), st.integers(0, 25))
def test_mcnemar_is_its_definition(only_a, only_b):
    exact, midp = (form().pvalue(only_a, only_b) for form in (McNemarExact, McNemar))
    assert exact == close(float(uncertainty.mcnemar_exact(only_a, only_b)))
    if only_a + only_b == 0:
        assert midp == McNemarChi2().pvalue(0, 0) == Uncorrected().pvalue(0, 0) == 1
        return
    if only_a != only_b:
        assert midp == close(float(uncertainty.mcnemar_midp(only_a, only_b)))
    for form, correction in ((McNemarChi2, True), (Uncorrected, False)):
        _, pvalue = uncertainty.mcnemar_chi2(only_a, only_b, correction)
        assert form().pvalue(only_a, only_b) == close(pvalue)


@given(st.lists(st.sampled_from([0, 0.001, 0.01, 0.01, 0.04, 0.2, 0.5, 1]), max_size=8))
def test_holm_is_its_definition(pvalues):
    assert holm(pvalues) == close([float(p) for p in uncertainty.holm(pvalues)])
    with_missing = [math.nan, *pvalues, math.nan]
    assert holm(with_missing)[1:-1] == holm(pvalues)
    assert all(map(math.isnan, holm(with_missing)[:: len(with_missing) - 1]))


def newcombe(only_a, only_b, both, neither, ci):
    """Newcombe 1998, Statistics in Medicine 17, p. 2635, method 10."""
    n = only_a + only_b + both + neither
    a, b = Fraction(both + only_a, n), Fraction(both + only_b, n)
    (low_a, high_a), (low_b, high_b) = (
        uncertainty.wilson(int(share * n), n, ci) for share in (a, b)
    )
    cross = both * neither - only_a * only_b
    cross = max(cross - n / 2, 0) if cross > 0 else cross
    margins = math.prod([both + only_a, only_b + neither, both + only_b, only_a + neither])
    phi = cross / math.sqrt(margins) if margins else 0
    down = (a - low_a) ** 2 - 2 * phi * (a - low_a) * (high_b - b) + (high_b - b) ** 2
    up = (high_a - a) ** 2 - 2 * phi * (high_a - a) * (b - low_b) + (b - low_b) ** 2
    return float(a - b) - math.sqrt(max(down, 0)), float(a - b) + math.sqrt(max(up, 0))


@given(
    st.lists(st.integers(0, 15), min_size=4, max_size=4).filter(any),
    st.sampled_from([0.5, 0.9, 0.95, 0.99]),
)
def test_limits_of_paired_shares_are_those_of_newcombe(counts, ci):
    found = paired_limits(*counts, ci)
    # Below a root, what rounding leaves of 0 grows.
    assert found == close(newcombe(*counts, ci), absolute=1e-7)
    only_a, only_b, *others = counts
    low, high = found
    assert low <= (only_a - only_b) / sum(counts) <= high
    assert paired_limits(only_b, only_a, *others, ci) == close((-high, -low))


def test_limits_of_paired_shares_stay_between_minus_one_and_one():
    for counts in ((10, 0, 0, 0), (0, 10, 0, 0), (0, 0, 10, 0), (0, 0, 0, 10), (1, 0, 0, 0)):
        low, high = paired_limits(*counts, 0.99)
        assert -1 <= low <= high <= 1


def test_accuracy_is_compared_by_mcnemar():
    right = {name: (score >= 0.5) == LABEL for name, score in PAIR.items()}
    only_a = int(np.sum(right["a"] & ~right["b"]))
    only_b = int(np.sum(right["b"] & ~right["a"]))
    forms = {"auto": McNemar, "mcnemar": McNemar, "mcnemar_exact": McNemarExact,
             "mcnemar_chi2": McNemarChi2}  # fmt: skip
    for method, form in forms.items():
        row = only_row(LABEL, PAIR, "accuracy", method=method)
        assert row.pvalue == close(form().pvalue(only_a, only_b))
        assert row.difference == close((only_a - only_b) / LABEL.size)
        assert row.low < row.difference < row.high
        assert row.method == ("mcnemar" if method == "auto" else method)


def test_the_error_rate_is_the_accuracy_turned_around():
    for method in ("auto", "mcnemar_exact", "normal"):
        accuracy = only_row(LABEL, PAIR, "accuracy", method=method)
        error = only_row(LABEL, PAIR, "error_rate", method=method)
        assert error.difference == close(-accuracy.difference)
        assert (error.low, error.high) == close((-accuracy.high, -accuracy.low))
        assert error.pvalue == close(accuracy.pvalue)


def test_the_threshold_is_that_of_the_measure():
    right = {name: (score >= 0.3) == LABEL for name, score in PAIR.items()}
    only_a = int(np.sum(right["a"] & ~right["b"]))
    only_b = int(np.sum(right["b"] & ~right["a"]))
    row = only_row(LABEL, PAIR, "accuracy@0.3")
    assert row.pvalue == close(McNemar().pvalue(only_a, only_b))


# ------------------------------------------------------------------------------ bootstrap


@pytest.mark.parametrize("measure", ["auc", "brier"])
def test_the_bootstrap_agrees_with_the_other_tests(measure):
    usual = only_row(LABEL, PAIR, measure, method="delong" if measure == "auc" else "normal")
    drawn = only_row(LABEL, PAIR, measure, method="bootstrap", resamples=4000)
    width = usual.high - usual.low
    assert drawn.difference == usual.difference
    assert (drawn.low, drawn.high) == pytest.approx((usual.low, usual.high), abs=0.12 * width)
    assert drawn.pvalue == pytest.approx(usual.pvalue, abs=0.02)


def test_the_bootstrap_draws_the_same_cases_for_both_models():
    near = {"a": SCORES["a"], "b": 0.99 * SCORES["a"] + 0.01 * SCORES["b"]}
    row = only_row(LABEL, near, "ks", resamples=300)
    alone = mm.interval(LABEL, SCORES["a"], "ks", method="percentile", resamples=300)
    assert row.high - row.low < 0.5 * (alone.high - alone.low)


def test_the_bootstrap_p_is_never_zero():
    label = np.repeat([1, 0], 40)
    scores = {"a": label, "b": 1 - label}
    row = only_row(label, scores, "f_measure", resamples=199, method="bootstrap")
    assert row.pvalue == close(2 / 200)


def test_workers_and_seeds():
    options = {"resamples": 200, "method": "bootstrap"}
    found = {
        mm.compare(LABEL, SCORES, "f_measure", workers=workers, **options).rows
        for workers in (1, 2, 8)
    }
    assert len(found) == 1
    assert mm.compare(LABEL, SCORES, "f_measure", seed=2, **options).rows not in found
    strata = mm.compare(LABEL, SCORES, "f_measure", stratified=True, **options).rows
    assert strata not in found


@pytest.mark.parametrize(
    "option",
    [{"sample_weight": 1 + np.arange(150) % 3}, {"cluster": np.arange(150) // 3}],
    ids=lambda option: next(iter(option)),
)
@pytest.mark.parametrize("measure", ["auc", "accuracy", "brier", "ks"])
def test_weights_and_clusters_are_for_the_influences(option, measure):
    row = only_row(LABEL, PAIR, measure, method="linearized", **option)
    drawn = only_row(LABEL, PAIR, measure, method="bootstrap", resamples=1000, **option)
    width = drawn.high - drawn.low
    assert (row.low, row.high) == pytest.approx((drawn.low, drawn.high), abs=0.25 * width)
    method = {"auc": "delong", "accuracy": "mcnemar"}.get(measure, "normal")
    with pytest.raises(mm.ParameterError, match='use method="auto" or "bootstrap"'):
        mm.compare(LABEL, PAIR, measure, method=method, **option)


def test_cases_that_are_repeated_in_clusters_add_no_information():
    repeated = np.repeat(np.arange(LABEL.size), 5)
    scores = {name: score[repeated] for name, score in PAIR.items()}
    plain = only_row(LABEL, PAIR, method="bootstrap", resamples=1500)
    clustered = only_row(LABEL[repeated], scores, cluster=repeated, resamples=1500)
    naive = only_row(LABEL[repeated], scores)
    assert (clustered.low, clustered.high) == pytest.approx((plain.low, plain.high), abs=0.01)
    ratio = (clustered.high - clustered.low) / (naive.high - naive.low)
    assert ratio == pytest.approx(math.sqrt(5), rel=0.12)


# --------------------------------------------------------------------------- frames, pairs


def test_the_columns_of_the_frame():
    frame = mm.compare(LABEL, SCORES, ["auc", "f_measure"], resamples=50).frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == COLUMNS
    assert frame.schema["difference"] == pl.Float64
    assert len(frame) == 6


@pytest.mark.parametrize("kind", [pl.DataFrame, pd.DataFrame, pa.table], ids=["pl", "pd", "pa"])
def test_the_frame_is_of_the_kind_that_came(kind):
    frame = kind({"y": LABEL, **PAIR})
    found = mm.compare(frame, label="y", scores=["a", "b"])
    assert type(found.frame()) is type(frame)
    names = found.frame().column_names if kind is pa.table else list(found.frame().columns)
    assert names == COLUMNS
    assert found.rows == mm.compare(LABEL, PAIR).rows
    columns = mm.compare(LABEL, kind(PAIR))
    assert type(columns.frame()) is type(frame)
    assert columns.rows == found.rows


def test_columns_of_a_frame_may_be_weights_and_clusters():
    frame = pl.DataFrame({"y": LABEL, **PAIR, "w": 1 + LABEL, "who": np.arange(150) // 2})
    options = {"label": "y", "scores": ["a", "b"], "resamples": 50}
    weighted = mm.compare(frame, weight="w", **options).rows
    assert weighted == mm.compare(LABEL, PAIR, sample_weight=1 + LABEL, resamples=50).rows
    clustered = mm.compare(frame, cluster="who", **options).rows
    assert clustered == mm.compare(LABEL, PAIR, cluster=np.arange(150) // 2, resamples=50).rows


def test_all_pairs_or_those_with_a_reference():
    found = mm.compare(LABEL, SCORES)
    assert [(row.a, row.b) for row in found.rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    against = mm.compare(LABEL, SCORES, reference="b")
    assert [(row.a, row.b) for row in against.rows] == [("a", "b"), ("c", "b")]
    directed = mm.compare(LABEL, SCORES, margin=0.05)
    assert len({(row.a, row.b) for row in directed.rows}) == 6
    one_way = mm.compare(LABEL, SCORES, margin=0.05, reference="b")
    assert [(row.a, row.b) for row in one_way.rows] == [("a", "b"), ("c", "b")]


def test_holm_is_over_the_pairs_of_a_measure():
    texts = ["auc", "brier", "accuracy", "ks"]
    found = mm.compare(LABEL, SCORES, texts, resamples=100)
    for text in texts:
        rows = [row for row in found.rows if row.measure == text]
        assert [row.adjusted_pvalue for row in rows] == holm([row.pvalue for row in rows])
        alone = mm.compare(LABEL, SCORES, text, resamples=100).rows
        assert tuple(rows) == alone


def test_measures_are_given_as_text_or_as_themselves():
    expected = mm.compare(LABEL, PAIR, "auc, brier").rows
    assert mm.compare(LABEL, PAIR, ["auc", mm.brier]).rows == expected
    assert mm.compare(LABEL, PAIR, mm.auc).rows == expected[:1]
    assert mm.compare(LABEL, PAIR).rows == expected[:1]


def test_differences_are_those_of_the_values():
    texts = ["auc", "brier", "accuracy", "ks", "mcc", "h_measure"]
    for row in mm.compare(LABEL, SCORES, texts, resamples=50).rows:
        measure = mm.parse(row.measure)
        a, b = (measure(LABEL, SCORES[name]) for name in (row.a, row.b))
        assert row.difference == close(a - b)


@pytest.mark.parametrize(
    ("measure", "method"),
    [
        ("auc", "delong"), ("scored_auc", "delong"), ("accuracy", "mcnemar"), ("brier", "normal"),
        ("log_loss", "normal"), ("accuracy", "normal"), ("error_rate", "mcnemar"),
        ("ks", "bootstrap"), ("f_measure", "bootstrap"), ("rms", "bootstrap"),
        ("tpr", "bootstrap"), ("accuracy@top=10%", "bootstrap"), ("net_benefit", "normal"),
    ],
)  # fmt: skip
def test_exchanged_models_have_the_negative_difference(measure, method):
    options = {"resamples": 200, "method": method}
    one = only_row(LABEL, PAIR, measure, **options)
    other = only_row(LABEL, {"b": PAIR["b"], "a": PAIR["a"]}, measure, **options)
    assert (other.a, other.b) == ("b", "a")
    assert other.difference == -one.difference
    assert (other.low, other.high) == close((-one.high, -one.low))
    assert other.pvalue == one.pvalue
    assert one.low <= one.difference <= one.high


@pytest.mark.parametrize(
    ("measure", "method"),
    [
        ("auc", "delong"), ("gini", "delong"), ("brier", "normal"), ("accuracy", "mcnemar"),
        ("net_benefit", "normal"), ("precision", "swapped"), ("rms", "swapped"),
        ("h_measure", "linearized"), ("accuracy@k=30", "linearized"), ("ece", "swapped"),
    ],
)  # fmt: skip
def test_the_usual_method(measure, method):
    assert only_row(LABEL, PAIR, measure, resamples=50).method == method


def test_more_confidence_is_a_wider_interval():
    for measure in ("auc", "brier", "accuracy", "ks"):
        narrow, wide = (only_row(LABEL, PAIR, measure, ci, resamples=300) for ci in (0.5, 0.99))
        assert wide.low < narrow.low < narrow.high < wide.high
        assert wide.pvalue == narrow.pvalue


# -------------------------------------------------------------------------------- margins


@pytest.mark.parametrize("measure", ["auc", "brier"])
def test_a_margin_is_a_one_sided_test(measure):
    plain = {(row.a, row.b): row for row in mm.compare(LABEL, SCORES, measure).rows}
    sign = 1 if mm.parse(measure).best == "max" else -1
    for row in mm.compare(LABEL, SCORES, measure, margin=0.03).rows:
        gap = plain.get((row.a, row.b)) or plain[row.b, row.a]
        degrees = math.inf if measure == "auc" else LABEL.size - 1
        error = (gap.high - gap.low) / 2 / stats.t.ppf(0.975, degrees)
        t = (sign * row.difference + 0.03) / error
        assert row.pvalue == close(stats.t.sf(t, degrees), 1e-9)


@pytest.mark.parametrize(
    ("measure", "method"),
    [("auc", "delong"), ("brier", "normal"), ("accuracy", "normal"), ("error_rate", "normal"),
     ("auc", "bootstrap"), ("ks", "bootstrap"), ("minimum_cost", "bootstrap")],
)  # fmt: skip
def test_p_falls_as_the_margin_grows(measure, method):
    options = {"resamples": 300, "method": method}
    found = [
        [row.pvalue for row in mm.compare(LABEL, PAIR, measure, margin=m, **options).rows]
        for m in (1e-9, 0.02, 0.05, 0.1, 0.9)
    ]
    for pvalues in zip(*found, strict=True):
        assert list(pvalues) == sorted(pvalues, reverse=True)
        assert pvalues[-1] < 0.01
    assert max(found[0]) > 0.5


@pytest.mark.parametrize("measure", ["auc", "brier", "accuracy", "error_rate", "ks", "log_loss"])
def test_the_better_model_is_not_inferior(measure):
    label = np.repeat([1, 0], [60, 60])
    rng = np.random.default_rng(8)
    scores = {
        "good": np.clip(0.5 + 0.3 * (label - 0.5) + 0.12 * rng.normal(size=120), 0.01, 0.99),
        "bad": np.clip(0.5 + 0.02 * (label - 0.5) + 0.12 * rng.normal(size=120), 0.01, 0.99),
    }
    found = mm.compare(label, scores, measure, margin=0.01, resamples=300)
    good, bad = found.rows
    assert (good.a, bad.a) == ("good", "bad")
    assert good.pvalue < 0.01
    assert bad.pvalue > 0.9
    assert "p-value (H0: worse by at least 0.01)" in str(found)


def test_a_margin_without_spread():
    rows = mm.compare(LABEL, {"a": SCORES["a"], "b": SCORES["a"]}, margin=0.1).rows
    assert all((row.low, row.high, row.pvalue) == (0, 0, 0) for row in rows)
    label, scores = [1, 1, 0, 0] * 10, {"a": [0.75, 0.75, 0.25, 0.25] * 10, "b": [0.5] * 40}
    better, worse = mm.compare(label, scores, "mean_gap", margin=0.1).rows
    assert better.pvalue < 0.05
    assert worse.pvalue == 1


def test_a_margin_needs_a_better_end():
    with pytest.raises(mm.ParameterError, match="no better and worse end"):
        mm.compare(LABEL, PAIR, "calibration_slope", margin=0.1)
    with pytest.raises(mm.ParameterError, match='does not support margin; use method="auto"'):
        mm.compare(LABEL, PAIR, "accuracy", margin=0.1, method="mcnemar")
    assert only_row(LABEL, PAIR, "accuracy", margin=0.1, reference="b").method == "normal"


# ----------------------------------------------------------------------------- hard cases


@pytest.mark.parametrize("measure", ["auc", "brier", "accuracy", "ks", "f_measure"])
def test_identical_models_do_not_differ(measure):
    found = mm.compare(LABEL, {"a": SCORES["a"], "b": SCORES["a"].copy()}, measure, resamples=50)
    (row,) = found.rows
    assert (row.difference, row.pvalue, row.adjusted_pvalue) == (0, 1, 1)
    assert row.low <= 0 <= row.high
    assert "MM08" in codes(found)


def test_models_that_are_the_same_to_a_measure():
    found = mm.compare(LABEL, {"a": SCORES["a"], "b": SCORES["a"] ** 3}, "auc")
    (row,) = found.rows
    assert (row.difference, row.low, row.high, row.pvalue) == (0, 0, 0, 1)
    assert [c.measure for c in found.checks if c.code == "MM08"] == ["auc"]


def test_a_difference_that_is_the_same_everywhere_has_a_bound():
    label = [1, 1, 0, 0] * 10
    scores = {"a": [0.75, 0.75, 0.25, 0.25] * 10, "b": [0.625, 0.625, 0.375, 0.375] * 10}
    for measure in ("mean_gap", "brier"):
        row = only_row(label, scores, measure)
        assert row.method == "bound"
        assert row.low < row.difference < row.high
        assert 0 < row.pvalue < 1


@pytest.mark.parametrize(
    ("measure", "a", "b"),
    [
        ("mean_gap", [0.7, 0.7, 0.2, 0.2], [0.6, 0.6, 0.3, 0.3]),
        ("brier", [0.7, 0.7, 0.3, 0.3], [0.6, 0.6, 0.4, 0.4]),
    ],
)
def test_rounding_is_no_spread(measure, a, b):
    row = only_row([1, 1, 0, 0] * 10, {"a": a * 10, "b": b * 10}, measure)
    assert row.method == "bound"
    assert row.high - row.low > 0.01
    assert row.pvalue > 0


@pytest.mark.parametrize("margin", [None, 0.02])
def test_a_constant_difference_without_bounds_is_not_judged(margin):
    scores = {"a": [0.7, 0.7, 0.3, 0.3] * 10, "b": [0.6, 0.6, 0.4, 0.4] * 10}
    found = mm.compare([1, 1, 0, 0] * 10, scores, "log_loss", margin=margin)
    assert all(row.pvalue is None and row.low is None for row in found.rows)
    assert "MM12" in codes(found)


def test_two_perfect_models_are_not_the_same_model():
    label = np.repeat([1, 0], [25, 25])
    rng = np.random.default_rng(4)
    scores = {name: label + rng.random(50) / 2 for name in "ab"}
    found = mm.compare(label, scores, "auc")
    (row,) = found.rows
    assert (row.difference, row.pvalue, row.method) == (0, 1, "bound")
    assert row.low < 0 < row.high
    assert "MM08" not in codes(found)
    assert "MM10" in codes(found)


def test_a_comparison_says_what_it_left_out_and_its_margin():
    scores = {name: np.where(np.arange(LABEL.size) < 3, np.nan, s) for name, s in PAIR.items()}
    found = mm.compare(LABEL, scores, margin=0.1, nan_policy="drop")
    assert "3 left out for missing values" in str(found)
    content = json.loads(found.to_json())
    assert (content["dropped"], content["margin"]) == (3, 0.1)
    assert content["n"] == LABEL.size - 3


def test_a_threshold_outside_the_scores_is_named():
    found = mm.compare(LABEL, {n: 10 * s for n, s in PAIR.items()}, "accuracy")
    assert "MM07" in codes(found)


def test_perfect_against_worst():
    label = [1, 0] * 20
    row = only_row(label, {"a": label, "b": [1 - y for y in label]})
    assert (row.difference, row.high, row.method) == (1, 1, "bound")
    assert row.pvalue < 0.001


def test_one_positive_has_no_difference_of_auc_that_could_be_judged():
    found = mm.compare([1, *[0] * 9], {"a": range(10), "b": range(10, 0, -1)}, "auc")
    (row,) = found.rows
    assert row.difference == -1
    assert row.low is row.high is row.pvalue is row.adjusted_pvalue is None
    assert {"MM01", "MM12"} <= codes(found)
    assert found.frame()["low"].to_list() == [None]
    (record,) = json.loads(found.to_json())["rows"]
    assert record["low"] is record["pvalue"] is None
    assert "–" in str(found)


def test_one_class_has_no_difference_of_auc():
    with pytest.warns(mm.UndefinedMeasureWarning) as warned:
        found = mm.compare([1] * 30, {"a": SCORES["a"][:30], "b": SCORES["b"][:30]}, "auc, brier")
    assert [one.filename for one in warned] == [__file__]
    auc, brier = found.rows
    assert math.isnan(auc.difference)
    assert auc.pvalue is None
    assert 0 <= brier.pvalue <= 1
    assert {"MM02", "MM12"} <= codes(found)
    assert json.loads(found.to_json())["rows"][0]["difference"] is None


def test_a_pair_without_a_value_does_not_disturb_the_others():
    flat = np.where(LABEL == 1, 0.0, SCORES["c"])
    found = mm.compare(LABEL, {**PAIR, "c": flat}, "log_loss")
    known = [row for row in found.rows if row.pvalue is not None]
    assert [(row.a, row.b) for row in known] == [("a", "b")]
    assert known[0].adjusted_pvalue == known[0].pvalue
    assert math.isinf(found.rows[1].difference)
    row = json.loads(found.to_json())["rows"][1]
    assert (row["difference"], row["difference_infinite"]) == (None, "-")


def test_two_infinite_losses_have_no_difference():
    flat = {name: np.where(np.arange(150) == np.argmax(LABEL), 0.0, s) for name, s in PAIR.items()}
    with pytest.warns(
        mm.UndefinedMeasureWarning, match="the difference of log_loss between a and b is undefined"
    ) as warned:
        found = mm.compare(LABEL, flat, "log_loss")
    assert warned[0].filename == __file__
    (row,) = found.rows
    assert row.low is row.high is row.pvalue is None
    assert "MM12" in codes(found)


def test_resamples_without_a_difference_are_reported():
    label = np.repeat([1, 0], [2, 18])
    rng = np.random.default_rng(4)
    scores = {"a": rng.random(20), "b": rng.random(20)}
    options = {"resamples": 300, "method": "bootstrap"}
    found = mm.compare(label, scores, "ks", **options)
    assert "MM03" in codes(found)
    kept = mm.compare(label, scores, "ks", stratified=True, **options)
    assert "MM03" not in codes(kept)
    muted = mm.compare(label, scores, "ks", mute=["MM03", "few-cases"], **options)
    assert not codes(muted) & {"MM03", "MM01"}


# ------------------------------------------------------------------------------ bad input

BAD = [
    (mm.ParameterError, {"ci": 0}, r"ci must be in \(0, 1\), got 0"),
    (mm.ParameterError, {"ci": 1}, r"ci must be in \(0, 1\), got 1"),
    (mm.ParameterError, {"ci": 95}, r"ci must be in \(0, 1\), got 95"),
    (mm.ParameterError, {"ci": "x"}, r"ci must be in \(0, 1\), got 'x'"),
    (mm.ParameterError, {"ci": None}, r"ci must be in \(0, 1\), got None"),
    (
        mm.ParameterError,
        {"method": "welch"},
        "method must be one of 'auto', 'delong', .*, got 'welch'",
    ),
    (mm.ParameterError, {"method": "mcnemar"}, 'method="mcnemar" does not apply to auc'),
    (mm.ParameterError, {"method": "normal"}, 'method="normal" does not apply to auc'),
    (
        mm.ParameterError,
        {"measures": "ks", "method": "delong"},
        'method="delong" does not apply to ks',
    ),
    (
        mm.ParameterError,
        {"measures": "rms", "method": "normal"},
        'method="normal" does not apply to rms',
    ),
    (
        mm.ParameterError,
        {"measures": "accuracy@top=10%", "method": "mcnemar"},
        'method="mcnemar" does not apply to',
    ),
    (mm.ParameterError, {"margin": -1}, "margin must be > 0, got -1"),
    (mm.ParameterError, {"margin": 0}, "margin must be > 0, got 0"),
    (mm.ParameterError, {"margin": math.inf}, "margin must be finite and > 0, got inf"),
    (mm.ParameterError, {"margin": math.nan}, "margin must be > 0, got nan"),
    (mm.ParameterError, {"margin": "x"}, "margin must be > 0, got 'x'"),
    (mm.ParameterError, {"reference": "z"}, "reference must be one of 'a', 'b', got 'z'"),
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
    (mm.ParameterError, {"seed": -1}, "seed must be an integer >= 0 or None, got -1"),
    (mm.ParameterError, {"measures": "ks", "workers": 0}, "workers must be an integer >= 1, got 0"),
    (mm.ParameterError, {"workers": 0}, "workers must be an integer >= 1, got 0"),
    (mm.DataError, {"cluster": [1, 2]}, "y_true and cluster differ in length: 150 and 2"),
    (
        mm.DataError,
        {"sample_weight": [1, 2]},
        "y_true and sample_weight differ in length: 150 and 2",
    ),
    (
        mm.ParameterError,
        {"cluster": np.arange(150), "stratified": True},
        "cannot be stratified; omit stratified",
    ),
    (mm.ParameterError, {"mute": "MM99"}, "no check 'MM99' to mute"),
    (mm.ParameterError, {"weight": "w"}, "names a column"),
]


@pytest.mark.parametrize(("error", "options", "words"), BAD)
def test_bad_arguments_are_refused_in_words(error, options, words):
    with pytest.raises(error, match=words):
        mm.compare(LABEL, PAIR, **options)


@pytest.mark.parametrize("measure", ["acu", "", [], 3, ["auc", "nosuch"]])
def test_unknown_measures_are_refused(measure):
    named = measure in ("acu", ["auc", "nosuch"])
    with pytest.raises(mm.UnknownMeasure if named else mm.ParameterError):
        mm.compare(LABEL, PAIR, measure)


@pytest.mark.parametrize("scores", [{"a": SCORES["a"]}, SCORES["a"]])
def test_one_model_is_no_comparison(scores):
    with pytest.raises(mm.DataError, match="at least two models"):
        mm.compare(LABEL, scores)


def test_margins_are_real_numbers():
    expected = mm.compare(LABEL, PAIR, margin=0.5).rows
    assert mm.compare(LABEL, PAIR, margin=np.float32(0.5)).rows == expected
    with pytest.raises(mm.ParameterError, match="margin must be > 0, got True"):
        mm.compare(LABEL, PAIR, margin=True)


# ------------------------------------------------------------------------------ rendering

HOSTILE = "<script>alert(1)</script> | **x**\x1b[31m\n&"


@pytest.fixture(scope="module")
def hostile():
    scores = {HOSTILE: SCORES["a"], "b": SCORES["b"]}
    return mm.compare(LABEL, scores, ["auc", "f_measure"], resamples=50, mute=["MM01", "MM15"])


def test_html_is_escaped(hostile):
    page = hostile._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "\x1b" not in page


def test_markdown_is_escaped(hostile):
    page = hostile.to_markdown()
    assert "<script>" not in page
    assert "\x1b" not in page
    rows = [line for line in page.splitlines() if "alert" in line]
    assert len(rows) == 2
    for row in rows:
        assert row.count("|") - row.count("\\|") == 6
        assert "\\*\\*x\\*\\*" in row


def test_text_has_no_control_characters(hostile):
    assert "\x1b" not in str(hostile)
    lines = [line for line in str(hostile).splitlines() if "alert" in line]
    assert len(lines) == 2
    assert "\\x1b" in lines[0]
    assert "\\x0a" in lines[0]


def test_names_are_kept_in_data(hostile):
    assert hostile.frame()["a"].to_list() == [HOSTILE] * 2
    content = json.loads(hostile.to_json())
    assert [row["a"] for row in content["rows"]] == [HOSTILE] * 2
    assert set(content) == {"rows", "checks", "ci", "n", "n_pos", "dropped", "margin"}
    assert list(content["rows"][0]) == COLUMNS


def test_a_terminal_gets_no_markup_from_names():
    from rich.console import Console

    found = mm.compare(LABEL, {"[bold]x[/bold]": SCORES["a"], "\x1b[31mred": SCORES["b"]})
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(found)
    text = console.export_text()
    assert "[bold]x[/bold]" in text
    assert "\x1b" not in text


def test_checks_name_the_pair():
    found = mm.compare(LABEL, {"<i>": SCORES["a"], "b": SCORES["a"]})
    assert "<i>" not in found._repr_html_()
    assert "MM08" in str(found)


def test_small_p_is_shown_as_small():
    label = [1, 0] * 30
    rng = np.random.default_rng(1)
    scores = {"a": label + 0.3 * rng.random(60), "b": rng.random(60)}
    shown = str(mm.compare(label, scores))
    assert "<0.0001" in shown
    assert "60 cases, 30 positive; 95% confidence intervals" in shown
    assert "**" in mm.compare(label, scores).to_markdown().splitlines()[4]


def test_repr_is_short():
    assert repr(mm.compare(LABEL, SCORES)) == "<comparison: 3 pairs>"


# ----------------------------------------------------------------------------- simulation

SIMULATED = 500
TESTED = {
    "auc": "delong",
    "scored_auc": "delong",
    "accuracy": "mcnemar",
    "brier": "normal",
    "ks": "linearized swapped",
    "h_measure": "linearized swapped",
    "average_precision": "linearized swapped",
    "f_measure": "swapped",
    "mcc": "swapped",
    "ece": "swapped",
}
"""The methods of each measure; which one depends on the number of cases that contribute."""


def equally_good(rng, n=160):
    """Two models that are as good as each other, and make other errors."""
    label = rng.random(n) < 0.4
    common, *own = rng.normal(size=(3, n))
    logits = [1.5 * (label - 0.5) + math.sqrt(0.5) * (common + noise) for noise in own]
    scores = {name: 1 / (1 + np.exp(0.4 - 1.5 * x)) for name, x in zip("ab", logits, strict=True)}
    return Sample.of(Predictions.of(label, scores))


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(1)
    return [equally_good(rng) for _ in range(SIMULATED)]


@pytest.mark.parametrize("name", TESTED)
def test_tests_of_equally_good_models_reject_as_often_as_they_say(name, samples, monkeypatch):
    monkeypatch.setattr(kernels, "COMPILED_FROM", 0)
    measure, rejected = mm.parse(name), 0
    for seed, sample in enumerate(samples):
        plan = PairPlan(resamples=400, seed=seed, workers=1)
        (found,) = differences(sample, measure, [("a", "b")], plan)
        assert found.method in TESTED[name].split()
        rejected += found.pvalue <= 0.05
    assert 0.025 <= rejected / SIMULATED <= 0.08


def test_a_difference_is_found():
    label, scores = models(400, shifts=(2.2, 1.0))
    for name in TESTED.keys() - {"ece"}:  # the models differ in order, not in calibration
        assert only_row(label, scores, name, resamples=200).pvalue < 0.05


# ---------------------------------------------------------------------------------- folds

FOLDS = {"a": [0.81, 0.84, 0.79, 0.83], "b": [0.78, 0.80, 0.80, 0.79], "c": [0.7, 0.72, 0.71, 0.7]}


def test_folds_are_compared_by_the_corrected_t_test():
    found = mm.compare_folds(FOLDS, n_train=200, n_test=100, measure="auc", ci=0.9)
    assert [(row.a, row.b) for row in found.rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    for row in found.rows:
        alone = corrected_t(FOLDS[row.a], FOLDS[row.b], n_train=200, n_test=100, ci=0.9)
        assert (row.difference, row.low, row.high) == (alone.difference, alone.low, alone.high)
        assert row.pvalue == alone.pvalue
        assert (row.measure, row.method) == ("auc", "corrected_t")
    adjusted = [row.adjusted_pvalue for row in found.rows]
    assert adjusted == holm([row.pvalue for row in found.rows])
    assert found.ci == 0.9
    assert str(found).startswith("auc ↑")
    assert "4 folds; 90% confidence intervals" in str(found)


@pytest.mark.parametrize("kind", [pl.DataFrame, pd.DataFrame, pa.table], ids=["pl", "pd", "pa"])
def test_folds_and_data_sets_may_be_frames(kind):
    frame = kind(FOLDS)
    folds = mm.compare_folds(frame, n_train=200, n_test=100)
    assert folds.rows == mm.compare_folds(FOLDS, n_train=200, n_test=100).rows
    sets = mm.compare_datasets(frame)
    assert sets.rows == mm.compare_datasets(FOLDS).rows
    for found in (folds, sets):
        assert type(found.frame()) is type(frame)
        columns = found.frame().column_names if kind is pa.table else found.frame().columns
        assert list(columns) == COLUMNS


def test_folds_without_a_measure():
    found = mm.compare_folds(FOLDS, n_train=200, n_test=100)
    assert {row.measure for row in found.rows} == {""}
    assert str(found).startswith("models")
    assert json.loads(found.to_json())["rows"][0]["method"] == "corrected_t"
    assert isinstance(found.frame(), pl.DataFrame)


@pytest.mark.parametrize(
    ("error", "values", "options", "words"),
    [
        (mm.DataError, {"a": [0.1, 0.2]}, {}, "at least two models"),
        (mm.DataError, {}, {}, "at least two models"),
        (mm.DataError, [0.1, 0.2], {}, "at least two models"),
        (mm.DataError, {"a": [0.1, 0.2], "b": [0.1]}, {}, "a and b differ in length: 2 and 1"),
        (mm.DataError, {"a": [0.1, math.nan], "b": [0.1, 0.2]}, {}, "1 of 2 values of a"),
        (mm.DataError, {"a": ["x", "y"], "b": [0.1, 0.2]}, {}, "'x'"),
        (mm.DataError, {"a": [0.1], "b": [0.2]}, {}, "at least two folds, got 1"),
        (mm.DataError, {"a": [], "b": []}, {}, "a and b are empty"),
        (mm.ParameterError, FOLDS, {"n_test": 0}, "n_test must be > 0, got 0"),
        (mm.ParameterError, FOLDS, {"n_train": math.nan}, "n_train must be > 0, got nan"),
        (mm.ParameterError, FOLDS, {"ci": 95}, r"ci must be in \(0, 1\), got 95"),
    ],
)
def test_bad_folds(error, values, options, words):
    with pytest.raises(error, match=words):
        mm.compare_folds(values, **{"n_train": 200, "n_test": 100, **options})


def test_unknown_measures_of_folds_and_data_sets():
    with pytest.raises(mm.UnknownMeasure):
        mm.compare_folds(FOLDS, n_train=200, n_test=100, measure="acu")
    with pytest.raises(mm.UnknownMeasure):
        mm.compare_datasets(FOLDS, measure="acu")


# ------------------------------------------------------------------------------ data sets


def data_sets(n=14):
    rng = np.random.default_rng(6)
    hard = rng.random(n)
    return {name: (0.5 + 0.3 * hard + up + 0.05 * rng.normal(size=n)).round(3)
            for name, up in (("a", 0.1), ("b", 0.05), ("c", 0.0), ("d", 0.0))}  # fmt: skip


SETS = data_sets()
MATRIX = np.column_stack(list(SETS.values()))


def test_data_sets_are_compared_by_nemenyi():
    found = mm.compare_datasets(SETS, measure="auc")
    expected = nemenyi(MATRIX)
    names = list(SETS)
    assert len(found.rows) == 6
    for row in found.rows:
        i, j = names.index(row.a), names.index(row.b)
        gap = expected.ranks[i] - expected.ranks[j]
        assert row.difference == close(gap)
        assert (row.low, row.high) == close(
            (gap - expected.critical_difference, gap + expected.critical_difference)
        )
        assert row.pvalue == row.adjusted_pvalue == expected.pvalues[i][j]
        assert row.method == "nemenyi"
    assert found.critical_difference == expected.critical_difference
    assert found.ranks == dict(zip(names, expected.ranks, strict=True))
    assert found.friedman == friedman_test(MATRIX)


@pytest.mark.parametrize(("method", "test"), [("wilcoxon", wilcoxon_test), ("sign", sign_test)])
def test_data_sets_are_compared_pair_by_pair(method, test):
    found = mm.compare_datasets(SETS, method=method, ci=0.9)
    for row in found.rows:
        alone = test(SETS[row.a], SETS[row.b], ci=0.9)
        assert (row.difference, row.low, row.high) == (alone.difference, alone.low, alone.high)
        assert (row.pvalue, row.method) == (alone.pvalue, method)
    adjusted = [row.adjusted_pvalue for row in found.rows]
    assert adjusted == holm([row.pvalue for row in found.rows])
    assert "differences of values, 90% confidence intervals" in str(found)


def test_the_notes_tell_of_all_models():
    found = mm.compare_datasets(SETS, measure="auc")
    shown, friedman = str(found), friedman_test(MATRIX)
    for words in (
        "auc ↑",
        "14 data sets; differences of average ranks, 95% confidence intervals",
        "average ranks: a ",
        f"all models equal (Friedman): chi-squared {friedman.statistic:.4g}",
        f", p = {friedman.pvalue:.3g}",
        f"all models equal (Iman-Davenport): F {friedman.f_statistic:.4g}",
        f"critical difference of ranks (Nemenyi): {found.critical_difference:.4g}",
    ):
        assert words in shown
    assert "Friedman" in found._repr_html_()
    assert "Friedman" in found.to_markdown()


def test_the_best_end_is_that_of_the_measure():
    highest = mm.compare_datasets(SETS)
    lowest = mm.compare_datasets(SETS, measure="brier")
    assert lowest.ranks == mm.compare_datasets(SETS, best="min").ranks
    for name in SETS:
        assert highest.ranks[name] == close(5 - lowest.ranks[name])
    assert highest.ranks == mm.compare_datasets(SETS, measure="auc", best="max").ranks


def test_hostile_names_in_the_notes():
    found = mm.compare_datasets({"<b>\x1b": SETS["a"], "|": SETS["b"]})
    assert "<b>" not in found._repr_html_()
    assert "\x1b" not in str(found) + found._repr_html_() + found.to_markdown()
    assert found.frame()["a"].to_list() == ["<b>\x1b"]


def test_infinite_limits_are_shown_and_written():
    found = mm.compare_datasets({"a": [0.9, 0.8, 0.7], "b": [0.8, 0.6, 0.6]}, method="sign")
    (row,) = found.rows
    assert (row.low, row.high) == (-math.inf, math.inf)
    assert "-∞ to ∞" in str(found)
    content = json.loads(found.to_json())["rows"][0]
    assert (content["low"], content["low_infinite"]) == (None, "-")
    assert (content["high"], content["high_infinite"]) == (None, "+")


@pytest.mark.parametrize("method", ["nemenyi", "wilcoxon", "sign"])
@pytest.mark.parametrize(
    ("error", "values", "options", "words"),
    [
        (mm.DataError, {"a": [0.1, 0.2]}, {}, "at least two models"),
        (mm.DataError, [0.1, 0.2], {}, "at least two models"),
        (
            mm.DataError,
            {"a": [0.1, 0.2], "b": [0.1]},
            {},
            "differ in the number of values: a 2, b 1",
        ),
        (mm.DataError, {"a": [0.1, math.nan], "b": [0.1, 0.2]}, {}, "1 of 4 values are missing"),
        (mm.DataError, {"a": [0.1, None], "b": [0.1, 0.2]}, {}, "1 of 4 values are missing"),
        (mm.DataError, {"a": ["x", "y"], "b": [0.1, 0.2]}, {}, "x"),
        (mm.DataError, {"a": [0.1], "b": [0.2]}, {}, "at least two rows and two columns"),
        (mm.DataError, {"a": [], "b": []}, {}, "at least two rows and two columns"),
        (
            mm.ParameterError,
            FOLDS,
            {"best": "most"},
            "best must be one of 'max', 'min' or None, got 'most'",
        ),
        (
            mm.ParameterError,
            FOLDS,
            {"best": "min", "measure": "auc"},
            "best of auc is 'max', got 'min'",
        ),
        (
            mm.ParameterError,
            FOLDS,
            {"measure": "calibration_slope"},
            "cannot be ranked by calibration_slope",
        ),
        (mm.ParameterError, FOLDS, {"ci": 0}, r"ci must be in \(0, 1\), got 0"),
        (mm.ParameterError, FOLDS, {"ci": 95}, r"ci must be in \(0, 1\), got 95"),
    ],
)
def test_bad_data_sets(error, values, options, words, method):
    with pytest.raises(error, match=words):
        mm.compare_datasets(values, method=method, **options)


def test_unknown_methods_of_data_sets():
    with pytest.raises(mm.ParameterError, match="method must be one of 'nemenyi'"):
        mm.compare_datasets(FOLDS, method="t")


def test_an_infinite_loss_is_explained_with_its_remedy():
    label, scores = np.tile([True, False], 20), np.linspace(0.1, 0.9, 40)
    wrong = scores.copy()
    wrong[[0, 2]] = 0.0
    found = mm.compare(label, {"a": scores, "b": wrong}, "log_loss")
    (check,) = (check for check in found.checks if check.code == "MM22")
    assert (check.model, check.measure) == ("b", "log_loss")
    assert check.message == (
        "infinite, since 2 cases had probability 0 of what happened; use log_loss(clip=1e-15) for "
        "a finite value"
    )
    kind = np.arange(40) % 3
    proba = np.full((40, 3), 1 / 3)
    certain = proba.copy()
    certain[0] = [0, 1, 0]
    found = mm.compare(kind, {"a": proba, "b": certain}, "log_loss")
    (check,) = (check for check in found.checks if check.code == "MM22")
    assert "1 case had probability 0" in check.message
    finite = mm.compare(kind, {"a": proba, "b": certain}, "log_loss(clip=1e-15)")
    assert math.isfinite(finite.rows[0].difference)
