"""Bad input from Python: refused at the door, in words, with nothing lost or written to."""

import datetime as dt
import decimal
import fractions
import math
import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import metameasure as mm
from metameasure.errors import Argument, parts_of

Y = [1, 0, 1, 0]
S = [0.9, 0.5, 0.5, 0.1]
AUC = 0.875
NAN = math.nan
BIG = 10**400

UNIT = [m for m in mm.measures() if m.unit_scores]
RANKING = [mm.parse(name) for name in ("auc", "ks", "h_measure", "average_precision", "ndcg")]


def objects(*values):
    """An array of objects, even where they are sequences."""
    array = np.empty(len(values), dtype=object)
    for row, value in enumerate(values):
        array[row] = value
    return array


def value_without_warning(measure, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
        return measure(*arguments, **options)


# --- how many cases, and of what shape


@pytest.mark.parametrize("empty", [[], (), np.zeros(0), pl.Series([], dtype=pl.Float64)])
def test_no_cases(empty):
    with pytest.raises(mm.DataError, match="no cases"):
        mm.auc(empty, empty)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y_score": [0.1, 0.2]}, "y_true and y_score differ in length: 4 and 2"),
        ({"y_score": []}, "y_true and y_score differ in length: 4 and 0"),
        (
            {"y_score": S, "sample_weight": [1.0]},
            "y_true and sample_weight differ in length: 4 and 1",
        ),
    ],
)
def test_different_lengths(arguments, message):
    with pytest.raises(mm.DataError, match=message):
        mm.auc(Y, **arguments)


def test_different_length_of_groups():
    with pytest.raises(mm.DataError, match="y_true and group differ in length: 4 and 3"):
        mm.evaluate(Y, S, "auc", group=["a", "b", "c"])


def test_different_length_names_the_model():
    with pytest.raises(mm.DataError, match="y_true and forest differ in length: 4 and 3"):
        mm.evaluate(Y, {"tree": S, "forest": S[:3]}, "auc")


@pytest.mark.parametrize("call", [mm.auc, mm.ks, mm.tabulate])
def test_two_columns_hint_at_predict_proba(call):
    with pytest.raises(mm.DataError, match=r"must sum to 1, got 2 at row 0.*\[:, 1\]"):
        call(Y, np.ones((4, 2)))


@pytest.mark.parametrize("shape", [(4, 1), (1, 4), (4, 3), (4, 2, 1)])
def test_other_shapes_are_named(shape):
    with pytest.raises(mm.DataError, match="shape"):
        mm.auc(Y, np.ones(shape))


@pytest.mark.parametrize(
    "arguments",
    [
        {"y_true": 1, "y_score": 0.5},
        {"y_true": Y, "y_score": 0.5},
        {"y_true": Y, "y_score": np.float64(0.5)},
        {"y_true": Y, "y_score": S, "sample_weight": 2},
    ],
)
def test_a_single_value(arguments):
    with pytest.raises(mm.DataError, match="single value"):
        mm.auc(**arguments)


def test_ragged_lists():
    with pytest.raises(mm.DataError, match="y_score"):
        mm.auc(Y, [[1], [2, 3], [1], [1]])


@pytest.mark.parametrize(
    "scores",
    [(s for s in S), map(float, S), {0.1, 0.2, 0.3, 0.4}, dict(enumerate(S)).values()],
    ids=["generator", "map", "set", "dict values"],
)
def test_what_is_no_sequence_is_to_be_made_a_list(scores):
    with pytest.raises(mm.DataError, match="list"):
        mm.auc(Y, scores)


def test_scores_are_missing():
    with pytest.raises(mm.DataError, match="y_score"):
        mm.auc(Y)
    with pytest.raises(mm.DataError, match="scores"):
        mm.evaluate(Y)


def test_no_model():
    with pytest.raises(mm.DataError, match="no model"):
        mm.evaluate(Y, {})
    with pytest.raises(mm.DataError, match="no model"):
        mm.evaluate(Y, pl.DataFrame())


# --- labels


@pytest.mark.parametrize(
    ("labels", "options"),
    [
        ([True, True, True], {}),
        ([False, False, False], {}),
        ([1, 1, 1], {}),
        ([0, 0, 0], {}),
        ([1.0, 1.0, 1.0], {}),
        ([-1, -1, -1], {}),
        (np.array([1, 1, 1], dtype=np.uint8), {}),
        (["a", "a", "a"], {"pos_label": "a"}),
        (["a", "a", "a"], {"pos_label": "b"}),
        ([7, 7, 7], {"pos_label": 7}),
        ([7, 7, 7], {"pos_label": 8}),
    ],
)
def test_one_known_class_leaves_the_other_empty(labels, options):
    scores = [0.1, 0.2, 0.3]
    with pytest.warns(mm.UndefinedMeasureWarning, match="auc is undefined: a class is empty"):
        assert math.isnan(mm.auc(labels, scores, **options))
    assert 0 < mm.brier(labels, scores, **options) < 1
    assert mm.accuracy(labels, scores, **options) in {0.0, 1.0}


@pytest.mark.parametrize("labels", [["a", "a"], [2, 2], objects("a", "a"), [b"a", b"a"]])
def test_one_unknown_class_asks_which_is_positive(labels):
    with pytest.raises(mm.DataError, match="pos_label="):
        mm.brier(labels, [0.1, 0.2])


@pytest.mark.parametrize(
    ("labels", "pair"),
    [
        (["no", "yes"], "'no', 'yes'"),
        ([1, 2], "1, 2"),
        ([-1, 0], "-1, 0"),
        (["0", "1"], "'0', '1'"),
    ],
)
def test_another_pair_needs_pos_label(labels, pair):
    with pytest.raises(
        mm.DataError,
        match=f"{pair}.*pos_label={' or pos_label='.join(pair.split(', '))}$".replace("'", "['\"]"),
    ):
        mm.auc(labels, [0.1, 0.2])


@pytest.mark.parametrize("options", [{}, {"pos_label": "a"}, {"pos_label": "z"}])
def test_three_classes_are_listed(options):
    with pytest.raises(mm.DataError, match="3 labels, 'a', 'b', 'c'"):
        mm.auc(["a", "b", "c", "a"], S, **options)


def test_three_numbers_are_listed():
    with pytest.raises(mm.DataError, match="3 labels, 0, 1, 2"):
        mm.auc([0, 1, 2, 1], S)
    with pytest.raises(mm.DataError, match="3 labels, -1, 0, 1"):
        mm.auc([0, 1, -1, 1], S)


def test_many_classes_are_cut_short():
    with pytest.raises(mm.DataError, match="100 labels, 0, 1, 2, 3, 4 and 95 more"):
        mm.auc(range(100), range(100))


