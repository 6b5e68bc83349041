"""Measures as evaluation functions of boosting libraries, against loops over plain predictions."""

import copy
import math
import pickle
from functools import partial

import catboost
import lightgbm
import numpy as np
import pytest
import xgboost
from hmeasure import h_score
from scipy.special import expit, softmax
from sklearn.base import clone
from sklearn.metrics import accuracy_score, brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV

import metameasure as mm
from metameasure.integrations import catboost as for_catboost
from metameasure.integrations import lightgbm as for_lightgbm
from metameasure.integrations import xgboost as for_xgboost

RNG = np.random.default_rng(11)
X = RNG.normal(size=(900, 5))
Y = (X[:, 0] + X[:, 1] * X[:, 2] + 4 * RNG.normal(size=900) > 0.3).astype(int)
K = np.digitize(X[:, 0] + X[:, 1] + RNG.normal(size=900), [-0.8, 0.8])
WEIGHTS = RNG.integers(1, 4, 900).astype(float)
TRAIN, VALID = slice(0, 500), slice(500, 900)
ROUNDS, PATIENCE = 60, 3
LGB = {"verbosity": -1, "num_threads": 1, "seed": 1, "learning_rate": 0.8, "metric": "None"}
XGB = {"nthread": 1, "seed": 1, "eta": 0.3, "disable_default_eval_metric": 1}
CAT = {
    "thread_count": 1, "random_seed": 1, "learning_rate": 0.6, "logging_level": "Silent",
    "allow_writing_files": False,
}  # fmt: skip


def scored_auc(y, p, sample_weight=None):
    """The mean over pairs of the margin of the positive over the negative, 0 if it is below."""
    w = np.ones(len(y)) if sample_weight is None else sample_weight
    pair_weight = np.outer(w[y == 1], w[y == 0])
    margin = np.maximum(np.subtract.outer(p[y == 1], p[y == 0]), 0)
    return (margin * pair_weight).sum() / pair_weight.sum()


def two_keys(y, p, sample_weight=None):
    """AUC and, for ties, accuracy."""
    return round(roc_auc_score(y, p), 12), accuracy_score(y, p >= 0.5)


def stopped(values, better):
    """The round that early stopping keeps: the best until it is not beaten for some rounds."""
    best = 0
    for number, value in enumerate(values):
        if better(value, values[best]):
            best = number
        elif number - best >= PATIENCE:
            break
    return best


def tied_part(predictions):
    """Twelve validation cases on which rounds tie in AUC, and accuracy decides where to stop."""
    for start in range(388):
        part = slice(500 + start, 512 + start)
        if not 0 < Y[part].sum() < 12:
            continue
        keys = [two_keys(Y[part], p[start : start + 12]) for p in predictions]
        by_both = stopped(keys, larger)
        if stopped([auc for auc, _ in keys], larger) != by_both < ROUNDS - PATIENCE:
            return part, by_both
    raise AssertionError("no such cases")


def larger(a, b):
    return a > b


def smaller(a, b):
    return a < b


# --- LightGBM


def lightgbm_data(weight=None, y=Y):
    train = lightgbm.Dataset(X[TRAIN], y[TRAIN])
    part = None if weight is None else weight[VALID]
    return train, lightgbm.Dataset(X[VALID], y[VALID], weight=part, reference=train)


def lightgbm_predictions(y=Y, **options):
    """The predictions for the validation cases after each round."""
    train, _ = lightgbm_data(y=y)
    model = lightgbm.train({**LGB, **options}, train, ROUNDS)
    return [model.predict(X[VALID], num_iteration=i + 1) for i in range(ROUNDS)]


@pytest.mark.parametrize(
    ("measure", "oracle", "better"),
    [
        ("scored_auc", scored_auc, larger),
        ("two_level(auc, accuracy)", two_keys, larger),
        ("brier", brier_score_loss, smaller),
    ],
)
def test_lightgbm_stops_where_a_loop_does(measure, oracle, better):
    train, valid = lightgbm_data()
    model = lightgbm.train(
        {**LGB, "objective": "binary"}, train, ROUNDS, valid_sets=[valid],
        feval=for_lightgbm.metric(measure),
        callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)],
    )  # fmt: skip
    values = [oracle(Y[VALID], p) for p in lightgbm_predictions(objective="binary")]
    assert model.best_iteration == stopped(values, better) + 1 < ROUNDS - PATIENCE


