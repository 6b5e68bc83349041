"""Items of Xie (2022), measures in ROC space.

The paper prints formulas and algorithms without numbers. So the "printed" values of these items are
what the printed formulas give on an example, which the transcriber's notes state.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import metameasure as mm
from metameasure.experiments.declaration import Value, item
from metameasure.experiments.tolerance import LastDigit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

exact = partial(
    item, "xie2022", kind="exact", derived=True, tolerance=LastDigit(), cells=[{}], cost=0.1
)
MATRIX = [[24.0, 6.0], [2.0, 8.0]]
"""The example of the equations: true negatives, false positives; false negatives, true positives.
"""
EQUATIONS = {
    "Eq. 2, error rate": "error_rate",
    "Eq. 3, TPR": "tpr",
    "Eq. 4, FPR": "fpr",
    "Eq. 5, TNR": "tnr",
    "Eq. 6, FNR": "fnr",
    "Eq. 7, type I error": "type_1_error",
    "Eq. 8, type II error": "type_2_error",
    "Eq. 9, sensitivity": "sensitivity",
    "Eq. 10, specificity": "specificity",
    "Eq. 11, LR+": "lr_plus",
    "Eq. 12, LR-": "lr_minus",
    "Eq. 13, precision": "precision",
    "Sec. 1, NPV": "npv",
    "Sec. 1, FDR": "fdr",
    "Eq. 14, recall": "recall",
    "Eq. 15, F with alpha 3": "f_measure(alpha=3)",
    "Eq. 15, F1": "f1",
    "Eq. 19, skew-sensitive accuracy": "skew_accuracy",
    "Eq. 20, precision by rates": "skew_precision",
}
FORMULAS = "the paper prints no numbers: shown are the values of the printed formulas on an example"


@exact(
    "confusion",
    question="What do the equations of a confusion matrix give?",
    convention=FORMULAS + ", tp 8, fn 2, fp 6, tn 24",
    errata={("", "Eq. 19, skew-sensitive accuracy", "value"): "Xie 1"},
)
def confusion() -> Iterator[Value]:
    """Every measure of a confusion matrix."""
    matrix = mm.ConfusionMatrix(MATRIX, labels=[0, 1])
    for row, measure in EQUATIONS.items():
        yield Value(row, "value", matrix.measure(measure))


RETRIEVED = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
"""The example of a retrieved list: its relevant documents, the best first."""


@exact(
    "retrieval",
    question="What do precision at k and the kinds of average precision give?",
    convention=FORMULAS + ", the list ++-+--+---",
)
def retrieval() -> Iterator[Value]:
    """Precision at k, average precision (Eq. 16), and interpolated precision (Eq. 17)."""
    scores = range(len(RETRIEVED), 0, -1)
    for k in range(1, len(RETRIEVED) + 1):
        yield Value(f"precision at {k}", "value", mm.precision(RETRIEVED, scores, k=k))
    for row, shape in (("Eq. 16", "step"), ("Eq. 17", "max"), ("11 points", "11_point")):
        measure = mm.parse(f"average_precision(interpolation={shape})")
        yield Value(f"average precision, {row}", "value", measure(RETRIEVED, scores))


FEW = [1, 0, 1, 0, 0, 0, 0, 0]
"""The example of the algorithms: 2 positives and 6 negatives, the best first."""


@exact(
    "algorithm1",
    question="Which points does the algorithm of the ROC curve find?",
    convention=FORMULAS + ", the list +-+-----; a row is a point",
)
def algorithm_1() -> Iterator[Value]:
    """The points of the ROC curve."""
    table = mm.tabulate(FEW, range(len(FEW), 0, -1))
    for number, (fpr, tpr) in enumerate(zip(table.fpr, table.tpr, strict=True), 1):
        yield Value(str(number), "FPR", fpr)
        yield Value(str(number), "TPR", tpr)


@exact(
    "algorithm2",
    question="Which area under the ROC curve do the algorithm and the rank sum give?",
    convention=FORMULAS + ", the list +-+-----",
    errata={
        ("", "Algorithm 2", "AUC"): "Xie 3",
        ("", "Eq. 21, rank sum", "AUC"): "Xie 4",
    },
)
def algorithm_2() -> Iterator[Value]:
    """The area, and what the text states of perfect and of random classifiers."""
    scores = range(len(FEW), 0, -1)
    auc = mm.auc(FEW, scores)
    yield Value("Algorithm 2", "AUC", auc)
    yield Value("Eq. 21, rank sum", "AUC", auc)
    yield Value("(Gini + 1)/2", "AUC", (mm.gini(FEW, scores) + 1) / 2)
    yield Value("perfect classifier", "AUC", mm.auc([1, 1, 0, 0], [4, 3, 2, 1]))
    yield Value("random classifier", "AUC", mm.auc([1, 0, 1, 0], [2, 2, 1, 1]))
    yield Value("the same score for all", "AUC", mm.auc([1, 0, 0], [0.5] * 3))


@exact(
    "isometrics",
    question="Where do lines of equal accuracy and precision lie?",
    convention=FORMULAS + ": the TPR at FPR 0.1 for three negatives per positive",
    errata={("", "accuracy 0.7", "TPR"): "Xie 2"},
)
def isometrics() -> Iterator[Value]:
    """The TPR at which a measure reaches its value, found on the library's measure."""
    yield Value("accuracy 0.7", "TPR", _reaching("skew_accuracy(r=3)", 0.7))
    yield Value("precision 0.5", "TPR", _reaching("skew_precision(r=3)", 0.5))


def _rates(tpr: float, fpr: float, negatives: float = 1.0) -> mm.ConfusionMatrix:
    """A confusion matrix with these rates and one positive."""
    counts = [[negatives * (1 - fpr), negatives * fpr], [1 - tpr, tpr]]
    return mm.ConfusionMatrix(counts, labels=[0, 1])


def _where(reaches: Callable[[float], bool]) -> float:
    """The rate from which on a condition holds, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return (low + high) / 2


def _reaching(measure: str, goal: float, fpr: float = 0.1) -> float:
    """The TPR at which a measure that rises with it has a value."""
    return _where(lambda tpr: _rates(tpr, fpr).measure(measure) >= goal)


@exact(
    "section2.4",
    question="Is the value of a measure read where its isometric meets the descending diagonal?",
    convention="three negatives per positive, TPR 0.8 and FPR 0.3; nothing is printed",
)
def section_2_4() -> Iterator[Value]:
    """The value of a measure at a point, and the TPR at which its isometric has TPR = 1 - FPR."""
    for row, measure in (("accuracy", "accuracy"), ("precision", "precision"), ("F1", "f1")):
        goal = _rates(0.8, 0.3, 3).measure(measure)
        yield Value(row, "value", goal)
        yield Value(row, "reading", _where(partial(_beyond, measure, goal)))


def _beyond(measure: str, goal: float, tpr: float) -> bool:
    """Whether a point of the descending diagonal reaches a value of a measure."""
    return bool(_rates(tpr, 1 - tpr, 3).measure(measure) >= goal)
