"""The figures of several classes and of orders, as one JSON object on standard output.

    python -m benchmarks.breadth            both figures, under a minute
    python -m benchmarks.breadth --quick    a tenth of the cases, to try changes

Ours, the peer and ``np.argsort`` take turns in one process, and the least time of each counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sklearn.metrics import roc_auc_score

import metameasure as mm
from benchmarks.figures import OURS, Bar, Figure, faster, run
from benchmarks.timing import best_times

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGES = ("numpy", "scipy", "numba", "scikit-learn", "metameasure")
SKLEARN, ARGSORT = "sklearn", "np.argsort"
DATA = "classes: uniform scores, the own class raised by 0.3, rows that add up to 1; orders: noisy"


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    cases: int = 10**5
    items: int = 10**6
    repeats: int = 7


FULL = Scale()
QUICK = Scale(10**4, 10**5, 3)


def hand_till(scale: Scale) -> Figure:
    rng, k = np.random.default_rng(1), 10
    code = rng.integers(0, k, scale.cases)
    scores = rng.random((scale.cases, k)) + 0.3 * np.eye(k)[code]
    scores /= scores.sum(axis=1, keepdims=True)
    works = {
        OURS: lambda: mm.hand_till_auc(code, scores),
        SKLEARN: lambda: roc_auc_score(code, scores, multi_class="ovo"),
    }
    apart = abs(works[OURS]() - works[SKLEARN]())
    best = best_times(works, scale.repeats)
    bars = [faster(best, SKLEARN, 10), Bar("difference from sklearn", "at most", 1e-12, apart)]
    raw = {"n": scale.cases, "classes": k, "seconds": best}
    return Figure(f"hand_till_auc, {k} classes, {scale.cases} cases", bars, raw)


def reversed_pairs(scale: Scale) -> Figure:
    rng = np.random.default_rng(2)
    true = rng.random(scale.items)
    predicted = true + rng.normal(size=scale.items)
    works = {
        OURS: lambda: mm.reversed_pairs(true, predicted),
        ARGSORT: lambda: np.argsort(predicted),
    }
    best = best_times(works, scale.repeats)
    bar = Bar("times np.argsort", "at most", 10, best[OURS] / best[ARGSORT])
    raw = {"n": scale.items, "seconds": best}
    return Figure(f"reversed_pairs of {scale.items} items", [bar], raw)


FIGURES: dict[str, Callable[[Scale], Figure]] = {
    "hand_till": hand_till,
    "reversed_pairs": reversed_pairs,
}


if __name__ == "__main__":
    run(FIGURES, FULL, QUICK, PACKAGES, __doc__, DATA)
