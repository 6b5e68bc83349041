"""How often a gate passes or fails if the true value is exactly at the bound.

    python -m benchmarks.gates                     about two minutes
    python -m benchmarks.gates --data-sets 200

A requirement may pass with a probability of at most 2.5%. The last line has four groups, all at the
bound, of which one or more may fail with a probability of at most 2.5%.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

import metameasure as mm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Draw = Callable[[np.random.Generator], tuple[Any, Any]]

NORMAL = NormalDist()


@dataclass(frozen=True)
class Setting:
    """A requirement, and data sets whose true value is its bound."""

    name: str
    require: str
    draw: Draw
    options: dict[str, Any] = field(default_factory=dict)


def distance(auc: float) -> float:
    return math.sqrt(2) * NORMAL.inv_cdf(auc)


def normal_scores(n_pos: int, n_neg: int, auc: float) -> Draw:
    label = np.arange(n_pos + n_neg) < n_pos
    return lambda rng: (label, rng.normal(size=label.size) + distance(auc) * label)


def normal_pairs(n_pos: int, n_neg: int, aucs: tuple[float, float]) -> Draw:
    """Two models whose scores have a correlation of 0.7 within each class."""
    label = np.arange(n_pos + n_neg) < n_pos
    new, old = map(distance, aucs)

    def draw(rng: np.random.Generator) -> tuple[Any, Any]:
        first, other = rng.normal(size=(2, label.size))
        second = 0.7 * first + math.sqrt(1 - 0.7**2) * other
        return label, {"new": first + new * label, "old": second + old * label}

    return draw


def calibrated(cases: int) -> Draw:
    """True probabilities, whose Brier score is 0.2, and their mean, whose Brier score is 0.24."""

    def draw(rng: np.random.Generator) -> tuple[Any, Any]:
        probability = rng.beta(2, 3, cases)
        label = rng.random(cases) < probability
        return label, {"new": probability, "old": np.full(cases, 0.4)}

    return draw


def answers(cases: int, new: float, old: float) -> Draw:
    """Two models that are right with these probabilities, often on the same cases."""

    def draw(rng: np.random.Generator) -> tuple[Any, Any]:
        label = rng.random(cases) < 0.5
        first, other = rng.random((2, cases))
        second = np.where(rng.random(cases) < 0.6, first, other)
        right = {"new": first < new, "old": second < old}
        return label, {model: np.where(label == which, 0.9, 0.1) for model, which in right.items()}

    return draw


def settings() -> Iterator[Setting]:
    baseline = {"baseline": "old"}
    for sizes in ((30, 120), (100, 300), (300, 300)):
        yield Setting(f"{sizes}", "auc >= 0.8", normal_scores(*sizes, 0.8))
    for sizes in ((30, 120), (100, 300), (400, 400)):
        draw = normal_pairs(*sizes, (0.83, 0.85))
        yield Setting(f"{sizes}", "auc >= baseline - 0.02", draw, baseline)
    yield Setting("(100, 300)", "auc > baseline", normal_pairs(100, 300, (0.85, 0.85)), baseline)
    for cases in (100, 400):
        yield Setting(f"{cases}", "brier <= 0.2", calibrated(cases), baseline)
    yield Setting("400", "brier <= baseline - 0.04", calibrated(400), baseline)
    yield Setting("400", "brier <= 0.833333333 * baseline", calibrated(400), baseline)
    for cases in (60, 300):
        yield Setting(f"{cases}", "accuracy >= 0.8", answers(cases, 0.8, 0.8), baseline)
    for cases in (100, 400):
        draw = answers(cases, 0.75, 0.8)
        yield Setting(f"{cases}", "accuracy >= baseline - 0.05", draw, baseline)
    tpr = 1 - NORMAL.cdf(NORMAL.inv_cdf(0.9) - distance(0.85))
    draw = normal_scores(150, 300, 0.85)
    yield Setting("(150, 300)", f"tpr@fpr=0.1 >= {tpr:.9f}", draw)
    groups = {"group": np.arange(400) % 4}
    yield Setting("4 groups", "auc >= 0.8 by group", normal_scores(100, 300, 0.8), groups)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-sets", type=int, default=2000)
    repeats = parser.parse_args().data_sets
    error = math.sqrt(0.025 * 0.975 / repeats)
    print(f"{'requirement':34}{'cases':12}{'passed':>8}{'failed':>8}   2.5% ± {error:.2%}")
    for setting in settings():
        rng = np.random.default_rng(20)
        found = Counter(
            mm.gate(*setting.draw(rng), setting.require, resamples=500, **setting.options).outcome
            for _ in range(repeats)
        )
        shares = "".join(f"{found[status] / repeats:8.2%}" for status in ("passed", "failed"))
        print(f"{setting.require:34}{setting.name:12}{shares}", flush=True)


if __name__ == "__main__":
    main()
