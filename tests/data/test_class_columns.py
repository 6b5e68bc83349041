"""Scores for several classes in every form, and which column is of which class."""

import math
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import metameasure as mm
from metameasure.data.labels import spellings, typed_label

LABELS = ["a", "b", "c", "b", "a", "c"]
SCORES = np.array(
    [
        [0.6, 0.3, 0.1],
        [0.4, 0.5, 0.1],
        [0.2, 0.2, 0.6],
        [0.7, 0.2, 0.1],
        [0.5, 0.25, 0.25],
        [0.1, 0.1, 0.8],
    ]
)
FRAME = pd.DataFrame(SCORES, columns=list("abc"))
VALUE = mm.hand_till_auc(LABELS, SCORES)
TURNED = [2, 0, 1]


def columns(names, order=TURNED):
    """The columns of the scores under other names, and in another order."""
    return {names[place]: SCORES[:, place].tolist() for place in order}


FORMS = {
    "lists": SCORES.tolist(),
    "dict": columns("abc"),
    "pandas": pd.DataFrame(columns("abc")),
    "polars": pl.DataFrame(columns("abc")),
    "lazy polars": pl.LazyFrame(columns("abc")),
    "pyarrow": pa.table(columns("abc")),
    "pandas without names": pd.DataFrame(SCORES),
    "a text before": pl.DataFrame(columns(["p_a", "p_b", "p_c"])),
    "a text behind": pl.DataFrame(columns(["a_score", "b_score", "c_score"])),
    "a text around": columns(["P(a)", "P(b)", "P(c)"]),
}


@pytest.mark.parametrize("scores", FORMS.values(), ids=FORMS)
def test_every_form_gives_the_same(scores):
    assert mm.hand_till_auc(LABELS, scores) == VALUE
    assert mm.ClassScores.of(LABELS, scores).classes == ("a", "b", "c")


@pytest.mark.parametrize("scores", FORMS.values(), ids=FORMS)
def test_evaluate_takes_every_form(scores):
    if isinstance(scores, pd.DataFrame) and list(scores.columns) == [0, 1, 2]:
        scores = scores.to_numpy()  # else the columns are models
    (row,) = mm.evaluate(LABELS, scores, "hand_till_auc", ci=None).rows
    assert (row.model, row.value) == ("model", VALUE)
    result = mm.evaluate(LABELS, {"m": scores, "o": SCORES}, "brier", ci=None, mute="MM08")
    assert [row.model for row in result.rows] == ["m", "o"]
    assert len({row.value for row in result.rows}) == 1


def test_the_frame_of_a_result_is_of_the_kind_of_the_scores():
    assert isinstance(mm.evaluate(LABELS, FRAME, "brier", ci=None).frame(), pd.DataFrame)
    both = {"m": SCORES, "o": FRAME}
    assert isinstance(mm.evaluate(LABELS, both, "brier", ci=None).frame(), pd.DataFrame)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_result_without_positives_has_a_frame(make):
    frame = make({**columns("abc"), "y": LABELS})
    found = mm.evaluate(frame, label="y", proba=["a", "b", "c"], ci=None).frame()
    assert type(found) is type(frame)
    positives = pl.from_dataframe(found)["n_pos"].cast(pl.Float64).fill_nan(None).to_list()
    assert positives == [None] * 11 + [2.0] * (3 * 4)


LABELED = {
    "whole numbers": ([0, 1, 2], ["0", "1", "2"]),
    "floats beside a missing one": ([0.0, 1.0, 2.0], ["0", "1", "2"]),
    "floats": ([0.0, 1.0, 2.0], ["0.0", "1.0", "2.0"]),
    "numbers in names": ([0, 1, 2], ["p0", "p1", "p2"]),
    "numbers with a unit": ([10, 20, 30], ["10mg", "20mg", "30mg"]),
    "negative numbers": ([-1, 0, 1], ["p-1", "p0", "p1"]),
    "names that begin alike": (["cat", "cow", "crab"], ["p_cat", "p_cow", "p_crab"]),
    "a name within another": (["a", "ab", "b"], ["x_a", "x_ab", "x_b"]),
}


@pytest.mark.parametrize(("classes", "names"), LABELED.values(), ids=LABELED)
@pytest.mark.parametrize("missing", [False, True])
def test_columns_are_found_by_their_names(classes, names, missing):
    labels = [classes["abc".index(label)] for label in LABELS]
    scores = np.vstack([SCORES, SCORES[:1]])
    frame = pd.DataFrame(scores, columns=names)
    frame["y"] = [*labels, None if missing else labels[0]]
    options = {"nan_policy": "drop"} if missing else {}
    for order in (TURNED, [1, 0, 2]):
        proba = [names[place] for place in order]
        result = mm.evaluate(frame, label="y", proba=proba, measures="accuracy, hand_till_auc",
                             ci=None, mute="few-cases", **options)  # fmt: skip
        expected = mm.evaluate([*LABELS, *([] if missing else "a")], scores[: 7 - missing],
                               "accuracy, hand_till_auc", ci=None)  # fmt: skip
        assert [row.value for row in result.rows] == [row.value for row in expected.rows]
        assert not result.checks


