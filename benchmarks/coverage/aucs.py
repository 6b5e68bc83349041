"""Coverage of the intervals of the AUC in hard places: few positives, heavy tails, near 1.

    python -m benchmarks.coverage.aucs                     about ten minutes
    python -m benchmarks.coverage.aucs --data-sets 100

Scores are normal with equal and unequal variances, heavy-tailed (Student with 2 degrees, Cauchy),
a mixture in which some positives look like negatives, or of few levels; class sizes are fixed.
"""

from __future__ import annotations

import argparse
import math
from itertools import product
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from metameasure.inference import Plan, Sample, measure_intervals
from metameasure.measurement import parse
from metameasure.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable

    Draw = Callable[[np.random.Generator, int], np.ndarray]

AUCS = (0.6, 0.8, 0.9, 0.97, 0.99)
"""The AUC of normal scores with these distances; that of other scores is computed."""
SIZES = ((5, 95), (10, 30), (10, 190), (25, 25), (30, 70), (100, 100), (20, 980))
METHODS = ("newcombe", "delong_logit", "delong", "bca")
RESAMPLES = 500
LARGE = 400_000
"""Number of scores per class that the true AUC is computed from."""


def populations(auc: float) -> dict[str, tuple[Draw, Draw]]:
    """The positives and negatives of each population."""
    distance = NormalDist().inv_cdf(auc)

    def normal(spread: float) -> tuple[Draw, Draw]:
        mean = math.hypot(spread, 1) * distance
        return (
            lambda rng, n: rng.normal(mean, spread, n),
            lambda rng, n: rng.normal(0, 1, n),
        )

    equal, standard = normal(1.0)
    return {
        "normal": (equal, standard),
        "wide positives": normal(2.0),
        "narrow positives": normal(0.5),
        "student": (
            lambda rng, n: 1.8 * distance + rng.standard_t(2, n),
            lambda rng, n: rng.standard_t(2, n),
        ),
        "cauchy": (
            lambda rng, n: 4.2 * distance + rng.standard_cauchy(n),
            lambda rng, n: rng.standard_cauchy(n),
        ),
        "mixture": (
            lambda rng, n: np.where(rng.random(n) < 2 * (1 - auc), 0, 8) + rng.normal(size=n),
            standard,
        ),
        "levels": (
            lambda rng, n: np.round(equal(rng, n)),
            lambda rng, n: np.round(standard(rng, n)),
        ),
    }


def coverage(
    draws: tuple[Draw, Draw], sizes: tuple[int, int], method: str, data_sets: int
) -> tuple[float, float]:
    """The fraction of the intervals that contain the true AUC, and their mean length."""
    rng, auc = np.random.default_rng(sizes), parse("auc")
    many = [draw(rng, LARGE) for draw in draws]
    label = np.repeat([True, False], LARGE)
    truth = float(auc.compute(ScoreTable.from_cases(label, np.concatenate(many))))
    label = np.repeat([True, False], sizes)
    plan = Plan(method=method, resamples=RESAMPLES, seed=1, workers=1)
    covered, length = 0, 0.0
    for _ in range(data_sets):
        score = np.concatenate([draw(rng, n) for draw, n in zip(draws, sizes, strict=True)])
        sample = Sample(label, {"m": score}, {"m": ScoreTable.from_cases(label, score)})
        (found,) = measure_intervals(sample, {"m": [auc]}, plan).values()
        covered += found.low <= truth <= found.high
        length += found.high - found.low
    return covered / data_sets, length / data_sets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data-sets", type=int, default=500, help="of each setting")
    parser.add_argument("--method", action="append", choices=METHODS, help="default: newcombe")
    options = parser.parse_args()
    for method in options.method or ["newcombe"]:
        found = {
            (name, auc, *sizes): coverage(draws, sizes, method, options.data_sets)
            for auc, sizes in product(AUCS, SIZES)
            for name, draws in populations(auc).items()
        }
        shares = np.array([covered for covered, _ in found.values()])
        enough = np.array([n_pos >= 10 for _, _, n_pos, _ in found])
        print(f"{method}: {len(found)} settings of {options.data_sets} data sets, nominal 95%")
        print(f"  mean {shares.mean():.3f}, lowest {shares.min():.3f}", end="")
        print(f", with 10 positives or more {shares[enough].min():.3f}", end="")
        print(f" ({np.count_nonzero(shares[enough] < 0.92)} below 92%)", end="")
        print(f"; above 98% {np.count_nonzero(shares > 0.98)}", end="")
        print(f"; mean length {np.mean([length for _, length in found.values()]):.4f}")
        worst = sorted(found, key=lambda setting: found[setting][0])[:5]
        print("  lowest:", "; ".join(f"{found[one][0]:.3f} {one}" for one in worst))


if __name__ == "__main__":
    main()