@pytest.mark.parametrize(
    ("labels", "options"),
    [
        ([True, False, True, False], {}),
        ([1, -1, 1, -1], {}),
        ([1.0, -0.0, 1.0, 0.0], {}),
        (["yes", "no", "yes", "no"], {"pos_label": "yes"}),
        (objects("yes", 0, "yes", 0), {"pos_label": "yes"}),
        (objects(True, False, np.True_, False), {}),
        ([b"a", b"b", b"a", b"b"], {"pos_label": b"a"}),
        (Y, {"pos_label": True}),
        ([True, False, True, False], {"pos_label": 1}),
        ([2, 1, 2, 1], {"pos_label": 2}),
    ],
)
def test_labels_that_are_understood(labels, options):
    assert mm.auc(labels, S, **options) == AUC


@pytest.mark.parametrize(("labels", "pos_label"), [(Y, 0), (["a", "b", "a", "b"], "b")])
def test_pos_label_turns_the_classes_round(labels, pos_label):
    assert mm.auc(labels, S, pos_label=pos_label) == 1 - AUC


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [(Y, "1"), (Y, 7), (Y, NAN), (["a", "b", "a", "b"], "c"), (["a", "b", "a", "b"], 1)],
)
def test_pos_label_that_is_not_there(labels, pos_label):
    with pytest.raises(mm.ParameterError, match="pos_label must be one of the labels"):
        mm.auc(labels, S, pos_label=pos_label)


@pytest.mark.parametrize("pos_label", [["a", "b"], ["a", "b", "a", "b"], np.array(["a", "b"])])
def test_pos_label_is_one_label(pos_label):
    with pytest.raises(mm.ParameterError, match="pos_label must be a number or text"):
        mm.auc(["a", "b", "a", "b"], S, pos_label=pos_label)


@pytest.mark.parametrize(
    "labels",
    [
        objects([1], [2], [1], [2, 3]),
        objects({}, {"a": 1}, {}, {}),
        objects(np.ones(2), np.ones(2), np.ones(3), np.ones(2)),
        [1j, 0, 1j, 0],
        np.array(["2020-01-01", "2020-01-02"] * 2, dtype="M8[D]"),
        [BIG, 1, BIG, 1],
    ],
    ids=["lists", "dicts", "arrays", "complex", "dates", "beyond float64"],
)
@pytest.mark.parametrize("options", [{}, {"pos_label": 1}], ids=["plain", "pos_label"])
def test_labels_of_no_use(labels, options):
    with pytest.raises(mm.DataError):
        mm.auc(labels, S, **options)


# --- missing values


@pytest.mark.parametrize(
    ("arguments", "what", "row"),
    [
        (([1, NAN, NAN, 0], S), "2 of 4 values of y_true", 1),
        (([1, None, 0, 0], S), "1 of 4 values of y_true", 1),
        (([True, None, False, None], S), "2 of 4 values of y_true", 1),
        ((Y, [0.1, 0.2, NAN, NAN]), "2 of 4 values of y_score", 2),
        ((Y, [None, 0.2, 0.3, 0.4]), "1 of 4 values of y_score", 0),
        ((Y, objects(0.1, pd.NA, pd.NaT, decimal.Decimal("NaN"))), "3 of 4 values of y_score", 1),
        ((Y, S, [1, 1, 1, NAN]), "1 of 4 values of sample_weight", 3),
    ],
)
def test_missing_values_are_counted_and_placed(arguments, what, row):
    y_true, y_score, *weight = arguments
    with pytest.raises(mm.DataError, match=rf'{what} .*row {row}\b.*nan_policy="drop"'):
        mm.auc(y_true, y_score, sample_weight=weight[0] if weight else None)


@pytest.mark.parametrize("missing", [None, NAN, pd.NA], ids=repr)
def test_a_missing_label_among_texts_is_missing(missing):
    labels = ["yes", missing, "yes", missing]
    with pytest.raises(mm.DataError, match=r"2 of 4 values of y_true.*row 1\b"):
        mm.auc(labels, S, pos_label="yes")
    with pytest.warns(mm.DroppedCasesWarning, match="2 of 4"):
        assert mm.brier(labels, S, pos_label="yes", nan_policy="drop") == pytest.approx(0.13)


def test_drop_leaves_out_and_says_how_many():
    with pytest.warns(mm.DroppedCasesWarning, match="3 of 7 cases"):
        value = mm.auc(
            [*Y, NAN, 1, 0],
            [*S, 0.3, NAN, 0.2],
            sample_weight=[1, 1, 1, 1, 1, 1, NAN],
            nan_policy="drop",
        )
    assert value == AUC


def test_drop_is_silent_when_nothing_is_missing():
    assert mm.auc(Y, S, nan_policy="drop") == AUC


def test_drop_of_everything():
    with pytest.raises(mm.DataError, match="all 2 cases"):
        mm.auc([NAN, 1], [0.1, NAN], nan_policy="drop")


def test_drop_may_leave_one_class_or_no_weight():
    with pytest.warns(mm.DroppedCasesWarning), pytest.warns(mm.UndefinedMeasureWarning):
        assert math.isnan(mm.auc([1, 1, NAN], [0.1, 0.2, 0.3], nan_policy="drop"))
    with pytest.raises(mm.DataError, match="weight 0"):
        mm.auc([1, 0, NAN], [0.1, 0.2, 0.3], sample_weight=[0, 0, 1], nan_policy="drop")


def test_evaluate_counts_what_it_drops():
    frame = mm.evaluate([*Y, NAN], [*S, 0.3], "auc, brier", nan_policy="drop").frame()
    assert frame["dropped"].to_list() == [1, 1]
    assert frame["n"].to_list() == [4, 4]


def test_evaluate_counts_what_it_drops_in_each_group():
    result = mm.evaluate(
        [*Y, NAN, 1], [*S, 0.3, NAN], "brier", group=["a"] * 5 + ["b"], nan_policy="drop"
    )
    assert {row.group: row.dropped for row in result.rows} == {None: 2, "a": 1}


def test_evaluate_drops_a_case_for_all_models():
    result = mm.evaluate(Y, {"a": S, "b": [NAN, *S[1:]]}, "auc", nan_policy="drop")
    assert [(row.n, row.dropped) for row in result.rows] == [(3, 1), (3, 1)]


@pytest.mark.parametrize("name", ["y_true", "y_score", "sample_weight", "group"])
def test_a_model_may_have_any_name(name):
    """Missing values are noticed whatever the model is called."""
    options = {"sample_weight": [1, 1, 1, 1], "group": ["a", "a", "b", "b"]}
    with pytest.raises(mm.DataError, match="missing"):
        mm.evaluate([1, NAN, 1, 0], {name: S}, "auc", **options)
    with pytest.raises(mm.DataError, match="missing"):
        mm.evaluate(Y, {name: [0.1, NAN, 0.2, 0.3]}, "auc", **options)


