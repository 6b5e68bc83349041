"""Orders of items: values by scipy, intervals and tests by the jackknife, groups and files."""

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import metameasure as mm
from metameasure.data import Orders
from metameasure.errors import DataError, ParameterError
from metameasure.inference import OrderSample
from metameasure.plots import ForestDisplay


def predictions(n=60, seed=3, ties=False):
    """True values of items, and the predictions of two models."""
    rng = np.random.default_rng(seed)
    true = rng.normal(size=n)
    models = {"near": true + rng.normal(size=n), "far": true + 3 * rng.normal(size=n)}
    if ties:
        true = np.round(true)
        models = {name: np.round(values) for name, values in models.items()}
    return true, models


TRUE, MODELS = predictions()
BY_SCIPY = {
    "kendall_tau": lambda a, b: stats.kendalltau(a, b).statistic,
    "spearman_rho": lambda a, b: stats.spearmanr(a, b).statistic,
}


def leave_one_out(measure, true, predicted):
    """The value without each of the items."""
    kept = [np.arange(true.size) != item for item in range(true.size)]
    return np.array([measure(true[rows], predicted[rows]) for rows in kept])


@pytest.mark.parametrize("ties", [False, True])
def test_values_are_those_of_scipy(ties):
    true, models = predictions(ties=ties)
    result = mm.evaluate(true, models, list(BY_SCIPY), order=True)
    for row in result.rows:
        assert row.value == pytest.approx(BY_SCIPY[str(row.measure)](true, models[row.model]))
        assert row.low < row.value < row.high
        assert (row.n, row.n_pos, row.method) == (60, None, "jackknife")
    assert "60 items; 95% confidence intervals" in str(result)


@pytest.mark.parametrize("text", list(BY_SCIPY))
def test_limits_are_on_the_logit_scale_of_the_jackknife(text):
    found = mm.interval(TRUE, MODELS["near"], text, order=True, ci=0.9)
    left_out = leave_one_out(BY_SCIPY[text], TRUE, MODELS["near"])
    error = math.sqrt(59 / 60 * np.sum((left_out - left_out.mean()) ** 2))
    share = (found.value + 1) / 2
    reach = stats.t.ppf(0.95, 59) * error / 2 / (share * (1 - share))
    ends = 2 / (1 + np.exp(-(math.log(share / (1 - share)) + np.array([-reach, reach])))) - 1
    assert [found.low, found.high] == pytest.approx(ends)


def test_limits_of_distances_are_on_the_log_scale():
    found = mm.interval(TRUE, MODELS["near"], "reversed_pairs", order=True)
    left_out = leave_one_out(mm.reversed_pairs, TRUE, MODELS["near"])
    error = math.sqrt(59 / 60 * np.sum((left_out - left_out.mean()) ** 2))
    reach = math.exp(stats.t.ppf(0.975, 59) * error / found.value)
    assert [found.low, found.high] == pytest.approx([found.value / reach, found.value * reach])


@pytest.mark.parametrize("text", list(BY_SCIPY))
def test_the_paired_test_is_the_t_test_of_the_jackknife(text):
    (row,) = mm.compare(TRUE, MODELS, text, order=True).rows
    measure = BY_SCIPY[text]
    first, second = (leave_one_out(measure, TRUE, MODELS[name]) for name in ("near", "far"))
    gaps = first - second
    error = math.sqrt(59 / 60 * np.sum((gaps - gaps.mean()) ** 2))
    gap = measure(TRUE, MODELS["near"]) - measure(TRUE, MODELS["far"])
    assert row.difference == pytest.approx(gap)
    assert row.pvalue == pytest.approx(2 * stats.t.sf(gap / error, 59))
    assert row.high - row.low == pytest.approx(2 * stats.t.ppf(0.975, 59) * error)
    assert row.method == "jackknife"


def test_by_default_orders_are_compared_by_kendalls_tau():
    found = mm.compare(TRUE, MODELS, order=True)
    assert [row.measure for row in found.rows] == ["kendall_tau"]
    assert "60 items" in str(found)


