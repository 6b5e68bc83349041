"""Resamples: what is drawn, what is measured on it, and the limits that follow."""

import math
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import metameasure as mm
from common.checks import assert_same, oracle_value
from metameasure.data import ClassScores, Predictions, SoftLabels
from metameasure.inference import (
    ClassSample,
    PairPlan,
    Plan,
    ProbabilitySample,
    Sample,
    resampling,
)
from metameasure.inference.methods import bootstrap as bootstrap_limits
from metameasure.inference.methods.delong import spread_of_difference
from metameasure.inference.methods.jackknife import _variance as tukeys_variance
from metameasure.inference.methods.smoothed import Smoothed
from metameasure.inference.resampling import Drawing, generator, jackknife, replicate
from metameasure.inference.smoothing import smooth
from oracles import uncertainty
from strategies import cases, table_of

MEASURES = [
    mm.parse(text)
    for text in ("auc", "ks", "average_precision", "h_measure", "brier", "scored_auc", "mcc@0.5",
                 "precision@top=30%", "log_loss", "ece")
]  # fmt: skip
HEAVY = cases(min_size=2).map(lambda some: [c for c in some if c[2]]).filter(len)
LIGHT = cases(weights=False, min_size=2)
TRIES = 20_000


def sample_of(some, cluster=None, weighted=False, **others):
    """The sample of cases, which as m have the scores in them, and others as given."""
    labels = [label for label, _, _ in some]
    scores = {"m": [score for _, score, _ in some], **others}
    weight = [float(w) for *_, w in some] if weighted else None
    return Sample.of(Predictions.of(labels, scores, sample_weight=weight, cluster=cluster))


def random_sample(n=150, seed=3, cluster=None, weight=None, places=2):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.4
    noise = rng.normal(size=(2, n))
    score = 1 / (1 + np.exp(-(1.5 * label - 0.6 + noise)))
    scores = {"a": score[0].round(places), "b": score[1]}
    return Sample.of(Predictions.of(label, scores, cluster=cluster, sample_weight=weight))


def rng_of(seed):
    return np.random.default_rng(seed)


def written_out(times, members=None):
    """The numbers of the cases of a resample, each as often as its unit was drawn."""
    members = range(len(times)) if members is None else members
    return [case for case, unit in enumerate(members) for _ in range(int(times[unit]))]


def assert_as_by_hand(some, sample, counts, members=None, measures=MEASURES):
    draws = [written_out(times, members) for times in counts]
    block = sample.block("m", counts)
    for measure in measures:
        by_hand = uncertainty.bootstrap_by_hand(
            some, lambda drawn, measure=measure: oracle_value(measure, drawn), draws
        )
        found = np.broadcast_to(measure.compute(block), len(draws))
        for value, expected in zip(found, by_hand, strict=True):
            assert_same(value, expected, f"{measure} {some} {draws}")


# --------------------------------------------------------------------- as done by hand


@settings(max_examples=30)
@given(LIGHT, st.integers(0, 2**32))
def test_resamples_are_the_cases_written_out(some, seed):
    sample = sample_of(some)
    counts = sample.draw(3, rng_of(seed))
    assert (counts.sum(axis=1) == len(some)).all()
    assert_as_by_hand(some, sample, counts)


@settings(max_examples=30)
@given(HEAVY, st.integers(0, 2**32))
def test_resamples_of_weighted_cases_take_their_weights_along(some, seed):
    sample = sample_of(some, weighted=True)
    counts = sample.draw(3, rng_of(seed))
    assert (counts.sum(axis=1) == len(some)).all()
    assert_as_by_hand(some, sample, counts)