@pytest.mark.parametrize(
    "groups",
    [
        *(["a", None, "a", "b"], ["a", NAN, "a", "b"], [1.0, NAN, 1.0, 2.0]),
        *(pd.array([1, None, 1, 2]), pd.to_datetime(["2020", None, "2020", "2021"])),
        *(pd.to_timedelta([1, None, 1, 2]), pl.Series([1, None, 1, 2]).cast(pl.Date)),
    ],
    ids=["None", "NaN among texts", "NaN", "NA", "date", "duration", "date of polars"],
)
def test_a_missing_group_is_a_missing_value(groups):
    with pytest.raises(mm.DataError, match=r"group.*row 1\b"):
        mm.evaluate(Y, S, "brier", group=groups)
    result = mm.evaluate(Y, S, "brier", group=groups, nan_policy="drop")
    assert [row.n for row in result.rows] == [3, 2, 1]
    assert result.rows[0].dropped == 1


@pytest.mark.parametrize("call", [mm.auc, mm.tabulate, mm.evaluate])
@pytest.mark.parametrize("policy", ["omit", "", None, 1])
def test_unknown_nan_policy(call, policy):
    with pytest.raises(mm.ParameterError, match="nan_policy must be one of 'raise', 'drop', got"):
        call(Y, S, nan_policy=policy)


# --- scores


@pytest.mark.parametrize("measure", RANKING, ids=str)
def test_infinite_scores_are_fine_for_ranking(measure):
    assert measure(Y, [math.inf, 0.5, 0.5, -math.inf]) == measure(Y, S)


@pytest.mark.parametrize("measure", UNIT, ids=str)
@pytest.mark.parametrize(
    "scores",
    [
        [math.inf, 0.5, 0.5, 0.1],
        [0.9, 0.5, 0.5, -math.inf],
        [1.5, 0.5, 0.5, 0.1],
        [0.9, 0.5, 0.5, -1e-9],
        [1 + 1e-15, 0.5, 0.5, 0.1],
    ],
    ids=["inf", "-inf", "above", "below", "just above"],
)
def test_scores_outside_the_unit_interval(measure, scores):
    remedy = "minmax" if np.isfinite(scores).all() else "infinite scores cannot be rescaled"
    words = rf"{measure.name} needs scores in \[0, 1\].*{remedy}"
    with pytest.raises(mm.DataError, match=words):
        measure(Y, scores)


def test_many_families_need_scores_in_the_unit_interval():
    assert {"scored", "probability"} <= {measure.family for measure in UNIT}
    assert not {"auc", "accuracy", "h_measure"} & {measure.name for measure in UNIT}


@pytest.mark.parametrize("measure", UNIT, ids=str)
def test_minmax_is_explicit(measure):
    wide = [3.0, -1.0, -1.0 + 1.0, -5.0]
    unit = [1.0, 0.5, 0.625, 0.0]
    rescaled = value_without_warning(measure, Y, wide, rescale="minmax")
    np.testing.assert_allclose(rescaled, value_without_warning(measure, Y, unit), rtol=1e-12)


def test_a_score_outside_without_weight_is_absent():
    assert mm.brier([*Y, 1], [*S, 9.0], sample_weight=[1, 1, 1, 1, 0]) == mm.brier(Y, S)


@pytest.mark.parametrize("scores", [[2, 2, 2, 2], [math.inf, 1, 0, 0], [1, 0, 0, -math.inf]])
def test_minmax_of_what_has_no_extent(scores):
    with pytest.raises(mm.DataError, match="cannot be rescaled"):
        mm.brier(Y, scores, rescale="minmax")


def test_minmax_of_the_whole_range_of_float64():
    assert mm.brier(Y, [1.7e308, 0, 0, -1.7e308], rescale="minmax") == pytest.approx(0.125)


def test_unknown_rescale():
    with pytest.raises(mm.ParameterError, match="rescale must be 'minmax' or None, got 'z'"):
        mm.auc(Y, S, rescale="z")


def test_evaluate_leaves_out_what_the_scores_do_not_allow():
    result = mm.evaluate(Y, [3.0, 2.0, 2.0, -1.0])
    left = {item.measure for item in result.left_out}
    assert {"brier", "log_loss", "scored_auc", "accuracy"} <= left
    assert not left & {str(row.measure) for row in result.rows}
    assert "auc" in {str(row.measure) for row in result.rows}
    assert all(item.measure in result.table() for item in result.left_out)


def test_evaluate_refuses_what_was_asked_for_by_name():
    with pytest.raises(mm.DataError, match=r"brier needs scores in \[0, 1\]"):
        mm.evaluate(Y, [3.0, 2.0, 2.0, -1.0], ["auc", "brier"])


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (["a", "b", "c", "d"], "text"),
        (["0.1", "0.2", "0.3", "0.4"], "text"),
        ([b"a", b"b", b"c", b"d"], "bytes"),
        ([0.1, 0.2, "x", 0.4], "text"),
        (objects(0.1, "x", 0.3, 0.4), r"'x' \(text\) at row 1"),
        (objects(0.1, [1], 0.3, 0.4), r"\[1\] \(list\) at row 1"),
        (objects(0.1, 0.2, 0.3, 1j), r"1j \(complex\) at row 3"),
        (objects(0.1, 0.2, np.complex128(1j), 0.4), "row 2"),
        ([0.1, 1j, 0.3, 0.4], "complex"),
        (np.array(["2020-01-01"] * 4, dtype="M8[D]"), "dates"),
        (np.array([1, 2, 3, 4], dtype="m8[D]"), "durations"),
        ([dt.date(2020, 1, 1)] * 4, "row 0"),
        (pd.Series(pd.to_datetime(["2020-01-01"] * 4)), "dates"),
        (pd.Series(["a", "b", "c", "d"]), "'a' at row 0|text"),
        (pl.Series(["a", "b", "c", "d"]), "'a' at row 0|text"),
        (np.zeros(4, dtype=[("a", float)]), "y_score"),
    ],
)
def test_scores_that_are_not_numbers(scores, message):
    with pytest.raises(mm.DataError, match=message):
        mm.auc(Y, scores)


def test_the_model_is_named_that_has_no_numbers():
    with pytest.raises(mm.DataError, match="forest"):
        mm.evaluate(Y, {"tree": S, "forest": ["a", "b", "c", "d"]}, "auc")


@pytest.mark.parametrize(
    "scores",
    [
        [2**60, 2**60 + 1, 1, 0],
        np.array([2**63, 2**63 + 1, 1, 0], dtype=np.uint64),
        [-(2**60), 2, 1, 0],
        [2**70, 2**70 + 1, 1, 0],
        [2**60, 2**60 + 1, None, 0],
        pd.array([2**60, 2**60 + 1, None, 0], dtype="Int64"),
        [BIG, 2, 1, 0],
    ],
    ids=["int64", "uint64", "negative", "python int", "with None", "nullable", "beyond float64"],
)
def test_integers_that_are_equal_in_float64(scores):
    with pytest.raises(mm.DataError, match="float64"):
        mm.auc(Y, scores, nan_policy="drop")


