"""Record what Weka's learners predict, for tests/experiments/learners/test_golden_weka.py.

    pip install 'metameasure[weka]' && python tools/make_golden_learners.py

Needs Java. `tests/golden/learners` gets
    mixed.csv, nominal.csv   generated data sets: attributes with codes for levels, empty where a
                             value is missing, and the class; the header has the number of levels
                             of an attribute after its name (0 for a numeric one)
    LEARNER.csv              for each data set and test case (every third case; the others train)
                             the probabilities of the classes
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris, load_wine

from metameasure.experiments import (
    WekaIBk,
    WekaJ48,
    WekaKStar,
    WekaLogistic,
    WekaNaiveBayes,
    WekaSMO,
)

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "golden" / "learners"
LEARNERS = {
    "j48": (WekaJ48, ()),
    "j48_unpruned": (WekaJ48, ("-U",)),
    "j48_laplace": (WekaJ48, ("-U", "-A")),
    "c44": (WekaJ48, ("-U", "-O", "-A")),
    "j48_no_raising": (WekaJ48, ("-S", "-C", "0.1")),
    "naive_bayes": (WekaNaiveBayes, ()),
    "naive_bayes_kernel": (WekaNaiveBayes, ("-K",)),
    "naive_bayes_discretized": (WekaNaiveBayes, ("-D",)),
    "kstar": (WekaKStar, ()),
    "kstar_50": (WekaKStar, ("-B", "50")),
    "logistic": (WekaLogistic, ()),
    "ibk": (WekaIBk, ("-K", "3")),
    "smo": (WekaSMO, ("-M",)),
}
LEVELS = {"mixed": (0, 3, 0, 2, 5, 0), "nominal": (2, 3, 4, 6, 3, 2, 5)}


def generated(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Attributes that depend on the class, 8% of them missing, and classes."""
    rng = np.random.default_rng(20261117)
    levels = LEVELS[name]
    classes, cases = (2, 180) if name == "mixed" else (3, 210)
    y = rng.choice(classes, cases, p=[0.6, 0.4] if classes == 2 else [0.5, 0.3, 0.2])
    X = np.empty((cases, len(levels)))
    for column, count in enumerate(levels):
        if count:
            shares = rng.dirichlet(np.full(count, 0.8), classes)
            X[:, column] = [rng.choice(count, p=shares[c]) for c in y]
        else:
            X[:, column] = (rng.normal(y * 1.2, 1 + 0.5 * y) * 10 ** (column / 2)).round(2)
    X[rng.random(X.shape) < 0.08] = np.nan
    return X, y


def write_data(name: str) -> None:
    """The generated data set as a file."""
    X, y = generated(name)
    header = [f"a{column}:{count}" for column, count in enumerate(LEVELS[name])]
    with (FOLDER / f"{name}.csv").open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*header, "class"])
        for row, label in zip(X, y, strict=True):
            out.writerow([*("" if np.isnan(v) else f"{v:g}" for v in row), label])


def read_data(name: str) -> tuple[np.ndarray, np.ndarray, tuple[int, ...] | None]:
    """Attributes, classes and levels of a data set."""
    if name in LEVELS:
        rows = list(csv.reader((FOLDER / f"{name}.csv").open()))
        numbers = np.array([[float(v or "nan") for v in row] for row in rows[1:]])
        return numbers[:, :-1], numbers[:, -1].astype(int), LEVELS[name]
    data = {"iris": load_iris, "wine": load_wine}[name]()
    return data.data, data.target, None


def main() -> None:
    for name in LEVELS:
        write_data(name)
    for learner, (kind, options) in LEARNERS.items():
        with (FOLDER / f"{learner}.csv").open("w", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(["data", "case", "p0", "p1", "p2"])
            for name in ("iris", "wine", "mixed", "nominal"):
                X, y, levels = read_data(name)
                test = np.arange(len(y)) % 3 == 2
                model = kind(nominal=levels, options=options).fit(X[~test], y[~test])
                for case, row in zip(
                    np.flatnonzero(test), model.predict_proba(X[test]), strict=True
                ):
                    out.writerow([name, case, *(f"{p:.12g}" for p in row)])


if __name__ == "__main__":
    main()
