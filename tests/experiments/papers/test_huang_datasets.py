"""Huang's comparisons of learners: preparation of the data, folds, and the cheapest cells."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from metameasure import experiments
from metameasure.experiments.dataset import Attribute, Dataset
from metameasure.experiments.declaration import Value
from metameasure.experiments.papers import huang2006_datasets as tables


def test_attributes_without_a_cut_are_dropped() -> None:
    rng = np.random.default_rng(0)
    target = np.repeat([0, 1], 50)
    values = np.stack([target + 0.1 * rng.random(100), rng.random(100), np.zeros(100)], axis=1)
    attributes = (Attribute("good"), Attribute("noise"), Attribute("same", ("a", "b")))
    data = tables.discretized(Dataset("x", attributes, values, ("0", "1"), target, "generated"))
    assert [each.name for each in data.attributes] == ["good"]
    assert data.nominal == (2,)
    assert (data.values[:, 0] == target).all()


def test_symboling_is_an_attribute_of_import_and_tells_its_class() -> None:
    values, target = np.array([[5.0], [7.0], [6.0]]), np.array([2, 0, 4])
    classes = ("0", "1", "2", "3", "-1", "-2")
    data = Dataset("imports", (Attribute("length"),), values, classes, target, "generated")
    _, prepare = tables.DATASETS["imports"]
    prepared = prepare(data)
    assert [each.name for each in prepared.attributes] == ["length", "symboling"]
    assert prepared.values.tolist() == [[5, 2], [7, 0], [6, -1]]
    assert prepared.target.tolist() == [1, 0, 0]


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_auc_is_that_of_hand_and_till(classes: int) -> None:
    rng = np.random.default_rng(classes)
    target = rng.integers(0, classes, 60)
    scores = rng.dirichlet(np.ones(classes), 60).round(1)
    scores /= scores.sum(axis=1, keepdims=True)
    accuracy, auc = tables.judged(target, scores)
    assert accuracy == (scores.argmax(axis=1) == target).mean()
    if classes == 2:
        expected = (
            roc_auc_score(target, scores[:, 1]) + roc_auc_score(1 - target, scores[:, 0])
        ) / 2
    else:
        expected = roc_auc_score(target, scores, multi_class="ovo")
    assert auc == pytest.approx(expected)


@pytest.mark.parametrize("classes", [2, 3])
def test_ties_count_nothing_in_the_printed_formula(classes: int) -> None:
    rng = np.random.default_rng(classes)
    target = rng.integers(0, classes, 40)
    scores = rng.dirichlet(np.ones(classes), 40).round(1)
    by_hand = [
        (scores[target == i, i][:, None] > scores[target == j, i]).mean()
        for i in range(classes)
        for j in range(classes)
        if i != j
    ]
    assert tables.strict_auc(target, scores) == pytest.approx(np.mean(by_hand))
    assert np.isnan(tables.strict_auc(np.zeros(5, dtype=int), scores[:5]))


def test_a_class_that_does_not_occur_is_left_out() -> None:
    scores = np.array([[0.5, 0.4, 0.1], [0.2, 0.7, 0.1], [0.3, 0.6, 0.1]])
    assert tables.judged(np.array([0, 1, 1]), scores)[1] == 1
    assert np.isnan(tables.judged(np.array([1, 1, 1]), scores)[1])


def test_learners_are_near_what_others_find_on_iris() -> None:
    data = tables.prepared(experiments.load("iris", download=False))
    values = tables.fold_values(data, 1, np.random.default_rng(3))
    assert values.shape == (1, 10, 3, 3)
    assert (values[..., 2] <= values[..., 1]).all()
    assert (values[..., 0].mean(axis=1) > 0.9).all()
    assert (values[..., 1].mean(axis=1) > 0.95).all()


def test_the_tables_share_the_cells_of_the_cheapest_data_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = experiments.load("iris", download=False)
    counted, *means = (
        experiments.items(f"huang2006/{name}")[0]
        for name in ("table3.14", "table3.15", "table3.16")
    )
    assert {item.cells_of for item in (counted, *means)} == {"table3.14"}
    values = list(counted.compute(dataset=data, repeats=2, generator=np.random.default_rng(1)))
    pair = [v.value for v in values if (v.part, v.column) == ("iris", "C4.5 vs. NB")]
    assert sum(pair) == 10
    assert list(counted.finish(values)) == []  # the other data sets are missing
    monkeypatch.setattr(tables, "DATASETS", {"iris": tables.DATASETS["iris"]})
    totals = {(value.row, value.column): value.value for value in counted.finish(values)}
    assert totals["E", "C4.5 vs. NB"] == pytest.approx(pair[-1] / 10)
    for item in means:
        assert item.compute is counted.compute
        found = list(item.finish(values))
        assert [value.column for value in found] == list(tables.LEARNERS)
        assert all(value.place in item.published for value in found)
        assert all(90 < value.value < 100 for value in found)


def test_the_svm_is_tuned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "SVM_GRID", {"C": [0.5, 8.0], "gamma": [0.125, 0.5]})
    monkeypatch.setitem(tables.DATASETS, "tic-tac-toe", ("game", lambda data: data))
    data = experiments.load("tic-tac-toe").take(np.arange(0, 958, 6))
    (item,) = experiments.items("huang2006/table3.17")
    accuracy, auc = item.compute(dataset=data, repeats=1, generator=np.random.default_rng(1))
    assert 60 < accuracy.value <= 100
    assert 60 < auc.value <= 100


def test_degrees_have_the_errors_of_their_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "DATASETS", {"a": ()})
    rng = np.random.default_rng(1)
    means = dict(zip(tables.COUNTED, (80.0, 30.0, 50.0, 10.0, 20.0), strict=True))
    values = [
        Value(kind, "C4.4 vs. NB", mean, 1.5, "a", print_error=3.0) for kind, mean in means.items()
    ]
    found = {each.row: each for each in tables._totals(values) if each.column == "C4.4 vs. NB"}
    drawn = rng.normal(list(means.values()), 1.5, (200_000, 5))
    con, incon, auc, accuracy, neither = drawn.T
    expected = {
        "C": con / (con + incon),
        "D": auc / accuracy,
        "E": neither / drawn.sum(axis=1),
    }
    for row, ratios in expected.items():
        assert found[row].value == pytest.approx(np.median(ratios), rel=0.01)
        spread = np.subtract(*np.quantile(ratios, [0.8413, 0.1587])) / 2
        assert found[row].error == pytest.approx(spread, rel=0.04)
        assert found[row].print_error == pytest.approx(2 * found[row].error)
