"""Naive Bayes on blocks of cross-validations, in numba; tests hold it to ``MixedNaiveBayes``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from metameasure.experiments.learners._jit import inner, kernel
from metameasure.experiments.learners.naive_bayes import DEFAULT_PRECISION, NO_SPREAD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from metameasure._types import Floats, Indices

ROOT_HALF = math.sqrt(0.5)
ROOT_TWO_PI = math.sqrt(2 * math.pi)


@kernel
def cross_validate(
    values: Floats,
    codes: NDArray[np.int32],
    distinct: Floats,
    levels: Indices,
    y: Indices,
    folds: Indices,
    parts: int,
    classes: int,
    most_levels: int,
    trained: NDArray[np.int32],
    tested: NDArray[np.int32],
    binned: bool,
    smoothing: Floats,
) -> Floats:
    """The class probabilities of all cases of each repeat: (repeats, cases, classes).

    ``values`` and their ``codes``, positions in ``distinct``, are (columns, cases), ``y`` is
    (repeats, parts, cases), ``trained`` and ``tested`` are (repeats, parts, cases, columns); of
    length 1 along an axis that does not matter.
    """
    repeats, n = folds.shape
    columns = values.shape[0]
    logs = np.zeros((repeats, n, classes))
    training, test = np.zeros(n, np.int64), np.zeros(n, np.int64)
    last_seen = np.zeros(distinct.shape, np.int64)
    table = np.zeros((most_levels, classes))
    for repeat in range(repeats):
        for part in range(parts):
            n_training = n_test = 0
            for case in range(n):
                if folds[repeat, case] == part:
                    test[n_test] = case
                    n_test += 1
                else:
                    training[n_training] = case
                    n_training += 1
            labels = y[repeat % y.shape[0], part % y.shape[1]]
            to = trained[repeat % trained.shape[0], part % trained.shape[1]]
            at = tested[repeat % tested.shape[0], 0]
            found = logs[repeat]
            _add_prior(labels, training[:n_training], test[:n_test], smoothing, found)
            for j in range(columns):
                if levels[j]:
                    _add_nominal(
                        *(codes[j], to[:, j], at[:, j], labels, training[:n_training]),
                        *(test[:n_test], smoothing, table[: levels[j]], found),
                    )
                else:
                    _add_numeric(
                        *(values[j], codes[j], distinct[j], to[:, j], at[:, j], labels),
                        *(training[:n_training], test[:n_test], binned, smoothing),
                        *(last_seen[j], 1 + repeat * parts + part, found),
                    )
        _normalize(logs[repeat])
    return logs


@inner
def _add_prior(
    labels: Indices, training: Indices, test: Indices, smoothing: Floats, logs: Floats
) -> None:
    counts = np.zeros(logs.shape[1])
    for case in training:
        counts[labels[case]] += 1
    total = training.size + smoothing[1] * counts.size
    for case in test:
        for c in range(counts.size):
            logs[case, c] = np.log((counts[c] + smoothing[1]) / total)


@inner
def _log(probability: float, smoothing: Floats) -> float:
    return math.log(probability if probability > smoothing[2] else smoothing[3])


@inner
def _add_nominal(
    codes: NDArray[np.int32],
    to: NDArray[np.int32],
    at: NDArray[np.int32],
    labels: Indices,
    training: Indices,
    test: Indices,
    smoothing: Floats,
    table: Floats,
    logs: Floats,
) -> None:
    for level in range(table.shape[0]):
        for c in range(table.shape[1]):
            table[level, c] = smoothing[0]
    for case in training:
        code = codes[to[case]]
        if code >= 0:
            table[code, labels[case]] += 1
    for c in range(table.shape[1]):
        total = 0.0
        for level in range(table.shape[0]):
            total += table[level, c]
        for level in range(table.shape[0]):
            table[level, c] = _log(table[level, c] / total, smoothing)
    for case in test:
        code = codes[at[case]]
        if code >= 0:
            for c in range(table.shape[1]):
                logs[case, c] += table[code, c]


@inner
def _precision(
    distinct: Floats,
    codes: NDArray[np.int32],
    to: NDArray[np.int32],
    training: Indices,
    last_seen: Indices,
    fit: int,
) -> float:
    """The mean distance between adjacent distinct training values, added in order."""
    for case in training:
        code = codes[to[case]]
        if code >= 0:
            last_seen[code] = fit
    count, total, last = 0, 0.0, 0.0
    for code in range(distinct.size):
        if last_seen[code] == fit:
            if count:
                total += distinct[code] - last
            last = distinct[code]
            count += 1
    return total / (count - 1) if count > 1 else DEFAULT_PRECISION


@inner
def _moments(
    values: Floats,
    to: NDArray[np.int32],
    labels: Indices,
    training: Indices,
    precision: float,
    smoothing: Floats,
    mean: Floats,
    std: Floats,
) -> None:
    """The means and standard deviations of the classes; a precision of 0 for normal densities."""
    binned = precision > 0
    counts = np.zeros(mean.size)
    rounded = np.zeros(training.size)
    for place, case in enumerate(training):
        value = values[to[case]]
        if binned:
            value = np.rint(value / precision) * precision
        rounded[place] = value
        if not np.isnan(value):
            counts[labels[case]] += 1
            mean[labels[case]] += value
    for c in range(mean.size):
        if counts[c] or not binned:
            mean[c] /= counts[c]
    for place, case in enumerate(training):
        if not np.isnan(rounded[place]):
            std[labels[case]] += (rounded[place] - mean[labels[case]]) ** 2
    for c in range(mean.size):
        std[c] = np.sqrt(std[c] / (counts[c] - smoothing[5]))
        if binned:
            std[c] = max(std[c], precision / 6) if std[c] > NO_SPREAD else precision / 6
        elif not std[c] > smoothing[2]:
            std[c] = smoothing[4]


@inner
def _add_numeric(
    values: Floats,
    codes: NDArray[np.int32],
    distinct: Floats,
    to: NDArray[np.int32],
    at: NDArray[np.int32],
    labels: Indices,
    training: Indices,
    test: Indices,
    binned: bool,
    smoothing: Floats,
    last_seen: Indices,
    fit: int,
    logs: Floats,
) -> None:
    classes = logs.shape[1]
    precision = _precision(distinct, codes, to, training, last_seen, fit) if binned else 0.0
    mean, std = np.zeros(classes), np.zeros(classes)
    _moments(values, to, labels, training, precision, smoothing, mean, std)
    for case in test:
        value = values[at[case]]
        if np.isnan(value):
            continue
        if binned:
            value = np.rint(value / precision) * precision
        for c in range(classes):
            if binned:
                away = value - mean[c]
                high = _normal_cdf((away + precision / 2) / std[c])
                probability = high - _normal_cdf((away - precision / 2) / std[c])
            else:
                z = (value - mean[c]) / std[c]
                probability = np.exp(-z * z / 2) / (std[c] * ROOT_TWO_PI)
            logs[case, c] += _log(probability, smoothing)


@inner
def _normal_cdf(z: float) -> float:
    """The distribution function of the normal, accurate in the lower tail."""
    x = z * ROOT_HALF
    if abs(x) < 1:
        return 0.5 + 0.5 * math.erf(x)
    tail = 0.5 * math.erfc(abs(x))
    return 1 - tail if x > 0 else tail


@inner
def _normalize(logs: Floats) -> None:
    """Replace the logarithms of each row by probabilities."""
    for case in range(logs.shape[0]):
        row = logs[case]
        most, total = row[0], 0.0
        for c in range(row.size):
            most = max(most, row[c])
        for c in range(row.size):
            row[c] = np.exp(row[c] - most)
            total += row[c]
        for c in range(row.size):
            row[c] /= total
