"""Growing and evaluating C4.5 trees, in numba; tests hold them to a slow oracle.

A tree is a set of arrays with one row per node, the root first: the attribute that it splits (-1 in
a leaf), the threshold of a numeric split (values up to it go to the first child), the first child
and the number of children (which are adjacent), the class counts, and whether no case came.
A case with a missing value goes to all children, with weights in proportion to theirs.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from metameasure.experiments.learners._jit import inner, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices, Mask

    Tree: TypeAlias = tuple[Indices, Floats, Indices, Indices, Floats, Mask]
    Order: TypeAlias = NDArray[np.int32]

SMALL = 1e-6
"""Difference up to which counts, gains and estimated errors are equal."""
APART = 1e-5
"""Difference up to which two values of a numeric attribute cannot be separated."""
MANY_LEVELS = 0.3
"""Number of levels, as a fraction of the cases, from which a gain is not averaged."""
NEAR_AVERAGE = 1e-3
"""How far the gain of a split may be below the average."""


@inner
def total_of(counts: Floats) -> float:
    total = 0.0
    for count in counts:
        total += count
    return total


@inner
def _n_log_n(count: float) -> float:
    return count * math.log2(count) if count > SMALL else 0.0


@inner
def _entropy(counts: Floats) -> float:
    """The entropy of the classes times the number of cases."""
    total = spread = 0.0
    for count in counts:
        total += count
        spread += _n_log_n(count)
    return _n_log_n(total) - spread


@inner
def _gain(before: float, after: float, known: float, total: float) -> float:
    """The information gain per case; cases with a missing value gain nothing."""
    gain = (before - after) * known / total
    return 0.0 if abs(gain) < SMALL else gain / known


@inner
def _gain_ratio(gain: float, bags: Floats, total: float) -> float:
    """The gain over the entropy of the subsets, of which missing values are one."""
    known = split = 0.0
    for bag in bags:
        known += bag
        split += _n_log_n(bag)
    split = _n_log_n(total) - split - _n_log_n(total - known)
    return 0.0 if abs(split) < SMALL else gain / (split / total)


@inner
def _nominal_split(
    x: Floats, y: Indices, cases: Indices, weights: Floats, least: float, bags: Floats
) -> tuple[float, float]:
    """The gain and gain ratio of a split into all levels; ``bags`` is (levels, classes)."""
    bags[:] = 0
    total = 0.0
    for place, case in enumerate(cases):
        total += weights[place]
        if not np.isnan(x[case]):
            bags[int(x[case]), y[case]] += weights[place]
    large, known, after = 0, 0.0, 0.0
    sizes, counts = np.zeros(bags.shape[0]), np.zeros(bags.shape[1])
    for level in range(bags.shape[0]):
        for c in range(bags.shape[1]):
            sizes[level] += bags[level, c]
            counts[c] += bags[level, c]
        known += sizes[level]
        after += _entropy(bags[level])
        large += sizes[level] > least - SMALL
    if large < 2:
        return -1.0, 0.0
    gain = _gain(_entropy(counts), after, known, total)
    return gain, _gain_ratio(gain, sizes, total)


@inner
def _numeric_split(
    x: Floats,
    y: Indices,
    ordered: Order,
    weight_of: Floats,
    total: float,
    least: float,
    mdl: bool,
    sides: Floats,
) -> tuple[float, float, float]:
    """The gain, gain ratio and threshold of the best split in two; ``sides`` is (2, classes).

    ``ordered`` has the cases without the missing values, by increasing value.
    """
    classes = sides.shape[1]
    sides[:] = 0
    for case in ordered:
        sides[1, y[case]] += weight_of[case]
    known = total_of(sides[1])
    smallest = max(least, min(0.1 * known / classes, 25.0))
    if ordered.size < 2 * smallest - SMALL:
        return -1.0, 0.0, 0.0
    before = _entropy(sides[1])
    best, cut, tried, left = 0.0, -1, 0, 0.0
    for place in range(1, ordered.size):
        case = ordered[place - 1]
        sides[0, y[case]] += weight_of[case]
        sides[1, y[case]] -= weight_of[case]
        left += weight_of[case]
        if not x[case] + APART < x[ordered[place]]:
            continue
        if left < smallest - SMALL:
            continue
        if known - left < smallest - SMALL:
            break
        tried += 1
        gain = _gain(before, _entropy(sides[0]) + _entropy(sides[1]), known, total)
        if gain > best + SMALL:
            best, cut = gain, place
    if not tried:
        return -1.0, 0.0, 0.0
    if mdl:
        best -= math.log2(tried) / total
    if best <= SMALL or cut < 0:
        return -1.0, 0.0, 0.0
    bags = np.zeros(2)
    for place, case in enumerate(ordered):
        bags[int(place >= cut)] += weight_of[case]
    low, high = x[ordered[cut - 1]], x[ordered[cut]]
    middle = (low + high) / 2
    return best, _gain_ratio(best, bags, total), low if middle == high else middle


@inner
def _known_in_order(
    x: Floats, order: Order, cases: Indices, weight_of: Floats, into: Order
) -> Order:
    """The cases of a node by increasing value, without missing values.

    A large node takes its cases from the order of all cases, a small one sorts them.
    """
    count = 0
    if cases.size * 16 > order.size:
        for case in order:
            if np.isnan(x[case]):
                break
            if weight_of[case] > 0:
                into[count] = case
                count += 1
        return into[:count]
    for case in cases:
        if not np.isnan(x[case]):
            into[count] = case
            count += 1
    found = into[:count]
    for place in range(1, count):
        case = found[place]
        at = place
        while at > 0 and x[found[at - 1]] > x[case]:
            found[at] = found[at - 1]
            at -= 1
        found[at] = case
    return found


@inner
def _best_split(
    X: Floats,
    y: Indices,
    levels: Indices,
    order: Order,
    cases: Indices,
    weights: Floats,
    weight_of: Floats,
    into: Order,
    least: float,
    mdl: bool,
    bags: Floats,
) -> tuple[int, float]:
    """The attribute and threshold of the best split of a node; attribute -1 for none.

    Of the splits whose gain is at least the average, the one with the highest gain ratio.
    """
    columns, n = X.shape
    total = total_of(weights)
    gains, ratios, thresholds = np.zeros(columns), np.zeros(columns), np.zeros(columns)
    limit = MANY_LEVELS * n
    many = True
    for j in range(columns):
        many = many and levels[j] > 0 and levels[j] >= limit - SMALL
    average, valid = 0.0, 0
    for j in range(columns):
        if levels[j]:
            gains[j], ratios[j] = _nominal_split(X[j], y, cases, weights, least, bags[: levels[j]])
        else:
            ordered = _known_in_order(X[j], order[j], cases, weight_of, into)
            gains[j], ratios[j], thresholds[j] = _numeric_split(
                X[j], y, ordered, weight_of, total, least, mdl, bags[:2]
            )
        if gains[j] >= 0 and (levels[j] == 0 or many or levels[j] < limit - SMALL):
            average += gains[j]
            valid += 1
    best, highest = -1, 0.0
    if valid:
        for j in range(columns):
            if (
                gains[j] >= 0
                and gains[j] >= average / valid - NEAR_AVERAGE
                and ratios[j] > highest + SMALL
            ):
                best, highest = j, ratios[j]
    threshold = 0.0
    if best >= 0 and levels[best] == 0:
        # The largest value of all cases up to the middle, so that thresholds are values.
        threshold = -np.inf
        for value in X[best]:
            if threshold < value <= thresholds[best]:
                threshold = value
    return best, threshold


@inner
def _child_of(value: float, numeric: bool, threshold: float) -> int:
    """The child that a value goes to; -1 if it is missing."""
    if np.isnan(value):
        return -1
    return int(value > threshold) if numeric else int(value)


@inner
def distribute(
    x: Floats, numeric: bool, threshold: float, children: int, cases: Indices, weights: Floats
) -> tuple[Indices, Indices, Floats]:
    """The end of each child's part, and the cases and weights, child after child."""
    shares, ends = np.zeros(children), np.zeros(children, np.int64)
    known, missing = 0.0, 0
    for place, case in enumerate(cases):
        child = _child_of(x[case], numeric, threshold)
        if child < 0:
            missing += 1
        else:
            known += weights[place]
            shares[child] += weights[place]
            ends[child] += 1
    at, size = np.zeros(children, np.int64), 0
    for child in range(children):
        shares[child] = shares[child] / known if known > 0 else 1 / children
        at[child] = size
        size += ends[child] + missing * (shares[child] > SMALL)
        ends[child] = size
    found, portions = np.empty(size, np.int64), np.empty(size)
    for place, case in enumerate(cases):
        only = _child_of(x[case], numeric, threshold)
        for child in range(children):
            if only == child or (only < 0 and shares[child] > SMALL):
                found[at[child]] = case
                portions[at[child]] = weights[place] * (1.0 if only == child else shares[child])
                at[child] += 1
    return ends, found, portions


