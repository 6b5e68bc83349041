"""The permutation test of two models."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import PairPlan, Sample, differences
from metameasure.inference.cell_exchange import CellExchange
from metameasure.inference.exchange import Exchange
from metameasure.inference.methods.swapped import Exchanged
from oracles.probability import mass_groups, observed_expected

LABEL = np.array([1, 1, 0, 1, 0, 0, 1, 0, 0, 0])
A = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.35, 0.3, 0.2, 0.1])
B = np.array([0.55, 0.7, 0.65, 0.2, 0.6, 0.3, 0.5, 0.4, 0.45, 0.1])


def only(comparison):
    (row,) = comparison.rows
    return row


def compared(measure, label, score, weight=None):
    """The value that is compared: a calibration error without that of calibrated scores."""
    value = measure(label, score, sample_weight=weight)
    if measure.name != "ece":
        return value
    units = np.ones(label.size) if weight is None else weight
    cases = [(bool(y), s, Fraction(w)) for y, s, w in zip(label, score, units, strict=True)]
    groups = map(observed_expected, mass_groups(cases, dict(measure.parameters).get("bins", 10)))
    spread = sum(math.sqrt(expected * (1 - expected / size)) for _, expected, size in groups)
    unit = (units @ units) / units.sum()
    return value - math.sqrt(2 / math.pi * unit) * spread / units.sum()


def exact_pvalue(measure, label, a, b):
    """The fraction of all exchanges with a larger difference, plus half of those with this one."""
    seen = abs(compared(measure, label, a) - compared(measure, label, b))
    gaps = []
    for swaps in product([False, True], repeat=label.size):
        first, second = np.where(swaps, b, a), np.where(swaps, a, b)
        gaps.append(abs(compared(measure, label, first) - compared(measure, label, second)))
    return (np.mean(np.array(gaps) >= seen - 1e-12) + np.mean(np.array(gaps) > seen + 1e-12)) / 2


@pytest.mark.parametrize("text", ["ece", "ece(bins=3)", "brier", "rms"])
def test_the_pvalue_is_that_of_all_exchanges(text):
    measure = mm.parse(text)
    found = only(mm.compare(LABEL, {"a": A, "b": B}, text, method="swapped", resamples=20_000))
    expected = exact_pvalue(measure, LABEL, A, B)
    assert found.pvalue == pytest.approx(expected, abs=5 * (0.25 / 20_000) ** 0.5)


def test_ranks_are_exchanged_where_only_they_count():
    found, stretched = (
        only(mm.compare(LABEL, {"a": A, "b": b}, "ks", method="swapped")) for b in (B, 100 * B - 3)
    )
    assert stretched.pvalue == found.pvalue
    other = only(mm.compare(LABEL, {"b": B, "a": A}, "ks", method="swapped"))
    assert (other.pvalue, other.difference) == (found.pvalue, -found.difference)
    a, b = (1.0 + np.argsort(np.argsort(s)) for s in (A, B))
    for rank in range(1, LABEL.size + 1):
        # By turns the case that comes first in the data has the larger or the smaller rank.
        (of_a,), (of_b,) = np.flatnonzero(a == rank), np.flatnonzero(b == rank)
        model, case = (a, of_a) if (of_a < of_b) == rank % 2 else (b, of_b)
        model[case] += 0.5
    expected = exact_pvalue(mm.ks, LABEL, a, b)
    assert found.pvalue == pytest.approx(expected, abs=5 * (0.25 / 2000) ** 0.5)


def test_the_limits_agree_with_the_pvalue():
    rng = np.random.default_rng(1)
    verdicts = []
    for strength in np.linspace(0, 1, 12):
        label = rng.random(60) < 0.4
        blurred = 0.2 + 0.4 * label + rng.uniform(-0.15, 0.15, 60)
        scores = {"a": blurred, "b": blurred ** (1 + 2 * strength)}
        found = only(mm.compare(label, scores, "ece", resamples=500))
        assert found.method == "swapped"
        verdicts.append(found.pvalue < 0.05)
        assert (found.low > 0 or found.high < 0) == verdicts[-1]
        assert found.low <= found.difference <= found.high
    assert len(set(verdicts)) == 2


def test_clusters_are_exchanged_as_a_whole():
    again = np.repeat(np.arange(LABEL.size), 5)
    options = {"method": "swapped", "resamples": 4000}
    plain = only(mm.compare(LABEL, {"a": A, "b": B}, "brier", **options))
    repeated = {"a": A[again], "b": B[again]}
    clustered = only(mm.compare(LABEL[again], repeated, "brier", cluster=again, **options))
    naive = only(mm.compare(LABEL[again], repeated, "brier", **options))
    assert clustered.pvalue == pytest.approx(plain.pvalue, abs=0.05)
    assert naive.pvalue < plain.pvalue


def test_weights_stay_with_their_cases():
    weight = np.array([1, 2, 1, 1, 3, 1, 1, 2, 1, 1])
    again = np.repeat(np.arange(LABEL.size), weight)
    options = {"method": "swapped", "resamples": 4000}
    weighted = only(mm.compare(LABEL, {"a": A, "b": B}, "ece", sample_weight=weight, **options))
    repeated = {"a": A[again], "b": B[again]}
    clustered = only(mm.compare(LABEL[again], repeated, "ece", cluster=again, **options))
    assert weighted.difference == pytest.approx(clustered.difference)
    assert weighted.pvalue == pytest.approx(clustered.pvalue, abs=0.05)


def test_a_margin_is_tested_in_one_direction():
    options = {"method": "swapped", "resamples": 2000, "margin": 0.05}
    better, worse = mm.compare(LABEL, {"a": A, "b": B}, "auc", **options).rows
    assert better.pvalue < 0.2 < worse.pvalue


def test_equal_models_are_never_different():
    found = only(mm.compare(LABEL, {"a": A, "b": A}, "ece", method="swapped"))
    assert (found.pvalue, found.low, found.high) == (1, 0, 0)


def test_limits_have_width_where_no_exchange_changes_anything():
    rng = np.random.default_rng(7)
    label = np.repeat([1, 0], [20, 60])
    score = rng.normal(size=80) + 6 * label
    constant = only(mm.compare(label, {"a": score, "b": np.zeros(80)}, "precision@k=5"))
    assert constant.low < constant.difference < constant.high
    other = mm.compare(label, {"a": score, "b": rng.normal(size=80) + 5 * label}, "precision@k=5")
    row = only(other)
    assert row.low < 0 < row.high
    assert "MM08" not in {check.code for check in other.checks}


def test_one_cluster_is_too_few():
    clusters = np.zeros(LABEL.size)
    found = mm.compare(LABEL, {"a": A, "b": B}, "ece", method="swapped", cluster=clusters)
    assert only(found).low is None
    assert "at least two clusters" in next(c.message for c in found.checks if c.code == "MM12")


def test_several_classes_are_refused():
    label = ["a", "b", "c"] * 10
    rng = np.random.default_rng(2)
    scores = {name: rng.dirichlet(np.ones(3), 30) for name in "xy"}
    with pytest.raises(mm.ParameterError, match="rows of two classes"):
        mm.compare(label, scores, "log_loss", method="swapped")


@pytest.mark.parametrize(("text", "least"), [("ece", 0.01), ("ks", 0.01), ("lift", 0.0)])
def test_true_nulls_are_rejected_in_five_percent(text, least):
    """200 pairs of equally good models of 60 cases; the standard error of 5% is 1.5%."""
    rng, rejected = np.random.default_rng(3), 0
    for _ in range(200):
        label = rng.random(60) < 0.3
        common = rng.normal(size=60)
        scores = {
            name: 1 / (1 + np.exp(-(common + rng.normal(size=60)) / 1.4 - 1.2 * label + 1))
            for name in "ab"
        }
        pvalue = only(mm.compare(label, scores, text, resamples=200)).pvalue
        rejected += pvalue is not None and pvalue <= 0.05
    assert least <= rejected / 200 <= 0.05 + 3 * 0.0155


def sequential(extreme, planned):
    """The p-value of Besag and Clifford (1991), from which differences are extreme, in order."""
    wanted = planned // 10
    reached = [number for number in range(1, len(extreme) + 1) if sum(extreme[:number]) == wanted]
    return wanted / reached[0] if reached else (1 + sum(extreme)) / (1 + len(extreme))


@pytest.mark.parametrize("observed", [0.0, 0.3, 1.0, 1.5, 3.0])
def test_the_pvalue_is_that_of_sequential_draws(observed):
    values = np.random.default_rng(4).normal(size=400)
    found = Exchanged(values, observed, "max", PairPlan(resamples=400))
    assert found.pvalue == sequential(np.abs(values) >= observed, 400)


@pytest.mark.parametrize("level", [0.01, 0.05, 0.1, 0.2, 0.5, 0.8])
def test_stopping_keeps_the_size(level):
    """The rule on exchangeable values: the observed one is one of them."""
    rng, rejected, plan = np.random.default_rng(6), 0, PairPlan(resamples=200, ci=0.9)
    for _ in range(2000):
        observed, *values = rng.normal(size=201)
        drawn = np.array(values)
        # The rule is applied after each 20 values.
        ends = range(20, 201, 20)
        ready = (n for n in ends if Exchanged(drawn[:n], observed, "max", plan).suffices())
        found = Exchanged(drawn[: next(ready, 200)], observed, "max", plan)
        rejected += found.pvalue <= level
    assert rejected / 2000 <= level + 3 * (level * (1 - level) / 2000) ** 0.5


@pytest.mark.parametrize(("resamples", "whole"), [(10, True), (18, True), (19, False)])
def test_limits_of_few_exchanges_are_the_ends_of_the_range(resamples, whole):
    label = np.tile(LABEL, 10)
    scores = {"a": np.tile(A, 10), "b": np.tile(B, 10)}
    found = only(mm.compare(label, scores, "ks", method="swapped", resamples=resamples))
    assert ((found.low, found.high) == (-1, 1)) is whole
    assert found.pvalue >= 1 / (resamples + 1)
    same = only(mm.compare(label, {"a": A.repeat(10), "b": A.repeat(10)}, "ks", resamples=10))
    assert (same.low, same.high) == (0, 0)


def test_the_standard_error_of_the_limits_is_that_of_many_draws():
    rng, plan = np.random.default_rng(6), PairPlan()
    found = [Exchanged(rng.normal(size=600), 0.0, "max", plan) for _ in range(400)]
    spread = np.std([one.reach for one in found])
    # That of a quantile of normal sizes: sqrt(q (1 - q) / n) / density.
    expected = (0.95 * 0.05 / 600) ** 0.5 / (2 * 0.05845)
    assert spread == pytest.approx(expected, rel=0.15)
    assert np.mean([one.error for one in found]) == pytest.approx(expected, rel=0.15)


def large(n, gap=0.0, seed=1, digits=None):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    label = rng.random(n) < 1 / (1 + np.exp(1 - z))
    scores = {
        name: 1 / (1 + np.exp(1 + shift - z - 0.3 * rng.normal(size=n)))
        for name, shift in (("a", 0.0), ("b", gap))
    }
    return label, {k: s if digits is None else s.round(digits) for k, s in scores.items()}


def judged(label, scores, text, **options):
    sample = Sample.of(Predictions.of(label, scores), in_pairs=True)
    (found,) = differences(sample, mm.parse(text), [("a", "b")], PairPlan(**options))
    return found


def test_drawing_stops_unless_the_difference_is_nearly_significant():
    equal, different = (
        judged(*large(3000, gap, seed=3), "ece", resamples=4000, method="swapped")
        for gap in (0, 0.6)
    )
    assert equal.pvalue > 0.1
    assert 400 <= equal.resamples < 4000
    assert (different.pvalue, different.resamples) == (1 / 4001, 4000)


@pytest.mark.parametrize("text", ["ece", "calibration_slope"])
def test_the_result_does_not_depend_on_the_number_of_workers(text):
    data = large(60_000)
    one, three = (
        judged(*data, text, resamples=40, method="swapped", workers=workers) for workers in (1, 3)
    )
    assert one == three


@pytest.mark.parametrize("text", ["ece", "miscalibration", "calibration_slope", "brier"])
@pytest.mark.parametrize("digits", [None, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_exchanges_on_pools_are_those_of_all_rows(text, digits, weighted):
    label, scores = large(6000, 0.1, digits=digits)
    weight = 1.0 + np.arange(6000) % 3 if weighted else None
    sample = Sample.of(Predictions.of(label, scores, sample_weight=weight), in_pairs=True)
    measure = mm.parse(text)
    exchange = Exchange.of(measure, sample, ("a", "b"))
    pooled = exchange.pooled()
    swaps = exchange.draw(30, np.random.default_rng(2))
    whole = exchange.differences(swaps)
    for drawn, swap in zip(whole[:5], swaps, strict=False):
        mixed = (np.where(swap, scores[x], scores[y]) for x, y in (("b", "a"), ("a", "b")))
        expected = [compared(measure, label, one, weight) for one in mixed]
        assert drawn == pytest.approx(expected[0] - expected[1], abs=1e-10)
    assert exchange.observed == pytest.approx(
        compared(measure, label, scores["a"], weight)
        - compared(measure, label, scores["b"], weight),
        abs=1e-10,
    )
    apart = np.sqrt(np.mean((pooled.differences(swaps) - whole) ** 2))
    assert apart < 0.1 * whole.std()


def test_half_of_the_units_are_exchanged():
    label, scores = large(1003)
    sample = Sample.of(Predictions.of(label, scores), in_pairs=True)
    swaps = Exchange.of(mm.parse("ece"), sample, ("a", "b")).draw(50, np.random.default_rng(3))
    assert swaps.shape == (50, 1003)
    # 50 x 1003 coins: the standard error is 0.0022.
    assert swaps.mean() == pytest.approx(0.5, abs=0.009)
    assert np.abs(swaps.mean(axis=0) - 0.5).max() < 0.4


# ------------------------------------------------------------------- thresholds and chance


@pytest.mark.parametrize("text", ["f_measure", "mcc", "accuracy", "net_benefit(t=0.3)", "lift@0.6"])
def test_cells_are_exchanged_as_cases_are(text):
    measure = mm.parse(text)
    sample = Sample.of(Predictions.of(LABEL, {"a": A, "b": B}), in_pairs=True)
    cells = CellExchange.of(measure, sample, ("a", "b"))
    assert cells.observed == pytest.approx(measure(LABEL, A) - measure(LABEL, B), abs=1e-12)
    found = only(mm.compare(LABEL, {"a": A, "b": B}, text, method="swapped", resamples=20_000))
    expected = exact_pvalue(measure, LABEL, A, B)
    assert found.pvalue == pytest.approx(expected, abs=5 * (0.25 / 20_000) ** 0.5)


@pytest.mark.parametrize(("wrong", "expected"), [(4, 1 / 16), (5, 1 / 32), (6, 1 / 64)])
def test_half_of_the_exchanges_with_the_observed_difference_count(wrong, expected):
    """Of n cases that only one model finds, all n are on one side: 2 of 2^n exchanges, halved."""
    label = np.repeat([1, 0], 20)
    good = np.where(label == 1, 0.9, 0.1)
    bad = good.copy()
    bad[:wrong] = 0.2
    found = only(mm.compare(label, {"a": good, "b": bad}, "f_measure", resamples=20_000))
    assert found.pvalue == pytest.approx(expected, abs=5 * (expected / 20_000) ** 0.5)
    assert (found.low > 0) == (expected < 0.05)


def test_an_unbounded_measure_has_a_test_where_the_cut_bounds_it():
    """All of the first ten cases are positive by both models: the lift is 1 / prevalence."""
    label = np.repeat([1, 0], 50)
    scores = {name: 0.5 * label + 0.4 * np.random.default_rng(n).random(100)
              for n, name in enumerate("ab")}  # fmt: skip
    lift, precision = mm.compare(label, scores, "lift, precision@top=10%").rows
    assert (lift.difference, lift.pvalue) == (0, 1)
    # Of 50 independent cases, at most this fraction is different with 95% confidence.
    assert lift.high == pytest.approx(2 * (1 - 0.05 ** (1 / 50)))
    assert lift.low == -lift.high
    assert lift.high == pytest.approx(2 * precision.high)


def test_a_million_cases_at_a_threshold_need_two_numbers_per_exchange():
    label, scores = large(10**6)
    sample = Sample.of(Predictions.of(label, scores), in_pairs=True)
    cells = CellExchange.of(mm.f_measure, sample, ("a", "b"))
    assert cells.entries == 2
    assert sum(cells.sizes) == 10**6
    drawn = cells.random_differences(4000, np.random.default_rng(1))
    assert drawn.mean() == pytest.approx(0, abs=4 * drawn.std() / 4000**0.5)


def calibrated_pair(n, rng):
    """Two calibrated models, one of which knows much more and has scores near 0 and 1."""
    seen, hidden = rng.normal(size=(2, n))
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    chance = 1 / (1 + np.exp(-seen - 4 * hidden))
    blurred = (1 / (1 + np.exp(-seen[:, np.newaxis] - 4 * nodes))) @ weights / weights.sum()
    return rng.random(n) < chance, {"a": chance, "b": blurred}


def test_calibrated_models_of_different_spread_do_not_differ():
    """Their errors by chance differ; without subtracting them, 40% are rejected."""
    rng, rejected = np.random.default_rng(8), 0
    for _ in range(200):
        label, scores = calibrated_pair(300, rng)
        rejected += only(mm.compare(label, scores, "ece", resamples=200)).pvalue <= 0.05
    assert rejected / 200 <= 0.05 + 3 * 0.0155


def test_what_is_due_to_chance_is_reported():
    label, scores = calibrated_pair(300, np.random.default_rng(9))
    found = mm.compare(label, scores, "ece")
    message = next(check.message for check in found.checks if check.code == "MM23")
    assert "due to chance" in message
    row = only(found)
    assert row.low <= row.difference <= row.high
    alike = mm.compare(label, {"a": scores["a"], "b": scores["a"] ** 1.1}, "ece")
    assert "MM23" not in {check.code for check in alike.checks}


@pytest.mark.parametrize(
    ("best", "margin", "expected"),
    [
        ("max", None, [0.5, 0, 0.5, 1]),  # 0.3 from 0 up to rounding, or further
        ("min", None, [0.5, 0, 0.5, 1]),
        ("max", 0.1, [0, 0, 0, 0.5]),  # 0.3 + 0.1
        ("min", 0.1, [0, 0.5, 1, 1]),  # -0.3 + 0.1
    ],
)
def test_a_difference_that_is_equal_up_to_rounding_counts_half(best, margin, expected):
    values = np.array([-0.3, -0.3 + 0.1 - 1e-16, 0.1 + 0.2 - 2e-16, 0.4 - 1e-16])
    plan = PairPlan(resamples=400, margin=margin)
    found = Exchanged(np.append(values, np.nan), 0.3, best, plan)
    assert found.known.tolist() == values.tolist()
    assert found.extremity.tolist() == expected


def test_limits_that_chance_exceeds_and_their_error():
    values = np.random.default_rng(3).permutation(np.arange(1, 200) / 1000)
    found = Exchanged(values, 0.1, "max", PairPlan(resamples=400, ci=0.9))
    # The smallest value with at least 90% of the 199 values up to it, counted from the first.
    assert found.reach == pytest.approx(sorted(values)[math.ceil(0.9 * 198)])
    half = math.sqrt(199 * 0.9 * 0.1)
    low, high = (sorted(values)[int(199 * 0.9 + sign * half)] for sign in (-1, 1))
    assert found.error == pytest.approx((high - low) / 2)
    # A p-value of 0.1 needs 9 exchanges beside the observed difference.
    assert Exchanged(values[:9], 0.1, "max", PairPlan(ci=0.9)).reach < math.inf
    assert Exchanged(values[:8], 0.1, "max", PairPlan(ci=0.9)).reach == math.inf
    assert Exchanged(np.zeros(8), 0.1, "max", PairPlan(ci=0.9)).reach == 0


def test_drawing_may_stop_with_five_differences_beyond_each_limit():
    plan = PairPlan(resamples=100, ci=0.5)
    # All are equally far from 0, so that the limit is known: a quarter of 20 is 5.
    values = np.tile([1.0, -1.0], 10)
    assert Exchanged(values, 0.5, "max", plan).suffices() is True
    assert Exchanged(values[:19], 0.5, "max", plan).suffices() is False
    assert Exchanged(values, 1.5, "max", plan).suffices() is False  # none is extreme


@pytest.mark.parametrize("text", ["auc", "average_precision", "lift"])
def test_one_case_with_nearly_all_weight_does_not_distinguish_models(text):
    rng = np.random.default_rng(3)
    label = np.arange(60) < 25
    a, b = rng.random((2, 60)) + label / 2
    a[0], b[0] = 1.4, 0.1
    weight = np.where(np.arange(60) == 0, 1e9, 1.0)
    found = only(mm.compare(label, {"a": a, "b": b}, text, sample_weight=weight, method="swapped"))
    assert found.pvalue > 0.2
