"""The order of cases by packed numbers is that of sorting them."""

import numpy as np
import pytest

from metameasure.kernels import sorting

RNG = np.random.default_rng(11)
SIZE = sorting.PACKED_FROM + 500

SCORES = {
    "spread": RNG.random(SIZE),
    "of both signs": RNG.normal(size=SIZE),
    "below zero": -RNG.random(SIZE),
    "tied": RNG.integers(0, 9, SIZE) / 8,
    "all equal": np.full(SIZE, 0.25),
    "different in the last bits only": 0.999 + 1e-13 * RNG.random(SIZE),
    "partly different in the last bits": np.where(
        RNG.random(SIZE) < 0.5, RNG.random(SIZE), 0.5 + 1e-15 * RNG.integers(0, 40, SIZE)
    ),
    "close below zero": -0.999 - 1e-13 * RNG.random(SIZE),
    "of all magnitudes": RNG.normal(size=SIZE) * 10.0 ** RNG.integers(-300, 300, SIZE),
    "with infinities and zeros": RNG.choice([-np.inf, -1.0, -0.0, 0.0, 5e-324, np.inf], SIZE),
    "in order": np.sort(RNG.random(SIZE)),
    "in reverse order": -np.sort(-RNG.random(SIZE)),
    "the longest that an ordinary sort takes": RNG.random(sorting.PACKED_FROM - 1),
    "the first that are packed": RNG.random(sorting.PACKED_FROM),
}


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
def test_order_is_that_of_a_sort(score):
    before = score.copy()
    cases = sorting.descending(score)
    assert np.array_equal(score[cases], np.sort(score)[::-1])
    assert np.array_equal(np.sort(cases), np.arange(score.size))
    assert np.array_equal(score, before)


@pytest.mark.parametrize("falling", [False, True])
@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
def test_packed_numbers_are_leading_bits_and_cases(score, falling):
    keys, bits = sorting.packed(score, falling=falling)
    assert np.array_equal(keys & (2**bits - 1), np.arange(score.size))
    assert score.size <= 2**bits < 2 * score.size
    rising = np.argsort(-score if falling else score, kind="stable")
    assert (np.diff((keys >> bits)[rising]) >= 0).all()
