"""Models against true probabilities: values by hand, t tests by scipy, weights, groups, files."""

import json
import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from scipy.special import expit

import metameasure as mm
from metameasure.errors import DataError, ParameterError
from metameasure.plots import ForestDisplay

RNG = np.random.default_rng(4)
LOGIT = RNG.normal(size=90)
TRUE = expit(LOGIT)
MODELS = {
    "near": expit(LOGIT + 0.3 * RNG.normal(size=90)),
    "far": expit(LOGIT + 0.9 * RNG.normal(size=90)),
}
WEIGHT = RNG.integers(0, 4, 90)
LOSSES = {
    "brier": lambda p, s: (p - s) ** 2,
    "log_loss": lambda p, s: -p * np.log(s) - (1 - p) * np.log(1 - s),
}


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_values_are_means_of_losses(weight):
    result = mm.evaluate(TRUE, MODELS, soft=True, sample_weight=weight)
    assert [str(row.measure) for row in result.rows[:3]] == ["rms", "brier", "log_loss"]
    for name, scores in MODELS.items():
        for text, loss in LOSSES.items():
            right = np.average(loss(TRUE, scores), weights=weight)
            assert result.value(text, model=name) == pytest.approx(right)
            low, high = result.interval(text, model=name)
            assert low < right < high
        square = result.value("brier", model=name)
        assert result.value("rms", model=name) == pytest.approx(math.sqrt(square))
        limits = np.sqrt(result.interval("brier", model=name))
        assert result.interval("rms", model=name) == pytest.approx(tuple(limits))
    assert {row.method for row in result.rows} == {"empirical_likelihood"}
    cases = 90 if weight is None else np.count_nonzero(weight)
    assert f"\n{cases} cases; 95% confidence intervals" in str(result)


def test_weights_that_are_counts_have_wider_limits_than_repeated_cases():
    repeated = mm.interval(
        np.repeat(TRUE, WEIGHT), np.repeat(MODELS["far"], WEIGHT), "brier", soft=True
    )
    weighted = mm.interval(TRUE, MODELS["far"], "brier", soft=True, sample_weight=WEIGHT)
    clusters = np.repeat(np.arange(90), WEIGHT)
    given = np.repeat(TRUE, WEIGHT), np.repeat(MODELS["far"], WEIGHT)
    clustered = mm.interval(*given, "brier", soft=True, cluster=clusters)
    assert repeated.value == pytest.approx(weighted.value) == pytest.approx(clustered.value)
    width = repeated.high - repeated.low
    assert weighted.high - weighted.low > 1.1 * width
    assert clustered.high - clustered.low > 1.1 * width


def test_the_limits_cover_the_mean_loss():
    def drawn(rng, n):
        logit = rng.normal(size=n)
        return expit(logit), expit(logit + 0.5 * rng.normal(size=n))

    rng, inside = np.random.default_rng(2), 0
    right = mm.brier(*drawn(rng, 10**6), soft=True)
    for _ in range(200):
        found = mm.interval(*drawn(rng, 60), "brier", soft=True)
        inside += found.low <= right <= found.high
    assert 0.88 < inside / 200 < 0.99


@pytest.mark.parametrize("text", list(LOSSES))
def test_pairs_are_compared_by_the_t_test_of_their_losses(text):
    (row,) = mm.compare(TRUE, MODELS, text, soft=True).rows
    first, second = (LOSSES[text](TRUE, MODELS[name]) for name in ("near", "far"))
    right = stats.ttest_rel(first, second)
    assert (row.difference, row.pvalue) == pytest.approx(
        (np.mean(first - second), right.pvalue), rel=1e-9
    )
    assert (row.low, row.high) == pytest.approx(tuple(right.confidence_interval()))
    assert row.method == "normal"


def test_weighted_and_clustered_pairs():
    weighted = mm.compare(TRUE, MODELS, "brier", soft=True, sample_weight=WEIGHT).rows[0]
    gaps = LOSSES["brier"](TRUE, MODELS["near"]) - LOSSES["brier"](TRUE, MODELS["far"])
    mean = np.average(gaps, weights=WEIGHT)
    used = WEIGHT > 0
    units = np.count_nonzero(used)
    square = np.sum((WEIGHT * (gaps - mean)) ** 2) / WEIGHT.sum() ** 2 * units / (units - 1)
    effective = WEIGHT.sum() ** 2 / np.sum(WEIGHT**2)
    pvalue = 2 * stats.t.sf(abs(mean) / math.sqrt(square), effective - 1)
    assert (weighted.difference, weighted.pvalue) == pytest.approx((mean, pvalue))
    assert weighted.method == "linearized"
    copies = [np.repeat(values, 3) for values in (TRUE, *MODELS.values())]
    models, cluster = dict(zip(MODELS, copies[1:], strict=True)), np.repeat(np.arange(90), 3)
    clustered = mm.compare(copies[0], models, "brier", soft=True, cluster=cluster).rows[0]
    alone = mm.compare(TRUE, MODELS, "brier", soft=True).rows[0]
    assert clustered.pvalue == pytest.approx(alone.pvalue, rel=1e-6)


