"""The cases of the benchmarks: 30% positive, float64 scores in (0, 1) without ties."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Labels = NDArray[np.int64]
    Floats = NDArray[np.float64]

SEED = 20_240_601
POSITIVE = 0.3
DESCRIPTION = (
    "int64 labels, exactly 30% ones; float64 scores without ties: the true probability of a "
    "positive when a normal variable has mean 0 in one class and 1 in the other (AUC 0.76)"
)


def make(n: int, seed: int = SEED) -> tuple[Labels, Floats]:
    """Labels in random order and their scores; drawn again in the rare case of a tie."""
    rng = np.random.default_rng(seed)
    labels = np.zeros(n, dtype=np.int64)
    labels[: round(POSITIVE * n)] = 1
    rng.shuffle(labels)
    while True:
        evidence = rng.normal(size=n) + labels - 0.5 + np.log(POSITIVE / (1 - POSITIVE))
        score = 1 / (1 + np.exp(-evidence))
        if np.unique(score).size == n:
            return labels, score