@settings(max_examples=30)
@given(LIGHT, st.integers(0, 2**32), st.data())
def test_clusters_are_drawn_whole(some, seed, data):
    names = data.draw(
        st.lists(st.sampled_from(["x", "y", "z"]), min_size=len(some), max_size=len(some))
    )
    sample = sample_of(some, cluster=names)
    counts = sample.draw(3, rng_of(seed))
    assert counts.shape == (3, len(set(names)))
    assert (counts.sum(axis=1) == len(set(names))).all()
    numbers = [sorted(set(names)).index(name) for name in names]
    assert_as_by_hand(some, sample, counts, numbers)


@settings(max_examples=20)
@given(HEAVY, st.integers(0, 2**32), st.data())
def test_weighted_clusters(some, seed, data):
    numbers = data.draw(st.lists(st.integers(0, 2), min_size=len(some), max_size=len(some)))
    sample = sample_of(some, cluster=numbers, weighted=True)
    known = sorted(set(numbers))
    counts = sample.draw(2, rng_of(seed))
    assert_as_by_hand(some, sample, counts, [known.index(n) for n in numbers])


@settings(max_examples=30)
@given(LIGHT, st.integers(0, 2**32))
def test_strata_keep_the_size_of_each_class(some, seed):
    sample = sample_of(some)
    counts = sample.draw(3, rng_of(seed), stratified=True)
    positive = np.array([label for label, _, _ in some])
    assert (counts[:, positive].sum(axis=1) == positive.sum()).all()
    assert (counts[:, ~positive].sum(axis=1) == (~positive).sum()).all()
    assert_as_by_hand(some, sample, counts)


@settings(max_examples=30)
@given(LIGHT, st.integers(0, 2**32), st.booleans())
def test_a_table_of_counts_is_resampled_like_its_cases(some, seed, stratified):
    table = table_of(some)
    sample = Sample.of_table(table, "m")
    counts = sample.draw(3, rng_of(seed), stratified=stratified)
    assert (counts.sum(axis=1) == len(some)).all()
    if stratified:
        assert (counts[:, sample.positive].sum(axis=1) == table.P).all()
    kinds = [
        (bool(label), score, Fraction(1))
        for label, score in zip(sample.positive, sample.scores["m"], strict=True)
    ]
    assert_as_by_hand(kinds, sample, counts)


def test_both_models_have_the_same_cases_in_a_resample():
    some = [(True, 0.9, 1), (False, 0.7, 1), (True, 0.7, 1), (False, 0.2, 1)]
    sample = sample_of(some, n=[0.1, 0.4, 0.4, 0.8])
    counts = np.array([[2.0, 0, 1, 1], [0, 0, 4, 0]])
    a, b = sample.block("m", counts), sample.block("n", counts)
    assert a.score.tolist() == [0.9, 0.7, 0.2]
    assert a.pos.tolist() == [[2, 1, 0], [0, 4, 0]]
    assert a.neg.tolist() == [[0, 0, 1], [0, 0, 0]]
    assert b.score.tolist() == [0.8, 0.4, 0.1]
    assert b.pos.tolist() == [[0, 1, 2], [0, 4, 0]]
    assert b.neg.tolist() == [[1, 0, 0], [0, 0, 0]]


def test_every_case_once_is_the_table_itself():
    sample = random_sample()
    for model, table in sample.tables.items():
        block = sample.block(model, np.ones((1, sample.units)))
        assert block.score.tolist() == table.score.tolist()
        assert block.pos[0].tolist() == table.pos.tolist()
        assert block.neg[0].tolist() == table.neg.tolist()


@given(LIGHT)
def test_the_row_of_a_case_has_its_score_and_class(some):
    sample = sample_of(some)
    row, table = sample.places("m").row, sample.tables["m"]
    assert table.score[row].tolist() == [score for _, score, _ in some]
    pos = np.bincount(row, sample.positive, table.score.size)
    assert pos.tolist() == table.pos.tolist()


def test_minus_zero_is_zero():
    sample = sample_of([(True, 0.0, 1), (False, -0.0, 1), (True, 0.5, 1)])
    assert sample.block("m", np.ones((1, 3))).neg.tolist() == [[0, 1]]
    assert sample.places("m").row.tolist() == [1, 1, 0]