@kernel
def grow(
    X: Floats,
    y: Indices,
    levels: Indices,
    order: Order,
    least: float,
    mdl: bool,
    tree: Tree,
    stack: tuple[Indices, Floats],
) -> int:
    """Fill the arrays of a tree before pruning, and return its number of nodes.

    X and ``order``, the cases by increasing value, are (columns, cases). ``stack`` has room for the
    cases and weights of the nodes to be split, the next node's at its end; 0 is returned if it is
    too small.
    """
    attribute, threshold, first, children, counts, empty = tree
    pool, portions = stack
    n, classes = y.size, counts.shape[1]
    width = 2
    for j in range(levels.size):
        width = max(width, levels[j])
    for case in range(n):
        pool[case], portions[case] = case, 1.0
    waiting, begins = np.zeros(attribute.size, np.int64), np.zeros(attribute.size, np.int64)
    weight_of, into, bags = np.zeros(n), np.zeros(n, np.int32), np.zeros((width, classes))
    nodes, used, left = 1, n, 1
    while left > 0:
        left -= 1
        node, begin = waiting[left], begins[left]
        cases, weights = pool[begin:used].copy(), portions[begin:used].copy()
        used = begin
        attribute[node] = -1
        most = 0.0
        for place, case in enumerate(cases):
            counts[node, y[case]] += weights[place]
            most = max(most, counts[node, y[case]])
        total = total_of(counts[node])
        empty[node] = total < SMALL
        if total < 2 * least - SMALL or total - most < SMALL:
            continue
        for place, case in enumerate(cases):
            weight_of[case] = weights[place]
        best, cut = _best_split(
            X, y, levels, order, cases, weights, weight_of, into, least, mdl, bags
        )
        for case in cases:
            weight_of[case] = 0
        if best < 0:
            continue
        many = max(levels[best], 2)
        ends, found, parts = distribute(X[best], levels[best] == 0, cut, many, cases, weights)
        if used + found.size > pool.size:
            return 0
        attribute[node], threshold[node] = best, cut
        first[node], children[node] = nodes, many
        for child in range(many):
            waiting[left] = nodes + child
            begins[left] = used + (ends[child - 1] if child else 0)
            left += 1
        for place in range(found.size):
            pool[used + place], portions[used + place] = found[place], parts[place]
        used += found.size
        nodes += many
    return nodes


