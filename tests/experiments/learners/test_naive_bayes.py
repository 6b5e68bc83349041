"""Mixed naive Bayes against its description, and the block of cross-validations against it."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from learner_data import as_lists, small
from metameasure.errors import DataError, ParameterError
from metameasure.experiments import MixedNaiveBayes, cross_validated_bayes
from oracles import learners as oracle

E1071 = {
    "numeric": "normal",
    "laplace": 0,
    "prior_laplace": 0,
    "ddof": 1,
    "floor": 0,
    "zero_probability": 0.001,
}


@pytest.mark.parametrize("seed", range(12))
def test_equals_the_description(seed):
    X, y, levels, test = small(seed)
    found = MixedNaiveBayes(nominal=levels).fit(X, y).predict_proba(test)
    for row, case in zip(found, as_lists(test), strict=True):
        meant = oracle.naive_bayes(as_lists(X), y.tolist(), levels, y.max() + 1, case)
        assert row == pytest.approx(meant, rel=1e-8, abs=1e-12)


def test_normal_density_is_that_of_scikit_learn():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 90)
    X = rng.normal(y[:, np.newaxis], 1, (90, 4))
    peer = GaussianNB(var_smoothing=0).fit(X, y)
    ours = MixedNaiveBayes(numeric="normal", prior_laplace=0).fit(X, y)
    assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(X), rel=1e-9, abs=1e-12)


def test_settings_of_e1071_by_hand():
    X, y = [[0, 1.0], [0, 3.0], [1, 2.0], [1, 2.0], [1, 5.0]], [0, 0, 1, 1, 1]
    found = MixedNaiveBayes(nominal=(2, 0), **E1071).fit(X, y).predict_proba([[0, 2.0]])[0]
    first = 0.4 * 1 * np.exp(0) / np.sqrt(2 * np.pi * 2)
    second = 0.6 * 0.001 * np.exp(-1 / 2 / 3) / np.sqrt(2 * np.pi * 3)
    assert found[0] == pytest.approx(first / (first + second), rel=1e-12)


def test_discretized_is_nominal_with_the_intervals():
    X, y, _, test = small(4, cases=60)
    cuts = MixedNaiveBayes(numeric="discretized").fit(X, y).cuts_
    codes, test_codes = (
        np.where(np.isnan(part), np.nan, [
            [sum(v > edge for edge in edges) for v, edges in zip(row, cuts, strict=True)]
            for row in part
        ])
        for part in (X, test)
    )  # fmt: skip
    levels = tuple(len(edges) + 1 for edges in cuts)
    nominal = MixedNaiveBayes(nominal=levels).fit(codes, y).predict_proba(test_codes)
    found = MixedNaiveBayes(numeric="discretized").fit(X, y).predict_proba(test)
    assert found == pytest.approx(nominal, rel=1e-12)


def test_kernel_by_hand():
    X, y = [[0.0], [1.0], [4.0], [6.0]], [0, 0, 1, 1]
    found = MixedNaiveBayes(numeric="kernel").fit(X, y).predict_proba([[2.0]])[0]
    # precision 2: the values are rounded to 0, 0 and 4, 6; widths 2/6 and 2/sqrt(2)
    low, width = 2 / 6, 2**0.5

    def mass(away, std):
        return oracle._normal((away + 1) / std) - oracle._normal((away - 1) / std)

    p = mass(2, low), (mass(2, width) + mass(4, width)) / 2
    assert found == pytest.approx(np.array(p) / sum(p), rel=1e-9)


def test_missing_values_do_not_count():
    X, y, levels, _ = small(5)
    learner = MixedNaiveBayes(nominal=levels).fit(X, y)
    prior = (np.bincount(y) + 1) / (y.size + y.max() + 1)
    nothing = np.full((1, len(levels)), np.nan)
    assert learner.predict_proba(nothing)[0] == pytest.approx(prior)


@pytest.mark.parametrize("options", [{}, E1071], ids=["weka", "e1071"])
@pytest.mark.parametrize("seed", [1, 2, 5])
def test_block_equals_the_estimator(seed, options):
    X, y, levels, _ = small(seed, cases=60, classes=2)
    learner = MixedNaiveBayes(nominal=levels, **options)
    rng = np.random.default_rng(seed)
    n, d = X.shape
    folds = np.array([rng.permutation(np.arange(n) % 4) for _ in range(3)])
    noisy = np.where(rng.random((3, n)) < 0.1, 1 - y, y)
    per_part = np.where(rng.random((3, 4, n)) < 0.1, 1 - y, y)
    rows = rng.permuted(np.broadcast_to(np.arange(n)[:, np.newaxis], (3, n, d)), axis=1)
    moved = rng.permuted(np.broadcast_to(np.arange(n)[:, np.newaxis], (3, 4, n, d)), axis=2)
    column = np.arange(d)
    for labels, kind, index in [
        (y, None, None),
        (noisy, None, None),
        (per_part, None, None),
        (y, "rows", rows),
        (noisy, "training_rows", moved),
    ]:
        given = {kind: index} if kind else {}
        found = cross_validated_bayes(learner, X, labels, folds, **given)
        assert found.shape == (3, n, 2)
        for repeat in range(3):
            for part in range(4):
                test = folds[repeat] == part
                target = np.broadcast_to(labels if labels.ndim != 2 else labels[:, None], (3, 4, n))
                training = testing = X
                if kind == "rows":
                    training = testing = X[index[repeat], column]
                elif kind == "training_rows":
                    training = X[index[repeat, part], column]
                learner.fit(training[~test], target[repeat, part][~test])
                meant = learner.predict_proba(testing[test])
                assert found[repeat, test] == pytest.approx(meant, rel=1e-8, abs=1e-12)


def test_block_keeps_the_column_of_a_class_without_training_cases():
    X, y = np.arange(6.0)[:, np.newaxis], ["a", "b", "b", "c", "b", "b"]
    found = cross_validated_bayes(MixedNaiveBayes(), X, y, [[0, 1, 1, 2, 1, 2]])
    assert found.shape == (1, 6, 3)
    assert np.isfinite(found).all()
    assert found.sum(axis=-1) == pytest.approx(1)


def test_block_refuses_wrong_shapes():
    X, y = np.zeros((4, 2)), [0, 1, 0, 1]
    learner = MixedNaiveBayes()
    with pytest.raises(DataError, match=r"y must have shape \(1, 2, 4\), got \(1, 1, 3\)"):
        cross_validated_bayes(learner, X, [0, 1, 0], [[0, 0, 1, 1]])
    with pytest.raises(DataError, match=r"rows must have shape \(2, 4, 2\), got \(2, 3, 2\)"):
        cross_validated_bayes(learner, X, y, [[0, 0, 1, 1]] * 2, rows=np.zeros((2, 3, 2), int))
    with pytest.raises(DataError, match="folds must be numbered from 0 to 1 or more, got 0 to 0"):
        cross_validated_bayes(learner, X, y, [[0, 0, 0, 0]])
    with pytest.raises(ParameterError, match='numeric must be "binned" or "normal" here'):
        cross_validated_bayes(MixedNaiveBayes(numeric="kernel"), X, y, [[0, 0, 1, 1]])


def test_parameters_are_checked():
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(ParameterError, match="laplace must be >= 0, got -1"):
        MixedNaiveBayes(laplace=-1).fit(X, y)
    with pytest.raises(ParameterError, match="zero_probability must be > 0 if floor is 0"):
        MixedNaiveBayes(floor=0).fit(X, y)
    with pytest.raises(ParameterError, match="numeric must be one of 'binned'"):
        MixedNaiveBayes(numeric="gauss").fit(X, y)
    with pytest.raises(ParameterError, match="nominal must be None or 1 integers, one per column"):
        MixedNaiveBayes(nominal=(2, 2)).fit(X, y)
    with pytest.raises(DataError, match=r"column 0 must have codes from 0 to 1, got 0\.5 in row 1"):
        MixedNaiveBayes(nominal=(2,)).fit([[0.0], [0.5]], y)
    with pytest.raises(DataError, match="column 0 must have codes from 0 to 1, got 2 in row 0"):
        MixedNaiveBayes(nominal=(2,)).fit(X, y).predict([[2]])
