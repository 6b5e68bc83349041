"""Numbers, intervals and names as text."""

import math

import numpy as np
import pytest

from metameasure._text import (
    amount,
    clipped,
    difference,
    limits,
    number,
    repeated,
    shown,
    some_names,
    storable,
    visible,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.5000"), (0, "0.0000"), (-0.25, "-0.2500"), (1e-3, "0.0010"), (9.99e-4, "0.000999"),
        (99_999.0, "99999.0000"), (1e5, "1e+05"), (math.inf, "∞"), (-math.inf, "-∞"),
        (math.nan, "–"),
    ],
)  # fmt: skip
def test_numbers(value, text):
    assert number(value) == text


def test_amounts_of_cases():
    assert [amount(weight) for weight in (3.0, 2.5, math.nan)] == ["3", "2.5000", "–"]


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.25, 0.75, "0.250–0.750"),
        (-0.25, 0.75, "-0.250 to 0.750"),
        (0.123456, 0.123466, "0.123456–0.123466"),
        (0.5, 0.5, "0.5000 to 0.5000"),
        (0.5, math.inf, "0.5000 to ∞"),
        (math.nan, 1, ""),
        (None, None, ""),
    ],
)
def test_an_interval_shows_its_width(low, high, text):
    assert limits(low, high) == text


def test_a_difference_has_the_decimals_of_its_interval():
    assert difference(0.01234567, 0.0120, 0.0125) == "0.012346"
    assert difference(0.01234567, None, None) == "0.0123"
    assert difference(math.nan, 0, 1) == "–"


def test_text_of_others_is_visible_and_cut():
    assert visible("a\x1b[31mb\n") == "a\\x1b[31mb\\x0a"
    assert shown(["a\nb", np.float64(0.5)]) == "'a\\nb', 0.5"
    assert shown(range(7), most=2) == "0, 1 and 5 more"
    assert shown(["x" * 100]) == "'" + "x" * 36 + "..."
    assert shown(["x" * 100] * 8, most=8).endswith("...")
    assert len(shown(["x" * 100] * 8, most=8)) == len(clipped("x" * 500)) == 200
    assert clipped("x" * 200) == "x" * 200
    assert repeated("\n" + "x" * 500) == "\\x0a" + "x" * 196 + "..."
    assert storable("a\ud800é") == "a\\ud800é"
    assert some_names(["a", "b", "c"]) == "a, b, c"