def test_lightgbm_breaks_ties_of_two_levels():
    part, best = tied_part(lightgbm_predictions(objective="binary"))
    train = lightgbm.Dataset(X[TRAIN], Y[TRAIN])
    model = lightgbm.train(
        {**LGB, "objective": "binary"}, train, ROUNDS,
        valid_sets=[lightgbm.Dataset(X[part], Y[part], reference=train)],
        feval=for_lightgbm.metric("two_level(auc, accuracy)"),
        callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)],
    )  # fmt: skip
    assert model.best_iteration == best + 1


@pytest.mark.parametrize("weight", [None, WEIGHTS])
def test_lightgbm_has_the_values_of_a_loop(weight):
    train, valid = lightgbm_data(weight)
    seen = {}
    lightgbm.train(
        {**LGB, "objective": "binary"}, train, ROUNDS, valid_sets=[valid],
        feval=[for_lightgbm.metric(m) for m in ("scored_auc", "log_loss")],
        callbacks=[lightgbm.record_evaluation(seen)],
    )  # fmt: skip
    part = None if weight is None else weight[VALID]
    for name, oracle in (("scored_auc", scored_auc), ("log_loss", log_loss)):
        loop = [
            oracle(Y[VALID], p, sample_weight=part)
            for p in lightgbm_predictions(objective="binary")
        ]
        assert seen["valid_0"][name] == pytest.approx(loop, rel=1e-9)


def test_lightgbm_passes_margins_of_an_objective_of_ones_own():
    def logistic_loss(margins, data):
        p = expit(margins)
        return p - data.get_label(), p * (1 - p)

    train, valid = lightgbm_data()
    seen = {}
    model = lightgbm.train(
        {**LGB, "objective": logistic_loss}, train, 10, valid_sets=[valid],
        feval=[for_lightgbm.metric(m, margins=True) for m in ("brier", "auc", "log_loss")],
        callbacks=[lightgbm.record_evaluation(seen)],
    )  # fmt: skip
    margins = model.predict(X[VALID])
    last = {name: values[-1] for name, values in seen["valid_0"].items()}
    assert last["brier"] == pytest.approx(brier_score_loss(Y[VALID], expit(margins)))
    assert last["auc"] == pytest.approx(roc_auc_score(Y[VALID], margins))
    assert last["log_loss"] == pytest.approx(log_loss(Y[VALID], expit(margins)))
    with pytest.raises(mm.DataError, match=r"brier needs scores in \[0, 1\]"):
        lightgbm.train(
            {**LGB, "objective": logistic_loss}, train, 10, valid_sets=[valid],
            feval=for_lightgbm.metric("brier"),
        )  # fmt: skip


@pytest.mark.filterwarnings("ignore:The argument 'eval_set' is deprecated")
@pytest.mark.parametrize("weight", [None, WEIGHTS])
def test_the_classifier_of_lightgbm(weight):
    words = np.where(Y == 1, "yes", "no")
    part = None if weight is None else weight[VALID]
    model = lightgbm.LGBMClassifier(n_estimators=ROUNDS, **LGB).fit(
        X[TRAIN], words[TRAIN], eval_set=[(X[VALID], words[VALID])], eval_sample_weight=[part],
        eval_metric=for_lightgbm.metric("scored_auc"),
        callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)],
    )  # fmt: skip
    loop = [
        scored_auc(Y[VALID], p, sample_weight=part)
        for p in lightgbm_predictions(objective="binary")
    ]
    best = stopped(loop, larger)
    assert model.best_iteration_ == best + 1
    assert model.best_score_["valid_0"]["scored_auc"] == pytest.approx(loop[best], rel=1e-9)


