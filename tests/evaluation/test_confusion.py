"""Confusion matrices of any number of classes."""

import datetime as dt
import io
import json
import math
import re
import warnings
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

import metameasure as mm
from metameasure.data import confusion_counts, label_codes
from metameasure.evaluation.confusion import ConfusionMatrix
from oracles import CUT_ORACLES, Value, cut
from oracles import confusion as oracle

OK, DATA, USAGE = 0, 1, 2
HOSTILE = "\x1b[31m[red]<script>a|b\n`x`\x07\x9b1m[/red]\u202e"
ANIMALS = ["cat", "cat", "dog", "dog", "dog", "eel"]
CALLED = ["cat", "dog", "dog", "dog", "cat", "dog"]
CUTS = [measure for measure in mm.measures() if measure.point]


@pytest.fixture
def animals():
    return ConfusionMatrix.of(ANIMALS, CALLED)


def quiet(function, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
        return function(*arguments, **options)


def theirs_of(function, *arguments, **options):
    """What scikit-learn says, without its warnings of classes that do not occur."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments, **options)


def close(value: float, expected: Value) -> bool:
    if expected is None:
        return math.isnan(value)
    return value == pytest.approx(float(expected), rel=1e-9, abs=1e-12)


def cases(labels="abcd", weights=(0, 0.25, 1, 1, 2.5)):
    some = st.sampled_from([labels, labels[:2], labels[:1]])
    weight = st.sampled_from(weights).map(Fraction)
    return some.flatmap(
        lambda names: st.lists(
            st.tuples(st.sampled_from(names), st.sampled_from(names), weight),
            min_size=1,
            max_size=14,
        )
    ).filter(lambda rows: any(w for _, _, w in rows))


def matrix_of(rows, **options):
    true, predicted, weight = zip(*rows, strict=True)
    return ConfusionMatrix.of(true, predicted, sample_weight=[float(w) for w in weight], **options)


# --- counting


@given(cases())
def test_counts_are_those_of_the_oracle(rows):
    matrix = matrix_of(rows)
    weighty = [row for row in rows if row[2] > 0]
    assert list(matrix.labels) == sorted({label for a, b, _ in weighty for label in (a, b)})
    counts = oracle.count(rows, matrix.labels)
    assert matrix.counts.tolist() == [
        [float(counts[a, b]) for b in matrix.labels] for a in matrix.labels
    ]
    assert matrix.n == sum(w for _, _, w in rows)


@given(cases(weights=(0.25, 1, 3)), st.permutations("abcde"))
def test_counts_are_those_of_scikit_learn(rows, labels):
    true, predicted, weight = zip(*rows, strict=True)
    options = {"sample_weight": [float(w) for w in weight]}
    ours = ConfusionMatrix.of(true, predicted, **options)
    theirs = theirs_of(sk.confusion_matrix, true, predicted, **options)
    np.testing.assert_allclose(ours.counts, theirs, rtol=1e-12)
    ours = ConfusionMatrix.of(true, predicted, labels=labels, **options)
    theirs = theirs_of(sk.confusion_matrix, true, predicted, labels=labels, **options)
    assert list(ours.labels) == labels
    np.testing.assert_allclose(ours.counts, theirs, rtol=1e-12)


@pytest.mark.parametrize(
    ("low", "classes", "kind"),
    [
        (0, 3, np.uint8),
        (-3, 7, np.int8),
        (250, 6, np.uint8),
        (0, 900, np.int16),
        (2**62, 40, np.int64),
        (2**63 - 20, 40, np.uint64),
        (-(2**63), 5, np.int64),
        (1, 50, np.float32),
    ],
)
def test_integers_of_any_kind_and_place(low, classes, kind):
    rng = np.random.default_rng(1)
    true, predicted = rng.integers(0, classes, (2, 5000))
    shifted = [
        np.array([low + label for label in column.tolist()], dtype=object).astype(kind)
        for column in (true, predicted)
    ]
    matrix = ConfusionMatrix.of(*shifted)
    assert np.array_equal(matrix.counts, sk.confusion_matrix(true, predicted))
    assert matrix.labels == tuple(low + label for label in range(classes))
    assert all(type(label) is int for label in matrix.labels)


def test_integers_far_apart_and_beyond_every_array():
    for far in (10**9, 10**15, 10**30):
        matrix = ConfusionMatrix.of([far, 3, far, 1], [far, far, 3, 1])
        assert matrix.labels == (1, 3, far)
        assert matrix.counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 1]]


def test_one_column_of_narrow_and_one_of_wide_integers():
    matrix = ConfusionMatrix.of([1, 2, 4], [1, 10**12, 4])
    assert matrix.labels == (1, 2, 4, 10**12)
    assert matrix.counts[1].tolist() == [0, 0, 0, 1]


def test_blocks_of_cases(monkeypatch):
    rng = np.random.default_rng(2)
    true, predicted = rng.integers(0, 4, (2, 1000))
    weight = rng.random(1000)
    texts = [np.array(list("abcd"))[column] for column in (true, predicted)]
    whole = ConfusionMatrix.of(*texts), ConfusionMatrix.of(true, predicted, sample_weight=weight)
    for module in (label_codes, confusion_counts):
        monkeypatch.setattr(module, "BLOCK", 7)
    assert ConfusionMatrix.of(*texts) == whole[0]
    parts = ConfusionMatrix.of(true, predicted, sample_weight=weight)
    np.testing.assert_allclose(parts.counts, whole[1].counts, rtol=1e-12)


COLUMNS = {
    "list": ANIMALS,
    "tuple": tuple(ANIMALS),
    "text": np.array(ANIMALS),
    "objects": np.array(ANIMALS, dtype=object),
    "pandas": pd.Series(ANIMALS, index=range(6, 12)),
    "pandas string": pd.Series(ANIMALS, dtype="string"),
    "pandas category": pd.Series(ANIMALS, dtype="category"),
    "polars": pl.Series(ANIMALS),
    "polars categorical": pl.Series(ANIMALS, dtype=pl.Categorical),
    "polars enum": pl.Series(ANIMALS, dtype=pl.Enum(["eel", "cat", "dog"])),
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_any_column_of_text(column, animals):
    assert ConfusionMatrix.of(column, CALLED) == animals


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([1, 2, None, 1], dtype="Int64"),
        pd.Series([1, 2, None, 1]),
        pd.Series([1, 2, None, 1], dtype="category"),
        pl.Series([1, 2, None, 1]),
        np.ma.array([1, 2, 99, 1], mask=[0, 0, 1, 0]),
        [1, 2, None, 1],
        [1.0, 2.0, math.nan, 1.0],
    ],
)
def test_missing_labels(column):
    with pytest.raises(mm.DataError, match=r"1 of 4 values of y_true are missing.*row 2"):
        ConfusionMatrix.of(column, [1, 2, 1, 2])
    with pytest.raises(mm.DataError, match=r"1 of 4 values of y_pred are missing.*row 2"):
        ConfusionMatrix.of([1, 2, 1, 2], column)
    matrix = ConfusionMatrix.of(column, [1, 2, 7, 2], nan_policy="drop")
    assert matrix == ConfusionMatrix([[1, 1], [0, 1]], labels=[1, 2])
    assert matrix.dropped == 1
    assert "3 cases in 2 classes, 1 left out for missing values" in str(matrix)


def test_missing_texts_and_weights():
    columns = ["a", None, "b", math.nan], ["a", "b", "b", "b"]
    with pytest.raises(mm.DataError, match="2 of 4 values of y_true are missing"):
        ConfusionMatrix.of(*columns)
    weight = [1.0, 1.0, math.nan, 1.0]
    matrix = ConfusionMatrix.of(*columns, sample_weight=weight, nan_policy="drop")
    assert (matrix.labels, matrix.dropped) == (("a",), 3)
    with pytest.raises(mm.DataError, match="all 2 cases have a missing value"):
        ConfusionMatrix.of([None, "a"], ["a", None], nan_policy="drop")


def test_bool_always_has_both_classes():
    matrix = ConfusionMatrix.of([True, True], [True, True])
    assert matrix.labels == (False, True)
    assert matrix.pos_label is True
    assert matrix.counts.tolist() == [[0, 0], [0, 2]]


def test_bool_beside_numbers_is_a_number():
    matrix = ConfusionMatrix.of([True, False, True], [1, 0, 0])
    assert matrix.labels == (0, 1)
    assert [type(label) for label in matrix.labels] == [int, int]


def test_a_case_without_weight_is_no_case():
    matrix = ConfusionMatrix.of(["a", "b", "c"], ["a", "b", "c"], sample_weight=[1, 2, 0])
    assert matrix.labels == ("a", "b")


def test_numbers_that_are_not_whole_are_classes_only_by_name():
    true, predicted = [0.5, 1.0, 1.5], [0.5, 1.5, 1.5]
    with pytest.raises(
        mm.DataError, match=r"2 numbers that are not integers, such as 0.5.*with labels"
    ):
        ConfusionMatrix.of(true, predicted)
    matrix = ConfusionMatrix.of(true, predicted, labels=[0.5, 1, 1.5])
    assert matrix.counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 1]]


def test_counts_cannot_be_changed(animals):
    for array in (animals.counts, animals.true_totals, animals.predicted_totals):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    mine = np.ones((2, 2))
    matrix = ConfusionMatrix(mine)
    mine[0, 0] = 9
    assert matrix.n == 4


# --- bad input


@pytest.mark.parametrize(
    ("error", "arguments", "options", "message"),
    [
        (mm.DataError, ([], []), {}, "no cases"),
        (mm.DataError, (["a"], ["a", "b"]), {}, "y_true and y_pred differ in length: 1 and 2"),
        (
            mm.DataError,
            (["a"], ["a"]),
            {"sample_weight": [1, 2]},
            "sample_weight differ in length: 1 and 2",
        ),
        (
            mm.DataError,
            (["a"], ["a"]),
            {"sample_weight": [0]},
            "all weights in sample_weight are 0",
        ),
        (
            mm.DataError,
            (["a"], ["a"]),
            {"sample_weight": [-1]},
            "sample_weight must be finite and >= 0",
        ),
        (
            mm.ParameterError,
            (["a"], ["a"]),
            {"nan_policy": "keep"},
            "nan_policy must be one of 'raise', 'drop', got 'keep'",
        ),
        (mm.DataError, (["a"], [1]), {}, "the same type, got text and numbers"),
        (mm.DataError, (["a"], [True]), {}, "the same type, got text and bool"),
        (
            mm.DataError,
            (["a", 1], ["a", "a"]),
            {},
            "of one type, got text and numbers, such as 'a', 1",
        ),
        (mm.DataError, (["a", b"a"], ["a", "a"]), {}, "of one type, got text and bytes"),
        (
            mm.DataError,
            ([dt.date(2024, 1, 1)], ["a"]),
            {},
            "y_true must be bool, numbers or text, got date",
        ),
        (mm.DataError, (np.array(["2024"], "M8[Y]"), ["a"]), {}, "datetime64"),
        (mm.DataError, ([["a"], ["a", "b"]], ["a", "b"]), {}, "cannot be read as an array"),
        (mm.DataError, (np.array([["a"], None], dtype=object), ["a", "b"]), {}, "text, got list"),
        (mm.DataError, (np.eye(2), [0, 1]), {}, "shape"),
        (mm.DataError, ([1j], [1]), {}, "complex"),
        (mm.DataError, ([1e300, 1.0], [1, 1]), {}, "cannot represent such integers exactly"),
        (mm.DataError, ([math.inf, 1.0], [1, 1]), {}, "not integers, such as inf"),
        (
            mm.DataError,
            (["a", "b", "z"], ["a", "z", "z"]),
            {"labels": ["a", "b"]},
            "got 'a', 'b' but y_true has 1 cases with 'z', the first at row 2",
        ),
        (
            mm.DataError,
            ([1, 2, 2], [1, 7, 8]),
            {"labels": [1, 2]},
            r"y_pred has 1 cases with 7, the first at row 1 \(1 more",
        ),
        (
            mm.ParameterError,
            (["a"], ["a"]),
            {"labels": ["a", "b", "a"]},
            "labels has duplicates: 'a'",
        ),
        (mm.ParameterError, (["a"], ["a"]), {"labels": []}, "labels must be a list of class names"),
        (mm.ParameterError, (["a"], ["a"]), {"labels": "a"}, "must be a list"),
        (
            mm.ParameterError,
            (["a"], ["a"]),
            {"labels": {"a"}},
            "labels must be a list of class names",
        ),
        (mm.ParameterError, (["a"], ["a"]), {"labels": 7}, "must be a list"),
        (mm.ParameterError, (["a"], ["a"]), {"labels": ["a", None]}, "labels has a missing label"),
        (
            mm.ParameterError,
            (["a"], ["a"]),
            {"labels": ["a", 1]},
            "labels must have labels of one type",
        ),
        (mm.ParameterError, (["a"], ["a"]), {"labels": [["a"]]}, "labels must be text or numbers"),
        (
            mm.ParameterError,
            (["a"], ["a"]),
            {"pos_label": "b"},
            "pos_label must be one of 'a', got 'b'",
        ),
        (mm.ParameterError, (["a"], ["a"]), {"pos_label": ["a"]}, "pos_label must be one of"),
        (
            mm.ParameterError,
            (list("abc"), list("abc")),
            {"pos_label": "b"},
            "pos_label needs two classes, got 3",
        ),
    ],
)
def test_bad_columns(error, arguments, options, message):
    with pytest.raises(error, match=message):
        ConfusionMatrix.of(*arguments, **options)


def test_the_row_of_a_strange_label_is_that_of_the_data():
    with pytest.raises(mm.DataError, match="1 cases with 'z', the first at row 3"):
        ConfusionMatrix.of(
            [None, "a", None, "z"], ["a", "a", "a", "a"], labels=["a"], nan_policy="drop"
        )


@pytest.mark.parametrize("kind", [str, int], ids=["text", "numbers"])
def test_too_many_classes(kind, monkeypatch):
    monkeypatch.setattr(label_codes, "MOST_CLASSES", 50)
    column = [kind(10**6 * number) for number in range(60)]
    with pytest.raises(mm.DataError, match="more than 50 distinct labels"):
        ConfusionMatrix.of(column, column)


@pytest.mark.parametrize(
    ("error", "counts", "labels", "message"),
    [
        (mm.DataError, [[1, 2, 3], [4, 5, 6]], None, r"must be a square array, got shape \(2, 3\)"),
        (mm.DataError, [1, 2], None, "square"),
        (mm.DataError, np.zeros((0, 0)), None, "square"),
        (mm.DataError, 3, None, "square"),
        (mm.DataError, [[1, 2], [3]], None, "must be a square array of numbers"),
        (mm.DataError, [["a"]], None, "must be a square array of numbers"),
        (mm.DataError, [[1j]], None, "must be a square array of numbers"),
        (
            mm.DataError,
            [[1, -2], [math.nan, 3]],
            None,
            "got 2 others, the first -2.0 in row 0, c",
        ),
        (mm.DataError, [[math.inf]], None, "must be finite"),
        (mm.DataError, [[1e200]], None, "from 1e-100 to"),
        (mm.ParameterError, [[1, 2], [3, 4]], ["a"], "differ in length: 2 and 1"),
        (mm.ParameterError, [[1, 2], [3, 4]], ["a", "a"], "labels has duplicates"),
    ],
)
def test_bad_counts(error, counts, labels, message):
    with pytest.raises(error, match=message):
        ConfusionMatrix(counts, labels)


# --- measures against the oracle


@given(cases())
@pytest.mark.parametrize("measure", CUTS, ids=str)
def test_every_measure_is_that_of_the_oracle(measure, rows):
    matrix = matrix_of(rows)
    counts = oracle.count(rows, matrix.labels)
    reference = CUT_ORACLES[measure.name]
    found = quiet(matrix.measures, [measure])
    expected = [reference(*oracle.one_against_rest(counts, label)) for label in matrix.labels]
    expected += oracle.averages(reference, counts, matrix.labels).values()
    if measure.name in oracle.OVERALL_ORACLES:
        expected.append(oracle.OVERALL_ORACLES[measure.name](counts))
    assert len(found.rows) == len(expected)
    for row, value in zip(found.rows, expected, strict=True):
        assert close(row.value, value), (row, value)
        options = {"label": row.label} if row.average is None else {"average": row.average}
        single = quiet(matrix.measure, measure, **options)
        assert single == row.value or math.isnan(single) == row.undefined is True


@given(cases())
def test_parameters_are_respected(rows):
    matrix = matrix_of(rows)
    counts = oracle.count(rows, matrix.labels)
    for name, parameters in (("f_measure", {"beta": 2}), ("expected_cost", {"c": 0.8})):
        measure = mm.parse(name).using(**parameters)
        expected = oracle.averages(CUT_ORACLES[name], counts, matrix.labels, **parameters)
        for average, value in expected.items():
            assert close(quiet(matrix.measure, measure, average=average), value)
        assert quiet(matrix.measure, str(measure), label=matrix.labels[0]) == pytest.approx(
            quiet(matrix.measure, measure, label=matrix.labels[0]), nan_ok=True
        )


@given(cases(labels=[3, 1, 2, 0], weights=(0.25, 1, 3)))
def test_measures_are_those_of_scikit_learn(rows):
    true, predicted, weight = zip(*rows, strict=True)
    weight = [float(w) for w in weight]
    matrix = matrix_of(rows)
    for average in (None, "macro", "micro", "weighted"):
        theirs = theirs_of(
            sk.precision_recall_fscore_support,
            *(true, predicted),
            beta=2,
            average=average,
            sample_weight=weight,
            zero_division=np.nan,
        )
        for name, value in zip(("precision", "tpr", "f_measure(beta=2)"), theirs, strict=False):
            if average:
                ours = quiet(matrix.measure, name, average=average)
            else:
                ours = [quiet(matrix.measure, name, label=label) for label in matrix.labels]
            if average == "weighted" and math.isnan(ours):
                # No class that has cases has a value: there 0 stands for 0/0.
                assert value == 0
            else:
                np.testing.assert_allclose(ours, value, rtol=1e-9)
    several = len(set(true)) > 1 and len(set(predicted)) > 1
    if several:  # scikit-learn returns 0 where it is undefined
        mcc = sk.matthews_corrcoef(true, predicted, sample_weight=weight)
        assert quiet(matrix.measure, "mcc", average="overall") == pytest.approx(mcc, abs=1e-9)
        kappa = sk.cohen_kappa_score(true, predicted, sample_weight=weight)
        assert matrix.measure("kappa", average="overall") == pytest.approx(kappa, abs=1e-9)
    balanced = theirs_of(sk.balanced_accuracy_score, true, predicted, sample_weight=weight)
    assert quiet(matrix.measure, "tpr", average="macro") == pytest.approx(balanced)
    accuracy = sk.accuracy_score(true, predicted, sample_weight=weight)
    assert matrix.measure("accuracy", average="overall") == pytest.approx(accuracy)


def test_large_counts_keep_their_digits():
    n = 10**9
    matrix = ConfusionMatrix([[n, 1, 0], [0, 1, 1], [1, 0, 1]])
    counts = {(a, b): Fraction(int(matrix.counts[a, b])) for a in range(3) for b in range(3)}
    for name in ("kappa", "mcc"):
        expected = float(oracle.OVERALL_ORACLES[name](counts))
        assert matrix.measure(name) == pytest.approx(expected, rel=1e-13)


def test_weights_that_do_not_add_up_exactly_leave_empty_parts_empty():
    matrix = ConfusionMatrix.of([0] * 30, [1] * 30, sample_weight=[0.1] * 30)
    cut = matrix.binary(1)
    assert (cut.tp, cut.fn, cut.tn) == (0, 0, 0)
    assert math.isnan(quiet(matrix.measure, "tpr", label=1))
    assert math.isnan(quiet(matrix.measure, "npv", label=1))


# --- how measures are asked for


def test_two_classes_with_a_positive_one():
    matrix = ConfusionMatrix.of([1, 0, 1, 1], [1, 1, 0, 1])
    assert matrix.pos_label == 1
    assert matrix.measure("f1") == pytest.approx(2 / 3)
    named = ConfusionMatrix([[5, 1], [2, 4]], labels=["bad", "good"], pos_label="bad")
    assert named.measure("precision") == pytest.approx(5 / 7)
    assert named.measure("precision", label="good") == pytest.approx(4 / 5)
    assert named.measure("kappa") == pytest.approx(named.measure("kappa", average="overall"))
    assert ConfusionMatrix([[5, 1], [2, 4]]).pos_label is None


def test_several_classes_need_a_class_or_an_average(animals):
    with pytest.raises(mm.ParameterError, match=r"the rest; pass label or average \('macro'"):
        animals.measure("precision")
    with pytest.raises(mm.ParameterError, match="not both"):
        animals.measure("precision", label="cat", average="macro")
    with pytest.raises(
        mm.ParameterError, match="label must be one of 'cat', 'dog', 'eel', got 'cow'"
    ):
        animals.measure("precision", label="cow")
    with pytest.raises(mm.ParameterError, match=r"average must be .* 'weighted', got 'overall'"):
        animals.measure("precision", average="overall")
    with pytest.raises(mm.ParameterError, match=r"average must be one of .*, got 'mean'"):
        animals.measure("kappa", average="mean")
    with pytest.raises(mm.ParameterError, match="must be one measure, got 2; use measures"):
        animals.measure("kappa, mcc")
    assert animals.measure("accuracy") == 0.5


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("auc", "auc needs scores"),
        ("net_benefit", "needs scores"),
        ("precision@top=10%", 'has a fixed operating point; remove "@top=10%"'),
        ("no_such", "there is no measure"),
        ("", "measures is empty"),
    ],
)
def test_measures_that_a_matrix_has_not(animals, name, message):
    error = mm.UnknownMeasure if name == "no_such" else mm.ParameterError
    with pytest.raises(error, match=re.escape(message)):
        animals.measures(name)


def test_an_undefined_class_does_not_poison_the_averages(animals):
    with pytest.warns(mm.UndefinedMeasureWarning, match="precision of class eel is undefined"):
        result = animals.measures(["precision"])
    values = {row.average or row.label: row.value for row in result.rows}
    assert math.isnan(values["eel"])
    assert values["macro"] == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert values["weighted"] == pytest.approx((2 / 2 + 3 * 2 / 4) / 5)
    assert "precision is undefined (–) when no case lies above the cut: class eel" in str(result)
    with pytest.warns(mm.UndefinedMeasureWarning, match=r"for 1 of 3 classes \(eel\), which the"):
        animals.measure("precision", average="macro")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        animals.measure("precision", average="micro")


def test_one_warning_without_a_value(animals):
    with pytest.warns(mm.UndefinedMeasureWarning) as caught:
        assert math.isnan(animals.measure("precision", label="eel"))
    assert len(caught) == 1
    assert caught[0].filename == __file__
    empty = ConfusionMatrix([[0, 0], [0, 0]])
    with pytest.warns(mm.UndefinedMeasureWarning) as caught:
        assert all(row.undefined for row in empty.measures("all").rows)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_all_measures_have_all_rows(animals):
    result = quiet(animals.measures, "all")
    assert list(dict.fromkeys(row.measure for row in result.rows)) == CUTS
    assert len(result.rows) == len(CUTS) * (3 + 3) + 5


# --- arithmetic


@given(cases(), cases())
def test_the_sum_of_two_matrices_is_that_of_their_cases(first, second):
    assert matrix_of(first) + matrix_of(second) == matrix_of(first + second)


def test_sums_align_by_label(animals):
    other = ConfusionMatrix([[1, 2], [3, 4]], labels=["dog", "ant"])
    added = other + animals
    assert added.labels == ("dog", "ant", "cat", "eel")
    assert added.n == 16
    assert added.binary("dog").tp == 3
    mine = ConfusionMatrix([[1, 2], [3, 4]], labels=["low", "high"], pos_label="high")
    theirs = ConfusionMatrix([[1, 0], [0, 1]], labels=["high", "low"], pos_label="high")
    assert (mine + theirs) == ConfusionMatrix([[2, 2], [3, 5]], labels=["low", "high"])
    assert (mine + theirs).pos_label == "high"
    assert (mine + theirs) != (theirs + mine)


def test_sums_without_labels(animals):
    plain = ConfusionMatrix(np.eye(3))
    assert (plain + plain).counts.tolist() == (2 * np.eye(3)).tolist()
    assert (plain + animals).labels == animals.labels
    with pytest.raises(mm.DataError, match="matrices of 3 and 2 classes without labels cannot"):
        plain + ConfusionMatrix(np.eye(2))
    with pytest.raises(mm.DataError, match="labels of one type"):
        animals + ConfusionMatrix(np.eye(2), labels=[1, 2])
    with pytest.raises(TypeError):
        animals + 1


FOLDS = [
    ((["yes", "yes"], "yes"), (["yes", "no"], "yes"), ("no", "yes"), "yes"),
    ((["yes", "yes"], "yes"), (["no", "no"], "yes"), ("no", "yes"), "yes"),
    (([1, 1], 1), ([1, 0], None), (0, 1), 1),
    (([1, 1], None), ([1, 0], 1), (0, 1), 1),
    (([1, 1], None), ([1, -1], None), (-1, 1), 1),
    (([2, 2], 2), ([2, 7], 2), (2, 7), 2),
    (([7, 7], 7), ([2, 7], 7), (2, 7), 7),
    (([1, 1], None), ([1, 1], None), (0, 1), 1),
    ((["yes", "yes"], "yes"), (["yes", "yes"], "yes"), ("not yes", "yes"), "yes"),
]


@pytest.mark.parametrize(("first", "second", "labels", "positive"), FOLDS)
def test_a_fold_of_one_class_adds_to_others(first, second, labels, positive):
    scores = [0.9, 0.1], [0.8, 0.3]
    made = [
        ConfusionMatrix.at(true, score, pos_label=pos_label)
        for (true, pos_label), score in zip((first, second), scores, strict=True)
    ]
    together = [label == positive for label in [*first[0], *second[0]]]
    whole = ConfusionMatrix.at(together, [*scores[0], *scores[1]])
    for added in (made[0] + made[1], made[1] + made[0], sum(made), sum([*made[::-1]])):
        assert (added.labels, added.pos_label) == (labels, positive)
        cut, expected = added.binary(positive), whole.binary(True)
        assert (cut.tp, cut.fp, cut.P, cut.N) == (
            expected.tp, expected.fp, expected.P, expected.N
        )  # fmt: skip
    # What two such folds leave open, a third may tell.
    assert sum([made[0], made[0], made[1]]).labels == labels


def test_the_sum_of_matrices(animals):
    assert sum([animals, animals, animals]).n == 18
    with pytest.raises(TypeError):
        1 + animals
    with pytest.raises(TypeError):
        "0" + animals


def test_counts_in_a_pandas_frame_have_their_names(animals):
    table = pd.DataFrame([[5, 1], [2, 4]], index=["cat", "dog"], columns=["cat", "dog"])
    assert ConfusionMatrix(table) == ConfusionMatrix([[5, 1], [2, 4]], labels=["cat", "dog"])
    assert ConfusionMatrix(table[["dog", "cat"]]) == ConfusionMatrix(table)
    assert ConfusionMatrix(table, labels=["a", "b"]).labels == ("a", "b")
    assert not ConfusionMatrix(pd.DataFrame([[5, 1], [2, 4]])).named
    # No eel was called one, so that the cross table is not square.
    assert ConfusionMatrix(pd.crosstab(pd.Series(ANIMALS), pd.Series(CALLED))) == animals


def test_dropped_cases_add_up():
    matrix = ConfusionMatrix.of([1, None], [1, 0], nan_policy="drop")
    assert (matrix + matrix).dropped == 2


def test_equality(animals):
    assert animals == ConfusionMatrix.of(ANIMALS, CALLED)
    assert animals != ConfusionMatrix.of(CALLED, ANIMALS)
    assert animals != ConfusionMatrix(animals.counts, labels=["a", "b", "c"])
    assert animals != 7
    with pytest.raises(TypeError, match="unhashable"):
        hash(animals)


@pytest.mark.parametrize("by", ["true", "predicted", "all"])
def test_shares_are_those_of_scikit_learn(by, animals):
    names = {"predicted": "pred"}
    theirs = sk.confusion_matrix(ANIMALS, CALLED, normalize=names.get(by, by))
    ours = animals.normalized(by)
    empty = np.isnan(ours)
    assert empty.any() == (by == "predicted")  # there 0 stands for 0/0
    np.testing.assert_allclose(np.where(empty, 0, ours), theirs)


def test_shares_of_nothing_known(animals):
    with pytest.raises(mm.ParameterError, match=r"by must be one of 'true', .*, got 'rows'"):
        animals.normalized("rows")


# --- at an operating point


@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.sampled_from([0.1, 0.3, 0.5, 0.9]),
            st.sampled_from([0.25, 1, 2]).map(Fraction),
        ),
        min_size=1,
        max_size=10,
    ),
    st.sampled_from(
        [("threshold", 0.5), ("top", 0.25), ("k", 2), ("k", "P"), ("at_fpr", 0.5), ("at_tpr", 0.5)]
    ),
)
def test_the_matrix_at_a_point_is_that_of_the_oracle(rows, point):
    labels, scores, weights = zip(*rows, strict=True)
    expected = cut(rows, *point)
    arguments = (labels, scores), {point[0]: point[1], "sample_weight": [*map(float, weights)]}
    if expected is None:
        with pytest.raises(mm.DataError, match="no confusion matrix at"):
            ConfusionMatrix.at(*arguments[0], **arguments[1])
        return
    matrix = ConfusionMatrix.at(*arguments[0], **arguments[1])
    tp, fp, fn, tn = map(float, expected)
    np.testing.assert_allclose(matrix.counts, [[tn, fp], [fn, tp]], atol=1e-12)
    assert matrix.labels == (False, True)


def test_the_default_point_is_one_half():
    true, score = [1, 0, 1, 0], [0.5, 0.6, 0.4, 0.1]
    assert ConfusionMatrix.at(true, score) == ConfusionMatrix.of(true, [1, 1, 0, 0])
    assert ConfusionMatrix.at(true, score).measure("mcc") == mm.mcc(true, score)


@pytest.mark.parametrize(
    ("labels", "pos_label", "names"),
    [
        (["yes", "no"], "yes", ("no", "yes")),
        (["bad", "good"], "bad", ("bad", "good")),
        ([2, 7], 7, (2, 7)),
        ([2, 7], 2, (2, 7)),
        ([-1, 1], None, (-1, 1)),
        ([0.5, 1.5], 1.5, (0.5, 1.5)),
        ([1, 1], None, (0, 1)),
        ([-1, -1], None, (-1, 1)),
        (["no", "no"], "yes", ("no", "yes")),
        (["yes", "yes"], "yes", ("not yes", "yes")),
    ],
)
def test_the_names_of_the_two_classes(labels, pos_label, names):
    matrix = ConfusionMatrix.at(labels, [0.9, 0.8], pos_label=pos_label)
    assert matrix.labels == names
    positive = 1 if pos_label is None else pos_label
    assert matrix.pos_label == positive
    assert labels.count(positive) == matrix.binary(positive).P


def test_bad_points():
    with pytest.raises(mm.ParameterError, match=r"one operating point, got 2: 0\.5, top=10%"):
        ConfusionMatrix.at([1, 0], [0.5, 0.1], 0.5, top=0.1)
    with pytest.raises(mm.ParameterError, match=r"top must be in \[0, 1\], got 10"):
        ConfusionMatrix.at([1, 0], [0.5, 0.1], top=10)
    with pytest.raises(mm.DataError, match="no confusion matrix at k=5: there are fewer than k"):
        ConfusionMatrix.at([1, 0], [0.5, 0.1], k=5)
    with pytest.raises(mm.DataError, match="of scores are missing"):
        ConfusionMatrix.at([1, 0], [0.5, math.nan])
    matrix = ConfusionMatrix.at([1, 0, 0], [0.5, math.nan, 0.1], nan_policy="drop")
    assert (matrix.n, matrix.dropped) == (2, 1)


# --- forms


def test_the_table(animals):
    assert animals.table().splitlines() == [
        "true ↓ predicted →  cat  dog  eel  total",
        "cat                   1    1    0      2",
        "dog                   1    2    0      3",
        "eel                   0    1    0      1",
        "total                 2    4    0      6",
        "6 cases in 3 classes",
    ]
    assert repr(animals) == "<confusion matrix: 3 classes, 6 cases>"


def test_weights_are_shown_as_they_are():
    matrix = ConfusionMatrix([[0.25, 3], [0, 1e20]], labels=["a", "b"])
    assert [line.split() for line in matrix.table().splitlines()[1:3]] == [
        ["a", "0.2500", "3", "3.2500"],
        ["b", "0", "1e+20", "1e+20"],
    ]


def test_of_many_classes_those_with_the_most_errors_are_shown():
    rng = np.random.default_rng(3)
    true = rng.integers(0, 200, 20_000)
    wrong = rng.random(20_000) < np.where(true % 20 == 7, 0.9, 0.02)
    matrix = ConfusionMatrix.of(true, np.where(wrong, rng.integers(0, 200, 20_000), true))
    lines = matrix.table().splitlines()
    assert len(lines) == 1 + 15 + 2 + 1 + 2
    names = lines[0].split()[4:]
    assert {str(label) for label in range(200) if label % 20 == 7} <= set(names)
    assert "185 others" in lines[0]
    assert lines[16].startswith("185 others")
    assert lines[17].split()[-1] == "20000"
    assert "the 15 of 200 classes with the most errors are shown" in lines
    body = np.array([[float(x) for x in line.split()[-17:]] for line in lines[1:18]])
    assert (body[:, :-1].sum(axis=1) == body[:, -1]).all()
    assert (body[:-1].sum(axis=0) == body[-1]).all()
    measured = matrix.measures("tpr").table()
    assert "the 15 of 200 classes with" in measured
    assert len(matrix.measures("tpr").rows) == 203


def test_many_measures_go_down(animals):
    lines = quiet(animals.measures, "all").table().splitlines()
    assert lines[0].split() == ["measure", "cat", "dog", "eel"]
    assert lines[1 + len(CUTS)].split() == ["n", "2", "3", "1"]
    assert lines[2 + len(CUTS)].split() == ["measure", "macro", "micro", "weighted", "overall"]


def test_frames_are_tidy(animals):
    frame = animals.frame()
    assert frame.columns == ["true", "predicted", "count"]
    assert frame.schema["true"] == pl.String
    assert frame.row(1) == ("cat", "dog", 1.0)
    assert frame.height == 9
    result = quiet(animals.measures, "tpr, accuracy").frame()
    assert result.columns == ["label", "average", "measure", "value", "n"]
    assert result.row(0) == ("cat", None, "tpr", 0.5, 2.0)
    assert result.filter(average="overall").rows() == [(None, "overall", "accuracy", 0.5, 6.0)]


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        ([False, True], pl.Boolean),
        ([3, 4], pl.Int64),
        ([0.5, 1], pl.Float64),
        ([2**70, 1], pl.String),
        ([b"\xff", b"a"], pl.String),
        (["", "a"], pl.String),
    ],
)
def test_labels_in_frames_and_json(labels, kind):
    matrix = ConfusionMatrix(np.eye(2), labels=labels)
    frame = matrix.frame()
    assert frame.schema["true"] == kind
    assert quiet(matrix.measures).frame().schema["label"] == kind
    stored = json.loads(matrix.to_json())["labels"]
    assert stored == frame["predicted"][:2].to_list()
    if kind != pl.String:
        assert stored == labels


def test_json(animals):
    content = json.loads(animals.to_json())
    assert [list(cell.values()) for cell in content.pop("rows")[:3]] == [
        ["cat", "cat", 1], ["cat", "dog", 1], ["cat", "eel", 0]
    ]  # fmt: skip
    assert content == {
        "labels": ["cat", "dog", "eel"],
        "counts": [[1, 1, 0], [1, 2, 0], [0, 1, 0]],
        "n": 6,
        "dropped": 0,
        "checks": [],
    }
    content = json.loads(quiet(animals.measures, "precision, lr_plus").to_json())
    where = {"label": "eel", "average": None, "measure": "precision"}
    assert content["rows"][2] == {**where, "value": None, "n": 1.0}
    assert content["undefined"][0] == {**where, "reason": "no case lies above the cut"}


def test_a_class_with_the_name_of_an_average():
    matrix = ConfusionMatrix([[3, 1], [0, 4]], labels=["macro", "total"])
    rows = matrix.measures("tpr").frame().rows()
    assert [row[:2] for row in rows[:3]] == [("macro", None), ("total", None), (None, "macro")]


# --- hostile labels


def assert_harmless(text):
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


@pytest.fixture(params=["matrix", "measures"])
def hostile(request):
    labels = [HOSTILE, f"a{HOSTILE}", "x" * 10_000]
    matrix = ConfusionMatrix([[1, 1, 0], [1, 2, 0], [1, 0, 0]], labels=labels)
    return matrix if request.param == "matrix" else quiet(matrix.measures, "precision")


def test_hostile_labels_in_text(hostile):
    assert_harmless(str(hostile))
    assert max(map(len, str(hostile).splitlines())) < 300


def test_hostile_labels_in_markdown(hostile):
    text = hostile.to_markdown()
    assert_harmless(text)
    assert "<script" not in text
    assert "[red]" not in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    widths = {len(re.findall(r"(?<!\\)\|", line)) for line in tables}
    assert widths == ({6} if isinstance(hostile, ConfusionMatrix) else {4})


def test_hostile_labels_in_html_and_rich(hostile):
    from rich.console import Console

    page = hostile._repr_html_()
    assert_harmless(page)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    stream = io.StringIO()
    Console(file=stream, width=200, color_system=None).print(hostile)
    assert_harmless(stream.getvalue())


def test_hostile_labels_in_errors_and_warnings():
    with pytest.raises(mm.DataError) as error:
        ConfusionMatrix.of([HOSTILE, "a"], ["a", "a"], labels=["a"])
    assert_harmless(str(error.value))
    matrix = ConfusionMatrix([[1, 0], [1, 0]], labels=["a", HOSTILE])
    for ask in (matrix.measures, lambda name: matrix.measure(name, average="macro")):
        with pytest.warns(mm.UndefinedMeasureWarning) as caught:
            ask("precision")
        assert_harmless(str(caught[0].message))


def test_hostile_labels_come_back_from_frames_and_json(hostile):
    column = "true" if isinstance(hostile, ConfusionMatrix) else "label"
    assert HOSTILE in hostile.frame()[column].to_list()
    assert HOSTILE in json.dumps(json.loads(hostile.to_json()), ensure_ascii=False).replace(
        json.dumps(HOSTILE, ensure_ascii=False)[1:-1], HOSTILE
    )


# --- the command line


@pytest.fixture
def run(run):
    return partial(run, "confusion")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "classes.csv"
    pl.DataFrame(
        {
            "animal": ANIMALS,
            "called": CALLED,
            "w": [1.0, 2.0, 1.0, 0.5, 1.0, 1.0],
            "is_cat": [1, 1, 0, 0, 0, 0],
            "score": [0.9, 0.4, 0.5, 0.3, 0.5, 0.1],
        }
    ).write_csv(path)
    return path


CLASSES = ("--label", "animal", "--predicted", "called")
SCORES = ("--label", "is_cat", "--score", "score")


def test_the_command_gives_what_python_gives(run, file, animals):
    done = run(file, *CLASSES)
    assert (done.code, done.err) == (OK, "")
    assert done.out == animals.table() + "\n"
    done = run(file, *CLASSES, "--format", "json")
    assert json.loads(done.out) == json.loads(animals.to_json())
    done = run(file, *CLASSES, "--weight", "w", "--format", "csv")
    frame = pl.read_csv(io.StringIO(done.out))
    weight = [1.0, 2.0, 1.0, 0.5, 1.0, 1.0]
    expected = ConfusionMatrix.of(ANIMALS, CALLED, sample_weight=weight)
    assert frame.equals(expected.frame())


def test_measures_below_the_matrix(run, file, animals):
    done = run(file, *CLASSES, "--measures", "precision, mcc")
    assert (done.code, done.err) == (OK, "")
    assert done.out.startswith(animals.table())
    assert "precision is undefined (–)" in done.out
    done = run(file, *CLASSES, "--measures", "precision, mcc", "--format", "json")
    content = json.loads(done.out)
    expected = json.loads(quiet(animals.measures, "precision, mcc").to_json())
    assert {key: content[key] for key in ("rows", "undefined", "checks")} == expected
    assert content["labels"] == ["cat", "dog", "eel"]
    done = run(file, *CLASSES, "--measures", "all", "--format", "csv")
    columns = ["label", "average", "measure", "value", "n"]
    assert pl.read_csv(io.StringIO(done.out)).columns == columns


def test_shares(run, file):
    done = run(file, *CLASSES, "--normalize", "predicted")
    assert done.out.splitlines()[1].split() == ["cat", "0.5000", "0.2500", "–"]
    assert done.out.splitlines()[4].split() == ["cases", "2", "4", "0"]
    content = json.loads(run(file, *CLASSES, "--normalize", "predicted", "--format", "json").out)
    assert content["normalized"] == "predicted"
    assert content["shares"][0] == [0.5, 0.25, None]
    done = run(file, *CLASSES, "--normalize", "true", "--format", "csv")
    assert pl.read_csv(io.StringIO(done.out))["share"].to_list()[:3] == [0.5, 0.5, 0.0]
    lines = run(file, *CLASSES, "--normalize", "all").out.splitlines()
    assert lines[4].split() == ["total", "0.3333", "0.6667", "0.0000", "1.0000"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), {}),
        (("--threshold", "0.4"), {"threshold": 0.4}),
        (("--top", "25%"), {"top": 0.25}),
        (("--top", "0.25"), {"top": 0.25}),
        (("--k", "2"), {"k": 2}),
        (("--k", "P"), {"k": "P"}),
        (("--at-fpr", "0.25"), {"at_fpr": 0.25}),
        (("--at-tpr", "1"), {"at_tpr": 1}),
        (("--pos-label", "0"), {"pos_label": 0}),
        (("--weight", "w"), {"sample_weight": [1.0, 2.0, 1.0, 0.5, 1.0, 1.0]}),
    ],
)
def test_scores_at_a_point(run, file, options, expected):
    done = run(file, *SCORES, *options, "--format", "json")
    assert (done.code, done.err) == (OK, "")
    labels, scores = [1, 1, 0, 0, 0, 0], [0.9, 0.4, 0.5, 0.3, 0.5, 0.1]
    matrix = ConfusionMatrix.at(labels, scores, **expected)
    assert json.loads(done.out) == json.loads(matrix.to_json())


@pytest.mark.parametrize(("text", "code"), [("true", OK), ("True", OK), ("1", OK), ("yes", USAGE)])
def test_the_positive_label_of_bool(run, tmp_path, text, code):
    path = tmp_path / "bool.parquet"
    pl.DataFrame({"y": [True, False], "s": [0.9, 0.1]}).write_parquet(path)
    done = run(path, "--label", "y", "--score", "s", "--pos-label", text)
    assert done.code == code


def test_classes_named_on_the_command_line(run, file, tmp_path):
    done = run(file, *CLASSES, "--labels", "eel", "dog", "cat", "--format", "json")
    assert json.loads(done.out)["labels"] == ["eel", "dog", "cat"]
    path = tmp_path / "halves.csv"
    path.write_text("y,p\n0.5,1\n1,1\n1.5,0.5\n")
    done = run(path, "--label", "y", "--predicted", "p")
    assert done.code == DATA
    assert "list the classes with" in done.err
    done = run(path, "--label", "y", "--predicted", "p", "--labels", "0.5", "1", "1.5", "2")
    assert "3 cases in 4 classes" in done.out


def test_markdown_and_files(run, file, tmp_path):
    done = run(file, *CLASSES, "--format", "markdown")
    assert done.out.splitlines()[1] == "| --- | ---: | ---: | ---: | ---: |"
    target = tmp_path / "out.json"
    done = run(file, *CLASSES, "-o", target)
    assert (done.code, done.out) == (OK, "")
    assert json.loads(target.read_text())["n"] == 6
    assert run(file, *CLASSES, "-o", tmp_path / "out.xyz").code == USAGE


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--label", "animal"), USAGE, "pass either --predicted or --score"),
        ((*CLASSES, "--score", "score"), USAGE, "pass either --predicted or --score"),
        (("--predicted", "called"), USAGE, "--label"),
        ((*CLASSES, "--threshold", "0.5"), USAGE, "has no effect with --predicted"),
        ((*CLASSES, "--pos-label", "cat"), USAGE, "has no effect with --predicted"),
        ((*SCORES, "--top", "0.1", "--k", "2"), USAGE, "choose one of --top, --k"),
        ((*SCORES, "--top", "7"), USAGE, "top must be in [0, 1], got 7.0"),
        ((*SCORES, "--threshold", "high"), USAGE, "--threshold must be a number, got 'high'"),
        ((*CLASSES, "--normalize", "rows"), USAGE, "one of 'true', 'predicted', 'all', got"),
        ((*CLASSES, "--measures", "auc"), USAGE, "auc needs scores"),
        ((*CLASSES, "--measures", "tpr", "--normalize", "true", "--format", "csv"), USAGE,
         "do not fit into one table"),
        ((*CLASSES, "--measures", "tpr", "--normalize", "true", "-o", "x.csv"), USAGE,
         "do not fit into one table"),
        ((*SCORES, "--labels", "0", "1"), USAGE, "--labels has no effect with --score"),
        ((*CLASSES, "--labels", "cat", "dog"), DATA, "must name all classes, got 'cat', 'dog'"),
        ((*CLASSES, "--nan-policy", "keep"), USAGE, "one of 'raise', 'drop', got"),
        (("--label", "animal", "--predicted", "caled"), USAGE, "did you mean 'called'?"),
        (("--label", "animal", "--predicted", "is_cat"), DATA, "labels of the same type"),
        (("--label", "is_cat", "--predicted", "score"), DATA, "got 6 numbers that are not"),
        (("--label", "is_cat", "--score", "animal"), DATA, "'animal' has 'cat' at row 0"),
        (("--label", "animal", "--score", "score"), DATA, "'animal' has 3 labels"),
        ((*SCORES, "--pos-label", "7"), USAGE,
         "must be one of the labels in 'is_cat', 0, 1; got 7"),
        ((*SCORES, "--k", "99"), DATA, "fewer than k cases"),
        ((*CLASSES, "--weight", "called"), DATA, "'called' must be real numbers"),
    ],
)  # fmt: skip
def test_what_the_command_refuses(run, file, options, code, message):
    done = run(file, *options)
    assert done.code == code
    assert done.out == ""
    words = " ".join(re.sub(r"[│╭╮╰╯─]", " ", done.err).split())
    assert message in words


def test_missing_values_in_a_file(run, tmp_path):
    path = tmp_path / "missing.csv"
    path.write_text("y,p\na,a\n,b\nb,NA\nb,b\n")
    done = run(path, "--label", "y", "--predicted", "p")
    assert done.code == DATA
    assert "1 of 4 values of 'y' are missing" in done.err
    assert "--nan-policy drop" in done.err
    done = run(path, "--label", "y", "--predicted", "p", "--nan-policy", "drop")
    assert "2 cases in 2 classes, 2 left out for missing values" in done.out


def test_hostile_labels_on_the_command_line(run, tmp_path):
    path = tmp_path / "hostile.parquet"
    pl.DataFrame({HOSTILE: [HOSTILE, "a"], "p": ["a", "a"]}).write_parquet(path)
    for form in ("table", "markdown"):
        done = run(
            path, "--label", HOSTILE, "--predicted", "p", "--measures", "all", "--format", form
        )
        assert done.code == OK
        assert_harmless(done.out)
    done = run(path, "--label", HOSTILE, "--score", "p")
    assert done.code == DATA
    assert_harmless(done.err)
