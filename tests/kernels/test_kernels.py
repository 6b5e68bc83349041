"""Every kernel has a twin, with the same name and the same arguments."""

import inspect
from itertools import combinations, permutations, product

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


def clumped_scores(rng, rows):
    """Distinct scores from high to low: spread out, in one clump, and in several."""
    kind = rng.integers(3)
    if kind == 0:
        score = rng.random(rows)
    elif kind == 1:
        score = 0.7 + 1e-9 * rng.random(rows)
    else:
        score = rng.choice([0.0, 0.3, 0.95], rows) + 0.05 * rng.random(rows)
    return np.sort(score)[::-1]


@pytest.mark.parametrize("module", [plain, compiled])
@pytest.mark.parametrize("rows", [1, 2, 40, 150])
@pytest.mark.parametrize("fewer", ["positives", "negatives"])
def test_pairs_beyond_a_margin_are_counted_one_by_one(module, rows, fewer):
    rng = np.random.default_rng(rows)
    margins = np.array([0.0, 1e-10, 0.05, 0.3, 0.9])
    for shared in (True, False) * 4:
        score = np.stack([clumped_scores(rng, rows) for _ in range(1 if shared else 3)])
        # Many rows have cases of one class only, and some have none.
        rare, many = (
            rng.choice([0, 0, 1, 2.5], (3, rows), p=chances)
            for chances in ([0.7, 0.1, 0.1, 0.1], [0.1, 0.1, 0.4, 0.4])
        )
        pos, neg = (rare, many) if fewer == "positives" else (many, rare)
        found = module.pairs_beyond(score, pos, neg, margins)
        for table in range(3):
            own = score[0 if shared else table]
            gaps = own[:, np.newaxis] - own
            expected = [pos[table] @ (gaps > margin) @ neg[table] for margin in margins]
            np.testing.assert_allclose(found[table], expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("module", [plain, compiled])
def test_rows_within_a_margin_and_inversions_are_counted_one_by_one(module):
    rng = np.random.default_rng(7)
    for rows in (1, 2, 3, 9, 33):
        score = np.stack([clumped_scores(rng, rows), np.sort(rng.integers(0, 5, rows) / 8)[::-1]])
        for margin in (0.0, 1e-10, 0.125, 0.3):
            within = [[np.count_nonzero(~(one - each > margin)) for one in each] for each in score]
            assert module.rows_within(score, margin).tolist() == within
        values = rng.integers(0, 6, (4, rows)).astype(float)
        pairs = [sum(a > b for a, b in combinations(row, 2)) for row in values.tolist()]
        assert module.inversions(values).tolist() == pairs


@pytest.mark.parametrize("module", [plain, compiled])
def test_the_first_positive_of_a_tie_is_the_mean_of_all_orders(module):
    for above, pos, neg in ((0, 1, 0), (3, 1, 2), (2, 3, 2), (1, 2, 4)):
        orders = set(permutations([1] * pos + [0] * neg))
        expected = np.mean([1 / (above + 1 + order.index(1)) for order in orders])
        found = module.first_positive(*(np.array([float(n)]) for n in (above, pos, neg)))
        assert found == pytest.approx(expected)


@pytest.mark.parametrize("module", [plain, compiled])
def test_a_series_of_absolute_values_is_their_sum(module):
    for start, step, terms in product(
        (-3.0, -1.5, 0.0, 2.0), (-1.0, -0.5, 0.0, 1.0, 2.0), range(6)
    ):
        expected = sum(abs(start + i * step) for i in range(terms))
        given = (start, step, float(terms))
        found = module._absolute_series(*(map(np.array, given) if module is plain else given))
        assert found == pytest.approx(expected)
