"""Data sets for the tests of learners: generated ones, and those of the golden files."""

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris, load_wine

GOLDEN = Path(__file__).parent / "golden" / "learners"


def small(seed, cases=36, classes=None):
    """Attributes, classes, levels and test cases: small, with ties, missing values, noise."""
    rng = np.random.default_rng(seed)
    classes = classes or int(rng.integers(2, 4))
    levels = tuple(int(n) for n in rng.choice([0, 0, 2, 3, 5], int(rng.integers(2, 6))))
    y = np.append(np.arange(classes), rng.integers(0, classes, cases - classes))
    X = np.empty((2 * cases, len(levels)))
    labels = np.append(y, rng.integers(0, classes, cases))
    for column, count in enumerate(levels):
        if count:
            noise = rng.random(2 * cases) < 0.5
            X[:, column] = np.where(noise, rng.integers(0, count, 2 * cases), labels % count)
        else:
            X[:, column] = rng.normal(labels, 1, 2 * cases).round(1) + 0.0
    X[rng.random(X.shape) < 0.1 * (seed % 3)] = np.nan
    return X[:cases], y, levels, X[cases:]


def as_lists(X):
    """Cases as lists, with None where a value is missing."""
    return [[None if np.isnan(v) else v for v in row] for row in X.tolist()]


def golden_data(name):
    """Attributes, classes and levels of a data set of the golden files."""
    if name in {"iris", "wine"}:
        data = {"iris": load_iris, "wine": load_wine}[name]()
        return data.data, data.target, None
    with (GOLDEN / f"{name}.csv").open() as file:
        header, *rows = csv.reader(file)
    numbers = np.array([[float(value or "nan") for value in row] for row in rows])
    levels = tuple(int(name.split(":")[1]) for name in header[:-1])
    return numbers[:, :-1], numbers[:, -1].astype(int), levels


def golden_probabilities(learner):
    """For each data set, the probabilities that Weka gives every third case."""
    found = {}
    with (GOLDEN / f"{learner}.csv").open() as file:
        for name, _, *probabilities in list(csv.reader(file))[1:]:
            found.setdefault(name, []).append([float(p) for p in probabilities])
    return {name: np.array(rows) for name, rows in found.items()}


def trained_and_tested(make, name):
    """The probabilities that a learner trained on two thirds of a data set gives the others."""
    X, y, levels = golden_data(name)
    test = np.arange(y.size) % 3 == 2
    return make(levels).fit(X[~test], y[~test]).predict_proba(X[test])
