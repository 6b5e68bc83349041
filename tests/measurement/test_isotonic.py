"""Calibration through the hull."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from metameasure.measurement.families.isotonic import calibrate_isotonic
from oracles.tables import calibrated
from strategies import cases, table_of

LABELS, SCORES = [1, 0, 1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1, 0.3, 0.2]
ASKED = [-1.0, 0.0, 0.05, 0.3, 0.31, 0.5, 0.55, 0.62, 0.9, 1.0, 2.0]


@given(cases())
def test_the_definition(some):
    if not any(weight for _, _, weight in some):
        return
    found = calibrate_isotonic(table_of(some))
    expected = [float(calibrated(some, score)) for score in ASKED]
    assert found.predict(ASKED) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("digits", [1, 2, 12])
@pytest.mark.parametrize("size", [1, 2, 30, 500])
def test_scikit_learn_gives_the_same(size, digits, weighted):
    from sklearn.isotonic import IsotonicRegression

    rng = np.random.default_rng([size, digits, weighted])
    scores = 3 * rng.normal(size=size).round(digits)
    labels = rng.random(size) < 1 / (1 + np.exp(-scores))
    weight = rng.choice([0.25, 1.0, 2.5], size) if weighted else None
    asked = np.concatenate([scores, rng.uniform(-12, 12, 300), [-1e6, 1e6]])
    theirs = IsotonicRegression(out_of_bounds="clip").fit(scores, labels, sample_weight=weight)
    ours = calibrate_isotonic(labels, scores, sample_weight=weight)
    assert ours.predict(asked) == pytest.approx(theirs.predict(asked), abs=1e-12)


def test_scikit_learn_gives_the_same_without_the_weightless():
    from sklearn.isotonic import IsotonicRegression

    rng = np.random.default_rng(0)
    scores = rng.random(60).round(1)
    labels = rng.random(60) < scores
    weight = rng.choice([0.0, 0.0, 1.0, 3.0], 60)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(scores, labels, sample_weight=weight)
    ours = calibrate_isotonic(labels, scores, sample_weight=weight)
    asked = rng.random(200)
    assert ours.predict(asked) == pytest.approx(theirs.predict(asked), abs=1e-12)
    assert np.unique(ours.predict(asked)).size > 3


def test_by_hand():
    found = calibrate_isotonic(LABELS, SCORES)
    # 0.5 and 0.3 are pooled: two positives of three; then 0.2 and 0.1 without any.
    assert found.predict([0.9, 0.5, 0.4, 0.3, 0.2]) == pytest.approx([1, 2 / 3, 2 / 3, 2 / 3, 0])
    assert found.predict([0.25, 0.7]) == pytest.approx([1 / 3, 5 / 6])
    assert found.predict([]).size == 0
    assert repr(found) == "<isotonic calibration: 5 distinct scores in 3 pools>"


def test_the_frame_has_every_known_score_once():
    frame = calibrate_isotonic(LABELS, SCORES).frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == ["score", "probability", "cases"]
    assert frame["score"].to_list() == [0.9, 0.5, 0.3, 0.2, 0.1]
    assert frame["probability"].to_list() == pytest.approx([1, 2 / 3, 2 / 3, 0, 0])
    assert frame["cases"].to_list() == [1, 2, 1, 1, 1]


def test_the_table_is_the_hull():
    table = mm.tabulate(LABELS, SCORES)
    found = calibrate_isotonic(table)
    assert found.table == table.hull
    assert mm.auc(found.table) == mm.auch(table)


@given(cases(min_size=2), st.booleans())
def test_no_miscalibration_is_left_where_it_was_learned(some, reverse):
    table = table_of([(not y if reverse else y, s, w) for y, s, w in some])
    if not table.n:
        return
    fit = calibrate_isotonic(table).predict(table.score)
    assert np.all(np.diff(fit) <= 0)
    assert ((fit >= 0) & (fit <= 1)).all()
    again = mm.ScoreTable(fit, table.pos, table.neg)
    assert mm.miscalibration(again) == pytest.approx(0, abs=1e-12)


def test_one_class():
    assert calibrate_isotonic([1, 1], [0.2, 0.3]).predict([0, 1]).tolist() == [1, 1]
    assert calibrate_isotonic([0, 0], [0.2, 0.3]).predict([0, 1]).tolist() == [0, 0]


def test_infinite_scores():
    found = calibrate_isotonic([1, 0, 1, 0], [math.inf, 1, 0, -math.inf])
    asked = [math.inf, 1e300, 1, 0.5, 0, -1e300, -math.inf]
    assert found.predict(asked).tolist() == [1, 0.5, 0.5, 0.5, 0.5, 0.5, 0]


def test_weights_are_repetitions():
    weight = [1, 2, 1, 3, 1, 2]
    repeated = calibrate_isotonic(np.repeat(LABELS, weight), np.repeat(SCORES, weight))
    weighted = calibrate_isotonic(LABELS, SCORES, sample_weight=weight)
    assert weighted.predict(ASKED) == pytest.approx(repeated.predict(ASKED), abs=1e-15)


def test_labels_by_name_and_cases_left_out():
    words = ["yes" if label else "no" for label in LABELS]
    with pytest.warns(mm.DroppedCasesWarning, match="1 of 7") as caught:
        found = calibrate_isotonic(
            [*words, "no"], [*SCORES, math.nan], pos_label="yes", nan_policy="drop"
        )
    assert caught[0].filename == __file__
    assert (
        found.predict(ASKED).tolist() == calibrate_isotonic(LABELS, SCORES).predict(ASKED).tolist()
    )


TABLE = mm.ScoreTable([0.9, 0.1], [1, 0], [0, 1])


@pytest.mark.parametrize(
    ("error", "arguments", "options", "words"),
    [
        (mm.DataError, (LABELS,), {}, "needs y_true and y_score"),
        (mm.DataError, (LABELS, SCORES[:5]), {}, "y_true and y_score differ in length: 6 and 5"),
        (
            mm.DataError,
            (LABELS, [math.nan, *SCORES[1:]]),
            {},
            "1 of 6 values of y_score are missing",
        ),
        (mm.DataError, ([], []), {}, "no cases"),
        (mm.ParameterError, (TABLE, SCORES), {}, "pass either a ScoreTable"),
        (mm.ParameterError, (TABLE,), {"sample_weight": [1, 1]}, "pass either a ScoreTable"),
        (mm.DataError, (mm.ScoreTable([0.5], [0], [0]),), {}, "the table has no weight"),
        (
            mm.DataError,
            (mm.tabulate_lists([1, 0], [[1, 2], [2, 1]]),),
            {},
            "takes one table, got a block of tables",
        ),
    ],
)
def test_bad_input(error, arguments, options, words):
    with pytest.raises(error, match=words):
        calibrate_isotonic(*arguments, **options)


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([0.1, math.nan, None], "2 of 3 values of scores are missing .* at row 1"),
        (0.5, "scores is a single value"),
        ([[0.1, 0.2]], "two columns"),
        (["high"], "text"),
    ],
)
def test_scores_that_cannot_be_calibrated(scores, words):
    with pytest.raises(mm.DataError, match=words):
        calibrate_isotonic(LABELS, SCORES).predict(scores)