@pytest.mark.parametrize("names", [["false", "true"], ["False", "True"], ["0", "1"], ["p0", "p1"]])
def test_bool_labels(names):
    labels = [label == "c" for label in LABELS]
    both = np.column_stack([1 - SCORES[:, 2], SCORES[:, 2]])
    frame = pl.DataFrame({"y": labels, names[1]: both[:, 1], names[0]: both[:, 0]})
    result = mm.evaluate(frame, label="y", proba=names[::-1], measures="accuracy", ci=None)
    assert result.rows[0].value == 1.0
    # A fold of one class still has both.
    assert mm.accuracy([True] * 6, both) == 2 / 6


def test_an_absent_class_has_the_name_of_its_column():
    found = mm.ClassScores.of(["a", "a", "c", "a", "a", "c"], FRAME)
    assert found.classes == ("a", "b", "c")
    numbers = mm.ClassScores.of(
        [0, 0, 2, 0, 0, 2], pd.DataFrame(SCORES, columns=["p0", "p1", "p2"])
    )
    assert numbers.classes == (0, 1, 2)


def test_names_of_no_class_are_taken_in_order_and_reported():
    frame = pd.DataFrame(SCORES, columns=["u", "v", "w"]).assign(y=LABELS)
    result = mm.evaluate(frame, label="y", proba=["u", "v", "w"], ci=None, mute="few-cases")
    assert result.value("hand_till_auc") == VALUE
    (check,) = result.checks
    assert (check.code, check.name) == ("MM16", "assumed-columns")
    assert "took u as a, v as b, w as c" in check.message
    assert "took u as a" in str(result)
    named = mm.evaluate(frame, label="y", proba=["w", "u", "v"], labels=["c", "a", "b"], ci=None,
                        mute="few-cases")  # fmt: skip
    assert named.value("hand_till_auc") == VALUE
    assert not named.checks


def test_labels_name_the_columns():
    assert mm.hand_till_auc(LABELS, SCORES[:, TURNED], labels=list("cab")) == VALUE
    # The names of columns, if they are those of the labels, are stronger than the order.
    assert mm.hand_till_auc(LABELS, FRAME[list("cab")], labels=list("abc")) == VALUE
    other = FRAME.rename(columns={"c": "last"})
    assert mm.hand_till_auc(LABELS, other, labels=list("abc")) == VALUE
    with pytest.raises(mm.DataError, match=r"contradict each other.*order of the columns"):
        mm.hand_till_auc(LABELS, other[["b", "a", "last"]], labels=list("abc"))


NUMBERED = pd.DataFrame(SCORES, columns=["p0", "p1", "p2"])


@pytest.mark.parametrize(
    ("label", "scores", "words"),
    [
        (["a", "b", "owl"] * 2, FRAME, "labels 'a', 'b' but not for 'owl'.*'c'.*with labels"),
        ([1, 2, 3] * 2, NUMBERED, "for the labels 1, 2 but not for 3.*'p0', 'p1', 'p2'"),
        (LABELS, NUMBERED, "not named after the classes 'a', 'b', 'c'.*with labels"),
        ([0, 1, 0, 1, 0, 1], pd.DataFrame(SCORES, columns=["0", "1", "other"]), "not named after"),
        ([0, 1, 2] * 2, {"0": SCORES[:, 0], "0.0": SCORES[:, 1], "1": SCORES[:, 2]}, "same class"),
        (LABELS, {"a": SCORES[:, 0]}, "one column per class, got 1 column$"),
        (LABELS, {}, "one column per class, got 0 columns$"),
        (LABELS, [[1, 2], [3]], "must be a matrix with one column per class: "),
        (LABELS, {**columns("abc"), "a": [0.5]}, "y_true and column 'a' of the scores differ"),
        (LABELS, np.ones((6, 3, 1)), r"one column per class, got shape \(6, 3, 1\)"),
        (LABELS, SCORES[:, :1], "one column per class, got 1 column$"),
        ([], np.empty((0, 3)), "there are no cases: y_true is empty"),
        ([["a"], *LABELS[1:]], SCORES, "y_true"),
        (["a", 1, "b", "c", 2, "a"], SCORES, "labels of one type, got text and numbers"),
    ],
)  # fmt: skip
def test_scores_that_are_refused(label, scores, words):
    with pytest.raises(mm.DataError, match=words):
        mm.hand_till_auc(label, scores)


def test_two_columns_of_one_name():
    with pytest.raises(mm.DataError, match="duplicate column 'a' in the scores"):
        mm.hand_till_auc(LABELS, pd.DataFrame(SCORES, columns=["a", "a", "b"]))


