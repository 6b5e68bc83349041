"""The population stability index."""

import io
import json
import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from metameasure.evaluation.stability import psi, psi_table
from oracles.tables import stability
from strategies import EIGHTHS, TENTHS

EXPECTED, ACTUAL = [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 4, 5, 6, 6, 7, 8]
NAN = math.nan


def columns():
    weight = st.sampled_from([0, 0.25, 1, 1, 2.5, 3]).map(Fraction)
    score = st.sampled_from([*EIGHTHS, *TENTHS])
    return st.lists(st.tuples(score, weight), min_size=1, max_size=12).filter(
        lambda column: any(weight for _, weight in column)
    )


def split(column):
    return [score for score, _ in column], [float(weight) for _, weight in column]


@given(columns(), columns(), st.integers(1, 12), st.sampled_from([0.0, 0.5, 1.0]))
def test_the_definition(expected, actual, bins, smoothing):
    (first, first_weight), (second, second_weight) = split(expected), split(actual)
    found = psi(
        first,
        second,
        bins=bins,
        smoothing=smoothing,
        expected_weight=first_weight,
        actual_weight=second_weight,
    )
    value = stability(expected, actual, bins, smoothing)
    assert found == pytest.approx(value, rel=1e-12, abs=1e-14)
    assert found >= 0


def test_by_hand():
    value = (5 / 8 - 1 / 2) * math.log(5 / 4) + (3 / 8 - 1 / 2) * math.log(3 / 4)
    assert psi(EXPECTED, ACTUAL, bins=2) == pytest.approx(value)
    smoothed = (5.5 - 4.5) / 9 * math.log(5.5 / 4.5) + (3.5 - 4.5) / 9 * math.log(3.5 / 4.5)
    assert psi(EXPECTED, ACTUAL, bins=2, smoothing=0.5) == pytest.approx(smoothed)


def test_a_textbook_histogram():
    """Ten bins filled as in the usual worked example: shares of 10% against the actual ones."""
    actual = [0.08, 0.09, 0.1, 0.12, 0.11, 0.1, 0.1, 0.12, 0.1, 0.08]
    scores = np.arange(1000) / 1000
    counts = [round(1000 * share) for share in actual]
    now = np.concatenate([np.full(n, 0.05 + b / 10) for b, n in enumerate(counts)])
    value = sum((a - 0.1) * math.log(a / 0.1) for a in actual)
    assert psi(scores, now) == pytest.approx(value)


def test_the_same_scores_have_not_drifted():
    assert psi(ACTUAL, ACTUAL[::-1]) == 0
    assert psi(EXPECTED, np.repeat(EXPECTED, 3)) == 0
    assert psi(EXPECTED, [100, -100], bins=1) == 0


def test_a_rising_function_of_the_scores_changes_nothing():
    rng = np.random.default_rng(1)
    first, second = rng.random(300).round(2), rng.beta(2, 3, 500).round(2)
    moved = psi(np.exp(first), np.exp(second))
    assert 0 < psi(first, second) < math.inf
    assert psi(first, second) == pytest.approx(moved)


def test_a_bin_without_actual_cases():
    assert psi([1, 2, 3, 4], [1, 1, 2], bins=2) == math.inf
    table = psi_table([1, 2, 3, 4], [1, 1, 2], bins=2)
    assert table.rows[0].term == math.inf
    assert "∞" in table.table()
    assert "smoothing=0.5" in table.table()
    content = json.loads(table.to_json())
    assert (content["value"], content["infinite"]) == (None, "+")
    finite = psi_table([1, 2, 3, 4], [1, 1, 2], bins=2, smoothing=0.5)
    # Expected shares of 2.5 / 5, actual ones of 0.5 / 4 and 3.5 / 4.
    assert finite.value == pytest.approx(-0.375 * math.log(1 / 4) + 0.375 * math.log(7 / 4))
    assert "0.5 cases added to each bin" in finite.table()


def test_a_tie_is_not_split():
    table = psi_table([1, 5, 5, 5, 5, 5, 5, 9], [5, 5, 9, 9], bins=8)
    assert [(row.bin, row.expected) for row in table.rows] == [(1, 1), (5, 6), (8, 1)]
    assert "5 of 8 bins are empty" in table.table()
    assert [row.actual for row in table.rows] == [2, 2, 0]


def test_the_bins_are_half_open():
    table = psi_table([1, 2, 3, 4], [-5, 0, 2.9, 3, 3.5, 4, 50], bins=2)
    assert [(row.low, row.high) for row in table.rows] == [(3, math.inf), (-math.inf, 3)]
    assert [row.actual for row in table.rows] == [4, 3]
    for row in table.rows:
        inside = [s for s in (-5, 0, 2.9, 3, 3.5, 4, 50) if row.low <= s < row.high]
        assert len(inside) == row.actual


def test_infinite_scores():
    table = psi_table([-math.inf, 0, 1, math.inf], [-math.inf, math.inf], bins=2)
    assert [row.actual for row in table.rows] == [1, 1]
    assert table.value == 0


