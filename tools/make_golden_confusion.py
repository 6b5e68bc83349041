"""Record what PyCM says about confusion matrices, for tests/evaluation/test_golden_confusion.py.

    pip install pycm && python tools/make_golden_confusion.py

`tests/golden/confusion.json` has, beside the version and the matrices (rows are true classes):

- ``classes``: a statistic of each class against the rest, with its plain mean over the classes and
  that by their true cases, both without the classes for which PyCM has no value;
- ``overall``: the statistics of the whole matrix, and the macro and micro averages among them;
- ``differ``: where PyCM has no value though the definition has one, or has lost digits, and why.

Null stands for PyCM's word 'None'. What is null and not under ``differ`` is 0/0.
"""

from __future__ import annotations

import json
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pycm import ConfusionMatrix

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = Path(__file__).resolve().parent.parent / "tests" / "golden" / "confusion.json"

OF_A_CLASS = {
    "accuracy": "ACC",
    "error_rate": "ERR",
    "balanced_accuracy": "AUC",
    "tpr": "TPR",
    "fpr": "FPR",
    "tnr": "TNR",
    "fnr": "FNR",
    "precision": "PPV",
    "npv": "NPV",
    "fdr": "FDR",
    "false_omission_rate": "FOR",
    "lr_plus": "PLR",
    "lr_minus": "NLR",
    "diagnostic_odds_ratio": "DOR",
    "f_measure": "F1",
    "f_measure(beta=2)": "F2",
    "f_measure(beta=0.5)": "F0.5",
    "jaccard": "J",
    "mcc": "MCC",
    "youden_j": "BM",
    "g_mean": "GM",
    "lift": "LS",
}
OF_ALL_CLASSES = {
    ("accuracy", "overall"): "Overall ACC",
    ("error_rate", "overall"): "Hamming Loss",
    ("kappa", "overall"): "Kappa",
    ("mcc", "overall"): "Overall MCC",
    ("tpr", "micro"): "TPR Micro",
    ("fpr", "micro"): "FPR Micro",
    ("tnr", "micro"): "TNR Micro",
    ("fnr", "micro"): "FNR Micro",
    ("precision", "micro"): "PPV Micro",
    ("npv", "micro"): "NPV Micro",
    ("f_measure", "micro"): "F1 Micro",
    ("accuracy", "macro"): "ACC Macro",
    ("tpr", "macro"): "TPR Macro",
    ("fpr", "macro"): "FPR Macro",
    ("tnr", "macro"): "TNR Macro",
    ("fnr", "macro"): "FNR Macro",
    ("precision", "macro"): "PPV Macro",
    ("npv", "macro"): "NPV Macro",
    ("f_measure", "macro"): "F1 Macro",
    ("balanced_accuracy", "macro"): "AUNU",
    ("balanced_accuracy", "weighted"): "AUNP",
}

INFINITE = (
    "the denominator alone is 0, so the value is infinite: the best or the worst, not missing"
)
BY_RATIOS = (
    "tp tn / (fp fn) is 0, as tn is 0; PyCM divides PLR by NLR, and the latter has no value there"
)
LEFT_OUT = "a class has an infinite value, and so has the mean; PyCM leaves the class out"
ONE_IS_MISSING = (
    "a class has no value, and then PyCM has no average; the mean over the classes that have one "
    "is that of its own average(none_omit=True)"
)
LOST_DIGITS = "taken as 1 less a number near 1: a digit is lost for every nine it begins with"

Counts = list[list[int]]
Cut = tuple[Any, Any, Any, Any]
Record = dict[str, Any]


# --- matrices