CLOSE = [decimal.Decimal("0.1") + decimal.Decimal(10) ** -25, decimal.Decimal("0.1")]


@pytest.mark.parametrize(
    "scores",
    [
        [*CLOSE, 0, 1],
        [fractions.Fraction(1, 3), fractions.Fraction(1, 3) + fractions.Fraction(1, 10**20), 0, 1],
        np.array([1, 1, 0, 0], dtype=np.longdouble) + np.array([2.0**-60, 0, 0, 0], np.longdouble),
        pl.Series([*CLOSE, decimal.Decimal(0), decimal.Decimal(1)], dtype=pl.Decimal(38, 30)),
    ],
    ids=["decimals", "fractions", "long double", "polars"],
)
def test_numbers_that_are_equal_in_float64(scores):
    with pytest.raises(mm.DataError, match=r"equal in float64, at rows 0 and 1: .* and "):
        mm.auc(Y, scores)
    frame = pl.DataFrame({"y": Y, "s": scores}) if isinstance(scores, pl.Series) else None
    for given in () if frame is None else (frame, frame.to_arrow(), frame.to_pandas()):
        with pytest.raises(mm.DataError, match="equal in float64"):
            mm.evaluate(given, label="y", scores="s", measures="auc")


def test_numbers_beyond_float64_that_stay_different():
    exact = np.array([1, 0.5, 0.25, 0], dtype=np.longdouble) + np.longdouble(2) ** -60
    assert mm.auc(Y, exact) == mm.auc(Y, [1, 0.5, 0.25, 0])
    assert mm.auc(Y, [CLOSE[0], 0.05, CLOSE[0], 0]) == mm.auc(Y, [0.1, 0.05, 0.1, 0])


def test_masked_integers_do_not_count_as_huge():
    scores = np.ma.array([3, 2, 2, 2**62], mask=[0, 0, 0, 1])
    with pytest.warns(mm.DroppedCasesWarning, match="1 of 4"):
        assert mm.auc(Y, scores, nan_policy="drop") == 0.75


@pytest.mark.parametrize(
    "scores",
    [
        tuple(S),
        np.array(S, dtype=np.float32),
        np.array([9, 5, 5, 1], dtype=np.uint8),
        [2**53, 5, 5, -(2**53)],
        objects(0.9, 0.5, np.float32(0.5), 0),
        [fractions.Fraction(9, 10), 0.5, 0.5, 0],
        [decimal.Decimal("0.9"), decimal.Decimal("0.5"), decimal.Decimal("0.5"), 0],
        range(9, 1, -2),
        np.ma.array(S),
        np.array([*S, *S])[:4],
        np.repeat(S, 2)[::2],
        np.array(S, dtype=">f8"),
        pd.Series(S, index=[9, 8, 7, 6]),
        pd.Series(S, dtype="Float64"),
        pd.Series(S, dtype="float64[pyarrow]"),
        pd.Series(S, dtype="category"),
        pl.Series(S),
        pl.Series(S).cast(pl.Decimal(10, 2)),
        pa.array(S),
        pa.chunked_array([S[:1], S[1:]]),
    ],
)
def test_numbers_in_any_container(scores):
    expected = 1.0 if isinstance(scores, range) else AUC
    labels = [1, 1, 0, 0] if isinstance(scores, range) else Y
    assert mm.auc(labels, scores) == expected


def test_bool_scores():
    assert mm.auc(Y, [True, False, False, False]) == 0.75


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series(Y, index=[9, 8, 7, 6]),
        pd.Series(Y, dtype="Int64"),
        pd.Series([True, False, True, False], dtype="boolean"),
        pd.Series(Y, dtype="int64[pyarrow]"),
        pd.Series(Y, dtype="category"),
        pd.Index(Y),
        pl.Series(Y),
        pl.Series([True, False, True, False]),
        pa.array(Y),
        pa.chunked_array([Y[:2], Y[2:]]),
        pa.array(Y).dictionary_encode(),
    ],
)
def test_labels_in_any_container(labels):
    assert mm.auc(labels, S) == AUC


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series(["a", "b", "a", "b"]),
        pd.Series(["a", "b", "a", "b"], dtype="string"),
        pd.Series(["a", "b", "a", "b"], dtype="category"),
        pl.Series(["a", "b", "a", "b"]),
        pl.Series(["a", "b", "a", "b"], dtype=pl.Categorical),
        pl.Series(["a", "b", "a", "b"], dtype=pl.Enum(["b", "a"])),
        pa.array(["a", "b", "a", "b"]),
        pa.array(["a", "b", "a", "b"]).dictionary_encode(),
    ],
)
def test_texts_in_any_container(labels):
    assert mm.auc(labels, S, pos_label="a") == AUC
    with pytest.raises(mm.DataError, match="pos_label"):
        mm.auc(labels, S)


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series([1, None, 1, 0], dtype="Int64"),
        pd.Series([True, None, True, False], dtype="boolean"),
        pd.Series([1, None, 1, 0], dtype="int64[pyarrow]"),
        pd.Series([1, None, 1, 0], dtype="category"),
        pd.Series([1, None, 1, 0]),
        pl.Series([1, None, 1, 0]),
        pl.Series([True, None, True, False]),
        pa.array([1, None, 1, 0]),
        pa.chunked_array([[True, None], [True, False]]),
        np.ma.array([1, 7, 1, 0], mask=[0, 1, 0, 0]),
    ],
)
def test_nulls_in_any_container(labels):
    with pytest.raises(mm.DataError, match=r"1 of 4 values of y_true.*row 1\b"):
        mm.auc(labels, S)
    with pytest.warns(mm.DroppedCasesWarning, match="1 of 4"):
        assert mm.auc(labels, S, nan_policy="drop") == 1.0


@pytest.mark.parametrize(
    "scores",
    [
        np.ma.array(S, mask=[0, 1, 0, 0]),
        np.ma.masked_invalid([0.9, NAN, 0.5, 0.1]),
        pd.Series([0.9, None, 0.5, 0.1], dtype="Float64"),
        pl.Series([0.9, None, 0.5, 0.1]),
        pl.Series([0.9, NAN, 0.5, 0.1]),
        pa.array([0.9, None, 0.5, 0.1]),
    ],
)
def test_null_scores_in_any_container(scores):
    with pytest.raises(mm.DataError, match=r"1 of 4 values of y_score.*row 1\b"):
        mm.auc(Y, scores)
    with pytest.warns(mm.DroppedCasesWarning, match="1 of 4"):
        assert mm.auc(Y, scores, nan_policy="drop") == 1.0


