"""K* against its description; the golden files of Weka are exact."""

import numpy as np
import pytest

from learner_data import as_lists, small
from metameasure.errors import ParameterError
from metameasure.experiments import KStar
from oracles import learners as oracle


@pytest.mark.parametrize("blend", [0.2, 0.5])
@pytest.mark.parametrize("seed", range(8))
def test_equals_the_description(seed, blend):
    X, y, levels, test = small(seed)
    found = KStar(nominal=levels, blend=blend, accuracy=1e-9).fit(X, y).predict_proba(test)
    for row, case in zip(found, as_lists(test), strict=True):
        meant = oracle.kstar(as_lists(X), y.tolist(), levels, y.max() + 1, case, blend)
        assert row == pytest.approx(meant, abs=1e-6)


def test_nothing_known_gives_the_class_shares():
    learner = KStar().fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    assert learner.predict_proba([[np.nan]])[0] == pytest.approx([1 / 3, 2 / 3])


def test_attributes_without_known_training_values_are_ignored():
    X = [[np.nan, np.nan, 1.0], [np.nan, np.nan, 2.0], [np.nan, np.nan, 4.0]]
    learner = KStar(nominal=(2, 0, 0)).fit(X, [0, 0, 1])
    alone = KStar().fit([[1.0], [2.0], [4.0]], [0, 0, 1])
    found = learner.predict_proba([[0, 3.0, 3.0]])
    assert found == pytest.approx(alone.predict_proba([[3.0]]))


def test_equal_values_and_far_values():
    learner = KStar().fit([[1.0], [1.0], [1.0]], [0, 1, 1])
    assert learner.predict_proba([[1.0]])[0] == pytest.approx([1 / 3, 2 / 3])
    assert learner.predict_proba([[1e6]])[0] == pytest.approx([0.5, 0.5])


def test_blend_is_checked():
    with pytest.raises(ParameterError, match=r"blend must be in \[0, 1\], got 20"):
        KStar(blend=20).fit([[0.0], [1.0]], [0, 1])
