"""The cost of a measure as evaluation function of LightGBM, as one JSON object.

    python -m benchmarks.boosting            some minutes
    python -m benchmarks.boosting --quick    fewer rounds, to try changes

The same model is trained with LightGBM's own AUC and with each measure on the same validation
cases; the runs take turns in one process, and the least time of each counts. Time is that of the
processor, and LightGBM has one thread: with several, they wait for each other by spinning, so that
other work on the machine can multiply the time of a run.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import lightgbm
import numpy as np

from benchmarks.figures import Bar, Figure, run
from benchmarks.timing import best_times
from metameasure.integrations.lightgbm import metric

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGES = ("numpy", "lightgbm", "metameasure")
OWN_AUC = "LightGBM's own AUC"
MEASURES = ("auc", "scored_auc", "two_level(auc, accuracy)")
FEATURES, SEED = 20, 20_240_601
PARAMETERS = {
    "objective": "binary", "verbosity": -1, "seed": 1, "max_bin": 63, "num_threads": 1
}  # fmt: skip


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    cases: int = 10**5
    rounds: int = 200
    repeats: int = 3


FULL = Scale()
QUICK = Scale(rounds=40)


def made(cases: int) -> tuple[lightgbm.Dataset, lightgbm.Dataset]:
    """Training and validation cases, the same number of each."""
    rng = np.random.default_rng(SEED)
    X = rng.normal(size=(2 * cases, FEATURES))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=2 * cases) > 0
    train = lightgbm.Dataset(X[:cases], y[:cases], params=PARAMETERS).construct()
    valid = train.create_valid(X[cases:], y[cases:], params=PARAMETERS).construct()
    return train, valid


def train(data: Any, rounds: int, measure: str | None) -> Any:
    own = {"metric": "None"} if measure else {"metric": "auc"}
    feval = metric(measure) if measure else None
    parameters = {**PARAMETERS, **own}
    return lightgbm.train(parameters, data[0], rounds, valid_sets=[data[1]], feval=feval)


def evaluation_in_training(scale: Scale) -> Figure:
    data = made(scale.cases)
    works = {OWN_AUC: partial(train, data, scale.rounds, None)}
    works |= {name: partial(train, data, scale.rounds, name) for name in MEASURES}
    ours, theirs = (works[name]().best_score["valid_0"]["auc"] for name in ("auc", OWN_AUC))
    assert abs(ours - theirs) < 1e-9
    best = best_times(works, scale.repeats, clock=time.process_time)
    bars = [
        Bar(
            f"{name}: processor time relative to {OWN_AUC}",
            "at most",
            1.15,
            best[name] / best[OWN_AUC],
        )
        for name in MEASURES
    ]
    raw = {"cases": scale.cases, "rounds": scale.rounds, "seconds": best}
    work = f"LightGBM, {scale.rounds} rounds, {scale.cases} training and validation cases"
    return Figure(work, bars, raw)


FIGURES: dict[str, Callable[[Scale], Figure]] = {"evaluation_in_training": evaluation_in_training}


if __name__ == "__main__":
    run(FIGURES, FULL, QUICK, PACKAGES, __doc__)
