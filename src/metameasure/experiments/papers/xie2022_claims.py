"""Claims of Xie (2022)."""

from __future__ import annotations

from functools import partial

from metameasure.experiments.claims import ONLY_WHEN, Findings, Judgment, judgment
from metameasure.experiments.claims import claim as any_claim

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