@pytest.mark.parametrize("size", [1, 3000], ids=["small", "large"])
@pytest.mark.parametrize("weighted", [False, True])
def test_minus_zero_ties_with_zero(size, weighted):
    labels, scores = [1, 0, 1, 0] * size, [-0.0, 0.0, 0.5, 0.25] * size
    weight = [1.0] * len(labels) if weighted else None
    assert mm.auc(labels, scores, sample_weight=weight) == 0.625
    assert mm.tabulate(labels, scores, sample_weight=weight).score.size == 3


# --- weights


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1, 1, -2], r"finite and >= 0, got -1.0 at row 1 \(2 of 4"),
        ([1, 1, math.inf, 1], r"finite and >= 0, got inf at row 2 \(1 of 4"),
        ([0, 0, 0, 0], "are 0"),
        (["a", "b", "c", "d"], "text"),
        ([1j, 1, 1, 1], "complex"),
        (np.ones((4, 1)), "shape"),
        ([BIG, 1, 1, 1], "float64"),
    ],
)
def test_weights_that_are_no_weights(weights, message):
    with pytest.raises(mm.DataError, match=f"sample_weight.*{message}|{message}.*sample_weight"):
        mm.auc(Y, S, sample_weight=weights)


def test_the_advice_for_two_columns_fits_weights():
    with pytest.raises(mm.DataError) as raised:
        mm.auc(Y, S, sample_weight=np.ones((4, 2)))
    assert "predict_proba" not in str(raised.value)


@pytest.mark.parametrize("weights", [[1, 0, 1, 0], [0, 1, 0, 1]])
def test_a_class_without_weight_is_empty(weights):
    with pytest.warns(mm.UndefinedMeasureWarning, match="a class is empty"):
        assert math.isnan(mm.auc(Y, S, sample_weight=weights))


def test_a_group_without_weight_has_no_values():
    with pytest.warns(mm.UndefinedMeasureWarning):
        result = mm.evaluate(
            Y, S, "auc, brier", group=["a", "a", "b", "b"], sample_weight=[1, 1, 0, 0]
        )
    values = {(row.group, row.measure.name): row.value for row in result.rows}
    assert values["a", "auc"] == 1.0
    assert math.isnan(values.get(("b", "auc"), NAN))
    assert math.isnan(values.get(("b", "brier"), NAN))


@pytest.mark.parametrize("measure", mm.measures(), ids=str)
def test_population_weights_are_bearable(measure):
    """A weight says how many cases of a population one stands for: the cost must not grow."""
    labels, scores = [1, 0, 1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1, 0.3, 0.7]
    value = measure(labels, scores, sample_weight=[1e15] * 6)
    assert not math.isnan(value)


# --- the caller's arrays


@pytest.mark.parametrize("size", [4, 10_000])
def test_nothing_is_written_to_the_callers_arrays(size):
    rng = np.random.default_rng(0)
    arrays = [
        rng.random(size) < 0.5,
        rng.normal(size=size).round(1),
        rng.integers(0, 3, size).astype(float) + 0.5,
        rng.integers(0, 2, size),
    ]
    copies = [array.copy() for array in arrays]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
        result = mm.evaluate(
            arrays[0], {"m": arrays[1]}, "all", sample_weight=arrays[2], group=arrays[3]
        )
    mm.brier(arrays[0], arrays[1], rescale="minmax")
    mm.auc(arrays[3], arrays[1], pos_label=0)
    assert result.rows
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)
        assert array.flags.writeable


def test_read_only_arrays_are_enough():
    arrays = [np.array(Y), np.array(S), np.array([1.0, 2.0, 1.0, 1.0])]
    for array in arrays:
        array.flags.writeable = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mm.UndefinedMeasureWarning)
        result = mm.evaluate(arrays[0], arrays[1], "all", sample_weight=arrays[2])
    assert result.rows
    assert mm.auc(arrays[0], arrays[1], rescale="minmax") == AUC


def test_masked_and_missing_values_stay_as_they_were():
    scores = np.ma.array(S, mask=[0, 1, 0, 0])
    labels = np.array([1, 0, NAN, 0])
    with pytest.warns(mm.DroppedCasesWarning):
        mm.brier(labels, scores, nan_policy="drop")
    assert scores.mask.tolist() == [False, True, False, False]
    assert scores.data.tolist() == S
    np.testing.assert_array_equal(labels, [1, 0, NAN, 0])


# --- names and parameters


@pytest.mark.parametrize(
    ("text", "near"),
    [
        *(("acu", "auc"), ("brierr", "brier"), ("averge_precision", "average_precision")),
        *(("AUC", "auc"), ("KS", "ks"), ("MCC", "mcc"), ("F1", "f1"), ("F1_Score", "f1_score")),
        *(("H", "h_measure"), ("BS", "brier"), ("taKS", "taks"), ("Two_Level", "two_level")),
        *(("pr_auc", "average_precision"), ("AUPRC", "average_precision")),
    ],
)
def test_an_unknown_measure_with_the_nearest_name(text, near):
    with pytest.raises(mm.UnknownMeasure, match=rf"'{text}'.*did you mean.*\b{near}\b"):
        mm.parse(text)
    with pytest.raises(mm.UnknownMeasure, match=rf"\b{near}\b"):
        mm.evaluate(Y, S, [text])
    with pytest.raises(AttributeError, match=rf"\b{near}\b"):
        getattr(mm, text)


def test_a_symbol_or_another_case_suggests_no_other_name():
    for text, meant in (("AUC", "auc"), ("H", "h_measure"), ("pr_auc", "average_precision")):
        with pytest.raises(mm.UnknownMeasure) as raised:
            mm.parse(text)
        assert raised.value.remedy == f"did you mean {meant}?"


def test_symbols_of_own_measures_are_suggested():
    @mm.measure(symbol="Qx", similar_to="q_like")
    def measure_with_a_symbol(table):
        return table.P

    for text in ("QX", "q_like", "Measure_With_A_Symbol"):
        with pytest.raises(mm.UnknownMeasure, match="did you mean measure_with_a_symbol"):
            mm.parse(text)


