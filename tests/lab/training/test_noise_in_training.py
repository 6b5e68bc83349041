"""Noise in training data: Berrar's algorithms 2 to 5, against loops written by hand."""

import numpy as np
import pytest
from sklearn.linear_model import Perceptron
from sklearn.naive_bayes import GaussianNB

import metameasure as mm
from metameasure.errors import DataError, ParameterError
from metameasure.lab.training.noise_in_training import judge_folds

lab = mm.lab
SEEN = []


class Watching:
    """An estimator that tells what it is given, and whose scores are the first attribute."""

    def fit(self, X, y):
        SEEN.append((X.copy(), y.copy()))
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        SEEN[-1] += (X.copy(),)
        return np.column_stack([1 - X[:, 0], X[:, 0]])


def data(n=50):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    return np.column_stack([np.arange(n) / n, rng.random(n)]), y


def seen(**options):
    """What the estimator was given: training attributes, labels, test attributes, per fold."""
    SEEN.clear()
    X, y = data()
    lab.training_robustness(Watching(), X, y, "auc", repeats=2, folds=5, workers=1, **options)
    return X, y, list(SEEN)


@pytest.mark.parametrize("where", ["all", "training"])
def test_label_noise(where):
    X, y, folds = seen(noise="labels", where=where, levels=0.4)
    assert len(folds) == 10
    for begin in (0, 5):
        changed = {}
        for train, labels, test in folds[begin : begin + 5]:
            cases = np.rint(train[:, 0] * 50).astype(int)
            assert sorted([*cases, *np.rint(test[:, 0] * 50).astype(int)]) == list(range(50))
            assert np.array_equal(train, X[cases])  # attributes have no noise
            wrong = labels != y[cases]
            assert 0 < wrong.sum() <= round(0.4 * len(cases))
            for case, label in zip(cases, labels, strict=True):
                changed.setdefault(case, set()).add(label)
        # One noise for the whole data, or another one per training part.
        assert all(len(labels) == 1 for labels in changed.values()) == (where == "all")


@pytest.mark.parametrize("where", ["all", "training"])
def test_attribute_noise(where):
    X, y, folds = seen(noise="attributes", where=where, levels=0.5)
    for train, labels, test in folds:
        assert labels.sum() + 0 <= y.sum()
        if where == "training":
            kept = np.rint(test[:, 0] * 50).astype(int)
            assert np.array_equal(test, X[kept])  # test parts have no noise
            rest = np.setdiff1d(np.arange(50), kept)
            for column in range(2):
                assert np.array_equal(np.sort(train[:, column]), np.sort(X[rest, column]))
            moved = (train != X[rest]).mean(axis=0)
            assert (moved > 0).all()
            assert (moved <= 0.5).all()
        else:
            both = np.concatenate([train, test])
            assert np.array_equal(np.sort(both[:, 1]), np.sort(X[:, 1]))
            assert {tuple(row) for row in both} != {tuple(row) for row in X}


class Chosen:
    """A generator whose random scores and choices are known."""

    def __init__(self, seed):
        self.kept, self.drawn = [], []
        self.rng = np.random.default_rng(seed)

    def permuted(self, array, axis):
        self.kept.append(self.rng.permuted(array, axis=axis))
        return self.kept[-1]

    def random(self, shape):
        self.drawn.append(self.rng.integers(0, 5, shape) / 4)
        return self.drawn[-1]


def auc(y, s):
    pairs = [(a, b) for a, k in zip(s, y, strict=True) for b, m in zip(s, y, strict=True) if k > m]
    return sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs) if pairs else None


def brier(y, s):
    return -sum((a - k) ** 2 for a, k in zip(s, y, strict=True)) / len(y)


def test_means_over_folds_are_compared_as_by_hand():
    rng = np.random.default_rng(2)
    repeats, n, folds = 60, 17, 3
    positive = rng.random((repeats, n)) < 0.08  # some folds have no positive
    scores = rng.integers(0, 5, (repeats, n)) / 4
    place = np.stack([rng.permutation(np.arange(n) % folds) for _ in range(repeats)])
    known = Chosen(3)
    measures = [mm.auc, mm.brier]
    errors, undefined = judge_folds(measures, positive, place, scores, 0.4, known)
    replaced = {5: known.drawn[0], 6: known.drawn[1]}
    order = {5: known.kept[0], 6: known.kept[1]}
    next_row = {5: 0, 6: 0}
    values = {}
    for repeat in range(repeats):
        for fold in range(folds):
            cases = np.flatnonzero(place[repeat] == fold)
            size, row = cases.size, next_row[cases.size]
            next_row[size] += 1
            s, y = scores[repeat, cases], positive[repeat, cases]
            worse = [
                replaced[size][row][i] if order[size][row][i] < round(0.4 * size) else s[i]
                for i in range(size)
            ]
            assert sum(order[size][row] < round(0.4 * size)) == 2
            for name, by_hand in (("auc", auc), ("brier", brier)):
                values.setdefault((repeat, name), []).append((by_hand(y, s), by_hand(y, worse)))
    for place_of, name in enumerate(("auc", "brier")):
        for repeat in range(repeats):
            both = [pair for pair in values[repeat, name] if pair[0] is not None]
            assert undefined[place_of, repeat] == (not both)
            gap = sum(b - a for a, b in both)
            expected = 0.5 if abs(gap) < 1e-12 else float(gap > 0)
            assert errors[place_of, repeat] == expected, (name, repeat)
    assert 0 < undefined[0].sum() < repeats
    assert (errors == 0.5).any()


def test_rows_and_workers():
    X, y = data(60)
    X[:, 1] += y
    options = {"levels": [0.1, 0.3], "repeats": 7, "folds": 3}
    sets = {"one": (X, y), "two": (X[::-1], y[::-1])}
    one, two = (
        lab.training_robustness({"nb": GaussianNB()}, sets, workers=w, **options) for w in (1, 2)
    )
    assert one.to_json() == two.to_json()
    assert len(one.rows) == 2 * 2 * 6
    assert {row.dataset for row in one.rows} == {"one", "two"}
    for row in one.rows:
        assert 0 <= row.low <= row.error_rate <= row.high <= 1
        assert row.error_rate * 14 == pytest.approx(round(row.error_rate * 14))
    assert "noise in the labels of all cases" in one.table()


def test_errors():
    X, y = data()
    with pytest.raises(ParameterError, match="must have predict_proba; Perceptron has none"):
        lab.training_robustness(Perceptron(), X, y)
    with pytest.raises(ParameterError, match="noise must be one of 'labels', 'attributes'"):
        lab.training_robustness(GaussianNB(), X, y, noise="scores")
    with pytest.raises(DataError, match="two classes, got 3"):
        lab.training_robustness(GaussianNB(), X, np.arange(50) % 3)

    class Failing(Watching):
        def fit(self, X, y):
            raise ValueError("singular")

    with pytest.raises(DataError, match="'Failing' failed to fit on fold 1 of 10: ValueError"):
        lab.training_robustness(Failing(), X, y, repeats=1, workers=1)
