"""Measures of orders: Huang's examples, slow definitions, scipy, ties, blocks and nonsense."""

import math
import pickle
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import metameasure as mm
from metameasure.kernels import compiled, plain
from oracles import order as oracle

ORDERS = mm.measures(subject="order")
HUANG = [3, 6, 8, 1, 4, 2, 5, 7]
items = st.integers(2, 6).flatmap(
    lambda n: st.tuples(*(st.lists(st.integers(0, 5), min_size=n, max_size=n) for _ in range(2)))
)


def test_huang_table_1_3():
    ranking = mm.Ranking(HUANG)
    assert mm.euclidean_distance(ranking) == pytest.approx(math.sqrt(76), rel=1e-15)
    assert mm.manhattan_distance(ranking) == 22
    assert mm.reversed_pairs(ranking) == 12
    assert mm.ordered_auc(ranking) == pytest.approx(31 / 52, rel=1e-15)


def test_huang_erratum_4_the_distance_has_its_root():
    assert mm.euclidean_distance(mm.Ranking(HUANG)) == pytest.approx(8.718, abs=5e-4)


def test_huang_erratum_5_only_ordered_auc_depends_on_which_order_is_the_true_one():
    inverse = mm.Ranking(np.argsort(HUANG) + 1)
    assert mm.ordered_auc(inverse) == pytest.approx(27 / 52, rel=1e-15)
    for measure in (mm.euclidean_distance, mm.manhattan_distance, mm.reversed_pairs):
        assert measure(inverse) == measure(mm.Ranking(HUANG))


@given(items)
def test_values_are_those_of_the_definitions(given_items):
    true, predicted = given_items
    assert mm.euclidean_distance(true, predicted) ** 2 == pytest.approx(
        float(oracle.squared_distance(true, predicted)), rel=1e-12
    )
    assert mm.manhattan_distance(true, predicted) == float(
        oracle.manhattan_distance(true, predicted)
    )
    assert mm.reversed_pairs(true, predicted) == oracle.reversed_pairs(true, predicted)
    expected = oracle.ordered_auc(true, predicted)
    if expected is None:
        with pytest.warns(mm.UndefinedMeasureWarning):
            assert math.isnan(mm.ordered_auc(true, predicted))
    else:
        assert mm.ordered_auc(true, predicted) == pytest.approx(float(expected), rel=1e-12)


@given(items)
def test_correlations_are_those_of_scipy(given_items):
    true, predicted = given_items
    if len(set(true)) == 1 or len(set(predicted)) == 1:
        for measure in (mm.kendall_tau, mm.spearman_rho):
            with pytest.warns(mm.UndefinedMeasureWarning, match="tied"):
                assert math.isnan(measure(true, predicted))
        return
    tau, rho = stats.kendalltau(true, predicted), stats.spearmanr(true, predicted)
    assert mm.kendall_tau(true, predicted) == pytest.approx(tau.statistic, abs=1e-12)
    assert mm.spearman_rho(true, predicted) == pytest.approx(rho.statistic, abs=1e-12)


@pytest.mark.parametrize("size", [5000, 120_000])
def test_many_items(size):
    rng = np.random.default_rng(size)
    true = rng.integers(0, size // 3, size)
    predicted = np.round(true + rng.normal(scale=size / 5, size=size), -1)
    assert mm.kendall_tau(true, predicted) == pytest.approx(
        stats.kendalltau(true, predicted).statistic, rel=1e-11
    )


@pytest.mark.parametrize("measure", ORDERS, ids=str)
def test_a_block_is_a_loop(measure):
    orders = np.array(list(permutations(range(1, 6))))
    block = measure(mm.Ranking(orders))
    assert block.shape == (120,)
    assert np.allclose(block, [measure(mm.Ranking(order)) for order in orders], rtol=1e-15)
    again = measure(mm.Ranking(orders.reshape(2, 60, 5)))
    assert np.array_equal(again, block.reshape(2, 60))


@pytest.mark.parametrize("measure", ORDERS, ids=str)
def test_the_best_order_is_the_true_one(measure):
    values = measure(mm.Ranking(list(permutations(range(1, 7)))))
    best = values.max() if measure.best == "max" else values.min()
    assert values[0] == pytest.approx(best)
    low, high = measure.declaration.range
    assert low <= values.min() <= values.max() <= high + 1e-15


@pytest.mark.parametrize("measure", ORDERS, ids=str)
def test_a_measure_is_a_value(measure):
    assert mm.parse(str(measure)) == measure
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301
    assert list(measure.__signature__.parameters) == ["y_true", "y_score"]


@given(st.lists(st.lists(st.integers(0, 6), min_size=7, max_size=7), min_size=1, max_size=4))
def test_inversions_equal_their_twin(rows):
    values = np.array(rows, dtype=float)
    expected = [sum(a > b for i, a in enumerate(row) for b in row[i + 1 :]) for row in rows]
    assert plain.inversions(values).tolist() == expected
    assert compiled.inversions(values).tolist() == expected


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ([1, 2, 2], "must be a permutation of 1 to 3"),
        ([0, 1, 2], "must be a permutation"),
        ([[1, 2, 3], [1, 1, 3]], "order 1 of the block must be a permutation"),
        ([], "at least one item"),
        (["a", "b"], "must be made of integers"),
        ([1.0, math.nan], "must be a permutation"),
    ],
)
def test_what_is_no_permutation(order, words):
    with pytest.raises(mm.DataError, match=words):
        mm.Ranking(order)


@pytest.mark.parametrize(
    ("true", "predicted", "words"),
    [
        ([1, 2, 3], [1, 2], "y_true and y_score differ in length: 3 and 2"),
        ([], [], "there are no items"),
        ([1, math.nan, 3], [1, 2, 3], "1 values of y_true are missing, the first at row 1"),
        ([1, 2], None, "needs y_true and y_score"),
    ],
)
def test_bad_input(true, predicted, words):
    with pytest.raises(mm.DataError, match=words):
        mm.kendall_tau(true, predicted)


def test_data_beside_ready_ones_are_refused_alike():
    """The class of the error and its argument are those for a ScoreTable."""
    classes = mm.ClassScores.of([0, 1, 2], np.eye(3))
    ready = {
        "a Ranking": (mm.kendall_tau, mm.Ranking([1, 2])),
        "ClassScores": (mm.hand_till_auc, classes),
        "a ScoreTable": (mm.auc, mm.tabulate([1, 0], [0.9, 0.1])),
    }
    for name, (measure, subject) in ready.items():
        words = f"pass either {name} or y_true and y_score, not both"
        with pytest.raises(mm.ParameterError, match=words) as refused:
            measure(subject, [1, 2])
        assert refused.value.argument == "y_true"
        with pytest.raises(mm.DataError, match=f"needs y_true and y_score; .*{name}") as missing:
            measure([1, 2])
        assert missing.value.argument == "y_score"


def test_one_item_has_no_order():
    assert mm.reversed_pairs([5], [3]) == 0
    for measure in (mm.ordered_auc, mm.kendall_tau, mm.spearman_rho):
        with pytest.warns(mm.UndefinedMeasureWarning, match="only one item"):
            assert math.isnan(measure([5], [3]))


def test_labels_of_two_classes_give_no_order():
    with pytest.raises(mm.ParameterError, match="true order"):
        mm.evaluate([1, 0, 1], [0.9, 0.5, 0.1], "kendall_tau")