def test_cases_without_weight_are_never_drawn():
    some = [(True, 0.9, 0), (False, 0.7, 2), (True, 0.5, 1), (False, 0.2, 0)]
    sample = sample_of(some, weighted=True)
    assert (sample.units, sample.size) == (2, 2)
    assert sample.scores["m"].tolist() == [0.7, 0.5]


def test_clusters_have_no_strata():
    sample = sample_of([(True, 0.9, 1), (False, 0.7, 1)], cluster=["x", "y"])
    with pytest.raises(mm.ParameterError, match="several classes"):
        sample.draw(2, rng_of(1), stratified=True)
    with pytest.raises(mm.ParameterError, match="several classes"):
        mm.interval([1, 0, 1, 0], [4, 3, 2, 1], "ks", cluster=[1, 1, 2, 2], stratified=True)


def test_a_weighted_table_cannot_be_resampled():
    table = mm.tabulate([1, 0, 1], [0.9, 0.5, 0.1], sample_weight=[1, 2.5, 1])
    for method in ("auto", "bca"):
        with pytest.raises(mm.DataError, match=r"pass the rows"):
            mm.interval(table, "auc", method=method)


def test_a_block_of_tables_has_no_interval():
    block = mm.tabulate_lists([1, 0, 0], [[0.9, 0.5, 0.1], [0.1, 0.5, 0.5]])
    with pytest.raises(mm.DataError, match="pass one table per model"):
        mm.interval(block, "auc")


# ------------------------------------------------------------------------ distribution


def assert_binomial(counts, trials, chance):
    """Mean and variance of columns of counts are those of a binomial variable, to five errors."""
    mean, variance, kurtosis = (float(x) for x in stats.binom.stats(trials, chance, moments="mvk"))
    tries = len(counts)
    assert np.abs(counts.mean(axis=0) - mean).max() < 5 * math.sqrt(variance / tries)
    error = variance * math.sqrt((kurtosis + 2) / tries)
    assert np.abs(counts.var(axis=0) - variance).max() < 5 * error


def test_each_case_is_drawn_like_a_ball_from_an_urn():
    sample = random_sample(12)
    counts = sample.draw(TRIES, rng_of(1))
    assert_binomial(counts, 12, 1 / 12)
    together = np.cov(counts.T)[~np.eye(12, dtype=bool)]
    assert np.abs(together + 1 / 12).max() < 5 * 1.1 / math.sqrt(TRIES)


def test_each_case_of_a_class_is_drawn_like_a_ball_from_its_urn():
    sample = random_sample(12)
    counts = sample.draw(TRIES, rng_of(2), stratified=True)
    for stratum in (sample.positive, ~sample.positive):
        assert_binomial(counts[:, stratum], stratum.sum(), 1 / stratum.sum())


def test_each_cluster_is_drawn_as_likely_whatever_its_size():
    sample = random_sample(12, cluster=[0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3])
    assert_binomial(sample.draw(TRIES, rng_of(3)), 4, 1 / 4)


def test_a_weight_does_not_make_a_case_likelier():
    sample = random_sample(12, weight=np.arange(1, 13))
    assert_binomial(sample.draw(TRIES, rng_of(4)), 12, 1 / 12)


def test_each_kind_in_a_table_is_drawn_by_its_count():
    table = mm.ScoreTable([0.9, 0.5, 0.1], [3, 0, 2], [0, 1, 4])
    sample = Sample.of_table(table, "m")
    assert sample.count.tolist() == [3, 2, 1, 4]
    for kind, column in zip(sample.count, sample.draw(TRIES, rng_of(5)).T, strict=True):
        assert_binomial(column[:, np.newaxis], 10, kind / 10)
    strata = sample.draw(TRIES, rng_of(6), stratified=True)
    for kind, column in zip(sample.count, strata.T, strict=True):
        assert_binomial(column[:, np.newaxis], 5, kind / 5)


