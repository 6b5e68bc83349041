"""Pruning C4.5 trees, in numba; the arrays of a tree are described beside ``grow``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from metameasure.experiments.learners._jit import inner, kernel
from metameasure.experiments.learners._tree_kernel import SMALL, distribute, total_of

if TYPE_CHECKING:
    from metameasure._types import Floats, Indices
    from metameasure.experiments.learners._tree_kernel import Tree

WORTH = 0.1
"""Number of errors by which a tree must be better than a leaf or its largest branch."""


@inner
def _errors(counts: Floats) -> float:
    total = most = 0.0
    for count in counts:
        total += count
        most = max(most, count)
    return total - most


@kernel
def collapse(tree: Tree) -> None:
    """Turn a subtree into a leaf if the leaf makes as many errors in training.

    A node has a lower number than its descendants, so that sums go from the last node to the first.
    """
    attribute, _, first, children, counts, _ = tree
    below = np.zeros(attribute.size)
    for node in range(attribute.size - 1, -1, -1):
        if attribute[node] < 0:
            below[node] = _errors(counts[node])
        else:
            for child in range(first[node], first[node] + children[node]):
                below[node] += below[child]
    for node in range(attribute.size):
        if attribute[node] >= 0 and below[node] >= _errors(counts[node]) - 1e-3:
            attribute[node] = -1


@kernel
def estimated_errors(counts: Floats, confidence: float, z: float) -> float:
    """The upper confidence limit of the number of errors of a leaf (Quinlan 1993).

    ``z`` is the normal quantile of 1 - confidence.
    """
    n = total_of(counts)
    if n < SMALL:
        return 0.0
    errors = _errors(counts)
    none: float = n * (1 - confidence ** (1 / n))
    if errors < SMALL:
        return none
    if errors < 1:
        return errors + none + errors * (_extra_errors(n, 1.0, z) - none)
    return errors + _extra_errors(n, errors, z)


@inner
def _extra_errors(n: float, errors: float, z: float) -> float:
    """Errors to add to one or more: Wilson's limit with half an error as continuity correction."""
    if errors + 0.5 >= n:
        return max(n - errors, 0.0)
    f = (errors + 0.5) / n
    root = math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return (f + z * z / (2 * n) + z * root) / (1 + z * z / n) * n - errors


@inner
def _counts_of(y: Indices, cases: Indices, weights: Floats, classes: int) -> Floats:
    counts = np.zeros(classes)
    for place, case in enumerate(cases):
        counts[y[case]] += weights[place]
    return counts


@inner
def _branch_errors(
    X: Floats,
    y: Indices,
    levels: Indices,
    tree: Tree,
    node: int,
    cases: Indices,
    weights: Floats,
    limits: Floats,
) -> float:
    """The estimated errors of a subtree if these cases came to it."""
    attribute, threshold, first, children, counts, _ = tree
    j = attribute[node]
    if j < 0:
        own = _counts_of(y, cases, weights, counts.shape[1])
        return estimated_errors(own, limits[0], limits[1])
    ends, found, parts = distribute(
        X[j], levels[j] == 0, threshold[node], children[node], cases, weights
    )
    total, begin = 0.0, 0
    for child in range(children[node]):
        end = ends[child]
        total += _branch_errors(
            X, y, levels, tree, first[node] + child, found[begin:end], parts[begin:end], limits
        )
        begin = end
    return total


@inner
def _recount(
    X: Floats,
    y: Indices,
    levels: Indices,
    tree: Tree,
    node: int,
    cases: Indices,
    weights: Floats,
) -> None:
    """Replace the class counts of a subtree by those of the cases."""
    attribute, threshold, first, children, counts, empty = tree
    own = _counts_of(y, cases, weights, counts.shape[1])
    for c in range(own.size):
        counts[node, c] = own[c]
    j = attribute[node]
    if j < 0:
        if total_of(weights) > SMALL:
            empty[node] = False
        return
    ends, found, parts = distribute(
        X[j], levels[j] == 0, threshold[node], children[node], cases, weights
    )
    begin = 0
    for child in range(children[node]):
        end = ends[child]
        _recount(X, y, levels, tree, first[node] + child, found[begin:end], parts[begin:end])
        begin = end


@kernel
def prune(
    X: Floats,
    y: Indices,
    levels: Indices,
    tree: Tree,
    node: int,
    cases: Indices,
    weights: Floats,
    limits: Floats,
    raising: bool,
) -> float:
    """Prune a subtree by estimated errors, which are returned; ``limits`` are confidence and z.

    From the bottom up, a subtree becomes a leaf, or is replaced by its largest branch, if the
    estimated errors are not increased by more than ``WORTH``.
    """
    attribute, threshold, first, children, counts, _ = tree
    leaf = estimated_errors(counts[node], limits[0], limits[1])
    j = attribute[node]
    if j < 0:
        return leaf
    ends, found, parts = distribute(
        X[j], levels[j] == 0, threshold[node], children[node], cases, weights
    )
    below, begin, largest = 0.0, 0, 0
    for child in range(children[node]):
        end = ends[child]
        at = first[node] + child
        below += prune(X, y, levels, tree, at, found[begin:end], parts[begin:end], limits, raising)
        # Of equally large branches the last, as in Weka.
        if total_of(counts[at]) > total_of(counts[first[node] + largest]) - SMALL:
            largest = child
        begin = end
    largest += first[node]
    branch = np.inf
    if raising:
        branch = _branch_errors(X, y, levels, tree, largest, cases, weights, limits)
    if leaf <= below + WORTH + SMALL and leaf <= branch + WORTH + SMALL:
        attribute[node] = -1
        return leaf
    if branch <= below + WORTH + SMALL:
        attribute[node], threshold[node] = attribute[largest], threshold[largest]
        first[node], children[node] = first[largest], children[largest]
        _recount(X, y, levels, tree, node, cases, weights)
        return prune(X, y, levels, tree, node, cases, weights, limits, raising)
    return below