def make_matrices() -> dict[str, Counts]:
    """The matrices by name; the last two come from a fixed seed."""
    rng = np.random.default_rng(46)
    five = rng.poisson(3, size=(5, 5)) + np.diag(rng.poisson(12, size=5))
    many = rng.integers(0, 900, size=(5, 5)) + np.diag(rng.integers(500, 60000, size=5))
    return {
        "binary": [[50, 10], [5, 35]],
        "imbalanced": [[940, 23], [11, 26]],
        "independent": [[6, 9], [4, 6]],
        "perfect": [[7, 0], [0, 5]],
        "all_wrong": [[0, 4], [6, 0]],
        "one_side": [[0, 4], [0, 6]],
        "one_class": [[9, 0], [0, 0]],
        "three": [[13, 2, 1], [3, 9, 4], [0, 5, 20]],
        "never_predicted": [[3, 0, 1], [2, 0, 2], [1, 0, 6]],
        "never_true": [[4, 1, 2], [2, 5, 1], [0, 0, 0]],
        "absent": [[4, 1, 0], [2, 5, 0], [0, 0, 0]],
        "never_wrong": [[8, 0, 0], [0, 5, 2], [0, 3, 6]],
        "always_predicted": [[0, 3, 0], [0, 4, 0], [0, 2, 0]],
        "five": five.tolist(),
        "five_large": many.tolist(),
    }


def make_weighted() -> Record:
    """Cases with weights that are exact in binary."""
    rng = np.random.default_rng(64)
    true = rng.integers(0, 3, size=40)
    predicted = np.where(rng.random(40) < 0.6, true, rng.integers(0, 3, size=40))
    weight = rng.integers(1, 12, size=40) / 4
    return {"true": true.tolist(), "predicted": predicted.tolist(), "weight": weight.tolist()}


def cut_of(cm: ConfusionMatrix, label: int) -> Cut:
    """The true positives, false positives, false negatives and true negatives of a class."""
    return cm.TP[label], cm.FP[label], cm.FN[label], cm.TN[label]


# --- what PyCM says


def number(value: Any) -> float | None:
    """A number, or None for the word 'None'."""
    return None if isinstance(value, str) else float(value)


def kappas(cm: ConfusionMatrix) -> list[float | None]:
    """Kappa of each class against the rest, which PyCM has only as that of a binary matrix."""
    found = []
    for label in cm.classes:
        tp, fp, fn, tn = cut_of(cm, label)
        pair = ConfusionMatrix(matrix=[[tn, fp], [fn, tp]], classes=[0, 1])
        found.append(number(pair.Kappa))
    return found


def class_records(name: str, cm: ConfusionMatrix) -> Iterator[Record]:
    for measure, statistic in OF_A_CLASS.items():
        yield {
            "matrix": name,
            "measure": measure,
            "statistic": statistic,
            "classes": [number(cm.class_stat[statistic][label]) for label in cm.classes],
            "macro": number(cm.average(statistic, none_omit=True)),
            "weighted": number(cm.weighted_average(statistic, none_omit=True)),
        }


def kappa_record(name: str, cm: ConfusionMatrix) -> Record:
    return {"matrix": name, "measure": "kappa", "statistic": "Kappa", "classes": kappas(cm)}


def overall_records(name: str, cm: ConfusionMatrix) -> Iterator[Record]:
    for (measure, average), statistic in OF_ALL_CLASSES.items():
        yield {
            "matrix": name,
            "measure": measure,
            "average": average,
            "statistic": statistic,
            "value": number(cm.overall_stat[statistic]),
        }


# --- where it differs


def reason(statistic: str, cut: Cut) -> str | None:
    """Why a statistic has a value where PyCM has none; None if it is 0/0."""
    tp, fp, fn, tn = cut
    if not (tp + fn and fp + tn):
        return None
    above, below = {
        "PLR": (tp, fp),
        "NLR": (fn, tn),
        "DOR": (tp * tn, fp * fn),
    }.get(statistic, (0, 0))
    if below:
        return BY_RATIOS
    return INFINITE if above else None