def test_rows_and_their_table_have_the_same_distribution():
    sample = random_sample(60, places=1)
    counted = Sample.of_table(sample.tables["a"], "a")
    drawn = [
        replicate(one, {"a": [mm.auc]}, Drawing(resamples=4000, seed=1))["a", mm.auc]
        for one in (sample, counted)
    ]
    assert stats.ks_2samp(*drawn).pvalue > 0.001


# --------------------------------------------------------------------------- replicates


@pytest.fixture
def small_blocks(monkeypatch):
    """Many blocks and many tasks also for few resamples."""
    monkeypatch.setattr(resampling, "BLOCK", 2**10)
    monkeypatch.setattr(resampling, "TASK", 2**12)


KINDS = {
    "plain": {},
    "stratified": {"stratified": True},
    "clustered": {"cluster": np.arange(150) // 3},
    "weighted": {"weight": 1 + np.arange(150) % 4},
}
ASKED = {"a": [mm.auc, mm.ks, mm.brier], "b": [mm.auc]}


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("kind", KINDS)
def test_the_number_of_workers_changes_nothing(kind):
    options = dict(KINDS[kind])
    stratified = options.pop("stratified", False)
    sample = random_sample(**options)
    one, *others = (
        replicate(
            sample, ASKED, Drawing(resamples=300, seed=5, stratified=stratified, workers=workers)
        )
        for workers in (1, 2, 8, None)
    )
    assert list(one) == [(model, m) for model, chosen in ASKED.items() for m in chosen]
    for other in others:
        for key, drawn in one.items():
            np.testing.assert_array_equal(drawn, other[key])
    changed = replicate(sample, ASKED, Drawing(resamples=300, seed=6, stratified=stratified))
    assert all((drawn != changed[key]).any() for key, drawn in one.items())


def test_blocks_are_drawn_independently(small_blocks):
    drawn = replicate(random_sample(), ASKED, Drawing(resamples=300, seed=5))["b", mm.auc]
    assert len(set(drawn.tolist())) > 250


def test_without_a_seed_every_call_draws_anew():
    sample = random_sample()
    first, second = (replicate(sample, ASKED, Drawing(resamples=20, seed=None)) for _ in range(2))
    assert (first["a", mm.auc] != second["a", mm.auc]).any()


def test_other_measures_and_models_do_not_change_the_resamples():
    sample = random_sample()
    alone = replicate(sample, {"b": [mm.auc]}, Drawing(resamples=50, seed=5))
    np.testing.assert_array_equal(
        alone["b", mm.auc], replicate(sample, ASKED, Drawing(resamples=50, seed=5))["b", mm.auc]
    )


def test_an_interval_does_not_depend_on_workers():
    label, score = random_sample().positive, random_sample().scores["a"]
    for measure in ("f_measure@0.5", "ks"):
        found = {
            mm.interval(label, score, measure, resamples=500, seed=9, workers=workers)
            for workers in (1, 2, 8)
        }
        assert len(found) == 1
        other = mm.interval(label, score, measure, resamples=500, seed=10)
        assert other not in found


@pytest.mark.parametrize(("block", "task"), [(1, 1), (2**9, 2**12), (2**12, 1), (2**20, 2**20)])
def test_the_size_of_blocks_does_not_change_the_distribution(block, task, monkeypatch):
    sample = random_sample(60)
    usual = replicate(sample, ASKED, Drawing(resamples=1500, seed=1))
    monkeypatch.setattr(resampling, "BLOCK", block)
    monkeypatch.setattr(resampling, "TASK", task)
    other = replicate(sample, ASKED, Drawing(resamples=1500, seed=2))
    for key, drawn in usual.items():
        assert drawn.shape == other[key].shape == (1500,)
        assert stats.ks_2samp(drawn, other[key]).pvalue > 0.001


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("resamples", [10, 11, 13, 14, 300])
def test_all_resamples_are_drawn_and_progress_ends_at_one(resamples):
    reported = []
    found = replicate(random_sample(), ASKED, Drawing(resamples=resamples, seed=1), reported.append)
    assert all(drawn.shape == (resamples,) for drawn in found.values())
    assert not any(np.isnan(drawn).any() for drawn in found.values())
    assert reported == sorted(reported)
    assert reported[-1] == 1


def test_the_spread_of_resamples_is_that_of_the_components():
    sample = random_sample(150)
    drawn = replicate(sample, ASKED, Drawing(resamples=4000, seed=1))
    gap = drawn["a", mm.auc] - drawn["b", mm.auc]
    components = spread_of_difference(mm.auc, sample, "a", "b").delong
    assert gap.var() == pytest.approx(components, rel=0.12)


# --------------------------------------------------------------------------- jackknife


@pytest.mark.parametrize("n", [2, 60, 200, 201, 437])
def test_the_groups_that_are_left_out_are_a_partition(n):
    sample = random_sample(n)
    left_out = 1 - np.stack(list(sample.leave_out(rng_of(1))))
    groups = min(n, 200)
    assert left_out.shape == (groups, n)
    assert (left_out.sum(axis=0) == 1).all()
    assert set(left_out.sum(axis=1)) <= {n // groups, -(-n // groups)}


def test_clusters_are_left_out_whole():
    sample = random_sample(90, cluster=np.arange(90) % 30)
    left_out = 1 - np.stack(list(sample.leave_out(rng_of(1))))
    assert left_out.shape == (30, 30)
    assert (left_out.sum(axis=0) == 1).all()
    assert (left_out.sum(axis=1) == 1).all()


@pytest.mark.parametrize("count", [1, 7, 60])
def test_the_counts_that_are_left_out_of_a_table_add_up(count):
    table = mm.ScoreTable([0.9, 0.5, 0.1], [3 * count, 0, 2], [0, 1, 4 * count])
    sample = Sample.of_table(table, "m")
    kept = np.stack(list(sample.leave_out(rng_of(1))))
    assert (kept >= 0).all()
    assert ((sample.count - kept).sum(axis=0) == sample.count).all()
    sizes = (sample.count - kept).sum(axis=1)
    assert len(sizes) == min(table.n, 200)
    assert sizes.max() - sizes.min() <= 1


@settings(max_examples=30)
@given(LIGHT)
def test_the_jackknife_of_few_cases_leaves_out_each(some):
    sample = sample_of(some)
    found = jackknife(sample, {"m": [mm.auc, mm.brier]}, seed=3)
    for measure in (mm.auc, mm.brier):
        draws = [[i for i in range(len(some)) if i != out] for out in range(len(some))]
        by_hand = uncertainty.bootstrap_by_hand(
            some, lambda drawn, measure=measure: oracle_value(measure, drawn), draws
        )
        values = sorted(v for v in found["m", measure].tolist() if not math.isnan(v))
        expected = sorted(float(v) for v in by_hand if v is not None)
        assert values == pytest.approx(expected, rel=1e-12, abs=1e-12)
        assert found["m", measure].size == len(some)


def test_the_jackknife_of_a_table_is_that_of_its_cases():
    sample = random_sample(60, places=1)
    counted = Sample.of_table(sample.tables["a"], "a")
    one, other = (
        np.sort(jackknife(s, {"a": [mm.auc]}, seed=1)["a", mm.auc]) for s in (sample, counted)
    )
    np.testing.assert_allclose(one, other, rtol=1e-13)


def test_the_seed_chooses_the_groups_of_the_jackknife():
    sample = random_sample(450)
    first, again, other = (
        jackknife(sample, {"b": [mm.auc]}, seed=seed)["b", mm.auc] for seed in (1, 1, 2)
    )
    assert first.size == 200
    assert first.tolist() == again.tolist()
    assert sorted(first) != sorted(other)


def test_the_variance_of_the_jackknife_is_tukeys_and_not_that_of_rounding():
    values = np.array([0.2, 0.5, 0.4, 0.9])
    expected = 3 / 4 * sum((v - 0.5) ** 2 for v in (0.2, 0.5, 0.4, 0.9))
    assert tukeys_variance(values, values) == pytest.approx(expected)
    rounded = np.array([0.3, 0.1 + 0.2, 0.3])
    assert rounded[0] != rounded[1]
    assert tukeys_variance(rounded, rounded) == 0
    # The values of two models may be large where their differences are not.
    assert tukeys_variance(1e-14 * values, values) == 0
    assert tukeys_variance(1e-10 * values, values) > 0


def test_the_acceleration_is_that_of_the_seed(monkeypatch):
    seeds = []

    def noted(*arguments, seed):
        seeds.append(seed)
        return jackknife(*arguments, seed=seed)

    monkeypatch.setattr(bootstrap_limits, "jackknife", noted)
    rng = rng_of(5)
    label = rng.random(60) < 0.5
    mm.interval(label, label + rng.normal(size=60), "auc", method="bca", resamples=200, seed=31)
    assert seeds == [31]


# ------------------------------------------------------------------------------ limits

REPLICATES = st.lists(st.sampled_from([k / 8 for k in range(9)]), min_size=2, max_size=25)
CONFIDENCE = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])


