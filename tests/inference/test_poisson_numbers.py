"""Poisson numbers against their distribution."""

import numpy as np
import pytest
from scipy import stats

from metameasure.inference.poisson_numbers import PoissonNumbers

MEANS = np.array([0.0, 1e-9, 0.02, 0.7, 1.0, 4.4, 10.0, 24.3, 60.0])
LARGE = np.array([3e5, 1.0, 20.0])
TIMES = 100_000


def pvalue(drawn, mean):
    """The p-value of a test of fit, with the rare outcomes at either end pooled."""
    low, high = (int(stats.poisson.ppf(q, mean)) for q in (1e-3, 1 - 1e-3))
    outcomes = np.arange(low, high + 1)
    chances = np.array([stats.poisson.cdf(low - 1, mean), *stats.poisson.pmf(outcomes, mean)])
    chances = np.append(chances, stats.poisson.sf(high, mean))
    place = np.clip(drawn - low + 1, 0, outcomes.size + 1).astype(int)
    counts = np.bincount(place, minlength=chances.size)
    assert not counts[chances == 0].any()
    possible = chances > 0
    return stats.chisquare(counts[possible], TIMES * chances[possible]).pvalue


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("means", [MEANS, LARGE], ids=["tabulated", "NumPy's"])
def test_the_distribution(means, seed):
    rng = np.random.default_rng(seed)
    drawn = PoissonNumbers(means).draw(TIMES, rng)
    assert drawn.shape == (TIMES, means.size)
    assert drawn.dtype == np.float64
    for mean, numbers in zip(means, drawn.T, strict=True):
        if mean < 1e-6:
            assert not numbers.any()
        elif mean < 1e5:
            assert pvalue(numbers, mean) > 1e-4
        else:
            assert numbers.mean() == pytest.approx(mean, abs=5 * (mean / TIMES) ** 0.5)


def test_columns_and_times_are_independent():
    drawn = PoissonNumbers(np.array([2.0, 2.0, 30.0])).draw(TIMES, np.random.default_rng(4))
    apart = np.corrcoef(np.concatenate([drawn[1:], drawn[:-1]], axis=1).T)
    assert np.abs(apart - np.eye(6)).max() < 5 / TIMES**0.5


class Ends:
    """A generator of the smallest and the largest uniform number in turn."""

    def random(self, size):
        return np.resize([0.0, 1 - 2**-53], size)


@pytest.mark.parametrize("mean", [0.5, 24.0, 60.0])
def test_the_ends_of_the_range(mean):
    low, high = PoissonNumbers(np.array([mean])).draw(2, Ends()).ravel()
    assert low == 0
    assert 1e-40 < stats.poisson.sf(high - 1, mean) < 1e-12
