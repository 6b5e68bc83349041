"""Huang's model selection ability: against a loop written by hand."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import metameasure as mm
from metameasure.errors import DataError, ParameterError
from metameasure.lab.training.selection_ability import ability, values_on_sets
from metameasure.plots import SelectionDisplay

lab = mm.lab


def data(n=200, seed=0):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    return rng.normal(size=(n, 4)) + y[:, np.newaxis] * [0.2, 0.4, 0.6, 0.8], y


def test_the_definition_by_hand():
    rng = np.random.default_rng(1)
    models, sets = 4, 7
    values = rng.integers(0, 4, (models, sets)) / 4
    goals = rng.integers(0, 4, (models, sets)) / 4
    goals[1] = goals[0]  # equal means
    pairs = []
    for i in range(models):
        for j in range(i):
            wanted = goals[i].mean() - goals[j].mean()
            right = 0.0
            for k in range(sets):
                seen = values[i, k] - values[j, k]
                tied = abs(wanted) < 1e-12 or seen == 0
                right += 0.5 if tied else float((seen > 0) == (wanted > 0))
            pairs.append(right / sets)
    assert ability(values, goals) == pytest.approx(2 / (models * (models - 1)) * sum(pairs))
    goals[:, 2] = np.nan
    without = np.delete(goals, 2, axis=1)
    means = np.broadcast_to(without.mean(axis=1, keepdims=True), values.shape)
    assert ability(values, goals) == ability(values, means)


def test_values_on_sets_are_those_of_each_set():
    rng = np.random.default_rng(2)
    positive, scores = rng.random(53) < 0.5, rng.integers(0, 9, (3, 53)) / 8
    of_set = rng.permutation(np.arange(53) % 5)
    found = values_on_sets([mm.auc, mm.brier], positive, scores, of_set)
    assert found.shape == (2, 3, 5)
    for model in range(3):
        for one in range(5):
            cases = of_set == one
            for place, measure in enumerate((mm.auc, mm.brier)):
                assert found[place, model, one] == pytest.approx(
                    measure(positive[cases], scores[model, cases])
                )


def test_the_study_by_hand():
    X, y = data(120)
    seen = []

    class Recording(GaussianNB):
        def fit(self, X, y):
            seen.append((X[:, 0].copy(), y.copy()))
            return super().fit(X, y)

    made = {"four": Recording(), "again": Recording(var_smoothing=0.5)}
    found = lab.selection_ability(made, X, y, "auc, brier", "auc", parts=4, sets=6, workers=1)
    assert len(seen) == 8
    rows = [set(values.tolist()) for values, _ in seen[::2]]
    assert [len(part) for part in rows] == [30] * 4  # each part trains once
    assert set().union(*rows) == set(X[:, 0].tolist())
    assert {int(labels.sum()) for _, labels in seen} <= {y.sum() // 4, y.sum() // 4 + 1}
    assert [(row.goal, row.measure) for row in found.rows] == [("auc", "auc"), ("auc", "brier")]
    assert all(row.msa * 4 * 6 * 2 == pytest.approx(round(row.msa * 48)) for row in found.rows)


def test_goals_data_sets_success_and_workers():
    sets = {"a": data(), "b": data(seed=1), "c": data(seed=2)}
    made = lab.first_attributes(GaussianNB(), [1, 2, 3, 4])
    one, two = (lab.selection_ability(made, sets, parts=3, sets=10, workers=w) for w in (1, 2))
    assert one.to_json() == two.to_json()
    assert len(one.rows) == 3 * 3 * 9
    for row in one.success:
        here = {
            r.dataset: r.msa for r in one.rows if (r.goal, r.measure) == (row.goal, row.measure)
        }
        most = {
            d: max(r.msa for r in one.rows if (r.dataset, r.goal) == (d, row.goal)) for d in sets
        }
        share = sum(here[d] >= (1 - row.tolerance) * most[d] - 1e-12 for d in sets) / 3
        assert row.rate == pytest.approx(share)
    assert 0 < sum(row.rate for row in one.success) < len(one.success)
    assert "within 5%" in one.table()
    drawn = SelectionDisplay(one, goal="auc").plot()
    rates = {
        row.tolerance: row.rate for row in one.success if (row.goal, row.measure) == ("auc", "rms")
    }
    assert dict(zip(drawn.courses["rms"].x / 100, drawn.courses["rms"].value, strict=True)) == rates
    with pytest.raises(ParameterError, match="goal must be one of accuracy, auc, precision"):
        SelectionDisplay(one)


class Constant:
    def fit(self, X, y):
        self.classes_ = np.array([False, True])

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)


def test_errors():
    X, y = data()
    made = lab.first_attributes(GaussianNB(), [1, 2])
    with pytest.raises(ParameterError, match="sets must be at most half of the 180 test cases"):
        lab.selection_ability(made, X, y, sets=100)
    rare = np.arange(200) < 1  # the part that trains with it leaves none for the test
    with pytest.raises(DataError, match="goal auc is undefined for a model on every set of a part"):
        lab.selection_ability(
            {"a": Constant(), "b": Constant()}, X, rare, "auc", "auc", parts=2, sets=20, workers=1
        )
    with pytest.raises(DataError, match="two classes, got 3"):
        lab.selection_ability(made, X, np.arange(200) % 3, sets=5)
