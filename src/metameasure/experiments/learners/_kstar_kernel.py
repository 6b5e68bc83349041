"""Transformation probabilities of K*, in numba; tests hold them to a slow oracle and to Weka."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from metameasure.experiments.learners._jit import inner, kernel

if TYPE_CHECKING:
    from metameasure._types import Floats, Indices

EDGE = 0.005
"""Distance of the search for s from 0, and for a nominal attribute from 1."""
STEPS = 40
"""Number of steps after which the search ends."""
TIED = 1e-5
"""Difference up to which two distances are equal."""


@inner
def _effective(distances: Floats, s: float) -> tuple[float, float]:
    """The effective number of cases, (Σp)² / Σp², and the mean p; missing distances are < 0."""
    known, total, squares = 0, 0.0, 0.0
    for distance in distances:
        if distance >= 0:
            p = s * np.exp(-2 * distance * s)
            known += 1
            total += p
            squares += p * p
    return (total * total / squares if squares > 0 else 0.0), total / known


@inner
def _nearest(distances: Floats) -> tuple[int, int, float]:
    """The numbers of known and of least distances, and the distance from these to the next."""
    known = nearest = 0
    least = following = np.inf
    for distance in distances:
        if distance >= 0:
            known += 1
            least = min(least, distance)
    for distance in distances:
        if distance >= 0:
            if distance - least < TIED:
                nearest += 1
            else:
                following = min(following, distance)
    return known, nearest, following - least


@inner
def _numeric_scale(distances: Floats, blend: float, accuracy: float) -> tuple[float, float]:
    """The scale s of a value and the mean probability: bisection, as Weka starts and ends it."""
    known, nearest, gap = _nearest(distances)
    if not gap < np.inf:
        return 1.0, 1.0
    aim = nearest + (known - nearest) * blend
    if blend == 0:
        aim += 1
    s = 1 / gap
    low, high = EDGE, 16 * s
    size, mean = _effective(distances, low)
    if size < aim:
        return low, mean
    size, mean = _effective(distances, high)
    if size > aim:
        return high, mean
    best, closest, closest_mean = s, np.inf, 1.0
    for _ in range(STEPS + 1):
        size, mean = _effective(distances, s)
        off = size - aim
        if abs(off) < closest:
            best, closest, closest_mean = s, abs(off), mean
        if abs(off) <= accuracy:
            break
        if off > 0:
            low = s
        else:
            high = s
        s = (low + high) / 2
    return best, closest_mean


@inner
def _nominal_effective(equal: float, known: float, levels: int, s: float) -> tuple[float, float]:
    """The effective number of cases and the mean probability of a level with ``equal`` cases."""
    other = (1 - s) / levels
    total = equal * (other + s) + (known - equal) * other
    squares = equal * (other + s) ** 2 + (known - equal) * other**2
    return (total * total / squares if squares > 0 else 0.0), total / known


@inner
def _nominal_stop(
    equal: float, known: float, levels: int, blend: float, accuracy: float
) -> tuple[float, float]:
    """The stop probability s of a level and the mean probability, by bisection."""
    if known == 0:
        return 1.0, 1.0
    aim = equal + (known - equal) * blend
    s = 1 - blend
    low, high = EDGE, 1 - EDGE
    size, mean = _nominal_effective(equal, known, levels, high)
    if mean == 0:
        return s, _nominal_effective(equal, known, levels, s)[1]
    if size > aim:
        return high, mean
    for _ in range(STEPS):
        size, mean = _nominal_effective(equal, known, levels, s)
        if abs(size - aim) <= accuracy:
            break
        if size > aim:
            low = s
        else:
            high = s
        s = (low + high) / 2
    return s, mean


@inner
def _moves(
    value: float,
    training: Floats,
    levels: int,
    blend: float,
    accuracy: float,
    distances: Floats,
    p: Floats,
) -> None:
    """The probabilities of moving from a value to each training value."""
    if levels == 0:
        for case in range(p.size):
            away = abs(training[case] - value)
            distances[case] = -1.0 if np.isnan(away) else away
        s, mean = _numeric_scale(distances, blend, accuracy)
        for case in range(p.size):
            away = distances[case]
            p[case] = mean if away < 0 else s * np.exp(-2 * away * s)
        return
    equal = known = 0.0
    for other in training:
        if not np.isnan(other):
            known += 1
            equal += other == value
    s, mean = _nominal_stop(equal, known, levels, blend, accuracy)
    for case in range(p.size):
        if np.isnan(training[case]):
            p[case] = mean
        else:
            p[case] = (1 - s) / levels + (s if training[case] == value else 0.0)


@kernel
def probabilities(
    X: Floats,
    order: Indices,
    training: Floats,
    y: Indices,
    levels: Indices,
    classes: int,
    blend: float,
    accuracy: float,
) -> Floats:
    """The class probabilities of cases (cases, columns); ``training`` is (columns, cases).

    ``order`` has, for each column, the cases by value, so that equal values share one search.
    """
    columns, n = training.shape
    cases = X.shape[0]
    found = np.zeros((cases, classes))
    distances, p, product = np.zeros(n), np.zeros(n), np.ones((cases, n))
    missing = np.zeros(cases)
    for j in range(columns):
        last = np.nan
        for place in range(cases):
            case = order[place, j]
            value = X[case, j]
            if np.isnan(value):
                missing[case] += 1
                continue
            if value != last:
                _moves(value, training[j], levels[j], blend, accuracy, distances, p)
                last = value
            power = (columns + 1) / (columns + 1 - missing[case])
            for other in range(n):
                product[case, other] *= p[other]
                if power > 1:
                    product[case, other] **= power
    for case in range(cases):
        total = 0.0
        for other in range(n):
            found[case, y[other]] += product[case, other]
            total += product[case, other]
        for c in range(classes):
            found[case, c] = found[case, c] / total if total > 0 else 1 / classes
    return found