def test_weights_are_repetitions():
    weight = [3, 1, 2, 1, 1, 2, 1, 4]
    repeated = np.repeat(ACTUAL, weight)
    assert psi(EXPECTED, ACTUAL, bins=4, actual_weight=weight) == psi(EXPECTED, repeated, bins=4)
    assert psi(ACTUAL, EXPECTED, bins=4, expected_weight=weight) == psi(repeated, EXPECTED, bins=4)
    assert psi(EXPECTED, ACTUAL, actual_weight=[0.5] * 8, smoothing=1) != psi(
        EXPECTED, ACTUAL, smoothing=1
    )


def test_a_weightless_case_is_none():
    assert psi([*EXPECTED, 99], ACTUAL, bins=3, expected_weight=[1] * 8 + [0]) == psi(
        EXPECTED, ACTUAL, bins=3
    )


def test_cases_left_out():
    with pytest.warns(mm.DroppedCasesWarning, match="1 expected and 2 actual cases") as caught:
        value = psi([*EXPECTED, NAN], [None, NAN, *ACTUAL], bins=2, nan_policy="drop")
    assert caught[0].filename == __file__
    assert value == psi(EXPECTED, ACTUAL, bins=2)
    table = psi_table(
        EXPECTED, [*ACTUAL, 3], actual_weight=[*[1] * 8, NAN], bins=2, nan_policy="drop"
    )
    assert (table.value, table.dropped) == (value, {"expected": 0, "actual": 1})
    assert "1 actual cases left out" in table.table()


def test_the_table_in_every_form():
    table = psi_table(EXPECTED, ACTUAL, bins=2)
    frame = table.frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.schema["bin"] == pl.Int64
    assert frame["term"].sum() == pytest.approx(table.value)
    assert frame["expected_share"].to_list() == [0.5, 0.5]
    content = json.loads(table.to_json())
    first = content["rows"][0]
    assert (first["high"], first["high_infinite"]) == (None, "+")
    assert content["value"] == table.value
    assert "| all |" in table.to_markdown()
    assert "<th" in table._repr_html_()
    assert repr(table) == "<stability table: index 0.0639, 2 bins>"
    from rich.console import Console

    stream = io.StringIO()
    Console(file=stream, width=100, color_system=None).print(table)
    assert "0.0639" in stream.getvalue()


@pytest.mark.parametrize(
    ("error", "expected", "actual", "options", "words"),
    [
        (mm.DataError, [], ACTUAL, {}, "expected is empty"),
        (mm.DataError, EXPECTED, [], {}, "actual is empty"),
        (
            mm.DataError,
            [1, NAN, 3],
            ACTUAL,
            {},
            r"1 of 3 values of expected .* at row 1; .*nan_policy=\"drop\"",
        ),
        (
            mm.DataError,
            EXPECTED,
            [NAN],
            {"nan_policy": "drop"},
            "all 1 cases have a missing value in actual",
        ),
        (mm.DataError, EXPECTED, ["a"], {}, "actual must be real numbers"),
        (mm.DataError, EXPECTED, [[0.1, 0.9]], {}, "actual has two columns"),
        (
            mm.ParameterError,
            EXPECTED,
            ACTUAL,
            {"bins": 0},
            "bins must be an integer from 1 to 1000, got 0",
        ),
        (
            mm.ParameterError,
            EXPECTED,
            ACTUAL,
            {"bins": 2.5},
            "bins must be an integer from 1 to 1000, got 2.5",
        ),
        (
            mm.ParameterError,
            EXPECTED,
            ACTUAL,
            {"bins": "ten"},
            "bins must be an integer from 1 to 1000, got 'ten'",
        ),
        (mm.ParameterError, EXPECTED, ACTUAL, {"smoothing": -1}, "smoothing must be >= 0, got -1"),
        (
            mm.ParameterError,
            EXPECTED,
            ACTUAL,
            {"smoothing": math.inf},
            "smoothing must be finite and >= 0, got inf",
        ),
        (
            mm.ParameterError,
            EXPECTED,
            ACTUAL,
            {"nan_policy": "omit"},
            "nan_policy must be one of 'raise', 'drop', got 'omit'",
        ),
        (
            mm.DataError,
            EXPECTED,
            ACTUAL,
            {"expected_weight": [1]},
            "expected and expected_weight differ in length: 8 and 1",
        ),
        (
            mm.DataError,
            EXPECTED,
            ACTUAL,
            {"actual_weight": [-1] * 8},
            "actual_weight must be finite",
        ),
        (
            mm.DataError,
            EXPECTED,
            ACTUAL,
            {"actual_weight": [0] * 8},
            "all weights in actual_weight are 0",
        ),
        (
            mm.DataError,
            [1, NAN],
            ACTUAL,
            {"expected_weight": [0, 1], "nan_policy": "drop"},
            "all remaining cases have weight 0",
        ),
    ],
)
def test_bad_input(error, expected, actual, options, words):
    for function in (psi, psi_table):
        with pytest.raises(error, match=words):
            function(expected, actual, **options)