def test_several_classes_in_lightgbm():
    train, valid = lightgbm_data(WEIGHTS, K)
    seen = {}
    options = {"objective": "multiclass", "num_class": 3}
    lightgbm.train(
        {**LGB, **options}, train, ROUNDS, valid_sets=[valid],
        feval=[for_lightgbm.metric(m) for m in ("log_loss", "hand_till_auc")],
        callbacks=[lightgbm.record_evaluation(seen)],
    )  # fmt: skip
    loop = [
        log_loss(K[VALID], p, sample_weight=WEIGHTS[VALID])
        for p in lightgbm_predictions(K, **options)
    ]
    assert seen["valid_0"]["log_loss"] == pytest.approx(loop, rel=1e-9)
    assert 0.5 < seen["valid_0"]["hand_till_auc"][-1] < 1


def test_a_measure_of_two_classes_refuses_several():
    train, valid = lightgbm_data(y=K)
    with pytest.raises(mm.ParameterError, match="ks is a measure of two classes"):
        lightgbm.train(
            {**LGB, "objective": "multiclass", "num_class": 3}, train, 2, valid_sets=[valid],
            feval=for_lightgbm.metric("ks"),
        )  # fmt: skip


def test_cross_validation_of_lightgbm():
    train, _ = lightgbm_data()
    found = lightgbm.cv(
        {**LGB, "objective": "binary"}, train, 5, feval=for_lightgbm.metric("h_measure"), seed=3
    )
    assert len(found["valid h_measure-mean"]) == 5


# --- XGBoost


def xgboost_data(weight=None, y=Y):
    part = None if weight is None else weight[VALID]
    return xgboost.DMatrix(X[TRAIN], y[TRAIN]), xgboost.DMatrix(X[VALID], y[VALID], weight=part)


def xgboost_predictions(y=Y, **options):
    train, valid = xgboost_data(y=y)
    model = xgboost.train({**XGB, **options}, train, ROUNDS)
    return [model.predict(valid, iteration_range=(0, i + 1)).astype(float) for i in range(ROUNDS)]


def xgboost_stopped(interface, function, part=VALID, *, callback=False):
    """A model that was stopped early by a function, with the callback or by XGBoost alone."""
    stops = {"early_stopping_rounds": PATIENCE}
    if callback:
        stops = {"callbacks": [for_xgboost.early_stopping(function, PATIENCE)]}
    if interface == "train":
        train, valid = xgboost.DMatrix(X[TRAIN], Y[TRAIN]), xgboost.DMatrix(X[part], Y[part])
        return xgboost.train(
            {**XGB, "objective": "binary:logistic"}, train, ROUNDS, evals=[(valid, "valid")],
            custom_metric=function, verbose_eval=False, **stops,
        )  # fmt: skip
    model = xgboost.XGBClassifier(n_estimators=ROUNDS, eval_metric=function, **stops, **XGB)
    return model.fit(X[TRAIN], Y[TRAIN], eval_set=[(X[part], Y[part])], verbose=False)


@pytest.mark.parametrize("interface", ["train", "classifier"])
@pytest.mark.parametrize("callback", [False, True])
@pytest.mark.parametrize(
    ("measure", "oracle", "better"),
    [
        ("h_measure", partial(h_score, severity_ratio=1), larger),
        ("auc", roc_auc_score, larger),
        ("brier", brier_score_loss, smaller),
    ],
)
def test_xgboost_stops_where_a_loop_does(interface, callback, measure, oracle, better):
    function = for_xgboost.metric(measure, negated=not callback)
    model = xgboost_stopped(interface, function, callback=callback)
    loop = [round(oracle(Y[VALID], p), 6) for p in xgboost_predictions(objective="binary:logistic")]
    best = stopped(loop, better)
    assert model.best_iteration == best < ROUNDS - PATIENCE
    sign = -1 if measure == "h_measure" and not callback else 1
    assert model.best_score == pytest.approx(sign * loop[best], abs=1e-6)