def test_by_default_the_brier_score_is_compared_and_equal_models_are_equal():
    (row,) = mm.compare(TRUE, {"a": MODELS["far"], "b": MODELS["far"]}, soft=True).rows
    assert (row.measure, row.low, row.high, row.pvalue) == ("brier", 0, 0, 1)


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_the_rms_is_compared_to_the_first_order(weight):
    (row,) = mm.compare(TRUE, MODELS, "rms", soft=True, sample_weight=weight).rows
    share = np.full(90, 1 / 90) if weight is None else weight / weight.sum()
    squares = {name: LOSSES["brier"](TRUE, scores) for name, scores in MODELS.items()}
    values = {name: math.sqrt(share @ losses) for name, losses in squares.items()}
    terms = [share * (squares[m] - values[m] ** 2) / (2 * values[m]) for m in MODELS]
    units = np.count_nonzero(share)
    error = math.sqrt(np.sum((terms[0] - terms[1]) ** 2) * units / (units - 1))
    gap = values["near"] - values["far"]
    degrees = 1 / np.sum(share**2) - 1
    assert (row.difference, row.pvalue) == pytest.approx(
        (gap, 2 * stats.t.sf(abs(gap) / error, degrees)), rel=1e-6
    )
    (drawn,) = mm.compare(
        TRUE, MODELS, "rms", soft=True, sample_weight=weight, method="bootstrap"
    ).rows
    assert (drawn.low, drawn.high) == pytest.approx((row.low, row.high), abs=0.02)


def test_a_bootstrap_draws_cases():
    found = mm.interval(TRUE, MODELS["far"], "brier", soft=True, method="percentile")
    rng, losses = np.random.default_rng(1), LOSSES["brier"](TRUE, MODELS["far"])
    drawn = rng.choice(losses, (20_000, 90)).mean(axis=1)
    assert (found.low, found.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), rel=0.05)


def test_an_infinite_loss_is_clipped_in_the_default_list_and_explained():
    true, score = np.append(TRUE, 0.4), np.append(MODELS["near"], 1.0)
    result = mm.evaluate(true, {"a": score}, soft=True)
    assert [str(row.measure) for row in result.rows] == ["rms", "brier", "log_loss(clip=1e-15)"]
    (check,) = (check for check in result.checks if check.code != "MM09")
    assert (check.code, "1 case had probability 0" in check.message) == ("MM22", True)
    with_name = mm.evaluate(true, {"a": score}, "log_loss", soft=True)
    assert math.isinf(with_name.value("log_loss"))


def test_groups_are_evaluated_separately():
    group = np.repeat(["x", "y", "z"], 30)
    result = mm.evaluate(TRUE, MODELS, "brier", soft=True, group=group)
    assert [(row.group, row.n) for row in result.rows[::2]] == [
        (None, 90), ("x", 30), ("y", 30), ("z", 30)
    ]  # fmt: skip
    right = np.mean(LOSSES["brier"](TRUE, MODELS["far"])[group == "y"])
    assert result.value("brier", model="far", group="y") == pytest.approx(right)
    assert "all cases" in str(result)


def test_files_and_frames(tmp_path, run):
    frame = pl.DataFrame({"p": TRUE, **MODELS, "w": WEIGHT, "site": ["x", "y"] * 45})
    path = tmp_path / "cases.csv"
    frame.write_csv(path)
    names = list(MODELS)
    right = mm.evaluate(TRUE, MODELS, soft=True, sample_weight=WEIGHT)
    for data in (frame, frame.lazy(), frame.to_pandas(), path):
        found = mm.evaluate(data, names, label="p", weight="w", soft=True)
        assert [row.value for row in found.rows] == [row.value for row in right.rows]
        assert [row.low for row in found.rows] == [row.low for row in right.rows]
    pandas = mm.evaluate(frame.to_pandas(), names, label="p", soft=True)
    assert isinstance(pandas.frame(), pd.DataFrame)
    asked = (path, "--label", "p", "--score", "near,far", "--soft", "--format", "json")
    code, out, _ = run("evaluate", *asked, "--weight", "w", "--group", "site")
    assert code == 0
    rows = json.loads(out)["rows"]
    assert [row["value"] for row in rows[:6]] == pytest.approx([row.value for row in right.rows])
    assert len(rows) == 18
    code, out, _ = run("compare", *asked)
    assert code == 0
    assert json.loads(out)["rows"][0]["measure"] == "brier"
    one = mm.interval(path, "brier", label="p", score="near", soft=True)
    assert one.value == pytest.approx(np.mean(LOSSES["brier"](TRUE, MODELS["near"])))
    code, _, err = run("evaluate", path, "--score", "near", "--soft")
    assert code == 2
    assert "--label must name the column of the true probabilities" in err
    code, _, err = run("evaluate", *asked, "--measures", "auc")
    assert code == 2
    assert "auc is a measure of labels and does not support true probabilities" in err


