"""Measures are called with their own parameters, and passed on as values."""

from collections.abc import Callable  # noqa: TC003
from typing import Any

import numpy as np
from numpy.typing import NDArray

import metameasure as mm

Y = np.array([1, 0, 1, 0, 1])
S = np.array([0.9, 0.5, 0.5, 0.2, 0.1])


def best(measures: list[mm.Measure], labels: NDArray[Any], scores: NDArray[Any]) -> str:
    """The name of the measure with the largest value."""
    return max(measures, key=lambda measure: measure.value(mm.tabulate(labels, scores))).name


@mm.measure
def weight_of_positives(table: mm.ScoreTable) -> Any:
    """The weight of the positives."""
    return table.P


@mm.measure(
    at=0.5,
    range=(0, 1),
    parameters={"scale": mm.Real(0, 1), "bins": mm.Whole(1), "kind": mm.Choice(("a", "b"))},
    sampling=mm.Share(lambda cut: (cut.tp, cut.tp + cut.fp)),
)
def scaled_precision(cut: mm.Cut, scale: float = 1.0, bins: int = 1, kind: str = "a") -> Any:
    """The precision times a constant."""
    return scale * cut.tp / (cut.tp + cut.fp)


def main() -> list[float]:
    """Call measures in all typed ways."""
    found: list[float] = [
        mm.auc(Y, S),
        mm.f_measure(Y, S, beta=2, top=0.4, sample_weight=[1, 2, 1, 1, 1]),
        mm.partial_auc(Y, S, fpr=(0, 0.2), standardized=True),
        mm.average_precision(Y, S, interpolation="step"),
        mm.roc_auc_score(Y, S, nan_policy="drop"),
        mm.f_measure.using(beta=2)(Y, S),
        mm.roc(Y, S).area(),
        mm.precision_recall(Y, S, interpolation="step").area(),
        weight_of_positives(Y, S),
        scaled_precision(Y, S, scale=0.5),
    ]
    name: str = mm.auc.name
    assert best([mm.auc, mm.brier, mm.parse("ks")], Y, S) in {"brier", "ks", name}
    wrongly: list[Callable[[], float]] = [
        lambda: mm.auc(Y, S, beta=2),  # type: ignore[call-arg]
        lambda: mm.average_precision(Y, S, interpolation="spline"),  # type: ignore[arg-type]
        lambda: mm.auc(Y, S, nan_policy="omit"),  # type: ignore[arg-type]
    ]
    for wrong in wrongly:
        try:
            wrong()
        except mm.ParameterError:
            continue
        raise AssertionError
    return found
