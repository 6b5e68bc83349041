"""The conventions of scikit-learn, and what an installation without it says."""

import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from metameasure.errors import MetameasureError
from metameasure.experiments import (
    VFI,
    AttributeCoder,
    C45Tree,
    KStar,
    MixedNaiveBayes,
    RidgeLogistic,
)

LEARNERS = [
    MixedNaiveBayes(),
    MixedNaiveBayes(numeric="normal"),
    MixedNaiveBayes(numeric="kernel"),
    MixedNaiveBayes(numeric="discretized"),
    C45Tree(),
    VFI(),
    KStar(),
    RidgeLogistic(),
]


@pytest.mark.parametrize("estimator", [*LEARNERS, AttributeCoder()], ids=repr)
def test_checks_of_scikit_learn(estimator):
    check_estimator(estimator, on_skip=None)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_labels_of_any_kind_and_clones(learner):
    X = np.array([[0, 1.5], [1, 2.5], [0, 0.5], [1, 3.5], [1, 3.0], [0, 1.0]])
    y = np.array(["no", "yes", "no", "yes", "yes", "no"])
    learner = clone(learner).set_params(nominal=(2, 0)).fit(X, y)
    assert learner.classes_.tolist() == ["no", "yes"]
    assert learner.predict(X).tolist() == y.tolist()
    assert learner.predict_proba(X).sum(axis=1) == pytest.approx(1)
    assert clone(learner).nominal == (2, 0)


def test_without_scikit_learn(monkeypatch):
    import importlib.util

    monkeypatch.delitem(sys.modules, "metameasure.experiments.learners.learner")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MetameasureError, match=r"not installed; pip install 'metameasure\[skl"):
        importlib.import_module("metameasure.experiments.learners.learner")
