"""Measures as scikit-learn's scorers: larger is better, and nothing is computed otherwise."""

import math
import pickle
import warnings

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import metameasure as mm

RNG = np.random.default_rng(7)
X = RNG.normal(size=(90, 2))
Y = (X[:, 0] + RNG.normal(size=90) > 0).astype(int)
WORDS = np.where(Y == 1, "good", "bad")
WEIGHTS = RNG.integers(1, 5, 90).astype(float)
CV = StratifiedKFold(3)
MODEL = LogisticRegression().fit(X, Y)
WORDY = LogisticRegression().fit(X, WORDS)
PROBABILITY = MODEL.predict_proba(X)[:, 1]
DECISION = MODEL.decision_function(X)

LARGER = [m for m in mm.measures() if m.best == "max"]
SMALLER = [m for m in mm.measures() if m.best == "min"]
TARGETS = [m for m in mm.measures() if not isinstance(m.best, str)]


def folds(estimator, scoring, y=Y, **options):
    """The scores of each fold, an error being an error."""
    return cross_validate(estimator, X, y, scoring=scoring, cv=CV, error_score="raise", **options)


def by_hand(measure, model=None, y=Y, pos_label=None, positive=1, weight=None):
    """The values of a measure on the probabilities of each fold."""
    found = []
    for train, test in CV.split(X, y):
        fitted = clone(model or LogisticRegression())
        options = {} if weight is None else {"sample_weight": weight[train]}
        fitted.fit(X[train], y[train], **options)
        column = list(fitted.classes_).index(positive)
        score = fitted.predict_proba(X[test])[:, column]
        options = {} if weight is None else {"sample_weight": weight[test]}
        found.append(measure(y[test], score, pos_label=pos_label, **options))
    return found


# --- the sign


@pytest.mark.parametrize("measure", LARGER, ids=str)
def test_larger_is_better_already(measure):
    assert mm.scorer(measure)(MODEL, X, Y) == pytest.approx(measure(Y, PROBABILITY), rel=1e-12)


@pytest.mark.parametrize("measure", SMALLER, ids=str)
def test_smaller_is_better_turns_the_sign(measure):
    assert mm.scorer(measure)(MODEL, X, Y) == pytest.approx(-measure(Y, PROBABILITY), rel=1e-12)


@pytest.mark.parametrize("measure", TARGETS, ids=str)
def test_closer_is_better_gives_minus_the_distance(measure):
    distance = abs(measure(Y, PROBABILITY) - measure.best)
    assert mm.scorer(measure)(MODEL, X, Y) == pytest.approx(-distance, rel=1e-9)


def test_there_are_measures_of_every_direction():
    assert all([LARGER, SMALLER, TARGETS])


@pytest.mark.parametrize("measure", mm.measures(), ids=str)
def test_scorers_agree_with_scorer(measure):
    value = mm.scorers([measure, "brier"])(MODEL, X, Y)[str(measure)]
    assert value == pytest.approx(mm.scorer(measure)(MODEL, X, Y), rel=1e-12)


# --- in model selection


@pytest.mark.parametrize("name", ["auc", "scored_auc", "h_measure", "f_measure(beta=2)@top=30%"])
def test_cross_validate_equals_direct_computing(name):
    scores = folds(LogisticRegression(), mm.scorer(name))["test_score"]
    np.testing.assert_allclose(scores, by_hand(mm.parse(name)), rtol=1e-12)


def test_cross_validate_with_several_measures():
    result = folds(LogisticRegression(), mm.scorers(["auc", "brier", "f_measure(beta=2)"]))
    np.testing.assert_allclose(result["test_auc"], by_hand(mm.auc), rtol=1e-12)
    np.testing.assert_allclose(-result["test_brier"], by_hand(mm.brier), rtol=1e-12)
    beta = by_hand(mm.f_measure.using(beta=2))
    np.testing.assert_allclose(result["test_f_measure(beta=2)"], beta, rtol=1e-12)


def test_a_dict_of_scorers():
    scoring = {"area": mm.scorer("auc"), "loss": mm.scorer("log_loss")}
    result = folds(LogisticRegression(), scoring)
    np.testing.assert_allclose(result["test_area"], by_hand(mm.auc), rtol=1e-12)
    np.testing.assert_allclose(-result["test_loss"], by_hand(mm.log_loss), rtol=1e-12)