@pytest.mark.parametrize(
    ("error", "labels", "words"),
    [
        (mm.ParameterError, set("abc"), "labels must be a list of class names, got {"),
        (
            mm.ParameterError,
            frozenset("abc"),
            "labels must be a list of class names, got frozenset",
        ),
        (mm.ParameterError, 3, "labels must be a list of class names, got 3"),
        (mm.ParameterError, "abc", "labels must be a list of class names, got 'abc'"),
        (mm.ParameterError, [["a"], "b", "c"], "labels must be text or numbers"),
        (
            mm.ParameterError,
            ["a", "b"],
            "class of each column: got 2 labels for 3 columns of scores",
        ),
        (mm.ParameterError, ["a", "b", "a"], "labels has duplicates: 'a'"),
        (
            mm.DataError,
            ["a", "b", "d"],
            "2 cases with labels without a column of scores, 'c', the first at row 2",
        ),
    ],
)
def test_labels_that_are_refused(error, labels, words):
    for call in (mm.hand_till_auc, mm.evaluate):
        with pytest.raises(error, match=words):
            call(LABELS, SCORES, labels=labels)


@pytest.mark.parametrize("proba", [[], ["a"], "a", "abc", {"a", "b", "c"}, 3])
def test_columns_that_are_not_a_list(proba):
    with pytest.raises(mm.ParameterError, match="proba must be a list of two or more columns"):
        mm.evaluate(FRAME.assign(y=LABELS), label="y", proba=proba)


def test_what_is_missing_is_noticed():
    masked = np.ma.array(SCORES, mask=np.zeros((6, 3)))
    masked[4, 1] = np.ma.masked
    with pytest.raises(mm.DataError, match=r"1 of 6 values of column 1 of the scores.*row 4"):
        mm.hand_till_auc(LABELS, masked)
    with pytest.raises(mm.DataError, match=r"1 of 6 values of cluster are missing.*row 2"):
        mm.evaluate(LABELS, SCORES, cluster=[1, 2, math.nan, 1, 2, 3])
    result = mm.evaluate(LABELS, SCORES, "brier", cluster=[1, 2, math.nan, 1, 2, 3],
                         nan_policy="drop", resamples=50)  # fmt: skip
    assert (result.rows[0].n, result.rows[0].dropped) == (5, 1)
    lacking = SCORES.copy()
    lacking[0, 0] = math.nan
    with pytest.raises(mm.DataError, match="y_true and cluster differ in length: 6 and 2"):
        mm.evaluate(LABELS, lacking, cluster=[1, 2], nan_policy="drop")
    with pytest.raises(mm.DataError, match="all remaining cases have weight 0"):
        mm.evaluate(LABELS, lacking, sample_weight=[1, 0, 0, 0, 0, 0], nan_policy="drop")


def test_models_need_the_same_classes():
    other = {"a": FRAME, "b": FRAME.rename(columns={"c": "d"})}
    with pytest.raises(mm.DataError, match=r"'b' has scores for .*same columns"):
        mm.evaluate(["a", "b"] * 3, other, "brier")
    with pytest.raises(mm.DataError, match="pass one matrix per model"):
        mm.evaluate(LABELS, {"a": SCORES, "b": SCORES[:, 0]})


def test_columns_that_are_models_of_two_classes_stay_so():
    binary = [label == "a" for label in LABELS]
    for scores in (FRAME, columns("abc")):
        assert {row.model for row in mm.evaluate(binary, scores, "auc", ci=None).rows} == set("abc")
    with pytest.raises(
        mm.DataError, match=r"3 labels.*a matrix with one column per class.*with proba"
    ):
        mm.evaluate(LABELS, {"m1": SCORES[:, 0], "m2": SCORES[:, 1], "m3": SCORES[:, 2]})
    with pytest.raises(mm.ParameterError, match="labels names the classes"):
        mm.evaluate(binary, SCORES[:, 0], labels=["a", "b"])


def test_nothing_but_data_errors_from_odd_scores():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for scores in (None, 1, "abc", object(), [[object()] * 3] * 6, [["x"] * 3] * 6, [None] * 6):
            with pytest.raises(mm.DataError):
                mm.evaluate(LABELS, scores)


@pytest.mark.parametrize(
    ("text", "labels", "expected"),
    [
        ("2", [1, 2], 2),
        ("2.0", [1, 2], 2),
        ("3", [1, 2], 3),
        ("1.5", [0.5, 1.5], 1.5),
        ("TRUE", [False, True], True),
        ("cat", ["dog"], "cat"),
        ("1", ["0", "1"], "1"),
    ],
)
def test_a_label_from_its_text(text, labels, expected):
    found = typed_label(text, labels)
    assert found == expected
    assert type(found) is type(expected)
    assert text in spellings(expected)


@pytest.mark.parametrize(("text", "labels"), [("cat", [1, 2]), ("yes", [False, True])])
def test_a_text_that_is_not_a_label(text, labels):
    with pytest.raises(mm.DataError, match=f"'{text}' is not one of the labels"):
        typed_label(text, labels)
