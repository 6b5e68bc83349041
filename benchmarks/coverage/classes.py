"""Coverage of the intervals of measures of k classes, from always wrong to always right.

    python -m benchmarks.coverage.classes                    about five minutes
    python -m benchmarks.coverage.classes --data-sets 200 --measures "ovr_auc"

The log odds of a case are noise plus a distance for its own class, which is negative where scores
are mostly wrong. The noise is normal or heavy-tailed (Student with 2 degrees); in a mixture most
cases are far from the others and some are noise. Class sizes are fixed.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np
from scipy.special import softmax

from metameasure.data import ClassScores
from metameasure.inference import ClassSample, Plan, measure_intervals
from metameasure.measurement import parse_list

MEASURES = "ovr_auc, ovr_auc(average=weighted), hand_till_auc, accuracy, brier, log_loss"
SIZES = ((20, 20, 20), (40, 40, 40), (60, 60, 60), (20, 40, 60), (10, 30, 80))
"""Numbers of cases of the classes."""
DISTANCES = (-5, -3.5, -2, -1, 0, 1, 2, 3.5, 5)
"""How much the log odds of the own class are raised, in standard deviations of the noise."""
NOISES = ("normal", "student", "mixture")
LOST = 0.1
"""Fraction of the cases of a mixture that are noise."""
WIDEST = 10.0
"""How far from 0 the log odds are at most, so that the log loss is finite."""
LARGE = 40_000
"""Number of cases per class that the truth is computed from."""


def draw(
    rng: np.random.Generator, sizes: tuple[int, ...], distance: float, noise: str
) -> ClassScores:
    """Cases of k classes with their probabilities."""
    code, k = np.repeat(np.arange(len(sizes)), sizes), len(sizes)
    shape = code.size, k
    evidence = rng.standard_t(2, shape) if noise == "student" else rng.normal(size=shape)
    shift = np.full(code.size, float(distance))
    if noise == "mixture":
        shift = np.where(rng.random(code.size) < LOST, 0.0, 2 * shift)
    evidence[np.arange(code.size), code] += shift
    return ClassScores.of(code, softmax(np.clip(evidence, -WIDEST, WIDEST), axis=1))


def truths(measures: list, sizes: tuple[int, ...], distance: float, noise: str) -> list[float]:
    """The values in a large sample, whose classes have the shares of these sizes."""
    unit = LARGE // max(sizes)
    scores = draw(np.random.default_rng(1), tuple(unit * n for n in sizes), distance, noise)
    return [float(measure.compute(scores)) for measure in measures]


def coverage(
    measures: list, sizes: tuple[int, ...], distance: float, noise: str, data_sets: int
) -> np.ndarray:
    """Of each measure the truth, the fraction of intervals that contain it, and the mean length."""
    rng, plan = np.random.default_rng([*sizes, 7]), Plan(seed=1, resamples=500, workers=1)
    truth = np.array(truths(measures, sizes, distance, noise))
    found = []
    for _ in range(data_sets):
        sample = ClassSample.of({"m": draw(rng, sizes, distance, noise)})
        intervals = measure_intervals(sample, {"m": measures}, plan).values()
        found.append([(one.low, one.high) for one in intervals])
    low, high = np.moveaxis(np.array(found), -1, 0)
    covered = (low <= truth) & (truth <= high)
    return np.stack([truth, covered.mean(axis=0), (high - low).mean(axis=0)], axis=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data-sets", type=int, default=300, help="of each setting")
    parser.add_argument("--measures", default=MEASURES, help="comma-separated measures")
    options = parser.parse_args()
    measures = [measure.of_classes("scores") for measure in parse_list(options.measures)]
    settings = list(product(SIZES, DISTANCES, NOISES))
    found = np.array([coverage(measures, *one, options.data_sets) for one in settings])
    for number, measure in enumerate(measures):
        truth, covered, length = found[:, number].T
        print(f"{measure}: {len(settings)} settings of {options.data_sets} data sets, nominal 95%")
        print(f"  mean {covered.mean():.3f}, lowest {covered.min():.3f}", end="")
        print(f" ({np.count_nonzero(covered < 0.92)} below 92%)", end="")
        print(f"; above 98% {np.count_nonzero(covered > 0.98)}; mean length {length.mean():.4f}")
        worst = np.argsort(covered)[:6]
        texts = [f"{covered[i]:.3f} at {truth[i]:.4f} {settings[i]}" for i in worst]
        print("  lowest:", "; ".join(texts))


if __name__ == "__main__":
    main()
