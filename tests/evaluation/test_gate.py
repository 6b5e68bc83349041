"""Gates: requirements as text, decisions against their definitions, and all kinds of data."""

import math
import operator
import re
import subprocess
import sys
from itertools import combinations
from statistics import NormalDist
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rich.console import Console
from scipy import stats

import metameasure as mm
from metameasure.data import read_models
from metameasure.evaluation import Requirement
from metameasure.evaluation.decision import Estimate, decide
from metameasure.results.tables import as_rich

NORMAL = NormalDist()
SIGNS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
LEVEL = 0.025


def models(n=400, seed=3, prevalence=0.4):
    """Labels, and the probabilities of two models of which the first is better."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < prevalence
    evidence = 2 * label + rng.normal(size=n)
    new = 1 / (1 + np.exp(1.4 - 1.5 * evidence))
    old = 1 / (1 + np.exp(1.4 - 1.3 * (evidence + rng.normal(0, 0.5, size=n))))
    return label, {"new": new, "old": old}


LABEL, SCORES = models()
NEW, OLD = SCORES["new"], SCORES["old"]
SITE = np.resize(["north", "south", "south", "west"], LABEL.size)
FRAME = pl.DataFrame({"y": LABEL, **SCORES, "site": SITE, "half": np.arange(LABEL.size) % 2})


def statuses(found):
    return [row.status for row in found.rows]


def only_row(*args, **options):
    (row,) = mm.gate(*args, **options).rows
    return row


# ---- requirements as text


@pytest.mark.parametrize(
    ("text", "measure", "sign", "bound", "factor", "by"),
    [
        ("auc >= 0.80", "auc", ">=", 0.8, None, None),
        ("  brier<=.12 ", "brier", "<=", 0.12, None, None),
        ("tpr@fpr=0.05 >= 60% by site", "tpr@fpr=0.05", ">=", 0.6, None, "site"),
        ("precision@k=10 > 0", "precision@k=10", ">", 0.0, None, None),
        ("f_measure(beta=2)@top=10% > 5e-1", "f_measure(beta=2)@top=10%", ">", 0.5, None, None),
        ("mcc >= -0.5", "mcc", ">=", -0.5, None, None),
        ("linear(auc, accuracy, alpha=0.7) < 1", "linear(auc, accuracy, alpha=0.7)", "<", 1.0,
         None, None),
        ("auc >= baseline", "auc", ">=", 0.0, 1.0, None),
        ("auc >= baseline-0.01", "auc", ">=", -0.01, 1.0, None),
        ("auc > baseline + 1%", "auc", ">", 0.01, 1.0, None),
        ("log_loss <= 1.02 * baseline", "log_loss", "<=", 0.0, 1.02, None),
        ("brier <= 0.9*baseline + 0.01 by age group", "brier", "<=", 0.01, 0.9, "age group"),
        ("auc >= 0.5 by 'split by day'", "auc", ">=", 0.5, None, "split by day"),
    ],
)  # fmt: skip
def test_the_parts_of_a_requirement(text, measure, sign, bound, factor, by):
    found = Requirement.of(text)
    assert (found.measure, found.sign, found.by) == (mm.parse(measure), sign, by)
    assert found.bound == pytest.approx(bound, abs=1e-15)
    assert found.factor == factor


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("auc", r"'auc': expected >=, <=, > or < after the measure"),
        ("auc = 0.8", r"expected >=, <=, > or < after the measure"),
        ("auc => 0.8", r"'auc => 0.8': expected >=, <=, > or < after 'auc', got '=>'"),
        ("auc == 0.8", r"got '=='"),
        ("auc ≥ 0.8", r"got '≥'"),
        ("auc >> 0.8", r"got '>>'"),
        (">= 0.8", r"expected a measure before '>='"),
        ("auc >=", r"expected a number or 'baseline - number' after '>=', got nothing"),
        ("auc >= x", r"after '>=', got 'x'"),
        ("auc >= inf", r"got 'inf'"),
        ("auc >= nan", r"got 'nan'"),
        ("auc >= 0.8 0.9", r"got '0.8 0.9'"),
        ("auc >= 0.8, brier <= 0.1", r"got '0.8, brier <= 0.1'"),
        ("0.7 <= auc <= 0.9", "does not start with the name of a measure"),
        ("auc >= baseline - x", r"got 'baseline - x'"),
        ("auc >= baseline 0.01", r"got 'baseline 0.01'"),
        ("auc >= 0.8 by", r"expected a column after 'by', got nothing"),
        ("auc >= 0.8 by ''", r"expected a column after 'by'"),
        ("auc >= by site", r"after '>=', got nothing"),
        ("auc >= 80", r"the bound of auc must be in \[0, 1\], got 80"),
        ("auc >= -0.1", r"got -0.1"),
        ("auc >= baseline - 1.5", "the margin of auc must be at most 1, got 1.5"),
        ("f_measure(beta=-1) >= 0.5", "beta must be >= 0, got -1"),
        ("f_measure(beta=2 >= 0.5", "unbalanced brackets"),
        ("tpr@nowhere >= 0.5", "got 'nowhere'"),
        ("mean_over(auc) >= 0.5 by site", "is a mean over groups; remove 'by site'"),
        ("", "expected >=, <=, > or <"),
        (7, "a requirement must be a str, got int"),
        ([], "require is empty"),
    ],
)
def test_a_wrong_requirement_is_shown_with_the_place(text, message):
    with pytest.raises(mm.ParameterError, match=message) as raised:
        mm.gate(LABEL, NEW, text)
    assert raised.value.argument == "require"


def test_an_unknown_measure_in_a_requirement():
    with pytest.raises(mm.UnknownMeasure, match="there is no measure 'acu'; did you mean auc") as e:
        mm.gate(LABEL, NEW, ["auc >= 0.5", "acu >= 0.5"])
    assert e.value.argument == "require"


# ---- decisions against their definitions


def pvalues(center, error, sign, bound):
    """P-values of a pass and of a failure, for a normal estimate."""
    z = (center - bound) / error
    upper, lower = 1 - NORMAL.cdf(z), NORMAL.cdf(z)
    return (upper, lower) if sign.startswith(">") else (lower, upper)


def closed_test(found, level):
    """Holm's method as a closed test: Bonferroni's test rejects all subsets with a hypothesis."""
    places = range(len(found))
    subsets = [s for size in range(1, len(found) + 1) for s in combinations(places, size)]
    return [
        all(min(found[n] for n in s) * len(s) <= level for s in subsets if place in s)
        for place in places
    ]


ESTIMATES = st.lists(
    st.tuples(st.floats(0.05, 0.95), st.floats(0.01, 0.1), st.sampled_from(sorted(SIGNS)),
              st.integers(1, 19)),
    min_size=1, max_size=5,
)  # fmt: skip


@given(ESTIMATES, st.sampled_from([0.8, 0.9, 0.95]))
def test_each_pass_has_the_level_and_failures_are_those_of_holm(drawn, ci):
    requirements = [Requirement.of(f"auc {sign} {n / 20}") for _, _, sign, n in drawn]

    def estimates(confidence):
        z = NORMAL.inv_cdf((1 + confidence) / 2)
        return [
            Estimate(group=None, n=100, n_pos=50, value=center, low=center - z * error,
                     high=center + z * error, method="exact")
            for center, error, _, _ in drawn
        ]  # fmt: skip

    level = (1 - ci) / 2
    both = [pvalues(center, error, sign, n / 20) for center, error, sign, n in drawn]
    close = [
        p for pair in both for p in pair if any(abs(p * k - level) < 1e-9 for k in range(1, 6))
    ]
    assume(not close)
    found = decide(requirements, estimates, ci)
    failed = closed_test([fail for _, fail in both], level)
    expected = [
        "passed" if p <= level else "failed" if fails else "undecided"
        for (p, _), fails in zip(both, failed, strict=True)
    ]
    assert [one.status for one in found.each] == expected
    assert found.failure_level == pytest.approx(level / max(len(drawn) - sum(failed), 1))
    for one, (center, error, sign, _) in zip(found.each, drawn, strict=True):
        tails = (found.level, found.failure_level)
        low, high = tails if sign.startswith(">") else tails[::-1]
        assert one.low == pytest.approx(center - NORMAL.inv_cdf(1 - low) * error)
        assert one.high == pytest.approx(center + NORMAL.inv_cdf(1 - high) * error)


def test_a_pass_needs_no_limit_of_failures():
    """Limits of a higher confidence may not exist, as those of BCa."""

    def estimates(confidence):
        known = confidence < 0.96
        return [
            Estimate(group=None, n=100, n_pos=50, value=value, low=value - 0.1 if known else None,
                     high=value + 0.1 if known else None, method="bca",
                     reason=None if known else "none")
            for value in (0.7, 0.55)
        ]  # fmt: skip

    first, second = decide([Requirement.of("auc >= 0.5")] * 2, estimates, 0.95).each
    assert (first.status, first.low, first.high) == ("passed", pytest.approx(0.6), None)
    assert (second.status, second.reason, second.cases) == ("undecided", "none", None)


def shares(right, n):
    """Labels and hard scores with this number of right answers."""
    label = np.arange(n) % 2 == 0
    return label, np.where(label == (np.arange(n) < right), 0.9, 0.1)


@pytest.mark.parametrize(("right", "n"), [(83, 100), (30, 40), (500, 900)])
def test_an_accuracy_passes_by_the_limits_of_wilson(right, n):
    limits = stats.binomtest(right, n).proportion_ci(0.95, method="wilson")
    for bound, sign, expected in [
        (limits.low - 1e-6, ">=", "passed"),
        (limits.low + 1e-6, ">=", "undecided"),
        (limits.high - 1e-6, ">=", "undecided"),
        (limits.high + 1e-6, ">=", "failed"),
        (limits.high + 1e-6, "<=", "passed"),
        (limits.high - 1e-6, "<", "undecided"),
        (limits.low - 1e-6, "<", "failed"),
    ]:
        row = only_row(*shares(right, n), f"accuracy {sign} {bound:.9f}", mute="MM05")
        assert row.status == expected
        assert (row.low, row.high) == pytest.approx((limits.low, limits.high))


def test_the_interval_that_is_shown_has_both_levels():
    """Of three requirements none fails, so that the limits of failures are those of 2.5% / 3."""
    found = mm.gate(*shares(83, 100), ["accuracy >= 0.5", "accuracy <= 0.99", "accuracy > 0.8"])
    ordinary = stats.binomtest(83, 100).proportion_ci(0.95, method="wilson")
    adjusted = stats.binomtest(83, 100).proportion_ci(1 - 0.05 / 3, method="wilson")
    assert statuses(found) == ["passed", "passed", "undecided"]
    for row, (low, high) in zip(
        found.rows,
        [(ordinary.low, adjusted.high), (adjusted.low, ordinary.high),
         (ordinary.low, adjusted.high)],
        strict=True,
    ):  # fmt: skip
        assert (row.low, row.high) == pytest.approx((low, high))
    assert found.meta["failure_level"] == pytest.approx(LEVEL / 3)
    assert "level 0.833% by Holm's method" in str(found)


@pytest.mark.parametrize("margin", [-0.03, -0.02, -0.01, -0.005, 0, 0.005, 0.01])
def test_non_inferiority_is_the_paired_test_of_the_losses(margin):
    losses = {name: (LABEL - scores) ** 2 for name, scores in SCORES.items()}
    gap = losses["new"] - losses["old"]
    passes = stats.ttest_1samp(gap, margin, alternative="less").pvalue <= LEVEL
    fails = stats.ttest_1samp(gap, margin, alternative="greater").pvalue <= LEVEL
    text = f"brier <= baseline {'-' if margin < 0 else '+'} {abs(margin)}"
    row = only_row(LABEL, SCORES, text, baseline="old")
    assert row.status == ("passed" if passes else "failed" if fails else "undecided")
    assert row.difference == pytest.approx(gap.mean())
    assert (row.value, row.baseline) == pytest.approx([loss.mean() for loss in losses.values()])


def test_all_three_decisions_occur_with_a_baseline():
    texts = [f"auc >= baseline + {margin}" for margin in (0, 0.02, 0.2)]
    assert statuses(mm.gate(LABEL, SCORES, texts, baseline="old")) == [
        "passed", "undecided", "failed",
    ]  # fmt: skip


def test_a_margin_agrees_with_the_test_of_compare():
    for margin in (0.001, 0.01, 0.02, 0.05):
        compared = mm.compare(LABEL, SCORES, "auc", margin=margin)
        (pvalue,) = (row.pvalue for row in compared.rows if row.a == "old")
        text = f"auc >= baseline - {margin}"
        row = only_row(LABEL, {"new": OLD, "old": NEW}, text, baseline="old")
        assert (row.status == "passed") == (pvalue <= LEVEL)


def test_a_factor_scales_the_baseline():
    """The relative form of a mean agrees with the t test of the scaled losses."""
    losses = {name: (LABEL - scores) ** 2 for name, scores in SCORES.items()}
    for factor in (0.8, 0.95, 1.1):
        gap = losses["new"] - factor * losses["old"]
        row = only_row(LABEL, SCORES, f"brier <= {factor} * baseline", baseline="old")
        error = stats.sem(gap)
        assert row.difference == pytest.approx(gap.mean())
        assert row.low == pytest.approx(gap.mean() - 1.96 * error, abs=0.2 * error)
        assert row.high == pytest.approx(gap.mean() + 1.96 * error, abs=0.2 * error)
        assert row.method == "bootstrap"


def test_a_very_large_number_of_cases_is_given_in_millions():
    labels, score = np.tile([1, 0, 1, 0], 50), np.tile([0.9, 0.4, 0.3, 0.1], 50)
    found = mm.gate(labels, score, "auc >= 0.7499")
    (row,) = found.rows
    assert row.cases > 10**6
    assert f"{row.cases / 10**6:g} million" in str(found)


def test_identical_models():
    texts = ["auc >= baseline", "auc > baseline", "brier <= baseline", "auc >= baseline - 0.01"]
    found = mm.gate(LABEL, {"new": NEW, "old": NEW}, texts, baseline="old")
    assert statuses(found) == ["passed", "failed", "passed", "passed"]


@pytest.mark.parametrize("measure", ["auc", "brier", "accuracy"])
@pytest.mark.parametrize("upward", [True, False])
def test_the_number_of_cases_is_that_of_a_planned_test(measure, upward):
    """A test of the same power, planned with this sample as its pilot.

    It is planned by a normal approximation, while the lower limit of a high AUC is further away.
    """
    found = mm.interval(LABEL, NEW, measure)
    bound = found.value + 0.6 * ((found.high if upward else found.low) - found.value)
    planned = mm.sample_size(measure, LABEL, NEW, power=0.8, reference=bound, alpha=0.05)
    for sign in (">=", "<="):
        row = only_row(LABEL, NEW, f"{measure} {sign} {bound:.9f}")
        assert row.status == "undecided"
        assert 0.75 < row.cases / planned.cases < (1.75 if measure == "auc" else 1.3)
        assert row.cases > row.n


def test_the_number_of_cases_of_a_margin():
    row = only_row(LABEL, SCORES, "auc >= baseline + 0.02", baseline="old")
    gap = mm.auc(LABEL, NEW) - mm.auc(LABEL, OLD)
    planned = mm.sample_size(
        "auc", LABEL, SCORES, power=0.8, margin=0.5, difference=abs(gap - 0.02) - 0.5, alpha=LEVEL
    )
    assert row.cases == pytest.approx(planned.cases, rel=0.25)


def test_an_estimate_at_the_bound_needs_no_number_of_cases():
    row = only_row(*shares(80, 100), "accuracy >= 0.8")
    assert (row.status, row.cases, row.reason) == (
        "undecided", None, "the estimate is at the bound",
    )  # fmt: skip


# ---- simulations: the true value is exactly at the bound


def share_of_passes(make, text, repeats=500, **options):
    rng = np.random.default_rng(8)
    return np.mean([
        mm.gate(*make(rng), text, **options).passed for _ in range(repeats)
    ])  # fmt: skip


HIGHEST = LEVEL + 3 * math.sqrt(LEVEL * (1 - LEVEL) / 500)
"""Three standard errors above the level."""


def test_a_model_at_the_bound_passes_at_the_level():
    label = np.arange(200) < 60
    shift = math.sqrt(2) * NORMAL.inv_cdf(0.8)
    passes = share_of_passes(
        lambda rng: (label, rng.normal(size=200) + shift * label), "auc >= 0.8"
    )
    assert 0 < passes <= HIGHEST


def test_a_model_at_the_margin_passes_at_the_level():
    label = np.arange(200) < 60
    first, second = (math.sqrt(2) * NORMAL.inv_cdf(auc) for auc in (0.82, 0.85))

    def make(rng):
        noise, other = rng.normal(size=(2, 200))
        old = 0.6 * noise + 0.8 * other + second * label
        return label, {"new": noise + first * label, "old": old}

    assert 0 < share_of_passes(make, "auc >= baseline - 0.03", baseline="old") <= HIGHEST


# ---- groups


def test_a_requirement_by_group_is_that_of_each_group():
    found = mm.gate(LABEL, NEW, "accuracy >= 0.8 by group", group=SITE)
    level = found.meta["failure_level"]
    assert [row.group for row in found.rows] == ["north", "south", "west"]
    for row in found.rows:
        part = np.equal(SITE, row.group)
        right = int(np.count_nonzero((NEW[part] >= 0.5) == LABEL[part]))
        trial = stats.binomtest(right, int(part.sum()))
        assert row.value == right / part.sum()
        assert row.low == pytest.approx(trial.proportion_ci(0.95, method="wilson").low)
        assert row.high == pytest.approx(trial.proportion_ci(1 - 2 * level, method="wilson").high)
        assert (row.n, row.n_pos) == (part.sum(), LABEL[part].sum())


def test_columns_of_groups_are_read_by_their_names(tmp_path):
    FRAME.write_csv(tmp_path / "p.csv")
    texts = ["auc >= 0.6", "auc >= 0.6 by site", "auc >= baseline - 0.05 by half"]
    options = {"label": "y", "score": "new", "baseline": "old", "require": texts}
    found = mm.gate(FRAME, **options)
    assert [row.group for row in found.rows] == [None, "north", "south", "west", "0", "1"]
    assert mm.gate(tmp_path / "p.csv", **options).rows == found.rows
    assert mm.gate(FRAME.to_pandas(), **options).rows == found.rows
    for row in found.rows[-2:]:
        part = FRAME.filter(pl.col("half") == int(row.group))
        alone = only_row(part["y"], {"new": part["new"], "old": part["old"]}, texts[2][:-8],
                         baseline="old")  # fmt: skip
        assert (row.value, row.baseline, row.difference, row.low) == pytest.approx(
            (alone.value, alone.baseline, alone.difference, alone.low)
        )


def test_the_column_of_group_may_be_named():
    for by in ("group", "site"):
        found = mm.gate(FRAME, f"auc >= 0.6 by {by}", label="y", score="new", group="site")
        assert len(found.rows) == 3


def test_cases_without_a_group_count_for_all_cases_only():
    some = FRAME.with_columns(site=pl.when(pl.int_range(pl.len()) < 100).then("site"))
    found = mm.gate(
        some, ["auc >= 0.6", "auc >= 0.6 by site"], label="y", score="new", nan_policy="drop"
    )
    assert found.rows[0].n == 400
    assert sum(row.n for row in found.rows[1:]) == 100


def test_groups_that_cannot_be_decided():
    group = np.where(np.arange(LABEL.size) < 4, "few", "most")
    label = np.where(group == "few", True, LABEL)
    found = mm.gate(label, NEW, ["auc >= 0.6 by group", "accuracy >= 0.9999 by group"], group=group)
    few = found.rows[0]
    assert (few.status, few.cases) == ("undecided", None)
    assert few.reason.startswith("the value is undefined: ")
    assert math.isnan(few.value)
    assert statuses(found)[1] == "passed"
    assert "undecided, since the value is undefined" in str(found)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"require": "auc >= 0.5 by group"}, "there are no groups 'group'; pass group"),
        ({"require": "auc >= 0.5 by site", "group": SITE}, "group has no effect|no groups 'site'"),
        ({"require": "auc >= 0.5", "group": SITE}, "group has no effect: no requirement is by"),
        ({"require": "auc >= baseline"}, "'auc >= baseline' needs baseline"),
        ({"require": "auc >= baseline", "baseline": "x"}, "there is no model 'x'; the models are"),
        ({"require": "auc >= 0.5", "undecided": "maybe"}, "undecided must be one of 'pass', 'fa"),
        ({}, "require is missing"),
    ],
)
def test_wrong_arguments(options, message):
    with pytest.raises(mm.ParameterError, match=message):
        mm.gate(LABEL, {"new": NEW}, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"require": "auc >= 0.5 by nope"}, "there is no column 'nope'"),
        ({"require": "auc >= 0.5", "baseline": "nope"}, "there is no column 'nope'"),
        ({"require": "auc >= 0.5", "baseline": OLD}, "baseline must name a column"),
        ({"require": "auc >= 0.5", "baseline": "old", "score": None}, "score is needed with"),
    ],
)
def test_wrong_columns(options, message):
    with pytest.raises(mm.ParameterError, match=message):
        mm.gate(FRAME, **{"label": "y", "score": "new", **options})


@pytest.mark.parametrize(
    ("scores", "baseline", "message"),
    [
        ({"a": NEW, "b": OLD}, None, "a gate needs one model, got 2: 'a', 'b'; choose one"),
        ({"a": NEW, "b": OLD, "c": OLD}, "c", "one model besides its baseline, got 2: 'a', 'b'"),
        ({"a": NEW}, "a", "one model besides its baseline, got 0"),
    ],
)
def test_a_gate_is_about_one_model(scores, baseline, message):
    with pytest.raises(mm.DataError, match=message):
        mm.gate(LABEL, scores, "auc >= 0.5", baseline=baseline)


# ---- data of all kinds


def test_a_baseline_may_be_an_array():
    texts = ["auc >= baseline", "brier <= baseline"]
    named = mm.gate(LABEL, SCORES, texts, baseline="old")
    assert mm.gate(LABEL, NEW, texts, baseline=OLD).rows == named.rows
    third = {**SCORES, "third": OLD}
    chosen = mm.gate(LABEL, third, texts, baseline="old", score="new")
    assert chosen.rows == named.rows


def test_requirements_follow_data_that_have_their_scores(tmp_path):
    table = mm.tabulate(LABEL, NEW)
    expected = mm.gate(LABEL, NEW, "auc >= 0.6").rows
    assert mm.gate(table, "auc >= 0.6").rows == expected
    assert mm.gate({"new": table}, "auc >= 0.6").rows == expected
    FRAME.select("y", "new").write_parquet(tmp_path / "p.parquet")
    assert mm.gate(tmp_path / "p.parquet", "auc >= 0.6").rows == expected
    with pytest.raises(mm.DataError, match="needed for a comparison with the baseline"):
        mm.gate({"new": table, "old": table}, require="auc >= baseline", baseline="old")


@pytest.mark.parametrize(
    "data",
    [
        {"sample_weight": np.resize([0.5, 1, 2], LABEL.size)},
        {"cluster": np.arange(LABEL.size) // 4},
        {"sample_weight": np.resize([0, 1, 2], LABEL.size), "cluster": np.arange(LABEL.size) // 2},
    ],
)
@pytest.mark.parametrize("measure", ["auc", "brier", "tpr@fpr=0.1"])
def test_weights_and_clusters(data, measure):
    row = only_row(LABEL, NEW, f"{measure} > 0.01", **data)
    right = mm.interval(LABEL, NEW, measure, **data)
    assert (row.value, row.low, row.high) == (right.value, right.low, right.high)
    paired = only_row(LABEL, SCORES, f"{measure} >= baseline", baseline="old", **data)
    compared = mm.compare(LABEL, SCORES, measure, **data).rows[0]
    assert (paired.low, paired.high) == (compared.low, compared.high)


def test_models_that_were_read_before():
    read = read_models(FRAME, label="y", scores=["new", "old"], group="site")
    texts = ["auc >= 0.6", "auc >= baseline - 0.1 by site", "auc >= 0.6 by group"]
    found = mm.gate(read, require=texts, baseline="old")
    columns = {"label": "y", "score": "new", "group": "site"}
    assert found.rows == mm.gate(FRAME, require=texts, baseline="old", **columns).rows
    with pytest.raises(mm.ParameterError, match="there are no groups 'half'"):
        mm.gate(read, require="auc >= 0.6 by half", baseline="old")


@pytest.mark.parametrize("kind", ["polars", "pandas", "file"])
def test_the_frame_is_of_the_kind_that_came(kind, tmp_path):
    FRAME.write_csv(tmp_path / "p.csv")
    data = {"polars": FRAME, "pandas": FRAME.to_pandas(), "file": tmp_path / "p.csv"}[kind]
    found = mm.gate(data, "auc >= 0.6 by site", label="y", score="new").frame()
    assert type(found).__module__.split(".")[0] == ("pandas" if kind == "pandas" else "polars")
    assert list(found["status"]) == ["passed"] * 3


def test_several_classes():
    rng = np.random.default_rng(4)
    label = rng.integers(3, size=300)
    shares = [rng.dirichlet([1, 1, 1], 300) + 0.5 * k * np.eye(3)[label] for k in (2, 1)]
    new, old = (share / share.sum(axis=1, keepdims=True) for share in shares)
    texts = ["accuracy >= 0.5", "log_loss <= 1.5", "hand_till_auc >= baseline - 0.01"]
    found = mm.gate(label, {"new": new, "old": old}, texts, baseline="old", resamples=100)
    assert found.passed
    assert found.rows[0].value == np.mean(new.argmax(axis=1) == label)
    assert [row.n_pos for row in found.rows] == [None] * 3
    assert mm.gate(label, new, texts[2], baseline=old, resamples=100).passed
    site = np.where(np.arange(300) % 3, "x", "y")
    frame = pl.DataFrame({"y": label, **dict(zip("012", new.T, strict=True)), "site": site})
    columns = {"label": "y", "proba": ["0", "1", "2"]}
    assert mm.gate(frame, require="accuracy >= 0.5", **columns).passed
    right = new.argmax(axis=1) == label
    expected = {"x": right[site == "x"].mean(), "y": right[site == "y"].mean()}
    by_site = "accuracy >= 0.5 by site"
    for grouped in (
        mm.gate(frame, require=by_site, **columns),
        mm.gate(label, new, by_site, group={"site": site}),
    ):
        assert {row.group: row.value for row in grouped.rows} == expected


def test_two_columns_of_probabilities_have_groups_and_folds():
    frame = FRAME.with_columns(rest=1 - pl.col("new"))
    columns = {"label": "y", "proba": ["rest", "new"], "labels": [False, True]}
    found = mm.gate(frame, "auc >= 0.7 by site", **columns)
    expected = mm.gate(frame, "new", "auc >= 0.7 by site", label="y")
    assert [row.value for row in found.rows] == [row.value for row in expected.rows]
    by_half = mm.evaluate(frame, measures="auc", fold="half", **columns).fold_values
    expected = mm.evaluate(LABEL, NEW, "auc", fold=FRAME["half"].to_numpy()).fold_values
    assert [one.value for one in by_half] == [one.value for one in expected]


def test_means_over_groups():
    queries = np.arange(LABEL.size) // 8
    texts = ["mean_over(auc) >= 0.5", "mean_over(auc) >= baseline", "auc >= 0.7"]
    found = mm.gate(LABEL, SCORES, texts, baseline="old", group=queries)
    right = mm.interval(LABEL, NEW, "mean_over(auc)", group=queries)
    paired = mm.compare(LABEL, SCORES, "mean_over(auc)", group=queries).rows[0]
    mean, gap, whole = found.rows
    assert (mean.value, mean.low) == (right.value, right.low)
    assert (gap.difference, gap.low) == (paired.difference, paired.low)
    assert whole.value == mm.auc(LABEL, NEW)
    with pytest.raises(mm.DataError, match=r"is a mean over groups, but there are no groups"):
        mm.gate(LABEL, NEW, texts[0])


def test_infinite_values_and_limits():
    scores = np.where(LABEL, NEW, 0.2)
    scores[np.flatnonzero(LABEL)[0]] = 0
    infinite = only_row(LABEL, scores, "log_loss <= 0.5")
    assert (infinite.status, infinite.value) == ("failed", math.inf)
    assert infinite.reason.endswith("so that the expected loss is infinite")
    assert only_row(LABEL, scores, "log_loss >= 0.5").status == "passed"
    assert not mm.gate(LABEL, scores, "log_loss <= 0.5", undecided="pass").passed
    with pytest.raises(AssertionError, match="failed, since a case had probability 0"):
        mm.evaluate(LABEL, scores, "log_loss").require("log_loss <= 0.5")
    # A ratio that is infinite in a sample may be finite in the population.
    assert only_row(LABEL, scores, "lr_plus <= 1000").status == "undecided"
    scores[np.flatnonzero(LABEL)[0]] = 1
    limited = only_row(LABEL, scores, "log_loss <= 5")
    assert (limited.status, limited.high) == ("undecided", math.inf)
    assert limited.reason == "a limit is infinite"
    assert only_row(LABEL, scores, "log_loss >= 0.01").status == "passed"


def test_a_measure_without_an_interval_and_one_without_direction():
    statistic = only_row(LABEL, NEW, "hosmer_lemeshow <= 1000")
    assert statistic.status == "undecided"
    assert "test statistic" in statistic.reason
    slopes = [
        "calibration_slope >= 0.2",
        "calibration_slope <= 5",
        "calibration_slope > baseline - 3",
    ]
    assert mm.gate(LABEL, SCORES, slopes, baseline="old", resamples=200).passed


def test_dropped_cases_are_counted():
    scores = NEW.copy()
    scores[:7] = np.nan
    found = mm.gate(LABEL, scores, "auc >= 0.6", nan_policy="drop")
    assert "393 cases, " in str(found)
    assert "7 left out for missing values" in str(found)


def test_the_same_seed_gives_the_same_limits():
    options = {"require": ["ks >= 0.3", "mcc >= baseline"], "baseline": "old", "resamples": 200}
    first = mm.gate(LABEL, SCORES, seed=5, workers=1, **options)
    assert first.rows == mm.gate(LABEL, SCORES, seed=5, workers=2, **options).rows


# ---- the result


@pytest.mark.parametrize("several", [dict, pl.DataFrame], ids=["dict", "frame"])
def test_requirements_by_one_of_several_arrays_of_groups(several):
    half = np.arange(LABEL.size) % 2
    texts = ["auc >= 0.6 by site", "auc >= 0.6 by half"]
    found = mm.gate(LABEL, NEW, texts, group=several({"site": SITE, "half": half}))
    assert [row.group for row in found.rows] == ["north", "south", "west", "0", "1"]
    frame = FRAME.select("y", "new").with_columns(site=SITE, half=half)
    assert found.rows == mm.gate(frame, texts, label="y", score="new").rows
    named = mm.gate(LABEL, NEW, texts[0], group=pl.Series("site", SITE))
    assert [row.value for row in named.rows] == [row.value for row in found.rows[:3]]
    groups = {"site": SITE, "half": half}
    for text in ("auc >= 0.6", "auc >= 0.6 by age"):
        with pytest.raises(mm.ParameterError, match=r"write e.g. 'auc >= 0.6 by site'"):
            mm.gate(LABEL, NEW, text, group=groups)
    with pytest.raises(mm.ParameterError, match=r"no groups 'group'.*write 'by site'"):
        mm.gate(LABEL, NEW, ["auc >= 0.6 by group", texts[0]], group=groups)


@pytest.mark.parametrize(
    ("undecided", "outcome", "counts"),
    [
        (None, "undecided", {"failures": "0", "errors": "1", "skipped": "0"}),
        ("pass", "passed", {"failures": "0", "errors": "0", "skipped": "1"}),
        ("fail", "failed", {"failures": "1", "errors": "0", "skipped": "0"}),
    ],
)
def test_what_undecided_requirements_count_as(undecided, outcome, counts):
    found = mm.gate(LABEL, NEW, ["auc >= 0.6", "auc >= 0.9"], undecided=undecided)
    assert statuses(found) == ["passed", "undecided"]
    assert (found.outcome, found.passed) == (outcome, outcome == "passed")
    suite = ET.fromstring(found.to_junit()).find("testsuite")  # noqa: S314 - our own text
    assert suite.attrib.items() >= {"tests": "2", **counts}.items()


def test_the_first_line_says_what_undecided_counts_as():
    found = mm.gate(LABEL, NEW, "auc >= 0.9", undecided="pass")
    assert found.summary == "gate passed: 1 undecided (counted as passed)"
    found = mm.gate(LABEL, NEW, "auc >= 0.6", undecided="fail")
    assert found.summary == "gate passed: 1 passed"


def test_a_terminal_shows_results_in_their_colors_and_each_group_with_its_limits():
    long = np.where(np.equal(SITE, "north"), "a group with a long name", SITE)
    texts = ["auc >= 0.6", "auc >= baseline - 0.5 by group", "auc >= 0.9 by group", "auc >= 0.99"]
    found = mm.gate(LABEL, SCORES, texts, baseline="old", score="new", group=long)
    console = Console(width=80, force_terminal=True, color_system="standard")
    with console.capture() as shown:
        console.print(as_rich(found.page(), 80))
    lines = shown.get().splitlines()
    for status, color in {"passed": "32", "undecided": "1;33", "failed": "1;31"}.items():
        colored = [line for line in lines if f"\x1b[{color}m{status}" in line]
        assert len(colored) == sum(row.status == status for row in found.rows) > 0
    # One table: every line of a group has its name and its estimate.
    groups = [line for line in lines if "(n = " in line]
    assert len(groups) == 6
    assert all(re.search(r"\(n = \d+\).*(passed|undecided|failed).* [+-]?0\.\d", g) for g in groups)


def test_a_failure_weighs_more_than_what_is_undecided():
    for undecided in (None, "pass", "fail"):
        texts = ["auc >= 0.9", "auc >= 0.99", "auc >= 0.6"]
        assert mm.gate(LABEL, NEW, texts, undecided=undecided).outcome == "failed"


def test_a_junit_report_says_why():
    hostile = '<b>"&\x1b[31m'
    group = np.where(SITE == "north", hostile, "other")
    found = mm.gate(LABEL, NEW, ["auc >= 0.99", "auc >= 0.6 by group"], group=group)
    suite = ET.fromstring(found.to_junit()).find("testsuite")  # noqa: S314
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [
        "auc >= 0.99",
        'auc >= 0.6 by group, group <b>"&\\x1b[31m',
        "auc >= 0.6 by group, group other",
    ]
    assert cases[0].find("failure").get("message").startswith("failed: value 0.9")
    assert [len(case) for case in cases] == [1, 0, 0]
    assert suite.find("system-out").text.startswith("gate failed: 2 passed, 1 failed\n")


# ---- requirements on an evaluation


def test_an_evaluation_that_meets_requirements():
    result = mm.evaluate(LABEL, {"new": NEW}, "auc, brier")
    result.require("auc >= 0.7", "brier <= 0.2")
    for text in ("auc >= 0.99", "auc >= 0.9"):  # failed, undecided
        with pytest.raises(
            AssertionError, match=rf"(?s)gate (failed|undecided).*{text} +(failed|undecided) +0\.9"
        ):
            result.require("auc >= 0.7", text)
    result.require("auc >= 0.9", undecided="pass")


def test_an_evaluation_decides_as_a_gate():
    """With one requirement nothing is adjusted; with several, only limits of failures are."""
    result = mm.evaluate(LABEL, SCORES, "auc, accuracy, tpr", group=SITE)
    for bound in np.arange(0.5, 1, 0.02):
        for text in (f"auc >= {bound:.2f}", f"tpr < {bound:.2f}"):
            found = mm.gate(LABEL, NEW, text)
            if found.passed:
                result.require(text, model="new")
                continue
            with pytest.raises(AssertionError) as raised:
                result.require(text, model="new")
            assert str(raised.value).splitlines()[1:4] == str(found).splitlines()[:3]
    result.require("accuracy >= 0.5 by group", model="old")


def test_limits_of_failures_are_extended():
    """Wilson's limits are not symmetric, so that the extended ones only come near."""
    label, scores = shares(170, 200)
    result = mm.evaluate(label, {"a": scores}, "accuracy, error_rate, tpr", mute="MM05")
    texts = ["accuracy >= 0.1", "tpr >= 0.1", "accuracy >= 0.9"]
    adjusted = stats.binomtest(170, 200).proportion_ci(1 - 0.05 / 3, method="wilson").high
    with pytest.raises(AssertionError) as raised:
        result.require(*texts)
    line = next(line for line in str(raised.value).splitlines() if texts[2] in line)
    high = float(line.split("–")[1].split()[0])
    assert high == pytest.approx(adjusted, abs=0.005)


