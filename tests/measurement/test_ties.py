"""One rule decides which model a measure prefers, and where it prefers none."""

import math

import numpy as np
import pytest

import metameasure as mm
from metameasure.measurement import is_as_good, is_best, merged, preference, scale_of, tie_tolerance

NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (0.3, 0.1 + 0.2, 0),
        (0.5, 0.5 + 1e-13, 0),
        (0.5, 0.5 + 1e-11, -1),
        (1e-17, 0.0, 0),
        (-1e-11, 0.0, -1),
        (1e6, 1e6 + 1e-7, 0),
        (1e6, 1e6 + 1e-5, -1),
        (INF, INF, 0),
        (INF, 1.0, 1),
        (-INF, 1.0, -1),
        (-INF, INF, -1),
        (NAN, 1.0, 0),
    ],
)
def test_values_tie_up_to_rounding(a, b, expected):
    assert preference(a, b) == expected
    assert preference(b, a) == -expected
    if not math.isnan(a):
        assert bool(is_as_good(a, b)) == (expected >= 0)


def test_the_best_are_those_that_tie_for_it():
    values = np.array([[0.3, NAN, 1.0], [0.1 + 0.2, 0.2, INF], [0.2, NAN, INF]])
    found = is_best(values)
    assert found.tolist() == [[True, False, False], [True, True, True], [False, False, True]]
    assert (found == is_best(values.T, axis=-1).T).all()
    assert not is_best(np.array([NAN, NAN])).any()


def test_values_with_a_unit_have_a_scale():
    assert preference(1e-15, 2e-15) == 0
    assert preference(1e-15, 2e-15, scale=1e-15) == -1
    assert tie_tolerance(3.0, -5.0) == pytest.approx(5e-12)


def test_tied_values_are_merged_in_chains():
    values = np.array([[0.1 + 0.2, 0.7, 0.3, -INF], [INF, 1 + 1.6e-12, 1 + 0.8e-12, 1.0]])
    expected = np.array([[0.3, 0.7, 0.3, -INF], [INF, 1.0, 1.0, 1.0]])
    assert (merged(values) == expected).all()
    tiny = np.array([2e-20, 1e-20, 1e-20 * (1 + 1e-15)])
    assert (merged(tiny) == 1e-20).all()
    assert (merged(tiny, scale=scale_of(tiny)) == [2e-20, 1e-20, 1e-20]).all()
    assert (merged(tiny, scale=[1, 0, 0]) == 1e-20).all()


def test_the_scale_of_numbers_without_a_known_unit():
    assert scale_of(np.array([0.2, -0.5])) == 0.5
    assert scale_of(np.array([7.0, INF])) == 1.0
    assert scale_of(np.array([NAN, INF])) == 0.0
    assert scale_of(np.array([[1e-9, 0], [2, 3]]), axis=1).tolist() == [[1e-9], [1.0]]


@pytest.mark.parametrize("measure", [m for m in mm.measures() if m.declaration.quantum], ids=str)
def test_a_declared_quantum_is_decided_exactly(measure):
    """Distinct multiples of the quantum never tie, even for many cases."""
    quantum = float(measure.quantum(np.float64(50), np.float64(60)) or 1)
    steps = quantum * np.arange(3)
    assert (preference(steps[1:], steps[:-1]) == 1).all()
