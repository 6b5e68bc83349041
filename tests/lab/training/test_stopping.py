"""Training that stops by a measure: against estimators whose course is known."""

import numpy as np
import pytest
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier

import metameasure as mm
from metameasure.errors import DataError, ParameterError
from metameasure.lab.training.stopping import has_gained


class Course:
    """An estimator whose scores after each epoch are given: one row per epoch."""

    def __init__(self, scores):
        self.scores = np.asarray(scores, dtype=float)
        self.epochs = 0

    def fit(self, X, y):
        raise AssertionError

    def partial_fit(self, X, y, classes=None):
        self.epochs += 1
        self.classes_ = classes
        return self

    def predict_proba(self, X):
        score = self.scores[min(self.epochs, len(self.scores)) - 1][X[:, 0].astype(int)]
        return np.column_stack([1 - score, score])


Y = np.array([0] * 10 + [1] * 10)
X = np.arange(20.0)[:, np.newaxis]


def with_right(count, level=0.9):
    """Scores with which this many cases are classified correctly; AUC grows with it, too."""
    right = np.arange(20) % 10 < count / 2
    return np.where(right == (Y == 1), level, 1 - level)


def course(counts):
    return Course([with_right(count) for count in counts])


def by_hand(values, patience, least):
    """The epoch that is kept and the last one, evaluated each epoch."""
    best, at = values[0], 1
    for epoch, value in enumerate(values[1:], 2):
        if value - best > least:
            best, at = value, epoch
        if epoch - at >= patience:
            return at, epoch
    return at, len(values)


@pytest.mark.parametrize("patience", [1, 2, 3])
@pytest.mark.parametrize("least", [0.0, 0.06, 0.15])
def test_it_stops_as_by_hand(patience, least):
    rng = np.random.default_rng(patience)
    counts = (2 * rng.integers(0, 11, 12)).tolist()
    model = course(counts)
    found = mm.train_by(
        model, "accuracy", X, Y, validation=None, patience=patience, every=1, min_gain=least,
        max_epochs=12,
    )  # fmt: skip
    values = [count / 20 for count in counts]
    kept, last = by_hand(values, patience, least)
    assert (found.epoch, found.rows[-1].epoch) == (kept, last)
    assert [row.value for row in found.rows] == pytest.approx(values[:last])
    assert found.estimator.epochs == kept  # the state, not the last one
    assert model.epochs == 0  # the estimator of the caller


def test_it_looks_ahead_as_huang_does():
    counts = [2] * 50 + [20] * 3 + [4] * 47 + [4] * 50 + [20] * 50
    found = mm.train_by(course(counts), "accuracy", X, Y, validation=None)
    # Evaluated every 50 epochs only: 0.1 at 50, 0.2 at 100, and no gain at 150.
    assert [row.epoch for row in found.rows] == [50, 100, 150]
    assert [row.saved for row in found.rows] == [True, True, False]
    assert found.epoch == 100
    assert found.stopped == "no gain of more than 0.01 in 50 epochs"
    assert "kept epoch 100" in found.table()


def test_a_measure_that_is_best_when_small():
    levels = [0.6, 0.7, 0.8, 0.7, 0.6]
    model = Course([with_right(20, level) for level in levels])
    found = mm.train_by(model, "brier", X, Y, validation=None, patience=2, every=1, min_gain=0.001)
    assert found.epoch == 3
    assert [row.gain for row in found.rows][1] == pytest.approx(0.16 - 0.09)


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        ([0.82, 0.1], [0.8, 0.9], True),  # the first part gains enough
        ([0.805, 0.9], [0.8, 0.5], True),  # it gains too little, and the second one enough
        ([0.8, 0.9], [0.8, 0.5], True),  # a tie, and the second part gains
        ([0.8, 0.505], [0.8, 0.5], False),
        ([0.799, 0.9], [0.8, 0.5], False),  # the first part gets worse
        ([0.8 + 1e-15, 0.4], [0.8, 0.5], False),
        ([float("nan"), 0.9], [0.8, 0.5], False),
        ([0.5, 0.9], [float("nan"), 0.5], True),
    ],
)
def test_the_gain_of_a_two_level_measure(new, old, expected):
    assert has_gained(new, old, 0.01) is expected


def test_the_second_level_prolongs_the_training():
    # The AUC is 1 throughout; accuracy grows since scores pass 0.5.
    rank = np.linspace(0, 1, 20)
    model = [np.clip(rank * scale, 0, 1) for scale in (0.6, 0.7, 0.8, 0.9, 0.9, 0.9)]
    options = {"validation": None, "patience": 2, "every": 1, "max_epochs": 6}
    first = mm.train_by(Course(model), "auc", X, Y, **options)
    both = mm.train_by(Course(model), "two_level(auc, accuracy)", X, Y, **options)
    assert (first.epoch, both.epoch) == (1, 4)
    assert [row.second for row in both.rows[:4]] == pytest.approx(
        [mm.accuracy(Y, scores) for scores in model[:4]]
    )
    linear = mm.train_by(Course(model), mm.linear("auc", "accuracy", alpha=0.5), X, Y, **options)
    assert linear.epoch == 4
    assert linear.rows[0].second is None


