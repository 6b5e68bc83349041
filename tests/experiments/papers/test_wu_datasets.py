"""Model selection by sAUC, AUC and Brier score: the cheapest cells, and the rows of wins."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from metameasure import experiments
from metameasure.experiments.declaration import Value
from metameasure.experiments.papers import wu2005_datasets, wu2007_datasets
from metameasure.experiments.reproduction import judged
from metameasure.experiments.runner import _find_data


@pytest.mark.parametrize("learner", list(wu2007_datasets.LEARNERS))
def test_each_learner_is_selected_by_each_measure(learner: str) -> None:
    data = experiments.load("tic-tac-toe").take(np.arange(0, 958, 4)).binary("positive")
    found = wu2007_datasets.select(data, learner, (0.5, 0.1, 0.4), 3, np.random.default_rng(1))
    assert set(found.reached) == {"scored_auc", "auc", "brier"}
    for reached in found.reached.values():
        assert 0.5 < reached.mean() <= 1
        assert reached.std() > 0


def test_wins_are_counted_on_the_printed_digits() -> None:
    values = [
        Value(row, column, value, part="J48")
        for row, each in {"a": (90.001, 90.0, 80), "b": (70, 60, 75)}.items()
        for column, value in zip(("sAUC", "AUC", "BS"), each, strict=True)
    ]
    wins = {
        value.column: value.value
        for value in wu2007_datasets._with_wins(values, 2)
        if value.row == "wins"
    }
    assert wins == {"AUC": 1, "BS": 1}
    assert list(wu2007_datasets._with_wins(values, 3)) == values  # a data set is missing


def test_the_error_of_a_number_of_wins() -> None:
    rng = np.random.default_rng(1)
    truth, error = np.array([0.5, -0.2, 0.0, 3.0]), np.array([0.4, 0.3, 0.2, 0.1])
    drawn = (rng.normal(truth, error, (100_000, 4)) > 0).sum(axis=1)
    found = wu2007_datasets._error_of_wins(zip(truth, error, strict=True))
    assert found == pytest.approx(drawn.std(), rel=0.01)


def test_printed_wins_follow_from_the_printed_values() -> None:
    """All but the number in Table 5 that erratum WFF 8 names."""
    wrong = []
    for name in ("table4", "table5"):
        (item,) = experiments.items(f"wu2007/{name}")
        printed = {
            place: each.value for place, each in item.published.items() if place[1] != "wins"
        }
        values = [
            Value(row, column, value, part=part) for (part, row, column), value in printed.items()
        ]
        wrong += [
            (name, *value.place, value.value)
            for value in wu2007_datasets._with_wins(values, len(values) // 9)
            if value.row == "wins" and value.value != item.published[value.place].value
        ]
    assert wrong == [("table5", "J48", "wins", "BS", 4.0)]


@pytest.mark.parametrize(
    "name", ["table4", "table5", "table4-first", "table5-first", "table4-stratified"]
)
def test_five_learners_and_two_measures(name: str) -> None:
    (item,) = experiments.items(f"wu2005/{name}")
    data = experiments.load("balance")
    if name.startswith("table4"):
        data = data.take(np.arange(0, 625, 5))
    values = list(item.compute(dataset=data, runs=1, generator=np.random.default_rng(1)))
    assert [value.column for value in values] == ["AUC", "sAUC", "sAUC - AUC", "significant"]
    auc, scored, difference, significant = values
    assert all(value.place in item.published for value in (auc, scored, significant))
    assert 80 < auc.value <= 100
    assert difference.value == pytest.approx(scored.value - auc.value)
    assert significant.value in {-1, 0, 1}


def test_no_selection_reaches_more_than_the_limits() -> None:
    data = experiments.load("balance").take(np.arange(0, 625, 5))
    reached, limits = (
        experiments.items(f"wu2005/{name}")[0].compute(
            dataset=data, runs=1, generator=np.random.default_rng(1)
        )
        for name in ("table4", "table4-limits")
    )
    largest, learner = limits
    assert largest.value >= learner.value
    assert all(largest.value >= value.value for value in list(reached)[:2])


def test_the_scatter_of_validation_and_test_values() -> None:
    (item,) = experiments.items("wu2007/figure3")
    data = experiments.load("tic-tac-toe").take(np.arange(0, 958, 3))
    named = dataclasses.replace(data, name="credit-a", classes=("-", "+"))
    values = []
    for learner in wu2007_datasets.LEARNERS:
        values += item.compute(
            learner=learner, dataset=named, repeats=9, generator=np.random.default_rng(1)
        )
    shares = [value for value in values if value.column.startswith("1 - r²")]
    assert len(shares) == 9
    shares = [value for value in shares if value.column != wu2007_datasets.GAIN]
    assert all(0 <= value.value <= 1 and value.error > 0 for value in shares)
    drawn = [value for value in values if value.part == "models"]
    assert len(drawn) == 3 * 3 * 80
    by_hand = {
        learner: np.corrcoef(*(
            [v.value for v in drawn if v.column == column and v.row.startswith(learner)]
            for column in ("validation AUC", "test AUC")
        ))[0, 1]
        for learner in wu2007_datasets.LEARNERS
    }  # fmt: skip
    for learner, correlation in by_hand.items():
        (share,) = [v for v in shares if (v.part, v.column) == (learner, "1 - r², AUC")]
        assert share.value == pytest.approx(1 - correlation**2, abs=4 * share.error)
    figure = item.figure(judged(item, values))
    assert [axes.get_xlabel() for axes in figure.axes] == ["validation AUC", "validation sAUC"]
    assert all(len(axes.lines) == 6 for axes in figure.axes)


def test_all_data_sets_of_the_papers_are_in_the_catalog() -> None:
    for sets in (wu2005_datasets.DATASETS, wu2007_datasets.SMALLER, wu2007_datasets.LARGER):
        assert set(sets) <= set(experiments.known())


def test_counts_that_are_not_the_printed_ones_are_remarks() -> None:
    (item,) = experiments.items("wu2005/table4")
    _, remarks = _find_data(item, None, download=False)
    here = [remark for remark in remarks if remark.startswith(("tic-tac-toe", "balance"))]
    # 626 of 958 end with a win, and 288 of 625 scales tip to the left
    assert here == ["tic-tac-toe: the paper's largest class has 64.20%, this data 65.34%"]