def class_differences(record: Record, cm: ConfusionMatrix) -> Iterator[Record]:
    """The classes that have a value all the same, and the averages over them."""
    statistic, why = record["statistic"], []
    for label, value in zip(cm.classes, record["classes"], strict=True):
        why.append(reason(statistic, cut_of(cm, label)) if value is None else None)
        if why[-1]:
            yield {**place(record), "label": label, "value": None, "why": why[-1]}
    if any(why):
        for average in ("macro", "weighted"):
            left_out = LEFT_OUT if INFINITE in why else BY_RATIOS
            yield {
                **place(record),
                "average": average,
                "value": record[average],
                "why": left_out,
            }


def overall_differences(record: Record, cm: ConfusionMatrix) -> Iterator[Record]:
    """Averages that PyCM has not, as one class has no value."""
    if record["value"] is None and record["average"] in {"macro", "weighted"}:
        statistic = OF_A_CLASS[record["measure"]]
        if number(cm.average(statistic, none_omit=True)) is not None:
            found = {"average": record["average"], "value": None, "why": ONE_IS_MISSING}
            yield place(record) | found


def place(record: Record) -> Record:
    return {key: record[key] for key in ("matrix", "measure", "statistic")}


def lost_digits(name: str, cm: ConfusionMatrix, label: int) -> Iterator[Record]:
    """Shares of what is rare, which are right to fewer than nine digits."""
    tp, fp, fn, tn = cut_of(cm, label)
    exact = {
        "fpr": Fraction(fp, fp + tn),
        "false_omission_rate": Fraction(fn, fn + tn),
        "error_rate": Fraction(fp + fn, tp + fp + fn + tn),
        "lr_plus": Fraction(tp, tp + fn) / Fraction(fp, fp + tn),
    }
    for measure, value in exact.items():
        statistic = OF_A_CLASS[measure]
        found = cm.class_stat[statistic][label]
        if abs(Fraction(found) / value - 1) > 1e-9:
            yield {
                "matrix": name,
                "measure": measure,
                "statistic": statistic,
                "label": label,
                "value": found,
                "why": LOST_DIGITS,
            }


def collect(read: dict[str, ConfusionMatrix]) -> dict[str, list[Record]]:
    classes, overall, differ = [], [], []
    for name, cm in read.items():
        of_classes = list(class_records(name, cm))
        of_all = list(overall_records(name, cm))
        differ += [d for record in of_classes for d in class_differences(record, cm)]
        differ += [d for record in of_all for d in overall_differences(record, cm)]
        classes += of_classes
        overall += of_all
    return {"classes": classes, "overall": overall, "differ": differ}


def write_json(path: Path, content: dict[str, Any]) -> None:
    """One record per line, so that a change shows as a few lines."""
    parts = []
    for name, part in content.items():
        if isinstance(part, list):
            lines = ",\n".join(json.dumps(item, allow_nan=False) for item in part)
            parts.append(f"{json.dumps(name)}: [\n{lines}\n]")
        else:
            parts.append(f"{json.dumps(name)}: {json.dumps(part)}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def main() -> None:
    matrices = make_matrices()
    read = {
        name: ConfusionMatrix(matrix=counts, classes=list(range(len(counts))))
        for name, counts in matrices.items()
    }
    weighted = make_weighted()
    cm = ConfusionMatrix(
        weighted["true"], weighted["predicted"], sample_weight=weighted["weight"], classes=[0, 1, 2]
    )
    found = collect({**read, "weighted": cm})
    # A binary matrix of whole numbers is what PyCM takes, so that kappa is left without weights.
    found["classes"] += [kappa_record(name, each) for name, each in read.items()]
    matrices["weighted"] = cm.to_array().tolist()
    matrices["rare"] = [[299_999_999, 1], [2, 8]]
    rare = ConfusionMatrix(matrix=matrices["rare"], classes=[0, 1])
    found["differ"] += lost_digits("rare", rare, 1)
    write_json(
        FILE,
        {
            "versions": {"pycm": version("pycm")},
            "matrices": [{"name": name, "counts": counts} for name, counts in matrices.items()],
            "weighted": weighted,
            **found,
        },
    )


if __name__ == "__main__":
    main()
