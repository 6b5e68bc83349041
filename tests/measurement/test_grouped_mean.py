"""Means over queries: slow definitions, peers, odd groups, speed, intervals, checks and texts."""

import json
import math
import pickle
import sys
from contextlib import suppress
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import average_precision_score, ndcg_score

import metameasure as mm
from common.checks import assert_same, oracle_value
from metameasure.cli import main
from metameasure.data import queries as blocks
from metameasure.data.groups import Groups
from metameasure.inference import PairPlan, Plan
from metameasure.inference.grouped_means import differences_of_groups, interval_of_groups
from metameasure.measurement import registry
from oracles import queries as oracle
from strategies import cases

INNER = [
    "average_precision",
    "average_precision(interpolation=davis_goadrich)",
    "average_precision(interpolation=11_point)",
    "ndcg",
    "ndcg(k=3)",
    "reciprocal_rank",
    "precision@k=2",
    "precision@top=50%",
    "precision@k=P",
    "auc",
    "brier",
    "f_measure@0.5",
]
MAP = mm.mean_over("average_precision")


def drawn(sizes, seed=0, share=0.3):
    """Labels, distinct scores and groups of the given numbers of cases, in random order."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(len(sizes)), sizes)
    rng.shuffle(group)
    label = rng.random(group.size) < share
    return label, rng.permutation(group.size) / group.size, group


# --- values


@pytest.mark.parametrize("text", INNER)
@given(data=st.data(), listed=cases(max_size=14))
def test_the_mean_is_that_of_the_definition(text, data, listed):
    measure = mm.mean_over(text)
    groups = data.draw(st.lists(st.integers(0, 3), min_size=len(listed), max_size=len(listed)))
    if not any(weight for _, _, weight in listed):
        return
    expected = oracle.by_group(groups, listed, lambda some: oracle_value(measure.inner, some))
    label, score, weight = zip(*listed, strict=True)
    given_arrays = label, score
    options = {"group": groups, "sample_weight": [float(w) for w in weight]}
    names, values = measure.values(*given_arrays, **options)
    assert names.tolist() == list(expected)
    for value, known in zip(values, expected.values(), strict=True):
        assert_same(value, known, text)
    undefined = sum(value is None for value in expected.values())
    if not undefined:
        found = measure(*given_arrays, **options)
    else:
        with pytest.warns(mm.UndefinedMeasureWarning) as warned:
            found = measure(*given_arrays, **options)
        assert len(warned) == 1
        if undefined < len(expected):
            assert f"{undefined} of {len(expected)} groups" in str(warned[0].message)
    assert_same(found, oracle.mean_over(list(expected.values())), text)


FAMILIES = "metameasure.measurement.families."
BUILT_IN = [m for m in mm.measures() if m.__module__.startswith(FAMILIES)]


@pytest.mark.parametrize("inner", BUILT_IN, ids=str)
def test_a_block_filled_up_is_a_loop(inner):
    """Every measure of scores: rows that fill up a block change nothing."""
    label, score, group = drawn(np.arange(2, 40), seed=4, share=0.5)
    score = score.round(2)
    _, values = mm.mean_over(inner).values(label, score, group=group)
    table = [mm.tabulate(label[group == g], score[group == g]) for g in range(38)]
    expected = [float(inner.compute(one)) for one in table]
    assert np.allclose(values, expected, rtol=1e-11, atol=1e-14, equal_nan=True)


def test_every_query_is_that_of_scikit_learn():
    label, score, group = drawn(np.random.default_rng(1).integers(2, 70, 60))
    names, precision = MAP.values(label, score, group=group)
    _, gain = mm.mean_over("ndcg").values(label, score, group=group)
    _, first = mm.mean_over("ndcg(k=10)").values(label, score, group=group)
    for name, *ours in zip(names, precision, gain, first, strict=True):
        y, s = label[group == name], score[group == name]
        if y.any():
            theirs = (
                average_precision_score(y, s),
                ndcg_score([y], [s]),
                ndcg_score([y], [s], k=10),
            )
            assert ours == pytest.approx(theirs, rel=1e-12)
        else:
            assert np.isnan(ours).all()


GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "queries.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("text", GOLDEN["values"])
def test_every_query_is_that_of_trec_eval(text):
    measure, expected = mm.parse(text), GOLDEN["values"][text]
    given_arrays = GOLDEN["label"], GOLDEN["score"]
    assert measure.values(*given_arrays, group=GOLDEN["group"]).value == pytest.approx(
        expected, rel=1e-12
    )
    found = measure(*given_arrays, group=GOLDEN["group"])
    assert found == pytest.approx(np.mean(expected), rel=1e-12)


def test_ties_are_expectations():
    label, score = [1, 0, 1, 0], [0.5, 0.5, 0.9, 0.1]
    first = mm.reciprocal_rank([1, 0], [0.5, 0.5])
    assert first == 0.75
    assert mm.mean_over("reciprocal_rank")(label, score, group=[0, 0, 1, 1]) == (first + 1) / 2


def test_only_trailing_bits_differ():
    """Scores with equal packed bits are still sorted."""
    rng = np.random.default_rng(8)
    size, queries = 50, 30
    ulps = np.array([rng.permutation(size) for _ in range(queries)])
    for base in (1.0, -1.0, 1e-300):
        score = base + ulps * np.spacing(abs(base))
        label = rng.random(score.shape) < 0.3
        label[:, 0] = True
        ranked = np.take_along_axis(label, np.argsort(-ulps, axis=1), 1)
        hits = np.cumsum(ranked, axis=1) / np.arange(1, size + 1)
        expected = np.sum(hits * ranked, axis=1) / label.sum(axis=1)
        group = np.repeat(np.arange(queries), size)
        # Another group makes the block one that is filled up.
        for extra in ([], [0.5, 0.25]):
            values = MAP.values(
                [*label.ravel(), *(True for _ in extra)],
                [*score.ravel(), *extra],
                group=[*group, *(queries for _ in extra)],
            ).value
            assert values[:queries] == pytest.approx(expected, rel=1e-13)


def test_infinite_and_negative_scores_and_both_zeros():
    score = [-np.inf, np.inf, -1.0, 0.0, -0.0, 2.0, -np.inf]
    label = [1, 0, 1, 1, 0, 0, 0]
    group = [0, 0, 0, 1, 1, 1, 0]
    found = MAP.values(label, score, group=group).value
    expected = [
        mm.average_precision(
            [y for y, g in zip(label, group, strict=True) if g == name],
            [s for s, g in zip(score, group, strict=True) if g == name],
        )
        for name in (0, 1)
    ]
    assert found.tolist() == pytest.approx(expected, rel=1e-15)


def test_a_large_group_is_a_table_of_its_own(monkeypatch):
    label, score, group = drawn([300, 2, 40, 1000, 7], seed=3)
    expected = MAP.values(label, score, group=group)
    weights = np.random.default_rng(1).random(label.size)
    weighted = MAP.values(label, score, group=group, sample_weight=weights)
    monkeypatch.setattr(blocks, "STEPS", np.array([1, 2, 4, 8]))
    monkeypatch.setattr(blocks, "BLOCK", 8)
    again = MAP.values(label, score, group=group)
    assert again.value == pytest.approx(expected.value, rel=1e-14)
    again = MAP.values(label, score, group=group, sample_weight=weights)
    assert again.value == pytest.approx(weighted.value, rel=1e-14)


@pytest.mark.parametrize("together", [True, False])
def test_a_hundred_thousand_queries(together):
    queries, size = 100_000, 20
    rng = np.random.default_rng(5)
    label = rng.random((queries, size)) < 0.2
    score = rng.random((queries, size))
    group = np.repeat(rng.permutation(queries), size)
    rows = np.arange(group.size) if together else rng.permutation(group.size)
    names, values = MAP.values(label.ravel()[rows], score.ravel()[rows], group=group[rows])
    ranked = np.take_along_axis(label, np.argsort(-score, axis=1), 1)
    hits = np.cumsum(ranked, axis=1) / np.arange(1, size + 1)
    with np.errstate(invalid="ignore"):
        expected = np.sum(hits * ranked, axis=1) / label.sum(axis=1)
    assert np.array_equal(names, np.arange(queries))
    assert np.allclose(values[group[::size]], expected, rtol=1e-13, equal_nan=True)


# --- groups


@pytest.mark.parametrize(
    "names",
    [
        [3, 1, 2],
        [-5, 2**40, 7],
        [2.5, -1.0, 0.25],
        [True, False, True],
        ["q10", "q2", "ä"],
        [b"x", b"a", b"m"],
        ["1", "2", "0.5"],
        np.array(["2024-01-02", "2024-01-01", "2023-12-31"], "datetime64[D]"),
        np.array([2**63 + 5, 1, 7], np.uint64),
        np.array(["b", "a", "c"], object),
    ],
    ids=str,
)
def test_groups_of_any_kind(names):
    label, score, place = drawn([5, 9, 3], seed=6, share=0.6)
    names = names if isinstance(names, np.ndarray) else np.array(names, object)
    found = MAP.values(label, score, group=list(names[place]))
    texts = [str(name) for name in names[place]]
    expected = {
        text: mm.average_precision(label[np.array(texts) == text], score[np.array(texts) == text])
        for text in set(texts)
    }
    got = dict(zip(map(str, found.group), found.value, strict=True))
    assert got == pytest.approx(expected, rel=1e-14)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30), st.sampled_from("ifUO"))
def test_groups_are_found_as_unique_finds_them(names, kind):
    group = np.array(names).astype({"i": np.int8, "f": float, "U": "U4", "O": object}[kind])
    groups = Groups.of(group)
    expected, member = np.unique(group, return_inverse=True)
    assert groups.names.tolist() == expected.tolist()
    assert groups.names.dtype == group.dtype
    for place in range(expected.size):
        assert groups.cases(place).tolist() == np.flatnonzero(member == place).tolist()


def test_names_without_an_order():
    assert Groups.of(np.array([2j, 1j, 2j])).size.tolist() == [1, 2]
    kinds = np.array([int, float, int], object)
    assert Groups.of(kinds).size.tolist() == [1, 2]


def test_whole_numbers_far_apart():
    names = np.array([2**62, -(2**62), 2**62, 0])
    groups = Groups.of(names)
    assert groups.names.tolist() == sorted(set(names.tolist()))
    assert groups.cases(2).tolist() == [0, 2]


def test_one_group_and_groups_of_one_case():
    label, score = [1, 0, 1], [0.5, 0.9, 0.1]
    assert MAP(label, score, group=["a"] * 3) == mm.average_precision(label, score)
    with pytest.warns(mm.UndefinedMeasureWarning, match="1 of 3 groups have no value and were"):
        assert MAP(label, score, group=[1, 2, 3]) == 1.0


def test_queries_without_positives_are_left_out_and_named():
    label, score, group = [1, 0, 0, 0], [0.1, 0.9, 0.2, 0.4], ["x", "x", "y", "z"]
    with pytest.warns(
        mm.UndefinedMeasureWarning,
        match=r"mean_over\(average_precision\): 2 of 3 groups have no value and were left out: "
        "there is no positive case",
    ) as warned:
        assert MAP(label, score, group=group) == 0.5
    assert warned[0].filename == __file__
    names, values = MAP.values(label, score, group=group)
    assert names[np.isnan(values)].tolist() == ["y", "z"]


def test_nothing_is_left():
    with pytest.warns(mm.UndefinedMeasureWarning, match="in every group there is no positive"):
        assert math.isnan(MAP([0, 0], [0.1, 0.2], group=[1, 2]))


def test_missing_values():
    label, score, group = [1, 0, 1, 0, 1], [0.9, 0.8, np.nan, 0.1, 0.5], ["a", "a", "b", "b", None]
    with pytest.raises(mm.DataError, match="1 of 5 values of y_score are missing"):
        MAP(label, score, group=group)
    with pytest.raises(mm.DataError, match="1 of 5 values of group are missing"):
        MAP(label, [0.9, 0.8, 0.7, 0.6, 0.5], group=group)
    with (
        pytest.warns(mm.DroppedCasesWarning, match="2 of 5 cases") as warned,
        pytest.warns(mm.UndefinedMeasureWarning, match="1 of 2"),
    ):
        assert MAP(label, score, group=group, nan_policy="drop") == 1.0
    assert {w.filename for w in warned} == {__file__}


def test_weights_count_inside_a_group_only():
    label, score, group = [1, 0, 1, 0], [0.2, 0.9, 0.9, 0.2], [0, 0, 1, 1]
    weights = [3.0, 1.0, 500.0, 500.0]
    assert MAP(label, score, group=group, sample_weight=weights) == pytest.approx((3 / 4 + 1) / 2)


def test_a_case_without_weight_is_none():
    label, score, group = [1, 0, 1, 1], [0.2, 0.9, 0.9, 0.3], [0, 0, 1, 2]
    names, values = MAP.values(label, score, group=group, sample_weight=[1, 0, 2, 0])
    assert (names.tolist(), values.tolist()) == ([0, 1], [1.0, 1.0])


@pytest.mark.parametrize(
    ("error", "given_arrays", "options", "words"),
    [
        (
            mm.DataError,
            ([1, 0], [0.5, 0.1]),
            {},
            "is a mean over groups, but there are no groups; pass group",
        ),
        (mm.DataError, ([1, 0],), {"group": [1, 2]}, "needs y_true, y_score and group"),
        (
            mm.DataError,
            ([1, 0], [0.5, 0.1]),
            {"group": [1]},
            "y_true and group differ in length: 2 and 1",
        ),
        (mm.DataError, ([1, 0], [0.5, 0.1]), {"group": 3}, "group is a single value"),
        (mm.DataError, ([1, 0], [0.5, 0.1]), {"group": [[1], [2]]}, "pass a one-dimensional array"),
        (mm.DataError, ([], []), {"group": []}, "there are no cases"),
        (
            mm.ParameterError,
            ([1, 0], [0.5, 0.1]),
            {"group": [1, 1], "nan_policy": "x"},
            "nan_policy must be one of",
        ),
        (mm.DataError, (["a", "b"], [0.5, 0.1]), {"group": [1, 1]}, "pos_label"),
        (mm.DataError, (mm.tabulate([1, 0], [0.5, 0.1]),), {}, "is a mean over groups"),
        (
            mm.ParameterError,
            (mm.tabulate([1, 0], [0.5, 0.1]),),
            {"group": [1, 2]},
            "pass either a ScoreTable",
        ),
    ],
)
def test_bad_input(error, given_arrays, options, words):
    with pytest.raises(error, match=words):
        MAP(*given_arrays, **options)


def test_scores_outside_the_unit_interval():
    with pytest.raises(mm.DataError, match="2 distinct scores lie outside"):
        mm.mean_over("brier")([1, 0, 1], [3.0, 0.5, -1.0], group=[1, 1, 2])
    options = {"group": [1, 1, 2], "rescale": "minmax"}
    assert mm.mean_over("brier")([1, 0, 1], [3.0, 0.5, -1.0], **options) > 0


def test_a_block_of_tables_is_a_list_of_groups():
    block = mm.tabulate_lists([[1, 0, 0], [0, 0, 1]], [[0.9, 0.5, 0.1], [0.1, 0.5, 0.5]])
    assert MAP(block) == np.mean(mm.average_precision(block)) == MAP.compute(block)
    with pytest.warns(mm.UndefinedMeasureWarning, match="1 of 2"):
        assert MAP(mm.tabulate_lists([[1, 0], [0, 0]], [[0.9, 0.5], [0.2, 0.3]])) == 1.0


def test_a_measure_that_takes_no_blocks_is_refused():
    @mm.measure(range=(0, 1))
    def only_the_first(table):
        """The weight of the first row."""
        return table.pos.reshape(-1)[0]

    with pytest.raises(mm.DataError, match="compute the measure along the last axis"):
        mm.mean_over(only_the_first)([1, 0, 1], [0.5, 0.1, 0.3], group=[1, 2, 2])


# --- texts


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("mean_over(average_precision)", "mean_over(average_precision)"),
        (" mean_over( precision@k=10 ) ", "mean_over(precision@k=10)"),
        ("mean_over(ndcg(k=10))", "mean_over(ndcg(k=10))"),
        ("mean_over(f_beta(beta=2)@top=10%)", "mean_over(f_measure(beta=2)@top=10%)"),
        ("mean_over(partial_auc(fpr=(0, 0.2)))", "mean_over(partial_auc(fpr=(0, 0.2)))"),
        ("mean_over(precision)@k=3", "mean_over(precision@k=3)"),
        ("map", "mean_over(average_precision)"),
        ("mean_average_precision", "mean_over(average_precision)"),
        ("map(interpolation=max)", 'mean_over(average_precision(interpolation="max"))'),
    ],
)
def test_text(text, written):
    measure = mm.parse(text)
    assert str(measure) == repr(measure) == written
    again = mm.parse(written)
    assert again == measure
    assert hash(again) == hash(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301
    assert measure != measure.inner
    assert measure.inner != measure
    assert measure != written


@pytest.mark.parametrize("options", [{"group": [0, 0, 1]}, {"group": "query"}])
def test_groups_are_given_at_the_call(options):
    with pytest.raises(
        mm.ParameterError, match=r"does not take group; .*mean_over\('auc'\)\(.*group=\.\.\."
    ):
        mm.mean_over("auc", **options)
    with pytest.raises(mm.ParameterError, match="mean_over does not take group"):
        mm.mean_over(mm.auc, *options.values())


def test_a_list_of_texts():
    found = mm.measurement.parse_list("auc, mean_over(ndcg(k=10)), mean_over(precision@k=5), map")
    assert [str(m) for m in found] == [
        "auc",
        "mean_over(ndcg(k=10))",
        "mean_over(precision@k=5)",
        "mean_over(average_precision)",
    ]


@pytest.mark.parametrize(
    ("error", "text", "words"),
    [
        (mm.ParameterError, "mean_over", "mean_over takes measure"),
        (mm.ParameterError, "mean_over()", "missing a required argument"),
        (mm.ParameterError, "mean_over(auc, brier)", "mean_over does not take group"),
        (mm.ParameterError, "mean_over(auc, k=3)", "unexpected keyword"),
        (mm.ParameterError, "mean_over(k=3, auc)", "expected parameter=value, got 'auc'"),
        (mm.ParameterError, "mean_over(k=3)", "missing a required argument"),
        (
            mm.ParameterError,
            "mean_over(mean_over(auc))",
            r"a measure of labels and scores, or of an order, got mean_over\(auc\)",
        ),
        (
            mm.ParameterError,
            "mean_over(hand_till_auc)",
            "a measure of labels and scores, or of an order, got hand_till_auc",
        ),
        (mm.UnknownMeasure, "mean_over(aucc)", "did you mean"),
        (mm.UnknownMeasure, "mean_ovr(auc)", "did you mean mean_over"),
        (mm.ParameterError, "mean_over(auc", "after the name"),
        (mm.ParameterError, "mean_over(auc))", "unbalanced brackets"),
        (mm.ParameterError, "mean_over(auc)@0.5", 'auc takes no operating point; remove "@0.5"'),
        (mm.ParameterError, "mean_over(5)", "does not start with the name"),
        (mm.ParameterError, "mean_over(" * 60 + "auc" + ")" * 60, "has more than 50 brackets"),
    ],
)
def test_a_wrong_text(error, text, words):
    with pytest.raises(error, match=words):
        mm.parse(text)


def test_a_constructor_takes_measures_and_parameters(monkeypatch):
    """The mechanism is general: several measures, nested brackets, then parameters."""
    monkeypatch.setattr(registry, "makers", dict(registry.makers))
    monkeypatch.setattr("metameasure.measurement.parsing.makers", registry.makers)
    made = []

    @registry.constructor()
    def of_two(first, second, alpha=0.5):
        made.append((str(first), str(second), alpha))
        return first

    mm.parse("of_two(f_measure(beta=2)@top=10%, mean_over(precision@k=3), alpha=70%)")
    assert made == [("f_measure(beta=2)@top=10%", "mean_over(precision@k=3)", 0.7)]


def test_names_that_are_taken():
    def positives(table):
        """The weight of the positives."""
        return table.P

    for name in ("mean_over", "map"):
        with pytest.raises(mm.ParameterError, match="already taken"):
            mm.measure(aliases=(name,))(positives)
    with pytest.raises(
        mm.ParameterError, match=r"needs a name of letters, digits and _, got '<lambda>'; define"
    ):
        mm.measure(lambda table: table.P)
    with pytest.raises(mm.ParameterError, match="decorates a function, got 3"):
        mm.measure(best="max")(3)
    with pytest.raises(mm.ParameterError, match=r"decorates a function, got 'auc'; use mm\.parse"):
        mm.measure("auc")


def test_what_follows_from_the_inner_measure():
    for inner in BUILT_IN:
        measure = mm.mean_over(inner)
        assert (measure.best, measure.unit_scores) == (inner.best, inner.unit_scores)
        assert measure.declaration.range == inner.declaration.range
        assert measure.declaration.symbol == f"mean {inner.declaration.symbol}"
        assert measure.family == "retrieval"
        assert str(inner) in measure.__doc__
    assert "group" in mm.mean_over("ndcg").__signature__.parameters
    assert "k" in mm.mean_over("ndcg").__signature__.parameters
    assert "trec_eval" in MAP.__doc__


def test_parameters_go_to_the_inner_measure():
    label, score, group = [1, 0, 1, 0], [0.2, 0.9, 0.9, 0.3], [0, 0, 1, 1]
    loose = mm.mean_over("ndcg")(label, score, group=group, k=1)
    assert loose == mm.mean_over("ndcg(k=1)")(label, score, group=group) == 0.5
    assert mm.mean_over(mm.precision.using(k=10)) == mm.parse("mean_over(precision@k=10)")


# --- evaluations


LABEL, SCORE, GROUP = drawn(np.random.default_rng(9).integers(5, 30, 80), seed=9)
OTHER = -SCORE


def test_an_evaluation_has_a_mean_once_and_other_measures_for_each_group():
    some = GROUP < 3
    result = mm.evaluate(
        LABEL[some],
        {"a": SCORE[some], "b": OTHER[some]},
        "map, auc, mean_over(ndcg(k=3))",
        group=GROUP[some],
    )
    rows = [(row.model, row.group, str(row.measure)) for row in result.rows]
    texts = ["mean_over(average_precision)", "auc", "mean_over(ndcg(k=3))"]
    assert rows[:6] == [(model, None, text) for model, text in product("ab", texts)]
    assert rows[6:] == [(m, g, "auc") for g, m in product("012", "ab")]
    assert {row.n for row in result.rows[:6]} == {np.count_nonzero(some)}


def test_an_evaluation_of_means_looks_at_no_group(monkeypatch):
    monkeypatch.setattr("metameasure.evaluation._evaluate.all_and_groups", None)
    result = mm.evaluate(LABEL, SCORE, "map, mean_over(precision@k=5)", group=GROUP)
    assert [row.group for row in result.rows] == [None, None]
    (row, _) = result.rows
    assert (row.n, row.n_pos, row.dropped) == (LABEL.size, np.count_nonzero(LABEL), 0)


def test_the_interval_is_that_of_a_mean_of_independent_values():
    values = MAP.values(LABEL, SCORE, group=GROUP).value
    values = values[~np.isnan(values)]
    row = mm.evaluate(LABEL, SCORE, "map", ci=0.9, group=GROUP).rows[0]
    expected = stats.t.interval(0.9, values.size - 1, values.mean(), stats.sem(values))
    assert (row.low, row.high) == pytest.approx(expected, rel=1e-12)
    assert (row.value, row.method) == (pytest.approx(values.mean(), rel=1e-14), "normal")
    alone = mm.interval(LABEL, SCORE, "map", group=GROUP, ci=0.9, method="normal")
    assert (alone.value, alone.low, alone.high) == (row.value, row.low, row.high)
    bare = mm.evaluate(LABEL, SCORE, "map", ci=None, group=GROUP).rows[0]
    assert (bare.value, bare.low, bare.method) == (row.value, None, None)


def test_the_interval_covers_about_as_often_as_it_says():
    """A hundred thousand queries are the truth, and samples of fifty are drawn from them."""
    rng = np.random.default_rng(12)
    label = rng.random((20_000, 10)) < 0.4
    label[:, 0] = True
    score = rng.normal(size=label.shape) + label
    group = np.repeat(np.arange(20_000), 10)
    values = MAP.values(label.ravel(), score.ravel(), group=group).value
    covered = 0
    for sample in range(400):
        chosen = slice(50 * sample, 50 * sample + 50)
        found = mm.interval(
            label[chosen].ravel(), score[chosen].ravel(), "map", group=group[:500], ci=0.9
        )
        covered += found.low <= values.mean() <= found.high
    assert 0.86 < covered / 400 < 0.94


@pytest.mark.parametrize(
    ("text", "label", "group", "words"),
    [
        ("map", [1, 0, 1, 0], [1, 1, 1, 1], "at least two groups with a value"),
        ("mean_over(log_loss)", [0, 1, 0, 1], [1, 1, 2, 2], "an infinite value has no limits"),
    ],
)
def test_there_is_no_interval(text, label, group, words):
    found = mm.interval(label, [1.0, 0.3, 0.2, 0.9], text, group=group)
    assert math.isnan(found.low)
    assert words in found.reason


def test_groups_without_a_value_have_no_interval():
    label, score, group = [0, 0, 0, 0], [1.0, 0.3, 0.2, 0.9], [1, 1, 2, 2]
    with pytest.warns(mm.UndefinedMeasureWarning, match="in every group") as warned:
        found = mm.interval(label, score, "map", group=group)
    assert warned[0].filename == __file__
    assert math.isnan(found.low)
    assert "the value is undefined: in every group" in found.reason


def test_where_groups_do_not_vary_the_limits_are_a_bound():
    label, score = [1, 0] * 20, [0.9, 0.1] * 20
    found = mm.interval(label, score, "map", group=np.repeat(np.arange(20), 2))
    assert (found.value, found.high, found.method) == (1.0, 1.0, "bound")
    assert found.low == pytest.approx(0.05 ** (1 / 20))


@pytest.mark.parametrize(
    ("error", "options", "words"),
    [
        (mm.DataError, {}, "there are no groups"),
        (mm.ParameterError, {"group": GROUP, "method": "bca"}, 'method="bca" does not apply'),
        (
            mm.ParameterError,
            {"group": GROUP, "cluster": GROUP},
            "assumes independent groups; omit cluster",
        ),
    ],
)
def test_intervals_that_cannot_be_had(error, options, words):
    with pytest.raises(error, match=words):
        mm.interval(LABEL, SCORE, "map", **options)
    with pytest.raises(error, match=words):
        mm.evaluate(LABEL, SCORE, "map", **options)


def test_groups_are_for_means():
    with pytest.raises(mm.DataError, match=r"use mean_over\(auc\)"):
        mm.interval(LABEL, SCORE, "auc", group=GROUP)
    with pytest.raises(mm.DataError, match="scores are missing"):
        mm.interval(LABEL, "map", group=GROUP)


def test_groups_without_a_value_are_a_check():
    label = LABEL & (GROUP > 1)
    result = mm.evaluate(label, {"a": SCORE, "b": OTHER}, "map, mean_over(accuracy)", group=GROUP)
    found = [check for check in result.checks if check.code == "MM14"]
    undefined = np.isnan(MAP.values(label, SCORE, group=GROUP).value).sum()
    assert [(c.name, c.model, c.measure) for c in found] == [
        ("undefined-groups", model, "mean_over(average_precision)") for model in "ab"
    ]
    assert found[0].message.startswith(f"{undefined} of 80 groups have no value")
    muted = mm.evaluate(label, SCORE, "map", group=GROUP, mute="undefined-groups")
    assert "MM14" not in {check.code for check in muted.checks}


def test_few_groups_are_a_check():
    result = mm.evaluate(LABEL, SCORE, "map", group=GROUP % 3)
    assert "only 3 groups have a value; intervals are unreliable" in str(result)


def test_an_undefined_mean_is_warned_of():
    with pytest.warns(mm.UndefinedMeasureWarning, match="in every group"):
        result = mm.evaluate(np.zeros(4), np.arange(4.0), "map", group=[1, 1, 2, 2])
    assert "MM14" not in {check.code for check in result.checks}
    assert json.loads(result.to_json())["rows"][0]["value"] is None


def test_a_frame_of_queries():
    frame = pl.DataFrame({"rel": LABEL, "s": SCORE, "query": [f"q{g}" for g in GROUP]})
    result = mm.evaluate(frame, label="rel", scores="s", group="query", measures="map")
    assert result.rows[0].value == mm.evaluate(LABEL, SCORE, "map", group=GROUP).rows[0].value


def test_command_line(tmp_path, monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["metameasure", "evaluate", str(file), *arguments])
        with suppress(SystemExit):
            main()
        return capsys.readouterr()

    file = tmp_path / "run.csv"
    pl.DataFrame({"rel": LABEL.astype(int), "s": SCORE, "query": GROUP}).write_csv(file)
    texts = "mean_over(average_precision), mean_over(ndcg(k=10))"
    options = ("--label", "rel", "--score", "s", "--measures", texts, "--format", "json")
    rows = json.loads(run(*options, "--group", "query").out)["rows"]
    expected = mm.evaluate(LABEL, SCORE, texts, group=GROUP).rows
    assert [(r["measure"], r["group"], r["value"], r["low"]) for r in rows] == [
        (str(r.measure), None, pytest.approx(r.value), pytest.approx(r.low)) for r in expected
    ]
    assert "is a mean over groups" in run(*options).err


# --- two models


def two_models(seed=1, groups=40):
    """Labels, the scores of a good and a bad model, and groups, one of them without a positive."""
    label, first, group = drawn([8] * groups, seed)
    label[group == 0] = False
    return label, {"a": first + label / 3, "b": np.roll(first, 7) + label / 9}, group


def test_a_difference_of_means_is_judged_by_the_groups():
    label, scores, group = two_models()
    result = mm.compare(label, scores, "map", group=group)
    a, b = (MAP.values(label, score, group=group).value for score in scores.values())
    defined = ~np.isnan(a)
    assert 10 < np.count_nonzero(defined) < defined.size
    known = stats.ttest_rel(a[defined], b[defined])
    low, high = known.confidence_interval(0.95)
    (row,) = result.rows
    assert row.difference == pytest.approx(np.mean(a[defined] - b[defined]), rel=1e-12)
    assert row.pvalue == pytest.approx(known.pvalue, rel=1e-9)
    assert (row.low, row.high) == pytest.approx((low, high), rel=1e-9)
    assert row.method == "normal"


def test_a_margin_between_means():
    label, scores, group = two_models()
    rows = mm.compare(label, scores, "map", group=group, margin=0.05).rows
    a, b = (MAP.values(label, score, group=group).value for score in scores.values())
    gap = (a - b)[~np.isnan(a)]
    known = stats.ttest_1samp(gap, -0.05, alternative="greater").pvalue
    assert [(row.a, row.b) for row in rows] == [("a", "b"), ("b", "a")]
    assert rows[0].pvalue == pytest.approx(known, rel=1e-9)


def test_means_beside_other_measures():
    label, scores, group = two_models()
    alone = mm.compare(label, scores, "auc").rows
    both = mm.compare(label, scores, "auc, map", group=group).rows
    assert both[0] == alone[0]
    assert [row.measure for row in both] == ["auc", "mean_over(average_precision)"]


def test_one_model_twice_has_no_difference():
    label, scores, group = two_models()
    (row,) = mm.compare(label, {"a": scores["a"], "b": scores["a"] * 2}, "map", group=group).rows
    assert (row.difference, row.low, row.high, row.pvalue) == (0, 0, 0, 1)


@pytest.mark.parametrize(
    ("error", "measure", "options", "words"),
    [
        (mm.DataError, "map", {"group": None}, "is a mean over groups"),
        (mm.ParameterError, "auc", {}, "group needs a mean over groups"),
        (mm.ParameterError, "map", {"method": "delong"}, 'method="delong" does not apply'),
        (mm.ParameterError, "map", {"cluster": np.arange(320) % 5}, "assumes independent groups"),
        (
            mm.ParameterError,
            "mean_over(calibration_slope)",
            {"margin": 0.1},
            "no better and worse end",
        ),
    ],
)
def test_comparisons_that_cannot_be_had(error, measure, options, words):
    label, scores, group = two_models()
    with pytest.raises(error, match=words):
        mm.compare(label, scores, measure, **({"group": group} | options))


def test_one_group_has_no_standard_error():
    label, scores, _ = two_models(groups=1)
    (row,) = mm.compare(~label, scores, "map", group=np.zeros(label.size)).rows
    assert (row.low, row.pvalue) == (None, None)


def test_comparing_queries_on_the_command_line(tmp_path, monkeypatch, capsys):
    label, scores, group = two_models()
    file = tmp_path / "run.csv"
    pl.DataFrame({"rel": label.astype(int), **scores, "query": group}).write_csv(file)
    arguments = [
        "--label",
        "rel",
        "--score",
        "a",
        "--score",
        "b",
        "--measures",
        "map",
        "--group",
        "query",
        "--format",
        "json",
    ]
    monkeypatch.setattr(sys, "argv", ["metameasure", "compare", str(file), *arguments])
    with suppress(SystemExit):
        main()
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    known = mm.compare(label, scores, "map", group=group).rows[0]
    assert row["pvalue"] == pytest.approx(known.pvalue)


def test_fractions_are_what_the_oracle_counts_in():
    """The oracle itself, on Example: two queries, of which one has no positive."""
    listed = [(True, 0.2, Fraction(1)), (False, 0.9, Fraction(1)), (False, 0.5, Fraction(1))]
    found = oracle.by_group(
        ["a", "a", "b"], listed, lambda some: oracle_value(mm.average_precision, some)
    )
    assert found == {"a": Fraction(1, 2), "b": None}
    assert oracle.mean_over(list(found.values())) == Fraction(1, 2)


def test_groups_without_a_value_are_reported_in_comparisons_too():
    label, scores, group = two_models()
    label = np.where(group == group[0], 0, label)
    found = mm.compare(label, scores, "map", group=group)
    assert [check.code for check in found.checks].count("MM14") == 2


def test_two_groups_are_the_fewest_of_a_test_and_of_an_interval():
    plan, pair = PairPlan(ci=0.9), [("a", "b")]
    measure = mm.parse("mean_over(auc)")
    two = {"a": np.array([0.9, 0.8, np.nan]), "b": np.array([0.6, 0.7, 0.5])}
    (found,) = differences_of_groups(two, measure, pair, plan)
    assert found.pvalue == pytest.approx(stats.ttest_rel(two["a"][:2], two["b"][:2]).pvalue)
    one = {"a": np.array([0.9, np.nan]), "b": np.array([0.6, 0.7])}
    (found,) = differences_of_groups(one, measure, pair, plan)
    assert "at least two groups" in found.reason
    assert interval_of_groups(measure, two["a"], Plan()).reason is None
    assert "at least two groups" in interval_of_groups(measure, one["a"], Plan()).reason