def test_an_unknown_measure_like_no_other():
    with pytest.raises(mm.UnknownMeasure, match="lists all names") as raised:
        mm.parse("qqqqqq")
    assert raised.value.argument == "measure"


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda text: mm.evaluate(Y, S, text), "measures"),
        (lambda text: mm.compare(Y, {"a": S, "b": S}, text), "measures"),
        (lambda text: mm.interval(Y, S, text), "measure"),
        (lambda text: mm.operating_point(Y, S, maximize=text), "maximize"),
        (lambda text: mm.advise(Y, {"a": S, "b": S}, goal=text), "goal"),
        (lambda text: mm.lab.power("auc", text, 5, 5), "alternative"),
    ],
)
@pytest.mark.parametrize("text", ["qqqqqq", "f_measure(beta=-1)", "location(x)", "@"])
def test_an_error_in_a_text_is_about_the_argument_that_has_it(call, argument, text):
    with pytest.raises(mm.MetameasureError) as raised:
        call(text)
    assert raised.value.argument == argument
    # The names in the text are those of parameters, not of arguments.
    parts = [part for text in parts_of(raised.value) for part in text or ()]
    assert {part.name for part in parts if isinstance(part, Argument)} <= {argument}


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("f_measure", {"bta": 2}, r"no parameter bta.*\bbeta\b"),
        ("accuracy", {"treshold": 0.5}, r"no parameter treshold.*\bthreshold\b"),
        ("ks", {"bins": 2}, "no parameter bins"),
        ("auc", {"self": 1}, "no parameter self"),
        ("auc", {"threshold": 0.5}, "auc takes no operating point; remove threshold"),
        ("accuracy", {"threshold": 0.5, "top": 0.1}, "one operating point"),
        ("f_measure", {"beta": -1}, "beta must be >= 0, got -1"),
        ("f_measure", {"beta": "2"}, "beta must be >= 0, got '2'"),
        ("f_measure", {"beta": NAN}, "beta must be >= 0, got nan"),
        ("f_measure", {"beta": math.inf}, "beta must be finite and >= 0, got inf"),
        ("f_measure", {"beta": BIG}, "beta must be >= 0, got 1"),
        ("f_measure", {"beta": np.array([1, 2])}, "beta must be >= 0, got array"),
        ("ece", {"bins": 0}, "bins must be an integer from 1 to 1000, got 0"),
        ("ece", {"bins": 1.5}, "bins must be an integer from 1 to 1000, got 1.5"),
        ("ece", {"bins": math.inf}, "bins must be an integer .*got inf"),
        ("ece", {"bins": None}, "bins must be an integer .*got None"),
        ("ece", {"equal": "hight"}, "equal must be one of 'mass', 'width', got 'hight'"),
        (
            "average_precision",
            {"interpolation": "stp"},
            "interpolation must be one of 'step', .* got 'stp'",
        ),
        (
            "partial_auc",
            {"fpr": (0.5, 0.1)},
            r"must be a pair \(low, high\).* low < high .*got \(0.5, 0.1\)",
        ),
        ("partial_auc", {"fpr": (0, 2)}, "must be a pair .*high <= 1, got"),
        ("partial_auc", {"fpr": 0.1}, "must be a pair .*got 0.1"),
        ("partial_auc", {"standardized": 1}, "must be True or False, got 1"),
        ("log_loss", {"clip": 0.7}, r"clip must be in \(0, 0.5\), got 0.7"),
        ("accuracy", {"top": 2}, r"top must be in \[0, 1\], got 2"),
        ("accuracy", {"at_fpr": -0.1}, r"at_fpr must be in \[0, 1\], got -0.1"),
        ("accuracy", {"k": -1}, "k must be >= 0, got -1"),
        ("accuracy", {"k": "p"}, "k must be >= 0, got 'p'"),
        ("accuracy", {"threshold": "P"}, "threshold must be a number, got 'P'"),
        ("accuracy", {"threshold": NAN}, "threshold must be a number, got nan"),
        ("accuracy", {"threshold": "x"}, "threshold must be a number, got 'x'"),
        ("accuracy", {"threshold": [0.1, 0.2]}, "threshold"),
        ("accuracy", {"threshold": np.array([0.1, 0.2])}, "threshold"),
    ],
)
def test_wrong_parameters(name, given, message):
    """Parameters are not data."""
    with pytest.raises(mm.ParameterError, match=message):
        mm.parse(name)(Y, S, **given)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "name of a measure"),
        (3, "must be a str or a Measure, got int"),
        ("auc(self=1)", "no parameter self"),
        ("auc@0.3", 'auc takes no operating point; remove "@0.3"'),
        ("f_measure(beta=2", "brackets|after the name"),
        ("f_measure(2)", "parameter=value"),
        ("f_measure(beta=[2])", "not a value"),
        ("f_measure beta", "after the name"),
        ("ece(bins=inf)", "bins must be an integer"),
        ("accuracy@", "threshold must be a number"),
        ("accuracy@nan", "threshold must be a number, got nan"),
        ("accuracy@size=3", "top, k, fpr, tpr, sensitivity and specificity"),
        ("accuracy@top=200%", r"top must be in \[0, 1\], got 2"),
        ("partial_auc(fpr=" + "(" * 9999 + ")" * 9999 + ")", "."),
    ],
    ids=lambda value: str(value)[:25],
)
def test_wrong_texts(text, message):
    with pytest.raises(mm.ParameterError, match=message):
        mm.parse(text)


@pytest.mark.parametrize("chosen", [[], "", " , ", None, 3, ["auc", 3], ["auc", None]])
def test_no_choice_of_measures(chosen):
    with pytest.raises(mm.ParameterError, match="measure"):
        mm.evaluate(Y, S, chosen)


def test_an_unknown_family():
    with pytest.raises(mm.ParameterError, match=r"family must be one of .*'ranking'.*'nosuch'"):
        mm.measures("nosuch")


def test_more_cases_than_there_are_is_undefined_and_says_so():
    with pytest.warns(mm.UndefinedMeasureWarning, match="k=100.*(fewer|cases)"):
        assert math.isnan(mm.precision(Y, S, k=100))


def test_a_table_is_given_alone():
    table = mm.tabulate(Y, S)
    for extra in ({"pos_label": 1}, {"sample_weight": [1, 1, 1, 1]}, {"rescale": "minmax"}):
        with pytest.raises(mm.ParameterError, match="pass either a ScoreTable or y_true and"):
            mm.auc(table, **extra)
    with pytest.raises(mm.ParameterError, match="pass either a ScoreTable or y_true and"):
        mm.auc(table, S)


@pytest.mark.parametrize(
    ("error", "options", "message"),
    [
        (mm.ParameterError, {"label": "y"}, "label names a column, but the data have none.*frame"),
        (
            mm.ParameterError,
            {"weight": "w"},
            "weight names a column, but the data have none.*frame",
        ),
        (mm.ParameterError, {"group": "g"}, 'group="g" names a column, .* pass an array .* frame'),
        (mm.ParameterError, {"cluster": "c"}, 'cluster="c" names a column, but the data have none'),
    ],
)
def test_names_of_columns_need_a_frame(error, options, message):
    with pytest.raises(error, match=message):
        mm.evaluate(Y, S, **options)


def test_two_models_of_one_name_are_not_merged():
    with pytest.raises(mm.DataError, match=r"twice|same name"):
        mm.evaluate(Y, {1: S, "1": S}, "auc")


# --- tables and blocks made by hand


