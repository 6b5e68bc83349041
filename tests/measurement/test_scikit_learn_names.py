"""Measures under the names of scikit-learn: the same definitions, on ties and weights."""

import numpy as np
import pytest
import sklearn.metrics

import metameasure as mm

OF_LABELS = {
    "accuracy_score": "accuracy",
    "balanced_accuracy_score": "balanced_accuracy",
    "cohen_kappa_score": "kappa",
    "f1_score": "f_measure",
    "hamming_loss": "error_rate",
    "jaccard_score": "jaccard",
    "matthews_corrcoef": "mcc",
    "precision_score": "precision",
    "recall_score": "tpr",
    "zero_one_loss": "error_rate",
}
OF_SCORES = {
    "average_precision_score": "average_precision",
    "brier_score_loss": "brier",
    "log_loss": "log_loss",
    "roc_auc_score": "auc",
}
RNG = np.random.default_rng(7)
Y = RNG.integers(0, 2, 60)
SCORES = np.round(np.clip(0.5 + 0.3 * (Y - 0.5) + 0.2 * RNG.normal(size=60), 0.05, 0.95), 1)
WEIGHTS = RNG.integers(1, 5, 60) / 2
TIED_AT_HALF = np.count_nonzero(SCORES == 0.5)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", sorted(OF_LABELS))
def test_measures_of_predicted_labels(name, weights):
    """Predicted labels as scores give the value of scikit-learn; scores are cut at 0.5."""
    assert TIED_AT_HALF
    predicted = (SCORES >= 0.5).astype(int)
    assert getattr(mm, name) is mm.parse(OF_LABELS[name])
    expected = getattr(sklearn.metrics, name)(Y, predicted, sample_weight=weights)
    for scores in (predicted, SCORES):
        found = getattr(mm, name)(Y, scores, sample_weight=weights)
        assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("beta", [0.5, 2])
def test_the_f_measure_of_other_betas(beta):
    predicted = (SCORES >= 0.5).astype(int)
    expected = sklearn.metrics.fbeta_score(Y, predicted, beta=beta, sample_weight=WEIGHTS)
    found = mm.fbeta_score(Y, predicted, beta=beta, sample_weight=WEIGHTS)
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", sorted(OF_SCORES))
def test_measures_of_scores(name, weights):
    assert np.unique(SCORES).size < SCORES.size / 4
    assert getattr(mm, name) is mm.parse(OF_SCORES[name])
    expected = getattr(sklearn.metrics, name)(Y, SCORES, sample_weight=weights)
    found = getattr(mm, name)(Y, SCORES, sample_weight=weights)
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("k", [None, 7, 25])
def test_ndcg_of_one_query(k):
    expected = sklearn.metrics.ndcg_score([Y], [SCORES], k=k)
    assert mm.ndcg_score(Y, SCORES, k=k) == pytest.approx(expected, rel=1e-12)