def close(limits):
    return pytest.approx(limits, rel=1e-9, abs=1e-9)


@given(REPLICATES, CONFIDENCE)
def test_percentile_limits(drawn, ci):
    assert bootstrap_limits.percentile_limits(np.array(drawn), ci) == close(
        uncertainty.percentile_limits(drawn, ci)
    )


@given(REPLICATES, st.sampled_from([0, 0.3, 0.5, 1]), CONFIDENCE)
def test_basic_limits(drawn, value, ci):
    found = bootstrap_limits.basic_limits(value, np.array(drawn), (-math.inf, math.inf), ci)
    assert found == close(uncertainty.basic_limits(value, drawn, ci))
    low, high = bootstrap_limits.basic_limits(value, np.array(drawn), (0, 1), ci)
    assert (low, high) == close(tuple(min(max(limit, 0), 1) for limit in found))


@given(REPLICATES, REPLICATES, st.sampled_from([0.25, 0.3, 0.5]), CONFIDENCE)
def test_bca_limits(drawn, left_out, value, ci):
    expected = uncertainty.bca_limits(value, drawn, left_out, ci, ties=Fraction(1, 2))
    if expected is not None:
        found = bootstrap_limits.bca_limits(value, np.array(drawn), np.array(left_out), ci)
        assert found == close(expected)


