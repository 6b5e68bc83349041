"""Coding of attributes, and logistic regression with a ridge."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from learner_data import golden_probabilities, small, trained_and_tested
from metameasure.errors import DataError, ParameterError
from metameasure.experiments import AttributeCoder, RidgeLogistic


@pytest.mark.parametrize("seed", range(4))
def test_minimum_of_the_loss(seed):
    """The loss as it is defined, minimized without derivatives from the definition."""
    X, y, levels, test = small(seed)
    classes = y.max() + 1
    learner = RidgeLogistic(nominal=levels, ridge=0.05).fit(X, y)
    coded = AttributeCoder(nominal=levels, reference=False).fit(X)
    mean, std = coded.transform(X).mean(axis=0), coded.transform(X).std(axis=0, ddof=1)
    std[std == 0] = 1

    def probabilities(flat, cases):
        weights = flat.reshape(classes - 1, -1)
        scores = (coded.transform(cases) - mean) / std @ weights[:, 1:].T + weights[:, 0]
        odds = np.exp(np.column_stack([scores, np.zeros(len(cases))]))
        return odds / odds.sum(axis=1, keepdims=True)

    def loss(flat):
        chosen = probabilities(flat, X)[np.arange(y.size), y]
        return -np.log(chosen).sum() + 0.05 * (flat.reshape(classes - 1, -1)[:, 1:] ** 2).sum()

    start = np.zeros((classes - 1) * (mean.size + 1))
    meant = minimize(loss, start, options={"gtol": 1e-6, "maxiter": 2000})
    assert loss(learner.coef_.T.ravel()) <= meant.fun + 1e-8
    assert learner.predict_proba(test) == pytest.approx(probabilities(meant.x, test), abs=1e-4)


def test_two_classes_as_scikit_learn():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 80)
    X = rng.normal(y[:, np.newaxis], 2, (80, 3))
    Z = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    peer = LogisticRegression(C=0.25, tol=1e-10).fit(Z, y)
    ours = RidgeLogistic(ridge=2.0).fit(X, y)
    assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(Z), abs=1e-6)


def test_equals_weka_where_the_likelihood_has_a_maximum():
    """Weka's search ends within about 1e-5 of it; the other data sets can be separated."""
    found = trained_and_tested(lambda levels: RidgeLogistic(nominal=levels), "mixed")
    assert found == pytest.approx(golden_probabilities("logistic")["mixed"], abs=1e-4)


def test_classes_that_can_be_separated():
    X, y = np.arange(8.0)[:, np.newaxis], [0, 0, 0, 0, 1, 1, 1, 1]
    learner = RidgeLogistic().fit(X, y)
    assert learner.predict(X).tolist() == y
    assert np.isfinite(learner.coef_).all()
    assert learner.n_iter_ < 60


def test_reference_levels():
    X = [[0, 1], [1, 0], [2, 1]]
    assert AttributeCoder(nominal=(3, 2)).fit_transform(X).tolist() == [
        [0, 0, 1],
        [1, 0, 0],
        [0, 1, 1],
    ]
    assert AttributeCoder(nominal=(3, 2), reference=False).fit_transform(X).shape == (3, 4)


def test_missing_values_are_filled_in_from_the_training_cases():
    coder = AttributeCoder(nominal=(3, 0, 0)).fit([[1, 4.0, np.nan], [1, 2.0, np.nan], [2, 0, 1e3]])
    assert coder.transform([[np.nan] * 3]).tolist() == [[1, 0, 2, 1e3]]
    nothing = AttributeCoder(nominal=(2, 0)).fit([[np.nan, np.nan]])
    assert nothing.transform([[np.nan, np.nan]]).tolist() == [[0, 0]]


def test_what_is_refused():
    with pytest.raises(ParameterError, match="ridge must be >= 0, got -1"):
        RidgeLogistic(ridge=-1).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ParameterError, match="reference must be True or False"):
        AttributeCoder(reference=1).fit([[0.0]])
    with pytest.raises(DataError, match="column 0 must have codes from 0 to 1, got 3 in row 0"):
        AttributeCoder(nominal=(2,)).fit([[0], [1]]).transform([[3]])