def test_a_bootstrap_draws_items_with_the_ranks_of_scipy():
    ranking = mm.Ranking.of(TRUE, MODELS["near"])
    counts = np.random.default_rng(0).multinomial(60, np.full(60, 1 / 60), size=4).astype(float)
    block = ranking.counting(counts)
    for place, row in enumerate(counts.astype(int)):
        drawn = np.repeat(TRUE, row), np.repeat(MODELS["near"], row)
        assert block.true[place].tolist() == stats.rankdata(drawn[0]).tolist()
        assert block.predicted[place].tolist() == stats.rankdata(drawn[1]).tolist()
    bootstrap = mm.interval(TRUE, MODELS["near"], "kendall_tau", order=True, method="bca")
    jackknife = mm.interval(TRUE, MODELS["near"], "kendall_tau", order=True)
    assert bootstrap.low == pytest.approx(jackknife.low, abs=0.05)
    assert bootstrap.high == pytest.approx(jackknife.high, abs=0.05)
    (row,) = mm.compare(TRUE, MODELS, order=True, method="bootstrap").rows
    assert row.pvalue < 0.05


@pytest.mark.parametrize("n", [1, 5, 203, 10_101])
def test_groups_of_a_jackknife_have_equal_size_and_no_common_items(n):
    sample = OrderSample.of(Orders.of(np.arange(n), {"m": np.arange(n)}))
    out = 1 - np.array(list(sample.leave_out(np.random.default_rng(0))))
    assert len(out) == min(n, 200 if n <= 10_000 else 40)
    assert len(set(out.sum(axis=1))) == 1
    assert out.sum(axis=0).max() == 1
    assert n - out.sum() < len(out)


def test_the_seed_chooses_the_groups_of_a_jackknife():
    rng = np.random.default_rng(7)
    true = rng.normal(size=450)
    models = {"a": true + rng.normal(size=450), "b": true + 2 * rng.normal(size=450)}

    def found(seed):
        one = mm.interval(true, models["a"], "kendall_tau", order=True, seed=seed)
        (row,) = mm.compare(true, models, "kendall_tau", order=True, seed=seed).rows
        return [one.low, one.high], [row.low, row.high]

    first, again, other = (found(seed) for seed in (1, 1, 2))
    assert first == again
    for one, two in zip(first, other, strict=True):
        assert one != two
        assert one == pytest.approx(two, abs=0.05)


def test_a_perfect_order_has_the_bound_and_a_constant_one_no_value():
    perfect = mm.interval(TRUE, 3 * TRUE, "kendall_tau", order=True)
    assert (perfect.value, perfect.high, perfect.method) == (1, 1, "bound")
    assert 0.8 < perfect.low < 1
    with pytest.warns(mm.UndefinedMeasureWarning, match="kendall_tau of model and 1 more"):
        result = mm.evaluate(TRUE, np.zeros(60), "kendall_tau, spearman_rho", order=True)
    assert {check.code for check in result.checks} == {"MM05"}
    (row,) = mm.compare(TRUE, {"a": TRUE, "b": 2 * TRUE}, order=True).rows
    assert (row.low, row.high, row.pvalue) == (0, 0, 1)


def test_one_item_has_values_without_intervals():
    result = mm.evaluate([4.0], [0.5], "reversed_pairs", order=True)
    assert (result.rows[0].value, result.rows[0].low) == (0, None)
    assert {check.code for check in result.checks} == {"MM01", "MM12"}


def test_groups_are_evaluated_separately():
    group = np.repeat(["x", "y"], 30)
    result = mm.evaluate(TRUE, MODELS, "kendall_tau", order=True, group=group)
    assert [(row.group, row.n) for row in result.rows[::2]] == [(None, 60), ("x", 30), ("y", 30)]
    for row in result.rows[2:]:
        rows = group == row.group
        right = stats.kendalltau(TRUE[rows], MODELS[row.model][rows]).statistic
        assert row.value == pytest.approx(right)
    assert "all items" in str(result)


QUERY = np.random.default_rng(5).permutation(np.repeat(np.arange(8), [2, 5, 6, 6, 7, 9, 11, 14]))


def over_queries(text, true, predicted):
    """The value of scipy on each query."""
    rows = [name == QUERY for name in range(8)]
    return np.array([BY_SCIPY[text](true[one], predicted[one]) for one in rows])


