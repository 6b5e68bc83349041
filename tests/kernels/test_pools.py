"""Pools of adjacent rows against isotonic regression by SciPy and the compiled twin."""

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from metameasure.kernels import compiled, isotonic, plain


def fitted(pos, neg):
    """The fraction of positives in the pool of each row that has weight."""
    starts = isotonic.pools(pos, neg)
    sizes = np.diff(np.append(starts, pos.size))
    shares = np.add.reduceat(pos, starts) / np.add.reduceat(pos + neg, starts)
    return np.repeat(shares, sizes)[pos + neg > 0]


def expected(pos, neg):
    used = pos + neg > 0
    weight = (pos + neg)[used]
    return isotonic_regression(pos[used] / weight, weights=weight, increasing=False).x


def cases(rng, rows):
    pos = (rng.random(rows) < np.linspace(0.9, 0.1, rows)).astype(float)
    return pos, 1 - pos


def tied_counts(rng, rows):
    return rng.integers(0, 4, rows).astype(float), rng.integers(0, 4, rows).astype(float)


def weights(rng, rows):
    return rng.choice([0.0, 0.25, 1.7], rows), rng.choice([0.0, 0.1, 3.2], rows)


def late_rise(rng, rows):
    """Fractions that fall slowly, and a last row that pools one row per round with it."""
    pos = np.linspace(1, 0.9, rows)
    pos[-1] = 40 + rng.random()
    return pos, np.ones(rows)


def nothing_to_pool(rng, rows):
    return np.sort(rng.random(rows))[::-1], np.ones(rows)


@pytest.mark.parametrize("large", [0, isotonic.LARGE], ids=["SciPy's", "ours"])
@pytest.mark.parametrize("rows", [2, 17, 700])
@pytest.mark.parametrize("make", [cases, tied_counts, weights, late_rise, nothing_to_pool])
def test_the_fit_is_that_of_scipy(make, rows, large, monkeypatch):
    monkeypatch.setattr(isotonic, "LARGE", large)
    for seed in range(10):
        pos, neg = make(np.random.default_rng(seed), rows)
        assert fitted(pos, neg) == pytest.approx(expected(pos, neg), abs=1e-12)


@pytest.mark.parametrize("rows", [isotonic.LARGE, isotonic.LARGE + 1])
def test_both_sides_of_a_large_table(rows):
    pos, neg = cases(np.random.default_rng(0), rows)
    assert fitted(pos, neg) == pytest.approx(expected(pos, neg), abs=1e-12)


def test_equal_fractions_are_one_pool():
    # 1/3 = 2/6 = 3/9: quotients of rounded numbers would not tell.
    pos, neg = np.array([5.0, 1, 2, 3, 0]), np.array([1.0, 2, 4, 6, 7])
    assert isotonic.pools(pos, neg).tolist() == [0, 1, 4]


@pytest.mark.parametrize("large", [0, isotonic.LARGE])
def test_rows_without_weight_belong_to_the_pool_before(large, monkeypatch):
    monkeypatch.setattr(isotonic, "LARGE", large)
    pos, neg = np.array([0.0, 2, 0, 1, 0, 0]), np.array([0.0, 0, 0, 1, 3, 0])
    assert isotonic.pools(pos, neg).tolist() == [0, 3, 4]
    assert isotonic.pools(pos[:1], neg[:1]).tolist() == [0]


@pytest.mark.parametrize("rounds", [1, 2, isotonic.ROUNDS])
@pytest.mark.parametrize("make", [cases, tied_counts, weights, late_rise])
def test_blocks_equal_those_of_the_compiled_twin(make, rounds, monkeypatch):
    monkeypatch.setattr(isotonic, "ROUNDS", rounds)
    rng = np.random.default_rng(1)
    tables = [make(rng, 60) for _ in range(7)]
    tables[2] = tables[-1] = (np.zeros(60), np.zeros(60))
    pos, neg = (np.stack(of_class) for of_class in zip(*tables, strict=True))
    for ours, theirs in zip(plain.pool(pos, neg), compiled.pool(pos, neg), strict=True):
        assert ours == pytest.approx(theirs, abs=1e-12)


def test_empty_tables_have_no_pools():
    nothing = np.zeros((3, 4))
    for pooled in plain.pool(nothing, nothing):
        assert pooled.tolist() == nothing.tolist()
