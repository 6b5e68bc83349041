"""Two columns of class probabilities are the scores of a binary classifier, in every function."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn import metrics
from sklearn.linear_model import LogisticRegression

import metameasure as mm
from metameasure import lab
from metameasure.plots import ForestDisplay, RocDisplay

RNG = np.random.default_rng(11)
X = RNG.normal(size=(80, 3))
Y = (X[:, 0] + RNG.normal(size=80) > 0.3).astype(int)
WORDS = np.where(Y == 1, "yes", "no")
MODEL = LogisticRegression().fit(X, WORDS)
P = MODEL.predict_proba(X)
WEIGHT = RNG.integers(1, 4, 80).astype(float)
GUESS = 1 / (1 + X[:, 1] ** 2)
OTHER = np.column_stack([1 - GUESS, GUESS])

FORMS = {
    "matrix": P,
    "float32": P.astype(np.float32),
    "float16": P.astype(np.float16),
    "lists": P.tolist(),
    "pandas": pd.DataFrame(P, columns=["no", "yes"]),
    "pandas without names": pd.DataFrame(P),
    "polars": pl.DataFrame({"no": P[:, 0], "yes": P[:, 1]}),
    "lazy polars": pl.LazyFrame({"no": P[:, 0], "yes": P[:, 1]}),
    "pyarrow": pa.table({"no": P[:, 0], "yes": P[:, 1]}),
    "dict": {"no": P[:, 0], "yes": P[:, 1]},
    "a common prefix": {"p_no": P[:, 0], "p_yes": P[:, 1]},
}


@pytest.mark.parametrize("scores", FORMS.values(), ids=FORMS)
def test_every_form_has_the_scores_of_the_second_class(scores):
    exact = not (isinstance(scores, np.ndarray) and scores.dtype != np.float64)
    column = P[:, 1] if exact else scores[:, 1]
    expected = metrics.roc_auc_score(Y, column)
    assert mm.auc(WORDS, scores) == pytest.approx(expected, abs=1e-12)
    assert Y.sum() == mm.tabulate(WORDS, scores).P
    (row,) = mm.evaluate(WORDS, scores, "auc", ci=None).rows
    assert (row.model, row.value, row.n_pos) == ("model", pytest.approx(expected), Y.sum())


@pytest.mark.parametrize("measure", mm.measures(), ids=str)
def test_every_measure_is_the_binary_one(measure):
    expected = measure(WORDS, P[:, 1], pos_label="yes", sample_weight=WEIGHT)
    assert measure(WORDS, P, sample_weight=WEIGHT) == expected
    turned = measure(WORDS, P[:, 0], pos_label="no")
    assert measure(WORDS, P, pos_label="no") == turned


FUNCTIONS = {
    "interval": lambda *data, **named: mm.interval(*data, "brier", **named).to_dict(),
    "compare_groups": lambda *data, **named: mm.compare_groups(
        *data, "auc", group=np.arange(80) % 2, **named
    ).to_dict(),
    "gate": lambda *data, **named: mm.gate(*data, "auc >= 0.6", **named).to_dict(),
    "band": lambda *data, **named: mm.band(*data, "roc", resamples=20, **named).to_dict(),
    "operating_point": lambda *data, **named: mm.operating_point(
        *data, maximize="f_measure", **named
    ).to_dict(),
    "operating_points": lambda *data, **named: mm.operating_points(
        *data, maximize="f_measure", **named
    ).to_dict(),
    "roc": lambda *data, **named: mm.roc(*data, **named).frame().to_dict(as_series=False),
    "precision_recall": lambda *data, **named: mm.precision_recall(*data, **named).y.tolist(),
    "decile_table": lambda *data, **named: mm.decile_table(*data, **named).to_dict(),
    "calibration_table": lambda *data, **named: mm.calibration_table(*data, **named).to_dict(),
    "optimality_zones": lambda *data, **named: mm.optimality_zones(*data, **named).to_dict(),
    "evaluate": lambda *data, **named: mm.evaluate(*data, **named).to_dict(),
    "sample_size": lambda *data, **named: mm.sample_size(
        "auc", *data, width=0.1, **named
    ).to_dict(),
    "confusion matrix": lambda *data, **named: mm.ConfusionMatrix.at(*data, **named).to_dict(),
    "display": lambda *data, **named: (
        RocDisplay.from_predictions(*data, **named).models.table("model").score.tolist()
    ),
    "forest": lambda *data, **named: [
        row.value
        for block in ForestDisplay.from_predictions(*data, **named).blocks
        for row in block.rows
    ],
    "calibrate_isotonic": lambda *data, **named: (
        mm.calibrate_isotonic(*data, **named).predict([0.1, 0.5, 0.9]).tolist()
    ),
    "key": lambda *data, **named: mm.two_level("auc", "accuracy").key(*data, **named),
    "mean_over": lambda *data, **named: mm.mean_over("auc")(
        *data, group=np.arange(80) % 3, **named
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("positive", ["yes", "no"])
def test_every_function_takes_two_columns(name, positive):
    call = FUNCTIONS[name]
    column = P[:, ["no", "yes"].index(positive)]
    expected = call(WORDS, column, pos_label=positive)
    assert call(WORDS, P, pos_label=positive) == expected
    if positive == "yes":
        assert call(WORDS, P) == expected


PAIRS = {"first": P, "second": OTHER}
SINGLE = {name: matrix[:, 1] for name, matrix in PAIRS.items()}
OF_MODELS = {
    "compare": lambda *data, **named: mm.compare(*data, "auc, brier", **named).to_dict(),
    "evaluate": lambda *data, **named: mm.evaluate(*data, **named).to_dict(),
    "advise": lambda *data, **named: mm.advise(
        *data, goal="auc", sizes=[20], repeats=30, workers=1, **named
    ).to_dict(),
    "observed": lambda *data, **named: (
        lab.compare("auc", "accuracy", lab.observed(*data, resamples=10, **named)).to_dict()
    ),
    "selection": lambda *data, **named: lab.selection(
        *data, "auc", "auc, ks", validation_size=20, repeats=20, resamples=10, workers=1, **named
    ).to_dict(),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_MODELS)
def test_a_dict_of_matrices_has_models(name):
    call = OF_MODELS[name]
    expected = call(WORDS, SINGLE, pos_label="yes")
    assert call(WORDS, PAIRS) == expected
    mixed = {"first": P, "second": OTHER[:, 1]}
    assert call(WORDS, mixed, pos_label="yes") == expected
    # The positive one of labels 0 and 1 needs no name.
    assert call(Y, mixed) == {key: expected[key] for key in expected if key != "pos_label"}


def test_a_column_beside_a_matrix_does_not_tell_which_class_is_positive():
    with pytest.raises(mm.DataError, match="which one is positive is unknown"):
        mm.evaluate(WORDS, {"first": P, "second": OTHER[:, 1]}, "auc")


def test_columns_in_another_order_do_not_tell_which_class_is_positive():
    turned = P[:, ::-1]
    expected = mm.average_precision(Y, P[:, 1])
    for scores, options in (
        (turned, {"labels": ["yes", "no"]}),
        (pd.DataFrame(turned, columns=["yes", "no"]), {}),
        ({"yes": turned[:, 0], "no": turned[:, 1]}, {}),
    ):
        with pytest.raises(mm.DataError, match=r"pass pos_label=.no. or pos_label=.yes"):
            mm.average_precision(WORDS, scores, **options)
        found = mm.average_precision(WORDS, scores, pos_label="yes", **options)
        assert found == pytest.approx(expected)
    assert mm.average_precision(WORDS, P, labels=["no", "yes"]) == pytest.approx(expected)
    # Labels 0 and 1 tell it.
    assert mm.average_precision(Y, turned, labels=[1, 0]) == pytest.approx(expected)


@pytest.mark.parametrize(
    "pair", [(0, 1), (-1, 1), (False, True), (1, 2), (0.0, 1.0), ("a", "b"), (b"a", b"b")]
)
def test_the_second_of_the_sorted_labels_is_positive(pair):
    labels = np.array(pair)[Y]
    assert mm.auc(labels, P) == pytest.approx(metrics.roc_auc_score(Y, P[:, 1]))


@pytest.mark.parametrize(
    ("labels", "options"),
    [
        ([1] * 3, {}),
        ([0] * 3, {}),
        ([-1] * 3, {}),
        ([True] * 3, {}),
        (["no"] * 3, {"pos_label": "yes"}),
        (["no"] * 3, {"labels": ["no", "yes"]}),
    ],
)
def test_one_class(labels, options):
    positive = labels[0] in (1, True)
    expected = np.mean((np.array([0.2, 0.6, 0.5]) >= 0.5) == positive)
    scores = [[0.8, 0.2], [0.4, 0.6], [0.5, 0.5]]
    assert mm.accuracy(labels, scores, **options) == pytest.approx(expected)
    with pytest.warns(mm.UndefinedMeasureWarning):
        assert math.isnan(mm.auc(labels, scores, **options))


def test_one_class_of_text():
    with pytest.raises(mm.DataError, match=r"1 class, 'no', but the scores have 2.*with labels"):
        mm.accuracy(["no"] * 2, [[0.8, 0.2], [0.4, 0.6]])
    assert mm.accuracy(["no"] * 2, pd.DataFrame([[0.8, 0.2], [0.4, 0.6]], columns=["no", "yes"]))


@pytest.mark.parametrize("call", [mm.auc, mm.brier, mm.tabulate, mm.evaluate, mm.roc])
def test_columns_that_do_not_sum_to_one(call):
    wrong = P.copy()
    wrong[7] = 0.5, 0.6
    with pytest.raises(
        mm.DataError, match=r"must sum to 1, got 1.1 at row 7 \(1 of 80 cases"
    ) as no:
        call(WORDS, wrong)
    assert "pass the column of the positive class alone" in str(no.value)
    with pytest.raises(mm.DataError, match="must sum to 1"):
        call(WORDS, np.full((80, 2), np.inf))


@pytest.mark.parametrize(
    ("labels", "scores", "options", "words"),
    [
        (["a", "b", "c"] * 2, P[:6], {}, "3 classes, 'a', 'b', 'c', but the scores have 2 columns"),
        (WORDS, P[:5], {}, "y_true and y_score differ in length: 80 and 5"),
        (WORDS, {"no": P[:, 0], "yes": P[:4, 1]}, {}, "differ in length: 80 and 4"),
        (WORDS, {"u": P[:, 0], "v": P[:, 1]}, {}, "not named after the classes 'no', 'yes'"),
        (WORDS, P, {"pos_label": "maybe"}, "pos_label must be one of the labels"),
        (WORDS, P, {"labels": ["no", "maybe"]}, "has the label 'yes', which has no column"),
        (WORDS, P, {"labels": ["no"]}, "got 1 labels for 2 columns"),
        (WORDS, P, {"labels": "ny"}, "labels must be a list of class names"),
        (Y, P[:, 1], {"labels": [0, 1]}, "labels names the classes of a matrix"),
        ([], np.zeros((0, 2)), {}, "there are no cases"),
        (WORDS, [["x", "y"]] * 80, {}, "must be real numbers, got text"),
        ([None] * 80, P, {}, "80 of 80 values of y_true are missing"),
    ],
)
def test_what_is_refused(labels, scores, options, words):
    with pytest.raises((mm.DataError, mm.ParameterError), match=words):
        mm.auc(labels, scores, **options)


def test_missing_probabilities():
    lacking = P.copy()
    lacking[3, 0] = np.nan
    with pytest.raises(mm.DataError, match=r"1 of 80 values of y_score are missing.*row 3"):
        mm.auc(WORDS, lacking)
    masked = np.ma.array(P, mask=np.isnan(lacking))
    rest = np.arange(80) != 3
    for scores in (lacking, masked):
        with pytest.warns(mm.DroppedCasesWarning, match="dropped 1 of 80"):
            found = mm.auc(WORDS, scores, nan_policy="drop")
        assert found == pytest.approx(metrics.roc_auc_score(Y[rest], P[rest, 1]))
    frame = pd.DataFrame(lacking, columns=["no", "yes"])
    (row,) = mm.evaluate(WORDS, frame, "auc", ci=None, nan_policy="drop").rows
    assert (row.model, row.value, row.dropped) == ("model", found, 1)


def test_two_columns_that_are_models_stay_so():
    for scores in (
        {"a": P[:, 0], "b": P[:, 1]},
        pd.DataFrame({"m0": P[:, 1], "m1": OTHER[:, 1]}),
        pd.DataFrame(np.column_stack([P[:, 1], OTHER[:, 1]])),
    ):
        assert len(mm.evaluate(Y, scores, "auc", ci=None).rows) == 2
    one = mm.evaluate(WORDS, pd.DataFrame(P, columns=["no", "yes"]), "auc", ci=None, score="yes",
                      pos_label="yes")  # fmt: skip
    assert [row.model for row in one.rows] == ["yes"]


def test_measures_of_classes_use_both_columns():
    value = metrics.roc_auc_score(Y, P[:, 1])
    assert mm.hand_till_auc(WORDS, P) == pytest.approx(value)
    (row,) = mm.evaluate(WORDS, P, "hand_till_auc", ci=None).rows
    assert row.value == pytest.approx(value)
    assert mm.interval(WORDS, P, "hand_till_auc").value == pytest.approx(value)
    (row,) = mm.evaluate(MODEL, X, WORDS, "hand_till_auc", ci=None).rows
    assert row.value == pytest.approx(value)
    assert mm.evaluate(WORDS, P, "hand_till_auc, brier", ci=None).rows[1].value == pytest.approx(
        metrics.brier_score_loss(Y, P[:, 1])
    )


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_columns_of_a_frame(make):
    table = {"y": WORDS, "p_no": P[:, 0], "p_yes": P[:, 1], "q_no": OTHER[:, 0],
             "q_yes": OTHER[:, 1], "w": WEIGHT, "site": np.arange(80) % 2}  # fmt: skip
    frame = make(table)
    found = mm.evaluate(frame, label="y", proba=["p_no", "p_yes"], measures="auc", weight="w",
                        group="site", ci=None)  # fmt: skip
    expected = mm.evaluate(WORDS, P[:, 1], "auc", pos_label="yes", sample_weight=WEIGHT,
                           group=np.arange(80) % 2, ci=None)  # fmt: skip
    assert [row.value for row in found.rows] == [row.value for row in expected.rows]
    both = {"first": ["p_no", "p_yes"], "second": ["q_no", "q_yes"]}
    compared = mm.compare(frame, label="y", proba=both)
    assert compared.to_dict() == mm.compare(WORDS, SINGLE, pos_label="yes").to_dict()
    named = mm.evaluate(frame, label="y", proba=["p_no", "p_yes"], pos_label="no",
                        labels=["no", "yes"], measures="brier", ci=None)  # fmt: skip
    assert named.rows[0].value == pytest.approx(metrics.brier_score_loss(1 - Y, P[:, 0]))
    with pytest.raises(mm.DataError, match=r"not named after the classes.*with labels"):
        mm.evaluate(make({"y": Y, "u": P[:, 0], "v": P[:, 1]}), label="y", proba=["u", "v"])


def test_columns_of_a_file_on_the_command_line(run, tmp_path):
    file = tmp_path / "both.csv"
    pl.DataFrame({"y": WORDS, "p_no": P[:, 0], "p_yes": P[:, 1]}).write_csv(file)
    columns = ("--label", "y", "--proba", "p_no", "p_yes", "--no-ci", "--format", "csv")
    done = run("evaluate", file, *columns, "--measures", "auc")
    assert done.code == 0
    assert f"{mm.auc(Y, P[:, 1])!r}" in done.out
    assert "took" not in done.err
    turned = run("evaluate", file, *columns, "--measures", "average_precision", "--pos-label", "no")
    assert f"{mm.average_precision(1 - Y, P[:, 0])!r}" in turned.out
    of_classes = run("evaluate", file, *columns, "--measures", "hand_till_auc")
    assert of_classes.code == 0