@pytest.mark.parametrize("interface", ["train", "classifier"])
@pytest.mark.parametrize("callback", [False, True])
def test_xgboost_breaks_ties_of_two_levels(interface, callback):
    part, best = tied_part(xgboost_predictions(objective="binary:logistic"))
    function = for_xgboost.metric("two_level(auc, accuracy)", negated=not callback)
    assert xgboost_stopped(interface, function, part, callback=callback).best_iteration == best


def test_values_of_two_levels_keep_their_digits_in_xgboost():
    rng, n = np.random.default_rng(6), 60_000
    y, margin = np.repeat([0, 1], n), rng.normal(size=2 * n)
    p = expit(margin + y)
    nearest = np.argmin(np.abs(p - 0.5))
    other = p.copy()
    other[nearest] = 1 - p[nearest]  # on the other side of the threshold, in the same order
    function = for_xgboost.metric("two_level(auc, accuracy)", negated=False)
    assert mm.auc(y, p) == mm.auc(y, other)
    assert mm.accuracy(y, p) != mm.accuracy(y, other)
    assert f"{function(y, p):f}" != f"{function(y, other):f}"


def test_the_callback_of_xgboost_takes_the_function():
    with pytest.raises(mm.ParameterError, match="pass what metric returned"):
        for_xgboost.early_stopping("h_measure", 3)
    function = for_xgboost.metric("h_measure", negated=False)
    stop = for_xgboost.early_stopping(function, 3, data_name="valid", save_best=True)
    assert (stop.metric_name, stop.maximize, stop.data, stop.save_best) == (
        "h_measure", True, "valid", True
    )  # fmt: skip
    assert not for_xgboost.early_stopping(for_xgboost.metric("h_measure"), 3).maximize


@pytest.mark.parametrize("weight", [None, WEIGHTS])
@pytest.mark.parametrize("interface", ["train", "classifier"])
def test_xgboost_has_the_values_of_a_loop(interface, weight):
    function = for_xgboost.metric("scored_auc")
    part = None if weight is None else weight[VALID]
    if interface == "train":
        train, valid = xgboost_data(weight)
        seen = {}
        xgboost.train(
            {**XGB, "objective": "binary:logistic"}, train, ROUNDS, evals=[(valid, "valid")],
            custom_metric=function, evals_result=seen, verbose_eval=False,
        )  # fmt: skip
    else:
        model = xgboost.XGBClassifier(n_estimators=ROUNDS, eval_metric=function, **XGB).fit(
            X[TRAIN], Y[TRAIN], eval_set=[(X[VALID], Y[VALID])], verbose=False,
            sample_weight_eval_set=None if part is None else [part],
        )  # fmt: skip
        seen = {"valid": model.evals_result()["validation_0"]}
    loop = [
        -scored_auc(Y[VALID], p, sample_weight=part)
        for p in xgboost_predictions(objective="binary:logistic")
    ]
    assert seen["valid"]["-scored_auc"] == pytest.approx(loop, abs=1e-6)


def test_xgboost_passes_margins_of_an_objective_of_ones_own():
    def logistic_loss(margins, data):
        p = expit(margins)
        return p - data.get_label(), p * (1 - p)

    train, valid = xgboost_data()
    seen = {}
    model = xgboost.train(
        XGB, train, 10, evals=[(valid, "valid")], obj=logistic_loss, evals_result=seen,
        custom_metric=for_xgboost.metric("brier", margins=True), verbose_eval=False,
    )  # fmt: skip
    p = expit(model.predict(valid, output_margin=True).astype(float))
    assert seen["valid"]["brier"][-1] == pytest.approx(brier_score_loss(Y[VALID], p), abs=1e-6)


