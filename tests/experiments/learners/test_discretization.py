"""Cut points against the definition of Fayyad and Irani."""

import numpy as np
import pytest

from metameasure.experiments import entropy_cuts
from oracles import learners as oracle


@pytest.mark.parametrize("seed", range(15))
def test_equals_the_description(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2 + seed % 3, 60)
    values = rng.normal(y * rng.uniform(0, 4), 1).round(seed % 3)
    values[rng.random(60) < 0.1] = np.nan
    cuts = entropy_cuts(values, y)
    known = [None if np.isnan(v) else v for v in values.tolist()]
    assert cuts.tolist() == pytest.approx(oracle.entropy_cuts(known, y.tolist()))


@pytest.mark.parametrize("values", [[], [1.0], [2.0, 2.0, 2.0], [np.nan, np.nan]])
def test_nothing_to_cut(values):
    assert entropy_cuts(values, [0, 1, 0][: len(values)]).size == 0


def test_labels_of_any_kind():
    assert entropy_cuts(range(8), list("aaaabbbb")).tolist() == [3.5]