@pytest.mark.parametrize("name", ["scored_auc", "brier", "calibration_slope"])
def test_grid_search_finds_the_best(name):
    grid = {"C": [1e-3, 0.1, 10.0]}
    scoring = mm.scorer(name)
    search = GridSearchCV(LogisticRegression(), grid, scoring=scoring, cv=CV, error_score="raise")
    search.fit(X, Y)
    measure = mm.parse(name)

    def goodness(c):
        found = np.array(by_hand(measure, LogisticRegression(C=c)))
        if measure.best == "max":
            return found.mean()
        return -(found if measure.best == "min" else abs(found - measure.best)).mean()

    expected = [goodness(c) for c in grid["C"]]
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], expected, rtol=1e-9)
    assert search.best_params_["C"] == grid["C"][int(np.argmax(expected))]


def test_grid_search_with_several_measures():
    search = GridSearchCV(
        LogisticRegression(),
        {"C": [0.01, 1.0]},
        scoring=mm.scorers("auc, brier"),
        refit="brier",
        cv=CV,
    ).fit(X, Y)
    assert {"mean_test_auc", "mean_test_brier"} <= set(search.cv_results_)
    assert search.best_index_ == int(np.argmax(search.cv_results_["mean_test_brier"]))


def test_a_pipeline():
    model = make_pipeline(StandardScaler(), LogisticRegression())
    assert np.isfinite(folds(model, mm.scorer("scored_auc"))["test_score"]).all()
    assert np.isfinite(folds(model, mm.scorers("auc, brier"))["test_auc"]).all()


# --- labels


@pytest.mark.parametrize("pos_label", ["good", "bad"])
@pytest.mark.parametrize("name", ["auc", "brier", "scored_auc", "average_precision"])
def test_labels_of_text(pos_label, name):
    measure = mm.parse(name)
    expected = by_hand(measure, y=WORDS, pos_label=pos_label, positive=pos_label)
    sign = -1 if measure.best == "min" else 1
    one = folds(LogisticRegression(), mm.scorer(name, pos_label=pos_label), y=WORDS)
    np.testing.assert_allclose(sign * one["test_score"], expected, rtol=1e-12)
    many = folds(LogisticRegression(), mm.scorers([name, "ks"], pos_label=pos_label), y=WORDS)
    np.testing.assert_allclose(sign * many[f"test_{name}"], expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["auc", "brier", "average_precision"])
def test_the_second_class_of_the_estimator_is_positive(name):
    measure = mm.parse(name)
    sign = -1 if measure.best == "min" else 1
    expected = measure(Y, PROBABILITY)
    assert sign * mm.scorer(name)(WORDY, X, WORDS) == pytest.approx(expected, rel=1e-9)
    assert sign * mm.scorers([name])(WORDY, X, WORDS)[name] == pytest.approx(expected, rel=1e-9)
    twos = LogisticRegression().fit(X, Y + 1)
    assert sign * mm.scorer(name)(twos, X, Y + 1) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("make", [mm.scorer, mm.scorers])
def test_an_estimator_that_is_not_fitted(make):
    with pytest.raises(mm.DataError, match="'LogisticRegression' is not a fitted classifier"):
        make("auc")(LogisticRegression(), X, Y)


@pytest.mark.parametrize("make", [mm.scorer, mm.scorers])
def test_a_pos_label_that_the_estimator_does_not_know(make):
    with pytest.raises(
        ValueError, match=r"pos_label must be one of the classes 'bad', 'good', got 'ugly'"
    ):
        make("auc", pos_label="ugly")(WORDY, X, WORDS)


@pytest.mark.parametrize(("negative", "positive"), [(0, 1), (-1, 1), (False, True)])
@pytest.mark.parametrize("make", [mm.scorer, mm.scorers])
def test_labels_that_need_no_pos_label(make, negative, positive):
    labels = np.where(Y == 1, positive, negative)
    value = make("auc")(LogisticRegression().fit(X, labels), X, labels)
    value = value["auc"] if isinstance(value, dict) else value
    assert value == pytest.approx(mm.auc(Y, DECISION), rel=1e-12)