@pytest.mark.filterwarnings("ignore:An input array is constant")
@pytest.mark.parametrize("text", list(BY_SCIPY))
@pytest.mark.parametrize("ties", [False, True])
def test_means_over_queries_are_those_of_scipy(text, ties):
    true, models = predictions(ties=ties)
    if ties:
        true[QUERY == 3] = 1.0  # no order: the query has no value
    measure = mm.mean_over(text)
    expected = {name: over_queries(text, true, values) for name, values in models.items()}
    found = measure.values(true, models["near"], group=QUERY)
    assert found.group.tolist() == list(range(8))
    assert found.value == pytest.approx(expected["near"], nan_ok=True)
    result = mm.evaluate(true, models, [measure], order=True, group=QUERY)
    assert len(result.rows) == 2
    for row in result.rows:
        known = expected[row.model][~np.isnan(expected[row.model])]
        low, high = stats.t.interval(0.95, known.size - 1, known.mean(), stats.sem(known))
        assert (row.value, row.low, row.high) == pytest.approx((known.mean(), low, min(high, 1)))
    (gap,) = mm.compare(true, models, measure, order=True, group=QUERY).rows
    both = ~np.isnan(expected["near"]) & ~np.isnan(expected["far"])
    right = stats.ttest_rel(expected["near"][both], expected["far"][both])
    assert gap.pvalue == pytest.approx(right.pvalue)
    one = mm.interval(true, models["near"], measure, order=True, group=QUERY)
    assert one.value == pytest.approx(np.nanmean(expected["near"]))


def test_ranks_within_queries_do_not_depend_on_other_queries():
    text = "mean_over(manhattan_distance)"
    measure, oracle = mm.parse(text), mm.manhattan_distance
    shifted = MODELS["near"] + 100 * QUERY
    right = np.mean([oracle(TRUE[q == QUERY], MODELS["near"][q == QUERY]) for q in range(8)])
    assert measure(TRUE, shifted, group=QUERY) == pytest.approx(right)
    blocks = mm.Ranking([[1, 3, 2], [3, 2, 1]])
    assert measure(blocks) == (2 + 4) / 2


def test_a_mean_over_queries_beside_the_value_of_all_items(tmp_path, run):
    path = tmp_path / "queries.csv"
    pl.DataFrame({"price": TRUE, **MODELS, "query": QUERY}).write_csv(path)
    given = ("--order", "price", "--score", "near,far", "--group", "query", "--format", "json")
    code, out, _ = run("evaluate", path, *given, "--measures", "mean_over(kendall_tau),kendall_tau")
    rows = json.loads(out)["rows"]
    assert code == 0
    assert [(row["model"], row["measure"]) for row in rows[:4]] == [
        (model, measure)
        for model in ("near", "far")
        for measure in ("mean_over(kendall_tau)", "kendall_tau")
    ]
    assert len(rows) == 4 + 2 * 8
    code, out, _ = run("compare", path, *given, "--measures", "mean_over(kendall_tau)")
    assert code == 0
    assert json.loads(out)["rows"][0]["method"] == "normal"


def test_what_means_over_queries_refuse():
    measure = mm.mean_over("kendall_tau")
    with pytest.raises(ParameterError, match="pos_label does not apply to an order of items"):
        measure(TRUE, MODELS["near"], group=QUERY, pos_label=1)
    with pytest.raises(DataError, match="is a mean over groups, but there are no groups"):
        mm.evaluate(TRUE, MODELS, measure, order=True)
    with pytest.raises(ParameterError, match=r"mean_over\(auc\) is not a measure of an order"):
        mm.evaluate(TRUE, MODELS, "mean_over(auc)", order=True, group=QUERY)


def test_missing_values_are_dropped_for_all_models():
    true = [1.0, 2.0, math.nan, 4.0, 5.0]
    models = {"a": [1.0, 3.0, 2.0, 4.0, 5.0], "b": [5.0, math.nan, 3.0, 2.0, 1.0]}
    result = mm.evaluate(true, models, "kendall_tau", order=True, nan_policy="drop", ci=None)
    assert [row.value for row in result.rows] == [1, -1]
    assert {(row.n, row.dropped) for row in result.rows} == {(3, 2)}
    with pytest.raises(DataError, match="1 of 5 values of y_true are missing"):
        mm.evaluate(true, models, "kendall_tau", order=True)