@pytest.mark.parametrize(
    ("score", "pos", "neg"),
    [
        ([0.1, 0.9], [1, 1], [1, 1]),
        ([0.9, NAN], [1, 1], [1, 1]),
        ([0.9, 0.1], [1, -1], [1, 1]),
        ([0.9, 0.1], [1, 1], [1, math.inf]),
        ([0.9, 0.1], [1, 1], [1]),
        ([], [], []),
        (0.5, 1, 1),
        (["a", "b"], [1, 1], [1, 1]),
        ([1j, 0], [1, 1], [1, 1]),
    ],
)
def test_a_table_that_is_none(score, pos, neg):
    with pytest.raises(mm.DataError):
        mm.ScoreTable(score, pos, neg)


@pytest.mark.parametrize(
    ("positive", "score", "weight"),
    [
        ([1, 0, 2], [[0.9, 0.5, 0.1]], None),
        (["a", "b", "a"], [[0.9, 0.5, 0.1]], None),
        ([1, 0], [[0.9, 0.5, 0.1]], None),
        ([1, 0, 0], [[0.9, NAN, 0.1]], None),
        ([1, NAN, 0], [[0.9, 0.5, 0.1]], None),
        ([1, 0, 0], [[0.9, 0.5, 0.1]], [1, -1, 1]),
        ([1, 0, 0], [[0.9, 0.5, 0.1]], [1, NAN, 1]),
        ([1, 0, 0], [[0.9, 0.5, 0.1]], [1, 1]),
        ([1, 0, 0], [["a", "b", "c"]], None),
        ([1, 0, 0], [[0.9, 0.5], [0.1]], None),
        ([1, 0, 0], [[1j, 0.5, 0.1]], None),
        ([], [[]], None),
    ],
)
def test_lists_that_make_no_block(positive, score, weight):
    with pytest.raises(mm.DataError):
        mm.tabulate_lists(positive, score, weight)


# --- warnings point at the line of the caller