@pytest.mark.parametrize("make", [mm.scorer, mm.scorers])
def test_pos_label_turns_numbers_round(make):
    value = make("average_precision", pos_label=0)(MODEL, X, Y)
    value = value["average_precision"] if isinstance(value, dict) else value
    assert value == pytest.approx(mm.average_precision(1 - Y, -DECISION), rel=1e-12)


@pytest.mark.parametrize("make", [mm.scorer, mm.scorers])
def test_three_classes_are_refused(make):
    labels = np.arange(90) % 3
    with pytest.raises(mm.DataError, match=r"3 labels|the estimator has 3"):
        make("auc")(LogisticRegression().fit(X, labels), X, labels)


# --- what an estimator can say


@pytest.mark.parametrize("name", ["auc", "ks", "precision@top=10%"])
def test_ranking_needs_no_probabilities(name):
    model = RidgeClassifier().fit(X, Y)
    expected = mm.parse(name)(Y, model.decision_function(X))
    assert mm.scorer(name)(model, X, Y) == expected
    assert mm.scorers([name])(model, X, Y) == {name: expected}
    assert np.isfinite(folds(RidgeClassifier(), mm.scorer(name))["test_score"]).all()


@pytest.mark.parametrize(
    "name", ["brier", "scored_auc", "accuracy@0.3", "two_level(auc, accuracy)"]
)
def test_probabilities_are_not_invented(name):
    model = RidgeClassifier().fit(X, Y)
    with pytest.raises((mm.DataError, AttributeError), match=r"RidgeClassifier.*predict_proba"):
        mm.scorer(name)(model, X, Y)
    with pytest.raises((mm.DataError, AttributeError), match=r"RidgeClassifier.*predict_proba"):
        mm.scorers(["auc", name])(model, X, Y)


def test_an_estimator_without_any_score():
    model = LinearRegression().fit(X, Y)
    with pytest.raises((mm.DataError, AttributeError), match="LinearRegression"):
        mm.scorer("auc")(model, X, Y)
    with pytest.raises((mm.DataError, AttributeError), match="LinearRegression"):
        mm.scorers("auc")(model, X, Y)


def test_without_a_decision_function_the_probabilities_rank():
    model = DecisionTreeClassifier(max_depth=2).fit(X, Y)
    expected = mm.auc(Y, model.predict_proba(X)[:, 1])
    assert mm.scorer("auc")(model, X, Y) == expected
    assert mm.scorers("auc")(model, X, Y) == {"auc": expected}


def test_several_measures_ask_the_estimator_once():
    class Counting(LogisticRegression):
        asked = 0

        def predict_proba(self, X):
            type(self).asked += 1
            return super().predict_proba(X)

    model = Counting().fit(X, Y)
    mm.scorers("auc, brier, log_loss, ks")(model, X, Y)
    assert Counting.asked == 1


# --- weights


@pytest.mark.parametrize("name", ["auc", "brier"])
def test_weights_given_by_hand(name):
    measure = mm.parse(name)
    expected = measure(Y, PROBABILITY, sample_weight=WEIGHTS)
    sign = -1 if measure.best == "min" else 1
    assert sign * mm.scorer(name)(MODEL, X, Y, sample_weight=WEIGHTS) == pytest.approx(expected)
    many = mm.scorers([name])(MODEL, X, Y, sample_weight=WEIGHTS)
    assert sign * many[name] == pytest.approx(expected)


def routed(scoring):
    model = LogisticRegression().set_fit_request(sample_weight=True)
    return folds(model, scoring, params={"sample_weight": WEIGHTS})


def test_weights_through_metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        result = routed(mm.scorer("auc").set_score_request(sample_weight=True))
    np.testing.assert_allclose(result["test_score"], by_hand(mm.auc, weight=WEIGHTS), rtol=1e-12)


def test_weights_of_several_measures_through_metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        result = routed(mm.scorers("auc, brier").set_score_request(sample_weight=True))
    np.testing.assert_allclose(result["test_auc"], by_hand(mm.auc, weight=WEIGHTS), rtol=1e-12)
    np.testing.assert_allclose(-result["test_brier"], by_hand(mm.brier, weight=WEIGHTS), rtol=1e-12)


def test_weights_may_be_refused_through_metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        result = routed(mm.scorer("auc").set_score_request(sample_weight=False))
    assert not np.allclose(result["test_score"], by_hand(mm.auc, weight=WEIGHTS))