def test_they_are_drawn_in_a_forest():
    display = ForestDisplay.from_predictions(TRUE, MODELS, measures="rms", soft=True)
    drawn = {name: display.artists_[f"rms ↓: {name}"].get_xdata()[0] for name in MODELS}
    right = {name: mm.rms(TRUE, scores, soft=True) for name, scores in MODELS.items()}
    assert drawn == pytest.approx(right)


def test_missing_values_are_dropped_for_all_models():
    true = [0.5, math.nan, 0.25, 0.75]
    models = {"a": [0.5, 0.5, 0.5, 0.5], "b": [0.5, 0.5, None, 0.5]}
    result = mm.evaluate(true, models, "brier", soft=True, nan_policy="drop", ci=None)
    assert [row.value for row in result.rows] == [0.0625 / 2] * 2
    assert {(row.n, row.dropped) for row in result.rows} == {(2, 2)}
    with pytest.raises(DataError, match="1 of 4 values of y_true are missing") as raised:
        mm.evaluate(true, models, "brier", soft=True)
    assert raised.value.argument == "y_true"


def test_the_measure_in_a_result_is_a_value():
    measure = mm.evaluate(TRUE, MODELS, "log_loss(clip=0.01)", soft=True).rows[0].measure
    assert str(measure) == "log_loss(clip=0.01)"
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301 - made here


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": "auc"}, "auc is a measure of labels .* use one of brier, rms, log_loss"),
        ({"pos_label": 1}, "pos_label does not apply to true probabilities"),
        ({"rescale": "minmax"}, "rescale does not apply to true probabilities"),
        ({"order": True}, "order does not apply to true probabilities"),
        ({"stratified": True}, "stratified does not apply to true probabilities"),
        ({"method": "wilson"}, 'method="wilson" does not apply to brier'),
        ({"method": "jackknife"}, "needs an order of items"),
        ({"soft": "p"}, "soft must be True or False, got 'p'"),
        ({"label": "y"}, "label names a column"),
        ({"measures": "mean_over(brier)", "group": np.arange(90) % 3}, "mean_over.brier. is a"),
    ],
)
def test_what_is_refused(options, message):
    given = {"measures": "brier", "soft": True, **options}
    with pytest.raises(ParameterError, match=message):
        mm.evaluate(TRUE, MODELS, **given)


def test_other_refusals():
    with pytest.raises(ParameterError, match="group needs a mean over groups; remove group"):
        mm.compare(TRUE, MODELS, soft=True, group=TRUE > 0.5)
    with pytest.raises(DataError, match=r"far must be probabilities in \[0, 1\], got 1.5 at row 0"):
        mm.evaluate(TRUE[:2], {"far": [1.5, 0.2]}, soft=True)
    with pytest.raises(DataError, match="true probabilities cannot be used for a gate"):
        mm.gate(TRUE, MODELS["near"], ["brier <= 0.1"], soft=True)
    with pytest.raises(DataError, match="y_true and far differ in length: 90 and 2"):
        mm.evaluate(TRUE, {"far": [0.5, 0.2]}, soft=True)
    with pytest.raises(ParameterError, match="soft does not apply to score tables"):
        mm.evaluate(mm.tabulate([0, 1], [0.1, 0.2]), soft=True)
    plain = mm.evaluate(TRUE > 0.5, MODELS, "brier", soft=False)
    assert plain.rows[0].n_pos == np.count_nonzero(TRUE > 0.5)


@pytest.mark.parametrize(("mean", "degrees"), [(0.0, 3), (-3.0, 200)])
def test_limits_of_few_true_probabilities(mean, degrees):
    """Heavy tails and rare positives, 25 cases; the standard error of 92% is 1.4%."""

    def drawn(rng, size):
        logit = rng.normal(mean, 1.5, size)
        error = np.clip(rng.standard_t(degrees, size), -20, 20)
        return expit(logit), expit(logit + (0.5 if degrees == 3 else 0.7) * error)

    rng, covered = np.random.default_rng(3), 0
    true, score = drawn(rng, 10**6)
    right = np.mean((true - score) ** 2)
    for _ in range(400):
        found = mm.interval(*drawn(rng, 25), "brier", soft=True)
        covered += found.low <= right <= found.high
    assert covered / 400 >= 0.92 - 2.33 * 0.0136


@pytest.mark.parametrize(
    ("measure", "cases", "expected"),
    [("brier", 99, ["MM09"]), ("rms", 99, ["MM09"]), ("brier", 100, []), ("log_loss", 99, [])],
)
def test_few_true_probabilities_may_lack_large_errors(measure, cases, expected):
    logit = np.random.default_rng(1).normal(size=cases)
    found = mm.interval(expit(logit), expit(logit / 2), measure, soft=True)
    assert [check.code for check in found.checks] == expected
