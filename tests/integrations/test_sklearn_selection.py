"""Scorers in the tools of scikit-learn: searches, curves, importances and tuned thresholds."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn import metrics
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_validate,
    learning_curve,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

import metameasure as mm

RNG = np.random.default_rng(5)
X = RNG.normal(size=(240, 3))
Y = (X[:, 0] + 0.5 * X[:, 1] + RNG.normal(size=240) > 0.6).astype(int)
WORDS = np.where(Y == 1, "good", "bad")
WEIGHT = RNG.integers(1, 5, 240).astype(float)
CV = StratifiedKFold(3)
GRID = {"C": [0.001, 0.1, 10.0]}
PAIRS = {  # ours and scikit-learn's scorer of the same quantity
    "auc": "roc_auc",
    "average_precision": "average_precision",
    "log_loss": "neg_log_loss",
    "brier": "neg_brier_score",
}
LABELED = {"numbers": Y, "text": WORDS, "a series": pd.Series(WORDS)}
SCORED_TEXT = {"auc": "roc_auc", "log_loss": "neg_log_loss"}
"""Those of scikit-learn that take text without pos_label in all supported releases."""


@pytest.mark.parametrize("pos_label", [None, "bad"])
def test_measures_of_predicted_classes_need_no_probabilities(pos_label):
    positive = {"pos_label": pos_label or "good"}
    for name, theirs, options in (
        ("accuracy", metrics.accuracy_score, {}),
        ("f1", metrics.f1_score, positive),
        ("recall", metrics.recall_score, positive),
        ("mcc", metrics.matthews_corrcoef, {}),
    ):
        found, expected = (
            GridSearchCV(SVC(), {"C": [1.0, 10.0]}, scoring=scoring, cv=CV)
            .fit(X, WORDS)
            .cv_results_
            for scoring in (
                mm.scorer(name, pos_label=pos_label),
                metrics.make_scorer(theirs, **options),
            )
        )
        np.testing.assert_allclose(
            found["mean_test_score"], expected["mean_test_score"], rtol=1e-12
        )


def test_several_classes_need_no_probabilities_for_measures_of_predicted_classes():
    features, species = load_iris(return_X_y=True)
    for name, theirs in {"macro_f_measure": "f1_macro", "accuracy": "accuracy"}.items():
        found, expected = (
            cross_validate(SVC(), features, species, scoring=scoring, cv=CV)["test_score"]
            for scoring in (mm.scorer(name), theirs)
        )
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    with pytest.raises(mm.DataError, match="SVC must have predict_proba"):
        mm.scorer("log_loss")(SVC().fit(features, species), features, species)


@pytest.mark.parametrize("labels", LABELED.values(), ids=LABELED)
@pytest.mark.parametrize(("name", "theirs"), SCORED_TEXT.items())
def test_searches_choose_as_with_the_scorers_of_scikit_learn(labels, name, theirs):
    for search, options in (
        (GridSearchCV, {}),
        (HalvingGridSearchCV, {"factor": 2, "random_state": 0, "min_resources": 120}),
    ):
        ours, expected = (
            search(LogisticRegression(), GRID, scoring=scoring, cv=CV, **options).fit(X, labels)
            for scoring in (mm.scorer(name), theirs)
        )
        assert ours.best_params_ == expected.best_params_
        assert np.isfinite(ours.best_score_)
        np.testing.assert_allclose(
            ours.cv_results_["mean_test_score"], expected.cv_results_["mean_test_score"], rtol=1e-9
        )


@pytest.mark.parametrize("labels", [Y, WORDS], ids=["numbers", "text"])
def test_a_search_by_h_measure_has_a_score(labels):
    search = GridSearchCV(LogisticRegression(), GRID, scoring=mm.scorer("h_measure"), cv=CV)
    best = search.fit(X, labels).best_score_
    expected = []
    for c in GRID["C"]:
        values = []
        for train, test in CV.split(X, labels):
            model = LogisticRegression(C=c).fit(X[train], labels[train])
            values.append(mm.h_measure(Y[test], model.decision_function(X[test])))
        expected.append(np.mean(values))
    assert best == pytest.approx(max(expected))


@pytest.mark.parametrize(("name", "theirs"), PAIRS.items())
def test_learning_curves_and_importances(name, theirs):
    ours, expected = (
        learning_curve(LogisticRegression(), X, Y, scoring=scoring, cv=CV, train_sizes=[0.5, 1.0])
        for scoring in (mm.scorer(name), theirs)
    )
    np.testing.assert_allclose(ours[2], expected[2], rtol=1e-9)
    model = LogisticRegression().fit(X, Y)
    for weight in (None, WEIGHT):
        found, right = (
            permutation_importance(
                model, X, Y, scoring=scoring, random_state=0, n_repeats=3, sample_weight=weight
            )
            for scoring in (mm.scorer(name), theirs)
        )
        np.testing.assert_allclose(found.importances, right.importances, atol=1e-9)


def test_several_measures_of_importances():
    model = LogisticRegression().fit(X, WORDS)
    options = {"random_state": 0, "n_repeats": 3}
    several = permutation_importance(model, X, WORDS, scoring=mm.scorers("auc, brier"), **options)
    for name in ("auc", "brier"):
        one = permutation_importance(model, X, WORDS, scoring=mm.scorer(name), **options)
        np.testing.assert_allclose(several[name].importances, one.importances, rtol=1e-12)


THRESHOLD_PAIRS = {
    "f_measure": metrics.f1_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "accuracy": metrics.accuracy_score,
    "mcc": metrics.matthews_corrcoef,
}


@pytest.mark.parametrize("labels", [Y, WORDS], ids=["numbers", "text"])
@pytest.mark.parametrize(("name", "theirs"), THRESHOLD_PAIRS.items(), ids=THRESHOLD_PAIRS)
@pytest.mark.filterwarnings("ignore::metameasure.UndefinedMeasureWarning")
def test_tuned_thresholds(labels, name, theirs):
    thresholds = np.linspace(0.15, 0.6, 10)  # where both classes are predicted in each fold
    positive = {} if name != "f_measure" else {"pos_label": max(labels)}
    right = metrics.make_scorer(theirs, **positive)
    ours, expected = (
        TunedThresholdClassifierCV(
            LogisticRegression(), scoring=scoring, thresholds=thresholds, cv=CV,
            store_cv_results=True,
        ).fit(X, labels)
        for scoring in (mm.scorer(name), right)
    )  # fmt: skip
    assert ours.best_threshold_ == expected.best_threshold_
    np.testing.assert_allclose(ours.cv_results_["scores"], expected.cv_results_["scores"])
    assert list(ours.predict(X)) == list(expected.predict(X))


@pytest.mark.filterwarnings("ignore::metameasure.UndefinedMeasureWarning")
def test_a_tuned_threshold_of_another_class_or_of_a_loss():
    options = {"thresholds": np.linspace(0.2, 0.8, 13), "cv": CV}
    of_bad = TunedThresholdClassifierCV(
        LogisticRegression(), scoring=mm.scorer("f_measure", pos_label="bad"), **options
    ).fit(X, WORDS)
    right = metrics.make_scorer(metrics.f1_score, pos_label="bad")
    expected = TunedThresholdClassifierCV(LogisticRegression(), scoring=right, **options)
    assert of_bad.best_threshold_ == expected.fit(X, WORDS).best_threshold_
    loss = TunedThresholdClassifierCV(
        LogisticRegression(), scoring=mm.scorer("error_rate"), **options
    ).fit(X, Y)
    gain = TunedThresholdClassifierCV(LogisticRegression(), scoring="accuracy", **options)
    assert loss.best_threshold_ == gain.fit(X, Y).best_threshold_


def test_what_does_not_depend_on_a_threshold_tunes_none():
    tuned = TunedThresholdClassifierCV(LogisticRegression(), scoring=mm.scorer("auc"), cv=CV)
    with pytest.raises(mm.ParameterError, match="auc is not a measure of predicted classes"):
        tuned.fit(X, Y)


def test_a_fold_of_one_class_tunes_with_known_labels():
    rows = np.flatnonzero(Y == 0)
    model = LogisticRegression().fit(X, Y)
    ours, expected = (
        TunedThresholdClassifierCV(model, scoring=scoring, cv="prefit", refit=False)
        .fit(X[rows], Y[rows])
        .best_score_
        for scoring in (mm.scorer("accuracy"), "accuracy")
    )
    assert ours == pytest.approx(expected)


@pytest.mark.parametrize(
    "make",
    [
        lambda model, scoring: GridSearchCV(model, GRID, scoring=scoring, cv=CV, refit=False),
        lambda model, scoring: HalvingGridSearchCV(
            model, GRID, scoring=scoring, cv=CV, factor=2, random_state=0, min_resources=120
        ),
        lambda model, scoring: TunedThresholdClassifierCV(
            model, scoring=scoring, cv=CV, thresholds=[0.2, 0.3, 0.4], store_cv_results=True
        ),
    ],
    ids=["grid", "halving", "threshold"],
)
@pytest.mark.parametrize("asked", [True, False])
def test_weights_through_metadata_routing(make, asked):
    """Weighted scores are those of scikit-learn's scorer with the same weights."""
    accuracy = metrics.make_scorer(metrics.accuracy_score)
    with sklearn.config_context(enable_metadata_routing=True):
        ours, expected = (
            make(
                LogisticRegression().set_fit_request(sample_weight=True),
                scoring.set_score_request(sample_weight=asked),
            ).fit(X, Y, sample_weight=WEIGHT)
            for scoring in (mm.scorer("accuracy"), accuracy)
        )
    key = "scores" if "scores" in ours.cv_results_ else "mean_test_score"
    np.testing.assert_allclose(ours.cv_results_[key], expected.cv_results_[key], rtol=1e-12)