@pytest.mark.parametrize("make", [mm.scorer, mm.scorers])
def test_weights_are_never_ignored_in_silence(make):
    """With routing on, scikit-learn asks whoever could use weights whether they want them."""
    with (
        sklearn.config_context(enable_metadata_routing=True),
        pytest.raises(ValueError, match="sample_weight"),
    ):
        routed(make("auc"))


# --- folds of one class


ORDER = np.argsort(Y, kind="stable")
PURE = [len(set(Y[ORDER][test])) == 1 for _, test in KFold(5).split(X)]


def unshuffled(scoring, y=Y):
    return cross_validate(
        GaussianNB(), X[ORDER], y[ORDER], scoring=scoring, cv=KFold(5), error_score="raise"
    )


def test_a_fold_of_one_class_is_nan_with_a_warning():
    with pytest.warns(mm.UndefinedMeasureWarning, match="auc is undefined: a class is empty"):
        scores = unshuffled(mm.scorer("auc"))["test_score"]
    assert [math.isnan(score) for score in scores] == PURE


def test_a_fold_of_one_class_leaves_the_other_measures():
    with pytest.warns(mm.UndefinedMeasureWarning, match="auc is undefined"):
        result = unshuffled(mm.scorers("auc, brier"))
    assert np.isnan(result["test_auc"]).tolist() == PURE
    assert np.isfinite(result["test_brier"]).all()


def test_a_fold_of_one_class_with_labels_of_text():
    with pytest.warns(mm.UndefinedMeasureWarning, match="auc is undefined"):
        scores = unshuffled(mm.scorer("auc", pos_label="good"), y=WORDS)["test_score"]
    assert np.isnan(scores).tolist() == PURE


@pytest.mark.parametrize("make", [mm.scorer, mm.scorers])
def test_an_estimator_that_has_seen_one_class(make):
    model = DummyClassifier().fit(X[:5], np.zeros(5, dtype=int))
    with pytest.raises(ValueError, match="two"):
        make("auc")(model, X, Y)


@pytest.mark.parametrize("make", [mm.scorer, mm.scorers])
def test_the_callers_filter_of_warnings_is_respected(make):
    ones = np.ones(90, dtype=int)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        make("auc")(MODEL, X, ones)
    assert not caught
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(mm.UndefinedMeasureWarning):
            make("auc")(MODEL, X, ones)


# --- as values


@pytest.mark.parametrize("name", ["auc", "f_measure(beta=2)@top=10%", "brier"])
def test_scorers_can_be_pickled_and_cloned(name):
    for scoring in (mm.scorer(name), mm.scorers([name, "ks"]), mm.scorer(name, pos_label=0)):
        again = pickle.loads(pickle.dumps(scoring))  # noqa: S301
        assert again(MODEL, X, Y) == scoring(MODEL, X, Y)
        copied = clone(GridSearchCV(LogisticRegression(), {"C": [1]}, scoring=scoring)).scoring
        assert copied(MODEL, X, Y) == scoring(MODEL, X, Y)


def test_scorers_show_what_they_are():
    assert "f_measure(beta=2)" in repr(mm.scorer("f_measure(beta=2)"))
    assert "brier" in repr(mm.scorers("auc, brier"))


@pytest.mark.parametrize("make", [mm.scorer, mm.scorers])
@pytest.mark.parametrize("name", ["acu", "", 3, None])
def test_unknown_measures_are_refused_at_once(make, name):
    with pytest.raises(mm.UnknownMeasure if name == "acu" else mm.ParameterError):
        make(name)


def test_a_measure_of_the_users_own():
    @mm.measure(at=0.5, best="min", range=(0, 1))
    def share_called_positive(cut):
        """The share of the cases that is called positive."""
        return (cut.tp + cut.fp) / cut.n

    expected = -(PROBABILITY >= 0.5).mean()
    assert mm.scorer("share_called_positive")(MODEL, X, Y) == pytest.approx(expected)
    assert mm.scorers([share_called_positive])(MODEL, X, Y) == {
        "share_called_positive": pytest.approx(expected)
    }


# --- several classes