@pytest.mark.parametrize(
    "call",
    [
        lambda: mm.auc([1, 1], [0.1, 0.2]),
        lambda: mm.auc(mm.ScoreTable([0.1], pos=[1], neg=[0])),
        lambda: mm.auc.value(mm.ScoreTable([0.1], pos=[1], neg=[0])),
        lambda: mm.evaluate([1, 1], [0.1, 0.2], "auc"),
        lambda: mm.brier([1, NAN], [0.1, 0.2], nan_policy="drop"),
        lambda: mm.tabulate([1, NAN], [0.1, 0.2], nan_policy="drop"),
    ],
    ids=["measure", "measure of a table", "value", "evaluate", "measure drops", "tabulate drops"],
)
def test_warnings_point_at_the_caller(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    where = [(warning.filename, warning.lineno) for warning in caught]
    assert where == [(__file__, call.__code__.co_firstlineno)]


def test_errors_are_also_the_built_in_kind():
    assert issubclass(mm.DataError, ValueError)
    assert issubclass(mm.DataError, mm.MetameasureError)
    assert issubclass(mm.ParameterError, ValueError)
    assert issubclass(mm.ParameterError, mm.MetameasureError)
    assert not issubclass(mm.ParameterError, mm.DataError)
    assert issubclass(mm.UnknownMeasure, LookupError)
    assert issubclass(mm.UnknownMeasure, mm.MetameasureError)


@pytest.mark.parametrize("label", ["\x1b[31mred", "a\nb", "x" * 10_000])
def test_hostile_labels_are_escaped_and_cut_in_messages(label):
    with pytest.raises(mm.DataError) as raised:
        mm.auc([label, "b", "c"], [0.1, 0.2, 0.3])
    message = str(raised.value)
    assert "\x1b" not in message
    assert "\n" not in message
    assert len(message) < 400


@pytest.mark.parametrize(
    ("call", "argument", "remedy"),
    [
        (lambda: mm.auc(Y, S[:3]), "y_score", None),
        (lambda: mm.evaluate(Y, {"a": S, "b": S[:3]}), "scores", None),
        (lambda: mm.evaluate(Y, S, group=[1]), "group", None),
        (lambda: mm.auc(Y, S, sample_weight=[1]), "sample_weight", None),
        (lambda: mm.auc(Y, S, sample_weight=[-1] * 4), "sample_weight", None),
        (
            lambda: mm.auc(Y, [NAN, *S[1:]]),
            "y_score",
            'fill them in, or drop these cases with nan_policy="drop"',
        ),
        (lambda: mm.auc(Y, S, threshold=0.5), "threshold", "remove threshold"),
        (
            lambda: mm.brier(Y, [9 * s for s in S]),
            "y_score",
            'pass probabilities, or use rescale="minmax"',
        ),
        (
            lambda: mm.operating_point(Y, S, maximize="brier"),
            "maximize",
            "use one like accuracy, precision or f_measure",
        ),
    ],
)
def test_an_error_says_in_words_what_is_wrong_and_names_the_argument(call, argument, remedy):
    with pytest.raises(mm.MetameasureError) as raised:
        call()
    error = raised.value
    assert (error.argument, error.remedy) == (argument, remedy)
    assert str(error) == "; ".join(filter(None, (error.problem, error.remedy)))
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert type(copy) is type(error)
    for name in ("problem", "remedy", "argument"):
        assert getattr(copy, name) == getattr(error, name)
    assert copy.worded(lambda part: "") == error.worded(lambda part: "")


@pytest.mark.parametrize("option", [{"ci": 0.95}, {"method": "delong"}, {"resamples": 100}])
def test_options_of_intervals_name_the_function_that_has_them(option):
    with pytest.raises(mm.ParameterError) as refused:
        mm.f_measure(Y, S, beta=2, **option)
    assert "f_measure has no parameter" in str(refused.value)
    assert "mm.interval(y_true, y_score" in str(refused.value)


@pytest.mark.parametrize(
    ("wrong", "columns", "hint"),
    [
        ("targt", ["target", "tree"], "did you mean 'target'?"),
        ("target", ["tree", "y"], "the columns are 'tree', 'y'"),
        ("y_true", ["y_pred", "s"], "the columns are 'y_pred', 's'"),
        ("scores", ["score", "y"], "did you mean 'score'?"),
    ],
)
def test_only_near_names_of_columns_are_suggested(wrong, columns, hint):
    frame = pl.DataFrame({name: [0, 1] for name in columns})
    with pytest.raises(mm.ParameterError) as refused:
        mm.evaluate(frame, label=wrong, scores=columns[1])
    assert refused.value.remedy == hint


# --- names that look alike


MIXED = {
    "numbers and text": [1, "1", "2", "2"],
    "bool and numbers": [True, 1, 2, 2],
    "bool and text": [True, "True", "a", "a"],
    "bytes and text": [b"a", "a", "b", "b"],
    "date and text": [dt.date(2020, 1, 1), "2020-01-01", "x", "x"],
}


@pytest.mark.parametrize("kinds", MIXED)
@pytest.mark.parametrize("argument", ["group", "cluster", "fold"])
@pytest.mark.parametrize("form", [list, lambda values: objects(*values)], ids=["list", "array"])
def test_names_of_several_types_are_refused(kinds, argument, form):
    message = f"{argument} must have names of one type, got {kinds}, such as"
    with pytest.raises(mm.DataError, match=message) as raised:
        mm.evaluate(Y, S, "auc", ci=None, **{argument: form(MIXED[kinds])})
    assert raised.value.argument == argument


def test_names_of_several_types_are_refused_everywhere():
    mixed = MIXED["numbers and text"]
    frame = pd.DataFrame({"y": Y, "s": S, "g": mixed})
    for call in (
        lambda: mm.evaluate(frame, label="y", score="s", group="g"),
        lambda: mm.compare_groups(Y, S, "auc", group=mixed),
        lambda: mm.evaluate(Y, S, "mean_over(auc)", group=mixed),
        lambda: mm.evaluate(S, S, order=True, group=mixed),
        lambda: mm.evaluate([0, 1, 2, 0], np.eye(3)[[0, 1, 2, 0]], "accuracy", cluster=mixed),
    ):
        with pytest.raises(mm.DataError, match="must have names of one type, got numbers and text"):
            call()


def test_equal_numbers_are_one_group():
    for group in ([1, 1.0, 2, 2], objects(1, 1.0, np.int64(2), 2.0)):
        found = mm.evaluate(Y, S, "auc", ci=None, group=group)
        assert [row.group for row in found.rows] == [None, "1", "2"]


def test_labels_that_look_alike_are_refused():
    with pytest.raises(mm.DataError, match="y_true must have labels of one type, got numbers and"):
        mm.auc([1, "1", 1, "1"], S, pos_label="1")


def test_columns_that_look_alike_are_refused():
    frame = pd.DataFrame({"y": Y, 1: S, "1": S[::-1]})
    message = "two models have the same name: 1, '1'"
    with pytest.raises(mm.DataError, match=message):
        mm.evaluate(frame, label="y", score=[1, "1"], measures="auc")
    with pytest.raises(mm.DataError, match=message):
        mm.evaluate(Y, frame[[1, "1"]], "auc")
    with pytest.raises(mm.DataError, match="two columns of groups have the same name: 1, '1'"):
        mm.compare_groups(Y, S, "auc", group=frame[[1, "1"]])
    with pytest.raises(mm.DataError, match="two columns of groups have the same name: 1, '1'"):
        mm.compare_groups(frame.assign(s=S), "auc", label="y", score="s", group=[1, "1"])


# --- long texts and odd options

LONG = ["x" * 5000, "lorem ipsum " * 400]
FRAME = pl.DataFrame({"y": Y, "s": S})
LONG_CALLS = {
    "measure": mm.parse,
    "parameter": lambda text: mm.parse(f"auc({text}=1)"),
    "repeated parameter": lambda text: mm.parse(f"f_measure({text}=1, {text}=2)"),
    "parameter of a constructor": lambda text: mm.parse(f"linear(auc, accuracy, {text}=1)"),
    "value": lambda text: mm.parse(f"f_measure(beta={text})"),
    "point": lambda text: mm.parse(f"f_measure@{text}"),
    "keyword": lambda text: mm.auc(Y, S, **{text: 1}),
    "column": lambda text: mm.evaluate(FRAME, label="y", score=text),
    "column with text": lambda text: mm.evaluate(
        FRAME.with_columns(pl.lit(text).alias(text)), label="y", score=text
    ),
    "name of a column": lambda text: mm.evaluate(Y, S, group=text),
    "file": lambda text: mm.evaluate(f"/{text}"),
    "model of other length": lambda text: mm.evaluate(Y, {text: S[1:]}),
    "model with text": lambda text: mm.evaluate(Y, {text: ["a", "b", 1, 2]}),
    "model with missing scores": lambda text: mm.evaluate(Y, {text: [None, *S[1:]]}),
    "rescaled model": lambda text: mm.evaluate(Y, {text: [0.5] * 4}, rescale="minmax"),
    "item scores": lambda text: mm.evaluate(S, {text: S[1:]}, order=True),
    "label": lambda text: mm.auc([text, "b"] * 2, S),
    "positive label": lambda text: mm.auc(["a", "b"] * 2, S, pos_label=text),
    "method": lambda text: mm.evaluate(Y, S, method=text),
    "format": lambda text: mm.evaluate(Y, S, "auc", ci=None).to(text),
    "suffix": lambda text: mm.evaluate(Y, S, "auc", ci=None).save(f"a.{text}"),
    "check": lambda text: mm.evaluate(Y, S, mute=text),
    "property": lambda text: mm.measure(**{text: 1}),
    "kind": lambda text: mm.measure(parameters={text: 1}),
}


@pytest.mark.filterwarnings("ignore::metameasure.errors.UndefinedMeasureWarning")
@pytest.mark.parametrize("text", LONG, ids=["word", "words"])
@pytest.mark.parametrize("call", LONG_CALLS)
def test_a_message_repeats_at_most_200_characters(call, text):
    with pytest.raises(mm.MetameasureError) as raised:
        LONG_CALLS[call](text)
    assert text[:201] not in str(raised.value)


SEVERAL = np.array([0.9, 0.95])


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        *((name, mm.evaluate) for name in ("ci", "resamples", "stratified", "order", "pos_label")),
        *((name, mm.evaluate) for name in ("method", "seed", "workers", "nan_policy", "rescale")),
        *((name, mm.auc) for name in ("nan_policy", "pos_label", "rescale")),
        *((name, mm.f_measure) for name in ("threshold", "top", "k", "beta")),
        *((name, mm.compare) for name in ("reference", "margin", "ci")),
    ],
)
def test_an_array_as_an_option_is_refused(argument, call):
    scores = {"a": S, "b": S[::-1]} if call is mm.compare else S
    with pytest.raises(mm.ParameterError, match=rf"{argument} must be .*, got array\(\[0.9 , 0.95"):
        call(Y, scores, **{argument: SEVERAL})


def test_there_is_a_largest_number_of_resamples():
    message = "resamples must be an integer from 10 to 1000000, got 1000000000"
    with pytest.raises(mm.ParameterError, match=message):
        mm.evaluate(Y, S, resamples=10**9)


@pytest.mark.parametrize("kind", [np.float16, np.longdouble])
def test_labels_as_floats_of_other_sizes(kind):
    labels = np.array(Y, dtype=kind)
    assert mm.auc(labels, S) == AUC
    assert mm.ConfusionMatrix.of(labels, labels).counts.tolist() == [[2, 0], [0, 2]]