def test_weights_of_learning_curves_through_metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        ours, expected = (
            learning_curve(
                LogisticRegression().set_fit_request(sample_weight=True),
                X, Y, cv=CV, train_sizes=[1.0], params={"sample_weight": WEIGHT},
                scoring=scoring.set_score_request(sample_weight=True),
            )
            for scoring in (mm.scorer("auc"), metrics.get_scorer("roc_auc"))
        )  # fmt: skip
    np.testing.assert_allclose(ours[2], expected[2], rtol=1e-9)


# --- a measure in place of a scorer


@pytest.mark.parametrize("measure", [mm.auc, mm.f_measure.using(beta=2), mm.hand_till_auc], ids=str)
def test_a_measure_is_not_a_scorer(measure):
    model = LogisticRegression().fit(X, Y)
    with pytest.raises(mm.ParameterError) as refused:
        measure(model, X, Y)
    assert f"use scoring=mm.scorer('{measure}')" in str(refused.value)
    with pytest.raises(mm.ParameterError, match=r"mm\.scorer"):
        cross_validate(model, X, Y, scoring=measure, error_score="raise")
    with pytest.raises(mm.ParameterError, match=r"mm\.scorer"):
        permutation_importance(model, X, Y, scoring=measure)
    search = GridSearchCV(model, {"C": [1.0]}, scoring=measure, cv=CV, refit=False)
    with (
        pytest.warns(UserWarning, match="non-finite"),
        pytest.warns(UserWarning, match=r"mm\.scorer"),
    ):
        search.fit(X, Y)


