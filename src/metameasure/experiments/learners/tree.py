"""Decision trees as C4.5 grows and prunes them."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure._arguments import Flag, Real, Whole, read_argument
from metameasure.experiments.learners.learner import Learner, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Indices


class C45Tree(Learner):
    """C4.5 (Quinlan 1993) with multiway splits of nominal attributes, as Weka's J48 has it.

    A node is split by the attribute with the highest gain ratio among those with at least average
    gain, a nominal one into all its levels, a numeric one in two. Cases with missing values are
    divided among the children. C4.4 (Provost and Domingos 2003) is
    ``C45Tree(prune=False, collapse=False, laplace=True)``.

    Args:
        nominal: number of levels of each column, 0 for a numeric one; None if all are numeric.
        prune: prune by the upper confidence limit of the errors.
        collapse: turn a subtree into a leaf if it makes no fewer errors in training.
        laplace: add 1 to the count of each class in a leaf.
        confidence: confidence level of pruning; lower values prune more.
        min_leaf: least number of cases in at least two subsets of a split.
        subtree_raising: let pruning replace a subtree by its largest branch.
        mdl: subtract the cost of choosing the threshold from the gain of a numeric split.

    Attributes:
        tree_: the arrays of the nodes.

    >>> X, y = [[level, 1.0] for level in (0, 1, 2)] * 4, [0, 1, 1] * 4
    >>> tree = C45Tree(nominal=(3, 0), laplace=True).fit(X, y)
    >>> tree.predict_proba([[0, 1.0], [2, 1.0], [np.nan, 1.0]]).round(4)
    array([[0.8333, 0.1667],
           [0.1667, 0.8333],
           [0.3889, 0.6111]])
    """

    def __init__(
        self,
        *,
        nominal: Sequence[int] | None = None,
        prune: bool = True,
        collapse: bool = True,
        laplace: bool = False,
        confidence: float = 0.25,
        min_leaf: int = 2,
        subtree_raising: bool = True,
        mdl: bool = True,
    ) -> None:
        self.nominal = nominal
        self.prune = prune
        self.collapse = collapse
        self.laplace = laplace
        self.confidence = confidence
        self.min_leaf = min_leaf
        self.subtree_raising = subtree_raising
        self.mdl = mdl

    @property
    def n_leaves_(self) -> int:
        """The number of leaves that can be reached."""
        return int(np.count_nonzero(self.tree_[0][self._reached()] < 0))

    def _reached(self) -> list[int]:
        """The nodes of the tree; pruning leaves others behind."""
        attribute, _, first, children, *_ = self.tree_
        nodes = [0]
        for node in nodes:
            if attribute[node] >= 0:
                nodes.extend(range(first[node], first[node] + children[node]))
        return nodes

    def _fit(self, X: Floats, y: Indices, levels: Indices) -> None:
        from metameasure.experiments.learners import (  # noqa: PLC0415 - load numba
            _tree_kernel,
            _tree_pruning,
        )

        for name in ("prune", "collapse", "laplace", "subtree_raising", "mdl"):
            read_argument(name, getattr(self, name), Flag())
        confidence = read_argument("confidence", self.confidence, Real(0, 0.5, open_low=True))
        least = read_argument("min_leaf", self.min_leaf, Whole(1))
        columns = plain(X.T)
        order = columns.argsort(axis=1).astype(np.int32)
        # Two subsets of a split have `least` cases, so that there are fewer than n / least splits.
        room = 1 + max(int(levels.max()), 2) * (y.size // least)
        stack, nodes = 4 * y.size, 0
        while not nodes:
            tree = _empty_tree(room, self.classes_.size)
            pool = np.zeros(stack, dtype=np.int64), np.zeros(stack)
            nodes = _tree_kernel.grow(columns, y, levels, order, float(least), self.mdl, tree, pool)
            stack *= 4
        self.tree_ = tree = tuple(array[:nodes].copy() for array in tree)
        if self.collapse:
            _tree_pruning.collapse(tree)
        if self.prune:
            limits = np.array([confidence, NormalDist().inv_cdf(1 - confidence)])
            cases, weights = np.arange(y.size), np.ones(y.size)
            _tree_pruning.prune(
                columns, y, levels, tree, 0, cases, weights, limits, self.subtree_raising
            )

    def _probabilities(self, X: Floats) -> Floats:
        from metameasure.experiments.learners import _tree_kernel  # noqa: PLC0415 - loads numba

        found: Floats = _tree_kernel.probabilities(X, self.levels_, self.tree_, float(self.laplace))
        return found


def _empty_tree(room: int, classes: int) -> Any:
    """Arrays for a number of nodes: see the kernel. Pages that are not used cost nothing."""
    whole = (np.zeros(room, dtype=np.int64) for _ in range(3))
    attribute, first, children = whole
    counts, empty = np.zeros((room, classes)), np.zeros(room, dtype=np.bool_)
    return attribute, np.zeros(room), first, children, counts, empty
