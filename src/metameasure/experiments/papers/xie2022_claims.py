"""Claims of Xie (2022)."""

from __future__ import annotations

from functools import partial

from metameasure.experiments.claims import ONLY_WHEN, Findings, Judgment, judgment
from metameasure.experiments.claims import claim as any_claim
from metameasure.experiments.declaration import published

claim = partial(any_claim, "xie2022")


@claim(
    "Sec. 2.2", "The number of points of a ROC curve is at most that of the cases.", "algorithm1"
)
def points_of_roc(found: Findings) -> Judgment:
    """The points of the example with eight cases."""
    points = len(found.column("xie2022/algorithm1", "FPR"))
    return judgment(points <= 8, f"{points} points of 8 cases (Xie 9)")


@claim("Sec. 2.6", "The AUC of a perfect ranking is 1, of a random one or a single score 1/2.",
       "algorithm2")  # fmt: skip
def ends_of_the_auc(found: Findings) -> Judgment:
    """The three areas."""
    areas = found.column("xie2022/algorithm2", "AUC")
    kinds = ("perfect classifier", "random classifier", "the same score for all")
    return judgment([areas[k] for k in kinds] == [1, 0.5, 0.5], "as computed")


@claim(
    "Sec. 2.4",
    "The value of any measure is read where its isometric meets the descending diagonal.",
    "section2.4",
)
def reading_on_the_diagonal(found: Findings) -> Judgment:
    """Values and readings of three measures."""
    values, readings = (found.column("xie2022/section2.4", name) for name in ("value", "reading"))
    right = [name for name in values if abs(values[name] - readings[name]) < 1e-9]
    listed = ", ".join(f"{name} {values[name]:.4f} reads {readings[name]:.4f}" for name in values)
    if right == ["accuracy"]:
        return Judgment(ONLY_WHEN, f"the measure is accuracy; {listed} (Xie 10)")
    return judgment(len(right) == len(values), listed)


def _as_printed(found: Findings, item: str, row: str, column: str) -> tuple[float, float]:
    """What the printed formula gives on the example, and the right value."""
    return published("xie2022", item)["", row, column].value, found.value(
        f"xie2022/{item}", row, column
    )


@claim("Sec. 1", "Precision is none of TPR, FPR, TNR and FNR.", "confusion")
def precision_is_another(found: Findings) -> Judgment:
    """The five values of the example."""
    values = found.column("xie2022/confusion", "value")
    names = ("Eq. 13, precision", "Eq. 3, TPR", "Eq. 4, FPR", "Eq. 5, TNR", "Eq. 6, FNR")
    shown = ", ".join(f"{name.partition(', ')[2]} {values[name]:.3f}" for name in names)
    return judgment(values[names[0]] not in [values[name] for name in names[1:]], shown)


@claim("Sec. 2.4, Eq. 19", "The skew-sensitive formula gives the accuracy.", "confusion")
def skew_accuracy(found: Findings) -> Judgment:
    """The printed formula on the example, and the accuracy."""
    printed, right = _as_printed(found, "confusion", "Eq. 19, skew-sensitive accuracy", "value")
    return judgment(
        abs(printed - right) < 1e-9, f"{printed:g} on the example, accuracy {right:g} (Xie 1)"
    )


@claim("Sec. 2.4, Eq. 20", "The formula with TPR, FPR and skew ratio gives the precision.",
       "confusion")  # fmt: skip
def skew_precision(found: Findings) -> Judgment:
    """Both formulas of precision."""
    values = found.column("xie2022/confusion", "value")
    by_rates, plain = values["Eq. 20, precision by rates"], values["Eq. 13, precision"]
    return judgment(abs(by_rates - plain) < 1e-9, f"{by_rates:.4f} and {plain:.4f} on the example")


@claim(
    "Sec. 2.4",
    "Accuracy and precision are constant on the printed lines.",
    "isometrics",
)
def isometric_lines(found: Findings) -> Judgment:
    """The TPR at FPR 0.1 on the printed lines, and where the measures have their value."""
    right = {}
    shown = []
    for row in found.column("xie2022/isometrics", "TPR"):
        printed, reached = _as_printed(found, "isometrics", row, "TPR")
        right[row.partition(" ")[0]] = abs(printed - reached) < 1e-6
        shown.append(f"{row}: printed line {printed:.4g}, right {reached:.4g}")
    reason = f"TPR at FPR 0.1, {'; '.join(shown)} (Xie 2)"
    where = [name for name, holds in right.items() if holds]
    if where and len(where) < len(right):
        return Judgment(ONLY_WHEN, f"the measure is {where[0]}; {reason}")
    return judgment(bool(where), reason)