def test_other_arguments_too_many_are_counted():
    with pytest.raises(TypeError, match=r"auc\(\) takes 2 positional arguments but 3 were given"):
        mm.auc([0, 1], [0.2, 0.3], 0.5)


# --- what estimators have


@pytest.mark.parametrize("name", ["brier", "log_loss", "scored_auc"])
def test_decision_functions_are_not_probabilities(name):
    model = RidgeClassifier().fit(X, Y)
    with pytest.raises(mm.DataError, match=r"must have predict_proba; calibrate it.*such as auc"):
        mm.scorer(name)(model, X, Y)
    calibrated = CalibratedClassifierCV(RidgeClassifier()).fit(X, Y)
    assert np.isfinite(mm.scorer(name)(calibrated, X, Y))


def test_searches_of_several_classes():
    flowers, kinds = load_iris(return_X_y=True)
    names = np.array(["rose", "iris", "tulip"])[kinds]
    for ours, theirs in (("log_loss", "neg_log_loss"), ("ovr_auc", "roc_auc_ovr"),
                         ("hand_till_auc", "roc_auc_ovo")):  # fmt: skip
        found, right = (
            GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1.0]}, scoring=one, cv=CV)
            .fit(flowers, names)
            .cv_results_["mean_test_score"]
            for one in (mm.scorer(ours), theirs)
        )
        np.testing.assert_allclose(found, right, rtol=1e-9)