@pytest.mark.parametrize("objective", ["multi:softprob", "multi:softmax"])
def test_several_classes_in_xgboost(objective):
    train, valid = xgboost_data(y=K)
    options = {"objective": objective, "num_class": 3}
    seen = {}

    def fit():
        xgboost.train(
            {**XGB, **options}, train, ROUNDS, evals=[(valid, "valid")], evals_result=seen,
            custom_metric=for_xgboost.metric("log_loss"), verbose_eval=False,
        )  # fmt: skip

    if objective == "multi:softmax":
        with pytest.raises(mm.DataError, match=r"labels must be 0 and 1 .*multi:softprob"):
            fit()
        return
    fit()
    loop = [
        log_loss(K[VALID], p / p.sum(axis=1, keepdims=True))
        for p in xgboost_predictions(K, **options)
    ]
    assert seen["valid"]["log_loss"] == pytest.approx(loop, abs=1e-6)


def test_xgboost_knows_the_direction_of_every_measure():
    maximized = ("auc", "pre", "map", "ndcg")
    assert any(str(m).startswith(maximized) for m in mm.measures())
    for measure in mm.measures():
        function = for_xgboost.metric(measure)
        by_name = function.__name__.startswith(maximized)
        assert function.higher_is_better == by_name
        assert function.__name__.startswith("-") == (measure.best == "max" and not by_name)
        assert not set(function.__name__) & set(" :\t\n")
        plain = for_xgboost.metric(measure, negated=False)
        assert plain.higher_is_better == (measure.best == "max")
        assert not plain.__name__.startswith("-")

    @mm.measure(best="min", range=(0, 1))
    def prevalence_error(table):
        """A loss whose name begins like one that XGBoost maximizes."""
        return abs(table.prevalence - 0.5)

    assert for_xgboost.metric(prevalence_error).__name__ == "(prevalence_error)"


def test_grid_search_with_xgboost():
    model = xgboost.XGBClassifier(n_estimators=5, eval_metric=for_xgboost.metric("ks"), **XGB)
    search = GridSearchCV(model, {"max_depth": [1, 2]}, scoring=mm.scorer("auc"), cv=3)
    search.fit(X, Y, eval_set=[(X[VALID], Y[VALID])], verbose=False)
    assert len(search.best_estimator_.evals_result()["validation_0"]["-ks"]) == 5


# --- CatBoost


def catboost_predictions(y=Y, kind="Probability", **options):
    model = catboost.CatBoostClassifier(iterations=ROUNDS, **CAT, **options)
    model.fit(X[TRAIN], y[TRAIN])
    return list(model.staged_predict(X[VALID], prediction_type=kind))


@pytest.mark.parametrize("weight", [None, WEIGHTS])
@pytest.mark.parametrize(
    ("measure", "oracle", "better"),
    [
        ("scored_auc", scored_auc, larger),
        ("auc", roc_auc_score, larger),
        ("brier", brier_score_loss, smaller),
    ],
)
def test_catboost_stops_where_a_loop_does(measure, oracle, better, weight):
    part = None if weight is None else weight[VALID]
    model = catboost.CatBoostClassifier(
        iterations=ROUNDS, eval_metric=for_catboost.metric(measure), **CAT
    )
    valid = catboost.Pool(X[VALID], Y[VALID], weight=part)
    model.fit(X[TRAIN], Y[TRAIN], eval_set=valid, early_stopping_rounds=PATIENCE)
    loop = [oracle(Y[VALID], p[:, 1], sample_weight=part) for p in catboost_predictions()]
    best = stopped(loop, better)
    assert model.best_iteration_ == best < ROUNDS - PATIENCE
    found = model.evals_result_["validation"][measure]
    assert found == pytest.approx(loop[: len(found)], rel=1e-9)


def test_catboost_breaks_ties_of_two_levels():
    part, best = tied_part([p[:, 1] for p in catboost_predictions()])
    model = catboost.CatBoostClassifier(
        iterations=ROUNDS, eval_metric=for_catboost.metric("two_level(auc, accuracy)"), **CAT
    )
    model.fit(X[TRAIN], Y[TRAIN], eval_set=(X[part], Y[part]), early_stopping_rounds=PATIENCE)
    assert model.best_iteration_ == best


