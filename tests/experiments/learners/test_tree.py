"""C4.5 trees against a slow oracle."""

import math

import numpy as np
import pytest

from learner_data import as_lists, small
from metameasure.errors import ParameterError
from metameasure.experiments import C45Tree
from oracles.learners import SlowTree

SETTINGS = {
    "pruned": {},
    "c44": {"prune": False, "collapse": False, "laplace": True},
    "not_raised": {"subtree_raising": False, "confidence": 0.1},
    "raw": {"prune": False, "mdl": False, "min_leaf": 1},
}


@pytest.mark.parametrize("options", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("seed", range(12))
def test_equals_the_description(seed, options):
    X, y, levels, test = small(seed, cases=60)
    tree = C45Tree(nominal=levels, **options)
    found = tree.fit(X, y).predict_proba(test)
    slow = SlowTree(as_lists(X), y.tolist(), levels, y.max() + 1, tree.get_params())
    meant = [slow.probabilities(case) for case in as_lists(test)]
    assert found == pytest.approx(np.array(meant), abs=1e-9)
    assert tree.n_leaves_ == len(slow.leaves(slow.root))


def test_estimated_errors_of_quinlan():
    # Quinlan (1993, section 4.2): U_25%(0, 6) = .206, U(0, 9) = .143, U(0, 1) = .750 are exact;
    # U(1, 16) = .157 is binomial, and the program has a normal approximation.
    from metameasure.experiments.learners._tree_pruning import estimated_errors

    z = 0.6744897501960817
    for n, errors, rate in [(6, 0, 0.206), (9, 0, 0.143), (1, 0, 0.750), (16, 1, 0.157)]:
        found = estimated_errors(np.array([n - errors, errors], float), 0.25, z)
        assert found / n == pytest.approx(rate, abs=0.02 if errors else 0.0005)


def test_raising_replaces_a_subtree_by_its_largest_branch():
    """Some data set must need it, or the option is not tested."""
    changed = 0
    for seed in range(30):
        X, y, levels, test = small(seed, cases=60)
        one, other = (
            C45Tree(nominal=levels, subtree_raising=raising).fit(X, y).predict_proba(test)
            for raising in (True, False)
        )
        changed += not np.allclose(one, other)
    assert changed


def test_the_last_of_equally_large_branches_is_raised():
    """J48 -C 0.05 -M 1 has one leaf here; raising the first branch would give two."""
    X, y, levels, _ = small(8, cases=20)
    assert C45Tree(nominal=levels, confidence=0.05, min_leaf=1).fit(X, y).n_leaves_ == 1


def test_many_missing_values_need_more_room():
    rng = np.random.default_rng(0)
    n = 64
    y = rng.integers(0, 2, n)
    X = (y[:, np.newaxis] + rng.integers(0, 6, (n, 8))) % 6 + 0.0
    X[rng.random(X.shape) < 0.8] = np.nan
    tree = C45Tree(nominal=(6,) * 8, prune=False, collapse=False, min_leaf=1).fit(X, y)
    options = tree.get_params()
    slow = SlowTree(as_lists(X), y.tolist(), (6,) * 8, 2, options)
    assert tree.n_leaves_ == len(slow.leaves(slow.root))
    meant = [slow.probabilities(case) for case in as_lists(X)]
    assert tree.predict_proba(X) == pytest.approx(np.array(meant), abs=1e-9)


def test_probabilities_add_up_after_raising():
    """A leaf that loses its cases when a branch is raised must not give 0/0."""
    for seed in range(40):
        X, y, levels, test = small(seed, cases=40)
        for laplace in (False, True):
            tree = C45Tree(nominal=levels, laplace=laplace, confidence=0.5, min_leaf=1)
            found = tree.fit(X, y).predict_proba(test)
            assert found.sum(axis=1) == pytest.approx(1)


def test_one_class_and_no_split():
    assert C45Tree().fit([[1.0], [2.0]], ["a", "a"]).predict_proba([[1.0]]).tolist() == [[1.0]]
    tree = C45Tree().fit(np.ones((6, 1)), [0, 0, 0, 0, 1, 1])
    assert tree.n_leaves_ == 1
    assert tree.predict_proba([[math.nan]])[0] == pytest.approx([2 / 3, 1 / 3])


def test_parameters_are_checked():
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(ParameterError, match=r"confidence must be in \(0, 0.5\], got 0.6"):
        C45Tree(confidence=0.6).fit(X, y)
    with pytest.raises(ParameterError, match="min_leaf must be an integer >= 1, got 0"):
        C45Tree(min_leaf=0).fit(X, y)
    with pytest.raises(ParameterError, match="laplace must be True or False"):
        C45Tree(laplace=1).fit(X, y)
