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


def mean_gap_by_windows(position, height, window):
    """The mean of |height(j + w) - height(j)| / w over all whole j, one by one."""
    starts = np.arange(np.floor(position[-1] - window) + 1)
    ends = (np.interp(starts + add, position, height) for add in (window, 0.0))
    return np.abs(np.subtract(*ends)).mean() / window


@pytest.mark.parametrize("module", [plain, compiled])
@pytest.mark.parametrize("rows", [1, 2, 3, 6, 15])
def test_the_gap_of_windows_is_the_mean_of_all_of_them(module, rows):
    rng = np.random.default_rng(rows)
    for _ in range(150):
        # Rows without weight change neither the position nor the height. Quarters are exact.
        weight = rng.choice([0, 0, 1, 2, 4, 5, 11], rows) / 4
        weight[rng.integers(rows)] += 1
        position = np.append(0.0, weight.cumsum())
        height = np.append(0.0, np.cumsum(weight * rng.normal(size=rows)))
        window = rng.integers(1, 4 * position[-1] + 1) / 4
        found = module.window_gap(position[None], height[None], np.array([window]))
        expected = mean_gap_by_windows(position, height, window)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
