"""The figure that the confusion matrix has to reach, as one JSON object on standard output.

    python -m benchmarks.confusion            half a minute
    python -m benchmarks.confusion --quick    a tenth of the cases, to try changes

Ours and the peer take turns in one process on the same arrays, and the least time of each counts.
"""

from __future__ import annotations

import tracemalloc
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sklearn.metrics import confusion_matrix

from benchmarks.figures import OURS, Bar, Figure, faster, run
from benchmarks.timing import best_times
from metameasure.evaluation.confusion import ConfusionMatrix

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGES = ("numpy", "scikit-learn", "metameasure")
SKLEARN = "sklearn"
CLASSES, RIGHT, SEED = 1000, 0.7, 20_240_601


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    cases: int = 10**7
    repeats: int = 3


FULL = Scale()
QUICK = Scale(10**6, 3)


def matrix_of_many_classes(scale: Scale) -> Figure:
    rng = np.random.default_rng(SEED)
    true = rng.integers(0, CLASSES, scale.cases)
    guess = rng.integers(0, CLASSES, scale.cases)
    predicted = np.where(rng.random(scale.cases) < RIGHT, true, guess)
    assert np.array_equal(
        ConfusionMatrix.of(true, predicted).counts, confusion_matrix(true, predicted)
    )
    works = {
        OURS: lambda: ConfusionMatrix.of(true, predicted),
        SKLEARN: lambda: confusion_matrix(true, predicted),
    }
    best = best_times(works, scale.repeats)
    tracemalloc.start()
    works[OURS]()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    bars = [
        faster(best, SKLEARN, 5),
        Bar("peak traced memory, times a column", "at most", 1, peak / true.nbytes),
    ]
    raw = {"n": scale.cases, "classes": CLASSES, "seconds": best, "traced_bytes": peak}
    return Figure(f"k x k confusion matrix, {CLASSES} classes, {scale.cases} cases", bars, raw)


FIGURES: dict[str, Callable[[Scale], Figure]] = {"matrix_of_many_classes": matrix_of_many_classes}


if __name__ == "__main__":
    run(FIGURES, FULL, QUICK, PACKAGES, __doc__)