@given(REPLICATES)
def test_acceleration(left_out):
    expected = uncertainty.acceleration(left_out)
    assert bootstrap_limits.acceleration(np.array(left_out)) == pytest.approx(expected or 0.0)
    unknown = np.array([*left_out, math.nan, math.inf, -math.inf])
    assert bootstrap_limits.acceleration(unknown) == pytest.approx(expected or 0.0)


def test_acceleration_of_nothing_is_none():
    assert bootstrap_limits.acceleration(np.array([])) == 0
    assert bootstrap_limits.acceleration(np.array([0.5, math.nan])) == 0


@pytest.mark.parametrize("value", [-1.0, 2.0])
def test_bca_limits_exist_where_all_resamples_lie_on_one_side(value):
    drawn, left_out = np.linspace(0, 1, 100), np.linspace(0, 1, 30)
    low, high = bootstrap_limits.bca_limits(value, drawn, left_out, 0.95)
    assert 0 <= low <= high <= 1


def test_bca_limits_without_bias_and_acceleration_are_percentile_limits():
    drawn, left_out = np.linspace(0, 1, 101), np.array([0.4, 0.5, 0.6])
    found = bootstrap_limits.bca_limits(0.5, drawn, left_out, 0.9)
    assert found == close(bootstrap_limits.percentile_limits(drawn, 0.9))


