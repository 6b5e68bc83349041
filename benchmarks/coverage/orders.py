"""Coverage of the intervals of measures of orders, and the size of the paired tests.

    python -m benchmarks.coverage.orders                   about five minutes
    python -m benchmarks.coverage.orders --data-sets 100

True and predicted values are bivariate normal, rounded for ties in half of the settings. In the
paired tests two models with independent errors of the same size are compared.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np

from metameasure.data import Orders
from metameasure.inference import OrderSample, PairPlan, Plan, differences, measure_intervals
from metameasure.measurement import parse_list

MEASURES = parse_list(
    "kendall_tau, spearman_rho, reversed_pairs, manhattan_distance, euclidean_distance"
)
SIZES = (15, 30, 100)
CORRELATIONS = (0.0, 0.5, 0.8, 0.97)
STEPS = (0.0, 0.5)
"""Steps to which values are rounded; 0 for none."""
MANY = 4000
"""Number of data sets from which the mean of a value, its target, is computed."""
CONFIDENCE = 0.95


def orders(
    rng: np.random.Generator, size: int, correlation: float, step: float, models: str = "m"
) -> OrderSample:
    """Items with the predictions of some models, whose errors are independent."""
    true = rng.normal(size=size)
    errors = np.sqrt(1 - correlation**2) * rng.normal(size=(len(models), size))
    columns = [true, *(correlation * true + error for error in errors)]
    if step:
        columns = [step * np.round(values / step) for values in columns]
    return OrderSample.of(Orders.of(columns[0], dict(zip(models, columns[1:], strict=True))))


def coverage(
    rng: np.random.Generator, size: int, correlation: float, step: float, data_sets: int
) -> np.ndarray:
    """The fraction of the intervals of each measure that contain the mean of its values."""
    drawn = (orders(rng, size, correlation, step).tables["m"] for _ in range(MANY))
    target = np.nanmean([[m.quiet_value(table) for m in MEASURES] for table in drawn], axis=0)
    hits = np.zeros(len(MEASURES))
    for _ in range(data_sets):
        sample = orders(rng, size, correlation, step)
        found = measure_intervals(sample, {"m": MEASURES}, Plan(ci=CONFIDENCE))
        hits += [
            one.low <= right <= one.high for one, right in zip(found.values(), target, strict=True)
        ]
    return hits / data_sets


def rejections(
    rng: np.random.Generator, size: int, correlation: float, step: float, data_sets: int
) -> np.ndarray:
    """The fraction of the paired tests of equally good models that reject."""
    rejected = np.zeros(len(MEASURES))
    for _ in range(data_sets):
        sample = orders(rng, size, correlation, step, "ab")
        gaps = [differences(sample, m, [("a", "b")], PairPlan(ci=CONFIDENCE))[0] for m in MEASURES]
        rejected += [gap.pvalue < 1 - CONFIDENCE for gap in gaps]
    return rejected / data_sets


def main() -> None:
    """Print the coverage and the fraction of rejections in each setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-sets", type=int, default=300)
    given = parser.parse_args()
    print("items  correlation  step  what       ", "  ".join(map(str, MEASURES)))
    for size, correlation, step in product(SIZES, CORRELATIONS, STEPS):
        rng = np.random.default_rng([size, round(100 * correlation), round(10 * step)])
        for what, compute in (("coverage", coverage), ("rejections", rejections)):
            shares = compute(rng, size, correlation, step, given.data_sets)
            values = "  ".join(
                f"{share:{len(str(m))}.1%}" for m, share in zip(MEASURES, shares, strict=True)
            )
            print(f"{size:5d}  {correlation:11g}  {step:4g}  {what:11s}", values, flush=True)


if __name__ == "__main__":
    main()