def classes(n=120, k=2):
    rng = np.random.default_rng(0)
    y = np.arange(n) % k
    return rng.normal(size=(n, 4)) + y[:, np.newaxis] * [1, 0.5, 0, 0], y


@pytest.mark.parametrize(
    ("estimator", "size"),
    [
        (MLPClassifier((3,)), lambda m: m.t_ / 108),
        (RandomForestClassifier(), lambda m: len(m.estimators_)),
        (GradientBoostingClassifier(), lambda m: len(m.estimators_)),
        (HistGradientBoostingClassifier(), lambda m: m.n_iter_),
        (SGDClassifier(loss="log_loss"), None),
        (MLPClassifier((3,), solver="lbfgs"), None),
        (LogisticRegression(), None),
    ],
)
def test_estimators_of_scikit_learn(estimator, size):
    features, y = classes()
    before = estimator.get_params()
    found = mm.train_by(
        estimator, "auc", features, y, patience=6, every=3, min_gain=0, max_epochs=18
    )
    assert estimator.get_params() == before
    assert not hasattr(estimator, "classes_")
    assert found.estimator.predict_proba(features).shape == (120, 2)
    if size is not None:
        assert size(found.estimator) == found.epoch
    again = mm.train_by(
        estimator, "auc", features, y, patience=6, every=3, min_gain=0, max_epochs=18
    )
    assert again.to_json() == found.to_json()


def test_validation_cases_do_not_train():
    features, y = classes()
    seen = []

    class Watching(GaussianNB):
        def partial_fit(self, X, y, classes=None):
            seen.append(X)
            return super().partial_fit(X, y, classes)

    found = mm.train_by(Watching(), "auc", features, y, validation=0.25, patience=1)
    assert found.meta["training_cases"] == 90
    assert {part.shape for part in seen} == {(90, 4)}
    other = features[:60] + 0.1, y[:60]
    given = mm.train_by(Watching(), "auc", features, y, validation=other, patience=1)
    assert given.rows[0].value == mm.auc(
        other[1], GaussianNB().fit(features, y).predict_proba(other[0])[:, 1]
    )
    assert given.meta["training_cases"] == 120


def test_more_classes():
    features, y = classes(k=3)
    found = mm.train_by(GaussianNB(), "log_loss", features, y, validation=None, patience=2)
    value = mm.log_loss(y, GaussianNB().fit(features, y).predict_proba(features))
    assert found.rows[0].value == pytest.approx(value, rel=1e-3)


def test_errors():
    features, y = classes()
    with pytest.raises(ParameterError, match="DecisionTreeClassifier must have partial_fit, or"):
        mm.train_by(DecisionTreeClassifier(), "auc", features, y)
    with pytest.raises(ParameterError, match="every must be an integer from 1 to 5, got 6"):
        mm.train_by(GaussianNB(), "auc", features, y, patience=5, every=6)
    with pytest.raises(ParameterError, match=r"large enough for all classes, got 0\.001"):
        mm.train_by(GaussianNB(), "auc", features, y, validation=0.001)
    with pytest.raises(ParameterError, match="brier needs probabilities, but SGDClassifier has"):
        mm.train_by(SGDClassifier(), "brier", features, y)
    with pytest.raises(ParameterError, match=r"pos_label"):
        mm.train_by(GaussianNB(), "auc", features, y, validation=(features, y + 3))
    failing = MLPClassifier(early_stopping=True)
    with pytest.raises(DataError, match="'MLPClassifier' failed to train on epoch 1: ValueError"):
        mm.train_by(failing, "auc", features, y, patience=2)
    missing = np.full_like(features, np.nan)
    with pytest.raises(DataError, match="'SGDClassifier' failed to train on epoch 1: ValueError"):
        mm.train_by(SGDClassifier(), "auc", missing, y)
    forest = RandomForestClassifier(max_depth=-1)
    with pytest.raises(DataError, match="'RandomForestClassifier' failed to train on epochs 1 to"):
        mm.train_by(forest, "auc", features, y, patience=2)


@pytest.mark.parametrize("wrong", [3, GaussianNB])
def test_what_is_not_an_estimator_is_refused_by_the_name_of_the_argument(wrong):
    with pytest.raises(ParameterError, match=r"^estimator: expected an estimator with fit, got"):
        mm.train_by(wrong, "auc", np.zeros((4, 1)), [0, 1, 0, 1])