def test_quantiles_are_those_of_numpy():
    drawn = rng_of(1).normal(size=997)
    shares = [0, 0.025, 0.31, 0.5, 0.975, 1]
    np.testing.assert_allclose(resampling.quantiles(drawn, shares), np.quantile(drawn, shares))


def test_quantiles_of_infinite_values_are_no_nan():
    assert resampling.quantiles(np.array([1, math.inf, math.inf]), [0, 0.25, 0.75, 1]) == [
        1, math.inf, math.inf, math.inf,
    ]  # fmt: skip
    assert resampling.quantiles(np.array([-math.inf, 1, 1]), [0, 0.25, 0.75, 1]) == [
        -math.inf, -math.inf, 1, 1,
    ]  # fmt: skip


@pytest.mark.parametrize("measure", [mm.auc, mm.f_measure, mm.brier])
@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_intervals_are_the_limits_of_their_resamples(measure, method):
    sample = random_sample(80)
    drawn = replicate(sample, {"a": [measure]}, Drawing(resamples=200, seed=4))[
        "a", measure
    ].tolist()
    left_out = jackknife(sample, {"a": [measure]}, seed=4)["a", measure].tolist()
    value = measure.value(sample.tables["a"])
    expected = {
        "percentile": lambda: uncertainty.percentile_limits(drawn, 0.9),
        "basic": lambda: uncertainty.basic_limits(value, drawn, 0.9),
        "bca": lambda: uncertainty.bca_limits(value, drawn, left_out, 0.9, ties=Fraction(1, 2)),
    }[method]()
    found = mm.interval(
        sample.positive, sample.scores["a"], measure, ci=0.9, method=method, resamples=200, seed=4
    )
    assert (found.low, found.high) == close(expected)
    assert (found.method, found.resamples, found.left_out) == (method, 200, 0)


@pytest.mark.parametrize("method", ["percentile", "basic", "BCa"])
@pytest.mark.parametrize("measure", ["brier", "accuracy"])
def test_agrees_with_scipy(measure, method):
    sample, resamples = random_sample(80, places=9), 10_000
    score = sample.scores["a"]
    losses = {
        "brier": np.square(score - sample.positive),
        "accuracy": ((score >= 0.5) == sample.positive).astype(float),
    }[measure]
    theirs = stats.bootstrap(
        (losses,), np.mean, n_resamples=resamples, method=method, rng=rng_of(1), batch=1000
    )
    ours = mm.interval(
        sample.positive, score, measure, method=method.lower(), resamples=resamples, seed=1
    )
    # A quantile at 2.5% of 10,000 normal values has an error of 0.027 standard deviations.
    room = 6 * 0.027 * theirs.standard_error + (1 / 80 if measure == "accuracy" else 0)
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=room)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=room)


# ---------------------------------------------------------------------------- smoothed


def test_smoothed_classes_have_the_size_of_the_classes():
    table = random_sample(90).tables["a"]
    population = Smoothed.of(table)
    assert population.sizes == (table.P, table.N)
    assert pytest.approx(table.P) == population.table.P
    assert pytest.approx(table.N) == population.table.N
    for share in smooth(table, population.sizes):
        assert share.sum() == pytest.approx(1)
        assert (share >= 0).all()


