"""The validator of arguments: what each kind of value accepts, and what its error says."""

import math

import numpy as np
import pytest

import metameasure as mm
from metameasure._arguments import (
    Choice,
    Flag,
    Range,
    Real,
    Whole,
    is_real,
    read_argument,
    read_confidence,
    read_seed,
    read_several,
    read_workers,
)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (Real(0, 1), 1, 1.0),
        (Real(0), np.float32(0.5), 0.5),
        (Real(infinite=True), -math.inf, -math.inf),
        (Whole(0), np.int64(3), 3),
        (Whole(), 2.0, 2),
        (Whole(), 10**400, 10**400),
        (Range(), [0, 0.5], (0.0, 0.5)),
        (Choice(("a", "b")), "b", "b"),
        (Flag(), True, True),
    ],
)
def test_a_value_is_read_in_its_canonical_form(kind, value, expected):
    found = read_argument("x", value, kind)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (Real(0, 1), 1.5, "x must be in [0, 1], got 1.5"),
        (Real(0, 1, open_low=True), 0, "x must be in (0, 1], got 0"),
        (Real(0, 1), True, "x must be in [0, 1], got True"),
        (Real(0, 1), "0.5", "x must be in [0, 1], got '0.5'"),
        (Real(0), -1, "x must be >= 0, got -1"),
        (Real(0), math.inf, "x must be finite and >= 0, got inf"),
        (Real(), math.nan, "x must be a finite number, got nan"),
        (Real(high=2, open_high=True), 2, "x must be < 2, got 2"),
        (Whole(10), 5, "x must be an integer >= 10, got 5"),
        (Whole(1, 3), 2.5, "x must be an integer from 1 to 3, got 2.5"),
        (Range(), (0.5, 0.5), "x must be a pair (low, high) with 0 <= low < high <= 1, got"),
        (Range(), 0.5, "x must be a pair (low, high) with 0 <= low < high <= 1, got 0.5"),
        (Choice(("a", "b")), "c", "x must be one of 'a', 'b', got 'c'"),
        (Flag(), 1, "x must be True or False, got 1"),
        (Flag(), None, "x must be True or False, got None"),
    ],
)
def test_an_error_says_what_must_hold_and_what_came(kind, value, message):
    with pytest.raises(mm.ParameterError) as caught:
        read_argument("x", value, kind)
    assert str(caught.value).startswith(message)
    assert caught.value.argument == "x"


def test_none_is_allowed_where_it_is_optional():
    assert read_argument("x", None, Real(0), optional=True) is None
    with pytest.raises(mm.ParameterError, match="x must be >= 0 or None, got -1"):
        read_argument("x", -1, Real(0), optional=True)


def test_several_values():
    assert read_several("sizes", 3, Whole()) == [3]
    assert read_several("sizes", np.array([3, 4]), Whole()) == [3, 4]
    with pytest.raises(mm.ParameterError, match="sizes must be integers >= 1, got 0"):
        read_several("sizes", [3, 0], Whole())
    with pytest.raises(mm.ParameterError, match="sizes needs at least 2 values, got 1"):
        read_several("sizes", [3], Whole(), least=2)


def test_a_confidence_has_finite_quantiles():
    assert read_confidence(0.95) == 0.95
    for value in (0, 1, 1.5):
        with pytest.raises(mm.ParameterError, match=r"ci must be in \(0, 1\)"):
            read_confidence(value)
    with pytest.raises(mm.ParameterError, match="level is too close to 1"):
        read_confidence(math.nextafter(1, 0), "level")


def test_seeds_and_workers():
    assert (read_seed(None), read_seed(7)) == (None, 7)
    assert read_workers(2) == 2
    assert read_workers(None) >= 1
    with pytest.raises(mm.ParameterError, match="seed must be an integer >= 0 or None, got -1"):
        read_seed(-1)
    with pytest.raises(mm.ParameterError, match="workers must be an integer >= 1, got 0"):
        read_workers(0)


def test_what_is_a_real_number():
    assert all(map(is_real, (1, 0.5, math.nan, math.inf, np.float32(1), np.int8(1))))
    assert not any(map(is_real, (True, "1", None, 1j, 10**400)))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: mm.Real(3, 1), "low must be <= high, got 3 and 1"),
        (lambda: mm.Real(1, 1, open_low=True), "low must be < high, got 1 and 1"),
        (lambda: mm.Real("a"), "low must be a number, got 'a'"),
        (lambda: mm.Real(0, math.nan), "high must be a number, got nan"),
        (lambda: mm.Whole(3, 1), "low must be <= high, got 3 and 1"),
        (lambda: mm.Range(1, 0), "low must be < high, got 1 and 0"),
        (lambda: mm.Range(1, 1), "low must be < high, got 1 and 1"),
        (lambda: mm.Choice([]), "words must be one or more words in a list, got []"),
        (lambda: mm.Choice("abc"), "words must be one or more words in a list, got 'abc'"),
        (lambda: mm.Choice([1, 2]), "words must be one or more words in a list, got [1, 2]"),
        (lambda: mm.Choice(3), "words must be one or more words in a list, got 3"),
    ],
)
def test_a_kind_without_values_is_refused_when_it_is_made(make, message):
    with pytest.raises(mm.ParameterError) as caught:
        make()
    assert str(caught.value) == message


def test_a_kind_may_have_one_value_and_words_in_a_list():
    assert read_argument("x", 1, mm.Real(1, 1)) == 1
    assert read_argument("x", 2, mm.Whole(2, 2)) == 2
    assert hash(mm.Choice(["a", "b"])) == hash(mm.Choice(("a", "b")))
