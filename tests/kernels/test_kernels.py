"""Every kernel has a twin, with the same name and the same arguments."""

import inspect

import numpy as np
import pytest

from metameasure.kernels import compiled, plain


def public(module):
    """The functions that a module declares for others, as they were before they were compiled."""
    found = {name: getattr(f, "py_func", f) for name, f in vars(module).items() if name[0] != "_"}
    return {
        name: function
        for name, function in found.items()
        if inspect.isfunction(function) and function.__module__ == module.__name__
    }


def test_both_modules_have_the_same_names():
    assert set(public(plain)) == set(public(compiled))


@pytest.mark.parametrize("name", public(plain))
def test_twins_take_and_give_the_same(name):
    one, other = (inspect.signature(public(module)[name]) for module in (plain, compiled))
    assert one == other


@pytest.mark.parametrize("weighted", [False, True])
def test_exchanged_cells_are_counted_case_by_case(weighted):
    rng = np.random.default_rng(1)
    own, other = rng.integers(0, 9, (2, 50))
    swapped = rng.integers(0, 2, (3, 50), dtype=np.uint8)
    weight = rng.random(50) if weighted else np.empty(0)
    expected = np.zeros((3, 9))
    for table in range(3):
        for case in range(50):
            cell = other[case] if swapped[table, case] else own[case]
            expected[table, cell] += weight[case] if weighted else 1
    for module in (plain, compiled):
        found = module.exchanged_cells(own, other, swapped, weight, 9)
        assert found == pytest.approx(expected, rel=1e-14)