@pytest.mark.parametrize(
    ("texts", "options", "message"),
    [
        (["auc >= baseline"], {"model": "new"}, "needs the cases; use mm.gate"),
        (["auc >= 0.5 by site"], {"model": "new"}, "write 'by group'"),
        (["auc >= 0.5 by group"], {"model": "new"}, "there are no groups; evaluate with group"),
        (["ks >= 0.5"], {"model": "new"}, 'ks was not evaluated; evaluate with measures="ks"'),
        (["auc >= 0.5"], {}, 'model is needed: the evaluation has 2 models; pass e.g. model="new"'),
        (["auc >= 0.5"], {"model": "x"}, "model must be one of 'new', 'old', got 'x'"),
        (["auc >= 0.5"], {"model": "new", "undecided": "x"}, "undecided must be one of"),
        (["auc => 0.5"], {"model": "new"}, "got '=>'"),
        ([], {"model": "new"}, "require is empty"),
    ],
)
def test_wrong_requirements_on_an_evaluation(texts, options, message):
    result = mm.evaluate(LABEL, SCORES, "auc")
    with pytest.raises(mm.ParameterError, match=message):
        result.require(*texts, **options)
    with pytest.raises(mm.ParameterError, match=r"has none; evaluate with ci=0\.95"):
        mm.evaluate(LABEL, NEW, "auc", ci=None).require("auc >= 0.5")


def test_undefined_and_missing_intervals_of_an_evaluation():
    result = mm.evaluate(LABEL, {"a": NEW}, "hosmer_lemeshow")
    with pytest.raises(AssertionError, match="undecided, since there is no interval"):
        result.require("hosmer_lemeshow <= 1000")
    rng = np.random.default_rng(4)
    label = rng.integers(3, size=200)
    classes = mm.evaluate(label, rng.dirichlet([1, 1, 1], 200), "accuracy, log_loss")
    classes.require("accuracy >= 0.1", "log_loss < 10")


TEST_FILE = """
import metameasure as mm

y_true = [1, 0, 1, 0, 0, 1, 1, 0] * 25
result = mm.evaluate(y_true, [0.9, 0.2, 0.6, 0.4, 0.7, 0.8, 0.5, 0.1] * 25, "auc, brier")

def test_ranking():
    result.require("auc >= 0.75")

def test_probabilities():
    result.require("brier <= 0.05")
"""


def test_requirements_in_pytest(tmp_path):
    path = tmp_path / "test_model.py"
    path.write_text(TEST_FILE)
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", path],
        check=False, capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    assert "gate failed: 1 failed" in done.stdout
    assert "brier <= 0.05  failed  0." in done.stdout