def test_files_and_frames_name_the_column_of_the_true_values(tmp_path, run):
    frame = pl.DataFrame({"price": TRUE, **MODELS, "site": ["x"] * 30 + ["y"] * 30})
    path = tmp_path / "prices.csv"
    frame.write_csv(path)
    names = list(MODELS)
    right = mm.evaluate(TRUE, MODELS, order=True)
    for data in (frame, frame.lazy(), frame.to_pandas(), path):
        found = mm.evaluate(data, names, order="price")
        assert [row.value for row in found.rows] == [row.value for row in right.rows]
        assert [row.low for row in found.rows] == [row.low for row in right.rows]
    assert isinstance(mm.evaluate(frame.to_pandas(), names, order="price").frame(), pd.DataFrame)
    asked = (str(path), "--order", "price", "--score", "near,far", "--format", "json")
    code, out, _ = run("evaluate", *asked, "--group", "site")
    assert code == 0
    rows = json.loads(out)["rows"]
    assert [row["value"] for row in rows[:8]] == pytest.approx([row.value for row in right.rows])
    code, out, _ = run("compare", *asked)
    assert code == 0
    assert json.loads(out)["rows"][0]["measure"] == "kendall_tau"
    (only,) = [mm.interval(path, "spearman_rho", order="price", score="near").value]
    assert only == pytest.approx(stats.spearmanr(TRUE, MODELS["near"]).statistic)


def test_the_one_numeric_column_is_inferred_as_the_score(tmp_path, run):
    path = tmp_path / "prices.csv"
    pl.DataFrame({"price": TRUE, "guess": MODELS["near"]}).write_csv(path)
    code, _, err = run("evaluate", path, "--order", "price")
    assert (code, err) == (0, "took guess as the score\n")


def test_orders_are_drawn_in_a_forest():
    display = ForestDisplay.from_predictions(TRUE, MODELS, measures="kendall_tau", order=True)
    right = {name: stats.kendalltau(TRUE, values).statistic for name, values in MODELS.items()}
    drawn = {name: display.artists_[f"kendall_tau ↑: {name}"].get_xdata()[0] for name in MODELS}
    assert drawn == pytest.approx(right)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sample_weight": np.ones(60)}, "sample_weight does not apply to an order of items"),
        ({"cluster": np.arange(60)}, "cluster does not apply to an order of items"),
        ({"pos_label": 1}, "pos_label does not apply to an order of items"),
        ({"stratified": True}, "stratified does not apply to an order of items"),
        ({"order": "price"}, 'order="price" names a column, but the data have none; pass True'),
        ({"measures": "auc"}, "auc is not a measure of an order of items; use one of euclidean"),
        ({"method": "wilson"}, 'method="wilson" does not apply to kendall_tau'),
        ({"label": "y"}, "label names a column"),
    ],
)
def test_what_orders_refuse(options, message):
    given = {"measures": "kendall_tau", "order": True, **options}
    with pytest.raises(ParameterError, match=message):
        mm.evaluate(TRUE, MODELS, **given)


def test_refusals_of_frames_groups_and_other_subjects():
    frame = pl.DataFrame({"price": TRUE, **MODELS})
    with pytest.raises(ParameterError, match="order must name the column of the true values"):
        mm.evaluate(frame, "near", order=True)
    with pytest.raises(ParameterError, match="there is no column 'prize'; did you mean 'price'"):
        mm.evaluate(frame, "near", order="prize")
    with pytest.raises(ParameterError, match="label does not apply to an order of items"):
        mm.evaluate(frame, "near", order="price", label="far")
    with pytest.raises(ParameterError, match="cannot be both the order and a score"):
        mm.evaluate(frame, "price", order="price")
    with pytest.raises(ParameterError, match=r"group needs .* such as mean_over\(kendall_tau\)"):
        mm.compare(TRUE, MODELS, order=True, group=TRUE > 0)
    with pytest.raises(ParameterError, match="needs an order of items"):
        mm.interval(TRUE > 0, MODELS["near"], "auc", method="jackknife")


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([1.5, 2.0, 3.0], "a binary measure needs two; for true values of items, pass order=True"),
        ([1, 2, 3], "named with proba; for true values of items, pass order=True to mm.evaluate"),
        ([0.1, 0.5, 1.0], "order=True to mm.evaluate; for true probabilities, pass soft=True"),
        ([0.2, 0.8, 0.8], "or pos_label=0.8; for true probabilities, pass soft=True to mm.ev"),
    ],
)
def test_the_error_about_labels_names_the_options_for_values(labels, message):
    with pytest.raises(DataError, match=message):
        mm.rms(labels, [0.1, 0.2, 0.3])


def test_the_error_about_classes_as_text_names_no_order():
    with pytest.raises(DataError, match="a binary measure needs two") as caught:
        mm.rms(["a", "b", "c"], [0.1, 0.2, 0.3])
    assert "order=True" not in str(caught.value)