@pytest.mark.parametrize("stratified", [False, True])
def test_resamples_of_smoothed_classes(stratified):
    population = Smoothed.of(random_sample(90).tables["a"])
    counts = population.draw(4000, rng_of(1), stratified=stratified)
    block = population.block("a", counts)
    assert (block.P + block.N == 90).all()
    if stratified:
        assert (population.sizes[0] == block.P).all()
    else:
        assert_binomial(block.P[:, np.newaxis], 90, population.sizes[0] / 90)
    shares = block.pos.sum(axis=0) / block.P.sum()
    expected = population.table.pos / population.table.P
    assert np.abs(shares - expected).max() < 5 * math.sqrt(expected.max() / block.P.sum())


def test_resamples_of_smoothed_classes_have_a_case_of_each_class():
    table = mm.ScoreTable([0.9, 0.5, 0.1], [1, 0, 0], [1, 3, 30])
    block = Smoothed.of(table).block("m", Smoothed.of(table).draw(500, rng_of(1)))
    assert block.P.min() >= 1
    assert block.N.min() >= 1


def test_smoothing_does_not_look_at_the_scale_of_scores():
    sample = random_sample(90)
    table = sample.tables["a"]
    stretched = mm.ScoreTable(np.exp(9 * table.score), table.pos, table.neg)
    for one, other in zip(smooth(table, (40, 50)), smooth(stretched, (40, 50)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_generators_of_one_seed_are_alike():
    one, other = (generator(np.random.SeedSequence(7)) for _ in range(2))
    assert one.random(5).tolist() == other.random(5).tolist()


def test_many_cases_are_resampled_by_the_cells_of_their_matrix(monkeypatch):
    rng = np.random.default_rng(6)
    label = rng.random(600) < 0.3
    score = 1 / (1 + np.exp(-rng.normal(size=600) - label))
    chosen = ("mcc", "f_measure", "kappa@0.7", "balanced_accuracy")
    whole = [mm.interval(label, score, m, resamples=4000) for m in chosen]
    monkeypatch.setattr(import_module("metameasure.inference.methods.bootstrap"), "CELLS_FROM", 0)
    cells = [mm.interval(label, score, m, resamples=4000) for m in chosen]
    for one, other in zip(whole, cells, strict=True):
        assert one.value == other.value
        width = one.high - one.low
        assert one.low == pytest.approx(other.low, abs=0.06 * width)
        assert one.high == pytest.approx(other.high, abs=0.06 * width)


def resampled_values(sample, measure, times=6):
    counts = sample.draw(times, rng_of(3))
    return counts, measure.of_block(sample.block("m", counts))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clusters", [None, np.arange(24) % 7])
def test_other_subjects_are_resampled_by_their_cases_or_clusters(weighted, clusters):
    rng = rng_of(4)
    members = np.arange(24) if clusters is None else clusters
    weight = rng.integers(1, 4, 24).astype(float) if weighted else None
    given_as = {"sample_weight": weight, "cluster": clusters}
    true, score = rng.random((2, 24))
    soft = ProbabilitySample.of(SoftLabels.of(true, {"m": score}, **given_as))
    code, scores = rng.integers(0, 3, 24), rng.dirichlet([1, 1, 1], 24)
    cases = ClassSample.of({"m": ClassScores.of(code, scores, **given_as, labels=[0, 1, 2])})
    of_classes = mm.brier.of_classes()
    own = np.ones(24) if weight is None else weight
    for sample, measure, losses in (
        (soft, mm.brier.of_probabilities(), (true - score) ** 2),
        (cases, of_classes, np.sum((scores - np.eye(3)[code]) ** 2, axis=1) / 2),
    ):
        counts, values = resampled_values(sample, measure)
        assert counts.shape == (6, np.unique(members).size)
        for times, value in zip(counts, values, strict=True):
            rows = written_out(times, members)
            expected = own[rows] @ losses[rows] / own[rows].sum()
            assert value == pytest.approx(expected)


@pytest.mark.parametrize("plan", [Drawing, Plan, PairPlan])
def test_plans_name_their_arguments(plan):
    with pytest.raises(TypeError, match="positional"):
        plan(0.9)
