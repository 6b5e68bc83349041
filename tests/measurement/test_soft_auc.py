"""The soft AUC of many scores: interpolated, and the same as over all pairs."""

import numpy as np
import pytest

import metameasure as mm
from metameasure.table import ScoreTable


def over_all_pairs(y, s, beta, weight=None):
    weight = np.ones(y.size) if weight is None else weight
    with np.errstate(over="ignore"):
        wins = 1 / (1 + np.exp(-beta * (s[y][:, None] - s[~y])))
    pairs = weight[y][:, None] * weight[~y]
    return (wins * pairs).sum() / pairs.sum()


@pytest.mark.parametrize("beta", [0.01, 1.0, 10.0, 100.0, 1000.0])
@pytest.mark.parametrize("n", [200, 3000])
def test_many_scores(n, beta):
    rng = np.random.default_rng(n)
    y, s, w = rng.random(n) < 0.4, rng.random(n), rng.random(n)
    assert mm.soft_auc(y, s, beta=beta) == pytest.approx(over_all_pairs(y, s, beta), abs=1e-12)
    found = mm.soft_auc(y, s, beta=beta, sample_weight=w)
    assert found == pytest.approx(over_all_pairs(y, s, beta, w), abs=1e-12)


@pytest.mark.parametrize("rows", [40, 600])
def test_blocks_with_scores_of_their_own(rows):
    rng = np.random.default_rng(rows)
    y, s = rng.random((3, rows)) < 0.4, rng.random((3, rows))
    found = mm.soft_auc.compute(ScoreTable.from_cases(y, s))
    expected = [over_all_pairs(a, b, 1.0) for a, b in zip(y, s, strict=True)]
    assert found == pytest.approx(np.array(expected), abs=1e-12)


def test_steep_sigmoids_count_pairs():
    y, s = [1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1]
    assert mm.soft_auc(y, s, beta=1000) == pytest.approx(mm.auc(y, s), abs=1e-12)
    flat = mm.soft_auc(y, s, beta=1e-6)
    assert flat - 0.5 == pytest.approx(1e-6 / 4 * mm.mean_gap(y, s), rel=1e-4)
    assert mm.softened_auc == mm.scored_auc != mm.soft_auc
