"""Fitted estimators in place of their scores."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import metameasure as mm
from metameasure.plots import ForestDisplay, RocDisplay

RNG = np.random.default_rng(3)
X = RNG.normal(size=(120, 3))
Y = (X[:, 0] + RNG.normal(size=120) > 0.4).astype(int)
WORDS = np.where(Y == 1, "yes", "no")
BAYES, LINEAR = GaussianNB().fit(X, WORDS), LogisticRegression().fit(X, WORDS)
BOTH = {"nb": BAYES, "lr": LINEAR}
SCORES = {name: model.predict_proba(X)[:, 1] for name, model in BOTH.items()}


def test_estimators_are_evaluated_by_their_probabilities():
    found = mm.evaluate(BOTH, X, WORDS)
    assert found.to_dict() == mm.evaluate(WORDS, SCORES, pos_label="yes").to_dict()
    (row,) = mm.evaluate(LINEAR, X, WORDS, "auc", ci=None).rows
    expected = metrics.roc_auc_score(Y, SCORES["lr"])
    assert (row.model, row.value) == ("LogisticRegression", pytest.approx(expected))
    (row,) = mm.evaluate(LINEAR, X, WORDS, measures="brier", ci=None).rows
    assert row.value == pytest.approx(metrics.brier_score_loss(Y, SCORES["lr"]))


def test_options_go_with_estimators():
    weight, site = RNG.random(120), np.arange(120) % 3
    found = mm.evaluate(
        BOTH, X, WORDS, "average_precision", pos_label="no", sample_weight=weight, group=site
    )
    turned = {name: 1 - scores for name, scores in SCORES.items()}
    expected = mm.evaluate(
        WORDS, turned, "average_precision", pos_label="no", sample_weight=weight, group=site
    )
    assert [row.value for row in found.rows] == pytest.approx([row.value for row in expected.rows])
    (row,) = mm.evaluate(BOTH, X, WORDS, "auc", ci=None, score="lr").rows
    assert row.model == "lr"


def test_folds_groups_and_gates_take_estimators():
    fold, site = np.arange(120) % 4, np.resize(["a", "b"], 120)
    by_fold = mm.evaluate(BOTH, X, WORDS, "auc", fold=fold)
    assert (
        by_fold.to_dict() == mm.evaluate(WORDS, SCORES, "auc", fold=fold, pos_label="yes").to_dict()
    )
    groups = mm.compare_groups(BOTH, X, WORDS, "auc", group=site)
    expected = mm.compare_groups(WORDS, SCORES, "auc", group=site, pos_label="yes")
    assert groups.to_dict() == expected.to_dict()
    required = ["auc >= 0.6", "auc >= baseline - 0.1 by group"]
    gate = mm.gate(BOTH, X, WORDS, required, baseline="nb", group=site)
    expected = mm.gate(WORDS, SCORES, required, baseline="nb", group=site, pos_label="yes")
    assert gate.to_dict() == expected.to_dict()
    with pytest.raises(mm.ParameterError, match="baseline must name one of the estimators"):
        mm.gate(BOTH, X, WORDS, required, baseline=SCORES["nb"], group=site)


def test_other_functions_take_estimators():
    compared = mm.compare(BOTH, X, WORDS, "auc, brier")
    assert compared.to_dict() == mm.compare(WORDS, SCORES, "auc, brier", pos_label="yes").to_dict()
    value = mm.interval(LINEAR, X, WORDS, "auc").value
    assert value == pytest.approx(metrics.roc_auc_score(Y, SCORES["lr"]))
    point = mm.operating_point(LINEAR, X, WORDS, maximize="accuracy")
    expected = mm.operating_point(WORDS, SCORES["lr"], pos_label="yes", maximize="accuracy")
    assert point.threshold == expected.threshold
    assert Y.sum() == mm.tabulate(LINEAR, X, WORDS).P
    display = RocDisplay.from_estimator(BOTH, X, WORDS)
    assert mm.auc(display.models.table("lr")) == value


def test_a_data_frame_of_features_a_pipeline_and_a_search():
    frame = pd.DataFrame(X, columns=list("abc"))
    pipe = make_pipeline(StandardScaler(), LogisticRegression()).fit(frame, WORDS)
    search = GridSearchCV(RandomForestClassifier(10, random_state=0), {"max_depth": [2]}).fit(
        frame, WORDS
    )
    found = mm.evaluate({"pipe": pipe, "search": search}, frame, pd.Series(WORDS), "auc", ci=None)
    expected = [metrics.roc_auc_score(Y, m.predict_proba(frame)[:, 1]) for m in (pipe, search)]
    assert [row.value for row in found.rows] == pytest.approx(expected)


def test_an_estimator_without_probabilities():
    ridge = RidgeClassifier().fit(X, WORDS)
    result = mm.evaluate({"ridge": ridge, "lr": LINEAR}, X, WORDS, ci=None, mute="MM06")
    values = {(row.model, str(row.measure)): row.value for row in result.rows}
    assert values["ridge", "auc"] == pytest.approx(
        metrics.roc_auc_score(Y, ridge.decision_function(X))
    )
    assert ("ridge", "brier") not in values
    assert ("lr", "brier") in values
    with pytest.raises(mm.DataError, match=r"brier.*\[0, 1\]"):
        mm.evaluate(ridge, X, WORDS, "brier")


def test_estimators_of_several_classes():
    flowers, kinds = load_iris(return_X_y=True)
    names = np.array(["rose", "iris", "tulip"])[kinds]
    model = GaussianNB().fit(flowers, names)
    proba = model.predict_proba(flowers)
    found = mm.evaluate(model, flowers, names, "log_loss, hand_till_auc", ci=None)
    assert [row.value for row in found.rows] == pytest.approx([
        metrics.log_loss(names, proba), metrics.roc_auc_score(names, proba, multi_class="ovo"),
    ])  # fmt: skip
    # A class that does not occur among the cases still has its column.
    some = names != "tulip"
    (row,) = mm.evaluate(model, flowers[some], names[some], "accuracy", ci=None).rows
    assert row.value == pytest.approx(model.score(flowers[some], names[some]))
    assert ForestDisplay.from_estimator(model, flowers, names, ci=None).blocks
    for call in (mm.advise, mm.decile_table, RocDisplay.from_estimator):
        with pytest.raises(mm.DataError, match="must have two classes, got 3"):
            call(model, flowers, names)


@pytest.mark.parametrize(
    ("estimators", "words"),
    [
        (LogisticRegression(), "'LogisticRegression' is not a fitted classifier.*fit it first"),
        ({"a": BAYES, "b": GaussianNB()}, "'b' is not a fitted classifier"),
        (make_pipeline(StandardScaler(), GaussianNB()), "'Pipeline' is not a fitted classifier"),
        (GridSearchCV(GaussianNB(), {}), "'GridSearchCV' is not a fitted classifier"),
        (LinearRegression().fit(X, Y), "'LinearRegression' is not a fitted classifier"),
        ({"a": BAYES, "b": SCORES["lr"]}, "'b' is not a fitted classifier"),
        ({"a": BAYES, "b": GaussianNB().fit(X, Y)}, "differ in their classes: 'b' has 0, 1"),
    ],
)
def test_what_is_refused(estimators, words):
    with pytest.raises(mm.DataError, match=words):
        mm.evaluate(estimators, X, WORDS)


def test_columns_with_the_names_of_methods_are_columns():
    frame = pd.DataFrame({"fit": Y, "predict": SCORES["lr"], "predict_proba": SCORES["nb"]})
    result = mm.evaluate(frame, label="fit", scores=["predict", "predict_proba"], measures="auc",
                         ci=None)  # fmt: skip
    assert [row.model for row in result.rows] == ["predict", "predict_proba"]


def test_labels_come_last():
    with pytest.raises(mm.ParameterError, match=r"evaluate\(estimators, X, y\)"):
        mm.evaluate(BAYES, X)
    with pytest.raises(mm.ParameterError, match=r"labels names the classes.*remove it"):
        mm.evaluate(BAYES, X, WORDS, labels=["no", "yes"])
    with pytest.raises(mm.ParameterError, match="pos_label must be one of the classes"):
        mm.evaluate(BAYES, X, WORDS, pos_label="maybe")
    with pytest.raises(mm.DataError, match="differ in length"):
        mm.evaluate(BAYES, X, WORDS[:5])
