"""Coverage of the intervals of measures at a threshold, from simulated confusion matrices.

    python -m benchmarks.coverage.matrices                 about five minutes
    python -m benchmarks.coverage.matrices --data-sets 200

The settings are sizes, prevalences, true and false positive rates with at least five expected
positives; the truth is known exactly. ``--weights`` gives each case a weight of 1 or, with a
probability of 1/10, of 10.
"""

from __future__ import annotations

import argparse
import math
import warnings
from itertools import product

import numpy as np

from metameasure.inference import Plan, Sample, measure_intervals
from metameasure.measurement import parse_list
from metameasure.table import ScoreTable

SIZES = (40, 100, 200, 1000)
PREVALENCES = (0.02, 0.05, 0.1, 0.25, 0.5)
RATES = ((0.05, 0.01), (0.3, 0.05), (0.6, 0.2), (0.9, 0.1), (0.97, 0.02), (0.5, 0.5))
FEWEST = 4.9
"""Least expected number of positives."""
MEASURES = parse_list(
    "mcc, f_measure, f_measure(beta=2), kappa, jaccard, g_mean, youden_j, balanced_accuracy, "
    "lr_plus, lr_minus, diagnostic_odds_ratio, expected_cost"
)
SCORES = np.array([0.9, 0.1])
Setting = tuple[int, float, float, float]


def settings() -> list[Setting]:
    """All combinations with enough positives."""
    return [
        (n, prevalence, *rates)
        for n, prevalence, rates in product(SIZES, PREVALENCES, RATES)
        if n * prevalence >= FEWEST
    ]


def shares(setting: Setting) -> np.ndarray:
    """The probabilities of true positives, false negatives, false positives, true negatives."""
    _, prevalence, tpr, fpr = setting
    of_positives, of_negatives = np.array([tpr, 1 - tpr]), np.array([fpr, 1 - fpr])
    return np.concatenate([prevalence * of_positives, (1 - prevalence) * of_negatives])


def coverage(setting: Setting, data_sets: int, *, weights: bool) -> np.ndarray:
    """The fraction of the intervals of each measure that contain the true value."""
    n, share = setting[0], shares(setting)
    truth = ScoreTable.of_weights(SCORES, share[:2], share[2:])
    values = [float(measure.compute(truth)) for measure in MEASURES]
    covered, defined = np.zeros(len(MEASURES)), np.zeros(len(MEASURES))
    rng = np.random.default_rng([n, *(round(1000 * part) for part in setting[1:])])
    for _ in range(data_sets):
        cell = rng.choice(4, n, p=share)
        weight = np.where(rng.random(n) < 0.1, 10.0, 1.0) if weights else None
        counts = np.bincount(cell, weight, 4).astype(np.float64)
        table = ScoreTable.of_weights(SCORES, counts[:2], counts[2:])
        sample = Sample(cell < 2, {"m": SCORES[cell % 2]}, {"m": table}, weight=weight)
        found = measure_intervals(sample, {"m": MEASURES}, Plan(seed=1))
        for place, interval in enumerate(found.values()):
            if not math.isnan(interval.low):
                defined[place] += 1
                covered[place] += interval.low <= values[place] <= interval.high
    return covered / np.maximum(defined, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data-sets", type=int, default=1000, help="of each setting")
    parser.add_argument("--weights", action="store_true", help="weighted cases")
    options = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chosen = settings()
        found = np.array(
            [coverage(one, options.data_sets, weights=options.weights) for one in chosen]
        )
    print(f"{len(chosen)} settings of {options.data_sets} data sets, nominal 95%")
    head = f"{'mean':>7}{'lowest':>8}{'< 92%':>7}{'> 98%':>7}"
    print(f"{'measure':24}{head}  lowest at n, prevalence, TPR, FPR")
    for measure, each in zip(MEASURES, found.T, strict=True):
        below, above = np.count_nonzero(each < 0.92), np.count_nonzero(each > 0.98)
        text = f"{each.mean():7.3f}{each.min():8.3f}{below:7}{above:7}"
        print(f"{measure!s:24}{text}  {chosen[int(each.argmin())]}")


if __name__ == "__main__":
    main()
