"""Huang's neural networks: data, orders, and the cheapest cells."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import ttest_rel
from sklearn.base import clone
from sklearn.neural_network import MLPClassifier

import metameasure as mm
from metameasure import experiments
from metameasure.experiments.papers import huang2006_networks as tables


def test_wine_exchanges_its_class_and_first_attribute() -> None:
    data = experiments.load("wine", download=False)
    changed = tables.with_numeric_target(data, np.random.default_rng(0))
    assert changed.nominal == (3, *[0] * 12)
    assert (changed.values[:, 0] == data.target).all()
    assert (changed.target == data.values[:, 0]).all()
    assert (changed.values[:, 1:] == data.values[:, 1:]).all()


def test_artificial_data_are_drawn_anew() -> None:
    data, generator = experiments.load("polynomial"), np.random.default_rng(0)
    one, other = (tables.with_numeric_target(data, generator) for _ in range(2))
    assert one.values.shape == other.values.shape == (200, 9)
    assert (one.target != other.target).any()


def test_order_measures_against_sums() -> None:
    rng = np.random.default_rng(2)
    true, predicted = rng.permutation(9) + 1.0, rng.permutation(9) + 1.0
    oauc, ed, srn, auc, md, accuracy = tables.order_values(true, predicted)
    assert ed == pytest.approx(np.sqrt(((true - predicted) ** 2).sum()))
    assert md == np.abs(true - predicted).sum()
    pairs = [(i, j) for i in range(9) for j in range(9) if true[i] < true[j]]
    assert srn == sum(predicted[i] > predicted[j] for i, j in pairs)
    upper = true > 5
    mixed = [predicted[i] < predicted[j] for i in range(9) for j in range(9) if upper[j] > upper[i]]
    assert auc == pytest.approx(np.mean(mixed))
    assert accuracy == np.mean(upper == (predicted > 5))
    assert tables.order_values(true, true) == [1, 0, 0, 1, 0, 1]
    assert 0 < oauc < 1


def test_ties_are_broken_at_random() -> None:
    generator = np.random.default_rng(4)
    found = np.array([tables.untied(np.array([3.0, 1.0, 3.0]), generator) for _ in range(40)])
    assert (found[:, 1] == 1).all()
    assert {tuple(each) for each in found[:, [0, 2]]} == {(2.0, 3.0), (3.0, 2.0)}


def test_significance_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    found = np.random.default_rng(3).random((10, 2, 6))
    found[:, 1, 5] = found[:, 0, 5]
    monkeypatch.setattr(tables, "orders_by_learner", lambda *_: found)
    data = experiments.load("polynomial")
    values = tables.table_3_20.compute(dataset=data, repeats=1, generator=np.random.default_rng(1))
    expected = ttest_rel(found[:, 0], found[:, 1]).pvalue[:5]
    assert [value.value for value in values] == pytest.approx([*expected, 1.0])


@pytest.mark.parametrize("name", ["table3.20", "table3.20-backpropagation"])
def test_the_cheapest_cell_of_table_3_20(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tables.BACK_PROPAGATION, "max_iter", 20)
    (item,) = experiments.items(f"huang2006/{name}")
    data = experiments.load("polynomial")
    values = list(item.compute(dataset=data, repeats=2, generator=np.random.default_rng(1)))
    assert [value.row for value in values] == list(tables.ORDER_MEASURES)
    assert all(0 <= value.value <= 1 and value.place in item.published for value in values)


@pytest.mark.parametrize("name", ["table4.7", "table4.7-slow"])
def test_the_cheapest_cell_of_table_4_7(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (item,) = experiments.items(f"huang2006/{name}")
    monkeypatch.setattr(tables, "SLOW", 0.2)
    monkeypatch.setattr(tables, "LOOK_AHEAD", 10)
    monkeypatch.setitem(tables.STOPPED, "iris", ("eco", lambda data: data.binary("Iris-virginica")))
    data = experiments.load("iris", download=False)
    values = list(item.compute(dataset=data, repeats=1, generator=np.random.default_rng(1)))
    found = {(value.row, value.column): value.value for value in values}
    assert len(found) == 12
    for row in tables.STOPPED_BY:
        assert found[row, "AUC:acc"] == pytest.approx(found[row, "AUC"] + found[row, "acc"] / 100)
        assert found[row, "AUC"] > 0.7
    assert {value.place for value in values if value.row != "AUC+acc"} <= set(item.published)
    assert not [value for value in item.finish(values) if value.part == "Average"]


def test_one_training_is_that_of_the_network_alone() -> None:
    data = experiments.ringnorm(150, attributes=4, seed=1)
    network = MLPClassifier(hidden_layer_sizes=(2,), solver="sgd", random_state=1)
    shared = tables.OneTraining(clone(network))
    for measure in ("accuracy", "auc", "two_level(auc, accuracy)"):
        one, alone = (
            mm.train_by(each, measure, data.values, data.target, validation=None)
            for each in (shared, network)
        )
        assert one.rows == alone.rows
        scores = alone.estimator.predict_proba(data.values)
        assert (one.estimator.predict_proba(data.values) == scores).all()


def test_averages_over_data_sets() -> None:
    (item,) = experiments.items("huang2006/table4.7")
    values = [
        experiments.Value(row, column, index, 0.1, name, print_error=0.2)
        for index, (name, _) in enumerate(tables.STOPPED.values())
        for row in tables.STOPPED_BY
        for column in ("acc", "AUC", "AUC:acc")
    ]
    averages = [value for value in item.finish(values) if value.part == "Average"]
    assert len(averages) == 12
    assert all(value.value == 3.5 for value in averages)
    assert averages[0].error == pytest.approx(0.1 / np.sqrt(8))
    assert all(one.error == other.error for one, other in pairwise(averages))