IRIS = load_iris()
SHUFFLED = np.random.default_rng(3).permutation(150)
FLOWERS, KINDS = IRIS.data[SHUFFLED][:, :2], IRIS.target[SHUFFLED]
NAMED = IRIS.target_names[KINDS]
OF_CLASSES = [
    "hand_till_auc",
    'ovr_auc(average="weighted")',
    "log_loss",
    "brier",
    "rms",
    "accuracy",
]


@pytest.mark.parametrize("labels", [KINDS, NAMED], ids=["numbers", "text"])
@pytest.mark.parametrize("name", OF_CLASSES)
def test_several_classes(name, labels):
    measure, model = mm.parse(name), GaussianNB()
    expected = []
    for train, test in CV.split(FLOWERS, labels):
        fitted = clone(model).fit(FLOWERS[train], labels[train])
        expected.append(measure(labels[test], fitted.predict_proba(FLOWERS[test])))
    sign = 1 if measure.best == "max" else -1
    options = {"cv": CV, "error_score": "raise"}
    one = cross_validate(model, FLOWERS, labels, scoring=mm.scorer(name), **options)
    np.testing.assert_allclose(sign * one["test_score"], expected, rtol=1e-12)
    many = cross_validate(model, FLOWERS, labels, scoring=mm.scorers([name, "rms"]), **options)
    np.testing.assert_allclose(sign * many[f"test_{name}"], expected, rtol=1e-12)


@pytest.mark.parametrize("name", OF_CLASSES)
def test_a_fold_may_lack_a_class(name):
    model = GaussianNB().fit(FLOWERS, NAMED)
    some = NAMED != "setosa"
    value = mm.scorer(name)(model, FLOWERS[some], NAMED[some])
    proba = model.predict_proba(FLOWERS[some])
    scores = mm.ClassScores.of(NAMED[some], proba, labels=list(IRIS.target_names))
    expected = mm.parse(name).of_classes().value(scores)
    assert abs(value) == pytest.approx(expected, rel=1e-12)


def test_measures_of_several_classes_for_two():
    for name in ("hand_till_auc", "ovr_auc"):
        assert mm.scorer(name)(WORDY, X, WORDS) == pytest.approx(mm.auc(Y, PROBABILITY))
    found = mm.scorers("hand_till_auc, auc, brier", pos_label="bad")(WORDY, X, WORDS)
    assert found["hand_till_auc"] == pytest.approx(found["auc"])
    assert found["brier"] == pytest.approx(-mm.brier(Y, PROBABILITY))


@pytest.mark.parametrize("make", [mm.scorer, mm.scorers])
@pytest.mark.parametrize("name", ["kendall_tau", "ordered_auc", "map", "mean_over(auc)"])
def test_what_no_scorer_can_be_is_refused_when_it_is_made(make, name):
    with pytest.raises(mm.ParameterError, match=r"true order|group of each case"):
        make(name)


def test_what_does_not_fit_several_classes():
    model = GaussianNB().fit(FLOWERS, KINDS)
    with pytest.raises(mm.DataError, match="auc needs two classes, and the estimator has 3"):
        mm.scorers("log_loss, auc")(model, FLOWERS, KINDS)
    with pytest.raises(mm.DataError, match=r"pos_label applies to two; omit pos_label=1"):
        mm.scorer("log_loss", pos_label=1)(model, FLOWERS, KINDS)
    with pytest.raises(mm.DataError, match="RidgeClassifier must have predict_proba"):
        mm.scorer("hand_till_auc")(RidgeClassifier().fit(FLOWERS, KINDS), FLOWERS, KINDS)


def test_scorers_of_several_classes_are_values():
    model = GaussianNB().fit(FLOWERS, KINDS)
    for scoring in (mm.scorer("hand_till_auc"), mm.scorers("log_loss, accuracy")):
        again = pickle.loads(pickle.dumps(scoring))  # noqa: S301
        assert again(model, FLOWERS, KINDS) == scoring(model, FLOWERS, KINDS)
    assert repr(mm.scorer("hand_till_auc")) == "scorer('hand_till_auc')"


def test_weights_of_several_classes():
    weight = np.random.default_rng(4).random(150)
    model = GaussianNB().fit(FLOWERS, KINDS)
    value = mm.scorer("log_loss")(model, FLOWERS, KINDS, sample_weight=weight)
    proba = model.predict_proba(FLOWERS)
    assert value == pytest.approx(-mm.log_loss(KINDS, proba, sample_weight=weight))
