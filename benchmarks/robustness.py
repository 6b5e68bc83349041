"""The figures that studies of robustness have to reach, as one JSON object on standard output.

    python -m benchmarks.robustness            all figures, a few minutes
    python -m benchmarks.robustness --quick    fewer lists and levels, to try changes
    python -m benchmarks.robustness --only noisy_lists

Ours and the peers take turns in one process. The peers are looped over a part of the lists, and
their time a list is multiplied.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from hmeasure import h_score
from sklearn.metrics import roc_auc_score

import metameasure as mm
from benchmarks.figures import OURS, Bar, Figure, faster, run
from benchmarks.timing import best_times
from metameasure.lab.perturbation.model_pairs import ReplacedScores
from metameasure.lab.perturbation.noise import ScoreNoise
from metameasure.lab.perturbation.robustness_study import robustness

if TYPE_CHECKING:
    from collections.abc import Callable

    from metameasure.lab.perturbation.robustness_study import Robustness

PACKAGES = ("numpy", "scipy", "numba", "joblib", "scikit-learn", "hmeasure", "metameasure")
PEERS = "one AUC of scikit-learn and one call of hmeasure a list"
SIX = "h_measure, auch, auc, scored_auc, ks, taks"
DATA = (
    "pairs of models as in Berrar (2014): 100 uniform scores, positive from 0.5 on; 10 replaced by "
    "uniform ones, for the worse model 20; uniform noise on the scores of each model"
)
NOISY = 10
"""Levels of noise of the first figure."""


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    lists: int = 100_000
    peers: int = 500
    levels: int = 101
    repeats: int = 10_000
    times: int = 5


FULL = Scale()
QUICK = Scale(20_000, 100, 11, 2000, 2)


def figure_5(levels: int, repeats: int, workers: int | None) -> Robustness:
    reaches = np.linspace(0, 0.5, levels)
    return robustness("replaced_scores", "scores", reaches, SIX, repeats, workers=workers)


def processor(work: Callable[[], object]) -> float:
    """The microseconds for which a processor was busy, which other programs disturb less."""
    begin = time.process_time()
    work()
    return 1e6 * (time.process_time() - begin)


def noisy_lists(scale: Scale) -> Figure:
    """Both models of every pair at every level are a list; without noise they are judged, too."""
    rng = np.random.default_rng(1)
    drawn = ReplacedScores().draw(scale.peers, rng)
    noise = ScoreNoise(clip=True)  # hmeasure refuses scores beyond [0, 1]

    def around_peers() -> list[tuple[float, float]]:
        noisy = noise(drawn, 0.25, rng)
        cases = zip(noisy.positive.astype(int), noisy.better, strict=True)
        return [(roc_auc_score(y, s), h_score(y, s, severity_ratio=1)) for y, s in cases]

    def ours(workers: int | None) -> Robustness:
        return figure_5(NOISY, scale.lists // (2 * NOISY), workers)

    noisy = noise(drawn, 0.25, np.random.default_rng(2))
    block = noisy.tables()
    for y, s, auc, h in zip(
        noisy.positive,
        noisy.better,
        mm.auc.compute(block)[0],
        mm.h_measure.compute(block)[0],
        strict=True,
    ):
        assert abs(roc_auc_score(y, s) - auc) < 1e-12
        assert abs(h_score(y.astype(int), s, severity_ratio=1) - h) < 1e-12
    works = {OURS: lambda: ours(None), f"{OURS}, one worker": lambda: ours(1), PEERS: around_peers}
    best = best_times(works, scale.times)
    best[PEERS] *= scale.lists / scale.peers
    micro = {name: 1e6 * seconds / scale.lists for name, seconds in best.items()}
    raw = {
        "lists": scale.lists,
        "looped": scale.peers,
        "microseconds_a_list": micro,
        "microseconds_of_processor_a_list": {
            f"{OURS}, one worker": processor(lambda: ours(1)) / scale.lists,
            PEERS: processor(around_peers) / scale.peers,
        },
    }
    return Figure(f"six measures on {scale.lists} noisy lists", [faster(best, PEERS, 300)], raw)


def berrar_figure_5(scale: Scale) -> Figure:
    figure_5(2, 2000, None)
    begin = time.perf_counter()
    found = figure_5(scale.levels, scale.repeats, None)
    seconds = time.perf_counter() - begin
    rates = {row.measure: row.error_rate for row in found.rows if row.level == 0.25}
    bar = Bar("seconds with a worker a core", "at most", 90, seconds)
    lists = 2 * scale.levels * scale.repeats
    raw = {
        "lists": lists,
        "microseconds_a_list": 1e6 * seconds / lists,
        "error_rates_at_50_percent": rates,
    }
    work = f"Berrar Fig. 5: {scale.levels} levels x {scale.repeats} pairs x six measures"
    return Figure(work, [bar], raw)


FIGURES: dict[str, Callable[[Scale], Figure]] = {
    "noisy_lists": noisy_lists,
    "berrar_figure_5": berrar_figure_5,
}


if __name__ == "__main__":
    run(FIGURES, FULL, QUICK, PACKAGES, __doc__, DATA)
