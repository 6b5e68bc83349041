"""Voting feature intervals against their description."""

import numpy as np
import pytest

from learner_data import as_lists, small
from metameasure.errors import ParameterError
from metameasure.experiments import VFI
from oracles import learners as oracle


@pytest.mark.parametrize("bias", [None, 0.6, 1.0])
@pytest.mark.parametrize("seed", range(12))
def test_equals_the_description(seed, bias):
    X, y, levels, test = small(seed)
    found = VFI(nominal=levels, bias=bias).fit(X, y).predict_proba(test)
    for row, case in zip(found, as_lists(test), strict=True):
        meant = oracle.voting_intervals(as_lists(X), y.tolist(), levels, y.max() + 1, case, bias)
        assert row == pytest.approx(meant, rel=1e-5, abs=1e-12)


def test_without_votes_all_classes_are_equal():
    learner = VFI(nominal=(3,), bias=None).fit([[0], [1], [1]], [0, 1, 1])
    assert learner.predict_proba([[np.nan], [2]]).tolist() == [[0.5, 0.5]] * 2


def test_bias_is_checked():
    with pytest.raises(ParameterError, match="bias must be >= 0 or None, got -1"):
        VFI(bias=-1).fit([[0.0], [1.0]], [0, 1])