def test_several_classes_in_catboost():
    words = np.array(["low", "medium", "very high"])[K]
    model = catboost.CatBoostClassifier(
        iterations=ROUNDS, loss_function="MultiClass",
        eval_metric=for_catboost.metric("log_loss"), **CAT,
    )  # fmt: skip
    model.fit(X[TRAIN], words[TRAIN], eval_set=(X[VALID], words[VALID]), use_best_model=False)
    margins = catboost_predictions(words, "RawFormulaVal", loss_function="MultiClass")
    loop = [log_loss(words[VALID], softmax(m, axis=1)) for m in margins]
    assert model.evals_result_["validation"]["log_loss"] == pytest.approx(loop, rel=1e-9)


def test_catboost_has_an_undefined_value_as_the_worst():
    model = catboost.CatBoostClassifier(iterations=3, eval_metric=for_catboost.metric("auc"), **CAT)
    with pytest.warns(mm.UndefinedMeasureWarning, match="auc is undefined: "):
        model.fit(X[TRAIN], Y[TRAIN], eval_set=(X[VALID], np.ones(400, int)))
    assert max(model.evals_result_["validation"]["auc"]) < -1e300


def test_catboost_can_be_cloned():
    model = catboost.CatBoostClassifier(iterations=3, eval_metric=for_catboost.metric("ks"), **CAT)
    other = clone(model).fit(X[TRAIN], Y[TRAIN], eval_set=(X[VALID], Y[VALID]))
    assert len(other.evals_result_["validation"]["ks"]) == 3


# --- all of them

MAKERS = [for_lightgbm.metric, for_xgboost.metric, for_catboost.metric]


@pytest.mark.parametrize("make", MAKERS)
def test_what_an_evaluation_function_cannot_have_is_refused(make):
    for measure in ("mean_over(auc)", "kendall_tau"):
        with pytest.raises(mm.ParameterError) as raised:
            make(measure)
        assert raised.value.argument == "measure"
    with pytest.raises(mm.UnknownMeasure):
        make("nosuch")


@pytest.mark.parametrize("make", MAKERS)
def test_copies_have_the_same_values(make):
    function = make("brier")
    for other in (copy.deepcopy(function), pickle.loads(pickle.dumps(function))):  # noqa: S301
        assert other.name == function.name
        assert other.value([0, 1, 1], [0.1, 0.8, 0.4]) == function.value([0, 1, 1], [0.1, 0.8, 0.4])
        assert repr(other) == repr(function)


@pytest.mark.parametrize("measure", mm.measures(), ids=str)
def test_every_measure_has_its_direction(measure):
    p = expit(X[:, 0])
    name, value, larger_is_better = for_lightgbm.metric(measure)(Y, p)
    if isinstance(measure.best, str):
        assert (name, value) == (str(measure), measure(Y, p))
        assert larger_is_better == (measure.best == "max")
    else:
        assert value == abs(measure(Y, p) - measure.best)
        assert not larger_is_better


def test_a_distance_from_the_best_value_has_its_name():
    assert for_lightgbm.metric("calibration_slope").name == "|calibration_slope-1|"


@pytest.mark.parametrize(("measure", "worst"), [("auc", -math.inf), ("fdr", math.inf)])
def test_an_undefined_value_is_the_worst(measure, worst):
    with pytest.warns(mm.UndefinedMeasureWarning):
        assert for_lightgbm.metric(measure)([0, 0], [0.2, 0.3])[1] == worst
    with pytest.warns(mm.UndefinedMeasureWarning):
        assert for_xgboost.metric(measure)([0, 0], [0.2, 0.3]) == worst


def test_two_columns_are_two_classes():
    p = expit(X[:, 0])
    both = np.column_stack([1 - p, p])
    for measure in ("ks", "log_loss"):
        function = for_lightgbm.metric(measure)
        assert function(Y, both) == pytest.approx(function(Y, p))
    two = for_lightgbm.metric("hand_till_auc")
    assert two(Y, p)[1] == pytest.approx(roc_auc_score(Y, p))


def test_large_margins_are_not_tied_for_a_ranking():
    margins = [50.0, 60.0, 70.0, 800.0]
    assert for_catboost.metric("auc").value([0, 0, 1, 1], margins) == 1