@kernel
def probabilities(X: Floats, levels: Indices, tree: Tree, laplace: float) -> Floats:
    """The class probabilities of cases (cases, columns).

    A case with a missing value takes a weighted mean over the children that are not empty, and one
    that comes to an empty child the probabilities of its parent. After a branch has been raised, a
    leaf may be left without cases.
    """
    attribute, threshold, first, children, counts, empty = tree
    classes = counts.shape[1]
    found = np.zeros((X.shape[0], classes))
    waiting, portions = np.zeros(attribute.size, np.int64), np.zeros(attribute.size)
    for case in range(X.shape[0]):
        waiting[0], portions[0], left = 0, 1.0, 1
        while left > 0:
            left -= 1
            node, portion = waiting[left], portions[left]
            while attribute[node] >= 0:
                j = attribute[node]
                child = _child_of(X[case, j], levels[j] == 0, threshold[node])
                if child < 0 or empty[first[node] + child]:
                    break
                if laplace == 0 and total_of(counts[first[node] + child]) == 0:
                    break
                node = first[node] + child
            j = attribute[node]
            total = total_of(counts[node])
            if j >= 0 and np.isnan(X[case, j]) and total > 0:
                for child in range(first[node], first[node] + children[node]):
                    if not empty[child]:
                        waiting[left] = child
                        portions[left] = portion * total_of(counts[child]) / total
                        left += 1
            elif total + laplace > 0:
                for c in range(classes):
                    share = (counts[node, c] + laplace) / (total + laplace * classes)
                    found[case, c] += portion * share
        total = total_of(found[case])
        for c in range(classes):
            found[case, c] /= total
    return found
